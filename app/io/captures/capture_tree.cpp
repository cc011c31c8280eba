#include "io/captures/capture_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "io/text/counted.hpp"

namespace lab::io {
namespace {

using Kind = CaptureDefect::Kind;
constexpr std::uint32_t kNone = bv::TreeSnapshot::kNone;

/// How far `inner` sticks out of `outer`; 0 if it does not, or if one of them is not finite: a defect of its
/// own.
float excess(const bv::Aabb& outer, const bv::Aabb& inner) {
    float largest = 0.0f;
    if (!outer.is_finite() || !inner.is_finite()) return largest;
    for (int k = 0; k < 3; ++k) {
        for (const float by : {outer.min[k] - inner.min[k], inner.max[k] - outer.max[k]})
            if (by > largest) largest = by;
    }
    return largest;
}

class SnapshotBuilder {
  public:
    SnapshotBuilder(const CaptureTree& tree, const ProxiesById& proxies, std::size_t max_defects)
        : tree_(tree), proxies_(proxies), max_defects_(max_defects) {}

    CaptureSnapshot build() {
        find_nodes();
        const auto root = places_.find(tree_.root);
        if (root == places_.end()) {
            if (!tree_.nodes.empty()) add({Kind::NoRoot, tree_.root, 0, 0.0f});
        } else {
            walk(root->second);
            lay_out(root->second);
        }
        add_orphans();
        repair_boxes();
        return std::move(result_);
    }

  private:
    enum class State : std::uint8_t { New, Open, Done };

    void add(const CaptureDefect& defect) {
        if (result_.defects.size() < max_defects_) result_.defects.push_back(defect);
        ++result_.defect_count;
    }

    void find_nodes() {
        places_.reserve(tree_.nodes.size());
        for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i)
            if (!places_.emplace(tree_.nodes[i].id, i).second)
                add({Kind::SameId, tree_.nodes[i].id, 0, 0.0f});
        payloads_.reserve(tree_.payloads.size());
        state_.assign(tree_.nodes.size(), State::New);
        kept_.assign(tree_.children.size(), kNone);
    }

    /// The tops of subtrees that were lost first, the largest before the others: what is below them is lost
    /// with them.
    void add_orphans() {
        const auto is_lost = [this](std::uint32_t i) {
            return state_[i] == State::New && places_.at(tree_.nodes[i].id) == i;
        };
        std::vector<std::uint8_t> has_parent(tree_.nodes.size(), 0);
        const auto for_children = [this](std::uint32_t i, const auto& act) {
            const CaptureNode& node = tree_.nodes[i];
            for (std::uint32_t k = 0; k < node.child_count; ++k)
                if (const auto at = places_.find(tree_.children[node.first_child + k]); at != places_.end())
                    act(at->second);
        };
        for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i)
            if (is_lost(i)) for_children(i, [&](std::uint32_t child) { has_parent[child] = 1; });
        std::vector<CaptureDefect> tops, others;
        std::vector<std::uint8_t> is_counted(tree_.nodes.size(), 0);
        std::vector<std::uint32_t> stack;
        for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) {
            if (!is_lost(i)) continue;
            if (has_parent[i] != 0) {
                others.push_back({Kind::Orphan, tree_.nodes[i].id, 0, 0.0f});
                continue;
            }
            std::uint64_t below = 0;
            stack.assign(1, i);
            while (!stack.empty()) {
                const std::uint32_t at = stack.back();
                stack.pop_back();
                for_children(at, [&](std::uint32_t child) {
                    if (!is_lost(child) || std::exchange(is_counted[child], 1) != 0) return;
                    ++below;
                    stack.push_back(child);
                });
            }
            tops.push_back({Kind::Orphan, tree_.nodes[i].id, below, 0.0f});
        }
        std::stable_sort(tops.begin(), tops.end(),
                         [](const auto& a, const auto& b) { return a.other > b.other; });
        for (const CaptureDefect& defect : tops)
            add(defect);
        for (const CaptureDefect& defect : others)
            add(defect);
    }

    /// Goes through everything below the root once, depth first, and keeps the links that make a tree.
    void walk(std::uint32_t root) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> path{{root, 0}};  // Node, next child.
        enter(root);
        while (!path.empty()) {
            auto& [at, next] = path.back();
            const CaptureNode& node = tree_.nodes[at];
            if (next == node.child_count) {
                state_[at] = State::Done;
                path.pop_back();
                continue;
            }
            const std::uint32_t link = node.first_child + next++;
            const std::uint64_t id = tree_.children[link];
            const auto child = places_.find(id);
            if (child == places_.end()) {
                add({Kind::MissingChild, node.id, id, 0.0f});
            } else if (state_[child->second] != State::New) {
                const bool above = state_[child->second] == State::Open;
                add({above ? Kind::Cycle : Kind::SharedChild, node.id, id, 0.0f});
            } else {
                kept_[link] = child->second;
                const float by = excess(node.box, tree_.nodes[child->second].box);
                if (by > 0.0f) add({Kind::ChildOutside, node.id, id, by});
                enter(child->second);
                path.emplace_back(child->second, 0u);  // Ends the life of `at` and `next`.
            }
        }
    }

    void enter(std::uint32_t at) {
        state_[at] = State::Open;
        const CaptureNode& node = tree_.nodes[at];
        if (!node.box.is_finite()) add({Kind::BoxNotFinite, node.id, 0, 0.0f});
        for (std::uint32_t k = 0; k < node.payload_count; ++k) {
            const std::uint64_t id = tree_.payloads[node.first_payload + k];
            if (!payloads_.insert(id).second) add({Kind::SamePayload, node.id, id, 0.0f});
            const auto proxy = proxies_.find(id);
            if (proxy == proxies_.end()) continue;
            const float by = excess(node.box, proxy->second->tight);
            if (by > 0.0f) add({Kind::PayloadOutside, node.id, id, by});
        }
    }

    std::uint32_t append(std::uint32_t source, std::uint32_t parent) {
        bv::TreeSnapshot& t = result_.tree;
        t.boxes.push_back(tree_.nodes[source].box);
        t.parents.push_back(parent);
        t.first_child.push_back(kNone);
        t.child_count.push_back(0);
        t.depths.push_back(parent == kNone ? 0 : t.depths[parent] + 1);
        t.source_nodes.push_back(source);
        t.first_payload.push_back(static_cast<std::uint32_t>(t.payloads.size()));
        t.payload_count.push_back(0);
        return static_cast<std::uint32_t>(t.size() - 1);
    }

    void put_payloads(std::uint32_t at, const CaptureNode& node) {
        bv::TreeSnapshot& t = result_.tree;
        t.first_payload[at] = static_cast<std::uint32_t>(t.payloads.size());
        t.payload_count[at] = node.payload_count;
        for (std::uint32_t k = 0; k < node.payload_count; ++k) {
            const std::uint64_t id = tree_.payloads[node.first_payload + k];
            const auto proxy = proxies_.find(id);
            t.payloads.push_back(id);
            t.payload_boxes.push_back(proxy == proxies_.end() ? node.box : proxy->second->tight);
        }
    }

    /// Breadth first, so that siblings are adjacent. A leaf that was added for the payloads of an inner node
    /// is recognized by having its parent's source.
    void lay_out(std::uint32_t root) {
        bv::TreeSnapshot& t = result_.tree;
        append(root, kNone);
        for (std::uint32_t at = 0; at < t.size(); ++at) {
            const CaptureNode& node = tree_.nodes[t.source_nodes[at]];
            const bool is_added = at > 0 && t.source_nodes[t.parents[at]] == t.source_nodes[at];
            const auto first = static_cast<std::uint32_t>(t.size());
            for (std::uint32_t k = 0; k < node.child_count && !is_added; ++k)
                if (const std::uint32_t child = kept_[node.first_child + k]; child != kNone)
                    append(child, at);
            if (t.size() == first) {
                put_payloads(at, node);
                continue;
            }
            if (node.payload_count > 0) append(t.source_nodes[at], at);
            t.first_child[at] = first;
            t.child_count[at] = static_cast<std::uint32_t>(t.size()) - first;
        }
    }

    void repair_boxes() {
        bv::TreeSnapshot& t = result_.tree;
        const bv::Aabb point{glm::vec3(0.0f), glm::vec3(0.0f)};
        for (std::size_t at = t.size(); at-- > 0;) {
            for (std::uint32_t k = 0; k < t.payload_count[at]; ++k) {
                bv::Aabb& box = t.payload_boxes[t.first_payload[at] + k];
                if (!box.is_finite()) box = t.boxes[at].is_finite() ? t.boxes[at] : point;
            }
            if (t.boxes[at].is_finite()) continue;
            bv::Aabb all;
            for (std::uint32_t k = 0; k < t.child_count[at]; ++k)
                all = bv::merge(all, t.boxes[t.first_child[at] + k]);
            for (std::uint32_t k = 0; k < t.payload_count[at]; ++k)
                all = bv::merge(all, t.payload_boxes[t.first_payload[at] + k]);
            t.boxes[at] = all.is_finite() ? all : point;
        }
    }

    const CaptureTree& tree_;
    const ProxiesById& proxies_;
    std::size_t max_defects_;
    std::unordered_map<std::uint64_t, std::uint32_t> places_;
    std::unordered_set<std::uint64_t> payloads_;
    std::vector<State> state_;
    std::vector<std::uint32_t> kept_;  // The node that each link leads to; `kNone` for links that are cut.
    CaptureSnapshot result_;
};

}  // namespace

ProxiesById by_id(std::span<const CaptureProxy> proxies) {
    ProxiesById found;
    found.reserve(proxies.size());
    for (const CaptureProxy& proxy : proxies)
        found.emplace(proxy.id, &proxy);
    return found;
}

CaptureSnapshot snapshot_of(const CaptureTree& tree, const ProxiesById& proxies, std::size_t max_defects) {
    return SnapshotBuilder(tree, proxies, max_defects).build();
}

CaptureSnapshot snapshot_of(const CaptureTree& tree, std::span<const CaptureProxy> proxies,
                            std::size_t max_defects) {
    return snapshot_of(tree, by_id(proxies), max_defects);
}

std::string defect_text(const CaptureDefect& d) {
    switch (d.kind) {
        case Kind::NoRoot:
            return fmt::format("the root, node {}, is missing", d.node);
        case Kind::SameId:
            return fmt::format("several nodes have the id {}", d.node);
        case Kind::MissingChild:
            return fmt::format("node {} has the child {}, which is missing", d.node, d.other);
        case Kind::SharedChild:
            return fmt::format("node {} has the child {}, which has another parent, too", d.node, d.other);
        case Kind::Cycle:
            return fmt::format("node {} has the child {}, which is above it", d.node, d.other);
        case Kind::Orphan:
            if (d.other > 0)
                return fmt::format("node {} and the {} below it cannot be reached from the root", d.node,
                                   counted(d.other, "node", "nodes"));
            return fmt::format("node {} cannot be reached from the root", d.node);
        case Kind::SamePayload:
            return fmt::format("node {} has the payload {}, which another node has, too", d.node, d.other);
        case Kind::BoxNotFinite:
            return fmt::format("the box of node {} is empty or not finite", d.node);
        case Kind::ChildOutside:
            return fmt::format("the box of node {} does not contain its child {} by {:.4g} m", d.node,
                               d.other, d.by);
        case Kind::PayloadOutside:
            return fmt::format("the box of node {} does not contain its payload {} by {:.4g} m", d.node,
                               d.other, d.by);
    }
    return {};
}

}  // namespace lab::io
