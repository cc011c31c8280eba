// The five rules that spare tests, against every box compared with every other: what they find, what they
// give up, and how many tests they leave, counted here from the definition of each rule.
#include "bv/broadphase/pair_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "tree_test_util.hpp"

namespace bv {
namespace {

using test::Random;
using Pair = std::pair<std::uint32_t, std::uint32_t>;

/// Boxes with coordinates in quarters, so that many touch exactly; some rest, some lie in one place.
std::vector<RuledBody> crowd(Random& rng, int count, float spread) {
    const auto quarter = [&](float low, float high) {
        return 0.25f * std::floor(4.0f * rng.range(low, high));
    };
    std::vector<RuledBody> bodies;
    for (int i = 0; i < count; ++i) {
        const glm::vec3 center(quarter(-spread, spread), quarter(-1, 1), quarter(-spread, spread));
        const glm::vec3 half(quarter(0, 1.5f), quarter(0, 1), quarter(0, 1.5f));
        const bool rests = rng.chance(0.3);
        bodies.push_back({{center - half, center + half},
                          rests ? glm::vec3(0.0f) : glm::vec3(rng.range(-2, 2), 0.0f, rng.range(-2, 2)),
                          rests});
    }
    return bodies;
}

bool truly_overlap(const Aabb& a, const Aabb& b) {
    for (int k = 0; k < 3; ++k)
        if (a.max[k] < b.min[k] || b.max[k] < a.min[k]) return false;
    return true;
}
double center_of(const RuledBody& body, int axis) {
    return 0.5 * (double(body.box.min[axis]) + double(body.box.max[axis]));
}
bool part(const RuledBody& a, const RuledBody& b) {
    double sum = 0;
    for (int k = 0; k < 3; ++k)
        sum += (center_of(b, k) - center_of(a, k)) * (double(b.velocity[k]) - double(a.velocity[k]));
    return sum > 0;
}
bool far_apart(const RuledBody& a, const RuledBody& b) {
    double distance = 0, radius[2] = {0, 0};
    for (int k = 0; k < 3; ++k) {
        distance += std::pow(center_of(b, k) - center_of(a, k), 2);
        radius[0] += std::pow(0.5 * (double(a.box.max[k]) - double(a.box.min[k])), 2);
        radius[1] += std::pow(0.5 * (double(b.box.max[k]) - double(b.box.min[k])), 2);
    }
    const double gap = std::sqrt(distance) - std::sqrt(radius[0]) - std::sqrt(radius[1]);
    EXPECT_TRUE(std::abs(gap) > 1e-11 || std::abs(gap) < 1e-14) << "too close to tell";
    return gap > 1e-12;
}

PairRules rules_of(unsigned bits) {
    return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0, (bits & 16) != 0};
}

TEST(PairRules, FindWhatTheyPromiseToFind) {
    Random rng(1);
    std::size_t found = 0, given_up = 0;
    for (int n = 0; n < 300 && !HasFailure(); ++n) {
        const auto bodies = crowd(rng, n % 60, n % 3 == 0 ? 2.0f : 8.0f);
        for (unsigned bits = 0; bits < 32; ++bits) {
            const PairRules rules = rules_of(bits);
            std::vector<Pair> expected;
            for (std::uint32_t a = 0; a < bodies.size(); ++a)
                for (std::uint32_t b = a + 1; b < bodies.size(); ++b) {
                    if (!truly_overlap(bodies[a].box, bodies[b].box)) continue;
                    const bool left = (rules.resting && bodies[a].rests && bodies[b].rests) ||
                                      (rules.behind && part(bodies[a], bodies[b]));
                    given_up += left;
                    if (!left) expected.emplace_back(a, b);
                }
            RuledPairs out, again;
            find_pairs_by_rules(bodies, rules, out);
            EXPECT_EQ(out.pairs, expected) << bits << " of " << bodies.size();
            found += expected.size();
            Recording trace;
            find_pairs_by_rules(bodies, rules, again, trace);
            EXPECT_EQ(again.pairs, out.pairs);
            EXPECT_EQ(again.cells, out.cells);
            EXPECT_EQ(again.boxes_tested, out.boxes_tested);
            EXPECT_EQ(again.points_compared, out.points_compared);
            EXPECT_EQ(again.directions_compared, out.directions_compared);
            EXPECT_EQ(again.sides_compared, out.sides_compared);
        }
    }
    EXPECT_GT(found, 1000u);
    EXPECT_GT(given_up, 1000u);
}

TEST(PairRules, LeaveTheTestsThatTheirDefinitionLeaves) {
    Random rng(2);
    for (int n = 0; n < 200 && !HasFailure(); ++n) {
        const auto bodies = crowd(rng, 2 + n % 40, 6.0f);
        for (unsigned bits = 0; bits < 32; ++bits) {
            const PairRules rules = rules_of(bits);
            if (rules.planes) continue;
            std::uint64_t tests = 0, points = 0, directions = 0;
            for (std::uint32_t a = 0; a < bodies.size(); ++a)
                for (std::uint32_t b = 0; b < bodies.size(); ++b) {
                    if (a == b || (rules.resting && bodies[a].rests)) continue;
                    if (rules.once && b < a && !(rules.resting && bodies[b].rests)) continue;
                    directions += rules.behind;
                    if (rules.behind && part(bodies[a], bodies[b])) continue;
                    points += rules.points;
                    if (rules.points && far_apart(bodies[a], bodies[b])) continue;
                    ++tests;
                }
            RuledPairs out;
            find_pairs_by_rules(bodies, rules, out);
            EXPECT_EQ(out.boxes_tested, tests) << bits;
            EXPECT_EQ(out.points_compared, points) << bits;
            EXPECT_EQ(out.directions_compared, directions) << bits;
            EXPECT_EQ(out.sides_compared, 0u);
            EXPECT_TRUE(out.cells.empty());
        }
    }
}

TEST(PairRules, PlanesHalveSpace) {
    Random rng(3);
    std::uint64_t with = 0, without = 0;
    for (int n = 0; n < 200 && !HasFailure(); ++n) {
        const auto bodies = crowd(rng, 5 + n % 60, 12.0f);
        RuledPairs out, plain;
        Recording trace;
        find_pairs_by_rules(bodies, {.planes = true, .once = true}, out, trace);
        find_pairs_by_rules(bodies, {.once = true}, plain);
        with += out.boxes_tested;
        without += plain.boxes_tested;
        ASSERT_LE(out.cells.size(), 16u);
        // Each body is in exactly the cells that its box reaches into, and the cells share no inside.
        std::set<Pair> reached;
        for (const TraceEvent& event : trace.events())
            if (const auto* e = std::get_if<CellFilled>(&event)) {
                EXPECT_EQ(e->cell, out.cells[e->number]);
                EXPECT_TRUE(reached.emplace(e->number, e->box).second);
            }
        std::uint64_t tests = 0;
        std::set<Pair> met;
        for (std::uint32_t c = 0; c < out.cells.size(); ++c)
            for (std::uint32_t i = 0; i < bodies.size(); ++i) {
                EXPECT_EQ(reached.contains({c, i}), truly_overlap(out.cells[c], bodies[i].box));
                for (std::uint32_t j = i + 1; j < bodies.size(); ++j)
                    if (reached.contains({c, i}) && reached.contains({c, j}))
                        tests += met.emplace(i, j).second;
            }
        EXPECT_EQ(out.boxes_tested, tests);
        for (std::size_t c = 0; c < out.cells.size(); ++c)
            for (std::size_t d = c + 1; d < out.cells.size(); ++d) {
                bool inside = true;
                for (int k = 0; k < 3; ++k)
                    inside = inside && out.cells[c].max[k] > out.cells[d].min[k] &&
                             out.cells[d].max[k] > out.cells[c].min[k];
                EXPECT_FALSE(inside) << "cells overlap";
            }
    }
    EXPECT_LT(with * 2, without);
}

TEST(PairRules, EachQuestionHasOneEvent) {
    Random rng(4);
    for (int n = 0; n < 200 && !HasFailure(); ++n) {
        const auto bodies = crowd(rng, n % 30, 5.0f);
        for (unsigned bits = 0; bits < 32; ++bits) {
            const PairRules rules = rules_of(bits);
            RuledPairs out;
            Recording trace;
            find_pairs_by_rules(bodies, rules, out, trace);
            std::uint64_t tested = 0, behind = 0, far = 0;
            for (const TraceEvent& event : trace.events()) {
                if (const auto* e = std::get_if<BoxesTested>(&event)) {
                    ++tested;
                    EXPECT_EQ(e->verdict == BoxesTested::Verdict::Pair,
                              truly_overlap(bodies[e->a].box, bodies[e->b].box));
                    EXPECT_EQ(e->cell == BoxesTested::kNoCell, !rules.planes);
                }
                const auto* e = std::get_if<PairSpared>(&event);
                if (!e) continue;
                switch (e->rule) {
                    case PairSpared::Rule::Resting:
                        EXPECT_TRUE(rules.resting && bodies[e->a].rests);
                        EXPECT_EQ(e->b, PairSpared::kNobody);
                        break;
                    case PairSpared::Rule::Once:
                        EXPECT_TRUE(rules.once);
                        break;
                    case PairSpared::Rule::Behind:
                        ++behind;
                        EXPECT_TRUE(rules.behind && part(bodies[e->a], bodies[e->b]) && e->by > 0);
                        break;
                    case PairSpared::Rule::Points:
                        ++far;
                        EXPECT_TRUE(rules.points && far_apart(bodies[e->a], bodies[e->b]) && e->by > 0);
                        break;
                }
            }
            EXPECT_EQ(tested, out.boxes_tested);
            EXPECT_EQ(tested + far, rules.points ? out.points_compared : tested);
            EXPECT_EQ(tested + far + behind, rules.behind ? out.directions_compared : tested + far);
        }
    }
}

TEST(PairRules, LoseNoPairToRounding) {
    // Boxes that meet in one corner, far from the origin: the centers are as far apart as the radii together.
    Random rng(5);
    for (int n = 0; n < 20000; ++n) {
        const glm::vec3 corner(rng.range(-1e6f, 1e6f), rng.range(-1, 1), rng.range(-1e3f, 1e3f));
        const glm::vec3 to = corner + glm::vec3(rng.range(0, 3), rng.range(0, 3), rng.range(0, 3));
        const glm::vec3 from = corner - (to - corner);
        const std::vector<RuledBody> bodies = {{{from, corner}}, {{corner, to}}};
        RuledPairs out;
        find_pairs_by_rules(bodies, {.points = true, .planes = true, .once = true}, out);
        ASSERT_EQ(out.pairs.size(), 1u) << n;
    }
}

TEST(PairRules, SkipWhatHasNoBox) {
    const float nan = NAN, inf = INFINITY;
    std::vector<RuledBody> bodies(3, {{glm::vec3(0), glm::vec3(1)}});
    RuledPairs out;
    const PairRules all = rules_of(31);
    find_pairs_by_rules(bodies, all, out);
    EXPECT_EQ(out.pairs.size(), 3u);
    for (const Aabb& box :
         {Aabb{}, Aabb{glm::vec3(nan), glm::vec3(1)}, Aabb{glm::vec3(0), glm::vec3(1, inf, 1)}}) {
        bodies[1].box = box;
        find_pairs_by_rules(bodies, all, out);
        EXPECT_EQ(out.pairs, (std::vector<Pair>{{0, 2}}));
    }
    bodies[1] = {{glm::vec3(0), glm::vec3(1)}, glm::vec3(nan)};
    find_pairs_by_rules(bodies, all, out);
    EXPECT_EQ(out.pairs.size(), 3u) << "a velocity that is not known is no reason to leave out a test";
    find_pairs_by_rules({}, all, out);
    EXPECT_TRUE(out.pairs.empty());
    EXPECT_TRUE(out.cells.empty());
    EXPECT_EQ(out.boxes_tested, 0u);
}

}  // namespace
}  // namespace bv
