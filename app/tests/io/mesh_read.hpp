// What a reader of a mesh format makes of a text, for tests of the readers by themselves.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "io/meshes/formats/mesh_formats.hpp"
#include "io/meshes/mesh_builder.hpp"
#include "io/meshes/mesh_file.hpp"
#include "mesh_volume.hpp"

namespace lab::io {

using Reader = ReadOutcome (*)(std::string_view, MeshBuilder&, const ReadProgress&);

struct Read {
    ReadOutcome outcome;
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;
};

inline Read read_with(Reader reader, std::string_view text, const MeshLimits& limits = {}) {
    MeshBuilder builder(limits);
    Read read;
    read.outcome = reader(text, builder, [](float fraction) { EXPECT_LE(fraction, 1.0f); });
    if (!read.outcome.ok()) return read;
    Result<MeshFile> file = builder.finish("file", read.outcome.parts);
    if (file) {
        read.positions = file->mesh.positions;
        read.triangles = file->mesh.triangles;
    }
    return read;
}

/// `line 3: what is wrong` or `done`.
inline std::string verdict(Reader reader, std::string_view text, const MeshLimits& limits = {}) {
    const ReadOutcome outcome = read_with(reader, text, limits).outcome;
    return outcome.ok() ? "done" : outcome.where + ": " + outcome.what;
}

inline double area(const Read& read) {
    double sum = 0.0;
    for (const glm::uvec3& t : read.triangles) {
        const glm::dvec3 a(read.positions[t.x]);
        sum += 0.5 * glm::length(glm::cross(glm::dvec3(read.positions[t.y]) - a,
                                            glm::dvec3(read.positions[t.z]) - a));
    }
    return sum;
}

/// Of the closed surface.
inline double volume(const Read& read) {
    return test::mesh_volume(read.positions, read.triangles);
}

inline std::string with_line_ends(std::string_view text, std::string_view end) {
    std::string result;
    for (const char c : text)
        result += c == '\n' ? std::string(end) : std::string(1, c);
    return result;
}

}  // namespace lab::io
