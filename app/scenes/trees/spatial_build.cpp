#include "scenes/trees/spatial_build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <map>
#include <utility>
#include <vector>

#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/metrics.hpp"
#include "io/text/counted.hpp"
#include "results/put.hpp"
#include "workloads/random.hpp"

namespace lab::scenes {
namespace {

constexpr std::size_t kMaxEvents = 100'000;
constexpr float kBudget = 1.0f;  ///< As many references may be added as there are triangles.

/// A triangle, or a part of it, below a node.
struct Reference {
    std::uint32_t triangle = 0;
    bv::Aabb box;
};

struct Sides {
    std::vector<Reference> low, high;
};

/// The events of one node.
struct Divided {
    const bv::SplitEvaluated* chosen = nullptr;
    std::map<std::uint32_t, const bv::ReferenceSplit*> across;  ///< By triangle.
};

Sides by_plane(const std::vector<Reference>& references, const Divided& node) {
    using Choice = bv::ReferenceSplit::Choice;
    const int axis = node.chosen->axis;
    const float at = node.chosen->offset;
    Sides sides;
    for (const Reference& r : references) {
        const auto split = node.across.find(r.triangle);
        if (r.box.max[axis] <= at || split == node.across.end()) {
            (r.box.center()[axis] < at ? sides.low : sides.high).push_back(r);
            continue;
        }
        const bv::ReferenceSplit& e = *split->second;
        if (e.choice == Choice::Both) {
            sides.low.push_back({r.triangle, e.low});
            sides.high.push_back({r.triangle, e.high});
        } else {
            (e.choice == Choice::Low ? sides.low : sides.high).push_back(r);
        }
    }
    return sides;
}

Sides by_count(std::vector<Reference> references, int axis, std::size_t left) {
    std::stable_sort(references.begin(), references.end(), [axis](const Reference& a, const Reference& b) {
        return a.box.center()[axis] < b.box.center()[axis];
    });
    const auto middle = references.begin() + static_cast<std::ptrdiff_t>(std::min(left, references.size()));
    return {{references.begin(), middle}, {middle, references.end()}};
}

/// The boxes below each node, as the events divide them.
std::vector<std::vector<bv::Aabb>> follow(const bv::MeshBvh& tree, const bv::MeshView& mesh,
                                          const bv::Recording& trace) {
    const auto nodes = tree.nodes();
    std::vector<Divided> divided(nodes.size());
    for (const bv::TraceEvent& event : trace.events()) {
        if (const auto* split = std::get_if<bv::SplitEvaluated>(&event)) {
            if (split->chosen) divided[split->node.value].chosen = split;
        } else if (const auto* across = std::get_if<bv::ReferenceSplit>(&event)) {
            divided[across->node.value].across.emplace(across->triangle, across);
        }
    }
    std::vector<std::vector<Reference>> below(nodes.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const bv::Triangle triangle = mesh.triangle(t);
        below[0].push_back(
            {t, bv::merge(bv::merge(bv::Aabb{triangle.a, triangle.a}, triangle.b), triangle.c)});
    }
    std::vector<std::vector<bv::Aabb>> contents(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        for (const Reference& r : below[n])
            contents[n].push_back(r.box);
        const Divided& node = divided[n];
        if (nodes[n].is_leaf() || !node.chosen) continue;
        const bool cuts = node.chosen->normal != glm::vec3(0.0f);
        Sides sides = cuts ? by_plane(below[n], node)
                           : by_count(std::move(below[n]), node.chosen->axis, node.chosen->left_count);
        below[nodes[n].first] = std::move(sides.low);
        below[nodes[n].first + 1] = std::move(sides.high);
    }
    return contents;
}

}  // namespace

bv::workloads::MeshData make_needles(std::span<const bv::Aabb> places, std::uint64_t seed) {
    bv::workloads::Random random(seed);
    bv::workloads::MeshData mesh;
    mesh.name = "needles";
    for (const bv::Aabb& place : places) {
        const glm::vec3 along =
            1.7f * glm::normalize(glm::vec3(1.0f, 0.8f, 0.6f) + 0.15f * random.direction());
        const glm::vec3 across = 0.07f * random.direction();
        const glm::vec3 middle = place.center();
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        mesh.positions.insert(mesh.positions.end(), {middle - along, middle + along, middle + across});
        mesh.triangles.emplace_back(first, first + 1, first + 2);
    }
    return mesh;
}

SpatialBuild build_spatially(const bv::MeshView& mesh) {
    bv::MeshBvhOptions options;
    options.max_leaf_triangles = 1;
    bv::MeshBvh whole, cut;
    (void)whole.build(mesh, options);
    options.spatial_splits = kBudget;
    bv::Recording trace(kMaxEvents);
    (void)cut.build(mesh, options, trace);
    steps::Subject subject;
    for (const bv::MeshBvhNode& node : cut.nodes())
        subject.nodes.push_back(steps::as_obb(node.box()));
    subject.contents = follow(cut, mesh, trace);
    subject.split_rule = steps::SplitRule::Spatial;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        subject.triangles.push_back(mesh.triangle(t));
    bv::TreeSnapshot tree = cut.snapshot();
    std::string verdict =
        fmt::format("{}, {}: SAH cost {}. Without spatial splits it is {}.",
                    io::counted(mesh.triangles.size(), "triangle", "triangles"),
                    io::counted(cut.references().size(), "reference", "references"),
                    number(bv::measure(tree).sah), number(bv::measure(whole.snapshot()).sah));
    return {std::make_shared<const steps::Walk>(steps::algorithm("build.spatial"), std::move(subject), trace,
                                                std::move(verdict)),
            std::move(tree)};
}

void put_needles(FrameResults& results, const bv::workloads::MeshData& needles) {
    if (needles.triangles.size() > kMaxOutlines) {
        std::vector<glm::vec3> centers;
        for (const glm::uvec3& t : needles.triangles)
            centers.push_back((needles.positions[t.x] + needles.positions[t.y] + needles.positions[t.z]) /
                              3.0f);
        put_dots(results, std::move(centers), Role::Mesh, "triangle: its center");
        return;
    }
    Polytope shape;
    shape.vertices = needles.positions;
    shape.triangles = needles.triangles;
    for (const glm::uvec3& t : needles.triangles)
        shape.edges.insert(shape.edges.end(), {{t.x, t.y}, {t.y, t.z}, {t.z, t.x}});
    Exhibit& shown = put(results, std::move(shape), Role::Mesh, {}, 0.6f);
    shown.width_px = 1.2f;
    shown.legend = "triangles";
}

}  // namespace lab::scenes
