// The numbers in the tables of the blackboard scenes, against the same numbers computed here in double
// precision from the positions of the handles.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "commands/catalog.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "steps/walk.hpp"
#include "volumes_of.hpp"
#include "workloads/random.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using glm::dvec3;
using Cells = std::vector<Cell>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kDigits = 1.1e-3;  // three decimals, and the single precision behind them
constexpr int kRounds = 60;

double value(const Cell& cell) {
    const auto* number = std::get_if<Number>(&cell);
    EXPECT_TRUE(number) << "'" << to_text(cell) << "' is not a number";
    return number ? number->value : 0.0;
}

std::vector<double> values(const Cell& cell) {
    const auto* numbers = std::get_if<Numbers>(&cell);
    EXPECT_TRUE(numbers) << "'" << to_text(cell) << "' are no numbers";
    std::vector<double> out;
    for (const Number& part : numbers ? numbers->parts : std::vector<Number>())
        out.push_back(part.value);
    return out;
}

void expect_near(double cell, double expected, const std::string& what) {
    if (std::isinf(expected) || std::isinf(cell))
        EXPECT_EQ(cell, expected) << what;
    else
        EXPECT_NEAR(cell, expected, kDigits + 1e-5 * std::abs(expected)) << what;
}
void expect_near(const std::vector<double>& cells, std::initializer_list<double> expected,
                 const std::string& what) {
    ASSERT_EQ(cells.size(), expected.size()) << what;
    std::size_t i = 0;
    for (const double e : expected)
        expect_near(cells[i++], e, what);
}

class Blackboard {
  public:
    explicit Blackboard(const std::string& scene) { run("set world.seed=3; pause on; scene " + scene); }

    void run(const std::string& script) { test::run(session_, script); }
    /// Drags a handle to a random point near the center and returns its position.
    dvec3 drag(const std::string& handle) {
        const glm::vec3 to = random_.in_box({-2.0f, -1.0f, -2.0f}, {2.0f, 3.0f, 2.0f});
        run(fmt::format("scene.drag {} {} {} {}", handle, to.x, to.y, to.z));
        return place(handle);
    }
    dvec3 place(const std::string& handle) const {
        for (const Handle& h : session_.results().handles)
            if (h.id == handle) return h.position;
        ADD_FAILURE() << "no handle " << handle;
        return {};
    }
    const Table& table(std::size_t index = 0) const { return session_.results().tables.at(index); }
    std::vector<Cells> rows(std::size_t index = 0) const {
        std::vector<Cells> rows;
        for (const Row& row : table(index).rows)
            rows.push_back(row.cells);
        return rows;
    }
    std::optional<Role> role(std::size_t row) const { return table().rows.at(row).role; }
    /// Exhibits of one shape, in order.
    template <class Shape>
    std::vector<Shape> shapes() const {
        std::vector<Shape> out;
        for (const Exhibit& e : session_.results().exhibits)
            if (const auto* shape = std::get_if<Shape>(&e.shape)) out.push_back(*shape);
        return out;
    }
    const Session& session() const { return session_; }

  private:
    Session session_{command_table()};
    bv::workloads::Random random_{11};
};

TEST(SceneNumbers, ThreeFormsOfABox) {
    Blackboard board("aabb-forms");
    for (int round = 0; round < kRounds; ++round) {
        const dvec3 a = board.drag("min"), b = board.drag("max");
        const dvec3 low = glm::min(a, b), high = glm::max(a, b), middle = 0.5 * (low + high),
                    half = 0.5 * (high - low), size = high - low;
        const auto rows = board.rows();
        ASSERT_EQ(rows.size(), 3u);
        expect_near(values(rows[0][1]), {low.x, low.y, low.z}, "min");
        expect_near(values(rows[0][2]), {high.x, high.y, high.z}, "max");
        expect_near(values(rows[1][1]), {middle.x, middle.y, middle.z}, "center");
        expect_near(values(rows[1][2]), {half.x, half.y, half.z}, "half extents");
        expect_near(values(rows[2][1]), {low.x, low.y, low.z}, "min");
        expect_near(values(rows[2][2]), {size.x, size.y, size.z}, "size");
        for (const Cells& row : board.rows(1)) {
            EXPECT_EQ(std::get<Mark>(row[1]), Mark::Yes);
            EXPECT_GE(value(row[2]), 0.0);
            EXPECT_LE(value(row[2]), 1e-6);
        }
    }
}

TEST(SceneNumbers, IntervalsOfTwoBoxes) {
    Blackboard board("aabb-overlap");
    int touching = 0, apart = 0;
    for (int round = 0; round < kRounds; ++round) {
        for (const char* handle : {"a", "b", "a.size", "b.size"})
            board.drag(handle);
        const dvec3 a = board.place("a"), ha = glm::abs(board.place("a.size") - a);
        const dvec3 b = board.place("b"), hb = glm::abs(board.place("b.size") - b);
        bool all = true;
        for (int k = 0; k < 3; ++k) {
            const Cells row = board.rows()[static_cast<std::size_t>(k)];
            EXPECT_EQ(to_text(row[0]), std::string(1, "xyz"[k]));
            expect_near(values(row[1]), {a[k] - ha[k], a[k] + ha[k]}, "A");
            expect_near(values(row[2]), {b[k] - hb[k], b[k] + hb[k]}, "B");
            const double common = std::min(a[k] + ha[k], b[k] + hb[k]) - std::max(a[k] - ha[k], b[k] - hb[k]);
            const bool is_apart = value(row[3]) < 0.0;
            EXPECT_EQ(to_text(row[3]).starts_with("apart by "), is_apart);
            if (std::abs(common) > 1e-3) {
                EXPECT_EQ(is_apart, common < 0);
            }
            expect_near(value(row[3]), common, "common");
            EXPECT_EQ(board.role(static_cast<std::size_t>(k)), is_apart ? Role::Separating : Role::Overlap);
            all = all && !is_apart;
        }
        EXPECT_EQ(to_text(board.rows()[3][3]), all ? "overlap" : "apart");
        (all ? touching : apart) += 1;
        const auto boxes = board.shapes<bv::Aabb>();
        ASSERT_EQ(boxes.size(), all ? 3u : 2u);
        for (int k = 0; all && k < 3; ++k) {
            EXPECT_NEAR(boxes[2].min[k], std::max(a[k] - ha[k], b[k] - hb[k]), 1e-5);
            EXPECT_NEAR(boxes[2].max[k], std::min(a[k] + ha[k], b[k] + hb[k]), 1e-5);
        }
    }
    EXPECT_GT(touching, 5);
    EXPECT_GT(apart, 5);
}

TEST(SceneNumbers, TimesOfTwoMovingBoxes) {
    Blackboard board("aabb-sweep");
    int meet = 0, never = 0;
    for (int round = 0; round < kRounds; ++round) {
        for (const char* handle : {"a", "b", "velocity"})
            board.drag(handle);
        const dvec3 a = board.place("a"), b = board.place("b"), v = board.place("velocity") - a;
        double enter = -kInfinity, leave = kInfinity;
        for (int k = 0; k < 3; ++k) {
            const double t0 = (b[k] - a[k] - 1.0) / v[k], t1 = (b[k] - a[k] + 1.0) / v[k];
            const Cells row = board.rows()[static_cast<std::size_t>(k)];
            expect_near(value(row[1]), std::min(t0, t1), "enter");
            expect_near(value(row[2]), std::max(t0, t1), "leave");
            enter = std::max(enter, std::min(t0, t1));
            leave = std::min(leave, std::max(t0, t1));
        }
        const Cells all = board.rows().back();
        const bool meets = to_text(all[1]) != "never";
        const bool expected = enter <= leave && leave >= 0.0;  // a meeting in the past is none
        const double margin = std::min(std::abs(leave - enter), std::abs(leave));
        if (margin < 1e-3) continue;
        EXPECT_EQ(meets, expected) << enter << " " << leave;
        if (!meets) {
            ++never;
            EXPECT_EQ(to_text(all[2]), "never");
            continue;
        }
        ++meet;
        expect_near(value(all[1]), std::max(enter, 0.0), "enter of all");
        expect_near(value(all[2]), leave, "leave of all");
    }
    EXPECT_GT(meet, 5);
    EXPECT_GT(never, 5);
}

TEST(SceneNumbers, ABoxAgainstAPlane) {
    Blackboard board("aabb-plane");
    std::array<int, 3> seen{};
    for (int round = 0; round < kRounds; ++round) {
        const dvec3 p = board.drag("plane");
        const dvec3 n = glm::normalize(board.drag("normal") - p);
        const bv::Aabb box = board.shapes<bv::Aabb>().at(0);
        const dvec3 middle = 0.5 * (dvec3(box.min) + dvec3(box.max)), half = dvec3(box.max) - middle;
        const double distance = glm::dot(n, middle - p), radius = glm::dot(half, glm::abs(n));
        const auto rows = board.rows();
        expect_near(value(rows[0][1]), distance, "distance");
        expect_near(value(rows[1][1]), radius, "radius");
        if (std::abs(std::abs(distance) - radius) < 1e-3) continue;
        const int side = std::abs(distance) <= radius ? 1 : distance < 0 ? 0 : 2;
        ++seen[static_cast<std::size_t>(side)];
        static constexpr const char* kNames[] = {"behind", "cut", "in front"};
        const std::string verdict = to_text(rows[2][1]);
        EXPECT_TRUE(verdict.ends_with(std::string(": ") + kNames[side])) << verdict;
        EXPECT_NE(verdict.find(side == 1 ? "≤" : ">"), std::string::npos) << verdict;
    }
    board.run("scene.drag plane 6 6 6; scene.drag normal 7 7 7");
    EXPECT_TRUE(to_text(board.rows()[2][1]).ends_with(": behind"));
    EXPECT_GT(seen[1], 5);
    EXPECT_GT(seen[2], 1);
}

TEST(SceneNumbers, ABoxUnderATransform) {
    Blackboard board("aabb-transform");
    for (int round = 0; round < 12; ++round) {
        board.run("step 7");
        const BodyState& body = board.session().results().bodies.at(0);
        const MeshEntry& mesh = board.session().meshes()[body.mesh];
        const auto moved = [&](const dvec3& p) {
            dvec3 out = body.transform[3];
            for (int k = 0; k < 3; ++k)
                out += p[k] * dvec3(body.transform[k]);
            return out;
        };
        const auto volume_around = [&](const auto& points) {
            dvec3 low(kInfinity), high(-kInfinity);
            for (const auto& p : points) {
                low = glm::min(low, moved(dvec3(p)));
                high = glm::max(high, moved(dvec3(p)));
            }
            const dvec3 size = high - low;
            return size.x * size.y * size.z;
        };
        std::vector<dvec3> corners;
        dvec3 low(kInfinity), high(-kInfinity);
        for (const glm::vec3& p : mesh.positions)
            low = glm::min(low, dvec3(p)), high = glm::max(high, dvec3(p));
        for (int i = 0; i < 8; ++i)
            corners.emplace_back((i & 1) ? low.x : high.x, (i & 2) ? low.y : high.y,
                                 (i & 4) ? low.z : high.z);
        const double scale = glm::length(dvec3(body.transform[0]));
        const dvec3 size = (high - low) * scale;
        const double tight = volume_around(mesh.positions), boxed = volume_around(corners);
        const double fixed =
            std::pow(2.0 * static_cast<double>(test::sphere_of(board.session(), body).radius), 3.0);
        const double expected[] = {size.x * size.y * size.z, boxed, boxed, tight, fixed};
        for (std::size_t i = 0; i < 5; ++i) {
            const Cells row = board.rows()[i];
            EXPECT_NEAR(value(row[1]), expected[i], 2e-3 + 1e-4 * expected[i]) << to_text(row[0]);
            EXPECT_NEAR(value(row[2]), expected[i] / tight, 6e-3) << to_text(row[0]);
        }
    }
}

TEST(SceneNumbers, SlabsOfABox) {
    Blackboard board("ray-aabb");
    int hits = 0, misses = 0;
    for (int round = 0; round < kRounds; ++round) {
        const dvec3 origin = board.drag("origin");
        const dvec3 p = board.drag("min"), q = board.drag("max"), low = glm::min(p, q), high = glm::max(p, q);
        const dvec3 direction = board.drag("aim") - origin;  // as under Values
        double enter = -kInfinity, leave = kInfinity;        // of the whole line
        const auto rows = board.rows();
        for (std::size_t i = 0; i < 3; ++i) {
            const auto k = static_cast<int>(std::string("xyz").find(to_text(rows[i][0])));
            const double t0 = (low[k] - origin[k]) / direction[k], t1 = (high[k] - origin[k]) / direction[k];
            enter = std::max(enter, std::min(t0, t1));
            leave = std::min(leave, std::max(t0, t1));
            expect_near(value(rows[i][1]), std::min(t0, t1), "t near");
            expect_near(value(rows[i][2]), std::max(t0, t1), "t far");
            expect_near(value(rows[i][3]), enter, "enter so far");
            expect_near(value(rows[i][4]), leave, "exit so far");
        }
        if (std::min({std::abs(leave - enter), std::abs(leave), std::abs(enter - 2.0)}) < 1e-3) continue;
        const bool hit = enter <= leave && leave >= 0.0 && enter <= 2.0;  // as far as the ray goes
        EXPECT_EQ(to_text(rows.back()[4]), hit             ? "hit"
                                           : enter > leave ? "enter > exit: miss"
                                           : leave < 0.0   ? "box behind the ray: miss"
                                                           : "box beyond the ray: miss");
        EXPECT_EQ(rows.size(), enter <= leave ? 5u : 4u);
        if (enter <= leave) {
            EXPECT_EQ(to_text(rows[3][0]), "ray");
            expect_near(value(rows[3][3]), std::max(enter, 0.0), "enter");
            expect_near(value(rows[3][4]), std::min(leave, 2.0), "exit");
        }
        const IntervalChart::Row& left = board.session().results().charts.at(0).rows.back();
        (hit ? hits : misses) += 1;
        if (!hit) {
            EXPECT_EQ(left.note, "nothing left: miss");
            continue;
        }
        const auto from = static_cast<double>(left.from);
        EXPECT_EQ(left.note, "hit at " + to_text(cells::trimmed(from)));
        expect_near(from, std::max(enter, 0.0), "hit");
        const auto marks = board.shapes<Marker>();
        ASSERT_EQ(marks.size(), 2u);
        EXPECT_LE(glm::distance(dvec3(marks[0].position), origin + enter * direction), 1e-4);
        EXPECT_LE(glm::distance(dvec3(marks[1].position), origin + leave * direction), 1e-4);
    }
    EXPECT_GT(hits, 5);
    EXPECT_GT(misses, 5);
}

TEST(SceneNumbers, WeightsInATriangle) {
    Blackboard board("ray-triangle");
    int hits = 0, misses = 0;
    for (int round = 0; round < kRounds; ++round) {
        const dvec3 a = board.drag("a"), b = board.drag("b"), c = board.drag("c"),
                    origin = board.drag("origin");
        const dvec3 direction = board.drag("aim") - origin;  // as under Values
        // Cramer's rule for origin + t d = a + v (b - a) + w (c - a).
        const auto det = [](const dvec3& x, const dvec3& y, const dvec3& z) {
            return glm::dot(x, glm::cross(y, z));
        };
        const double all = det(-direction, b - a, c - a);
        if (std::abs(all) < 0.2) continue;  // nearly in the plane: three decimals are not enough
        const double t = det(origin - a, b - a, c - a) / all, v = det(-direction, origin - a, c - a) / all,
                     w = det(-direction, b - a, origin - a) / all, u = 1.0 - v - w;
        const auto rows = board.rows();
        ASSERT_EQ(rows.size(), 5u);
        const double expected[] = {u, v, w, t};
        for (std::size_t i = 0; i < 4; ++i) {
            expect_near(value(rows[i][1]), expected[i], to_text(rows[i][0]));
            if (std::abs(expected[i]) > 1e-3) {
                const bool good = expected[i] >= 0 && (i < 3 || expected[i] <= 2.0);
                EXPECT_EQ(to_text(rows[i][3]), good ? "yes" : "no");
            }
        }
        if (std::min({std::abs(u), std::abs(v), std::abs(w), std::abs(t), std::abs(t - 2.0)}) < 1e-3)
            continue;
        const bool hit = std::min({u, v, w, t}) >= 0 && t <= 2.0;
        EXPECT_EQ(to_text(rows[4][1]), hit ? "hit" : "miss");
        EXPECT_EQ(board.role(4), hit ? Role::Hit : Role::Separating);
        (hit ? hits : misses) += 1;
    }
    EXPECT_GT(hits, 1);
    EXPECT_GT(misses, 5);
}

/// The gap of the projections of two sets of points on a line; negative: their overlap.
template <class Points>
double gap(const Points& a, const Points& b, const dvec3& axis) {
    double low_a = kInfinity, high_a = -kInfinity, low_b = kInfinity, high_b = -kInfinity;
    for (const auto& p : a) {
        low_a = std::min(low_a, glm::dot(dvec3(p), axis));
        high_a = std::max(high_a, glm::dot(dvec3(p), axis));
    }
    for (const auto& p : b) {
        low_b = std::min(low_b, glm::dot(dvec3(p), axis));
        high_b = std::max(high_b, glm::dot(dvec3(p), axis));
    }
    return std::max(low_a - high_b, low_b - high_a);
}

TEST(SceneNumbers, FifteenAxesOfTwoBoxes) {
    Blackboard board("obb-sat");
    int touching = 0, apart = 0;
    for (int round = 0; round < kRounds; ++round) {
        for (const char* handle : {"a", "b", "a.turn", "b.turn"})
            board.drag(handle);
        const auto boxes = board.shapes<bv::Obb>();
        ASSERT_EQ(boxes.size(), 2u);
        EXPECT_LE(glm::distance(dvec3(boxes[0].center), board.place("a")), 1e-5);
        const dvec3 toward = glm::normalize(board.place("b.turn") - board.place("b"));
        EXPECT_LE(glm::distance(dvec3(boxes[1].axes[0]), toward), 1e-5) << "x points to the handle";
        std::array<std::vector<dvec3>, 2> corners;
        for (std::size_t i = 0; i < 2; ++i)
            for (int k = 0; k < 8; ++k) {
                dvec3 corner = boxes[i].center;
                for (int axis = 0; axis < 3; ++axis)
                    corner += ((k >> axis & 1) ? 1.0 : -1.0) *
                              static_cast<double>(boxes[i].half_extents[axis]) * dvec3(boxes[i].axes[axis]);
                corners[i].push_back(corner);
            }
        const auto rows = board.rows();
        ASSERT_EQ(rows.size(), 16u);
        double widest = -kInfinity;
        for (std::size_t i = 0; i < 15; ++i) {
            const int k = static_cast<int>(i);
            dvec3 axis =
                k < 3   ? dvec3(boxes[0].axes[k])
                : k < 6 ? dvec3(boxes[1].axes[k - 3])
                        : glm::cross(dvec3(boxes[0].axes[(k - 6) / 3]), dvec3(boxes[1].axes[(k - 6) % 3]));
            const std::string name = to_text(rows[i][1]);
            if (to_text(rows[i][4]) == "parallel edges" || glm::length(axis) < 0.05) continue;
            const double expected = gap(corners[0], corners[1], glm::normalize(axis));
            widest = std::max(widest, expected);
            // Cross products of axes need not be normalized.
            const double written = value(rows[i][4]);
            if (k < 6) expect_near(written, expected, name);
            if (std::abs(expected) > 0.02) {
                EXPECT_EQ(written > 0, expected > 0) << name;
            }
            const auto a = values(rows[i][2]), b = values(rows[i][3]);
            EXPECT_NEAR(std::max(a[0] - b[1], b[0] - a[1]), written, 3 * kDigits) << name;
            EXPECT_EQ(board.role(i), written > 0 ? Role::Separating : Role::Touching);
        }
        if (std::abs(widest) < 0.02) continue;
        EXPECT_EQ(to_text(rows[15][4]), widest > 0 ? "apart" : "overlap");
        (widest > 0 ? apart : touching) += 1;
    }
    EXPECT_GT(touching, 5);
    EXPECT_GT(apart, 5);
}

std::array<dvec3, 8> corners_of(const bv::Obb& box) {
    std::array<dvec3, 8> corners;
    for (std::size_t k = 0; k < 8; ++k) {
        corners[k] = box.center;
        for (int axis = 0; axis < 3; ++axis)
            corners[k] += ((k >> axis & 1) ? 1.0 : -1.0) * static_cast<double>(box.half_extents[axis]) *
                          dvec3(box.axes[axis]);
    }
    return corners;
}

/// Whether a segment goes through a parallelogram, by determinants; how clearly, in `margin`.
bool pierces(const dvec3& from, const dvec3& to, const dvec3& corner, const dvec3& u, const dvec3& v,
             double& margin) {
    const dvec3 direction = to - from, normal = glm::cross(u, v);
    const double determinant = -glm::dot(direction, normal);
    const dvec3 offset = from - corner;
    const double t = glm::dot(offset, normal) / determinant;
    const dvec3 m = glm::cross(direction, offset) / determinant;
    const double s = -glm::dot(v, m), r = glm::dot(u, m);
    const double inside = std::min({t, 1.0 - t, s, 1.0 - s, r, 1.0 - r});
    margin = std::min(margin, std::abs(inside));
    return inside >= 0.0;
}

TEST(SceneNumbers, TwelveEdgesAgainstSixFacesBothWays) {
    Blackboard board("obb-sat");
    board.run("set sat.naive=on; set sat.axis=1");
    int found = 0, apart = 0, wrong = 0;
    for (int round = 0; round < 4 * kRounds; ++round) {
        const bool is_nested = round >= 2 * kRounds;
        if (is_nested) board.run("set sat.preset=moving");
        if (is_nested) board.run("set sat.preset=inside");
        for (const char* handle : {"a.turn", "b.turn"})
            board.drag(handle);
        if (!is_nested) board.drag("b");
        const auto boxes = board.shapes<bv::Obb>();
        ASSERT_EQ(boxes.size(), 2u);
        std::array<int, 2> pierced{};
        double margin = kInfinity;
        for (std::size_t a = 0; a < 2; ++a) {
            const auto edges = corners_of(boxes[a]), faces = corners_of(boxes[1 - a]);
            for (std::size_t from = 0; from < 8; ++from)
                for (std::size_t to = from + 1; to < 8; ++to) {
                    const std::size_t bits = from ^ to;
                    if (bits != 1 && bits != 2 && bits != 4) continue;
                    for (std::size_t low = 0; low < 3; ++low)
                        for (const std::size_t corner : {std::size_t{0}, std::size_t{1} << low}) {
                            const std::size_t u = std::size_t{1} << ((low + 1) % 3),
                                              v = std::size_t{1} << ((low + 2) % 3);
                            pierced[a] += pierces(edges[from], edges[to], faces[corner],
                                                  faces[corner | u] - faces[corner],
                                                  faces[corner | v] - faces[corner], margin)
                                              ? 1
                                              : 0;
                        }
                }
        }
        if (margin < 1e-4) continue;
        const auto rows = board.rows(1);
        ASSERT_EQ(rows.size(), 4u);
        for (std::size_t a = 0; a < 2; ++a) {
            EXPECT_EQ(value(rows[a][2]), 72.0);
            EXPECT_EQ(value(rows[a][3]), pierced[a]);
        }
        EXPECT_EQ(value(rows[2][2]), 144.0);
        EXPECT_EQ(board.shapes<Marker>().size(), static_cast<std::size_t>(pierced[0] + pierced[1]));
        const bool overlaps = to_text(board.rows().back()[4]) == "overlap";
        const bool finds = pierced[0] + pierced[1] > 0;
        EXPECT_EQ(to_text(rows[2][3]), finds ? "overlap" : "apart");
        EXPECT_EQ(to_text(rows[3][3]), overlaps ? "overlap" : "apart");
        EXPECT_TRUE(overlaps || !finds) << "what is pierced overlaps";
        EXPECT_EQ(to_text(rows[2][1]),
                  overlaps && !finds ? "wrong: one is inside the other" : "agrees with the fifteen axes");
        (finds ? found : overlaps ? wrong : apart) += 1;
    }
    EXPECT_GT(found, 20);
    EXPECT_GT(apart, 20);
    EXPECT_GT(wrong, 20);
    // Apart by an edge against an edge alone: no face's normal separates them, and no edge pierces a face.
    board.run("set sat.preset=crossed");
    for (std::size_t i = 0; i < 6; ++i)
        EXPECT_LT(value(board.rows().at(i)[4]), -0.01) << i;
    EXPECT_EQ(to_text(board.rows().back()[4]), "apart");
    EXPECT_EQ(to_text(board.rows(1).at(2)[3]), "apart");
}

TEST(SceneNumbers, FourAxesOfTwoRectangles) {
    Blackboard board("rectangles");
    int touching = 0, apart = 0;
    for (int round = 0; round < kRounds; ++round) {
        board.drag("a");
        board.drag("b");
        board.run("step 3");
        const auto outlines = board.shapes<Polytope>();
        ASSERT_EQ(outlines.size(), 2u);
        double widest = -kInfinity;
        for (std::size_t i = 0; i < 4; ++i) {
            const auto& corner = outlines[i / 2].vertices;
            const dvec3 edge = dvec3(corner[i % 2 + 1]) - dvec3(corner[i % 2]);
            const dvec3 normal = glm::normalize(dvec3(edge.y, -edge.x, 0));
            const double along = gap(outlines[0].vertices, outlines[1].vertices, normal);
            widest = std::max(widest, along);
            const Cells row = board.rows()[i];
            EXPECT_EQ(to_text(row[0]), fmt::format("edge {} of {}", i % 2 + 1, i < 2 ? "A" : "B"));
            expect_near(value(row[3]), along, to_text(row[0]));
        }
        for (std::size_t i = 0; i < 2; ++i) {
            const auto& c = outlines[i].vertices;
            const double size[] = {i == 0 ? 0.6 : 0.8,
                                   i == 0 ? 2.8 : 2.2};  // 30 x 140 and 40 x 110, 2 cm each
            EXPECT_NEAR(glm::distance(c[0], c[1]), size[1], 1e-4);
            EXPECT_NEAR(glm::distance(c[1], c[2]), size[0], 1e-4);
        }
        if (std::abs(widest) < 1e-3) continue;
        EXPECT_EQ(to_text(board.rows()[4][3]), widest > 0 ? "apart" : "overlap");
        (widest > 0 ? apart : touching) += 1;
    }
    EXPECT_GT(touching, 5);
    EXPECT_GT(apart, 5);
}

/// How far a box and the solid of eight corners are apart along the axis that separates them best: face
/// normals and cross products of edges. Negative if they overlap. Corner i has the sign of bit k along axis
/// k.
double widest_gap(const std::array<dvec3, 8>& corners, const bv::Aabb& box) {
    const std::array<dvec3, 3> units = {dvec3(1, 0, 0), dvec3(0, 1, 0), dvec3(0, 0, 1)};
    std::vector<dvec3> edges, axes(units.begin(), units.end());
    for (std::size_t i = 0; i < 8; ++i)
        for (const std::size_t bit : {1u, 2u, 4u})
            if ((i & bit) == 0) edges.push_back(corners[i | bit] - corners[i]);
    for (const dvec3& e : edges) {
        for (const dvec3& f : edges)
            axes.push_back(glm::cross(e, f));  // among them the normals of the faces
        for (const dvec3& u : units)
            axes.push_back(glm::cross(e, u));
    }
    double widest = -kInfinity;
    for (const dvec3& axis : axes) {
        if (glm::length(axis) < 1e-6) continue;
        const dvec3 n = glm::normalize(axis);
        double low = kInfinity, high = -kInfinity, box_low = kInfinity, box_high = -kInfinity;
        for (std::size_t i = 0; i < 8; ++i) {
            const dvec3 b((i & 1) ? box.max.x : box.min.x, (i & 2) ? box.max.y : box.min.y,
                          (i & 4) ? box.max.z : box.min.z);
            low = std::min(low, glm::dot(n, corners[i]));
            high = std::max(high, glm::dot(n, corners[i]));
            box_low = std::min(box_low, glm::dot(n, b));
            box_high = std::max(box_high, glm::dot(n, b));
        }
        widest = std::max({widest, box_low - high, low - box_high});
    }
    return widest;
}

std::array<dvec3, 8> frustum_corners(const glm::dmat4& projection_view) {
    const glm::dmat4 back = glm::inverse(projection_view);
    std::array<dvec3, 8> corners;
    for (std::size_t i = 0; i < 8; ++i) {
        const glm::dvec4 p = back * glm::dvec4((i & 1) ? 1 : -1, (i & 2) ? 1 : -1, (i & 4) ? 1 : -1, 1);
        corners[i] = dvec3(p) / p.w;
    }
    return corners;
}

TEST(SceneNumbers, BoxesInAFrustum) {
    Blackboard board("frustum");
    for (int round = 0; round < 20; ++round) {
        const dvec3 eye = board.drag("eye"), aim = board.drag("aim");
        board.run("step 2");  // the second knows which plane decided
        const glm::dmat4 m = glm::perspective(0.7, 1.6, 0.8, 9.0) * glm::lookAt(eye, aim, dvec3(0, 1, 0));
        int inside = 0, outside = 0, close = 0, in_vain = 0;
        const auto corners = frustum_corners(m);
        auto boxes = board.shapes<bv::Aabb>();
        const dvec3 center = board.place("box"), half = board.place("box.half");
        boxes.emplace_back(glm::vec3(center - half), glm::vec3(center + half));
        for (const bv::Aabb& box : boxes) {
            bool all_in = true, none_in = false;
            double nearest = kInfinity;
            for (int plane = 0; plane < 6; ++plane) {
                double low = kInfinity, high = -kInfinity;
                for (int k = 0; k < 8; ++k) {
                    const glm::dvec4 p =
                        m * glm::dvec4((k & 1) ? box.min.x : box.max.x, (k & 2) ? box.min.y : box.max.y,
                                       (k & 4) ? box.min.z : box.max.z, 1.0);
                    const double distance = p.w + (plane % 2 == 0 ? 1.0 : -1.0) * p[plane / 2];
                    low = std::min(low, distance);
                    high = std::max(high, distance);
                }
                all_in = all_in && low >= 0;
                none_in = none_in || high < 0;
                nearest = std::min({nearest, std::abs(low), std::abs(high)});
            }
            close += nearest < 1e-4;
            inside += all_in;
            outside += none_in;
            const double gap = widest_gap(corners, box);
            close += std::abs(gap) < 1e-4;
            in_vain += !all_in && !none_in && gap > 0;
        }
        const auto rows = board.rows();
        EXPECT_NEAR(value(rows[0][1]), inside, close);
        EXPECT_NEAR(value(rows[2][1]), outside, close);
        EXPECT_NEAR(value(rows[1][1]), static_cast<double>(boxes.size()) - inside - outside, close);
        EXPECT_NEAR(value(rows[5][1]), in_vain, close);
        EXPECT_GE(value(rows[3][1]), static_cast<double>(boxes.size()))
            << "each box is tested against one plane";
        EXPECT_LE(value(rows[3][1]), 6.0 * static_cast<double>(boxes.size()));
        EXPECT_LE(value(rows[4][1]), value(rows[3][1])) << "the plane that decided last time decides again";
    }
}

TEST(SceneNumbers, PlacementsInAFrustumAreWhatTheySay) {
    Blackboard board("frustum");
    board.run("pause on");
    const auto verdict = [&](const std::string& place) {
        board.run("set frustum.box=" + place);
        return board.session().state().scene.running->stepped_walk()->verdict();
    };
    const auto contains = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    const glm::dmat4 m = glm::perspective(0.7, 1.6, 0.8, 9.0) *
                         glm::lookAt(dvec3(-4.6, 1.6, 3.8), dvec3(0.6, 0.6, -0.6), dvec3(0, 1, 0));
    const auto box = [&] {
        const dvec3 center = find_handle(board.session().results().handles, "box")->position;
        const dvec3 half = find_handle(board.session().results().handles, "box.half")->position;
        return bv::Aabb{glm::vec3(center - half), glm::vec3(center + half)};
    };
    const std::string edge = verdict("edge");
    EXPECT_TRUE(contains(edge, "Needlessly")) << edge;
    EXPECT_GE(value(board.rows()[3][1]), 1.0) << "the table counts the box that the sentence is about";
    EXPECT_GT(widest_gap(frustum_corners(m), box()), 0.1);
    EXPECT_TRUE(contains(verdict("around"), "cuts it"));
    EXPECT_TRUE(contains(verdict("behind"), "culled"));
    EXPECT_FALSE(contains(verdict("touching"), "Needlessly"));
    EXPECT_NEAR(widest_gap(frustum_corners(m), box()), 0.0, 1e-4);
    EXPECT_FALSE(contains(verdict("row"), "Needlessly"));
}

}  // namespace
}  // namespace lab
