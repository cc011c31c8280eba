// Shorthands that add labeled shapes and numbers to the results.
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/frame_results.hpp"

namespace lab {

/// Adds one exhibit and returns it, so that the caller can set more of it.
Exhibit& put(FrameResults& results, ExhibitShape shape, Role role, std::string label = {}, float fill = 0.0f);
/// Adds text at a point, without a marker.
void put_note(FrameResults& results, glm::vec3 position, Role role, std::string text);
/// Adds a straight measure from `a` to `b` with its text in the middle.
void put_measure(FrameResults& results, glm::vec3 a, glm::vec3 b, Role role, std::string text);

/// More boxes of one kind than this cannot be told apart by their edges.
inline constexpr std::size_t kMaxOutlines = 200;

/// Adds boxes by their edges or, if there are too many of them, a dot at the center of each.
void put_boxes(FrameResults& results, std::span<const bv::Aabb> boxes, Role role, float width_px,
               const char* legend);

/// More dots of one kind than this form a cloud, which fewer dots show just as well.
inline constexpr std::size_t kMaxDots = 800;

/// Adds a polytope that has only vertices: where several coincide on screen, one dot is drawn. More than
/// `kMaxDots` are thinned where they are dense; the choice does not depend on the view.
Exhibit& put_dots(FrameResults& results, std::vector<glm::vec3> points, Role role, const char* legend);

/// Adds the line through the centers of boxes, in their order along a Morton curve.
void put_curve(FrameResults& results, std::span<const bv::Aabb> boxes, Role role, float width_px,
               const char* legend);

/// True for an exhibit that `put_dots` made.
[[nodiscard]] inline bool is_dots(const Polytope& shape) {
    return shape.triangles.empty() && shape.edges.empty() && !shape.vertices.empty();
}

/// A closed interval on a line: `at(t) = origin + t * direction`.
struct Interval {
    float min = 0;
    float max = 0;
};
/// Two intervals side by side along one line, `step` apart in the direction `aside`, with their common part
/// (or the gap between them) on a third line and its length written there.
struct IntervalStage {
    glm::vec3 origin{0.0f};
    glm::vec3 direction{1, 0, 0};
    glm::vec3 aside{0, 0, 1};
    float step = 0.12f;
    std::string_view name = {};  ///< Of the axis, before the number on the bars.
};
void put_intervals(FrameResults& results, const IntervalStage& stage, Interval a, Interval b);
/// The same for a separating axis: instead of the common part, the shortest translation along it that
/// separates the intervals. Where one contains the other, that is longer than the common part.
void put_separation(FrameResults& results, const IntervalStage& stage, Interval a, Interval b);

/// A number for a label, a note or a result: at most three decimals; tiny and huge ones in powers of ten.
std::string number(double value);

}  // namespace lab
