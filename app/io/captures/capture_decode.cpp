#include "io/captures/capture_decode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/limits.hpp"
#include "io/text/printable.hpp"

namespace lab::io {
namespace {

constexpr std::size_t kNotes = 100;

/// "99 created (there are 0), 2 marks (there are 3)"; empty if the counts are equal.
std::string difference(const CaptureCounts& said, const CaptureCounts& found) {
    std::string text;
    const auto compare = [&text](const char* what, std::uint64_t one, std::uint64_t other) {
        if (one != other)
            text += fmt::format("{}{} {} instead of {}", text.empty() ? "" : ", ", what, one, other);
    };
    compare("created", said.created, found.created);
    compare("moved", said.moved, found.moved);
    compare("removed", said.removed, found.removed);
    compare("queries", said.queries, found.queries);
    compare("marks", said.marks, found.marks);
    compare("trees", said.trees, found.trees);
    compare("nodes", said.nodes, found.nodes);
    return text;
}

}  // namespace

void CaptureDecoder::begin_frame(CaptureFrame* frame) {
    frame_ = frame;
    in_tree_ = false;
    records_ = results_ = 0;
    frame_nodes_ = 0;
    counts_ = {};
    state_size_.reset();
    tree_ = {};
    tree_names_ = {};
    claims_.clear();
}

void CaptureDecoder::end_frame(const std::optional<CaptureCounts>& said, std::uint64_t byte) {
    end_state();
    if (in_tree_) close_tree(false);
    if (!frame_) return;
    if (said && !(*said == counts_))
        note(byte, "the end of the frame has wrong counts: " + difference(*said, counts_));
    frame_->proxies = proxies_;
    frame_->names = names_;
}

void CaptureDecoder::note(std::uint64_t byte, const std::string& what) {
    if (frame_ && frame_->notes.size() < kNotes)
        frame_->notes.push_back(printable(fmt::format("byte {}: {}", byte, what)));
}

void CaptureDecoder::count_record(CaptureBytes& in, std::uint64_t start) {
    // Without a frame to fill, records cost no memory.
    if (frame_ && ++records_ > limits::kCaptureRecords)
        in.refuse(start, fmt::format("the frame has more than {} events, queries, marks and trees",
                                     limits::kCaptureRecords));
}

// ---- proxies

bv::Aabb CaptureDecoder::grown(const bv::Aabb& tight) const {
    return {tight.min - margin_, tight.max + margin_};
}

CaptureProxy* CaptureDecoder::find(std::uint64_t id) {
    const auto at = places_.find(id);
    return at == places_.end() ? nullptr : &proxies_[at->second];
}

void CaptureDecoder::set_name(std::uint64_t id, std::string name) {
    // Frames share the names: they are copied before they change.
    if (names_.use_count() > 1) names_ = std::make_shared<CaptureNames>(*names_);
    const auto old = names_->find(id);
    if (old != names_->end()) {
        name_bytes_ -= old->second.size();
        names_->erase(old);
    }
    if (name.empty() || name_bytes_ + name.size() > limits::kCaptureNameBytes) return;
    name_bytes_ += name.size();
    names_->emplace(id, std::move(name));
}

void CaptureDecoder::put(const CaptureProxy& proxy, std::string name) {
    const auto [at, is_new] = places_.emplace(proxy.id, proxies_.size());
    if (is_new)
        proxies_.push_back(proxy);
    else
        proxies_[at->second] = proxy;
    if (!name.empty() || names_->contains(proxy.id)) set_name(proxy.id, std::move(name));
}

void CaptureDecoder::forget(std::uint64_t id) {
    const auto at = places_.find(id);
    if (at == places_.end()) return;
    const std::size_t place = at->second;
    places_.erase(at);
    if (place + 1 != proxies_.size()) {
        proxies_[place] = proxies_.back();
        places_[proxies_[place].id] = place;
    }
    proxies_.pop_back();
    if (names_->contains(id)) set_name(id, {});
}

CaptureProxy CaptureDecoder::read_proxy(CaptureBytes& in, std::uint64_t& last_id, std::string& name) {
    const std::uint64_t start = in.byte();
    const unsigned flags = in.u8();
    CaptureProxy proxy;
    if (flags > 15 || (flags & 3u) == 0)
        in.refuse(start, fmt::format("a proxy has the unknown flags {}", flags));
    proxy.id = last_id = in.delta(last_id);
    proxy.tight = proxy.fat = in.box();
    if ((flags & 3u) == 1) proxy.fat = in.box();
    if ((flags & 3u) == 3) proxy.fat = grown(proxy.tight);
    if (flags & 4u) proxy.tag = static_cast<std::uint32_t>(in.var(0xffffffffu, "a tag"));
    name = flags & 8u ? in.text(kCaptureNameBytes) : std::string();
    if (in.good() && proxies_.size() >= limits::kCaptureProxies && !places_.contains(proxy.id))
        in.refuse(start, fmt::format("more than {} proxies", limits::kCaptureProxies));
    return proxy;
}

std::optional<CaptureProblem> CaptureDecoder::state(CaptureBytes in) {
    const std::uint64_t start = in.byte();
    const unsigned part = in.u8();
    if (part > 1) in.refuse(start, fmt::format("a state begins with {} instead of 0 or 1", part));
    if (part == 1) {
        end_state();
        proxies_.clear();
        places_.clear();
        if (!names_->empty()) names_ = std::make_shared<CaptureNames>();
        name_bytes_ = 0;
        state_size_ = {in.var(), start};
    }
    std::uint64_t last_id = 0;
    std::string name;
    while (!in.at_end()) {
        const CaptureProxy proxy = read_proxy(in, last_id, name);
        if (in.good()) put(proxy, std::move(name));
    }
    return in.problem();
}

/// All of the state has been read, if there was one.
void CaptureDecoder::end_state() {
    if (state_size_ && state_size_->first != proxies_.size())
        note(state_size_->second, fmt::format("the state has {} proxies, its beginning says {}",
                                              proxies_.size(), state_size_->first));
    state_size_.reset();
}

// ---- events

void CaptureDecoder::add_event(CaptureEvent::Kind kind, const CaptureProxy& proxy) {
    if (frame_) frame_->events.push_back({kind, proxy, {}, {}});
}

void CaptureDecoder::move(CaptureBytes& in, unsigned bits, std::uint64_t& last_id) {
    const std::uint64_t start = in.byte();
    last_id = in.delta(last_id);
    const CaptureProxy* known = find(last_id);
    CaptureProxy proxy = known ? *known : CaptureProxy{last_id, {}, {}, 0};
    if (bits & 1u) proxy.tight = in.box();
    const unsigned fat = bits >> 1;
    if (fat == 1) proxy.fat = in.box();
    if (fat == 2) proxy.fat = proxy.tight;
    if (fat == 3) proxy.fat = grown(proxy.tight);
    if (!in.good()) return;
    if (!known) {
        note(start, fmt::format("proxy {} moves, but does not exist", last_id));
        return;
    }
    if (frame_) frame_->events.push_back({CaptureEvent::Kind::Moved, proxy, known->tight, known->fat});
    proxies_[places_[last_id]] = proxy;
}

void CaptureDecoder::remove(CaptureBytes& in, std::uint64_t& last_id) {
    const std::uint64_t start = in.byte();
    last_id = in.delta(last_id);
    if (!in.good()) return;
    if (const CaptureProxy* known = find(last_id)) {
        add_event(CaptureEvent::Kind::Removed, *known);
        forget(last_id);
    } else {
        note(start, fmt::format("proxy {} is removed, but does not exist", last_id));
    }
}

void CaptureDecoder::query(CaptureBytes& in, CaptureQuery::Kind kind) {
    const std::uint64_t start = in.byte();
    CaptureQuery query;
    query.kind = kind;
    if (kind == CaptureQuery::Kind::Ray) {
        query.origin = in.vec3();
        query.direction = in.vec3();
        query.t_max = in.f32();
    } else {
        query.box = in.box();
        if (kind == CaptureQuery::Kind::Cast) query.direction = in.vec3();
    }
    query.tree = static_cast<std::uint32_t>(in.var(0xffffffffu, "the number of a tree"));
    query.nodes_visited = static_cast<std::uint32_t>(in.var(0xffffffffu, "the number of visited nodes"));
    query.boxes_tested = static_cast<std::uint32_t>(in.var(0xffffffffu, "the number of tested boxes"));
    query.found = in.ids();
    query.visited = in.ids();
    results_ += query.found.size() + query.visited.size();
    if (frame_ && results_ > limits::kCaptureResults)
        in.refuse(start, fmt::format("the queries of the frame have more than {} results and visited nodes",
                                     limits::kCaptureResults));
    if (!in.good() || !frame_) return;
    query.after_events = frame_->events.size();
    frame_->queries.push_back(std::move(query));
}

std::optional<CaptureProblem> CaptureDecoder::events(CaptureBytes in) {
    end_state();
    std::uint64_t last_id = 0;
    while (!in.at_end()) {
        const std::uint64_t start = in.byte();
        const unsigned code = in.u8();
        count_record(in, start);
        if (!in.good()) break;
        std::string text;
        if (code >= 0x40 && code < 0x48) {
            ++counts_.moved;
            move(in, code & 7u, last_id);
        } else if (code >= 0x10 && code <= 0x12) {
            ++counts_.queries;
            query(in, static_cast<CaptureQuery::Kind>(code - 0x10));
        } else if (code == 1) {
            ++counts_.created;
            const CaptureProxy proxy = read_proxy(in, last_id, text);
            if (!in.good()) break;
            if (find(proxy.id)) note(start, fmt::format("proxy {} is created twice", proxy.id));
            put(proxy, std::move(text));
            add_event(CaptureEvent::Kind::Created, proxy);
        } else if (code == 2) {
            ++counts_.removed;
            remove(in, last_id);
        } else if (code == 3) {
            last_id = in.delta(last_id);
            text = in.text(kCaptureNameBytes);
            if (in.good() && find(last_id)) set_name(last_id, std::move(text));
        } else if (code == 0x20) {
            ++counts_.marks;
            text = in.text(kCaptureMarkBytes);
            if (in.good() && frame_) frame_->marks.push_back(std::move(text));
        } else {
            in.refuse(start, fmt::format("a record begins with {}, which has no meaning", code));
        }
    }
    return in.problem();
}

// ---- trees

/// Gives nodes the children that follow them in the list. False if some do not.
bool CaptureDecoder::resolve_claims() {
    std::vector<CaptureNode>& nodes = tree_.nodes;
    const auto count = static_cast<std::uint32_t>(nodes.size());
    bool is_complete = true;
    for (const Claim& claim : claims_) {
        CaptureNode& node = nodes[claim.node];
        const std::uint32_t there = count - std::min(claim.first, count);
        is_complete = is_complete && node.child_count <= there;
        node.child_count = std::min(node.child_count, there);
        node.first_child = static_cast<std::uint32_t>(tree_.children.size());
        for (std::uint32_t k = 0; k < node.child_count; ++k)
            tree_.children.push_back(nodes[claim.first + k].id);
    }
    // Children come later than their parents, so their boxes are known first.
    for (auto claim = claims_.rbegin(); claim != claims_.rend(); ++claim) {
        CaptureNode& node = nodes[claim->node];
        if (!claim->has_their_box || node.child_count == 0) continue;
        node.box = nodes[claim->first].box;
        for (std::uint32_t k = 1; k < node.child_count; ++k)
            node.box = bv::merge(nodes[claim->first + k].box, node.box);
    }
    return is_complete;
}

void CaptureDecoder::close_tree(bool complete) {
    in_tree_ = false;
    tree_.is_complete = resolve_claims() && complete;
    if (frame_) frame_->trees.push_back(std::move(tree_));
    tree_ = {};
    claims_.clear();
}

bv::Aabb CaptureDecoder::payload_box(CaptureBytes& in, unsigned code, const CaptureNode& node,
                                     std::uint64_t payload) {
    const CaptureProxy* proxy = node.payload_count == 1 ? find(payload) : nullptr;
    if (!proxy) {
        in.refuse(in.byte(),
                  node.payload_count == 1
                      ? fmt::format("a node has the box of proxy {}, which does not exist", payload)
                      : "a node has the box of its only payload, but no or several payloads");
        return {};
    }
    return code == 2 ? proxy->fat : proxy->tight;
}

void CaptureDecoder::read_node(CaptureBytes& in, unsigned flags, std::uint64_t& last_id,
                               std::uint64_t& last_payload) {
    const std::uint64_t start = in.byte();
    const unsigned shape = flags >> 3, code = flags & 3u;
    const bool claims = (flags & 4u) != 0;
    CaptureNode node;
    node.id = last_id = in.delta(last_id);
    std::uint64_t children = shape == 1 ? 2 : 0, payloads = shape == 0 ? 1 : 0;
    if (shape == 2) {
        children = in.var();
        payloads = in.var();
    }
    // Each listed id takes a byte at least.
    if (in.good() &&
        ((claims ? children > limits::kTreeNodes : children > in.left()) || payloads > in.left()))
        in.refuse(start, fmt::format("node {} has {} children and {} payloads, more than there can be here",
                                     node.id, children, payloads));
    if (in.good() && claims && next_claim_ <= tree_.nodes.size())
        in.refuse(start, fmt::format("node {} would be its own child or that of a later one", node.id));
    if (in.good() && code == 1 && (!claims || children == 0))
        in.refuse(start,
                  fmt::format("node {} has the box of its children, but lists them or has none", node.id));
    frame_nodes_ += 1 + payloads + (claims ? 0 : children);
    if (frame_nodes_ > 2 * limits::kTreeNodes || next_claim_ > 2 * limits::kTreeNodes)
        in.refuse(start, fmt::format("the trees of a frame have more than {} nodes, links and payloads",
                                     2 * limits::kTreeNodes));
    if (!in.good()) return;
    node.child_count = static_cast<std::uint32_t>(children);
    node.payload_count = static_cast<std::uint32_t>(payloads);
    node.first_child = static_cast<std::uint32_t>(tree_.children.size());
    node.first_payload = static_cast<std::uint32_t>(tree_.payloads.size());
    std::uint64_t before = node.id;
    for (std::uint64_t i = 0; i < children && !claims && in.good(); ++i)
        tree_.children.push_back(before = in.delta(before));
    for (std::uint64_t i = 0; i < payloads && in.good(); ++i)
        tree_.payloads.push_back(last_payload = in.delta(last_payload));
    if (code == 0) node.box = in.box();
    if (code >= 2) node.box = payload_box(in, code, node, last_payload);
    if (!in.good()) return;
    if (claims) {
        claims_.push_back({static_cast<std::uint32_t>(tree_.nodes.size()),
                           static_cast<std::uint32_t>(next_claim_), code == 1});
        next_claim_ += children;
    }
    tree_.nodes.push_back(node);
    ++counts_.nodes;
}

std::optional<CaptureProblem> CaptureDecoder::tree(CaptureBytes in) {
    const std::uint64_t start = in.byte();
    const unsigned part = in.u8();
    if (part > 1) in.refuse(start, fmt::format("a tree begins with {} instead of 0 or 1", part));
    if (part == 1) {
        count_record(in, start);
        if (!in.good()) return in.problem();
        if (in_tree_) close_tree(false);
        in_tree_ = true;
        ++counts_.trees;
        next_claim_ = 1;
        tree_.root = in.var();
        tree_.name = in.text(kCaptureNameBytes);
        if (frame_) tree_.name = tree_names_.take(tree_.name.empty() ? "tree" : tree_.name);
    } else if (!in_tree_) {
        in.refuse(start, "a tree continues that has not begun");
    }
    std::uint64_t last_id = 0, last_payload = 0;
    while (!in.at_end()) {
        const std::uint64_t at = in.byte();
        const unsigned flags = in.u8();
        if (flags >= 0xfe) {
            const std::uint64_t count = in.var();
            if (in.good() && count != tree_.nodes.size())
                note(at, fmt::format("tree \"{}\" has {} nodes, its end says {}", tree_.name,
                                     tree_.nodes.size(), count));
            if (!in.at_end()) in.refuse(in.byte(), "something follows the end of a tree");
            if (in.good()) close_tree(flags == 0xff && count == tree_.nodes.size());
            break;
        }
        if (flags > 23) in.refuse(at, fmt::format("a node has the unknown flags {}", flags));
        read_node(in, flags, last_id, last_payload);
    }
    return in.problem();
}

}  // namespace lab::io
