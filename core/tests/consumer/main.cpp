// Ten lines against the installed package: fit a sphere and a box, ask whether they overlap.
#include <bv/fit/aabb.hpp>
#include <bv/fit/sphere.hpp>
#include <bv/query/overlap.hpp>
#include <vector>

int main() {
    const std::vector<glm::vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const bv::Sphere sphere = bv::fit::sphere_ritter(points);
    const bv::Aabb box = bv::fit::aabb_tight(points);
    return bv::overlap(sphere, box) && !bv::overlap(sphere, bv::Aabb{}) ? 0 : 1;
}
