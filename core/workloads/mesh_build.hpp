// Construction helpers for the meshes of this folder. Not meant for use outside it.
#pragma once

#include <functional>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "workloads/meshes.hpp"

namespace bv::workloads {

/// The convex hull of a handful of points, all of them corners, faces of any number of sides. Cost: points^4.
MeshData convex_solid(std::string_view name, std::span<const glm::vec3> corners);

/// Revolves the profile (radius, y), from the top to the bottom, about y. The first and last radius are 0,
/// the others are not.
MeshData revolve(std::string_view name, std::span<const glm::vec2> profile, int segments);

/// A ring of points around a tube, counter-clockwise seen against the direction of travel.
using Ring = std::vector<glm::vec3>;
enum class TubeEnds { Joined, Capped };
/// Joins rings of equal size to a tube, closed by joining the last ring to the first or by a fan over each
/// end.
MeshData tube(std::string_view name, std::span<const Ring> rings, TubeEnds ends);

/// Circles around a line of points, all with the same `radius` and `sides`. On a closed line the first point
/// follows the last one, and the accumulated twist of the frames is spread over all of them.
std::vector<Ring> rings_along(std::span<const glm::vec3> line, TubeEnds ends, float radius, int sides);

/// An icosphere of radius 1 with every point moved along its direction to the distance `radius_at`.
MeshData star_shape(std::string_view name, int subdivisions,
                    const std::function<float(const glm::vec3&)>& radius_at);

void append(MeshData& to, const MeshData& piece);

}  // namespace bv::workloads
