// GJK in plain C++, and the choice between it and its twin with AVX2.
#include "query/distance/gjk.hpp"

#include <cmath>

#define BV_GJK_TARGET
#define BV_GJK_INLINE
#define BV_GJK_APART
#include "bv/query/batch.hpp"
#include "query/distance/double_double.hpp"
#include "query/distance/gjk_walk.inl"
#include "simd/support_avx2.hpp"

namespace bv::detail {
namespace {

struct PlainGjk : GjkInDouble {
    class Columns {
      public:
        [[nodiscard]] bool fill(const float* xyz, std::uint32_t count) noexcept {
            return simd::support_kernels().fill_columns(columns_, xyz, count);
        }
        [[nodiscard]] const float* farthest(const DVec3& direction) const noexcept {
            return columns_.xyz +
                   std::size_t{3} * simd::support_kernels().farthest_in_columns(columns_, &direction.x);
        }

      private:
        simd::HullColumns columns_;
    };
    class Box {
      public:
        void set(const ConvexRef& core, const DVec3& center) noexcept {
            core_ = &core;
            center_ = center;
        }
        [[nodiscard]] DVec3 support(const DVec3& direction) const noexcept {
            return Support::from_center(*core_, center_, direction);
        }
        [[nodiscard]] double reach_sq() const noexcept { return Support::reach_sq(*core_); }
        /// Without vector instructions its products cost more than they save: the walk decides.
        [[nodiscard]] static bool surely_overlap(const Box& /*a*/, const Box& /*b*/, const DVec3& /*between*/,
                                                 double /*margin*/) noexcept {
            return false;
        }

      private:
        const ConvexRef* core_;
        DVec3 center_;
    };
};

void walk_fast(const ConvexRef& a, const ConvexRef& b, double near, double far, NoTrace& sink, GjkWalk& out) {
#if BV_HAS_AVX2_KERNELS
    static const bool has_avx2 = best_simd() == Simd::Avx2;
    if (has_avx2) return simd::gjk_walk_avx2(a, b, near, far, out);
#endif
    walk_to_origin<PlainGjk>(a, b, near, far, sink, out);
}
void walk_fast(const ConvexRef& a, const ConvexRef& b, double near, double far, Recording& sink,
               GjkWalk& out) {
    walk_to_origin<PlainGjk>(a, b, near, far, sink, out);
}

struct PreciseGjk {
    using Real = DoubleDouble;
    using Vector = DoubleDouble3;
    static constexpr double kNeedle = 1e-56;
};

/// Relative to the cubed size: the products of smaller volumes are too rounded for weights in double.
constexpr double kThinVolume = 1e-5;
/// Relative to the cubed size: products above it have the right sign, however they are rounded.
constexpr double kCertainVolume = 1e-14;

/// Six times the volume of the origin and the three corners other than `i`; the four have one sign if the
/// origin is inside.
template <class Vector>
auto part_opposite(const Vector (&w)[4], int i) noexcept {
    const auto part = dot(w[(i + 1) & 3], cross(w[(i + 2) & 3], w[(i + 3) & 3]));
    return i % 2 == 0 ? part : -part;
}

/// Computes the weights of a tetrahedron for which double is enough.
void weigh_inside(GjkSimplex& s, const DVec3 (&w)[4]) noexcept {
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        s.weight[i] = std::abs(part_opposite(w, i));
        sum += s.weight[i];
    }
    for (double& weight : s.weight)
        weight /= sum;
}

/// The same with 32 digits.
void weigh_thin(GjkSimplex& s, const DoubleDouble3 (&w)[4]) noexcept {
    DoubleDouble part[4];
    DoubleDouble sum;
    for (int i = 0; i < 4; ++i) {
        part[i] = part_opposite(w, i);
        sum = sum + part[i];
    }
    for (int i = 0; i < 4; ++i)
        s.weight[i] = static_cast<double>(part[i] / sum);
}

/// The feature of a tetrahedron that is nearest to the origin.
GjkReduction<PreciseGjk> nearest_feature(const GjkSimplex& s, const DoubleDouble3 (&w)[4]) noexcept {
    GjkReduction<PreciseGjk> nearest;
    for (int i = 0; i < 4; ++i) {
        const int j = (i + 1) & 3, k = (i + 2) & 3;
        nearest.triangle({s.slot[i], w[i]}, {s.slot[j], w[j]}, {s.slot[k], w[k]});
        for (int other = 0; other < i; ++other)
            nearest.segment({s.slot[other], w[other]}, {s.slot[i], w[i]});
    }
    return nearest;
}

/// `settle_inside` of a thin tetrahedron. Rounding may even have put the origin inside: where double does not
/// decide that, decides with 32 digits.
void settle_thin(GjkWalk& out, const DVec3 (&rounded)[4], bool needs_point) noexcept {
    GjkSimplex& s = out.simplex;
    const double certain = kCertainVolume * out.size_sq * std::sqrt(out.size_sq);
    int above = 0, below = 0;
    for (int i = 0; i < 4; ++i) {
        const double part = part_opposite(rounded, i);
        above += part > certain ? 1 : 0;
        below += part < -certain ? 1 : 0;
    }
    const bool is_certain = above == 4 || below == 4;
    if (is_certain && !needs_point) return;
    DoubleDouble3 w[4];
    for (int i = 0; i < 4; ++i)
        w[i] = DoubleDouble3::difference(s.a[s.slot[i]], s.b[s.slot[i]]);
    if (!is_certain) {
        const GjkReduction<PreciseGjk> nearest = nearest_feature(s, w);
        const double nearest_sq = static_cast<double>(nearest.distance_sq());
        above = below = 0;
        for (int i = 0; i < 4; ++i) {
            const DoubleDouble part = part_opposite(w, i);
            above += part > 0.0 ? 1 : 0;
            below += part < 0.0 ? 1 : 0;
        }
        // The origin is in a feature, to within rounding: the feature's weights hold even where the
        // tetrahedron has no inside.
        const bool touches = nearest_sq <= out.tolerance_sq();
        if (touches || (above < 4 && below < 4)) {
            const GjkFeatureOf<DoubleDouble> feature = nearest.feature();
            s.count = feature.count;
            for (int i = 0; i < 3; ++i) {
                s.slot[i] = feature.slot[i];
                s.weight[i] = static_cast<double>(feature.weight[i]);
            }
            out.inside = out.proven = touches;
            out.closest = DVec3(nearest.closest());
            out.upper_sq = nearest_sq;
            return;
        }
    }
    if (needs_point) weigh_thin(s, w);
}

/// Weighs the corners of a simplex around the origin so that their mean is the origin, if `needs_point`. In
/// double, weights in a thin one are only rounding: their mean may be anywhere along a needle.
void settle_inside(GjkWalk& out, bool needs_point) noexcept {
    const GjkSimplex& s = out.simplex;
    if (s.count < 4) return;  // Boxes known to overlap without a walk.
    const DVec3 w[4] = {s.w[s.slot[0]], s.w[s.slot[1]], s.w[s.slot[2]], s.w[s.slot[3]]};
    const double volume = glm::dot(w[1] - w[0], glm::cross(w[2] - w[0], w[3] - w[0]));
    const double size_sq = out.size_sq;
    if (square(volume) <= square(kThinVolume) * size_sq * size_sq * size_sq)
        settle_thin(out, w, needs_point);
    else if (needs_point)
        weigh_inside(out.simplex, w);
}

/// Walks again, from where `out` ended, with 32 digits. For nearly coplanar faces closer than about 1e-8 of
/// their size: the closest point is then so near that its rounding turns it away from the faces' normal. And
/// for simplices so long and thin that their rounded corners hide the closest point.
template <class Sink>
void walk_precisely(const ConvexRef& a, const ConvexRef& b, bool needs_point, Sink& sink, GjkWalk& out) {
    SupportRelativeTo<PlainGjk> support_a(a, out.origin);
    SupportRelativeTo<PlainGjk> support_b(b, out.origin);
    GjkSimplexOf<DoubleDouble3, DoubleDouble> simplex;
    GjkFeatureOf<DoubleDouble> kept;
    const auto put = [&simplex](int i, const DVec3& on_a, const DVec3& on_b) {
        simplex.put(i, on_a, on_b, DoubleDouble3::difference(on_a, on_b));
        return simplex.w[i];
    };
    const double tolerance_sq = out.tolerance_sq();
    bool inside = false;
    DoubleDouble3 closest = put(0, support_a.start(-out.closest), support_b.start(out.closest));
    DoubleDouble upper_sq = dot(closest, closest);
    DoubleDouble along = upper_sq;
    for (int step = 0; step < kMaxGjkSteps && upper_sq > tolerance_sq; ++step) {
        const DVec3 direction(closest);
        const DoubleDouble3 next = put(kept.free, support_a(-direction), support_b(direction));
        along = dot(closest, next);
        const DoubleDouble gap = upper_sq - along;
        if (!(gap > 0.0) || gap * gap <= tolerance_sq * upper_sq) break;
        GjkReduction<PreciseGjk> reduction;
        inside = !reduce(kept, simplex.w, next, reduction);
        if (inside) break;
        if (!(reduction.distance_sq() < upper_sq)) break;  // No progress beyond rounding.
        kept = reduction.feature();
        closest = reduction.closest();
        upper_sq = reduction.distance_sq();
    }
    if (inside)
        simplex.keep_all(kept);
    else
        simplex.keep(kept);
    if (!inside && upper_sq > out.upper_sq) return;
    out.inside = inside;
    out.closest = DVec3(closest);
    out.upper_sq = static_cast<double>(upper_sq);
    out.simplex.count = simplex.count;
    for (int i = 0; i < 4; ++i) {
        out.simplex.w[i] = DVec3(simplex.w[i]);
        out.simplex.a[i] = simplex.a[i];
        out.simplex.b[i] = simplex.b[i];
        out.simplex.weight[i] = static_cast<double>(simplex.weight[i]);
        out.simplex.slot[i] = simplex.slot[i];
    }
    if (inside) {
        settle_inside(out, needs_point);
        out.inside = true;
    }
    if constexpr (Sink::kEnabled) {
        const double upper = inside ? 0.0 : std::sqrt(out.upper_sq);
        const double lower = upper > 0.0 ? static_cast<double>(along) / upper : 0.0;
        sink(describe(out.simplex, out.origin, std::min(lower, upper), upper));
    }
}

/// If the solids overlap, the simplex gets weights only if `needs_point`, or for a trace.
template <class Sink>
void walk(const ConvexRef& a, const ConvexRef& b, double near, double far, ConvexCache* cache,
          bool needs_point, Sink& sink, GjkWalk& out) {
    if (cache != nullptr) {
        out.start = *cache;
        if (!all_finite(cache->axis)) out.start.axis = DVec3(0.0);
    }
    walk_fast(a, b, near, far, sink, out);
    if (cache != nullptr) {
        copy(out.start.axis, cache->axis);
        cache->vertex_a = out.start.vertex_a;
        cache->vertex_b = out.start.vertex_b;
    }
    if (out.inside) {
        settle_inside(out, needs_point || Sink::kEnabled);
        if constexpr (Sink::kEnabled)
            if (out.inside) sink(describe(out.simplex, out.origin, 0.0, 0.0));
    }
    if (!out.proven) walk_precisely(a, b, needs_point || Sink::kEnabled, sink, out);
}

}  // namespace

constexpr double kFar = std::numeric_limits<double>::infinity();

template <class Sink>
GjkResult gjk(const ConvexRef& a, const ConvexRef& b, ConvexCache* cache, Sink& sink) {
    GjkWalk end;
    walk(a, b, 0.0, kFar, cache, true, sink, end);
    GjkResult result;
    result.on_a = mix(end.simplex, end.simplex.a) + end.origin;
    result.on_b = mix(end.simplex, end.simplex.b) + end.origin;
    result.distance = end.distance();
    if (result.distance > 0.0) result.axis = -end.closest / glm::length(end.closest);
    result.size = std::sqrt(end.size_sq);
    return result;
}

GjkResult gjk_distance(const ConvexRef& a, const ConvexRef& b, ConvexCache* cache) noexcept {
    GjkWalk end;
    end.distance_only = true;
    NoTrace sink;
    walk(a, b, 0.0, kFar, cache, false, sink, end);
    GjkResult result;
    result.size = std::sqrt(end.size_sq);
    if (!end.inside) result.distance = end.distance();
    return result;
}

template <class Sink>
bool gjk_overlap(const ConvexRef& a, const ConvexRef& b, double reach, ConvexCache* cache, Sink& sink) {
    GjkWalk end;
    walk(a, b, reach, reach, cache, false, sink, end);
    if (end.apart || end.inside) return end.inside;
    GjkResult result;
    result.distance = end.distance();
    result.size = std::sqrt(end.size_sq);
    return result.within(reach);
}

template GjkResult gjk<NoTrace>(const ConvexRef&, const ConvexRef&, ConvexCache*, NoTrace&);
template GjkResult gjk<Recording>(const ConvexRef&, const ConvexRef&, ConvexCache*, Recording&);
template bool gjk_overlap<NoTrace>(const ConvexRef&, const ConvexRef&, double, ConvexCache*, NoTrace&);
template bool gjk_overlap<Recording>(const ConvexRef&, const ConvexRef&, double, ConvexCache*, Recording&);

}  // namespace bv::detail
