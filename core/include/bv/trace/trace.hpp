// Trace sinks. An algorithm's body exists once, templated on a sink: with NoTrace the compiler removes every
// event; a Recording keeps each one.
//
// Pattern: a template `foo_impl(args, Sink&)` lives in the source file; the header offers `foo(args)`, which
// passes a NoTrace, and `foo(args, Recording&)`. Work only for the trace is guarded by `if constexpr
// (Sink::kEnabled)`.
#pragma once

#include <cstddef>
#include <vector>

#include "bv/trace/events.hpp"

namespace bv {

/// The sink that ignores everything.
struct NoTrace {
    static constexpr bool kEnabled = false;
    template <class Event>
    constexpr void operator()(const Event&) const noexcept {}
};

/// A bounded list of events in order of occurrence. When full it drops later events and reports so. Allocates
/// while it grows. Not thread-safe.
class Recording {
  public:
    static constexpr bool kEnabled = true;

    explicit Recording(std::size_t capacity = 1u << 16) : capacity_(capacity) {}

    template <class Event>
    void operator()(const Event& event) {
        if (events_.size() < capacity_)
            events_.emplace_back(event);
        else
            ++dropped_;
    }

    [[nodiscard]] const std::vector<TraceEvent>& events() const noexcept { return events_; }
    [[nodiscard]] std::size_t dropped() const noexcept { return dropped_; }
    [[nodiscard]] bool overflowed() const noexcept { return dropped_ > 0; }
    void clear() noexcept {
        events_.clear();
        dropped_ = 0;
    }

  private:
    std::vector<TraceEvent> events_;
    std::size_t capacity_;
    std::size_t dropped_ = 0;
};

}  // namespace bv
