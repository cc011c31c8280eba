#include "capture/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "bv/broadphase/broadphase.hpp"
#include "bv/shapes/not_finite.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "capture/shown_frame.hpp"
#include "capture/tree_cost.hpp"
#include "platform/clock.hpp"

namespace lab::capture {
namespace {

constexpr std::size_t kMaxBodies = 50'000;
constexpr std::size_t kMaxPairs = 2'000'000;     ///< Per frame.
constexpr std::size_t kMaxQueries = 200;         ///< Per frame.
constexpr std::size_t kMaxForLists = 16'384;     ///< Bodies.
constexpr std::uint64_t kMaxTests = 50'000'000;  ///< Tests among the captured trees of a frame.

using IdPair = std::pair<std::uint64_t, std::uint64_t>;

constexpr std::uint32_t kNoIndex = ~std::uint32_t{0};

/// Structures reject what is not finite, margins included.
bool is_usable(const bv::Aabb& box) {
    constexpr float kMaxCoordinate = 1e15f;
    for (int k = 0; k < 3; ++k)
        if (!(box.min[k] >= -kMaxCoordinate && box.max[k] <= kMaxCoordinate)) return false;
    return box.is_finite();
}

bool is_usable(const io::CaptureQuery& query) {
    using Kind = io::CaptureQuery::Kind;
    if (query.kind != Kind::Ray && !is_usable(query.box)) return false;
    if (query.kind == Kind::Ray && !(query.t_max >= 0.0f && bv::is_finite(query.origin))) return false;
    return query.kind == Kind::Box || bv::is_finite(query.direction);
}

/// Tests of a tree against itself, or against another one, box by box; not many more than `max`.
std::uint64_t tests_between(const bv::TreeSnapshot& t, const bv::TreeSnapshot& u, std::uint64_t max) {
    const bool is_same = &t == &u;
    std::uint64_t tests = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stack;
    const auto push = [&](std::uint32_t a, std::uint32_t b) {
        if (is_same && a == b) {
            stack.emplace_back(a, b);
            return;
        }
        ++tests;
        bool apart = false;
        for (int k = 0; k < 3; ++k)
            apart = apart || t.boxes[a].min[k] > u.boxes[b].max[k] || u.boxes[b].min[k] > t.boxes[a].max[k];
        if (!apart) stack.emplace_back(a, b);
    };
    if (!t.empty() && !u.empty()) push(0, 0);
    while (!stack.empty() && tests < max) {
        const auto [a, b] = stack.back();
        stack.pop_back();
        if (is_same && a == b) {
            for (std::uint32_t i = 0; i < t.child_count[a]; ++i)
                for (std::uint32_t k = i; k < t.child_count[a]; ++k)
                    push(t.first_child[a] + i, t.first_child[a] + k);
            continue;
        }
        if (t.is_leaf(a) && u.is_leaf(b)) continue;
        const bool opens_a =
            u.is_leaf(b) || (!t.is_leaf(a) && t.boxes[a].surface_area() >= u.boxes[b].surface_area());
        const std::uint32_t count = opens_a ? t.child_count[a] : u.child_count[b];
        for (std::uint32_t k = 0; k < count; ++k)
            opens_a ? push(t.first_child[a] + k, b) : push(a, u.first_child[b] + k);
    }
    return tests;
}

std::uint32_t height_of(const bv::TreeSnapshot& tree) {
    return tree.empty() ? 0 : *std::max_element(tree.depths.begin(), tree.depths.end());
}

}  // namespace

class Replay::Work {
    struct Body {
        std::uint64_t id;
        bv::Aabb box;
        std::uint32_t index = kNoIndex;  ///< Among all bodies of the replayed frames.
    };

    /// One replayed frame, with its correct answers.
    struct Take {
        std::vector<Body> bodies;         ///< In order of ids.
        std::vector<std::uint32_t> gone;  ///< Indices of bodies that the frame before had.
        std::vector<io::CaptureQuery> queries;
        std::vector<std::vector<std::uint64_t>> answers;
        std::vector<IdPair> pairs;
    };

    /// What one frame changed in a structure.
    struct Changes {
        std::size_t moved = 0;   ///< Bodies with another box, added and removed ones included.
        std::size_t placed = 0;  ///< Of those, bodies whose leaf changed.
    };

    struct Contestant {
        std::string name;
        bv::BroadphaseKind kind = bv::BroadphaseKind::DynamicTree;
        bv::TreeOptions options;
        bool rebuilds = false;  ///< In every frame, by `options.builder`.
    };

  public:
    Work(io::CaptureFile& file, const WhatIfOptions& options) : file_(file), options_(options) {
        std::size_t count = file_.frames().size();
        auto last = file_.frame(count - 1);
        if (last && last->proxies.empty()) {
            // A level may have been unloaded before the capture ended.
            while (count > 1 && file_.frames()[count - 1].counts.removed == 0)
                --count;
            if (count > 1) last = file_.frame(--count - 1);
            result_.remarks.emplace_back("the frames at the end, without bodies, are not replayed");
        }
        end_ = count;
        const std::size_t bodies = last ? std::max<std::size_t>(last->proxies.size(), 1) : 1;
        if (bodies > kMaxBodies) {
            result_.remarks.push_back(
                fmt::format("{} bodies are too many to replay; the maximum is {}", bodies, kMaxBodies));
            is_done_ = true;
            return;
        }
        result_.frames =
            std::min({count, options_.max_frames, std::max<std::size_t>(options_.max_boxes / bodies, 2)});
        place_ = count - result_.frames;
        result_.first = file_.frames()[place_].number;
        result_.last = file_.frames()[count - 1].number;
        if (place_ > 0)
            result_.remarks.push_back(
                fmt::format("only the last {} of {} frames are replayed", result_.frames, count));
        engine_.name = file_.head().engine.empty() ? "captured" : file_.head().engine;
        engine_.is_engine = engine_.has_tree = true;
    }

    bool next() {
        if (is_done_) return false;
        if (contestants_.empty()) {
            if (place_ < end_)
                read(place_++);
            else
                begin();
        } else {
            play();
        }
        return true;
    }
    [[nodiscard]] double done() const {
        if (is_done_) return 1.0;
        const auto frames = static_cast<double>(std::max<std::size_t>(result_.frames, 1));
        if (contestants_.empty()) return 0.2 * static_cast<double>(takes_.size()) / frames;
        constexpr double kExpected = 26.0;  // the second round is not known during the first
        const double part = run_ ? static_cast<double>(run_->next) / static_cast<double>(takes_.size()) : 0.0;
        return std::min(0.2 + 0.8 * (static_cast<double>(next_) + part) / kExpected, 1.0);
    }
    WhatIf take() { return std::move(result_); }

  private:
    /// One structure's way through the frames.
    struct Run {
        WhatIfRow row;
        std::unique_ptr<bv::Broadphase> engine;
        std::vector<bv::ProxyId> ids;
        std::vector<bv::ProxyPair> found;
        std::size_t next = 0;
    };

    /// Reads one of the last frames of the capture, its correct answers, and the cost of the engine's own
    /// tree in it.
    void read(std::size_t place) {
        auto frame = file_.frame(place);
        if (!frame) {
            result_.remarks.push_back(frame.error().text());
            return;
        }
        Take take;
        std::unordered_map<std::uint64_t, bv::Aabb> fat;
        for (const io::CaptureProxy& proxy : frame->proxies) {
            if (!is_usable(proxy.tight)) {
                ++not_finite_;
                continue;
            }
            take.bodies.push_back({.id = proxy.id, .box = proxy.tight});
            fat.emplace(proxy.id, proxy.fat);
            const auto known = fat_.find(proxy.id);
            const bool is_placed = known == fat_.end() || !(known->second == proxy.fat);
            if (is_placed && !takes_.empty()) engine_.new_boxes += 1.0;
        }
        fat_ = std::move(fat);
        std::sort(take.bodies.begin(), take.bodies.end(),
                  [](const Body& a, const Body& b) { return a.id < b.id; });
        take.queries = std::move(frame->queries);
        const std::size_t asked = take.queries.size();
        std::erase_if(take.queries, [](const io::CaptureQuery& query) { return !is_usable(query); });
        not_finite_ += asked - take.queries.size();
        thin(take.queries);
        number(take);
        add_engine(*frame, take, engine_);
        if (!add_truth(take)) {
            result_.remarks.push_back(
                fmt::format("frame {} has more than {} pairs of bodies: too many to replay",
                            file_.frames()[place].number, kMaxPairs));
            is_done_ = true;
            return;
        }
        result_.queries += take.queries.size();
        takes_.push_back(std::move(take));
    }

    /// Called after the last frame was read.
    void begin() {
        if (not_finite_ > 0)
            result_.remarks.emplace_back(
                "bodies and queries that are not finite or lie beyond 1e15 m are left out");
        if (takes_.empty() || takes_.back().bodies.empty()) {
            result_.remarks.assign({"no bodies were captured"});
            is_done_ = true;
            return;
        }
        if (result_.queries == 0)
            result_.remarks.emplace_back("no queries were captured: the costs are for finding all pairs");
        else
            result_.remarks.push_back(fmt::format(
                "the visits of the first row are {}; those of all others are counted here",
                !own_visits_      ? "counted in the captured trees, as the engine reported none"
                : counted_visits_ ? "those that the engine reported, and counted for queries without any"
                                  : "those that the engine reported"));
        result_.remarks.emplace_back("the wide tree tests eight boxes at once, which counts as one test");
        engine_.has_tree = has_engine_trees_;
        divide(engine_);
        if (height_sum_ > 0.0)
            engine_.upkeep = engine_.new_boxes * 2.0 * height_sum_ / static_cast<double>(takes_.size());
        result_.rows.push_back(std::move(engine_));
        margin_ = usual_margin(takes_.back().bodies);
        contestants_ = binary_trees();
        if (takes_.back().bodies.size() > kMaxForLists) {
            std::erase_if(contestants_,
                          [](const Contestant& c) { return c.options.balancing == bv::Balancing::None; });
            result_.remarks.emplace_back(
                "trees without rotations are left out: sorted bodies would turn them into lists");
        }
        first_round_ = contestants_.size();
    }

    /// Feeds one frame to a structure.
    void play() {
        const Contestant& contestant = contestants_[next_];
        if (!run_) {
            run_ = std::make_unique<Run>();
            run_->row.name = contestant.name;
            run_->row.ms = 0.0;
            run_->engine = bv::make_broadphase(contestant.kind, contestant.options);
            run_->row.has_tree = run_->engine->has_tree();
            run_->ids.resize(indices_.size());
        }
        feed(contestant, *run_, takes_[run_->next++]);
        if (run_->next < takes_.size()) return;
        divide(run_->row);
        result_.rows.push_back(std::move(run_->row));
        run_.reset();
        end_turn();
    }

    void end_turn() {
        if (next_ < first_round_ && result_.rows.back().work() < result_.rows[best_ + 1].work())
            best_ = next_;
        ++next_;
        if (next_ == first_round_) {
            // Rows with other margins follow, so this row states its own, too.
            result_.rows[best_ + 1].name += fmt::format(", margin {:g} m along the velocity", margin_);
            result_.remarks.push_back(fmt::format(
                "trees whose rows name no margin have one of {:g} m along the velocity", margin_));
            const std::vector<Contestant> more = variations(contestants_[best_]);
            contestants_.insert(contestants_.end(), more.begin(), more.end());
        }
        if (next_ < contestants_.size()) return;
        mark_best();
        is_done_ = true;
    }

    /// Gives the bodies their indices, and lists those that are gone.
    void number(Take& take) {
        std::vector<bool> here(indices_.size(), false);
        for (Body& body : take.bodies) {
            body.index =
                indices_.try_emplace(body.id, static_cast<std::uint32_t>(indices_.size())).first->second;
            if (body.index < here.size()) here[body.index] = true;
        }
        if (takes_.empty()) return;
        for (const Body& body : takes_.back().bodies)
            if (!here[body.index]) take.gone.push_back(body.index);
    }

    void add_engine(const io::CaptureFrame& frame, const Take& take, WhatIfRow& engine) {
        double height = 0.0;
        std::vector<bv::TreeSnapshot> trees;
        const io::ProxiesById proxies = io::by_id(frame.proxies);
        std::uint64_t tests = 0;
        for (const io::CaptureTree& captured : frame.trees) {
            has_engine_trees_ = true;
            bv::TreeSnapshot snapshot = io::snapshot_of(captured, proxies, 0).tree;
            if (snapshot.empty()) continue;
            const bv::TreeSnapshot& tree = trees.emplace_back(std::move(snapshot));
            height = std::max(height, static_cast<double>(height_of(tree)));
            for (std::size_t i = 0; i < trees.size() && tests < kMaxTests; ++i)  // each pair of trees once
                tests += tests_between(tree, trees[i], kMaxTests - tests);
        }
        engine.pair_tests += static_cast<double>(tests);
        height_sum_ += height;
        for (const io::CaptureQuery& query : take.queries) {
            std::uint64_t visited = query.nodes_visited;
            if (visited > 0) own_visits_ = true;
            if (visited == 0)
                for (const bv::TreeSnapshot& tree : trees)
                    visited += visits(tree, query);
            if (query.nodes_visited < visited) counted_visits_ = true;
            engine.visits += static_cast<double>(visited);
        }
    }

    /// Thins the queries evenly where there are too many.
    void thin(std::vector<io::CaptureQuery>& queries) {
        if (queries.size() <= kMaxQueries) return;
        if (!is_thinned_)
            result_.remarks.push_back(fmt::format("{} queries of each frame are replayed", kMaxQueries));
        is_thinned_ = true;
        for (std::size_t i = 0; i < kMaxQueries; ++i)
            queries[i] = queries[i * queries.size() / kMaxQueries];
        queries.resize(kMaxQueries);
    }

    /// Finds the answers by a loop over all bodies, and the pairs by a sweep along x. False if there are too
    /// many pairs.
    static bool add_truth(Take& take) {
        for (const io::CaptureQuery& query : take.queries) {
            std::vector<std::uint64_t> found;
            for (const Body& body : take.bodies)
                if (meets(body.box, query)) found.push_back(body.id);
            take.answers.push_back(std::move(found));
        }
        std::vector<Body> sorted = take.bodies;
        std::sort(sorted.begin(), sorted.end(),
                  [](const Body& a, const Body& b) { return a.box.min.x < b.box.min.x; });
        for (std::size_t i = 0; i < sorted.size(); ++i)
            for (std::size_t k = i + 1; k < sorted.size() && sorted[k].box.min.x <= sorted[i].box.max.x;
                 ++k) {
                const bv::Aabb &a = sorted[i].box, &b = sorted[k].box;
                if (a.min.y > b.max.y || b.min.y > a.max.y || a.min.z > b.max.z || b.min.z > a.max.z)
                    continue;
                take.pairs.push_back(std::minmax(sorted[i].id, sorted[k].id));
                if (take.pairs.size() > kMaxPairs) return false;
            }
        std::sort(take.pairs.begin(), take.pairs.end());
        return true;
    }

    void divide(WhatIfRow& row) const {
        const double frames = static_cast<double>(std::max<std::size_t>(takes_.size(), 1));
        for (double* const sum : {&row.visits, &row.pair_tests, &row.pairs})
            *sum /= frames;
        // The first frame only builds.
        for (double* const sum : {&row.upkeep, &row.new_boxes})
            *sum /= std::max(frames - 1.0, 1.0);
        if (row.ms) *row.ms /= std::max(frames - 1.0, 1.0);
    }

    // ---- the contestants

    /// A tenth of the usual size of a body, which is rounded to a power of ten: a capture may be in units
    /// other than meters.
    static float usual_margin(const std::vector<Body>& bodies) {
        std::vector<float> sizes;
        sizes.reserve(bodies.size());
        for (const Body& body : bodies) {
            const glm::vec3 size = body.box.size();
            sizes.push_back(std::max({size.x, size.y, size.z}));
        }
        const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
        std::nth_element(sizes.begin(), middle, sizes.end());
        constexpr float kTiniest = 1e-6f, kHugest = 1e6f;
        if (!(*middle >= kTiniest && *middle <= kHugest)) return 0.1f;
        constexpr float kSqrtOf10 = 3.1622777f;  // between two powers, on a logarithmic scale
        float scale = 1.0f;
        while (*middle > kSqrtOf10 * scale)
            scale *= 10.0f;
        while (*middle * kSqrtOf10 < scale)
            scale /= 10.0f;
        return 0.1f * scale;
    }

    [[nodiscard]] std::vector<Contestant> binary_trees() const {
        std::vector<Contestant> all;
        using Placement = std::pair<bv::Insertion, const char*>;
        using Turn = std::pair<bv::Balancing, const char*>;
        const std::array<Placement, 3> insertions = {Placement{bv::Insertion::Manhattan, "nearest center"},
                                                     {bv::Insertion::GreedySah, "greedy SAH"},
                                                     {bv::Insertion::BranchAndBoundSah, "branch and bound"}};
        const std::array<Turn, 3> balancings = {Turn{bv::Balancing::None, "no rotations"},
                                                {bv::Balancing::Height, "height rotations"},
                                                {bv::Balancing::Sah, "SAH rotations"}};
        for (const auto& [insertion, how] : insertions)
            for (const auto& [balancing, rotations] : balancings) {
                Contestant next;
                next.name = fmt::format("dynamic tree, {}, {}", how, rotations);
                next.options.margin_m = margin_;
                next.options.insertion = insertion;
                next.options.balancing = balancing;
                all.push_back(std::move(next));
            }
        return all;
    }

    /// For the best binary tree so far, its margins and kinds of upkeep in turn; then every other structure.
    [[nodiscard]] std::vector<Contestant> variations(const Contestant& best) const {
        std::vector<Contestant> all;
        const auto add = [&](std::string name, auto change, bool is_binary = true) {
            Contestant next = best;
            next.name = is_binary ? fmt::format("{}, {}", best.name, name) : std::move(name);
            change(next);
            all.push_back(std::move(next));
        };
        using C = Contestant;
        add("no margin", [](C& c) { c.options.margin = bv::Margin::None; });
        for (const float times : {0.5f, 2.0f})
            add(fmt::format("margin {:g} m", times * margin_), [&](C& c) {
                c.options.margin = bv::Margin::Fixed;
                c.options.margin_m = times * margin_;
            });
        add("margin of 10 % of a body", [](C& c) { c.options.margin = bv::Margin::Relative; });
        add("refit only", [](C& c) { c.options.upkeep = bv::Upkeep::RefitOnly; });
        add("partial rebuilds", [](C& c) { c.options.upkeep = bv::Upkeep::PartialRebuild; });
        add("a rebuild every 60 frames", [](C& c) { c.options.upkeep = bv::Upkeep::PeriodicRebuild; });
        add("refit, re-insert the worst", [](C& c) { c.options.upkeep = bv::Upkeep::Reinsertion; });
        using Rebuild = std::pair<bv::Builder, const char*>;
        for (const auto& [builder, name] :
             {Rebuild{bv::Builder::BinnedSah, "rebuilt in every frame, binned SAH"},
              Rebuild{bv::Builder::Morton, "rebuilt in every frame, Morton curve"}})
            add(
                name,
                [builder = builder](C& c) {
                    c.rebuilds = true;
                    c.options.builder = builder;
                    c.options.margin = bv::Margin::None;
                    c.options.upkeep = bv::Upkeep::RefitOnly;
                },
                false);
        for (const bv::BroadphaseInfo& info : bv::broadphase_kinds())
            if (info.kind != bv::BroadphaseKind::DynamicTree && info.kind != bv::BroadphaseKind::BruteForce)
                add(
                    std::string(info.title), [&info](C& c) { c.kind = info.kind; }, false);
        return all;
    }

    void feed(const Contestant& contestant, Run& run, const Take& take) const {
        WhatIfRow& row = run.row;
        bv::Broadphase& engine = *run.engine;
        const double at_once = contestant.kind == bv::BroadphaseKind::WideTree ? 8.0 : 1.0;
        const bool builds = &take == takes_.data();
        const platform::ThreadClock clock;
        const Changes changes = feed(engine, take, run.ids);
        engine.update();
        if (contestant.rebuilds) engine.rebuild(contestant.options.builder);
        const bv::BroadphaseStats stats = engine.find_pairs(run.found);
        if (!builds || takes_.size() == 1) *row.ms += clock.milliseconds();
        row.pair_tests += static_cast<double>(stats.tests) / at_once;
        row.pairs += static_cast<double>(stats.pairs);
        if (!builds) row.new_boxes += static_cast<double>(changes.placed);
        row.bytes = stats.memory_bytes;
        row.same_answers = row.same_answers && has_pairs(engine, run.found, take);
        const bv::TreeSnapshot tree = engine.snapshot();
        ask(tree, take, row);
        if (!builds) row.upkeep += upkeep(tree, take, contestant, changes);
    }

    static Changes feed(bv::Broadphase& engine, const Take& take, std::vector<bv::ProxyId>& ids) {
        Changes changes;
        for (const std::uint32_t index : take.gone) {
            engine.remove(ids[index]);
            ids[index] = {};
            ++changes.moved;
        }
        for (const Body& body : take.bodies) {
            bv::ProxyId& id = ids[body.index];
            if (!id.valid()) {
                id = engine.insert(body.box, body.id).id;
                ++changes.moved;
                ++changes.placed;
                continue;
            }
            const bv::Aabb old = engine.box(id);
            if (old == body.box) continue;
            const bool is_placed =
                engine.move(id, body.box, body.box.center() - old.center()).fat_box_changed;
            ++changes.moved;
            changes.placed += is_placed ? 1 : 0;
        }
        return changes;
    }

    static bool has_pairs(const bv::Broadphase& engine, const std::vector<bv::ProxyPair>& found,
                          const Take& take) {
        if (found.size() != take.pairs.size()) return false;
        std::vector<IdPair> named;
        named.reserve(found.size());
        for (const auto& [a, b] : found)
            named.push_back(std::minmax(*engine.user_data(a), *engine.user_data(b)));
        std::sort(named.begin(), named.end());
        return named == take.pairs;
    }

    static void ask(const bv::TreeSnapshot& tree, const Take& take, WhatIfRow& row) {
        if (!row.has_tree) {
            row.visits += static_cast<double>(take.bodies.size() * take.queries.size());
            return;
        }
        for (std::size_t i = 0; i < take.queries.size(); ++i) {
            row.visits += static_cast<double>(visits(tree, take.queries[i]));
            row.same_answers = row.same_answers && answers(tree, take.queries[i]) == take.answers[i];
        }
    }

    /// Nodes, cells or places in sorted lists that bringing the structure up to date touched: an estimate.
    static double upkeep(const bv::TreeSnapshot& tree, const Take& take, const Contestant& contestant,
                         const Changes& changes) {
        const auto count = static_cast<double>(take.bodies.size());
        const auto moved = static_cast<double>(changes.moved), placed = static_cast<double>(changes.placed);
        const double nodes = moved > 0.0 ? static_cast<double>(tree.size()) : 0.0;
        const double sorting = count * std::log2(std::max(count, 2.0));
        if (contestant.rebuilds) return sorting;
        switch (contestant.kind) {
            case bv::BroadphaseKind::DynamicTree:
                return contestant.options.upkeep == bv::Upkeep::None ? 2.0 * height_of(tree) * placed
                                                                     : height_of(tree) * placed + nodes;
            case bv::BroadphaseKind::WideTree:
                return nodes;
            case bv::BroadphaseKind::IncrementalSweep:
                // Two ends on each of three axes. Once one has moved, all are compared with their neighbors
                // in memory, three in about the time of a node.
                return moved > 0.0 ? 6.0 * (moved + count / 3.0) : 0.0;
            default:
                return sorting;
        }
    }

    void mark_best() {
        std::vector<WhatIfRow*> order;
        for (WhatIfRow& row : result_.rows)
            if (!row.is_engine && row.same_answers) order.push_back(&row);
        std::stable_sort(order.begin(), order.end(),
                         [](const WhatIfRow* a, const WhatIfRow* b) { return a->work() < b->work(); });
        for (std::size_t i = 0; i < order.size() && i < 2; ++i)
            order[i]->place = static_cast<int>(i) + 1;
        std::stable_sort(result_.rows.begin() + 1, result_.rows.end(),
                         [](const WhatIfRow& x, const WhatIfRow& y) { return x.work() < y.work(); });
    }

    io::CaptureFile& file_;
    const WhatIfOptions options_;
    std::size_t place_ = 0;  // of the next frame to read
    std::size_t end_ = 0;    // behind the last one
    bool has_engine_trees_ = false;
    float margin_ = 0.1f;
    std::vector<Take> takes_;
    std::unordered_map<std::uint64_t, std::uint32_t> indices_;  // of bodies, by id
    std::unordered_map<std::uint64_t, bv::Aabb> fat_;           // the engine's, in the frame before
    WhatIfRow engine_;
    std::size_t not_finite_ = 0;
    double height_sum_ = 0.0;
    bool own_visits_ = false, counted_visits_ = false;  // of the engine, by query
    bool is_thinned_ = false, is_done_ = false;
    std::vector<Contestant> contestants_;
    std::size_t first_round_ = 0, next_ = 0, best_ = 0;  // places among them
    std::unique_ptr<Run> run_;                           // of the next one
    WhatIf result_;
};

Replay::Replay(io::CaptureFile& file, const WhatIfOptions& options)
    : work_(std::make_unique<Work>(file, options)) {}
Replay::~Replay() = default;
bool Replay::next() {
    return work_->next();
}
double Replay::done() const {
    return work_->done();
}
WhatIf Replay::take() {
    return work_->take();
}

WhatIf what_if(io::CaptureFile& file, const WhatIfOptions& options) {
    Replay replay(file, options);
    while (replay.next()) {
    }
    return replay.take();
}

}  // namespace lab::capture
