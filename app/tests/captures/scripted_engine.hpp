// An engine that a test drives body by body: the library's dynamic tree, and leaves that may follow their
// bodies otherwise than by re-insertion.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bv/capture/bv_capture.h"
#include "bv/tree/dynamic_tree.hpp"
#include "judge.hpp"

namespace lab::capture {

class ScriptedEngine {
  public:
    enum class Move {
        Reinserted,
        Stretched,  ///< The leaf's box grows around its body.
        InPlace,    ///< The leaf gets a new box and keeps its place.
        Refitted,   ///< The same with the tree's knowledge: rotations go by the new box.
    };
    struct Body {
        bv::ProxyId proxy;
        glm::vec3 center, half;
        std::optional<bv::Aabb> leaf;  ///< Its fat box, where the tree does not know of it.
        bool is_leaked = false;
        [[nodiscard]] bv::Aabb box() const { return {center - half, center + half}; }
    };

    ScriptedEngine(bv::Insertion insertion, bv::Balancing balancing, float margin)
        : capture_(bv_capture_to_memory(nullptr, nullptr), [](bv_capture* c) { (void)bv_capture_close(c); }),
          options_{.insertion = insertion,
                   .balancing = balancing,
                   .margin = bv::Margin::Fixed,
                   .margin_m = margin},
          tree_(options_) {}

    void set_margin(float margin) {
        options_.margin_m = margin;
        tree_.set_options(options_);
    }
    void insert_by(bv::Insertion insertion, bv::Balancing balancing) {
        options_.insertion = insertion;
        options_.balancing = balancing;
        tree_.set_options(options_);
    }
    void add(std::uint64_t id, const glm::vec3& center, const glm::vec3& half) {
        Body body{{}, center, half, {}, false};
        body.proxy = tree_.insert(body.box(), id).id;
        bodies_[id] = body;
    }
    void remove(std::uint64_t id) {
        (void)tree_.remove(bodies_.at(id).proxy);
        bodies_.erase(id);
    }
    /// Takes a body out of the tree for good; it stays, and moves on.
    void lose(std::uint64_t id) {
        Body& body = bodies_.at(id);
        (void)tree_.remove(body.proxy);
        body.proxy = {};
        body.leaf = body.box();
    }
    /// Says that a body is gone; its leaf stays.
    void leak(std::uint64_t id) { bodies_.at(id).is_leaked = true; }
    void move(std::uint64_t id, const glm::vec3& center, Move how = Move::Reinserted) {
        Body& body = bodies_.at(id);
        body.center = center;
        if (!body.proxy.valid()) {
            body.leaf = body.box();
            return;
        }
        if (how == Move::Reinserted || how == Move::Refitted) {
            bv::TreeOptions options = options_;
            if (how == Move::Refitted) options.upkeep = bv::Upkeep::RefitOnly;
            tree_.set_options(options);
            (void)tree_.move(body.proxy, body.box(), {});
            tree_.set_options(options_);
            return;
        }
        const bv::Aabb held = fat_box(body), box = body.box();
        if (bv::merge(held, box) == held) return;
        const bv::Aabb more{box.min - options_.margin_m, box.max + options_.margin_m};
        body.leaf = how == Move::Stretched ? bv::merge(held, more) : more;
    }
    /// Changes the size of a body; its leaf follows in place.
    void resize(std::uint64_t id, const glm::vec3& half) {
        Body& body = bodies_.at(id);
        body.half = half;
        move(id, body.center, Move::InPlace);
    }
    [[nodiscard]] const std::map<std::uint64_t, Body>& bodies() const { return bodies_; }
    /// Changes the written tree; boxes are those of its nodes.
    std::function<void(bv::TreeSnapshot&)> damage;
    /// Writes more into the frame, after the tree.
    std::function<void(bv_capture*)> also;
    /// What a query that visits all nodes reports; none is asked if it is 0.
    std::uint32_t reported_visits = 0;

    void end_frame() {
        bv_capture_frame(capture_.get(), static_cast<double>(frame_++) / 60.0);
        const auto bounds = [](const bv::Aabb& box) { return bv_capture_box(&box.min.x, &box.max.x); };
        std::vector<bv::Aabb> tight, fat;
        tight.reserve(bodies_.size());
        fat.reserve(bodies_.size());
        std::vector<bv_capture_proxy> proxies;
        for (const auto& [id, body] : bodies_) {
            if (body.is_leaked) continue;
            tight.push_back(body.box());
            fat.push_back(fat_box(body));
            proxies.push_back({id, bounds(tight.back()), bounds(fat.back()), 0});
        }
        bv_capture_proxies(capture_.get(), proxies.data(), proxies.size());
        // Level by level.
        bv::TreeSnapshot tree = tree_.snapshot();
        std::vector<std::uint32_t> order;
        if (!tree.empty()) order.push_back(0);
        for (std::size_t i = 0; i < order.size(); ++i)
            for (std::uint32_t k = 0; k < tree.child_count[order[i]]; ++k)
                order.push_back(tree.first_child[order[i]] + k);
        for (auto at = order.rbegin(); at != order.rend(); ++at) {
            if (tree.is_leaf(*at)) {
                tree.boxes[*at] = fat_box(bodies_.at(tree.payloads[tree.first_payload[*at]]));
                continue;
            }
            tree.boxes[*at] = {};
            for (std::uint32_t k = 0; k < tree.child_count[*at]; ++k)
                tree.boxes[*at] = bv::merge(tree.boxes[*at], tree.boxes[tree.first_child[*at] + k]);
        }
        if (damage) damage(tree);
        std::vector<bv_capture_tree_node> nodes;
        for (const std::uint32_t i : order)
            nodes.push_back({tree.source_nodes[i], bounds(tree.boxes[i]),
                             tree.is_leaf(i) ? tree.payloads[tree.first_payload[i]] : 0,
                             tree.child_count[i]});
        bv_capture_tree(capture_.get(), "dynamic", nodes.data(), nodes.size());
        if (also) also(capture_.get());
        if (reported_visits > 0) {
            bv_capture_result result{};
            result.nodes_visited = reported_visits;
            bv_capture_query_box(capture_.get(), bounds(tree.boxes[0]), &result);
        }
        std::vector<std::uint8_t> part(std::size_t{1} << 18);
        while (const std::size_t got = bv_capture_take(capture_.get(), part.data(), part.size()))
            bytes_.insert(bytes_.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(got));
    }
    [[nodiscard]] int frame() const { return frame_; }
    std::vector<std::uint8_t> finish() {
        bv_capture_finish(capture_.get());
        std::vector<std::uint8_t> part(std::size_t{1} << 18);
        while (const std::size_t got = bv_capture_take(capture_.get(), part.data(), part.size()))
            bytes_.insert(bytes_.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(got));
        return bytes_;
    }

  private:
    [[nodiscard]] bv::Aabb fat_box(const Body& body) const {
        return body.leaf ? *body.leaf : tree_.fat_box(body.proxy);
    }

    std::unique_ptr<bv_capture, void (*)(bv_capture*)> capture_;
    bv::TreeOptions options_;
    bv::DynamicTree tree_;
    std::map<std::uint64_t, Body> bodies_;
    std::vector<std::uint8_t> bytes_;
    int frame_ = 0;
};

/// The diagnosis of all that the engine captured; ends the capture.
inline Diagnosis diagnosis(ScriptedEngine& engine) {
    auto result = diagnosis_of(engine.finish());
    EXPECT_TRUE(result);
    return result.value_or(Diagnosis{});
}

}  // namespace lab::capture
