#include <glm/geometric.hpp>

#include "io/meshes/formats/mesh_formats.hpp"
#include "io/meshes/formats/triangulate.hpp"

namespace lab::io {
namespace {

/// True if the two halves of the quadrilateral beside its first diagonal face the same way.
bool splits_at_first_corner(std::span<const glm::vec3> p) {
    const glm::dvec3 origin(p[0]);
    const auto half = [&](std::size_t i) {
        return glm::cross(glm::dvec3(p[i]) - origin, glm::dvec3(p[i + 1]) - origin);
    };
    return glm::dot(half(1), half(2)) > 0.0;
}

}  // namespace

std::span<const std::uint32_t> Polygons::polygon(std::size_t i) const {
    const std::size_t start = starts_[i].corner;
    const std::size_t end = i + 1 < starts_.size() ? starts_[i + 1].corner : corners_.size();
    return std::span(corners_).subspan(start, end - start);
}

ReadOutcome Polygons::finish(MeshBuilder& builder, std::string_view place_name, std::uint32_t parts) const {
    Triangulator triangulator;
    std::vector<glm::vec3> corners;
    for (std::size_t i = 0; i < starts_.size(); ++i) {
        const auto wrong = [&](std::string what) {
            return ReadOutcome::wrong(std::string(place_name) + " " + std::to_string(starts_[i].place),
                                      std::move(what));
        };
        const std::span<const std::uint32_t> indices = polygon(i);
        corners.clear();
        for (const std::uint32_t index : indices) {
            if (index >= positions.size()) {
                return wrong("a face refers to a vertex that does not exist; there are " +
                             std::to_string(positions.size()));
            }
            corners.push_back(positions[index]);
        }
        std::string fault;
        const auto add = [&](std::size_t a, std::size_t b, std::size_t c) {
            if (fault.empty()) fault = builder.add(corners[a], corners[b], corners[c]);
        };
        if (corners.size() == 3) {
            add(0, 1, 2);
        } else if (corners.size() == 4 && splits_at_first_corner(corners)) {
            add(0, 1, 2);
            add(0, 2, 3);
        } else {
            for (const auto& [a, b, c] : triangulator.run(corners))
                add(a, b, c);
        }
        if (!fault.empty()) return wrong(std::move(fault));
    }
    return ReadOutcome::done(parts);
}

}  // namespace lab::io
