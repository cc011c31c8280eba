#include "io/text/printable.hpp"

#include <array>
#include <cstdint>

namespace lab::io {
namespace {

struct Letter {
    std::uint32_t code = 0;
    std::size_t bytes = 0;  ///< 0: no valid UTF-8 begins here.
};

/// The first letter of a text that is not empty, by the table of well-formed sequences of the Unicode
/// standard: no overlong forms, no surrogates, nothing above U+10FFFF.
Letter first_letter(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
    };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
    std::uint32_t code = lead & (0x7fu >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0u) != 0x80u) return {};
        code = code << 6 | (byte(i) & 0x3fu);
    }
    constexpr std::array<std::uint32_t, 5> kFirstCode{0, 0, 0x80, 0x800, 0x10000};
    const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
    if (code < kFirstCode[bytes] || code > 0x10ffff || is_surrogate) return {};
    return {code, bytes};
}

bool is_control(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/// Bidirectional controls, and line separators that are not control characters.
bool is_deceptive(std::uint32_t code) {
    return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0x2028 ||
           code == 0x2029 || code == 0x200e || code == 0x200f || code == 0x061c || code == 0xfeff;
}

void add_hex(std::string& out, std::uint32_t value, int digits) {
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
        out += "0123456789abcdef"[(value >> shift) & 0xfu];
}

void add_escape(std::string& out, std::uint32_t code) {
    if (code == '\n') {
        out += "\\n";
    } else if (code == '\t') {
        out += "\\t";
    } else if (code == '\r') {
        out += "\\r";
    } else if (code < 0x100) {
        out += "\\x";
        add_hex(out, code, 2);
    } else {
        out += "\\u";
        add_hex(out, code, 4);
    }
}

}  // namespace

std::string printable(std::string_view text, LineEnds line_ends, std::size_t max_bytes) {
    std::string out;
    out.reserve(text.size() < max_bytes ? text.size() : max_bytes);
    while (!text.empty()) {
        if (out.size() >= max_bytes) return out + "...";
        const Letter letter = first_letter(text);
        if (letter.bytes == 0) {
            out += "\\x";
            add_hex(out, static_cast<unsigned char>(text.front()), 2);
            text.remove_prefix(1);
            continue;
        }
        const bool kept = line_ends == LineEnds::Keep && letter.code == '\n';
        if (!kept && (is_control(letter.code) || is_deceptive(letter.code)))
            add_escape(out, letter.code);
        else
            out += text.substr(0, letter.bytes);
        text.remove_prefix(letter.bytes);
    }
    return out;
}

bool is_plain_text(std::string_view text) {
    while (!text.empty()) {
        const Letter letter = first_letter(text);
        if (letter.bytes == 0 || is_control(letter.code)) return false;
        text.remove_prefix(letter.bytes);
    }
    return true;
}

bool is_valid_utf8(std::string_view text) {
    while (!text.empty()) {
        const Letter letter = first_letter(text);
        if (letter.bytes == 0) return false;
        text.remove_prefix(letter.bytes);
    }
    return true;
}

}  // namespace lab::io
