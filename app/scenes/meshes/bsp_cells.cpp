#include "scenes/meshes/bsp_cells.hpp"

#include <cmath>
#include <glm/geometric.hpp>

namespace lab::scenes {
namespace {

/// A square in the plane that covers the box.
Outline square_over(const HalfSpace& plane, const bv::Aabb& around) {
    const glm::dvec3 center(around.center());
    const double reach = 2.0 * glm::length(glm::dvec3(around.size()));
    const glm::dvec3 other = std::abs(plane.normal.y) < 0.9 ? glm::dvec3(0, 1, 0) : glm::dvec3(1, 0, 0);
    const glm::dvec3 u = glm::normalize(glm::cross(other, plane.normal)) * reach;
    const glm::dvec3 v = glm::cross(plane.normal, u);
    const glm::dvec3 at = center - (glm::dot(plane.normal, center) - plane.offset) * plane.normal;
    return {at - u - v, at + u - v, at + u + v, at - u + v};
}

/// Clips a convex polygon by a half-space [Sutherland and Hodgman].
Outline clipped(const Outline& outline, const HalfSpace& by) {
    Outline kept;
    for (std::size_t i = 0; i < outline.size(); ++i) {
        const glm::dvec3& a = outline[i];
        const glm::dvec3& b = outline[(i + 1) % outline.size()];
        const double da = glm::dot(by.normal, a) - by.offset, db = glm::dot(by.normal, b) - by.offset;
        if (da <= 0.0) kept.push_back(a);
        if ((da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0)) kept.push_back(a + da / (da - db) * (b - a));
    }
    return kept;
}

HalfSpace behind(const bv::BspNode& node) {
    return {node.normal, node.offset};
}
HalfSpace in_front_of(const bv::BspNode& node) {
    return {-node.normal, -node.offset};
}

}  // namespace

ConvexCell cell_of(const bv::Aabb& box) {
    ConvexCell cell;
    for (int axis = 0; axis < 3; ++axis)
        for (const double sign : {-1.0, 1.0}) {
            HalfSpace side;
            side.normal[axis] = sign;
            side.offset = sign * static_cast<double>(sign < 0.0 ? box.min[axis] : box.max[axis]);
            cell.push_back(side);
        }
    return cell;
}

Outline outline_in(const HalfSpace& plane, std::span<const HalfSpace> cell, const bv::Aabb& around) {
    Outline outline = square_over(plane, around);
    for (const HalfSpace& side : cell)
        if (outline.size() >= 3) outline = clipped(outline, side);
    return outline.size() >= 3 ? outline : Outline();
}

std::vector<Outline> faces_of(std::span<const HalfSpace> cell, const bv::Aabb& around) {
    std::vector<Outline> faces;
    for (std::size_t i = 0; i < cell.size(); ++i) {
        ConvexCell others;
        for (std::size_t k = 0; k < cell.size(); ++k)
            if (k != i) others.push_back(cell[k]);
        Outline face = outline_in(cell[i], others, around);
        if (!face.empty()) faces.push_back(std::move(face));
    }
    return faces;
}

ConvexCell BspWalk::cell(const bv::Aabb& around) const {
    ConvexCell result = cell_of(around);
    for (const BspStep& step : steps)
        result.push_back(step.kept);
    return result;
}

BspWalk walk_bsp(const bv::BspTree& tree, const glm::dvec3& point) {
    BspWalk walk;
    std::uint32_t word = tree.root();
    while (bsp_is_node(word)) {
        const bv::BspNode& node = tree.nodes()[word];
        BspStep step;
        step.node = word;
        step.in_front = glm::dot(node.normal, point) - node.offset > tree.tolerance();
        step.kept = step.in_front ? in_front_of(node) : behind(node);
        walk.steps.push_back(step);
        word = step.in_front ? node.front : node.back;
    }
    walk.end = word;
    return walk;
}

namespace {

/// Calls `at(node, depth, cell)` from front to back; false: do not go below this node.
template <class At>
void walk_cells(const bv::BspTree& tree, const bv::Aabb& around, const At& at) {
    struct Open {
        std::uint32_t word = 0, depth = 0;
        HalfSpace kept;  ///< Of the parent.
    };
    ConvexCell cell = cell_of(around);
    const std::size_t box_sides = cell.size();
    std::vector<Open> open{{tree.root(), 0, {}}};
    while (!open.empty()) {
        const Open next = open.back();
        open.pop_back();
        if (!bsp_is_node(next.word)) continue;
        cell.resize(box_sides + (next.depth > 0 ? next.depth - 1 : 0));
        if (next.depth > 0) cell.push_back(next.kept);
        if (!at(next.word, next.depth, cell)) continue;
        const bv::BspNode& node = tree.nodes()[next.word];
        open.push_back({node.back, next.depth + 1, behind(node)});
        open.push_back({node.front, next.depth + 1, in_front_of(node)});
    }
}

}  // namespace

std::vector<BspCut> bsp_cuts_at(const bv::BspTree& tree, std::uint32_t level, std::size_t max_count,
                                const bv::Aabb& around) {
    std::vector<BspCut> cuts;
    walk_cells(tree, around, [&](std::uint32_t node, std::uint32_t depth, const ConvexCell& cell) {
        if (depth == level && cuts.size() < max_count)
            cuts.push_back({node, outline_in(behind(tree.nodes()[node]), cell, around)});
        return depth < level && cuts.size() < max_count;
    });
    return cuts;
}

ConvexCell bsp_region(const bv::BspTree& tree, std::uint32_t node, const bv::Aabb& around) {
    ConvexCell region;
    walk_cells(tree, around, [&](std::uint32_t at, std::uint32_t, const ConvexCell& cell) {
        if (at == node) region = cell;
        return region.empty();
    });
    return region;
}

std::vector<BspCut> bsp_cuts(const bv::BspTree& tree, const bv::Aabb& around) {
    std::vector<BspCut> cuts;
    walk_cells(tree, around, [&](std::uint32_t node, std::uint32_t, const ConvexCell& cell) {
        cuts.push_back({node, outline_in(behind(tree.nodes()[node]), cell, around)});
        return true;
    });
    return cuts;
}

OutlineParts split_outline(const Outline& outline, const HalfSpace& plane, double tolerance) {
    OutlineParts parts;
    for (std::size_t i = 0; i < outline.size(); ++i) {
        const glm::dvec3 &p = outline[i], &q = outline[(i + 1) % outline.size()];
        const double dp = glm::dot(plane.normal, p) - plane.offset;
        const double dq = glm::dot(plane.normal, q) - plane.offset;
        if (dp >= -tolerance) parts.front.push_back(p);
        if (dp <= tolerance) parts.back.push_back(p);
        if (!((dp > tolerance && dq < -tolerance) || (dp < -tolerance && dq > tolerance))) continue;
        const glm::dvec3 at = dp > dq ? p + dp / (dp - dq) * (q - p) : q + dq / (dq - dp) * (p - q);
        parts.front.push_back(at);
        parts.back.push_back(at);
    }
    return parts;
}

}  // namespace lab::scenes
