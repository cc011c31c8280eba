// Driver messages of debug contexts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lab::render::gl {

struct DriverLog {
    std::uint32_t errors = 0;          ///< Since the start.
    std::vector<std::string> waiting;  ///< The driver's messages, not yet taken.
};

/// Collects errors and undefined behavior in `log`, which must outlive the context's use, if the current
/// context is a debug context.
void watch_errors(DriverLog& log);

}  // namespace lab::render::gl
