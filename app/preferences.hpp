// The user's settings from one windowed session to the next. Headless runs know nothing of them: they repeat.
#pragma once

#include <string>
#include <vector>

#include "io/sessions/settings_file.hpp"
#include "results/messages.hpp"
#include "settings/settings.hpp"

namespace lab {

class Preferences {
  public:
    /// Reads $XDG_CONFIG_HOME/bvlab/preferences.json. A file that cannot be understood is kept aside, and
    /// values that are no longer valid are left out; `log` says so.
    void load(MessageLog& log);
    /// `set` lines for everything that was read.
    [[nodiscard]] std::vector<std::string> commands() const;
    /// Writes what differs from the defaults, if that differs from what was read. What `overridden`
    /// (NAME=VALUE, from the command line) has set stays as it was, unless the user has changed it since.
    void save(const Settings& settings, const std::vector<std::string>& overridden, MessageLog& log) const;

  private:
    io::SettingsMap values_;
};

}  // namespace lab
