// Bytes as plain text: percent-encoding (RFC 3986) and base64 (RFC 4648).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab::io {

/// The bytes of the text; nothing where a `%` is not followed by two hexadecimal digits.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text);

/// RFC 4648. Address is the one for links and file names, with `-` and `_`, and is written without padding.
enum class Base64 : unsigned char { Standard, Address };

[[nodiscard]] std::string base64_encoded(std::string_view bytes, Base64 digits);
/// With up to two `=` at its end, or without. Nothing where the text has other characters or ends within a
/// byte.
[[nodiscard]] std::optional<std::string> base64_decoded(std::string_view text, Base64 digits);

}  // namespace lab::io
