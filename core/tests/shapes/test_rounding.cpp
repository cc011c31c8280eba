// Directed rounding against numbers with twice the digits of a double.
#include "shapes/rounding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "random.hpp"

namespace bv::detail {
namespace {

#ifdef __SIZEOF_FLOAT128__
__extension__ using Wide = __float128;
#else
using Wide = long double;  // enough where it has as many digits
#endif

constexpr float kTiny = std::numeric_limits<float>::denorm_min();

/// The least float that is not below the number.
float least_not_below(Wide x) {
    if (x > Wide(kFloatMax)) return kFloatInf;
    float f = static_cast<float>(static_cast<double>(x));
    if (std::isinf(f)) f = std::copysign(kFloatMax, f);
    while (Wide(f) >= x && f > -kFloatMax)
        f = std::nextafterf(f, -kFloatInf);
    while (Wide(f) < x)
        f = std::nextafterf(f, kFloatInf);
    return f;
}

TEST(Rounding, OneNumber) {
    test::Random random(5);
    std::vector<double> numbers{
        0.0,       1.0,     1.0 + 0x1p-24, 1.0 - 0x1p-25, 1.0 + 0x1p-52,     0x1p-149, 0x1p-150,
        0x1p-1074, 0x1p127, 3.5e38,        1e300,         double{kFloatMax}, 0.1};
    for (int i = 0; i < 2000; ++i)
        numbers.push_back(
            std::ldexp(double(random.range(0.5f, 1.0f)) + 0x1p-40 * double(random.range(0.0f, 1.0f)),
                       int(random.below(300)) - 160));
    for (const double number : numbers)
        for (const double x : {number, -number}) {
            EXPECT_EQ(round_up(x), least_not_below(x)) << x;
            EXPECT_EQ(round_down(x), -least_not_below(-Wide(x))) << x;
        }
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(round_up(infinity), kFloatInf);
    EXPECT_EQ(round_up(-infinity), -kFloatInf);
    EXPECT_EQ(round_down(infinity), kFloatInf);
    EXPECT_EQ(round_down(-infinity), -kFloatInf);
    EXPECT_EQ(round_up(-1e300), -kFloatMax);
    EXPECT_EQ(round_down(1e300), kFloatMax);
}

TEST(Rounding, Neighbors) {
    EXPECT_EQ(next_up(1.0f), 1.0f + 0x1p-23f);
    EXPECT_EQ(next_down(1.0f), 1.0f - 0x1p-24f);
    EXPECT_EQ(next_up(0.0f), kTiny);
    EXPECT_EQ(next_down(0.0f), -kTiny);
    EXPECT_EQ(next_up(kFloatMax), kFloatInf);
    EXPECT_EQ(next_up(kFloatInf), kFloatInf);
    EXPECT_EQ(next_down(-kFloatInf), -kFloatInf);
}

TEST(Rounding, TwoNumbers) {
    test::Random random(6);
    std::vector<float> numbers{0.0f,   1.0f,        kTiny,     0x1p-24f,  0x1p-25f, 1.0f + 0x1p-23f,
                               0.1f,   0x1p126f,    0x1p125f,  kFloatMax, 1e38f,    0x1p103f,
                               3e-39f, 16777216.0f, 0x1.8p-24f};
    for (int i = 0; i < 40; ++i)
        numbers.push_back(std::ldexp(random.range(0.5f, 1.0f), int(random.below(60)) - 30));
    for (const float x : numbers)
        for (const float y : numbers)
            for (const float a : {x, -x})
                for (const float b : {y, -y}) {
                    const Wide sum = Wide(a) + Wide(b);
                    // Too far apart for the digits of `Wide`: the smaller one only says on which side the sum
                    // lies.
                    if (sum - Wide(a) != Wide(b) || sum - Wide(b) != Wide(a)) {
                        const bool a_counts = std::abs(a) > std::abs(b);
                        const float larger = a_counts ? a : b, smaller = a_counts ? b : a;
                        EXPECT_EQ(add_up(a, b), smaller > 0 ? next_up(larger) : larger) << a << " + " << b;
                        EXPECT_EQ(add_down(a, b), smaller < 0 ? next_down(larger) : larger)
                            << a << " + " << b;
                        continue;
                    }
                    EXPECT_EQ(add_up(a, b), least_not_below(sum)) << a << " + " << b;
                    EXPECT_EQ(add_down(a, b), -least_not_below(-sum)) << a << " + " << b;
                }
}

TEST(Rounding, ManyNumbers) {
    test::Random random(7);
    for (int i = 0; i < 5000; ++i) {
        ExactSum sum;
        Wide exact = 0;
        const int terms = 2 + int(random.below(6));
        for (int k = 0; k < terms; ++k) {
            // Of few digits and far apart, so that what is rounded away matters, and often ends at a float.
            const double x = std::ldexp(double(random.below(15)) - 7.0, int(random.below(4)) * -25);
            sum.add(x);
            exact += x;
        }
        EXPECT_EQ(sum.up(), least_not_below(exact));
        EXPECT_EQ(sum.down(), -least_not_below(-exact));
    }
    // What is left of small terms completes a float.
    for (const int small : {3, 4, 5}) {
        ExactSum sum;
        sum.add(1.0 - 0x1p-53);
        for (int k = 0; k < small; ++k)
            sum.add(0x1p-55);
        EXPECT_EQ(sum.up(), small <= 4 ? 1.0f : next_up(1.0f)) << small;
        EXPECT_EQ(sum.down(), small < 4 ? next_down(1.0f) : 1.0f) << small;
    }
    ExactSum infinite;
    infinite.add(std::numeric_limits<double>::infinity());
    EXPECT_EQ(infinite.up(), kFloatInf);
    ExactSum large;
    large.add(double{kFloatMax});
    large.add(1.0);
    EXPECT_EQ(large.up(), kFloatInf);
    EXPECT_EQ(large.down(), kFloatMax);
}

TEST(Rounding, WhatCancellationLeavesIsInTheBox) {
    // 1 + 2^-75 - 1: nothing but the rounding of the first sum is left.
    glm::mat4x3 affine(1.0f);
    for (const float tiny : {0x1p-75f, -0x1p-75f}) {
        affine[0] = glm::vec3(tiny, 0, 0);
        affine[1] = glm::vec3(-1, 1, 0);
        affine[3] = glm::vec3(1, 0, 0);
        const Aabb box = transformed(Aabb{glm::vec3(1), glm::vec3(1)}, affine);
        EXPECT_EQ(box.min.x, tiny);
        EXPECT_EQ(box.max.x, tiny);
    }
}

}  // namespace
}  // namespace bv::detail
