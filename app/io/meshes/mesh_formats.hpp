// Readers for OBJ, STL, PLY, OFF. They are exact to the last bit, say in which line or at which byte a file
// is wrong, and take time and memory in proportion to its size whatever it holds. Numbers are written the
// same way in all texts: see parse_finite. `builder.limits()` holds while reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/meshes/mesh_builder.hpp"

namespace lab::io {

/// Every triangle of the file has been added, or the file is wrong: then `what` is not empty.
struct ReadOutcome {
    std::uint32_t parts = 0;
    std::string where;
    std::string what;

    [[nodiscard]] bool ok() const { return what.empty(); }
    static ReadOutcome done(std::uint32_t parts) { return {parts, "", ""}; }
    static ReadOutcome wrong(std::string where, std::string what) {
        return {0, std::move(where), std::move(what)};
    }
};

/// Called now and then with the part of the text that is done, 0 to 1.
using ReadProgress = std::function<void(float)>;

/// v and f lines: positions with or without a weight (which is for curves and changes no polygon) or a color;
/// faces with texture and normal indices, negative indices, any polygon; lines joined by a backslash.
/// Everything else is skipped.
ReadOutcome read_obj(std::string_view text, MeshBuilder& builder, const ReadProgress& progress);
/// Text and binary. A file is binary if it has the size that a binary one states, does not begin with
/// `solid`, or has a zero byte in its header.
ReadOutcome read_stl(std::string_view bytes, MeshBuilder& builder, const ReadProgress& progress);
/// Text and binary of both byte orders: x, y and z of vertices, vertex_indices of faces and tristrips, of any
/// type. Every other element and property is skipped.
ReadOutcome read_ply(std::string_view bytes, MeshBuilder& builder, const ReadProgress& progress);
/// Text with optional colors, normals and texture coordinates behind the positions, which are divided by
/// their weights in 4OFF. Binary OFF and other numbers of dimensions than three are refused.
ReadOutcome read_off(std::string_view text, MeshBuilder& builder, const ReadProgress& progress);

/// Positions and polygons as files list them.
class Polygons {
  public:
    std::vector<glm::vec3> positions;

    /// A polygon begins; `place` is its line or number, for messages.
    void begin(std::size_t place) { starts_.push_back({corners_.size(), place}); }
    void corner(std::uint32_t index) { corners_.push_back(index); }
    [[nodiscard]] std::size_t size() const { return starts_.size(); }
    /// Cuts the polygons into triangles for `builder`. `place_name` is the word before the places: `line` or
    /// `face`. An index out of range is wrong.
    ReadOutcome finish(MeshBuilder& builder, std::string_view place_name, std::uint32_t parts) const;

  private:
    struct Start {
        std::size_t corner;
        std::size_t place;
    };
    [[nodiscard]] std::span<const std::uint32_t> polygon(std::size_t i) const;

    std::vector<std::uint32_t> corners_;
    std::vector<Start> starts_;
};

}  // namespace lab::io
