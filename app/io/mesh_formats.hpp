// Readers of our own for the formats that are simple enough: OBJ, STL, PLY, OFF. They are exact to the last
// bit, say in which line or at which byte a file is wrong, and take time and memory in proportion to its size
// whatever it holds. What they leave to assimp they say.
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

#include "io/mesh_builder.hpp"

namespace lab::io {

struct ReadOutcome {
    enum class Kind : unsigned char {
        Done,     ///< Every triangle has been added.
        Wrong,    ///< The file is damaged: `where` and `what`.
        LeaveIt,  ///< A rarer variant of the format: something else should read it. Nothing has been added.
    };
    Kind kind = Kind::Done;
    std::uint32_t parts = 1;
    std::string where;
    std::string what;

    static ReadOutcome done(std::uint32_t parts) { return {Kind::Done, parts, "", ""}; }
    static ReadOutcome wrong(std::string where, std::string what) {
        return {Kind::Wrong, 0, std::move(where), std::move(what)};
    }
    static ReadOutcome leave_it() { return {Kind::LeaveIt, 0, "", ""}; }
};

/// Called now and then with the part of the text that is done, 0 to 1.
using ReadProgress = std::function<void(float)>;

/// v and f lines; faces with texture and normal indices, negative indices, convex polygons. Left to assimp:
/// lines that go on after a backslash, weighted vertices, polygons that are not convex.
ReadOutcome read_obj(std::string_view text, MeshBuilder& builder, const ReadProgress& progress);
/// Text and binary, told apart by the size that a binary file states. Nothing is left to assimp.
ReadOutcome read_stl(std::string_view bytes, MeshBuilder& builder, const ReadProgress& progress);
/// Text and binary of both byte orders, any further elements and properties. Left to assimp: triangle strips,
/// polygons that are not convex.
ReadOutcome read_ply(std::string_view bytes, MeshBuilder& builder, const ReadProgress& progress);
/// OFF with optional colors, normals and texture coordinates. Left to assimp: 4OFF, nOFF, binary, polygons
/// that are not convex.
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
    /// `face`. An index out of range is wrong; a polygon that a fan would not cover is left.
    ReadOutcome finish(MeshBuilder& builder, std::string_view place_name, std::uint32_t parts) const;

  private:
    struct Start {
        std::size_t corner;
        std::size_t place;
    };
    [[nodiscard]] std::span<const std::uint32_t> polygon(std::size_t i) const;
    [[nodiscard]] bool is_convex(std::span<const std::uint32_t> polygon) const;

    std::vector<std::uint32_t> corners_;
    std::vector<Start> starts_;
};

}  // namespace lab::io
