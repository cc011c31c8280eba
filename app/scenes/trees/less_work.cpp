// Tests that can be skipped: a crowd on the floor, a plain search for its pairs, and five rules that save it
// tests. For one body it draws which others it is tested against, and which rule spares it the rest.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "bv/broadphase/pair_rules.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/raycast.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/pair_cache.hpp"
#include "io/text/counted.hpp"
#include "platform/clock.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "scenes/steady_time.hpp"
#include "scenes/trees/flat_crowd.hpp"
#include "settings/steps.hpp"
#include "steps/walk.hpp"

namespace lab::scenes::less_work_scene {
namespace {

constexpr int kMaxBodies = 200;

constexpr Setting<int> kLessCount{{
    .id = "less.count",
    .label = "Bodies",
    .help = "Scene less-work: how many bodies",
    .default_value = "24",
    .min = 2,
    .max = kMaxBodies,
    .remembered = false,
}};
constexpr Setting<float> kLessAtRest{{
    .id = "less.at_rest",
    .label = "Share at rest",
    .help = "Scene less-work: the share of bodies at rest",
    .default_value = "0.3",
    .max = 1,
    .remembered = false,
}};
constexpr Setting<float> kLessSpeed{{
    .id = "less.speed",
    .label = "Speed",
    .help = "Scene less-work: speed of the fastest body",
    .default_value = "1",
    .max = 30,
    .unit = "m/s",
    .remembered = false,
}};

constexpr Setting<bool> kLessPoints{{
    .id = "less.points",
    .label = "Compare centers first",
    .help = "Scene less-work: skip the box test when the centers are farther apart than the sum of the radii",
    .default_value = "true",
    .remembered = false,
}};
constexpr Setting<bool> kLessPlanes{{
    .id = "less.planes",
    .label = "Partition space",
    .help = "Scene less-work: test only bodies in the same cell of a BSP",
    .default_value = "true",
    .remembered = false,
}};
constexpr Setting<bool> kLessOnce{{
    .id = "less.once",
    .label = "Test each pair once",
    .help = "Scene less-work: skip the second test of a pair, the other way around",
    .default_value = "true",
    .remembered = false,
}};
constexpr Setting<bool> kLessResting{{
    .id = "less.resting",
    .label = "Resting bodies start no test",
    .help = "Scene less-work: only moving bodies start a test, so two bodies at rest are never compared",
    .default_value = "false",
    .remembered = false,
}};
constexpr Setting<bool> kLessBehind{{
    .id = "less.behind",
    .label = "Skip bodies moving apart",
    .help = "Scene less-work: skip pairs that move apart, even if they overlap",
    .default_value = "false",
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kLessPoints, &kLessPlanes, &kLessOnce,   &kLessResting,
                                            &kLessBehind, &kLessCount,  &kLessAtRest, &kLessSpeed};

struct RuleRow {
    const Setting<bool>* setting;
    bool bv::PairRules::*rule;
    const char* name;
};
constexpr std::array kRules = {
    RuleRow{&kLessOnce, &bv::PairRules::once, "test each pair once"},
    RuleRow{&kLessPoints, &bv::PairRules::points, "compare centers first"},
    RuleRow{&kLessPlanes, &bv::PairRules::planes, "partition space"},
    RuleRow{&kLessResting, &bv::PairRules::resting, "resting bodies start no test"},
    RuleRow{&kLessBehind, &bv::PairRules::behind, "skip bodies moving apart"},
};
constexpr bv::PairRules kAllRules{true, true, true, true, true};

bv::PairRules rules_of(const Settings& settings) {
    bv::PairRules rules;
    for (const RuleRow& row : kRules)
        rules.*row.rule = settings[*row.setting];
    return rules;
}

using Pair = std::pair<std::uint32_t, std::uint32_t>;

glm::dvec3 middle(const bv::Aabb& box) {
    return 0.5 * (glm::dvec3(box.min) + glm::dvec3(box.max));
}

/// A set of rules, what it finds, and how long that takes.
struct Trial {
    bv::PairRules rules;
    bv::RuledPairs found;
    SteadyTime us;

    [[nodiscard]] std::uint64_t checks() const {
        return found.points_compared + found.directions_compared + found.sides_compared;
    }
    void run(const std::vector<bv::RuledBody>& bodies) {
        const int runs = std::clamp(400 / static_cast<int>(bodies.size()), 1, 40);
        const platform::Clock clock;
        for (int i = 0; i < runs; ++i)
            bv::find_pairs_by_rules(bodies, rules, found);
        us.add(1000.0 * clock.milliseconds() / runs);
    }
};

/// The outcome of one pair in the search.
enum class Fate : unsigned char { Twice, Tested, Points, Planes, Behind, Resting };
struct FateRow {
    Role role;
    const char* name;
};
constexpr std::array kFates = {FateRow{Role::Obb, "boxes tested twice"},
                               FateRow{Role::Visited, "boxes tested"},
                               FateRow{Role::Sphere, "skipped: centers too far apart"},
                               FateRow{Role::Plane, "skipped: in different cells"},
                               FateRow{Role::Normal, "skipped: moving apart"},
                               FateRow{Role::AabbFixed, "skipped: both at rest"}};

/// An overlapping pair that is not found, because a rule gave it up.
struct GivenUp {
    Pair pair;
    bool both_rest = false;  ///< Otherwise they move apart.
};

/// Engines that skip resting bodies: in the tree only moving bodies query, the cache does it internally.
class Engines {
  public:
    void start(const FlatCrowd& crowd) {
        tree_ = bv::DynamicTree();
        cache_.clear();
        ids_.clear();
        for (std::size_t i = 0; i < crowd.size(); ++i)
            ids_.push_back(tree_.insert(crowd.box(i), i).id);
        cached_ = cache_.update(tree_);
    }
    /// Once per step.
    void follow(const FlatCrowd& crowd, float speed, float dt_s) {
        for (std::size_t i = 0; i < crowd.size(); ++i)
            if (tree_.tight_box(ids_[i]) != crowd.box(i))
                tree_.move(ids_[i], crowd.box(i), dt_s * speed * crowd.course(i));
        tree_.update();
        cached_ = cache_.update(tree_);
    }

    struct Asked {
        std::size_t bodies = 0;
        std::uint64_t tests = 0;
        std::vector<Pair> pairs;
    };
    /// Every body queries the tree with its box, or only those that move.
    [[nodiscard]] Asked ask(const FlatCrowd& crowd, bool resting_ask) const {
        Asked asked;
        for (std::uint32_t a = 0; a < crowd.size(); ++a) {
            if (!resting_ask && crowd.rests(a)) continue;
            ++asked.bodies;
            const bv::QueryStats stats = tree_.query(crowd.box(a), [&](bv::ProxyId, std::uint64_t b) {
                if (b != a)
                    asked.pairs.emplace_back(std::min<std::uint32_t>(a, static_cast<std::uint32_t>(b)),
                                             std::max<std::uint32_t>(a, static_cast<std::uint32_t>(b)));
            });
            asked.tests += stats.boxes_tested;
        }
        std::sort(asked.pairs.begin(), asked.pairs.end());
        asked.pairs.erase(std::unique(asked.pairs.begin(), asked.pairs.end()), asked.pairs.end());
        return asked;
    }
    /// The work of the cache in the last step.
    [[nodiscard]] Asked cached() const {
        Asked asked{cache_.queried(), cached_.boxes_tested, {}};
        for (const auto& [a, b] : cache_.touching()) {
            const auto i = static_cast<std::uint32_t>(*tree_.user_data(a));
            const auto j = static_cast<std::uint32_t>(*tree_.user_data(b));
            asked.pairs.emplace_back(std::min(i, j), std::max(i, j));
        }
        std::sort(asked.pairs.begin(), asked.pairs.end());
        return asked;
    }
    [[nodiscard]] std::size_t memory_bytes() const { return 2 * tree_.memory_bytes(); }

  private:
    bv::DynamicTree tree_;
    bv::PairCache cache_;
    bv::QueryStats cached_;
    std::vector<bv::ProxyId> ids_;
};

class LessWork final : public SceneOf<LessWork> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        seed_ = context.seed;
        follow(context.settings);
        context.frame_box = crowd_->arena();
        // Space for the legend on the left and the sentence above.
        const glm::vec3 size = context.frame_box.size();
        context.frame_box.min.x -= 0.35f * size.x;
        context.frame_box.min.z -= 0.2f * size.z;
        context.frame_box.max.z += 0.1f * size.z;
        context.camera = {};
        context.camera.pitch_rad = 1.1f;
        context.camera.yaw_rad = 0.0f;
    }

    void adapt(SceneContext& context) override { follow(context.settings); }

    void step(SceneContext& context, float dt_s) override {
        follow(context.settings);
        crowd_->step(context.settings[kLessSpeed], dt_s);
        engines_.follow(*crowd_, context.settings[kLessSpeed], dt_s);
    }

    bool drag(SceneContext& context, std::string_view id, const glm::vec3& position) override {
        follow(context.settings);
        if (id == "body") {
            crowd_->place(selected_, position);
            ++input_.drags;
            input_.dragged = selected_;
            engines_.follow(*crowd_, context.settings[kLessSpeed], 0.0f);
            return true;
        }
        if (id != "looked_at") return false;
        const auto last = static_cast<float>(crowd_->size() - 1);
        selected_ = static_cast<std::uint32_t>(std::clamp(std::round(position.x), 0.0f, last));
        return true;
    }

    [[nodiscard]] SceneInput input() const override {
        Input input = input_;
        input.crowd = *crowd_;
        input.selected = selected_;
        return SceneInput(std::move(input));
    }
    void restore(const SceneInput& from, const SceneInput& to) override {
        const auto *was = from.get<Input>(), *is = to.get<Input>();
        if (!was || !is) return;
        if (was->made != is->made) {
            crowd_ = is->crowd;
            engines_.start(*crowd_);
            trials_.clear();
        } else if (was->drags != is->drags) {
            // The other bodies have moved on meanwhile.
            const std::uint32_t dragged = was->drags > is->drags ? was->dragged : is->dragged;
            crowd_->place(dragged, is->crowd->center(dragged));
            engines_.follow(*crowd_, 0.0f, 0.0f);
        }
        if (was->selected != is->selected) selected_ = is->selected;
        input_ = *is;
        input_.crowd.reset();
    }

    /// A click on a body chooses it.
    void pick(SceneContext& context, const bv::Ray& ray) override {
        follow(context.settings);
        float nearest = std::numeric_limits<float>::infinity();
        for (std::uint32_t i = 0; i < crowd_->size(); ++i)
            if (const auto hit = bv::raycast(ray, crowd_->box(i)); hit && hit->t < nearest) {
                nearest = hit->t;
                selected_ = i;
            }
    }

    void analyze(const SceneContext& context, const FrameResults&) override {
        const float speed = context.settings[kLessSpeed];
        bodies_.clear();
        for (std::size_t i = 0; i < crowd_->size(); ++i)
            bodies_.push_back({crowd_->box(i), speed * crowd_->course(i), crowd_->rests(i)});
        const bv::PairRules now = rules_of(context.settings);
        run_trials(now);
        check_pairs(now);
        bv::Recording trace;
        bv::RuledPairs found;
        bv::find_pairs_by_rules(bodies_, now, found, trace);
        follow_selected(trace);
        steps::Subject subject;
        for (const bv::RuledBody& body : bodies_) {
            subject.boxes.push_back(body.box);
            subject.nodes.push_back(steps::as_obb(body.box));
        }
        walk_ = std::make_shared<const steps::Walk>(steps::algorithm("pairs.rules"), std::move(subject),
                                                    trace, verdict());
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

    void show(const SceneContext& context, FrameResults& results) const override {
        results.bounds = bv::merge(results.bounds, crowd_->arena());
        const bool is_stepping = results.walk && results.walk->number > 0;
        show_bodies(results, context.settings[kLessSpeed], is_stepping);
        if (!is_stepping) show_selected(results, rules_of(context.settings));
        for (const GivenUp& lost : given_up_) {
            Exhibit& line =
                put(results, bv::Segment{crowd_->center(lost.pair.first), crowd_->center(lost.pair.second)},
                    Role::Broken);
            line.width_px = 6.0f;
            line.on_top = true;
            line.legend = "missed pair";
        }
        list_rules(results);
        list_selected(results);
        list_pairs(results);
        list_engines(results);
        results.handles.push_back({"body",
                                   crowd_->center(selected_),
                                   {},
                                   false,
                                   {.name = fmt::format("Body {}, center", selected_)}});
        results.handles.push_back({"looked_at",
                                   {static_cast<float>(selected_), 0.0f, 0.0f},
                                   {},
                                   true,
                                   {.name = "Selected body", .unit = "", .parts = 1, .in_view = false}});
    }

    [[nodiscard]] std::size_t memory_bytes() const override {
        return sizeof(*this) + crowd_->size() * 200 + engines_.memory_bytes() +
               (walk_ ? walk_->memory_bytes() : 0);
    }

  private:
    /// What undo restores.
    struct Input {
        std::uint32_t made = 0;   ///< Counts crowds.
        std::uint32_t drags = 0;  ///< Of bodies.
        std::uint32_t dragged = 0;
        std::uint32_t selected = 0;
        std::optional<FlatCrowd> crowd;  ///< None in `input_`.
        friend bool operator==(const Input& a, const Input& b) {
            return a.made == b.made && a.drags == b.drags && a.selected == b.selected;
        }
    };

    void follow(const Settings& settings) {
        const int count = settings[kLessCount];
        const double resting = static_cast<double>(settings[kLessAtRest]);
        if (crowd_ && crowd_->size() == static_cast<std::size_t>(count) && resting == resting_) return;
        resting_ = resting;
        crowd_.emplace(count, seed_, resting);
        input_.made = ++made_;
        engines_.start(*crowd_);
        selected_ = std::min(selected_, static_cast<std::uint32_t>(count - 1));
        trials_.clear();
    }

    /// The current rules, each of them inverted in turn, none and all.
    void run_trials(const bv::PairRules& now) {
        std::vector<bv::PairRules> wanted = {now, bv::PairRules{}, kAllRules};
        for (const RuleRow& row : kRules) {
            bv::PairRules other = now;
            other.*row.rule = !(other.*row.rule);
            wanted.push_back(other);
        }
        std::erase_if(trials_, [&](const Trial& trial) {
            return std::find(wanted.begin(), wanted.end(), trial.rules) == wanted.end();
        });
        for (const bv::PairRules& rules : wanted)
            if (!trial_of(rules)) trials_.push_back({rules, {}, {}});
        for (Trial& trial : trials_)
            trial.run(bodies_);
        now_ = now;
    }
    [[nodiscard]] const Trial* trial_of(const bv::PairRules& rules) const {
        const auto at =
            std::find_if(trials_.begin(), trials_.end(), [&](const Trial& t) { return t.rules == rules; });
        return at == trials_.end() ? nullptr : &*at;
    }

    /// Every box against every other, and the reason for every missed pair.
    void check_pairs(const bv::PairRules& now) {
        truth_.clear();
        given_up_.clear();
        for (std::uint32_t a = 0; a < bodies_.size(); ++a)
            for (std::uint32_t b = a + 1; b < bodies_.size(); ++b)
                if (bv::overlap(bodies_[a].box, bodies_[b].box)) truth_.emplace_back(a, b);
        const std::vector<Pair>& found = trial_of(now)->found.pairs;
        as_promised_ = std::includes(truth_.begin(), truth_.end(), found.begin(), found.end());
        for (const Pair& pair : truth_) {
            if (std::binary_search(found.begin(), found.end(), pair)) continue;
            const bv::RuledBody &a = bodies_[pair.first], &b = bodies_[pair.second];
            const bool both_rest = now.resting && a.rests && b.rests;
            const bool part = now.behind && glm::dot(middle(b.box) - middle(a.box),
                                                     glm::dvec3(b.velocity) - glm::dvec3(a.velocity)) > 0.0;
            as_promised_ = as_promised_ && (both_rest || part);
            given_up_.push_back({pair, both_rest});
        }
    }

    /// The pairs of the observed body.
    void follow_selected(const bv::Recording& trace) {
        std::vector<int> tests(bodies_.size(), 0);
        fates_.assign(bodies_.size(), Fate::Planes);
        for (std::uint32_t i = 0; i < bodies_.size(); ++i)
            if (now_.resting && bodies_[i].rests && bodies_[selected_].rests) fates_[i] = Fate::Resting;
        const auto other = [this](std::uint32_t a, std::uint32_t b) -> std::optional<std::uint32_t> {
            if (a == selected_ && b < bodies_.size()) return b;
            if (b == selected_) return a;
            return std::nullopt;
        };
        for (const bv::TraceEvent& event : trace.events()) {
            if (const auto* tested = std::get_if<bv::BoxesTested>(&event)) {
                if (const auto i = other(tested->a, tested->b))
                    fates_[*i] = ++tests[*i] > 1 ? Fate::Twice : Fate::Tested;
            } else if (const auto* spared = std::get_if<bv::PairSpared>(&event)) {
                const auto i = other(spared->a, spared->b);
                if (i && spared->rule == bv::PairSpared::Rule::Points) fates_[*i] = Fate::Points;
                if (i && spared->rule == bv::PairSpared::Rule::Behind) fates_[*i] = Fate::Behind;
            }
        }
    }

    [[nodiscard]] std::string verdict() const {
        const Trial& now = *trial_of(now_);
        const std::uint64_t all = trial_of({})->found.boxes_tested;
        const double saved =
            all == 0 ? 0.0
                     : 100.0 * (1.0 - static_cast<double>(now.found.boxes_tested) / static_cast<double>(all));
        std::string text = fmt::format("{} of {} tests are left, {:.1f} % saved; {} of {} pairs found",
                                       io::grouped(now.found.boxes_tested), io::grouped(all), saved,
                                       now.found.pairs.size(), truth_.size());
        text += given_up_.empty() ? std::string(".") : fmt::format(", {} missed.", given_up_.size());
        return text;
    }

    void show_bodies(FrameResults& results, float speed, bool is_stepping) const {
        const bool few = crowd_->size() <= 60;
        for (std::uint32_t i = 0; i < crowd_->size(); ++i) {
            const bool chosen = i == selected_ && !is_stepping;
            const bool rests = crowd_->rests(i);
            Exhibit& box =
                put(results, crowd_->box(i),
                    chosen  ? Role::Selected
                    : rests ? Role::Hull
                            : Role::AabbTight,
                    few && !is_stepping ? fmt::format("{}", i) : std::string(), rests ? 0.45f : 0.15f);
            box.width_px = chosen ? 3.0f : 1.5f;
            box.legend = chosen ? "selected body" : rests ? "body at rest" : "moving body";
            if (rests || !few) continue;
            const glm::vec3 center = crowd_->center(i);
            constexpr float kAhead_s = 1.5f;
            Exhibit& ahead =
                put(results, bv::Segment{center, center + kAhead_s * speed * crowd_->course(i)}, Role::Muted);
            ahead.width_px = 3.0f;
            ahead.legend = "displacement in 1.5 s";
        }
    }

    void show_selected(FrameResults& results, const bv::PairRules& rules) const {
        const glm::vec3 center = crowd_->center(selected_);
        const std::vector<Pair>& found = trial_of(now_)->found.pairs;
        const float thinner = crowd_->size() > 60 ? 0.5f : 1.0f;
        for (std::uint32_t i = 0; i < crowd_->size(); ++i) {
            if (i == selected_) continue;
            const Fate fate = fates_[i];
            const FateRow& row = kFates[static_cast<std::size_t>(fate)];
            const bool tested = fate == Fate::Tested || fate == Fate::Twice;
            const bool is_pair = std::binary_search(found.begin(), found.end(),
                                                    Pair{std::min(i, selected_), std::max(i, selected_)});
            Exhibit& line =
                put(results, bv::Segment{center, crowd_->center(i)}, is_pair ? Role::Kdop : row.role);
            line.width_px = thinner * (fate == Fate::Twice ? 6.0f : tested ? 3.5f : 1.5f);
            line.on_top = true;
            line.legend = is_pair ? "pair found" : row.name;
        }
        if (!rules.points) return;
        Exhibit& ball =
            put(results, bv::Sphere{center, 0.5f * glm::length(crowd_->box(selected_).size())}, Role::Sphere);
        ball.width_px = 1.5f;
        ball.legend = "its bounding sphere";
    }

    void list_rules(FrameResults& results) const {
        Table table{"less_work",
                    "What each rule saves",
                    {"rule",
                     "on",
                     "tests without",
                     "tests with",
                     "saved",
                     "checks added",
                     {"without", "µs"},
                     {"with", "µs"}}};
        const auto row = [&](std::string name, Cell on, const Trial& without, const Trial& with,
                             RowMark mark) {
            const double before = static_cast<double>(without.found.boxes_tested);
            const double saved = before - static_cast<double>(with.found.boxes_tested);
            const double checks = static_cast<double>(with.checks()) - static_cast<double>(without.checks());
            table.add(
                {std::move(name), std::move(on), cells::grouped(without.found.boxes_tested),
                 cells::grouped(with.found.boxes_tested),
                 cells::fixed(before > 0 ? 100.0 * saved / before : 0.0, 1).in("%"), cells::whole(checks),
                 cells::fixed(without.us.median(), 1).timed(), cells::fixed(with.us.median(), 1).timed()},
                Role::Muted, mark);
        };
        for (const RuleRow& rule : kRules) {
            bv::PairRules without = now_, with = now_;
            without.*rule.rule = false;
            with.*rule.rule = true;
            row(rule.name, cells::yes_or_no(now_.*rule.rule), *trial_of(without), *trial_of(with),
                RowMark::None);
        }
        row("as set", {}, *trial_of({}), *trial_of(now_), RowMark::Verdict);
        row("all five", {}, *trial_of({}), *trial_of(kAllRules), RowMark::None);
        results.tables.push_back(std::move(table));
    }

    void list_selected(FrameResults& results) const {
        Table table{"asked", fmt::format("Body {}", selected_), {"outcome", "bodies", "which"}};
        constexpr std::size_t kMaxNamed = 8;
        for (std::size_t f = 0; f < kFates.size(); ++f) {
            std::size_t count = 0;
            std::string names;
            for (std::uint32_t i = 0; i < fates_.size(); ++i) {
                if (i == selected_ || fates_[i] != static_cast<Fate>(f)) continue;
                if (++count <= kMaxNamed) names += fmt::format("{}{}", count == 1 ? "" : ", ", i);
            }
            if (count > kMaxNamed) names += fmt::format(" and {} more", count - kMaxNamed);
            table.add({kFates[f].name, cells::grouped(count), names}, kFates[f].role);
        }
        results.tables.push_back(std::move(table));
    }

    void list_pairs(FrameResults& results) const {
        Table table{"given_up", "Pairs", {"pairs", "count", "why"}};
        table.add({"found", cells::grouped(trial_of(now_)->found.pairs.size()), {}}, Role::Touching);
        table.add({"by brute force", cells::grouped(truth_.size()), {}}, Role::Muted);
        table.add({"missed", cells::grouped(given_up_.size()), {}}, Role::Broken);
        for (const GivenUp& lost : given_up_)
            table.add({fmt::format("{} and {}", lost.pair.first, lost.pair.second),
                       {},
                       lost.both_rest ? "overlap, but both at rest: not tested"
                                      : "overlap, but move apart: not tested"},
                      Role::Broken);
        table.add({"all others found", cells::must_hold(as_promised_), {}}, {}, RowMark::Verdict);
        results.tables.push_back(std::move(table));
    }

    void list_engines(FrameResults& results) const {
        Table table{"engines",
                    "In a real broadphase",
                    {"broadphase", "queries", "tests", "pairs", "missed", "missed, both at rest"}};
        const auto row = [&](const char* name, const Engines::Asked& asked) {
            std::vector<Pair> missed;
            std::set_difference(truth_.begin(), truth_.end(), asked.pairs.begin(), asked.pairs.end(),
                                std::back_inserter(missed));
            const auto resting = std::count_if(missed.begin(), missed.end(), [this](const Pair& p) {
                return bodies_[p.first].rests && bodies_[p.second].rests;
            });
            table.add(
                {name, cells::grouped(asked.bodies), cells::grouped(asked.tests),
                 cells::grouped(asked.pairs.size()), cells::grouped(missed.size()), cells::grouped(resting)},
                Role::Muted);
        };
        row("tree: query every body", engines_.ask(*crowd_, true));
        row("tree: query moving bodies", engines_.ask(*crowd_, false));
        row("pair cache: query bodies that left their fat box", engines_.cached());
        results.tables.push_back(std::move(table));
    }

    std::uint64_t seed_ = 0;
    Input input_;
    std::uint32_t made_ = 0;  ///< Crowds so far; never turned back.
    double resting_ = -1;
    std::optional<FlatCrowd> crowd_;
    Engines engines_;
    std::uint32_t selected_ = 0;
    // Of the last frame.
    std::vector<bv::RuledBody> bodies_;
    bv::PairRules now_;
    std::vector<Trial> trials_;
    std::vector<Pair> truth_;
    std::vector<GivenUp> given_up_;
    bool as_promised_ = true;
    std::vector<Fate> fates_;
    std::shared_ptr<const steps::Walk> walk_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "less-work",
    .category = "Trees",
    .title = "Tests that can be skipped",
    .summary =
        "A crowd, brute-force pair tests, and five rules that skip some of them. Lines show which bodies the "
        "selected one is tested against, and which rule skips the others; click on a body to select it. Two "
        "rules miss pairs: these are red, and the tables say which and why.",
    .make = make_scene<LessWork>,
    .settings = kSettings,
    .steps = &kStepAt,
    .clicks_change = true,
};

}  // namespace lab::scenes::less_work_scene
