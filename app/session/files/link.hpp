// A link is a session: the part after `#` in the address of the page, or the same as an argument.
//
//   #scene=obb-sat&set=sat.axis=7&run=pause
//   #lesson=ray-box&page=2
//   #saved=...&lesson=ray-box&page=2
//
// Keys are the options of the command line; set and run may repeat. `saved` is what "Copy link" gives: a
// record and the view at its end. A lesson beside it is opened at the page without running the page's lines.
// Values are percent-encoded. A link may come from a stranger: it runs no command that reads or writes files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/commands/command_table.hpp"

namespace lab {

/// Whether an argument is a link and no file: it begins with `#`, or is an address with a `#`.
[[nodiscard]] bool is_link(std::string_view argument);

/// Appends the commands of a link, in the order of the command line's options. Returns what is
/// wrong with it, and then appends nothing. An empty link has none.
[[nodiscard]] CommandResult read_link(std::string_view link, const CommandTable& table,
                                      std::vector<std::string>& lines);

}  // namespace lab
