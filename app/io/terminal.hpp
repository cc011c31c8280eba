// The two streams to whoever started the program. Either may be closed, full, or a pipe whose reader is gone
// or has stopped reading: that must neither end the program nor hold it up.
#pragma once

#include <string_view>

namespace lab::io {

/// To be called before anything is opened. A stream that is gone then ends nothing (SIGPIPE is ignored), and
/// the numbers 0 to 2 are never given to a file that is opened later.
void prepare_terminal();

/// Writes to the standard output what was asked for, made `printable`; waits for the reader. False if not all
/// of it could be written.
[[nodiscard]] bool print_out(std::string_view text);

/// Writes one message to the standard error stream, made `printable` and with a line end. Further lines of it
/// are indented, so that none can pass for a message of its own. What cannot be written within a fraction of
/// a second is dropped.
void print_error(std::string_view message);

}  // namespace lab::io
