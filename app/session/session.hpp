// A session: its state, its parts, and two calls per frame. `drain` runs the queued commands; no other place
// changes the state. `step` advances time and builds the results for picture, panels and report. The same
// commands give the same results, bit for bit.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "results/frame_results.hpp"
#include "results/messages.hpp"
#include "session/commands/command_table.hpp"
#include "session/commands/commands.hpp"
#include "session/outside_requests.hpp"
#include "session/state.hpp"
#include "world/mesh_library.hpp"

namespace lab {

class Jobs;
class Saver;
class Timeline;
struct LastOpened;
struct OpenedFiles;
struct SessionParts;

/// Input of a step from the picture and the panels.
struct StepInput {
    bool needs_bodies_tree = false;    ///< Also of a large world; a small one always has it.
    double viz_ms = 0, render_ms = 0;  ///< Times of the previous frame.
    /// Once the steps of a frame have taken this long, steps that are still owed after a long frame are
    /// dropped: time falls behind, the picture does not. Infinite: the steps depend on the frame times alone.
    double catch_up_ms = std::numeric_limits<double>::infinity();
};

/// The read-only view of a session that panels get.
struct ShownSession {
    const SessionState& state;
    const FrameResults& results;
    const MessageLog& messages;
    const MeshLibrary& meshes;
    const OpenedFiles& opened;
    const LastOpened& last_opened;
    const Jobs& jobs;
    const Timeline& timeline;
    const CommandTable& commands;
};

class Session {
  public:
    static constexpr double kFixedStep_s = SessionClock::kFixedStep_s;

    /// The first `drain` or `step` starts the default scene, unless a command chooses another. The table must
    /// outlive the session.
    explicit Session(const CommandTable& commands);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // ---- the frame
    /// Runs all queued commands, oldest first. A refused one adds one error message and changes nothing.
    void drain();
    /// Advances by `dt_s` seconds of wall time (times `sim.speed`, in whole fixed steps) and rebuilds the
    /// results. `kFixedStep_s` at speed 1 is exactly one fixed step.
    const FrameResults& step(double dt_s, StepInput input = {});
    /// The requests (`screenshot`, `report`, `quit`...) since the last call.
    [[nodiscard]] OutsideRequests take_requests();
    /// From now on reads files and builds trees in background jobs, as a window needs. Lines queued together
    /// with an `open` still wait for it, so that a start with a file gives the same result as without a
    /// window. `observer` is called with every new mesh before it joins the session, from any thread.
    void work_in_background(JobMode mode, MeshObserver observer);

    // ---- reading
    [[nodiscard]] const SessionState& state() const;
    [[nodiscard]] const FrameResults& results() const;
    [[nodiscard]] const MessageLog& messages() const;
    [[nodiscard]] const MeshLibrary& meshes() const;
    [[nodiscard]] ShownSession shown() const;
    /// The record of the scene since its start.
    [[nodiscard]] const Timeline& timeline() const;
    [[nodiscard]] std::uint64_t refused_commands() const;
    /// Number of files that could not be read or written so far.
    [[nodiscard]] std::uint64_t file_problems() const;

    /// True if commands, or steps that they asked for, are left for the next frame.
    [[nodiscard]] bool has_waiting_work() const;

    /// The rows of all commands, and the parser of lines.
    [[nodiscard]] const CommandTable& command_table() const;

    /// The queue for all commands.
    [[nodiscard]] CommandQueue& commands();
    [[nodiscard]] MessageLog& log();
    /// Counts a refused command and reports the problem, for requests that the program could not fulfill.
    void refuse(const std::string& origin, const std::string& problem);
    [[nodiscard]] Saver& saver();

    // ---- for command handlers only
    [[nodiscard]] SessionState& state();
    [[nodiscard]] Jobs& jobs();
    [[nodiscard]] OutsideRequests& requests();
    /// See session/parts.hpp.
    [[nodiscard]] SessionParts& parts();

  private:
    struct DueSteps {
        int asked = 0;  ///< Asked for by commands.
        int owed = 0;   ///< Owed to the time that has passed.
    };
    void advance(double dt_s, double catch_up_ms);
    [[nodiscard]] DueSteps due_steps(double dt_s, bool still);
    int take_steps(DueSteps due, double catch_up_ms);

    std::unique_ptr<SessionParts> parts_;
    double wall_time_s_ = 0;
    bool was_paused_ = false;  ///< In the last frame.
};

}  // namespace lab
