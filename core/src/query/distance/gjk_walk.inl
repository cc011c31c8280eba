// The walk of GJK, for gjk.cpp in plain C++ and for simd/support_avx2.cpp with AVX2; both give the same bits.
// Source: Gilbert 1988; Ericson 2005, 9.5.
//
// The including file defines BV_GJK_TARGET, the attribute of functions that may use its instruction set. They
// are templates over the kernel, since the linker must not merge the copies into one.
#pragma once

#include <algorithm>
#include <cmath>

#include "query/distance/gjk.hpp"
#include "query/distance/gjk_simplex.inl"
#include "query/distance/support.hpp"
#include "simd/support.hpp"

namespace bv::detail {

inline constexpr int kMaxGjkSteps = 256;  // Polytopes need far fewer; balls are points here.
/// Of the size: farther than this, double precision always finds the way.
inline constexpr double kNear = 1e-6;
/// Of the distance: a lower bound that proves it, though not to the last digit.
inline constexpr double kProven = 0.999;

/// The simplex's point closest to the origin, on one of the three.
inline DVec3 mix(const GjkSimplex& s, const DVec3 (&part)[4]) noexcept {
    DVec3 sum(0.0);
    for (int i = 0; i < s.count; ++i)
        sum += s.weight[i] * part[s.slot[i]];
    return sum;
}

inline SimplexReduced describe(const GjkSimplex& s, const DVec3& origin, double lower, double upper) {
    SimplexReduced event;
    event.count = static_cast<std::uint8_t>(s.count);
    for (int i = 0; i < s.count; ++i)
        event.difference[i] = narrow(s.w[s.slot[i]]);
    event.on_a = narrow(mix(s, s.a) + origin);
    event.on_b = narrow(mix(s, s.b) + origin);
    event.lower_bound = static_cast<float>(std::max(lower, 0.0));
    event.upper_bound = static_cast<float>(upper);
    return event;
}

/// Weights of the origin in a tetrahedron that contains it.
inline void weigh_inside(GjkSimplex& s) noexcept {
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        const DVec3& a = s.w[s.slot[(i + 1) & 3]];
        const DVec3& b = s.w[s.slot[(i + 2) & 3]];
        const DVec3& c = s.w[s.slot[(i + 3) & 3]];
        s.weight[i] = std::abs(glm::dot(a, glm::cross(b, c)));
        sum += s.weight[i];
    }
    for (double& w : s.weight)
        w = sum > 0.0 ? w / sum : 0.25;
}

/// The walk of a pair toward the origin, and where it ended.
struct GjkWalk {
    ConvexCache start;  ///< Where to begin; in the end, where a later walk of the pair would.
    GjkSimplex simplex;
    DVec3 origin;
    DVec3 closest{0.0};  ///< The point of the difference a - b nearest to the origin.
    double size_sq = 0.0;
    double upper_sq = 0.0;  ///< Of the distance.
    bool inside = false;
    bool apart = false;  ///< Farther apart than asked for.
    bool proven = true;  ///< False if the walk ended where rounding hid the way; see walk_precisely.

    // Rounding is relative to the input coordinates, not only to their difference.
    [[nodiscard]] double tolerance_sq() const noexcept { return kTouching * kTouching * size_sq; }
    [[nodiscard]] double distance() const noexcept {
        return inside || upper_sq <= tolerance_sq() ? 0.0 : std::sqrt(upper_sq);
    }
};

/// Support points of a core relative to `origin`. `Kernel::Box` gives those of boxes.
template <class Kernel>
class SupportRelativeTo {
  public:
    BV_GJK_TARGET SupportRelativeTo(const ConvexRef& core, const DVec3& origin) noexcept
        : core_(core),
          origin_(origin),
          is_box_(Support::is_box(core)),
          is_placed_(Support::is_placed(core)) {
        if (is_box_) {
            box_.set(core, Support::center(core) - origin);
            // The columns are large: they are filled only where they are searched.
            // NOLINTNEXTLINE(clang-analyzer-optin.cplusplus.UninitializedObject)
        } else if (const Hull* const hull = Support::searched_hull(core); hull != nullptr) {
            static const simd::SupportKernels& kernels = simd::support_kernels();
            const auto count = static_cast<std::uint32_t>(hull->vertices.size());
            if (kernels.fill_columns(columns_, &hull->vertices.front().x, count)) {
                search_ = kernels.farthest_in_columns;
                origin_ -= Support::offset(core);
            }
        }
    }
    [[nodiscard]] bool is_box() const noexcept { return is_box_; }
    /// For the first direction, with the vertex where an earlier walk ended.
    [[nodiscard]] BV_GJK_TARGET DVec3 start(const DVec3& direction,
                                            std::uint32_t vertex = ConvexCache::kNoVertex) noexcept {
        if (!is_box_ && search_ == nullptr) hint_ = Support::first_hint(core_, direction, vertex);
        return (*this)(direction);
    }
    /// The vertex found last, where one is remembered.
    [[nodiscard]] std::uint32_t vertex() const noexcept { return hint_; }
    [[nodiscard]] BV_GJK_TARGET DVec3 operator()(const DVec3& direction) noexcept {
        if (is_box_) return box_.support(direction);
        if (search_ != nullptr) {
            const DVec3 local = is_placed_ ? Support::to_hull(core_, direction) : direction;
            const float* const xyz = columns_.xyz + std::size_t{3} * search_(columns_, &local.x);
            const DVec3 p(xyz[0], xyz[1], xyz[2]);
            return (is_placed_ ? Support::mapped(core_, p) : p) - origin_;
        }
        return Support::of(core_, direction, hint_) - origin_;
    }

  private:
    const ConvexRef& core_;
    DVec3 origin_;
    bool is_box_;
    bool is_placed_;
    std::uint32_t hint_ = 0;
    simd::FarthestInColumns search_ = nullptr;  ///< Null if the columns are not used.
    typename Kernel::Box box_;
    simd::HullColumns columns_;
};

/// Walks from the axis in `out.start`, until the distance is known, or known to be above `far` or at most
/// `near`.
template <class Kernel, class Sink>
BV_GJK_TARGET void walk_to_origin(const ConvexRef& a, const ConvexRef& b, double near, double far, Sink& sink,
                                  GjkWalk& out) {
    out.origin = Support::center(a);
    const DVec3 origin = out.origin;
    SupportRelativeTo<Kernel> support_a(a, origin);
    SupportRelativeTo<Kernel> support_b(b, origin);
    GjkSimplex& simplex = out.simplex;
    const auto add_vertex = [&simplex](const DVec3& on_a, const DVec3& on_b) {
        const int i = simplex.slot[simplex.count++];
        simplex.a[i] = on_a;
        simplex.b[i] = on_b;
        simplex.w[i] = on_a - on_b;
        return i;
    };

    const DVec3 between = Support::middle(b) - Support::middle(a);
    const DVec3 first = out.start.axis == DVec3(0.0) ? between : out.start.axis;
    add_vertex(support_a.start(first, out.start.vertex_a), support_b.start(-first, out.start.vertex_b));
    simplex.weight[0] = 1.0;
    // Of two boxes a bound of the offsets is known at once.
    const bool boxes = support_a.is_box() && support_b.is_box();
    // Offsets of support points alone may be far smaller than the coordinates that they were chosen by: a
    // hull's origin is one of its vertices, perhaps the one nearest to the other solid.
    out.size_sq = glm::dot(between, between);
    if (boxes) {
        out.size_sq = 3.0 * (out.size_sq + Support::reach_sq(a) + Support::reach_sq(b));
    } else if (Support::is_hull(a)) {
        const DVec3 offset = Support::middle(a) - origin;
        out.size_sq = std::max(out.size_sq, glm::dot(offset, offset));
    }
    const auto measure = [&out, &simplex, boxes](int i) {
        if (boxes) return;
        out.size_sq = std::max({out.size_sq, glm::dot(simplex.w[i], simplex.w[i]),
                                glm::dot(simplex.a[i], simplex.a[i]), glm::dot(simplex.b[i], simplex.b[i])});
    };
    measure(0);
    // All comparisons are of squares: roots and quotients would delay every branch.
    double tolerance_sq = out.tolerance_sq();
    const auto is_beyond = [&tolerance_sq, far](double along, double length_sq) {
        const double reach_sq = far == 0.0 ? tolerance_sq : square(far + std::sqrt(tolerance_sq));
        return along > 0.0 && along * along > reach_sq * length_sq;
    };
    DVec3 closest = simplex.w[0];
    double upper_sq = glm::dot(closest, closest);
    // For most disjoint pairs the axis between their middles separates already.
    double along = -glm::dot(first, closest);
    double along_sq = glm::dot(first, first);
    double lower = 0.0;  // for the trace
    DVec3 toward_b(0.0);
    for (int step = 0; step < kMaxGjkSteps; ++step) {
        if constexpr (Sink::kEnabled) {
            if (along > 0.0) lower = std::max(lower, along / std::sqrt(along_sq));
            sink(describe(simplex, origin, lower, std::sqrt(upper_sq)));
        }
        if (upper_sq <= tolerance_sq || upper_sq <= near * near) break;
        if (step == 0 && is_beyond(along, along_sq)) {
            out.apart = true;
            toward_b = first;
            break;
        }
        const int next = add_vertex(support_a(-closest), support_b(closest));
        measure(next);
        tolerance_sq = out.tolerance_sq();
        along = glm::dot(closest, simplex.w[next]);
        along_sq = upper_sq;
        const double gap = upper_sq - along;
        if (!(gap > 0.0) || gap * gap <= tolerance_sq * upper_sq) {
            --simplex.count;
            if constexpr (Sink::kEnabled) {
                lower = std::max(lower, along / std::sqrt(along_sq));
                sink(describe(simplex, origin, lower, std::sqrt(upper_sq)));
            }
            break;
        }
        if (is_beyond(along, along_sq)) {
            --simplex.count;
            out.apart = true;
            break;
        }
        GjkReduction<Kernel> reduction(simplex);
        if (!reduce(simplex, reduction)) {
            out.inside = true;
            if constexpr (Sink::kEnabled) {
                weigh_inside(simplex);
                sink(describe(simplex, origin, 0.0, 0.0));
            }
            break;
        }
        if (!(reduction.distance_sq() < upper_sq)) {  // No progress beyond rounding.
            --simplex.count;
            break;
        }
        reduction.apply(simplex);
        closest = reduction.closest();
        upper_sq = reduction.distance_sq();
    }
    out.closest = closest;
    out.upper_sq = upper_sq;
    out.start.axis = toward_b == DVec3(0.0) ? -closest : toward_b;
    out.start.vertex_a = support_a.vertex();
    out.start.vertex_b = support_b.vertex();
    // `closest` is off by roundings of the size. Where it is short this turns it, and its support points no
    // longer lead closer, whether or not the cores are apart.
    if (upper_sq < kNear * kNear * out.size_sq)
        out.proven = out.inside || out.apart || upper_sq <= tolerance_sq || upper_sq <= near * near ||
                     along >= kProven * upper_sq;
}

}  // namespace bv::detail
