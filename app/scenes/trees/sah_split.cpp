// Building a tree from the top, split by split: the candidate planes, their cost, and the two halves.
#include <fmt/format.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <memory>
#include <vector>

#include "bv/tree/dynamic_tree.hpp"
#include "io/text/counted.hpp"
#include "results/put.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "scenes/trees/box_set.hpp"
#include "scenes/trees/spatial_build.hpp"
#include "settings/steps.hpp"
#include "steps/walk.hpp"

namespace lab::scenes::sah_split_scene {
namespace {

enum class Stepped : unsigned char { Binned, Sweep, Median, Morton, Agglomerative, Spatial };
constexpr std::array kBuilderChoices = {Choice{"binned", "Binned SAH", Stepped::Binned},
                                        Choice{"sweep", "Sweep SAH", Stepped::Sweep},
                                        Choice{"median", "Median", Stepped::Median},
                                        Choice{"morton", "Morton", Stepped::Morton},
                                        Choice{"agglomerative", "Agglomerative", Stepped::Agglomerative},
                                        Choice{"spatial", "Spatial splits of triangles", Stepped::Spatial}};
constexpr Setting<Stepped> kSplitBuilder{{
    .id = "split.algorithm",
    .label = "Builder",
    .help = "Scene sah-split: the builder to step through",
    .default_value = "binned",
    .choices = kBuilderChoices,
    .remembered = false,
}};
constexpr Setting<int> kSplitCount{{
    .id = "split.count",
    .label = "Boxes",
    .help = "Scene sah-split: how many boxes; with more than 40, only the last 40 can be dragged",
    .default_value = "40",
    .min = 2,
    .max = 5000,
    .remembered = false,
}};
constexpr std::array kPresetChoices = {Choice{"clusters", "Three clusters", BuilderPreset::ThreeClusters},
                                       Choice{"two-clusters", "Two clusters", BuilderPreset::TwoClusters},
                                       Choice{"spread", "Evenly spread", BuilderPreset::Spread},
                                       Choice{"line", "On a line", BuilderPreset::Line},
                                       Choice{"sorted", "Sorted, with growing gaps", BuilderPreset::Sorted},
                                       Choice{"giant", "One giant, many small", BuilderPreset::Giant},
                                       Choice{"equal", "All equal", BuilderPreset::Equal}};
constexpr Setting<BuilderPreset> kSplitPreset{{
    .id = "split.preset",
    .label = "Placed",
    .help = "Scene sah-split: the boxes to start with; choosing others discards dragged boxes",
    .default_value = "clusters",
    .choices = kPresetChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kSplitBuilder, &kSplitPreset, &kSplitCount};

constexpr std::size_t kMaxEvents = 100'000;

/// The boxes below a node of a snapshot.
void collect(const bv::TreeSnapshot& tree, std::uint32_t node, std::vector<bv::Aabb>& boxes) {
    for (std::uint32_t p = 0; p < tree.payload_count[node]; ++p)
        boxes.push_back(tree.payload_boxes[tree.first_payload[node] + p]);
    for (std::uint32_t c = 0; c < tree.child_count[node]; ++c)
        collect(tree, tree.first_child[node] + c, boxes);
}

/// Inner nodes in depth-first order, the order in which a builder splits them.
void inner_nodes(const bv::TreeSnapshot& tree, std::uint32_t node, std::vector<std::uint32_t>& nodes) {
    if (tree.is_leaf(node)) return;
    nodes.push_back(node);
    for (std::uint32_t c = 0; c < tree.child_count[node]; ++c)
        inner_nodes(tree, tree.first_child[node] + c, nodes);
}

bv::Builder builder_of(Stepped stepped) {
    switch (stepped) {
        case Stepped::Sweep:
            return bv::Builder::SweepSah;
        case Stepped::Median:
            return bv::Builder::Median;
        case Stepped::Morton:
            return bv::Builder::Morton;
        case Stepped::Agglomerative:
            return bv::Builder::Agglomerative;
        case Stepped::Binned:
        case Stepped::Spatial:
            break;
    }
    return bv::Builder::BinnedSah;
}

std::optional<steps::SplitRule> rule_of(Stepped stepped) {
    switch (stepped) {
        case Stepped::Binned:
            return steps::SplitRule::Binned;
        case Stepped::Sweep:
            return steps::SplitRule::Sweep;
        case Stepped::Median:
            return steps::SplitRule::Median;
        case Stepped::Morton:
            return steps::SplitRule::Morton;
        case Stepped::Spatial:
            return steps::SplitRule::Spatial;
        case Stepped::Agglomerative:
            break;
    }
    return std::nullopt;
}

/// The initial clusters: those that search in the first round.
std::vector<std::pair<std::uint32_t, bv::Aabb>> first_clusters(const bv::Recording& trace) {
    std::vector<std::pair<std::uint32_t, bv::Aabb>> clusters;
    for (const bv::TraceEvent& event : trace.events()) {
        const auto* e = std::get_if<bv::NeighborFound>(&event);
        if (!e || e->place != clusters.size()) break;
        clusters.emplace_back(e->cluster.value, e->box);
    }
    return clusters;
}

class SahSplit final : public SceneOf<SahSplit> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        framed_ = input_of(context);
        set_.follow(framed_.boxes);
        context.frame_box = frame_of(framed_);
    }

    /// New boxes, or triangles in their place, can be larger or much smaller, so the camera frames them.
    /// Dragging does not move the camera.
    void adapt(SceneContext& context) override {
        const Framed now = input_of(context);
        set_.follow(now.boxes);
        if (now == framed_) return;
        framed_ = now;
        context.camera.frame(frame_of(now));
    }

    void analyze(const SceneContext& context, const FrameResults&) override {
        const Stepped builder = context.settings[kSplitBuilder];
        if (walk_ && builder == builder_ && set_.boxes() == boxes_) return;
        builder_ = builder;
        boxes_ = set_.boxes();
        needles_ = {};
        if (builder == Stepped::Spatial) {
            needles_ = make_needles(boxes_, context.seed);
            SpatialBuild built = build_spatially(needles_.view());
            walk_ = std::move(built.walk);
            keep(std::move(built.tree));
            return;
        }
        bv::TreeOptions options;
        options.margin = bv::Margin::None;
        bv::DynamicTree tree(options);
        for (std::size_t i = 0; i < boxes_.size(); ++i)
            (void)tree.insert(boxes_[i], i);
        bv::Recording trace(kMaxEvents);
        (void)tree.rebuild(builder_of(builder), trace);
        keep(tree.snapshot());
        const double sah = bv::measure(tree_).sah;
        steps::Subject subject = subject_of(tree_, trace);
        subject.clusters = first_clusters(trace);
        subject.split_rule = rule_of(builder);
        if (builder == Stepped::Morton) {
            bv::Aabb centers;
            for (const bv::Aabb& box : boxes_)
                centers = bv::merge(centers, box.center());
            subject.morton = bv::MortonGrid(centers);
            subject.morton_bounds = centers;
        }
        walk_ = std::make_shared<const steps::Walk>(
            steps::algorithm(fmt::format("build.{}", context.settings.choice(kSplitBuilder).id)),
            std::move(subject), trace,
            fmt::format("{}: {}, height {}, SAH cost {}.", context.settings.choice(kSplitBuilder).label,
                        io::counted(boxes_.size(), "box", "boxes"), tree.height(), number(sah)));
    }

    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        return set_.drag(id, position);
    }
    bool play(SceneContext& context, std::string_view action) override { return set_.play(context, action); }
    [[nodiscard]] SceneInput input() const override { return set_.input(); }
    [[nodiscard]] std::size_t input_size() const override { return set_.boxes().size(); }
    void restore(const SceneInput&, const SceneInput& to) override { set_.restore(to); }

    void show(const SceneContext&, FrameResults& results) const override {
        set_.show_handles(results);
        if (set_.is_rearranged()) results.rearranged = &kSplitPreset;
        const bool is_result = !results.walk || results.walk->number == 0;
        if (builder_ == Stepped::Spatial)
            put_needles(results, needles_);
        else if (builder_ != Stepped::Agglomerative || is_result)
            put_boxes(results, boxes_, Role::TreeLeaf, 1.0f, "box");
        if (!is_result) return;
        show_tree(results);
        results.trees.emplace_back("split", tree_);
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }
    [[nodiscard]] std::size_t memory_bytes() const override {
        return boxes_.size() * sizeof(bv::Aabb) + inner_.size() * sizeof(InnerBox) + bytes_of(tree_) +
               (walk_ ? walk_->memory_bytes() : 0);
    }

  private:
    /// The frame of a scene without boxes.
    static constexpr bv::Aabb kHome{glm::vec3(-2.8f, -3.2f, -1.2f), glm::vec3(2.8f, 2.6f, 1.2f)};

    /// The input that determines what the camera frames.
    struct Framed {
        BoxInput boxes;
        bool has_needles = false;
        bool operator==(const Framed&) const = default;
    };
    [[nodiscard]] static Framed input_of(const SceneContext& context) {
        const Settings& settings = context.settings;
        return {{settings[kSplitPreset], settings[kSplitCount], context.seed},
                settings[kSplitBuilder] == Stepped::Spatial};
    }

    /// With space for the chart below.
    [[nodiscard]] static bv::Aabb frame_of(const Framed& input) {
        BoxSet set;
        set.follow(input.boxes);
        bv::Aabb box;
        for (const bv::Aabb& each : set.boxes())
            box = bv::merge(box, each);
        if (input.has_needles)
            for (const glm::vec3& p : make_needles(set.boxes(), input.boxes.seed).positions)
                box = bv::merge(box, p);
        if (box.is_empty()) return kHome;
        box.min.y -= 1.4f * box.size().y;  // room for the chart
        return box;
    }

    /// Splits name nodes by their numbers during the build; they are in the depth-first order of the tree.
    static steps::Subject subject_of(const bv::TreeSnapshot& tree, const bv::Recording& trace) {
        steps::Subject subject;
        if (tree.empty()) return subject;
        std::vector<std::uint32_t> inner;
        inner_nodes(tree, 0, inner);
        std::size_t next = 0;
        std::uint32_t before = 0xffffffffu;
        for (const bv::TraceEvent& event : trace.events()) {
            const auto* split = std::get_if<bv::SplitEvaluated>(&event);
            if (!split || split->node.value == before || next >= inner.size()) continue;
            before = split->node.value;
            if (before >= subject.nodes.size()) {
                subject.nodes.resize(before + std::size_t{1});
                subject.contents.resize(before + std::size_t{1});
            }
            subject.nodes[before] = steps::as_obb(tree.boxes[inner[next]]);
            collect(tree, inner[next], subject.contents[before]);
            ++next;
        }
        return subject;
    }

    /// An inner node of the finished tree.
    struct InnerBox {
        bv::Aabb box;
        std::uint32_t depth = 0;
    };

    /// From the root down, as many whole levels as can be told apart.
    static std::vector<InnerBox> inner_boxes(const bv::TreeSnapshot& tree) {
        std::vector<InnerBox> inner;
        for (std::uint32_t node = 0; node < tree.size(); ++node)
            if (!tree.is_leaf(node)) inner.push_back({tree.boxes[node], tree.depths[node]});
        std::stable_sort(inner.begin(), inner.end(),
                         [](const InnerBox& a, const InnerBox& b) { return a.depth < b.depth; });
        if (inner.size() <= kMaxOutlines) return inner;
        const std::uint32_t cut = inner[kMaxOutlines].depth;
        std::erase_if(inner, [&](const InnerBox& each) { return each.depth >= cut; });
        return inner;
    }

    void keep(bv::TreeSnapshot tree) {
        tree_ = std::move(tree);
        inner_ = inner_boxes(tree_);
    }

    void show_tree(FrameResults& results) const {
        const std::uint32_t deepest = inner_.empty() ? 0 : inner_.back().depth;
        for (const InnerBox& each : inner_) {
            Exhibit& shown = put(results, each.box, Role::TreeNode);
            shown.width_px = 1.2f;
            shown.legend = "depth of the node";
            shown.scalar_end = static_cast<float>(std::max(deepest, 1u));
            shown.scalar = static_cast<float>(each.depth) / shown.scalar_end;
        }
    }

    Stepped builder_ = Stepped::Binned;
    Framed framed_;
    BoxSet set_;
    std::vector<bv::Aabb> boxes_;      ///< Those of the walk.
    bv::TreeSnapshot tree_;            ///< As built.
    std::vector<InnerBox> inner_;      ///< Its inner nodes, by depth.
    bv::workloads::MeshData needles_;  ///< Of spatial splits: one in each box's place.
    std::shared_ptr<const steps::Walk> walk_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "sah-split",
    .category = "Trees",
    .title = "Building a BVH",
    .summary =
        "A top-down builder splits the boxes in two, from the root down. The surface area heuristic (SAH) "
        "evaluates planes on each axis, area times count on both sides, and takes the cheapest. Spatial "
        "splits also clip long triangles; an agglomerative builder merges neighbors bottom up. Step with the "
        "arrow keys.",
    .make = make_scene<SahSplit>,
    .settings = kSettings,
    .commands = kBoxCommands,
    .steps = &kStepAt,
    .count = &kSplitCount,
    .charts = true,
};

}  // namespace lab::scenes::sah_split_scene
