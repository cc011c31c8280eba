// Triangulates polygons in space.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

namespace lab::io {

/// Ear clipping on the polygon's shadow along the axis that its normal is nearest to. A k-d tree of the
/// corners that could lie inside an ear makes it n log n for everything but contrived polygons; 100,000
/// corners take a fraction of a second. Keeps its buffers from polygon to polygon.
///
/// - A simple polygon, convex or not, plane or nearly so: the triangles cover it once and use every corner,
///   those on a straight edge, too, so that no gap opens to a neighboring face.
/// - Holes joined to the outline by a pair of edges are left open.
/// - Repeated corners and edges that go out and back the same way become triangles without area.
/// - A polygon that crosses itself: the triangles' area vectors still add up to the polygon's, as for all
///   polygons, but they may overlap and face either way. The same holds for a polygon so contrived that its
///   tests look at more than 500 corners for each of its own, plus a million: the rest is cut without tests.
///
/// Meister: "Polygons have ears" (1975); ElGindy, Everett, Toussaint: "Slicing an ear using prune-and-search"
/// (1993).
class Triangulator {
  public:
    using Triangle = std::array<std::uint32_t, 3>;

    /// `corners.size() - 2` triangles, as numbers of corners and with the winding of the polygon.
    /// Nothing for fewer than three corners. Positions must be finite. The result is good until the next
    /// call.
    std::span<const Triangle> run(std::span<const glm::vec3> corners);

  private:
    enum class Corner : unsigned char {
        Convex,    ///< An ear if nothing lies in it.
        Spike,     ///< Without area: a repeated corner, or the tip of an edge that is gone back.
        Straight,  ///< On the line between its neighbors.
        Reflex,
        Gone,
    };
    struct Node {
        glm::dvec2 low, high;
        std::uint32_t begin, end;  // of order_
        std::uint32_t parent;
        std::uint32_t second;  // the second child; the first follows its parent. 0: a leaf
        std::uint32_t blocking = 0;
    };
    struct Candidate {
        double diagonal;  ///< Squared length of the edge that its ear would leave behind.
        std::uint32_t corner, stamp;
        /// The order of a heap: short diagonals come first, which keeps ears small and their tests local.
        friend bool operator<(const Candidate& a, const Candidate& b) {
            return a.diagonal != b.diagonal ? a.diagonal > b.diagonal : a.corner > b.corner;
        }
    };

    void project(std::span<const glm::vec3> corners);
    void build_tree(std::uint32_t begin, std::uint32_t end, std::uint32_t parent);
    void queue(const Candidate& c);
    void queue_ring(std::uint32_t start);
    /// Twice the area of a triangle of corners, positive if it turns as the polygon does.
    [[nodiscard]] double turn(std::uint32_t a, std::uint32_t b, std::uint32_t c) const;
    [[nodiscard]] Corner kind_of(std::uint32_t corner) const;
    void reclassify(std::uint32_t corner);
    [[nodiscard]] bool is_current(const Candidate& c) const;
    [[nodiscard]] bool lies_in_ear(std::uint32_t corner, std::uint32_t tip) const;
    [[nodiscard]] bool may_touch_ear(const Node& node, std::uint32_t tip) const;
    [[nodiscard]] bool is_ear(std::uint32_t tip);
    [[nodiscard]] std::uint32_t any_left() const;
    void clip(std::uint32_t tip);
    bool clip_next();
    bool clip_blocked();

    std::vector<glm::dvec2> points_;
    std::vector<std::uint32_t> next_, previous_, stamps_, order_, leaf_, open_;
    std::vector<Corner> kinds_;
    std::vector<Node> nodes_;
    std::vector<Candidate> spikes_, heap_, blocked_;
    std::vector<Triangle> triangles_;
    std::size_t blocked_at_ = 0;
    std::size_t clipped_at_last_pass_ = 0;
    std::size_t work_left_ = 0;  // nodes and corners that tests may still look at
    double sign_ = 1.0;
};

}  // namespace lab::io
