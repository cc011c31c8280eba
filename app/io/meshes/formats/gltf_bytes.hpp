// The bytes of glTF files: the chunks of .glb files, the numbers of accessors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

#include "io/meshes/formats/mesh_formats.hpp"

namespace lab::io::gltf {

struct Chunks {
    std::string_view json;
    std::optional<std::string_view> data;
};

/// Splits a .glb file into its parts. Returns what is wrong with it, or an outcome that is ok.
ReadOutcome split_glb(std::string_view bytes, Chunks& chunks);

/// Bytes of a component type; 0 for one that the format does not have.
std::size_t component_size(std::uint64_t type);

template <class T>
T stored(const char* at) {
    T value{};
    std::memcpy(&value, at, sizeof value);
    return value;
}

/// One number of an accessor. A normalized number is a fraction of the largest value of its type.
template <class T>
T component(const char* at, std::uint64_t type, bool normalized) {
    const auto whole = [normalized](auto value) {
        if (!normalized) return static_cast<T>(value);
        constexpr auto kLargest = static_cast<float>(std::numeric_limits<decltype(value)>::max());
        return static_cast<T>(std::max(static_cast<float>(value) / kLargest, -1.0f));
    };
    switch (type) {
        case 5120:
            return whole(stored<std::int8_t>(at));
        case 5121:
            return whole(stored<std::uint8_t>(at));
        case 5122:
            return whole(stored<std::int16_t>(at));
        case 5123:
            return whole(stored<std::uint16_t>(at));
        case 5125:
            return static_cast<T>(stored<std::uint32_t>(at));
        default:
            return static_cast<T>(stored<float>(at));
    }
}

}  // namespace lab::io::gltf
