// Turns the command line into the first commands, and the outcome of a session into the exit status.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"
#include "session/session.hpp"

namespace lab {

/// Pushes the commands of the options in an order in which each takes effect: settings before the scene that
/// reads them, files, the scene, settings again over the scene's presets, commands, scripts. Returns false
/// and sets `problem` and `status` if a script cannot be read or has an invalid line.
bool push_startup_commands(const Options& options, CommandQueue& commands, std::string& problem,
                           ExitStatus& status);

/// The startup commands that affect the window's layout, to be run before the first frame: pixels and cameras
/// in the other commands depend on that layout.
std::vector<std::string> layout_commands(const Options& options, std::vector<std::string> remembered);

/// Prints new messages. A window shows them itself, so only errors and warnings go to the terminal.
class MessagePrinter {
  public:
    explicit MessagePrinter(bool headless) : headless_(headless) {}
    void print_new(const MessageLog& log);

  private:
    bool headless_;
    std::uint64_t printed_ = 0;
};

/// The exit status of a session that ended normally.
ExitStatus status_of(const Options& options, const Session& session);

}  // namespace lab
