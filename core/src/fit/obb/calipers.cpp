#include "fit/obb/calipers.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace bv::detail {
namespace {

double turn(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

}  // namespace

std::vector<glm::dvec2> convex_polygon(std::vector<glm::dvec2>& points) {
    std::sort(points.begin(), points.end(),
              [](const glm::dvec2& a, const glm::dvec2& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    points.erase(std::unique(points.begin(), points.end()), points.end());
    if (points.size() < 3) return points;
    std::vector<glm::dvec2> loop;
    for (int pass = 0; pass < 2; ++pass) {
        const std::size_t base = loop.size();
        for (const glm::dvec2& p : points) {
            while (loop.size() >= base + 2 && turn(loop[loop.size() - 2], loop.back(), p) <= 0.0)
                loop.pop_back();
            loop.push_back(p);
        }
        loop.pop_back();
        std::reverse(points.begin(), points.end());
    }
    return loop;
}

Rectangle smallest_rectangle(const std::vector<glm::dvec2>& polygon) {
    Rectangle best;
    const std::size_t n = polygon.size();
    if (n < 2) return best;
    best.area = -1.0;
    // Supports along the edge's direction, its inward normal, and against its direction.
    std::size_t ahead = 0, above = 0, behind = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const glm::dvec2& a = polygon[i];
        const glm::dvec2 edge = polygon[(i + 1) % n] - a;
        const double length = std::hypot(edge.x, edge.y);
        if (!(length > 0.0)) continue;
        const glm::dvec2 u = edge / length, v(-u.y, u.x);
        const auto climb = [&](std::size_t& at, const glm::dvec2& direction) {
            for (std::size_t step = 0; step < n; ++step) {
                const std::size_t next = (at + 1) % n;
                if (glm::dot(polygon[next] - polygon[at], direction) <= 0.0) break;
                at = next;
            }
        };
        if (i == 0) {
            // Any start will do: from here on the supports stay ahead of the edge.
            for (std::size_t k = 0; k < n; ++k) {
                if (glm::dot(polygon[k] - polygon[ahead], u) > 0.0) ahead = k;
                if (glm::dot(polygon[k] - polygon[above], v) > 0.0) above = k;
                if (glm::dot(polygon[k] - polygon[behind], u) < 0.0) behind = k;
            }
        }
        climb(ahead, u);
        climb(above, v);
        climb(behind, -u);
        const double area = glm::dot(polygon[ahead] - polygon[behind], u) * glm::dot(polygon[above] - a, v);
        if (best.area < 0.0 || area < best.area) best = {u, area};
    }
    best.area = std::max(best.area, 0.0);
    return best;
}

}  // namespace bv::detail
