// Writes the log of a DynamicTree and steps along it.
#include "bv/tree/operation_log.hpp"

#include <algorithm>
#include <cstring>

#include "tree/box_math.hpp"

namespace bv {

namespace {

// The bits, so that undoing gives back a negative zero too.
template <class T>
bool same_bits(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;  // NOLINT(bugprone-suspicious-memory-comparison)
}

// Whether a swap pays follows from the boxes: it is not part of a node's state.
bool same_bits(detail::TreeNode a, detail::TreeNode b) {
    a.settled = b.settled = 0;
    return std::memcmp(&a, &b, sizeof a) == 0;  // NOLINT(bugprone-suspicious-memory-comparison)
}

// Compares entries that exist only on one side with a default one.
template <class T, class Change>
void differences(const detail::LargeVector<T>& before, const detail::LargeVector<T>& after,
                 std::vector<Change>& out) {
    const std::size_t count = std::max(before.size(), after.size());
    for (std::size_t i = 0; i < count; ++i) {
        const T b = i < before.size() ? before[i] : T{};
        const T a = i < after.size() ? after[i] : T{};
        if (i >= before.size() || i >= after.size() || !same_bits(a, b))
            out.push_back({static_cast<std::uint32_t>(i), b, a});
    }
}

double inner_area(const detail::LargeVector<detail::TreeNode>& nodes, std::uint32_t root) {
    double sum = 0.0;
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
        if (!nodes[i].is_leaf() && i != root) sum += 2.0 * double{detail::half_area(nodes[i].box)};
    return sum;
}

}  // namespace

void DynamicTree::set_log(OperationLog* log) {
    log_.pointer = log;
    if (!log) return;
    log->entries_.clear();
    log->position_ = 0;
    log->dropped_ = 0;
    log->nodes_ = nodes_;
    log->proxies_ = proxies_;
    log->places_ = places_;
    log->scalars_ = {nodes_.size(), proxies_.size(), root_, free_node_, free_proxy_, proxy_count_, updates_};
    log->area_ = inner_area(nodes_, root_);
}

void DynamicTree::log(Operation operation, std::uint32_t node, std::uint32_t proxy) {
    OperationLog* const log = log_.pointer;
    if (!log) return;
    // A new operation discards those that were undone.
    log->entries_.erase(log->entries_.begin() + static_cast<std::ptrdiff_t>(log->position_),
                        log->entries_.end());
    OperationLog::Step step;
    step.before = log->scalars_;
    step.after = {nodes_.size(), proxies_.size(), root_, free_node_, free_proxy_, proxy_count_, updates_};
    differences(log->nodes_, nodes_, step.nodes);
    differences(log->proxies_, proxies_, step.proxies);
    differences(log->places_, places_, step.places);
    step.entry.operation = operation;
    step.entry.node = NodeIndex{node};
    step.entry.proxy = proxy;
    step.entry.area_before = log->area_;
    step.entry.area_after = inner_area(nodes_, root_);
    for (const auto& change : step.nodes)
        step.entry.nodes.push_back(change.index);
    log->nodes_ = nodes_;
    log->proxies_ = proxies_;
    log->places_ = places_;
    log->scalars_ = step.after;
    log->area_ = step.entry.area_after;
    log->entries_.push_back(std::move(step));
    if (log->entries_.size() > log->capacity_) {
        log->entries_.pop_front();
        ++log->dropped_;
    }
    log->position_ = log->entries_.size();
}

bool DynamicTree::step_log(bool forward) {
    OperationLog* const log = log_.pointer;
    if (!log || being_visited()) return false;
    if (forward ? log->position_ >= log->entries_.size() : log->position_ == 0) return false;
    if (!forward) --log->position_;
    const OperationLog::Step& step = log->entries_[log->position_];
    if (forward) ++log->position_;
    const OperationLog::Scalars& s = forward ? step.after : step.before;
    nodes_.resize(s.node_count);
    proxies_.resize(s.proxy_count);
    places_.resize(s.proxy_count);
    const auto apply = [forward](const auto& changes, auto& to) {
        for (const auto& change : changes)
            if (change.index < to.size()) to[change.index] = forward ? change.after : change.before;
    };
    apply(step.nodes, nodes_);
    apply(step.proxies, proxies_);
    apply(step.places, places_);
    for (Node& n : nodes_)
        n.settled = 0;
    root_ = s.root;
    free_node_ = s.free_node;
    free_proxy_ = s.free_proxy;
    proxy_count_ = s.used;
    updates_ = s.updates;
    log->nodes_ = nodes_;
    log->proxies_ = proxies_;
    log->places_ = places_;
    log->scalars_ = s;
    log->area_ = forward ? step.entry.area_after : step.entry.area_before;
    return true;
}

bool DynamicTree::undo() {
    return step_log(false);
}
bool DynamicTree::redo() {
    return step_log(true);
}

}  // namespace bv
