// Per-view constants shared by every pass, in the layout of the `Frame` block of frame.glsl.
#pragma once

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include "render/draw_list.hpp"
#include "render/gl/instances.hpp"

namespace lab::render::gl {

/// std140; the twin of the block in shaders/frame.glsl.
struct FrameBlock {
    glm::mat4 view_projection;
    glm::mat4 view;
    glm::vec4 eye;       ///< The eye (w = 1), or for an orthographic view the direction toward it (w = 0).
    glm::vec4 viewport;  ///< x, y of the lower left corner, width, height; px.
    glm::vec4 scale;     ///< x: px per unit of width_px; y: clip-space depth step for lines; z: far distance;
                         ///< w: sRGB brightness of the background.
    glm::vec4 quality{0.0f, 1.0f, 0.0f, 0.0f};  ///< x: 1 to mix blended things as sRGB bytes, 0: in linear
                                                ///< light; y: px that quads reach beyond soft shapes;
                                                ///< z: 1 where the z axis points up.
};

/// Perceived brightness of an sRGB color, 0..1.
inline float brightness(Color c) {
    return (0.2126f * static_cast<float>(c.r) + 0.7152f * static_cast<float>(c.g) +
            0.0722f * static_cast<float>(c.b)) /
           255.0f;
}

/// Passed to every pass.
struct FrameContext {
    FrameBlock block;
    bool fast = false;  ///< Quality::Fast.
    bool software = false;
    float px_per_unit = 0;  ///< Pixels per world unit at w = 1.
    bool solids = false;    ///< Translucent volumes will be drawn over the lines.
    UploadCounter* uploads = nullptr;
    std::uint32_t draw_calls = 0;
    std::uint32_t instances = 0;
    std::uint64_t triangles = 0;

    [[nodiscard]] bool mixes_bytes() const { return block.quality.x > 0.0f; }
    void count(std::size_t drawn_instances) {
        ++draw_calls;
        instances += static_cast<std::uint32_t>(drawn_instances);
    }
};

}  // namespace lab::render::gl
