// A made-up engine for tests of captures: makes random frames through bv_capture.h and remembers what a
// reader must find in each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bv/capture/bv_capture.h"
#include "io/captures/capture.hpp"
#include "workloads/random.hpp"

namespace lab::test {

using bv::workloads::Random;

inline bv_capture_bounds bounds_of(const bv::Aabb& box) {
    return bv_capture_box(&box.min.x, &box.max.x);
}

inline bool same_bits(const bv::Aabb& a, const bv::Aabb& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

struct ExpectedFrame {
    std::map<std::uint64_t, io::CaptureProxy> proxies;
    std::map<std::uint64_t, std::string> names;
    std::vector<io::CaptureEvent> events;
    std::vector<io::CaptureQuery> queries;
    std::vector<std::string> marks;
    std::vector<io::CaptureTree> trees;
};

/// What `a` and `b` differ in, or empty.
inline std::string difference(const ExpectedFrame& expected, const io::CaptureFrame& read) {
    using io::CaptureProxy;
    const auto same_proxy = [](const CaptureProxy& a, const CaptureProxy& b) {
        return a.id == b.id && a.tag == b.tag && same_bits(a.tight, b.tight) && same_bits(a.fat, b.fat);
    };
    if (!read.notes.empty()) return "note: " + read.notes.front();
    if (expected.proxies.size() != read.proxies.size()) return "number of proxies";
    for (const CaptureProxy& proxy : read.proxies) {
        const auto at = expected.proxies.find(proxy.id);
        if (at == expected.proxies.end() || !same_proxy(at->second, proxy))
            return "proxy " + std::to_string(proxy.id);
    }
    if (*read.names != expected.names) return "names";
    if (expected.events.size() != read.events.size()) return "number of events";
    for (std::size_t i = 0; i < read.events.size(); ++i)
        if (read.events[i].kind != expected.events[i].kind ||
            !same_proxy(read.events[i].proxy, expected.events[i].proxy) ||
            !same_bits(read.events[i].tight_was, expected.events[i].tight_was) ||
            !same_bits(read.events[i].fat_was, expected.events[i].fat_was))
            return "event " + std::to_string(i);
    if (expected.marks != read.marks) return "marks";
    if (expected.queries.size() != read.queries.size()) return "number of queries";
    for (std::size_t i = 0; i < read.queries.size(); ++i) {
        const io::CaptureQuery &a = expected.queries[i], &b = read.queries[i];
        if (a.kind != b.kind || !same_bits(a.box, b.box) || a.origin != b.origin ||
            a.direction != b.direction || a.t_max != b.t_max || a.tree != b.tree ||
            a.nodes_visited != b.nodes_visited || a.boxes_tested != b.boxes_tested || a.found != b.found ||
            a.visited != b.visited || a.after_events != b.after_events)
            return "query " + std::to_string(i);
    }
    if (expected.trees.size() != read.trees.size()) return "number of trees";
    for (std::size_t t = 0; t < read.trees.size(); ++t) {
        const io::CaptureTree &a = expected.trees[t], &b = read.trees[t];
        const std::string where = "tree " + std::to_string(t);
        if (a.name != b.name || a.root != b.root || a.is_complete != b.is_complete ||
            a.nodes.size() != b.nodes.size())
            return where;
        const auto listed = [](const std::vector<std::uint64_t>& all, std::uint32_t first,
                               std::uint32_t count) {
            return std::vector<std::uint64_t>(all.begin() + first, all.begin() + first + count);
        };
        for (std::size_t i = 0; i < a.nodes.size(); ++i) {
            const io::CaptureNode &n = a.nodes[i], &m = b.nodes[i];
            if (n.id != m.id || !same_bits(n.box, m.box) ||
                listed(a.children, n.first_child, n.child_count) !=
                    listed(b.children, m.first_child, m.child_count) ||
                listed(a.payloads, n.first_payload, n.payload_count) !=
                    listed(b.payloads, m.first_payload, m.payload_count))
                return where + " node " + std::to_string(i);
        }
    }
    return {};
}

class CaptureModel {
  public:
    static constexpr float kMargin = 0.1f;

    CaptureModel(bv_capture* capture, std::uint64_t seed) : capture_(capture), random_(seed) {}

    /// Every status but BV_CAPTURE_OK that a call gave.
    std::set<bv_capture_status> complaints;
    std::vector<ExpectedFrame> frames;

    void frame(int changes) {
        note(bv_capture_frame(capture_, 0.25 * static_cast<double>(frames.size())));
        ExpectedFrame next;
        if (!frames.empty()) {
            next.proxies = frames.back().proxies;
            next.names = frames.back().names;
        }
        for (int i = 0; i < changes; ++i)
            change(next);
        const std::uint32_t trees = random_.below(3);
        for (std::uint32_t i = 0; i < trees; ++i)
            tree(next, random_.chance(0.7f));
        frames.push_back(std::move(next));
    }

  private:
    void note(bv_capture_status status) {
        if (status != BV_CAPTURE_OK) complaints.insert(status);
    }

    bv::Aabb random_box() {
        const glm::vec3 low = random_.in_box(glm::vec3(-50.0f), glm::vec3(50.0f));
        bv::Aabb box{low, low + random_.in_box(glm::vec3(0.0f), glm::vec3(3.0f))};
        if (random_.chance(0.02f)) box.min[static_cast<int>(random_.below(3))] = std::nanf("");
        if (random_.chance(0.02f)) box.max.x = -std::numeric_limits<float>::infinity();
        if (random_.chance(0.02f)) box = {glm::vec3(0.0f), glm::vec3(-0.0f)};
        return box;
    }
    bv::Aabb fat_of(const bv::Aabb& tight) {
        if (random_.chance(0.2f)) return tight;
        if (random_.chance(0.2f)) return random_box();
        return {tight.min - kMargin, tight.max + kMargin};
    }
    std::uint64_t random_id() {
        switch (random_.below(3)) {
            case 0:
                return random_.below(64);
            case 1:
                return 0x7f0000000000u + 64u * random_.below(2000);
            default:
                return (std::uint64_t{random_.next_u32()} << 32) | random_.next_u32();
        }
    }
    std::uint64_t known_id(const ExpectedFrame& f) {
        auto at = f.proxies.begin();
        std::advance(at, random_.below(static_cast<std::uint32_t>(f.proxies.size())));
        return at->first;
    }

    void change(ExpectedFrame& f) {
        using Kind = io::CaptureEvent::Kind;
        const std::uint32_t what = random_.below(20);
        if (f.proxies.empty() || what < 4) {
            io::CaptureProxy p{random_id(), random_box(), {}, random_.chance(0.5f) ? random_.next_u32() : 0};
            if (f.proxies.contains(p.id)) return;
            p.fat = fat_of(p.tight);
            const std::string name = random_.chance(0.3f) ? std::string(1 + random_.below(255), 'n') : "";
            note(bv_capture_create(capture_, p.id, bounds_of(p.tight), bounds_of(p.fat), p.tag,
                                   name.empty() ? nullptr : name.c_str()));
            f.proxies[p.id] = p;
            if (!name.empty()) f.names[p.id] = name;
            f.events.push_back({Kind::Created, p, {}, {}});
        } else if (what < 5) {
            const io::CaptureProxy p = f.proxies.at(known_id(f));
            note(bv_capture_remove(capture_, p.id));
            f.proxies.erase(p.id);
            f.names.erase(p.id);
            f.events.push_back({Kind::Removed, p, {}, {}});
        } else if (what < 6) {
            const std::uint64_t id = known_id(f);
            const bool keep = random_.chance(0.5f);
            note(bv_capture_name(capture_, id, keep ? "renamed" : nullptr));
            if (keep)
                f.names[id] = "renamed";
            else
                f.names.erase(id);
        } else if (what < 7) {
            const std::string text = "mark " + std::to_string(random_.below(1000));
            note(bv_capture_mark(capture_, text.c_str()));
            f.marks.push_back(text);
        } else if (what < 10) {
            query(f);
        } else {
            io::CaptureProxy& p = f.proxies.at(known_id(f));
            const io::CaptureProxy was = p;
            if (random_.chance(0.8f)) p.tight = random_box();
            if (random_.chance(0.5f)) p.fat = fat_of(p.tight);
            note(bv_capture_move(capture_, p.id, bounds_of(p.tight), bounds_of(p.fat)));
            f.events.push_back({Kind::Moved, p, was.tight, was.fat});
        }
    }

    void query(ExpectedFrame& f) {
        io::CaptureQuery q;
        q.kind = static_cast<io::CaptureQuery::Kind>(random_.below(3));
        q.tree = random_.below(3);
        q.nodes_visited = random_.below(1000);
        q.boxes_tested = random_.next_u32();
        for (std::uint32_t i = random_.below(5); i > 0; --i)
            q.found.push_back(random_id());
        for (std::uint32_t i = random_.below(5); i > 0; --i)
            q.visited.push_back(random_id());
        q.after_events = f.events.size();
        const bv_capture_result result{q.tree,         q.nodes_visited,  q.boxes_tested,  q.found.data(),
                                       q.found.size(), q.visited.data(), q.visited.size()};
        if (q.kind == io::CaptureQuery::Kind::Ray) {
            q.origin = random_.in_ball();
            q.direction = random_.direction();
            q.t_max = random_.uniform(0.0f, 100.0f);
            note(bv_capture_query_ray(capture_, &q.origin.x, &q.direction.x, q.t_max, &result));
        } else {
            q.box = random_box();
            if (q.kind == io::CaptureQuery::Kind::Cast) q.direction = random_.in_ball();
            note(q.kind == io::CaptureQuery::Kind::Box
                     ? bv_capture_query_box(capture_, bounds_of(q.box), &result)
                     : bv_capture_query_cast(capture_, bounds_of(q.box), &q.direction.x, &result));
        }
        f.queries.push_back(q);
    }

    struct Built {
        std::uint64_t id;
        bv::Aabb box;
        std::vector<std::uint64_t> children, payloads;
    };

    /// Any arity; boxes around the children, of the proxies, or at random. By levels, as bv_capture_tree
    /// takes them, or in any order with payloads anywhere, as bv_capture_node does.
    void tree(ExpectedFrame& f, bool by_levels) {
        std::vector<Built> level;
        std::uint64_t id = random_.chance(0.5f) ? 1 : 0x560000000000u;
        const std::uint64_t step = id == 1 ? 1 : 48;
        for (const auto& [proxy, p] : f.proxies) {
            Built leaf{id += step, random_.chance(0.8f) ? p.fat : p.tight, {}, {proxy}};
            if (random_.chance(0.1f)) leaf.payloads[0] = random_id();
            if (!by_levels && random_.chance(0.1f)) leaf.payloads.push_back(random_id());
            if (random_.chance(0.1f)) leaf.box = random_box();
            level.push_back(leaf);
        }
        std::vector<Built> nodes = joined(std::move(level), !by_levels, id, step);
        if (!by_levels)
            for (std::size_t i = nodes.size(); i > 1; --i)
                std::swap(nodes[i - 1], nodes[random_.below(static_cast<std::uint32_t>(i))]);
        io::CaptureTree t;
        t.name = (random_.chance(0.5f) ? "dynamic " : "static ") + std::to_string(f.trees.size());
        t.root = by_levels ? (nodes.empty() ? 0 : nodes[0].id) : id;
        t.is_complete = by_levels || random_.chance(0.9f);
        for (const Built& node : nodes) {
            t.nodes.push_back({node.id, node.box, static_cast<std::uint32_t>(t.children.size()),
                               static_cast<std::uint32_t>(node.children.size()),
                               static_cast<std::uint32_t>(t.payloads.size()),
                               static_cast<std::uint32_t>(node.payloads.size())});
            t.children.insert(t.children.end(), node.children.begin(), node.children.end());
            t.payloads.insert(t.payloads.end(), node.payloads.begin(), node.payloads.end());
        }
        send(t, nodes, by_levels);
        f.trees.push_back(std::move(t));
    }

    void send(const io::CaptureTree& t, const std::vector<Built>& nodes, bool by_levels) {
        if (by_levels) {
            std::vector<bv_capture_tree_node> list;
            for (const Built& node : nodes)
                list.push_back({node.id, bounds_of(node.box), node.payloads.empty() ? 0 : node.payloads[0],
                                static_cast<std::uint32_t>(node.children.size())});
            note(bv_capture_tree(capture_, t.name.c_str(), list.data(), list.size()));
            return;
        }
        note(bv_capture_tree_begin(capture_, t.name.c_str(), t.root));
        for (const Built& node : nodes)
            note(bv_capture_node(capture_, node.id, bounds_of(node.box), node.children.data(),
                                 node.children.size(), node.payloads.data(), node.payloads.size()));
        note(t.is_complete ? bv_capture_tree_end(capture_) : bv_capture_tree_end_incomplete(capture_));
    }

    /// Joins the leaves into groups until one node is left. All nodes, level by level.
    std::vector<Built> joined(std::vector<Built> leaves, bool inner_payloads, std::uint64_t& id,
                              std::uint64_t step) {
        std::map<std::uint64_t, Built> all;
        while (leaves.size() > 1) {
            const std::size_t limit = 2 + random_.below(random_.chance(0.3f) ? 7 : 1);
            const std::size_t arity = std::min(leaves.size(), limit);
            Built parent{id += step, leaves[leaves.size() - arity].box, {}, {}};
            for (std::size_t i = leaves.size() - arity; i < leaves.size(); ++i) {
                parent.children.push_back(leaves[i].id);
                // Both orders, whose results differ for numbers that compare equal or not at all; one of them
                // is that of the format.
                parent.box = random_.chance(0.7f) ? bv::merge(leaves[i].box, parent.box)
                                                  : bv::merge(parent.box, leaves[i].box);
                all[leaves[i].id] = leaves[i];
            }
            if (random_.chance(0.1f)) parent.box = random_box();
            if (inner_payloads && random_.chance(0.1f)) parent.payloads.push_back(random_id());
            leaves.resize(leaves.size() - arity);
            leaves.insert(leaves.begin() + random_.below(static_cast<std::uint32_t>(leaves.size() + 1)),
                          parent);
        }
        std::vector<Built> order = leaves;
        for (std::size_t i = 0; i < order.size(); ++i)
            for (const std::uint64_t child : std::vector<std::uint64_t>(order[i].children))
                order.push_back(all[child]);
        return order;
    }

    bv_capture* capture_;
    Random random_;
};

/// The bytes of a capture to memory, which is finished and closed.
inline std::vector<std::uint8_t> finished_bytes(bv_capture* capture) {
    bv_capture_finish(capture);
    std::vector<std::uint8_t> bytes;
    std::uint8_t part[10'007];
    while (const std::size_t got = bv_capture_take(capture, part, sizeof part))
        bytes.insert(bytes.end(), part, part + got);
    bv_capture_close(capture);
    return bytes;
}

}  // namespace lab::test
