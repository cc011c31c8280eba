// Eigenvectors of symmetric 3x3 matrices in double, for principal axes and for the stretch of a linear map.
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

namespace bv::detail {

struct Eigen3 {
    glm::dvec3 values{0.0};   ///< Descending.
    glm::dmat3 vectors{1.0};  ///< Columns: orthonormal, right-handed, in the order of `values`.
};

/// By cyclic Jacobi rotations: slow for large matrices, but the most accurate at this size, since the vectors
/// stay orthonormal for any values (Golub and Van Loan 2013, section 8.5). Only the lower half is read. A
/// diagonal matrix keeps the coordinate axes. Input with a value that is not finite gives the identity.
[[nodiscard]] Eigen3 symmetric_eigen(const glm::dmat3& m) noexcept;

}  // namespace bv::detail
