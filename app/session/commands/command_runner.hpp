// Runs queued command lines: holds lines that wait for a file, records lines, and turns refusals into
// messages.
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

    /// Runs the queued lines, oldest first. Lines that a command pushes wait for the next call.
    void drain();
    /// Runs or postpones one line; a refusal adds a message. Survives running out of memory.
    void handle(const ParsedLine& line);
    /// Counts a refusal and adds its message.
    void refuse(const std::string& origin, const std::string& problem);
    /// The line that is running; empty between lines.
    [[nodiscard]] const ParsedLine& current() const { return current_; }
    void set_current(ParsedLine line) { current_ = std::move(line); }

  private:
    void execute(const ParsedLine& line);
    [[nodiscard]] ParsedLine in_terms_of_now(const ParsedLine& line) const;
    void collect_jobs();
    CommandResult run_line(const ParsedLine& line);
    CommandResult run_in_past(const ParsedLine& line);

    SessionParts& parts_;
    std::deque<ParsedLine> held_;  // lines behind an `open` whose file is still being read
    ParsedLine current_;
};

}  // namespace lab
