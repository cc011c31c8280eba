// GJK in plain C++, and the choice between it and its twin with AVX2.
#include "query/distance/gjk.hpp"

#include <cmath>

#define BV_GJK_TARGET
#include "bv/query/batch.hpp"
#include "query/distance/gjk_walk.hpp"
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
<<<<<<< ours
void walk(const ConvexRef& a, const ConvexRef& b, double near, double far, Recording& sink, GjkWalk& out) {
    walk_to_origin<PlainGjk>(a, b, near, far, sink, out);
=======

/// Weights of the origin in a tetrahedron that contains it.
void weigh_inside(Simplex& s) noexcept {
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
struct Walk {
    Simplex simplex;
    DVec3 origin;
    DVec3 closest{0.0};  ///< The point of the difference a - b nearest to the origin.
    double upper = 0.0;
    double size = 0.0;
    bool inside = false;

    // Rounding is relative to the input coordinates, not only to their difference.
    [[nodiscard]] double tolerance() const noexcept { return kTouching * size; }
    [[nodiscard]] double distance() const noexcept { return inside || upper <= tolerance() ? 0.0 : upper; }
};

/// Support points of a core relative to `origin`.
class SupportRelativeTo {
  public:
    SupportRelativeTo(const ConvexRef& core, const DVec3& origin) noexcept
        : core_(core), origin_(origin), is_box_(Support::is_box(core)) {
        if (is_box_) origin_ = Support::center(core) - origin;
        if (const Hull* const hull = Support::searched_hull(core); hull != nullptr) {
            static const simd::SupportKernels& kernels = simd::support_kernels();
            const auto count = static_cast<std::uint32_t>(hull->vertices.size());
            if (kernels.fill_columns(columns_, &hull->vertices.front().x, count)) {
                search_ = kernels.farthest_in_columns;
                origin_ -= Support::offset(core);
            }
        }
    }
    /// For the first direction.
    [[nodiscard]] DVec3 start(const DVec3& direction) noexcept {
        if (!is_box_ && search_ == nullptr) hint_ = Support::first_hint(core_, direction);
        return (*this)(direction);
    }
    [[nodiscard]] DVec3 operator()(const DVec3& direction) noexcept {
        if (is_box_) return Support::from_center(core_, origin_, direction);
        if (search_ != nullptr) {
            const float* const p = columns_.xyz + std::size_t{3} * search_(columns_, &direction.x);
            return DVec3(p[0], p[1], p[2]) - origin_;
        }
        return Support::of(core_, direction, hint_) - origin_;
    }

  private:
    const ConvexRef& core_;
    DVec3 origin_;  ///< For boxes their center relative to it.
    bool is_box_;
    std::uint32_t hint_ = 0;
    simd::FarthestInColumns search_ = nullptr;  ///< Null if the columns are not used.
    simd::HullColumns columns_;
};

template <class Sink>
void walk(const ConvexRef& a, const ConvexRef& b, double near, double far, Sink& sink, Walk& out) {
    out.origin = Support::center(a);
    const DVec3 origin = out.origin;
    SupportRelativeTo support_a(a, origin);
    SupportRelativeTo support_b(b, origin);
    Simplex& simplex = out.simplex;
    const auto add_vertex = [&simplex](const DVec3& on_a, const DVec3& on_b) {
        const int i = simplex.slot[simplex.count++];
        simplex.a[i] = on_a;
        simplex.b[i] = on_b;
        simplex.w[i] = on_a - on_b;
        return i;
    };

    const DVec3 first = Support::middle(b) - Support::middle(a);
    add_vertex(support_a.start(first), support_b.start(-first));
    simplex.weight[0] = 1.0;
    double size_sq = std::max({glm::dot(simplex.w[0], simplex.w[0]), glm::dot(simplex.a[0], simplex.a[0]),
                               glm::dot(simplex.b[0], simplex.b[0])});
    out.size = std::sqrt(size_sq);
    DVec3& closest = out.closest;
    closest = simplex.w[0];
    double upper = glm::length(closest);
    double lower = 0.0;
    // For most disjoint pairs the axis between their middles separates already.
    if (const double gap = -glm::dot(first, closest); gap > 0.0) lower = gap / glm::length(first);
    for (int step = 0; step < kMaxSteps; ++step) {
        if constexpr (Sink::kEnabled) sink(describe(simplex, origin, lower, upper));
        if (upper <= out.tolerance() || upper <= near) break;
        if (lower > far + out.tolerance()) {
            upper = lower;
            break;
        }
        const int next = add_vertex(support_a(-closest), support_b(closest));
        size_sq = std::max({size_sq, glm::dot(simplex.w[next], simplex.w[next]),
                            glm::dot(simplex.a[next], simplex.a[next]),
                            glm::dot(simplex.b[next], simplex.b[next])});
        out.size = std::sqrt(size_sq);
        lower = std::max(lower, glm::dot(closest, simplex.w[next]) / upper);
        if (upper - lower <= out.tolerance()) {
            --simplex.count;
            if constexpr (Sink::kEnabled) sink(describe(simplex, origin, lower, upper));
            break;
        }
        if (lower > far + out.tolerance()) {
            --simplex.count;
            upper = lower;
            break;
        }
        Reduction reduction(simplex);
        if (!reduce(simplex, reduction)) {
            out.inside = true;
            upper = 0.0;
            if constexpr (Sink::kEnabled) {
                weigh_inside(simplex);
                sink(describe(simplex, origin, 0.0, 0.0));
            }
            break;
        }
        const double length = std::sqrt(reduction.distance_sq());
        if (!(length < upper)) {  // No progress beyond rounding.
            --simplex.count;
            break;
        }
        reduction.apply(simplex);
        closest = reduction.closest();
        upper = length;
    }
    out.upper = upper;
>>>>>>> theirs
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
<<<<<<< ours
    result.size = std::sqrt(end.size_sq);
=======
    if (result.distance > 0.0) result.axis = -end.closest / glm::length(end.closest);
    result.size = end.size;
>>>>>>> theirs
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
