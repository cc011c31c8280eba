// Records a scene from its start and goes through the record: keyframes are copies of the state, and between
// them the recorded commands are carried out again. The viewer keeps the view meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/sessions/recording.hpp"
#include "session/commands/command_table.hpp"
#include "session/state.hpp"
#include "session/time/timeline.hpp"

namespace lab {

struct SessionParts;

class Recorder {
  public:
    explicit Recorder(SessionParts& parts);

    [[nodiscard]] const Timeline& timeline() const { return timeline_; }
    /// An earlier moment is on show, or a recording is played: time goes along the record.
    [[nodiscard]] bool in_past() const { return timeline_.in_past(); }

    // ---- recording
    /// Begins a record with the state as it stands; `before` are the settings before the scene set any.
    void begin(const Settings& before);
    /// The same for a state that no commands lead to.
    void begin_without_start();
    /// Begins with the record of a file, whose lines and frames lie ahead. The scene must have been started.
    void begin_recorded(io::Recording recording, const Settings& before_presets);
    void add_line(std::string_view line, Effect effect) { timeline_.add_line(line, effect); }
    /// A frame of so many steps is over.
    void add_frame(int steps);
    void take_keyframe();
    /// The recorded future ends here, since a command changed the world. `viewer` is what the viewer looked
    /// at before it.
    void cut_future(const HeldView& viewer);

    // ---- going through time
    /// Shows the session as it was seen last with `step` fixed steps done, and stops time. The view stays.
    CommandResult go_to_step(std::uint64_t step);
    /// Plays up to `steps` steps of the record. The answer: steps beyond its end.
    int play(int steps);
    /// True once after a jump through time.
    [[nodiscard]] bool take_jumped();
    /// Loads the scene of a record with the settings that it started from.
    CommandResult load_start(const io::RecordingStart& start);
    /// Replays to the end of the record that was opened, at most for `limit_s` and as far as `work` allows,
    /// of which it takes what it used. True at the end.
    bool replay_for(std::optional<double> limit_s, std::uint64_t& work);
    /// While a recording is played its own view is shown, until the viewer takes the camera.
    void follow_view(bool on) { follows_view_ = on; }
    /// What differs between the recorded view and that of `viewer` becomes a part of the record.
    void join_present(const HeldView& viewer);

    // ---- files
    CommandResult save(const std::string& path);
    /// Recordings that were asked for, with this frame as their last.
    void write_due();

  private:
    [[nodiscard]] io::RecordingStart recording_start(const Settings& before) const;
    void begin(io::RecordingStart start, std::vector<io::RecordingEntry> tape);
    void restore(const SessionState& keyframe);
    void replay_to(const TapePlace& target);
    bool replay_line(const Timeline::Entry& entry, bool after_frame);
    bool replay_frame(const Timeline::Entry& entry, const TapePlace& target);
    void update_results_for_lines();
    [[nodiscard]] bool spend(std::uint64_t work);
    [[nodiscard]] std::uint64_t work_of_step() const;
    void settle_view(const HeldView& viewer);

    SessionParts& parts_;
    SessionState& state_;
    Timeline timeline_;
    HeldView recorded_view_;     // in the past: the view that the record has there
    bool jumped_ = false;        // through time, since the last frame
    bool follows_view_ = false;  // see follow_view
    bool restoring_ = false;     // a saved scene is played to its end: nothing is said about it
    std::uint64_t work_left_ = 0;
    std::vector<std::string> due_;
};

}  // namespace lab
