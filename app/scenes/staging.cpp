#include "scenes/staging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "bv/assert.hpp"
#include "bv/fit/catalog.hpp"
#include "bv/portable_math.hpp"
#include "bv/shapes/not_finite.hpp"
#include "results/messages.hpp"
#include "settings/draw.hpp"
#include "settings/rays.hpp"
#include "workloads/random.hpp"
#include "world/mesh_library.hpp"
#include "world/mesh_title.hpp"
#include "world/opened_files.hpp"
#include "world/world.hpp"

namespace lab::scenes {

const Handle* HandleSet::find(std::string_view id) const {
    const auto it =
        std::find_if(handles_.begin(), handles_.end(), [&](const Handle& h) { return h.id == id; });
    return it == handles_.end() ? nullptr : &*it;
}

glm::vec3 HandleSet::operator[](std::string_view id) const {
    const Handle* handle = find(id);
    BV_ASSERT(handle != nullptr);
    return handle ? handle->position : glm::vec3(0.0f);
}

void HandleSet::place(std::string_view id, glm::vec3 position) {
    for (Handle& handle : handles_)
        if (handle.id == id) handle.position = position;
}

bool HandleSet::drag(std::string_view id, glm::vec3 position) {
    if (!find(id) || !bv::is_finite(position)) return false;
    place(id, position);
    if (!taken(id)) taken_.emplace_back(id);
    return true;
}

bool HandleSet::taken(std::string_view id) const {
    return std::find(taken_.begin(), taken_.end(), id) != taken_.end();
}

void HandleSet::arrange(std::span<const Placed> places) {
    for (const Placed& place : places)
        drag(place.id, place.position);
}

void HandleSet::restore(const HandleSet& from, const HandleSet& to) {
    for (const Handle& wanted : to.handles_) {
        const Handle* const other = from.find(wanted.id);
        const bool is_taken = to.taken(wanted.id);
        if (other && other->position == wanted.position && from.taken(wanted.id) == is_taken) continue;
        place(wanted.id, wanted.position);
        std::erase(taken_, wanted.id);
        if (is_taken) taken_.push_back(wanted.id);
    }
    placed_ = to.placed_;
}

void HandleSet::show(FrameResults& results) const {
    results.handles.insert(results.handles.end(), handles_.begin(), handles_.end());
}

MeshId mesh_on_show(const SceneContext& context, std::string_view own) {
    if (!context.opened.meshes.empty() && !context.settings[kOwnMesh]) return context.opened.meshes.back();
    return context.meshes.find(own).value_or(MeshId{0});
}

MeshId mesh_named(const SceneContext& context, std::string_view name, MeshId otherwise) {
    if (name.empty() || name == "any") return otherwise;
    if (const auto named = context.meshes.find(name)) return *named;
    context.messages.error(fmt::format("There is no mesh '{}'; choose one from the list. {} is shown instead",
                                       name, title_of(context.meshes[otherwise])));
    return otherwise;
}

MeshId MeshSetting::follow(const SceneContext& context, const std::string& name, MeshId otherwise) {
    if (std::exchange(name_, name) != name) return mesh_named(context, name, otherwise);
    return name == "any" ? otherwise : context.meshes.find(name).value_or(otherwise);
}

float in_one_turn(float degrees) {
    if (!std::isfinite(degrees) || (degrees > -180.0f && degrees <= 180.0f)) return degrees;
    const float rest = std::remainder(degrees, 360.0f);
    return rest == -180.0f ? 180.0f : rest;
}

glm::mat3 axes_along(const glm::vec3& forward) {
    const float length = glm::length(forward);
    const glm::vec3 x = length > 1e-6f ? forward / length : glm::vec3(1, 0, 0);
    const glm::vec3 up = std::abs(x.y) < 0.99f ? glm::vec3(0, 1, 0) : glm::vec3(0, 0, 1);
    const glm::vec3 z = glm::normalize(glm::cross(x, up));
    return {x, glm::cross(z, x), z};
}

void put_side_by_side(SceneContext& context, std::span<const MeshId> meshes) {
    float right_end = 0.0f, last_width = 0.0f;
    for (const MeshId id : meshes) {
        const bv::Aabb box = context.meshes[id].aabb_tight;
        const float gap = 0.25f * std::max(box.size().x, last_width);
        if (last_width > 0.0f) right_end += gap;
        BodySpec spec;
        spec.mesh = id;
        spec.name = title_of(context.meshes[id]);
        spec.position = glm::vec3(right_end, 0.0f, 0.0f) - glm::vec3(box.min.x, box.min.y, box.center().z);
        if (!context.world.add(spec).valid())
            context.messages.warning(fmt::format("{} is too large or too far away to show", spec.name));
        right_end += box.size().x;
        last_width = box.size().x;
    }
}

namespace {

/// The algorithm of a row in words: "Ritter", "Around the sphere".
std::string algorithm_in_words(VolumeKind kind, const VolumeChoice& volumes) {
    if (kind == VolumeKind::AabbTight) return "Min and max";
    if (spec_of(kind).carry == Carry::AroundSphere) return "Around the sphere";
    const bv::fit::FitEntry& entry = bv::fit::fit_catalog()[fit_row(kind, volumes)];
    const bool says_kind_only = entry.name == bv::fit::name_of(entry.kind);
    return says_kind_only ? "Extreme points" : std::string(entry.name);
}

}  // namespace

void add_volumes(Table& table, const MeshEntry& mesh, const VolumeChoice& volumes) {
    for (const FittedVolume& fit : mesh.volumes(volumes))
        table.add({title_of(mesh), std::string(spec_of(fit.kind).name), algorithm_in_words(fit.kind, volumes),
                   cells::significant(fit.volume, 4), cells::significant(fit.surface, 4),
                   cells::fixed(fit.fit_ms, 3).timed()},
                  spec_of(fit.kind).role);
}

glm::mat3 rolled(const glm::mat3& axes, float degrees) {
    if (degrees == 0.0f) return axes;
    const float angle_rad = glm::radians(degrees);
    const float c = bv::cos(angle_rad), s = bv::sin(angle_rad);
    return {axes[0], c * axes[1] + s * axes[2], c * axes[2] - s * axes[1]};
}

void clear_the_board(Settings& settings) {
    for (const Setting<bool>* flag : {&kDrawAxes, &kDrawTree, &kRaySweep})
        settings.assign(*flag, false);
}

void hide_volumes(Settings& settings) {
    for (const Setting<bool>* flag :
         {&kDrawSphere, &kDrawAabbFixed, &kDrawAabbTight, &kDrawObb, &kDrawContacts})
        settings.assign(*flag, false);
    settings.assign(kDrawVolumesOn, VolumesOn::None);
}

void prepare_for_boxes(Settings& settings, std::size_t count) {
    constexpr std::size_t kFew = 300;
    settings.assign(kDrawTreeMaxDepth, 5);
    settings.assign(kBoxesDraw, count <= kFew);
}

void put_boxes(const Settings& settings, FrameResults& results, std::span<const bv::Aabb> boxes) {
    constexpr std::size_t kMaxBoxes = 20'000;
    if (!settings[kBoxesDraw]) return;
    for (const bv::Aabb& box : boxes.first(std::min(boxes.size(), kMaxBoxes))) {
        Exhibit& shown = put(results, box, Role::AabbTight);
        shown.width_px = 1.0f;
        shown.legend = "box";
    }
}

int better_by(const bv::TreeMetrics& a, const bv::TreeMetrics& b) {
    constexpr double kSame = 1e-6;
    if (a.sah < b.sah * (1.0 - kSame)) return 1;
    if (b.sah < a.sah * (1.0 - kSame)) return -1;
    return a.height < b.height ? 1 : b.height < a.height ? -1 : 0;
}

std::size_t bytes_of(const bv::TreeSnapshot& tree) {
    return tree.size() * (sizeof(bv::Aabb) + 7 * sizeof(std::uint32_t)) +
           tree.payloads.size() * (sizeof(bv::Aabb) + sizeof(std::uint64_t)) +
           tree.obbs.size() * sizeof(bv::Obb);
}

std::vector<bv::Aabb> made_up_street(std::uint64_t seed) {
    bv::workloads::Random random(seed);
    std::vector<bv::Aabb> houses;
    for (int x = -6; x <= 6; ++x)
        for (int z = -3; z <= 3; ++z) {
            if (z == 0) continue;  // the street
            const glm::vec3 corner(1.6f * static_cast<float>(x), 0.0f, 1.6f * static_cast<float>(z));
            const float depth = random.uniform(0.7f, 1.4f);
            const float height = random.uniform(0.5f, 3.5f);
            const float width = random.uniform(0.7f, 1.4f);
            houses.push_back({corner, corner + glm::vec3(width, height, depth)});
        }
    return houses;
}

}  // namespace lab::scenes
