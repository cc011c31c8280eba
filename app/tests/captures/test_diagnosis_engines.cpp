// The diagnosis on captures of another engine than the one that its samples come from: the library's dynamic
// tree under many options and in many worlds, with faults planted in it, in its leaves, or beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "bv/capture/bv_capture.h"
#include "bv/tree/dynamic_tree.hpp"
#include "capture/diagnosis.hpp"
#include "capture/what_if.hpp"
#include "io/captures/capture_file.hpp"
#include "workloads/random.hpp"

namespace lab::capture {
namespace {

using bv::workloads::Random;

enum class Fault {
    None,
    SortedFromStart,  ///< All bodies come in a row, before the first frame.
    SortedSlowly,     ///< The same, three in each frame.
    SortedRow,        ///< A row of bodies comes in one frame, without rotations.
    RefitOnly,        ///< From one frame on leaves keep their places.
    LargeMargin,      ///< From one frame on, for bodies that leave their fat boxes.
    SmallMargin,
    Giant,      ///< A body as large as the world goes down to the nearest leaf.
    Stretched,  ///< A quarter of the leaves grow where they are.
    Mixed,      ///< Two distant groups, in a tree built over them in turns.
    MixedTop,   ///< The same, mixed at the two upper levels only.
};

struct Plan {
    const char* name;
    Fault fault = Fault::None;
    std::optional<Cause> cause = {};  ///< None: nothing must be found.
    bv::TreeOptions options = {.margin = bv::Margin::Fixed, .margin_m = 0.15f};
    std::uint64_t frame = 60;  ///< Where the fault begins, and must be found.
    int bodies = 300, frames = 150;
    float unit = 1.0f;    ///< Meters for each meter of the plan.
    float moving = 0.4f;  ///< Share of the bodies.
    float speed = 0.04f;  ///< Per frame.
    int in_groups = 60;
    float gap = 30.0f;          ///< Between the groups.
    bool has_fat_boxes = true;  ///< Bodies are captured with theirs; those of leaves always are.
};

struct Node {
    std::uint64_t id = 0;
    bv::Aabb box = {};
    std::uint64_t body = 0;
    int left = -1, right = -1;
};

bv_capture_bounds bounds(const bv::Aabb& box) {
    return bv_capture_box(&box.min.x, &box.max.x);
}

class Engine {
  public:
    Engine(const Plan& plan, std::uint64_t seed)
        : plan_(plan), random_(seed, 0x5ec0), tree_(plan.options), extent_(12.0f * plan.unit) {}

    std::vector<std::uint8_t> run() {
        const bv_capture_config config{"second engine", plan_.name, 3, 0.0f, std::size_t{256} << 20};
        const std::unique_ptr<bv_capture, void (*)(bv_capture*)> capture(
            bv_capture_to_memory(&config, nullptr), [](bv_capture* c) { (void)bv_capture_close(c); });
        if (!capture) return {};
        std::vector<std::uint8_t> bytes, part(std::size_t{1} << 18);
        const auto take = [&] {
            while (const std::size_t got = bv_capture_take(capture.get(), part.data(), part.size()))
                bytes.insert(bytes.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(got));
        };
        populate();
        for (std::uint64_t frame = 0; frame < static_cast<std::uint64_t>(plan_.frames); ++frame) {
            if (plan_.fault == Fault::SortedSlowly)
                for (int k = 0; k < 3 && static_cast<int>(bodies_.size()) < plan_.bodies; ++k)
                    add_to_row();
            is_faulty_ = plan_.fault != Fault::None && frame >= plan_.frame;
            if (frame == plan_.frame) plant();
            move_all();
            tree_.update();
            bv_capture_frame(capture.get(), static_cast<double>(frame) / 60.0);
            write(capture.get());
            take();
        }
        bv_capture_finish(capture.get());
        take();
        return bytes;
    }

  private:
    struct Body {
        std::uint64_t id = 0;
        bv::ProxyId proxy = {};
        glm::vec3 center{0.0f}, half{0.0f}, velocity{0.0f};
        std::optional<bv::Aabb> grown = {};  ///< Its leaf's box, where the tree does not know of it.
        [[nodiscard]] bv::Aabb box() const { return {center - half, center + half}; }
    };

    void add(Body body) {
        body.id = bodies_.size() + 1;
        body.proxy = tree_.insert(body.box(), body.id).id;
        bodies_.push_back(body);
    }

    void add_to_row() {
        const auto place = static_cast<float>(bodies_.size());
        const float side = plan_.fault == Fault::SortedRow ? -2.0f * extent_ : 0.0f;
        add({.center = {-2.0f * extent_ + place * 1.3f * plan_.unit, 0.5f * plan_.unit, side},
             .half = glm::vec3(0.4f * plan_.unit)});
    }

    void populate() {
        if (plan_.fault == Fault::SortedSlowly) return;
        for (int i = 0; i < plan_.bodies; ++i) {
            if (plan_.fault == Fault::SortedFromStart) {
                add_to_row();
                continue;
            }
            Body body;
            body.center = random_.in_box({-extent_, 0, -extent_}, {extent_, 0.3f * plan_.unit, extent_});
            body.half = glm::vec3(random_.uniform(0.2f, 0.5f) * plan_.unit);
            if (random_.uniform(0.0f, 1.0f) < plan_.moving) {
                body.velocity = random_.direction() * plan_.speed * plan_.unit * random_.uniform(0.5f, 1.3f);
                body.velocity.y = 0.0f;
            }
            add(body);
        }
        for (int i = 0; i < plan_.in_groups; ++i) {
            Body body;
            body.id = 100'000 + static_cast<std::uint64_t>(i);
            body.center = glm::vec3(-3.0f * extent_ + (i % 2 == 0 ? 0.0f : plan_.gap * plan_.unit), 0, 0) +
                          3.0f * plan_.unit * random_.in_ball();
            body.half = glm::vec3(0.35f * plan_.unit);
            groups_.push_back(body);
        }
    }

    void plant() {
        bv::TreeOptions options = plan_.options;
        const float step = plan_.speed * plan_.unit;
        if (plan_.fault == Fault::RefitOnly) options.upkeep = bv::Upkeep::RefitOnly;
        if (plan_.fault == Fault::LargeMargin) options.margin_m = 80.0f * step;
        if (plan_.fault == Fault::SmallMargin) options.margin_m = 0.0f;
        tree_.set_options(options);
        if (plan_.fault != Fault::SortedRow && plan_.fault != Fault::Giant) return;
        bv::TreeOptions worse = options;
        worse.balancing = bv::Balancing::None;
        if (plan_.fault == Fault::Giant) worse.insertion = bv::Insertion::Manhattan;
        tree_.set_options(worse);
        if (plan_.fault == Fault::Giant)
            add({.center = random_.in_box(glm::vec3(-3, 0, -3), glm::vec3(3, 0, 3)) * plan_.unit,
                 .half = {1.2f * extent_, 0.3f * plan_.unit, 1.1f * extent_}});
        else
            for (int i = 0; i < 60; ++i)
                add_to_row();
        tree_.set_options(options);
    }

    void move_all() {
        for (Body& body : bodies_) {
            if (body.velocity == glm::vec3(0.0f)) continue;
            body.center += body.velocity;
            for (const int k : {0, 2})
                if (std::abs(body.center[k]) > extent_)
                    body.velocity[k] = -std::copysign(body.velocity[k], body.center[k]);
            const bool grows = plan_.fault == Fault::Stretched && is_faulty_ && body.id % 4 == 0;
            if (!grows) {
                (void)tree_.move(body.proxy, body.box());
                continue;
            }
            if (!body.grown) body.grown = tree_.fat_box(body.proxy);
            const float margin = 0.1f * plan_.unit;
            if (!(bv::merge(*body.grown, body.box()) == *body.grown))
                body.grown = bv::merge(*body.grown, {body.box().min - margin, body.box().max + margin});
        }
    }

    /// The tree over the nodes in their order, halved again and again; its root.
    int build(std::vector<int> nodes) {
        if (nodes.size() == 1) return nodes.front();
        const auto middle = nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() / 2);
        return join(build({nodes.begin(), middle}), build({middle, nodes.end()}));
    }

    int join(int left, int right) {
        nodes_.push_back({.id = 900'000 + next_++,
                          .box = bv::merge(nodes_[static_cast<std::size_t>(left)].box,
                                           nodes_[static_cast<std::size_t>(right)].box),
                          .left = left,
                          .right = right});
        return static_cast<int>(nodes_.size()) - 1;
    }

    int build_groups() {
        std::vector<int> all;
        std::array<std::vector<int>, 4> parts;
        for (const Body& body : groups_) {
            const float margin = 0.15f * plan_.unit;
            nodes_.push_back(
                {.id = body.id, .box = {body.box().min - margin, body.box().max + margin}, .body = body.id});
            tight_[body.id] = body.box();
            all.push_back(static_cast<int>(nodes_.size()) - 1);
            parts[body.id % 4].push_back(all.back());
        }
        if (plan_.fault == Fault::Mixed) return build(all);
        for (std::vector<int>& part : parts)
            std::sort(part.begin(), part.end(), [&](int a, int b) {
                return nodes_[static_cast<std::size_t>(a)].box.min.z <
                       nodes_[static_cast<std::size_t>(b)].box.min.z;
            });
        const int first = join(build(parts[0]), build(parts[1]));
        return join(first, join(build(parts[2]), build(parts[3])));
    }

    void refit(int at) {
        Node& node = nodes_[static_cast<std::size_t>(at)];
        if (node.left < 0) return;
        refit(node.left);
        refit(node.right);
        node.box = bv::merge(nodes_[static_cast<std::size_t>(node.left)].box,
                             nodes_[static_cast<std::size_t>(node.right)].box);
    }

    void write(bv_capture* capture) {
        nodes_.clear();
        tight_.clear();
        next_ = 0;
        for (const Body& body : bodies_)
            tight_[body.id] = body.box();
        const bv::TreeSnapshot tree = tree_.snapshot();
        for (std::uint32_t i = 0; i < tree.size(); ++i) {
            Node node{.id = tree.source_nodes[i], .box = tree.boxes[i]};
            if (tree.is_leaf(i)) {
                node.body = tree.payloads[tree.first_payload[i]];
                const Body& body = bodies_[node.body - 1];
                if (body.grown) node.box = *body.grown;
            } else {
                node.left = static_cast<int>(tree.first_child[i]);
                node.right = node.left + 1;
            }
            nodes_.push_back(node);
        }
        int root = 0;
        if (plan_.fault == Fault::Stretched) refit(root);
        if (is_faulty_ && (plan_.fault == Fault::Mixed || plan_.fault == Fault::MixedTop)) {
            const int groups = build_groups();
            root = tree.empty() ? groups : join(root, groups);
        }
        std::vector<int> order{root};
        std::vector<bv_capture_proxy> proxies;
        std::vector<bv_capture_tree_node> list;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const Node& node = nodes_[static_cast<std::size_t>(order[i])];
            const bool is_leaf = node.left < 0;
            list.push_back({node.id, bounds(node.box), node.body, is_leaf ? 0u : 2u});
            if (is_leaf)
                proxies.push_back({node.body, bounds(tight_[node.body]),
                                   plan_.has_fat_boxes ? bounds(node.box) : bv_capture_bounds{}, 0});
            else
                order.insert(order.end(), {node.left, node.right});
        }
        bv_capture_proxies(capture, proxies.data(), proxies.size());
        bv_capture_tree(capture, "tree", list.data(), list.size());
    }

    const Plan& plan_;
    Random random_;
    bv::DynamicTree tree_;
    float extent_;
    bool is_faulty_ = false;
    std::vector<Body> bodies_, groups_;
    std::vector<Node> nodes_;  ///< Of the tree that is written.
    std::unordered_map<std::uint64_t, bv::Aabb> tight_;
    std::uint64_t next_ = 0;
};

constexpr bv::TreeOptions options(bv::Insertion insertion, bv::Balancing balancing, float margin_m = 0.15f) {
    return {
        .insertion = insertion, .balancing = balancing, .margin = bv::Margin::Fixed, .margin_m = margin_m};
}
constexpr bv::TreeOptions options(bv::Upkeep upkeep, float margin_m = 0.15f) {
    return {.margin = bv::Margin::Fixed, .margin_m = margin_m, .upkeep = upkeep, .rebuild_period = 30};
}

using enum bv::Insertion;
using Turns = bv::Balancing;

const Plan kSound[] = {
    {.name = "defaults"},
    {.name = "greedy, no rotations", .options = options(GreedySah, Turns::None)},
    {.name = "greedy, height", .options = options(GreedySah, Turns::Height)},
    {.name = "re-insertion", .options = options(bv::Upkeep::Reinsertion)},
    {.name = "partial rebuilds", .options = options(bv::Upkeep::PartialRebuild)},
    {.name = "rebuilds", .options = options(bv::Upkeep::PeriodicRebuild)},
    {.name = "along the velocity", .options = {.margin = bv::Margin::AlongVelocity}},
    {.name = "all rest", .moving = 0.0f},
    {.name = "fast bodies", .speed = 0.12f},
    {.name = "centimeters", .options = options(bv::Upkeep::None, 15.0f), .unit = 100.0f},
    {.name = "few bodies", .bodies = 60},
    {.name = "a short capture", .frames = 12},
    {.name = "a ground in a tree that rotates", .fault = Fault::Giant},
};

const Plan kFaulty[] = {
    {"a row from the start", Fault::SortedFromStart, Cause::SortedInsertion, options(GreedySah, Turns::None),
     0},
    {"a row by nearest centers", Fault::SortedFromStart, Cause::SortedInsertion,
     options(Manhattan, Turns::None), 0},
    {"a long row", Fault::SortedFromStart, Cause::SortedInsertion, options(GreedySah, Turns::None), 0, 1500,
     20},
    {"a row later", Fault::SortedRow, Cause::SortedInsertion, options(GreedySah, Turns::Sah)},
    {.name = "refits", .fault = Fault::RefitOnly, .cause = Cause::RefitOnly, .moving = 1.0f, .speed = 0.15f},
    {.name = "refits early",
     .fault = Fault::RefitOnly,
     .cause = Cause::RefitOnly,
     .frame = 10,
     .moving = 1.0f,
     .speed = 0.15f},
    {.name = "refits of a third",
     .fault = Fault::RefitOnly,
     .cause = Cause::RefitOnly,
     .frames = 300,
     .moving = 0.33f,
     .speed = 0.15f},
    {.name = "refits of a sixth, for long",
     .fault = Fault::RefitOnly,
     .cause = Cause::RefitOnly,
     .frames = 900,
     .moving = 0.17f,
     .speed = 0.15f},
    {.name = "a margin that becomes large", .fault = Fault::LargeMargin, .cause = Cause::LargeMargin},
    {.name = "a margin that is large",
     .cause = Cause::LargeMargin,
     .options = options(bv::Upkeep::None, 3.2f),
     .frame = 0},
    {.name = "a margin that becomes small", .fault = Fault::SmallMargin, .cause = Cause::SmallMargin},
    {.name = "no margin", .cause = Cause::SmallMargin, .options = {.margin = bv::Margin::None}, .frame = 0},
    {"a ground", Fault::Giant, Cause::GiantBox, options(GreedySah, Turns::None)},
    {.name = "stretched", .fault = Fault::Stretched, .cause = Cause::StretchedLeaves},
    {.name = "stretched, without fat boxes",
     .fault = Fault::Stretched,
     .cause = Cause::StretchedLeaves,
     .bodies = 100,
     .moving = 1.0f,
     .has_fat_boxes = false},
    {.name = "mixed groups", .fault = Fault::Mixed, .cause = Cause::MixedClusters},
    {.name = "few, far apart",
     .fault = Fault::Mixed,
     .cause = Cause::MixedClusters,
     .in_groups = 30,
     .gap = 200.0f},
    {.name = "mixed from the start", .fault = Fault::Mixed, .cause = Cause::MixedClusters, .frame = 0},
    {.name = "mixed at the top", .fault = Fault::MixedTop, .cause = Cause::MixedClusters, .gap = 150.0f},
};

std::optional<Diagnosis> diagnosis_of(const Plan& plan) {
    auto file = io::CaptureFile::from_bytes(Engine(plan, 97'000).run(), "second.bvcap");
    EXPECT_TRUE(file) << file.error().text();
    if (!file) return std::nullopt;
    const auto survey = make_survey(*file);
    return survey ? diagnose(*file, *survey) : std::nullopt;
}

TEST(DiagnosisOfAnotherEngine, FindsNothingWhereNothingIsWrong) {
    for (const Plan& plan : kSound) {
        const auto diagnosis = diagnosis_of(plan);
        ASSERT_TRUE(diagnosis) << plan.name;
        EXPECT_TRUE(diagnosis->findings.empty()) << plan.name << "\n" << diagnosis_text(*diagnosis);
    }
}

TEST(DiagnosisOfAnotherEngine, NamesCauseAndFrame) {
    for (const Plan& plan : kFaulty) {
        const auto diagnosis = diagnosis_of(plan);
        ASSERT_TRUE(diagnosis) << plan.name;
        ASSERT_FALSE(diagnosis->findings.empty()) << plan.name << "\n" << diagnosis_text(*diagnosis);
        const Finding& first = diagnosis->findings.front();
        EXPECT_EQ(first.cause, *plan.cause) << plan.name << "\n" << diagnosis_text(*diagnosis);
        EXPECT_NEAR(static_cast<double>(first.frame), static_cast<double>(plan.frame), 5.0)
            << plan.name << "\n"
            << diagnosis_text(*diagnosis);
    }
}

TEST(WhatIfOfAnotherEngine, TheWideTreeIsBestWhereBodiesMove) {
    // An eighth of its tests: it makes eight at once, and is measured as fast as that.
    for (const Plan& plan : {kSound[0], kFaulty[4], kFaulty[6]}) {
        auto file = io::CaptureFile::from_bytes(Engine(plan, 97'001).run(), "second.bvcap");
        ASSERT_TRUE(file);
        const auto result = what_if(*file, {.most_frames = 40, .goes_on = {}});
        ASSERT_TRUE(result);
        ASSERT_GT(result->rows.size(), 20u);
        EXPECT_EQ(result->rows[1].name, "Wide AABB tree") << plan.name;
        EXPECT_EQ(result->rows[1].place, 1) << plan.name;
    }
}

TEST(WhatIfOfAnotherEngine, WhereAllRestTheIncrementalSweepHasNothingToDo) {
    auto file = io::CaptureFile::from_bytes(Engine(kSound[7], 97'002).run(), "second.bvcap");
    ASSERT_TRUE(file);
    const auto result = what_if(*file, {.most_frames = 40, .goes_on = {}});
    ASSERT_TRUE(result);
    ASSERT_GT(result->rows.size(), 20u);
    EXPECT_EQ(result->rows[1].name, "Sweep and prune, incremental");
    EXPECT_EQ(result->rows[1].upkeep, 0.0);
}

}  // namespace
}  // namespace lab::capture
