// The record of a scene from its start: a tape of the commands and the frames between them, and keyframes,
// which are copies of the state. Any moment is reached from the nearest keyframe before it by replaying the
// tape; since everything follows from the commands, the result is the same bit for bit.
//
// Memory is bounded. Keyframes are thinned out, more so farther from the present; a tape that exceeds its
// limit loses its beginning, and with it the oldest moments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/sessions/recording.hpp"
#include "session/commands/command_table.hpp"
#include "session/state.hpp"

namespace lab {

/// A place on the tape, and the counters of the session there.
struct TapePlace {
    std::size_t entry = 0;      ///< Index of the current entry.
    std::uint64_t frames = 0;   ///< Frames done of that entry.
    std::uint32_t partial = 0;  ///< Steps done of the next frame.
    std::uint64_t steps = 0;    ///< Since the scene began.
    std::uint64_t frame = 0;

    friend bool operator==(const TapePlace&, const TapePlace&) = default;
};

class Timeline {
  public:
    using Entry = io::RecordingEntry;
    struct Keyframe {
        TapePlace place;
        std::shared_ptr<const SessionState> state;
        std::size_t bytes = 0;
    };

    static constexpr std::size_t kTapeBytes = std::size_t{48} << 20;
    static constexpr std::size_t kKeyframeBytes = std::size_t{128} << 20;
    static constexpr std::size_t kMaxKeyframes = 160;

    /// Starts over at a step, 0 for a new scene. A tape read from a file is its future.
    void begin(io::RecordingStart start, std::uint64_t step, std::vector<Entry> tape,
               const CommandTable& commands);

    // ---- the present
    void add_line(std::string_view line, Effect effect);
    /// Adds a command that restores a view, and is no edit.
    void add_look(std::string_view line);
    void add_frame(std::uint32_t steps);

    /// True if no frame has shown what the last line did.
    [[nodiscard]] bool ends_with_line() const { return !tape_.empty() && !tape_.back().line.empty(); }

    // ---- the past
    [[nodiscard]] const TapePlace& place() const { return place_; }
    [[nodiscard]] bool in_past() const;
    [[nodiscard]] std::uint64_t first_step() const { return first_step_; }
    /// The last step of the whole tape.
    [[nodiscard]] std::uint64_t last_step() const { return last_step_; }
    /// From the current place on: the last frame shown with `step` steps done.
    [[nodiscard]] TapePlace last_seen(std::uint64_t step) const;
    /// The next entry of the tape; null at its end.
    [[nodiscard]] const Entry* next() const;
    /// The lines before the next frame.
    [[nodiscard]] std::span<const Entry> lines_ahead() const;
    /// Advances past a replayed line.
    void pass_line();
    /// Advances past `steps` replayed steps of the next frame; 0 for all frames of an entry without steps.
    void pass_steps(std::uint32_t steps);
    void jump(const TapePlace& place) { place_ = place; }
    /// True while lines run for the first time: those of a file not played before.
    [[nodiscard]] bool is_new() const { return next_index() >= known_; }
    /// Marks the start state as not reproducible by commands.
    void drop_start() { ++dropped_; }
    /// Removes everything after the current place.
    void cut();
    /// Removes everything before the present.
    void restart_here();

    // ---- keyframes
    [[nodiscard]] bool wants_keyframe(std::size_t bodies) const;
    void add_keyframe(std::shared_ptr<const SessionState> state, std::size_t bytes);
    /// The last keyframe before any frame with more than `step` steps; null if there is none.
    [[nodiscard]] const Keyframe* before(std::uint64_t step) const;

    // ---- for files and panels
    /// Unique for every call of `begin`, in all timelines.
    [[nodiscard]] std::uint64_t id() const { return id_; }
    [[nodiscard]] const io::RecordingStart& start() const { return start_; }
    [[nodiscard]] const std::vector<Entry>& tape() const { return tape_; }
    /// False once the beginning of the tape was dropped.
    [[nodiscard]] bool is_whole() const { return first_step_ == 0 && dropped_ == 0; }
    /// Steps at which a command changed the world, ascending, for marks on a scrubber. At most a few hundred.
    [[nodiscard]] const std::vector<std::uint64_t>& marks() const { return marks_; }

  private:
    [[nodiscard]] std::size_t next_index() const;
    void turn_to_next();
    void add_mark(Effect effect, std::uint64_t steps);
    void add_entry(Entry entry, Effect effect);
    void follow_end();
    void thin_out();
    void drop_beginning();

    std::uint64_t id_ = 0;
    io::RecordingStart start_;
    std::vector<Entry> tape_;
    std::size_t tape_bytes_ = 0;
    TapePlace place_;
    std::uint64_t first_step_ = 0, last_step_ = 0;
    std::size_t dropped_ = 0;          // entries dropped at the front
    std::size_t known_ = 0;            // entries before this one have run in this session
    std::vector<Keyframe> keyframes_;  // in order of their places
    std::size_t keyframe_bytes_ = 0;
    std::vector<std::uint64_t> marks_;
};

}  // namespace lab
