#include "shapes/eigen3.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

namespace bv::detail {
namespace {

// Rotates the p-q plane so that a[p][q] becomes zero.
void rotate(glm::dmat3& a, glm::dmat3& v, int p, int q) noexcept {
    if (a[p][q] == 0.0) return;
    const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    // The smaller root: a rotation of at most 45 degrees, so that the sweeps converge.
    const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
    const double c = 1.0 / std::hypot(t, 1.0);
    const double s = t * c;
    for (int k = 0; k < 3; ++k) {
        const double akp = a[k][p];
        const double akq = a[k][q];
        a[k][p] = c * akp - s * akq;
        a[k][q] = s * akp + c * akq;
    }
    for (int k = 0; k < 3; ++k) {
        const double apk = a[p][k];
        const double aqk = a[q][k];
        a[p][k] = c * apk - s * aqk;
        a[q][k] = s * apk + c * aqk;
    }
    a[p][q] = a[q][p] = 0.0;
    for (int row = 0; row < 3; ++row) {
        const double vp = v[p][row];
        const double vq = v[q][row];
        v[p][row] = c * vp - s * vq;
        v[q][row] = s * vp + c * vq;
    }
}

}  // namespace

Eigen3 symmetric_eigen(const glm::dmat3& m) noexcept {
    Eigen3 result;
    double largest = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j <= i; ++j) {
            if (!std::isfinite(m[j][i])) return result;
            largest = std::max(largest, std::abs(m[j][i]));
        }
    }
    if (largest == 0.0) return result;

    // Scaled, so that squares of tiny or huge values stay in the range of double.
    glm::dmat3 a(0.0);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j <= i; ++j)
            a[i][j] = a[j][i] = m[j][i] / largest;
    }
    glm::dmat3 v(1.0);
    for (int sweep = 0; sweep < 32; ++sweep) {
        const double off = std::abs(a[0][1]) + std::abs(a[0][2]) + std::abs(a[1][2]);
        if (off <= 1e-300) break;
        rotate(a, v, 0, 1);
        rotate(a, v, 0, 2);
        rotate(a, v, 1, 2);
    }
    int order[3] = {0, 1, 2};
    // Insertion sort is stable: equal values keep the order of the coordinate axes.
    for (int i = 1; i < 3; ++i) {
        for (int j = i; j > 0 && a[order[j]][order[j]] > a[order[j - 1]][order[j - 1]]; --j)
            std::swap(order[j], order[j - 1]);
    }
    for (int k = 0; k < 3; ++k) {
        result.values[k] = a[order[k]][order[k]] * largest;
        result.vectors[k] = v[order[k]];
    }
    if (glm::dot(glm::cross(result.vectors[0], result.vectors[1]), result.vectors[2]) < 0.0)
        result.vectors[2] = -result.vectors[2];
    return result;
}

}  // namespace bv::detail
