// A mesh prepared for the GPU: with normals and coarser copies. This is the slow part of uploading a mesh
// that needs no OpenGL, so it can run on another thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <glm/vec3.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/errand.hpp"
#include "render/mesh/normals.hpp"

namespace lab::render {

struct PreparedMesh {
    struct Detail {
        LitMesh lit;
        float error = 0;  ///< About how far the surface moved, in the mesh's units.
    };
    static constexpr std::size_t kMaxDetails = 7;
    std::vector<Detail>
        details;  ///< The full mesh first, then coarser ones; empty for a mesh without triangles.
};

/// Thread-safe. A million triangles take about a second.
PreparedMesh prepare_mesh(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles);

/// For preparing a mesh in another instance of the program, in a page: `mesh_bytes` serializes the mesh,
/// `prepare_bytes` runs in that instance, and `prepared_from` reads its answer here; nothing if the bytes are
/// incomplete.
std::string mesh_bytes(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles);
std::string prepare_bytes(std::string_view mesh);
std::optional<PreparedMesh> prepared_from(std::string_view bytes);

/// Meshes that were prepared before they are drawn for the first time, by their stamps. Safe from several
/// threads at once.
class PreparedMeshes {
  public:
    void prepare(std::uint64_t stamp, std::span<const glm::vec3> positions,
                 std::span<const glm::uvec3> triangles);
    /// The same without waiting, where an errand can do it: false while it is under way. For one thread.
    bool prepare_elsewhere(std::uint64_t stamp, std::span<const glm::vec3> positions,
                           std::span<const glm::uvec3> triangles);
    /// Removes and returns the mesh; nothing if it was never prepared.
    [[nodiscard]] std::optional<PreparedMesh> take(std::uint64_t stamp);

  private:
    static constexpr std::size_t kMaxKept = 16;  ///< Meshes of cancelled jobs are never taken.
    struct UnderWay {
        std::uint64_t stamp;
        std::unique_ptr<platform::Errand> errand;
        std::string bytes;
    };
    void keep(std::uint64_t stamp, PreparedMesh mesh);

    std::mutex mutex_;
    std::deque<std::pair<std::uint64_t, PreparedMesh>> meshes_;  // oldest first
    std::optional<UnderWay> under_way_;  // the newest: jobs prepare one mesh after the other
};

}  // namespace lab::render
