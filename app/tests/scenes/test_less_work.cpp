// Scene `less-work`: tests, pairs and fates in its tables against the same numbers computed here in double
// precision from the boxes and ways that it draws.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "commands/catalog.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "steps/walk.hpp"
#include "workloads/random.hpp"

namespace lab {
namespace {

using glm::dvec3;
using test::run;
using test::table_of;
using Pair = std::pair<std::size_t, std::size_t>;

struct Seen {
    std::vector<bv::Aabb> boxes;
    std::vector<dvec3> displacements;  ///< Zero for bodies that rest.
};
/// What is drawn: boxes in the order of their numbers, each with its displacement.
Seen seen_in(const Session& session) {
    Seen seen;
    for (const Exhibit& e : session.results().exhibits) {
        if (const auto* box = std::get_if<bv::Aabb>(&e.shape);
            box && (e.legend == "selected body" || e.legend == "body at rest" || e.legend == "moving body")) {
            seen.boxes.push_back(*box);
            seen.displacements.emplace_back(0.0);
        }
        if (const auto* displacement = std::get_if<bv::Segment>(&e.shape);
            displacement && e.legend.starts_with("displacement"))
            seen.displacements.back() = dvec3(displacement->b) - dvec3(displacement->a);
    }
    return seen;
}

struct Rules {
    bool points = false, planes = false, once = false, resting = false, behind = false;
};
constexpr std::array kNames = {"points", "planes", "once", "resting", "behind"};
constexpr std::array kRows = {"compare centers first", "partition space", "test each pair once",
                              "resting bodies start no test", "skip bodies moving apart"};
Rules rules_of(unsigned bits) {
    return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0, (bits & 16) != 0};
}

struct Crowd {
    explicit Crowd(const Seen& drawn) : seen(drawn) {}
    dvec3 center(std::size_t i) const { return 0.5 * (dvec3(seen.boxes[i].min) + dvec3(seen.boxes[i].max)); }
    double radius(std::size_t i) const {
        return 0.5 * glm::length(dvec3(seen.boxes[i].max) - dvec3(seen.boxes[i].min));
    }
    bool rests(std::size_t i) const { return seen.displacements[i] == dvec3(0.0); }
    bool touch(std::size_t a, std::size_t b) const {
        for (int k = 0; k < 3; ++k)
            if (seen.boxes[a].max[k] < seen.boxes[b].min[k] || seen.boxes[b].max[k] < seen.boxes[a].min[k])
                return false;
        return true;
    }
    bool part(std::size_t a, std::size_t b) const {
        const double by = glm::dot(center(b) - center(a), seen.displacements[b] - seen.displacements[a]);
        close = close || (std::abs(by) < 1e-5 && by != 0.0);
        return by > 0;
    }
    bool is_far(std::size_t a, std::size_t b) const {
        return glm::length(center(b) - center(a)) > radius(a) + radius(b);
    }
    /// Tests of boxes that the rules leave; not for planes.
    std::uint64_t tests(const Rules& rules) const {
        std::uint64_t count = 0;
        for (std::size_t a = 0; a < seen.boxes.size(); ++a)
            for (std::size_t b = 0; b < seen.boxes.size(); ++b)
                count += a != b && !(rules.resting && rests(a)) &&
                         !(rules.once && b < a && !(rules.resting && rests(b))) &&
                         !(rules.behind && part(a, b)) && !(rules.points && is_far(a, b));
        return count;
    }
    Seen seen;
    mutable bool close = false;  ///< A direction was too close to tell.
};

double number_in(const Table& table, const std::string& row, const std::string& column) {
    const auto at = table.column(column);
    for (const Row& r : table.rows)
        if (at && to_text(r.cells[0]) == row)
            if (const auto* number = std::get_if<Number>(&r.cells[*at])) return number->value;
    ADD_FAILURE() << "no number in " << row << ", " << column;
    return NAN;
}

TEST(LessWork, TablesHoldWhatTheRulesLeave) {
    bv::workloads::Random random(3);
    std::size_t lost = 0, kept = 0;
    for (unsigned bits = 0; bits < 32; ++bits) {
        const int count = 6 + static_cast<int>(random.uniform(0, 40));
        Session session(command_table());
        std::string script = fmt::format(
            "set world.seed={}; scene less-work; set less.count={}; "
            "set less.at_rest={:.2f}; set less.speed={:.1f}",
            bits + 1, count, random.uniform(0, 1), random.uniform(0.5f, 3));
        for (std::size_t r = 0; r < kNames.size(); ++r)
            script += fmt::format("; set less.{}={}", kNames[r], (bits >> r & 1) != 0 ? "on" : "off");
        run(session, script, 10 + static_cast<int>(bits));
        const Crowd crowd(seen_in(session));
        ASSERT_EQ(crowd.seen.boxes.size(), static_cast<std::size_t>(count));
        const auto n = static_cast<double>(count);
        const Table& table = table_of(session, "less_work");
        EXPECT_EQ(number_in(table, "as set", "tests without"), n * (n - 1));
        const Rules rules = rules_of(bits);
        // Every overlapping pair is either found or given up.
        std::set<Pair> given_up;
        std::size_t touching = 0;
        for (std::size_t a = 0; a < crowd.seen.boxes.size(); ++a)
            for (std::size_t b = a + 1; b < crowd.seen.boxes.size(); ++b) {
                if (!crowd.touch(a, b)) continue;
                ++touching;
                if ((rules.resting && crowd.rests(a) && crowd.rests(b)) || (rules.behind && crowd.part(a, b)))
                    given_up.emplace(a, b);
            }
        // Displacements are drawn in single precision.
        for (unsigned r = 0; r < 5; ++r) {
            const unsigned bit = 1u << r;
            const double without = number_in(table, kRows[r], "tests without");
            const double with = number_in(table, kRows[r], "tests with");
            // Bodies that planes cut meet in several cells: without `once` that can cost more than it saves.
            EXPECT_TRUE(with <= without || (r == 1 && !rules.once)) << kRows[r];
            EXPECT_NEAR(number_in(table, kRows[r], "saved"),
                        without > 0 ? 100 * (without - with) / without : 0, 0.06);
            for (const bool on : {false, true}) {
                const Rules others = rules_of(on ? bits | bit : bits & ~bit);
                const auto expected = static_cast<double>(crowd.tests(others));
                if (others.planes || crowd.close) continue;
                EXPECT_EQ(on ? with : without, expected) << kRows[r];
            }
        }
        if (crowd.close) continue;
        const Table& pairs = table_of(session, "given_up");
        EXPECT_EQ(number_in(pairs, "found", "count"), static_cast<double>(touching - given_up.size()));
        EXPECT_EQ(number_in(pairs, "by brute force", "count"), static_cast<double>(touching));
        EXPECT_EQ(number_in(pairs, "missed", "count"), static_cast<double>(given_up.size()));
        std::set<std::string> named;
        for (const Row& row : pairs.rows)
            if (to_text(row.cells[0]).find(" and ") != std::string::npos &&
                to_text(row.cells[0]).find_first_not_of("0123456789 and") == std::string::npos)
                named.insert(to_text(row.cells[0]) +
                             (to_text(row.cells[2]).find("rest") != std::string::npos ? " rest" : " part"));
        std::set<std::string> expected;
        for (const auto& [a, b] : given_up)
            expected.insert(fmt::format("{} and {} {}", a, b,
                                        rules.resting && crowd.rests(a) && crowd.rests(b) ? "rest" : "part"));
        EXPECT_EQ(named, expected);
        EXPECT_EQ(to_text(pairs.rows.back().cells[1]), "yes");
        lost += given_up.size();
        kept += touching - given_up.size();
        // The walk ends with the same pairs.
        const steps::Walk& walk = *session.state().scene.running->stepped_walk();
        std::set<Pair> walked;
        for (const auto& [a, b] : walk.board(walk.size()).found)
            walked.emplace(a, b);
        EXPECT_EQ(walked.size(), touching - given_up.size());
        for (const Pair& pair : walked)
            EXPECT_TRUE(crowd.touch(pair.first, pair.second) && !given_up.contains(pair));
        // Marked in the view.
        std::size_t marked = 0;
        for (const Exhibit& e : session.results().exhibits)
            marked += e.legend == "missed pair";
        EXPECT_EQ(marked, given_up.size());
    }
    EXPECT_GT(lost, 10u);
    EXPECT_GT(kept, 30u);
}

TEST(LessWork, TheBodyLookedAtHasOneLineToEachOther) {
    Session session(command_table());
    run(session, "scene less-work; set less.resting=on; set less.behind=on; set less.at_rest=0.4", 5);
    for (const int body : {0, 5, 17, 23}) {
        run(session, fmt::format("scene.value looked_at {}", body));
        const Crowd crowd(seen_in(session));
        const Table& asked = table_of(session, "asked");
        EXPECT_EQ(asked.title, fmt::format("Body {}", body));
        double sum = 0;
        for (const Row& row : asked.rows)
            sum += std::get<Number>(row.cells[1]).value;
        EXPECT_EQ(sum, 23.0);
        const auto chosen = static_cast<std::size_t>(body);
        double both_rest = 0, parting = 0;
        for (std::size_t i = 0; i < 24; ++i) {
            if (i == chosen) continue;
            const bool rest = crowd.rests(i) && crowd.rests(chosen);
            both_rest += rest;
            parting += !rest && crowd.part(i, chosen);
        }
        EXPECT_EQ(number_in(asked, "skipped: both at rest", "bodies"), both_rest);
        // Some of the bodies that move apart never meet the chosen one in a cell.
        EXPECT_LE(number_in(asked, "skipped: moving apart", "bodies"), parting);
        EXPECT_EQ(number_in(asked, "boxes tested twice", "bodies"), 0.0);
        std::size_t lines = 0;
        for (const Exhibit& e : session.results().exhibits)
            lines += e.legend.starts_with("skipped") || e.legend.starts_with("boxes tested") ||
                     (e.legend == "pair found" && e.on_top);  // not those of the whole crowd
        EXPECT_EQ(lines, 23u);
    }
    run(session,
        "set less.once=off; set less.resting=off; set less.behind=off; set less.points=off; "
        "set less.planes=off");
    EXPECT_EQ(number_in(table_of(session, "asked"), "boxes tested twice", "bodies"), 23.0);
}

TEST(LessWork, AClickChoosesABody) {
    Session session(command_table());
    run(session, "view.size 1000 700; scene less-work", 2);
    const Crowd crowd(seen_in(session));
    for (const std::size_t i : {std::size_t{3}, std::size_t{11}}) {
        const glm::vec3 top(crowd.center(i).x, crowd.seen.boxes[i].max.y, crowd.center(i).z);
        const auto pixel = session.state().view.pixel_of(top);
        ASSERT_TRUE(pixel);
        bool covered = false;
        for (std::size_t j = 0; j < crowd.seen.boxes.size(); ++j)
            covered = covered || (j != i && crowd.touch(i, j));
        if (covered) continue;
        run(session, fmt::format("pause on; pick {} {}", pixel->x, pixel->y));
        EXPECT_EQ(table_of(session, "asked").title, fmt::format("Body {}", i));
    }
}

TEST(LessWork, EnginesMissOnlyWhatRests) {
    Session session(command_table());
    run(session, "scene less-work; set less.count=60; set less.at_rest=0.5", 1);
    for (int round = 0; round < 30; ++round) {
        run(session, "", 4);
        const Table& engines = table_of(session, "engines");
        const Crowd crowd(seen_in(session));
        double both_rest = 0, moving = 0;
        for (std::size_t a = 0; a < 60; ++a) {
            moving += !crowd.rests(a);
            for (std::size_t b = a + 1; b < 60; ++b)
                both_rest += crowd.touch(a, b) && crowd.rests(a) && crowd.rests(b);
        }
        EXPECT_EQ(number_in(engines, "tree: query every body", "queries"), 60.0);
        EXPECT_EQ(number_in(engines, "tree: query every body", "missed"), 0.0);
        EXPECT_EQ(number_in(engines, "tree: query moving bodies", "queries"), moving);
        EXPECT_EQ(number_in(engines, "tree: query moving bodies", "missed"), both_rest);
        EXPECT_EQ(number_in(engines, "tree: query moving bodies", "missed, both at rest"), both_rest);
        EXPECT_EQ(number_in(engines, "pair cache: query bodies that left their fat box", "missed"), 0.0);
        EXPECT_LE(number_in(engines, "pair cache: query bodies that left their fat box", "queries"), moving);
    }
    // No body moves, so no body starts a query, and the cache knows all pairs.
    run(session, "set less.at_rest=1", 4);
    EXPECT_EQ(number_in(table_of(session, "engines"), "pair cache: query bodies that left their fat box",
                        "queries"),
              0.0);
    EXPECT_EQ(
        number_in(table_of(session, "engines"), "pair cache: query bodies that left their fat box", "missed"),
        0.0);
}

}  // namespace
}  // namespace lab
