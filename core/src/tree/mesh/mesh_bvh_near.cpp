// Nearest points of a MeshBvh.
#include "bv/tree/mesh_bvh.hpp"
#include "tree/mesh/mesh_nearest.hpp"

namespace bv {
namespace {

struct BinaryNodes {
    const MeshBvh& tree;

    [[nodiscard]] bool is_leaf(std::uint32_t node) const noexcept { return tree.nodes()[node].is_leaf(); }
    [[nodiscard]] Aabb bounds() const noexcept { return tree.bounds(); }
    [[nodiscard]] bool repeated() const noexcept { return tree.has_repeated_references(); }
    template <class Call>
    void children(std::uint32_t node, Call&& call) const {
        const std::uint32_t first = tree.nodes()[node].first;
        for (std::uint32_t child = first; child < first + 2; ++child)
            call(child, tree.nodes()[child].box());
    }
    template <class Call>
    void triangles(std::uint32_t number, Call&& call) const {
        const MeshBvhNode& node = tree.nodes()[number];
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
            call(tree.references()[i], tree.triangle(i));
    }
};

}  // namespace

MeshNearestResult MeshBvh::closest_point(const glm::vec3& p, float max_distance) const {
    if (empty()) return {};
    return detail::find_closest(BinaryNodes{*this}, p, max_distance, NoTrace{});
}
MeshNearestResult MeshBvh::closest_point(const glm::vec3& p, float max_distance, Recording& trace) const {
    if (empty()) return {};
    return detail::find_closest(BinaryNodes{*this}, p, max_distance, trace);
}
QueryStats MeshBvh::nearest_triangles(const glm::vec3& p, std::size_t count,
                                      std::vector<MeshNearest>& nearest) const {
    nearest.clear();
    if (empty()) return {};
    return detail::find_nearest(BinaryNodes{*this}, p, count, nearest);
}

}  // namespace bv
