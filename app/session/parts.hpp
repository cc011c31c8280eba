// The parts of a session, each with one job, and their shared data. Only the session's own sources and
// the handlers of commands include this header; all others use session.hpp.
#pragma once

#include <cstdint>
#include <exception>

#include "platform/jobs.hpp"
#include "results/frame_results.hpp"
#include "results/messages.hpp"
#include "session/before_after_meter.hpp"
#include "session/commands/command_runner.hpp"
#include "session/commands/command_table.hpp"
#include "session/commands/commands.hpp"
#include "session/edits/editor.hpp"
#include "session/edits/selector.hpp"
#include "session/files/file_opener.hpp"
#include "session/files/live_captures.hpp"
#include "session/files/saver.hpp"
#include "session/fit_waiter.hpp"
#include "session/frame_builder.hpp"
#include "session/outside_requests.hpp"
#include "session/scene_runner.hpp"
#include "session/state.hpp"
#include "session/stepper.hpp"
#include "session/time/recorder.hpp"
#include "world/mesh_library.hpp"
#include "world/opened_files.hpp"

namespace lab {

class Session;

struct SessionParts {
    SessionParts(Session& owner, const CommandTable& commands) : session(owner), table(commands) {}

    Session& session;           ///< For the handlers of commands.
    const CommandTable& table;  ///< The rows of all commands, and the parser of lines.

    // Outlive scenes.
    MeshLibrary meshes;
    OpenedFiles opened;
    LastOpened last_opened;
    MessageLog messages;
    std::uint64_t refused = 0;        ///< Commands refused so far.
    std::uint64_t file_problems = 0;  ///< Files that could not be read or written.
    std::uint64_t scene_work = 0;     ///< See `SceneContext::work`; since a line was charged for it.

    SessionState state{meshes};
    FrameResults results;
    CommandQueue queue;
    OutsideRequests requests;
    BeforeAfterMeter meter;

    CommandRunner runner{*this};
    SceneRunner scenes{*this};
    Stepper stepper{*this};
    FrameBuilder frame{*this};
    Recorder recorder{*this};
    Editor editor{*this};
    Selector selector{*this};
    FitWaiter fits{*this};
    FileOpener opener{*this};
    LiveCaptures live{*this};
    Saver saver{*this};

    Jobs jobs;  // last member: workers stop before anything they use is destroyed
};

/// The reason of a failure, for messages.
[[nodiscard]] const char* reason(const std::exception& thrown);

}  // namespace lab
