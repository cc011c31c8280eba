// std::from_chars for real numbers, which the C++ library of Emscripten 3.1.6 lacks.
#pragma once

#include <charconv>

namespace lab::io {

/// As std::from_chars: no leading space or plus, the nearest value, `value` unchanged on failure. One that is
/// too large or, not being 0, too small is out of range.
std::from_chars_result read_real(const char* first, const char* last, double& value);
std::from_chars_result read_real(const char* first, const char* last, float& value);

}  // namespace lab::io
