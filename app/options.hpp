// The command line as data.
#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/commands.hpp"

namespace lab {

/// What the program answers to whoever started it.
enum class ExitStatus : int { Done = 0, Failed = 1, WrongArguments = 2, NoOpenGl = 3, FileProblem = 4 };

struct Options {
    std::vector<std::string> files;
    std::optional<std::string> scene, lesson;
    std::vector<std::string> settings;  ///< NAME=VALUE, each checked.
    std::vector<std::string> run;       ///< Texts of commands, each checked.
    std::vector<std::string> scripts;   ///< Files of commands.
    bool headless = false;
    glm::ivec2 size{1280, 720};
    std::optional<int> frames;  ///< After how many the program ends; headless: 1 unless given.
    std::optional<int> seed;
    std::optional<bool> ui;  ///< Headless: off unless given.
    std::string screenshot, report;
};

/// Either options to run with, or that there is nothing more to do.
struct ParsedOptions {
    std::optional<Options> options;
    ExitStatus status = ExitStatus::Done;  ///< When there are no options.
};

/// Reads the command line. Lists, help and version are printed here; so is what is wrong, with what would be
/// right, to the standard error stream.
ParsedOptions parse_options(int argc, char** argv);

/// What can be told to be wrong with a line of the command line or of a script before anything runs:
/// `check_command`, and the names of lessons.
CommandResult check_line(std::string_view line);

}  // namespace lab
