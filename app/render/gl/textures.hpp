// Textures for panels.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "render/gl/objects.hpp"
#include "render/texture.hpp"

namespace lab::render::gl {

class Textures final : public TextureStore {
  public:
    TextureHandle create(const Image& image) override;
    void update(TextureHandle texture, const Image& image) override;
    void remove(TextureHandle texture) override { textures_.erase(texture.native); }

  private:
    std::unordered_map<std::uint32_t, Texture> textures_;
};

}  // namespace lab::render::gl
