#include "view/checks/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "results/lineup_result.hpp"
#include "view/checks/reference.hpp"
#include "view/checks/reference_volumes.hpp"
#include "world/exact.hpp"

namespace lab {
namespace {

constexpr std::size_t kMaxDifferences = 100;
/// Budget per frame of brute force over pairs of bodies: all pairs of 1,500 bodies.
constexpr std::size_t kPairTestsPerFrame = 2'250'000;
/// Budget per frame of brute force over triangle pairs: a few hundredths of a second.
constexpr std::uint64_t kTrianglePairsPerFrame = 20'000'000;
/// Grids are rebuilt for every check.
constexpr int kVoxelPairsPerFrame = 3;
constexpr std::size_t kCornersPerFrame = 100'000;
/// Budgets of a line-up: corners of the compared volumes per kind, and the stride over bodies.
constexpr std::size_t kLineupCornersPerFrame = 2'000, kBodyStride = 5;
/// The snapshot of a larger tree takes longer than a frame.
constexpr std::size_t kBodiesOfTree = 20'000;

double points_reach(const std::vector<glm::vec3>& points) {
    double reach = 0.0;
    for (const glm::vec3& p : points)
        reach = std::max(reach, glm::length(glm::dvec3(p)));
    return reach;
}

void report(FrameResults& results, std::string what) {
    if (results.checks.differences.size() < kMaxDifferences)
        results.checks.differences.push_back(fmt::format("frame {}: {}", results.frame, what));
}

std::string in_words(const BodyPair& pair) {
    return fmt::format("{}-{}", pair.a.value, pair.b.value);
}

/// Compares a sorted list of pairs with the reference, pair by pair in ascending order.
class Stage {
  public:
    Stage(std::string_view name, const SharedList<BodyPair>& found, bv::BodyId first, FrameResults& results)
        : name_(name),
          found_(found.read()),
          next_(std::lower_bound(found.begin(), found.end(), BodyPair{first, bv::BodyId{0}})),
          results_(results) {}

    void compare(const BodyPair& pair, reference::Answer answer) {
        skip_to(pair);
        int times = 0;
        for (; next_ != found_.end() && *next_ == pair; ++next_)
            ++times;
        if (times == 0 && may_be_left_out(pair)) return;
        if (times > 0 || answer == reference::Answer::Yes) ++results_.checks.pairs_compared;
        if (!accepts(answer, times > 0) || times > 1)
            report(results_, fmt::format("{} pair {} is {}", name_, in_words(pair),
                                         times == 0 ? "missing" : "wrong or there twice"));
    }
    /// All pairs of the list up to this one must have been compared.
    void skip_to(const BodyPair& pair) {
        for (; next_ != found_.end() && *next_ < pair; ++next_)
            report(results_, fmt::format("{} pair {} is wrong or not in its place", name_, in_words(*next_)));
    }

  private:
    /// If the list was cut, pairs behind its last one may be missing; if pairs were not even counted, any
    /// may.
    [[nodiscard]] bool may_be_left_out(const BodyPair& pair) const {
        const PairStages& pairs = results_.pairs;
        if (!pairs.all_counted) return !std::binary_search(pairs.broad.begin(), pairs.broad.end(), pair);
        return pairs.left_out > 0 && (pairs.broad.empty() || pair > pairs.broad.back());
    }

    std::string_view name_;
    const std::vector<BodyPair>& found_;
    std::vector<BodyPair>::const_iterator next_;
    FrameResults& results_;
};

/// All pairs of a small world; in a large one the pairs of some bodies, different ones in each frame.
void compare_all_pairs(const World& world, FrameResults& results) {
    const auto& bodies = world.bodies();
    std::vector<bv::Aabb> boxes;
    std::vector<reference::Solid> solids;
    for (const Body& body : bodies) {
        boxes.push_back(world.bodies().broad_box(body));
        solids.push_back(reference::solid_of(world, body, body.state.volumes.kind));
    }
    const std::size_t count = bodies.size();
    const std::size_t rows = std::clamp<std::size_t>(kPairTestsPerFrame / std::max<std::size_t>(count, 1), 1,
                                                     std::max<std::size_t>(count, 1));
    const std::size_t windows = std::max<std::size_t>((count + rows - 1) / rows, 1);
    const std::size_t begin = rows * (results.frame % windows);
    const std::size_t end = std::min(begin + rows, count);
    const bv::BodyId first{windows == 1 ? 0 : bodies[begin].state.id.value};
    Stage broad("broad", results.pairs.broad, first, results);
    Stage volume("volume", results.pairs.volume, first, results);
    for (std::size_t i = begin; i < end; ++i)
        for (std::size_t j = i + 1; j < count; ++j) {
            const BodyPair pair{bodies[i].state.id, bodies[j].state.id};
            const bool meet = reference::overlap(boxes[i], boxes[j]);
            broad.compare(pair, meet ? reference::Answer::Yes : reference::Answer::No);
            // Also where the boxes do not overlap, which checks that they contain their volumes.
            volume.compare(pair, reference::overlap(solids[i], solids[j]));
        }
    const bv::BodyId last{end == count ? 0xffffffffu : bodies[end].state.id.value};
    broad.skip_to({last, bv::BodyId{0}});
    volume.skip_to({last, bv::BodyId{0}});
}

/// As many bodies as the budget allows, different ones in each frame.
void check_volumes(const World& world, FrameResults& results) {
    const auto& bodies = world.bodies();
    std::size_t left = kCornersPerFrame;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const std::size_t place = (k + 7 * results.frame) % bodies.size();
        const Body& body = bodies[place];
        VolumeSet kinds = drawn_from_start() | body.state.volumes.kind;
        if (place < results.has_volumes.size()) kinds |= results.has_volumes[place];
        const std::size_t cost = world.bodies().meshes()[body.state.mesh].extremes.size() * kinds.count() / 4;
        if (cost > left) return;
        left -= cost;
        if (const auto problem = reference::check_volumes(world, body, kinds)) report(results, *problem);
    }
}

/// Meshes: as many pairs as the budget allows, different ones in each frame. Voxels: a few pairs.
void compare_exact(const World& world, FrameResults& results) {
    if (!results.pairs.exact_tested) return;
    const SharedList<BodyPair>& candidates = results.pairs.volume;
    const bool by_meshes = world.options().exact_by == ExactBy::Meshes;
    std::uint64_t left = kTrianglePairsPerFrame;
    int voxel_pairs_left = kVoxelPairsPerFrame;
    ExactTester grids;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
        const BodyPair& pair = candidates[(k + results.frame) % candidates.size()];
        const Body *a = world.find(pair.a), *b = world.find(pair.b);
        if (!a || !b) continue;
        reference::Answer answer = reference::Answer::Either;
        if (by_meshes) {
            const std::uint64_t cost = reference::triangle_pairs(world.bodies().meshes(), a->state, b->state);
            if (cost > left) return;
            left -= cost;
            answer = reference::meshes_touch(world.bodies().meshes(), a->state, b->state);
        } else {
            if (voxel_pairs_left-- == 0) return;
            const bv::VoxelGrid* grid_a = grids.grid(world.bodies().meshes(), a->state);
            const bv::VoxelGrid* grid_b = grids.grid(world.bodies().meshes(), b->state);
            if (!grid_a || !grid_b) continue;
            answer = reference::voxels_touch(*grid_a, rigid_pose(a->state), *grid_b, rigid_pose(b->state));
        }
        ++results.checks.pairs_compared;
        const bool found = std::binary_search(results.pairs.exact.begin(), results.pairs.exact.end(), pair);
        if (!accepts(answer, found))
            report(results, fmt::format("exact pair {} is {}", in_words(pair), found ? "wrong" : "missing"));
    }
}

/// Fitted volumes against every point of their mesh, or as many as the budget allows, different ones in each
/// frame.
void check_fits(const World& world, FrameResults& results) {
    for (const FitRow& fit : results.fits) {
        if (!fit.shape) continue;
        const std::vector<glm::vec3>& points = world.bodies().meshes()[fit.mesh].positions;
        const double band = 1e-6 * points_reach(points);
        const std::size_t stride = 1 + points.size() * results.fits.size() / kCornersPerFrame;
        const auto outside = reference::outside(*fit.shape);
        for (std::size_t i = results.frame % stride; i < points.size(); i += stride)
            if (!(outside(points[i]) <= band)) {
                report(results, fmt::format("the {} of {} by {} does not contain its point {}", fit.kind,
                                            fit.body, fit.algorithm, i));
                break;
            }
    }
}

/// The volumes of a line-up against the corners of their bodies, and its pairs one by one: a share of them,
/// different ones in each frame.
void check_lineup(const World& world, FrameResults& results) {
    if (!results.lineup) return;
    const LineupResult& lineup = *results.lineup;
    const auto& bodies = world.bodies();
    const auto index_of = [&](bv::BodyId id) {
        const auto at =
            std::lower_bound(bodies.begin(), bodies.end(), id,
                             [](const Body& b, bv::BodyId wanted) { return b.state.id < wanted; });
        return static_cast<std::size_t>(at - bodies.begin());
    };
    for (std::size_t kind = 0; kind < lineup.volumes.size(); ++kind) {
        const std::string& name = lineup.kinds[kind].kind;
        for (std::size_t i = results.frame % kBodyStride; i < bodies.size(); i += kBodyStride)
            if (!reference::holds_mesh(world, bodies[i].state, lineup.volumes[kind][i]))
                report(results, fmt::format("the {} of body {} does not contain its mesh", name,
                                            bodies[i].state.id.value));
        std::size_t left = kLineupCornersPerFrame;
        for (std::size_t k = 0; k < lineup.candidates.size(); ++k) {
            const BodyPair& pair = lineup.candidates[(k + 13 * results.frame) % lineup.candidates.size()];
            const std::size_t index_a = index_of(pair.a), index_b = index_of(pair.b);
            const bv::fit::Volume& a = lineup.volumes[kind][index_a];
            const bv::fit::Volume& b = lineup.volumes[kind][index_b];
            const double slack = double{lineup.slacks[kind][index_a]} + lineup.slacks[kind][index_b];
            const std::size_t cost = 8 + reference::corner_count(a) + reference::corner_count(b);
            if (cost > left) break;
            left -= cost;
            const auto& passed = lineup.passed[kind];
            const bool found = std::binary_search(passed.begin(), passed.end(), pair);
            ++results.checks.pairs_compared;
            if (!accepts(reference::overlap(a, b, slack), found))
                report(results,
                       fmt::format("{} pair {} is {}", name, in_words(pair), found ? "wrong" : "missing"));
        }
    }
}

void compare_ray(const World& world, FrameResults& results, const RayQuery& found) {
    ++results.checks.rays_compared;
    const auto problem = reference::check_ray(world, found);
    if (!problem) return;
    const std::string answer =
        found.hit ? fmt::format("body {}, triangle {}, t = {}", found.body.value, found.triangle, found.t)
                  : std::string("no hit");
    report(results, fmt::format("a ray gives {}, but {}", answer, *problem));
}

void check_tree(const World& world, FrameResults& results) {
    ++results.checks.trees_validated;
    const bv::Broadphase& engine = world.finder().engine();
    if (const auto problem = engine.validate())
        report(results, fmt::format("the tree of bodies is broken: {}", *problem));
    if (engine.size() != world.bodies().size())
        report(results, fmt::format("the broadphase holds {} boxes for {} bodies", engine.size(),
                                    world.bodies().size()));
    if (!engine.has_tree() || engine.size() > kBodiesOfTree) return;
    if (const auto problem = reference::check_tree(world, engine.snapshot()))
        report(results, fmt::format("the tree of bodies is broken: {}", *problem));
}

}  // namespace

void verify_frame(const World& world, FrameResults& results) {
    results.checks.enabled = true;
    ++results.checks.frames;
    compare_all_pairs(world, results);
    check_volumes(world, results);
    compare_exact(world, results);
    check_fits(world, results);
    check_lineup(world, results);
    for (const RayQuery& ray : results.rays)
        compare_ray(world, results, ray);
    check_tree(world, results);
}

}  // namespace lab
