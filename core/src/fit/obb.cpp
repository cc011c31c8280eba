#include "bv/fit/obb.hpp"

#include "fit/passes.hpp"
#include "shapes/eigen3.hpp"
#include "shapes/rounding.hpp"

namespace bv::fit {

Obb obb_pca(std::span<const glm::vec3> points) {
    std::size_t count = 0;
    const glm::dvec3 mean = detail::mean_of(points, count);
    if (count == 0) return {};
    glm::dmat3 covariance(0.0);
    for (const glm::vec3& p : points) {
        if (!detail::is_finite(p)) continue;
        const glm::dvec3 d = glm::dvec3(p) - mean;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j <= i; ++j)
                covariance[j][i] += d[i] * d[j];
        }
    }
    return detail::box_along(points, detail::symmetric_eigen(covariance).vectors);
}

}  // namespace bv::fit
