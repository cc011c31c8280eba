// Drawing aids for the files of this folder: arrows, dashes, outlines and text measures on top of a DrawList.
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <string_view>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"
#include "render/draw_list.hpp"
#include "render/font.hpp"
#include "results/body_volumes.hpp"
#include "view/camera.hpp"
#include "viz/build.hpp"
#include "viz/colors/palette.hpp"

namespace lab::viz {

/// The default of `draw.line_width`, for which all other widths are meant.
inline constexpr float kUsualWidth_px = 1.5f;

/// Style of a line or outline.
struct Stroke {
    Color color;
    float width_px = kUsualWidth_px;  ///< 0: boxes have no edges.
    bool on_top = false;              ///< Never hidden by other things.
};

/// Writes into one list for one camera. Sizes in pixels are turned into meters at the place where they are
/// drawn.
class Painter {
  public:
    /// All lines become `line_scale` times as wide.
    Painter(render::DrawList& list, const Camera& camera, const ViewInfo& view, const Palette& palette,
            float line_scale);

    render::DrawList& list;
    const Palette& colors;

    /// Meters that one pixel covers at `p`; positive also behind the eye.
    [[nodiscard]] float metres_per_px(const glm::vec3& p) const;
    [[nodiscard]] glm::vec3 eye() const { return eye_; }

    void line(const glm::vec3& a, const glm::vec3& b, const Stroke& s);
    /// A shaft with a head at `b` that faces the viewer. Too short for a head: only the shaft.
    void arrow(const glm::vec3& a, const glm::vec3& b, const Stroke& s, float head_px = 12.0f);
    /// Labels find places beside this line.
    void keep_labels_off(const glm::vec3& a, const glm::vec3& b, float width_px);
    void point(const glm::vec3& p, Color color, float size_px, bool on_top = false);
    /// Draws points; of those that would coincide on screen, only the first.
    void dots(std::span<const glm::vec3> points, Color color, float size_px);
    void box(const bv::Aabb& box, const Stroke& s, float fill = 0.0f);
    void box(const bv::Obb& box, const Stroke& s, float fill = 0.0f);
    void sphere(const glm::vec3& center, float radius, const Stroke& s, float fill = 0.0f);
    void polytope(std::span<const glm::vec3> vertices, std::span<const glm::uvec3> triangles,
                  std::span<const glm::uvec2> edges, const Stroke& s, float fill = 0.0f);
    /// Any volume that a body can have.
    void shape(const bv::Sphere& ball, const Stroke& s, float fill);
    void shape(const bv::Aabb& box, const Stroke& s, float fill);
    void shape(const bv::Obb& box, const Stroke& s, float fill);
    void shape(const bv::Capsule& capsule, const Stroke& s, float fill);
    void shape(const bv::RectSweptSphere& rect, const Stroke& s, float fill);
    void shape(const PlacedHull& placed, const Stroke& s, float fill);
    template <int K>
    void shape(const bv::Kdop<K>& dop, const Stroke& s, float fill) {
        const bv::Polytope flat = bv::polytope_of(dop);
        polytope(flat.vertices, flat.triangles, flat.edges, s, fill);
    }
    /// Only the corners of a box: marks a selection without hiding what is inside.
    void corners(const bv::Obb& box, const Stroke& s);
    void label(const glm::vec3& p, std::string text, Color color, float size_px = 14.0f,
               render::Label::Anchor anchor = render::Label::Anchor::Above);
    /// A label at the middle of a line, on the side where the line does not run through it.
    void label_beside(const glm::vec3& a, const glm::vec3& b, std::string text, Color color, float size_px);

  private:
    float line_scale_;
    glm::vec3 eye_, forward_, right_, up_;
    glm::mat4 to_clip_;
    glm::vec2 size_px_;
    float tan_half_fov_times_two_per_px_;
};

/// The image of [-1, 1]^3 that is this box.
[[nodiscard]] glm::mat4x3 box_transform(const bv::Aabb& box);
[[nodiscard]] glm::mat4x3 box_transform(const bv::Obb& box);

using render::text_width_px;

}  // namespace lab::viz
