// The search for the box of least volume around a convex solid.
//
// A side of the smallest box that touches an edge of the hull has its normal on the edge's arc: the
// great-circle arc between the normals of the edge's two faces. O'Rourke: two neighboring sides do so. So the
// two normals run over two arcs, at right angles to each other, which leaves one parameter s. All widths are
// plain functions of s between the events at which a side comes to rest on another vertex.
//
// For each pair of arcs: a bound from the vertices that span the widths nearby settles most; the rest is
// halved until the bound settles it, or until the same six supports hold at both ends, where the volume is
// one smooth function.
#pragma once

#include <cstdint>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "bv/shapes/hull.hpp"

namespace bv::detail {

/// A convex solid in double, centered and scaled to size 1, for many support queries.
class ConvexSolid {
  public:
    ConvexSolid(const Hull& hull, const glm::dvec3& center, double size);

    struct Arc {
        glm::dvec3 from, to;  // Unit normals of the faces beside the edge.
        std::uint32_t face_from, face_to;
        std::uint32_t vertex;    // One end of the edge.
        std::uint32_t opposite;  // Where the solid ends on the other side, for a normal on the arc.
        double length_rad;
        double least_width;  // Over the arc, from below.
    };

    /// The vertex farthest along `direction`, climbing from `start`.
    [[nodiscard]] std::uint32_t climb(const glm::dvec3& direction, std::uint32_t start) const noexcept;
    /// Volume of the box with these axes, and supports to begin the next search from.
    [[nodiscard]] double box_volume(const glm::dmat3& axes, std::uint32_t (&supports)[6]) const noexcept;

    [[nodiscard]] const std::vector<glm::dvec3>& vertices() const noexcept { return vertices_; }
    [[nodiscard]] const std::vector<glm::dvec3>& face_normals() const noexcept { return normals_; }
    [[nodiscard]] const std::vector<double>& face_areas() const noexcept { return areas_; }
    [[nodiscard]] const std::vector<Arc>& arcs() const noexcept { return arcs_; }

  private:
    void make_arcs(const Hull& hull);

    std::vector<glm::dvec3> vertices_;
    std::vector<std::uint32_t> neighbor_begin_;
    std::vector<std::uint32_t> neighbors_;
    std::vector<glm::dvec3> normals_;
    std::vector<double> areas_;
    std::vector<Arc> arcs_;
};

/// A box by its axes; the volume is that around the solid it was found for.
struct BoxCandidate {
    glm::dmat3 axes{1.0};
    double volume = 0.0;
};

class ObbSearch {
  public:
    /// `solid` proposes, `full` decides: they may be the same.
    ObbSearch(const ConvexSolid& solid, const ConvexSolid& full);

    /// Weighs a frame against the best so far. True if it is the best now.
    bool weigh(const glm::dmat3& axes);
    /// Turns the best frame about each of its axes to the smallest rectangle, until nothing is gained.
    void refine_by_calipers();
    /// Follows all pairs of arcs.
    void search_all();
    /// Follows the pairs of arcs within `reach_rad` of the sides of the best frame.
    void search_near(double reach_rad);

    [[nodiscard]] const BoxCandidate& best() const noexcept { return best_; }

  private:
    struct Curve;
    struct End;
    void make_width_table();
    [[nodiscard]] glm::dvec3 span_near(const glm::dvec3& direction) const noexcept;
    void weigh_beside(const glm::dvec3& n, const glm::dvec3& other);
    void follow(const ConvexSolid::Arc& a, const ConvexSolid::Arc& b);
    void follow_curve(const Curve& curve, double from, double to);
    [[nodiscard]] bool is_hopeless(const Curve& curve, const End& a, const End& b) const noexcept;
    void settle(const Curve& curve, End& end);
    void weigh_smooth_piece(const Curve& curve, const End& a, const End& b);

    const ConvexSolid& solid_;
    const ConvexSolid& full_;
    BoxCandidate best_;
    std::uint32_t full_supports_[6] = {};
    std::uint32_t solid_supports_[6] = {};
    std::vector<glm::dvec3> spans_;  // Per cell of directions: from one support to the other.
    double least_width_ = 0.0;
};

}  // namespace bv::detail
