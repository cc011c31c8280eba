// Polygons cut into triangles, against areas by the shoelace formula and shapes whose area is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "io/meshes/formats/triangulate.hpp"
#include "workloads/random.hpp"

namespace lab::io {
namespace {

using bv::workloads::Random;
using Points = std::vector<glm::vec2>;
using Corners = std::vector<glm::vec3>;

double shoelace(const Points& p) {
    double twice = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const glm::dvec2 a(p[i]);
        const glm::dvec2 b(p[(i + 1) % p.size()]);
        twice += a.x * b.y - a.y * b.x;
    }
    return twice / 2.0;
}

/// Half the sum of the cross products of neighbors: for a plane polygon its area along its normal.
glm::dvec3 area_vector(const Corners& p) {
    glm::dvec3 twice(0.0);
    for (std::size_t i = 0; i < p.size(); ++i)
        twice += glm::cross(glm::dvec3(p[i]), glm::dvec3(p[(i + 1) % p.size()]));
    return twice / 2.0;
}

Corners lifted(const Points& points) {
    Corners corners;
    for (const glm::vec2& p : points)
        corners.emplace_back(p.x, p.y, 0.0f);
    return corners;
}

glm::vec3 in_cube(Random& random) {
    const float x = random.uniform();
    const float y = random.uniform();
    return {x, y, random.uniform()};
}

struct Sum {
    std::size_t triangles = 0;
    glm::dvec3 signed_area{0.0};
    double area = 0.0;
    std::size_t turned = 0;  ///< Triangles that face away from the polygon.
    std::set<std::uint32_t> used;
};

Sum cut(const Corners& corners, const glm::dvec3& normal) {
    Triangulator triangulator;
    Sum sum;
    for (const auto& [a, b, c] : triangulator.run(corners)) {
        const glm::dvec3 origin(corners.at(a));
        const glm::dvec3 area =
            0.5 * glm::cross(glm::dvec3(corners.at(b)) - origin, glm::dvec3(corners.at(c)) - origin);
        ++sum.triangles;
        sum.signed_area += area;
        sum.area += glm::length(area);
        sum.turned += glm::dot(area, normal) < 0.0;
        if (area != glm::dvec3(0.0)) sum.used.insert({a, b, c});
    }
    return sum;
}

/// Both ways around, begun at several corners, and in all three coordinate planes.
void expect_covered(const Points& points, double area, const std::string& name, bool every_corner = true) {
    const std::size_t count = points.size();
    for (const std::size_t start : {std::size_t{0}, count / 3, count - 1}) {
        for (const int direction : {0, 1, 2, 3, 4, 5}) {
            Corners corners;
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t k = (start + (direction < 3 ? i : count - i)) % count;
                glm::vec3 p(0.5f);
                p[direction % 3] = points[k].x;
                p[(direction + 1) % 3] = points[k].y;
                corners.push_back(p);
            }
            const Sum sum = cut(corners, area_vector(corners));
            EXPECT_EQ(sum.triangles, count - 2) << name;
            EXPECT_NEAR(sum.area, area, 1e-9 * area)
                << name << ", from corner " << start << ", way " << direction;
            EXPECT_EQ(sum.turned, 0u) << name << ", from corner " << start << ", way " << direction;
            if (every_corner) {
                EXPECT_EQ(sum.used.size(), count) << name << ", from corner " << start;
            }
        }
        if (count > 1000) break;
    }
}

Points star(std::size_t tips, double inner) {
    Points points;
    for (std::size_t i = 0; i < 2 * tips; ++i) {
        const double angle = std::numbers::pi * static_cast<double>(i) / static_cast<double>(tips);
        const double r = i % 2 == 0 ? 1.0 : inner;
        points.emplace_back(r * std::cos(angle), r * std::sin(angle));
    }
    return points;
}

/// `teeth` teeth, each leaning by `lean`, on a bar of height 1: area 2 per tooth for the bar, `height` for
/// the tooth.
Points comb(std::size_t teeth, float height, float lean) {
    Points points;
    for (std::size_t i = 0; i < teeth; ++i) {
        const auto x = static_cast<float>(2 * i);
        points.insert(points.end(), {{x, 0}, {x + lean, height}, {x + 1 + lean, height}, {x + 1, 0}});
    }
    points.insert(points.end(),
                  {{static_cast<float>(2 * teeth), 0}, {static_cast<float>(2 * teeth), -1}, {0, -1}});
    return points;
}

/// A corridor that winds around itself, half as wide as the distance of its turns: two walls of `steps`
/// corners.
Points spiral(std::size_t steps) {
    Points points;
    const auto corner = [](std::size_t step, double shift) {
        const double turns = static_cast<double>(step) / 24.0;
        const double angle = 2.0 * std::numbers::pi * turns;
        return glm::vec2((1.0 + turns + shift) * std::cos(angle), (1.0 + turns + shift) * std::sin(angle));
    };
    for (std::size_t i = 0; i < steps; ++i)
        points.push_back(corner(i, 0.5));
    for (std::size_t i = steps; i > 0; --i)
        points.push_back(corner(i - 1, 0.0));
    return points;
}

/// The outline of unit cells grown at random without holes: long straight edges with corners on them.
Points cells(Random& random, int count) {
    constexpr int kSize = 40;
    std::vector<char> full(kSize * kSize, 0);
    const auto cell = [&](int x, int y) -> char& { return full[static_cast<std::size_t>(y * kSize + x)]; };
    cell(kSize / 2, kSize / 2) = 1;
    int have = 1;
    for (int tries = 0; have < count && tries < 100'000; ++tries) {
        const int x = 1 + static_cast<int>(random.below(kSize - 2));
        const int y = 1 + static_cast<int>(random.below(kSize - 2));
        if (cell(x, y)) continue;
        // Around the cell, full ones must follow each other: then neither a hole nor a touching corner
        // arises.
        constexpr int kRing[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
        int changes = 0;
        int sides = 0;
        for (int i = 0; i < 8; ++i) {
            const bool here = cell(x + kRing[i][0], y + kRing[i][1]) != 0;
            const bool next = cell(x + kRing[(i + 1) % 8][0], y + kRing[(i + 1) % 8][1]) != 0;
            changes += here != next;
            sides += i % 2 == 0 && here;
        }
        if (sides == 0 || changes != 2) continue;
        cell(x, y) = 1;
        ++have;
    }
    // Walk along the outline with the cells to the left.
    int x = 0;
    int y = 0;
    while (!cell(x, y))
        x = (x + 1) % kSize, y += x == 0;
    const glm::ivec2 start(x, y);
    glm::ivec2 at = start;
    glm::ivec2 direction(1, 0);
    Points points;
    do {
        points.emplace_back(at);
        at += direction;
        const auto filled = [&](const glm::ivec2& corner) { return cell(corner.x, corner.y) != 0; };
        const glm::ivec2 left(-direction.y, direction.x);
        // Cells ahead, named by their lowest corner.
        const auto ahead = [&](const glm::ivec2& side) {
            return at + glm::ivec2(std::min({0, direction.x + side.x < 0 ? -1 : 0}),
                                   std::min({0, direction.y + side.y < 0 ? -1 : 0}));
        };
        if (filled(ahead(-left)))
            direction = -left;
        else if (!filled(ahead(left)))
            direction = left;
    } while (at != start);
    EXPECT_DOUBLE_EQ(shoelace(points), have);
    return points;
}

TEST(Triangulator, CoversShapesOfKnownArea) {
    expect_covered({{0, 0}, {1, 0}, {0, 1}}, 0.5, "triangle");
    expect_covered({{0, 0}, {2, 0}, {0.5, 0.5}, {0, 2}}, 1.0, "dart");
    expect_covered({{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 5}, {0, 5}}, 8.0, "L");
    expect_covered({{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}, 4.0,
                   "square with midpoints");
    expect_covered({{0, 0}, {3, 0}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}}, 7.0, "U");
    expect_covered({{0, 0}, {4, 0}, {4, 4}, {2, 1}, {0, 4}}, 10.0, "M");
    expect_covered(comb(7, 5, 0), 7 * (5 + 2), "comb");
    expect_covered(comb(7, 5, 9), 7 * (5 + 2), "leaning comb");
    expect_covered(star(5, 0.3), shoelace(star(5, 0.3)), "star");
    expect_covered(spiral(4), std::abs(shoelace(spiral(4))), "short spiral");
    expect_covered(spiral(100), std::abs(shoelace(spiral(100))), "spiral");
}

TEST(Triangulator, CoversRandomStarsAndCells) {
    Random random(12);
    for (int round = 0; round < 200; ++round) {
        Points points;
        const std::uint32_t count = 3 + random.below(60);
        for (std::uint32_t i = 0; i < count; ++i) {
            const double angle = 2.0 * std::numbers::pi * i / count;
            const double r = (0.05 + 0.95 * random.uniform());
            points.emplace_back(r * std::cos(angle), r * std::sin(angle));
        }
        expect_covered(points, std::abs(shoelace(points)), "star " + std::to_string(round));
        const Points outline = cells(random, 2 + static_cast<int>(random.below(200)));
        expect_covered(outline, shoelace(outline), "cells " + std::to_string(round));
    }
}

TEST(Triangulator, AHundredThousandCorners) {
    constexpr std::size_t kCount = 100'000;
    Random random(3);
    Points zigzag;
    for (std::size_t i = 0; i < kCount / 2; ++i)
        zigzag.emplace_back(static_cast<float>(i), static_cast<float>(i % 2));
    for (std::size_t i = kCount / 2; i > 0; --i)
        zigzag.emplace_back(static_cast<float>(i - 1), static_cast<float>((i - 1) % 2) + 1.5f);
    Points crowded = star(kCount / 2, 0.5);
    crowded[0] = {1e6f, 0.0f};  // all others fall into one corner of the extents
    for (const auto& [name, points] :
         {std::pair{"star", star(kCount / 2, 0.5)}, std::pair{"circle", star(kCount / 2, 1.0)},
          std::pair{"comb", comb(kCount / 4, 50'000, 0)},
          std::pair{"leaning comb", comb(kCount / 4, 50'000, 200'000)},
          std::pair{"spiral", spiral(kCount / 2)}, std::pair{"zigzag", zigzag},
          std::pair{"crowded star", crowded}}) {
        const Corners corners = lifted(points);
        const double area = std::abs(shoelace(points));
        const Sum sum = cut(corners, area_vector(corners));
        EXPECT_EQ(sum.triangles, points.size() - 2) << name;
        EXPECT_NEAR(sum.area, area, 1e-6 * area) << name;
        EXPECT_EQ(sum.turned, 0u) << name;
    }
    // What has no area, or crosses itself everywhere, comes to an end, too.
    Corners same(kCount, glm::vec3(1.0f));
    EXPECT_EQ(cut(same, {0, 0, 1}).area, 0.0);
    Corners line;
    Corners wild;
    for (std::size_t i = 0; i < kCount; ++i) {
        line.emplace_back(static_cast<float>(random.below(1000)), 0.0f, 0.0f);
        wild.push_back(in_cube(random));
    }
    EXPECT_EQ(cut(line, {0, 0, 1}).area, 0.0);
    const Sum sum = cut(wild, {0, 0, 1});
    EXPECT_EQ(sum.triangles, kCount - 2);
    EXPECT_LT(glm::length(sum.signed_area - area_vector(wild)), 1e-6);
}

TEST(Triangulator, BentFacesKeepTheirShadow) {
    Random random(8);
    for (int round = 0; round < 200; ++round) {
        Points outline = star(5 + random.below(30), 0.4);
        Corners corners;
        const glm::mat3 turn = random.rotation();
        for (const glm::vec2& p : outline)
            corners.push_back(turn * glm::vec3(p.x, p.y, random.uniform(-0.01f, 0.01f)) + 3.0f);
        const Sum sum = cut(corners, glm::dvec3(turn[2]));
        EXPECT_LT(glm::length(sum.signed_area - area_vector(corners)), 1e-9);
        EXPECT_NEAR(glm::dot(sum.signed_area, glm::dvec3(turn[2])), shoelace(outline), 1e-5);
        EXPECT_NEAR(sum.area, shoelace(outline), 0.03);
        EXPECT_EQ(sum.turned, 0u) << round;
        EXPECT_EQ(sum.used.size(), corners.size());
    }
}

TEST(Triangulator, LeavesHolesThatAreJoinedToTheOutlineOpen) {
    // A square of 10 with square holes of 1, each joined by an edge that is walked both ways.
    for (int holes = 1; holes <= 4; ++holes) {
        Points points{{0, 0}};
        for (int i = 0; i < holes; ++i) {
            const auto x = static_cast<float>(2 * i + 1);
            points.insert(points.end(), {{x, 0}, {x, 2}, {x, 3}, {x + 1, 3}, {x + 1, 2}, {x, 2}, {x, 0}});
        }
        points.insert(points.end(), {{10, 0}, {10, 10}, {0, 10}});
        EXPECT_DOUBLE_EQ(shoelace(points), 100.0 - holes);
        expect_covered(points, 100.0 - holes, std::to_string(holes) + " holes from an edge", false);
    }
    // From one corner of the square to one of the hole, and a hole within sight of another.
    expect_covered({{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 0}, {3, 3}, {3, 6}, {6, 6}, {6, 3}, {3, 3}}, 72.0,
                   "hole at a corner", false);
    expect_covered({{0, 0},
                    {9, 0},
                    {9, 9},
                    {0, 9},
                    {0, 0},
                    {1, 1},
                    {1, 2},
                    {2, 2},
                    {4, 4},
                    {4, 5},
                    {5, 5},
                    {5, 4},
                    {4, 4},
                    {2, 2},
                    {2, 1},
                    {1, 1}},
                   79.0, "hole behind a hole", false);
    // Two squares that touch at a corner.
    expect_covered({{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}, {1, 2}, {1, 1}, {0, 1}}, 2.0, "two squares",
                   false);
    // A notch whose tip touches the opposite edge.
    expect_covered({{0, 0}, {2, 0}, {4, 0}, {4, 2}, {3, 2}, {2, 0}, {1, 2}, {0, 2}}, 6.0,
                   "notch down to the edge", false);
    expect_covered({{0, 0}, {4, 0}, {4, 2}, {3, 2}, {2, 0}, {1, 2}, {0, 2}}, 6.0, "notch onto the edge",
                   false);
}

TEST(Triangulator, RepeatedCornersAndDeadEndsHaveNoArea) {
    const Points square{{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    for (std::size_t at = 0; at < 4; ++at) {
        Points repeated = square;
        repeated.insert(repeated.begin() + static_cast<std::ptrdiff_t>(at), 3, square[at]);
        expect_covered(repeated, 4.0, "repeated corner", false);
        for (const glm::vec2 tip : {glm::vec2(1, 1), glm::vec2(5, 7), glm::vec2(1, 0), glm::vec2(-1, -1)}) {
            Points spiked = square;
            spiked.insert(spiked.begin() + static_cast<std::ptrdiff_t>(at) + 1, {tip, square[at]});
            expect_covered(spiked, 4.0, "dead end", false);
        }
    }
}

TEST(Triangulator, FacesThatCrossThemselvesKeepTheirAreaVector) {
    EXPECT_EQ(glm::length(cut(lifted({{0, 0}, {1, 1}, {1, 0}, {0, 1}}), {0, 0, 1}).signed_area), 0.0);
    const Points pentagram{{0, 1}, {0.59f, -0.81f}, {-0.95f, 0.31f}, {0.95f, 0.31f}, {-0.59f, -0.81f}};
    EXPECT_NEAR(cut(lifted(pentagram), {0, 0, 1}).signed_area.z, shoelace(pentagram), 1e-12);
    Points twice = star(50, 1.0);
    twice.insert(twice.end(), twice.begin(), twice.end());
    EXPECT_NEAR(cut(lifted(twice), {0, 0, 1}).signed_area.z, shoelace(twice), 1e-9);
    Random random(5);
    for (int round = 0; round < 2000; ++round) {
        Corners corners;
        const std::uint32_t count = 3 + random.below(40);
        const bool lattice = random.chance(0.5f);
        for (std::uint32_t i = 0; i < count; ++i)
            corners.push_back(lattice ? glm::vec3(random.below(4), random.below(4), 0) : in_cube(random));
        const Sum sum = cut(corners, {0, 0, 1});
        ASSERT_EQ(sum.triangles, count - 2);
        ASSERT_LT(glm::length(sum.signed_area - area_vector(corners)), 1e-9) << round;
    }
}

TEST(Triangulator, FewCornersAreNothing) {
    Triangulator triangulator;
    for (std::size_t count = 0; count < 3; ++count)
        EXPECT_TRUE(triangulator.run(Corners(count, glm::vec3(1.0f))).empty());
    EXPECT_EQ(triangulator.run(Corners(3, glm::vec3(1.0f))).size(), 1u);
}

}  // namespace
}  // namespace lab::io
