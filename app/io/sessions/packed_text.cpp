#include "io/sessions/packed_text.hpp"

#include <cstdint>
#include <optional>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image.h>
#pragma GCC diagnostic pop

#include "io/png.hpp"
#include "io/text/encoded.hpp"

namespace lab::io {
namespace {

/// The checksum of zlib (RFC 1950).
std::uint32_t adler32(std::string_view text) {
    std::uint32_t a = 1, b = 0;
    for (const char c : text) {
        a = (a + static_cast<std::uint8_t>(c)) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

std::string big_endian(std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>(value >> shift & 255u);
    return bytes;
}

}  // namespace

std::string pack_text(std::string_view text) {
    return base64_encoded(deflated(text), Base64::Address);
}

Result<std::string> unpack_text(std::string_view packed, std::size_t limit_bytes) {
    const FileError damaged{"", "", "is damaged or was cut off", "Copy the whole link again"};
    const std::optional<std::string> bytes = base64_decoded(packed, Base64::Address);
    if (!bytes || bytes->size() > limit_bytes) return damaged;
    std::string text(limit_bytes, '\0');
    const int size = stbi_zlib_decode_buffer(text.data(), static_cast<int>(text.size()), bytes->data(),
                                             static_cast<int>(bytes->size()));
    if (size < 0) return damaged;
    text.resize(static_cast<std::size_t>(size));
    // stb_image stops quietly at the end of what there is, and leaves the checksum unread.
    if (!bytes->ends_with(big_endian(adler32(text)))) return damaged;
    return text;
}

}  // namespace lab::io
