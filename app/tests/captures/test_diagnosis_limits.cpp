// What the diagnosis must not claim, and what it must name in a part of the bodies only.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bv/capture/bv_capture.h"
#include "capture/diagnosis.hpp"
#include "scripted_engine.hpp"
#include "workloads/random.hpp"

namespace lab::capture {
namespace {

using bv::workloads::Random;
using Move = ScriptedEngine::Move;
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

// A ratio to zero gives no number, and within a frame the order is only that of the ids.
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
    /// The first `part` bodies use `margin`, the others `usual`. Those others move only every `stays` frames,
    /// by as many steps at once, so that they all leave their boxes in the same frame.
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

// A body keeps its old fat box until it leaves that: where all wander, that takes a while.
TEST(DiagnosisOfMargins, DatesTheFirstBodiesWithASmallOne) {
    constexpr float kUsual = 0.14f, kSmall = 0.001f;
    for (const std::uint64_t seed : kSeeds)
        for (const float step : {0.03f, 0.05f}) {
            Random random(seed);
            ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, kUsual);
            std::vector<std::pair<glm::vec3, glm::vec3>>
                bodies;  // where they are, and the middle of their box
            while (bodies.size() < 240) {
                const glm::vec3 center = random.in_box(glm::vec3(-16.0f), glm::vec3(16.0f));
                bodies.emplace_back(center, center);
                engine.add(bodies.size() - 1, center, glm::vec3(0.3f));
            }
            std::vector<bool> is_small(bodies.size(), false);
            while (engine.frame() < 160) {
                for (std::uint64_t i = 0; i < bodies.size(); ++i) {
                    auto& [center, middle] = bodies[i];
                    center += step * random.direction();
                    const glm::vec3 by = glm::abs(center - middle);
                    if (std::max({by.x, by.y, by.z}) > kUsual) {
                        middle = center;
                        is_small[i] = engine.frame() >= 60;
                    }
                    engine.set_margin(is_small[i] ? kSmall : kUsual);
                    engine.move(i, center);
                }
                engine.end_frame();
            }
            const Diagnosis d = diagnosis(engine);
            ASSERT_FALSE(d.findings.empty()) << diagnosis_text(d);
            EXPECT_EQ(d.findings.front().cause, Cause::SmallMargin) << diagnosis_text(d);
            EXPECT_TRUE(is_near(d.findings.front().frame, 60)) << diagnosis_text(d);
            EXPECT_TRUE(d.findings.front().slowly) << diagnosis_text(d);
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

// A margin that was large enough is not small because all fall.
TEST(DiagnosisOfMargins, DoesNotNameThatOfBodiesThatBecomeFaster) {
    for (const std::uint64_t seed : kSeeds) {
        Random random(seed);
        ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.1f);
        std::vector<glm::vec3> bodies, by;
        while (bodies.size() < 300) {
            bodies.push_back(random.in_box(glm::vec3(-20.0f), glm::vec3(20.0f)));
            by.push_back(0.02f * random.direction());
            engine.add(bodies.size() - 1, bodies.back(), glm::vec3(0.4f));
        }
        while (engine.frame() < 90) {
            for (std::uint64_t i = 0; i < bodies.size(); ++i) {
                by[i].y -= 0.002f;
                engine.move(i, bodies[i] += by[i]);
            }
            engine.end_frame();
        }
        const Diagnosis d = diagnosis(engine);
        EXPECT_TRUE(d.findings.empty()) << diagnosis_text(d);
    }
}

// Leaves at the border of a crowd have always come back to their places more often than others.
TEST(DiagnosisOfPlaces, DatesLeavesAtTheBorderThatAreNoLongerReinserted) {
    struct Case {
        bv::Insertion insertion;
        bv::Balancing balancing;
        float border;
        int since;
        std::uint64_t seed;
    };
    for (const Case& one : {Case{GreedySah, Turns::Height, 40.0f, 60, 4},
                            {GreedySah, Turns::Height, 40.0f, 60, 5},
                            {BranchAndBoundSah, Turns::None, 24.0f, 90, 3},
                            {BranchAndBoundSah, Turns::None, 24.0f, 90, 7}}) {
        constexpr std::uint64_t kAtBorder = 60;
        Random random(one.seed, 7);
        ScriptedEngine engine(one.insertion, one.balancing, 0.2f);
        std::vector<std::pair<glm::vec3, glm::vec3>> bodies;
        const auto low = [&](std::uint64_t i) {
            return glm::vec3(i < kAtBorder ? -one.border : -12.0f, -12.0f, -12.0f);
        };
        const auto high = [&](std::uint64_t i) {
            return glm::vec3(i < kAtBorder ? -12.0f : 12.0f, 12.0f, 12.0f);
        };
        for (std::uint64_t i = 0; i < 500; ++i) {
            const glm::vec3 center = random.in_box(low(i), high(i));
            bodies.emplace_back(center, 0.1f * random.direction());
            engine.add(i, center, glm::vec3(0.4f));
        }
        while (engine.frame() < 160) {
            const bool stay = engine.frame() >= one.since;
            for (std::uint64_t i = 0; i < bodies.size(); ++i) {
                auto& [center, by] = bodies[i];
                for (int k = 0; k < 3; ++k)
                    if (center[k] + by[k] < low(i)[k] || center[k] + by[k] > high(i)[k]) by[k] = -by[k];
                engine.move(i, center += by, stay && i < kAtBorder ? Move::InPlace : Move::Reinserted);
            }
            engine.end_frame();
        }
        const Diagnosis d = diagnosis(engine);
        ASSERT_FALSE(d.findings.empty()) << diagnosis_text(d);
        EXPECT_EQ(d.findings.front().cause, Cause::StretchedLeaves) << diagnosis_text(d);
        EXPECT_TRUE(is_near(d.findings.front().frame, static_cast<std::uint64_t>(one.since)))
            << diagnosis_text(d);
    }
}

// A body is not lost where a leaf of it is left over in another tree.
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

/// Boxes in a row, inserted in order without rotations: two in each frame.
void grow_row(ScriptedEngine& engine, std::uint64_t count) {
    for (std::uint64_t id = 0; id < count; ++id) {
        engine.add(id, glm::vec3(1.5f * static_cast<float>(id), 0.0f, 0.0f), glm::vec3(0.5f));
        if (id % 2 == 1) engine.end_frame();
    }
}

bool says(const Diagnosis& d, std::string_view words) {
    return diagnosis_text(d).find(words) != std::string::npos;
}

// An engine that ends, or loads another level, empties its tree first: what was wrong before stays so.
TEST(DiagnosisOfEmptiedTrees, IsThatOfTheLastFrameWithLeaves) {
    for (const int frames : {1, 20, 200})
        for (const bool removes : {true, false}) {
            ScriptedEngine engine(GreedySah, Turns::None, 0.0f);
            grow_row(engine, 128);
            for (std::uint64_t id = 0; id < 128; ++id)
                removes ? engine.remove(id) : engine.lose(id);
            for (int i = 0; i < frames; ++i)
                engine.end_frame();
            const Diagnosis d = diagnosis(engine);
            EXPECT_TRUE(has(d, Cause::SortedInsertion)) << diagnosis_text(d);
            EXPECT_EQ(d.frame, 63u);
            EXPECT_TRUE(says(d, "'dynamic' has no leaf from frame 64 on: it was judged in frame 63"))
                << diagnosis_text(d);
            EXPECT_EQ(says(d, "128 of 128 bodies are in no leaf"), !removes && frames > 3)
                << diagnosis_text(d);
        }
}

TEST(DiagnosisOfEmptiedTrees, FindsTheLeavesOfBodiesThatWereRemovedBefore) {
    for (const bool ends : {false, true}) {
        ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.3f);
        Swarm swarm(engine, kSeeds[0], 60, 20.0f);
        while (engine.frame() < 10)
            swarm.step(0, 0.3f, 0.3f);
        engine.leak(7);
        while (engine.frame() < 40)
            swarm.step(0, 0.3f, 0.3f);
        if (ends) {
            while (!engine.bodies().empty())
                engine.remove(engine.bodies().begin()->first);
            engine.end_frame();
        }
        const Diagnosis d = diagnosis(engine);
        ASSERT_FALSE(d.findings.empty()) << ends << diagnosis_text(d);
        EXPECT_EQ(d.findings.front().bodies, std::vector<std::uint64_t>{7}) << ends << diagnosis_text(d);
    }
}

// Bodies go on without any leaf: queries miss them all.
TEST(DiagnosisOfEmptiedTrees, FindsBodiesThatGoOn) {
    ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.3f);
    Swarm swarm(engine, kSeeds[0], 60, 20.0f);
    while (engine.frame() < 20)
        swarm.step(0, 0.3f, 0.3f);
    for (std::uint64_t id = 0; id < 60; ++id)
        engine.lose(id);
    while (engine.frame() < 60)
        swarm.step(0, 0.3f, 0.3f);
    const Diagnosis d = diagnosis(engine);
    ASSERT_FALSE(d.findings.empty()) << diagnosis_text(d);
    EXPECT_EQ(d.findings.front().cause, Cause::BrokenInvariants) << diagnosis_text(d);
    EXPECT_EQ(d.findings.front().bodies.size(), 60u) << diagnosis_text(d);
}

TEST(DiagnosisOfEmptiedTrees, SaysThatATreeNeverHadALeaf) {
    ScriptedEngine engine(BranchAndBoundSah, Turns::Sah, 0.3f);
    engine.end_frame();
    engine.end_frame();
    const Diagnosis d = diagnosis(engine);
    EXPECT_TRUE(says(d, "the tree 'dynamic' has no leaf in any frame")) << diagnosis_text(d);
}

/// A tree with up to four children to a node, or more: a leaf goes where the boxes grow least, and a node
/// that has too many children is split at the middle of its longest axis.
class WideTree {
  public:
    explicit WideTree(std::size_t max_children) : max_children_(max_children) {}
    void insert(std::uint64_t body, const bv::Aabb& box) {
        const std::size_t leaf = make(box);
        nodes_[leaf].body = body;
        leaves_[body] = leaf;
        put(leaf);
    }
    [[nodiscard]] const bv::Aabb& box(std::uint64_t body) const { return nodes_[leaves_.at(body)].box; }
    void reinsert(std::uint64_t body, const bv::Aabb& box) {
        const std::size_t leaf = leaves_.at(body);
        std::size_t up = nodes_[leaf].parent;
        std::erase(nodes_[up].children, leaf);
        while (nodes_[up].children.empty()) {
            const std::size_t empty = up;
            up = nodes_[up].parent;
            std::erase(nodes_[up].children, empty);
            free_.push_back(empty);
        }
        refit(up);
        nodes_[leaf].box = box;
        put(leaf);
    }
    /// Inserts the body as a leaf of the node that lies `levels` below the root along first children.
    void insert_below(std::uint64_t body, const bv::Aabb& box, int levels) {
        std::size_t at = root_;
        while (levels-- > 0)
            at = nodes_[at].children.front();
        const std::size_t leaf = make(box);
        nodes_[leaf].body = body;
        leaves_[body] = leaf;
        adopt(at, leaf);
        refit(at);
    }
    void keep(std::uint64_t body, const bv::Aabb& box) {
        nodes_[leaves_.at(body)].box = box;
        refit(nodes_[leaves_.at(body)].parent);
    }
    void write(bv_capture* capture) const {
        bv_capture_tree_begin(capture, "wide", root_);
        std::vector<std::size_t> open{root_};
        while (!open.empty()) {
            const Node& node = nodes_[open.back()];
            const std::vector<std::uint64_t> children(node.children.begin(), node.children.end());
            bv_capture_node(capture, open.back(), bv_capture_box(&node.box.min.x, &node.box.max.x),
                            children.data(), children.size(), &node.body, children.empty() ? 1 : 0);
            open.pop_back();
            open.insert(open.end(), children.begin(), children.end());
        }
        bv_capture_tree_end(capture);
    }

  private:
    static constexpr std::size_t kNone = ~std::size_t{0};
    struct Node {
        bv::Aabb box;
        std::size_t parent = kNone;
        std::vector<std::size_t> children = {};
        std::uint64_t body = 0;
    };

    std::size_t make(const bv::Aabb& box) {
        if (free_.empty()) {
            nodes_.push_back({box});
            return nodes_.size() - 1;
        }
        const std::size_t node = free_.back();
        free_.pop_back();
        nodes_[node] = {box};
        return node;
    }
    void adopt(std::size_t parent, std::size_t child) {
        nodes_[parent].children.push_back(child);
        nodes_[child].parent = parent;
    }
    void put(std::size_t leaf) {
        if (root_ == kNone) root_ = make(nodes_[leaf].box);
        std::size_t at = root_;
        while (!nodes_[at].children.empty() && !nodes_[nodes_[at].children.front()].children.empty())
            at = *std::min_element(nodes_[at].children.begin(), nodes_[at].children.end(),
                                   [&](std::size_t a, std::size_t b) {
                                       return growth(a, nodes_[leaf].box) < growth(b, nodes_[leaf].box);
                                   });
        adopt(at, leaf);
        for (; at != kNone && nodes_[at].children.size() > max_children_; at = nodes_[at].parent)
            split(at);
        refit(nodes_[leaf].parent);
    }
    [[nodiscard]] float growth(std::size_t node, const bv::Aabb& by) const {
        return bv::merge(nodes_[node].box, by).surface_area() - nodes_[node].box.surface_area();
    }
    void split(std::size_t node) {
        refit(node);
        const glm::vec3 size = nodes_[node].box.size();
        const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        if (node == root_) adopt(root_ = make(nodes_[node].box), node);
        const std::size_t beside = make(nodes_[node].box);
        std::vector<std::size_t> children = std::exchange(nodes_[node].children, {});
        std::sort(children.begin(), children.end(), [&](std::size_t a, std::size_t b) {
            return nodes_[a].box.center()[axis] < nodes_[b].box.center()[axis];
        });
        for (std::size_t i = 0; i < children.size(); ++i)
            adopt(2 * i < children.size() ? node : beside, children[i]);
        adopt(nodes_[node].parent, beside);
        refit(node);
        refit(beside);
    }
    void refit(std::size_t node) {
        for (; node != kNone; node = nodes_[node].parent) {
            nodes_[node].box = {};
            for (const std::size_t child : nodes_[node].children)
                nodes_[node].box = bv::merge(nodes_[node].box, nodes_[child].box);
        }
    }

    std::size_t max_children_;
    std::vector<Node> nodes_;
    std::map<std::uint64_t, std::size_t> leaves_;
    std::vector<std::size_t> free_;
    std::size_t root_ = kNone;
};

/// The diagnosis of a swarm of 500 bodies in such a tree. From frame 40 on, the leaf of one in `each` bodies
/// stays where it is. With `half_rest`, every other body rests all the time.
std::optional<Diagnosis> diagnosis_of_wide_tree(std::uint64_t seed, std::size_t max_children,
                                                std::uint64_t each, int frames, bool half_rest = false) {
    Random random(seed);
    const std::unique_ptr<bv_capture, void (*)(bv_capture*)> capture(
        bv_capture_to_memory(nullptr, nullptr), [](bv_capture* c) { (void)bv_capture_close(c); });
    WideTree tree(max_children);
    struct Body {
        glm::vec3 center, goal;
    };
    std::vector<Body> bodies;
    const auto anywhere = [&] { return random.in_box(glm::vec3(-12.0f), glm::vec3(12.0f)); };
    const auto box_of = [](const Body& body, float margin) {
        return bv::Aabb{body.center - 0.5f - margin, body.center + 0.5f + margin};
    };
    while (bodies.size() < 500) {
        bodies.push_back({anywhere(), anywhere()});
        tree.insert(bodies.size() - 1, box_of(bodies.back(), 0.2f));
    }
    for (int frame = 0; frame < frames; ++frame) {
        std::vector<bv::Aabb> boxes;  // a tight and a fat one of each
        for (std::uint64_t i = 0; i < bodies.size(); ++i) {
            Body& body = bodies[i];
            if (half_rest && i % 2 == 1) {
                boxes.insert(boxes.end(), {box_of(body, 0.0f), tree.box(i)});
                continue;
            }
            while (glm::distance(body.center, body.goal) < 0.2f)
                body.goal = anywhere();
            body.center += 0.1f * glm::normalize(body.goal - body.center);
            boxes.push_back(box_of(body, 0.0f));
            if (!holds(tree.box(i), boxes.back())) {
                if (i % each == 0 && frame >= 40)
                    tree.keep(i, box_of(body, 0.2f));
                else
                    tree.reinsert(i, box_of(body, 0.2f));
            }
            boxes.push_back(tree.box(i));
        }
        std::vector<bv_capture_proxy> proxies;
        for (std::uint64_t i = 0; i < bodies.size(); ++i) {
            const bv::Aabb &tight = boxes[2 * i], &fat = boxes[2 * i + 1];
            proxies.push_back(
                {i, bv_capture_box(&tight.min.x, &tight.max.x), bv_capture_box(&fat.min.x, &fat.max.x), 0});
        }
        bv_capture_frame(capture.get(), frame / 60.0);
        bv_capture_proxies(capture.get(), proxies.data(), proxies.size());
        tree.write(capture.get());
    }
    bv_capture_finish(capture.get());
    std::vector<std::uint8_t> bytes(std::size_t{1} << 25);
    bytes.resize(bv_capture_take(capture.get(), bytes.data(), bytes.size()));
    return diagnosis_of(std::move(bytes));
}

// Nodes that are split and dissolved by others give a leaf another parent where it stays.
TEST(DiagnosisOfWideTrees, DatesLeavesThatAreNoLongerReinserted) {
    for (const std::uint64_t seed : kSeeds) {
        const auto d = diagnosis_of_wide_tree(seed, 4, 8, 150);
        ASSERT_TRUE(d);
        ASSERT_FALSE(d->findings.empty()) << diagnosis_text(*d);
        EXPECT_EQ(d->findings.front().cause, Cause::StretchedLeaves) << diagnosis_text(*d);
        EXPECT_TRUE(is_near(d->findings.front().frame, 40)) << diagnosis_text(*d);
    }
}

// Below eight children, most of the other leaves come back to the node that they were taken from.
TEST(DiagnosisOfWideTrees, NamesOneLeafInTenThatIsNoLongerReinserted) {
    for (const std::uint64_t seed : kSeeds) {
        const auto d = diagnosis_of_wide_tree(seed, 8, 10, 190);
        ASSERT_TRUE(d);
        ASSERT_FALSE(d->findings.empty()) << diagnosis_text(*d);
        EXPECT_EQ(d->findings.front().cause, Cause::StretchedLeaves) << diagnosis_text(*d);
        EXPECT_TRUE(is_near(d->findings.front().frame, 40)) << diagnosis_text(*d);
    }
}

// Beside bodies that rest, few leaves change places: what the suspects did before must prove it, in a tree
// that places none of them very well.
TEST(DiagnosisOfWideTrees, NamesThemWhereHalfOfTheBodiesRest) {
    for (const std::uint64_t seed : kSeeds)
        for (const std::uint64_t each : {6u, 8u}) {
            const auto d = diagnosis_of_wide_tree(seed, 4, each, 150, true);
            ASSERT_TRUE(d);
            ASSERT_FALSE(d->findings.empty()) << diagnosis_text(*d);
            EXPECT_EQ(d->findings.front().cause, Cause::StretchedLeaves) << diagnosis_text(*d);
            EXPECT_TRUE(is_near(d->findings.front().frame, 40)) << diagnosis_text(*d);
        }
}

TEST(DiagnosisOfWideTrees, NamesNoneWhereAllAreReinserted) {
    for (const std::uint64_t seed : kSeeds)
        for (const std::size_t max_children : {4u, 8u}) {
            const auto d = diagnosis_of_wide_tree(seed, max_children, 1000, 120, true);
            ASSERT_TRUE(d);
            EXPECT_TRUE(d->findings.empty()) << max_children << diagnosis_text(*d);
        }
}

// Few nodes are above the giant, but they are a good part of all: such a tree has few nodes below its root.
TEST(DiagnosisOfWideTrees, NamesAGiantNearTheRoot) {
    constexpr int kSince = 30;
    for (const std::uint64_t seed : kSeeds) {
        Random random(seed);
        const std::unique_ptr<bv_capture, void (*)(bv_capture*)> capture(
            bv_capture_to_memory(nullptr, nullptr), [](bv_capture* c) { (void)bv_capture_close(c); });
        WideTree tree(8);
        std::vector<bv::Aabb> boxes;
        while (boxes.size() < 300) {
            const glm::vec3 center = random.in_box(glm::vec3(-12.0f), glm::vec3(12.0f));
            boxes.push_back({center - 0.5f, center + 0.5f});
            tree.insert(boxes.size() - 1, boxes.back());
        }
        for (int frame = 0; frame < 60; ++frame) {
            if (frame == kSince) {
                boxes.push_back({glm::vec3(-11.0f), glm::vec3(11.0f)});
                tree.insert_below(boxes.size() - 1, boxes.back(), 2);
            }
            std::vector<bv_capture_proxy> proxies;
            for (std::uint64_t i = 0; i < boxes.size(); ++i) {
                const auto box = bv_capture_box(&boxes[i].min.x, &boxes[i].max.x);
                proxies.push_back({i, box, box, 0});
            }
            bv_capture_frame(capture.get(), frame / 60.0);
            bv_capture_proxies(capture.get(), proxies.data(), proxies.size());
            tree.write(capture.get());
        }
        bv_capture_finish(capture.get());
        std::vector<std::uint8_t> bytes(std::size_t{1} << 23);
        bytes.resize(bv_capture_take(capture.get(), bytes.data(), bytes.size()));
        const auto d = diagnosis_of(std::move(bytes));
        ASSERT_TRUE(d);
        ASSERT_EQ(d->findings.size(), 1u) << diagnosis_text(*d);
        EXPECT_EQ(d->findings.front().cause, Cause::GiantBox) << diagnosis_text(*d);
        EXPECT_EQ(d->findings.front().frame, std::uint64_t{kSince}) << diagnosis_text(*d);
        EXPECT_EQ(d->findings.front().bodies, std::vector<std::uint64_t>{300}) << diagnosis_text(*d);
    }
}

}  // namespace
}  // namespace lab::capture
