// Texts in UTF-16, which no reader of ours takes: they are named instead of a fault inside them.
#pragma once

#include <string_view>

namespace lab::io {

/// True for a text in UTF-16, by the byte order mark that programs put before it.
[[nodiscard]] inline bool is_utf16(std::string_view text) {
    return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}
inline constexpr const char* kIsUtf16 = "is UTF-16 text; only UTF-8 is read";
inline constexpr const char* kSaveAsUtf8 = "Save it as UTF-8";

}  // namespace lab::io
