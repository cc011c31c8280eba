#include "scenes/volumes/lineup.hpp"

#include <algorithm>
#include <chrono>

#include "bv/fit/catalog.hpp"
#include "bv/fit/kdop.hpp"
#include "bv/query/convex.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/overlap_kdop.hpp"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;
using bv::fit::Volume;

constexpr std::array kKinds = {
    LineupKind{"sphere", "sphere", Role::Sphere},
    LineupKind{"aabb_fixed", "fixed AABB", Role::AabbFixed},
    LineupKind{"aabb_tight", "tight AABB", Role::AabbTight},
    LineupKind{"capsule", "capsule", Role::Capsule},
    LineupKind{"rss", "rectangle swept sphere", Role::Capsule},
    LineupKind{"obb", "OBB", Role::Obb},
    LineupKind{"kdop14", "14-DOP", Role::Kdop},
    LineupKind{"kdop18", "18-DOP", Role::Kdop},
    LineupKind{"kdop26", "26-DOP", Role::Kdop},
    LineupKind{"hull", "convex hull", Role::Hull},
};
enum Index : std::size_t { kSphere, kFixed, kTight, kCapsule, kSwept, kObb, kDop14, kDop18, kDop26, kHull };

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Both hold the same alternative.
struct SameKindOverlap {
    const Volume& other;
    template <class Shape>
    bool operator()(const Shape& shape) const {
        return bv::overlap(shape, std::get<Shape>(other));
    }
    bool operator()(const bv::Hull& hull) const {
        return bv::overlap(bv::ConvexRef(hull), std::get<bv::Hull>(other));
    }
    bool operator()(const bv::Capsule& shape) const {
        return bv::overlap(bv::ConvexRef(shape), std::get<bv::Capsule>(other));
    }
    bool operator()(const bv::RectSweptSphere& shape) const {
        return bv::overlap(bv::ConvexRef(shape), std::get<bv::RectSweptSphere>(other));
    }
};

Volume fitted(std::string_view id, const bv::MeshView& mesh) {
    const bv::fit::FitEntry* entry = bv::fit::find_fit(id);
    return entry ? entry->fit(mesh) : Volume{};
}

}  // namespace

std::span<const LineupKind> lineup_kinds() {
    return kKinds;
}

const Lineup::MeshVolumes& Lineup::volumes_of(const MeshLibrary& meshes, MeshId id) {
    const auto known = cache_->meshes.find(id.value);
    if (known != cache_->meshes.end()) return known->second;
    const bv::MeshView mesh{meshes[id].extremes, {}};  // nothing else reaches the surface of these volumes
    return cache_->meshes
        .emplace(id.value, MeshVolumes{fitted("hull.quickhull", mesh), fitted("capsule.tight", mesh),
                                       fitted("rss.tight", mesh)})
        .first->second;
}

void Lineup::place(const World& world, LineupResult& result) {
    const auto bodies = world.bodies();
    result.volumes.resize(kKinds.size());
    for (const Body& body : bodies)  // fits belong to the mesh, not to this frame
        (void)volumes_of(world.meshes(), body.state.mesh);
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
        const auto start = Clock::now();
        for (const Body& body : bodies) {
            const BodyState& s = body.state;
            const MeshVolumes& own = cache_->meshes.at(s.mesh.value);
            const auto& corners = world.meshes()[s.mesh].extremes;
            const auto volume = [&]() -> Volume {
                switch (kind) {
                    case kSphere:
                        return s.sphere;
                    case kFixed:
                        return s.aabb_fixed;
                    case kTight:
                        return s.aabb_tight;
                    case kObb:
                        return s.obb;
                    case kDop14:
                        return bv::fit::kdop<14>(corners, s.transform);
                    case kDop18:
                        return bv::fit::kdop<18>(corners, s.transform);
                    case kDop26:
                        return bv::fit::kdop<26>(corners, s.transform);
                    case kCapsule:
                        return bv::fit::transformed(own.capsule, s.transform);
                    case kSwept:
                        return bv::fit::transformed(own.swept, s.transform);
                    default:
                        return bv::fit::transformed(own.hull, s.transform);
                }
            };
            result.volumes[kind].push_back(volume());
        }
        const bool by_world = kind == kSphere || kind == kFixed || kind == kTight || kind == kObb;
        result.kinds[kind].refit_us = by_world || bodies.empty()
                                          ? 0.0
                                          : 1e6 * seconds_since(start) / static_cast<double>(bodies.size());
    }
}

void Lineup::find_candidates(const World& world, LineupResult& result) {
    // The boxes that no volume of the table can be larger than where it matters: a pair of meshes that
    // touches always has touching fixed boxes.
    const auto bodies = world.bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = i + 1; j < bodies.size(); ++j)
            if (bv::overlap(bodies[i].state.aabb_fixed, bodies[j].state.aabb_fixed))
                result.candidates.push_back({bodies[i].state.id, bodies[j].state.id});
}

LineupResult Lineup::compare(const World& world) {
    LineupResult result;
    result.bodies = world.bodies().size();
    result.kinds.resize(kKinds.size());
    result.passed.resize(kKinds.size());
    place(world, result);
    find_candidates(world, result);

    const auto bodies = world.bodies();
    const auto index_of = [&](bv::BodyId id) {
        const auto at =
            std::lower_bound(bodies.begin(), bodies.end(), id,
                             [](const Body& body, bv::BodyId wanted) { return body.state.id < wanted; });
        return static_cast<std::size_t>(at - bodies.begin());
    };
    std::vector<std::pair<std::size_t, std::size_t>> indices;
    for (const BodyPair& pair : result.candidates)
        indices.emplace_back(index_of(pair.a), index_of(pair.b));
    const double count = std::max(1.0, static_cast<double>(indices.size()));

    auto start = Clock::now();
    for (std::size_t i = 0; i < indices.size(); ++i)
        if (cache_->exact.touching(world.meshes(), bodies[indices[i].first].state,
                                   bodies[indices[i].second].state))
            result.touching.push_back(result.candidates[i]);
    result.exact_us = 1e6 * seconds_since(start) / count;

    for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
        FalseAlarms& row = result.kinds[kind];
        row.kind = kKinds[kind].id;
        row.role = kKinds[kind].role;
        row.tested = indices.size();
        start = Clock::now();
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const auto& volumes = result.volumes[kind];
            if (std::visit(SameKindOverlap{volumes[indices[i].second]}, volumes[indices[i].first]))
                result.passed[kind].push_back(result.candidates[i]);
        }
        row.test_ns = 1e9 * seconds_since(start) / count;
        row.passed = result.passed[kind].size();
        row.touching = static_cast<std::uint64_t>(
            std::count_if(result.passed[kind].begin(), result.passed[kind].end(), [&](const BodyPair& pair) {
                return std::binary_search(result.touching.begin(), result.touching.end(), pair);
            }));
    }
    return result;
}

}  // namespace lab
