#include "scenes/meshes/bsp_walks.hpp"

#include <fmt/format.h>

#include <utility>

#include "io/text/counted.hpp"
#include "scenes/meshes/bsp_cells.hpp"

namespace lab::scenes {
namespace {

/// The planes of a tree with more nodes are not drawn: they would cover one another.
constexpr std::size_t kMaxPlanePictures = 4'096;

std::vector<glm::vec3> narrow(const Outline& outline) {
    return {outline.begin(), outline.end()};
}

/// Follows the pieces of a build: which there were, and their corners.
void follow_pieces(const bv::BspTree& tree, const bv::MeshView& mesh, const bv::Recording& trace,
                   BspPictures& pictures) {
    std::map<std::uint32_t, Outline> outlines;
    for (const bv::TraceEvent& event : trace.events()) {
        const auto* e = std::get_if<bv::PieceSorted>(&event);
        if (!e) continue;
        auto known = outlines.find(e->piece);
        if (known == outlines.end()) {
            const bv::Triangle t = mesh.triangle(e->triangle);
            known = outlines.emplace(e->piece, Outline{t.a, t.b, t.c}).first;
            pictures.first_pieces.push_back(e->piece);
        }
        if (e->verdict != bv::PieceSorted::Verdict::Cut) continue;
        const bv::BspNode& node = tree.nodes()[e->node.value];
        OutlineParts parts = split_outline(known->second, {node.normal, node.offset}, tree.tolerance());
        outlines[e->front] = std::move(parts.front);
        outlines[e->back] = std::move(parts.back);
    }
    steps::Pieces pieces;
    for (const auto& [number, outline] : outlines)
        pieces.emplace_hint(pieces.end(), number, narrow(outline));
    pictures.build_pieces = std::make_shared<const steps::Pieces>(std::move(pieces));
}

steps::Subject subject_of(const BspPictures& pictures) {
    steps::Subject subject;
    subject.planes = pictures.planes;
    return subject;
}

std::string planes(std::size_t count) {
    return io::counted(count, "plane", "planes");
}

}  // namespace

const char* name_of(bv::BspSide side) {
    return side == bv::BspSide::Inside    ? "inside"
           : side == bv::BspSide::Outside ? "outside"
                                          : "on the surface";
}

void add_edges_and_fan(Polytope& to, const std::vector<glm::dvec3>& polygon) {
    const auto first = static_cast<std::uint32_t>(to.vertices.size());
    const auto count = static_cast<std::uint32_t>(polygon.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        to.vertices.emplace_back(polygon[i]);
        to.edges.push_back({first + i, first + (i + 1) % count});
        if (i >= 2) to.triangles.push_back({first, first + i - 1, first + i});
    }
}

BspPictures make_bsp_pictures(const bv::BspTree& tree, const bv::MeshView& mesh, const bv::Recording& trace,
                              const bv::Aabb& around) {
    BspPictures pictures;
    if (tree.nodes().size() <= kMaxPlanePictures)
        for (const BspCut& cut : bsp_cuts(tree, around))
            if (cut.outline.size() >= 3) add_edges_and_fan(pictures.planes[cut.node], cut.outline);
    steps::Pieces pieces;
    for (std::uint32_t f = 0; f < tree.fragments().size(); ++f) {
        const auto corners = tree.corners(tree.fragments()[f]);
        pieces.emplace_hint(pieces.end(), f, std::vector<glm::vec3>(corners.begin(), corners.end()));
    }
    pictures.pieces = std::make_shared<const steps::Pieces>(std::move(pieces));
    follow_pieces(tree, mesh, trace, pictures);
    return pictures;
}

std::shared_ptr<const steps::Walk> walk_bsp_build(const bv::BspTree& tree, const BspPictures& pictures,
                                                  const bv::Recording& trace) {
    steps::Subject subject = subject_of(pictures);
    subject.pieces = pictures.build_pieces;
    subject.first_pieces = pictures.first_pieces;
    for (const bv::BspNode& node : tree.nodes())
        subject.nodes.push_back(steps::as_obb(node.box));
    std::size_t cut = 0, weighed = 0;
    for (const bv::TraceEvent& event : trace.events()) {
        if (const auto* e = std::get_if<bv::SplitEvaluated>(&event)) weighed += !e->chosen;
        if (const auto* e = std::get_if<bv::PieceSorted>(&event))
            cut += e->verdict == bv::PieceSorted::Verdict::Cut;
    }
    return std::make_shared<const steps::Walk>(
        steps::algorithm("planes.bsp_build"), std::move(subject), trace,
        fmt::format("{} of {} candidates divide space; {} cut, {} in all.", planes(tree.nodes().size()),
                    weighed, io::counted(cut, "piece was", "pieces were"),
                    io::counted(tree.fragments().size(), "piece", "pieces")));
}

std::shared_ptr<const steps::Walk> walk_bsp_point(const bv::BspTree& tree, const glm::vec3& point) {
    bv::Recording trace;
    const bv::BspSide side = tree.classify(point, trace);
    steps::Subject subject;
    subject.probe = point;
    return std::make_shared<const steps::Walk>(
        steps::algorithm("planes.bsp"), std::move(subject), trace,
        fmt::format("After {}, the point is known to be {}.", planes(trace.events().size()), name_of(side)));
}

std::shared_ptr<const steps::Walk> walk_bsp_order(const bv::BspTree& tree, const BspPictures& pictures,
                                                  const glm::vec3& eye, bool front_first) {
    bv::Recording trace(kMaxBspEvents);
    std::size_t pieces = 0;
    const auto count = [&](std::uint32_t) { ++pieces; };
    front_first ? tree.front_to_back(eye, count, trace) : tree.back_to_front(eye, count, trace);
    steps::Subject subject = subject_of(pictures);
    subject.pieces = pictures.pieces;
    subject.in_order = true;
    subject.probe = eye;
    return std::make_shared<const steps::Walk>(
        steps::algorithm(front_first ? "planes.bsp_front_to_back" : "planes.bsp_back_to_front"),
        std::move(subject), trace,
        fmt::format("{}, each visited once, put {} in order: no piece hides one that is listed {} it.",
                    planes(tree.nodes().size()), io::counted(pieces, "piece", "pieces"),
                    front_first ? "before" : "after"));
}

}  // namespace lab::scenes
