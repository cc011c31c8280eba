#include "world/volumes.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <limits>
#include <type_traits>
#include <vector>

#include "bv/assert.hpp"
#include "bv/fit/aabb.hpp"
#include "bv/fit/kdop.hpp"
#include "bv/query/convex.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/overlap_kdop.hpp"
#include "bv/query/raycast.hpp"
#include "platform/threads/in_parts.hpp"

namespace lab {
namespace {

constexpr float kEpsilon = std::numeric_limits<float>::epsilon();

template <class Shape>
struct KdopSize : std::integral_constant<int, 0> {};
template <int K>
struct KdopSize<bv::Kdop<K>> : std::integral_constant<int, K> {};
template <class Shape>
constexpr bool kIsKdop = KdopSize<Shape>::value != 0;
/// The kinds for which core has a specialized test for every pair.
template <class Shape>
constexpr bool kIsSimple =
    std::is_same_v<Shape, bv::Sphere> || std::is_same_v<Shape, bv::Aabb> || std::is_same_v<Shape, bv::Obb>;

// ---- placing

/// Exceeds the total rounding error of transforming one vertex of `mesh` into the world: about ten operations
/// on numbers no larger than the result's bound.
float rounding_slack(const MeshEntry& mesh, float scale, const glm::vec3& position) {
    const bv::Aabb& box = mesh.aabb_tight;
    const auto reach = [&box](int axis) {
        return std::max(std::fabs(box.min[axis]), std::fabs(box.max[axis]));
    };
    const float local = scale * (reach(0) + reach(1) + reach(2));
    return 8.0f * kEpsilon *
           (local + std::max({std::fabs(position.x), std::fabs(position.y), std::fabs(position.z)}));
}

/// Writes the volumes of one body.
class Placer {
  public:
    Placer(VolumeKind kind, const Body& body, const MeshEntry& mesh)
        : kind_(kind),
          body_(body),
          mesh_(mesh),
          transform_(body.state.transform),
          slack_(rounding_slack(mesh, body.state.scale, body.state.transform[3])) {}

    void write(bv::Sphere& out) const {
        out = fitted<bv::Sphere>();
        if (!out.is_empty()) out = {moved(out.center), grown(out.radius)};
    }
    void write(bv::Aabb& out) const {
        if (spec_of(kind_).carry == Carry::AroundSphere) {
            bv::Sphere sphere;
            write(sphere);
            out = bv::fit::aabb_fixed(sphere);
            return;
        }
        out = {};
        for (const glm::vec3& extreme : mesh_.extremes) {
            const glm::vec3 p = moved(extreme);
            out.min = glm::min(out.min, p);
            out.max = glm::max(out.max, p);
        }
        out = bv::grown(out, slack_);
    }
    void write(bv::Obb& out) const {
        out = fitted<bv::Obb>();
        if (out.is_empty()) return;
        out.center = moved(out.center);
        out.half_extents = out.half_extents * body_.state.scale + glm::vec3(2.0f * slack_);
        out.axes = glm::mat3_cast(body_.orientation) * out.axes;
    }
    void write(bv::Capsule& out) const {
        out = fitted<bv::Capsule>();
        if (!out.is_empty()) out = {moved(out.a), moved(out.b), grown(out.radius)};
    }
    void write(bv::RectSweptSphere& out) const {
        out = fitted<bv::RectSweptSphere>();
        if (out.is_empty()) return;
        out.center = moved(out.center);
        out.half_extents *= body_.state.scale;
        out.radius = grown(out.radius);
        out.axes = glm::mat3_cast(body_.orientation) * out.axes;
    }
    template <int K>
    void write(bv::Kdop<K>& out) const {
        out = bv::fit::kdop<K>(mesh_.extremes, transform_);
        // A direction is at most sqrt(3) long.
        widen(out, 2.0f * slack_);
    }
    void write(PlacedHull& out) const {
        const auto& hull = fitted<bv::Hull>();
        if (out.hull.get() != &hull) out.hull = {mesh_.fits, &hull};
        out.transform = transform_;
        out.slack = slack_;
    }

    template <int K>
    static void widen(bv::Kdop<K>& dop, float margin) {
        if (dop.is_empty()) return;
        for (std::size_t i = 0; i < K / 2; ++i) {
            dop.min[i] -= margin;
            dop.max[i] += margin;
        }
    }

  private:
    template <class Shape>
    [[nodiscard]] const Shape& fitted() const {
        return std::get<Shape>(mesh_.fitted(kind_, body_.state.volumes).volume);
    }
    [[nodiscard]] glm::vec3 moved(const glm::vec3& p) const { return transform_ * glm::vec4(p, 1.0f); }
    [[nodiscard]] float grown(float radius) const { return radius * body_.state.scale + 2.0f * slack_; }

    VolumeKind kind_;
    const Body& body_;
    const MeshEntry& mesh_;
    const glm::mat4x3& transform_;
    float slack_;
};

// ---- comparing

template <class Shape>
void prefetch(const Shape& shape) {
    const char* const bytes = reinterpret_cast<const char*>(&shape);
    __builtin_prefetch(bytes);
    __builtin_prefetch(bytes + sizeof(Shape) - 1);
}

bv::ConvexRef convex(const PlacedHull& placed) {
    static const bv::Hull kEmpty;
    return {placed.hull ? *placed.hull : kEmpty, placed.transform, placed.slack};
}
template <class Shape>
bv::ConvexRef convex(const Shape& shape) {
    return shape;
}

/// The corners of a k-DOP as the vertices of a convex solid.
std::vector<glm::dvec3> corners_of(const bv::Polytope& polytope) {
    return {polytope.vertices.begin(), polytope.vertices.end()};
}

template <int K, class Shape>
bool kdop_meets(const bv::Kdop<K>& dop, const Shape& other) {
    if constexpr (kIsKdop<Shape>) {
        const std::vector<glm::dvec3> corners = corners_of(bv::polytope_of(other));
        return bv::overlap(dop, bv::ConvexRef(corners.data(), static_cast<std::uint32_t>(corners.size())));
    } else {
        return bv::overlap(dop, convex(other));
    }
}

template <class A, class B>
bool shapes_overlap(const A& a, const B& b) {
    if constexpr ((kIsSimple<A> && kIsSimple<B>) || (kIsKdop<A> && std::is_same_v<A, B>)) {
        return bv::overlap(a, b);
    } else if constexpr (kIsKdop<A>) {
        return kdop_meets(a, b);
    } else if constexpr (kIsKdop<B>) {
        return kdop_meets(b, a);
    } else {
        return bv::overlap(convex(a), convex(b));
    }
}

// ---- boxes around volumes

bv::Aabb box_of(const glm::vec3& center, const glm::vec3& half) {
    bv::Aabb box;
    for (int i = 0; i < 3; ++i) {
        const float out = half[i] + 4.0f * kEpsilon * (std::fabs(center[i]) + half[i]);
        box.min[i] = center[i] - out;
        box.max[i] = center[i] + out;
    }
    return box;
}

bv::Aabb box_around(const bv::Sphere& sphere) {
    return bv::fit::aabb_fixed(sphere);
}
bv::Aabb box_around(const bv::Aabb& box) {
    return box;
}
/// Contains every corner, however it is rounded.
bv::Aabb box_around(const bv::Obb& box) {
    if (box.is_empty()) return {};
    glm::vec3 half;
    for (int i = 0; i < 3; ++i)
        half[i] = std::fabs(box.axes[0][i]) * box.half_extents.x +
                  std::fabs(box.axes[1][i]) * box.half_extents.y +
                  std::fabs(box.axes[2][i]) * box.half_extents.z;
    return box_of(box.center, half);
}
bv::Aabb box_around(const bv::Capsule& capsule) {
    if (capsule.is_empty()) return {};
    const glm::vec3 center = 0.5f * (capsule.a + capsule.b);
    return box_of(center, 0.5f * glm::abs(capsule.b - capsule.a) + capsule.radius);
}
bv::Aabb box_around(const bv::RectSweptSphere& rect) {
    if (rect.is_empty()) return {};
    return box_of(rect.center, glm::abs(rect.axes[0]) * rect.half_extents.x +
                                   glm::abs(rect.axes[1]) * rect.half_extents.y + rect.radius);
}
template <int K>
bv::Aabb box_around(const bv::Kdop<K>& dop) {
    if (dop.is_empty()) return {};
    return {{dop.min[0], dop.min[1], dop.min[2]}, {dop.max[0], dop.max[1], dop.max[2]}};
}
/// Each coordinate is half the sum of two of the four diagonals, or the difference of the other two:
/// x = ((x + y - z) + (x - y + z)) / 2 = ((x + y + z) - (-x + y + z)) / 2, and so on.
bv::Aabb box_around(const bv::Kdop<8>& dop) {
    if (dop.is_empty()) return {};
    bv::Aabb box;
    constexpr std::size_t kPairs[3][3] = {
        {1, 2, 3}, {1, 3, 2}, {2, 3, 1}};  // two to add, one to subtract from 0
    for (int axis = 0; axis < 3; ++axis) {
        const auto [a, b, c] = kPairs[axis];
        box.min[axis] = 0.5f * std::max(dop.min[a] + dop.min[b], dop.min[0] - dop.max[c]);
        box.max[axis] = 0.5f * std::min(dop.max[a] + dop.max[b], dop.max[0] - dop.min[c]);
    }
    return box_of(box.center(), box.half_extents());
}
bv::Aabb box_around(const PlacedHull& hull) {
    bv::Aabb box;
    for (std::size_t i = 0; !hull.is_empty() && i < hull.hull->vertices.size(); ++i)
        box = bv::merge(box, hull.vertex(i));
    return bv::grown(box, hull.slack);
}

// ---- rays

/// For solids without a specialized ray cast, and for hulls, which rounding may have dented: tests the part
/// of the ray inside the solid's box, as a segment.
template <class Shape>
bool segment_meets(const bv::Ray& ray, const Shape& shape) {
    const auto inside = bv::raycast(ray, box_around(shape));
    if (!inside) return false;
    const float leave = std::max(inside->t, std::min(inside->t_exit, ray.t_max));
    const bv::Segment part{ray.at(inside->t), ray.at(std::isfinite(leave) ? leave : inside->t)};
    const glm::vec3 largest = glm::max(glm::max(glm::abs(part.a), glm::abs(part.b)), glm::abs(ray.origin));
    const float rounding = 4.0f * kEpsilon * std::max({largest.x, largest.y, largest.z});
    return bv::distance(bv::ConvexRef(part), convex(shape)) <= rounding;
}

template <class Shape>
bool meets(const bv::Ray& ray, const Shape& shape) {
    if constexpr (std::is_same_v<Shape, PlacedHull> || std::is_same_v<Shape, bv::RectSweptSphere>)
        return segment_meets(ray, shape);
    else
        return bv::raycast(ray, shape).has_value();
}

template <class List>
using ShapeOf = typename std::decay_t<List>::value_type;

}  // namespace

void place_mesh(Body& body) {
    const glm::mat3 rotation = glm::mat3_cast(body.orientation);
    const float scale = body.state.scale;
    body.state.transform =
        glm::mat4x3(rotation[0] * scale, rotation[1] * scale, rotation[2] * scale, body.position);
}

BodyVolume placed_volume(VolumeKind kind, const Body& body, const MeshEntry& mesh) {
    const Placer placer(kind, body, mesh);
    return std::visit(
        [&](const auto& list) {
            ShapeOf<decltype(list)> shape;
            placer.write(shape);
            return BodyVolume(std::move(shape));
        },
        empty_column(kind));
}

void place_volume(VolumeColumn& column, std::size_t place, VolumeKind kind, const Body& body,
                  const MeshEntry& mesh) {
    std::visit([&](auto& list) { Placer(kind, body, mesh).write(list.edit()[place]); }, column);
}

void refit_volumes(VolumeColumn& column, VolumeKind kind, std::span<const Body> bodies,
                   const MeshLibrary& meshes, bv::FunctionRef<bool(std::size_t)> wanted) {
    std::visit(
        [&](auto& list) {
            auto& out = list.rewrite();
            out.resize(bodies.size());
            platform::in_parts(
                bodies.size(), platform::kBodiesPerPart, [&](std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i)
                        if (wanted(i)) Placer(kind, bodies[i], meshes[bodies[i].state.mesh]).write(out[i]);
                });
        },
        column);
}

bool overlap(const BodyVolume& a, const BodyVolume& b) {
    return std::visit([](const auto& of_a, const auto& of_b) { return shapes_overlap(of_a, of_b); }, a, b);
}

bool overlap(const VolumeColumn& column, std::size_t a, std::size_t b) {
    return std::visit([=](const auto& list) { return shapes_overlap(list[a], list[b]); }, column);
}

void find_overlapping(const BodyVolumes& volumes, std::span<const VolumeKind> kinds,
                      std::span<const std::uint32_t> place_of_id, std::span<const BodyPair> candidates,
                      std::vector<BodyPair>& out) {
    const auto place_of = [&](bv::BodyId id) { return place_of_id[id.value]; };
    const auto test = [&](std::size_t begin, std::size_t end, std::vector<BodyPair>& found) {
        // Consecutive candidates of the same two kinds share one loop.
        for (std::size_t i = begin; i < end;) {
            const VolumeKind kind_a = kinds[place_of(candidates[i].a)];
            const VolumeKind kind_b = kinds[place_of(candidates[i].b)];
            std::visit(
                [&](const auto& list_a, const auto& list_b) {
                    const auto& of_a = list_a.read();
                    const auto& of_b = list_b.read();
                    constexpr std::size_t kAhead = 8;  // the second bodies lie anywhere in memory
                    for (; i < end; ++i) {
                        if (i + kAhead < end)
                            if (const std::uint32_t next = place_of(candidates[i + kAhead].b);
                                next < of_b.size())
                                prefetch(of_b[next]);
                        const std::uint32_t a = place_of(candidates[i].a), b = place_of(candidates[i].b);
                        if (kinds[a] != kind_a || kinds[b] != kind_b) break;
                        if (shapes_overlap(of_a[a], of_b[b])) found.push_back(candidates[i]);
                    }
                },
                volumes.column(kind_a), volumes.column(kind_b));
        }
    };
    constexpr std::size_t kPairsPerPart = 2048;
    platform::append_in_parts(candidates.size(), kPairsPerPart, out, test);
}

bv::fit::Volume fit_volume(const VolumeColumn& column, std::size_t place) {
    return std::visit(
        [place](const auto& list) -> bv::fit::Volume {
            if constexpr (std::is_same_v<ShapeOf<decltype(list)>, PlacedHull>)
                return list[place].placed();
            else
                return list[place];
        },
        column);
}

float test_slack(const VolumeColumn& column, std::size_t place) {
    return std::visit(
        [place](const auto& list) {
            if constexpr (std::is_same_v<ShapeOf<decltype(list)>, PlacedHull>)
                return list[place].slack;
            else
                return 0.0f;
        },
        column);
}

ExhibitShape exhibit_shape(const bv::fit::Volume& volume) {
    return std::visit(
        [&](const auto& shape) -> ExhibitShape {
            if constexpr (std::is_constructible_v<ExhibitShape, decltype(shape)>) {
                return shape;
            } else {
                const bv::Polytope flat = bv::fit::polytope_of(volume);
                return Polytope{flat.vertices, flat.triangles, flat.edges};
            }
        },
        volume);
}

bv::Aabb broad_box(VolumeKind kind, const VolumeColumn& column, std::size_t place, const bv::Aabb& tight) {
    // These boxes contain the mesh by themselves.
    if (kind == VolumeKind::AabbTight) return tight;
    const bv::Aabb box = std::visit([place](const auto& list) { return box_around(list[place]); }, column);
    if (kind == VolumeKind::Sphere || kind == VolumeKind::AabbFixed) return box;
    // Rounding could put a vertex just outside the boxes of the others.
    return bv::merge(tight, box);
}

bool ray_meets(const bv::Ray& ray, const VolumeColumn& column, std::size_t place) {
    return std::visit([&](const auto& list) { return meets(ray, list[place]); }, column);
}

}  // namespace lab
