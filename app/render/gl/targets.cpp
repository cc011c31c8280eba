#include "render/gl/targets.hpp"

#include <algorithm>
#include <cstdlib>

namespace lab::render::gl {

namespace {

bool complete() {
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

}  // namespace

bool Targets::prepare(glm::ivec2 size_px, int samples) {
    if (max_samples_ < 0) glGetIntegerv(GL_MAX_SAMPLES, &max_samples_);
    samples = std::min(samples, max_samples_);
    if (samples < 2) samples = 0;
    if (size_px == size_ && samples == samples_ && !direct_) return true;
    size_ = size_px;
    direct_ = false;
    samples_ = samples;
    bool good = make_scene();
    if (!good && samples_ > 0) {
        samples_ = 0;
        good = make_scene();
        samples_ = samples;  // as asked, so that the next frame does not try again
    }
    good = good && (!offscreen_ || make_output());
    if (!good) size_ = glm::ivec2(0);
    return good;
}

void Targets::prepare_direct(glm::ivec2 size_px) {
    if (!direct_) free_scene();
    direct_ = true;
    size_ = size_px;
}

void Targets::free_scene() {
    scene_ = {};
    resolved_ = {};
    scene_color_ = {};
    scene_depth_ = {};
    resolved_color_ = {};
}

bool Targets::make_scene() {
    free_scene();
    glBindTexture(GL_TEXTURE_2D, resolved_color_.get());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, size_.x, size_.y, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindFramebuffer(GL_FRAMEBUFFER, resolved_.get());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, resolved_color_.get(), 0);

    glBindRenderbuffer(GL_RENDERBUFFER, scene_depth_.get());
    if (samples_ > 0) {
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples_, GL_DEPTH_COMPONENT24, size_.x, size_.y);
        if (!complete()) return false;
        glBindRenderbuffer(GL_RENDERBUFFER, scene_color_.get());
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples_, GL_SRGB8_ALPHA8, size_.x, size_.y);
        glBindFramebuffer(GL_FRAMEBUFFER, scene_.get());
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, scene_color_.get());
    } else {
        glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, size_.x, size_.y);
    }
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, scene_depth_.get());
    return complete();
}

bool Targets::make_output() {
    output_ = {};
    output_color_ = {};
    glBindRenderbuffer(GL_RENDERBUFFER, output_color_.get());
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, size_.x, size_.y);
    glBindFramebuffer(GL_FRAMEBUFFER, output_.get());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, output_color_.get());
    return complete();
}

void Targets::bind_scene() {
    if (direct_) return bind_output();
    // Without multisampling the scene goes straight to the texture.
    glBindFramebuffer(GL_FRAMEBUFFER, scene_.peek() != 0 ? scene_.get() : resolved_.get());
}

void Targets::resolve() {
    if (scene_.peek() == 0) return;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, scene_.get());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved_.get());
    glBlitFramebuffer(0, 0, size_.x, size_.y, 0, 0, size_.x, size_.y, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void Targets::blit_to_output() {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved_.get());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, offscreen_ ? output_.get() : 0);
    glBlitFramebuffer(0, 0, size_.x, size_.y, 0, 0, size_.x, size_.y, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    bind_output();
}

// Versions of the specification disagree on whether such copies convert, so test the driver with a known
// byte.
bool Targets::copies_bytes() {
    glBindFramebuffer(GL_FRAMEBUFFER, resolved_.get());
    glClearColor(0.25f, 0.25f, 0.25f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    unsigned char stored[4] = {0, 0, 0, 0}, copied[4] = {0, 0, 0, 0};
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, stored);
    blit_to_output();
    bind_output_for_reading();
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, copied);
    return std::abs(copied[0] - stored[0]) <= 1;
}

void Targets::test_copying() {
    if (copying_ == Copying::Unknown && !direct_)
        copying_ = copies_bytes() ? Copying::Exact : Copying::Changed;
}

bool Targets::copy_to_output() {
    if (direct_) {
        bind_output();
        return true;
    }
    if (copying_ != Copying::Exact) return false;
    blit_to_output();
    return true;
}

void Targets::bind_output() {
    glBindFramebuffer(GL_FRAMEBUFFER, offscreen_ ? output_.get() : 0);
}

void Targets::bind_output_for_reading() {
    bind_output();
    glReadBuffer(offscreen_ ? GL_COLOR_ATTACHMENT0 : GL_BACK);
}

}  // namespace lab::render::gl
