#include "render/gl/instances.hpp"

#include <cstring>

namespace lab::render::gl {

void InstanceBuffer::update(const void* data, std::size_t count, UploadCounter& counter) {
    const std::size_t bytes = count * stride_;
    count_ = count;
    if (bytes == 0) {
        shadow_.clear();
        return;
    }
    if (bytes == shadow_.size() && std::memcmp(shadow_.data(), data, bytes) == 0) return;
    const auto* first = static_cast<const std::byte*>(data);
    shadow_.assign(first, first + bytes);

    glBindBuffer(GL_ARRAY_BUFFER, buffer_.get());
    if (bytes > capacity_) capacity_ = bytes + bytes / 2;
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(capacity_), nullptr, GL_STREAM_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(bytes), data);
    counter.bytes += bytes;
}

void InstanceBuffer::bind(std::size_t first) {
    glBindVertexArray(vertex_array_.get());
    if (first != pointed_at_) point_at(first);
}

// OpenGL 3.3 has no base instance: the attribute pointers move instead.
void InstanceBuffer::point_at(std::size_t first) {
    const bool fresh = pointed_at_ == static_cast<std::size_t>(-1);
    glBindBuffer(GL_ARRAY_BUFFER, buffer_.get());
    for (const Attribute& attribute : layout_) {
        const bool is_float = attribute.type == Attribute::Type::Float;
        glVertexAttribPointer(attribute.location, attribute.components,
                              is_float ? GL_FLOAT : GL_UNSIGNED_BYTE, is_float ? GL_FALSE : GL_TRUE,
                              static_cast<GLsizei>(stride_),
                              reinterpret_cast<const void*>(first * stride_ + attribute.offset));
        if (!fresh) continue;
        glEnableVertexAttribArray(attribute.location);
        glVertexAttribDivisor(attribute.location, divisor_);
    }
    pointed_at_ = first;
}

}  // namespace lab::render::gl
