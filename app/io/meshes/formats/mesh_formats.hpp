// Readers for OBJ, STL, PLY and OFF. They are exact to the last bit, report the line or byte of an error, and
// take time and memory linear in the file's size whatever it contains. All text formats share one number
// syntax: see parse_finite. They enforce `builder.limits()` while reading.
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

/// Empty if every triangle of the file was added, otherwise why the file is refused.
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

/// Called periodically with the fraction of the text that is done.
using ReadProgress = std::function<void(float)>;

/// Reads v and f lines: positions with an optional weight (used by curves only) or color; faces with texture
/// and normal indices, negative indices, any polygon; lines of numbers continued by a backslash. Skips
/// the other statements of the format, and counts lines with none.
ReadOutcome read_obj(std::string_view text, MeshBuilder& builder, const ReadProgress& progress);
/// Reads text and binary STL. A file is binary if its size matches its count, if it does not begin with
/// `solid`, or if its header has a zero byte. Refuses a binary count that whole further triangles follow.
ReadOutcome read_stl(std::string_view bytes, MeshBuilder& builder, const ReadProgress& progress);
/// Reads text and binary PLY of both byte orders: x, y and z of vertices, vertex_indices of faces and
/// tristrips, of any type. Skips every other element and property. Refuses more rows than the header states.
ReadOutcome read_ply(std::string_view bytes, MeshBuilder& builder, const ReadProgress& progress);
/// Reads text OFF with optional colors, normals and texture coordinates after the positions, which 4OFF
/// divides by their weights. Refuses binary OFF, dimensions other than three, and more faces than it states.
ReadOutcome read_off(std::string_view text, MeshBuilder& builder, const ReadProgress& progress);

/// Collects the positions and polygons of a file.
class Polygons {
  public:
    std::vector<glm::vec3> positions;

    /// Begins a polygon; `place` is its line or number, for messages.
    void begin(std::size_t place) { starts_.push_back({corners_.size(), place}); }
    void corner(std::uint32_t index) { corners_.push_back(index); }
    [[nodiscard]] std::size_t size() const { return starts_.size(); }
    /// Triangulates the polygons into `builder`. `place_name` precedes places in messages: `line` or `face`.
    /// Refuses an index out of range.
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
