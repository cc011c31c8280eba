#include "scenes/volumes/lineup.hpp"

#include <algorithm>

#include "bv/query/overlap.hpp"
#include "platform/clock.hpp"
#include "world/exact.hpp"
#include "world/volumes.hpp"

namespace lab {
namespace {

/// The volumes of all bodies, for each kind of `kLineup`.
std::vector<VolumeColumn> place(const World& world, LineupResult& result) {
    std::vector<VolumeColumn> columns;
    const auto& bodies = world.bodies();
    const auto all = [](std::size_t) { return true; };
    for (const Body& body : bodies)  // fits belong to the mesh, not to this frame
        while (world.bodies().meshes()[body.state.mesh].make_next_fit(body.state.volumes, all_volumes())) {
        }
    for (std::size_t i = 0; i < kLineup.size(); ++i) {
        VolumeColumn& column = columns.emplace_back(empty_column(kLineup[i]));
        const platform::Clock clock;
        refit_volumes(column, kLineup[i], bodies.all(), world.bodies().meshes(), all);
        // The other volumes in the world only move with their body.
        const bool by_world = spec_of(kLineup[i]).drawn && spec_of(kLineup[i]).carry != Carry::Refitted;
        result.kinds[i].refit_us =
            by_world || bodies.empty() ? 0.0 : 1e6 * clock.seconds() / static_cast<double>(bodies.size());
        for (std::size_t body = 0; body < bodies.size(); ++body) {
            result.volumes[i].push_back(fit_volume(column, body));
            result.slacks[i].push_back(test_slack(column, body));
        }
    }
    return columns;
}

void find_candidates(const World& world, LineupResult& result) {
    // Fixed boxes are conservative: touching meshes always have touching fixed boxes.
    const auto& bodies = world.bodies();
    std::vector<bv::Aabb> fixed;
    for (const Body& body : bodies)
        fixed.push_back(world.bodies().fixed_box(body));
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = i + 1; j < bodies.size(); ++j)
            if (bv::overlap(fixed[i], fixed[j]))
                result.candidates.push_back({bodies[i].state.id, bodies[j].state.id});
}

}  // namespace

LineupResult compare_volumes(const World& world) {
    LineupResult result;
    result.bodies = world.bodies().size();
    result.kinds.resize(kLineup.size());
    result.passed.resize(kLineup.size());
    result.volumes.resize(kLineup.size());
    result.slacks.resize(kLineup.size());
    const std::vector<VolumeColumn> columns = place(world, result);
    find_candidates(world, result);

    const auto& bodies = world.bodies();
    std::vector<std::pair<std::size_t, std::size_t>> indices;
    for (const BodyPair& pair : result.candidates)
        indices.emplace_back(world.bodies().place_of(*world.find(pair.a)),
                             world.bodies().place_of(*world.find(pair.b)));
    const double count = std::max(1.0, static_cast<double>(indices.size()));

    const platform::Clock exact_clock;
    for (std::size_t i = 0; i < indices.size(); ++i)
        if (meshes_touch(world.bodies().meshes(), bodies[indices[i].first].state,
                         bodies[indices[i].second].state))
            result.touching.push_back(result.candidates[i]);
    result.exact_us = 1e6 * exact_clock.seconds() / count;

    for (std::size_t kind = 0; kind < kLineup.size(); ++kind) {
        FalseAlarms& row = result.kinds[kind];
        row.kind = volume_id(kLineup[kind]);
        row.role = spec_of(kLineup[kind]).role;
        row.tested = indices.size();
        const platform::Clock clock;
        for (std::size_t i = 0; i < indices.size(); ++i)
            if (overlap(columns[kind], indices[i].first, indices[i].second))
                result.passed[kind].push_back(result.candidates[i]);
        row.test_ns = 1e9 * clock.seconds() / count;
        row.passed = result.passed[kind].size();
        row.touching = static_cast<std::uint64_t>(
            std::count_if(result.passed[kind].begin(), result.passed[kind].end(), [&](const BodyPair& pair) {
                return std::binary_search(result.touching.begin(), result.touching.end(), pair);
            }));
    }
    return result;
}

}  // namespace lab
