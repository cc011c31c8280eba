// Pictures on the GPU, for panels: plots, heatmaps, thumbnails.
#pragma once

#include <cstdint>

#include "render/image.hpp"

namespace lab::render {

/// `native` is the OpenGL name, which ImGui's backend takes as its ImTextureID. 0 is no picture.
struct TextureHandle {
    std::uint32_t native = 0;
    friend bool operator==(const TextureHandle&, const TextureHandle&) = default;
};

/// Where pictures are kept. The renderer has one; panels know only this.
class TextureStore {
  public:
    virtual ~TextureStore() = default;
    /// Copies the picture to the GPU; smoothed when it is shown at another size. An empty picture gives an
    /// empty texture.
    [[nodiscard]] virtual TextureHandle create(const Image& image) = 0;
    /// Replaces the contents, also by a picture of another size. Unknown handles are ignored.
    virtual void update(TextureHandle texture, const Image& image) = 0;
    virtual void remove(TextureHandle texture) = 0;
};

}  // namespace lab::render
