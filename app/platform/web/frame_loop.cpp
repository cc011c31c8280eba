// The page calls for each frame; under node, where there is no page, the frames follow one another.
#include "platform/frame_loop.hpp"

#include <emscripten.h>

#include "platform/web/page.hpp"

namespace lab::platform {

int run_frames(std::unique_ptr<FrameProgram> program) {
    if (!page::is_there()) {
        for (;;)
            if (const std::optional<int> status = program->frame()) return *status;
    }
    static std::unique_ptr<FrameProgram> running;
    running = std::move(program);
    emscripten_set_main_loop(
        [] {
            const std::optional<int> status = running->frame();
            page::frame_ended();
            if (!status) return;
            emscripten_cancel_main_loop();
            running.reset();
            page::ended(*status);
        },
        0, false);
    return 0;
}

}  // namespace lab::platform
