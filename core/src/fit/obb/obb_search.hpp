// The search for the box of least volume around a convex solid.
//
// A side of the smallest box that is flush with an edge of the hull has its normal on the edge's arc: the
// great-circle arc between the normals of the edge's two faces. O'Rourke: two adjacent sides are flush. So
// the two normals run over two arcs, perpendicular to each other, which leaves one parameter s. All widths
// are simple functions of s between the events at which the support of a side changes.
//
// A bound from the vertices that span nearby widths rejects most pairs of arcs; the others are bisected until
// the bound rejects them, or until the same six supports are valid at both ends, where the volume is a smooth
// function.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <utility>
#include <vector>

#include "bv/shapes/hull.hpp"

namespace bv::detail {

/// A convex solid in double, centered and scaled to size 1, for many support queries.
class ConvexSolid {
  public:
    ConvexSolid(const Hull& hull, const glm::dvec3& center, double size);

    struct Arc {
        glm::dvec3 from, to;  // Unit normals of the edge's two faces.
        std::uint32_t face_from, face_to;
        std::uint32_t vertex;    // One end of the edge.
        std::uint32_t opposite;  // The opposite support for normals on the arc.
        double length_rad;
        double least_width;  // Lower bound over the arc.
    };

    /// The vertex farthest along `direction`, climbing from `start`.
    [[nodiscard]] std::uint32_t climb(const glm::dvec3& direction, std::uint32_t start) const noexcept;
    /// Volume of the box with these axes; updates `supports`, the starting points of the next search.
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

/// A box by its axes; the volume is that around the searched solid.
struct BoxCandidate {
    glm::dmat3 axes{1.0};
    double volume = 0.0;
};

class ObbSearch {
  public:
    /// `solid` proposes candidates, `full` measures them; they may be the same.
    ObbSearch(const ConvexSolid& solid, const ConvexSolid& full);

    /// Gets every frame that is compared with the best so far, and whether it became the best.
    using Observer = std::function<void(const glm::dmat3& axes, bool best)>;
    void observe(Observer observer) { observer_ = std::move(observer); }

    /// Compares a frame with the best so far. True if it is now the best.
    bool consider(const glm::dmat3& axes);
    /// Rotates the best frame about each of its axes to the smallest rectangle, until there is no gain.
    void refine_by_calipers();
    /// Follows all pairs of arcs.
    void search_all();
    /// Follows the pairs of arcs within `reach_rad` of the sides of a frame.
    void search_near(const glm::dmat3& axes, double reach_rad);

    [[nodiscard]] const BoxCandidate& best() const noexcept { return best_; }
    /// Frames of small boxes, the smallest first, no two of them within `apart_rad` of each other. Only if
    /// `solid` and `full` differ.
    [[nodiscard]] std::vector<glm::dmat3> best_frames(std::size_t count, double apart_rad) const;
    /// The shortest edge of the best box.
    [[nodiscard]] double least_extent() const noexcept;

  private:
    struct Curve;
    /// A position on a curve, with the vertices that support the box there.
    struct End {
        double s = 0.0;
        glm::dmat3 axes{1.0};
        std::array<std::uint32_t, 6> support{};  // High and low along each axis.
        std::array<double, 3> width{};
    };
    void make_width_table();
    /// The farthest vertices along a direction and against it, and the vector from the second to the first.
    struct Span {
        glm::dvec3 across{0.0};
        std::uint32_t high = 0;
        std::uint32_t low = 0;
    };
    [[nodiscard]] Span span_near(const glm::dvec3& direction) const noexcept;
    [[nodiscard]] double bound_over(const ConvexSolid::Arc& a, const ConvexSolid::Arc& b) const noexcept;
    void consider_beside(const glm::dvec3& n, const glm::dvec3& other);
    void follow(const ConvexSolid::Arc& a, const ConvexSolid::Arc& b);
    void follow_curve(const Curve& curve, double from, double to);
    [[nodiscard]] bool is_hopeless(const Curve& curve, const End& a, const End& b,
                                   const Span& third) const noexcept;
    [[nodiscard]] double bound_by_first(const End& a, const End& b) const noexcept;
    [[nodiscard]] double kink_between(const Curve& curve, const End& a, const End& b,
                                      std::size_t axis) const noexcept;
    void evaluate(const Curve& curve, End& end);
    [[nodiscard]] bool dips_between(const Curve& curve, const End& a, const End& b,
                                    double& at) const noexcept;
    [[nodiscard]] double least_third(const End& a, const End& b, const glm::dvec3& span) const noexcept;
    double bound_between(const End& a, const End& b, std::size_t& changed) const noexcept;

    const ConvexSolid& solid_;
    const ConvexSolid& full_;
    BoxCandidate best_;
    double least_;  // Volume around `solid_` of the smallest box so far: what pairs of arcs must go below.
    std::vector<BoxCandidate> considered_;  // If the two solids differ.
    Observer observer_;
    std::uint32_t full_supports_[6] = {}, solid_supports_[6] = {};
    std::vector<Span> spans_;  // Per cell of directions.
    double least_width_ = 0.0;
    std::vector<std::pair<End, End>> open_;
};

}  // namespace bv::detail
