#include "sandbox/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <iterator>

#include "bv/query/overlap.hpp"
#include "sandbox/exact.hpp"
#include "sandbox/picking.hpp"

namespace lab {
namespace {

constexpr std::size_t kMaxDifferences = 100;
/// What brute force over pairs of bodies may take of one frame: all pairs of 1,500 bodies.
constexpr std::size_t kPairTestsPerFrame = 2'250'000;
/// What brute force over two meshes may take of one frame: a few hundredths of a second.
constexpr std::uint64_t kTrianglePairsPerFrame = 20'000'000;

void report(FrameResults& results, std::string what) {
    if (results.checks.differences.size() < kMaxDifferences)
        results.checks.differences.push_back(fmt::format("frame {}: {}", results.frame, what));
}

std::string in_words(const BodyPair& pair) {
    return fmt::format("{}-{}", pair.a.value, pair.b.value);
}

/// Both lists sorted. Where not all pairs were kept, those behind the last one that was are not missed.
void compare_pairs(FrameResults& results, std::string_view stage, const std::vector<BodyPair>& found,
                   std::vector<BodyPair> expected) {
    const PairStages& pairs = results.pairs;
    if (pairs.left_out > 0)
        std::erase_if(expected, [&](const BodyPair& pair) { return pair > pairs.broad.back(); });
    if (!pairs.all_counted) {  // nor is it known which ones were
        std::vector<BodyPair> known;
        std::set_intersection(expected.begin(), expected.end(), pairs.broad.begin(), pairs.broad.end(),
                              std::back_inserter(known));
        expected = std::move(known);
    }
    results.checks.pairs_compared += expected.size();
    std::vector<BodyPair> odd;
    std::set_difference(expected.begin(), expected.end(), found.begin(), found.end(),
                        std::back_inserter(odd));
    const auto in_reason = [&] { return results.checks.differences.size() < kMaxDifferences; };
    for (const BodyPair& pair : odd)
        if (in_reason()) report(results, fmt::format("{} pair {} is missing", stage, in_words(pair)));
    odd.clear();
    std::set_difference(found.begin(), found.end(), expected.begin(), expected.end(),
                        std::back_inserter(odd));
    for (const BodyPair& pair : odd)
        if (in_reason())
            report(results, fmt::format("{} pair {} is wrong or there twice", stage, in_words(pair)));
}

/// Those pairs whose first body has an id in the range.
std::vector<BodyPair> pairs_from(const std::vector<BodyPair>& pairs, bv::BodyId first, bv::BodyId last) {
    std::vector<BodyPair> some;
    std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(some),
                 [&](const BodyPair& pair) { return first <= pair.a && pair.a <= last; });
    return some;
}

/// Every pair with every body in a small world; in a large one those of some bodies, of others in each frame.
void compare_all_pairs(const World& world, FrameResults& results) {
    std::vector<BodyPair> broad, volume;
    const auto bodies = world.bodies();
    if (bodies.empty()) {
        compare_pairs(results, "broad", results.pairs.broad, broad);
        return compare_pairs(results, "volume", results.pairs.volume, volume);
    }
    std::vector<bv::Aabb> boxes;
    boxes.reserve(bodies.size());
    for (const Body& body : bodies)
        boxes.push_back(broad_box(body.state));
    const std::size_t rows = std::clamp<std::size_t>(kPairTestsPerFrame / bodies.size(), 1, bodies.size());
    const std::size_t windows = (bodies.size() + rows - 1) / rows;
    const std::size_t begin = rows * (results.frame % windows);
    const std::size_t end = std::min(begin + rows, bodies.size());
    for (std::size_t i = begin; i < end; ++i)
        for (std::size_t j = i + 1; j < bodies.size(); ++j) {
            const BodyPair pair{bodies[i].state.id, bodies[j].state.id};
            if (bv::overlap(boxes[i], boxes[j])) broad.push_back(pair);
            // Not only where the boxes overlap: this also checks that the boxes hold their volumes.
            if (volumes_overlap(bodies[i].state, bodies[j].state)) volume.push_back(pair);
        }
    const auto compare = [&](std::string_view stage, const std::vector<BodyPair>& found,
                             const std::vector<BodyPair>& expected) {
        if (windows == 1) return compare_pairs(results, stage, found, expected);
        const bv::BodyId first = bodies[begin].state.id, last = bodies[end - 1].state.id;
        compare_pairs(results, stage, pairs_from(found, first, last), expected);
    };
    compare("broad", results.pairs.broad, broad);
    compare("volume", results.pairs.volume, volume);
}

/// As many of the pairs as the budget allows, another part in each frame.
void compare_exact(const World& world, FrameResults& results) {
    if (!results.pairs.exact_tested || world.options().exact_by != ExactBy::Meshes) return;
    const std::vector<BodyPair>& candidates = results.pairs.volume;
    std::uint64_t left = kTrianglePairsPerFrame;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
        const BodyPair& pair = candidates[(k + results.frame) % candidates.size()];
        const Body *a = world.find(pair.a), *b = world.find(pair.b);
        if (!a || !b) continue;
        const std::uint64_t cost = triangle_pairs(world.meshes(), a->state, b->state);
        if (cost > left) return;
        left -= cost;
        ++results.checks.pairs_compared;
        const bool found = std::binary_search(results.pairs.exact.begin(), results.pairs.exact.end(), pair);
        if (found != touching_by_brute_force(world.meshes(), a->state, b->state))
            report(results, fmt::format("exact pair {} is {}", in_words(pair), found ? "wrong" : "missing"));
    }
}

/// How far two correct answers may be apart in t: rounding of the ray into the mesh's frame, which counts for
/// more the flatter the ray meets the triangle.
float tolerance(const FrameResults& results, const RayQuery& q) {
    const float speed = glm::length(q.ray.direction);
    const float reach = glm::length(q.ray.origin) + glm::length(results.bounds.size()) + q.t * speed;
    const float facing = std::abs(glm::dot(q.normal, q.ray.direction)) / speed;
    return 1e-5f * reach / (speed * std::max(facing, 1e-3f));
}

bool agree(const World& world, const FrameResults& results, const RayQuery& found, const RayQuery& expected) {
    if (!found.hit && !expected.hit) return true;
    const bool same_place =
        found.hit && expected.hit && std::abs(found.t - expected.t) <= tolerance(results, expected);
    if (same_place && found.body == expected.body && found.triangle == expected.triangle) return true;
    // Neighbors share their edge, and a silhouette ends somewhere between two floats.
    return is_marginal(world, found) || is_marginal(world, expected);
}

void compare_ray(const World& world, FrameResults& results, const RayQuery& found) {
    ++results.checks.rays_compared;
    const RayQuery expected = cast_by_brute_force(world, found.kind, found.ray);
    if (agree(world, results, found, expected)) return;
    const auto in_words_of = [](const RayQuery& q) {
        return q.hit ? fmt::format("body {}, triangle {}, t = {}", q.body.value, q.triangle, q.t)
                     : std::string("no hit");
    };
    report(results,
           fmt::format("a ray gives {}, brute force gives {}", in_words_of(found), in_words_of(expected)));
}

void check_tree(const World& world, FrameResults& results) {
    ++results.checks.trees_validated;
    const bv::Broadphase& engine = world.broadphase();
    if (const auto problem = engine.validate())
        report(results, fmt::format("the tree of bodies is broken: {}", *problem));
    if (engine.size() != world.bodies().size())
        report(results, fmt::format("the broadphase holds {} boxes for {} bodies", engine.size(),
                                    world.bodies().size()));
}

}  // namespace

void verify_frame(const World& world, FrameResults& results) {
    results.checks.enabled = true;
    ++results.checks.frames;
    compare_all_pairs(world, results);
    compare_exact(world, results);
    for (const RayQuery& ray : results.rays)
        compare_ray(world, results, ray);
    check_tree(world, results);
}

}  // namespace lab
