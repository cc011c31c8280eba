#include "render/passes/picture_pass.hpp"

#include <algorithm>
#include <cmath>
#include <glm/vec4.hpp>

namespace lab::render {

PicturePass::PicturePass(gl::ShaderLibrary& shaders)
    : program_(shaders.add("screen/picture.vert", "screen/picture.frag")) {}

void PicturePass::begin(glm::ivec2 framebuffer_px) {
    framebuffer_px_ = framebuffer_px;
    placed_.clear();
}

void PicturePass::add(const DrawList& list, glm::vec2 min_px, glm::vec2 size_px) {
    for (const Picture& picture : list.pictures) {
        const bool finite = std::isfinite(picture.min.x + picture.min.y + picture.max.x + picture.max.y);
        if (!finite || !picture.image || !picture.image->consistent()) continue;
        placed_.push_back({picture.image, min_px + picture.min * size_px, min_px + picture.max * size_px,
                           std::clamp(picture.opacity, 0.0f, 1.0f)});
    }
}

void PicturePass::upload(Slot& slot, const std::shared_ptr<const Image>& image, gl::FrameContext& frame) {
    glBindTexture(GL_TEXTURE_2D, slot.texture.get());
    if (slot.holds == image) return;
    // Nearest filtering: a smoothed heatmap would show values that no ray had.
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        glTexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
    for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
        glTexParameteri(GL_TEXTURE_2D, axis, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, image->size.x, image->size.y, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 image->rgba.data());
    frame.uploads->bytes += image->rgba.size();
    slot.holds = image;
}

void PicturePass::draw(gl::FrameContext& frame) {
    slots_.resize(placed_.size());  // also frees pictures that are no longer shown
    if (placed_.empty()) return;
    program_.use();
    program_.set("u_size", glm::vec2(framebuffer_px_));
    program_.set("u_picture", 0);
    glActiveTexture(GL_TEXTURE0);
    glBindVertexArray(empty_.get());
    for (std::size_t i = 0; i < placed_.size(); ++i) {
        const Placed& placed = placed_[i];
        upload(slots_[i], placed.image, frame);
        program_.set("u_rect", glm::vec4(placed.min_px, placed.max_px));
        program_.set("u_opacity", placed.opacity);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        frame.count(1);
    }
}

}  // namespace lab::render
