#include "render/passes/ground_pass.hpp"

#include <algorithm>
#include <cmath>
#include <glm/vec4.hpp>

#include "render/gl/dialect.hpp"

namespace lab::render {

namespace {

constexpr Color kAxisX = rgb(0xE8604C), kAxisY = rgb(0x58C27D), kAxisZ = rgb(0x5B9BF0);

glm::vec4 bytes(Color c) {
    return glm::vec4(c.r, c.g, c.b, c.a) / 255.0f;
}

float linear(std::uint8_t byte) {
    const float s = static_cast<float>(byte) / 255.0f;
    return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f);
}
// The twin of to_mixed in frame.glsl.
glm::vec4 mixed(Color c, float alpha, const gl::FrameContext& frame) {
    return frame.mixes_bytes() ? glm::vec4(glm::vec3(bytes(c)), alpha)
                               : glm::vec4(linear(c.r), linear(c.g), linear(c.b), alpha);
}

float wrap(float value, float period) {
    return value - period * std::floor(value / period);
}

}  // namespace

GroundPass::GroundPass(gl::ShaderLibrary& shaders)
    : background_(shaders.add("screen/fullscreen.vert", "screen/background.frag")),
      grid_(shaders.add("surfaces/ground.vert", "surfaces/ground.frag")) {}

void GroundPass::draw_background(const DrawList& list, gl::FrameContext& frame) {
    background_.use();
    background_.set("u_top", bytes(list.background_top));
    background_.set("u_bottom", bytes(list.background_bottom));
    glBindVertexArray(empty_.get());
    gl::convert_to_srgb(false);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gl::convert_to_srgb(true);
    frame.count(1);
}

void GroundPass::draw_grid(const Ground& ground, const glm::vec3& eye, gl::FrameContext& frame) {
    const float spacing = ground.spacing;
    if (!ground.grid || ground.line.a == 0 || !(spacing > 0.0f) || !std::isfinite(spacing + ground.height))
        return;
    const float eye_height = ground.z_up ? eye.z : eye.y, eye_across = ground.z_up ? eye.y : eye.z;
    const float above = std::abs(eye_height - ground.height);
    float reach = std::max(90.0f * spacing, 30.0f * above);
    // The far plane must not cut the grid where it can still be seen.
    const float far_distance = frame.block.scale.z;
    if (far_distance > 0.0f) reach = std::min(reach, 0.9f * far_distance);
    const bool at_origin = ground.axes && std::abs(ground.height) < spacing;
    const float axis_alpha = at_origin ? 0.75f : 0.0f;
    const float period = 100.0f * spacing;
    Color line = ground.line;
    if (eye_height < ground.height)
        line = line.with_alpha(static_cast<float>(line.a) / 255.0f * 0.5f);  // seen from below

    grid_.use();
    grid_.set("u_plane", glm::vec4(eye.x, ground.height, eye_across, 1.42f * reach));
    grid_.set("u_wrap", glm::vec4(wrap(eye.x, period), 0.0f, wrap(eye_across, period), 0.0f));
    grid_.set("u_line", mixed(line, static_cast<float>(line.a) / 255.0f, frame));
    grid_.set("u_brightness", gl::brightness(line));
    grid_.set("u_axis_x", mixed(kAxisX, axis_alpha, frame));
    grid_.set("u_axis_across", mixed(ground.z_up ? kAxisY : kAxisZ, axis_alpha, frame));
    grid_.set("u_reach", glm::vec4(spacing, reach, 0.5f * frame.block.scale.x, ground.z_up ? 1.0f : 0.0f));
    glBindVertexArray(empty_.get());
    glDepthMask(GL_FALSE);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDepthMask(GL_TRUE);
    frame.count(1);
}

void GroundPass::append_axes(const Ground& ground, std::vector<Line>& lines, std::vector<Label>& labels) {
    if (!ground.axes || !(ground.spacing > 0.0f) || !std::isfinite(ground.spacing)) return;
    const struct {
        glm::vec3 direction;
        Color color;
        const char* name;
    } arms[] = {{{1, 0, 0}, kAxisX, "x"}, {{0, 1, 0}, kAxisY, "y"}, {{0, 0, 1}, kAxisZ, "z"}};
    for (const auto& arm : arms) {
        const glm::vec3 tip = arm.direction * ground.spacing;
        lines.push_back({glm::vec3(0.0f), arm.color, tip, 3.0f});
        Label label;
        label.position = tip * 1.15f;
        label.text = arm.name;
        label.color = arm.color;
        label.halo = ground.halo;
        label.size_px = 16.0f;
        labels.push_back(label);
    }
}

}  // namespace lab::render
