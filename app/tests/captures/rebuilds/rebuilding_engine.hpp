// An engine that makes its whole tree anew in every frame or every few, top-down, and refits it in between.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "bv/capture/bv_capture.h"
#include "bv/shapes/aabb.hpp"
#include "workloads/random.hpp"

namespace lab::capture {

struct RebuildingPlan {
    enum class Split { Median, Middle, Sah, Morton };
    enum class Ids {
        DepthFirst,  ///< Inner nodes by order of creation; the ids of leaves are stable.
        AllByIndex,  ///< All nodes by order of creation, leaves, too.
        Heap,        ///< By the path from the root, as in an implicit heap.
        Random,
    };
    Split split = Split::Median;
    Ids ids = Ids::DepthFirst;
    std::size_t arity = 2, count = 60;
    int frames = 80, every = 1;
    int until = 1'000'000;  ///< From this frame on, boxes are refitted alone.
    float speed = 0.05f, margin = 0.0f, extent = 10.0f;
    float resting = 0.0f;  ///< The share of bodies that never move.
    int come_and_go = 0;   ///< Bodies that leave and as many that come, in each frame.
    bool is_planar = false;
    std::uint64_t seed = 1;
};

class RebuildingEngine {
  public:
    explicit RebuildingEngine(const RebuildingPlan& plan)
        : plan_(plan),
          random_(plan.seed, plan.count),
          capture_(bv_capture_to_memory(nullptr, nullptr), [](bv_capture* c) { (void)bv_capture_close(c); }) {
    }

    std::vector<std::uint8_t> capture() {
        std::vector<std::uint8_t> bytes, part(std::size_t{1} << 22);
        const auto take = [&] {
            while (const std::size_t got = bv_capture_take(capture_.get(), part.data(), part.size()))
                bytes.insert(bytes.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(got));
        };
        while (bodies_.size() < plan_.count)
            come();
        for (int frame = 0; frame < plan_.frames; ++frame) {
            if (frame > 0) step();
            if ((frame % plan_.every == 0 && frame < plan_.until) || plan_.come_and_go > 0) rebuild();
            write(frame);
            take();
        }
        bv_capture_finish(capture_.get());
        take();
        return bytes;
    }

  private:
    struct Body {
        glm::vec3 center, half, velocity;
        bv::Aabb fat;
        [[nodiscard]] bv::Aabb box() const { return {center - half, center + half}; }
    };
    struct Node {
        std::uint64_t id = 0, body = 0;
        std::vector<std::size_t> children;
        bv::Aabb box;
    };

    void come() {
        glm::vec3 extent(plan_.extent), half(random_.uniform(0.2f, 0.5f));
        glm::vec3 velocity = random_.in_box(glm::vec3(-plan_.speed), glm::vec3(plan_.speed));
        if (random_.uniform(0.0f, 1.0f) < plan_.resting) velocity = glm::vec3(0.0f);
        if (plan_.is_planar) extent.z = half.z = velocity.z = 0.0f;
        Body body{random_.in_box(-extent, extent), half, velocity, {}};
        fatten(body);
        bodies_[next_++] = body;
    }
    void fatten(Body& body) const {
        glm::vec3 by(plan_.margin);
        if (plan_.is_planar) by.z = 0.0f;
        const bv::Aabb tight = body.box();
        if (!(bv::merge(body.fat, tight) == body.fat)) body.fat = {tight.min - by, tight.max + by};
    }
    void step() {
        for (auto& [id, body] : bodies_) {
            body.center += body.velocity;
            fatten(body);
        }
        for (int k = 0; k < plan_.come_and_go; ++k) {
            bodies_.erase(bodies_.begin());
            come();
        }
    }
    [[nodiscard]] glm::vec3 center(std::uint64_t id) const { return bodies_.at(id).fat.center(); }
    [[nodiscard]] bv::Aabb around(std::span<const std::uint64_t> ids) const {
        bv::Aabb box;
        for (const std::uint64_t id : ids)
            box = bv::merge(box, bodies_.at(id).fat);
        return box;
    }

    void rebuild() {
        nodes_.clear();
        std::vector<std::uint64_t> ids;
        bv::Aabb centers;
        for (const auto& [id, body] : bodies_) {
            ids.push_back(id);
            centers = bv::merge(centers, {center(id), center(id)});
        }
        world_ = centers;
        if (plan_.split == RebuildingPlan::Split::Morton)
            std::sort(ids.begin(), ids.end(), [&](std::uint64_t a, std::uint64_t b) {
                const std::uint64_t of_a = code(a), of_b = code(b);
                return of_a != of_b ? of_a < of_b : a < b;
            });
        inner_ = 0;
        (void)build(ids, 1);
    }
    [[nodiscard]] std::uint64_t code(std::uint64_t id) const {
        const glm::vec3 at = center(id) - world_.min, size = world_.size();
        std::uint64_t bits = 0;
        for (int bit = 9; bit >= 0; --bit)
            for (int k = 0; k < 3; ++k) {
                const auto cell = static_cast<std::uint32_t>(
                    size[k] > 0.0f ? std::min(1023.0f, 1024.0f * at[k] / size[k]) : 0.0f);
                bits = bits << 1u | (cell >> static_cast<std::uint32_t>(bit) & 1u);
            }
        return bits;
    }
    /// Sorts the bodies and says how many go to the lower side.
    std::size_t split(std::span<std::uint64_t> ids) {
        const std::size_t half = ids.size() / 2;
        if (plan_.split == RebuildingPlan::Split::Morton) {
            const std::uint64_t first = code(ids.front()), last = code(ids.back());
            if (first == last) return half;
            std::uint64_t high = first ^ last;
            while ((high & (high - 1)) != 0)
                high &= high - 1;
            const auto at = std::find_if(ids.begin(), ids.end(),
                                         [&](std::uint64_t id) { return (code(id) & high) != 0; });
            return static_cast<std::size_t>(at - ids.begin());
        }
        const auto sort = [&](int axis) {
            std::sort(ids.begin(), ids.end(), [&](std::uint64_t a, std::uint64_t b) {
                const float at_a = center(a)[axis], at_b = center(b)[axis];
                return at_a != at_b ? at_a < at_b : a < b;
            });
        };
        bv::Aabb centers;
        for (const std::uint64_t id : ids)
            centers = bv::merge(centers, {center(id), center(id)});
        const glm::vec3 size = centers.size();
        const int longest = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        if (plan_.split == RebuildingPlan::Split::Sah) {
            double best = std::numeric_limits<double>::infinity();
            std::size_t at = half;
            int axis = longest;
            for (int k = 0; k < 3; ++k) {
                if (!(size[k] > 0.0f)) continue;
                sort(k);
                std::vector<double> low;
                bv::Aabb box;
                for (const std::uint64_t id : ids) {
                    box = bv::merge(box, bodies_.at(id).fat);
                    low.push_back(static_cast<double>(box.surface_area()));
                }
                box = {};
                for (std::size_t i = ids.size(); --i > 0;) {
                    box = bv::merge(box, bodies_.at(ids[i]).fat);
                    const double cost =
                        low[i - 1] * static_cast<double>(i) +
                        static_cast<double>(box.surface_area()) * static_cast<double>(ids.size() - i);
                    if (cost >= best) continue;
                    best = cost;
                    at = i;
                    axis = k;
                }
            }
            sort(axis);
            return at;
        }
        sort(longest);
        if (plan_.split == RebuildingPlan::Split::Median) return half;
        const auto at = std::find_if(ids.begin(), ids.end(), [&](std::uint64_t id) {
            return center(id)[longest] > centers.center()[longest];
        });
        const auto low = static_cast<std::size_t>(at - ids.begin());
        return low == 0 || low == ids.size() ? half : low;
    }
    std::uint64_t id_of(std::size_t at, std::uint64_t path, std::span<const std::uint64_t> ids) {
        switch (plan_.ids) {
            case RebuildingPlan::Ids::DepthFirst:
                return ids.size() == 1 ? 1'000'000 + ids[0] : inner_++;
            case RebuildingPlan::Ids::Heap:
                return path;
            case RebuildingPlan::Ids::Random:
                return std::uint64_t{random_.next_u32()} << 16u | at;
            case RebuildingPlan::Ids::AllByIndex:
                break;
        }
        return at;
    }
    std::size_t build(std::span<std::uint64_t> ids, std::uint64_t path) {
        const std::size_t at = nodes_.size();
        nodes_.emplace_back().id = id_of(at, path, ids);
        if (ids.size() == 1) {
            nodes_[at].body = ids[0];
            return at;
        }
        std::vector<std::span<std::uint64_t>> parts{ids};
        while (parts.size() < plan_.arity) {
            const auto largest = std::max_element(
                parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
            if (largest->size() < 2) break;
            const std::span<std::uint64_t> all = *largest;
            const std::size_t low = split(all);
            *largest = all.first(low);
            parts.insert(largest + 1, all.subspan(low));
        }
        for (std::size_t k = 0; k < parts.size(); ++k) {
            const std::size_t child = build(parts[k], path * plan_.arity + k);
            nodes_[at].children.push_back(child);
        }
        return at;
    }
    void write(int frame) {
        const auto bounds = [](const bv::Aabb& box) { return bv_capture_box(&box.min.x, &box.max.x); };
        bv_capture_frame(capture_.get(), frame / 60.0);
        std::vector<bv_capture_proxy> proxies;
        std::vector<bv::Aabb> tight;
        tight.reserve(bodies_.size());
        for (const auto& [id, body] : bodies_) {
            tight.push_back(body.box());
            proxies.push_back({id, bounds(tight.back()), bounds(body.fat), 0});
        }
        bv_capture_proxies(capture_.get(), proxies.data(), proxies.size());
        for (std::size_t i = nodes_.size(); i-- > 0;) {
            Node& node = nodes_[i];
            node.box = {};
            if (node.children.empty()) node.box = bodies_.at(node.body).fat;
            for (const std::size_t child : node.children)
                node.box = bv::merge(node.box, nodes_[child].box);
        }
        bv_capture_tree_begin(capture_.get(), "tree", nodes_[0].id);
        for (const Node& node : nodes_) {
            std::vector<std::uint64_t> children;
            for (const std::size_t child : node.children)
                children.push_back(nodes_[child].id);
            bv_capture_node(capture_.get(), node.id, bounds(node.box), children.data(), children.size(),
                            &node.body, children.empty() ? 1 : 0);
        }
        bv_capture_tree_end(capture_.get());
    }

    RebuildingPlan plan_;
    bv::workloads::Random random_;
    std::unique_ptr<bv_capture, void (*)(bv_capture*)> capture_;
    std::map<std::uint64_t, Body> bodies_;
    std::vector<Node> nodes_;
    bv::Aabb world_;
    std::uint64_t next_ = 0, inner_ = 0;
};

}  // namespace lab::capture
