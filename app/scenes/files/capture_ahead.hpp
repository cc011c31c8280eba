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

    /// Whoever uses the file otherwise than for its list of frames calls `wait` before.
    explicit FrameAhead(std::shared_ptr<io::CaptureFile> file) : file_(std::move(file)) {}

    /// At once if it was expected and is there.
    [[nodiscard]] Read read(std::size_t place);
    /// Begins to read it, where there are threads. What was expected before is forgotten.
    void expect(std::size_t place);
    /// Until no thread reads the file.
    void wait();

  private:
    std::shared_ptr<io::CaptureFile> file_;
    std::size_t place_ = 0;  ///< That `ahead_` reads.
    std::future<Read> ahead_;
};

}  // namespace lab::scenes
