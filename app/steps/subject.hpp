// The input of an algorithm: what the indices in its events refer to, so that they can be drawn.
#pragma once

#include <array>
#include <cstdint>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/ray.hpp"
#include "bv/shapes/triangle.hpp"
#include "bv/tree/morton.hpp"
#include "bv/tree/snapshot.hpp"
#include "bv/tree/tree_options.hpp"
#include "results/exhibit.hpp"

namespace lab::steps {

/// The same box as an Obb, for lists that hold turned boxes, too. Empty stays empty.
[[nodiscard]] inline bv::Obb as_obb(const bv::Aabb& box) {
    return box.is_empty() ? bv::Obb{} : bv::Obb{box.center(), box.half_extents(), glm::mat3(1.0f)};
}

/// Two boxes by their numbers, the smaller first.
using BoxPair = std::pair<std::uint32_t, std::uint32_t>;

/// A grid of voxels in the world.
struct CubeFrame {
    glm::mat3 rotation{1.0f};
    glm::vec3 corner{0.0f};
    float size = 1.0f;  ///< Edge of a voxel.

    /// The cube at these coordinates, in units of `edge` voxels.
    [[nodiscard]] bv::Obb cube(const glm::ivec3& at, int edge) const {
        const float half = 0.5f * size * static_cast<float>(edge);
        const glm::vec3 middle = 2.0f * half * (glm::vec3(at) + 0.5f);
        return {corner + rotation * middle, glm::vec3(half), rotation};
    }
};

/// Corners of convex pieces of triangles, by number.
using Pieces = std::map<std::uint32_t, std::vector<glm::vec3>>;

/// The start or the end of a box along an axis.
struct BoxEnd {
    std::uint32_t box = 0;
    bool upper = false;
    friend bool operator==(const BoxEnd&, const BoxEnd&) = default;
};
/// Box A moves, B rests.
struct MovingPair {
    bv::Aabb a, b;
    glm::vec3 velocity{0.0f};
};

/// How a top-down builder divides a node.
enum class SplitRule : std::uint8_t { Binned, Sweep, Spatial, Median, Morton };

struct Subject {
    std::vector<glm::vec3> points;                ///< The points to fit, or the corners of shape A.
    std::string_view spread_of = "the points";    ///< The thing whose principal axes are found. Static.
    std::vector<glm::vec3> points_b;              ///< The corners of shape B.
    std::vector<std::uint32_t> tetrahedron;       ///< For quickhull: the points that it begins with.
    bool is_flat = false;                         ///< For quickhull: `tetrahedron` is a polygon instead.
    std::vector<bv::Obb> nodes;                   ///< Boxes of a tree, of tree A, or of a search, by number.
    std::vector<bv::Obb> nodes_b;                 ///< Boxes of tree B.
    std::vector<bv::Aabb> boxes;                  ///< For a search: as it compares them; `nodes` draws them.
    std::vector<std::uint32_t> leaves;            ///< Triangles per leaf of tree A; 0 for inner nodes.
    std::vector<std::uint32_t> leaves_b;          ///< The same for tree B.
    std::vector<std::vector<bv::Aabb>> contents;  ///< The boxes below each node, where they are split.
    std::optional<SplitRule> split_rule;          ///< For a builder; BSP builders have none.
    std::optional<bv::MortonGrid> morton;         ///< For a builder that cuts the curve; contents follow it.
    bv::Aabb morton_bounds;                       ///< The bounds of that grid: a box around the centers.
    bv::TreeSnapshot tree;                        ///< For changes: the tree before them.
    std::string tree_name;                        ///< For changes: the id of the tree among those on show.
    std::vector<bv::Insertion> insertions;        ///< For changes: the strategy of each search for a sibling.
    std::vector<BoxPair> pairs;                   ///< For a search for pairs: the pairs known before.
    std::array<std::vector<BoxEnd>, 3> ends;      ///< For an incremental sweep: their order before, by axis.
    std::optional<MovingPair> moving;
    std::map<std::uint32_t, Polytope> planes;  ///< Pieces of planes, or loops in one, by number.
    std::vector<std::string> plane_names;      ///< "Left plane", by number; may be empty.
    std::vector<bv::Triangle> triangles;       ///< The triangles of a mesh, or the two of a pair.
    std::array<CubeFrame, 2> cubes;            ///< Two voxel grids.
    std::shared_ptr<const Pieces> pieces;      ///< For a BSP: by the numbers that its events use.
    std::vector<std::uint32_t> first_pieces;   ///< For a BSP being built: the initial pieces.
    bool in_order = false;                     ///< For a BSP: its pieces are listed, not sorted.
    std::vector<std::pair<std::uint32_t, bv::Aabb>>
        clusters;                    ///< The initial ones, along the curve, by node.
    std::optional<glm::vec3> probe;  ///< The point, or the center of the box, that planes are tested against.
    std::optional<bv::Ray> ray;
    std::optional<bv::Triangle> triangle;
    float radii = 0;                    ///< Sum of the radii of the balls swept over the cores of A and B.
    glm::vec3 difference_origin{0.0f};  ///< The origin of the space of differences, in the world.
    float size = 0;  ///< For GJK: the largest coordinate of A and B; rounding grows with it.

    /// True iff this search for a sibling, counted from 1, kept a queue.
    [[nodiscard]] bool has_queue(std::size_t search) const {
        return is_made_by(bv::Insertion::BranchAndBoundSah, search);
    }
    /// True iff it descended to the child with the nearer center, whatever that costs.
    [[nodiscard]] bool goes_by_center(std::size_t search) const {
        return is_made_by(bv::Insertion::Manhattan, search);
    }
    /// The piece of a plane, or null.
    [[nodiscard]] const Polytope* plane(std::size_t number) const {
        const auto at = planes.find(static_cast<std::uint32_t>(number));
        return at == planes.end() ? nullptr : &at->second;
    }
    /// The corners of a piece, or null.
    [[nodiscard]] const std::vector<glm::vec3>* piece(std::uint32_t number) const {
        if (!pieces) return nullptr;
        const auto at = pieces->find(number);
        return at == pieces->end() ? nullptr : &at->second;
    }
    /// The point of an index, or NaN for one that is out of range.
    [[nodiscard]] glm::vec3 point(std::size_t index) const {
        return index < points.size() ? points[index] : glm::vec3(kNowhere);
    }

  private:
    [[nodiscard]] bool is_made_by(bv::Insertion insertion, std::size_t search) const {
        return search > 0 && search <= insertions.size() && insertions[search - 1] == insertion;
    }
    static constexpr float kNowhere = std::numeric_limits<float>::quiet_NaN();
};

}  // namespace lab::steps
