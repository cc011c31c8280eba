// The draw list: everything to draw in one frame, as plain data. The code that fills it knows the collision
// world; the renderer does not. Each array becomes one instanced draw call.
//
// World units are meters, right-handed, y up. Colors are sRGB bytes with straight alpha.
#pragma once

#include <cstdint>
#include <glm/mat4x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <string>
#include <vector>

#include "render/image.hpp"

namespace lab::render {

/// An sRGB color with straight alpha, packed so that instance buffers stay small.
struct Color {
    std::uint8_t r = 255, g = 255, b = 255, a = 255;
    [[nodiscard]] constexpr Color with_alpha(float alpha) const {
        return {r, g, b,
                static_cast<std::uint8_t>(alpha <= 0   ? 0
                                          : alpha >= 1 ? 255
                                                       : alpha * 255.0f + 0.5f)};
    }
    friend bool operator==(const Color&, const Color&) = default;
};

/// 0xRRGGBB, opaque.
constexpr Color rgb(std::uint32_t hex) {
    return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
            static_cast<std::uint8_t>(hex), 255};
}

/// A mesh that lives on the GPU. Made by Renderer::upload.
struct MeshHandle {
    std::uint32_t id = 0;  ///< 0 is no mesh and draws nothing.
    friend bool operator==(const MeshHandle&, const MeshHandle&) = default;
};

/// A lit mesh. Columns 0..2 of `transform` are the linear part, column 3 the translation.
struct MeshInstance {
    MeshHandle mesh;
    glm::mat4x3 transform{1.0f};
    Color color;
};

/// A line with round ends, `width_px` wide on screen at display scale 1.
struct Line {
    glm::vec3 a;
    Color color;
    glm::vec3 b;
    float width_px = 1.5f;
};

/// The twelve edges of an axis-aligned box.
struct WireAabb {
    glm::vec3 min;
    Color color;
    glm::vec3 max;
    float width_px = 1.5f;
};

/// The twelve edges of the image of the cube [-1, 1]^3 under `transform`.
struct WireBox {
    glm::mat4x3 transform;
    Color color;
    float width_px = 1.5f;
};

/// A sphere drawn as its outline toward the eye plus three faint great circles.
struct WireSphere {
    glm::vec3 center;
    float radius;
    Color color;
    float width_px = 1.5f;
};

/// Translucent solids: drawn after everything opaque, back faces first, without writing depth.
struct SolidBox {
    glm::mat4x3 transform;  ///< Image of the cube [-1, 1]^3.
    Color color;
};
struct SolidSphere {
    glm::vec3 center;
    float radius;
    Color color;
};
struct SolidTriangle {
    glm::vec3 a, b, c;
    Color color;
};

/// A round marker of a fixed size on screen.
struct Point {
    glm::vec3 position;
    Color color;
    float size_px = 8.0f;
};

/// Text that faces the viewer, at a fixed size on screen. It has a dark or light halo of `halo`, so that it
/// reads on any background. Labels never hide behind geometry. UTF-8; newlines start a new line. Labels that
/// would overlap are pushed apart, nearer ones first; those that find no free place are faded.
struct Label {
    /// Where the text lies: around the point, starting at it (Left: its left edge is there), ending at it
    /// (Right), over it, under it.
    enum class Anchor : std::uint8_t { Center, Left, Right, Above, Below };
    glm::vec3 position;         ///< The world point that the label belongs to.
    glm::vec2 offset_px{0.0f};  ///< Moved on screen by this much, y down.
    std::string text;
    Color color;
    Color halo{0, 0, 0, 200};
    float size_px = 15.0f;
    Anchor anchor = Anchor::Center;
    float clear_px = 3.0f;  ///< Radius around the point that other labels, too, keep off.
};

/// Text fixed to the window: legends, titles, notices. `position_px` counts from the top left at display
/// scale 1; a negative coordinate counts from the right or bottom edge. With the anchors Left and Right it is
/// the top left or top right corner of the text; Center, Above and Below are as for a label.
struct ScreenText {
    glm::vec2 position_px;
    std::string text;
    Color color;
    Color halo{0, 0, 0, 200};
    float size_px = 15.0f;
    Label::Anchor anchor = Label::Anchor::Left;
    Color panel{0, 0, 0,
                0};  ///< A rounded background around the text, as large as the text needs; clear: none.
};

/// A filled rectangle with rounded corners fixed to the window, drawn under the screen texts: legend
/// backgrounds, swatches.
struct ScreenRect {
    glm::vec2 min_px, max_px;  ///< Same rules as ScreenText::position_px.
    Color color;
    float radius_px = 0.0f;
};

/// A picture over the finished scene and under labels and texts. Corners are fractions of the view: (0, 0) is
/// its top left, (1, 1) its bottom right.
struct Picture {
    std::shared_ptr<const Image> image;  ///< Drawn with hard pixel edges. Uploaded once per object.
    glm::vec2 min{0.0f}, max{1.0f};
    float opacity = 1.0f;
};

/// The endless ground grid and the axes at the origin. Spacing follows the scale of the scene.
struct Ground {
    bool grid = true;
    bool axes = true;
    bool z_up = false;
    float height = 0.0f;   ///< The grid lies in the plane y = height, or z = height.
    float spacing = 1.0f;  ///< Meters between thin lines; every tenth is strong.
    Color line{128, 128, 128, 110};
    Color halo{0, 0, 0, 200};  ///< Around the names of the axes.
};

/// Everything of one frame. `clear` keeps the memory.
struct DrawList {
    Color background_top{38, 44, 54, 255};
    Color background_bottom{18, 20, 26, 255};
    Ground ground;

    std::vector<MeshInstance> meshes;
    std::vector<Line> lines;
    std::vector<WireAabb> wire_aabbs;
    std::vector<WireBox> wire_boxes;
    std::vector<WireSphere> wire_spheres;
    std::vector<SolidBox> solid_boxes;
    std::vector<SolidSphere> solid_spheres;
    std::vector<SolidTriangle> solid_triangles;
    std::vector<Point> points;
    std::vector<Label> labels;
    std::vector<Picture> pictures;
    std::vector<ScreenRect> keep_clear;  ///< Not drawn: what labels must not cover.
    std::vector<ScreenRect> screen_rects;
    std::vector<ScreenText> screen_texts;
    std::vector<Line>
        overlay_lines;  ///< As `lines`, but never hidden by anything: handles, rays, separating axes.
    std::vector<Point> overlay_points;  ///< The same for points, over the lines.

    void clear();
};

}  // namespace lab::render
