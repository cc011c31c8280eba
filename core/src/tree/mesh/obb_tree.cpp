// Builds the trees of obb_tree.hpp, and makes their snapshots.
#include "bv/tree/obb_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <limits>
#include <type_traits>

#include "bv/assert.hpp"
#include "bv/fit/aabb.hpp"
#include "bv/fit/obb.hpp"
#include "bv/fit/sphere.hpp"
#include "bv/shapes/not_finite.hpp"
#include "tree/metrics/snapshot_boxes.hpp"

namespace bv {
namespace {

/// Half of the center: does not overflow.
glm::vec3 center_of(const Triangle& t) noexcept {
    return t.a / 6.0f + t.b / 6.0f + t.c / 6.0f;
}

Aabb box_of(const Triangle& t) noexcept {
    return merge(merge(merge(Aabb{}, t.a), t.b), t.c);
}

Aabb box_of(const Aabb& box) noexcept {
    return box;
}
Aabb box_of(const Sphere& ball) noexcept {
    return fit::aabb_fixed(ball);
}
Aabb box_of(const Obb& box) noexcept {
    Aabb all;
    for (int i = 0; i < 8; ++i)
        all = merge(all, box.corner(i));
    return all;
}

template <class Volume>
Volume default_fit(std::span<const glm::vec3> points) {
    if constexpr (std::is_same_v<Volume, Obb>)
        return fit::obb_pca(points);
    else if constexpr (std::is_same_v<Volume, Aabb>)
        return fit::aabb_tight(points);
    else
        return fit::sphere_ritter(points);
}

struct Axis {
    glm::vec3 direction;
    float extent;
};

/// Directions to split along, longest first. For balls those of the triangles' own box.
template <class Volume>
std::array<Axis, 3> split_axes(const Volume& volume, std::span<const glm::vec3> points) {
    std::array<Axis, 3> axes{};
    const Aabb box = fit::aabb_tight(points);
    for (int k = 0; k < 3; ++k) {
        glm::vec3 direction(0.0f);
        direction[k] = 1.0f;
        axes[static_cast<std::size_t>(k)] = {direction, box.size()[k]};
        if constexpr (std::is_same_v<Volume, Obb>)
            axes[static_cast<std::size_t>(k)] = {volume.axes[k], volume.half_extents[k]};
    }
    std::stable_sort(axes.begin(), axes.end(),
                     [](const Axis& a, const Axis& b) { return a.extent > b.extent; });
    return axes;
}

/// A reference and its triangle; the build reorders them.
struct Item {
    Triangle triangle;
    std::uint32_t id;
};

/// The first item of the right part, or the begin of the range if no axis separates it.
std::size_t divide(std::span<Item> items, const std::array<Axis, 3>& axes) {
    for (const Axis& axis : axes) {
        const auto along = [&](const Item& item) {
            return glm::dot(glm::dvec3(center_of(item.triangle)), glm::dvec3(axis.direction));
        };
        double sum = 0.0;
        for (const Item& item : items)
            sum += along(item);
        const double mean = sum / static_cast<double>(items.size());
        const auto middle = std::stable_partition(items.begin(), items.end(),
                                                  [&](const Item& item) { return along(item) < mean; });
        if (middle != items.begin() && middle != items.end())
            return static_cast<std::size_t>(middle - items.begin());
    }
    return 0;
}

}  // namespace

template <class Volume>
MeshBuildStatus VolumeTree<Volume>::build(const MeshView& mesh, const VolumeTreeOptions<Volume>& options) {
    *this = VolumeTree{};
    if (mesh.triangles.size() >= (std::size_t{1} << 28)) return MeshBuildStatus::TooLarge;
    std::vector<Item> items;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const glm::uvec3 t = mesh.triangles[i];
        if (std::max(t.x, std::max(t.y, t.z)) >= mesh.positions.size())
            return MeshBuildStatus::IndexOutOfRange;
        const Triangle triangle = mesh.triangle(i);
        if (!bv::is_finite(triangle.a) || !bv::is_finite(triangle.b) || !bv::is_finite(triangle.c)) continue;
        items.push_back({triangle, static_cast<std::uint32_t>(i)});
    }
    if (items.empty()) return MeshBuildStatus::Empty;

    struct Waiting {
        std::size_t node, begin, end;
        std::uint32_t depth;
    };
    BuildProgress unwatched;
    BuildProgress& progress = options.progress != nullptr ? *options.progress : unwatched;
    progress.begin_part(0.0f, 1.0f, items.size());
    std::vector<glm::vec3> points;
    std::vector<Waiting> waiting{{0, 0, items.size(), 0}};
    decltype(nodes_) nodes(1);  // the tree stays empty if the fit throws
    while (!waiting.empty()) {
        const Waiting now = waiting.back();
        waiting.pop_back();
        if (progress.cancelled()) {
            *this = VolumeTree{};
            return MeshBuildStatus::Cancelled;
        }
        const std::span<Item> part(items.data() + now.begin, now.end - now.begin);
        points.clear();
        for (const Item& item : part)
            points.insert(points.end(), {item.triangle.a, item.triangle.b, item.triangle.c});
        nodes[now.node].volume = options.fit ? options.fit(points) : default_fit<Volume>(points);
        std::size_t left = 0;
        if (part.size() > std::max(options.max_leaf_triangles, 1u) && now.depth < options.max_depth)
            left = divide(part, split_axes(nodes[now.node].volume, points));
        if (left == 0) {
            nodes[now.node].first = static_cast<std::uint32_t>(now.begin);
            nodes[now.node].count = static_cast<std::uint32_t>(part.size());
            progress.advance(part.size());
            continue;
        }
        const std::size_t child = nodes.size();
        nodes[now.node].first = static_cast<std::uint32_t>(child);
        nodes.resize(child + 2);
        waiting.push_back({child + 1, now.begin + left, now.end, now.depth + 1});
        waiting.push_back({child, now.begin, now.begin + left, now.depth + 1});
    }
    ids_.reserve(items.size());
    triangles_.reserve(items.size());
    for (const Item& item : items) {
        ids_.push_back(item.id);
        triangles_.push_back(item.triangle);
        for (const glm::vec3& p : {item.triangle.a, item.triangle.b, item.triangle.c})
            max_coordinate_ =
                std::max(max_coordinate_, std::max(std::abs(p.x), std::max(std::abs(p.y), std::abs(p.z))));
    }
    nodes_.swap(nodes);
    return MeshBuildStatus::Ok;
}

template <class Volume>
TreeSnapshot VolumeTree<Volume>::snapshot() const {
    TreeSnapshot s;
    const std::size_t n = nodes_.size();
    s.parents.assign(n, TreeSnapshot::kNone);
    s.first_child.assign(n, TreeSnapshot::kNone);
    s.child_count.assign(n, 0);
    s.depths.assign(n, 0);
    s.first_payload.assign(n, 0);
    s.payload_count.assign(n, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
        const VolumeTreeNode<Volume>& node = nodes_[i];
        s.boxes.push_back(box_of(node.volume));
        s.source_nodes.push_back(i);
        if constexpr (std::is_same_v<Volume, Obb>) {
            // A snapshot is finite: a half extent beyond the largest float is given as that.
            constexpr float kLargest = std::numeric_limits<float>::max();
            s.obbs.push_back(node.volume);
            s.obbs.back().half_extents = glm::min(node.volume.half_extents, kLargest);
        }
        if (node.is_leaf()) {
            s.first_payload[i] = node.first;
            s.payload_count[i] = node.count;
            continue;
        }
        s.first_child[i] = node.first;
        s.child_count[i] = 2;
        for (std::uint32_t child = node.first; child < node.first + 2; ++child) {
            s.parents[child] = i;
            s.depths[child] = s.depths[i] + 1;
        }
    }
    s.payloads.assign(ids_.begin(), ids_.end());
    for (const Triangle& t : triangles_)
        s.payload_boxes.push_back(box_of(t));
    detail::contain_children(s, detail::Payloads::Whole);
    return s;
}

template <class Volume>
bool VolumeTree<Volume>::validate() const {
    std::vector<char> node_seen(nodes_.size(), 0);
    std::vector<char> ref_seen(ids_.size(), 0);
    if (!nodes_.empty()) node_seen[0] = 1;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        const auto& node = nodes_[n];
        if (!node_seen[n]) return false;
        if (node.is_leaf()) {
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
                if (i >= ref_seen.size() || ref_seen[i]) return false;
                ref_seen[i] = 1;
            }
            continue;
        }
        if (node.first <= n || node.first + 1 >= nodes_.size()) return false;
        if (node_seen[node.first] || node_seen[node.first + 1]) return false;
        node_seen[node.first] = node_seen[node.first + 1] = 1;
    }
    return std::find(ref_seen.begin(), ref_seen.end(), 0) == ref_seen.end();
}

template class VolumeTree<Obb>;
template class VolumeTree<Aabb>;
template class VolumeTree<Sphere>;

}  // namespace bv
