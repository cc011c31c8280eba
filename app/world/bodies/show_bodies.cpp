#include "world/bodies/show_bodies.hpp"

#include <atomic>
#include <utility>
#include <vector>

#include "platform/threads/in_parts.hpp"
#include "settings/draw.hpp"
#include "world/volumes.hpp"

namespace lab {
namespace {

/// Marked or connected bodies need their OBB: its corners are marked, and lines end at its center.
void want_boxes(const World& world, const Settings& settings, const FrameResults& results,
                std::vector<VolumeSet>& wanted) {
    const auto want = [&](bv::BodyId id) {
        if (const Body* body = world.find(id)) wanted[world.bodies().place_of(*body)] |= VolumeKind::Obb;
    };
    for (const RayQuery& ray : results.rays)
        if (ray.kind == RayQuery::Kind::Hover && ray.hit) want(ray.body);
    if (!settings[kDrawContacts]) return;
    for (const BodyPair& pair : results.pairs.exact_tested ? results.pairs.exact : results.pairs.volume) {
        want(pair.a);
        want(pair.b);
    }
}

/// The volumes that the picture needs of each body, by the body's index.
std::vector<VolumeSet> wanted_volumes(const World& world, const Settings& settings,
                                      const FrameResults& results) {
    const VolumeSet drawn = drawn_volumes(settings);
    const VolumesOn volumes_on = settings[kDrawVolumesOn];
    std::vector<VolumeSet> wanted(results.bodies.size());
    platform::in_parts(wanted.size(), platform::kBodiesPerPart, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const BodyState& body = results.bodies[i];
            VolumeSet kinds = drawn & shown_volumes(body, volumes_on);
            if (body.selected) kinds |= VolumeKind::Obb;
            wanted[i] = kinds | VolumeKind::AabbTight | body.volumes.kind;
        }
    });
    want_boxes(world, settings, results, wanted);
    return wanted;
}

/// True if the world keeps this kind for every body that needs it.
bool kept_by_world(VolumeKind kind, const FrameResults& results, const std::vector<VolumeSet>& wanted) {
    if (kind == VolumeKind::AabbTight) return true;
    std::atomic<bool> kept{true};
    platform::in_parts(wanted.size(), platform::kBodiesPerPart, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (wanted[i].has(kind) && results.bodies[i].volumes.kind != kind) kept = false;
    });
    return kept;
}

}  // namespace

void show_bodies(const World& world, FrameResults& results) {
    results.pairs = world.finder().pairs();
    const auto& bodies = world.bodies();
    results.bodies.resize(bodies.size());
    platform::in_parts(bodies.size(), platform::kBodiesPerPart, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            results.bodies[i] = bodies[i].state;
    });
}

void show_volumes(const World& world, const Settings& settings, FrameResults& results) {
    std::vector<VolumeSet> wanted = wanted_volumes(world, settings, results);
    if (results.volumes_revision == world.revision() && results.has_volumes == wanted) return;
    results.volumes_revision = world.revision();
    results.has_volumes = std::move(wanted);
    VolumeSet any;
    for (const VolumeSet kinds : results.has_volumes)
        any |= kinds;
    for (const VolumeSpec& spec : kVolumeSpecs) {
        VolumeColumn& column = results.volumes.column(spec.kind);
        if (!any.has(spec.kind)) {
            results.volumes.clear(spec.kind);
        } else if (kept_by_world(spec.kind, results, results.has_volumes)) {
            column = world.bodies().volumes().column(spec.kind);
        } else {
            const auto has = [&](std::size_t place) { return results.has_volumes[place].has(spec.kind); };
            refit_volumes(column, spec.kind, world.bodies().all(), world.bodies().meshes(), has);
        }
    }
}

}  // namespace lab
