#include "session/session.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <stdexcept>
#include <utility>

#include "io/limits.hpp"
#include "platform/clock.hpp"
#include "session/parts.hpp"
#include "settings/program.hpp"

namespace lab {
namespace {

/// After a longer frame, time falls behind; otherwise frames would take ever longer.
constexpr int kMaxStepsPerFrame = 8;

}  // namespace

const char* reason(const std::exception& thrown) {
    const bool memory =
        dynamic_cast<const std::bad_alloc*>(&thrown) || dynamic_cast<const std::length_error*>(&thrown);
    return memory ? "there is not enough memory" : thrown.what();
}

Session::Session(const CommandTable& commands) : parts_(std::make_unique<SessionParts>(*this, commands)) {
    parts_->meshes.add_generated();
}
Session::~Session() = default;

// ---- the frame

void Session::drain() {
    parts_->live.update();
    parts_->runner.drain();
}

const FrameResults& Session::step(double dt_s, StepInput input) {
    parts_->results.timings_ms = {};
    parts_->results.timings_ms.viz = input.viz_ms;
    parts_->results.timings_ms.render = input.render_ms;
    try {
        advance(dt_s, input.catch_up_ms);
    } catch (const std::exception& thrown) {
        parts_->scenes.give_up(reason(thrown));
        advance(0.0, input.catch_up_ms);
    }
    if (input.needs_bodies_tree) parts_->frame.add_bodies_tree();
    return parts_->results;
}

void Session::advance(double dt_s, double catch_up_ms) {
    SessionParts& p = *parts_;
    p.scenes.ensure();
    wall_time_s_ += std::max(dt_s, 0.0);
    p.messages.set_time(wall_time_s_);
    p.jobs.set_time(wall_time_s_);
    const WorldOptions before = p.state.world.options();
    p.meter.look_at(p.state.settings);
    p.scenes.adapt();
    p.scenes.warn_about_settings(before);
    const bool still = p.opener.take_hold();
    // The frame that shows a saved scene is no part of its record, unless commands came before it.
    const bool as_saved = still && p.opener.is_as_saved() && p.state.clock.queued_steps == 0;
    if (p.opener.is_replaying() || (as_saved && !p.state.world.pairs_due())) {
        p.frame.update();
        if (still && p.state.settings[kVerify] && !p.frame.is_verified()) p.frame.verify();
        if (!p.opener.is_replaying()) p.recorder.write_due();
        return;
    }

    p.stepper.play_on(dt_s);
    const bool is_held = p.stepper.is_at_a_step() && !p.recorder.shows_recorded_view();
    if (const bool paused = p.state.settings[kSimPaused];
        std::exchange(was_paused_, paused) && !paused && is_held)
        p.messages.info(
            "Time stands still while a step is shown. Go to the result (`step.goto 0`), and it runs");
    DueSteps due = due_steps(dt_s, still || is_held);
    const bool looked_back = p.recorder.take_jumped() || p.recorder.in_past();
    if (p.recorder.in_past()) {
        const int left = p.recorder.play(due.asked + due.owed);
        const bool plays_on = p.recorder.in_past();  // the rest is left to the next frames
        if (plays_on) p.state.clock.queued_steps += std::max(left - due.owed, 0);
        due = {plays_on ? 0 : left, 0};
    }
    const int steps = take_steps(due, catch_up_ms);
    if (steps == 0) p.state.world.find_pairs(p.results.timings_ms);
    const Timeline& record = p.recorder.timeline();
    // A jump to the end shows the effect of lines at the end of the record, so it is a frame of the record,
    // too.
    const bool live = !looked_back || steps > 0 || (!record.in_past() && record.ends_with_line());
    if (live) p.recorder.add_frame(steps);
    p.scenes.warn_about_pairs();
    p.frame.update();
    if (p.state.settings[kVerify]) live || still ? p.frame.verify() : p.frame.verify_again();
    if (live) p.recorder.take_keyframe();
    p.recorder.write_due();
}

/// Takes the due steps, and returns how many were taken. If any are owed, at least one of those is taken.
int Session::take_steps(DueSteps due, double catch_up_ms) {
    const platform::Clock clock;
    int steps = 0;
    while (steps < due.asked + due.owed) {
        if (steps > due.asked && clock.milliseconds() >= catch_up_ms) {
            parts_->state.clock.owed_s = 0.0;
            break;
        }
        parts_->scenes.fixed_step();
        ++steps;
    }
    return steps;
}

/// The fixed steps of this frame. Further steps that commands asked for are left to the next frames.
Session::DueSteps Session::due_steps(double dt_s, bool still) {
    constexpr int kMax = io::limits::kStepsPerFrame;  // the limit of recordings
    const Settings& settings = parts_->state.settings;
    SessionClock& clock = parts_->state.clock;
    const int steps = std::min(clock.queued_steps, kMax);
    clock.queued_steps -= steps;
    if (still || settings[kSimPaused]) return {steps, 0};
    clock.owed_s += dt_s * static_cast<double>(settings[kSimSpeed]);
    // Slightly less than a whole step counts as one, since sums of 1/60 are rounded.
    const double whole = std::floor(clock.owed_s / kFixedStep_s + 1e-6);
    const int due = static_cast<int>(std::clamp(whole, 0.0, static_cast<double>(kMaxStepsPerFrame)));
    clock.owed_s = due < kMaxStepsPerFrame ? std::max(clock.owed_s - due * kFixedStep_s, 0.0) : 0.0;
    return {steps, std::min(due, kMax - steps)};
}

OutsideRequests Session::take_requests() {
    return std::exchange(parts_->requests, {});
}

void Session::work_in_background(JobMode mode, MeshObserver observer) {
    parts_->jobs.set_mode(mode);
    parts_->meshes.set_observer(std::move(observer));
}

// ---- reading

const SessionState& Session::state() const {
    return parts_->state;
}
const FrameResults& Session::results() const {
    return parts_->results;
}
const MessageLog& Session::messages() const {
    return parts_->messages;
}
const MeshLibrary& Session::meshes() const {
    return parts_->meshes;
}
ShownSession Session::shown() const {
    const SessionParts& p = *parts_;
    return {p.state, p.results, p.messages, p.meshes, p.opened, p.last_opened, p.jobs, p.recorder.timeline(),
            p.table};
}
const Timeline& Session::timeline() const {
    return parts_->recorder.timeline();
}
std::uint64_t Session::refused_commands() const {
    return parts_->refused;
}
std::uint64_t Session::file_problems() const {
    return parts_->file_problems;
}

bool Session::has_waiting_work() const {
    return !parts_->queue.empty() || parts_->state.clock.queued_steps > 0;
}

const CommandTable& Session::command_table() const {
    return parts_->table;
}

CommandQueue& Session::commands() {
    return parts_->queue;
}
MessageLog& Session::log() {
    return parts_->messages;
}
void Session::refuse(const std::string& origin, const std::string& problem) {
    parts_->runner.refuse(origin, problem);
}
Saver& Session::saver() {
    return parts_->saver;
}

// ---- for command handlers

SessionState& Session::state() {
    return parts_->state;
}
Jobs& Session::jobs() {
    return parts_->jobs;
}
OutsideRequests& Session::requests() {
    return parts_->requests;
}
SessionParts& Session::parts() {
    return *parts_;
}

}  // namespace lab
