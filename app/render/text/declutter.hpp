// Moves overlapping labels apart.
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
    Rect rect;        ///< Its preferred place.
    float depth = 0;  ///< Distance from the eye; nearer labels choose first.
    Rect anchor;      ///< What it labels: other labels keep off it. May be empty.
};

struct LabelPlace {
    glm::vec2 offset{0.0f};  ///< From its preferred place.
    bool crowded_out =
        false;  ///< No free place near enough: stays at its preferred place, to be drawn faded.
};

/// A place for each label, in the order given. Labels that are not crowded out overlap neither each other nor
/// an obstacle, the anchor of another label or the edge of `area`. Each moves as little as possible, at most
/// `reach` px, or 2.5 times that among at most 60. Deterministic; labels of equal depth are placed in the
/// order given.
std::vector<LabelPlace> declutter(std::span<const LabelBox> labels, std::span<const Rect> obstacles,
                                  const Rect& area, float reach);

}  // namespace lab::render
