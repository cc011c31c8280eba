// Messages to the user: one list, read by the toasts, the log panel and the standard error
// stream.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

namespace lab {

enum class Severity : unsigned char { Info, Warning, Error };

struct Message {
    Severity severity = Severity::Info;
    std::string text;          ///< What happened, where, and what to do: one or two sentences.
    std::uint64_t number = 0;  ///< Counts from 1, never reused: readers remember the last one they processed.
    double time_s = 0;         ///< Wall clock of the session, for toasts that fade.
    std::uint32_t repeats = 1;  ///< The same text in a row is kept once.
};

/// The last messages, oldest first. Bounded, so that a fault in every frame cannot fill the memory.
class MessageLog {
  public:
    static constexpr std::size_t kCapacity = 500;

    void info(std::string text) { add(Severity::Info, std::move(text)); }
    void warning(std::string text) { add(Severity::Warning, std::move(text)); }
    void error(std::string text) { add(Severity::Error, std::move(text)); }
    /// The text is made `io::printable`: names from files go into it.
    void add(Severity severity, std::string text);

    [[nodiscard]] const std::deque<Message>& messages() const { return messages_; }
    /// The number of messages ever added, repeated texts included.
    [[nodiscard]] std::uint64_t last_number() const { return last_number_; }
    /// The time that new messages are stamped with.
    void set_time(double time_s) { time_s_ = time_s; }
    /// While muted nothing is added: for replayed commands.
    void set_muted(bool muted) { muted_ = muted; }
    [[nodiscard]] double time() const { return time_s_; }

  private:
    std::deque<Message> messages_;
    std::uint64_t last_number_ = 0;
    double time_s_ = 0;
    bool muted_ = false;
};

}  // namespace lab
