// Boxes along given and principal axes, and DiTO-14.
#include "bv/fit/obb.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <limits>
#include <vector>

#include "bv/fit/hull.hpp"
#include "fit/affine_image.hpp"
#include "fit/obb/box_choice.hpp"
#include "fit/obb/principal.hpp"
#include "fit/passes.hpp"
#include "shapes/frame.hpp"
#include "shapes/rounding.hpp"

namespace bv::fit {
namespace {

using detail::Points;

// The three axes and the four diagonals of a cube.
constexpr std::array<glm::vec3, 7> kDitoDirections = {
    glm::vec3(1, 0, 0),  glm::vec3(0, 1, 0),  glm::vec3(0, 0, 1),  glm::vec3(1, 1, 1),
    glm::vec3(1, 1, -1), glm::vec3(1, -1, 1), glm::vec3(1, -1, -1)};

// Tries axes proposed by the selected points, rated by the box around these points only.
class DitoSearch {
  public:
    /// `selected` are relative to `origin`.
    DitoSearch(const std::vector<glm::dvec3>& selected, const glm::dvec3& origin)
        : selected_(selected), origin_(origin) {}

    // Each edge of the triangle and its normal give a frame.
    template <class Sink>
    void propose(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c, Sink& sink) {
        const glm::dvec3 n = detail::normalized_or_zero(glm::cross(b - a, c - a));
        if (n == glm::dvec3(0.0)) return;
        for (const glm::dvec3& edge : {b - a, c - b, a - c}) {
            const glm::dvec3 e = detail::normalized_or_zero(edge - n * glm::dot(n, edge));
            if (e != glm::dvec3(0.0)) consider(glm::dmat3{e, glm::cross(n, e), n}, sink);
        }
    }
    template <class Sink>
    void consider(const glm::dmat3& axes, Sink& sink) {
        glm::dvec3 low(std::numeric_limits<double>::infinity()), high = -low;
        for (const glm::dvec3& p : selected_) {
            const glm::dvec3 d = glm::transpose(axes) * p;
            low = glm::min(low, d);
            high = glm::max(high, d);
        }
        const glm::dvec3 s = high - low;
        const double volume = s.x * s.y * s.z, area = s.x * s.y + s.y * s.z + s.z * s.x;
        // Flat candidates all have volume zero: compare areas.
        const bool better = volume < volume_ || (volume == volume_ && area < area_);
        if (better) {
            volume_ = volume;
            area_ = area;
            best_ = axes;
        }
        if constexpr (Sink::kEnabled) {
            BoxConsidered event;
            event.box = {glm::vec3(origin_ + axes * ((low + high) * 0.5)), glm::vec3(s * 0.5),
                         glm::mat3(axes)};
            event.volume = static_cast<float>(volume);
            event.reason = BoxConsidered::Reason::Triangle;
            event.best = better;
            sink(event);
        }
    }
    [[nodiscard]] const glm::dmat3& best() const { return best_; }

  private:
    const std::vector<glm::dvec3>& selected_;
    const glm::dvec3 origin_;
    glm::dmat3 best_{1.0};
    double volume_ = std::numeric_limits<double>::infinity();
    double area_ = std::numeric_limits<double>::infinity();
};

// The point of `selected` for which `measure` is greatest.
template <class Measure>
glm::dvec3 max_by(const std::vector<glm::dvec3>& selected, const Measure& measure) {
    return *std::max_element(selected.begin(), selected.end(), [&](const glm::dvec3& a, const glm::dvec3& b) {
        return measure(a) < measure(b);
    });
}

template <class Sink>
void propose_from_tetrahedra(const std::vector<glm::dvec3>& selected, DitoSearch& search, Sink& sink) {
    glm::dvec3 a(0.0), b(0.0);
    double longest = -1.0;
    for (std::size_t k = 0; k < kDitoDirections.size(); ++k) {
        const glm::dvec3 d = selected[k + kDitoDirections.size()] - selected[k];
        if (glm::dot(d, d) > longest) {
            longest = glm::dot(d, d);
            a = selected[k];
            b = selected[k + kDitoDirections.size()];
        }
    }
    const glm::dvec3 along = detail::normalized_or_zero(b - a);
    if (along == glm::dvec3(0.0)) return;
    const auto off_line = [&](const glm::dvec3& p) {
        const glm::dvec3 off = (p - a) - along * glm::dot(along, p - a);
        return glm::dot(off, off);
    };
    const glm::dvec3 c = max_by(selected, off_line);
    // Nearly collinear: any frame along the line will do.
    if (!(off_line(c) > longest * 1e-14)) {
        const glm::dvec3 side = detail::any_perpendicular(along);
        search.consider(glm::dmat3{along, side, glm::cross(along, side)}, sink);
        return;
    }
    search.propose(a, b, c, sink);
    const glm::dvec3 n = glm::cross(b - a, c - a);
    for (const double side : {1.0, -1.0}) {
        const glm::dvec3 top =
            max_by(selected, [&](const glm::dvec3& p) { return side * glm::dot(n, p - a); });
        search.propose(a, b, top, sink);
        search.propose(b, c, top, sink);
        search.propose(c, a, top, sink);
    }
}

template <class Sink>
Obb dito_impl(Points points, Sink& sink) {
    const std::vector<std::size_t> extremes = detail::extremes_along(points, kDitoDirections);
    if (extremes.empty()) return {};
    // Relative to one of the points, to keep precision far from the origin.
    std::vector<glm::dvec3> selected;
    selected.reserve(extremes.size());
    const glm::dvec3 origin(points[extremes[0]]);
    for (const std::size_t i : extremes)
        selected.push_back(glm::dvec3(points[i]) - origin);
    if constexpr (Sink::kEnabled) {
        for (std::size_t k = 0; k < kDitoDirections.size(); ++k) {
            const std::size_t low = extremes[k], high = extremes[k + kDitoDirections.size()];
            sink(ExtremesFound{kDitoDirections[k], static_cast<std::uint32_t>(low),
                               static_cast<std::uint32_t>(high), points[low], points[high]});
        }
    }
    DitoSearch search(selected, origin);
    search.consider(glm::dmat3(1.0), sink);
    propose_from_tetrahedra(selected, search, sink);
    const Obb best = detail::smaller_box(detail::box_along(points, glm::dmat3(1.0)),
                                         detail::box_along(points, search.best()));
    detail::report_result(best, sink);
    return best;
}

template <class Sink>
Obb along_principal(Points points, const detail::PrincipalAxes& principal, Sink& sink) {
    const Obb box = detail::box_along(points, principal.axes);
    if constexpr (Sink::kEnabled) {
        if (box.is_empty()) return box;
        sink(PrincipalAxesFound{glm::vec3(principal.center), glm::mat3(principal.axes),
                                glm::vec3(principal.variance)});
    }
    detail::report_result(box, sink);
    return box;
}

template <class Sink>
Obb pca_surface_impl(const MeshView& mesh, Sink& sink) {
    bool has_area = false;
    const detail::PrincipalAxes of_surface =
        detail::principal_axes_of_surface(mesh.positions, mesh.triangles, has_area);
    return along_principal(mesh.positions, has_area ? of_surface : detail::principal_axes(mesh.positions),
                           sink);
}

}  // namespace

Obb obb_along(std::span<const glm::vec3> points, const glm::mat3& axes) {
    return detail::box_along(points, glm::dmat3(axes));
}

Obb obb_pca(std::span<const glm::vec3> points) {
    return detail::box_along(points, detail::principal_axes(points).axes);
}

Obb obb_pca(std::span<const glm::vec3> points, Recording& trace) {
    return along_principal(points, detail::principal_axes(points), trace);
}

Obb obb_pca_surface(const MeshView& mesh) {
    NoTrace none;
    return pca_surface_impl(mesh, none);
}

Obb obb_pca_surface(const MeshView& mesh, Recording& trace) {
    return pca_surface_impl(mesh, trace);
}

Obb obb_pca_hull(std::span<const glm::vec3> points) {
    return obb_pca_hull(points, hull(points));
}

Obb obb_pca_hull(std::span<const glm::vec3> points, const Hull& hull) {
    return detail::box_along(points, detail::principal_axes_of_hull(hull).axes);
}

Obb obb_pca_hull(std::span<const glm::vec3> points, Recording& trace) {
    return along_principal(points, detail::principal_axes_of_hull(hull(points)), trace);
}

Obb obb_dito14(std::span<const glm::vec3> points) {
    NoTrace none;
    return dito_impl(points, none);
}

Obb obb_dito14(std::span<const glm::vec3> points, Recording& trace) {
    return dito_impl(points, trace);
}

Obb obb_refit(std::span<const glm::vec3> points, const Obb& box, const glm::mat4x3& affine) {
    const detail::AffineImage image(affine);
    Obb result = transformed(box, affine);
    glm::dvec3 low(std::numeric_limits<double>::infinity()), high = -low;
    const glm::dvec3 origin(result.center);
    for (const glm::vec3& p : points) {
        if (!bv::is_finite(p)) continue;
        const glm::dvec3 q = image(p) - origin;
        const double error = 4.0 * (image.error(p) + glm::length(origin) * 0x1p-52);
        for (int k = 0; k < 3; ++k) {
            const double d = glm::dot(glm::dvec3(result.axes[k]), q);
            low[k] = std::min(low[k], d - error);
            high[k] = std::max(high[k], d + error);
        }
    }
    if (!(low.x <= high.x) || !std::isfinite(glm::dot(high - low, glm::dvec3(1.0)))) return {};
    // The center moves by less than the box size; its rounding is added on both sides.
    const glm::dvec3 middle = glm::transpose(glm::inverse(glm::dmat3(result.axes))) * ((low + high) * 0.5);
    result.center = glm::vec3(origin + middle);
    const glm::dvec3 moved = glm::dvec3(result.center) - origin;
    for (int k = 0; k < 3; ++k) {
        const double shift = glm::dot(glm::dvec3(result.axes[k]), moved);
        const double reach = std::max(high[k] - shift, shift - low[k]);
        result.half_extents[k] = detail::round_up(reach * (1.0 + 0x1p-50));
    }
    return result;
}

}  // namespace bv::fit
