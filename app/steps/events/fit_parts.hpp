// What the steps of fits have in common: names of points, and parts of pictures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "steps/event_spec.hpp"

namespace lab::steps {

inline constexpr const char* kCurrentPoint = "current point";
inline constexpr const char* kCurrentDistance = "current distance from the center";
inline constexpr const char* kCenter = "center of the sphere";
inline constexpr const char* kSupport = "point that defines the sphere";

/// Like "point 17".
[[nodiscard]] std::string point_name(std::uint32_t index);
[[nodiscard]] std::string direction_text(const glm::vec3& d);

/// Both draw in front of everything else. `put_point` draws nothing for a point that the subject lacks.
void put_point(FrameResults& results, const glm::vec3& at, Role role, std::string label, float width,
               const char* legend);
void put_line(FrameResults& results, const glm::vec3& a, const glm::vec3& b, Role role, float width,
              const char* legend);

/// The intersection of the slabs fitted so far. Empty for fewer than three: they are unbounded.
[[nodiscard]] bv::Polytope polytope_of_slabs(const std::vector<bv::SlabFitted>& slabs);
/// Both planes of a slab, as patches beside the points.
void put_slab_planes(FrameResults& results, const bv::SlabFitted& slab, const Subject& subject, Role role,
                     const char* legend);

}  // namespace lab::steps
