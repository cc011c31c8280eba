// The command palette's entries for a typed text: commands, settings and scenes, best match first.
// Independent of ImGui.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "settings/settings.hpp"

namespace lab::panels {

struct PaletteEntry {
    std::string label;   ///< What it does, in words.
    std::string detail;  ///< Its id, usage or current value.
    std::string keys;    ///< Shortcut, if any.
    std::string line;    ///< The line to push; one that ends in a blank needs arguments.
};

/// At most `limit` entries. After `scene ` only scenes are searched, after `set ` and `toggle ` only
/// settings. A text that starts with a different command and a blank is itself the first entry, without the
/// blanks around it.
[[nodiscard]] std::vector<PaletteEntry> palette_entries(std::string_view text, const Settings& settings,
                                                        std::size_t limit);

/// What the palette says in place of entries: what is wrong with a command line, if the text begins one.
[[nodiscard]] std::string why_no_entries(std::string_view text);

}  // namespace lab::panels
