// Driver messages of debug contexts.
#pragma once

#include <cstdint>

namespace lab::render::gl {

/// Has the driver report errors and undefined behavior to stderr, if the current context is a debug context.
/// Counts them in `*errors`, which must outlive the context's use.
void watch_errors(std::uint32_t* errors);

}  // namespace lab::render::gl
