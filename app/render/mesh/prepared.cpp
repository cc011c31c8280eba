#include "render/mesh/prepared.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "render/mesh/simplify.hpp"

namespace lab::render {
namespace {

constexpr float kCreaseRad = 40.0f * 3.14159265f / 180.0f;

/// Largest error of each coarser copy over the mesh's longest side, and the triangle count that makes it
/// worth its memory. Each is for bodies about two and a half times as small on screen as the one before.
/// Above a hundred pixels the light on a surface shows its triangles: there a small mesh is drawn in full.
struct Coarse {
    float error;
    std::size_t from_triangles;
};
constexpr std::array kCoarse = {Coarse{0.0006f, 50'000}, Coarse{0.002f, 20'000}, Coarse{0.005f, 400},
                                Coarse{0.012f, 100},     Coarse{0.03f, 60},      Coarse{0.08f, 60}};
static_assert(kCoarse.size() + 1 == PreparedMesh::kMaxDetails);

template <class Items>
void add(std::string& to, const Items& items) {
    const std::uint64_t count = items.size();
    to.append(reinterpret_cast<const char*>(&count), sizeof count);
    if (count > 0) to.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof items[0]);
}

template <class Item>
bool take(std::string_view& from, std::vector<Item>& items) {
    std::uint64_t count = 0;
    if (from.size() < sizeof count) return false;
    std::memcpy(&count, from.data(), sizeof count);
    from.remove_prefix(sizeof count);
    if (count > from.size() / sizeof(Item)) return false;
    items.resize(static_cast<std::size_t>(count));
    if (count > 0) std::memcpy(static_cast<void*>(items.data()), from.data(), items.size() * sizeof(Item));
    from.remove_prefix(items.size() * sizeof(Item));
    return true;
}

}  // namespace

PreparedMesh prepare_mesh(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles) {
    PreparedMesh mesh;
    const auto add = [&mesh](LitMesh lit, float error) {
        if (!lit.indices.empty()) mesh.details.push_back({std::move(lit), error});
    };
    add(light(positions, triangles, kCreaseRad), 0.0f);
    // Each copy is made of the one before, which is smaller; the errors add up.
    SimpleMesh last;
    std::size_t fewest = triangles.size();
    for (const Coarse& coarse : kCoarse) {
        if (mesh.details.empty() || fewest < coarse.from_triangles) continue;
        SimpleMesh simple = last.triangles.empty() ? simplify(positions, triangles, coarse.error)
                                                   : simplify(last.positions, last.triangles, coarse.error);
        if (simple.triangles.empty() || simple.triangles.size() > fewest * 7 / 10) continue;
        simple.error += last.error;
        fewest = simple.triangles.size();
        add(light(simple.positions, simple.triangles, kCreaseRad), simple.error);
        last = std::move(simple);
    }
    return mesh;
}

std::string mesh_bytes(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles) {
    std::string bytes;
    add(bytes, positions);
    add(bytes, triangles);
    return bytes;
}

std::string prepare_bytes(std::string_view mesh) {
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;
    std::string bytes;
    if (!take(mesh, positions) || !take(mesh, triangles)) return bytes;
    for (const PreparedMesh::Detail& detail : prepare_mesh(positions, triangles).details) {
        add(bytes, std::span(&detail.error, 1));
        add(bytes, std::span(detail.lit.vertices));
        add(bytes, std::span(detail.lit.indices));
    }
    return bytes;
}

std::optional<PreparedMesh> prepared_from(std::string_view bytes) {
    PreparedMesh mesh;
    while (!bytes.empty()) {
        PreparedMesh::Detail& detail = mesh.details.emplace_back();
        std::vector<float> error;
        if (!take(bytes, error) || error.size() != 1 || !take(bytes, detail.lit.vertices) ||
            !take(bytes, detail.lit.indices))
            return std::nullopt;
        detail.error = error[0];
    }
    return mesh;
}

void PreparedMeshes::keep(std::uint64_t stamp, PreparedMesh mesh) {
    const std::scoped_lock lock(mutex_);
    if (meshes_.size() == kMaxKept) meshes_.pop_front();
    meshes_.emplace_back(stamp, std::move(mesh));
}

void PreparedMeshes::prepare(std::uint64_t stamp, std::span<const glm::vec3> positions,
                             std::span<const glm::uvec3> triangles) {
    keep(stamp, prepare_mesh(positions, triangles));
}

bool PreparedMeshes::prepare_elsewhere(std::uint64_t stamp, std::span<const glm::vec3> positions,
                                       std::span<const glm::uvec3> triangles) {
    if (!under_way_ || under_way_->stamp != stamp) {
        under_way_.reset();  // that job was cancelled
        auto errand =
            platform::send_errand(platform::ErrandKind::PrepareMesh, mesh_bytes(positions, triangles));
        if (!errand) {
            prepare(stamp, positions, triangles);
            return true;
        }
        under_way_ = {stamp, std::move(errand), {}};
        return false;
    }
    UnderWay& now = *under_way_;
    const bool has_ended = now.errand->has_ended();
    if (std::string part = now.errand->read(); now.bytes.empty())
        now.bytes = std::move(part);
    else
        now.bytes += part;
    if (!has_ended) return false;
    std::optional<PreparedMesh> mesh;
    if (!now.errand->has_failed()) mesh = prepared_from(now.bytes);
    under_way_.reset();
    // A worker that failed, as without memory, has sent nothing.
    if (mesh && !mesh->details.empty())
        keep(stamp, std::move(*mesh));
    else
        prepare(stamp, positions, triangles);
    return true;
}

std::optional<PreparedMesh> PreparedMeshes::take(std::uint64_t stamp) {
    const std::scoped_lock lock(mutex_);
    for (auto kept = meshes_.begin(); kept != meshes_.end(); ++kept) {
        if (kept->first != stamp) continue;
        PreparedMesh mesh = std::move(kept->second);
        meshes_.erase(kept);
        return mesh;
    }
    return std::nullopt;
}

}  // namespace lab::render
