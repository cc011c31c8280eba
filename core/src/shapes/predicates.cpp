#include "shapes/predicates.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace bv::detail {
namespace {

// A number as an unevaluated sum of nonoverlapping doubles, smallest first, without zeros. Its sign is that
// of the last. N bounds the length; products and sums of expansions are built term by term.
template <std::size_t N>
struct Expansion {
    std::array<double, N> terms;
    std::size_t count = 0;

    void add(double x) noexcept {
        double carry = x;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const double sum = carry + terms[i];
            const double part = sum - carry;
            const double lost = (carry - (sum - part)) + (terms[i] - part);
            carry = sum;
            if (lost != 0.0) terms[kept++] = lost;
        }
        if (carry != 0.0) terms[kept++] = carry;
        count = kept;
    }

    // Adds x * y exactly; Dekker's product, since a fused multiply-add may not be in hardware.
    void add_product(double x, double y) noexcept {
        const double high = x * y;
        if (high == 0.0) return;
        constexpr double kSplitter = 134217729.0;  // 2^27 + 1
        const double sx = kSplitter * x, sy = kSplitter * y;
        const double xh = sx - (sx - x), yh = sy - (sy - y);
        const double xl = x - xh, yl = y - yh;
        const double low = ((xh * yh - high) + xh * yl + xl * yh) + xl * yl;
        if (low != 0.0) add(low);
        add(high);
    }

    [[nodiscard]] double value() const noexcept {
        double sum = 0.0;
        for (std::size_t i = 0; i < count; ++i)
            sum += terms[i];
        return sum;
    }
    [[nodiscard]] int sign() const noexcept { return count == 0 ? 0 : terms[count - 1] > 0.0 ? 1 : -1; }
};

Expansion<2> difference(float x, float y) noexcept {
    Expansion<2> e;
    e.add(static_cast<double>(x));
    e.add(-static_cast<double>(y));
    return e;
}

template <std::size_t N, std::size_t M>
Expansion<2 * N * M> product(const Expansion<N>& a, const Expansion<M>& b) noexcept {
    Expansion<2 * N * M> e;
    for (std::size_t i = 0; i < a.count; ++i) {
        for (std::size_t j = 0; j < b.count; ++j)
            e.add_product(a.terms[i], b.terms[j]);
    }
    return e;
}

template <std::size_t N, std::size_t M>
Expansion<N + M> minus(const Expansion<N>& a, const Expansion<M>& b) noexcept {
    Expansion<N + M> e;
    for (std::size_t i = 0; i < a.count; ++i)
        e.add(a.terms[i]);
    for (std::size_t i = 0; i < b.count; ++i)
        e.add(-b.terms[i]);
    return e;
}

// det(b - a, c - a, to - from).
Expansion<192> orient3d_exact(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c,
                              const glm::vec3& from, const glm::vec3& to) noexcept {
    std::array<Expansion<2>, 3> p, q, r;
    for (std::size_t k = 0; k < 3; ++k) {
        const int axis = static_cast<int>(k);
        p[k] = difference(b[axis], a[axis]);
        q[k] = difference(c[axis], a[axis]);
        r[k] = difference(to[axis], from[axis]);
    }
    Expansion<192> det;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
        const auto term = product(minus(product(p[i], q[j]), product(p[j], q[i])), r[k]);
        for (std::size_t t = 0; t < term.count; ++t)
            det.add(term.terms[t]);
    }
    return det;
}

// The same in double precision, and the sum of the magnitudes of its products.
struct RoundedDet {
    double det = 0.0, permanent = 0.0;
};

RoundedDet orient3d_rounded(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c, const glm::vec3& from,
                            const glm::vec3& to) noexcept {
    const glm::dvec3 p = glm::dvec3(b) - glm::dvec3(a);
    const glm::dvec3 q = glm::dvec3(c) - glm::dvec3(a);
    const glm::dvec3 r = glm::dvec3(to) - glm::dvec3(from);
    RoundedDet of;
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double left = p[i] * q[j], right = p[j] * q[i];
        of.det += (left - right) * r[k];
        of.permanent += (std::abs(left) + std::abs(right)) * std::abs(r[k]);
    }
    return of;
}

// Shewchuk's bound for that order of operations is (7 + 56 eps) eps, with eps = 2^-53.
constexpr double kOrient3dBound = 8e-16;

int orient3d_of(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c, const glm::vec3& from,
                const glm::vec3& to) noexcept {
    const auto [det, permanent] = orient3d_rounded(a, b, c, from, to);
    if (std::abs(det) > kOrient3dBound * permanent) return det > 0.0 ? 1 : -1;
    return orient3d_exact(a, b, c, from, to).sign();
}

int orient2d_of(float ax, float ay, float bx, float by, float cx, float cy) noexcept {
    const double px = static_cast<double>(bx) - static_cast<double>(ax);
    const double py = static_cast<double>(by) - static_cast<double>(ay);
    const double qx = static_cast<double>(cx) - static_cast<double>(ax);
    const double qy = static_cast<double>(cy) - static_cast<double>(ay);
    const double left = px * qy, right = py * qx;
    const double det = left - right;
    // Shewchuk's bound for this order of operations is (3 + 16 eps) eps.
    if (std::abs(det) > 4e-16 * (std::abs(left) + std::abs(right))) return det > 0.0 ? 1 : -1;
    return minus(product(difference(bx, ax), difference(cy, ay)),
                 product(difference(by, ay), difference(cx, ax)))
        .sign();
}

}  // namespace

int orient3d(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c, const glm::vec3& d) noexcept {
    return orient3d_of(a, b, c, a, d);
}

double orient3d_value(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c,
                      const glm::vec3& d) noexcept {
    constexpr double kRelativeError = 1e-9;
    const auto [det, permanent] = orient3d_rounded(a, b, c, a, d);
    if (kRelativeError * std::abs(det) > kOrient3dBound * permanent) return det;
    return orient3d_exact(a, b, c, a, d).value();
}

int orient3d_along(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c,
                   const glm::vec3& direction) noexcept {
    return orient3d_of(a, b, c, glm::vec3(0.0f), direction);
}

double exact_det(const glm::dvec3& p, const glm::dvec3& q, const glm::dvec3& r) noexcept {
    Expansion<48> det;
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        Expansion<4> minor;
        minor.add_product(p[i], q[j]);
        minor.add_product(-p[j], q[i]);
        for (std::size_t t = 0; t < minor.count; ++t)
            det.add_product(minor.terms[t], r[k]);
    }
    return det.value();
}

double exact_det(const glm::dvec2& p, const glm::dvec2& q) noexcept {
    Expansion<4> det;
    det.add_product(p.x, q.y);
    det.add_product(-p.y, q.x);
    return det.value();
}

int orient2d(const glm::vec2& a, const glm::vec2& b, const glm::vec2& c) noexcept {
    return orient2d_of(a.x, a.y, b.x, b.y, c.x, c.y);
}

bool collinear(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c) noexcept {
    return orient2d_of(a.x, a.y, b.x, b.y, c.x, c.y) == 0 && orient2d_of(a.y, a.z, b.y, b.z, c.y, c.z) == 0 &&
           orient2d_of(a.z, a.x, b.z, b.x, c.z, c.x) == 0;
}

}  // namespace bv::detail
