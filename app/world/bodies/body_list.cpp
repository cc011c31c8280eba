#include "world/bodies/body_list.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "platform/threads/in_parts.hpp"

namespace lab {

constexpr std::uint32_t kNoBody = 0xffffffffu;

// ---- bodies

Body* BodyList::at(bv::BodyId id) {
    const std::uint32_t place = id.value < index_.size() ? index_[id.value] : kNoBody;
    return place == kNoBody ? nullptr : &bodies_[place];
}

const Body* BodyList::find(bv::BodyId id) const {
    return const_cast<BodyList*>(this)->at(id);
}

void BodyList::grow_index_to(bv::BodyId last) {
    if (last.value >= index_.size()) index_.resize(std::size_t{last.value} + 1, kNoBody);
}

void BodyList::index_from(std::size_t first) noexcept {
    for (std::size_t i = first; i < bodies_.size(); ++i)
        index_[bodies_[i].state.id.value] = static_cast<std::uint32_t>(i);
}

std::size_t BodyList::triangles_of(const Body& body) const {
    return (*meshes_)[body.state.mesh].triangles.size();
}

/// Item i becomes what was item `from[i]`, or a new item where `from[i]` is kNoBody.
template <class T>
static void rearrange(std::vector<T>& items, std::span<const std::uint32_t> from) {
    std::vector<T> arranged;
    arranged.reserve(from.size());
    for (const std::uint32_t place : from)
        arranged.push_back(place == kNoBody ? T{} : std::move(items[place]));
    items = std::move(arranged);
}

void BodyList::append(Body body, const VolumeChoice& choice) {
    if (!body.state.hidden) visible_triangles_ += triangles_of(body);
    const std::size_t place = bodies_.size();
    grow_index_to(body.state.id);
    bodies_.push_back(std::move(body));
    index_from(place);
    for (const VolumeSpec& spec : kVolumeSpecs)
        if (kinds_on_.has(spec.kind))
            std::visit([](auto& list) { list.edit().emplace_back(); }, volumes_.column(spec.kind));
    refit(place, choice);
}

void BodyList::merge(std::vector<Body> added, const VolumeChoice& choice) {
    std::vector<std::uint32_t> from;
    std::vector<Body> all;
    all.reserve(bodies_.size() + added.size());
    from.reserve(all.capacity());
    grow_index_to(added.back().state.id);
    // From here until the bodies have arrived, nothing may throw.
    std::size_t next = 0;
    for (std::uint32_t i = 0; i <= bodies_.size(); ++i) {
        for (; next < added.size() && (i == bodies_.size() || added[next].state.id < bodies_[i].state.id);
             ++next) {
            if (!added[next].state.hidden) visible_triangles_ += triangles_of(added[next]);
            from.push_back(kNoBody);
            all.push_back(std::move(added[next]));
        }
        if (i == bodies_.size()) break;
        from.push_back(i);
        all.push_back(std::move(bodies_[i]));
    }
    bodies_ = std::move(all);
    index_from(0);
    rearrange_volumes(from);
    for (std::size_t i = 0; i < from.size(); ++i)
        if (from[i] == kNoBody) refit(i, choice);
}

void BodyList::unlist(const Body& body) {
    if (!body.state.hidden) visible_triangles_ -= triangles_of(body);
    index_[body.state.id.value] = kNoBody;
}

void BodyList::drop_unlisted() {
    std::vector<std::uint32_t> kept;
    kept.reserve(bodies_.size());
    for (std::uint32_t i = 0; i < bodies_.size(); ++i)
        if (find(bodies_[i].state.id)) kept.push_back(i);
    rearrange(bodies_, kept);
    rearrange_volumes(kept);
    index_from(0);
}

void BodyList::clear() {
    bodies_.clear();
    volumes_ = {};
    kinds_on_ = VolumeKind::AabbTight;
    index_.clear();
    visible_triangles_ = 0;
}

void BodyList::repair(const VolumeChoice& choice) {
    index_.clear();
    if (!bodies_.empty()) grow_index_to(bodies_.back().state.id);
    index_from(0);
    volumes_ = {};
    refit_all(choice);
    visible_triangles_ = 0;
    for (const Body& body : bodies_)
        if (!body.state.hidden) visible_triangles_ += triangles_of(body);
}

void BodyList::set_hidden(Body& body, bool hidden) {
    if (body.state.hidden == hidden) return;
    body.state.hidden = hidden;
    if (hidden)
        visible_triangles_ -= triangles_of(body);
    else
        visible_triangles_ += triangles_of(body);
}

// ---- volumes

void BodyList::refit_all(const VolumeChoice& choice) {
    std::vector<VolumeSet> chosen_in_part(bodies_.size() / platform::kBodiesPerPart + 1);
    platform::in_parts(bodies_.size(), platform::kBodiesPerPart, [&](std::size_t begin, std::size_t end) {
        VolumeSet kinds;
        for (std::size_t i = begin; i < end; ++i) {
            Body& body = bodies_[i];
            body.state.volumes = resolved(choice, body.state.own);
            kinds |= body.state.volumes.kind;
            place_mesh(body);
        }
        chosen_in_part[begin / platform::kBodiesPerPart] = kinds;
    });
    VolumeSet chosen;
    for (const VolumeSet kinds : chosen_in_part)
        chosen |= kinds;
    const VolumeSet on = chosen | VolumeKind::AabbTight;
    for (const VolumeSpec& spec : kVolumeSpecs)
        if ((kinds_on_ - on).has(spec.kind)) volumes_.clear(spec.kind);
    kinds_on_ = on;
    for (const VolumeSpec& spec : kVolumeSpecs)
        if (on.has(spec.kind))
            refit_column(spec.kind, spec.kind == VolumeKind::AabbTight || chosen == VolumeSet(spec.kind));
}

void BodyList::refit_column(VolumeKind kind, bool every_body) {
    const auto wanted = [&](std::size_t place) {
        return every_body || bodies_[place].state.volumes.kind == kind;
    };
    refit_volumes(volumes_.column(kind), kind, bodies_, *meshes_, wanted);
}

void BodyList::refit(std::size_t place, const VolumeChoice& choice) {
    Body& body = bodies_[place];
    body.state.volumes = resolved(choice, body.state.own);
    place_mesh(body);
    const VolumeKind kind = body.state.volumes.kind;
    if (!kinds_on_.has(kind)) {
        kinds_on_ |= kind;
        std::visit([this](auto& list) { list.edit().resize(bodies_.size()); }, volumes_.column(kind));
    }
    const MeshEntry& mesh = (*meshes_)[body.state.mesh];
    for (const VolumeSpec& spec : kVolumeSpecs)
        if (spec.kind == kind || spec.kind == VolumeKind::AabbTight)
            place_volume(volumes_.column(spec.kind), place, spec.kind, body, mesh);
}

void BodyList::rearrange_volumes(std::span<const std::uint32_t> from) {
    for (const VolumeSpec& spec : kVolumeSpecs)
        if (kinds_on_.has(spec.kind))
            std::visit([from](auto& list) { rearrange(list.edit(), from); }, volumes_.column(spec.kind));
}

const bv::Aabb& BodyList::tight_box(const Body& body) const {
    return volumes_.get<bv::Aabb>(VolumeKind::AabbTight, place_of(body));
}

bv::Sphere BodyList::sphere(const Body& body) const {
    return std::get<bv::Sphere>(volume(VolumeKind::Sphere, body));
}

bv::Aabb BodyList::fixed_box(const Body& body) const {
    return std::get<bv::Aabb>(volume(VolumeKind::AabbFixed, body));
}

bv::Obb BodyList::obb(const Body& body) const {
    return std::get<bv::Obb>(volume(VolumeKind::Obb, body));
}

BodyVolume BodyList::volume(VolumeKind kind, const Body& body) const {
    return placed_volume(kind, body, (*meshes_)[body.state.mesh]);
}

bv::Aabb BodyList::broad_box_at(std::size_t place) const {
    const VolumeKind kind = bodies_[place].state.volumes.kind;
    return lab::broad_box(kind, volumes_.column(kind), place,
                          volumes_.get<bv::Aabb>(VolumeKind::AabbTight, place));
}

bv::Aabb BodyList::broad_box_of(Body body, const VolumeChoice& choice) const {
    body.state.volumes = resolved(choice, body.state.own);
    place_mesh(body);
    const VolumeKind kind = body.state.volumes.kind;
    VolumeColumn column = empty_column(kind);
    std::visit([](auto& list) { list.edit().resize(1); }, column);
    place_volume(column, 0, kind, body, (*meshes_)[body.state.mesh]);
    return lab::broad_box(kind, column, 0, std::get<bv::Aabb>(volume(VolumeKind::AabbTight, body)));
}

bool BodyList::ray_meets(const bv::Ray& ray, const Body& body) const {
    return lab::ray_meets(ray, volumes_.column(body.state.volumes.kind), place_of(body));
}

}  // namespace lab
