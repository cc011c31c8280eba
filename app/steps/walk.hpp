// A recording of an algorithm as a walk: any of its steps can be shown, explained and compared.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bv/trace/trace.hpp"
#include "results/frame_results.hpp"
#include "settings/settings.hpp"
#include "steps/algorithm.hpp"
#include "steps/board.hpp"
#include "steps/subject.hpp"

namespace lab::steps {

/// Immutable, so that frames, keyframes and copies of a scene share it.
class Walk {
  public:
    /// `verdict` states the algorithm's answer.
    Walk(const Algorithm& algorithm, Subject subject, const bv::Recording& recording, std::string verdict);
    /// Draws this step, the one that decided, together with the answer. Steps count from 1.
    Walk& drawn_with_answer(std::size_t number) {
        deciding_ = number;
        return *this;
    }
    [[nodiscard]] std::size_t deciding() const { return deciding_; }
    /// For scenes that draw the steps themselves.
    Walk& without_picture() {
        has_picture_ = false;
        return *this;
    }
    [[nodiscard]] bool has_picture() const { return has_picture_; }

    [[nodiscard]] const Algorithm& algorithm() const { return *algorithm_; }
    [[nodiscard]] const Subject& subject() const { return subject_; }
    [[nodiscard]] const std::string& verdict() const { return verdict_; }
    [[nodiscard]] std::size_t size() const { return events_.size(); }
    [[nodiscard]] std::size_t dropped() const { return dropped_; }
    [[nodiscard]] const bv::TraceEvent& event(std::size_t index) const { return events_[index]; }
    /// The state after the first `count` events: a stored state, plus at most a sixteenth of the events.
    [[nodiscard]] Board board(std::size_t count) const;
    [[nodiscard]] bool changes_answer(std::size_t index) const { return changes_[index]; }
    /// The number, counted from 1, of the next step after `number` that changes the answer, or the last
    /// before it; `number` itself if there is none.
    [[nodiscard]] std::size_t next_change(std::size_t number) const;
    [[nodiscard]] std::size_t previous_change(std::size_t number) const;
    /// The last operation on each node of the changing tree, among the first `count` events; O(count).
    [[nodiscard]] TreeHistory history(std::size_t count) const;
    [[nodiscard]] const std::shared_ptr<const std::vector<float>>& curve() const { return curve_; }
    [[nodiscard]] std::size_t memory_bytes() const;

  private:
    const Algorithm* algorithm_;
    Subject subject_;
    std::vector<bv::TraceEvent> events_;
    std::size_t stride_;  ///< Events from one stored state to the next.
    std::vector<Board> kept_states_;
    std::size_t dropped_;
    std::size_t deciding_ = 0;
    bool has_picture_ = true;
    std::string verdict_;
    std::vector<bool> changes_;
    std::shared_ptr<const std::vector<float>> curve_;
};

/// The position of the stepper.
struct Position {
    std::size_t number = 0;  ///< Counted from 1; 0: the answer.
    bool playing = false;
};
/// As the settings say; the number is at most `count`.
[[nodiscard]] Position position_of(const Settings& settings, const Setting<int>& at, std::size_t count);

/// The panels' view of a step; also read by scenes that draw their own steps.
[[nodiscard]] WalkView view_of(const Walk& walk, const Position& position);
/// Adds the step's picture and the table of all steps.
void show(const Walk& walk, const Position& position, FrameResults& results);

}  // namespace lab::steps
