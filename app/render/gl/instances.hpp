// Instance buffers: one per kind of item, filled from the draw list's arrays without conversion, and not
// uploaded again while the contents stay the same. A buffer of vertices works alike.
#pragma once

#include <glad/gl.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "render/gl/objects.hpp"

namespace lab::render::gl {

/// One vertex attribute.
struct Attribute {
    enum class Type : std::uint8_t { Float, ByteNormalized };
    GLuint location;
    GLint components;
    Type type;
    std::size_t offset;
};
inline constexpr auto kFloat = Attribute::Type::Float;
inline constexpr auto kByte = Attribute::Type::ByteNormalized;

/// Bytes handed to the GPU so far; the passes add to it, the statistics show it.
struct UploadCounter {
    std::uint64_t bytes = 0;
};

enum class Advance : std::uint8_t { PerInstance, PerVertex };

class InstanceBuffer {
  public:
    /// Attributes beyond location 0.. of `layout` may be added to the vertex array by the owner (mesh
    /// vertices).
    InstanceBuffer(std::vector<Attribute> layout, std::size_t stride, Advance advance = Advance::PerInstance)
        : layout_(std::move(layout)), stride_(stride), divisor_(advance == Advance::PerInstance ? 1 : 0) {}

    /// Makes the buffer hold `data`; uploads only on a difference. Orphans the old storage, so the upload
    /// does not wait for a GPU that still draws the previous frame from it.
    void update(const void* data, std::size_t count, UploadCounter& counter);
    template <class T>
    void update(std::span<const T> data, UploadCounter& counter) {
        update(data.data(), data.size(), counter);
    }

    /// Binds the vertex array with instance (or vertex) 0 of the next draw being element `first`.
    void bind(std::size_t first);
    /// The vertex array, for owners that add attributes of their own.
    GLuint vertex_array() { return vertex_array_.get(); }
    [[nodiscard]] std::size_t count() const { return count_; }

  private:
    void point_at(std::size_t first);

    std::vector<Attribute> layout_;
    std::size_t stride_;
    GLuint divisor_;
    Buffer buffer_;
    VertexArray vertex_array_;
    std::vector<std::byte> shadow_;  // what the buffer holds
    std::size_t capacity_ = 0;
    std::size_t count_ = 0;
    std::size_t pointed_at_ = static_cast<std::size_t>(-1);
};

}  // namespace lab::render::gl
