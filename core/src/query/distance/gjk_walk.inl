// The walk of GJK, for gjk.cpp in plain C++ and for simd/support_avx2.cpp with AVX2; both give the same bits.
// Source: Gilbert 1988; Ericson 2005, 9.5.
//
// The including file defines BV_GJK_TARGET, the attribute of functions that may use its instruction set, and
// BV_GJK_INLINE and BV_GJK_APART, those of functions that are always or never inlined, or nothing. All are
// templates over the kernel, since the linker must not merge the copies into one.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "query/distance/gjk.hpp"
#include "query/distance/gjk_simplex.inl"
#include "query/distance/support.hpp"
#include "simd/support.hpp"

namespace bv::detail {

inline constexpr int kMaxGjkSteps = 256;  // Polytopes need far fewer; balls are points here.
/// Relative to the size: beyond this distance, the closest point as computed in double leads to the true one.
inline constexpr double kNear = 1e-6;
/// Relative to the cubed size: larger volumes are far above their rounding errors.
inline constexpr double kSureVolume = 1e-9;
/// Relative to the distance: a lower bound that proves it, though not to the last digit.
inline constexpr double kProven = 0.999;
/// Relative to the distance: a lower bound that proves it to the last digit of single precision.
inline constexpr double kExact = 1.0 - 3e-8;
/// Relative to the distance: bounds this close end a trace, which does not repeat them.
inline constexpr double kSameBounds = 2e-6;

/// The simplex's point closest to the origin, in `part`, one of its arrays: the difference, or the point's
/// counterpart on a or b.
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

/// The walk of a pair toward the origin, and where it ended.
struct GjkWalk {
    ConvexCache start;  ///< Where to begin; on return, where a later walk of the pair should.
    GjkSimplex simplex;
    DVec3 origin;
    DVec3 closest{0.0};  ///< The point of the difference a - b nearest to the origin.
    double size_sq = 0.0;
    double upper_sq = 0.0;       ///< Square of the distance's upper bound.
    bool distance_only = false;  ///< Set by the caller: if the solids overlap, no common point is needed.
    bool inside = false;         ///< The solids overlap; the simplex is then left without weights.
    bool apart = false;          ///< Farther apart than asked for.
    bool proven = true;          ///< False if rounding ended the walk early; see walk_precisely.

    // Rounding is relative to the input coordinates, not only to their difference.
    [[nodiscard]] double tolerance_sq() const noexcept { return kTouching * kTouching * size_sq; }
    [[nodiscard]] double distance() const noexcept {
        return inside || upper_sq <= tolerance_sq() ? 0.0 : std::sqrt(upper_sq);
    }
};

/// Support points of a box relative to `origin`.
template <class Kernel>
class BoxSupport {
  public:
    BV_GJK_TARGET void set(const ConvexRef& core, const DVec3& origin) noexcept {
        box_.set(core, Support::center(core) - origin);
    }
    [[nodiscard]] const typename Kernel::Box& box() const noexcept { return box_; }
    [[nodiscard]] BV_GJK_TARGET DVec3 start(const DVec3& direction, std::uint32_t /*vertex*/) noexcept {
        return box_.support(direction);
    }
    [[nodiscard]] static std::uint32_t vertex() noexcept { return 0; }
    [[nodiscard]] BV_GJK_TARGET DVec3 operator()(const DVec3& direction) const noexcept {
        return box_.support(direction);
    }

  private:
    typename Kernel::Box box_;
};

/// The same for a hull with few vertices. Their columns are large, so only `set` fills them.
template <class Kernel>
class ColumnSupport {
  public:
    /// False if the core has no such hull, or if columns of its vertices would not pay.
    [[nodiscard]] BV_GJK_TARGET bool set(const ConvexRef& core, const DVec3& origin) noexcept {
        const Hull* const hull = Support::searched_hull(core);
        if (hull == nullptr) return false;
        core_ = &core;
        origin_ = origin - Support::offset(core);
        is_placed_ = Support::is_placed(core);
        return columns_.fill(&hull->vertices.front().x, static_cast<std::uint32_t>(hull->vertices.size()));
    }
    [[nodiscard]] BV_GJK_TARGET DVec3 start(const DVec3& direction, std::uint32_t /*vertex*/) noexcept {
        return (*this)(direction);
    }
    [[nodiscard]] static std::uint32_t vertex() noexcept { return 0; }
    [[nodiscard]] BV_GJK_TARGET DVec3 operator()(const DVec3& direction) const noexcept {
        const float* const xyz =
            columns_.farthest(is_placed_ ? Support::to_hull(*core_, direction) : direction);
        const DVec3 p(xyz[0], xyz[1], xyz[2]);
        return (is_placed_ ? Support::mapped(*core_, p) : p) - origin_;
    }

  private:
    const ConvexRef* core_ = nullptr;
    DVec3 origin_;
    bool is_placed_ = false;
    typename Kernel::Columns columns_;
};

/// The same for any core.
template <class Kernel>
class SupportRelativeTo {
  public:
    BV_GJK_TARGET SupportRelativeTo(const ConvexRef& core, const DVec3& origin) noexcept
        : core_(core), origin_(origin), is_box_(Support::is_box(core)) {
        // At most one of the two members is used; the other stays uninitialized.
        if (is_box_)
            box_.set(core, origin);
        else
            // NOLINTNEXTLINE(clang-analyzer-optin.cplusplus.UninitializedObject)
            has_columns_ = columns_.set(core, origin);
    }
    /// For the first direction, with the vertex where an earlier walk ended.
    [[nodiscard]] BV_GJK_TARGET DVec3 start(const DVec3& direction,
                                            std::uint32_t vertex = ConvexCache::kNoVertex) noexcept {
        if (!is_box_ && !has_columns_) hint_ = Support::first_hint(core_, direction, vertex);
        return (*this)(direction);
    }
    /// The vertex found last, where one is remembered.
    [[nodiscard]] std::uint32_t vertex() const noexcept { return hint_; }
    [[nodiscard]] BV_GJK_TARGET DVec3 operator()(const DVec3& direction) noexcept {
        if (is_box_) return box_(direction);
        if (has_columns_) return columns_(direction);
        return Support::of(core_, direction, hint_) - origin_;
    }

  private:
    const ConvexRef& core_;
    DVec3 origin_;
    bool is_box_;
    bool has_columns_ = false;
    std::uint32_t hint_ = 0;
    BoxSupport<Kernel> box_;
    ColumnSupport<Kernel> columns_;
};

/// `walk_to_origin` with the given support functions.
template <class Kernel, class SupportOfCore, class Sink>
BV_GJK_TARGET BV_GJK_INLINE void walk_with(const ConvexRef& a, const ConvexRef& b, SupportOfCore& support_a,
                                           SupportOfCore& support_b, double near, double far, Sink& sink,
                                           GjkWalk& out) {
    constexpr bool kBoxes = std::is_same_v<SupportOfCore, BoxSupport<Kernel>>;
    const DVec3 origin = out.origin;
    GjkSimplex& simplex = out.simplex;
    GjkFeatureOf<double> kept;

    const DVec3 between = Support::middle(b) - Support::middle(a);
    const DVec3 first = out.start.axis == DVec3(0.0) ? between : DVec3(out.start.axis);
    DVec3 on_a = support_a.start(first, out.start.vertex_a);
    DVec3 on_b = support_b.start(-first, out.start.vertex_b);
    DVec3 closest = on_a - on_b;
    simplex.put(0, on_a, on_b, closest);
    out.size_sq = glm::dot(between, between);
    if constexpr (kBoxes) {
        // A bound on all offsets is known at once.
        out.size_sq = 3.0 * (out.size_sq + support_a.box().reach_sq() + support_b.box().reach_sq());
    } else if (Support::is_hull(a)) {
        // Offsets of support points alone may be far smaller than the coordinates that they were chosen by:
        // the origin is one of the vertices, perhaps the one nearest to the other solid.
        const DVec3 offset = Support::middle(a) - origin;
        out.size_sq = std::max(out.size_sq, glm::dot(offset, offset));
    }
    const auto measure = [&out, &on_a, &on_b](const DVec3& w) {
        if (kBoxes) return;
        out.size_sq = std::max({out.size_sq, glm::dot(w, w), glm::dot(on_a, on_a), glm::dot(on_b, on_b)});
    };
    measure(closest);
    // All comparisons are of squares: roots and quotients would delay every branch.
    double tolerance_sq = out.tolerance_sq();
    const auto is_beyond = [&tolerance_sq, far](double along, double length_sq) {
        const double reach_sq = far == 0.0 ? tolerance_sq : square(far + std::sqrt(tolerance_sq));
        return along > 0.0 && along * along > reach_sq * length_sq;
    };
    double upper_sq = glm::dot(closest, closest);
    // For most disjoint pairs the axis between their middles separates already.
    double along = -glm::dot(first, closest);
    double along_sq = glm::dot(first, first);
    double lower = 0.0;  // for the trace
    bool is_closed = false;
    DVec3 toward_b(0.0);
    // Boxes that this axis does not separate mostly overlap, and proving that directly takes less than this
    // walk.
    if constexpr (kBoxes)
        out.inside = out.distance_only && !(along > 0.0) &&
                     Kernel::Box::surely_overlap(support_a.box(), support_b.box(), between,
                                                 kSureVolume * out.size_sq * std::sqrt(out.size_sq));
    for (int step = 0; step < kMaxGjkSteps && !out.inside; ++step) {
        if constexpr (Sink::kEnabled) {
            if (along > 0.0) lower = std::max(lower, along / std::sqrt(along_sq));
            simplex.keep(kept);
            sink(describe(simplex, origin, lower, std::sqrt(upper_sq)));
        }
        if (upper_sq <= tolerance_sq || upper_sq <= near * near) break;
        if (step == 0 && is_beyond(along, along_sq)) {
            out.apart = true;
            toward_b = first;
            break;
        }
        on_a = support_a(-closest);
        on_b = support_b(closest);
        const DVec3 next = on_a - on_b;
        simplex.put(kept.free, on_a, on_b, next);
        measure(next);
        tolerance_sq = out.tolerance_sq();
        along = glm::dot(closest, next);
        along_sq = upper_sq;
        const double gap = upper_sq - along;
        is_closed = !(gap > 0.0) || gap * gap <= tolerance_sq * upper_sq;
        if (is_closed) {
            if constexpr (Sink::kEnabled) {
                const double upper = std::sqrt(upper_sq);
                const bool known = lower >= (1.0 - kSameBounds) * upper;
                lower = std::max(lower, along / std::sqrt(along_sq));
                if (!known) sink(describe(simplex, origin, lower, upper));
            }
            break;
        }
        if (is_beyond(along, along_sq)) {
            out.apart = true;
            break;
        }
        GjkReduction<Kernel> reduction;
        if (!reduce(kept, simplex.w, next, reduction)) {
            out.inside = true;
            break;
        }
        if (!(reduction.distance_sq() < upper_sq)) break;  // No progress beyond rounding.
        kept = reduction.feature();
        closest = reduction.closest();
        upper_sq = reduction.distance_sq();
    }
    if (out.inside)
        simplex.keep_all(kept);
    else
        simplex.keep(kept);
    out.closest = closest;
    out.upper_sq = upper_sq;
    out.start.axis = toward_b == DVec3(0.0) ? -closest : toward_b;
    out.start.vertex_a = support_a.vertex();
    out.start.vertex_b = support_b.vertex();
    if (out.inside || out.apart || upper_sq <= tolerance_sq || upper_sq <= near * near) return;
    // The corners of the simplex are rounded, which may hide the direction to the origin if it is long and
    // thin. And `closest` is off by roundings of the size: if it is short, this turns it, and its support
    // points no longer lead closer, whether or not the cores are apart.
    const bool is_near = upper_sq < kNear * kNear * out.size_sq;
    out.proven = along >= kExact * upper_sq || (is_closed && (!is_near || along >= kProven * upper_sq));
}

/// The walk of two hulls in columns; false if columns of one would not pay. A separate function: in one
/// function with the walk of boxes, the two compete for registers.
template <class Kernel, class Sink>
BV_GJK_TARGET BV_GJK_APART bool walk_of_hulls(const ConvexRef& a, const ConvexRef& b, double near, double far,
                                              Sink& sink, GjkWalk& out) {
    ColumnSupport<Kernel> support_a;
    ColumnSupport<Kernel> support_b;
    if (!support_a.set(a, out.origin) || !support_b.set(b, out.origin)) return false;
    walk_with<Kernel>(a, b, support_a, support_b, near, far, sink, out);
    return true;
}

/// Walks from the axis in `out.start`, until the distance is known, or known to be above `far` or at most
/// `near`. The common kinds of pairs have a walk of their own, which does not check their kind in each step.
template <class Kernel, class Sink>
BV_GJK_TARGET void walk_to_origin(const ConvexRef& a, const ConvexRef& b, double near, double far, Sink& sink,
                                  GjkWalk& out) {
    out.origin = Support::center(a);
    if (Support::is_box(a) && Support::is_box(b)) {
        BoxSupport<Kernel> support_a;
        BoxSupport<Kernel> support_b;
        support_a.set(a, out.origin);
        support_b.set(b, out.origin);
        return walk_with<Kernel>(a, b, support_a, support_b, near, far, sink, out);
    }
    if (Support::searched_hull(a) != nullptr && Support::searched_hull(b) != nullptr &&
        walk_of_hulls<Kernel>(a, b, near, far, sink, out))
        return;
    SupportRelativeTo<Kernel> support_a(a, out.origin);
    SupportRelativeTo<Kernel> support_b(b, out.origin);
    walk_with<Kernel>(a, b, support_a, support_b, near, far, sink, out);
}

}  // namespace bv::detail
