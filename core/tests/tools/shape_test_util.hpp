// Helpers shared by the tests of shapes and fits: seeded clouds and maps.
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>
#include <variant>
#include <vector>

#include "bv/trace/trace.hpp"
#include "random.hpp"

namespace bv::test {

/// `count` points of one of several kinds: in a cube, on a sphere, in a thin slab, on a grid, with copies,
/// with outliers.
inline std::vector<glm::vec3> random_cloud(Random& random, std::size_t count) {
    const std::uint32_t kind = random.below(7);
    const glm::dmat3 turn = random.rotation_in_double();
    const glm::vec3 stretch(random.range(0.05f, 3.0f), random.range(0.05f, 3.0f), random.range(0.05f, 3.0f));
    std::vector<glm::vec3> points;
    while (points.size() < count) {
        glm::vec3 p = random.in_cube(1.0f);
        if (kind == 1) p = random.direction();
        if (kind == 2) p.z *= 1e-3f;
        if (kind == 3) p = glm::vec3(std::round(p.x * 2), std::round(p.y * 2), std::round(p.z * 2));
        if (kind == 4 && points.size() > 4 && random.below(2) == 0) {
            const glm::vec3 copy = points[random.below(4)];
            points.push_back(copy);
            continue;
        }
        if (kind == 5 && random.below(16) == 0) p *= 20.0f;
        if (kind == 3)
            points.push_back(p);
        else
            points.push_back(glm::vec3(turn * glm::dvec3(p * stretch)));
    }
    return points;
}

inline glm::vec3 apply(const glm::mat4x3& m, const glm::vec3& p) {
    return m * glm::vec4(p, 1.0f);
}

inline glm::mat4x3 affine_of(const glm::dmat3& m, const glm::vec3& t) {
    return glm::mat4x3{glm::vec3(m[0]), glm::vec3(m[1]), glm::vec3(m[2]), t};
}

/// The events of one kind, in their order.
template <class Event>
std::vector<Event> events_of(const Recording& trace) {
    std::vector<Event> events;
    for (const TraceEvent& event : trace.events())
        if (const auto* e = std::get_if<Event>(&event)) events.push_back(*e);
    return events;
}

}  // namespace bv::test
