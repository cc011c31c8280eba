#include "io/meshes/formats/gltf_bytes.hpp"

#include <array>

namespace lab::io::gltf {
namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    return word;
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

std::optional<std::string> base64_decoded(std::string_view text) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::array<int, 256> values;
    values.fill(-1);
    for (std::size_t i = 0; i < kDigits.size(); ++i)
        values[static_cast<unsigned char>(kDigits[i])] = static_cast<int>(i);
    for (int padding = 0; padding < 2 && text.ends_with('='); ++padding)
        text.remove_suffix(1);
    if (text.size() % 4 == 1) return std::nullopt;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t group = 0;
    int bits = 0;
    for (const char c : text) {
        const int value = values[static_cast<unsigned char>(c)];
        if (value < 0) return std::nullopt;
        group = group << 6 | static_cast<std::uint32_t>(value);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>(group >> bits & 0xffu);
    }
    return bytes;
}

ReadOutcome split_glb(std::string_view bytes, Chunks& chunks) {
    constexpr std::uint32_t kJson = 0x4e4f534a;
    constexpr std::uint32_t kData = 0x004e4942;
    if (!bytes.starts_with("glTF"))
        return ReadOutcome::wrong("byte 0", "does not begin with glTF, as .glb files do");
    if (bytes.size() < 20) return ReadOutcome::wrong("byte 4", "ends within its header: it was cut off");
    if (word_at(bytes, 4) != 2)
        return ReadOutcome::wrong(
            "byte 4", "is of version " + std::to_string(word_at(bytes, 4)) + " of glTF; only 2 is read");
    const std::size_t size = word_at(bytes, 8);
    if (size > bytes.size())
        return ReadOutcome::wrong("byte 8", "states " + std::to_string(size) + " bytes, but has " +
                                                std::to_string(bytes.size()) + ": it was cut off");
    bytes = bytes.substr(0, size);
    for (std::size_t at = 12, index = 0; at + 8 <= bytes.size(); ++index) {
        const std::size_t length = word_at(bytes, at);
        const std::uint32_t kind = word_at(bytes, at + 4);
        if (length > bytes.size() - at - 8)
            return ReadOutcome::wrong("byte " + std::to_string(at),
                                      "states a chunk that reaches beyond its end");
        const std::string_view chunk = bytes.substr(at + 8, length);
        if (index == 0) {
            if (kind != kJson) return ReadOutcome::wrong("byte 16", "does not begin with a chunk of JSON");
            chunks.json = chunk;
        } else if (index == 1 && kind == kData) {
            chunks.data = chunk;
        }
        at += 8 + (length + 3) / 4 * 4;
    }
    return chunks.json.empty() ? ReadOutcome::wrong("byte 12", "has no JSON") : ReadOutcome::done(0);
}

std::size_t component_size(std::uint64_t type) {
    switch (type) {
        case 5120:
        case 5121:
            return 1;
        case 5122:
        case 5123:
            return 2;
        case 5125:
        case 5126:
            return 4;
        default:
            return 0;
    }
}

}  // namespace lab::io::gltf
