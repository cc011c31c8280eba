// Describes the current context. Needs only two functions, so platform does without an OpenGL loader.
#pragma once

#include "platform/surface.hpp"

namespace lab::platform {

/// Empty strings and version 0 if the functions cannot be found.
GlInfo query_gl_info(GlLoader loader);

/// "OpenGL 3.3 is needed, this machine offers 3.1 (renderer ..., driver version ...)" and what to do about
/// it.
OpenError too_old_error(const GlInfo& found);

}  // namespace lab::platform
