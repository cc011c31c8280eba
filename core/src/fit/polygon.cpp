#include "bv/fit/polygon.hpp"

#include <algorithm>
#include <cmath>

#include "shapes/predicates.hpp"

namespace bv::fit {

std::vector<std::uint32_t> convex_polygon(std::span<const glm::vec2> points) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < points.size(); ++i)
        if (std::isfinite(points[i].x) && std::isfinite(points[i].y)) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
        const glm::vec2 &a = points[i], &b = points[j];
        return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : i < j;
    });
    const auto equal = [&](std::uint32_t i, std::uint32_t j) { return points[i] == points[j]; };
    order.erase(std::unique(order.begin(), order.end(), equal), order.end());
    if (order.size() < 3) return order;
    std::vector<std::uint32_t> loop;
    for (int chain = 0; chain < 2; ++chain) {  // along the bottom to the right, and back along the top
        const std::size_t base = loop.size();
        for (const std::uint32_t i : order) {
            while (loop.size() >= base + 2 &&
                   detail::orient2d(points[loop[loop.size() - 2]], points[loop.back()], points[i]) <= 0)
                loop.pop_back();
            loop.push_back(i);
        }
        loop.pop_back();  // begins the other chain
        std::reverse(order.begin(), order.end());
    }
    return loop;
}

}  // namespace bv::fit
