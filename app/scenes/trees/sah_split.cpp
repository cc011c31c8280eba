// Building a tree from the top, split by split: the planes that are weighed, their cost, and the two halves.
#include <memory>

#include "bv/tree/dynamic_tree.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "scenes/trees/spatial_build.hpp"
#include "settings/steps.hpp"
#include "steps/walk.hpp"
#include "workloads/random.hpp"

namespace lab::scenes {
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
    .help = "Scene sah-split: how many boxes",
    .default_value = "40",
    .min = 2,
    .max = 5000,
    .remembered = false,
}};
constexpr Setting<bool> kSplitClusters{{
    .id = "split.clusters",
    .label = "Clusters",
    .help = "Scene sah-split: three clusters instead of evenly spread boxes",
    .default_value = "true",
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kSplitBuilder, &kSplitCount, &kSplitClusters};

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

/// The clusters to begin with: those that search in the first round.
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
        context.frame_box = {glm::vec3(-2.8f, -3.2f, -1.2f), glm::vec3(2.8f, 2.6f, 1.2f)};
    }

    void analyze(const SceneContext& context, const FrameResults&) override {
        const Stepped builder = context.settings[kSplitBuilder];
        const auto count = static_cast<std::size_t>(context.settings[kSplitCount]);
        const bool clusters = context.settings[kSplitClusters];
        if (walk_ && builder == builder_ && count == boxes_.size() && clusters == clusters_ &&
            context.seed == seed_)
            return;
        builder_ = builder;
        clusters_ = clusters;
        seed_ = context.seed;
        make_boxes(count);
        needles_ = {};
        if (builder == Stepped::Spatial) {
            needles_ = make_needles(boxes_, seed_);
            walk_ = walk_spatial_build(needles_.view());
            return;
        }
        bv::TreeOptions options;
        options.margin = bv::Margin::None;
        bv::DynamicTree tree(options);
        for (std::size_t i = 0; i < boxes_.size(); ++i)
            (void)tree.insert(boxes_[i], i);
        bv::Recording trace(kMaxEvents);
        (void)tree.rebuild(builder_of(builder), trace);
        const bv::TreeSnapshot snapshot = tree.snapshot();
        const double sah = bv::measure(snapshot).sah;
        steps::Subject subject = subject_of(snapshot, trace);
        subject.clusters = first_clusters(trace);
        subject.split_rule = rule_of(builder);
        if (builder == Stepped::Morton) {
            bv::Aabb centers;
            for (const bv::Aabb& box : boxes_)
                centers = bv::merge(centers, box.center());
            subject.morton = bv::MortonGrid(centers);
        }
        walk_ = std::make_shared<const steps::Walk>(
            steps::algorithm(fmt::format("build.{}", context.settings.choice(kSplitBuilder).id)),
            std::move(subject), trace,
            fmt::format("{}: {} boxes, height {}, SAH cost {}.", context.settings.choice(kSplitBuilder).label,
                        boxes_.size(), tree.height(), number(sah)));
    }

    void show(const SceneContext&, FrameResults& results) const override {
        if (builder_ == Stepped::Spatial) {
            put_needles(results, needles_);
            return;
        }
        if (builder_ == Stepped::Agglomerative && results.walk && results.walk->number > 0) return;
        for (const bv::Aabb& box : boxes_)
            put(results, box, Role::TreeLeaf).width_px = 1.0f;
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }
    [[nodiscard]] std::size_t memory_bytes() const override {
        return boxes_.size() * sizeof(bv::Aabb) + (walk_ ? walk_->memory_bytes() : 0);
    }

  private:
    void make_boxes(std::size_t count) {
        boxes_.clear();
        bv::workloads::Random random(seed_);
        for (std::size_t i = 0; i < count; ++i) {
            const float z = random.uniform(-1.5f, 1.5f);
            const float y = random.uniform(0.3f, 2.7f);
            const float x = random.uniform(-3.0f, 3.0f);
            glm::vec3 center(x, y, z);
            if (clusters_) {
                const glm::vec3 middle[] = {{-2.2f, 0.8f, -0.6f}, {0.3f, 2.0f, 0.5f}, {2.3f, 0.9f, 0.2f}};
                center = middle[i % 3] + 0.28f * (center - glm::vec3(0.0f, 1.5f, 0.0f));
            }
            const float half_z = random.uniform(0.04f, 0.16f);
            const float half_y = random.uniform(0.04f, 0.16f);
            const float half_x = random.uniform(0.04f, 0.16f);
            const glm::vec3 half(half_x, half_y, half_z);
            boxes_.push_back({center - half, center + half});
        }
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

    Stepped builder_ = Stepped::Binned;
    bool clusters_ = false;
    std::uint64_t seed_ = 0;
    std::vector<bv::Aabb> boxes_;
    bv::workloads::MeshData needles_;  ///< Of spatial splits: one in each box's place.
    std::shared_ptr<const steps::Walk> walk_;
};

}  // namespace

extern constinit const SceneSpec sah_split_scene{
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
    .steps = &kStepAt,
};

}  // namespace lab::scenes
