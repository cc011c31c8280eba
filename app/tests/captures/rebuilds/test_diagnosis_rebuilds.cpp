// Engines that make the whole tree anew, which have no use for margins and re-insert no leaf.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../scripted_engine.hpp"
#include "capture/diagnosis.hpp"
#include "rebuilding_engine.hpp"
#include "workloads/random.hpp"

namespace lab::capture {
namespace {

using bv::workloads::Random;
using Split = RebuildingPlan::Split;
using Ids = RebuildingPlan::Ids;

constexpr std::uint64_t kSeeds[] = {91'001, 91'002, 91'003};

void expect_healthy(const RebuildingPlan& plan) {
    const auto d = diagnosis_of(RebuildingEngine(plan).capture());
    ASSERT_TRUE(d);
    EXPECT_TRUE(d->findings.empty()) << "split " << static_cast<int>(plan.split) << ", ids "
                                     << static_cast<int>(plan.ids) << ", arity " << plan.arity << ", "
                                     << plan.count << " bodies, seed " << plan.seed << ": "
                                     << diagnosis_text(*d);
}

// Where bodies are slow, most leaves keep their parent and sibling, as far as the ids of those tell.
TEST(DiagnosisOfRebuilds, FindsNothingWhateverTheTreeIsMadeLike) {
    std::uint64_t seed = kSeeds[0];
    for (const Split split : {Split::Median, Split::Middle, Split::Sah, Split::Morton})
        for (const Ids ids : {Ids::DepthFirst, Ids::AllByIndex, Ids::Heap, Ids::Random})
            for (const std::size_t arity : {2u, 4u})
                for (const std::size_t count : {20u, 64u}) {
                    RebuildingPlan plan;
                    plan.seed = ++seed;
                    plan.split = split;
                    plan.ids = ids;
                    plan.arity = arity;
                    plan.count = count;
                    expect_healthy(plan);
                }
}

TEST(DiagnosisOfRebuilds, FindsNothingWhereTheyAreSeldomOrBodiesRestOrComeAndGo) {
    for (const std::uint64_t seed : kSeeds)
        for (const std::size_t count : {12u, 60u, 200u}) {
            RebuildingPlan plan;
            plan.seed = seed;
            plan.count = count;
            RebuildingPlan seldom = plan, resting = plan, coming = plan, fat = plan, planar = plan;
            seldom.every = 5;
            resting.resting = 0.5f;
            coming.come_and_go = 1;
            fat.margin = 0.1f;
            planar.is_planar = true;
            for (const RebuildingPlan& one : {seldom, resting, coming, fat, planar})
                expect_healthy(one);
        }
}

// Each node keeps the same bodies below it, but the order of children, and so the ids, may change.
TEST(DiagnosisOfRebuilds, FindsNothingInAFewBodiesWhoseTreeKeepsItsShape) {
    for (std::uint64_t seed = 61; seed < 73; ++seed) {
        RebuildingPlan plan;
        plan.seed = seed;
        plan.ids = seed % 2 == 0 ? Ids::Heap : Ids::AllByIndex;
        plan.arity = 4;
        plan.count = 8;
        plan.every = 20;
        plan.frames = 150;
        plan.speed = 0.02f;
        expect_healthy(plan);
    }
}

// The tree is already old before a rebuild is due. The fault begins with the first rebuild that does not
// come.
TEST(DiagnosisOfRebuilds, BeginsWithTheFirstThatDoesNotCome) {
    for (const std::uint64_t seed : kSeeds)
        for (const auto& [every, ids] : {std::pair{1, Ids::Random}, std::pair{12, Ids::Random},
                                         std::pair{20, Ids::Random}, std::pair{12, Ids::Heap}}) {
            RebuildingPlan plan;
            plan.seed = seed;
            plan.ids = ids;
            plan.count = 150;
            plan.frames = 260;
            plan.every = every;
            plan.until = 80;
            const auto d = diagnosis_of(RebuildingEngine(plan).capture());
            ASSERT_TRUE(d);
            ASSERT_FALSE(d->findings.empty()) << every;
            const Finding& first = d->findings.front();
            EXPECT_EQ(first.cause, Cause::RefitOnly) << diagnosis_text(*d);
            // The first multiple of `every` that is not below 80.
            const int due = (plan.until + every - 1) / every * every;
            EXPECT_EQ(first.frame, static_cast<std::uint64_t>(due)) << diagnosis_text(*d);
            EXPECT_NE(first.evidence.find(every == 1 ? "in every frame" : "every " + std::to_string(every)),
                      std::string::npos)
                << first.evidence;
        }
}

// Also with few bodies, whose tree is in order by chance now and then.
TEST(DiagnosisOfRebuilds, DoesNotTakeReinsertionForOne) {
    for (const std::uint64_t seed : kSeeds)
        for (const std::uint64_t count : {20u, 60u, 200u}) {
            Random random(seed, count);
            ScriptedEngine engine(bv::Insertion::BranchAndBoundSah, bv::Balancing::Sah, 0.0f);
            std::vector<std::pair<glm::vec3, glm::vec3>> bodies;
            for (std::uint64_t i = 0; i < count; ++i) {
                const glm::vec3 center = random.in_box(glm::vec3(-10.0f), glm::vec3(10.0f));
                bodies.emplace_back(center, 0.05f * random.direction());
                engine.add(i, center, glm::vec3(0.4f));
            }
            while (engine.frame() < 80) {
                for (std::uint64_t i = 0; i < count; ++i)
                    engine.move(i, bodies[i].first += bodies[i].second);
                engine.end_frame();
            }
            const Diagnosis d = diagnosis(engine);
            ASSERT_FALSE(d.findings.empty()) << count << diagnosis_text(d);
            EXPECT_EQ(d.findings.front().cause, Cause::SmallMargin) << diagnosis_text(d);
        }
}

}  // namespace
}  // namespace lab::capture
