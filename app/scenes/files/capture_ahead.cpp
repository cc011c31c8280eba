#include "scenes/files/capture_ahead.hpp"

#include <exception>
#include <utility>

#include "platform/threads/threads.hpp"

namespace lab::scenes {
namespace {

FrameAhead::Read read_from(io::CaptureFile& file, std::size_t place) {
    auto frame = file.frame(place);
    if (!frame) return frame.error();
    return std::make_shared<const capture::ShownFrame>(capture::shown_frame(std::move(*frame)));
}

}  // namespace

FrameAhead::Read FrameAhead::read(std::size_t place) {
    if (ahead_.valid() && place_ == place) {
        try {
            return ahead_.get();
        } catch (const std::exception&) {  // out of memory there; there may be enough here
        }
    }
    wait();
    return read_from(*file_, place);
}

void FrameAhead::expect(std::size_t place) {
    wait();
    if (!platform::has_threads() || place >= file_->frames().size()) return;
    try {
        ahead_ = std::async(std::launch::async, [this, place] { return read_from(*file_, place); });
        place_ = place;
    } catch (const std::exception&) {  // no thread: it is read when it is asked for
    }
}

void FrameAhead::wait() {
    if (!ahead_.valid()) return;
    ahead_.wait();
    ahead_ = {};
}

}  // namespace lab::scenes
