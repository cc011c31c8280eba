// Benefits and costs of margins: one crowd of boxes in four trees with four kinds of margin. A body that
// leaves its fat box is re-inserted; fat boxes that overlap without their bodies are false pairs.
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "bv/query/overlap.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/metrics.hpp"
#include "bv/tree/pair_cache.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "scenes/trees/flat_crowd.hpp"
#include "settings/settings.hpp"
#include "settings/tree.hpp"
#include "world/tree_settings.hpp"

namespace lab::scenes::fat_boxes_scene {
namespace {

constexpr Setting<int> kFatCount{{
    .id = "fat.count",
    .label = "Boxes",
    .help = "Scene fat-boxes: how many boxes move",
    .default_value = "40",
    .min = 2,
    .max = 2000,
    .remembered = false,
}};

constexpr Setting<float> kFatSpeed{{
    .id = "fat.speed",
    .label = "Speed",
    .help = "Scene fat-boxes: speed of the fastest box",
    .default_value = "1",
    .max = 30,
    .unit = "m/s",
    .remembered = false,
}};

constexpr Setting<float> kFatLinger{{
    .id = "fat.linger",
    .label = "Linger",
    .help = "Scene fat-boxes: how long a fat box stays in the picture after its body has left it",
    .default_value = "0.12",
    .max = 5,
    .unit = "s",
    .remembered = false,
}};

enum class ShownPairs : std::uint8_t { Overlap, Changes };
constexpr std::array kPairsChoices = {Choice{"overlap", "By overlap", ShownPairs::Overlap},
                                      Choice{"changes", "By age", ShownPairs::Changes}};
constexpr Setting<ShownPairs> kFatPairs{{
    .id = "fat.pairs",
    .label = "Color pairs",
    .help = "Scene fat-boxes: show real and false pairs, or pairs that began, persist and ended",
    .default_value = "overlap",
    .choices = kPairsChoices,
    .remembered = false,
    .effect = Effect::View,
}};

constexpr const SettingSpec* kSettings[] = {&kFatCount,           &kFatSpeed,         &kFatLinger,
                                            &kFatPairs,           &kTreeMarginKind,   &kTreeMargin,
                                            &kTreeMarginRelative, &kTreeVelocitySteps};

constexpr double kRestingShare = 0.25;

/// Steps in the chart, and steps averaged by the table.
constexpr std::size_t kShownSteps = 240;
constexpr std::size_t kMeanSteps = 60;

/// The margins that are compared, in the order of the table's rows.
struct MarginRow {
    bv::Margin margin;
    const char* id;
    const char* name;
    Role role;
};
constexpr std::array kMargins = {MarginRow{bv::Margin::None, "none", "none", Role::Muted},
                                 MarginRow{bv::Margin::Fixed, "fixed", "fixed", Role::ProjectionA},
                                 MarginRow{bv::Margin::Relative, "relative", "relative", Role::Kdop},
                                 MarginRow{bv::Margin::AlongVelocity, "velocity", "velocity", Role::Visited}};
static_assert(kMargins.size() == kTreeMarginKindChoices.size());

std::size_t row_of(bv::Margin margin) {
    const auto* const at = std::find_if(kMargins.begin(), kMargins.end(),
                                        [&](const MarginRow& row) { return row.margin == margin; });
    return static_cast<std::size_t>(at - kMargins.begin());
}

/// A pair that began or ended recently.
struct PairChange {
    bv::PairCache::Pair pair;
    bool began = false;
    int steps_ago = 0;
};
/// The time for which a pair counts as new, and an ended one is still drawn.
constexpr int kChangeSteps = 20;

/// The work of one tree in one step.
struct StepCounts {
    float reinserted = 0, false_pairs = 0, tested = 0, weighed = 0;
    float began = 0, ended = 0, queried = 0;  ///< By the pair cache.
};

/// One tree and its recent work.
struct Contestant {
    bv::DynamicTree tree;
    std::vector<bv::ProxyId> ids;
    std::deque<StepCounts> counts;
    bv::PairCache pairs;
    std::vector<PairChange> changes;

    void fill(const bv::TreeOptions& options, const FlatCrowd& crowd) {
        tree = bv::DynamicTree(options);
        ids.clear();
        counts.clear();
        changes.clear();
        for (std::size_t i = 0; i < crowd.size(); ++i)
            ids.push_back(tree.insert(crowd.box(i), i).id);
        pairs.clear();
        pairs.update(tree);
    }
    /// Updates the pair cache to the tree, and notes which pairs began and ended.
    void update_pairs(StepCounts& step) {
        pairs.update(tree);
        step.began = static_cast<float>(pairs.began().size());
        step.ended = static_cast<float>(pairs.ended().size());
        step.queried = static_cast<float>(pairs.queried());
        for (PairChange& change : changes)
            ++change.steps_ago;
        const auto is_old = [this](const PairChange& change) {
            const auto again = [&](std::span<const bv::PairCache::Pair> now) {
                return std::find(now.begin(), now.end(), change.pair) != now.end();
            };
            return change.steps_ago > kChangeSteps || again(pairs.began()) || again(pairs.ended());
        };
        std::erase_if(changes, is_old);
        for (const auto& pair : pairs.began())
            changes.push_back({pair, true, 0});
        for (const auto& pair : pairs.ended())
            changes.push_back({pair, false, 0});
    }
    [[nodiscard]] double mean(float StepCounts::*member) const {
        const std::size_t n = std::min(kMeanSteps, counts.size());
        double sum = 0;
        for (std::size_t i = counts.size() - n; i < counts.size(); ++i)
            sum += static_cast<double>(counts[i].*member);
        return n > 0 ? sum / static_cast<double>(n) : 0.0;
    }
};

/// A fat box that its body has left.
struct LeftBox {
    std::size_t body = 0;
    bv::Aabb old_fat;
    int steps_ago = 0;
};

class FatBoxes final : public SceneOf<FatBoxes> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        seed_ = context.seed;
        start(context.settings);
        // Leave space for the charts on the right and the legend below.
        context.frame_box = crowd_->arena();
        const glm::vec3 size = context.frame_box.size();
        context.frame_box.min.x -= 0.04f * size.x;
        context.frame_box.max.x += 0.5f * size.x;
        context.frame_box.max.z += 0.25f * size.z;
        context.camera = {};
        context.camera.pitch_rad = 1.0f;
        context.camera.yaw_rad = 0.0f;
    }

    void adapt(SceneContext& context) override {
        if (crowd_->size() != static_cast<std::size_t>(context.settings[kFatCount])) start(context.settings);
        // Other options restart the counts, so that no number mixes two. Each tree has a margin of its own.
        const bv::TreeOptions options = tree_options(context.settings);
        bv::TreeOptions compared = options;
        compared.margin = bv::Margin::None;
        if (!(compared == compared_)) fill(options);
    }

    void step(SceneContext& context, float dt_s) override {
        const float speed = context.settings[kFatSpeed];
        crowd_->step(speed, dt_s);
        const auto chosen = row_of(tree_options(context.settings).margin);
        for (LeftBox& left : left_)
            ++left.steps_ago;
        for (std::size_t row = 0; row < kMargins.size(); ++row)
            advance(contestants_[row], dt_s * speed, row == chosen);
        if (chosen != std::exchange(chosen_, chosen)) left_.clear();
        const float linger = 60.0f * context.settings[kFatLinger];
        std::erase_if(left_,
                      [&](const LeftBox& left) { return static_cast<float>(left.steps_ago) > linger; });
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        const auto chosen = row_of(tree_options(context.settings).margin);
        results.bounds = bv::merge(results.bounds, crowd_->arena());
        results.trees.clear();
        for (std::size_t row = 0; row < kMargins.size(); ++row)
            results.trees.emplace_back(kMargins[row].id, contestants_[row].tree.snapshot());
        // The chosen one first: panels show it initially.
        std::rotate(results.trees.begin(), results.trees.begin() + static_cast<std::ptrdiff_t>(chosen),
                    results.trees.begin() + static_cast<std::ptrdiff_t>(chosen) + 1);
        show_boxes(results, chosen);
        if (context.settings[kFatPairs] == ShownPairs::Changes) {
            show_changes(results, contestants_[chosen]);
        } else {
            show_pairs(results, contestants_[chosen]);
        }
        show_numbers(results, chosen);
        if (context.settings[kFatPairs] == ShownPairs::Changes) list_changes(results, chosen);
    }

    [[nodiscard]] std::size_t memory_bytes() const override {
        std::size_t bytes = crowd_->size() * 3 * sizeof(glm::vec3);
        for (const Contestant& c : contestants_)
            bytes += c.tree.memory_bytes() + c.ids.size() * sizeof(bv::ProxyId) +
                     c.counts.size() * sizeof(StepCounts);
        return bytes;
    }

  private:
    void start(const Settings& settings) {
        crowd_.emplace(settings[kFatCount], seed_, kRestingShare);
        fill(tree_options(settings));
    }

    void fill(bv::TreeOptions options) {
        for (std::size_t row = 0; row < kMargins.size(); ++row) {
            options.margin = kMargins[row].margin;
            contestants_[row].fill(options, *crowd_);
        }
        left_.clear();
        compared_ = options;
        compared_.margin = bv::Margin::None;
    }

    void advance(Contestant& contestant, float delta_per_course, bool chosen) {
        StepCounts counts;
        bv::Recording trace;
        std::size_t weighed = 0;  // nodes that insertions considered
        const auto count = [&] {
            weighed += static_cast<std::size_t>(std::count_if(
                trace.events().begin(), trace.events().end(),
                [](const bv::TraceEvent& e) { return std::holds_alternative<bv::SiblingConsidered>(e); }));
            trace.clear();
        };
        bv::DynamicTree& tree = contestant.tree;
        for (std::size_t i = 0; i < crowd_->size(); ++i) {
            const bv::Aabb old_fat = tree.fat_box(contestant.ids[i]);
            const bv::MoveResult moved =
                tree.move(contestant.ids[i], crowd_->box(i), delta_per_course * crowd_->course(i), trace);
            count();
            if (!moved.fat_box_changed) continue;
            counts.reinserted += 1.0f;
            if (!chosen) continue;
            std::erase_if(left_, [i](const LeftBox& left) { return left.body == i; });
            left_.push_back({i, old_fat, 0});
        }
        tree.update(trace);
        count();
        counts.weighed = static_cast<float>(weighed);
        contestant.update_pairs(counts);
        const bv::QueryStats pairs = tree.for_each_pair([](bv::ProxyId, bv::ProxyId) {});
        counts.tested = static_cast<float>(pairs.boxes_tested);
        std::size_t fat_pairs = 0;
        for (const bv::ProxyId id : contestant.ids)
            tree.query_fat(tree.fat_box(id),
                           [&](bv::ProxyId other, std::uint64_t) { fat_pairs += id.index < other.index; });
        counts.false_pairs = static_cast<float>(fat_pairs) - static_cast<float>(pairs.hits);
        contestant.counts.push_back(counts);
        if (contestant.counts.size() > kShownSteps) contestant.counts.pop_front();
    }

    void show_boxes(FrameResults& results, std::size_t chosen) const {
        const Contestant& contestant = contestants_[chosen];
        const std::size_t count = contestant.ids.size();
        std::vector<bool> just_left(count, false);
        for (const LeftBox& left : left_) {
            just_left[left.body] = true;
            Exhibit& old = put(results, left.old_fat, Role::Culled);
            old.width_px = 1.0f;
            old.legend = "fat box that a body has left";
        }
        const bool few = count <= 200;
        for (std::size_t i = 0; i < count; ++i) {
            put(results, contestant.tree.tight_box(contestant.ids[i]), Role::AabbTight, {}, 0.22f).width_px =
                few ? 1.5f : 1.0f;
            if (kMargins[chosen].margin == bv::Margin::None && !just_left[i])
                continue;  // both boxes are the same
            Exhibit& fat = put(results, contestant.tree.fat_box(contestant.ids[i]),
                               just_left[i] ? Role::Selected : kMargins[chosen].role);
            fat.width_px = just_left[i] && few ? 2.0f : 1.0f;
            fat.legend = just_left[i] ? "new fat box: leaf re-inserted"
                                      : fmt::format("fat box, margin: {}", kMargins[chosen].name);
        }
    }

    /// A line for each pair of fat boxes; a true pair if the tight boxes overlap, too.
    static void show_pairs(FrameResults& results, const Contestant& contestant) {
        const bv::DynamicTree& tree = contestant.tree;
        for (const bv::ProxyId id : contestant.ids)
            tree.query_fat(tree.fat_box(id), [&](bv::ProxyId other, std::uint64_t) {
                if (id.index >= other.index) return;
                const bv::Aabb a = tree.tight_box(id), b = tree.tight_box(other);
                const bool touch = bv::overlap(a, b);
                const glm::vec3 up(0.0f, 0.6f, 0.0f);
                Exhibit& line = put(results, bv::Segment{a.center() + up, b.center() + up},
                                    touch ? Role::Touching : Role::Separating);
                line.on_top = true;
                line.legend = touch ? "pair: the boxes overlap" : "false pair: only the fat boxes do";
            });
    }

    /// A line for each pair of bodies: new, holding, or ended a moment ago.
    static void show_changes(FrameResults& results, const Contestant& contestant) {
        const bv::DynamicTree& tree = contestant.tree;
        const glm::vec3 up(0.0f, 0.6f, 0.0f);
        const auto line = [&](const bv::PairCache::Pair& pair, Role role, const char* legend) {
            Exhibit& shown = put(results,
                                 bv::Segment{tree.tight_box(pair.first).center() + up,
                                             tree.tight_box(pair.second).center() + up},
                                 role);
            shown.on_top = true;
            shown.width_px = 3.0f;
            shown.legend = legend;
        };
        std::vector<bv::PairCache::Pair> fresh;
        for (const PairChange& change : contestant.changes)
            if (change.began) fresh.push_back(change.pair);
        for (const auto& pair : contestant.pairs.touching())
            if (std::find(fresh.begin(), fresh.end(), pair) == fresh.end())
                line(pair, Role::Normal, "pair that persists");
        for (const auto& pair : fresh)
            line(pair, Role::Touching, "pair that began just now");
        for (const PairChange& change : contestant.changes)
            if (!change.began) line(change.pair, Role::Separating, "pair that ended just now");
    }

    void list_changes(FrameResults& results, std::size_t chosen) const {
        Table table{"fat_pairs",
                    "The pair cache: per step, mean of the last second",
                    {"margin", "pairs", "began", "ended", "queries", "boxes"}};
        for (std::size_t i = 0; i < contestants_.size(); ++i) {
            const Contestant& c = contestants_[i];
            table.add(
                {kMargins[i].name, cells::grouped(c.pairs.touching().size()),
                 cells::fixed(c.mean(&StepCounts::began), 2), cells::fixed(c.mean(&StepCounts::ended), 2),
                 cells::fixed(c.mean(&StepCounts::queried), 1), cells::grouped(c.ids.size())},
                kMargins[i].role, i == chosen ? RowMark::Chosen : RowMark::None);
        }
        results.tables.push_back(std::move(table));
    }

    void show_numbers(FrameResults& results, std::size_t chosen) const {
        Table table{"fat_boxes",
                    "Four margins, one crowd: per step, mean of the last second",
                    {"margin", "re-inserted", "% of boxes", "evaluated", "pairs", "false pairs", "tested",
                     "fatness", "SAH"}};
        LineChart inserted{"re-insertions per step", "last 4 s", kShownSteps, {}};
        LineChart wrong{"false pairs", "last 4 s", kShownSteps, {}};
        const double count = static_cast<double>(crowd_->size());
        for (std::size_t row = 0; row < kMargins.size(); ++row) {
            const Contestant& c = contestants_[row];
            const bv::TreeMetrics m = bv::measure(c.tree.snapshot());
            const double reinserted = c.mean(&StepCounts::reinserted);
            const double false_pairs = c.mean(&StepCounts::false_pairs);
            std::size_t pairs = 0;
            c.tree.for_each_pair([&pairs](bv::ProxyId, bv::ProxyId) { ++pairs; });
            table.add(
                {kMargins[row].name, cells::fixed(reinserted, 2), cells::fixed(100.0 * reinserted / count, 1),
                 cells::fixed(c.mean(&StepCounts::weighed), 1), cells::grouped(pairs),
                 cells::fixed(false_pairs, 1), cells::fixed(c.mean(&StepCounts::tested), 0),
                 cells::fixed(m.fatness, 2), cells::fixed(m.sah, 1)},
                kMargins[row].role, row == chosen ? RowMark::Chosen : RowMark::None);
            LineChart::Line a{kMargins[row].id, kMargins[row].role, {}, cells::fixed(reinserted, 1)};
            LineChart::Line b{kMargins[row].id, kMargins[row].role, {}, cells::fixed(false_pairs, 1)};
            for (const StepCounts& counts : c.counts) {
                a.values.push_back(counts.reinserted);
                b.values.push_back(counts.false_pairs);
            }
            inserted.lines.push_back(std::move(a));
            wrong.lines.push_back(std::move(b));
        }
        results.tables.push_back(std::move(table));
        results.line_charts.push_back(std::move(wrong));
        results.line_charts.push_back(std::move(inserted));
    }

    std::uint64_t seed_ = 1;
    std::optional<FlatCrowd> crowd_;
    std::array<Contestant, kMargins.size()> contestants_;
    std::vector<LeftBox> left_;  // of the chosen tree
    bv::TreeOptions compared_;   // common options of the four trees
    std::size_t chosen_ = 0;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "fat-boxes",
    .category = "Trees",
    .title = "Fat boxes: choosing a margin",
    .summary =
        "A body may move inside its fat box without any change to the tree. Watch one leave its fat box: the "
        "old box stays behind in gray for a moment, the new one stands out. A larger margin saves "
        "re-insertions but adds false pairs: change it, and watch both curves.",
    .make = make_scene<FatBoxes>,
    .settings = kSettings,
};

}  // namespace lab::scenes::fat_boxes_scene
