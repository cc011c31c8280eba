// Scene `rectangles`: polygons of three to eight corners. Axes, gaps and verdicts against the same numbers
// computed here in double precision from the handles of the corners: the hull by gift wrapping, the verdict
// by clipping one polygon by the other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "commands/catalog.hpp"
#include "io/sessions/scene_file.hpp"
#include "session/files/saver.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "temp_dir.hpp"
#include "workloads/random.hpp"

namespace lab {
namespace {

using glm::dvec2;
using test::errors_of;
using test::run;
using test::table_of;

dvec2 place_of(const Session& session, const std::string& id) {
    const Handle* handle = find_handle(session.results().handles, id);
    EXPECT_TRUE(handle) << "no handle " << id;
    return handle ? dvec2(handle->position) : dvec2(0.0);
}

std::vector<dvec2> corners_of(const Session& session, const std::string& polygon) {
    std::vector<dvec2> corners;
    const auto count = static_cast<int>(place_of(session, polygon + ".corners").x);
    for (int k = 1; k <= count; ++k)
        corners.push_back(place_of(session, fmt::format("{}.v{}", polygon, k)));
    EXPECT_FALSE(find_handle(session.results().handles, fmt::format("{}.v{}", polygon, count + 1)));
    return corners;
}

double turn(const dvec2& a, const dvec2& b, const dvec2& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Numbers of the hull's corners, counter-clockwise from the lowest number.
std::vector<std::size_t> wrapped(const std::vector<dvec2>& points) {
    std::size_t first = 0;
    for (std::size_t i = 1; i < points.size(); ++i)
        if (points[i].x < points[first].x) first = i;
    std::vector<std::size_t> around{first};
    for (;;) {
        std::size_t next = around.back() == 0 ? 1 : 0;
        for (std::size_t i = 0; i < points.size(); ++i)
            if (i != around.back() && turn(points[around.back()], points[next], points[i]) < 0) next = i;
        if (next == first || around.size() > points.size()) break;
        around.push_back(next);
    }
    std::rotate(around.begin(), std::min_element(around.begin(), around.end()), around.end());
    return around;
}

std::vector<dvec2> clipped(std::vector<dvec2> polygon, const std::vector<dvec2>& window) {
    for (std::size_t k = 0; k < window.size(); ++k) {
        const dvec2 &p = window[k], &q = window[(k + 1) % window.size()];
        std::vector<dvec2> kept;
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            const dvec2 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
            const double ha = turn(p, q, a), hb = turn(p, q, b);
            if (ha >= 0) kept.push_back(a);
            if ((ha < 0) != (hb < 0)) kept.push_back(a + (ha / (ha - hb)) * (b - a));
        }
        polygon = kept;
    }
    return polygon;
}

struct Axis {
    std::string name;
    double gap = 0;
};

/// The axes of A's and B's hulls, each direction of a polygon once.
std::vector<Axis> expected_axes(const std::array<std::vector<dvec2>, 2>& hulls) {
    std::vector<Axis> axes;
    for (std::size_t s = 0; s < 2; ++s) {
        std::vector<dvec2> directions;
        for (std::size_t k = 0; k < hulls[s].size(); ++k) {
            const dvec2 edge = glm::normalize(hulls[s][(k + 1) % hulls[s].size()] - hulls[s][k]);
            const bool known = std::any_of(directions.begin(), directions.end(), [&](const dvec2& d) {
                return std::abs(d.x * edge.y - d.y * edge.x) < 1e-5;
            });
            if (known) continue;
            directions.push_back(edge);
            double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
            for (std::size_t t = 0; t < 2; ++t)
                for (const dvec2& c : hulls[t]) {
                    low[t] = std::min(low[t], edge.y * c.x - edge.x * c.y);
                    high[t] = std::max(high[t], edge.y * c.x - edge.x * c.y);
                }
            axes.push_back(
                {fmt::format("edge {} of {}", k + 1, "AB"[s]), std::max(low[0] - high[1], low[1] - high[0])});
        }
    }
    return axes;
}

/// False if it is too close to tell.
bool check(const Session& session, bool& overlap) {
    std::array<std::vector<dvec2>, 2> hulls;
    std::set<std::string> left_out;
    for (std::size_t s = 0; s < 2; ++s) {
        const auto corners = corners_of(session, s == 0 ? "a" : "b");
        const auto around = wrapped(corners);
        for (const std::size_t k : around)
            hulls[s].push_back(corners[k]);
        if (around.size() < corners.size()) left_out.insert(s == 0 ? "A" : "B");
    }
    const Table& table = table_of(session, "rectangles");
    const std::vector<Axis> axes = expected_axes(hulls);
    double widest = -1e9;
    std::size_t row = 0;
    for (const Axis& axis : axes) {
        widest = std::max(widest, axis.gap);
        if (row >= table.rows.size()) {
            ADD_FAILURE() << "no row for " << axis.name;
            return false;
        }
        EXPECT_EQ(to_text(table.rows[row].cells[0]), axis.name);
        const auto* gap = std::get_if<Number>(&table.rows[row].cells[3]);
        EXPECT_NEAR(gap ? gap->value : NAN, axis.gap, 1e-4) << axis.name;
        ++row;
    }
    for (; row < table.rows.size() && table.rows[row].mark != RowMark::Verdict; ++row) {
        const std::string name = to_text(table.rows[row].cells[0]);
        EXPECT_EQ(left_out.erase(name.substr(0, 1)), 1u) << name;
    }
    EXPECT_TRUE(left_out.empty()) << "a corner is left out, and no row says so";
    EXPECT_EQ(row + 1, table.rows.size());
    if (std::abs(widest) < 1e-3) return false;
    overlap = !clipped(hulls[0], hulls[1]).empty();
    EXPECT_EQ(overlap, widest < 0);
    EXPECT_EQ(to_text(table.rows.back().cells[3]), overlap ? "overlap" : "apart");
    return true;
}

TEST(PlanePolygons, NumbersAreThoseOfTheCorners) {
    bv::workloads::Random random(5);
    int overlaps = 0, apart = 0, not_convex = 0;
    std::map<std::size_t, int> axes;
    for (const char* preset : {"rectangles", "triangle", "many", "touching", "inside"}) {
        SCOPED_TRACE(preset);
        Session session(command_table());
        run(session, fmt::format("scene rectangles; pause on; set polygons.preset={}", preset), 2);
        for (int round = 0; round < 40; ++round) {
            const char which = random.uniform(0, 1) < 0.5f ? 'a' : 'b';
            const auto count = static_cast<int>(corners_of(session, std::string(1, which)).size());
            const glm::vec3 to = random.in_box({-1.6f, 0.3f, 0.0f}, {1.6f, 3.2f, 0.0f});
            std::string line;
            switch (round % 5) {
                case 0:
                    line = fmt::format("scene.value {}.corners {}", which, 3 + round % 6);
                    break;
                case 1:
                    line = fmt::format("scene.drag {} {} {} 0", which, to.x, to.y);
                    break;
                case 2:
                    line = count < 8 ? "corners.add" : "corners.remove";
                    line = fmt::format("scene.drag {}.v1 {} {} 0; {}", which, to.x, to.y, line);
                    break;
                default:
                    line = fmt::format("scene.drag {}.v{} {} {} 0", which, 1 + round % count, to.x, to.y);
            }
            test::frame(session, line);
            bool overlap = false;
            if (!check(session, overlap)) continue;
            (overlap ? overlaps : apart) += 1;
            not_convex += table_of(session, "rectangles").rows.size() > session.results().walk->of + 1;
            axes[session.results().walk->of] += 1;
        }
    }
    EXPECT_GT(overlaps, 20);
    EXPECT_GT(apart, 20);
    EXPECT_GT(not_convex, 20);
    EXPECT_GT(axes.size(), 6u) << "too few numbers of axes";
}

TEST(PlanePolygons, PresetsAreWhatTheySay) {
    const auto first_frame = [](const char* preset, Session& session) {
        run(session, fmt::format("scene rectangles; set polygons.preset={}", preset), 2);
        return to_text(table_of(session, "rectangles").rows.back().cells[3]);
    };
    Session triangle(command_table()), many(command_table()), touching(command_table()),
        inside(command_table());
    EXPECT_EQ(first_frame("triangle", triangle), "apart");
    EXPECT_EQ(triangle.results().walk->of, 5u);
    EXPECT_EQ(first_frame("many", many), "apart");
    EXPECT_EQ(many.results().walk->of, 7u);
    EXPECT_EQ(first_frame("touching", touching), "touch");
    bool any = false;
    for (const Row& row : table_of(touching, "rectangles").rows)
        if (const auto* gap = row.cells[3].index() == 1 ? std::get_if<Number>(&row.cells[3]) : nullptr)
            any = any || gap->value == 0.0;
    EXPECT_TRUE(any) << "they do not touch exactly";
    EXPECT_EQ(first_frame("inside", inside), "overlap");
    // One inside the other: no edges cross.
    const auto a = corners_of(inside, "a"), b = corners_of(inside, "b");
    for (const dvec2& c : b)
        for (std::size_t k = 0; k < a.size(); ++k)
            EXPECT_GT(turn(a[k], a[(k + 1) % a.size()], c), 0.0);
}

TEST(PlanePolygons, HaveThreeToEightCorners) {
    Session session(command_table());
    run(session, "scene rectangles; set polygons.preset=triangle", 2);
    run(session, "scene.drag a.v2 0.2 1 0; corners.add; corners.add; corners.add; corners.add; corners.add");
    EXPECT_EQ(corners_of(session, "a").size(), 8u);
    EXPECT_EQ(table_of(session, "rectangles").rows.size(), session.results().walk->of + 1)
        << "an added corner is inside the hull";
    test::frame(session, "corners.add");
    EXPECT_NE(errors_of(session).find("3 to 8 corners"), std::string::npos) << errors_of(session);
    EXPECT_EQ(corners_of(session, "a").size(), 8u);
    test::frame(session, "scene.value a.corners 3; corners.remove");
    EXPECT_EQ(corners_of(session, "a").size(), 3u);
    for (const char* wrong : {"2", "9", "4.5", "-1"}) {
        test::frame(session, fmt::format("scene.value a.corners {}", wrong));
        EXPECT_EQ(corners_of(session, "a").size(), 3u);
    }
}

TEST(PlanePolygons, AClickOnAnEdgeAddsACorner) {
    Session session(command_table());
    run(session, "view.size 1000 800; scene rectangles; set polygons.preset=triangle", 2);
    const auto a = corners_of(session, "a");
    const dvec2 on_edge = a[0] + 0.3 * (a[1] - a[0]);
    const auto pixel = session.state().view.pixel_of(glm::vec3(glm::vec2(on_edge), 0.0f));
    ASSERT_TRUE(pixel);
    run(session, fmt::format("pick {} {}", pixel->x, pixel->y));
    const auto grown = corners_of(session, "a");
    ASSERT_EQ(grown.size(), 4u);
    for (std::size_t k = 0; k < 4; ++k)
        EXPECT_TRUE(k == 1 || glm::distance(grown[k], a[k == 0 ? 0 : k - 1]) < 1e-5)
            << "another corner moved";
    EXPECT_LT(glm::distance(grown[1], on_edge), 0.5 * glm::distance(a[0], a[1]));
    EXPECT_LT(turn(a[0], a[1], grown[1]), 0.0) << "not outward";
    run(session, "pick 5 5");
    EXPECT_EQ(corners_of(session, "a").size(), 4u);
}

void expect_the_same_from_a_file(Session& session) {
    const test::TempDir dir;
    for (const bool with_history : {true, false}) {
        SCOPED_TRACE(with_history);
        io::SceneFile scene = session.saver().saved_scene();
        if (!with_history) scene.history.clear();  // then the handles alone say where all stands
        const std::string file = (dir / "shapes.json").string();
        ASSERT_FALSE(io::write_scene_file(file, scene));
        Session other(command_table());
        run(other, fmt::format("open \"{}\"", file), 1);
        ASSERT_EQ(other.results().scene_id, "rectangles");
        for (const char* polygon : {"a", "b"}) {
            const auto was = corners_of(session, polygon), is = corners_of(other, polygon);
            ASSERT_EQ(was.size(), is.size());
            EXPECT_EQ(find_handle(session.results().handles, polygon + std::string(".size")) != nullptr,
                      find_handle(other.results().handles, polygon + std::string(".size")) != nullptr);
            for (std::size_t k = 0; k < was.size(); ++k)
                EXPECT_LT(glm::distance(was[k], is[k]), 1e-4) << polygon << k;
        }
    }
}

TEST(PlanePolygons, ShapesComeBackFromAFile) {
    Session polygons(command_table()), rectangles(command_table());
    run(polygons, "scene rectangles; set polygons.preset=triangle", 2);
    run(polygons, "scene.value b.corners 6");
    run(polygons, "scene.drag b.v2 1.5 3 0; scene.drag a.v1 -1.9 0.4 0; corners.add; scene.drag a -0.2 1 0");
    run(polygons, "scene.value a.angle 40");
    run(rectangles, "scene rectangles", 2);
    run(rectangles, "scene.value a.size 50 60");
    run(rectangles, "scene.value b.corners 3");
    expect_the_same_from_a_file(polygons);
    expect_the_same_from_a_file(rectangles);
}

TEST(PlanePolygons, ASizeMakesNoMoreRectangleOfAnotherShape) {
    Session session(command_table());
    run(session, "scene rectangles");
    run(session, "scene.value a.size 50 60");
    const auto a = corners_of(session, "a");
    EXPECT_NEAR(glm::distance(a[0], a[1]), 1.2, 1e-5);
    EXPECT_NEAR(glm::distance(a[1], a[2]), 1.0, 1e-5);
    run(session, "scene.drag a.v1 0.5 0.2 0");
    EXPECT_FALSE(find_handle(session.results().handles, "a.size"));
    const auto before = corners_of(session, "a");
    run(session, "", 20);
    EXPECT_EQ(corners_of(session, "a"), before) << "a shape that was changed goes on turning";
    EXPECT_NE(corners_of(session, "b")[0], place_of(session, "b")) << "B turns on";
}

/// A problem from a textbook: what is typed is what is tested, also for shapes that have been turned.
TEST(PlanePolygons, TypedCornersAreExact) {
    Session session(command_table());
    run(session, "pause on; scene rectangles; scene.value a.angle 33; scene.value b.angle 71", 2);
    constexpr std::pair<const char*, glm::vec2> kCorners[] = {
        {"a.v1", {0, 2}},  {"a.v2", {1, 2}}, {"a.v3", {1, 4}}, {"a.v4", {0, 4}},
        {"b.v1", {-1, 1}}, {"b.v2", {0, 1}}, {"b.v3", {0, 3}}, {"b.v4", {-1, 3}},
    };
    for (const auto& [corner, at] : kCorners)
        run(session, fmt::format("scene.value {} {} {}", corner, at.x, at.y));
    for (const auto& [corner, at] : kCorners)
        EXPECT_EQ(place_of(session, corner), dvec2(at)) << corner;
    const auto verdict = [&session] {
        return to_text(test::table_of(session, "rectangles").rows.back().cells[3]);
    };
    EXPECT_EQ(verdict(), "touch") << "along x = 0";
    run(session, "scene.value b.v2 -0.00001 1; scene.value b.v3 -0.00001 3");
    EXPECT_EQ(verdict(), "apart");
}

}  // namespace
}  // namespace lab
