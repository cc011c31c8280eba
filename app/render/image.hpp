// A picture in memory.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <vector>

namespace lab::render {

/// sRGB with alpha, 8 bits each, rows from the top down without gaps.
struct Image {
    glm::ivec2 size{0};
    std::vector<std::uint8_t> rgba;

    [[nodiscard]] bool empty() const { return rgba.empty(); }
    /// Not empty, and exactly the bytes that its size asks for.
    [[nodiscard]] bool consistent() const {
        return size.x > 0 && size.y > 0 &&
               rgba.size() == 4 * static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y);
    }
    /// The four bytes of a pixel; (0, 0) is the top left one. No range check.
    [[nodiscard]] const std::uint8_t* at(int x, int y) const {
        return rgba.data() + 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(size.x) +
                                  static_cast<std::size_t>(x));
    }
};

}  // namespace lab::render
