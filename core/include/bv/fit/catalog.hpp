// A table of all fitting algorithms for all volumes, so that panels, reports, tests and benchmarks can list
// them.
#pragma once

#include <glm/vec3.hpp>
#include <span>
#include <string_view>

#include "bv/fit/volume.hpp"
#include "bv/shapes/hull.hpp"
#include "bv/shapes/triangle.hpp"
#include "bv/trace/trace.hpp"

namespace bv::fit {

/// The growth of the fitting time with the number of points.
enum class CostClass : unsigned char {
    OnePass,    ///< Each point is read once or twice.
    FewPasses,  ///< Each point is read several times.
    Hull,       ///< Costs as much as the convex hull.
    Search,     ///< Builds the hull, then searches over its faces and edges.
};
/// Empty for a value outside the enum.
[[nodiscard]] std::string_view name_of(CostClass cost) noexcept;

/// One row of the table.
struct FitEntry {
    std::string_view id;           ///< Stable: `sphere.ritter`.
    VolumeKind kind;               ///< The kind of the result.
    std::string_view name;         ///< Display name: "Ritter".
    std::string_view description;  ///< One line.
    CostClass cost;
    std::string_view source;  ///< A key of core/REFERENCES.md, or empty.
    /// Fits all positions of the mesh; only `obb.pca_surface` uses the triangles.
    Volume (*fit)(const MeshView& mesh);
    /// The traced form, or null if the algorithm has no steps to show.
    Volume (*fit_traced)(const MeshView& mesh, Recording& trace);
    /// For a fit that starts from the smallest box: the same where that box, `obb.exact`, is known. Or null.
    Volume (*fit_with_box)(const MeshView& mesh, const Obb& smallest) = nullptr;
};

/// All rows, grouped by kind, from the simplest to the best.
[[nodiscard]] std::span<const FitEntry> fit_catalog() noexcept;

/// The row with this id, or null.
[[nodiscard]] const FitEntry* find_fit(std::string_view id) noexcept;

}  // namespace bv::fit
