// The message for a refused line.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "io/text/printable.hpp"
#include "session/commands/command_table.hpp"

namespace lab {

/// The line and the problem with it. A problem that begins with a file of the line stands alone, so that the
/// path is named once; for a line that is a whole session, only the command is named.
[[nodiscard]] inline std::string refusal_text(const ParsedLine& line, std::string_view problem) {
    const CommandArgs args = line.args();
    const bool names_file = std::any_of(args.begin(), args.end(), [&](const std::string& word) {
        return problem.starts_with(word + ": ") || problem.starts_with(word + ", ");
    });
    if (names_file) return std::string(problem);
    // A hostile link can be a line of megabytes.
    constexpr std::size_t kMaxLineBytes = 300;
    const std::string_view shown =
        line.command && problem.starts_with("the link ") ? line.command->id : line.text;
    return fmt::format("`{}`: {}", io::printable(shown, io::LineEnds::Escape, kMaxLineBytes), problem);
}

}  // namespace lab
