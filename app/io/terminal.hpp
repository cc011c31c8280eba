// Standard output and standard error. Either may be closed, full, or a pipe whose reader is gone or has
// stopped reading; that must neither end the program nor block it.
#pragma once

#include <string_view>

namespace lab::io {

/// Call before opening anything. Afterwards a broken stream does not end the program (SIGPIPE is ignored),
/// and no file opened later gets a descriptor from 0 to 2.
void prepare_terminal();

/// Writes a `printable` text to standard output; waits for the reader. False if not all of it could be
/// written.
[[nodiscard]] bool print_out(std::string_view text);

/// Writes one message to standard error, `printable` and with a line end. Indents its further lines, so that
/// none can pass for a message of its own. Drops what cannot be written within a fraction of a second.
void print_error(std::string_view message);

}  // namespace lab::io
