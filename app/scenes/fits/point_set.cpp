#include "scenes/fits/point_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <glm/geometric.hpp>

#include "io/text/counted.hpp"
#include "results/messages.hpp"
#include "scenes/thin_mesh.hpp"
#include "workloads/random.hpp"
#include "world/mesh_library.hpp"
#include "world/mesh_title.hpp"
#include "world/opened_files.hpp"

namespace lab::scenes {
namespace {

/// More handles would hide the picture: if there are more points, only the last ones get handles.
constexpr std::size_t kMaxHandles = 40;
constexpr std::size_t kMaxAdded = 4000;
constexpr float kSize = 1.4f;
constexpr std::size_t kHiddenExtremes = 26;
constexpr glm::vec3 kMiddle{0.0f, 1.7f, 0.0f};
constexpr glm::vec3 kMiddleOfLine{0.0f, 1.703125f, 0.0f};  ///< See on_line.

using Random = bv::workloads::Random;

glm::vec3 in_box(Random& random, const glm::vec3& half) {
    const float x = random.uniform(-half.x, half.x);
    const float y = random.uniform(-half.y, half.y);
    return {x, y, random.uniform(-half.z, half.z)};
}

glm::vec3 on_unit_sphere(Random& random) {
    for (;;) {
        const glm::vec3 p = in_box(random, glm::vec3(1.0f));
        const float length = glm::length(p);
        if (length > 0.1f && length <= 1.0f) return p / length;
    }
}

/// Most points in a tilted flat slab, and a few far from it: the principal axes follow the many, the
/// smallest box the few.
glm::vec3 clustered(Random& random, std::size_t i) {
    static constexpr std::array<glm::vec3, 8> kCorners = {
        glm::vec3(-1, -0.5f, -0.6f), glm::vec3(1, -0.5f, -0.6f), glm::vec3(-1, 0.5f, -0.6f),
        glm::vec3(1, 0.5f, -0.6f),   glm::vec3(-1, -0.5f, 0.6f), glm::vec3(1, -0.5f, 0.6f),
        glm::vec3(-1, 0.5f, 0.6f),   glm::vec3(1, 0.5f, 0.6f)};
    if (i < kCorners.size()) return kSize * kCorners[i];
    const glm::vec3 p = in_box(random, {0.5f, 0.05f, 0.1f});
    return {0.7f * p.x - 0.7f * p.y + 0.6f, 0.7f * p.x + 0.7f * p.y + 0.3f, p.z + 0.4f};
}

/// The first 26 lie along the directions that fits ask for extremes, at 0.93 of the radius. The others lie
/// where these directions leave the widest gaps, 27.5 degrees from the nearest one: they are never an extreme
/// (cos 27.5 < 0.93), and yet the smallest ball rests on them alone, so it has to find them one by one.
glm::vec3 hidden(Random& random, std::size_t i) {
    if (i < kHiddenExtremes) {
        const std::size_t cell = i < 13 ? i : i + 1;  // of 3 x 3 x 3, without the middle one
        const std::size_t row = cell / 3 % 3, layer = cell / 9;
        const glm::vec3 d(static_cast<float>(cell % 3) - 1.0f, static_cast<float>(row) - 1.0f,
                          static_cast<float>(layer) - 1.0f);
        return 0.93f * kSize * glm::normalize(d);
    }
    constexpr std::array kGap = {0.887f, 0.364f, 0.284f};
    const std::uint32_t turn = random.below(3);
    const std::uint32_t signs = random.below(8);
    const float length = random.uniform(0.96f, 1.0f) * kSize;
    glm::vec3 d;
    for (std::uint32_t k = 0; k < 3; ++k)
        d[static_cast<int>(k)] = length * kGap[(turn + k) % 3] * ((signs >> k & 1u) != 0 ? -1.0f : 1.0f);
    return d;
}

/// All numbers are multiples of powers of two, so that no coordinate is rounded: the points lie on the line
/// exactly, which matters to algorithms that decide exactly.
glm::vec3 on_line(float share) {
    constexpr float kGrid = 4096.0f;
    const float along = std::round(kGrid * (2.0f * share - 1.0f)) / kGrid;
    return along * glm::vec3(1.125f, 0.703125f, 0.421875f);
}

/// What undo restores.
struct PointsAndTriangles {
    std::vector<glm::vec3> points;
    std::vector<glm::uvec3> triangles;
    friend bool operator==(const PointsAndTriangles&, const PointsAndTriangles&) = default;
};

glm::vec3 made(PointPreset preset, Random& random, std::size_t i, std::size_t count) {
    const float share = count > 1 ? static_cast<float>(i) / static_cast<float>(count - 1) : 0.5f;
    switch (preset) {
        case PointPreset::Clusters:
            return clustered(random, i);
        case PointPreset::Line:
            return on_line(share);
        case PointPreset::Plane:
            return in_box(random, {kSize, 0.0f, 0.8f * kSize});
        case PointPreset::OnSphere:
            return kSize * on_unit_sphere(random);
        case PointPreset::Cube:
            return kSize * glm::vec3((i & 1) != 0 ? 0.9f : -0.9f, (i & 2) != 0 ? 0.6f : -0.6f,
                                     (i & 4) != 0 ? 0.7f : -0.7f);
        case PointPreset::Sorted:
            return kSize * (0.05f + 0.95f * share) * on_unit_sphere(random);
        case PointPreset::Hidden:
            return hidden(random, i);
        case PointPreset::Cloud:
        case PointPreset::Mesh:
            break;
    }
    return in_box(random, {kSize, 0.6f * kSize, 0.8f * kSize});
}

}  // namespace

bool PointSet::follow(const SceneContext& context) {
    const PointPreset preset = context.settings[kPointsPreset];
    const int count = context.settings[kPointsCount];
    const std::string& mesh = context.settings[kPointsMesh];
    if (preset == preset_ && count == count_ && mesh == mesh_ && context.seed == seed_) return false;
    preset_ = preset;
    count_ = count;
    mesh_ = mesh;
    seed_ = context.seed;
    make(context);
    made_ = points_;
    ++revision_;
    return true;
}

void PointSet::make(const SceneContext& context) {
    points_.clear();
    triangles_.clear();
    thinned_.clear();
    touched_ = 0;
    const auto count = static_cast<std::size_t>(count_);
    if (preset_ == PointPreset::Mesh) {
        take_mesh(context, count);
        return;
    }
    const std::size_t made_count =
        preset_ == PointPreset::Hidden ? std::max(count, kHiddenExtremes + 10) : count;
    const glm::vec3 middle = preset_ == PointPreset::Line ? kMiddleOfLine : kMiddle;
    Random random(seed_);
    for (std::size_t i = 0; i < made_count; ++i)
        points_.push_back(middle + made(preset_, random, i, made_count));
}

void PointSet::take_mesh(const SceneContext& context, std::size_t count) {
    const MeshEntry& mesh = context.meshes[mesh_named(context, mesh_, mesh_on_show(context, "teapot"))];
    const float scale = mesh.sphere.radius > 0.0f ? kSize / mesh.sphere.radius : 1.0f;
    const std::vector<std::uint32_t> kept = spread_vertices(mesh.positions, count);
    std::vector<std::uint32_t> place(mesh.positions.size(), 0);
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (kept[i] != i) continue;
        place[i] = static_cast<std::uint32_t>(points_.size());
        points_.push_back(kMiddle + scale * (mesh.positions[i] - mesh.sphere.center));
    }
    for (const glm::uvec3& t : mesh.triangles) {
        const glm::uvec3 thin(place[kept[t.x]], place[kept[t.y]], place[kept[t.z]]);
        if (thin.x != thin.y && thin.y != thin.z && thin.z != thin.x) triangles_.push_back(thin);
    }
    if (points_.size() < mesh.positions.size())
        thinned_ = fmt::format("{} of {} vertices of the mesh {}", io::grouped(points_.size()),
                               io::grouped(mesh.positions.size()), title_of(mesh));
}

bool PointSet::drag(std::string_view handle, const glm::vec3& position) {
    if (!handle.starts_with('p') || !std::isfinite(position.x + position.y + position.z)) return false;
    std::size_t index = 0;
    const char* const end = handle.data() + handle.size();
    const auto [stop, error] = std::from_chars(handle.data() + 1, end, index);
    if (error != std::errc{} || stop != end || index >= points_.size()) return false;
    points_[index] = position;
    touched_ = index;
    triangles_.clear();
    ++revision_;
    return true;
}

bool PointSet::play(SceneContext& context, std::string_view action) {
    if (action == "points.add") {
        if (points_.size() >= kMaxAdded) {
            context.messages.error(
                fmt::format("there are already {} points, the maximum: remove one first", kMaxAdded));
            return true;
        }
        // Beyond the others, where it is visible.
        bv::Aabb box{kMiddle, kMiddle};
        for (const glm::vec3& p : points_)
            box = bv::merge(box, p);
        points_.push_back({box.max.x + 0.3f, box.center().y, box.center().z});
        touched_ = points_.size() - 1;
    } else if (action == "points.remove") {
        if (points_.empty()) {
            context.messages.error("there is no point to remove: add one first");
            return true;
        }
        points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(std::min(touched_, points_.size() - 1)));
        touched_ = points_.empty() ? 0 : points_.size() - 1;
    } else {
        return false;
    }
    triangles_.clear();
    ++revision_;
    return true;
}

SceneInput PointSet::input() const {
    return SceneInput(PointsAndTriangles{points_, triangles_});
}

void PointSet::restore(const SceneInput& to) {
    const auto* given = to.get<PointsAndTriangles>();
    if (!given) return;
    points_ = given->points;
    triangles_ = given->triangles;
    touched_ = points_.empty() ? 0 : points_.size() - 1;
    ++revision_;
}

void PointSet::show_handles(FrameResults& results) const {
    if (points_ != made_) results.rearranged = &kPointsPreset;
    for (std::size_t i = points_.size() - std::min(points_.size(), kMaxHandles); i < points_.size(); ++i)
        results.handles.push_back(
            {fmt::format("p{}", i), points_[i], {}, true, {.name = fmt::format("Point {}", i)}});
}

}  // namespace lab::scenes
