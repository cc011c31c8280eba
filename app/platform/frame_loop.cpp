#include "platform/frame_loop.hpp"

namespace lab::platform {

int run_frames(std::unique_ptr<FrameProgram> program) {
    for (;;)
        if (const std::optional<int> status = program->frame()) return *status;
}

}  // namespace lab::platform
