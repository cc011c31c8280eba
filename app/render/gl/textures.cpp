#include "render/gl/textures.hpp"

namespace lab::render::gl {

TextureHandle Textures::create(const Image& image) {
    Texture texture;
    const TextureHandle handle{texture.get()};
    glBindTexture(GL_TEXTURE_2D, handle.native);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
    for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
        glTexParameteri(GL_TEXTURE_2D, axis, GL_CLAMP_TO_EDGE);
    textures_.emplace(handle.native, std::move(texture));
    update(handle, image);
    return handle;
}

void Textures::update(TextureHandle texture, const Image& image) {
    if (!textures_.contains(texture.native) || !image.consistent()) return;
    glBindTexture(GL_TEXTURE_2D, texture.native);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, image.size.x, image.size.y, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 image.rgba.data());
}

}  // namespace lab::render::gl
