// GJK in plain C++, and the choice between it and its twin with AVX2.
#include "query/distance/gjk.hpp"

#include <cmath>

#define BV_GJK_TARGET
#include "bv/query/batch.hpp"
#include "query/distance/gjk_walk.inl"
#include "simd/support_avx2.hpp"

namespace bv::detail {
namespace {

struct PlainGjk {
    class Box {
      public:
        void set(const ConvexRef& core, const DVec3& center) noexcept {
            core_ = &core;
            center_ = center;
        }
        [[nodiscard]] DVec3 support(const DVec3& direction) const noexcept {
            return Support::from_center(*core_, center_, direction);
        }

      private:
        const ConvexRef* core_;
        DVec3 center_;
    };
};

void walk(const ConvexRef& a, const ConvexRef& b, double near, double far, NoTrace& sink, GjkWalk& out) {
#if BV_HAS_AVX2_KERNELS
    static const bool has_avx2 = best_simd() == Simd::Avx2;
    if (has_avx2) return simd::gjk_walk_avx2(a, b, near, far, out);
#endif
    walk_to_origin<PlainGjk>(a, b, near, far, sink, out);
}
void walk(const ConvexRef& a, const ConvexRef& b, double near, double far, Recording& sink, GjkWalk& out) {
    walk_to_origin<PlainGjk>(a, b, near, far, sink, out);
}

}  // namespace

constexpr double kFar = std::numeric_limits<double>::infinity();

template <class Sink>
GjkResult gjk(const ConvexRef& a, const ConvexRef& b, Sink& sink) {
    GjkWalk end;
    walk(a, b, 0.0, kFar, sink, end);
    if (end.inside) weigh_inside(end.simplex);
    GjkResult result;
    result.on_a = mix(end.simplex, end.simplex.a) + end.origin;
    result.on_b = mix(end.simplex, end.simplex.b) + end.origin;
    result.distance = end.distance();
    if (result.distance > 0.0) result.axis = -end.closest / glm::length(end.closest);
    result.size = std::sqrt(end.size_sq);
    return result;
}

double gjk_distance(const ConvexRef& a, const ConvexRef& b) noexcept {
    GjkWalk end;
    NoTrace sink;
    walk(a, b, 0.0, kFar, sink, end);
    return end.distance();
}

template <class Sink>
bool gjk_overlap(const ConvexRef& a, const ConvexRef& b, double reach, Sink& sink) {
    GjkWalk end;
    walk(a, b, reach, reach, sink, end);
    return !end.apart && end.distance() <= reach + std::sqrt(end.tolerance_sq());
}

template GjkResult gjk<NoTrace>(const ConvexRef&, const ConvexRef&, NoTrace&);
template GjkResult gjk<Recording>(const ConvexRef&, const ConvexRef&, Recording&);
template bool gjk_overlap<NoTrace>(const ConvexRef&, const ConvexRef&, double, NoTrace&);
template bool gjk_overlap<Recording>(const ConvexRef&, const ConvexRef&, double, Recording&);

}  // namespace bv::detail
