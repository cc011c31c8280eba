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
    /// that are no longer valid; `log` says so.
    void load(MessageLog& log);
    /// `set` lines for all values read.
    [[nodiscard]] std::vector<std::string> commands() const;
    /// What lines like `toggle NAME` assign when they run after `commands`: NAME=VALUE for each setting that
    /// they name or change.
    [[nodiscard]] std::vector<std::string> assignments_of(const std::vector<std::string>& lines) const;
    /// Writes what differs from the defaults, if that differs from what was read. Settings in `overridden`
    /// (NAME=VALUE, from the command line) stay as they were, unless the user has changed them since.
    void save(const Settings& settings, const std::vector<std::string>& overridden, MessageLog& log) const;

  private:
    io::SettingsMap values_;
};

}  // namespace lab
