#include "bv/fit/kdop.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>

#include "fit/affine_image.hpp"
#include "fit/passes.hpp"
#include "shapes/rounding.hpp"

namespace bv::fit {

template <int K>
Kdop<K> kdop(std::span<const glm::vec3> points) {
    const detail::DirectionExtents all = detail::kdop_extents(points);
    Kdop<K> dop;
    if (all.low[0] > all.high[0]) return dop;
    for (int i = 0; i < K / 2; ++i) {
        // Index of this direction in the table of all.
        const auto from = static_cast<std::size_t>(&Kdop<K>::direction(i) - kKdopDirections.data());
        const auto to = static_cast<std::size_t>(i);
        dop.min[to] = detail::round_down(all.low[from]);
        dop.max[to] = detail::round_up(all.high[from]);
    }
    return dop;
}

template <int K>
Kdop<K> kdop(std::span<const glm::vec3> points, Recording& trace) {
    const Kdop<K> dop = kdop<K>(points);
    if (dop.is_empty()) return dop;
    for (int i = 0; i < K / 2; ++i) {
        SlabFitted slab;
        slab.direction = Kdop<K>::direction(i);
        slab.min = dop.min[static_cast<std::size_t>(i)];
        slab.max = dop.max[static_cast<std::size_t>(i)];
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (std::uint32_t p = 0; p < points.size(); ++p) {
            if (!is_finite(points[p])) continue;
            const double along = glm::dot(glm::dvec3(slab.direction), glm::dvec3(points[p]));
            if (along < low) {
                low = along;
                slab.low_index = p;
            }
            if (along > high) {
                high = along;
                slab.high_index = p;
            }
        }
        trace(slab);
    }
    return dop;
}

template <int K>
Kdop<K> kdop(std::span<const glm::vec3> points, const glm::mat4x3& affine) {
    const detail::AffineImage image(affine);
    std::array<double, K / 2> low, high;
    low.fill(std::numeric_limits<double>::infinity());
    high.fill(-std::numeric_limits<double>::infinity());
    for (const glm::vec3& p : points) {
        if (!bv::is_finite(p)) continue;
        const glm::dvec3 q = image(p);
        // A projection adds at most three coordinates.
        const double error = 4.0 * image.error(p);
        for (int i = 0; i < K / 2; ++i) {
            const glm::dvec3 d(Kdop<K>::direction(i));
            const double x = (d.x * q.x + d.y * q.y) + d.z * q.z;
            const auto k = static_cast<std::size_t>(i);
            low[k] = std::min(low[k], x - error);
            high[k] = std::max(high[k], x + error);
        }
    }
    Kdop<K> dop;
    for (std::size_t k = 0; k < K / 2; ++k) {
        if (!(low[k] <= high[k]) || !std::isfinite(low[k]) || !std::isfinite(high[k])) return Kdop<K>{};
        dop.min[k] = detail::round_down(low[k]);
        dop.max[k] = detail::round_up(high[k]);
    }
    return dop;
}

#define BV_INSTANTIATE_KDOP(K)                                        \
    template Kdop<K> kdop<K>(std::span<const glm::vec3>);             \
    template Kdop<K> kdop<K>(std::span<const glm::vec3>, Recording&); \
    template Kdop<K> kdop<K>(std::span<const glm::vec3>, const glm::mat4x3&);
BV_INSTANTIATE_KDOP(6)
BV_INSTANTIATE_KDOP(8)
BV_INSTANTIATE_KDOP(14)
BV_INSTANTIATE_KDOP(18)
BV_INSTANTIATE_KDOP(26)
#undef BV_INSTANTIATE_KDOP

}  // namespace bv::fit
