#include "session/time/timeline.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "bv/assert.hpp"
#include "results/stamp.hpp"

namespace lab {
namespace {

/// Interval of keyframes without commands: short enough that a step back replays a few steps.
constexpr std::uint64_t kKeyframeSteps = 10;
/// A copy of a large world takes about as long as a step, so large worlds have fewer keyframes.
constexpr std::uint64_t kBodiesPerStep = 50;
constexpr std::size_t kMaxMarks = 400;

std::size_t bytes_of(const Timeline::Entry& entry) {
    return sizeof(entry) + (entry.line.size() > 15 ? entry.line.size() + 1 : 0);
}

bool is_line(const Timeline::Entry& entry) {
    return !entry.line.empty();
}

/// Completes the current frame.
void finish_frame(TapePlace& place) {
    place.partial = 0;
    ++place.frames;
    ++place.frame;
}

}  // namespace

void Timeline::begin(io::RecordingStart start, std::uint64_t step, std::vector<Entry> tape,
                     const CommandTable& commands) {
    id_ = next_stamp();
    start_ = std::move(start);
    tape_ = std::move(tape);
    tape_bytes_ = 0;
    first_step_ = last_step_ = step;
    marks_.clear();
    for (const Entry& entry : tape_) {
        if (is_line(entry)) add_mark(commands.parse(entry.line).effect(), last_step_);
        tape_bytes_ += bytes_of(entry);
        last_step_ += entry.frames * entry.steps;
    }
    place_ = {.steps = step};
    dropped_ = known_ = 0;
    keyframes_.clear();
    keyframe_bytes_ = 0;
}

// ---- the present

void Timeline::add_line(std::string_view line, Effect effect) {
    add_entry({std::string(line), 0, 0, 0}, effect);
}

void Timeline::add_look(std::string_view line) {
    add_entry({std::string(line), 0, 0, 0, true}, Effect::View);
}

void Timeline::add_entry(Entry entry, Effect effect) {
    BV_ASSERT(!in_past());
    tape_.push_back(std::move(entry));
    tape_bytes_ += bytes_of(tape_.back());
    add_mark(effect, place_.steps);
    follow_end();
    if (tape_bytes_ > kTapeBytes) drop_beginning();
}

void Timeline::add_frame(std::uint32_t steps) {
    BV_ASSERT(!in_past());
    if (tape_.empty() || is_line(tape_.back()) || tape_.back().steps != steps) {
        tape_.push_back({{}, 0, steps, 0});
        tape_bytes_ += bytes_of(tape_.back());
    }
    ++tape_.back().frames;
    last_step_ += steps;
    follow_end();
}

void Timeline::follow_end() {
    known_ = tape_.size();
    const Entry& last = tape_.back();
    const bool new_frame = !is_line(last);
    // Consecutive frames share an entry, so the end of the tape is inside the last one.
    place_.entry = tape_.size() - (new_frame ? 1 : 0);
    place_.frames = new_frame ? last.frames : 0;
    place_.partial = 0;
    if (!new_frame) return;
    place_.frame += 1;
    place_.steps += last.steps;
}

// ---- the past

bool Timeline::in_past() const {
    return next() != nullptr;
}

std::size_t Timeline::next_index() const {
    const bool done = place_.entry < tape_.size() && !is_line(tape_[place_.entry]) &&
                      place_.frames == tape_[place_.entry].frames;
    return place_.entry + (done ? 1 : 0);
}

const Timeline::Entry* Timeline::next() const {
    const std::size_t index = next_index();
    return index < tape_.size() ? &tape_[index] : nullptr;
}

std::span<const Timeline::Entry> Timeline::lines_ahead() const {
    const std::size_t first = next_index();
    std::size_t end = first;
    while (end < tape_.size() && is_line(tape_[end]))
        ++end;
    return std::span(tape_).subspan(first, end - first);
}

/// Advances to the next entry if the current one is done.
void Timeline::turn_to_next() {
    const std::size_t index = next_index();
    if (index != place_.entry) place_.frames = 0;
    place_.entry = index;
}

TapePlace Timeline::last_seen(std::uint64_t step) const {
    TapePlace at = place_, best = place_;
    while (at.entry < tape_.size()) {
        const Entry& entry = tape_[at.entry];
        if (!is_line(entry)) {
            if (entry.steps == 0) {
                at.frame += entry.frames - at.frames;
                at.frames = entry.frames;
                best = at;
            } else {
                if (at.partial > 0 && step - at.steps >= entry.steps - at.partial) {
                    at.steps += entry.steps - at.partial;
                    finish_frame(at);
                    best = at;
                }
                const std::uint64_t whole =
                    at.partial > 0 ? 0 : std::min(entry.frames - at.frames, (step - at.steps) / entry.steps);
                if (whole > 0) {
                    at.frames += whole;
                    at.frame += whole;
                    at.steps += whole * entry.steps;
                    best = at;
                }
                if (at.frames < entry.frames) {
                    const std::uint64_t rest = step - at.steps;  // fewer than remain in the frame
                    if (rest == 0) return best;
                    at.partial += static_cast<std::uint32_t>(rest);
                    at.steps += rest;
                    return at;
                }
            }
        }
        ++at.entry;
        at.frames = 0;
    }
    // The whole tape, including lines after the last frame.
    return !tape_.empty() && is_line(tape_.back()) ? at : best;
}

void Timeline::pass_line() {
    turn_to_next();
    BV_ASSERT(place_.entry < tape_.size() && is_line(tape_[place_.entry]));
    ++place_.entry;
    known_ = std::max(known_, place_.entry);
}

void Timeline::pass_steps(std::uint32_t steps) {
    turn_to_next();
    BV_ASSERT(place_.entry < tape_.size() && !is_line(tape_[place_.entry]));
    const Entry& entry = tape_[place_.entry];
    if (entry.steps == 0) {
        place_.frame += entry.frames - place_.frames;
        place_.frames = entry.frames;
        return;
    }
    place_.partial += steps;
    place_.steps += steps;
    if (place_.partial >= entry.steps) finish_frame(place_);
}

void Timeline::cut() {
    if (!in_past()) return;
    if (place_.entry < tape_.size() && !is_line(tape_[place_.entry])) {
        Entry& entry = tape_[place_.entry];
        const std::uint32_t partial = place_.partial;
        entry.frames = place_.frames;
        tape_.resize(place_.entry + (place_.frames > 0 ? 1 : 0));  // an entry without frames would never end
        if (partial > 0) {
            tape_.push_back({{}, 1, partial, 0});
            place_.entry = tape_.size() - 1;
            place_.frames = 1;
            place_.partial = 0;
            ++place_.frame;
        }
    } else {
        tape_.resize(place_.entry);
    }
    std::erase_if(keyframes_, [this](const Keyframe& k) {
        const bool later = k.place.steps > place_.steps || k.place.entry > place_.entry ||
                           (k.place.entry == place_.entry && k.place.frames > place_.frames);
        if (later) keyframe_bytes_ -= k.bytes;
        return later;
    });
    last_step_ = place_.steps;
    std::erase_if(marks_, [this](std::uint64_t step) { return step > place_.steps; });
    known_ = tape_.size();
    tape_bytes_ = 0;
    for (const Entry& entry : tape_)
        tape_bytes_ += bytes_of(entry);
}

// ---- keyframes

bool Timeline::wants_keyframe(std::size_t bodies) const {
    if (keyframes_.empty()) return true;
    const std::uint64_t period = std::clamp<std::uint64_t>(bodies / kBodiesPerStep, kKeyframeSteps, 1000);
    if (place_.steps % period != 0) return false;
    const auto same = [this](const Keyframe& k) { return k.place.steps == place_.steps; };
    return std::none_of(keyframes_.begin(), keyframes_.end(), same);
}

void Timeline::add_keyframe(std::shared_ptr<const SessionState> state, std::size_t bytes) {
    const auto at =
        std::upper_bound(keyframes_.begin(), keyframes_.end(), place_.steps,
                         [](std::uint64_t steps, const Keyframe& k) { return steps < k.place.steps; });
    keyframes_.insert(at, Keyframe{place_, std::move(state), bytes});
    keyframe_bytes_ += bytes;
    thin_out();
}

void Timeline::thin_out() {
    // Keep the first keyframe, which is the start. Evict the one whose neighbors are closest to each other,
    // weighted by its distance from the present.
    while (keyframes_.size() > 2 && (keyframes_.size() > kMaxKeyframes || keyframe_bytes_ > kKeyframeBytes)) {
        std::size_t least = 1;
        double least_missed = std::numeric_limits<double>::infinity();
        for (std::size_t i = 1; i < keyframes_.size(); ++i) {
            const double from = static_cast<double>(keyframes_[i - 1].place.steps);
            const double here = static_cast<double>(keyframes_[i].place.steps);
            const double to = i + 1 < keyframes_.size() ? static_cast<double>(keyframes_[i + 1].place.steps)
                                                        : here + (here - from);
            const double away = std::abs(static_cast<double>(place_.steps) - here);
            const double missed = (to - from) / (20.0 + away);
            if (missed >= least_missed) continue;
            least_missed = missed;
            least = i;
        }
        keyframe_bytes_ -= keyframes_[least].bytes;
        keyframes_.erase(keyframes_.begin() + static_cast<std::ptrdiff_t>(least));
    }
}

const Timeline::Keyframe* Timeline::before(std::uint64_t step) const {
    const Keyframe* best = nullptr;
    for (const Keyframe& k : keyframes_)
        if (k.place.steps <= step) best = &k;
    return best;
}

void Timeline::restart_here() {
    BV_ASSERT(!in_past());
    dropped_ += std::max<std::size_t>(tape_.size(), 1);
    tape_.clear();
    keyframes_.clear();
    keyframe_bytes_ = tape_bytes_ = known_ = place_.entry = 0;
    place_.frames = 0;
    first_step_ = last_step_ = place_.steps;
    std::erase_if(marks_, [this](std::uint64_t step) { return step < first_step_; });
}

void Timeline::drop_beginning() {
    // Cut at the first keyframe that leaves at most three quarters of the tape.
    std::size_t bytes = tape_bytes_, entry = 0, keep = keyframes_.size();
    for (std::size_t i = 1; i < keyframes_.size(); ++i) {
        for (; entry < keyframes_[i].place.entry; ++entry)
            bytes -= bytes_of(tape_[entry]);
        if (bytes > kTapeBytes * 3 / 4 && i + 1 < keyframes_.size()) continue;
        keep = i;
        break;
    }
    if (keep >= keyframes_.size()) return restart_here();  // there is no later keyframe
    const std::size_t gone = keyframes_[keep].place.entry;
    const std::uint64_t gone_frames = keyframes_[keep].place.frames;
    for (std::size_t i = 0; i < keep; ++i)
        keyframe_bytes_ -= keyframes_[i].bytes;
    keyframes_.erase(keyframes_.begin(), keyframes_.begin() + static_cast<std::ptrdiff_t>(keep));
    tape_.erase(tape_.begin(), tape_.begin() + static_cast<std::ptrdiff_t>(gone));
    const auto move_up = [&](TapePlace& place) {
        if (place.entry == gone) place.frames -= gone_frames;
        place.entry -= gone;
    };
    for (Keyframe& k : keyframes_)
        move_up(k.place);
    move_up(place_);
    tape_.front().frames -= gone_frames;
    known_ -= gone;
    dropped_ += gone;
    tape_bytes_ = bytes;
    first_step_ = keyframes_.front().place.steps;
    std::erase_if(marks_, [this](std::uint64_t step) { return step < first_step_; });
}

void Timeline::add_mark(Effect effect, std::uint64_t steps) {
    const bool known = !marks_.empty() && marks_.back() == steps;
    if (known || marks_.size() >= kMaxMarks || effect != Effect::World) return;
    marks_.push_back(steps);
}

}  // namespace lab
