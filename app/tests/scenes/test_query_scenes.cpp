// What the sentences and verdicts of the query scenes say in their special cases: the reason that is true, in
// numbers that are on the screen.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <regex>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "commands/catalog.hpp"
#include "results/put.hpp"
#include "scenes/scenes.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "steps/event_spec.hpp"
#include "steps/walk.hpp"
#include "workloads/random.hpp"

namespace lab {
namespace {

using test::run;

struct Scene {
    explicit Scene(const std::string& scene, const std::string& script = "") {
        run(session, "scene " + scene + "; pause on; " + script, 3);
    }
    [[nodiscard]] const steps::Walk& walk() const { return *session.state().scene.running->stepped_walk(); }
    /// Of a step, counted from 1.
    [[nodiscard]] std::string sentence(std::size_t number) const {
        return steps::sentence_of(walk().event(number - 1), walk().subject(), walk().board(number - 1));
    }
    [[nodiscard]] std::vector<std::string> sentences() const {
        std::vector<std::string> all;
        for (std::size_t n = 1; n <= walk().size(); ++n)
            all.push_back(sentence(n));
        return all;
    }
    [[nodiscard]] const WalkView& shown() const { return *session.results().walk; }
    Session session{command_table()};
};

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

TEST(QueryScenes, ABoxBehindTheRayIsMissedByTheRaysOwnRange) {
    Scene scene("ray-aabb", "set ray_aabb.preset=behind");
    ASSERT_EQ(scene.walk().size(), 4u);
    EXPECT_TRUE(contains(scene.walk().verdict(), "behind the origin")) << scene.walk().verdict();
    EXPECT_TRUE(contains(scene.sentence(4), "is behind it: a miss")) << scene.sentence(4);
    for (std::size_t n = 1; n < 4; ++n)
        EXPECT_FALSE(contains(scene.sentence(n), "miss")) << scene.sentence(n);
    const Table& table = test::table_of(scene.session, "ray_aabb");
    EXPECT_EQ(to_text(table.rows.back().cells[4]), "box behind the ray: miss");
}

TEST(QueryScenes, ABoxBeyondTheRaysEndIsNamedSo) {
    Scene scene("ray-aabb", "set ray_aabb.preset=parallel; scene.drag aim -2.5 1.2 0.2");
    EXPECT_TRUE(contains(scene.walk().verdict(), "the ray ends at 2")) << scene.walk().verdict();
    EXPECT_TRUE(contains(scene.sentence(4), "is beyond it: a miss")) << scene.sentence(4);
}

/// The same slabs are named by the verdict and by the step that finds nothing left, and they share no t.
TEST(QueryScenes, TheSlabsThatMissAreThoseOfTheStep) {
    Scene scene("ray-aabb");
    bv::workloads::Random random(5);
    int pairs = 0, alone = 0;
    for (int round = 0; round < 80; ++round) {
        const glm::vec3 from = random.in_box(glm::vec3(-3, -1, -3), glm::vec3(3, 4, 3));
        glm::vec3 to = random.in_box(glm::vec3(-3, -1, -3), glm::vec3(3, 4, 3));
        if (round % 4 == 0) to.y = from.y;
        run(scene.session, fmt::format("scene.drag origin {} {} {}; scene.drag aim {} {} {}", from.x, from.y,
                                       from.z, to.x, to.y, to.z));
        const std::string verdict = scene.walk().verdict();
        std::smatch names;
        const bool two = std::regex_search(verdict, names, std::regex("^Slabs (.) and (.) share no t"));
        const bool one =
            !two && std::regex_search(verdict, names, std::regex("^The line is never in slab (.)"));
        const std::vector<std::string> all = scene.sentences();
        const auto stated = std::find_if(all.begin(), all.end(), [](const std::string& sentence) {
            return contains(sentence, "share no t") || contains(sentence, "outside of it: a miss");
        });
        EXPECT_EQ(stated != all.end(), two || one) << verdict;
        if (stated == all.end()) continue;
        std::string words = verdict.substr(0, verdict.find(':'));
        words.front() = static_cast<char>(std::tolower(words.front()));
        if (two) {
            EXPECT_TRUE(contains(*stated, words)) << *stated << " / " << verdict;
        }
        // Nothing is left first at the later one of the two.
        const char last = two ? std::max(names[1].str()[0], names[2].str()[0]) : names[1].str()[0];
        EXPECT_EQ(stated - all.begin(), last - 'x');
        const auto near_far = [&](char axis) {
            const int k = axis - 'x';
            const float low = std::array{-0.7f, 0.6f, -0.7f}[static_cast<std::size_t>(k)];
            const float high = std::array{0.9f, 1.8f, 0.7f}[static_cast<std::size_t>(k)];
            const double t0 = double(low - from[k]) / double(to[k] - from[k]);
            const double t1 = double(high - from[k]) / double(to[k] - from[k]);
            return std::pair(std::min(t0, t1), std::max(t0, t1));
        };
        (two ? pairs : alone) += 1;
        if (!two) {
            const int k = last - 'x';
            EXPECT_EQ(from[k], to[k]);
            continue;
        }
        const auto a = near_far(names[1].str()[0]), b = near_far(names[2].str()[0]);
        EXPECT_TRUE(a.second < b.first || b.second < a.first) << verdict;
    }
    EXPECT_GT(pairs, 10);
    EXPECT_GT(alone, 3);
}

/// Table, sentence and picture give one number: the amount by which the intervals overlap. Where one contains
/// the other, that is more than the length of their intersection.
TEST(QueryScenes, TheOverlapAlongAnAxisIsOneNumber) {
    for (const auto& [id, preset] :
         {std::pair("rectangles", "set polygons.preset=inside"),
          std::pair("obb-sat", "set sat.preset=inside"), std::pair("obb-sat", "set sat.preset=crossed")}) {
        Scene scene(id, preset);
        int contained = 0;
        for (std::size_t n = 1; n <= scene.walk().size(); ++n) {
            const auto test = std::get<bv::AxisTested>(scene.walk().event(n - 1));
            if (test.skipped) continue;
            run(scene.session, fmt::format("step.goto {}", n), 1);
            const auto drawn = [&](double value) {
                const std::vector<Exhibit>& all = scene.session.results().exhibits;
                return std::any_of(all.begin(), all.end(), [&](const Exhibit& e) {
                    return e.role == (test.gap > 0 ? Role::Separating : Role::Overlap) &&
                           e.label == (test.gap > 0 ? "gap " : "") + number(value) + " m";
                });
            };
            const auto depth = std::abs(static_cast<double>(test.gap));
            const std::string stated = scene.sentence(n);
            EXPECT_TRUE(contains(stated, steps::in_meters(depth))) << stated;
            EXPECT_TRUE(drawn(depth)) << id << " step " << n << ": " << stated;
            const bool within = (test.min_a < test.min_b && test.max_b < test.max_a) ||
                                (test.min_b < test.min_a && test.max_a < test.max_b);
            contained += within ? 1 : 0;
            EXPECT_EQ(contains(stated, "lies within"), within) << stated;
        }
        EXPECT_TRUE(contained > 3 || contains(preset, "crossed")) << id;
    }
}

TEST(QueryScenes, ACornerOnAnEdgeTouches) {
    Scene scene("rectangles", "set polygons.preset=touching");
    EXPECT_TRUE(contains(scene.walk().verdict(), "they touch")) << scene.walk().verdict();
    EXPECT_FALSE(contains(scene.walk().verdict(), "overlap")) << scene.walk().verdict();
    const Table& table = test::table_of(scene.session, "rectangles");
    EXPECT_EQ(to_text(table.rows.back().cells.back()), "touch");
    const std::vector<std::string> all = scene.sentences();
    EXPECT_EQ(std::count_if(all.begin(), all.end(),
                            [](const std::string& sentence) { return contains(sentence, ": they touch."); }),
              2)
        << "the edge of A and that of B, which are parallel";
}

TEST(QueryScenes, NoSentenceShowsRoundingNoiseOrAnAsciiMinus) {
    for (const char* place : {"row", "edge", "around", "behind", "touching"}) {
        Scene scene("frustum", fmt::format("set frustum.box={}", place));
        for (const std::string& sentence : scene.sentences())
            EXPECT_FALSE(std::regex_search(sentence, std::regex("[0-9]e-| -[0-9]"))) << sentence;
    }
    EXPECT_EQ(steps::in_meters(-2.3e-7, 6.2), "0 m");
    EXPECT_EQ(steps::in_meters(-2.3e-7), "−2.3e-07 m");
    EXPECT_EQ(steps::in_meters(-0.25, 6.2), "−0.25 m");
}

TEST(QueryScenes, BricksWithoutNearVoxelsPromiseNoVoxelTests) {
    for (const char* preset : {"threaded", "hollow"}) {
        Scene scene("voxel-pairs", fmt::format("set voxel_pairs.preset={}", preset));
        bool bricks_overlap = false;
        for (std::size_t n = 1; n <= scene.walk().size(); ++n) {
            const auto& test = std::get<bv::CubesTested>(scene.walk().event(n - 1));
            EXPECT_TRUE(test.bricks);
            if (!test.overlap) continue;
            bricks_overlap = true;
            EXPECT_TRUE(contains(scene.sentence(n), "near each other, if any")) << scene.sentence(n);
        }
        EXPECT_TRUE(bricks_overlap);
        EXPECT_TRUE(
            contains(scene.walk().verdict(), "0 voxel tests, as no filled voxels are near each other"))
            << scene.walk().verdict();
    }
}

TEST(QueryScenes, ATriangleWithoutAreaHasNoPlane) {
    Scene scene("ray-triangle", "set ray_triangle.preset=flat");
    EXPECT_TRUE(contains(scene.walk().verdict(), "without area")) << scene.walk().verdict();
    EXPECT_TRUE(contains(scene.sentence(1), "no area")) << scene.sentence(1);
    EXPECT_FALSE(contains(scene.sentence(1), "parallel")) << scene.sentence(1);
    Scene behind("ray-triangle", "set ray_triangle.preset=behind");
    EXPECT_TRUE(contains(behind.walk().verdict(), "behind the origin")) << behind.walk().verdict();
    Scene parallel("ray-triangle", "set ray_triangle.preset=parallel");
    EXPECT_TRUE(contains(parallel.sentence(1), "parallel to the plane")) << parallel.sentence(1);
}

TEST(QueryScenes, TheLegendOfARayNamesNoBoxThatIsNotThere) {
    Scene scene("ray-aabb");
    for (const Exhibit& exhibit : scene.session.results().exhibits)
        if (exhibit.role == Role::AabbFixed) {
            EXPECT_FALSE(exhibit.legend.empty());
        }
}

TEST(QueryScenes, BoxesThatMoveApartWereTogetherBefore) {
    Scene parting("aabb-sweep", "set aabb_sweep.preset=parting");
    EXPECT_TRUE(contains(parting.walk().verdict(), "only before the start, until"))
        << parting.walk().verdict();
    ASSERT_EQ(parting.walk().size(), 4u);
    EXPECT_TRUE(contains(parting.sentence(4), "overlapped only before")) << parting.sentence(4);
    Scene overlapping("aabb-sweep", "set aabb_sweep.preset=overlapping");
    EXPECT_TRUE(overlapping.walk().verdict().starts_with("They overlap at the start and separate after"))
        << overlapping.walk().verdict();
    Scene closing("aabb-sweep");
    EXPECT_TRUE(closing.walk().verdict().starts_with("They touch after 0.167 s")) << closing.walk().verdict();
}

/// A smaller box within the other along an axis has all of itself in common with it.
TEST(QueryScenes, TheCommonPartOfMovingBoxesIsNoLongerThanTheSmaller) {
    Scene scene("aabb-sweep", "scene.value a.size 1 0.4 1; step.goto 2");
    EXPECT_TRUE(contains(scene.sentence(2), "Axis y: overlapping by 0.4 m")) << scene.sentence(2);
    Scene sliding("aabb-sweep", "set aabb_sweep.preset=sliding");
    EXPECT_TRUE(contains(sliding.sentence(2), "Axis y: touching, ")) << sliding.sentence(2);
}

TEST(QueryScenes, StepAtWorksInScenesWithAStepOfTheirOwn) {
    Scene boxes("obb-sat", "set step.at=7");
    EXPECT_EQ(boxes.shown().number, 7u);
    EXPECT_EQ(test::value_of(boxes.session, "sat.axis"), "7");
    run(boxes.session, "set step.at=0");
    EXPECT_EQ(boxes.shown().number, 0u);
    Scene picking("ray-picking");
    run(picking.session, "set step.at=2", 5);
    EXPECT_EQ(test::value_of(picking.session, "pick.step"), "2");
}

/// Wherever a handle was before: a sum with its old position would round what is typed.
TEST(QueryScenes, ValuesComeBackAsTheyWereTyped) {
    constexpr std::size_t kMaxPerScene = 12;  // of many points or boxes the first ones
    const glm::vec3 typed(1.9f, 0.1f, 0.7f);
    std::size_t checked = 0;
    Session session(command_table());
    for (const SceneSpec& spec : scene_specs()) {
        SCOPED_TRACE(std::string(spec.id));
        // Its bodies stay on the ground, and a choice of a body is a whole number.
        if (spec.id == "less-work") continue;
        test::frames(session, fmt::format("scene {}; pause on", spec.id), 2);
        const std::vector<Handle> handles = session.results().handles;
        for (std::size_t i = 0; i < std::min(handles.size(), kMaxPerScene); ++i) {
            const Handle& handle = handles[i];
            // The corners of a polygon follow from its angle, its size and their number.
            const bool derived = spec.id == "rectangles" && handle.id.find('.') != std::string::npos;
            if (!handle.given.listed || derived) continue;
            const std::size_t parts = static_cast<std::size_t>(handle.given.parts);
            const auto line = [&](const std::array<float, 3>& numbers) {
                std::string words;
                for (std::size_t k = 0; k < parts; ++k)
                    words += fmt::format(" {}", numbers[k]);
                return fmt::format("scene.value {}{}", handle.id, words);
            };
            test::frame(session, line({1000.1f, -777.7f, 345.6f}));
            test::frame(session, line({typed.x, typed.y, typed.z}));
            const std::vector<Handle>& now = session.results().handles;
            const Handle* shown = find_handle(now, handle.id);
            ASSERT_TRUE(shown) << handle.id;
            const glm::vec3 numbers = numbers_of(now, *shown);
            const Handle* base = handle.given.from.empty() ? nullptr : find_handle(now, handle.given.from);
            for (int k = 0; k < handle.given.parts; ++k) {
                // What counts from another handle is rounded once, where the sum of both is.
                const float sum = base ? std::abs(base->position[k]) + std::abs(typed[k]) : 0.0f;
                EXPECT_LE(std::abs(numbers[k] - typed[k]), sum * std::numeric_limits<float>::epsilon())
                    << handle.id << " " << k;
            }
            ++checked;
        }
    }
    EXPECT_GT(checked, 60u);
}

TEST(QueryScenes, EqualNumbersOfARayAndABoxAreEqual) {
    const Scene scene(
        "ray-aabb",
        "scene.values \"Box, min = (-1, 0, -1); Box, max = (1, 1.9, 1); Ray, origin = (-2, 1.9, "
        "0); Ray, direction = (2, 0, 0)\"");
    for (const std::string& sentence : scene.sentences())
        EXPECT_FALSE(contains(sentence, "never")) << sentence;
}

/// Values can be given before the first frame, and each counts for those behind it.
TEST(QueryScenes, ValuesAreKnownBeforeTheFirstFrame) {
    for (const char* command : {"scene.value origin 1 +1 1; scene.value aim 0 +2.0 0",
                                "scene.values \"Ray, origin = (+1, +1e0, 1); Ray, direction = (0, +2, 0)\"",
                                "scene.values \"Ray, origin = (1, 1, 1); Ray, direction = (0, 2, 0)\""}) {
        Session session(command_table());
        run(session, fmt::format("scene ray-aabb; pause on; {}", command), 2);
        const std::vector<Handle>& handles = session.results().handles;
        EXPECT_EQ(find_handle(handles, "origin")->position, glm::vec3(1, 1, 1)) << command;
        EXPECT_EQ(find_handle(handles, "aim")->position, glm::vec3(1, 3, 1)) << command;
    }
}

TEST(QueryScenes, SizesAreNeverNegative) {
    for (const auto& [scene, id] : {std::pair{"aabb-overlap", "b.size"}, std::pair{"aabb-sweep", "a.size"},
                                    std::pair{"frustum", "box.half"}, std::pair{"insertion", "box.half"},
                                    std::pair{"sweep", "b0.half"}, std::pair{"obb-sat", "a.half"}}) {
        Session session(command_table());
        run(session, fmt::format("scene {}; pause on", scene), 2);
        test::frames(session, fmt::format("scene.value {} -0.5 0.25 0.25", id), 2);
        EXPECT_EQ(session.refused_commands(), 1u) << scene;
        EXPECT_NE(session.messages().messages().back().text.find("cannot be negative"), std::string::npos);
        test::frames(session, fmt::format("scene.value {} 0.5 0.25 0.25", id), 2);
        EXPECT_EQ(session.refused_commands(), 1u) << scene;
        const std::vector<Handle>& handles = session.results().handles;
        const glm::vec3 size = numbers_of(handles, *find_handle(handles, id));
        EXPECT_NEAR(size.x, 0.5f, 1e-6f) << scene;
    }
    // A corner that is dragged across the center.
    Session session(command_table());
    run(session, "scene aabb-overlap; pause on; scene.value b 1 1 1; scene.drag b.size -1 2 2", 2);
    const std::vector<Handle>& handles = session.results().handles;
    EXPECT_EQ(numbers_of(handles, *find_handle(handles, "b.size")), glm::vec3(2, 1, 1));
}

/// A setting and a command in the same frame, as in a script or a link.
TEST(QueryScenes, ACommandActsOnWhatTheSettingBeforeItHasMade) {
    for (const auto& [scene, setting, command, handles] :
         {std::tuple{"hull", "points.count=9", "points.add", 10},
          std::tuple{"hull", "points.count=9", "points.remove", 8},
          std::tuple{"fit-obb", "points.preset=clusters", "points.remove", 23},
          std::tuple{"sweep", "boxes.count=7", "boxes.add", 8},
          std::tuple{"sah-split", "split.count=7", "boxes.remove", 6}}) {
        Session session(command_table());
        run(session, fmt::format("scene {}; pause on", scene), 2);
        run(session, fmt::format("set {}; {}", setting, command), 2);
        const std::vector<Handle>& all = session.results().handles;
        const auto in_view =
            std::count_if(all.begin(), all.end(), [](const Handle& h) { return h.given.in_view; });
        EXPECT_EQ(in_view, handles) << scene << ": " << setting << "; " << command;
    }
}

TEST(QueryScenes, APlacementThatWasChangedSaysSo) {
    struct Case {
        const char *scene, *setting, *change;
    };
    for (const Case& c :
         {Case{"gjk", "gjk.preset", "scene.drag a 0 2 0"},
          Case{"gjk", "gjk.preset", "scene.drag b.turn 3 2 0"},
          Case{"obb-sat", "sat.preset", "set sat.preset=inside; scene.drag b 0 3 0"},
          Case{"ray-triangle", "ray_triangle.preset", "set ray_triangle.preset=behind; scene.drag aim 0 3 0"},
          Case{"rectangles", "polygons.preset", "set polygons.preset=many; scene.drag a.v1 1 3 0"},
          Case{"rectangles", "polygons.preset", "corners.add"},
          Case{"mesh-pairs", "pairs.place", "set pairs.place=inside; scene.drag b 1 2 0"},
          Case{"slice", "slice.preset", "scene.drag plane 0 1.5 0"},
          Case{"voxel-pairs", "voxel_pairs.preset", "scene.drag b 1 2 0"},
          Case{"mesh-pairs", "pairs.place", "scene.drag b 1 2 0"},
          Case{"mesh-pairs", "pairs.preset", "set pairs.algorithm=triangles; scene.drag a1 0 3 0"},
          Case{"sweep", "boxes.preset", "scene.drag b0 1 1 1"}, Case{"grid", "boxes.preset", "boxes.add"},
          Case{"sah-split", "split.preset", "boxes.remove"},
          Case{"fit-sphere", "points.preset", "points.add"},
          Case{"hull", "points.preset", "scene.drag p0 3 1 0"}}) {
        Scene scene(c.scene);
        const SettingSpec* row = scene.session.state().settings.catalog().find(c.setting);
        ASSERT_TRUE(row) << c.setting;
        ASSERT_FALSE(scene.session.results().rearranged) << c.scene;
        run(scene.session, c.change, 3);
        EXPECT_EQ(scene.session.results().rearranged, row) << c.scene;
        run(scene.session, "undo", 3);
        EXPECT_FALSE(scene.session.results().rearranged) << c.scene << " after undo";
        run(scene.session, "redo", 3);
        EXPECT_EQ(scene.session.results().rearranged, row) << c.scene;
        const std::string other(
            row->choices[row->choices[0].id == test::value_of(scene.session, c.setting)].id);
        run(scene.session, std::string("set ") + c.setting + "=" + other, 3);
        EXPECT_FALSE(scene.session.results().rearranged) << c.scene;
        run(scene.session, c.change, 3);
        EXPECT_EQ(scene.session.results().rearranged, row) << c.scene;
        run(scene.session, "restart", 3);
        EXPECT_FALSE(scene.session.results().rearranged) << c.scene << " after a restart";
    }
}

TEST(QueryScenes, GjkEndsWithTheDistanceAndTheClosestPoints) {
    for (const char* shapes : {"", "set gjk.a=ball; set gjk.b=capsule; "}) {
        Scene apart("gjk", fmt::format("{}set gjk.preset=apart", shapes));
        const Table& table = test::table_of(apart.session, "gjk");
        EXPECT_EQ(to_text(table.rows[0].cells[0]), "distance");
        const double distance = std::get<Number>(table.rows[0].cells[1]).value;
        const auto point = [&](std::size_t row) {
            const auto& parts = std::get<Numbers>(table.rows[row].cells[1]).parts;
            return glm::dvec3(parts[0].value, parts[1].value, parts[2].value);
        };
        EXPECT_NEAR(glm::distance(point(1), point(2)), distance, 1e-5) << shapes;
        EXPECT_TRUE(contains(apart.walk().verdict(), number(distance) + " m apart"))
            << apart.walk().verdict();
        Scene deep("gjk", fmt::format("{}set gjk.preset=deep", shapes));
        EXPECT_EQ(to_text(test::table_of(deep.session, "gjk").rows[0].cells[0]), "penetration depth");
    }
}

/// The center of the ball is in a face of the box: the origin on the border of the cores' difference.
TEST(QueryScenes, GjkOfABallInTheFaceOfABoxFindsTheWayOut) {
    for (const char* place : {"0.7 1.5 0", "0.70000005 1.5 0", "0.6999999 1.5 0"}) {
        Scene scene("gjk", fmt::format("set gjk.a=box; set gjk.b=ball; set gjk.preset=touching; "
                                       "scene.value a 0 1.5 0; scene.value b {}",
                                       place));
        const Table& table = test::table_of(scene.session, "gjk");
        EXPECT_EQ(to_text(table.rows[0].cells[0]), "penetration depth") << place;
        EXPECT_GT(std::get<Number>(table.rows[0].cells[1]).value, 0.3) << place;
        const auto& way = std::get<Numbers>(table.rows[1].cells[1]).parts;
        EXPECT_LT(way[0].value, -0.3) << place;
        EXPECT_NEAR(way[1].value, 0.0, 1e-5) << place;
    }
}

TEST(QueryScenes, APlaneWithoutANormalStaysWhereItIs) {
    Scene scene("aabb-plane", "scene.value plane 0 1.4 0; scene.value normal 0 0 0");
    EXPECT_TRUE(contains(to_text(test::table_of(scene.session, "aabb_plane").rows[2].cells[1]), ": cut"));
}

TEST(QueryScenes, AnglesStayWithinOneTurn) {
    for (const auto& [id, handle] : {std::pair("obb-sat", "a.roll"), std::pair("rectangles", "a.angle")})
        for (const auto& [given, shown] :
             {std::pair(1083.0f, 3.0f), std::pair(180.0f, 180.0f), std::pair(-180.0f, 180.0f),
              std::pair(-190.0f, 170.0f), std::pair(25.5f, 25.5f)}) {
            Scene scene(id, fmt::format("scene.value {} {}", handle, given));
            EXPECT_FLOAT_EQ(find_handle(scene.session.results().handles, handle)->position.x, shown) << id;
        }
    Scene turning("rectangles");
    run(turning.session, "pause off", 1200);
    EXPECT_LE(std::abs(find_handle(turning.session.results().handles, "a.angle")->position.x), 180.0f);
}

TEST(FitScenes, WithoutAVolumeNothingIsComparedByIt) {
    struct Case {
        const char *preset, *words;
    };
    for (const Case& c : {Case{"line", "lie on a line"}, Case{"plane", "lie in a plane"}})
        for (const char* algorithm : {"pca", "pca_hull", "dito14", "exact"}) {
            Scene scene("fit-obb",
                        fmt::format("set points.preset={}; set fit_obb.algorithm={}", c.preset, algorithm));
            const std::string& verdict = scene.walk().verdict();
            EXPECT_TRUE(contains(verdict, c.words)) << verdict;
            EXPECT_TRUE(contains(verdict, "without volume")) << verdict;
            EXPECT_FALSE(contains(verdict, "the smallest")) << verdict;
            const std::string last = scene.sentence(scene.walk().size());
            EXPECT_TRUE(contains(last, "no volume")) << last;
        }
    Scene kdop("fit-kdop", "set points.preset=plane");
    EXPECT_TRUE(contains(kdop.walk().verdict(), "volume 0 m³; the points lie in a plane"))
        << kdop.walk().verdict();
    Scene ball("fit-sphere", "set points.count=1");
    EXPECT_TRUE(contains(ball.walk().verdict(), "all points coincide")) << ball.walk().verdict();
}

TEST(FitScenes, AFlatHullIsNamedCountedAndDrawn) {
    for (const auto& [preset, words, edges] : {std::tuple("line", "a segment with 2 ends", 1u),
                                               std::tuple("plane", "a flat polygon with 9 corners", 9u)}) {
        Scene scene("hull", fmt::format("set points.preset={}", preset));
        EXPECT_TRUE(contains(scene.walk().verdict(), words)) << scene.walk().verdict();
        std::size_t drawn = 0;
        for (const Exhibit& exhibit : scene.session.results().exhibits)
            if (const auto* shape = std::get_if<Polytope>(&exhibit.shape);
                shape && exhibit.role == Role::Hull)
                drawn += shape->edges.size();
        EXPECT_EQ(drawn, edges) << preset;
        for (const std::string& sentence : scene.sentences())
            EXPECT_FALSE(contains(sentence, "tetrahedron")) << sentence;
    }
    // A line that the coordinates only round to.
    Scene scene(
        "hull",
        "set points.count=3; scene.drag p0 0 0 0; scene.drag p1 0.1 0.7 0.3; scene.drag p2 0.3 2.1 0.9");
    EXPECT_TRUE(contains(scene.walk().verdict(), "lie on a line")) << scene.walk().verdict();
}

TEST(FitScenes, AGrowingSphereShowsHowMuchOrSaysThatItIsRounding) {
    for (const char* algorithm : {"ritter", "epos6", "epos14", "epos98", "exact"})
        for (const char* preset : {"cloud", "sphere", "hidden", "line"}) {
            Scene scene("fit-sphere",
                        fmt::format("set fit_sphere.algorithm={}; set points.preset={}", algorithm, preset));
            for (const std::string& sentence : scene.sentences()) {
                EXPECT_FALSE(contains(sentence, " 0 m outside")) << sentence;
                EXPECT_TRUE(!contains(sentence, " outside, so") || contains(sentence, "grows from"))
                    << sentence;
            }
        }
}

TEST(FitScenes, CandidatesAroundTheExtremesSaySo) {
    Scene scene("fit-obb", "set fit_obb.algorithm=dito14");
    const std::size_t size = scene.walk().size();
    for (std::size_t n = 8; n < size; ++n)
        EXPECT_TRUE(contains(scene.sentence(n), "around the extremes only")) << scene.sentence(n);
    EXPECT_TRUE(contains(scene.sentence(size), "round all points")) << scene.sentence(size);
    EXPECT_TRUE(contains(scene.sentence(size), "around the extremes only")) << scene.sentence(size);
}

/// Directions and sizes are stored as positions, which have fewer digits far from the origin.
TEST(QueryScenes, DigitsThatAreLostAreSaid) {
    Session session(command_table());
    run(session, "pause on; scene aabb-sweep", 2);
    const auto refused = [&session](const std::string& line) {
        const std::size_t before = session.refused_commands();
        session.commands().push(line);
        session.drain();
        session.step(Session::kFixedStep_s);
        return session.refused_commands() > before;
    };
    EXPECT_FALSE(refused("scene.value a 100 0 0"));
    EXPECT_FALSE(refused("scene.value velocity 0.01 0 0"));
    EXPECT_FALSE(refused("scene.value a 100000 0 0"));
    EXPECT_FALSE(refused("scene.value velocity 1 0 0"));
    EXPECT_TRUE(refused("scene.value velocity 0.01 0 0"));
    EXPECT_NE(session.messages().messages().back().text.find("single precision has no more digits"),
              std::string::npos)
        << session.messages().messages().back().text;
}

}  // namespace
}  // namespace lab
