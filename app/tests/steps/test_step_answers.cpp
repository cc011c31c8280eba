// The last step of a walk against the answer of the untraced algorithm, for handles at random places; and the
// numbers of every sentence against the values of its step.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <glm/geometric.hpp>
#include <map>
#include <regex>
#include <set>

#include "bv/query/overlap_triangle.hpp"
#include "bv/query/raycast.hpp"
#include "commands/catalog.hpp"
#include "io/text/counted.hpp"
#include "scenes/scenes.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "step_test_tools.hpp"
#include "steps/event_spec.hpp"
#include "steps/walk.hpp"
#include "workloads/random.hpp"

namespace lab {
namespace {

using steps::Board;
using steps::Walk;
using test::run;
using test::walk_of;

std::string last_sentence(const Walk& walk) {
    const std::size_t last = walk.size() - 1;
    return steps::sentence_of(walk.event(last), walk.subject(), walk.board(last));
}

bool says(const Walk& walk, std::string_view words) {
    return walk.verdict().find(words) != std::string::npos;
}

/// Checks the board after all steps of a walk.
using Check = std::function<void(const Walk&, const Board&)>;

/// Calls `check` at each preset, unless the settings choose one, and with the handles at random places.
void check_at_random(const std::string& scene, const std::string& settings, int rounds, float spread,
                     const Check& check) {
    SCOPED_TRACE(scene + ' ' + settings);
    Session session(command_table());
    run(session, "scene " + scene + "; pause on; " + settings, 3);
    if (settings.find(".preset=") == std::string::npos)
        for (const SettingSpec* setting : find_scene(scene)->settings) {
            if (!setting->id.ends_with(".preset") && !setting->id.ends_with(".place")) continue;
            for (const Choice& choice : setting->choices) {
                SCOPED_TRACE(choice.id);
                run(session, set_line(*setting, choice.id), 2);
                check(walk_of(session), walk_of(session).board(walk_of(session).size()));
            }
            run(session, set_line(*setting, setting->default_value), 2);
        }
    bv::workloads::Random random(17);
    const std::vector<Handle> handles = session.results().handles;
    for (int round = 0; round < rounds; ++round) {
        const Walk& walk = walk_of(session);
        check(walk, walk.board(walk.size()));
        std::string drags;
        for (const Handle& handle : handles) {
            if (!handle.given.in_view) continue;  // a size or a count
            const glm::vec3 p = handle.position + random.in_box(glm::vec3(-spread), glm::vec3(spread));
            drags += fmt::format("scene.drag {} {} {} {}; ", handle.id, p.x, p.y, p.z);
        }
        run(session, drags, 1);
    }
    EXPECT_EQ(test::errors_of(session), "");
}

/// Both answers must have come up, or the places say nothing.
struct Both {
    bool yes = false, no = false;
    void note(bool answer) { (answer ? yes : no) = true; }
    ~Both() { EXPECT_TRUE(yes && no) << "only one of both answers came up"; }
};

TEST(StepAnswers, RaysMeetTheirBoxAndTriangle) {
    Both boxes;
    check_at_random("ray-aabb", "", 120, 1.5f, [&](const Walk& walk, const Board& board) {
        const bv::Obb& box = walk.subject().nodes.at(0);
        const auto hit = bv::raycast(*walk.subject().ray,
                                     bv::Aabb{box.center - box.half_extents, box.center + box.half_extents});
        ASSERT_FALSE(board.slabs.empty());
        const bv::SlabClipped& last = board.slabs.back();
        boxes.note(hit.has_value());
        // At an edge rounding decides, and this box is rounded once more than the scene's.
        if (std::abs(last.t_enter - last.t_exit) < 1e-6f) return;
        // The slabs of the whole line; the ray begins at 0.
        const float end = walk.subject().ray->t_max;
        EXPECT_EQ(last.t_enter <= last.t_exit && last.t_exit >= 0 && last.t_enter <= end, hit.has_value());
        const std::string sentence = last_sentence(walk);
        const auto tells = [&](const char* words) { return sentence.find(words) != std::string::npos; };
        EXPECT_EQ(tells("a hit at"), hit.has_value()) << sentence;
        EXPECT_EQ(tells("a miss") || tells("nothing was left before"), !hit.has_value()) << sentence;
        if (hit) {
            EXPECT_NEAR(std::max(last.t_enter, 0.0f), hit->t, 1e-6f * (1.0f + hit->t));
        }
    });
    Both triangles;
    check_at_random("ray-triangle", "", 120, 1.0f, [&](const Walk& walk, const Board&) {
        const auto hit = bv::raycast(*walk.subject().ray, *walk.subject().triangle);
        const auto& last = std::get<bv::TriangleTested>(walk.event(walk.size() - 1));
        triangles.note(hit.has_value());
        EXPECT_EQ(last.verdict == bv::TriangleTested::Verdict::Hit, hit.has_value());
        if (hit) {
            EXPECT_EQ(last.t, hit->t);
            EXPECT_NE(last_sentence(walk).find(
                          fmt::format("t = {}:", steps::in_short(static_cast<double>(hit->t)))),
                      std::string::npos)
                << last_sentence(walk);
        }
    });
}

/// Corners on an axis, in double.
std::pair<double, double> extent(const std::vector<glm::vec3>& points, const glm::dvec3& axis) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const glm::vec3& p : points) {
        low = std::min(low, glm::dot(glm::dvec3(p), axis));
        high = std::max(high, glm::dot(glm::dvec3(p), axis));
    }
    return {low, high};
}

TEST(StepAnswers, AnAxisSeparatesBoxesThatAreApart) {
    Both both;
    check_at_random("obb-sat", "", 80, 1.2f, [&](const Walk& walk, const Board& board) {
        const bool apart = std::any_of(board.axes.begin(), board.axes.end(),
                                       [](const bv::AxisTested& e) { return !e.skipped && e.gap > 0; });
        both.note(apart);
        EXPECT_EQ(says(walk, "that separates them"), apart) << walk.verdict();
        // Each gap, measured between the corners.
        for (const bv::AxisTested& e : board.axes) {
            if (e.skipped) continue;
            const auto a = extent(walk.subject().points, glm::dvec3(e.axis));
            const auto b = extent(walk.subject().points_b, glm::dvec3(e.axis));
            EXPECT_NEAR(static_cast<double>(e.gap), std::max(b.first - a.second, a.first - b.second), 1e-4);
        }
    });
    Both rectangles;
    check_at_random("rectangles", "", 80, 1.5f, [&](const Walk& walk, const Board& board) {
        const bool apart = std::any_of(board.axes.begin(), board.axes.end(),
                                       [](const bv::AxisTested& e) { return !e.skipped && e.gap > 0; });
        rectangles.note(apart);
        EXPECT_EQ(says(walk, "overlap") || says(walk, "they touch"), !apart) << walk.verdict();
    });
}

TEST(StepAnswers, MovingBoxesMeetWhenTheVerdictSays) {
    Both both;
    check_at_random("aabb-sweep", "", 120, 1.5f, [&](const Walk& walk, const Board& board) {
        ASSERT_FALSE(board.slabs.empty());
        const bv::SlabClipped& last = board.slabs.back();
        const bool meet = last.t_enter <= last.t_exit && last.t_exit >= 0;
        both.note(meet);
        EXPECT_EQ(!says(walk, "never touch"), meet) << walk.verdict();
        EXPECT_EQ(says(walk, "overlap at the start"), meet && last.t_enter < 0) << walk.verdict();
        if (meet && last.t_enter >= 0) {
            EXPECT_TRUE(says(walk, fmt::format("touch after {} s and separate",
                                               steps::in_short(static_cast<double>(last.t_enter)))))
                << walk.verdict();
        }
        // The clip to the motion is a step of its own.
        const auto* clip = std::get_if<bv::RangeClipped>(&walk.event(walk.size() - 1));
        EXPECT_EQ(clip != nullptr, last.t_enter <= last.t_exit);
        if (clip) {
            EXPECT_EQ(clip->t_enter <= clip->t_exit, meet);
        }
    });
}

TEST(StepAnswers, TheSimplexEndsAtTheDistance) {
    for (const char* preset : {"apart", "near", "touching", "overlapping", "parallel", "inside"}) {
        SCOPED_TRACE(preset);
        check_at_random("gjk", std::string("set gjk.preset=") + preset, 20, 0.6f,
                        [&](const Walk& walk, const Board& board) {
                            ASSERT_TRUE(board.simplex.has_value());
                            const bool overlap = board.simplex->count == 4 || board.simplex->upper_bound == 0;
                            if (board.simplex->upper_bound > 1e-4f || board.simplex->count == 4) {
                                EXPECT_EQ(says(walk, "They overlap"), overlap) << walk.verdict();
                            }
                            if (overlap) return;
                            // The points that the step shows are that far apart.
                            EXPECT_NEAR(glm::distance(board.simplex->on_a, board.simplex->on_b),
                                        board.simplex->upper_bound, 1e-4f);
                            EXPECT_TRUE(says(walk, fmt::format("{} m", steps::in_short(static_cast<double>(
                                                                           board.simplex->upper_bound)))))
                                << walk.verdict() << " but " << board.simplex->upper_bound;
                        });
    }
}

TEST(StepAnswers, APlaneRejectsWhatIsNotDrawn) {
    Both both;
    check_at_random("frustum", "", 120, 3.0f, [&](const Walk& walk, const Board& board) {
        const bool rejected =
            std::any_of(board.planes.begin(), board.planes.end(),
                        [](const bv::PlaneTested& e) { return e.verdict == bv::PlaneTested::Verdict::Back; });
        both.note(rejected);
        EXPECT_EQ(says(walk, "culled"), rejected);
        // By the corners of the box.
        const bv::Obb& box = walk.subject().nodes.at(0);
        for (const bv::PlaneTested& e : board.planes) {
            int behind = 0;
            for (int corner = 0; corner < 8; ++corner) {
                glm::dvec3 p(box.center);
                for (int k = 0; k < 3; ++k)
                    p[k] += ((corner >> k) & 1 ? 1.0 : -1.0) * static_cast<double>(box.half_extents[k]);
                behind += glm::dot(glm::dvec3(e.normal), p) < static_cast<double>(e.offset) ? 1 : 0;
            }
            EXPECT_EQ(static_cast<int>(e.verdict), behind == 8 ? 0 : behind == 0 ? 2 : 1);
        }
    });
}

TEST(StepAnswers, TrianglesAreCutWhereTheirCornersAreOnBothSides) {
    Both both;
    check_at_random("slice", "set slice.mesh=torus", 30, 1.2f, [&](const Walk& walk, const Board& board) {
        std::size_t cut = 0;
        for (const bv::TriangleCut& e : board.cuts)
            cut += e.verdict == bv::TriangleCut::Verdict::Cut ? 1 : 0;
        both.note(cut > 0);
        EXPECT_EQ(board.cuts.size(), walk.subject().triangles.size());
        EXPECT_EQ(board.loops.size(), walk.subject().planes.size());
        if (cut > 0) {
            EXPECT_TRUE(says(walk, fmt::format("{} of {} triangles are cut", cut, board.cuts.size())));
        }
        // The plane through three of the new corners.
        std::vector<glm::dvec3> corners;
        for (const bv::TriangleCut& e : board.cuts)
            if (e.verdict == bv::TriangleCut::Verdict::Cut) corners.emplace_back(e.from);
        if (corners.size() < 6) return;
        const glm::dvec3 o = corners[0];
        glm::dvec3 normal(0.0);
        for (const glm::dvec3& p : corners)
            for (const glm::dvec3& q : corners) {
                const glm::dvec3 n = glm::cross(p - o, q - o);
                if (glm::length(n) > glm::length(normal)) normal = n;
            }
        if (glm::length(normal) < 1e-2) return;
        normal = glm::normalize(normal);
        for (const bv::TriangleCut& e : board.cuts) {
            const bv::Triangle& t = walk.subject().triangles[e.triangle];
            int front = 0, behind = 0;
            for (const glm::vec3& p : {t.a, t.b, t.c}) {
                const double d = glm::dot(normal, glm::dvec3(p) - o);
                front += d > 1e-4;
                behind += d < -1e-4;
            }
            const bool is_cut = e.verdict == bv::TriangleCut::Verdict::Cut;
            if (front > 0 && behind > 0) {
                EXPECT_TRUE(is_cut);
            }
            if (front == 3 || behind == 3) {
                EXPECT_FALSE(is_cut);
            }
        }
    });
}

TEST(StepAnswers, VoxelsAndTreesCountAsTheVerdictDoes) {
    check_at_random("voxel-pairs", "", 12, 0.4f, [&](const Walk& walk, const Board& board) {
        if (walk.dropped() > 0) return;
        EXPECT_EQ(walk.verdict().rfind(fmt::format("{} pair", io::grouped(board.voxels.size())), 0), 0u)
            << walk.verdict();
        for (const bv::CubesTested& e : board.voxels) {
            // Turned cubes that touch are no farther apart than their diagonals.
            const bv::Obb a = walk.subject().cubes[0].cube(e.a, 1), b = walk.subject().cubes[1].cube(e.b, 1);
            EXPECT_LE(glm::distance(a.center, b.center),
                      glm::length(a.half_extents) + glm::length(b.half_extents) + 1e-4f);
        }
    });
    // The hard cases: with voxels in common or without, although bricks overlap.
    const std::map<std::string, bool> presets = {
        {"overlapping", true}, {"face", true}, {"threaded", false}, {"hollow", false}, {"same", true}};
    for (const auto& [preset, meet] : presets) {
        SCOPED_TRACE(preset);
        Session session(command_table());
        run(session, "scene voxel-pairs; set voxel_pairs.preset=" + preset, 3);
        const Walk& walk = walk_of(session);
        const Board board = walk.board(walk.size());
        EXPECT_EQ(!board.voxels.empty(), meet) << walk.verdict();
        EXPECT_GT(walk.size(), 0u);
    }
    check_at_random("mesh-pairs", "", 12, 0.4f, [&](const Walk& walk, const Board& board) {
        if (walk.dropped() > 0) return;
        EXPECT_TRUE(says(walk, io::counted(board.pairs.size(), "box test", "box tests"))) << walk.verdict();
    });
}

std::string told(const bv::TraceEvent& event, const steps::Subject& subject = {}) {
    return steps::sentence_of(event, subject, Board());
}

/// The weights of the three corners are u (of b), v (of c) and the rest (of a); the edge that is named is
/// one whose weight is negative.
TEST(StepAnswers, AMissNamesTheEdgeThatItIsBeyond) {
    const bv::Triangle triangle{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const std::tuple<float, float, const char*> rows[] = {
        {-0.5f, 0.2f, "u is below 0, beyond the edge from a to c."},
        {1.5f, 0.2f, "u is above 1, so v or w is below 0, beyond corner b."},
        {1.5f, -0.2f, "u is above 1, so v or w is below 0, beyond corner b."},
        {0.2f, -0.5f, "v is below 0, beyond the edge from a to b."},
        {0.2f, 1.5f, "u + v is above 1, so w is below 0, beyond the edge from b to c."},
        {0.7f, 0.7f, "u + v is above 1, so w is below 0, beyond the edge from b to c."}};
    for (const float side : {1.0f, -1.0f})
        for (const auto& [u, v, words] : rows) {
            bv::Recording trace;
            EXPECT_FALSE(bv::raycast(bv::Ray{{u, v, side}, {0, 0, -side}}, triangle, trace).has_value());
            ASSERT_FALSE(trace.events().empty());
            const std::string sentence = told(trace.events().back());
            EXPECT_TRUE(sentence.ends_with(words)) << sentence;
        }
}

/// Far from the origin rounding noise is large, but it decides nothing where the verdict has a side.
TEST(StepAnswers, WhatLiesOnASideIsNotAtDistanceZero) {
    using Verdict = bv::PlaneTested::Verdict;
    steps::Subject subject;
    subject.probe = glm::vec3(1e4f, 0.0f, 0.0f);
    const bv::PlaneTested behind{0, {1, 0, 0}, 1e4f, -2e-3f, 1e-6f, Verdict::Back};
    EXPECT_EQ(told(behind, subject), "Plane 0: distance −0.002 m, so the point lies behind it.");
    bv::PlaneTested within = behind;
    within.verdict = Verdict::Across;
    EXPECT_EQ(told(within, subject), "Plane 0: distance 0 m, so the point lies in it.");
    // The terms of the distance add up, even where the largest coordinate is small.
    subject.probe = glm::vec3(0.0f);
    EXPECT_EQ(told(within, subject), "Plane 0: distance 0 m, so the point lies in it.");
    subject.in_order = true;
    const bv::PlaneTested on{0, {1, 0, 0}, 1e4f, 0.0f, 0.0f, Verdict::Front};
    EXPECT_EQ(told(on, subject), "Plane 0: distance 0 m, so the eye lies in it, which counts as in front.");
}

TEST(StepAnswers, ASmallBoxIsStillABox) {
    using Verdict = bv::PlaneTested::Verdict;
    steps::Subject subject;
    subject.probe = glm::vec3(0.0f);
    subject.nodes = {bv::Obb{glm::vec3(0.0f), glm::vec3(5e-5f), glm::mat3(1.0f)}};
    const bv::PlaneTested tested{0, {1, 0, 0}, 0.0f, 1e-5f, 5e-5f, Verdict::Across};
    EXPECT_EQ(told(tested, subject),
              "Plane 0: distance 1.0e-05 m, projected radius 5.0e-05 m, so the box intersects it.");
    for (const auto& [name, value] : steps::values_of(tested, subject, Board())) {
        if (name == "projected radius") {
            EXPECT_EQ(to_text(value), "5.0e-05 m");
        }
    }
}

TEST(StepAnswers, ATriangleWithoutAreaHasNoPlane) {
    const bv::Triangle a{{0, 0, -1}, {2, 0, -1}, {1, 0, 1}}, flat{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    bv::Recording trace;
    (void)bv::overlap(a, flat, trace);
    ASSERT_FALSE(trace.events().empty());
    EXPECT_EQ(told(trace.events().front()), "B has no area, and so no plane: the edges decide.");
    EXPECT_FALSE(steps::quantity_of(trace.events().front(), {}, Board()).has_value());
    bv::Recording swapped;
    (void)bv::overlap(flat, a, swapped);
    ASSERT_GE(swapped.events().size(), 2u);
    EXPECT_EQ(told(swapped.events()[1]), "A has no area, and so no plane: the edges decide.");
}

/// The numbers in a text, as they are written.
std::vector<std::string> numbers_in(const std::string& text) {
    static const std::regex number("(?:-|\u2212)?[0-9]+(?:\\.[0-9]+)?");
    return {std::sregex_token_iterator(text.begin(), text.end(), number), std::sregex_token_iterator()};
}

/// A sentence and the values beside it are written apart from each other: they must not disagree.
TEST(StepAnswers, EveryNumberOfASentenceIsAmongTheValues) {
    // Kinds whose sentences add up or convert what the values give one by one.
    const std::set<std::string_view> derived = {
        "sibling_considered", "rotated",          "leaf_placed",   "sphere_grown",
        "support_ball",       "hull_point_added", "cell_filled",   "intervals_compared",
        "neighbor_found",     "triangle_tested",  "node_refitted", "box_considered",
        "slab_fitted",        "triangle_cut",     "piece_sorted",  "principal_axes_found"};
    std::map<std::string, int> checked;
    for (const SceneSpec& spec : scene_specs()) {
        Session session(command_table());
        run(session, "scene " + std::string(spec.id) + "; pause on", 12);
        if (!session.state().scene.running->stepped_walk()) continue;
        std::vector<std::string> lines = {""};
        for (const SettingSpec* setting : spec.settings)
            if (setting->id.ends_with(".algorithm"))
                for (const Choice& choice : setting->choices)
                    lines.push_back(set_line(*setting, choice.id));
        for (const std::string& line : lines) {
            run(session, line, 3);
            const Walk& walk = walk_of(session);
            for (std::size_t n = 0; n < walk.size(); n += 1 + walk.size() / 60) {
                const bv::TraceEvent& event = walk.event(n);
                if (derived.contains(steps::id_of(event))) continue;
                std::string values;
                const steps::Board before = walk.board(n);
                const std::string sentence = steps::sentence_of(event, walk.subject(), before);
                for (const auto& [name, value] : steps::values_of(event, walk.subject(), before))
                    values += std::string(name) + ' ' + to_text(value) + ' ';
                const std::vector<std::string> known = numbers_in(values);
                for (const std::string& number : numbers_in(sentence)) {
                    EXPECT_NE(std::find(known.begin(), known.end(), number), known.end())
                        << spec.id << ", step " << n + 1 << ": " << number << " of \"" << sentence
                        << "\" is not in \"" << values << '"';
                    ++checked[std::string(steps::id_of(event))];
                }
            }
        }
    }
    EXPECT_GE(checked.size(), 12u);
}

/// Splits of one builder of scene sah-split: the walk, and per node the planes that were weighed.
struct Splits {
    Session session{command_table()};
    explicit Splits(const std::string& settings) {
        run(session, "scene sah-split; pause on; set split.count=24; " + settings, 2);
    }
    [[nodiscard]] const Walk& walk() const { return walk_of(session); }
    [[nodiscard]] std::string code_at(std::size_t number) {
        run(session, fmt::format("step.goto {}", number));
        const WalkView& view = *session.results().walk;
        return std::string(view.code[view.code_line]);
    }
};

TEST(StepAnswers, TheCenterIsNamedAsItIs) {
    Session session(command_table());
    for (const auto& [algorithm, words] :
         {std::pair{"centroid", "The centroid of 24 points is ("},
          std::pair{"aabb_center", "The center of the box of 24 points is ("}}) {
        run(session, fmt::format("scene fit-sphere; set fit_sphere.algorithm={}", algorithm), 2);
        const Walk& walk = walk_of(session);
        std::size_t found = 0;
        for (std::size_t n = 1; n <= walk.size(); ++n) {
            const WalkView view = view_of(walk, {n, false});
            if (view.kind != "center_found") continue;
            ++found;
            EXPECT_TRUE(view.sentence.starts_with(words)) << view.sentence;
        }
        EXPECT_EQ(found, 1u);
    }
}

/// Each placement of a query is the case that its name says.
TEST(StepAnswers, PlacementsAreTheCasesThatTheyName) {
    const std::tuple<const char*, const char*, const char*> rows[] = {
        {"ray-aabb; set ray_aabb.preset=parallel", "the ray hits", ""},
        {"ray-aabb; set ray_aabb.preset=beside", "slab y: a miss", "hits"},
        {"ray-aabb; set ray_aabb.preset=face", "the ray hits", ""},
        {"ray-aabb; set ray_aabb.preset=edge", "the ray hits", ""},
        {"ray-triangle; set ray_triangle.preset=edge", "hits", ""},
        {"ray-triangle; set ray_triangle.preset=corner", "hits", ""},
        {"ray-aabb; set ray_aabb.preset=inside", "from −", ""},
        {"ray-aabb; set ray_aabb.preset=behind", "behind the origin: a miss", "hits"},
        {"ray-triangle; set ray_triangle.preset=back", "hits", ""},
        {"ray-triangle; set ray_triangle.preset=parallel", "parallel to the plane: a miss", ""},
        {"ray-triangle; set ray_triangle.preset=behind", "behind the origin: a miss", ""},
        {"ray-triangle; set ray_triangle.preset=flat", "no ray hits", ""},
        {"aabb-sweep; set aabb_sweep.preset=closing", "touch after 0.167 s", ""},
        {"aabb-sweep; set aabb_sweep.preset=diagonal", "touch after 0.167 s", ""},
        {"aabb-sweep; set aabb_sweep.preset=sliding", "touch after 0.167 s", ""},
        {"aabb-sweep; set aabb_sweep.preset=missing", "never touch", ""},
        {"aabb-sweep; set aabb_sweep.preset=overlapping", "overlap at the start", "never"},
        {"aabb-sweep; set aabb_sweep.preset=parting", "they never touch", ""},
        {"aabb-sweep; set aabb_sweep.preset=still", "never touch", ""},
        {"slice; set slice.preset=upright", "capped in both halves", ""},
        {"slice; set slice.preset=face", "cuts none", ""},
        {"slice; set slice.preset=beside", "cuts none", ""}};
    for (const auto& [script, words, not_words] : rows) {
        Session session(command_table());
        run(session, fmt::format("scene {}; pause on", script), 20);
        EXPECT_EQ(test::errors_of(session), "") << script;
        const std::string& verdict = walk_of(session).verdict();
        EXPECT_NE(verdict.find(words), std::string::npos) << script << ": " << verdict;
        EXPECT_TRUE(!*not_words || verdict.find(not_words) == std::string::npos) << script << ": " << verdict;
        for (const char* step : {"step.first", "step.last", "step.goto 0"}) {
            run(session, step, 2);
            EXPECT_LT(glm::length(session.results().bounds.size()), 60.0f)
                << script << ", " << step << ": all of it is near the handles";
        }
    }
}

TEST(StepAnswers, EachBuilderHasItsOwnTitleCodeAndSentence) {
    const std::tuple<const char*, const char*, const char*, const char*> rows[] = {
        {"binned", "heuristic", "lowest cost", "One leaf would cost"},
        {"sweep", "heuristic", "lowest cost", "One leaf would cost"},
        {"median", "Median", "to the right", "spread widest along"},
        {"morton", "Morton", "that bit becomes 1", "highest bit in which their codes differ"}};
    std::set<std::string_view> titles;
    for (const auto& [builder, title, code, words] : rows) {
        Splits splits(fmt::format("set split.algorithm={}", builder));
        const Walk& walk = splits.walk();
        titles.insert(walk.algorithm().label);
        EXPECT_NE(walk.algorithm().label.find(title), std::string_view::npos) << walk.algorithm().label;
        for (std::size_t n = 1; n <= walk.size(); ++n)
            if (std::get<bv::SplitEvaluated>(walk.event(n - 1)).chosen) {
                EXPECT_NE(splits.code_at(n).find(code), std::string::npos) << splits.code_at(n);
                EXPECT_NE(splits.session.results().walk->sentence.find(words), std::string::npos)
                    << splits.session.results().walk->sentence;
                break;
            }
    }
    EXPECT_EQ(titles.size(), std::size(rows));
}

/// The cost of dividing boxes at a plane by their centers; none with an empty side.
std::optional<double> cost_of_plane(const std::vector<bv::Aabb>& boxes, int axis, double at) {
    bv::Aabb sides[2];
    double counts[2] = {};
    for (const bv::Aabb& box : boxes) {
        const int side = 0.5 * (double(box.min[axis]) + double(box.max[axis])) < at ? 0 : 1;
        sides[side] = bv::merge(sides[side], box);
        ++counts[side];
    }
    if (counts[0] == 0 || counts[1] == 0) return std::nullopt;
    return double(sides[0].surface_area()) * counts[0] + double(sides[1].surface_area()) * counts[1];
}

/// The chart of the last plane of each node against costs that are computed from its boxes alone.
TEST(StepAnswers, ChartsShowTheCostOfEveryPlane) {
    for (const char* builder : {"binned", "sweep"}) {
        SCOPED_TRACE(builder);
        Splits splits(fmt::format("set split.algorithm={}", builder));
        const Walk& walk = splits.walk();
        std::size_t charts = 0;
        for (std::size_t n = 1; n <= walk.size(); ++n) {
            const auto& e = std::get<bv::SplitEvaluated>(walk.event(n - 1));
            if (!e.chosen || charts == 6) continue;
            run(splits.session, fmt::format("step.goto {}", n));
            ASSERT_EQ(splits.session.results().line_charts.size(), 1u);
            const LineChart& chart = splits.session.results().line_charts[0];
            const std::vector<bv::Aabb>& boxes = walk.subject().contents.at(e.node.value);
            ++charts;
            for (int axis = 0; axis < 3; ++axis) {
                const std::vector<float>& line = chart.lines[static_cast<std::size_t>(axis)].values;
                std::vector<double> centers;
                for (const bv::Aabb& box : boxes)
                    centers.push_back(0.5 * (double(box.min[axis]) + double(box.max[axis])));
                std::sort(centers.begin(), centers.end());
                const bool binned = std::string(builder) == "binned";
                ASSERT_EQ(line.size(), binned ? 15u : boxes.size() - 1);
                for (std::size_t i = 0; i < line.size(); ++i) {
                    const double at =
                        binned ? centers.front() + double(i + 1) / 16 * (centers.back() - centers.front())
                               : 0.5 * (centers[i] + centers[i + 1]);
                    const std::optional<double> cost = cost_of_plane(boxes, axis, at);
                    ASSERT_EQ(cost.has_value(), !std::isnan(line[i])) << axis << ' ' << i;
                    if (cost) {
                        EXPECT_NEAR(double(line[i]), *cost, 1e-3 * *cost) << axis << ' ' << i;
                    }
                }
            }
            // The last line marks the plane that is taken, at the least of all.
            float least = std::numeric_limits<float>::infinity(), marked = 0;
            for (std::size_t axis = 0; axis < 3; ++axis)
                for (const float value : chart.lines[axis].values)
                    if (value < least) least = value;
            for (const float value : chart.lines.back().values)
                if (!std::isnan(value)) marked = value;
            EXPECT_EQ(marked, least);
        }
        EXPECT_EQ(charts, 6u);
    }
}

/// The chart of a median split against spreads that are computed from the boxes alone.
TEST(StepAnswers, TheChartOfAMedianShowsTheWidestSpread) {
    Splits splits("set split.algorithm=median");
    const Walk& walk = splits.walk();
    ASSERT_GT(walk.size(), 10u);
    for (std::size_t n = 1; n <= walk.size(); ++n) {
        const auto& e = std::get<bv::SplitEvaluated>(walk.event(n - 1));
        run(splits.session, fmt::format("step.goto {}", n));
        ASSERT_EQ(splits.session.results().charts.size(), 1u) << n;
        const IntervalChart& chart = splits.session.results().charts[0];
        ASSERT_EQ(chart.rows.size(), 5u);
        double widest = 0;
        std::size_t axis = 0;
        std::vector<double> along;
        for (int k = 0; k < 3; ++k) {
            std::vector<double> centers;
            for (const bv::Aabb& box : walk.subject().contents.at(e.node.value))
                centers.push_back(0.5 * (double(box.min[k]) + double(box.max[k])));
            std::sort(centers.begin(), centers.end());
            const double spread = centers.back() - centers.front();
            const auto row = static_cast<std::size_t>(k);
            EXPECT_NEAR(double(chart.rows[row].to - chart.rows[row].from), spread, 1e-5) << n;
            if (spread <= widest) continue;
            widest = spread;
            axis = row;
            along = centers;
        }
        const double below = double(chart.rows[3].to) + along.front();
        const auto left =
            std::count_if(along.begin(), along.end(), [below](double center) { return center < below; });
        EXPECT_EQ(chart.rows[3].note, io::counted(static_cast<std::uint64_t>(left), "box", "boxes")) << n;
        EXPECT_NE(chart.rows[axis].note.find("widest"), std::string::npos) << n;
        EXPECT_EQ(chart.rows[3].to, chart.rows[4].from);
    }
}

/// Boxes in the picture are counted through their legend.
TEST(StepAnswers, BinsAndTheCurveAreInThePicture) {
    const auto count = [](const Session& session, std::string_view legend) {
        return std::count_if(session.results().exhibits.begin(), session.results().exhibits.end(),
                             [&](const Exhibit& e) { return e.legend == legend; });
    };
    Splits binned("set split.algorithm=binned");
    run(binned.session, "step.first");
    for (const char* axis : {"x", "y", "z"})
        EXPECT_EQ(count(binned.session, fmt::format("bins along {}", axis)), 16);
    Splits morton("set split.algorithm=morton");
    run(morton.session, "step.last");
    for (const Exhibit& e : morton.session.results().exhibits)
        if (e.legend == "order along the Morton curve") {
            EXPECT_EQ(std::get<Polyline>(e.shape).points.size(), 24u);
        }
    EXPECT_EQ(count(morton.session, "order along the Morton curve"), 1);
    EXPECT_EQ(count(morton.session, "run being split"), 1);
}

}  // namespace
}  // namespace lab
