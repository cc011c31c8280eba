#include "io/meshes/formats/gltf_bytes.hpp"

#include <string>

namespace lab::io::gltf {
namespace {

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    return word;
}

}  // namespace

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
    if (size < 20)
        return ReadOutcome::wrong(
            "byte 8", "states " + std::to_string(size) + " bytes, fewer than the 20 of its headers alone");
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
