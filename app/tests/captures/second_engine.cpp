#include "second_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "bv/capture/bv_capture.h"
#include "bv/tree/dynamic_tree.hpp"
#include "workloads/random.hpp"

namespace lab::capture {
namespace {

using bv::workloads::Random;

struct Node {
    std::uint64_t id = 0;
    bv::Aabb box = {};
    std::uint64_t body = 0;
    std::vector<int> children = {};
    std::vector<std::uint64_t> bodies = {};  ///< Of a leaf that stands for a subtree.
};

bv_capture_bounds bounds(const bv::Aabb& box) {
    return bv_capture_box(&box.min.x, &box.max.x);
}

class Engine {
  public:
    Engine(const Plan& plan, std::uint64_t seed)
        : plan_(plan),
          random_(seed, 0x5ec0),
          tree_(plan.options),
          fixed_(plan.options),
          extent_(plan.extent * plan.unit) {}

    std::vector<std::uint8_t> run() {
        const bv_capture_config config{"second engine", plan_.name.c_str(),
                                       plan_.ground == Ground::Planar ? 2u : 3u, 0.0f,
                                       std::size_t{256} << 20};
        const std::unique_ptr<bv_capture, void (*)(bv_capture*)> capture(
            bv_capture_to_memory(&config, nullptr), [](bv_capture* c) { (void)bv_capture_close(c); });
        if (!capture) return {};
        std::vector<std::uint8_t> bytes, part(std::size_t{1} << 18);
        const auto take = [&] {
            while (const std::size_t got = bv_capture_take(capture.get(), part.data(), part.size()))
                bytes.insert(bytes.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(got));
        };
        populate();
        for (now_ = -plan_.before; now_ < plan_.frames; ++now_) {
            if (plan_.fault == Fault::SortedSlowly)
                for (int k = 0; k < 3 && static_cast<int>(bodies_.size()) < plan_.bodies; ++k)
                    add_to_row();
            is_faulty_ = plan_.fault != Fault::None && now_ >= plan_.frame;
            if (now_ == plan_.frame) plant();
            move_all();
            tree_.update();
            if (now_ < 0 || now_ % plan_.frames_every != 0) continue;
            bv_capture_frame_numbered(capture.get(), static_cast<std::uint64_t>(now_),
                                      static_cast<double>(now_) / 60.0);
            write(capture.get());
            take();
        }
        bv_capture_finish(capture.get());
        take();
        return bytes;
    }

  private:
    struct Body {
        std::uint64_t id = 0;
        bv::ProxyId proxy = {};
        glm::vec3 center{0.0f}, half{0.0f}, velocity{0.0f};
        std::optional<bv::Aabb> grown = {};  ///< Its leaf's box, where the tree does not know of it.
        bool is_fixed = false;
        [[nodiscard]] bv::Aabb box() const { return {center - half, center + half}; }
    };

    [[nodiscard]] bool has(Fault fault) const { return plan_.fault == fault || plan_.other == fault; }

    void add(Body body) {
        body.id = bodies_.size() + 1;
        if (plan_.ground == Ground::Planar) body.center.z = body.half.z = 0.0f;
        body.proxy = (body.is_fixed ? fixed_ : tree_).insert(body.box(), body.id).id;
        bodies_.push_back(body);
    }

    void add_to_row() {
        const auto place = static_cast<float>(bodies_.size());
        const float side = plan_.fault == Fault::SortedRow ? -2.0f * extent_ : 0.0f;
        const glm::vec3 center =
            plan_.ground == Ground::Planar
                ? glm::vec3(-2.0f * extent_ + place * 1.3f * plan_.unit, side, 0.0f)
                : glm::vec3(-2.0f * extent_ + place * 1.3f * plan_.unit, 0.5f * plan_.unit, side);
        add({.center = center, .half = glm::vec3(0.4f * plan_.unit)});
    }

    void add_anywhere() {
        Body body;
        const float unit = plan_.unit;
        switch (plan_.ground) {
            case Ground::Cloud:
                body.center = random_.in_box(glm::vec3(-extent_), glm::vec3(extent_));
                break;
            case Ground::Planar:
                body.center = random_.in_box({-extent_, -extent_, 0}, {extent_, extent_, 0});
                break;
            default:
                body.center = random_.in_box({-extent_, 0, -extent_}, {extent_, 0.3f * unit, extent_});
        }
        body.center += part_of(bodies_.size() + 1);
        body.half = glm::vec3(random_.uniform(0.2f, 0.5f) * unit);
        if (plan_.ground == Ground::City) {
            const float size = random_.uniform(0.0f, 1.0f);
            body.half = glm::vec3(0.1f * std::pow(20.0f, size * size) * unit);
        }
        if (random_.uniform(0.0f, 1.0f) < plan_.moving) {
            body.velocity = random_.direction();
            body.velocity *= plan_.speed * unit * random_.uniform(0.5f, 1.3f);
            body.velocity[plan_.ground == Ground::Planar ? 2 : 1] = 0.0f;
        }
        body.is_fixed = plan_.two_trees && body.velocity == glm::vec3(0.0f);
        add(body);
    }

    void populate() {
        for (int i = 0; i < plan_.bodies && plan_.fault != Fault::SortedSlowly; ++i) {
            if (plan_.fault == Fault::SortedFromStart)
                add_to_row();
            else
                add_anywhere();
        }
        for (int i = 0; i < plan_.in_groups; ++i) {
            Body body;
            body.id = 100'000 + static_cast<std::uint64_t>(i);
            glm::vec3 middle(-3.0f * extent_ + (i % 2 == 0 ? 0.0f : plan_.gap * plan_.unit), 0, 0);
            if (plan_.four_groups && i / 2 % 2 == 1) middle.y = plan_.gap * plan_.unit;
            body.center = middle + 3.0f * plan_.unit * random_.in_ball();
            body.half = glm::vec3(0.35f * plan_.unit);
            if (plan_.ground == Ground::Planar) body.center.z = body.half.z = 0.0f;
            groups_.push_back(body);
        }
    }

    void plant() {
        bv::TreeOptions options = plan_.options;
        const float step = plan_.speed * plan_.unit;
        if (has(Fault::RefitOnly)) options.upkeep = bv::Upkeep::RefitOnly;
        if (has(Fault::LargeMargin)) {
            options.margin = bv::Margin::Fixed;
            options.margin_m = 80.0f * step;
        }
        if (has(Fault::SmallMargin)) {
            options.margin = bv::Margin::Fixed;
            options.margin_m = plan_.later_margin * step;
        }
        if (has(Fault::Rebuilds)) {
            options.margin = bv::Margin::None;
            options.upkeep = bv::Upkeep::PeriodicRebuild;
            options.rebuild_period = static_cast<std::uint32_t>(plan_.rebuild_period);
        }
        tree_.set_options(options);
        if (has(Fault::SortedAnew)) {
            options.balancing = bv::Balancing::None;
            tree_.set_options(options);
            std::vector<std::size_t> order(bodies_.size());
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                return bodies_[a].center.x < bodies_[b].center.x;
            });
            insert_anew(order);
        }
        if (plan_.at_once) insert_anew({});
        if (!has(Fault::SortedRow) && !has(Fault::Giant)) return;
        bv::TreeOptions worse = options;
        worse.balancing = bv::Balancing::None;
        if (has(Fault::Giant)) {
            worse.insertion = bv::Insertion::Manhattan;
            tree_.set_options(worse);
            add_giant();
        }
        if (has(Fault::SortedRow)) {
            worse.insertion = options.insertion;
            tree_.set_options(worse);
            for (int i = 0; i < 60; ++i)
                add_to_row();
        }
        tree_.set_options(options);
    }

    /// Re-inserts the bodies in this order; if it is empty, in that of `bodies_`.
    void insert_anew(const std::vector<std::size_t>& order) {
        for (const Body& body : bodies_)
            if (!body.is_fixed) (void)tree_.remove(body.proxy);
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            Body& body = bodies_[order.empty() ? i : order[i]];
            if (!body.is_fixed) body.proxy = tree_.insert(body.box(), body.id).id;
        }
    }

    void add_giant() {
        const float unit = plan_.unit;
        const bool is_planar = plan_.ground == Ground::Planar;
        const glm::vec3 far = is_planar ? glm::vec3(3, 3, 0) : glm::vec3(3, 0, 3);
        Body giant{.center = random_.in_box(-far, far) * unit};
        if (plan_.giant > 0.0f) {
            // Outlines in a plane are in proportion to edges, surfaces to their squares.
            constexpr float kTypicalHalf = 0.35f;
            giant.half = glm::vec3(kTypicalHalf * unit * (is_planar ? plan_.giant : std::sqrt(plan_.giant)));
        } else {
            giant.half = is_planar ? glm::vec3(1.2f * extent_, 1.1f * extent_, 0.0f)
                                   : glm::vec3(1.2f * extent_, 0.3f * unit, 1.1f * extent_);
        }
        add(giant);
    }

    /// The middle of the body's part of the world.
    [[nodiscard]] glm::vec3 part_of(std::uint64_t body) const {
        const int up = plan_.ground == Ground::Planar ? 2 : 1;
        glm::vec3 middle(0.0f);
        middle.x = body % 2 == 0 ? 0.0f : plan_.apart * plan_.unit;
        middle[3 - up] = body / 2 % 2 == 0 ? 0.0f : plan_.apart * plan_.unit;
        return middle;
    }

    [[nodiscard]] bool keeps_places() const {
        return has(Fault::Stretched) || has(Fault::StretchedSlowly) || has(Fault::InPlace) ||
               has(Fault::AllInPlace);
    }

    void move_all() {
        const bool pauses = plan_.travel == Travel::Pauses && ((now_ + 1000) / 60) % 2 == 1;
        int to_grow = plan_.fault == Fault::StretchedSlowly ? (now_ - plan_.frame) / 3 + 1 : 1 << 20;
        if (plan_.in_group_speed > 0.0f)
            for (Body& body : groups_)
                body.center.y += plan_.in_group_speed * plan_.unit * random_.direction().y;
        for (Body& body : bodies_) {
            if (body.velocity == glm::vec3(0.0f) || pauses) continue;
            const int up = plan_.ground == Ground::Planar ? 2 : 1;
            if (plan_.travel == Travel::Jitter) {
                const float length = glm::length(body.velocity);
                body.velocity = random_.direction();
                body.velocity[up] = 0.0f;
                body.velocity *= length / std::max(glm::length(body.velocity), 0.01f);
            } else if (plan_.travel == Travel::Orbits) {
                const int a = 0, b = 3 - up;
                const float turn = 0.02f, x = body.velocity[a], y = body.velocity[b];
                body.velocity[a] = (x - turn * y) / std::sqrt(1.0f + turn * turn);
                body.velocity[b] = (y + turn * x) / std::sqrt(1.0f + turn * turn);
            }
            body.center += body.velocity;
            for (int k = 0; k < 3; ++k)
                if (const float from = body.center[k] - part_of(body.id)[k]; std::abs(from) > extent_)
                    body.velocity[k] = -std::copysign(body.velocity[k], from);
            const bool grows =
                keeps_places() && is_faulty_ && (has(Fault::AllInPlace) || body.id % 4 == 0) && to_grow-- > 0;
            if (!grows) {
                (void)tree_.move(body.proxy, body.box(), body.velocity);
                continue;
            }
            if (!body.grown) body.grown = tree_.fat_box(body.proxy);
            const float margin = 0.1f * plan_.unit;
            if (!(bv::merge(*body.grown, body.box()) == *body.grown)) {
                bv::Aabb more{body.box().min - margin, body.box().max + margin};
                if (plan_.ground == Ground::Planar) more.min.z = more.max.z = 0.0f;
                body.grown =
                    has(Fault::InPlace) || has(Fault::AllInPlace) ? more : bv::merge(*body.grown, more);
            }
        }
    }

    // ---- the tree that is written

    [[nodiscard]] Node& node(int i) { return nodes_[static_cast<std::size_t>(i)]; }

    /// The tree over the nodes in their order, halved again and again; its root.
    int build(std::vector<int> nodes) {
        if (nodes.size() == 1) return nodes.front();
        const auto middle = nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() / 2);
        const int left = build({nodes.begin(), middle});
        return join(left, build({middle, nodes.end()}));
    }

    int join(int left, int right) {
        nodes_.push_back({.id = 900'000 + next_++,
                          .box = bv::merge(node(left).box, node(right).box),
                          .children = {left, right}});
        return static_cast<int>(nodes_.size()) - 1;
    }

    int build_groups() {
        std::vector<int> all;
        std::array<std::vector<int>, 4> parts;
        for (const Body& body : groups_) {
            const float margin = 0.15f * plan_.unit;
            bv::Aabb box{body.box().min - margin, body.box().max + margin};
            if (plan_.ground == Ground::Planar) box.min.z = box.max.z = 0.0f;
            nodes_.push_back({.id = body.id, .box = box, .body = body.id});
            tight_[body.id] = body.box();
            all.push_back(static_cast<int>(nodes_.size()) - 1);
            parts[body.id % 4].push_back(all.back());
        }
        if (plan_.fault == Fault::Mixed) return build(all);
        for (std::vector<int>& part : parts)
            std::sort(part.begin(), part.end(),
                      [&](int a, int b) { return node(a).box.min.y < node(b).box.min.y; });
        const int first = join(build(parts[0]), build(parts[1]));
        return join(first, join(build(parts[2]), build(parts[3])));
    }

    void refit(int at) {
        const std::vector<int> children = node(at).children;
        if (children.empty()) return;
        bv::Aabb box;
        for (const int child : children) {
            refit(child);
            box = bv::merge(box, node(child).box);
        }
        node(at).box = box;
    }

    /// Gives each node the nodes below it that a tree of this arity replaces: two levels of them, or three.
    void widen(int at) {
        std::vector<int> children = node(at).children;
        for (int arity = 2; arity < plan_.arity; arity *= 2) {
            std::vector<int> below;
            for (const int child : children)
                if (node(child).children.empty())
                    below.push_back(child);
                else
                    below.insert(below.end(), node(child).children.begin(), node(child).children.end());
            children = std::move(below);
        }
        node(at).children = children;
        for (const int child : children)
            widen(child);
    }

    /// Makes leaves of the highest subtrees with few enough bodies; the bodies below the node.
    std::vector<std::uint64_t> merge_leaves(int at) {
        if (node(at).children.empty()) return {node(at).body};
        std::vector<std::uint64_t> bodies;
        for (const int child : node(at).children) {
            const std::vector<std::uint64_t> below = merge_leaves(child);
            bodies.insert(bodies.end(), below.begin(), below.end());
        }
        if (static_cast<int>(bodies.size()) <= plan_.in_leaf) node(at).bodies = bodies;
        return bodies;
    }

    int copy(const bv::DynamicTree& from) {
        const bv::TreeSnapshot tree = from.snapshot();
        const int first = static_cast<int>(nodes_.size());
        for (std::uint32_t i = 0; i < tree.size(); ++i) {
            Node node{.id = tree.source_nodes[i], .box = tree.boxes[i]};
            if (tree.is_leaf(i)) {
                node.body = tree.payloads[tree.first_payload[i]];
                const Body& body = bodies_[node.body - 1];
                if (body.grown) node.box = *body.grown;
            } else {
                for (std::uint32_t k = 0; k < tree.child_count[i]; ++k)
                    node.children.push_back(first + static_cast<int>(tree.first_child[i] + k));
            }
            nodes_.push_back(node);
        }
        return tree.empty() ? -1 : first;
    }

    void write(bv_capture* capture) {
        nodes_.clear();
        tight_.clear();
        next_ = 0;
        for (const Body& body : bodies_)
            tight_[body.id] = body.box();
        int root = copy(tree_);
        if (root >= 0 && keeps_places()) refit(root);
        if (is_faulty_ && (plan_.fault == Fault::Mixed || plan_.fault == Fault::MixedTop)) {
            const int groups = build_groups();
            root = root < 0 ? groups : join(root, groups);
        }
        const int rest = copy(fixed_);
        if (plan_.ground == Ground::Edges) flatten();
        proxies_.clear();
        std::vector<std::vector<bv_capture_tree_node>> lists;
        for (const int top : {root, rest}) {
            if (top < 0) continue;
            if (plan_.arity > 2) widen(top);
            if (plan_.in_leaf > 1) merge_leaves(top);
            lists.push_back(by_levels(top));
        }
        if (plan_.has_proxies) bv_capture_proxies(capture, proxies_.data(), proxies_.size());
        const char* const names[] = {"tree", "fixed"};
        const bool has_trees = plan_.has_tree && now_ % plan_.trees_every == 0;
        for (std::size_t i = 0; has_trees && i < lists.size(); ++i)
            if (plan_.in_leaf > 1)
                write_nodes(capture, names[i], i == 0 && root >= 0 ? root : rest);
            else
                bv_capture_tree(capture, names[i], lists[i].data(), lists[i].size());
        if (plan_.has_queries && root >= 0) ask(capture, root);
    }

    void write_nodes(bv_capture* capture, const char* name, int top) {
        bv_capture_tree_begin(capture, name, node(top).id);
        std::vector<int> stack{top};
        while (!stack.empty()) {
            const Node& next = node(stack.back());
            stack.pop_back();
            std::vector<std::uint64_t> children, bodies = next.bodies;
            if (next.children.empty()) bodies = {next.body};
            for (const int child : next.children) {
                if (!bodies.empty()) break;
                children.push_back(node(child).id);
                stack.push_back(child);
            }
            bv_capture_node(capture, next.id, bounds(next.box), children.data(), children.size(),
                            bodies.data(), bodies.size());
        }
        bv_capture_tree_end(capture);
    }

    /// Flattens all boxes, which keep only their extent along x.
    void flatten() {
        const auto flat = [](bv::Aabb& box) { box.min.y = box.max.y = box.min.z = box.max.z = 0.0f; };
        for (Node& node : nodes_)
            flat(node.box);
        for (auto& [body, box] : tight_)
            flat(box);
    }

    std::vector<bv_capture_tree_node> by_levels(int top) {
        std::vector<int> order{top};
        std::vector<bv_capture_tree_node> list;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const Node& node = nodes_[static_cast<std::size_t>(order[i])];
            list.push_back(
                {node.id, bounds(node.box), node.body, static_cast<std::uint32_t>(node.children.size())});
            const bool is_gone = has(Fault::Leaked) && is_faulty_ && node.body % 10 == 0;
            if (node.children.empty() && !is_gone)
                proxies_.push_back({node.body, bounds(tight_[node.body]),
                                    plan_.has_fat_boxes ? bounds(node.box) : bv_capture_bounds{},
                                    static_cast<std::uint32_t>(node.body % 3)});
            order.insert(order.end(), node.children.begin(), node.children.end());
        }
        return list;
    }

    void ask(bv_capture* capture, int root) {
        const glm::vec3 middle = random_.in_box(glm::vec3(-extent_), glm::vec3(extent_));
        const bv::Aabb box{middle - 2.0f * plan_.unit, middle + 2.0f * plan_.unit};
        std::vector<int> stack{root};
        bv_capture_result result{};
        while (!stack.empty()) {
            const Node& next = node(stack.back());
            stack.pop_back();
            bool meets = true;
            for (int k = 0; k < 3; ++k)
                meets = meets && next.box.min[k] <= box.max[k] && box.min[k] <= next.box.max[k];
            if (!meets) continue;
            ++result.nodes_visited;
            stack.insert(stack.end(), next.children.begin(), next.children.end());
        }
        bv_capture_query_box(capture, bounds(box), &result);
    }

    const Plan& plan_;
    Random random_;
    bv::DynamicTree tree_, fixed_;
    float extent_;
    int now_ = 0;
    bool is_faulty_ = false;
    std::vector<Body> bodies_, groups_;
    std::vector<Node> nodes_;  ///< The nodes of the tree being written.
    std::vector<bv_capture_proxy> proxies_;
    std::unordered_map<std::uint64_t, bv::Aabb> tight_;
    std::uint64_t next_ = 0;
};

}  // namespace

std::vector<std::uint8_t> run_second_engine(const Plan& plan, std::uint64_t seed) {
    return Engine(plan, seed).run();
}

}  // namespace lab::capture
