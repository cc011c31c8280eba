#include "capture/survey.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vector_relational.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "bv/tree/dynamic_tree.hpp"
#include "capture/tree_cost.hpp"
#include "world/tree_recipes.hpp"

namespace lab::capture {
namespace {

constexpr std::size_t kSamples = 20'000;
constexpr std::size_t kMaxTrees = 32;

std::uint64_t scrambled(std::uint64_t value) {
    value = (value ^ (value >> 30u)) * 0xbf58476d1ce4e5b9ull;
    value = (value ^ (value >> 27u)) * 0x94d049bb133111ebull;
    return value ^ (value >> 31u);
}

}  // namespace

std::uint64_t overlapping_pairs(const std::vector<bv::Aabb>& boxes) {
    bv::TreeOptions options;
    options.margin = bv::Margin::None;
    const bv::DynamicTree all = make_tree(*find_recipe("binned_sah"), boxes, options);
    constexpr std::uint64_t kMaxPairs = 2'000'000;  // n boxes in one place make n^2 / 2
    std::uint64_t pairs = 0;
    all.for_each_pair([&pairs](bv::ProxyId, bv::ProxyId) {
        return ++pairs < kMaxPairs ? bv::Visit::Continue : bv::Visit::Stop;
    });
    return pairs;
}

void BoxChanges::add(bool is_new_box, std::size_t place) {
    constexpr std::uint64_t kLast = 8;
    if (is_new_box && (recent & 1u) == 0) run_since = place;
    recent = (recent << 1u) | (is_new_box ? 1u : 0u);
    ++moves;
    int often = 0;
    for (std::uint64_t k = 0; k < kLast; ++k)
        often += (recent >> k) & 1u ? 1 : 0;
    if (often * 2 < static_cast<int>(kLast))
        often_since = place + 1;
    else if (often_since == place)  // Until the previous move this was not so.
        often_since = run_since;
}

std::vector<LeafPlace> leaf_places(const io::CaptureTree& captured, const bv::TreeSnapshot& tree) {
    const auto id = [&](std::uint32_t node) { return captured.nodes[tree.source_nodes[node]].id; };
    std::vector<LeafPlace> places;
    places.reserve(tree.payloads.size());
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        if (!tree.is_leaf(i)) continue;
        const std::uint32_t parent = tree.parents[i];
        std::uint64_t up = ~std::uint64_t{0}, beside = up;
        if (parent != bv::TreeSnapshot::kNone) {
            up = id(parent);
            const std::uint32_t first = tree.first_child[parent];
            if (tree.child_count[parent] == 2) beside = id(first == i ? first + 1 : first);
        }
        // In a leaf of several bodies, that leaf is the node around each of them.
        if (tree.payload_count[i] > 1) beside = std::exchange(up, id(i));
        for (std::uint32_t k = 0; k < tree.payload_count[i]; ++k) {
            const std::uint32_t p = tree.first_payload[i] + k;
            const bv::Aabb& fat = tree.payload_count[i] == 1 ? tree.boxes[i] : tree.payload_boxes[p];
            places.push_back({tree.payloads[p], tree.payload_boxes[p], fat, up, beside});
        }
    }
    return places;
}

TreeForm form_of(const bv::TreeSnapshot& tree) {
    constexpr std::uint32_t kMaxChildrenCompared = 64;  // each is compared with each
    constexpr std::uint32_t kMinBodies = 3;             // two are always apart
    constexpr std::uint32_t kUnsorted = 50;             // one node in so many
    constexpr float kTolerance = 1e-3f;  // of the world: bodies may be sorted by rounded places
    struct Below {
        std::array<bv::Aabb, 2> centers;  // of tight and of fat boxes
        std::uint64_t shape = 0;
        std::uint32_t bodies = 0;
    };
    if (tree.empty()) return {};
    std::vector<Below> below(tree.size());
    for (auto i = static_cast<std::uint32_t>(tree.size()); i-- > 0;) {
        Below& node = below[i];
        for (std::uint32_t k = 0; k < tree.payload_count[i]; ++k) {
            const std::uint32_t p = tree.first_payload[i] + k;
            const glm::vec3 tight = tree.payload_boxes[p].center(), fat = tree.boxes[i].center();
            node.centers[0] = bv::merge(node.centers[0], {tight, tight});
            node.centers[1] = bv::merge(node.centers[1], {fat, fat});
            node.shape += scrambled(tree.payloads[p] + 1);
            ++node.bodies;
        }
        if (i == 0) break;
        Below& up = below[tree.parents[i]];
        for (std::size_t by = 0; by < up.centers.size(); ++by)
            up.centers[by] = bv::merge(up.centers[by], node.centers[by]);
        up.shape += scrambled(node.shape + node.bodies);
        up.bodies += node.bodies;
    }
    std::size_t nodes = 0;
    std::array<std::size_t, 2> unsorted{};
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        if (tree.child_count[i] < 2 || below[i].bodies < kMinBodies) continue;
        ++nodes;
        const std::span children(&below[tree.first_child[i]], tree.child_count[i]);
        for (std::size_t by = 0; by < unsorted.size(); ++by) {
            const glm::vec3 tolerance = kTolerance * below[0].centers[by].size();
            const auto are_apart = [&](const Below& a, const Below& b) {
                const bv::Aabb &one = a.centers[by], &other = b.centers[by];
                const glm::vec3 both = bv::merge(one, other).size();
                const glm::vec3 overlap = glm::min(one.max - other.min, other.max - one.min);
                return glm::any(glm::lessThan(overlap, glm::min(tolerance, 0.25f * both)));
            };
            bool is_sorted = children.size() <= kMaxChildrenCompared;
            for (std::size_t a = 0; is_sorted && a < children.size(); ++a)
                for (std::size_t b = a + 1; is_sorted && b < children.size(); ++b)
                    is_sorted = are_apart(children[a], children[b]);
            unsorted[by] += is_sorted ? 0 : 1;
        }
    }
    const std::size_t least = std::min(unsorted[0], unsorted[1]);
    return {below[0].shape, nodes > 0 && kUnsorted * least <= nodes};
}

void LeavesInBoth::add(bool rests, bool is_placed) {
    ++all;
    placed += is_placed ? 1 : 0;
    resting += rests ? 1 : 0;
    resting_placed += rests && is_placed ? 1 : 0;
}

Churn LeavesInBoth::churn(std::size_t payloads, std::size_t place) const {
    // A rebuild numbers the nodes anew, and a leaf keeps parent and sibling only by chance: one in forty.
    // Re-insertion of all leaves leaves one in twenty in place, and does not touch those that rest.
    constexpr std::uint32_t kKept = 30;
    constexpr std::uint32_t kMinKnown = 8;  // with fewer, single insertions change all
    const bool by_resting = resting >= kMinKnown;
    const std::uint32_t judged = by_resting ? resting : all;
    const std::uint32_t kept = judged - (by_resting ? resting_placed : placed);
    const bool are_known = all >= kMinKnown && std::size_t{2} * all >= payloads;
    // The few that rest may all have new siblings, since many leaves around them were re-inserted.
    constexpr std::uint32_t kKeptOfAll = 15;
    const bool is_rebuilt = kKept * kept <= judged && kKeptOfAll * (all - placed) <= all;
    return {place, all - resting, placed, are_known && is_rebuilt};
}

class Surveyor::Work {
  public:
    Work(io::CaptureFile& file, const SurveyOptions& options) : file_(file), options_(options) {
        const auto& frames = file_.frames();
        const std::size_t count = frames.size();
        survey_.stride = (count + options_.max_read - 1) / std::max<std::size_t>(options_.max_read, 1);
        survey_.stride = std::max<std::size_t>(survey_.stride, 1);
        const std::size_t read = (count + survey_.stride - 1) / survey_.stride;
        const std::size_t measured = std::max<std::size_t>(options_.max_measured, 2);
        measure_each_ = std::max<std::size_t>((read + measured - 1) / measured, 1);
        for (std::size_t place = 0; place < count; ++place)
            if (has_tree(place) && (frames[place].counts.nodes > 0 || frames[last_tree_].counts.nodes == 0))
                last_tree_ = place;
        choose_tree();
        trees_take_turns_ = survey_.stride > 1 && (take_turns_at(count / 2) || take_turns_at(count));
    }

    bool next() {
        const auto& frames = file_.frames();
        const std::size_t place = survey_.rows.size();
        if (place == frames.size()) return false;
        FrameRow row;
        row.number = frames[place].number;
        row.created = frames[place].counts.created;
        row.removed = frames[place].counts.removed;
        BadCalls& calls = survey_.bad_calls;
        if (frames[place].refused > 0 && calls.refused == 0) calls.first_refused = place;
        calls.refused += frames[place].refused;
        if (is_examined(place)) {
            survey_.examined.push_back(place);
            look_at(place, row);
        } else if (frames[place].counts.marks > 0) {
            look_at_marks(place);
        }
        survey_.rows.push_back(row);
        return true;
    }
    [[nodiscard]] double done() const {
        const std::size_t count = file_.frames().size();
        return count > 0 ? static_cast<double>(survey_.rows.size()) / static_cast<double>(count) : 1.0;
    }
    Survey take() {
        for (TreeHistory& tree : survey_.trees) {
            if (!tree.emptied) continue;
            Emptied& before = before_emptied_[tree.name];
            tree.bodies = std::move(before.bodies);
            survey_.removed.merge(before.removed);
        }
        survey_.trees_left_out = left_out_.size();
        return std::move(survey_);
    }

  private:
    [[nodiscard]] bool has_tree(std::size_t place) const { return file_.frames()[place].trees > 0; }

    /// Chooses by the last frame that has trees, since an engine may fill one tree after the other. An engine
    /// that ends may empty its trees first: their sizes are looked up in earlier frames.
    void choose_tree() {
        constexpr int kMaxRead = 16;
        int read = 0;
        std::vector<std::pair<std::string, std::size_t>> sizes;  // of the trees in that frame
        std::unordered_map<std::string, std::size_t> places;     // in `sizes`
        for (std::size_t place = file_.frames().size(); place-- > 0 && read < kMaxRead;) {
            if (!has_tree(place) || (!sizes.empty() && file_.frames()[place].counts.nodes == 0)) continue;
            ++read;
            const auto frame = file_.frame(place);
            if (!frame || frame->trees.empty()) continue;
            if (sizes.empty())
                for (const io::CaptureTree& tree : frame->trees) {
                    places.emplace(tree.name, sizes.size());
                    sizes.emplace_back(tree.name, 0);
                }
            for (const io::CaptureTree& tree : frame->trees)
                if (const auto known = places.find(tree.name); known != places.end()) {
                    std::size_t& size = sizes[known->second].second;
                    if (size == 0) size = tree.payloads.size();
                }
            if (std::none_of(sizes.begin(), sizes.end(), [](const auto& tree) { return tree.second == 0; }))
                break;
        }
        std::size_t largest = 0;
        for (const auto& [name, size] : sizes) {
            if (size < largest) continue;
            largest = size;
            survey_.main_tree = name;
        }
    }

    /// Whether consecutive frames with trees, among the last ones before `end`, have different trees.
    bool take_turns_at(std::size_t end) {
        constexpr std::size_t kMaxRead = 8;
        std::optional<std::set<std::string>> later;
        for (std::size_t place = end, read = 0; place-- > 0 && read < kMaxRead;) {
            if (!has_tree(place)) continue;
            ++read;
            const auto frame = file_.frame(place);
            if (!frame || frame->trees.empty()) continue;
            std::set<std::string> names;
            for (const io::CaptureTree& tree : frame->trees)
                names.insert(tree.name);
            if (later && *later != names) return true;
            later = std::move(names);
        }
        return false;
    }

    /// Chooses from each `stride` frames the first that has a tree, or else the first. Where trees take
    /// turns, it chooses the first with a tree, then the second, and so on: with a fixed choice, the same
    /// tree could come up each time. To be asked in order.
    bool is_examined(std::size_t place) {
        const std::size_t count = file_.frames().size();
        if (place % survey_.stride == 0) {
            const std::size_t end = std::min(place + survey_.stride, count);
            with_trees_.clear();
            for (std::size_t at = place; at < end; ++at)
                if (has_tree(at)) with_trees_.push_back(at);
            const std::size_t turn = trees_take_turns_ ? place / survey_.stride : 0, n = with_trees_.size();
            chosen_ = n == 0 ? place : with_trees_[(turn + turn / n) % n];  // in step with no number of trees
        }
        return place == chosen_ || place == last_tree_ || place + 1 == count;
    }

    void look_at_marks(std::size_t place) {
        if (survey_.marks.size() < options_.max_marks)
            if (auto frame = file_.frame(place)) return take_marks(place, *frame);
        survey_.marks_left_out += file_.frames()[place].counts.marks;
    }

    void take_marks(std::size_t place, io::CaptureFrame& frame) {
        for (std::string& mark : frame.marks) {
            if (survey_.marks.size() < options_.max_marks)
                survey_.marks.push_back({place, std::move(mark)});
            else
                ++survey_.marks_left_out;
        }
    }

    void look_at(std::size_t place, FrameRow& row) {
        auto frame = file_.frame(place);
        if (!frame) {
            if (survey_.unreadable++ == 0) survey_.problem = frame.error().text();
            return;
        }
        row.bodies = frame->proxies.size();
        if (std::string note = bad_boxes_note(*frame); !note.empty()) {
            if (!survey_.bad_boxes) survey_.bad_boxes = {place, place, std::move(note)};
            survey_.bad_boxes->last_place = place;
        }
        row.queries = frame->queries.size();
        take_marks(place, *frame);
        for (const io::CaptureQuery& query : frame->queries)
            row.visited += query.nodes_visited;
        bool found = false, complete = false;
        const io::ProxiesById proxies = io::by_id(frame->proxies);
        for (const io::CaptureTree& tree : frame->trees) {
            io::CaptureSnapshot snapshot = io::snapshot_of(tree, proxies, 1000);
            row.defects += snapshot.defect_count;
            BadCalls& calls = survey_.bad_calls;
            if (!tree.is_complete && calls.incomplete_trees++ == 0) calls.first_incomplete = place;
            if (snapshot.defect_count > 0 && tree.is_complete) note_broken(place, tree, snapshot);
            if (tree.is_complete) {
                if (follow(tree, snapshot.tree, place, row)) survey_.changes.add(place, tree);
            }
            if (found || tree.name != survey_.main_tree || snapshot.tree.empty()) continue;
            found = true;
            complete = tree.is_complete;
            const bool is_last = place >= last_tree_;
            if (place >= next_measured_ || is_last) {
                measure(snapshot.tree, frame->proxies, row);
                next_measured_ = (place / survey_.stride + measure_each_) * survey_.stride;
            }
        }
        for (const io::CaptureEvent& event : frame->events) {
            if (event.kind != io::CaptureEvent::Kind::Moved) {
                follow_life(event, place);
                continue;
            }
            follow_call(event, place, row);
            if (is_lost(event.proxy.id)) ++row.lost_moved;
        }
        forget_others(*frame);
        for (const TreeHistory& tree : survey_.trees) {
            // More bodies than this are not looked for in other trees.
            constexpr std::size_t kMaxChecked = 40'000;
            if (tree.gone.size() * survey_.trees.size() > kMaxChecked)
                row.lost += tree.gone.size();
            else
                for (const auto& [id, since] : tree.gone)
                    row.lost += is_lost(id) ? 1 : 0;
        }
        if (found && (complete || !has_complete_)) survey_.last = place;
        has_complete_ = has_complete_ || complete;
    }

    /// Bodies were also removed, or created again, in frames that were not read or have been lost, or between
    /// two states: only the proxies of this frame say so.
    void forget_others(const io::CaptureFrame& frame) {
        const bool any_gone = std::any_of(survey_.trees.begin(), survey_.trees.end(),
                                          [](const TreeHistory& tree) { return !tree.gone.empty(); });
        if (!any_gone && survey_.removed.empty()) return;
        std::unordered_set<std::uint64_t> ids;
        for (const io::CaptureProxy& proxy : frame.proxies)
            ids.insert(proxy.id);
        for (TreeHistory& tree : survey_.trees)
            std::erase_if(tree.gone, [&](const auto& body) { return !ids.contains(body.first); });
        std::erase_if(survey_.removed, [&](const auto& body) { return ids.contains(body.first); });
    }

    /// After the trees of the frame: only what a leaf still holds is kept, so that bodies which come and go
    /// cost no memory.
    void follow_life(const io::CaptureEvent& event, std::size_t place) {
        const std::uint64_t id = event.proxy.id;
        const bool was_removed = event.kind == io::CaptureEvent::Kind::Removed;
        const bool in_leaf = std::any_of(survey_.trees.begin(), survey_.trees.end(),
                                         [id](const TreeHistory& tree) { return tree.bodies.contains(id); });
        if (was_removed && in_leaf)
            survey_.removed[id] = place;
        else
            survey_.removed.erase(id);
        if (was_removed)
            for (TreeHistory& tree : survey_.trees)
                tree.gone.erase(id);
    }

    [[nodiscard]] bool is_lost(std::uint64_t id) const {
        const auto& trees = survey_.trees;
        return std::any_of(trees.begin(), trees.end(), [id](const auto& t) { return t.gone.contains(id); }) &&
               std::none_of(trees.begin(), trees.end(),
                            [id](const auto& t) { return t.bodies.contains(id); });
    }

    void note_broken(std::size_t place, const io::CaptureTree& tree, const io::CaptureSnapshot& snapshot) {
        for (const Broken& known : survey_.broken)
            if (known.tree == tree.name) return;
        if (survey_.broken.size() < kMaxBroken)
            survey_.broken.push_back({place, tree.name, root_defect(snapshot), snapshot.defect_count});
        else
            survey_.has_more_broken = true;
    }

    /// Of the defects, the one that the others may follow from: links before boxes, the lowest box first.
    static io::CaptureDefect root_defect(const io::CaptureSnapshot& snapshot) {
        const auto rank = [](const io::CaptureDefect& d) { return static_cast<int>(d.kind); };
        return *std::min_element(snapshot.defects.begin(), snapshot.defects.end(),
                                 [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    }

    /// The history of a tree; null if there are too many of them.
    TreeHistory* history_of(const std::string& name) {
        for (TreeHistory& tree : survey_.trees)
            if (tree.name == name) return &tree;
        // One further place is kept for the main tree.
        if (survey_.trees.size() >= kMaxTrees && name != survey_.main_tree) {
            constexpr std::size_t kMaxNames = 10'000;
            if (left_out_.size() < kMaxNames) left_out_.insert(name);
            return nullptr;
        }
        survey_.trees.emplace_back().name = name;
        return &survey_.trees.back();
    }

    /// False for a tree without a history, or a second one of its name.
    bool follow(const io::CaptureTree& captured, const bv::TreeSnapshot& tree, std::size_t place,
                FrameRow& row) {
        TreeHistory* const history = history_of(captured.name);
        if (!history || history->last == place) return false;
        if (tree.empty()) {
            note_emptied(*history, place);
            return false;
        }
        if (history->emptied) before_emptied_.erase(history->name);
        history->emptied.reset();
        if (history->frames++ == 0) history->first = place;
        history->last = place;
        const BoxSize size(tree);
        LeavesInBoth leaves;
        for (const LeafPlace& leaf : leaf_places(captured, tree))
            update(*history, leaf, size(leaf.tight), place, row, leaves);
        const TreeForm form = form_of(tree);
        if (history->frames > 1) {
            history->churn.push_back(leaves.churn(tree.payloads.size(), place));
            history->churn.back().is_reshaped = form.shape != history->shape;
            history->churn.back().is_sorted = form.is_sorted;
        }
        history->shape = form.shape;
        std::erase_if(history->bodies, [&](const auto& body) {
            if (body.second.seen == place) return false;
            const bool was_removed = survey_.removed.erase(body.first) > 0;
            if (!was_removed && history->gone.size() < kMaxGone) history->gone[body.first] = place;
            return true;
        });
        return true;
    }

    /// For a tree without a leaf: puts aside what is known of its bodies, in case it stays empty.
    void note_emptied(TreeHistory& history, std::size_t place) {
        if (history.emptied) return;
        history.emptied = place;
        Emptied& before = before_emptied_[history.name];
        for (const auto& [id, body] : history.bodies)
            if (const auto removed = survey_.removed.extract(id))
                before.removed.insert({id, removed.mapped()});
            else if (history.gone.size() < kMaxGone)
                history.gone[id] = place;
        before.bodies = std::exchange(history.bodies, {});
    }

    void update(TreeHistory& tree, const LeafPlace& leaf, double size, std::size_t place, FrameRow& row,
                LeavesInBoth& leaves) {
        const auto& [id, tight, fat, parent, sibling] = leaf;
        const auto [at, is_new] = tree.bodies.try_emplace(id);
        BodyHistory& body = at->second;
        if (!is_new && body.seen == place) return;  // a payload of two leaves
        body.seen = place;
        if (is_new) {
            body.created = body.large_since = body.shape_since = place;
            body.margin_since = place;
            body.margin = margin_between(tight, fat);
            body.came_at = tight.center();
            body.order = next_order_++;
            body.first_fat = fat;
            body.first_margin = body.margin;
            body.large_by = place;
            body.swells_since = BodyHistory::kNever;
            body.size = body.last_size = size;
            tree.gone.erase(id);
        } else {
            const bool is_refit = !(body.fat == fat);
            const bool is_placed = body.parent != parent || body.sibling != sibling;
            leaves.add(!is_refit, is_placed);
            follow_boxes(tree, body, tight, fat, place, row);
            if (is_placed) {
                body.shape_since = place;
                body.moved = 0.0;
                body.refit_since = BodyHistory::kNever;
            } else if (is_refit && body.refit_since == BodyHistory::kNever) {
                body.refit_since = place;
            }
            if (!(size > body.last_size))
                body.swells_since = BodyHistory::kNever;
            else if (body.swells_since == BodyHistory::kNever)
                body.swells_since = place;
            if (size > 2.0 * body.size) {
                body.large_since = body.swells_since;
                body.large_by = place;
                body.size = size;
            }
            body.last_size = size;
        }
        body.tight = tight;
        body.fat = fat;
        body.parent = parent;
        body.sibling = sibling;
    }

    static void follow_boxes(TreeHistory& tree, BodyHistory& body, const bv::Aabb& tight, const bv::Aabb& fat,
                             std::size_t place, FrameRow& row) {
        const bool moved = !(body.tight == tight);
        if (moved) {
            ++row.moved;
            const double distance = glm::length(glm::dvec3(tight.min) + glm::dvec3(tight.max) -
                                                glm::dvec3(body.tight.min) - glm::dvec3(body.tight.max)) /
                                    2.0;
            if (std::isfinite(distance)) {
                body.moved += distance;
                body.traveled += distance;
            }
            if (distance > 0.0 && std::isfinite(distance)) body.was_moved_by = distance;
            if (tree.steps_m.size() < kSamples && distance > 0.0 && std::isfinite(distance))
                tree.steps_m.push_back(distance);
        }
        const bool is_new = !(body.fat == fat) && !(holds(fat, body.fat));
        if (moved) body.in_trees.add(is_new, place);
        if (body.fat == fat) return;
        const double margin = margin_between(tight, fat);
        if (!(margin <= 2.0 * body.margin && margin >= 0.5 * body.margin)) {
            body.margin_since = place;
            body.margin = margin;
        }
        const bool only_grew = holds(fat, body.fat);
        if (only_grew && moved) {
            if (body.grown++ == 0) body.grows_since = place;
            ++row.grown_boxes;
            return;
        }
        if (moved) ++row.new_boxes;
        body.grown = 0;
        body.first_fat = fat;
        body.first_margin = margin;
    }

    /// A call of the engine, compared with the state before it.
    void follow_call(const io::CaptureEvent& event, std::size_t place, FrameRow& row) {
        if (event.tight_was == event.proxy.tight) return;
        const bool is_new = !(event.fat_was == event.proxy.fat) && !holds(event.proxy.fat, event.fat_was);
        bool counts = false;
        for (TreeHistory& tree : survey_.trees) {
            const auto body = tree.bodies.find(event.proxy.id);
            if (body == tree.bodies.end()) continue;
            body->second.in_calls.add(is_new, place);
            counts = true;
        }
        row.calls_moved += counts ? 1 : 0;
        row.calls_new_box += counts && is_new ? 1 : 0;
    }

    static void measure(const bv::TreeSnapshot& tree, std::span<const io::CaptureProxy> proxies,
                        FrameRow& row) {
        if (tree.empty()) return;
        const BoxSize size(tree);
        const bv::TreeMetrics m = metrics_of(tree);
        row.measured = true;
        row.leaves = m.leaves;
        row.height = m.height;
        row.sah = m.sah;
        row.area_ratio = m.area_ratio;
        row.sibling_overlap = m.sibling_overlap;
        const bv::TreeSnapshot opened = with_opened_leaves(tree, proxies);
        std::vector<bv::Aabb> boxes;
        for (std::uint32_t i = 0; i < opened.size(); ++i)
            if (opened.is_leaf(i)) boxes.push_back(opened.boxes[i]);
        const double root = size(tree.boxes[0]);
        const bv::TreeSnapshot rebuilt = rebuilt_tree(boxes, arity_of(tree), size, m.leaves);
        row.rebuilt_sah = root > 0.0 ? whole_cost(rebuilt, size) / root : 0.0;
        row.pairs = overlapping_pairs(tree.payload_boxes);
    }

    /// More than this are not bodies that an engine has lost.
    static constexpr std::size_t kMaxGone = 100'000;

    /// What was known of the bodies of a tree that has no leaf now.
    struct Emptied {
        std::unordered_map<std::uint64_t, BodyHistory> bodies;
        std::unordered_map<std::uint64_t, std::size_t> removed;  ///< Those of `Survey::removed` among them.
    };

    io::CaptureFile& file_;
    const SurveyOptions options_;
    Survey survey_;
    std::unordered_map<std::string, Emptied> before_emptied_;  ///< By the names of trees.
    std::uint64_t next_order_ = 0;
    bool has_complete_ = false;      ///< A frame had the main tree as a whole.
    std::size_t measure_each_ = 1;   ///< One examined frame in this many is measured.
    std::size_t next_measured_ = 0;  ///< The main tree is measured again from this frame on.
    bool trees_take_turns_ = false;
    std::vector<std::size_t> with_trees_;  ///< Those of the current `stride` frames that have trees.
    std::size_t chosen_ = 0;               ///< The one of them to examine.
    std::size_t last_tree_ =
        0;  ///< Position of the last whole frame with a tree, if possible one with nodes.
    std::set<std::string> left_out_;  ///< Names of trees without a history.
};

Surveyor::Surveyor(io::CaptureFile& file, const SurveyOptions& options)
    : work_(std::make_unique<Work>(file, options)) {}
Surveyor::~Surveyor() = default;
bool Surveyor::next() {
    return work_->next();
}
double Surveyor::done() const {
    return work_->done();
}
Survey Surveyor::take() {
    return work_->take();
}

bool holds(const bv::Aabb& outer, const bv::Aabb& inner) {
    for (int k = 0; k < 3; ++k)
        if (!(outer.min[k] <= inner.min[k] && inner.max[k] <= outer.max[k])) return false;
    return true;
}

double margin_between(const bv::Aabb& tight, const bv::Aabb& fat) {
    double sum = 0.0;
    int faces = 0;
    for (int k = 0; k < 3; ++k) {
        if (tight.min[k] == fat.min[k] && tight.max[k] == fat.max[k]) continue;  // no margin in a flat world
        sum += static_cast<double>(tight.min[k]) - static_cast<double>(fat.min[k]) +
               static_cast<double>(fat.max[k]) - static_cast<double>(tight.max[k]);
        faces += 2;
    }
    return faces > 0 && std::isfinite(sum) ? sum / faces : 0.0;
}

Survey make_survey(io::CaptureFile& file, const SurveyOptions& options) {
    Surveyor surveyor(file, options);
    while (surveyor.next()) {
    }
    return surveyor.take();
}

}  // namespace lab::capture
