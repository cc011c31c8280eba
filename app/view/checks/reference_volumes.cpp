#include "view/checks/reference_volumes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <glm/geometric.hpp>
#include <limits>
#include <type_traits>
#include <variant>
#include <vector>

namespace lab::reference {
namespace {

using glm::dvec3;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kBand = 2e-5;

double largest(const dvec3& v) {
    return std::max({v.x, v.y, v.z});
}

// ---- points

/// Distance from a box around the origin to a point in its frame; a box with a negative side is empty.
double outside_box(const dvec3& half, const dvec3& point) {
    const dvec3 beyond = glm::abs(point) - half;
    if (!(half.x >= 0.0 && half.y >= 0.0 && half.z >= 0.0)) return kInfinity;
    const double away = glm::length(glm::max(beyond, dvec3(0.0)));
    return away > 0.0 ? away : largest(beyond);
}

dvec3 in_frame(const glm::mat3& axes, const dvec3& offset) {
    return {glm::dot(dvec3(axes[0]), offset), glm::dot(dvec3(axes[1]), offset),
            glm::dot(dvec3(axes[2]), offset)};
}

/// The planes of a hull's faces, for many points.
class HullFaces {
  public:
    explicit HullFaces(const bv::Hull& hull) {
        for (const glm::vec3& v : hull.vertices)
            middle_ += dvec3(v) / static_cast<double>(hull.vertices.size());
        for (const glm::vec3& v : hull.vertices)
            farthest_ = std::max(farthest_, glm::length(dvec3(v) - middle_));
        corners_ = hull.vertices.size();
        for (const glm::uvec3& t : hull.triangles) {
            const dvec3 a = hull.vertices[t.x], b = hull.vertices[t.y], c = hull.vertices[t.z];
            const dvec3 area = glm::cross(b - a, c - a);
            const double size = glm::length(area);
            if (!(size > 1e-12 * farthest_ * farthest_)) continue;
            const dvec3 normal = area / size;
            const double depth = glm::dot(normal, middle_ - a);
            // Rounded corners tilt a narrow triangle by the rounding error over its width.
            const double longest = std::max({glm::length(b - a), glm::length(c - a), glm::length(c - b)});
            const double tilt = 3e-7 * (glm::length(middle_) + farthest_) / (size / longest);
            faces_.push_back({a, depth < 0.0 ? normal : -normal, std::abs(depth) <= 1e-9 * farthest_, tilt});
        }
    }

    [[nodiscard]] double outside(const dvec3& p) const {
        if (corners_ == 0) return kInfinity;
        double worst = corners_ < 3 ? glm::length(p - middle_) - farthest_ : -kInfinity;
        for (const Face& face : faces_) {
            const double height = glm::dot(face.outward, p - face.corner);
            const double away = face.flat ? std::abs(height) : height;
            if (away > worst) worst = std::max(worst, away - face.tilt * glm::length(p - face.corner));
        }
        return worst;
    }

  private:
    struct Face {
        dvec3 corner, outward;
        bool flat = false;  ///< Of a flat hull: it has two sides.
        double tilt = 0;    ///< How far, per distance from the corner, it may be off.
    };
    dvec3 middle_{0.0};
    double farthest_ = 0.0;
    std::size_t corners_ = 0;
    std::vector<Face> faces_;
};

struct Outside {
    dvec3 p;

    double operator()(const bv::Sphere& s) const {
        return s.radius >= 0.0f ? glm::length(p - dvec3(s.center)) - s.radius : kInfinity;
    }
    double operator()(const bv::Aabb& box) const {
        const dvec3 low = box.min, high = box.max;
        return outside_box(0.5 * (high - low), p - 0.5 * (low + high));
    }
    double operator()(const bv::Obb& box) const {
        return outside_box(box.half_extents, in_frame(box.axes, p - dvec3(box.center)));
    }
    double operator()(const bv::Capsule& c) const {
        if (!(c.radius >= 0.0f)) return kInfinity;
        const dvec3 along = dvec3(c.b) - dvec3(c.a), offset = p - dvec3(c.a);
        const double square = glm::dot(along, along);
        const double t = square > 0.0 ? std::clamp(glm::dot(offset, along) / square, 0.0, 1.0) : 0.0;
        return glm::length(offset - t * along) - c.radius;
    }
    double operator()(const bv::RectSweptSphere& r) const {
        if (!(r.radius >= 0.0f)) return kInfinity;
        const dvec3 half(r.half_extents.x, r.half_extents.y, 0.0);
        return std::max(outside_box(half, in_frame(r.axes, p - dvec3(r.center))), 0.0) - r.radius;
    }
    template <int K>
    double operator()(const bv::Kdop<K>& dop) const {
        double worst = -kInfinity;
        for (int i = 0; i < K / 2; ++i) {
            const auto k = static_cast<std::size_t>(i);
            const dvec3 direction = bv::Kdop<K>::direction(i);
            const double at = glm::dot(direction, p);
            if (!(dop.min[k] <= dop.max[k])) return kInfinity;
            worst = std::max({worst, (dop.min[k] - at) / glm::length(direction),
                              (at - dop.max[k]) / glm::length(direction)});
        }
        return worst;
    }
};

// ---- pairs

/// All points within `radius` of the hull of some corners.
struct Rounded {
    std::vector<dvec3> corners;
    double radius = 0.0;
};

struct ToRounded {
    Rounded operator()(const bv::Sphere& s) const { return {{s.center}, s.radius}; }
    Rounded operator()(const bv::Aabb& box) const { return corners_of(box.min, box.max); }
    Rounded operator()(const bv::Obb& box) const {
        Rounded out = corners_of(-box.half_extents, box.half_extents);
        for (dvec3& c : out.corners)
            c = dvec3(box.center) + c.x * dvec3(box.axes[0]) + c.y * dvec3(box.axes[1]) +
                c.z * dvec3(box.axes[2]);
        return out;
    }
    Rounded operator()(const bv::Capsule& c) const { return {{c.a, c.b}, c.radius}; }
    Rounded operator()(const bv::RectSweptSphere& r) const {
        Rounded out{{}, r.radius};
        for (const double x : {-1.0, 1.0})
            for (const double y : {-1.0, 1.0})
                out.corners.push_back(dvec3(r.center) + x * r.half_extents.x * dvec3(r.axes[0]) +
                                      y * r.half_extents.y * dvec3(r.axes[1]));
        return out;
    }
    Rounded operator()(const bv::Hull& hull) const {
        return {{hull.vertices.begin(), hull.vertices.end()}, 0.0};
    }
    template <int K>
    Rounded operator()(const bv::Kdop<K>&) const {
        return {};
    }

    static Rounded corners_of(const dvec3& low, const dvec3& high) {
        Rounded out;
        if (!(low.x <= high.x && low.y <= high.y && low.z <= high.z)) return {{}, -1.0};
        for (const double x : {low.x, high.x})
            for (const double y : {low.y, high.y})
                for (const double z : {low.z, high.z})
                    out.corners.emplace_back(x, y, z);
        return out;
    }
};

dvec3 middle_of(const Rounded& solid) {
    dvec3 sum(0.0);
    for (const dvec3& corner : solid.corners)
        sum += corner;
    return sum / static_cast<double>(solid.corners.size());
}

double size_of(const Rounded& solid, const dvec3& middle) {
    double farthest = 0.0;
    for (const dvec3& corner : solid.corners)
        farthest = std::max(farthest, glm::length(corner - middle));
    return farthest + solid.radius;
}

const dvec3& farthest_along(const Rounded& solid, const dvec3& direction) {
    return *std::max_element(solid.corners.begin(), solid.corners.end(), [&](const dvec3& a, const dvec3& b) {
        return glm::dot(a, direction) < glm::dot(b, direction);
    });
}

/// Whether the hulls of the corners, shrunk by the factor `shrink` towards their centers, are at most `reach`
/// apart. Yes and No are proven, up to rounding in double; Either after too many steps.
Answer within(const Rounded& a, const Rounded& b, double reach, double shrink, double tiny) {
    constexpr int kMaxSteps = 3000;
    const dvec3 middle_a = middle_of(a), middle_b = middle_of(b);
    const auto drawn_in = [shrink](const dvec3& corner, const dvec3& middle) {
        return corner + shrink * (middle - corner);
    };
    // `gap` is always a difference of two points of the hulls, so its length is an upper bound of the
    // distance. The lower bound: the difference of the corners that are farthest against it.
    dvec3 gap = middle_a - middle_b;
    for (int step = 0; step < kMaxSteps; ++step) {
        const double length = glm::length(gap);
        if (length <= reach + tiny) return Answer::Yes;
        const dvec3 nearest =
            drawn_in(farthest_along(a, -gap), middle_a) - drawn_in(farthest_along(b, gap), middle_b);
        if (glm::dot(nearest, gap) / length > reach + tiny) return Answer::No;
        const dvec3 delta = nearest - gap;
        const double square = glm::dot(delta, delta);
        if (!(square > 0.0)) break;
        gap += std::clamp(-glm::dot(gap, delta) / square, 0.0, 1.0) * delta;
    }
    return Answer::Either;
}

struct Overlap {
    const bv::fit::Volume& other;
    double slack;

    template <int K>
    Answer operator()(const bv::Kdop<K>& a) const {
        const auto& b = std::get<bv::Kdop<K>>(other);
        for (std::size_t i = 0; i < K / 2; ++i) {
            if (!(a.min[i] <= a.max[i] && b.min[i] <= b.max[i])) return Answer::No;
            if (a.max[i] < b.min[i] || b.max[i] < a.min[i]) return Answer::No;
        }
        return Answer::Yes;
    }
    template <class Shape>
    Answer operator()(const Shape& shape) const {
        const Rounded a = ToRounded{}(shape), b = ToRounded{}(std::get<Shape>(other));
        if (a.corners.empty() || b.corners.empty() || !(a.radius >= 0.0) || !(b.radius >= 0.0))
            return Answer::No;
        const double size =
            size_of(a, middle_of(a)) + size_of(b, middle_of(b)) + glm::length(middle_of(a) - middle_of(b));
        const double band = kBand * size;
        const double reach = a.radius + b.radius + slack;
        if (within(a, b, reach + band, 0.0, 0.0) == Answer::No) return Answer::No;
        // Round ones overlap by more than the band, or solids shrunk by more than the band still overlap.
        if (reach > band && within(a, b, reach - band, 0.0, 0.0) == Answer::Yes) return Answer::Yes;
        return within(a, b, 0.0, 1e-3, 1e-7 * size) == Answer::Yes ? Answer::Yes : Answer::Either;
    }
};

}  // namespace

std::function<double(const dvec3&)> outside(const bv::fit::Volume& volume) {
    const auto of = [](const auto& shape) -> std::function<double(const dvec3&)> {
        if constexpr (std::is_same_v<decltype(shape), const bv::Hull&>)
            return [faces = HullFaces(shape)](const dvec3& point) { return faces.outside(point); };
        else
            return [&shape](const dvec3& point) { return Outside{point}(shape); };
    };
    return std::visit(of, volume);
}

Answer overlap(const bv::fit::Volume& a, const bv::fit::Volume& b, double slack) {
    return std::visit(Overlap{b, slack}, a);
}

bool holds_mesh(const World& world, const BodyState& body, const bv::fit::Volume& volume) {
    constexpr std::size_t kMaxPoints = 4'000;
    const std::vector<glm::vec3>& points = world.bodies().meshes()[body.mesh].positions;
    const std::size_t stride = 1 + points.size() / kMaxPoints;
    const dvec3 place = body.transform[3];
    const auto away = outside(volume);
    for (std::size_t i = 0; i < points.size(); i += stride) {
        const dvec3 p = points[i];
        const dvec3 turned =
            p.x * dvec3(body.transform[0]) + p.y * dvec3(body.transform[1]) + p.z * dvec3(body.transform[2]);
        const double band = 2e-6 * (glm::length(turned) + glm::length(place));
        if (!(away(turned + place) <= band)) return false;
    }
    return true;
}

std::size_t corner_count(const bv::fit::Volume& volume) {
    return std::visit(ToRounded{}, volume).corners.size();
}

}  // namespace lab::reference
