// Every fit of the catalog away from the origin and at other scales.
//
// A set is translated so that all its coordinates remain exact floats, and back without rounding: both fits
// then see the same set, and may differ only by the rounding of a position there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <variant>
#include <vector>

#include "bv/fit/aabb.hpp"
#include "bv/fit/catalog.hpp"
#include "bv/fit/hull.hpp"
#include "bv/fit/kdop.hpp"
#include "bv/fit/obb.hpp"
#include "bv/fit/sphere.hpp"
#include "fit_test_util.hpp"

namespace bv::test {
namespace {

using fit::Volume;
using Points = std::vector<glm::vec3>;

constexpr double kEps = 0x1p-22;

// The set far away, the same set at the origin, and the spacing of floats at its position.
struct FarSet {
    std::string name;
    Points far;
    Points near;
    double ulp = 0.0;
    double size = 0.0;
};

double spacing_at(float x) {
    return static_cast<double>(std::nextafterf(std::abs(x), std::numeric_limits<float>::infinity())) -
           static_cast<double>(std::abs(x));
}

float largest_coordinate(const Points& points) {
    float largest = 0.0f;
    for (const glm::vec3& p : points)
        for (int k = 0; k < 3; ++k)
            largest = std::max(largest, std::abs(p[k]));
    return largest;
}

double size_of(const Points& points) {
    glm::dvec3 low(std::numeric_limits<double>::infinity()), high = -low;
    for (const glm::vec3& p : points) {
        low = glm::min(low, glm::dvec3(p));
        high = glm::max(high, glm::dvec3(p));
    }
    return points.empty() ? 0.0 : glm::length(high - low);
}

// False if the set cannot be moved back without rounding.
bool make_far(const Points& at_origin, const glm::vec3& shift, FarSet& set) {
    set.far.clear();
    set.near.clear();
    for (const glm::vec3& p : at_origin) {
        const glm::vec3 moved = p + shift;
        const glm::dvec3 back = glm::dvec3(moved) - glm::dvec3(shift);
        if (glm::dvec3(glm::vec3(back)) != back) return false;
        set.far.push_back(moved);
        set.near.emplace_back(back);
    }
    set.ulp = spacing_at(largest_coordinate(set.far));
    set.size = size_of(set.near);
    return true;
}

Points unit_sized(const Points& points) {
    Points result;
    const double size = size_of(points);
    if (points.empty()) return result;
    const glm::dvec3 first(points.front());
    for (const glm::vec3& p : points) {
        const glm::dvec3 d = glm::dvec3(p) - first;
        result.emplace_back(size > 0.0 ? d / size : d);
    }
    return result;
}

std::vector<NamedCloud> clouds() {
    std::vector<NamedCloud> all = kind_clouds(60);
    NamedCloud cube{"cube", {}}, turned_cube{"turned cube", {}}, lattice{"lattice", {}};
    Random random(3);
    const glm::dmat3 turn = random.rotation_in_double();
    for (int i = 0; i < 8; ++i) {
        const glm::vec3 corner(i & 1, (i >> 1) & 1, (i >> 2) & 1);
        cube.points.push_back(corner);
        turned_cube.points.emplace_back(turn * glm::dvec3(corner));
    }
    for (int i = 0; i < 27; ++i)
        lattice.points.emplace_back(i % 3, i / 3 % 3, i / 9);
    for (NamedCloud* cloud : {&cube, &turned_cube, &lattice})
        all.push_back(std::move(*cloud));
    for (const NamedCloud& mesh : mesh_clouds())
        if (mesh.points.size() <= 400) all.push_back(mesh);
    return all;
}

template <class Check>
void for_each_far_set(const Check& check) {
    Random random(17);
    const glm::vec3 directions[] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {1, -1, 1}};
    int made = 0;
    for (const NamedCloud& cloud : clouds()) {
        if (cloud.points.empty()) continue;
        const Points unit = unit_sized(cloud.points);
        for (const float distance : {0.0f, 1e3f, 1e5f, 1e6f, 1e7f}) {
            // Also sets the size of a few spacings of floats there, where most points coincide.
            const float ulp = static_cast<float>(spacing_at(distance));
            for (const float size : {40.0f, 1.0f, 9.0f * ulp, 2.0f * ulp}) {
                if (distance == 0.0f && size < 1.0f) continue;
                const glm::vec3& direction = directions[made % 4];
                FarSet set;
                const glm::vec3 shift =
                    glm::vec3(glm::dvec3(direction) * static_cast<double>(distance)) * 1.0009765625f;
                if (!make_far(scaled(unit, size), shift, set)) continue;
                set.name = cloud.name + " of size " + std::to_string(size) + " at " +
                           std::to_string(shift.x) + " " + std::to_string(shift.y) + " " +
                           std::to_string(shift.z);
                ++made;
                check(set);
            }
        }
    }
    EXPECT_GT(made, 400);
}

template <class... Fs>
struct Overloaded : Fs... {
    using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

double pi() {
    return std::numbers::pi;
}

// Volume after every extent grows by `more` on each side.
double grown_volume(const Volume& volume, double more) {
    return std::visit(
        Overloaded{
            [&](const Sphere& s) {
                const double r = static_cast<double>(s.radius) + more;
                return 4.0 / 3.0 * pi() * r * r * r;
            },
            [&](const Aabb& b) {
                const glm::dvec3 e = glm::dvec3(b.max) - glm::dvec3(b.min) + 2.0 * more;
                return e.x * e.y * e.z;
            },
            [&](const Obb& b) {
                const glm::dvec3 e = 2.0 * (glm::dvec3(b.half_extents) + more);
                return e.x * e.y * e.z;
            },
            [&](const Capsule& c) {
                const double r = static_cast<double>(c.radius) + more;
                const double length = glm::distance(glm::dvec3(c.a), glm::dvec3(c.b)) + 2.0 * more;
                return pi() * r * r * (length + 4.0 / 3.0 * r);
            },
            [&](const RectSweptSphere& s) {
                const double r = static_cast<double>(s.radius) + more;
                const glm::dvec2 h = glm::dvec2(s.half_extents) + more;
                return 8.0 * h.x * h.y * r + 2.0 * pi() * r * r * (h.x + h.y) + 4.0 / 3.0 * pi() * r * r * r;
            },
            [&](const Hull& h) { return h.volume(); },
            [&](const auto& dop) {
                double product = 1.0;
                for (std::size_t k = 0; k < dop.min.size(); ++k)
                    product *= static_cast<double>(dop.max[k]) - static_cast<double>(dop.min[k]) + 2.0 * more;
                return product;
            },
        },
        volume);
}

// The number of lengths of which the value above is a product.
int lengths_in(const Volume& volume) {
    return std::visit(
        [](const auto& v) {
            if constexpr (requires { v.direction(0); })
                return static_cast<int>(v.min.size());
            else
                return 3;
        },
        volume);
}

// The growth on each side from storing the volume, in spacings of floats at the position. A rounded center
// moves by half a spacing along each axis, sqrt(3) / 2 in total; sums of three coordinates have up to four
// times the spacing.
double ulps_added(const Volume& volume) {
    return std::visit(
        Overloaded{[](const Aabb&) { return 1.9; }, [](const Hull&) { return 0.0; },
                   [](const Sphere&) { return 0.87; }, [](const Obb&) { return 0.87; },
                   [](const Capsule&) { return 0.87; }, [](const RectSweptSphere&) { return 0.87; },
                   [](const auto&) { return 4.0; }},
        volume);
}

TEST(FitFar, EachVolumeContainsItsPointsAndGrowsByNoMoreThanTheRoundingOfItsPosition) {
    for_each_far_set([](const FarSet& set) {
        for (const fit::FitEntry& row : fit::fit_catalog()) {
            SCOPED_TRACE(std::string(row.id) + ", " + set.name);
            const Volume far = row.fit({set.far, {}});
            const Volume near = row.fit({set.near, {}});
            ASSERT_TRUE(fit::contains_all(far, set.far));
            ASSERT_TRUE(fit::contains_all(near, set.near));
            const double more = ulps_added(near) * set.ulp + kEps * set.size;
            ASSERT_LE(grown_volume(far, 0.0), grown_volume(near, more) * (1.0 + 1e-9));
        }
    });
}

TEST(FitFar, ExactFitsAreNoLargerThanOthersExceptForRoundingOfThePosition) {
    for_each_far_set([](const FarSet& set) {
        SCOPED_TRACE(set.name);
        const double more = 0.87 * set.ulp + kEps * set.size;
        const Sphere ball = fit::sphere_exact(set.far);
        const Obb box = fit::obb_exact(set.far);
        const Volume exact_near = fit::obb_exact(set.near);
        ASSERT_LE(grown_volume(box, 0.0), grown_volume(exact_near, more));
        for (const fit::FitEntry& row : fit::fit_catalog()) {
            SCOPED_TRACE(row.id);
            const Volume other = row.fit({set.far, {}});
            if (const auto* s = std::get_if<Sphere>(&other)) {
                ASSERT_LE(static_cast<double>(ball.radius), static_cast<double>(s->radius) + more);
            }
            if (std::holds_alternative<Obb>(other)) {
                ASSERT_LE(grown_volume(exact_near, 0.0),
                          grown_volume(row.fit({set.near, {}}), kEps * set.size));
            }
        }
        glm::dvec3 low(std::numeric_limits<double>::infinity()), high = -low;
        for (const glm::vec3& p : set.far) {
            low = glm::min(low, glm::dvec3(p));
            high = glm::max(high, glm::dvec3(p));
        }
        const glm::dvec3 extent = high - low + set.ulp;
        ASSERT_LE(grown_volume(box, 0.0), extent.x * extent.y * extent.z * (1.0 + kEps));
    });
}

// Two cases reported by a user.
TEST(FitFar, ReportedCubesStayWithinOneSpacingOfTheirAabb) {
    Points unit, small;
    for (int i = 0; i < 8; ++i) {
        const glm::vec3 corner(i & 1, (i >> 1) & 1, (i >> 2) & 1);
        unit.push_back(glm::vec3(1e5f) + corner);
        small.push_back(glm::vec3(1e6f) + 0.0625f * corner);
    }
    const double unit_side = 1.0 + 0x1p-7, small_side = 0.0625 + 0.0625;
    EXPECT_LE(grown_volume(fit::obb_exact(unit), 0.0), unit_side * unit_side * unit_side);
    EXPECT_LE(grown_volume(fit::obb_exact(small), 0.0), small_side * small_side * small_side);
}

// Powers of two scale floats without rounding, so only an absolute threshold can make a difference.
TEST(FitFar, AnyPowerOfTwoGivesTheSameVolumesScaled) {
    for (const NamedCloud& cloud : clouds()) {
        if (cloud.points.empty()) continue;
        const Points unit = unit_sized(cloud.points);
        for (const fit::FitEntry& row : fit::fit_catalog()) {
            for (const float distance : {0.0f, 1e5f}) {
                Points base;
                for (const glm::vec3& p : unit)
                    base.push_back(p + glm::vec3(distance));
                const Volume at_one = row.fit({base, {}});
                const double volume = grown_volume(at_one, 0.0);
                for (const int exponent : {-66, -40, 40, 66}) {
                    SCOPED_TRACE(std::string(row.id) + ", " + cloud.name + " at " + std::to_string(distance) +
                                 " times 2^" + std::to_string(exponent));
                    const Points other = scaled(base, std::ldexp(1.0f, exponent));
                    const Volume scaled_fit = row.fit({other, {}});
                    ASSERT_TRUE(fit::contains_all(scaled_fit, other));
                    const double back =
                        std::ldexp(grown_volume(scaled_fit, 0.0), -lengths_in(at_one) * exponent);
                    ASSERT_EQ(back, volume);
                }
            }
        }
    }
}

// In the plane: no larger than the box along the coordinate axes, and the same size as at the origin.
TEST(FitFar, RectanglesGrowByNoMoreThanTheRoundingOfTheirPosition) {
    for_each_far_set([](const FarSet& set) {
        SCOPED_TRACE(set.name);
        std::vector<glm::vec2> far, near;
        for (const glm::vec3& p : set.far)
            far.emplace_back(p.x, p.y);
        for (const glm::vec3& p : set.near)
            near.emplace_back(p.x, p.y);
        const double more = 0.71 * set.ulp + kEps * set.size;
        const auto area = [](const Obb2& r, double grown) {
            const glm::dvec2 h = glm::dvec2(r.half_extents) + grown;
            return 4.0 * h.x * h.y;
        };
        for (const auto fit : {fit::obb2_exact, fit::obb2_pca}) {
            const Obb2 r = fit(far);
            ASSERT_LE(area(r, 0.0), area(fit(near), more) * (1.0 + 1e-9));
            for (const glm::vec2& p : far)
                ASSERT_TRUE(contains_point(r, p));
        }
        glm::dvec2 low(std::numeric_limits<double>::infinity()), high = -low;
        for (const glm::vec2& p : near) {
            low = glm::min(low, glm::dvec2(p));
            high = glm::max(high, glm::dvec2(p));
        }
        const glm::dvec2 extent = high - low + 2.0 * more;
        ASSERT_LE(area(fit::obb2_exact(far), 0.0), extent.x * extent.y * (1.0 + kEps));
    });
}

// Refits under a translation: the fit at the origin, stored elsewhere.
TEST(FitFar, RefitsUnderATranslationGrowByNoMoreThanTheRoundingOfTheirPosition) {
    for_each_far_set([](const FarSet& set) {
        SCOPED_TRACE(set.name);
        const glm::vec3 shift = set.far.front() - set.near.front();
        const glm::mat4x3 affine(glm::vec3(1, 0, 0), glm::vec3(0, 1, 0), glm::vec3(0, 0, 1), shift);
        const auto check = [&](const Volume& moved, const Volume& near, double ulps) {
            ASSERT_TRUE(fit::contains_all(moved, set.far)) << fit::id_of(fit::kind_of(near));
            ASSERT_LE(grown_volume(moved, 0.0),
                      grown_volume(near, ulps * set.ulp + kEps * set.size) * (1.0 + 1e-9))
                << fit::id_of(fit::kind_of(near));
        };
        const Obb box = fit::obb_pca(set.near);
        check(fit::aabb_tight(set.near, affine), fit::aabb_tight(set.near), 1.0);
        check(fit::obb_refit(set.near, box, affine), box, 0.87);
        check(fit::kdop<26>(set.near, affine), fit::kdop<26>(set.near), 4.0);
        const Hull hull = fit::hull(set.near);
        fit::ExtremeVertices extremes{};
        check(fit::aabb_extremes(hull, affine, extremes), fit::aabb_tight(set.near), 1.0);
    });
}

}  // namespace
}  // namespace bv::test
