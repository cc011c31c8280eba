// The command line as data.
#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// Exit status of the program.
enum class ExitStatus : int { Done = 0, Failed = 1, WrongArguments = 2, NoOpenGl = 3, FileProblem = 4 };

struct Options {
    std::vector<std::string> files;
    std::optional<std::string> scene, lesson;
    std::vector<std::string> settings;  ///< NAME=VALUE, each checked.
    std::vector<std::string> link;      ///< The commands of links, each checked.
    std::vector<std::string> run;       ///< Texts of commands, each checked.
    std::vector<std::string> scripts;   ///< Files of commands.
    bool headless = false;
    glm::ivec2 size{1280, 720};
    std::optional<int> frames;  ///< Frames until the program ends; headless: 1 unless given.
    std::optional<int> seed;
    std::optional<int> threads;  ///< Size of the program's thread pool; one per core unless given.
    std::optional<bool> ui;      ///< Headless: off unless given.
    std::string screenshot, report;
    std::optional<std::string> listen;  ///< Where to listen for captures from engines; empty: the usual port.
    std::vector<std::string> diagnose;  ///< Captures that are diagnosed in words; nothing else is done.
};

/// Options to run with, or the exit status if there is nothing to run.
struct ParsedOptions {
    std::optional<Options> options;
    ExitStatus status = ExitStatus::Done;  ///< When there are no options.
};

/// Parses the command line. Prints lists, help and version, and errors with a suggestion to standard error.
ParsedOptions parse_options(int argc, char** argv);

}  // namespace lab
