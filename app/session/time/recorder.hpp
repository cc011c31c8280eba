// Records a scene from its start and moves through the record: keyframes are copies of the state, between
// which the recorded commands run again. The user's view stays meanwhile.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bv/function_ref.hpp"
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
    /// True while an earlier moment is on show, or a recording is played: time follows the record.
    [[nodiscard]] bool in_past() const { return timeline_.in_past(); }
    /// True while the user looks back: a selected object that does not exist at this moment stays selected.
    [[nodiscard]] bool keeps_missing() const { return in_past() && !follows_view_ && !replaying_; }

    /// True while a line runs that turns a recorded view into the user's: it refers to what that view showed.
    [[nodiscard]] bool replays_look() const { return replays_look_; }

    // ---- recording
    /// Begins a record at the current state; `before` are the settings before the scene set any.
    void begin(const Settings& before);
    /// The same for a state that commands cannot reproduce.
    void begin_without_start();
    /// The session has become such a state: files of its record would lead elsewhere. Looking back goes on.
    void lose_start();
    /// Begins with the record of a file, all of which is still to be played. The scene must have been
    /// started; `own` are the user's settings.
    void begin_recorded(io::Recording recording, const Settings& own);
    /// Adds a command that has run.
    void end_line(std::string_view line, Effect effect);
    /// Ends the past of the session with the running command, whose effect follows from no record.
    void lose_past() { loses_past_ = true; }
    /// Adds a frame of so many steps.
    void add_frame(int steps);
    void take_keyframe();
    /// At a keyframe: undoes what making the picture of this moment has done to the engines, if the recorded
    /// run made no picture here. To be called before the world goes on.
    void forget_look();
    /// The lines that turn the recorded view into the user's. To be called before a command that may change
    /// the world in the past.
    [[nodiscard]] std::vector<std::string> lines_to_view();
    /// Ends the recorded future, since a command changed the world. `view` are the lines before it.
    void cut_future(const std::vector<std::string>& view);

    // ---- moving through time
    /// Shows the last frame with `step` fixed steps done, and pauses. The view stays.
    CommandResult go_to_step(std::uint64_t step);
    /// Plays up to `steps` steps of the record, as far as the work of a frame allows. Returns the number of
    /// steps that are left: still in the past, or beyond the end of the record.
    int play(int steps);
    /// True once after a jump in time.
    [[nodiscard]] bool take_jumped();
    /// Loads the scene of a record with its start settings. `own` becomes the user's, without any scene.
    CommandResult load_start(const io::RecordingStart& start, std::optional<Settings>& own);
    /// Replays the opened record towards its end, for at most `limit_s` and at most `work`, which it reduces.
    /// True at the end.
    bool replay_for(std::optional<double> limit_s, std::uint64_t& work);
    /// While a recording is played, its own view is shown until the user changes part of it.
    void follow_view(bool on) { follows_view_ = on; }
    [[nodiscard]] bool shows_recorded_view() const { return follows_view_ && in_past(); }
    /// Records the differences between the recorded view and the user's.
    void join_present() { join_present(lines_to_view()); }
    /// The record up to the moment on show, where its view becomes the user's.
    [[nodiscard]] Timeline record_until_now() const;

    // ---- files
    CommandResult save(const std::string& path);
    /// Writes the requested recordings, with this frame as their last.
    void write_due();

    // ---- limits
    /// The work of the command that has run in the present world, with what its scene has made: a step of one
    /// body, about a microsecond, counts as 1.
    [[nodiscard]] std::uint64_t take_work_of_line();

  private:
    void join_present(const std::vector<std::string>& view);
    [[nodiscard]] io::RecordingStart recording_start(const Settings& before) const;
    void begin(io::RecordingStart start, std::vector<io::RecordingEntry> tape);
    void restore(const SessionState& keyframe);
    struct AmidLines;
    void leave_amid_lines(const Timeline::Entry* before);
    const Timeline::Entry* go_on_amid_lines();
    void replay_to(const TapePlace& target, bv::FunctionRef<bool()> is_over);
    bool replay_line(const Timeline::Entry& entry, const Timeline::Entry* before);
    CommandResult replay_look(const ParsedLine& line);
    bool replay_frame(const Timeline::Entry& entry, const TapePlace& target);
    void update_results_for_lines();
    [[nodiscard]] bool spend(std::uint64_t work);
    [[nodiscard]] std::uint64_t work_of_step() const;
    [[nodiscard]] std::uint64_t work_of_check() const;
    [[nodiscard]] HeldView viewers_view();
    void show_recorded();
    void note_recorded();
    void settle_view(const HeldView& viewer);
    void show_lines();
    void leave_camera();
    void keep_own(const HeldView& viewer);
    void note_lists(const HeldView& viewer);

    SessionParts& parts_;
    SessionState& state_;
    Timeline timeline_;
    // In the past: the record's view at that place, and its edits and clipboard, which no view shows.
    HeldView recorded_view_;
    EditHistory recorded_edits_;
    std::uint64_t recorded_clipboard_ = 0;  // `clipboard_record`
    struct Own {
        bool has_forgotten = false, groups = false, has_copied = false;
    } own_;  // what the user has done to those while looking at the past
    // In the past: the user's lists, including bodies that do not exist at the moment on show.
    std::vector<bv::BodyId> viewer_hides_, viewer_selects_;
    std::uint64_t viewer_choices_ = 0;  // Selection::choices at that time
    bool jumped_ = false;               // through time, since the last frame
    bool follows_view_ = false;         // see follow_view
    bool replaying_ = false;            // lines and frames of the record are running
    bool replays_look_ = false;         // see replays_look
    bool restoring_ = false;            // a saved scene is being replayed, without messages
    bool loses_past_ = false;           // see lose_past
    std::uint64_t work_left_ = 0;
    std::shared_ptr<AmidLines> amid_lines_;  // set while a replay waits between two lines
    std::vector<std::string> due_;
};

}  // namespace lab
