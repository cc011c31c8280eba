// The number of a slider and its thumb, which must not cover it.
#pragma once

#include <algorithm>

namespace lab::panels {

/// A horizontal extent on the screen, in pixels.
struct Extent {
    float min = 0, max = 0;
};

/// The left end of a text of this width in a slider's frame: in the middle, or on the wider side of the thumb
/// if that covers it or comes nearer than half the gap. In the middle after all where neither side has room.
[[nodiscard]] inline float place_beside(Extent thumb, Extent frame, float width, float gap) {
    const float centered = 0.5f * (frame.min + frame.max - width);
    const float apart = 0.5f * gap;
    if (thumb.max + apart <= centered || thumb.min - apart >= centered + width) return centered;
    const float left = thumb.min - frame.min, right = frame.max - thumb.max;
    if (std::max(left, right) < width + gap) return centered;
    return right >= left ? thumb.max + gap : thumb.min - gap - width;
}

}  // namespace lab::panels
