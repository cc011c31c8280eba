// Quickhull in three dimensions with exact side tests. Works on indices into the caller's points; all faces
// are triangles, coplanar ones included, because a triangle's plane is exact and a polygon's is not.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <utility>
#include <vector>

#include "fit/passes.hpp"

namespace bv::detail {

class QuickHull {
  public:
    static constexpr std::uint32_t kNone = 0xffffffffu;

    struct Face {
        std::array<std::uint32_t, 3> vertex;  // Counter-clockwise seen from outside.
        std::array<std::uint32_t, 3> neighbor{kNone, kNone,
                                              kNone};  // Across the edge from vertex i to i + 1.
        glm::dvec3 origin;                             // The first vertex.
        glm::dvec3 normal;                             // Outward, not of unit length.
        double error = 0.0;             // Bound on the rounding of `normal * (p - origin)`, for all input.
        std::uint32_t outside = kNone;  // First of the list of points outside.
        std::uint32_t farthest = kNone;
        double farthest_distance = 0.0;
        double farthest_spread = 0.0;
        bool alive = true;
        bool visible = false;
    };
    struct Step {
        std::uint32_t point;
        std::uint32_t faces_removed;
        std::uint32_t faces_added;
        double distance;
    };

    /// Points less than `tolerance` outside are dropped when encountered.
    explicit QuickHull(Points points, double tolerance = 0.0) : points_(points), tolerance_(tolerance) {}

    /// Finds the dimension and, for solids, the first tetrahedron. Returns the dimension; `corners()` holds
    /// dimension + 1 points that span it.
    int start();
    /// Adds one more point. False if none is left outside.
    bool step(Step& done);

    [[nodiscard]] const std::array<std::uint32_t, 4>& corners() const { return corners_; }
    [[nodiscard]] const std::vector<Face>& faces() const { return faces_; }
    /// Results of the last step. The slots of removed faces are reused by later steps only.
    [[nodiscard]] const std::vector<std::uint32_t>& removed() const { return removed_; }
    [[nodiscard]] const std::vector<std::uint32_t>& added() const { return added_; }

  private:
    std::uint32_t add_face(std::uint32_t a, std::uint32_t b, std::uint32_t c);
    [[nodiscard]] bool is_outside(const Face& face, std::uint32_t point, double& distance) const;
    void give(std::uint32_t face, std::uint32_t point, double distance);
    void assign_point(std::uint32_t point, const std::vector<std::uint32_t>& faces);
    void find_horizon(std::uint32_t start, std::uint32_t point);
    void reassign_points(std::uint32_t point);

    Points points_;
    double tolerance_;
    glm::dvec3 extent_{0.0};
    std::array<std::uint32_t, 4> corners_{};
    std::vector<Face> faces_;
    std::vector<std::uint32_t> next_;                     // Per point: the next in its face's list.
    std::vector<std::uint32_t> pending_;                  // Faces that may have points outside.
    std::vector<std::uint32_t> removed_;                  // Faces seen by the point of the current step.
    std::vector<std::uint32_t> added_;                    // Faces from the horizon to it.
    std::vector<std::uint32_t> free_;                     // Dead faces whose slots can be reused.
    std::vector<std::pair<std::uint32_t, int>> horizon_;  // Visible face and edge, in order around it.
    std::vector<std::array<int, 3>> stack_;               // Face, current edge, edges left.
};

}  // namespace bv::detail
