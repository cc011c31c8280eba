// Frames of a capture ready to be shown. While one is on show, the next can be prepared in another thread.
#pragma once

#include <cstddef>
#include <future>
#include <memory>
#include <utility>

#include "capture/shown_frame.hpp"
#include "io/captures/capture_file.hpp"

namespace lab::scenes {

class FrameAhead {
  public:
    using Read = io::Result<std::shared_ptr<const capture::ShownFrame>>;

    /// Call `wait` before using the file for anything but its list of frames.
    explicit FrameAhead(std::shared_ptr<io::CaptureFile> file) : file_(std::move(file)) {}

    /// Reads a frame; returns at once if it was expected and is ready.
    [[nodiscard]] Read read(std::size_t place);
    /// Begins to read a frame, where there are threads. The frame expected before is forgotten.
    void expect(std::size_t place);
    /// Blocks until no thread reads the file.
    void wait();

  private:
    std::shared_ptr<io::CaptureFile> file_;
    std::size_t place_ = 0;  ///< The frame that `ahead_` reads.
    std::future<Read> ahead_;
};

}  // namespace lab::scenes
