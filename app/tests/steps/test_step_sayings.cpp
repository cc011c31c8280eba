// What the steps say agrees with itself: sentence with variables, code with the order of the steps, picture
// with text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "commands/catalog.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "step_test_tools.hpp"
#include "steps/algorithm.hpp"
#include "steps/walk.hpp"

namespace lab {
namespace {

using test::run;
using test::walk_of;

/// A paused scene; `script` has its settings.
class Stage {
  public:
    explicit Stage(const std::string& script) : session(command_table()) {
        run(session, fmt::format("scene {}; pause on", script), 3);
    }
    const WalkView& at(const std::string& step) {
        run(session, step, 2);
        return *session.results().walk;
    }
    [[nodiscard]] std::size_t steps() const { return walk_of(session).size(); }
    [[nodiscard]] std::string value(std::string_view name) const {
        for (const auto& [known, cell] : session.results().walk->values)
            if (known == name) return to_text(cell);
        return {};
    }
    [[nodiscard]] const Exhibit* shown(std::string_view legend) const {
        const auto& all = session.results().exhibits;
        const auto at =
            std::find_if(all.begin(), all.end(), [&](const Exhibit& e) { return e.legend == legend; });
        return at == all.end() ? nullptr : &*at;
    }
    Session session;
};

std::string code_at(const WalkView& view) {
    return view.code_line < view.code.size() ? std::string(view.code[view.code_line]) : std::string();
}
/// The number that a text begins with; its minus is typographic.
double number_in(std::string text) {
    const std::string_view minus = "−";
    if (text.starts_with(minus)) text.replace(0, minus.size(), "-");
    return std::stod(text);
}
bool says(std::string_view text, std::string_view words) {
    return text.find(words) != std::string_view::npos;
}

TEST(StepSayings, RoundedShapesHaveTheDifferenceOfTheirCoresAndTheirRadii) {
    for (const char* shapes : {"set gjk.a=ball; set gjk.b=ball", "set gjk.a=capsule; set gjk.b=box"}) {
        Stage stage(fmt::format("gjk; {}; set gjk.preset=overlapping", shapes));
        EXPECT_EQ(stage.shown("Minkowski difference: all a − b"), nullptr) << shapes;
        EXPECT_NE(stage.shown("Minkowski difference of the cores"), nullptr) << shapes;
        EXPECT_NE(stage.shown("radii of A and B, added, around the origin"), nullptr) << shapes;
    }
    Stage boxes("gjk; set gjk.a=box; set gjk.b=box");
    EXPECT_NE(boxes.shown("Minkowski difference: all a − b"), nullptr);
    EXPECT_EQ(boxes.shown("radii of A and B, added, around the origin"), nullptr);
}

TEST(StepSayings, OverlappingCoresHaveNoDepthBesideThePenetration) {
    Stage stage("gjk; set gjk.a=capsule; set gjk.preset=overlapping");
    EXPECT_TRUE(says(stage.at("step.last").sentence, "the cores overlap"));
    EXPECT_EQ(stage.value("deep"), "");
    Stage apart("gjk; set gjk.a=ball; set gjk.b=ball; set gjk.preset=apart");
    EXPECT_TRUE(says(apart.at("step.last").sentence, "the shapes are " + apart.value("apart")));
}

TEST(StepSayings, TheLowerBoundIsThatOfTheSentence) {
    Stage stage("insertion");
    std::size_t told = 0;
    for (std::size_t n = 1; n <= stage.steps(); ++n) {
        const std::string sentence = stage.at(fmt::format("step.goto {}", n)).sentence;
        if (!says(sentence, "Below it the cost is at least")) continue;
        ++told;
        EXPECT_TRUE(says(sentence, "at least " + stage.value("lower bound"))) << sentence;
    }
    EXPECT_GT(told, 3u);
}

/// Lines of pseudo-code come in the order of the first steps that mark them.
TEST(StepSayings, RotationsComeAfterAllRefits) {
    Stage stage("insertion; set insertion.count=8; set insertion.sorted=false");
    const steps::Walk& walk = walk_of(stage.session);
    const auto& code = walk.algorithm().code;
    const auto line = [&](std::string_view words) {
        return std::find_if(code.begin(), code.end(),
                            [&](const steps::CodeLine& l) { return says(l.text, words); }) -
               code.begin();
    };
    // Between both is the head of a second loop.
    EXPECT_EQ(line("rotate below it") - line("refit its box"), 2);
    EXPECT_TRUE(says(code[static_cast<std::size_t>(line("rotate below it") - 1)].text, "again"));
}

TEST(StepSayings, CellsOfAUniformGridDivideTheBounds) {
    EXPECT_TRUE(says(steps::algorithm("broadphase.uniform-grid").code[1].text, "equal parts"));
    EXPECT_FALSE(says(steps::algorithm("broadphase.uniform-grid").code[0].text, "cell edge"));
}

TEST(StepSayings, EndsOfASlabAreInMetersAlongItsDirection) {
    for (const int k : {6, 8, 14, 18, 26}) {
        Stage stage(fmt::format("fit-kdop; set fit_kdop.algorithm={}", k));
        const std::string sentence = stage.at("step.last").sentence;
        const double min = number_in(stage.value("min")), max = number_in(stage.value("max"));
        EXPECT_TRUE(stage.value("min").ends_with(" m"));
        const std::size_t slab = sentence.find("a slab ");
        ASSERT_NE(slab, std::string::npos) << sentence;
        EXPECT_NEAR(max - min, std::stod(sentence.substr(slab + 7)), 2e-3) << sentence;
    }
}

TEST(StepSayings, AnUnboundedVolumeIsNotDrawnClosed) {
    Stage stage("fit-kdop");
    const auto is_closed = [&] {
        const auto& all = stage.session.results().exhibits;
        return std::any_of(all.begin(), all.end(), [](const Exhibit& e) {
            return e.role == Role::Kdop && std::holds_alternative<Polytope>(e.shape);
        });
    };
    for (std::size_t n = 1; n <= stage.steps(); ++n) {
        const bool unbounded = says(stage.at(fmt::format("step.goto {}", n)).sentence, "unbounded");
        EXPECT_EQ(unbounded, n < 3);
        EXPECT_EQ(is_closed(), !unbounded) << n;
    }
}

TEST(StepSayings, ARayThatMissedAlreadyIsToldSo) {
    Stage stage("ray-aabb; set ray_aabb.preset=beside");
    const WalkView& last = stage.at("step.last");
    EXPECT_TRUE(says(last.sentence, "a miss already")) << last.sentence;
    EXPECT_FALSE(says(code_at(last), "return miss")) << "another step follows the first miss";
}

TEST(StepSayings, TheMarkedTestIsTheOneOfTheSentence) {
    Stage stage("ray-triangle; set ray_triangle.preset=edge");
    EXPECT_TRUE(says(stage.at("step.goto 2").sentence, "u lies between"));
    EXPECT_TRUE(says(code_at(stage.at("step.goto 2")), "u is in range"));
    EXPECT_TRUE(says(stage.at("step.goto 3").sentence, "v and u + v"));
    EXPECT_TRUE(says(code_at(stage.at("step.goto 3")), "v is in range"));
}

TEST(StepSayings, CornersOfAFlatHullAreNoTetrahedron) {
    for (const char* preset : {"plane", "line"}) {
        Stage stage(fmt::format("hull; set points.preset={}", preset));
        EXPECT_TRUE(says(code_at(stage.at("step.last")), "flat")) << preset;
        EXPECT_TRUE(says(code_at(stage.at("step.first")), "flat")) << preset;
    }
    Stage cloud("hull; set points.preset=cloud");
    EXPECT_TRUE(says(code_at(cloud.at("step.first")), "a, b, c, d"));
}

TEST(StepSayings, VoxelsThatShareAFaceTouch) {
    Stage stage("voxel-pairs; set voxel_pairs.preset=face");
    std::size_t pairs = 0;
    for (std::size_t n = 1; n <= stage.steps(); ++n) {
        const WalkView& view = stage.at(fmt::format("step.goto {}", n));
        if (!view.sentence.starts_with("Voxel") || says(view.sentence, "apart")) continue;
        ++pairs;
        EXPECT_TRUE(says(view.sentence, "they touch")) << view.sentence;
        EXPECT_EQ(stage.value("overlap"), "they touch");
    }
    EXPECT_GT(pairs, 0u);
    Stage deep("voxel-pairs");
    bool overlap = false;
    for (std::size_t n = 1; n <= deep.steps() && !overlap; ++n)
        overlap = says(deep.at(fmt::format("step.goto {}", n)).sentence, "they overlap.");
    EXPECT_TRUE(overlap);
}

TEST(StepSayings, CandidatesAroundExtremesAreCalledSo) {
    Stage stage("fit-obb");
    EXPECT_TRUE(says(walk_of(stage.session).algorithm().quantity, "extremes"));
    (void)stage.at("step.goto 8");
    EXPECT_NE(stage.value("volume of extremes"), "");
    EXPECT_EQ(stage.value("volume"), "");
}

TEST(StepSayings, AnEyeHasNoProjectedRadius) {
    Stage stage("bsp; set bsp.algorithm=back-to-front; set bsp.eye=camera");
    (void)stage.at("step.first");
    EXPECT_EQ(stage.value("projected radius"), "");
    EXPECT_TRUE(stage.session.results().handles.empty()) << "the camera is the eye: nothing to drag";
}

TEST(StepSayings, TheTriangleTestHasNoCurveOfTwoQuantities) {
    Stage stage("mesh-pairs; set pairs.algorithm=triangles");
    EXPECT_EQ(walk_of(stage.session).algorithm().quantity, "");
}

TEST(StepSayings, AGrowingTreeShowsTheBoxBeingInserted) {
    Stage stage("aabb-tree");
    run(stage.session, "step 200", 2);
    (void)stage.at("step.goto 20");
    EXPECT_NE(stage.shown("new leaf"), nullptr);
    EXPECT_NE(stage.shown("box"), nullptr);
}

TEST(StepSayings, ASimplexThatOnlyGrewIsNotShownAgain) {
    Stage stage("gjk; set gjk.preset=overlapping");
    const std::size_t size = walk_of(stage.session).size();
    for (std::size_t n = 2; n <= size; ++n) {
        const steps::Walk& walk = walk_of(stage.session);  // the last step has made another
        const auto& before = std::get<bv::SimplexReduced>(walk.event(n - 2));
        const auto& now = std::get<bv::SimplexReduced>(walk.event(n - 1));
        const auto vertices = [](const bv::SimplexReduced& e) {
            return std::span(e.difference).first(std::min<std::size_t>(e.count, 4));
        };
        const bool grew =
            std::all_of(vertices(before).begin(), vertices(before).end(), [&](const glm::vec3& p) {
                return std::count(vertices(now).begin(), vertices(now).end(), p) > 0;
            });
        (void)stage.at(fmt::format("step.goto {}", n));
        EXPECT_EQ(stage.shown("simplex before") == nullptr, grew) << n;
    }
}

}  // namespace
}  // namespace lab
