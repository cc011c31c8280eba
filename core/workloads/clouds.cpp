#include "workloads/clouds.hpp"

#include <array>
#include <cmath>
#include <glm/geometric.hpp>

namespace bv::workloads {
namespace {

using Points = std::vector<glm::vec3>;

template <class Make>
Points repeat(std::size_t count, Make&& make) {
    Points points(count);
    for (glm::vec3& p : points)
        p = make();
    return points;
}

glm::vec3 in_cube(Random& random) {
    return random.in_box(glm::vec3(-1.0f), glm::vec3(1.0f));
}

Points on_line(std::size_t count, Random& random) {
    const glm::vec3 start = in_cube(random);
    const glm::vec3 direction = random.direction();
    return repeat(count, [&] { return start + random.uniform(-2.0f, 2.0f) * direction; });
}

Points near_plane(std::size_t count, Random& random, float thickness) {
    const glm::mat3 axes = random.rotation();
    const glm::vec3 start = in_cube(random);
    return repeat(count, [&] { return start + axes * (in_cube(random) * glm::vec3(1.0f, 1.0f, thickness)); });
}

Points lattice(std::size_t count) {
    const auto side = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(count)) - 1e-9));
    Points points;
    for (std::size_t i = 0; i < count; ++i)
        points.emplace_back(i % side, i / side % side, i / side / side);
    return points;
}

Points clustered(std::size_t count, Random& random) {
    const Points centers = repeat(5, [&] { return 5.0f * in_cube(random); });
    return repeat(count, [&] {
        const glm::vec3 center = centers[random.below(5)];
        const glm::vec3 offset = random.in_ball();
        return center + random.uniform(0.05f, 1.0f) * offset;
    });
}

constexpr std::array kKinds{
    CloudKind{"cube", "uniform in a cube",
              [](std::size_t n, Random& r) { return repeat(n, [&] { return in_cube(r); }); }},
    CloudKind{"ball", "uniform in a ball",
              [](std::size_t n, Random& r) { return repeat(n, [&] { return r.in_ball(); }); }},
    CloudKind{"sphere", "all at almost the same distance from the center",
              [](std::size_t n, Random& r) { return repeat(n, [&] { return r.direction(); }); }},
    CloudKind{"slab", "a turned box with edges 4, 2 and 0.5",
              [](std::size_t n, Random& r) {
                  const glm::mat3 axes = r.rotation();
                  return repeat(n, [&] { return axes * (in_cube(r) * glm::vec3(2.0f, 1.0f, 0.25f)); });
              }},
    CloudKind{"clustered", "a few clusters", clustered},
    CloudKind{"lattice", "whole numbers: many ties in every direction",
              [](std::size_t n, Random&) { return lattice(n); }},
    CloudKind{"far", "a small cube a kilometer away",
              [](std::size_t n, Random& r) {
                  return repeat(n, [&] { return glm::vec3(1000.0f, -700.0f, 400.0f) + 0.5f * in_cube(r); });
              }},
    CloudKind{"negative", "all coordinates below zero",
              [](std::size_t n, Random& r) { return repeat(n, [&] { return in_cube(r) - 3.0f; }); }},
    CloudKind{"tiny", "a cube of 1e-6 m",
              [](std::size_t n, Random& r) { return repeat(n, [&] { return 1e-6f * in_cube(r); }); }},
    CloudKind{"huge", "a cube of 1e7 m",
              [](std::size_t n, Random& r) { return repeat(n, [&] { return 1e7f * in_cube(r); }); }},
    CloudKind{"none", "no points", [](std::size_t, Random&) { return Points{}; }},
    CloudKind{"one", "one point", [](std::size_t, Random& r) { return Points{in_cube(r)}; }},
    CloudKind{"two", "two points",
              [](std::size_t, Random& r) { return repeat(2, [&] { return in_cube(r); }); }},
    CloudKind{"coincident", "one repeated point",
              [](std::size_t n, Random& r) { return Points(n, in_cube(r)); }},
    CloudKind{"collinear", "on a slanted line", on_line},
    CloudKind{"axis", "on the x axis",
              [](std::size_t n, Random& r) {
                  return repeat(n, [&] { return glm::vec3(r.uniform(-1.0f, 1.0f), 0.0f, 0.0f); });
              }},
    CloudKind{"flat", "on the plane y = 1",
              [](std::size_t n, Random& r) {
                  return repeat(n, [&] { return in_cube(r) * glm::vec3(1, 0, 1) + glm::vec3(0, 1, 0); });
              }},
    CloudKind{"coplanar", "on a slanted plane",
              [](std::size_t n, Random& r) { return near_plane(n, r, 0.0f); }},
    CloudKind{"almost_coplanar", "within 1e-5 m of a slanted plane",
              [](std::size_t n, Random& r) { return near_plane(n, r, 1e-5f); }},
};

/// Half extents up to `size`; one in eight has some set to zero.
glm::vec3 random_half_extents(Random& random, float size) {
    glm::vec3 half = random.in_box(glm::vec3(0.05f * size), glm::vec3(size));
    const bool degenerate = random.chance(0.125f);
    const std::uint32_t axes = random.below(7) + 1;
    for (int axis = 0; axis < 3 && degenerate; ++axis)
        if (axes & (1u << axis)) half[axis] = 0.0f;
    return half;
}

}  // namespace

std::span<const CloudKind> cloud_kinds() {
    return kKinds;
}

std::vector<glm::vec3> make_cloud(std::string_view id, std::size_t count, std::uint64_t seed) {
    Random random(seed, 0xc10d);
    for (const CloudKind& kind : kKinds)
        if (kind.id == id) return kind.make(count, random);
    return {};
}

Sphere random_sphere(Random& random, float spread, float size) {
    const glm::vec3 center = spread * in_cube(random);
    const float radius = random.uniform(0.05f * size, size);
    return {center, random.chance(0.125f) ? 0.0f : radius};
}

Aabb random_aabb(Random& random, float spread, float size) {
    const glm::vec3 center = spread * in_cube(random);
    const glm::vec3 half = random_half_extents(random, size);
    return {center - half, center + half};
}

Obb random_obb(Random& random, float spread, float size) {
    const glm::vec3 center = spread * in_cube(random);
    const glm::vec3 half = random_half_extents(random, size);
    return {center, half, random.rotation()};
}

Triangle random_triangle(Random& random, float spread, float size) {
    const glm::vec3 center = spread * in_cube(random);
    const glm::vec3 a = center + size * in_cube(random);
    const glm::vec3 b = center + size * in_cube(random);
    const glm::vec3 c = center + size * in_cube(random);
    if (!random.chance(0.125f)) return {a, b, c};
    switch (random.below(3)) {
        case 0:
            return {a, a, a};
        case 1:
            return {a, b, b};
        default:
            return {a, b, 0.5f * (a + b)};
    }
}

Plane random_plane(Random& random, float spread) {
    const glm::vec3 normal = random.direction();
    return {normal, spread * random.uniform(-1.0f, 1.0f)};
}

}  // namespace bv::workloads
