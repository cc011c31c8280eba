// The user's settings, kept between windowed sessions. Headless runs ignore them, so that they repeat.
#pragma once

#include <string>
#include <vector>

#include "io/sessions/settings_file.hpp"
#include "results/messages.hpp"
#include "settings/settings.hpp"

namespace lab {

class Preferences {
  public:
    /// Reads $XDG_CONFIG_HOME/bvlab/preferences.json. Renames a file that cannot be read and skips values
    /// that are not valid or unknown; `log` says so.
    void load(MessageLog& log);
    /// `set` lines for all values read.
    [[nodiscard]] std::vector<std::string> commands() const;
    /// The assignments that lines like `toggle NAME` make when they run after `commands`: NAME=VALUE for each
    /// setting that they name or change.
    [[nodiscard]] std::vector<std::string> assignments_of(const std::vector<std::string>& lines) const;
    /// Writes what this session has changed since it last read or wrote the file; writes nothing if there is
    /// no change. What another session has written meanwhile stays: other settings as they are, and in lists
    /// (finished lessons, recent files) its additions. Names and values that this version does not accept
    /// stay, too. Settings in `overridden` (NAME=VALUE, from the command line) stay as they were at the
    /// start, unless the user has changed them since. Two sessions that write in the same instant still lose
    /// one of the changes: the file is not locked.
    void save(const Settings& settings, const std::vector<std::string>& overridden, MessageLog& log);

  private:
    io::SettingsMap read_;   ///< The values at the start.
    io::SettingsMap saved_;  ///< This session's settings as read or written last, without those of others.
};

}  // namespace lab
