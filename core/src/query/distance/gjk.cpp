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
        /// Not worth its products without vector instructions: the walk finds out.
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

/// Walks again, from where `out` ended, with 32 digits. For nearly coplanar faces closer than about 1e-8 of
/// their size: the closest point is then so near that its rounding turns it away from the faces' normal. And
/// for simplices so long and thin that their rounded corners hide the closest point.
template <class Sink>
void walk_precisely(const ConvexRef& a, const ConvexRef& b, Sink& sink, GjkWalk& out) {
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
    if constexpr (Sink::kEnabled) {
        if (inside) weigh_inside(out.simplex);
        const double upper = inside ? 0.0 : std::sqrt(out.upper_sq);
        const double lower = upper > 0.0 ? static_cast<double>(along) / upper : 0.0;
        sink(describe(out.simplex, out.origin, std::min(lower, upper), upper));
    }
}

template <class Sink>
void walk(const ConvexRef& a, const ConvexRef& b, double near, double far, ConvexCache* cache, Sink& sink,
          GjkWalk& out) {
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
    if (!out.proven) walk_precisely(a, b, sink, out);
}

}  // namespace

constexpr double kFar = std::numeric_limits<double>::infinity();

template <class Sink>
GjkResult gjk(const ConvexRef& a, const ConvexRef& b, ConvexCache* cache, Sink& sink) {
    GjkWalk end;
    walk(a, b, 0.0, kFar, cache, sink, end);
    if (end.inside) weigh_inside(end.simplex);
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
    walk(a, b, 0.0, kFar, cache, sink, end);
    GjkResult result;
    result.size = std::sqrt(end.size_sq);
    if (!end.inside) result.distance = end.distance();
    return result;
}

template <class Sink>
bool gjk_overlap(const ConvexRef& a, const ConvexRef& b, double reach, ConvexCache* cache, Sink& sink) {
    GjkWalk end;
    walk(a, b, reach, reach, cache, sink, end);
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
