// The diagnosis where causes resemble each other, begin while bodies come and go, or cost little.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "capture/diagnosis.hpp"
#include "capture/tree_cost.hpp"
#include "capture/what_if.hpp"
#include "io/captures/capture_file.hpp"
#include "io/captures/capture_lines.hpp"
#include "judge.hpp"
#include "scripted_engine.hpp"
#include "workloads/random.hpp"

namespace lab::capture {
namespace {

using bv::workloads::Random;
using Move = ScriptedEngine::Move;
using enum bv::Insertion;
using Turns = bv::Balancing;

constexpr std::uint64_t kSeeds[] = {71'001, 71'002, 71'003};

/// The first finding, of this cause, that begins at most five frames away from this one.
void expect_first(const Diagnosis& d, Cause cause, std::uint64_t frame) {
    ASSERT_FALSE(d.findings.empty()) << diagnosis_text(d);
    EXPECT_EQ(d.findings.front().cause, cause) << diagnosis_text(d);
    EXPECT_TRUE(is_near(d.findings.front().frame, frame)) << diagnosis_text(d);
}

bool has(const Diagnosis& d, Cause cause) {
    return std::any_of(d.findings.begin(), d.findings.end(),
                       [cause](const Finding& f) { return f.cause == cause; });
}

// Insertion beside the nearest center lets the second town grow out of one deep leaf of the first one: its
// leaves are deeper, but that does not make it a sorted row.
TEST(DiagnosisOfClusters, IsNotThatOfASortedRow) {
    for (const float away : {110.0f, 200.0f})
        for (const std::uint64_t seed : kSeeds) {
            Random random(seed);
            ScriptedEngine engine(Manhattan, Turns::None, 0.1f);
            const auto house = [&](std::uint64_t id, float x, float wide) {
                const glm::vec3 place = random.in_ball() * glm::vec3(wide, 6.0f, wide);
                engine.add(id, place + glm::vec3(x, 0, 0), glm::vec3(0.6f));
            };
            for (std::uint64_t id = 0; id < 140; ++id)
                house(id, 0.0f, 26.0f);
            for (int frame = 0; frame < 45; ++frame) {
                for (std::uint64_t k = 0; frame >= 15 && frame < 27 && k < 10; ++k)
                    house(1000 + 10 * static_cast<std::uint64_t>(frame) + k, away, 20.0f);
                engine.end_frame();
            }
            expect_first(diagnosis(engine), Cause::MixedClusters, 15);
        }
}

// Everybody drifts in place while single bodies are replaced: two groups that cross are no old clusters.
TEST(DiagnosisOfClusters, DoesNotBlameInsertionForMotionWhereBodiesComeAndGo) {
    for (const std::uint64_t seed : kSeeds) {
        Random random(seed);
        ScriptedEngine engine(BranchAndBoundSah, Turns::None, 0.2f);
        std::vector<std::pair<glm::vec3, glm::vec3>> bodies;  // places and velocities
        const auto make = [&] {
            const std::size_t part = bodies.size() % 5;
            const glm::vec3 middle(25.0f * static_cast<float>(part % 2), 20.0f * static_cast<float>(part / 2),
                                   15.0f * static_cast<float>(part % 3));
            const glm::vec3 place = middle + 12.0f * random.in_ball();
            bodies.emplace_back(place, 0.3f * random.in_ball());
            engine.add(bodies.size(), place, glm::vec3(0.3f));
        };
        while (bodies.size() < 180)
            make();
        for (int frame = 0; frame < 85; ++frame) {
            const auto gone = static_cast<std::size_t>(frame);
            for (std::size_t i = gone; frame > 0 && i < bodies.size(); ++i)
                engine.move(i + 1, bodies[i].first += bodies[i].second,
                            frame >= 25 ? Move::InPlace : Move::Reinserted);
            if (frame > 0) {
                engine.remove(gone);
                make();
            }
            engine.end_frame();
        }
        const Diagnosis d = diagnosis(engine);
        EXPECT_FALSE(has(d, Cause::MixedClusters)) << diagnosis_text(d);
    }
}

// A sound tree of towns joins them in more nodes than a rebuilt one, by its rotations.
TEST(DiagnosisOfClusters, IsNotThatOfSoundTowns) {
    for (const std::uint64_t seed : kSeeds) {
        Random random(seed);
        ScriptedEngine engine(GreedySah, Turns::Height, 0.1f);
        std::vector<glm::vec3> places;
        for (std::uint64_t id = 0; id < 500; ++id) {
            const auto town = static_cast<float>(id % 5);
            places.push_back(glm::vec3(24.0f * town, 0, 22.0f * std::fmod(2.0f * town, 5.0f)) +
                             9.0f * random.in_ball());
            engine.add(id, places.back(), glm::vec3(0.5f));
        }
        for (int frame = 0; frame < 60; ++frame) {
            for (std::uint64_t id = 0; id < places.size(); id += 2)
                engine.move(id, places[id] + 1.5f * random.in_ball());
            engine.end_frame();
        }
        const Diagnosis d = diagnosis(engine);
        EXPECT_FALSE(has(d, Cause::MixedClusters)) << diagnosis_text(d);
    }
}

// A tree that is barely a list in any frame must not seem to become one.
TEST(DiagnosisOfRows, DoesNotSayThatNobodyReinsertedWasInsertedAgain) {
    for (const std::uint64_t seed : {71'001u, 71'198u, 71'199u}) {
        Random random(seed);
        ScriptedEngine engine(Manhattan, Turns::None, 0.0f);
        std::uint64_t id = 0;
        for (int x = 0; x < 12; ++x)
            for (int z = 0; z < 12; ++z) {
                const float high = random.uniform(3.0f, 15.0f), wide = random.uniform(2.0f, 4.0f);
                engine.add(++id,
                           glm::vec3(12.0f * static_cast<float>(x), high, 12.0f * static_cast<float>(z)),
                           {wide, high, wide});
            }
        std::vector<std::pair<glm::vec3, float>> cars;
        for (int i = 0; i < 60; ++i) {
            const float along = random.uniform(0.0f, 160.0f);
            cars.emplace_back(glm::vec3(along, 0.8f, 12.0f * static_cast<float>(i % 12) + 6.0f),
                              random.uniform(-0.6f, 0.6f));
            engine.add(1000 + static_cast<std::uint64_t>(i), cars.back().first, {2, 0.8f, 1});
        }
        engine.set_margin(0.5f);
        for (int frame = 0; frame < 40; ++frame) {
            for (std::size_t i = 0; i < cars.size(); ++i) {
                cars[i].first.x += cars[i].second;
                engine.move(1000 + i, cars[i].first);
            }
            engine.end_frame();
        }
        const Diagnosis d = diagnosis(engine);
        expect_first(d, Cause::SortedInsertion, 0);
        EXPECT_EQ(diagnosis_text(d).find("inserted again"), std::string::npos) << diagnosis_text(d);
    }
}

// A fence grows out of a part of the level that was sound until then.
TEST(DiagnosisOfRows, BeginsWithTheRowAndNotWithTheLeavesBesideIt) {
    for (const std::uint64_t seed : kSeeds) {
        Random random(seed);
        ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.1f);
        for (std::uint64_t id = 0; id < 300; ++id)
            engine.add(id, random.in_box({-40, -40, -3}, {40, 40, 3}), glm::vec3(0.6f));
        for (int frame = 0; frame < 40; ++frame) {
            if (frame == 18) {
                engine.insert_by(Manhattan, Turns::None);
                for (std::uint64_t k = 0; k < 60; ++k)
                    engine.add(600 + k, {60, 1.3f * static_cast<float>(k), random.uniform(-1, 1)},
                               glm::vec3(0.6f));
            }
            engine.end_frame();
        }
        expect_first(diagnosis(engine), Cause::SortedInsertion, 18);
    }
}

/// Each frame, some bodies come, and those that have lived so long go.
class Crowd {
  public:
    Crowd(ScriptedEngine& engine, std::uint64_t seed, int life, float speed)
        : engine_(engine), random_(seed), life_(life), speed_(speed) {}
    void step(Move how = Move::Reinserted) {
        const int now = engine_.frame();
        while (!bodies_.empty() && now - bodies_.front().came >= life_) {
            engine_.remove(bodies_.front().id);
            bodies_.erase(bodies_.begin());
        }
        for (Body& body : bodies_)
            engine_.move(body.id, body.center += body.velocity, how);
        for (int k = 0; k < 7; ++k) {
            const glm::vec3 center = random_.in_box(glm::vec3(-35.0f), glm::vec3(35.0f));
            bodies_.push_back({++last_, now, center, speed_ * random_.direction()});
            engine_.add(last_, center, glm::vec3(0.3f));
        }
        engine_.end_frame();
    }

  private:
    struct Body {
        std::uint64_t id;
        int came;
        glm::vec3 center, velocity;
    };
    ScriptedEngine& engine_;
    Random random_;
    int life_;
    float speed_;
    std::uint64_t last_ = 0;
    std::vector<Body> bodies_;
};

TEST(DiagnosisWhereBodiesComeAndGo, DatesAMarginThatBecomesSmall) {
    for (const std::uint64_t seed : kSeeds)
        for (const int frame : {0, 35}) {
            ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, frame > 0 ? 0.8f : 0.02f);
            Crowd crowd(engine, seed, 22, 0.25f);
            while (engine.frame() < 100) {
                if (engine.frame() == frame) engine.set_margin(0.02f);
                crowd.step();
            }
            expect_first(diagnosis(engine), Cause::SmallMargin, static_cast<std::uint64_t>(frame));
        }
}

TEST(DiagnosisWhereBodiesComeAndGo, DatesAMarginThatBecomesLarge) {
    for (const std::uint64_t seed : kSeeds) {
        ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.2f);
        Crowd crowd(engine, seed, 27, 0.04f);
        while (engine.frame() < 100) {
            if (engine.frame() == 32) engine.set_margin(6.0f);
            crowd.step();
        }
        const Diagnosis d = diagnosis(engine);
        expect_first(d, Cause::LargeMargin, 32);
        // The diagnosis counts from the frame that it names: by then, no body leaves an old box.
        EXPECT_EQ(diagnosis_text(d).find("Since frame 32,"), std::string::npos) << diagnosis_text(d);
        EXPECT_NE(diagnosis_text(d).find(", 0.0 % of "), std::string::npos) << diagnosis_text(d);
    }
}

TEST(DiagnosisWhereBodiesComeAndGo, DatesBoxesThatGrow) {
    for (const std::uint64_t seed : kSeeds) {
        ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.3f);
        Crowd crowd(engine, seed, 33, 0.35f);
        while (engine.frame() < 100)
            crowd.step(engine.frame() >= 40 ? Move::Stretched : Move::Reinserted);
        expect_first(diagnosis(engine), Cause::StretchedLeaves, 40);
    }
}

/// A swarm in a cube; each body keeps its direction.
class Swarm {
  public:
    Swarm(ScriptedEngine& engine, std::uint64_t seed, std::size_t count, float extent, float speed)
        : engine_(engine), random_(seed), speed_(speed) {
        for (std::size_t i = 0; i < count; ++i) {
            const glm::vec3 center = random_.in_box(glm::vec3(-extent), glm::vec3(extent));
            bodies_.emplace_back(center, random_.direction() * random_.uniform(0.4f, 1.2f));
            engine_.add(i, center, glm::vec3(random_.uniform(0.2f, 0.4f)));
        }
    }
    /// Of each `every` bodies, the first goes this way.
    void step(std::size_t every = 1, Move how = Move::Reinserted) {
        for (std::size_t i = 0; speed_ > 0.0f && i < bodies_.size(); ++i)
            engine_.move(i, bodies_[i].first += speed_ * bodies_[i].second,
                         i % every == 0 ? how : Move::Reinserted);
        engine_.end_frame();
    }
    void jump(std::size_t every, float far, Move how) {
        for (std::size_t i = 0; i < bodies_.size(); i += every)
            engine_.move(i, bodies_[i].first = random_.in_box(glm::vec3(-far), glm::vec3(far)), how);
    }

  private:
    ScriptedEngine& engine_;
    Random random_;
    float speed_;
    std::vector<std::pair<glm::vec3, glm::vec3>> bodies_;
};

// What a smaller margin gains decides, and not a number of frames.
TEST(DiagnosisOfMargins, NamesALargeOneThatBodiesLeaveNowAndThen) {
    for (const float margin : {1.5f, 2.0f, 3.0f})
        for (const std::uint64_t seed : kSeeds) {
            ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.2f);
            Swarm swarm(engine, seed, 220, 18.0f, 0.06f);
            while (engine.frame() < 90) {
                if (engine.frame() == 20) engine.set_margin(margin);
                swarm.step();
            }
            SCOPED_TRACE(margin);
            expect_first(diagnosis(engine), Cause::LargeMargin, 20);
        }
}

TEST(DiagnosisOfMargins, NamesALargeOneOfFewThatMoveAmongManyThatRest) {
    for (const std::uint64_t seed : kSeeds) {
        Random random(seed, 1);
        ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.0f);
        for (std::uint64_t id = 500; id < 700; ++id)
            engine.add(id, random.in_box({-30, -30, -30}, {30, 30, 30}), glm::vec3(0.6f));
        engine.set_margin(0.2f);
        Swarm swarm(engine, seed, 40, 16.0f, 0.05f);
        while (engine.frame() < 100) {
            if (engine.frame() == 30) engine.set_margin(4.0f);
            swarm.step();
        }
        expect_first(diagnosis(engine), Cause::LargeMargin, 30);
    }
}

// Crates in a stack touch the same neighbors with any margin; what rests needs no smaller one.
TEST(DiagnosisOfMargins, DoesNotNameOneWithoutAGain) {
    for (const float size : {0.3f, 0.5f, 1.0f})
        for (const std::uint64_t seed : kSeeds) {
            Random random(seed);
            ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.1f);
            std::vector<glm::vec3> places;
            for (std::uint64_t i = 0; i < 200; ++i) {
                const glm::vec3 cell(i % 10, i / 40, i / 10 % 4);
                places.push_back(cell * (size * 1.01f));
                engine.add(i, places.back(), glm::vec3(size / 2.0f));
            }
            while (engine.frame() < 60) {
                for (std::uint64_t i = 0; i < 200; ++i)
                    engine.move(i, places[i] + 0.001f * random.in_ball());
                engine.end_frame();
            }
            const Diagnosis d = diagnosis(engine);
            EXPECT_TRUE(d.findings.empty()) << size << "\n" << diagnosis_text(d);
        }
}

TEST(DiagnosisOfUpkeep, TellsASuddenChangeFromAGradualOne) {
    for (const std::uint64_t seed : kSeeds) {
        ScriptedEngine refits(BranchAndBoundSah, Turns::Sah, 0.2f),
            grown(BranchAndBoundSah, Turns::Sah, 0.2f);
        Swarm swarm(refits, seed, 180, 40.0f, 0.0f), other(grown, seed, 200, 40.0f, 0.0f);
        while (refits.frame() < 70) {
            if (refits.frame() == 30 || refits.frame() == 31) {
                swarm.jump(1, 40.0f, Move::InPlace);
                other.jump(5, 40.0f, Move::Stretched);
            }
            if (refits.frame() == 32) other.jump(5, 40.0f, Move::Stretched);
            swarm.step();
            other.step();
        }
        const Diagnosis jumped = diagnosis(refits), stretched = diagnosis(grown);
        expect_first(jumped, Cause::RefitOnly, 30);
        EXPECT_EQ(diagnosis_text(jumped).find("gradually"), std::string::npos) << diagnosis_text(jumped);
        EXPECT_NE(diagnosis_text(jumped).find("In frame 0, the subtree"), std::string::npos)
            << diagnosis_text(jumped);
        ASSERT_TRUE(has(stretched, Cause::StretchedLeaves)) << diagnosis_text(stretched);
        EXPECT_EQ(diagnosis_text(stretched).find("gradually"), std::string::npos)
            << diagnosis_text(stretched);
        EXPECT_NE(diagnosis_text(stretched).find("grew in frames 30 to 32"), std::string::npos)
            << diagnosis_text(stretched);
    }
}

// The gain that the diagnosis promises is the one of re-insertion in this tree, without a rebuild on top of
// it.
TEST(DiagnosisOfUpkeep, PromisesWhatReinsertionGains) {
    for (const std::uint64_t seed : kSeeds) {
        Random random(seed, 2);
        ScriptedEngine engine(GreedySah, Turns::None, 0.0f);
        for (std::uint64_t id = 500; id < 700; ++id)
            engine.add(id, random.in_box({-60, 0, -60}, {60, 2, 60}), glm::vec3(2, 2, 2));
        engine.set_margin(0.4f);
        Swarm swarm(engine, seed, 30, 40.0f, 0.1f);
        while (engine.frame() < 60)
            swarm.step(6, engine.frame() >= 18 ? Move::Stretched : Move::Reinserted);
        const Diagnosis d = diagnosis(engine);
        expect_first(d, Cause::StretchedLeaves, 18);
        const std::string& helps = d.findings.front().helps;
        const std::size_t at = helps.find("about ");
        ASSERT_NE(at, std::string::npos) << helps;
        EXPECT_LT(std::stod(helps.substr(at + 6)), 1.08) << helps;
    }
}

// The rest is re-inserted, often into the same place; and the loss is small.
TEST(DiagnosisOfUpkeep, NamesHalfOfASwarmThatIsNoLongerReinserted) {
    int right = 0;
    std::string wrong;
    for (const std::uint64_t seed : kSeeds) {
        ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.2f);
        Swarm swarm(engine, seed, 280, 45.0f, 0.25f);
        while (engine.frame() < 85)
            swarm.step(2, engine.frame() >= 22 ? Move::InPlace : Move::Reinserted);
        const Diagnosis d = diagnosis(engine);
        const bool is_right = !d.findings.empty() && d.findings.front().cause == Cause::StretchedLeaves &&
                              is_near(d.findings.front().frame, 22);
        right += is_right ? 1 : 0;
        if (!is_right) wrong += diagnosis_text(d);
    }
    EXPECT_GE(right, 3) << wrong;
}

TEST(DiagnosisOfGiants, DatesTheBeginningOfTheGrowth) {
    for (const std::uint64_t seed : kSeeds) {
        ScriptedEngine engine(GreedySah, Turns::None, 0.1f);
        Swarm swarm(engine, seed, 150, 10.0f, 0.0f);
        float half = 0.3f;
        while (engine.frame() < 90) {
            if (engine.frame() >= 25 && half < 10.0f) engine.resize(7, glm::vec3(half *= 1.1f));
            swarm.step();
        }
        const Diagnosis d = diagnosis(engine);
        expect_first(d, Cause::GiantBox, 25);
        ASSERT_FALSE(d.findings.empty());
        EXPECT_EQ(d.findings.front().bodies, std::vector<std::uint64_t>{7}) << diagnosis_text(d);
        EXPECT_TRUE(d.findings.front().slowly) << diagnosis_text(d);
    }
}

TEST(DiagnosisOfBrokenTrees, NamesTheBodiesThatQueriesMiss) {
    for (const std::uint64_t seed : kSeeds) {
        ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.2f);
        Swarm swarm(engine, seed, 120, 30.0f, 0.0f);
        std::vector<std::uint64_t> missed;
        engine.damage = [&](bv::TreeSnapshot& tree) {
            if (engine.frame() < 20) return;
            // A node above some bodies ends before the one that reaches farthest along x.
            std::uint32_t node = 0;
            while (tree.depths[node] < 3)
                node = tree.first_child[node] + (tree.is_leaf(tree.first_child[node]) ? 1 : 0);
            tree.boxes[node].max.x -= 0.5f;
            missed.clear();
            for (std::uint32_t i = 0; i < tree.size(); ++i) {
                if (!tree.is_leaf(i)) continue;
                std::uint32_t up = i;
                while (up != node && up != 0)
                    up = tree.parents[up];
                const std::uint64_t id = tree.payloads[tree.first_payload[i]];
                if (up == node && engine.bodies().at(id).box().max.x > tree.boxes[node].max.x)
                    missed.push_back(id);
            }
            std::sort(missed.begin(), missed.end());
        };
        while (engine.frame() < 40)
            swarm.step();
        const Diagnosis d = diagnosis(engine);
        expect_first(d, Cause::BrokenInvariants, 20);
        ASSERT_FALSE(missed.empty());
        EXPECT_EQ(d.findings.front().bodies, missed) << diagnosis_text(d);
    }
}

TEST(DiagnosisOfBrokenTrees, BlamesTheNodeThatTookAPayloadOfAnother) {
    for (const std::uint64_t seed : kSeeds)
        for (const bool swaps : {false, true}) {
            ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.2f);
            Swarm swarm(engine, seed, 100, 30.0f, 0.0f);
            const std::uint64_t taken = swaps ? 40 : 41, lost = swaps ? 41 : 40;
            std::uint64_t node = 0;
            engine.damage = [&](bv::TreeSnapshot& tree) {
                if (engine.frame() < 23) return;
                for (std::uint32_t i = 0; i < tree.size(); ++i)
                    if (tree.is_leaf(i) && tree.payloads[tree.first_payload[i]] == lost) {
                        tree.payloads[tree.first_payload[i]] = taken;
                        node = tree.source_nodes[i];
                        return;
                    }
            };
            while (engine.frame() < 40)
                swarm.step();
            const Diagnosis d = diagnosis(engine);
            expect_first(d, Cause::BrokenInvariants, 23);
            EXPECT_EQ(d.findings.front().node, node) << diagnosis_text(d);
            EXPECT_TRUE(d.remarks.empty()) << diagnosis_text(d);
            // The body that is there twice, and the body that queries miss.
            EXPECT_EQ(d.findings.front().bodies, (std::vector<std::uint64_t>{40, 41})) << diagnosis_text(d);
        }
}

// A leaf that gets a node above it as its child loses its body, and a query that follows it meets all others.
TEST(DiagnosisOfBrokenTrees, NamesAllBodiesBelowALoop) {
    std::string lines = R"({"capture": 1})";
    for (int frame = 0; frame < 4; ++frame) {
        lines += "\n{\"frame\": " + std::to_string(frame) + "}\n";
        for (int id = 10; frame == 0 && id < 14; ++id)
            lines += "{\"create\": " + std::to_string(id) + ", \"tight\": [0, 0, 0, 1, 1, 1]}\n";
        lines += R"({"tree": "a", "root": 1, "nodes": [)";
        const auto node = [&](int id, const char* children, const char* payloads) {
            lines += (id > 1 ? ", " : "") + std::string(R"({"id": )") + std::to_string(id) +
                     R"(, "box": [0, 0, 0, 1, 1, 1], "children": [)" + children + R"(], "payloads": [)" +
                     payloads + "]}";
        };
        node(1, "2, 3", "");
        node(2, "4, 5", "");
        node(3, "6, 7", "");
        node(4, "", "10");
        node(5, "", "11");
        node(6, "", "12");
        node(7, frame < 2 ? "" : "3", frame < 2 ? "13" : "");
        lines += "]}";
    }
    auto capture = io::capture_from_lines(lines + "\n", "x.jsonl");
    ASSERT_TRUE(capture) << capture.error().text();
    const auto d = diagnosis_of(std::move(capture->bytes));
    ASSERT_TRUE(d);
    ASSERT_FALSE(d->findings.empty()) << diagnosis_text(*d);
    EXPECT_EQ(d->findings.front().node, 7u) << diagnosis_text(*d);
    EXPECT_EQ(d->findings.front().bodies, (std::vector<std::uint64_t>{12, 13})) << diagnosis_text(*d);
}

/// The engine loses bodies in frame 23, and their diagnosis after frame 40 names them.
Diagnosis lose_in_frame_23(ScriptedEngine& engine, Swarm& swarm, const std::vector<std::uint64_t>& lost) {
    while (engine.frame() < 40) {
        if (engine.frame() == 23)
            for (const std::uint64_t id : lost)
                engine.lose(id);
        swarm.step();
    }
    Diagnosis d = diagnosis(engine);
    expect_first(d, Cause::BrokenInvariants, 23);
    if (!d.findings.empty()) {
        EXPECT_EQ(d.findings.front().bodies, lost) << diagnosis_text(d);
    }
    return d;
}

TEST(DiagnosisOfBrokenTrees, NamesTheBodiesThatMoveAndAreInNoLeaf) {
    for (const std::uint64_t seed : kSeeds) {
        ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.2f);
        Swarm swarm(engine, seed, 100, 30.0f, 0.2f);
        const std::vector<std::uint64_t> lost{7, 30, 31, 86};
        const Diagnosis d = lose_in_frame_23(engine, swarm, lost);
        ASSERT_FALSE(d.findings.empty());
    }
}

TEST(DiagnosisOfBrokenTrees, NamesASingleBodyThatMovesAndIsLostForGood) {
    for (const std::uint64_t seed : kSeeds) {
        ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.2f);
        Swarm swarm(engine, seed, 100, 30.0f, 0.2f);
        const Diagnosis d = lose_in_frame_23(engine, swarm, {30});
        ASSERT_FALSE(d.findings.empty());
        EXPECT_NE(d.findings.front().evidence.find("It moves"), std::string::npos) << diagnosis_text(d);
    }
}

TEST(DiagnosisOfBrokenTrees, NamesTheNodeThatHeldLostBodiesLast) {
    for (const std::uint64_t seed : kSeeds) {
        ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.2f);
        Swarm swarm(engine, seed, 100, 30.0f, 0.2f);
        std::vector<std::uint64_t> lost;
        std::uint64_t node = 0;
        engine.damage = [&](const bv::TreeSnapshot& tree) {
            if (engine.frame() != 23) return;  // of the frames that were begun
            for (std::uint32_t top = 1; lost.size() < 5 || lost.size() > 12; ++top) {
                lost.clear();
                node = tree.source_nodes[top];
                for (std::uint32_t i = top; i < tree.size(); ++i) {
                    std::uint32_t up = i;
                    while (up > top)
                        up = tree.parents[up];
                    if (up == top && tree.is_leaf(i)) lost.push_back(tree.payloads[tree.first_payload[i]]);
                }
            }
            std::sort(lost.begin(), lost.end());
        };
        const Diagnosis d = lose_in_frame_23(engine, swarm, lost);
        ASSERT_FALSE(d.findings.empty());
        EXPECT_EQ(d.findings.front().node, node) << diagnosis_text(d);
        EXPECT_EQ(d.findings.front().shown_in, 22u) << diagnosis_text(d);
    }
}

TEST(DiagnosisText, NamesOutlinesInAPlaneNodesOfRemovedBodiesAndEachTree) {
    const auto text_of = [](const Plan& plan) {
        const auto d = diagnosis_of(run_second_engine(plan, 71'020));
        return d ? diagnosis_text(*d) : std::string();
    };
    Plan plan{.name = "giant",
              .fault = Fault::Giant,
              .frame = 30,
              .bodies = 150,
              .frames = 60,
              .ground = Ground::Planar};
    plan.options.margin = bv::Margin::None;
    plan.options.insertion = GreedySah;
    plan.options.balancing = Turns::None;
    const std::string giant = text_of(plan);
    EXPECT_NE(giant.find("times the outline of a typical body"), std::string::npos) << giant;
    const std::string leaked =
        text_of({.name = "leaked", .fault = Fault::Leaked, .frame = 30, .bodies = 60, .frames = 60});
    EXPECT_NE(leaked.find("the first since frame 30: nodes "), std::string::npos) << leaked;
    const std::string two = text_of({.name = "two trees", .bodies = 100, .frames = 30, .two_trees = true});
    EXPECT_NE(two.find("\nand the tree '"), std::string::npos) << two;
}

TEST(ArityOfATree, IsThatOfTheNodesAboveTheLowest) {
    for (const std::uint32_t arity : {2u, 4u, 8u}) {
        Random random(71'010, arity);
        std::vector<bv::Aabb> boxes;
        for (int i = 0; i < 300; ++i) {
            const glm::vec3 center = random.in_box(glm::vec3(0.0f), glm::vec3(30.0f));
            boxes.push_back({center - 0.4f, center + 0.4f});
        }
        EXPECT_EQ(arity_of(rebuilt_tree(boxes, arity)), arity);
    }
}

/// Bodies that drift in a flat world and turn at its borders.
class Drift {
  public:
    Drift(ScriptedEngine& engine, std::uint64_t seed, std::uint64_t count, const glm::vec3& reach,
          float speed)
        : engine_(engine), random_(seed), reach_(reach) {
        for (std::uint64_t id = 1; id <= count; ++id) {
            bodies_.push_back({random_.in_box(-reach, reach), speed * flat_direction(), Move::Reinserted});
            engine.add(id, bodies_.back().place, glm::vec3(random_.uniform(0.3f, 0.7f)));
        }
    }
    /// The first bodies move so from now on.
    void change(std::uint64_t count, float speed, Move how) {
        for (std::uint64_t id = 1; id <= count; ++id)
            bodies_[id - 1] = {bodies_[id - 1].place, speed * random_.uniform(0.7f, 1.4f) * flat_direction(),
                               how};
    }
    void step() {
        for (std::uint64_t id = 1; id <= bodies_.size(); ++id) {
            Body& body = bodies_[id - 1];
            if (body.velocity == glm::vec3(0.0f)) continue;
            body.place += body.velocity;
            for (int k = 0; k < 3; ++k)
                if (std::abs(body.place[k]) > reach_[k])
                    body.velocity[k] = std::copysign(body.velocity[k], -body.place[k]);
            engine_.move(id, body.place, body.how);
        }
        engine_.end_frame();
    }
    Random& random() { return random_; }

  private:
    struct Body {
        glm::vec3 place, velocity;
        Move how;
    };
    glm::vec3 flat_direction() {
        const float turn = random_.uniform(0.0f, 6.2831853f);
        return {std::cos(turn), 0.0f, std::sin(turn)};
    }

    ScriptedEngine& engine_;
    Random random_;
    glm::vec3 reach_;
    std::vector<Body> bodies_;
};

// One jump is enough: a box around two places stays where nobody is.
TEST(DiagnosisOfStretchedLeaves, FindsBodiesThatJumpedOnce) {
    for (const std::uint64_t seed : kSeeds) {
        ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.1f);
        const glm::vec3 reach(60, 10, 60);
        Drift drift(engine, seed, 325, reach, 0.0f);
        while (engine.frame() < 55) {
            for (std::uint64_t id = 1; engine.frame() == 30 && id <= 25; ++id)
                engine.move(id, drift.random().in_box(-reach, reach), Move::Stretched);
            drift.step();
        }
        const Diagnosis d = diagnosis(engine);
        expect_first(d, Cause::StretchedLeaves, 30);
        ASSERT_FALSE(d.findings.empty());
        EXPECT_GE(d.findings.front().bodies.size(), 20u) << diagnosis_text(d);
        EXPECT_NE(d.findings.front().evidence.find("rew in frames 30 to 30"), std::string::npos)
            << d.findings.front().evidence;
    }
}

// What a few stretched leaves cost is not the shape of the tree of the others, which rest.
TEST(DiagnosisOfStretchedLeaves, DoesNotBlameRefitsOfLeavesThatRest) {
    for (const std::uint64_t seed : kSeeds) {
        ScriptedEngine engine(BranchAndBoundSah, Turns::None, 0.1f);
        Drift drift(engine, seed, 900, {80, 10, 80}, 0.0f);
        while (engine.frame() < 60) {
            if (engine.frame() == 25) drift.change(90, 0.7f, Move::Stretched);
            drift.step();
        }
        const Diagnosis d = diagnosis(engine);
        expect_first(d, Cause::StretchedLeaves, 25);
        EXPECT_FALSE(has(d, Cause::RefitOnly)) << diagnosis_text(d);
    }
}

// Rotations around leaves that follow in place give them other parents, as a re-insertion would.
TEST(DiagnosisOfStretchedLeaves, FindsThoseInPlaceAmongRotations) {
    for (const std::uint64_t seed : kSeeds) {
        ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.1f);
        Drift drift(engine, seed, 500, {60, 10, 60}, 0.03f);
        while (engine.frame() < 60) {
            if (engine.frame() == 10) drift.change(120, 2.0f, Move::Refitted);
            drift.step();
        }
        expect_first(diagnosis(engine), Cause::StretchedLeaves, 10);
    }
}

// Both halves of the world were there from the first frame; what mixes them came later.
TEST(DiagnosisOfClusters, BeginsWithThoseThatMixThem) {
    for (const std::uint64_t seed : kSeeds) {
        ScriptedEngine engine(BranchAndBoundSah, Turns::None, 0.1f);
        Drift drift(engine, seed, 150, {80, 4, 80}, 0.02f);
        while (engine.frame() < 50) {
            for (int squad = 0; engine.frame() == 14 && squad < 4; ++squad)
                for (int k = 0; k < 24; ++k) {
                    const auto id = static_cast<std::uint64_t>(1000 + 24 * squad + k);
                    const float along = 20.0f * static_cast<float>(squad) - 80.0f;
                    const glm::vec3 spread = drift.random().in_ball() * glm::vec3(4, 2, 4);
                    // Inserted together, and captured where each half goes.
                    engine.add(id, glm::vec3(0, 300, 40.0f * static_cast<float>(squad)) + spread,
                               glm::vec3(0.5f));
                    engine.move(id,
                                (k % 2 == 0 ? glm::vec3(-90, 0, along) : glm::vec3(95, 0, -along)) + spread,
                                Move::InPlace);
                }
            drift.step();
        }
        const Diagnosis d = diagnosis(engine);
        expect_first(d, Cause::MixedClusters, 14);
        // The squads mix the halves of the world, and themselves with these: only the squads are named.
        const std::vector<std::uint64_t>& named = d.findings.front().bodies;
        const auto squads =
            std::count_if(named.begin(), named.end(), [](std::uint64_t id) { return id >= 1000; });
        EXPECT_GE(squads, 90) << diagnosis_text(d);
        EXPECT_LE(named.size(), 100u) << diagnosis_text(d);
    }
}

// An engine without margins that forgets to re-insert some of its leaves from a frame on.
TEST(DiagnosisOfMargins, NamesAMarginThatHasAlwaysBeenSmallAfterWhatWentWrongLater) {
    for (const std::uint64_t seed : kSeeds) {
        ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.0f);
        Drift drift(engine, seed, 300, {40, 4, 40}, 0.2f);
        while (engine.frame() < 100) {
            if (engine.frame() == 40) drift.change(20, 0.4f, Move::Stretched);
            drift.step();
        }
        const Diagnosis d = diagnosis(engine);
        expect_first(d, Cause::StretchedLeaves, 40);
        EXPECT_TRUE(has(d, Cause::SmallMargin)) << diagnosis_text(d);
    }
}

// Of the few that rest in a frame, all may get other neighbors by the re-insertion of many around them.
TEST(Rebuilds, AreNotSeenInTheFewLeavesThatRest) {
    const auto churn = [](std::uint32_t moved, std::uint32_t moved_placed, std::uint32_t rested,
                          std::uint32_t rested_placed) {
        LeavesInBoth leaves;
        for (std::uint32_t i = 0; i < moved; ++i)
            leaves.add(false, i < moved_placed);
        for (std::uint32_t i = 0; i < rested; ++i)
            leaves.add(true, i < rested_placed);
        return leaves.churn(moved + rested, 7);
    };
    EXPECT_FALSE(churn(288, 248, 12, 12).is_rebuilt);
    EXPECT_TRUE(churn(288, 281, 12, 12).is_rebuilt);
    EXPECT_TRUE(churn(0, 0, 300, 293).is_rebuilt);
    EXPECT_FALSE(churn(288, 286, 12, 10).is_rebuilt);
}

TEST(WhatIfOfTheEngine, ShowsTheVisitsThatItReportedAndCountsNewBodies) {
    ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.2f);
    engine.reported_visits = 4321;
    Crowd crowd(engine, 71'011, 20, 0.0f);
    while (engine.frame() < 40)
        crowd.step();
    auto file = io::CaptureFile::from_bytes(engine.finish(), "x.bvcap");
    ASSERT_TRUE(file);
    const WhatIf result = what_if(*file, {.max_frames = 10});
    EXPECT_EQ(result.rows.front().visits, 4321.0);
    EXPECT_EQ(result.rows.front().new_boxes, 7.0);
    for (const WhatIfRow& row : result.rows) {
        if (!row.name.starts_with("dynamic tree, ")) continue;
        EXPECT_EQ(row.new_boxes, 7.0) << row.name;
    }
    const bool is_said =
        std::any_of(result.remarks.begin(), result.remarks.end(), [](const std::string& remark) {
            return remark.find("those that the engine reported") != std::string::npos;
        });
    EXPECT_TRUE(is_said);
}

}  // namespace
}  // namespace lab::capture
