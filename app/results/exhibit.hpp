// The exhibits of a scene: shapes with a role and a label, handles to drag, and charts. A scene fills these
// each step and knows nothing of colors or pixels; viz draws every exhibit. Tables are in results/table.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/capsule.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/plane.hpp"
#include "bv/shapes/ray.hpp"
#include "bv/shapes/rect_swept_sphere.hpp"
#include "bv/shapes/sphere.hpp"
#include "bv/shapes/triangle.hpp"
#include "results/table.hpp"
#include "settings/role.hpp"

namespace lab {

struct SettingSpec;

/// A straight or bent line through points.
struct Polyline {
    std::vector<glm::vec3> points;
};
/// Only a label.
struct Note {
    glm::vec3 position{0.0f};
};
/// A bare point.
struct Marker {
    glm::vec3 position{0.0f};
};
/// A convex or other closed surface of triangles with the edges worth drawing.
struct Polytope {
    std::vector<glm::vec3> vertices;
    std::vector<glm::uvec3> triangles;
    std::vector<glm::uvec2> edges;
};
/// A piece of a plane: drawn as a square with its normal.
struct PlanePatch {
    bv::Plane plane;
    glm::vec3 center{0.0f};
    float half_size = 1.0f;

    /// In the plane even if `center` is not, in order around the square.
    [[nodiscard]] std::array<glm::vec3, 4> corners() const;
};

/// One cube of a voxel model, with the color that the model gives it.
struct VoxelCell {
    glm::vec3 at{0.0f};  ///< Its corner, in voxels.
    float size = 1.0f;   ///< Its edge, in voxels.
    std::array<std::uint8_t, 3> rgb{255, 255, 255};

    friend bool operator==(const VoxelCell&, const VoxelCell&) = default;
};
using VoxelCells = std::vector<VoxelCell>;
/// Cubes in a frame of their own, drawn as lit solids. The caller leaves out cubes that cannot be seen.
struct VoxelBlock {
    std::shared_ptr<const VoxelCells> cells;
    /// Columns 0..2: the edges of a voxel in the world; column 3: the corner of the one at (0, 0, 0).
    glm::mat4x3 transform{1.0f};
    glm::vec3 size{0.0f};  ///< All cells lie between 0 and here, in voxels.
};

using ExhibitShape =
    std::variant<Note, Marker, bv::Segment, Polyline, bv::Ray, bv::Triangle, bv::Sphere, bv::Aabb, bv::Obb,
                 PlanePatch, Polytope, VoxelBlock, bv::Capsule, bv::RectSweptSphere>;

/// One exhibit.
struct Exhibit {
    ExhibitShape shape;
    Role role = Role::Muted;
    std::string label;        ///< Empty: no label.
    float fill = 0.0f;        ///< Opacity of the faces, 0 for edges only.
    float width_px = 2.0f;    ///< Of edges and lines.
    bool on_top = false;      ///< Never hidden by other shapes.
    std::string legend = {};  ///< What the legend calls it; empty: the name of its role.
    float scalar = -1.0f;     ///< 0 to 1: colored by the scalar map instead, with `legend` as the map's name.
    float scalar_end = 1.0f;  ///< What a scalar of 1 stands for in the legend,
    std::string_view scalar_unit = {};  ///< and the unit of that. Static.
};

/// The part of this exhibit that should be in the picture: all of it, except that only the origin counts for
/// an endless ray, and nothing for a note.
[[nodiscard]] bv::Aabb bounds_of(const Exhibit& exhibit);
/// The radius of a ball around a point that holds it.
[[nodiscard]] float radius_of(const Exhibit& exhibit, const glm::vec3& around);

/// How the panel of values shows a handle and accepts numbers for it.
struct GivenValue {
    std::string name = {};        ///< "A, center"; empty: the handle's label, or else its id.
    std::string_view unit = "m";  ///< Static.
    std::string_view note = {};   ///< What the tooltip adds, like the length of a unit. Static.
    std::string from = {};        ///< The handle that the numbers count from: a velocity's body. Empty: none.
    int parts = 3;                ///< How many of x, y, z there are.
    bool in_view = true;          ///< Off for numbers that are no place in the world, like sizes.
    bool listed = true;
    bool is_size = false;  ///< Never negative: a corner that was dragged across the center counts as there.
};

/// An input of a scene: a point that can be dragged in the view, or numbers that only the panel
/// shows. Dragging pushes `scene.drag ID X Y Z`, typing `scene.value ID X Y Z`.
struct Handle {
    std::string id;
    glm::vec3 position{0.0f};
    std::string label;
    bool bare = false;  ///< Not drawn: an exhibit marks it already.
    GivenValue given = {};

    [[nodiscard]] const std::string& name() const {
        return !given.name.empty() ? given.name : !label.empty() ? label : id;
    }
};
/// The handle of that id, or null.
[[nodiscard]] const Handle* find_handle(const std::vector<Handle>& handles, std::string_view id);
/// The numbers of a handle: its position relative to its base; for a size, without signs.
[[nodiscard]] glm::vec3 numbers_of(const std::vector<Handle>& handles, const Handle& handle);

/// Intervals on one common line, drawn as bars over each other in a corner of the view: slabs, times,
/// projections.
struct IntervalChart {
    struct Row {
        std::string name;
        float from = 0, to = 0;  ///< `from > to`: an empty interval, drawn as its name alone.
        Role role = Role::Muted;
        std::string note;  ///< At the right end of the row.
    };
    std::string title;
    std::string unit;        ///< Of the common line: "t", "s", "m".
    float min = 0, max = 1;  ///< What the line shows; bars are clipped to it.
    std::vector<Row> rows;
    std::optional<float> now;  ///< A mark across all rows.
};

/// Quantities over the last steps, one line each, drawn in a corner of the view.
struct LineChart {
    struct Line {
        std::string name;
        Role role = Role::Muted;
        std::vector<float> values;   ///< The oldest first.
        std::optional<Number> mean;  ///< The recent mean, shown behind the name.
    };
    std::string title;
    std::string span;            ///< What the width covers: "the last 4 s".
    std::size_t capacity = 240;  ///< Values in the whole width; fewer start at the right.
    std::vector<Line> lines;
};

/// Frames that were recorded elsewhere and are played here. The time drawer shows them instead of the
/// session's own steps.
struct Film {
    struct Mark {
        int frame = 0;  ///< The setting's value for its frame.
        Role role = Role::Muted;
        std::string text;          ///< Shown while the mouse points at it.
        std::uint64_t number = 0;  ///< Of its frame, as the recorder counts.
    };
    const SettingSpec* frame = nullptr;    ///< The setting that holds the shown one; never null.
    const SettingSpec* playing = nullptr;  ///< The setting that plays or pauses them; never null.
    /// The setting's values for all frames, ascending; never null, never empty.
    std::shared_ptr<const std::vector<int>> numbers;
    std::shared_ptr<const std::vector<Mark>> marks;  ///< In order of frames; null: none.
    std::size_t place = 0;                           ///< Of the shown one in `numbers`.
    std::uint64_t number = 0;                        ///< Of the shown one, as the recorder counts.
    double time_s = 0.0;                             ///< Its time; may be not finite.
    std::string_view newest;  ///< The command that catches up with a running engine; empty if none is ahead.

    /// "frame 119 (120 of 120)  3.97 s": its number, its place among all, and its time.
    [[nodiscard]] std::string caption() const;
};

/// Quantities over all values of a setting, such as the frames of a capture. A panel plots them; a click
/// there changes the setting.
struct Curves {
    struct Line {
        std::string name;
        Role role = Role::Muted;
        std::vector<float> values;  ///< One for each of `at`; NaN where there is none.
    };
    std::string title;                     ///< Of the tab, like "Over the capture".
    const SettingSpec* setting = nullptr;  ///< An integer; never null.
    std::vector<int> at;                   ///< Its values, ascending.
    std::vector<Line> lines;
};

}  // namespace lab
