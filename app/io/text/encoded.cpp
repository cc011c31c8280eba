#include "io/text/encoded.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace lab::io {
namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

constexpr std::string_view digits_of(Base64 digits) {
    return digits == Base64::Standard ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
                                      : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
}

}  // namespace

std::optional<std::string> percent_decoded(std::string_view text) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            decoded += text[i];
            continue;
        }
        const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
        const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
        if (high < 0 || low < 0) return std::nullopt;
        decoded += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return decoded;
}

std::string base64_encoded(std::string_view bytes, Base64 digits) {
    const std::string_view letters = digits_of(digits);
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    std::uint32_t group = 0;
    int bits = 0;
    for (const char byte : bytes) {
        group = group << 8 | static_cast<std::uint8_t>(byte);
        for (bits += 8; bits >= 6; bits -= 6)
            text += letters[group >> (bits - 6) & 63u];
    }
    if (bits > 0) text += letters[group << (6 - bits) & 63u];
    if (digits == Base64::Standard) text.append((4 - text.size() % 4) % 4, '=');
    return text;
}

std::optional<std::string> base64_decoded(std::string_view text, Base64 digits) {
    constexpr std::uint8_t kNone = 64;
    std::array<std::uint8_t, 256> values;
    values.fill(kNone);
    const std::string_view letters = digits_of(digits);
    for (std::size_t i = 0; i < letters.size(); ++i)
        values[static_cast<unsigned char>(letters[i])] = static_cast<std::uint8_t>(i);
    for (int padding = 0; padding < 2 && text.ends_with('='); ++padding)
        text.remove_suffix(1);
    if (text.size() % 4 == 1) return std::nullopt;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t group = 0;
    int bits = 0;
    for (const char c : text) {
        const std::uint8_t value = values[static_cast<unsigned char>(c)];
        if (value == kNone) return std::nullopt;
        group = group << 6 | value;
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>(group >> bits & 0xffu);
    }
    return bytes;
}

}  // namespace lab::io
