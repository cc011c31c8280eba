// What the diagnosis must not claim, and what it must name in a part of the bodies only.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "capture/diagnosis.hpp"
#include "judge.hpp"
#include "scripted_engine.hpp"
#include "workloads/random.hpp"

namespace lab::capture {
namespace {

using bv::workloads::Random;
using Way = ScriptedEngine::Way;
using enum bv::Insertion;
using Turns = bv::Balancing;

constexpr std::uint64_t kSeeds[] = {83'001, 83'002, 83'003};

Diagnosis diagnosis(ScriptedEngine& engine) {
    auto result = diagnosis_of(engine.finish());
    EXPECT_TRUE(result);
    return result.value_or(Diagnosis{});
}

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

}  // namespace
}  // namespace lab::capture
