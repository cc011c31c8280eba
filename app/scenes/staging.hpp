// Helpers of the teaching scenes: draggable points, and functions that add labelled shapes and numbers.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/frame_results.hpp"
#include "settings/settings.hpp"

namespace lab::scenes {

/// For scenes about opened boxes and trees.
inline constexpr Setting<bool> kBoxesDraw{{
    .id = "boxes.draw",
    .label = "Boxes",
    .help = "Opened boxes and trees: draw the boxes, not only the nodes above them",
    .default_value = "true",
    .remembered = false,
}};

/// The draggable points of one scene, by id.
class HandleSet {
  public:
    void add(std::string id, glm::vec3 position, std::string label = {}) {
        handles_.push_back({std::move(id), position, std::move(label)});
    }
    /// The position of a handle that was added; asserts otherwise.
    [[nodiscard]] glm::vec3 operator[](std::string_view id) const;
    void place(std::string_view id, glm::vec3 position);
    /// Moves a handle on behalf of the user. False if there is no such handle or the position is not finite.
    bool drag(std::string_view id, glm::vec3 position);
    /// True once the user has dragged the handle: its animation then stops.
    [[nodiscard]] bool taken(std::string_view id) const;
    void show(FrameResults& results) const;

  private:
    [[nodiscard]] const Handle* find(std::string_view id) const;
    std::vector<Handle> handles_;
    std::vector<std::string> taken_;
};

/// Settings for a blackboard: no axes, no tree, no sweeping ray in front of the drawing.
void clear_the_board(Settings& settings);

/// Adds an exhibit and returns it for further settings.
Exhibit& put(FrameResults& results, ExhibitShape shape, Role role, std::string label = {}, float fill = 0.0f);
/// Adds text at a point, without a marker.
void put_note(FrameResults& results, glm::vec3 position, Role role, std::string text);
/// Adds a straight measure from `a` to `b` with its text in the middle.
void put_measure(FrameResults& results, glm::vec3 a, glm::vec3 b, Role role, std::string text);

/// A closed interval on a line: `at(t) = origin + t * direction`.
struct Interval {
    float min = 0;
    float max = 0;
};
/// Two intervals on parallel lines, `step` apart in the direction `aside`, with their overlap or gap on a
/// third line and its length.
struct IntervalStage {
    glm::vec3 origin{0.0f};
    glm::vec3 direction{1, 0, 0};
    glm::vec3 aside{0, 0, 1};
    float step = 0.12f;
};
void put_intervals(FrameResults& results, const IntervalStage& stage, Interval a, Interval b);

/// Settings for a list of boxes and its tree: shows the upper levels, and the boxes only if there are few
/// enough to see the tree.
void prepare_for_boxes(Settings& settings, std::size_t count);
/// Adds the boxes as `boxes.draw` says.
void put_boxes(const Settings& settings, FrameResults& results, std::span<const bv::Aabb> boxes);
/// The approximate size of a snapshot.
std::size_t bytes_of(const bv::TreeSnapshot& tree);
/// Houses along a street, for scenes without an opened file.
std::vector<bv::Aabb> made_up_street(std::uint64_t seed);

/// A number for a label or note, formatted as in tables: at most three decimals.
std::string number(double value);

}  // namespace lab::scenes
