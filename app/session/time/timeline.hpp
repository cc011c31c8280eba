// The record of a scene from its start: a tape of the commands and of the frames between them, and keyframes,
// which are copies of everything. Any moment is the nearest keyframe before it, and the tape from there on;
// since everything follows from the commands, it is that moment bit for bit.
//
// Memory is bounded. Keyframes are thinned out, the more the farther they are from the present; a tape that
// grows beyond its limit loses its beginning, and with it the oldest moments.
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
    std::size_t entry = 0;      ///< Index of the entry that is under way.
    std::uint64_t frames = 0;   ///< Frames of that entry that are done.
    std::uint32_t partial = 0;  ///< Steps of the next frame that are done.
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

    /// Forgets everything: a scene begins. With a tape that was read from a file, that is its future.
    void begin(io::RecordingStart start, std::vector<Entry> tape, const CommandTable& commands);

    // ---- the present
    void add_line(std::string_view line, Effect effect);
    void add_frame(std::uint32_t steps);

    // ---- the past
    [[nodiscard]] const TapePlace& place() const { return place_; }
    [[nodiscard]] bool in_past() const;
    [[nodiscard]] std::uint64_t first_step() const { return first_step_; }
    /// Of the whole tape.
    [[nodiscard]] std::uint64_t last_step() const { return last_step_; }
    /// Where on the way from the present place on the session was seen last with `step` steps done.
    [[nodiscard]] TapePlace last_seen(std::uint64_t step) const;
    /// What comes next on the tape; nullptr at its end.
    [[nodiscard]] const Entry* next() const;
    /// The lines that come before the next frame.
    [[nodiscard]] std::span<const Entry> lines_ahead() const;
    /// A line was carried out again.
    void pass_line();
    /// `steps` of the frame that is next were carried out again; for frames without steps 0: all of the
    /// entry's.
    void pass_steps(std::uint32_t steps);
    void jump(const TapePlace& place) { place_ = place; }
    /// True while lines are carried out for the first time: those of a file that nobody has played so far.
    [[nodiscard]] bool is_new() const { return next_index() >= known_; }
    /// The state with which it began was set by hand: no commands lead there.
    void give_up_start() { ++dropped_; }
    /// What comes after the present place never happened.
    void cut();

    // ---- keyframes
    [[nodiscard]] bool wants_keyframe(std::size_t bodies) const;
    void add_keyframe(std::shared_ptr<const SessionState> state, std::size_t bytes);
    /// The last one at which the session had not been seen with more than `step` steps; nullptr if there is
    /// none.
    [[nodiscard]] const Keyframe* before(std::uint64_t step) const;

    // ---- for files and panels
    /// Another one for every call of `begin`, in any timeline.
    [[nodiscard]] std::uint64_t id() const { return id_; }
    [[nodiscard]] const io::RecordingStart& start() const { return start_; }
    [[nodiscard]] const std::vector<Entry>& tape() const { return tape_; }
    /// False once the beginning of the tape was given up.
    [[nodiscard]] bool is_whole() const { return first_step_ == 0 && dropped_ == 0; }
    /// Steps at which a command changed the world, ascending, for marks on a scrubber. At most a few hundred.
    [[nodiscard]] const std::vector<std::uint64_t>& marks() const { return marks_; }

  private:
    [[nodiscard]] std::size_t next_index() const;
    void turn_to_next();
    void add_mark(Effect effect, std::uint64_t steps);
    void follow_end();
    void thin_out();
    void drop_beginning();

    std::uint64_t id_ = 0;
    io::RecordingStart start_;
    std::vector<Entry> tape_;
    std::size_t tape_bytes_ = 0;
    TapePlace place_;
    std::uint64_t first_step_ = 0, last_step_ = 0;
    std::size_t dropped_ = 0;          // entries given up at the front
    std::size_t known_ = 0;            // entries before this one were carried out in this session
    std::vector<Keyframe> keyframes_;  // in order of their places
    std::size_t keyframe_bytes_ = 0;
    std::vector<std::uint64_t> marks_;
};

}  // namespace lab
