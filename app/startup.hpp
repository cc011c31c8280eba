// From the command line to the first commands, and from what happened to the exit status.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"
#include "session/sandbox.hpp"

namespace lab {

/// Pushes what the options ask for, in an order in which each can have its effect: settings before the scene
/// that reads them, files, the scene, settings again over what the scene has set for itself, commands,
/// scripts. False, with `problem` and `status`, if a script cannot be read or has a line that could never
/// work.
bool push_startup_commands(const Options& options, CommandQueue& commands, std::string& problem,
                           ExitStatus& status);

/// Those of the startup commands that say what the window looks like, for before its first frame: where the
/// scene is seen in that frame is what pixels and cameras of the other commands are about.
std::vector<std::string> layout_commands(const Options& options, std::vector<std::string> remembered);

/// Prints messages that were not printed before. A window shows them itself, so only what is wrong goes to
/// the terminal.
class MessagePrinter {
  public:
    explicit MessagePrinter(bool headless) : headless_(headless) {}
    void print_new(const MessageLog& log);

  private:
    bool headless_;
    std::uint64_t printed_ = 0;
};

/// The exit status of a session that ended by itself.
ExitStatus status_of(const Options& options, const Sandbox& sandbox);

}  // namespace lab
