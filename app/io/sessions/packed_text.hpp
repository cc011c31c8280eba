// Texts inside links: deflated, and written with the characters that an address may hold.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "io/file_error.hpp"

namespace lab::io {

/// Deflated (zlib), in the base64 of addresses (RFC 4648, section 5), without padding. The text is not empty.
[[nodiscard]] std::string pack_text(std::string_view text);

/// The inverse of `pack_text`. Refuses other characters, damaged data, and a text of more than `limit_bytes`.
[[nodiscard]] Result<std::string> unpack_text(std::string_view packed, std::size_t limit_bytes);

}  // namespace lab::io
