#include "query/meshes/polygon.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>

namespace bv::detail {
namespace {

double cross(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c) noexcept {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool contains(const Loop& loop, const glm::dvec2& p) noexcept {
    bool inside = false;
    for (std::size_t i = 0, j = loop.size() - 1; i < loop.size(); j = i++) {
        const glm::dvec2& a = loop[i].at;
        const glm::dvec2& b = loop[j].at;
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x)
            inside = !inside;
    }
    return inside;
}

bool in_triangle(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c,
                 const glm::dvec2& p) noexcept {
    return cross(a, b, p) >= 0.0 && cross(b, c, p) >= 0.0 && cross(c, a, p) >= 0.0;
}

/// The distance of p to the left of the line from a to b; 0 if these coincide.
double height(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& p) noexcept {
    const double length = glm::distance(a, b);
    return length > 0.0 ? cross(a, b, p) / length : 0.0;
}
/// The distance of p from the nearest side, negative outside.
double depth_in_triangle(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c,
                         const glm::dvec2& p) noexcept {
    return std::min({height(a, b, p), height(b, c, p), height(c, a, p)});
}

/// How well a line from corner `i` toward `p` starts inside the loop: 2 within its angle, 1 along a side of
/// it, 0 outside.
int starts_inside(const Loop& loop, std::size_t i, const glm::dvec2& p) noexcept {
    const glm::dvec2& before = loop[(i + loop.size() - 1) % loop.size()].at;
    const glm::dvec2& at = loop[i].at;
    const glm::dvec2& after = loop[(i + 1) % loop.size()].at;
    const double in = cross(before, at, p);
    const double out = cross(at, after, p);
    if (cross(before, at, after) > 0.0) return in > 0.0 && out > 0.0 ? 2 : in >= 0.0 && out >= 0.0 ? 1 : 0;
    return in > 0.0 || out > 0.0 ? 2 : in >= 0.0 || out >= 0.0 ? 1 : 0;
}

/// True iff the hole is inside: by its corners and the middles of its sides, since some may lie on the loop.
bool contains(const Loop& loop, const Loop& hole) noexcept {
    constexpr std::size_t kMaxSides = 16;
    const std::size_t count = std::min(hole.size(), kMaxSides);
    std::size_t inside = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t i = k * hole.size() / count;
        const glm::dvec2& at = hole[i].at;
        inside += contains(loop, at) ? 1 : 0;
        inside += contains(loop, 0.5 * (at + hole[(i + 1) % hole.size()].at)) ? 1 : 0;
    }
    return inside > count;
}

/// The corner of `outer` visible from the hole's rightmost corner `m`: an end of the edge hit by the ray to
/// the right, or a corner in between. Where bridges have doubled that corner, the one that faces the hole.
std::size_t visible_corner(const Loop& outer, const glm::dvec2& m) noexcept {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    double best_x = kFar;
    std::size_t best = 0;
    for (std::size_t i = 0; i < outer.size(); ++i) {
        const std::size_t next = (i + 1) % outer.size();
        const glm::dvec2& a = outer[i].at;
        const glm::dvec2& b = outer[next].at;
        // The inside is on the left, so the ray leaves it through edges that run up.
        if (!(a.y <= m.y && m.y <= b.y && a.y < b.y)) continue;
        const double x = a.x + (m.y - a.y) * (b.x - a.x) / (b.y - a.y);
        if (x < m.x || !(x < best_x)) continue;
        best_x = x;
        best = a.x > b.x ? i : next;
    }
    glm::dvec2 chosen;
    if (std::isfinite(best_x)) {
        const glm::dvec2 hit(best_x, m.y);
        const glm::dvec2 corner = chosen = outer[best].at;
        const bool up = cross(m, hit, corner) >= 0.0;
        double flattest = hit == corner ? 0.0 : kFar;
        for (std::size_t i = 0; i < outer.size() && hit != corner; ++i) {
            const glm::dvec2& p = outer[i].at;
            if (p.x < m.x || p == corner || p == m) continue;
            if (!(up ? in_triangle(m, hit, corner, p) : in_triangle(m, corner, hit, p))) continue;
            if (starts_inside(outer, i, m) == 0) continue;
            const double slope =
                p.x > m.x ? std::abs(p.y - m.y) / (p.x - m.x) : std::numeric_limits<double>::max();
            // If several lie on one line, the nearest hides the others.
            if (slope < flattest ||
                (slope == flattest && std::abs(p.y - m.y) + p.x < std::abs(chosen.y - m.y) + chosen.x))
                flattest = slope, chosen = p;
        }
    } else {
        // The hole is outside by rounding: use the nearest corner.
        double nearest = kFar;
        for (const LoopPoint& corner : outer) {
            const glm::dvec2 d = corner.at - m;
            if (d.x * d.x + d.y * d.y < nearest) nearest = d.x * d.x + d.y * d.y, chosen = corner.at;
        }
    }
    std::size_t copy = outer.size();
    int quality = -1;
    for (std::size_t i = 0; i < outer.size(); ++i)
        if (outer[i].at == chosen && starts_inside(outer, i, m) > quality)
            quality = starts_inside(outer, copy = i, m);
    return copy;
}

/// Joins the hole to the outer loop at a corner that both have, if there is one at which the hole is inside.
bool join_at_common_corner(Loop& outer, const Loop& hole) {
    const auto before = [](const glm::dvec2& a, const glm::dvec2& b) {
        return a.x < b.x || (a.x == b.x && a.y < b.y);
    };
    std::vector<std::size_t> sorted(hole.size());
    std::iota(sorted.begin(), sorted.end(), std::size_t{0});
    std::sort(sorted.begin(), sorted.end(),
              [&](std::size_t a, std::size_t b) { return before(hole[a].at, hole[b].at); });
    std::size_t at = outer.size(), from = 0;
    int best = -1;
    for (std::size_t i = 0; i < outer.size(); ++i) {
        auto same =
            std::lower_bound(sorted.begin(), sorted.end(), outer[i].at,
                             [&](std::size_t a, const glm::dvec2& p) { return before(hole[a].at, p); });
        for (; same != sorted.end() && hole[*same].at == outer[i].at; ++same) {
            const glm::dvec2& in = hole[(*same + hole.size() - 1) % hole.size()].at;
            const glm::dvec2& out = hole[(*same + 1) % hole.size()].at;
            const int fit = std::min(starts_inside(outer, i, in), starts_inside(outer, i, out));
            if (fit > best) best = fit, at = i, from = *same;
        }
    }
    if (best <= 0) return false;
    Loop rest;
    rest.reserve(hole.size());
    for (std::size_t k = 1; k <= hole.size(); ++k)
        rest.push_back(hole[(from + k) % hole.size()]);
    outer.insert(outer.begin() + static_cast<std::ptrdiff_t>(at) + 1, rest.begin(), rest.end());
    return true;
}

/// Joins the hole to the outer loop by a pair of bridge edges.
void bridge(Loop& outer, const Loop& hole) {
    std::size_t right = 0;
    for (std::size_t i = 1; i < hole.size(); ++i)
        if (hole[i].at.x > hole[right].at.x) right = i;
    const std::size_t at = visible_corner(outer, hole[right].at);
    Loop joined;
    joined.reserve(outer.size() + hole.size() + 2);
    const auto split = static_cast<std::ptrdiff_t>(at) + 1;
    joined.insert(joined.end(), outer.begin(), outer.begin() + split);
    for (std::size_t i = 0; i <= hole.size(); ++i)
        joined.push_back(hole[(right + i) % hole.size()]);
    joined.push_back(outer[at]);
    joined.insert(joined.end(), outer.begin() + split, outer.end());
    outer = std::move(joined);
}

/// Clips the ears of a loop until nothing is left.
class EarCutter {
  public:
    EarCutter(const Loop& loop, std::vector<glm::uvec3>& triangles) : loop_(loop), triangles_(triangles) {
        const auto n = static_cast<std::uint32_t>(loop.size());
        next_.resize(n);
        prev_.resize(n);
        for (std::uint32_t i = 0; i < n; ++i) {
            next_[i] = (i + 1) % n;
            prev_[i] = (i + n - 1) % n;
        }
        glm::dvec2 low(loop[0].at), high(low);
        for (const LoopPoint& p : loop) {
            low = glm::min(low, p.at);
            high = glm::max(high, p.at);
        }
        rounding_ = 1e-7 * glm::length(high - low);
    }

    void run() {
        auto left = loop_.size();
        std::uint32_t at = 0;
        std::size_t without_ear = 0;
        // Ears that are clear of all other corners first: one on the new side would soon lie beyond it, by
        // rounding. Then proper ears; then one without area; finally the least bad corner, since a closed
        // mesh matters more than triangle quality.
        bool careful = true;
        while (left > 3) {
            if (careful && without_ear >= left) {
                careful = false;
                without_ear = 0;
            }
            const bool any_flat = without_ear >= left;
            const bool any_at_all = without_ear >= 2 * left;
            if (any_at_all) at = least_bad_from(at, left);
            if (any_at_all || (careful ? is_clear_ear(at) : is_ear(at, any_flat))) {
                cut(at);
                --left;
                without_ear = 0;
                // Skipping one avoids clipping all ears at one corner, which gives a fan of slivers.
                at = next_[next_[at]];
            } else {
                ++without_ear;
                at = next_[at];
            }
        }
        if (left == 3) emit(at);
    }

  private:
    const glm::dvec2& point(std::uint32_t i) const noexcept { return loop_[i].at; }

    bool is_ear(std::uint32_t i, bool any_flat) const noexcept {
        const std::uint32_t p = prev_[i];
        const std::uint32_t n = next_[i];
        const double turn = cross(point(p), point(i), point(n));
        if (any_flat ? turn < 0.0 : turn <= 0.0) return false;
        for (std::uint32_t k = next_[n]; k != p; k = next_[k]) {
            // Bridges double corners, and outlines may touch: there an edge decides that leads into the ear.
            if (point(k) == point(p)) {
                if (leads_into(k, point(i), point(n))) return false;
            } else if (point(k) == point(i)) {
                if (leads_into(k, point(n), point(p))) return false;
            } else if (point(k) == point(n)) {
                if (leads_into(k, point(p), point(i))) return false;
            } else if (cross(point(prev_[k]), point(k), point(next_[k])) <= 0.0 &&
                       in_triangle(point(p), point(i), point(n), point(k))) {
                return false;  // Only a reflex corner can reach into the ear.
            }
        }
        return true;
    }

    bool is_clear_ear(std::uint32_t i) const noexcept {
        const glm::dvec2 &a = point(prev_[i]), &b = point(i), &c = point(next_[i]);
        if (!(depth_in_triangle(a, b, c, (a + b + c) / 3.0) > rounding_)) return false;
        if (!is_ear(i, false)) return false;
        const glm::dvec2 low = glm::min(glm::min(a, b), c) - rounding_;
        const glm::dvec2 high = glm::max(glm::max(a, b), c) + rounding_;
        for (std::uint32_t k = next_[next_[i]]; k != prev_[i]; k = next_[k]) {
            const glm::dvec2& p = point(k);
            if (p.x < low.x || p.x > high.x || p.y < low.y || p.y > high.y) continue;
            if (p == a || p == b || p == c) continue;
            if (depth_in_triangle(a, b, c, p) > -rounding_) return false;
        }
        return true;
    }

    /// The corner at which a cut does the least harm. Once rounded, collinear corners are only nearly
    /// collinear, and so block each other's ears.
    std::uint32_t least_bad_from(std::uint32_t from, std::size_t left) const noexcept {
        constexpr std::size_t kMaxTests = 4'000'000;
        std::size_t looks = std::max<std::size_t>(std::min(left, kMaxTests / left), 1);
        std::uint32_t best = from;
        double least = std::numeric_limits<double>::infinity();
        for (std::uint32_t i = from; looks > 0; --looks, i = next_[i])
            if (const double harm = harm_of(i); harm < least) least = harm, best = i;
        return best;
    }

    /// How far the triangle at a corner is on the wrong side, or how deep another corner lies in it.
    double harm_of(std::uint32_t i) const noexcept {
        const glm::dvec2 &a = point(prev_[i]), &b = point(i), &c = point(next_[i]);
        if (cross(a, b, c) <= 0.0) return std::abs(height(a, c, b));
        const double whole = std::min({height(a, b, c), height(b, c, a), height(c, a, b)});
        double deepest = 0.0;
        for (std::uint32_t k = next_[next_[i]]; k != prev_[i]; k = next_[k]) {
            const glm::dvec2& p = point(k);
            if ((p == a && leads_into(k, b, c)) || (p == b && leads_into(k, c, a)) ||
                (p == c && leads_into(k, a, b)))
                return whole;
            if (p == a || p == b || p == c || !in_triangle(a, b, c, p)) continue;
            deepest = std::max(deepest, depth_in_triangle(a, b, c, p));
        }
        return deepest;
    }

    /// True if an edge at corner `k` starts strictly between the directions to `from` and, counter-clockwise,
    /// to `to`.
    bool leads_into(std::uint32_t k, const glm::dvec2& from, const glm::dvec2& to) const noexcept {
        const auto between = [&](const glm::dvec2& end) {
            return cross(point(k), from, end) > 0.0 && cross(point(k), end, to) > 0.0;
        };
        return between(point(prev_[k])) || between(point(next_[k]));
    }

    void cut(std::uint32_t i) {
        emit(i);
        next_[prev_[i]] = next_[i];
        prev_[next_[i]] = prev_[i];
    }

    void emit(std::uint32_t i) {
        triangles_.emplace_back(loop_[prev_[i]].id, loop_[i].id, loop_[next_[i]].id);
    }

    const Loop& loop_;
    std::vector<glm::uvec3>& triangles_;
    std::vector<std::uint32_t> next_;
    std::vector<std::uint32_t> prev_;
    double rounding_ = 0.0;  ///< How far corners that came from floats may be off.
};

}  // namespace

double signed_area(const Loop& loop) noexcept {
    double twice = 0.0;
    for (std::size_t i = 2; i < loop.size(); ++i)
        twice += cross(loop[0].at, loop[i - 1].at, loop[i].at);
    return 0.5 * twice;
}

void triangulate(std::vector<Loop> loops, std::vector<glm::uvec3>& triangles) {
    std::vector<Loop> outers;
    std::vector<Loop> holes;
    for (Loop& loop : loops)
        (signed_area(loop) < 0.0 ? holes : outers).push_back(std::move(loop));
    // From right to left, each hole sees its outline or a hole already joined to it.
    const auto rightmost = [](const Loop& loop) {
        double x = -std::numeric_limits<double>::infinity();
        for (const LoopPoint& p : loop)
            x = std::max(x, p.at.x);
        return x;
    };
    std::stable_sort(holes.begin(), holes.end(),
                     [&](const Loop& a, const Loop& b) { return rightmost(a) > rightmost(b); });
    std::vector<double> areas;
    areas.reserve(outers.size());
    for (const Loop& outer : outers)
        areas.push_back(signed_area(outer));
    std::vector<Loop> lone;
    const std::vector<Loop> outlines = outers;
    for (const Loop& hole : holes) {
        std::size_t owner = outers.size();
        for (std::size_t i = 0; i < outers.size(); ++i)
            if (contains(outlines[i], hole) && (owner == outers.size() || areas[i] < areas[owner])) owner = i;
        if (owner == outers.size())
            lone.push_back(hole);
        else if (!join_at_common_corner(outers[owner], hole))
            bridge(outers[owner], hole);
    }
    for (const Loop& outer : outers)
        EarCutter(outer, triangles).run();
    for (const Loop& loop : lone)
        EarCutter(loop, triangles).run();
}

}  // namespace bv::detail
