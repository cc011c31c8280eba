// Labels that would lie over each other move apart.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <span>
#include <vector>

namespace lab::render {

struct Rect {
    glm::vec2 min{0.0f}, max{0.0f};
};

struct LabelBox {
    Rect rect;        ///< Where it wants to be.
    float depth = 0;  ///< Distance from the eye; nearer labels choose first.
    Rect anchor;      ///< What it belongs to: other labels do not cover it. May be empty.
};

struct LabelPlace {
    glm::vec2 offset{0.0f};  ///< From where it wanted to be.
    bool crowded_out =
        false;  ///< No free place near enough: stays where it wanted to be, to be drawn faintly.
};

/// A place for each label, in the order given, such that no two labels that are not crowded out overlap, nor
/// one of them an obstacle, the anchor of another or the edge of `area`. Each moves as little as it can, at
/// most `reach` px. The same input gives the same answer; equal depths go in the order given.
std::vector<LabelPlace> declutter(std::span<const LabelBox> labels, std::span<const Rect> obstacles,
                                  const Rect& area, float reach);

}  // namespace lab::render
