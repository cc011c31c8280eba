// Captures as lines of JSON (bv/capture/FORMAT.md, last section), for quick experiments: turned into the
// binary form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/file_error.hpp"

namespace lab::io {

struct CaptureLines {
    std::vector<std::uint8_t> bytes;  ///< The same capture as `.bvcap`.
    std::string left_out;             ///< What its end lacks; empty: nothing.
};

/// Refuses the first line that is wrong, with its number: no JSON, an unknown field, a wrong type, a proxy
/// that does not exist or exists already, something before the first frame. A last line without an end is
/// left out where it is the beginning of an object: its writer stopped there. Lines end with LF, CR LF or CR.
Result<CaptureLines> capture_from_lines(std::string_view text, const std::string& path);

}  // namespace lab::io
