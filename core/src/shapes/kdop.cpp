#include "bv/shapes/kdop.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <set>
#include <utility>

#include "shapes/frame.hpp"
#include "shapes/rounding.hpp"

namespace bv {
namespace {

using Polygon = std::vector<glm::dvec3>;

struct HalfSpace {
    glm::dvec3 normal;  // Unit length.
    double offset;
};

// The part of a convex polygon on the inner side of the plane (Sutherland and Hodgman's step). `slack` keeps
// vertices that only touch the plane.
Polygon clipped(const Polygon& polygon, const HalfSpace& half, double slack) {
    Polygon result;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const glm::dvec3& a = polygon[i];
        const glm::dvec3& b = polygon[(i + 1) % polygon.size()];
        const double da = glm::dot(half.normal, a) - half.offset;
        const double db = glm::dot(half.normal, b) - half.offset;
        if (da <= slack) result.push_back(a);
        if ((da <= slack) != (db <= slack)) result.push_back(a + (b - a) * (da / (da - db)));
    }
    return result;
}

// Merges vertices found separately by several faces.
class VertexWelder {
  public:
    explicit VertexWelder(double tolerance) : tolerance_(tolerance) {}

    std::uint32_t index_of(const glm::dvec3& p) {
        for (std::size_t i = 0; i < vertices_.size(); ++i) {
            const glm::dvec3 d = glm::abs(vertices_[i] - p);
            if (std::max({d.x, d.y, d.z}) <= tolerance_) return static_cast<std::uint32_t>(i);
        }
        vertices_.push_back(p);
        return static_cast<std::uint32_t>(vertices_.size() - 1);
    }
    [[nodiscard]] const std::vector<glm::dvec3>& vertices() const { return vertices_; }

  private:
    double tolerance_;
    std::vector<glm::dvec3> vertices_;
};

// A face of the solid: a square of half width `reach` in the plane, clipped by all other planes.
Polygon face_of(const std::vector<HalfSpace>& planes, std::size_t face, double reach, double slack) {
    const glm::dvec3 n = planes[face].normal;
    const glm::dvec3 u = detail::any_perpendicular(n);
    const glm::dvec3 v = glm::cross(n, u);
    const glm::dvec3 o = n * planes[face].offset;
    Polygon polygon = {o - reach * (u + v), o + reach * (u - v), o + reach * (u + v), o - reach * (u - v)};
    for (std::size_t i = 0; i < planes.size() && polygon.size() > 2; ++i) {
        // The opposite plane is parallel: it clips nothing.
        if (i / 2 != face / 2) polygon = clipped(polygon, planes[i], slack);
    }
    return polygon;
}

struct Frame {
    std::vector<HalfSpace> planes;  // Relative to `origin`.
    glm::dvec3 origin{0.0};
    double size = 0.0;
    double weld = 0.0;  // Vertices closer than this are merged.
};

// Relative to the size: far above the rounding of double, far below that of float.
constexpr double kWeld = 1e-9;
// Relative to the largest bound: the planes' offsets are off by up to ten roundings of it, which is more for
// a k-DOP whose size is itself only rounding, such as that of a point.
constexpr double kWeldOfBound = 8e-15;

// The planes relative to a point near the middle, to keep precision far from the origin.
template <int K>
Frame planes_of(const Kdop<K>& dop) {
    Frame frame;
    // Least squares over the interval midpoints: the Gram matrix of each set of directions is a multiple of
    // 1.
    double gram = 0.0;
    double largest = 0.0;
    for (int i = 0; i < K / 2; ++i) {
        const glm::dvec3 d(Kdop<K>::direction(i));
        const auto k = static_cast<std::size_t>(i);
        frame.origin += d * ((static_cast<double>(dop.min[k]) + static_cast<double>(dop.max[k])) * 0.5);
        gram += d.x * d.x;
        largest = std::max(
            {largest, std::abs(static_cast<double>(dop.min[k])), std::abs(static_cast<double>(dop.max[k]))});
        frame.size = std::max(frame.size, static_cast<double>(dop.max[k]) - static_cast<double>(dop.min[k]));
    }
    frame.origin /= gram;
    frame.weld = std::max(frame.size * kWeld, largest * kWeldOfBound);
    for (int i = 0; i < K / 2; ++i) {
        const glm::dvec3 d(Kdop<K>::direction(i));
        const double length = glm::length(d);
        const double middle = glm::dot(d, frame.origin);
        const auto k = static_cast<std::size_t>(i);
        frame.planes.push_back({d / length, (static_cast<double>(dop.max[k]) - middle) / length});
        frame.planes.push_back({-d / length, (middle - static_cast<double>(dop.min[k])) / length});
    }
    return frame;
}

template <int K>
bool is_bounded(const Kdop<K>& dop) {
    if (dop.is_empty()) return false;
    for (std::size_t i = 0; i < K / 2; ++i) {
        if (!std::isfinite(dop.min[i]) || !std::isfinite(dop.max[i])) return false;
    }
    return true;
}

// Vertices relative to the frame's origin; `faces`, if not null, gets one loop of vertex numbers per face.
std::vector<glm::dvec3> corners_of(const Frame& frame, std::vector<std::vector<std::uint32_t>>* faces) {
    if (frame.size == 0.0) return {glm::dvec3(0.0)};
    VertexWelder welder(frame.weld);
    for (std::size_t f = 0; f < frame.planes.size(); ++f) {
        std::vector<std::uint32_t> loop;
        for (const glm::dvec3& p : face_of(frame.planes, f, frame.size * 8.0, frame.weld * 0.25)) {
            const std::uint32_t v = welder.index_of(p);
            if (loop.empty() || (loop.back() != v && loop.front() != v)) loop.push_back(v);
        }
        if (faces != nullptr) faces->push_back(loop);
    }
    return welder.vertices();
}

}  // namespace

template <int K>
Polytope polytope_of(const Kdop<K>& dop) {
    Polytope result;
    if (!is_bounded(dop)) return result;
    const Frame frame = planes_of(dop);
    std::vector<std::vector<std::uint32_t>> faces;
    for (const glm::dvec3& p : corners_of(frame, &faces))
        result.vertices.push_back(glm::vec3(p + frame.origin));
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const std::vector<std::uint32_t>& loop : faces) {
        for (std::size_t i = 0; loop.size() > 1 && i < loop.size(); ++i)
            edges.insert(std::minmax(loop[i], loop[(i + 1) % loop.size()]));
        for (std::size_t i = 2; i < loop.size(); ++i)
            result.triangles.push_back({loop[0], loop[i - 1], loop[i]});
    }
    for (const auto& [a, b] : edges)
        result.edges.push_back({a, b});
    return result;
}

template <int K>
double Kdop<K>::volume() const {
    return polytope_of(*this).volume();
}

template <int K>
double Kdop<K>::surface_area() const {
    return polytope_of(*this).surface_area();
}

template <int K>
Kdop<K> transformed(const Kdop<K>& dop, const glm::mat4x3& affine) {
    Kdop<K> result;
    if (dop.is_empty()) return result;
    const bool bounded = is_bounded(dop);
    const glm::dmat3 m{glm::dvec3(affine[0]), glm::dvec3(affine[1]), glm::dvec3(affine[2])};
    const Frame frame = bounded ? planes_of(dop) : Frame{};
    const std::vector<glm::dvec3> corners = bounded ? corners_of(frame, nullptr) : std::vector<glm::dvec3>{};
    const double stretch = glm::length(m[0]) + glm::length(m[1]) + glm::length(m[2]);
    for (int i = 0; i < K / 2; ++i) {
        const glm::dvec3 d(Kdop<K>::direction(i));
        double lo = detail::kFloatInf, hi = -lo;
        for (const glm::dvec3& v : corners) {
            const double x = glm::dot(d, m * v);
            lo = std::min(lo, x);
            hi = std::max(hi, x);
        }
        const double shift = glm::dot(d, m * frame.origin + glm::dvec3(affine[3]));
        // Bounds how far welding and clipping moved a corner, plus the rounding of these sums.
        const double slack =
            glm::length(d) * (stretch * (4.0 * frame.weld + glm::length(frame.origin) * 1e-15) +
                              glm::length(glm::dvec3(affine[3])) * 1e-15);
        const auto k = static_cast<std::size_t>(i);
        const bool known = bounded && std::isfinite(lo + hi + shift + slack);
        result.min[k] = known ? detail::round_down(lo + shift - slack) : -detail::kFloatInf;
        result.max[k] = known ? detail::round_up(hi + shift + slack) : detail::kFloatInf;
    }
    return result;
}

#define BV_INSTANTIATE_KDOP(K)                     \
    template struct Kdop<K>;                       \
    template Polytope polytope_of(const Kdop<K>&); \
    template Kdop<K> transformed(const Kdop<K>&, const glm::mat4x3&);
BV_INSTANTIATE_KDOP(6)
BV_INSTANTIATE_KDOP(8)
BV_INSTANTIATE_KDOP(14)
BV_INSTANTIATE_KDOP(18)
BV_INSTANTIATE_KDOP(26)
#undef BV_INSTANTIATE_KDOP

}  // namespace bv
