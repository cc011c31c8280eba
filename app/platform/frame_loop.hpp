// The loop around the frames of a program: our own, or the browser's.
#pragma once

#include <memory>
#include <optional>

namespace lab::platform {

/// A program that works frame by frame.
class FrameProgram {
  public:
    virtual ~FrameProgram() = default;
    FrameProgram() = default;
    FrameProgram(const FrameProgram&) = delete;
    FrameProgram& operator=(const FrameProgram&) = delete;

    /// One frame. The exit status after the last one.
    [[nodiscard]] virtual std::optional<int> frame() = 0;
};

/// Calls `frame` until it gives an exit status, and returns that. In a browser it returns 0 at once: the page
/// calls for each frame, and the program lives until the last one.
int run_frames(std::unique_ptr<FrameProgram> program);

}  // namespace lab::platform
