// The message for a refused line.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "io/text/printable.hpp"
#include "session/commands/command_table.hpp"

namespace lab {

/// The problem after the line that it is about; a problem that begins with a file of the line stands alone,
/// so that the path is named once.
[[nodiscard]] inline std::string refusal_text(const ParsedLine& line, std::string_view problem) {
    const CommandArgs args = line.args();
    const bool names_file = std::any_of(args.begin(), args.end(), [&](const std::string& word) {
        return problem.starts_with(word + ": ") || problem.starts_with(word + ", ");
    });
    // A hostile link can be a line of megabytes.
    constexpr std::size_t kMaxLineBytes = 300;
    return names_file ? std::string(problem)
                      : fmt::format("`{}`: {}", io::printable(line.text, io::LineEnds::Escape, kMaxLineBytes),
                                    problem);
}

}  // namespace lab
