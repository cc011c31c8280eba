// k-DOPs, capsules, rectangle swept spheres and rectangles: measures, containment, affine maps, polytopes.
#include <gtest/gtest.h>

#include <map>
#include <numbers>

#include "bv/fit/kdop.hpp"
#include "bv/shapes/capsule.hpp"
#include "bv/shapes/kdop.hpp"
#include "bv/shapes/obb2.hpp"
#include "bv/shapes/rect_swept_sphere.hpp"
#include "shape_test_util.hpp"

namespace bv {
namespace {

using test::Random;
constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();

template <int K>
Kdop<K> dop_around(const std::vector<glm::vec3>& points) {
    Kdop<K> dop;
    for (const glm::vec3& p : points) {
        for (int i = 0; i < K / 2; ++i) {
            const double d = kdop_project(Kdop<K>::direction(i), p);
            const auto k = static_cast<std::size_t>(i);
            dop.min[k] = std::min(dop.min[k], std::nextafterf(static_cast<float>(d), -kInf));
            dop.max[k] = std::max(dop.max[k], std::nextafterf(static_cast<float>(d), kInf));
        }
    }
    return dop;
}

// Closed: every edge of a triangle occurs once in each direction.
void expect_closed(const Polytope& solid) {
    std::map<std::pair<unsigned, unsigned>, int> uses;
    for (const glm::uvec3& t : solid.triangles) {
        for (int k = 0; k < 3; ++k)
            ++uses[{t[k], t[(k + 1) % 3]}];
    }
    for (const auto& [edge, count] : uses) {
        EXPECT_EQ(count, 1);
        EXPECT_EQ(uses.count({edge.second, edge.first}), 1u);
    }
}

template <class Dop>
class KdopTest : public testing::Test {};
using Dops = testing::Types<Kdop<6>, Kdop<8>, Kdop<14>, Kdop<18>, Kdop<26>>;
TYPED_TEST_SUITE(KdopTest, Dops);

TYPED_TEST(KdopTest, EmptyAndPoint) {
    constexpr int kHalf = TypeParam::kDirections;
    const TypeParam empty;
    EXPECT_TRUE(empty.is_empty());
    EXPECT_TRUE(polytope_of(empty).is_empty());
    EXPECT_EQ(empty.volume(), 0.0);
    EXPECT_FALSE(contains_point(empty, glm::vec3(0)));
    EXPECT_TRUE(transformed(empty, glm::mat4x3(1.0f)).is_empty());
    TypeParam point;
    const glm::vec3 p(1, 2, 4);
    for (int i = 0; i < kHalf; ++i)
        point.min[static_cast<std::size_t>(i)] = point.max[static_cast<std::size_t>(i)] =
            static_cast<float>(kdop_project(TypeParam::direction(i), p));
    EXPECT_TRUE(contains_point(point, p));
    EXPECT_FALSE(contains_point(point, p + glm::vec3(1e-5f, 0, 0)));
    ASSERT_EQ(polytope_of(point).vertices.size(), 1u);
    EXPECT_LT(glm::distance(polytope_of(point).vertices[0], p), 1e-6f);
    TypeParam all;
    all.min.fill(-kInf);
    all.max.fill(kInf);
    EXPECT_TRUE(contains_point(all, p));
    EXPECT_FALSE(contains_point(all, glm::vec3(kNan)));
    EXPECT_TRUE(polytope_of(all).is_empty());
    EXPECT_EQ(transformed(all, glm::mat4x3(1.0f)), all);
    EXPECT_EQ(transformed(point, glm::mat4x3(kNan)), all);
}

// Bounds rounded to float make a k-DOP of about the size of one rounding, far smaller than its coordinates.
TYPED_TEST(KdopTest, ThoseOfAPointHaveACorner) {
    Random random(24);
    for (int i = 0; i < 3000; ++i) {
        const glm::vec3 p = random.in_cube(1) * std::pow(10.0f, random.range(-30, 30));
        std::vector<glm::vec3> points{p};
        if (i % 3 == 1) points.push_back(p * (1.0f + 1e-6f * random.range(-1, 1)));
        const TypeParam dop = fit::kdop<2 * TypeParam::kDirections>(points);
        const Polytope solid = polytope_of(dop);
        ASSERT_FALSE(solid.vertices.empty()) << i;
        const float near = 4e-6f * std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
        for (const glm::vec3& v : solid.vertices) {
            for (int k = 0; k < 3; ++k)
                ASSERT_NEAR(v[k], p[k], near) << i;
        }
        const TypeParam same = transformed(dop, glm::mat4x3(1.0f));
        ASSERT_TRUE(contains_point(same, p)) << i;
        for (std::size_t k = 0; k < TypeParam::kDirections; ++k) {
            ASSERT_NEAR(same.min[k], dop.min[k], 8 * near) << i;
            ASSERT_NEAR(same.max[k], dop.max[k], 8 * near) << i;
        }
    }
}

TYPED_TEST(KdopTest, PolytopeIsClosedAndContainsThePoints) {
    Random random(21);
    for (int i = 0; i < 300; ++i) {
        auto points = test::random_cloud(random, 4 + random.below(40));
        const float scale = std::pow(10.0f, random.range(-6, 6));
        const glm::vec3 offset = random.in_cube(random.below(2) == 0 ? 0.0f : 50.0f);
        for (glm::vec3& p : points)
            p = (p + offset) * scale;
        const TypeParam dop = dop_around<2 * TypeParam::kDirections>(points);
        const Polytope solid = polytope_of(dop);
        expect_closed(solid);
        for (const glm::vec3& p : points)
            ASSERT_TRUE(contains_point(dop, p));
        // Euler: vertices - edges + faces = 2 with faces counted before triangulation.
        ASSERT_GE(solid.vertices.size(), 4u);
        EXPECT_EQ(static_cast<long>(solid.vertices.size()) * 2 - 4,
                  static_cast<long>(solid.triangles.size()));
        // No vertex is outside the k-DOP by more than rounding to float, and no plane is far outside.
        TypeParam of_vertices = dop_around<2 * TypeParam::kDirections>(solid.vertices);
        for (std::size_t k = 0; k < TypeParam::kDirections; ++k) {
            const float slack = 1e-5f * (scale * 60.0f);
            EXPECT_LE(of_vertices.max[k], dop.max[k] + slack);
            EXPECT_GE(of_vertices.min[k], dop.min[k] - slack);
        }
    }
}

TYPED_TEST(KdopTest, TransformedContainsTheMovedPoints) {
    Random random(22);
    for (int i = 0; i < 300; ++i) {
        const auto points = test::random_cloud(random, 20);
        const TypeParam dop = dop_around<2 * TypeParam::kDirections>(points);
        const glm::mat4x3 m{random.in_cube(2), random.in_cube(2), random.in_cube(2), random.in_cube(10)};
        const TypeParam image = transformed(dop, m);
        for (const glm::vec3& p : points) {
            const glm::dvec3 q = glm::dmat4x3(m) * glm::dvec4(glm::dvec3(p), 1.0);
            for (int k = 0; k < TypeParam::kDirections; ++k) {
                const double d = glm::dot(glm::dvec3(TypeParam::direction(k)), q);
                ASSERT_LE(d, image.max[static_cast<std::size_t>(k)]);
                ASSERT_GE(d, image.min[static_cast<std::size_t>(k)]);
            }
        }
        // The identity changes nothing but rounding.
        const TypeParam same = transformed(dop, glm::mat4x3(1.0f));
        EXPECT_NEAR(same.volume(), dop.volume(), 1e-5 * dop.volume() + 1e-6);
    }
}

TYPED_TEST(KdopTest, MergeContainsBoth) {
    Random random(23);
    const auto a = test::random_cloud(random, 20), b = test::random_cloud(random, 20);
    const auto both =
        merge(dop_around<2 * TypeParam::kDirections>(a), dop_around<2 * TypeParam::kDirections>(b));
    for (const glm::vec3& p : a)
        EXPECT_TRUE(contains_point(both, p));
    for (const glm::vec3& p : b)
        EXPECT_TRUE(contains_point(both, p));
    EXPECT_EQ(merge(both, TypeParam{}), both);
}

TEST(Kdop, KnownVolumes) {
    Kdop<6> box;
    box.min = {-1, -2, -3};
    box.max = {1, 2, 3};
    EXPECT_NEAR(box.volume(), 48.0, 1e-9);
    EXPECT_NEAR(box.surface_area(), 88.0, 1e-9);
    EXPECT_EQ(polytope_of(box).edges.size(), 12u);
    Kdop<8> octahedron;
    octahedron.min.fill(-1);
    octahedron.max.fill(1);
    EXPECT_NEAR(octahedron.volume(), 4.0 / 3.0, 1e-9);
    EXPECT_EQ(polytope_of(octahedron).edges.size(), 12u);
    EXPECT_EQ(polytope_of(octahedron).vertices.size(), 6u);
    // A cube of half width 1 truncated at |x|+|y|+|z| = 2: the cuboctahedron.
    Kdop<14> cut;
    cut.min = {-1, -1, -1, -2, -2, -2, -2};
    cut.max = {1, 1, 1, 2, 2, 2, 2};
    EXPECT_NEAR(cut.volume(), 20.0 / 3.0, 1e-6);
    EXPECT_EQ(polytope_of(cut).vertices.size(), 12u);
    EXPECT_EQ(polytope_of(cut).edges.size(), 24u);
    // Only |x|+|y| <= 1 and so on: the rhombic dodecahedron of volume 2.
    Kdop<18> rhombic;
    rhombic.min.fill(-1);
    rhombic.max.fill(1);
    EXPECT_NEAR(rhombic.volume(), 2.0, 1e-6);
    EXPECT_EQ(polytope_of(rhombic).vertices.size(), 14u);
    Kdop<6> flat;
    flat.min = {0, 0, 0};
    flat.max = {2, 3, 0};
    EXPECT_EQ(flat.volume(), 0.0);
    EXPECT_NEAR(flat.surface_area(), 12.0, 1e-9);
    EXPECT_EQ(polytope_of(flat).vertices.size(), 4u);
    flat.max = {2, 0, 0};
    EXPECT_EQ(polytope_of(flat).vertices.size(), 2u);
    EXPECT_EQ(polytope_of(flat).edges.size(), 1u);
}

TEST(Capsule, MeasuresAndContainment) {
    const Capsule c{{0, 0, 0}, {0, 0, 3}, 1.0f};
    EXPECT_NEAR(c.volume(), std::numbers::pi * (3 + 4.0 / 3.0), 1e-5);
    EXPECT_NEAR(c.surface_area(), std::numbers::pi * 10.0, 1e-5);
    EXPECT_TRUE(contains_point(c, {1, 0, 1}));
    EXPECT_TRUE(contains_point(c, {0, 0, 4}));
    EXPECT_TRUE(contains_point(c, {0, 0, -1}));
    EXPECT_FALSE(contains_point(c, {0, 0, 4.0001f}));
    EXPECT_FALSE(contains_point(c, {0.8f, 0.8f, 1}));
    EXPECT_FALSE(contains_point(c, {0, kNan, 0}));
    EXPECT_FALSE(contains_point(Capsule{}, {0, 0, 0}));
    EXPECT_EQ(Capsule{}.volume(), 0.0f);
    const Capsule ball{{1, 1, 1}, {1, 1, 1}, 2.0f};
    EXPECT_NEAR(ball.volume(), 32.0 / 3.0 * std::numbers::pi, 1e-5);
    EXPECT_TRUE(contains_point(ball, {3, 1, 1}));
    EXPECT_EQ(transformed(c, glm::mat4x3(1.0f)), c);
    EXPECT_TRUE(transformed(Capsule{}, glm::mat4x3(1.0f)).is_empty());
    EXPECT_EQ(transformed(c, glm::mat4x3(kNan)).radius, kInf);
}

TEST(RectSweptSphere, MeasuresAndContainment) {
    const RectSweptSphere s{glm::vec3(0), glm::vec2(2, 1), 0.5f, glm::mat3(1)};
    EXPECT_NEAR(s.volume(), 8 + 2 * std::numbers::pi * 0.25 * 3 + 4.0 / 3.0 * std::numbers::pi * 0.125, 1e-5);
    EXPECT_NEAR(s.surface_area(), 16 + 4 * std::numbers::pi * 0.5 * 3 + std::numbers::pi, 1e-4);
    EXPECT_TRUE(contains_point(s, {2, 1, 0.5f}));
    EXPECT_TRUE(contains_point(s, {2.5f, 0, 0}));
    EXPECT_FALSE(contains_point(s, {2.5f, 1.1f, 0}));
    EXPECT_FALSE(contains_point(s, {0, 0, 0.51f}));
    EXPECT_FALSE(contains_point(s, {0, kNan, 0}));
    EXPECT_FALSE(contains_point(RectSweptSphere{}, {0, 0, 0}));
    EXPECT_EQ(s.corner(3), glm::vec3(2, 1, 0));
    for (const glm::vec2& half : {glm::vec2(0), glm::vec2(2, 0), glm::vec2(0, kInf), glm::vec2(kInf)}) {
        const RectSweptSphere space{glm::vec3(0), half, kInf, glm::mat3(1)};
        EXPECT_EQ(space.volume(), kInf);
        EXPECT_EQ(space.surface_area(), kInf);
    }
    EXPECT_EQ((RectSweptSphere{glm::vec3(0), glm::vec2(kInf, 0), 1.0f, glm::mat3(1)}.volume()), kInf);
    EXPECT_EQ((RectSweptSphere{glm::vec3(0), glm::vec2(kInf), 0.0f, glm::mat3(1)}.volume()), 0.0f);
    EXPECT_EQ(transformed(s, glm::mat4x3(kNan)).radius, kInf);
    EXPECT_TRUE(transformed(RectSweptSphere{}, glm::mat4x3(1.0f)).is_empty());
}

TEST(SweptSpheres, TransformedContainTheImage) {
    Random random(24);
    for (int i = 0; i < 1000; ++i) {
        const bool rigid = i % 2 == 0;
        const float scale = std::pow(10.0f, random.range(-3, 3));
        const glm::mat4x3 m =
            rigid
                ? test::affine_of(random.rotation_in_double() * static_cast<double>(scale), random.in_cube(5))
                : glm::mat4x3{random.in_cube(2), random.in_cube(2), random.in_cube(2), glm::vec3(1)};
        const Capsule c{random.in_cube(3), random.in_cube(3), random.range(0, 2)};
        const RectSweptSphere s{random.in_cube(3), glm::abs(glm::vec2(random.in_cube(2))), random.range(0, 2),
                                glm::mat3(random.rotation_in_double())};
        const Capsule moved_c = transformed(c, m);
        const RectSweptSphere moved_s = transformed(s, m);
        const float size = rigid ? scale * 20 + 5 : 40.0f;
        if (rigid) {
            EXPECT_NEAR(moved_c.radius, c.radius * scale, 1e-5f * size);
            EXPECT_NEAR(moved_s.radius, s.radius * scale, 1e-5f * size);
            EXPECT_NEAR(moved_s.half_extents.x, s.half_extents.x * scale, 1e-5f * size);
        }
        for (int k = 0; k < 100; ++k) {
            // A point just inside, so that the rounding of its image cannot move it out.
            const glm::vec3 d = random.direction() * 0.9999f;
            const glm::vec3 p = c.a + (c.b - c.a) * random.range(0, 1) + d * c.radius;
            const glm::vec3 q = s.center + s.axes[0] * random.range(-s.half_extents.x, s.half_extents.x) +
                                s.axes[1] * random.range(-s.half_extents.y, s.half_extents.y) + d * s.radius;
            if (contains_point(c, p)) {
                Capsule loose = moved_c;
                loose.radius += 1e-6f * (size + 10);
                EXPECT_TRUE(contains_point(loose, test::apply(m, p)));
            }
            if (contains_point(s, q)) {
                RectSweptSphere loose = moved_s;
                loose.radius += 1e-6f * (size + 10);
                EXPECT_TRUE(contains_point(loose, test::apply(m, q)));
            }
        }
    }
}

TEST(Obb2, MeasuresAndContainment) {
    const Obb2 box{{1, 2}, {3, 1}, glm::mat2(1)};
    EXPECT_EQ(box.area(), 12.0f);
    EXPECT_EQ(box.perimeter(), 16.0f);
    EXPECT_EQ(box.corner(0), glm::vec2(-2, 1));
    EXPECT_EQ(box.corner(1), glm::vec2(4, 1));
    EXPECT_EQ(box.corner(2), glm::vec2(4, 3));
    EXPECT_EQ(box.corner(3), glm::vec2(-2, 3));
    EXPECT_TRUE(contains_point(box, {4, 3}));
    EXPECT_FALSE(contains_point(box, {4.1f, 3}));
    EXPECT_FALSE(contains_point(box, {kNan, 3}));
    EXPECT_FALSE(contains_point(Obb2{}, {0, 0}));
    EXPECT_EQ(Obb2{}.area(), 0.0f);
    EXPECT_EQ(Obb2{}.perimeter(), 0.0f);
}

}  // namespace
}  // namespace bv
