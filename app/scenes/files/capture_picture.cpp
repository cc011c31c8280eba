#include "scenes/files/capture_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "results/put.hpp"
#include "scenes/files/capture_tables.hpp"
#include "scenes/staging.hpp"

namespace lab::scenes {
namespace {

/// What a mark around a node means; empty for a node that does not contain its contents.
std::string_view legend_of(io::CaptureDefect::Kind kind) {
    using Kind = io::CaptureDefect::Kind;
    switch (kind) {
        case Kind::SameId:
            return "node whose id another node has";
        case Kind::MissingChild:
            return "node with a missing child";
        case Kind::SharedChild:
            return "node whose child has another parent";
        case Kind::Cycle:
            return "node below its own child";
        case Kind::SamePayload:
            return "node with a body that another node has";
        case Kind::BoxNotFinite:
            return "node whose box is empty or NaN";
        case Kind::NoRoot:
        case Kind::Orphan:
        case Kind::ChildOutside:
        case Kind::PayloadOutside:
            break;
    }
    return {};
}

}  // namespace

void put_captured_bodies(FrameResults& results, const capture::ShownFrame& shown, const std::string& wanted,
                         bool draws_all) {
    constexpr std::size_t kMaxBoxes = 20'000;
    constexpr std::size_t kMaxFilled = 2'000;  // among more, outlines cover what would be filled
    constexpr std::size_t kFewFound = 12;
    const auto& proxies = shown.frame.proxies;
    std::vector<const io::CaptureProxy*> others;
    std::size_t found = 0;
    for (std::size_t i = 0; i < proxies.size(); ++i) {
        const io::CaptureProxy& proxy = proxies[i];
        if (!proxy.tight.is_finite()) continue;
        if (is_found(shown, wanted, proxy.id)) {
            // The marked bounds include its surroundings.
            results.marked_bounds = bv::merge(results.marked_bounds,
                                              bv::grown(proxy.tight, 1.5f * glm::length(proxy.tight.size())));
            const std::string name = name_of(shown, proxy.id);
            Exhibit& box = put(results, proxy.tight, Role::Selected,
                               ++found <= kFewFound ? fmt::format("{} {}", proxy.id, name) : "", 0.2f);
            box.on_top = true;
            box.legend = "chosen body";
            continue;
        }
        if (draws_all && i < kMaxBoxes) others.push_back(&proxy);
    }
    // The legend lists the tags in this order.
    std::stable_sort(others.begin(), others.end(),
                     [](const auto* a, const auto* b) { return a->tag < b->tag; });
    const float fill = others.size() <= kMaxFilled ? 0.25f : 0.0f;
    results.exhibits.reserve(results.exhibits.size() + others.size());
    std::string legend;
    const io::CaptureProxy* last = nullptr;
    for (const io::CaptureProxy* const proxy : others) {
        if (!last || proxy->tag != last->tag) legend = fmt::format("bodies with tag {}", proxy->tag);
        last = proxy;
        Exhibit& box = put(results, proxy->tight, role_of_tag(proxy->tag), {}, fill);
        box.width_px = 1.0f;
        box.legend = legend;
    }
}

void put_captured_queries(FrameResults& results, const io::CaptureFrame& frame) {
    constexpr std::size_t kMaxQueries = 200;
    const std::size_t count = std::min(frame.queries.size(), kMaxQueries);
    for (std::size_t i = 0; i < count; ++i) {
        const io::CaptureQuery& query = frame.queries[i];
        if (query.kind == io::CaptureQuery::Kind::Ray) {
            put(results, bv::Ray{query.origin, query.direction, query.t_max}, Role::Ray).legend =
                "captured ray";
            continue;
        }
        if (!query.box.is_finite()) continue;
        Exhibit& box = put(results, query.box, Role::Ray);
        box.width_px = 1.0f;
        box.legend = query.kind == io::CaptureQuery::Kind::Box ? "captured box query" : "captured box cast";
        if (query.kind != io::CaptureQuery::Kind::Cast) continue;
        const glm::vec3 from = query.box.center();
        put(results, bv::Segment{from, from + query.direction}, Role::Ray).legend = "captured box cast";
    }
}

void put_marked_node(FrameResults& results, const capture::ShownFrame& shown, const std::string& node) {
    const std::size_t slash = node.rfind('/');
    const auto wanted = number_of(slash == std::string::npos ? node : node.substr(slash + 1));
    if (!wanted) return;
    for (const capture::ShownTree& tree : shown.trees) {
        if (slash != std::string::npos && tree.id != std::string_view(node).substr(0, slash)) continue;
        const auto found = std::find(tree.node_ids.begin(), tree.node_ids.end(), *wanted);
        if (found == tree.node_ids.end()) continue;
        const auto at = static_cast<std::uint32_t>(found - tree.node_ids.begin());
        const bv::TreeSnapshot& t = tree.snapshot.tree;
        Exhibit& box = put(results, t.boxes[at], Role::Selected, fmt::format("node {}", *wanted), 0.1f);
        box.on_top = true;
        box.width_px = 3.0f;
        box.legend = "marked node";
        results.marked_bounds = bv::merge(results.marked_bounds, t.boxes[at]);
        for (std::uint32_t up = t.parents[at]; up != bv::TreeSnapshot::kNone; up = t.parents[up]) {
            Exhibit& above = put(results, t.boxes[up], Role::Normal);
            above.width_px = 1.5f;
            above.legend = "its ancestors";
        }
    }
}

void put_broken_nodes(FrameResults& results, const capture::ShownTree& tree) {
    using Kind = io::CaptureDefect::Kind;
    if (tree.snapshot.defects.empty()) return;
    const auto places = tree.places();
    BrokenNodes broken{tree.id, {}, 0};
    constexpr std::size_t kMaxMarked = 200;
    std::size_t marked = 0;
    for (const io::CaptureDefect& defect : tree.snapshot.defects) {
        const auto node = places.find(defect.node), other = places.find(defect.other);
        if (node == places.end()) continue;
        if (const std::string_view words = legend_of(defect.kind); !words.empty()) {
            if (++marked > kMaxMarked) continue;
            Exhibit& box = put(results, tree.snapshot.tree.boxes[node->second], Role::Broken, {}, 0.05f);
            box.on_top = true;
            box.width_px = 3.0f;
            box.legend = words;
        } else {
            if (++broken.count > kMaxMarked) continue;
            const bool is_child = defect.kind == Kind::ChildOutside && other != places.end();
            broken.nodes.push_back(
                {node->second, is_child ? other->second : bv::TreeSnapshot::kNone, 0, defect.by});
        }
        if (defect.kind != Kind::Cycle || other == places.end()) continue;
        Exhibit& line = put(results,
                            bv::Segment{tree.snapshot.tree.boxes[node->second].center(),
                                        tree.snapshot.tree.boxes[other->second].center()},
                            Role::Broken, "cycle");
        line.on_top = true;
        line.width_px = 3.0f;
        line.legend = "link back to an ancestor: a cycle";
    }
    for (const bv::Aabb& orphan : tree.orphans) {
        Exhibit& box = put(results, orphan, Role::Broken, {}, 0.06f);
        box.on_top = true;
        box.legend = "orphan: not reached from the root";
    }
    if (!broken.nodes.empty()) results.broken_nodes.push_back(std::move(broken));
}

void put_tree_names(FrameResults& results, const capture::ShownFrame& shown, const bv::Aabb& bounds,
                    std::string_view rival, const TreeBeside& beside) {
    // The name of the captured tree stands above its far side: above the middle of a flat world it would
    // cover its bodies. That of the tree in front stands at the near side, or it would cover those behind it.
    const auto behind = [](const bv::Aabb& box) {
        return glm::vec3(box.center().x, box.max.y + 0.05f * glm::length(box.size()), box.min.z);
    };
    const auto before = [](const bv::Aabb& box) {
        return glm::vec3(box.center().x, box.min.y, box.max.z + 0.15f * box.size().z);
    };
    const auto put_name = [&](const glm::vec3& at, std::string_view name, const bv::TreeMetrics& m,
                              bool is_better) {
        put_note(results, at, is_better ? Role::Selected : Role::TreeNode,
                 fmt::format("{}{}: height {} (optimum {}), SAH {:.1f}", name, is_better ? " (better)" : "",
                             m.height, m.optimal_height, m.sah));
    };
    if (shown.trees.empty()) return;
    const capture::ShownTree& captured = shown.trees.front();
    const int better = beside.tree.empty() ? 0 : better_by(captured.metrics, beside.metrics);
    put_name(behind(bounds), captured.id, captured.metrics, better > 0);
    if (!beside.tree.empty())
        put_name(before(beside.tree.boxes[0]), fmt::format("{} over the same leaf boxes", rival),
                 beside.metrics, better < 0);
}

}  // namespace lab::scenes
