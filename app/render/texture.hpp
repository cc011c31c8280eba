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

/// Owns textures. The renderer implements it; panels know only this interface.
class TextureStore {
  public:
    virtual ~TextureStore() = default;
    /// Uploads the picture, to be filtered when it is shown at another size. An empty picture gives an empty
    /// texture.
    [[nodiscard]] virtual TextureHandle create(const Image& image) = 0;
    /// Replaces the contents; the size may differ. Unknown handles are ignored.
    virtual void update(TextureHandle texture, const Image& image) = 0;
    virtual void remove(TextureHandle texture) = 0;
};

}  // namespace lab::render
