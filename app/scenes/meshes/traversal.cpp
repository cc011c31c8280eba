#include "scenes/meshes/traversal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <variant>

#include "bv/query/raycast.hpp"
#include "bv/trace/trace.hpp"
#include "scenes/staging.hpp"

namespace lab::scenes {
namespace {

constexpr std::size_t kMaxSteps = 5000;
constexpr float kNever = std::numeric_limits<float>::infinity();

StepVerdict verdict_of(const bv::NodeVisited& event, const TraversalStep& step) {
    switch (event.verdict) {
        case bv::NodeVisited::Verdict::Entered:
            return StepVerdict::Entered;
        case bv::NodeVisited::Verdict::LeafTested:
            return StepVerdict::LeafTested;
        case bv::NodeVisited::Verdict::LeafHit:
            return StepVerdict::LeafHit;
        case bv::NodeVisited::Verdict::Culled:
            break;
    }
    if (step.enter > step.exit) return StepVerdict::Missed;
    return step.exit < 0.0f ? StepVerdict::Behind : StepVerdict::TooFar;
}

void clip(const bv::Ray& ray, TraversalStep& step) {
    bv::Recording trace(8);
    (void)bv::raycast(ray, step.box, trace);
    for (const bv::TraceEvent& event : trace.events())
        if (const auto* slab = std::get_if<bv::SlabClipped>(&event)) {
            step.slabs[slab->axis] = *slab;
            step.enter = slab->t_enter;
            step.exit = slab->t_exit;
        }
}

/// The best hit among the triangles of a leaf.
float nearest_in(const bv::MeshBvh& tree, const bv::Ray& ray, const TraversalStep& step) {
    float best = kNever;
    const bv::WatertightRay watertight(ray);  // as the tree tests them
    for (std::uint32_t i = 0; i < step.triangles; ++i)
        if (const auto hit = bv::raycast(watertight, tree.triangle(step.first_reference + i)))
            best = std::min(best, hit->t);
    return best;
}

}  // namespace

const char* name_of(StepVerdict verdict) {
    switch (verdict) {
        case StepVerdict::Entered:
            return "visited";
        case StepVerdict::Missed:
            return "skipped";
        case StepVerdict::Behind:
            return "behind the origin";
        case StepVerdict::TooFar:
            return "too far";
        case StepVerdict::LeafTested:
            return "leaf, no hit";
        case StepVerdict::LeafHit:
            return "leaf, hit";
    }
    return "";
}

Traversal traverse(const bv::MeshBvh& tree, const bv::Ray& ray) {
    Traversal traversal;
    bv::Recording trace(kMaxSteps);
    traversal.result = tree.raycast(ray, bv::RayMode::Watertight, trace);
    traversal.cut_off = trace.overflowed();
    float best = kNever;
    for (const bv::TraceEvent& event : trace.events()) {
        const auto* visited = std::get_if<bv::NodeVisited>(&event);
        if (!visited) continue;
        TraversalStep step;
        const bv::MeshBvhNode& node = tree.nodes()[visited->node.value];
        step.node = visited->node.value;
        step.depth = visited->depth;
        step.box = node.box();
        step.best_before = best;
        clip(ray, step);
        step.verdict = verdict_of(*visited, step);
        if (node.is_leaf() && !is_culled(step.verdict)) {
            step.triangles = node.count;
            step.first_reference = node.first;
            if (step.verdict == StepVerdict::LeafHit) best = std::min(best, nearest_in(tree, ray, step));
        }
        step.best_after = best;
        traversal.steps.push_back(step);
    }
    return traversal;
}

std::vector<std::uint32_t> waiting_nodes(const bv::MeshBvh& tree, const Traversal& traversal,
                                         std::size_t steps) {
    std::set<std::uint32_t> waiting;
    for (std::size_t i = 0; i < std::min(steps, traversal.steps.size()); ++i) {
        const TraversalStep& step = traversal.steps[i];
        waiting.erase(step.node);
        if (step.verdict != StepVerdict::Entered) continue;
        const std::uint32_t first = tree.nodes()[step.node].first;
        waiting.insert(first);
        waiting.insert(first + 1);
    }
    return {waiting.begin(), waiting.end()};
}

std::string in_words(const bv::MeshBvh& tree, const TraversalStep& step) {
    switch (step.verdict) {
        case StepVerdict::Entered: {
            const std::uint32_t first = tree.nodes()[step.node].first;
            return fmt::format("visited: children {} and {}", first, first + 1);
        }
        case StepVerdict::Missed:
            return "skipped: the slabs share no t";
        case StepVerdict::Behind:
            return "skipped: behind the origin";
        case StepVerdict::TooFar:
            return step.best_before < step.enter ? "skipped: beyond the best hit"
                                                 : "skipped: beyond the ray's end";
        case StepVerdict::LeafTested:
            return fmt::format("leaf: {} tested, no hit", step.triangles);
        case StepVerdict::LeafHit:
            return step.best_after < step.best_before
                       ? fmt::format("leaf: {} tested, hit at {}", step.triangles, number(step.best_after))
                       : fmt::format("leaf: {} tested, no nearer hit", step.triangles);
    }
    return {};
}

}  // namespace lab::scenes
