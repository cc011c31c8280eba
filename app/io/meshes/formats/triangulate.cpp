#include "io/meshes/formats/triangulate.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numeric>

namespace lab::io {
namespace {

constexpr std::uint32_t kLeafSize = 8;
constexpr std::uint32_t kNone = 0xffffffffu;

bool blocks(auto kind) {
    using Kind = decltype(kind);
    return kind == Kind::Straight || kind == Kind::Reflex || kind == Kind::Spike;
}

}  // namespace

std::span<const Triangulator::Triangle> Triangulator::run(std::span<const glm::vec3> corners) {
    triangles_.clear();
    const auto count = static_cast<std::uint32_t>(corners.size());
    if (count < 3) return triangles_;
    triangles_.reserve(count - 2);
    project(corners);
    next_.resize(count);
    previous_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        next_[i] = i + 1 < count ? i + 1 : 0;
        previous_[i] = i > 0 ? i - 1 : count - 1;
    }
    stamps_.assign(count, 0);
    kinds_.assign(count, Corner::Convex);
    leaf_.resize(count);
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0u);
    nodes_.clear();
    build_tree(0, count, kNone);
    work_left_ = 500 * corners.size() + 1'000'000;
    clipped_at_last_pass_ = 0;
    queue_ring(0);

    int turns = 0;
    while (triangles_.size() + 3 < count) {
        if (clip_next() || clip_blocked()) continue;
        // What is left has no convex corner: all of it is straight, or it turns the other way around.
        if (++turns > 32) break;
        sign_ = -sign_;
        queue_ring(any_left());
    }
    const std::uint32_t last = any_left();
    for (std::uint32_t b = next_[last]; next_[b] != last; b = next_[b])
        triangles_.push_back({last, b, next_[b]});
    return triangles_;
}

std::uint32_t Triangulator::any_left() const {
    const auto left = std::find_if(kinds_.begin(), kinds_.end(), [](Corner k) { return k != Corner::Gone; });
    return static_cast<std::uint32_t>(left - kinds_.begin());
}

void Triangulator::project(std::span<const glm::vec3> corners) {
    const glm::dvec3 origin(corners[0]);
    glm::dvec3 normal(0.0);
    glm::dvec3 low = origin;
    glm::dvec3 high = origin;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const glm::dvec3 p(corners[i]);
        low = glm::min(low, p);
        high = glm::max(high, p);
        if (i >= 2) normal += glm::cross(glm::dvec3(corners[i - 1]) - origin, p - origin);
    }
    // Without a normal (all corners on a line, or two loops that cancel each other), the plane of the largest
    // extents serves.
    const glm::dvec3 weight = normal == glm::dvec3(0.0) ? low - high : glm::abs(normal);
    int axis = 0;
    if (weight.y > weight[axis]) axis = 1;
    if (weight.z > weight[axis]) axis = 2;
    sign_ = normal[axis] < 0.0 ? -1.0 : 1.0;
    points_.clear();
    for (const glm::vec3& p : corners)
        points_.emplace_back(p[(axis + 1) % 3], p[(axis + 2) % 3]);
}

void Triangulator::build_tree(std::uint32_t begin, std::uint32_t end, std::uint32_t parent) {
    const auto self = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({points_[order_[begin]], points_[order_[begin]], begin, end, parent, 0});
    Node& node = nodes_.back();
    for (std::uint32_t i = begin; i < end; ++i) {
        node.low = glm::min(node.low, points_[order_[i]]);
        node.high = glm::max(node.high, points_[order_[i]]);
    }
    if (end - begin <= kLeafSize) {
        for (std::uint32_t i = begin; i < end; ++i)
            leaf_[order_[i]] = self;
        return;
    }
    const glm::dvec2 size = node.high - node.low;
    const int axis = size.y > size.x ? 1 : 0;
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](std::uint32_t a, std::uint32_t b) { return points_[a][axis] < points_[b][axis]; });
    build_tree(begin, middle, self);
    nodes_[self].second = static_cast<std::uint32_t>(nodes_.size());
    build_tree(middle, end, self);
}

void Triangulator::queue(const Candidate& c) {
    heap_.push_back(c);
    std::push_heap(heap_.begin(), heap_.end());
}

/// Restarts with the ring that contains `start`: classifies its corners and marks all as untested.
void Triangulator::queue_ring(std::uint32_t start) {
    spikes_.clear();
    heap_.clear();
    blocked_.clear();
    blocked_at_ = 0;
    std::uint32_t corner = start;
    do {
        reclassify(corner);
        corner = next_[corner];
    } while (corner != start);
}

double Triangulator::turn(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    const glm::dvec2 u = points_[b] - points_[a];
    const glm::dvec2 v = points_[c] - points_[a];
    return sign_ * (u.x * v.y - u.y * v.x);
}

Triangulator::Corner Triangulator::kind_of(std::uint32_t corner) const {
    const double area = turn(previous_[corner], corner, next_[corner]);
    if (area != 0.0) return area > 0.0 ? Corner::Convex : Corner::Reflex;
    const glm::dvec2 in = points_[previous_[corner]] - points_[corner];
    const glm::dvec2 out = points_[next_[corner]] - points_[corner];
    return glm::dot(in, out) < 0.0 ? Corner::Straight : Corner::Spike;
}

void Triangulator::reclassify(std::uint32_t corner) {
    const Corner before = kinds_[corner];
    const Corner now = kind_of(corner);
    kinds_[corner] = now;
    ++stamps_[corner];
    const glm::dvec2 diagonal = points_[next_[corner]] - points_[previous_[corner]];
    const Candidate candidate{glm::dot(diagonal, diagonal), corner, stamps_[corner]};
    if (now == Corner::Spike) spikes_.push_back(candidate);
    if (now == Corner::Convex) queue(candidate);
    if (blocks(before) == blocks(now)) return;
    for (std::uint32_t n = leaf_[corner]; n != kNone; n = nodes_[n].parent)
        blocks(now) ? ++nodes_[n].blocking : --nodes_[n].blocking;
}

bool Triangulator::is_current(const Candidate& c) const {
    return kinds_[c.corner] != Corner::Gone && stamps_[c.corner] == c.stamp;
}

bool Triangulator::lies_in_ear(std::uint32_t p, std::uint32_t tip) const {
    const std::uint32_t a = previous_[tip];
    const std::uint32_t c = next_[tip];
    if (p == a || p == tip || p == c) return false;
    const double first = turn(a, tip, p);
    const double second = turn(tip, c, p);
    if (first < 0.0 || second < 0.0 || turn(c, a, p) < 0.0) return false;
    // Holes are joined to outlines at repeated corners. An edge from there into the ear ends at another
    // corner inside of it, and that one is found.
    if (points_[p] == points_[a] || points_[p] == points_[c]) return false;
    // On an edge or the tip: it lies outside unless an edge of it goes inside.
    const auto goes_inside = [&](std::uint32_t q) {
        return (first > 0.0 || turn(a, tip, q) > 0.0) && (second > 0.0 || turn(tip, c, q) > 0.0);
    };
    return goes_inside(previous_[p]) || goes_inside(next_[p]);
}

bool Triangulator::may_touch_ear(const Node& node, std::uint32_t tip) const {
    const std::array<std::uint32_t, 3> ear{previous_[tip], tip, next_[tip]};
    glm::dvec2 low = points_[tip];
    glm::dvec2 high = low;
    for (const std::uint32_t i : ear) {
        low = glm::min(low, points_[i]);
        high = glm::max(high, points_[i]);
    }
    if (low.x > node.high.x || low.y > node.high.y || high.x < node.low.x || high.y < node.low.y)
        return false;
    for (std::size_t i = 0; i < 3; ++i) {
        // The box's corner that is farthest inside of the edge.
        const glm::dvec2 a = points_[ear[i]];
        const glm::dvec2 u = sign_ * (points_[ear[(i + 1) % 3]] - a);
        const glm::dvec2 best(u.y > 0.0 ? node.low.x : node.high.x, u.x > 0.0 ? node.high.y : node.low.y);
        if (u.x * (best.y - a.y) - u.y * (best.x - a.x) < 0.0) return false;
    }
    return true;
}

bool Triangulator::is_ear(std::uint32_t tip) {
    open_.assign(1, 0u);
    while (!open_.empty()) {
        const std::uint32_t index = open_.back();
        const Node& node = nodes_[index];
        open_.pop_back();
        if (work_left_ == 0) return true;
        work_left_ -= node.second == 0 ? std::min<std::size_t>(work_left_, node.end - node.begin) : 1;
        if (node.blocking == 0 || !may_touch_ear(node, tip)) continue;
        if (node.second == 0) {
            for (std::uint32_t i = node.begin; i < node.end; ++i)
                if (blocks(kinds_[order_[i]]) && lies_in_ear(order_[i], tip)) return false;
        } else {
            open_.push_back(node.second);
            open_.push_back(index + 1);
        }
    }
    return true;
}

void Triangulator::clip(std::uint32_t tip) {
    const std::uint32_t a = previous_[tip];
    const std::uint32_t c = next_[tip];
    triangles_.push_back({a, tip, c});
    if (blocks(kinds_[tip]))
        for (std::uint32_t n = leaf_[tip]; n != kNone; n = nodes_[n].parent)
            --nodes_[n].blocking;
    kinds_[tip] = Corner::Gone;
    next_[a] = c;
    previous_[c] = a;
    reclassify(a);
    reclassify(c);
}

/// Clips a spike, or else the next ear of the heap. False if there is neither.
bool Triangulator::clip_next() {
    // Spikes first: an ear beside two edges that lie on each other could be taken from the wrong side of
    // them.
    while (!spikes_.empty()) {
        const Candidate c = spikes_.back();
        spikes_.pop_back();
        if (!is_current(c)) continue;
        clip(c.corner);
        return true;
    }
    while (!heap_.empty()) {
        std::pop_heap(heap_.begin(), heap_.end());
        const Candidate c = heap_.back();
        heap_.pop_back();
        if (!is_current(c)) continue;
        if (is_ear(c.corner)) {
            clip(c.corner);
            return true;
        }
        blocked_.push_back(c);
    }
    return false;
}

/// No ear is left. Polygons that touch themselves may have got new ones since the last look; those that cross
/// themselves have none, and lose some convex corner. False if no corner is convex.
bool Triangulator::clip_blocked() {
    if (triangles_.size() > clipped_at_last_pass_ && work_left_ > 0) {
        clipped_at_last_pass_ = triangles_.size();
        for (std::size_t i = blocked_at_; i < blocked_.size(); ++i)
            if (is_current(blocked_[i])) queue(blocked_[i]);
        blocked_.clear();
        blocked_at_ = 0;
        if (clip_next()) return true;
    }
    while (blocked_at_ < blocked_.size()) {
        const Candidate c = blocked_[blocked_at_++];
        if (!is_current(c)) continue;
        clip(c.corner);
        return true;
    }
    return false;
}

}  // namespace lab::io
