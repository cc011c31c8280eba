// Shapes: measures, conversions, merges, and volumes under affine maps.
#include <gtest/gtest.h>

#include <glm/matrix.hpp>
#include <numbers>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/contains_point.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/plane.hpp"
#include "bv/shapes/sphere.hpp"
#include "bv/shapes/triangle.hpp"
#include "shape_test_util.hpp"

namespace bv {
namespace {

using test::Random;
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();
const float kNan = std::numeric_limits<float>::quiet_NaN();

Aabb random_box(Random& random) {
    Aabb box;
    for (int k = 0; k < 3; ++k) {
        const float a = random.magnitude(-3, 3);
        const float b =
            random.below(3) == 0 ? a * (1.0f + random.range(0.0f, 1e-6f)) : random.magnitude(-3, 3);
        box.min[k] = std::min(a, b);
        box.max[k] = std::max(a, b);
    }
    return box;
}

// x -> M x + t in long double, which represents the sum of exact products of floats with 11 bits to spare.
long double exact_row(const glm::mat4x3& m, const glm::vec3& p, int row) {
    long double sum = m[3][row];
    for (int col = 0; col < 3; ++col)
        sum += static_cast<long double>(m[col][row]) * static_cast<long double>(p[col]);
    return sum;
}

// All outward rounding depends on this; one compiler is known to get it wrong without the right flags.
TEST(Rounding, DoubleToFloatAndBackRounds) {
    Random random(10);
    for (int i = 0; i < 100; ++i) {
        const glm::dvec3 exact(1.0 / (3.0 + random.unit()), 1.0 / (5.0 + random.unit()),
                               1.0 / (7.0 + random.unit()));
        const glm::vec3 rounded(exact);
        const glm::dvec3 back(rounded);
        for (int k = 0; k < 3; ++k) {
            volatile float slot = static_cast<float>(exact[k]);
            EXPECT_EQ(back[k], static_cast<double>(slot));
        }
    }
}

TEST(Sphere, Measures) {
    const Sphere s{glm::vec3(1, 2, 3), 2.0f};
    EXPECT_NEAR(s.volume(), 32.0 / 3.0 * std::numbers::pi, 1e-5);
    EXPECT_NEAR(s.surface_area(), 16.0 * std::numbers::pi, 1e-5);
    EXPECT_EQ(Sphere{}.volume(), 0.0f);
    EXPECT_EQ(Sphere{}.surface_area(), 0.0f);
    EXPECT_TRUE(Sphere{}.is_empty());
    EXPECT_TRUE((Sphere{glm::vec3(0), kNan}).is_empty());
    EXPECT_FALSE((Sphere{glm::vec3(0), 0.0f}).is_empty());
}

TEST(Sphere, TransformedContainsTheImage) {
    Random random(11);
    for (int i = 0; i < 2000; ++i) {
        const Sphere s{random.in_cube(10), random.range(0, 5)};
        const glm::mat4x3 m{random.in_cube(2), random.in_cube(2), random.in_cube(2), random.in_cube(100)};
        const Sphere image = transformed(s, m);
        double reach = 0;
        for (int k = 0; k < 200; ++k) {
            const glm::vec3 p = s.center + random.direction() * s.radius;
            if (!contains_point(s, p)) continue;
            double d = 0;
            for (int row = 0; row < 3; ++row) {
                const double x =
                    static_cast<double>(exact_row(m, p, row)) - static_cast<double>(image.center[row]);
                d += x * x;
            }
            reach = std::max(reach, std::sqrt(d));
        }
        EXPECT_LE(reach, image.radius);
    }
}

TEST(Sphere, TransformedByRigidMotionAndScaleKeepsTheRadius) {
    Random random(12);
    for (int i = 0; i < 500; ++i) {
        const Sphere s{random.in_cube(1), 3.0f};
        const double scale = std::pow(10.0, random.range(-6, 6));
        const Sphere image =
            transformed(s, test::affine_of(random.rotation_in_double() * scale, glm::vec3(0)));
        EXPECT_NEAR(image.radius / (3.0 * scale), 1.0, 1e-6);
    }
    const Sphere s{glm::vec3(1, 2, 3), 4.0f};
    EXPECT_EQ(transformed(s, glm::mat4x3(1.0f)), s);
    EXPECT_TRUE(transformed(Sphere{}, glm::mat4x3(1.0f)).is_empty());
    EXPECT_EQ(transformed(s, glm::mat4x3(0.0f)).radius, 0.0f);
    EXPECT_EQ(transformed(s, glm::mat4x3(kNan)).radius, kInf);
}

TEST(Aabb, EmptyIsTheIdentityOfMerge) {
    const Aabb box{{-1, -2, -3}, {4, 5, 6}};
    EXPECT_EQ(merge(box, Aabb{}), box);
    EXPECT_EQ(merge(Aabb{}, box), box);
    EXPECT_TRUE(merge(Aabb{}, Aabb{}).is_empty());
    EXPECT_TRUE(Aabb{}.is_empty());
    EXPECT_FALSE(Aabb{}.is_finite());
    EXPECT_EQ(Aabb{}.volume(), 0.0f);
    EXPECT_EQ(Aabb{}.surface_area(), 0.0f);
    EXPECT_EQ(Aabb{}.center(), glm::vec3(0));
    EXPECT_EQ(Aabb{}.size(), glm::vec3(0));
    EXPECT_EQ(Aabb{}.half_extents(), glm::vec3(0));
    EXPECT_TRUE((Aabb{{0, kNan, 0}, {1, 1, 1}}).is_empty());
    EXPECT_TRUE(grown(Aabb{}, 1.0f).is_empty());
    EXPECT_TRUE(swept(Aabb{}, glm::vec3(1)).is_empty());
    EXPECT_TRUE(transformed(Aabb{}, glm::mat4x3(1.0f)).is_empty());
    EXPECT_TRUE(transformed_corners(Aabb{}, glm::mat4x3(1.0f)).is_empty());
    EXPECT_EQ(to_aabb(to_center_extents(Aabb{})), Aabb{});
    EXPECT_EQ(to_aabb(to_min_size(Aabb{})), Aabb{});
    EXPECT_TRUE(to_aabb(CenterExtents{}).is_empty());
    EXPECT_TRUE(to_aabb(MinSize{}).is_empty());
}

TEST(Aabb, Measures) {
    const Aabb box{{-1, -2, -3}, {1, 4, 7}};
    EXPECT_EQ(box.center(), glm::vec3(0, 1, 2));
    EXPECT_EQ(box.size(), glm::vec3(2, 6, 10));
    EXPECT_EQ(box.half_extents(), glm::vec3(1, 3, 5));
    EXPECT_EQ(box.volume(), 120.0f);
    EXPECT_EQ(box.surface_area(), 184.0f);
    const Aabb flat{{0, 0, 0}, {2, 3, 0}};
    EXPECT_EQ(flat.volume(), 0.0f);
    EXPECT_EQ(flat.surface_area(), 12.0f);
    const Aabb huge{glm::vec3(-kMax), glm::vec3(kMax)};
    EXPECT_EQ(huge.center(), glm::vec3(0));
    EXPECT_EQ(huge.half_extents(), glm::vec3(kMax));
    EXPECT_TRUE(huge.is_finite());
    const Aabb upper{glm::vec3(kMax), glm::vec3(kMax)};
    EXPECT_EQ(upper.center(), glm::vec3(kMax));
    const Aabb all{glm::vec3(-kInf), glm::vec3(kInf)};
    EXPECT_FALSE(all.is_empty());
    EXPECT_FALSE(all.is_finite());
    EXPECT_EQ(all.center(), glm::vec3(0));
    EXPECT_EQ(all.volume(), kInf);
}

TEST(Aabb, MergeWithPoint) {
    // All coordinates negative: a maximum that starts at the smallest positive float would miss these.
    Aabb box;
    box = merge(box, glm::vec3(-5, -6, -7));
    EXPECT_EQ(box, (Aabb{{-5, -6, -7}, {-5, -6, -7}}));
    box = merge(box, glm::vec3(-1, -8, -7));
    EXPECT_EQ(box, (Aabb{{-5, -8, -7}, {-1, -6, -7}}));
    EXPECT_EQ(merge(box, glm::vec3(kNan)), box);
}

TEST(Aabb, Intersection) {
    const Aabb a{{0, 0, 0}, {2, 2, 2}};
    EXPECT_EQ((intersection(a, {{1, 1, 1}, {3, 3, 3}})), (Aabb{{1, 1, 1}, {2, 2, 2}}));
    EXPECT_EQ((intersection(a, {{2, 0, 0}, {3, 2, 2}})), (Aabb{{2, 0, 0}, {2, 2, 2}}));
    EXPECT_EQ((intersection(a, {{2.5f, 0, 0}, {3, 2, 2}})), Aabb{});
    EXPECT_EQ(intersection(a, Aabb{}), Aabb{});
    Random random(13);
    for (int i = 0; i < 2000; ++i) {
        const Aabb x = random_box(random), y = random_box(random);
        const Aabb common = intersection(x, y);
        EXPECT_EQ(common, intersection(y, x));
        for (int k = 0; k < 8; ++k) {
            const glm::vec3 p = x.corner(k);
            EXPECT_EQ(contains_point(common, p), contains_point(x, p) && contains_point(y, p));
        }
    }
}

// One rounding step of the largest number in either form on one axis. A size may need twice the step of the
// bounds.
float step_of(const Aabb& box, int k, float size) {
    const float largest = std::max({std::abs(box.min[k]), std::abs(box.max[k]), size});
    return std::nextafterf(largest, kInf) - largest;
}

TEST(Aabb, RoundTripsNeverShrinkAndHardlyGrow) {
    Random random(14);
    float worst = 0;
    for (int i = 0; i < 100000; ++i) {
        const Aabb box = random_box(random);
        for (const bool by_size : {false, true}) {
            const Aabb back = by_size ? to_aabb(to_min_size(box)) : to_aabb(to_center_extents(box));
            for (int k = 0; k < 3; ++k) {
                ASSERT_LE(back.min[k], box.min[k]);
                ASSERT_GE(back.max[k], box.max[k]);
                const float step = step_of(box, k, by_size ? box.size()[k] : 0.0f);
                worst =
                    std::max({worst, (box.min[k] - back.min[k]) / step, (back.max[k] - box.max[k]) / step});
            }
        }
    }
    RecordProperty("worst_growth_in_steps", std::to_string(worst));
    EXPECT_LE(worst, 1.0f);
}

TEST(Aabb, ConversionsAtTheEndOfTheRange) {
    const Aabb huge{glm::vec3(-kMax), glm::vec3(kMax)};
    EXPECT_EQ(to_aabb(to_center_extents(huge)), huge);
    EXPECT_EQ(to_min_size(huge).size, glm::vec3(kInf));
    EXPECT_EQ(to_aabb(to_min_size(huge)).max, glm::vec3(kInf));
    const Aabb high{glm::vec3(kMax * 0.3f), glm::vec3(kMax)};
    EXPECT_TRUE(to_aabb(to_center_extents(high)).is_finite());
    Random random(17);
    for (int i = 0; i < 20'000; ++i) {
        Aabb box;
        for (int k = 0; k < 3; ++k) {
            box.min[k] = random.below(2) ? -kMax : random.range(-1.0f, 1.0f) * kMax;
            box.max[k] = random.below(2) ? kMax : random.range(-1.0f, 1.0f) * kMax;
            if (box.min[k] > box.max[k]) std::swap(box.min[k], box.max[k]);
        }
        for (const Aabb& back : {to_aabb(to_center_extents(box)), to_aabb(to_min_size(box))})
            ASSERT_EQ(merge(back, box), back) << "never shrinks, box " << i;
        ASSERT_TRUE(to_aabb(to_center_extents(box)).is_finite()) << i;
    }
    const Aabb all{glm::vec3(-kInf), glm::vec3(kInf)};
    EXPECT_EQ(to_aabb(to_center_extents(all)), all);
    EXPECT_EQ(to_aabb(to_min_size(all)), all);
    const Aabb point{glm::vec3(1e-20f), glm::vec3(1e-20f)};
    EXPECT_EQ(to_aabb(to_center_extents(point)), point);
    EXPECT_EQ(to_aabb(to_min_size(point)), point);
}

TEST(Aabb, GrownAndSweptRoundOutward) {
    Random random(15);
    for (int i = 0; i < 20000; ++i) {
        const Aabb box = random_box(random);
        const float margin = std::abs(random.magnitude(-4, 2));
        const glm::vec3 move(random.magnitude(-4, 3), random.magnitude(-4, 3),
                             random.below(2) == 0 ? 0.0f : 1.0f);
        const Aabb fat = grown(box, margin);
        const Aabb path = swept(box, move);
        for (int k = 0; k < 3; ++k) {
            const long double lo = box.min[k], hi = box.max[k];
            ASSERT_LE(fat.min[k], lo - static_cast<long double>(margin));
            ASSERT_GE(fat.max[k], hi + static_cast<long double>(margin));
            ASSERT_LE(path.min[k], std::min(lo, lo + static_cast<long double>(move[k])));
            ASSERT_GE(path.max[k], std::max(hi, hi + static_cast<long double>(move[k])));
        }
    }
    const Aabb box{{0, 0, 0}, {1, 1, 1}};
    EXPECT_EQ(grown(box, 0.0f), box);
    EXPECT_EQ(grown(box, 0.5f), (Aabb{glm::vec3(-0.5f), glm::vec3(1.5f)}));
    EXPECT_EQ(swept(box, glm::vec3(0)), box);
    EXPECT_EQ(swept(box, glm::vec3(1, -2, 0)), (Aabb{{0, -2, 0}, {2, 1, 1}}));
    EXPECT_EQ(swept(box, glm::vec3(kNan)), box);
}

TEST(Aabb, GrownGoesNoFartherThanToTheNextNumber) {
    Random random(17);
    const auto below = [](float x) { return std::nextafterf(x, -kInf); };
    for (int i = 0; i < 20000; ++i) {
        const Aabb box = random_box(random);
        const float margin = std::abs(random.magnitude(-4, 2));
        const Aabb fat = grown(box, margin);
        for (int k = 0; k < 3; ++k) {
            ASSERT_LT(below(fat.max[k]), static_cast<long double>(box.max[k]) + margin);
            ASSERT_LT(below(-fat.min[k]), static_cast<long double>(-box.min[k]) + margin);
        }
    }
    const auto top = [](float x, float margin) {
        return grown({glm::vec3(-kInf), glm::vec3(x)}, margin).max.x;
    };
    const float least = std::numeric_limits<float>::denorm_min();
    EXPECT_EQ(top(1.0f, 1e-30f), std::nextafterf(1.0f, kInf));
    EXPECT_EQ(top(-1.0f, least), std::nextafterf(-1.0f, kInf));
    EXPECT_EQ(top(1e-30f, 1.0f), std::nextafterf(1.0f, kInf));
    EXPECT_EQ(top(-1e-30f, 1.0f), 1.0f);
    EXPECT_EQ(top(least, least), 2.0f * least);
    EXPECT_EQ(top(-kMax, kMax), 0.0f);
    EXPECT_EQ(top(0.5f * kMax, least), std::nextafterf(0.5f * kMax, kInf));
    EXPECT_EQ(top(0.5f * kMax, 0.5f * kMax), kMax);
    EXPECT_EQ(top(kMax, least), kInf);
    EXPECT_EQ(top(kMax, kMax), kInf);
}

TEST(Aabb, TransformedContainsEveryCorner) {
    Random random(16);
    for (int i = 0; i < 20000; ++i) {
        const Aabb box = random_box(random);
        const glm::mat4x3 m{random.in_cube(2), random.in_cube(2), random.in_cube(2), random.in_cube(100)};
        const Aabb fast = transformed(box, m);
        const Aabb slow = transformed_corners(box, m);
        for (int row = 0; row < 3; ++row) {
            long double lo = kInf, hi = -kInf;
            for (int k = 0; k < 8; ++k) {
                const long double x = exact_row(m, box.corner(k), row);
                lo = std::min(lo, x);
                hi = std::max(hi, x);
            }
            ASSERT_LE(fast.min[row], lo);
            ASSERT_GE(fast.max[row], hi);
            // Tight: the next float inward would be too small.
            ASSERT_GE(std::nextafterf(fast.min[row], kInf), lo);
            ASSERT_LE(std::nextafterf(fast.max[row], -kInf), hi);
            ASSERT_LE(slow.min[row], lo);
            ASSERT_GE(slow.max[row], hi);
            ASSERT_GE(slow.min[row], fast.min[row]);
            ASSERT_LE(slow.max[row], fast.max[row]);
        }
    }
    const Aabb box{{-1, 2, 3}, {4, 5, 6}};
    EXPECT_EQ(transformed(box, glm::mat4x3(1.0f)), box);
    const Aabb slab{{-kInf, 0, 0}, {kInf, 1, 1}};
    EXPECT_EQ(transformed(slab, glm::mat4x3(1.0f)), slab);
    EXPECT_EQ(transformed_corners(slab, glm::mat4x3(1.0f)), slab);
    EXPECT_EQ(transformed(box, glm::mat4x3(kNan)), (Aabb{glm::vec3(-kInf), glm::vec3(kInf)}));
    EXPECT_EQ(transformed_corners(box, glm::mat4x3(kNan)), (Aabb{glm::vec3(-kInf), glm::vec3(kInf)}));
}

TEST(Obb, Measures) {
    Random random(17);
    const Obb box{glm::vec3(1, 2, 3), glm::vec3(1, 2, 3), glm::mat3(random.rotation_in_double())};
    EXPECT_FLOAT_EQ(box.volume(), 48.0f);
    EXPECT_FLOAT_EQ(box.surface_area(), 88.0f);
    EXPECT_EQ(Obb{}.volume(), 0.0f);
    EXPECT_EQ(Obb{}.surface_area(), 0.0f);
    EXPECT_TRUE(Obb{}.is_empty());
    const Obb plain{glm::vec3(1, 2, 3), glm::vec3(1, 2, 3), glm::mat3(1.0f)};
    EXPECT_EQ(plain.corner(0), glm::vec3(0, 0, 0));
    EXPECT_EQ(plain.corner(7), glm::vec3(2, 4, 6));
    EXPECT_EQ(plain.corner(1), glm::vec3(2, 0, 0));
    EXPECT_FALSE((Obb{glm::vec3(0), glm::vec3(0), glm::mat3(1)}).is_empty());
}

// Largest excess of the image of the box's corners over the result, relative to the size; also checks that
// the axes are a rotation.
double excess(const Obb& box, const glm::mat4x3& m, const Obb& image) {
    const glm::mat3 gram = glm::transpose(image.axes) * image.axes;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            EXPECT_NEAR(gram[i][j], i == j ? 1.0f : 0.0f, 1e-5f);
    }
    EXPECT_GT(glm::determinant(image.axes), 0.0f);
    double worst = -1e300;
    const glm::dmat3 edges = glm::transpose(glm::inverse(glm::dmat3(box.axes)));
    for (int i = 0; i < 8; ++i) {
        const glm::dvec3 h((i & 1) ? 1.0 : -1.0, (i & 2) ? 1.0 : -1.0, (i & 4) ? 1.0 : -1.0);
        const glm::dvec3 p = glm::dvec3(box.center) + edges * (h * glm::dvec3(box.half_extents));
        const glm::dvec3 q = glm::dmat3(m) * p + glm::dvec3(m[3]);
        for (int k = 0; k < 3; ++k) {
            const double d = std::abs(glm::dot(glm::dvec3(image.axes[k]), q - glm::dvec3(image.center)));
            worst = std::max(worst, d - static_cast<double>(image.half_extents[k]));
        }
    }
    return worst;
}

TEST(Obb, TransformedContainsTheImage) {
    Random random(18);
    for (int i = 0; i < 5000; ++i) {
        const Obb box{random.in_cube(10), glm::abs(random.in_cube(3)),
                      glm::mat3(random.rotation_in_double())};
        const glm::mat4x3 m{random.in_cube(2), random.in_cube(2), random.in_cube(2), random.in_cube(100)};
        const Obb image = transformed(box, m);
        EXPECT_LE(excess(box, m, image), 1e-13);
        const double determinant = std::abs(glm::determinant(glm::dmat3(m)));
        EXPECT_GE(image.volume(), box.volume() * determinant * (1 - 1e-6));
    }
}

TEST(Obb, TransformedByRigidMotionAndScaleIsTheImage) {
    Random random(19);
    for (int i = 0; i < 2000; ++i) {
        const Obb box{random.in_cube(1), glm::abs(random.in_cube(3)) + 0.1f,
                      glm::mat3(random.rotation_in_double())};
        const double scale = (i % 2 == 0 ? 1.0 : -1.0) * std::pow(10.0, random.range(-6, 6));
        const glm::mat4x3 m = test::affine_of(random.rotation_in_double() * scale, glm::vec3(0));
        const Obb image = transformed(box, m);
        for (int k = 0; k < 3; ++k)
            EXPECT_NEAR(image.half_extents[k] / (static_cast<double>(box.half_extents[k]) * std::abs(scale)),
                        1, 5e-6);
        EXPECT_LE(excess(box, m, image), 0.0);
    }
    const Obb box{glm::vec3(1), glm::vec3(1, 2, 3), glm::mat3(1.0f)};
    EXPECT_TRUE(transformed(Obb{}, glm::mat4x3(1.0f)).is_empty());
    EXPECT_EQ(transformed(box, glm::mat4x3(kNan)).half_extents, glm::vec3(kInf));
    EXPECT_LE(glm::length(transformed(box, glm::mat4x3(0.0f)).half_extents), 1e-20f);
    // A projection to a plane: two axes remain.
    const glm::mat4x3 flat{glm::vec3(1, 0, 0), glm::vec3(0, 1, 0), glm::vec3(0), glm::vec3(0)};
    EXPECT_LE(excess(box, flat, transformed(box, flat)), 0.0);
}

TEST(Plane, FromPointsAndNormals) {
    const auto plane = plane_from(glm::vec3(0, 0, 2), glm::vec3(0, 0, 10));
    ASSERT_TRUE(plane);
    EXPECT_EQ(plane->normal, glm::vec3(0, 0, 1));
    EXPECT_EQ(plane->offset, 2.0f);
    EXPECT_EQ(plane->signed_distance({5, 5, 3}), 1.0f);
    EXPECT_FALSE(plane_from(glm::vec3(0), glm::vec3(0)));
    EXPECT_FALSE(plane_from(glm::vec3(0), glm::vec3(kNan)));
    EXPECT_FALSE(plane_from(glm::vec3(kInf), glm::vec3(1)));
    EXPECT_TRUE(plane_from(glm::vec3(0), glm::vec3(1e-38f)));
    const auto three = plane_from({0, 0, 1}, {1, 0, 1}, {0, 1, 1});
    ASSERT_TRUE(three);
    EXPECT_EQ(three->normal, glm::vec3(0, 0, 1));
    EXPECT_EQ(three->offset, 1.0f);
    EXPECT_FALSE(plane_from({0, 0, 0}, {1, 1, 1}, {3, 3, 3}));
    EXPECT_FALSE(plane_from({1, 2, 3}, {1, 2, 3}, {3, 3, 3}));
    EXPECT_FALSE(plane_from({kNan, 2, 3}, {1, 2, 3}, {3, 3, 3}));
    EXPECT_TRUE(plane_from({0, 0, 0}, {1e-20f, 0, 0}, {0, 1e-20f, 0}));
}

TEST(Triangle, AreaAndNormal) {
    const Triangle t{{0, 0, 0}, {2, 0, 0}, {0, 3, 0}};
    EXPECT_EQ(t.area(), 3.0f);
    EXPECT_EQ(t.normal(), glm::vec3(0, 0, 1));
    const Triangle tiny{{0, 0, 0}, {1e-15f, 0, 0}, {0, 1e-15f, 0}};
    EXPECT_EQ(tiny.normal(), glm::vec3(0, 0, 1));
    EXPECT_GT(tiny.area(), 0.0f);
    const Triangle line{{0, 0, 0}, {1, 1, 1}, {3, 3, 3}};
    EXPECT_EQ(line.area(), 0.0f);
    EXPECT_EQ(line.normal(), glm::vec3(0));
    EXPECT_EQ((Triangle{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}).normal(), glm::vec3(0));
    EXPECT_EQ((Triangle{{kNan, 1, 1}, {1, 1, 1}, {1, 2, 1}}).normal(), glm::vec3(0));
}

}  // namespace
}  // namespace bv
