// Queries of a BspTree: sides, rays, visibility order; and its snapshot.
#include "bv/tree/bsp_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "tree/grow_stack.hpp"
#include "tree/mesh/mesh_ray.hpp"

namespace bv {
namespace {

using detail::MeshRay;
using Verdict = NodeVisited::Verdict;

/// The t in (0, 1] at which the line o + t d crosses a triangle, in double precision; infinity if it does
/// not.
double crossing(const Triangle& t, const glm::dvec3& o, const glm::dvec3& d) noexcept {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    const glm::dvec3 a(t.a);
    const glm::dvec3 e1 = glm::dvec3(t.b) - a, e2 = glm::dvec3(t.c) - a;
    const glm::dvec3 n = glm::cross(e1, e2);
    const double det = glm::dot(n, d);
    if (det == 0.0) return kNever;
    const double at = glm::dot(n, a - o) / det;
    if (!(at > 0.0 && at <= 1.0 + 1e-9)) return kNever;
    const glm::dvec3 q = o + at * d - a;
    const double n2 = glm::dot(n, n);
    const double u = glm::dot(glm::cross(q, e2), n) / n2;
    const double v = glm::dot(glm::cross(e1, q), n) / n2;
    constexpr double kEdge = -1e-9;
    return u >= kEdge && v >= kEdge && u + v <= 1.0 - kEdge ? at : kNever;
}

glm::dvec3 normal_of(const Triangle& t) noexcept {
    const glm::dvec3 a(t.a);
    return glm::cross(glm::dvec3(t.b) - a, glm::dvec3(t.c) - a);
}

/// Within `tolerance` of the triangle's plane, and over the triangle.
bool lies_in(const Triangle& t, const glm::dvec3& p, double tolerance) noexcept {
    const glm::dvec3 n = normal_of(t);
    const double n2 = glm::dot(n, n);
    const glm::dvec3 q = p - glm::dvec3(t.a);
    const double height = glm::dot(n, q);
    if (!(height * height <= tolerance * tolerance * n2)) return false;
    const double u = glm::dot(glm::cross(q, glm::dvec3(t.c) - glm::dvec3(t.a)), n) / n2;
    const double v = glm::dot(glm::cross(glm::dvec3(t.b) - glm::dvec3(t.a), q), n) / n2;
    constexpr double kEdge = -1e-6;
    return u >= kEdge && v >= kEdge && u + v <= 1.0 - kEdge;
}

}  // namespace

/// A segment to a piece of the surface stays in the convex cell, so only the cell's own pieces can block it:
/// the side is that from which it hits the first. If it hits two pieces at once from different sides, at an
/// edge, try a segment to the next piece.
BspSide BspTree::classify_in_cell(const glm::dvec3& p, const BspCell& cell) const {
    for (std::uint32_t i = cell.first; i < cell.first + cell.count; ++i)
        if (lies_in(triangles_[fragments_[i].triangle], p, tolerance_)) return BspSide::Boundary;
    for (std::uint32_t aim = cell.first; aim < cell.first + cell.count; ++aim) {
        glm::dvec3 center(0.0);
        for (const glm::vec3& c : corners(fragments_[aim]))
            center += glm::dvec3(c) / static_cast<double>(fragments_[aim].corner_count);
        const glm::dvec3 d = center - p;
        // The segment ends on the piece by construction: rounding, of its center and of this, does not
        // matter.
        const Triangle& aimed = triangles_[fragments_[aim].triangle];
        const glm::dvec3 normal = normal_of(aimed);
        const double height = glm::dot(normal, glm::dvec3(aimed.a) - p);
        if (height * height <= tolerance_ * tolerance_ * glm::dot(normal, normal)) continue;  // edge-on
        double nearest = 1.0;
        bool outward = height > 0.0;
        bool doubtful = false;
        for (std::uint32_t i = cell.first; i < cell.first + cell.count; ++i) {
            if (fragments_[i].triangle == fragments_[aim].triangle) continue;
            const Triangle& t = triangles_[fragments_[i].triangle];
            const double at = crossing(t, p, d);
            if (!std::isfinite(at)) continue;
            const bool leaves = glm::dot(normal_of(t), d) > 0.0;
            if (at < nearest - 1e-9) {
                nearest = at;
                outward = leaves;
                doubtful = false;
            } else if (at <= nearest + 1e-9 && leaves != outward) {
                doubtful = true;
            }
        }
        if (doubtful) continue;
        return outward ? BspSide::Inside : BspSide::Outside;
    }
    return BspSide::Boundary;
}

void BspTree::swap(BspTree& other) noexcept {
    nodes_.swap(other.nodes_);
    cells_.swap(other.cells_);
    fragments_.swap(other.fragments_);
    corners_.swap(other.corners_);
    triangles_.swap(other.triangles_);
    std::swap(bounds_, other.bounds_);
    std::swap(root_, other.root_);
    std::swap(skipped_, other.skipped_);
    std::swap(tolerance_, other.tolerance_);
}

template <class Sink>
BspSide BspTree::find_side(const glm::vec3& given, Sink& sink) const {
    const glm::dvec3 p(given);
    if (empty() || !bv::is_finite(p)) return BspSide::Outside;
    bool inside = false;
    bool outside = false;
    detail::GrowStack<std::uint32_t, 128> stack;
    stack.push(root_);
    while (!stack.empty()) {
        const std::uint32_t now = stack.pop();
        if (now >= BspNode::kInside) {
            (now == BspNode::kInside ? inside : outside) = true;
        } else if ((now & BspNode::kCell) != 0) {
            const BspSide side = classify_in_cell(p, cells_[now & ~BspNode::kCell]);
            if (side == BspSide::Boundary) return side;
            (side == BspSide::Inside ? inside : outside) = true;
        } else {
            // A point in the plane is on both sides of it: if they agree, it is not on the surface.
            const BspNode& node = nodes_[now];
            const double d = glm::dot(node.normal, p) - node.offset;
            if constexpr (Sink::kEnabled) {
                using PlaneVerdict = PlaneTested::Verdict;
                sink(PlaneTested{now, glm::vec3(node.normal), static_cast<float>(node.offset),
                                 static_cast<float>(d), static_cast<float>(tolerance_),
                                 d > tolerance_    ? PlaneVerdict::Front
                                 : d < -tolerance_ ? PlaneVerdict::Back
                                                   : PlaneVerdict::Across});
            }
            if (d >= -tolerance_) stack.push(node.front);
            if (d <= tolerance_) stack.push(node.back);
        }
        if (inside && outside) return BspSide::Boundary;
    }
    return inside ? BspSide::Inside : BspSide::Outside;
}

BspSide BspTree::classify(const glm::vec3& p) const {
    NoTrace sink;
    return find_side(p, sink);
}
BspSide BspTree::classify(const glm::vec3& p, Recording& trace) const {
    return find_side(p, trace);
}

namespace {

/// A part of the ray in a cell, to be visited later. If `surface`: the triangles in the node's plane.
struct Stretch {
    std::uint32_t node;
    std::uint32_t depth;
    bool surface;
    double from, to;
};

}  // namespace

template <class Sink>
MeshRayResult BspTree::cast(const Ray& ray, RayMode mode, Sink& sink) const {
    if (empty()) return {};
    if (detail::needs_double(ray, bounds_))
        return cast(ray, detail::PreciseMeshRay(ray, mode, bounds_), mode, sink);
    return cast(ray, MeshRay(ray, mode, bounds_), mode, sink);
}

template <class AnyRay, class Sink>
MeshRayResult BspTree::cast(const Ray& given, AnyRay ray, RayMode mode, Sink& sink) const {
    MeshRayResult result;
    if (!ray.usable) return result;
    const glm::dvec3 o(given.origin), d(given.direction);
    MeshHit best;
    const auto test = [&](std::uint32_t first, std::uint32_t count) {
        bool any = false;
        for (std::uint32_t i = first; i < first + count; ++i) {
            MeshHit hit;
            ++result.stats.leaves_tested;
            const Triangle& t = triangles_[fragments_[i].triangle];
            if (!(mode == RayMode::Fast ? detail::hit_triangle<RayMode::Fast>(ray, t, hit)
                                        : detail::hit_triangle<RayMode::Watertight>(ray, t, hit)))
                continue;
            any = true;
            hit.triangle = fragments_[i].triangle;
            if (!detail::before(hit, best)) continue;
            best = hit;
            ray.t_max = hit.t;
        }
        return any;
    };
    const auto record = [&](std::uint32_t node, std::uint32_t depth, double from, Verdict verdict) {
        if constexpr (Sink::kEnabled)
            sink(NodeVisited{NodeIndex{node}, depth, static_cast<float>(from), verdict});
    };
    // Hits are accurate only to float: also visit stretches that begin this little behind the best hit or end
    // this little before t_min.
    constexpr double kHitSlack = 1.0 + 1e-5;
    constexpr double kTinySlack = double{RaySlabs::kFarSlack};  // the rounding of subnormal t is absolute
    detail::GrowStack<Stretch, 128> stack;
    const double from = static_cast<double>(ray.t_min) / kHitSlack - kTinySlack;
    stack.push({root_, 0, false, from, static_cast<double>(ray.t_max)});
    while (!stack.empty()) {
        const Stretch now = stack.pop();
        if (now.node >= BspNode::kInside) continue;
        if (now.from > static_cast<double>(ray.t_max) * kHitSlack + kTinySlack) {
            if (!now.surface) record(now.node & ~BspNode::kCell, now.depth, now.from, Verdict::Culled);
            continue;
        }
        if ((now.node & BspNode::kCell) != 0) {
            const BspCell& cell = cells_[now.node & ~BspNode::kCell];
            test(cell.first, cell.count);
            continue;
        }
        const BspNode& node = nodes_[now.node];
        if (now.surface) {
            if (test(node.first, node.count)) record(now.node, now.depth, now.from, Verdict::LeafHit);
            continue;
        }
        ++result.stats.nodes_visited;
        record(now.node, now.depth, now.from, Verdict::Entered);
        const double height = glm::dot(node.normal, o) - node.offset;
        const double slope = glm::dot(node.normal, d);
        // Both the pieces and the ray's floats may be off the plane by the tolerance.
        const double slack = 4.0 * tolerance_ + 1e-6 * std::abs(height);
        double enter = -std::numeric_limits<double>::infinity();
        double leave = std::numeric_limits<double>::infinity();
        if (slope != 0.0) {
            enter = (-height - std::copysign(slack, slope)) / slope;
            leave = (-height + std::copysign(slack, slope)) / slope;
        } else if (std::abs(height) > slack) {
            enter = std::numeric_limits<double>::infinity();
        }
        // The ray is in front before it reaches the plane if it runs against the normal.
        const bool front_first = slope != 0.0 ? slope < 0.0 : height >= 0.0;
        const std::uint32_t near = front_first ? node.front : node.back;
        const std::uint32_t far = front_first ? node.back : node.front;
        if (leave >= now.from && enter <= now.to) {
            stack.push({far, now.depth + 1, false, std::max(now.from, enter), now.to});
            if (node.count > 0) stack.push({now.node, now.depth, true, std::max(now.from, enter), now.to});
            stack.push({near, now.depth + 1, false, now.from, std::min(now.to, leave)});
        } else {
            stack.push({leave < now.from ? far : near, now.depth + 1, false, now.from, now.to});
        }
    }
    result.stats.boxes_tested = result.stats.nodes_visited;
    if (best.triangle != MeshHit::kNone) {
        result.hit = best;
        result.stats.hits = 1;
    }
    return result;
}

MeshRayResult BspTree::raycast(const Ray& ray, RayMode mode) const {
    NoTrace sink;
    return cast(ray, mode, sink);
}
MeshRayResult BspTree::raycast(const Ray& ray, RayMode mode, Recording& trace) const {
    return cast(ray, mode, trace);
}

template <class Sink>
void BspTree::list(const glm::vec3& eye, bool front_first, FunctionRef<void(std::uint32_t)> visit,
                   Sink& sink) const {
    const glm::dvec3 p(eye);
    struct Waiting {
        std::uint32_t node;
        bool surface;
    };
    [[maybe_unused]] std::uint32_t place = 0;
    const auto all = [&](std::uint32_t first, std::uint32_t count, [[maybe_unused]] NodeIndex node) {
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t fragment = front_first ? first + count - 1 - i : first + i;
            if constexpr (Sink::kEnabled)
                sink(PieceListed{node, fragment, fragments_[fragment].triangle, place++});
            visit(fragment);
        }
    };
    detail::GrowStack<Waiting, 192> stack;
    stack.push({root_, false});
    while (!stack.empty()) {
        const Waiting now = stack.pop();
        if (now.node >= BspNode::kInside) continue;
        if ((now.node & BspNode::kCell) != 0) {
            const BspCell& cell = cells_[now.node & ~BspNode::kCell];
            all(cell.first, cell.count, NodeIndex{});
            continue;
        }
        const BspNode& node = nodes_[now.node];
        if (now.surface) {
            all(node.first, node.count, NodeIndex{now.node});
            continue;
        }
        const double distance = glm::dot(node.normal, p);
        const bool in_front = distance >= node.offset;
        if constexpr (Sink::kEnabled) {
            using PlaneVerdict = PlaneTested::Verdict;
            sink(PlaneTested{now.node, glm::vec3(node.normal), static_cast<float>(node.offset),
                             static_cast<float>(distance - node.offset), 0.0f,
                             in_front ? PlaneVerdict::Front : PlaneVerdict::Back});
        }
        const bool front_is_last = in_front != front_first;
        stack.push({front_is_last ? node.front : node.back, false});
        stack.push({now.node, true});
        stack.push({front_is_last ? node.back : node.front, false});
    }
}

void BspTree::back_to_front(const glm::vec3& eye, FunctionRef<void(std::uint32_t)> visit) const {
    NoTrace sink;
    list(eye, false, visit, sink);
}
void BspTree::back_to_front(const glm::vec3& eye, FunctionRef<void(std::uint32_t)> visit,
                            Recording& trace) const {
    list(eye, false, visit, trace);
}
void BspTree::front_to_back(const glm::vec3& eye, FunctionRef<void(std::uint32_t)> visit) const {
    NoTrace sink;
    list(eye, true, visit, sink);
}
void BspTree::front_to_back(const glm::vec3& eye, FunctionRef<void(std::uint32_t)> visit,
                            Recording& trace) const {
    list(eye, true, visit, trace);
}

TreeSnapshot BspTree::snapshot() const {
    TreeSnapshot s;
    struct Source {
        std::uint32_t word;
        bool surface;
    };
    std::vector<Source> sources;
    const auto add = [&](Source source, const Aabb& box, std::uint32_t parent) {
        sources.push_back(source);
        s.boxes.push_back(box);
        s.parents.push_back(parent);
        s.first_child.push_back(TreeSnapshot::kNone);
        s.child_count.push_back(0);
        s.depths.push_back(parent == TreeSnapshot::kNone ? 0 : s.depths[parent] + 1);
        s.source_nodes.push_back(source.word);
        s.first_payload.push_back(0);
        s.payload_count.push_back(0);
    };
    const auto hold = [&](std::uint32_t i, std::uint32_t first, std::uint32_t count) {
        s.first_payload[i] = static_cast<std::uint32_t>(s.payloads.size());
        s.payload_count[i] = count;
        for (std::uint32_t f = first; f < first + count; ++f) {
            s.payloads.push_back(fragments_[f].triangle);
            Aabb box;
            for (const glm::vec3& p : corners(fragments_[f]))
                box = merge(box, p);
            s.payload_boxes.push_back(box);
        }
    };
    const auto box_of = [&](std::uint32_t word) {
        return (word & BspNode::kCell) != 0 ? cells_[word & ~BspNode::kCell].box : nodes_[word].box;
    };
    if (empty()) return s;
    add({root_, false}, box_of(root_), TreeSnapshot::kNone);
    for (std::uint32_t i = 0; i < sources.size(); ++i) {
        const Source now = sources[i];
        if ((now.word & BspNode::kCell) != 0) {
            const BspCell& cell = cells_[now.word & ~BspNode::kCell];
            hold(i, cell.first, cell.count);
            continue;
        }
        const BspNode& node = nodes_[now.word];
        const bool below = node.front < BspNode::kInside || node.back < BspNode::kInside;
        if (now.surface || !below) {
            hold(i, node.first, node.count);
            continue;
        }
        s.first_child[i] = static_cast<std::uint32_t>(sources.size());
        if (node.front < BspNode::kInside) add({node.front, false}, box_of(node.front), i);
        if (node.count > 0) {
            Aabb box;
            for (std::uint32_t f = node.first; f < node.first + node.count; ++f)
                for (const glm::vec3& p : corners(fragments_[f]))
                    box = merge(box, p);
            add({now.word, true}, box, i);
        }
        if (node.back < BspNode::kInside) add({node.back, false}, box_of(node.back), i);
        s.child_count[i] = static_cast<std::uint32_t>(sources.size()) - s.first_child[i];
    }
    return s;
}

}  // namespace bv
