// What the diagnosis must not claim, and what it must name in a part of the bodies only.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "capture/diagnosis.hpp"
#include "scripted_engine.hpp"
#include "workloads/random.hpp"

namespace lab::capture {
namespace {

using bv::workloads::Random;
using Way = ScriptedEngine::Way;
using enum bv::Insertion;
using Turns = bv::Balancing;

constexpr std::uint64_t kSeeds[] = {83'001, 83'002, 83'003};

bool has(const Diagnosis& d, Cause cause) {
    return std::any_of(d.findings.begin(), d.findings.end(),
                       [cause](const Finding& f) { return f.cause == cause; });
}

/// Houses in rows, some in each frame from the second one on: `first` of them are there before.
void stream_rows(ScriptedEngine& engine, std::uint64_t seed, int first, int in_a_frame, int frames) {
    Random random(seed);
    int next = 0;
    const auto house = [&] {
        const glm::vec3 place(4.0f * static_cast<float>(next % 40), random.uniform(0.0f, 3.0f),
                              4.0f * static_cast<float>(next / 40));
        engine.add(static_cast<std::uint64_t>(next++), place + 0.5f * random.in_ball(),
                   glm::vec3(random.uniform(0.4f, 1.2f)));
    };
    while (next < first)
        house();
    for (int frame = 0; frame < frames; ++frame) {
        for (int k = 0; frame > 0 && next < 700 && k < in_a_frame; ++k)
            house();
        engine.end_frame();
    }
}

// Rotations keep such a tree low, whatever it loses.
TEST(DiagnosisOfStreamedRows, DoesNotMissRotationsInATreeThatHasThem) {
    for (const Turns turns : {Turns::Height, Turns::Sah})
        for (const std::uint64_t seed : kSeeds)
            for (const int in_a_frame : {7, 660}) {
                ScriptedEngine engine(GreedySah, turns, 0.1f);
                stream_rows(engine, seed, 40, in_a_frame, 110);
                const Diagnosis d = diagnosis(engine);
                EXPECT_FALSE(has(d, Cause::SortedInsertion)) << diagnosis_text(d);
            }
}

// No number follows from the ratio to nothing, and the order within a frame is that of the ids alone.
TEST(DiagnosisOfStreamedRows, SaysWhatTheCaptureShows) {
    for (const std::uint64_t seed : kSeeds) {
        ScriptedEngine engine(Manhattan, Turns::None, 0.1f);
        stream_rows(engine, seed, 700, 0, 40);
        const std::string text = diagnosis_text(diagnosis(engine));
        EXPECT_EQ(text.find("000000000"), std::string::npos) << text;
        EXPECT_EQ(text.find("order of insertion"), std::string::npos) << text;
    }
}

// A level that is filled evenly has no towns, however its parts lie beside each other.
TEST(DiagnosisOfClusters, NeedsAGapOfTheWorld) {
    for (const std::uint64_t seed : kSeeds)
        for (const int count : {600, 1200, 1500}) {
            Random random(seed, static_cast<std::uint64_t>(count));
            ScriptedEngine engine(GreedySah, Turns::Height, 0.1f);
            for (int i = 0; i < count; ++i) {
                const glm::vec3 place(4.0f * static_cast<float>(i % 40), random.uniform(0.0f, 3.0f),
                                      4.0f * static_cast<float>(i / 40));
                engine.add(static_cast<std::uint64_t>(i), place + 0.5f * random.in_ball(),
                           glm::vec3(random.uniform(0.4f, 1.2f)));
            }
            while (engine.frame() < 40)
                engine.end_frame();
            const Diagnosis d = diagnosis(engine);
            EXPECT_FALSE(has(d, Cause::MixedClusters)) << diagnosis_text(d);
        }
}

/// A swarm in a cube whose first `part` bodies can be re-inserted with another margin.
class Swarm {
  public:
    Swarm(ScriptedEngine& engine, std::uint64_t seed, std::size_t count, float extent)
        : engine_(engine), random_(seed) {
        for (std::size_t i = 0; i < count; ++i) {
            bodies_.emplace_back(random_.in_box(glm::vec3(-extent), glm::vec3(extent)),
                                 0.06f * random_.direction());
            engine_.add(i, bodies_.back().first, glm::vec3(0.3f));
        }
    }
    /// The first ones use this margin, the others the usual one; and those stay for some frames, to leave
    /// their boxes all in the same one.
    void step(std::size_t part, float margin, float usual, int stays = 1) {
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            if (i >= part && engine_.frame() % stays != 0) continue;
            if (i >= part) bodies_[i].first += static_cast<float>(stays - 1) * bodies_[i].second;
            engine_.set_margin(i < part ? margin : usual);
            engine_.move(i, bodies_[i].first += bodies_[i].second);
        }
        engine_.end_frame();
    }

  private:
    ScriptedEngine& engine_;
    Random random_;
    std::vector<std::pair<glm::vec3, glm::vec3>> bodies_;
};

TEST(DiagnosisOfMargins, NamesASmallOneOfAThird) {
    for (const std::uint64_t seed : kSeeds)
        for (const int stays : {1, 5}) {
            const float usual = stays > 1 ? 0.7f : 0.25f;
            ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, usual);
            Swarm swarm(engine, seed, 240, 25.0f);
            while (engine.frame() < 120)
                swarm.step(engine.frame() >= 30 ? 80 : 0, 0.003f, usual, stays);
            const Diagnosis d = diagnosis(engine);
            ASSERT_FALSE(d.findings.empty()) << diagnosis_text(d);
            EXPECT_EQ(d.findings.front().cause, Cause::SmallMargin);
            EXPECT_TRUE(is_near(d.findings.front().frame, 30)) << diagnosis_text(d);
            EXPECT_EQ(d.findings.front().bodies.size(), 80u) << diagnosis_text(d);
        }
}

TEST(DiagnosisOfMargins, NamesALargeOneOfAThirdAndOneOfFewDisplacements) {
    for (const std::uint64_t seed : kSeeds)
        for (const bool all : {true, false}) {
            ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.3f);
            Swarm swarm(engine, seed, 240, 16.0f);
            while (engine.frame() < 120)
                swarm.step(engine.frame() < 20 ? 0 : all ? 240 : 80, all ? 1.2f : 4.0f, 0.3f);
            const Diagnosis d = diagnosis(engine);
            ASSERT_FALSE(d.findings.empty()) << all << diagnosis_text(d);
            EXPECT_EQ(d.findings.front().cause, Cause::LargeMargin);
            EXPECT_TRUE(is_near(d.findings.front().frame, 20)) << diagnosis_text(d);
            EXPECT_EQ(d.findings.front().bodies.size(), all ? 0u : 80u) << diagnosis_text(d);
        }
}

// Fast bodies outrun the margin that all have.
TEST(DiagnosisOfMargins, DoesNotNameThatOfSomeThatAreFast) {
    for (const std::uint64_t seed : kSeeds) {
        Random random(seed);
        ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.1f);
        std::vector<std::pair<glm::vec3, glm::vec3>> bodies;
        for (std::uint64_t i = 0; i < 240; ++i) {
            bodies.emplace_back(random.in_box(glm::vec3(-30.0f), glm::vec3(30.0f)),
                                (i % 3 == 0 ? 0.3f : 0.02f) * random.direction());
            engine.add(i, bodies.back().first, glm::vec3(0.4f));
        }
        while (engine.frame() < 80) {
            for (std::uint64_t i = 0; i < 240; ++i)
                engine.move(i, bodies[i].first += bodies[i].second);
            engine.end_frame();
        }
        const Diagnosis d = diagnosis(engine);
        EXPECT_TRUE(d.findings.empty()) << diagnosis_text(d);
    }
}

// A leaf that is left over in another tree loses nobody.
TEST(DiagnosisOfBrokenTrees, NamesTheTreeThatStillFindsTheBody) {
    for (const std::uint64_t seed : kSeeds) {
        ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.3f);
        Swarm swarm(engine, seed, 100, 25.0f);
        const bv::Aabb old = engine.bodies().at(40).box();
        engine.also = [&](bv_capture* capture) {
            const bv_capture_tree_node leaf{1, bv_capture_box(&old.min.x, &old.max.x), 40, 0};
            bv_capture_tree(capture, "static", &leaf, 1);
        };
        while (engine.frame() < 30)
            swarm.step(0, 0.3f, 0.3f);
        const Diagnosis d = diagnosis(engine);
        ASSERT_FALSE(d.findings.empty());
        EXPECT_EQ(d.findings.front().cause, Cause::BrokenInvariants);
        EXPECT_EQ(d.findings.front().bodies, std::vector<std::uint64_t>{40}) << diagnosis_text(d);
        EXPECT_NE(d.findings.front().helps.find("'dynamic' finds it"), std::string::npos)
            << diagnosis_text(d);
        EXPECT_EQ(d.findings.front().helps.find("miss"), std::string::npos) << diagnosis_text(d);
    }
}

}  // namespace
}  // namespace lab::capture
