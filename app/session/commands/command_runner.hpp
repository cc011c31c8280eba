// Carries out queued command lines: holds back those that wait for a file, records them, and turns refusals
// into messages.
#pragma once

#include <deque>
#include <string>
#include <utility>

#include "session/commands/command_table.hpp"

namespace lab {

struct SessionParts;

class CommandRunner {
  public:
    explicit CommandRunner(SessionParts& parts) : parts_(parts) {}

    /// Carries out what is queued, oldest first. Lines that a command pushes wait for the next call.
    void drain();
    /// Runs one line, or puts it off; a message says why it is refused. The session also goes on where memory
    /// runs out on the way.
    void take_up(const ParsedLine& line);
    /// Counts a refusal and says why.
    void refuse(const std::string& origin, const std::string& problem);
    /// The line that is running; empty between lines.
    [[nodiscard]] const ParsedLine& current() const { return current_; }
    void set_current(ParsedLine line) { current_ = std::move(line); }

  private:
    void carry_out(const ParsedLine& line);
    void collect_jobs();
    CommandResult run_line(const ParsedLine& line);
    CommandResult run_in_past(const ParsedLine& line);

    SessionParts& parts_;
    std::deque<ParsedLine> held_;  // lines that wait for the file of the `open` before them
    ParsedLine current_;
};

}  // namespace lab
