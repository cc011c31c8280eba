#include <glm/geometric.hpp>

#include "io/mesh_formats.hpp"

namespace lab::io {

std::span<const std::uint32_t> Polygons::polygon(std::size_t i) const {
    const std::size_t start = starts_[i].corner;
    const std::size_t end = i + 1 < starts_.size() ? starts_[i + 1].corner : corners_.size();
    return std::span(corners_).subspan(start, end - start);
}

bool Polygons::is_convex(std::span<const std::uint32_t> corners) const {
    // A fan from the first corner covers the polygon once if no triangle of it faces the other way than the
    // whole.
    const glm::dvec3 origin(positions[corners[0]]);
    glm::dvec3 whole(0.0);
    const auto piece = [&](std::size_t i) {
        return glm::cross(glm::dvec3(positions[corners[i - 1]]) - origin,
                          glm::dvec3(positions[corners[i]]) - origin);
    };
    for (std::size_t i = 2; i < corners.size(); ++i)
        whole += piece(i);
    for (std::size_t i = 2; i < corners.size(); ++i)
        if (glm::dot(piece(i), whole) < 0.0) return false;
    return true;
}

ReadOutcome Polygons::finish(MeshBuilder& builder, std::string_view place_name, std::uint32_t parts) const {
    const auto where = [&](std::size_t i) {
        return std::string(place_name) + " " + std::to_string(starts_[i].place);
    };
    bool all_convex = true;
    for (std::size_t i = 0; i < starts_.size(); ++i) {
        for (const std::uint32_t index : polygon(i)) {
            if (index >= positions.size()) {
                return ReadOutcome::wrong(where(i),
                                          "a face refers to a vertex that does not exist; there are " +
                                              std::to_string(positions.size()));
            }
        }
        all_convex = all_convex && (polygon(i).size() <= 3 || is_convex(polygon(i)));
    }
    if (!all_convex) return ReadOutcome::leave_it();
    for (std::size_t i = 0; i < starts_.size(); ++i) {
        const std::span<const std::uint32_t> p = polygon(i);
        for (std::size_t k = 2; k < p.size(); ++k) {
            std::string wrong = builder.add(positions[p[0]], positions[p[k - 1]], positions[p[k]]);
            if (!wrong.empty()) return ReadOutcome::wrong(where(i), std::move(wrong));
        }
    }
    return ReadOutcome::done(parts);
}

}  // namespace lab::io
