#include "world/mesh_library.hpp"

#include "io/file_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <utility>
#include <variant>

#include "bv/assert.hpp"
#include "bv/fit/aabb.hpp"
#include "bv/fit/catalog.hpp"
#include "platform/clock.hpp"
#include "workloads/meshes.hpp"
#include "world/mesh_making.hpp"

namespace lab {
namespace {

/// A mesh with this name could not be chosen: for settings it means that any mesh will do.
constexpr const char* kAnyMesh = "any";

template <class Fit>
auto timed(Fit&& fit) {
    const platform::Clock clock;
    auto volume = fit();
    const double took_ms = clock.milliseconds();
    return Fitted<decltype(volume)>{std::move(volume), took_ms};
}

/// Whether two files hold the same mesh, with the same colors.
bool is_same(const MeshEntry& a, const MeshEntry& b) {
    const auto same_skin = [](const VoxelSkin& s, const VoxelSkin& t) {
        return s.origin == t.origin && s.edge == t.edge && *s.cells == *t.cells;
    };
    const bool alike = !a.voxels == !b.voxels && (!a.voxels || same_skin(*a.voxels, *b.voxels));
    return alike && a.positions == b.positions && a.triangles == b.triangles;
}

/// Fits by a row of the catalog. Fits that depend only on the hull use only its vertices, and those that
/// start from the smallest box share one.
Fitted<bv::fit::Volume> by_catalog(const MeshEntry& mesh, std::size_t row) {
    const bv::fit::FitEntry& entry = bv::fit::fit_catalog()[row];
    const bool by_hull = entry.cost == bv::fit::CostClass::Hull || entry.cost == bv::fit::CostClass::Search;
    const bv::MeshView points = by_hull ? bv::MeshView{mesh.extremes, {}} : mesh.view();
    if (!entry.fit_with_box) return timed([&] { return entry.fit(points); });
    const Fitted<bv::fit::Volume>& box = mesh.fitted(VolumeKind::Obb, {.obb = ObbFit::Exact});
    auto made = timed([&] { return entry.fit_with_box(points, std::get<bv::Obb>(box.volume)); });
    made.fit_ms += box.fit_ms;
    return made;
}

/// The last part of the id of a row: `ritter`.
std::string algorithm_of(VolumeKind kind, const VolumeChoice& choice) {
    if (const std::string_view name = spec_of(kind).algorithm; !name.empty()) return std::string(name);
    const std::string_view id = bv::fit::fit_catalog()[fit_row(kind, choice)].id;
    return std::string(id.substr(id.find('.') + 1));
}

}  // namespace

/// A fit computed once, by the first thread that needs it.
struct KeptFit {
    std::atomic<bool> made{false};
    std::once_flag making;
    Fitted<bv::fit::Volume> fit;

    const Fitted<bv::fit::Volume>& get(const MeshEntry& mesh, std::size_t row) {
        if (made.load(std::memory_order_acquire)) return fit;
        std::call_once(making, [&] {
            fit = by_catalog(mesh, row);
            made.store(true, std::memory_order_release);
        });
        return fit;
    }
};

/// The kept fits, by the rows of the catalog.
struct MeshEntry::Fits {
    std::vector<KeptFit> rows = std::vector<KeptFit>(bv::fit::fit_catalog().size());
};

std::shared_ptr<MeshEntry::Fits> MeshEntry::no_fits() {
    return std::make_shared<Fits>();
}

const Fitted<bv::fit::Volume>& MeshEntry::fitted(VolumeKind kind, const VolumeChoice& choice) const {
    const std::size_t row = fit_row(kind, choice);
    return fits->rows[row].get(*this, row);
}

const VolumeSpec* MeshEntry::missing_fit(const VolumeChoice& choice, VolumeSet kinds) const {
    kinds |= choice.kind;
    const auto missing = std::find_if(kVolumeSpecs.begin(), kVolumeSpecs.end(), [&](const VolumeSpec& spec) {
        return kinds.has(spec.kind) && spec.carry != Carry::Refitted &&
               !fits->rows[fit_row(spec.kind, choice)].made;
    });
    return missing == kVolumeSpecs.end() ? nullptr : &*missing;
}

bool MeshEntry::has_fits(const VolumeChoice& choice, VolumeSet kinds) const {
    return missing_fit(choice, kinds) == nullptr;
}

bool MeshEntry::make_next_fit(const VolumeChoice& choice, VolumeSet kinds) const {
    const VolumeSpec* const missing = missing_fit(choice, kinds);
    if (missing) (void)fitted(missing->kind, choice);
    return missing != nullptr;
}

std::vector<FittedVolume> MeshEntry::volumes(const VolumeChoice& choice, VolumeSet kinds) const {
    std::vector<FittedVolume> rows;
    const auto add = [&](VolumeKind kind, const auto& fit) {
        rows.push_back({kind, algorithm_of(kind, choice), static_cast<double>(fit.volume.volume()),
                        static_cast<double>(fit.volume.surface_area()), fit.fit_ms});
    };
    for (const VolumeSpec& spec : kVolumeSpecs) {
        if (!kinds.has(spec.kind)) continue;
        if (spec.kind == VolumeKind::AabbTight) {
            add(spec.kind, Fitted<bv::Aabb>{aabb_tight, aabb_tight_ms});
            continue;
        }
        const Fitted<bv::fit::Volume>& fit = fitted(spec.kind, choice);
        if (spec.carry == Carry::AroundSphere) {
            const auto& ball = std::get<bv::Sphere>(fit.volume);
            add(spec.kind, timed([&] { return bv::fit::aabb_fixed(ball); }));
        } else {
            std::visit(
                [&](const auto& shape) {
                    add(spec.kind, Fitted<std::decay_t<decltype(shape)>>{shape, fit.fit_ms});
                },
                fit.volume);
        }
    }
    return rows;
}

MeshId MeshLibrary::add(std::string name, std::string source, std::vector<glm::vec3> positions,
                        std::vector<glm::uvec3> triangles) {
    return insert(
        MeshMaking(std::move(name), std::move(source), std::move(positions), std::move(triangles), {})
            .make());
}

std::string MeshLibrary::free_name(const std::string& wanted) const {
    std::string name = wanted;
    for (int number = 2; find(name) || name == kAnyMesh; ++number)
        name = fmt::format("{} {}", wanted, number);
    return name;
}

MeshId MeshLibrary::insert(MeshEntry mesh) {
    mesh.name = free_name(mesh.name);
    entries_.push_back(std::move(mesh));
    return {static_cast<std::uint32_t>(entries_.size() - 1)};
}

std::optional<MeshId> MeshLibrary::find_file(const std::string& path) const {
    for (std::size_t i = entries_.size(); i-- > 0;) {
        const std::string& source = entries_[i].source;
        if (source != kGenerated && source != kCut && io::is_same_place(source, path))
            return MeshId{static_cast<std::uint32_t>(i)};
    }
    return std::nullopt;
}

MeshId MeshLibrary::insert_file(MeshEntry mesh) {
    const std::optional<MeshId> before = find_file(mesh.source);
    if (!before) return insert(std::move(mesh));
    MeshEntry& old = entries_[before->value];
    if (is_same(old, mesh)) return *before;
    mesh.name = std::exchange(old.name, "");
    old.name = free_name(mesh.name + " (before)");
    mesh.replaced = before;
    return insert(std::move(mesh));
}

MeshLibrary::Names MeshLibrary::fresh_names(const std::vector<MeshId>& meshes) const {
    std::set<std::string> taken{std::string(kAnyMesh)};
    for (const MeshEntry& mesh : entries_)
        if (mesh.source == kGenerated) taken.insert(mesh.name);
    Names names;
    for (const MeshId id : meshes) {
        const std::string& wanted = (*this)[id].wanted;
        std::string name = wanted;
        for (int number = 2; !taken.insert(name).second; ++number)
            name = fmt::format("{} {}", wanted, number);
        names.emplace_back(id, std::move(name));
    }
    return names;
}

void MeshLibrary::rename(const Names& names) {
    for (const auto& [id, name] : names)
        entries_[id.value].name.clear();
    std::vector<MeshId> named, moved;
    for (const auto& [id, name] : names) {
        const std::optional<MeshId> other = find(name);
        const bool stays = other && (entries_[other->value].source == kGenerated ||
                                     std::find(named.begin(), named.end(), *other) != named.end());
        if (other && !stays) {
            entries_[other->value].name.clear();
            moved.push_back(*other);
        }
        entries_[id.value].name = free_name(name);
        named.push_back(id);
    }
    for (const MeshId id : moved)
        entries_[id.value].name = free_name(entries_[id.value].wanted);
}

void MeshLibrary::take_back(std::size_t count) {
    for (; entries_.size() > count; entries_.pop_back())
        if (const MeshEntry& last = entries_.back(); last.replaced)
            entries_[last.replaced->value].name = last.name;
}

void MeshLibrary::add_generated() {
    for (const bv::workloads::MeshCatalogEntry& row : bv::workloads::mesh_catalog()) {
        bv::workloads::MeshData data = row.factory();
        add(std::string(row.id), std::string(kGenerated), std::move(data.positions),
            std::move(data.triangles));
    }
}

std::optional<MeshId> MeshLibrary::find(std::string_view name) const {
    for (std::size_t i = 0; i < entries_.size(); ++i)
        if (entries_[i].name == name) return MeshId{static_cast<std::uint32_t>(i)};
    return std::nullopt;
}

const MeshEntry& MeshLibrary::operator[](MeshId id) const {
    BV_ASSERT(id.value < entries_.size());
    return entries_[id.value];
}

std::vector<std::string_view> MeshLibrary::names() const {
    std::vector<std::string_view> names;
    for (const MeshEntry& mesh : entries_)
        if (mesh.source != kCut) names.push_back(mesh.name);
    return names;
}

}  // namespace lab
