// Point clouds for fits, and random shapes for pair tests. Many are degenerate on purpose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/plane.hpp"
#include "bv/shapes/sphere.hpp"
#include "bv/shapes/triangle.hpp"
#include "workloads/random.hpp"

namespace bv::workloads {

/// One row of the table of clouds.
struct CloudKind {
    std::string_view id;
    std::string_view description;
    /// About `count` points; exactly as many where the kind allows it.
    std::vector<glm::vec3> (*make)(std::size_t count, Random& random);
};
/// Full clouds: in a box, a ball, on a sphere, clustered, far away, tiny, huge, a lattice with many ties; and
/// degenerate ones: none, one point, a repeated point, two points, on a line, on a plane, almost on a plane.
std::span<const CloudKind> cloud_kinds();
/// The cloud of that kind; empty for an id that is not in the table.
std::vector<glm::vec3> make_cloud(std::string_view id, std::size_t count, std::uint64_t seed);

/// Random shapes with their centers in the cube of half edge `spread` and sizes up to `size`. About one in
/// eight is degenerate: zero extent on some axes, zero radius, collinear corners.
Sphere random_sphere(Random& random, float spread, float size);
Aabb random_aabb(Random& random, float spread, float size);
Obb random_obb(Random& random, float spread, float size);
Triangle random_triangle(Random& random, float spread, float size);
Plane random_plane(Random& random, float spread);

}  // namespace bv::workloads
