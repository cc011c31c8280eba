// Two grids of voxels against each other: first bricks of 4x4x4, then the voxels of bricks that overlap.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "bv/portable_math.hpp"
#include "bv/query/voxels.hpp"
#include "io/text/counted.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/steps.hpp"
#include "steps/walk.hpp"
#include "world/mesh_library.hpp"

namespace lab::scenes::voxel_pairs_scene {
namespace {

constexpr Setting<std::string> kVoxelsA{{
    .id = "voxel_pairs.a",
    .label = "Mesh A",
    .help = "Scene voxel-pairs: the mesh of A; `any`: the mesh opened last, or the torus",
    .default_value = "any",
    .remembered = false,
    .is_mesh = true,
}};
constexpr Setting<std::string> kVoxelsB{{
    .id = "voxel_pairs.b",
    .label = "Mesh B",
    .help = "Scene voxel-pairs: the mesh of B",
    .default_value = "rock",
    .remembered = false,
    .is_mesh = true,
}};
constexpr Setting<float> kVoxelsSize{{
    .id = "voxel_pairs.size",
    .label = "Voxel",
    .help = "Scene voxel-pairs: the edge length of a voxel",
    .default_value = "0.3",
    .min = 0.08,
    .max = 1,
    .unit = "m",
    .remembered = false,
}};
constexpr Setting<float> kVoxelsScale{{
    .id = "voxel_pairs.scale",
    .label = "Size of B",
    .help = "Scene voxel-pairs: the radius of B over that of A",
    .default_value = "1",
    .min = 0.2,
    .max = 1,
    .remembered = false,
}};
constexpr Setting<float> kVoxelsTurn{{
    .id = "voxel_pairs.turn",
    .label = "Turned by",
    .help = "Scene voxel-pairs: rotation of B about the vertical axis",
    .default_value = "25",
    .min = -180,
    .max = 180,
    .unit = "°",
    .remembered = false,
}};

enum class VoxelPlace : unsigned char { Overlapping, FaceToFace, Threaded, Hollow, SamePlace };
constexpr std::array kPlaces = {Choice{"overlapping", "Overlapping", VoxelPlace::Overlapping},
                                Choice{"face", "Face to face", VoxelPlace::FaceToFace},
                                Choice{"threaded", "Through the hole, apart", VoxelPlace::Threaded},
                                Choice{"hollow", "One inside the other's shell", VoxelPlace::Hollow},
                                Choice{"same", "In one place", VoxelPlace::SamePlace}};
constexpr Setting<VoxelPlace> kVoxelsPlace{{
    .id = "voxel_pairs.preset",
    .label = "Placement",
    .help =
        "Scene voxel-pairs: a hard case; choosing a different one sets meshes, size and rotation, and discards "
        "dragged positions",
    .default_value = "overlapping",
    .choices = kPlaces,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kVoxelsPlace, &kVoxelsA,     &kVoxelsB,
                                            &kVoxelsSize,  &kVoxelsScale, &kVoxelsTurn};

constexpr glm::vec3 kCenter{-0.7f, 1.5f, 0.0f};
constexpr std::size_t kMaxPairs = 20'000;

/// With more voxels, only the edges at which the surface bends outward are drawn.
constexpr std::size_t kMaxWholeVoxels = 400;

/// The edges of a model, in voxels: where its surface bends outward, joined into long lines. Each stair also
/// has an inward bend, which would add nothing.
Polytope bends_of(const bv::VoxelGrid& grid) {
    const glm::ivec3 size = grid.size();
    const auto is_filled = [&](const glm::ivec3& at) {
        return at.x >= 0 && at.y >= 0 && at.z >= 0 && at.x < size.x && at.y < size.y && at.z < size.z &&
               grid.filled(at);
    };
    Polytope bends;
    for (int axis = 0; axis < 3; ++axis) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        // True if one of the four voxels around an edge is filled, or two that touch nowhere else.
        const auto is_bend = [&](glm::ivec3 at) {
            bool filled[4];
            for (int k = 0; k < 4; ++k) {
                glm::ivec3 around = at;
                around[u] -= k & 1;
                around[v] -= k >> 1;
                filled[k] = is_filled(around);
            }
            const int count = filled[0] + filled[1] + filled[2] + filled[3];
            return count == 1 || (count == 2 && filled[0] == filled[3]);
        };
        glm::ivec3 at(0);
        for (at[u] = 0; at[u] <= size[u]; ++at[u])
            for (at[v] = 0; at[v] <= size[v]; ++at[v])
                for (at[axis] = 0; at[axis] < size[axis]; ++at[axis]) {
                    if (!is_bend(at)) continue;
                    const auto first = static_cast<std::uint32_t>(bends.vertices.size());
                    bends.vertices.emplace_back(at);
                    while (at[axis] < size[axis] && is_bend(at))
                        ++at[axis];
                    bends.vertices.emplace_back(at);
                    bends.edges.emplace_back(first, first + 1);
                }
    }
    return bends;
}

/// A grid centered in its own frame, and its pose.
struct Placed {
    std::optional<bv::VoxelGrid> grid;
    std::optional<Polytope> bends;  ///< Of a grid with many voxels.
    bv::RigidTransform at;
    std::uint64_t stamp = 0;  ///< Of the mesh.
};

class VoxelPairs final : public SceneWithHandles<VoxelPairs> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        context.frame_box = {kCenter - 0.8f, kCenter + glm::vec3(2.5f, 0.9f, 0.8f)};
        placed_ = context.settings[kVoxelsPlace];
        // If only the placement was set at the start, it sets the rest; a saved scene sets all of them.
        const auto is_untouched = [&](const SettingSpec* row) {
            return row == &kVoxelsPlace || context.settings.is_default(*row);
        };
        if (std::all_of(std::begin(kSettings), std::end(kSettings), is_untouched))
            take_placement(context.settings);
        place();
    }
    void adapt(SceneContext& context) override {
        if (std::exchange(placed_, context.settings[kVoxelsPlace]) == context.settings[kVoxelsPlace]) return;
        take_placement(context.settings);
        place();
    }
    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        return handles_.drag(id, position);
    }

    void analyze(const SceneContext& context, const FrameResults&) override {
        const float size = context.settings[kVoxelsSize], turn = context.settings[kVoxelsTurn];
        const float scale = context.settings[kVoxelsScale];
        const MeshEntry& mesh_a = context.meshes[setting_a_.follow(context, context.settings[kVoxelsA],
                                                                   mesh_on_show(context, "torus"))];
        const MeshEntry& mesh_b = context.meshes[setting_b_.follow(
            context, context.settings[kVoxelsB], context.meshes.find("rock").value_or(MeshId{0}))];
        const bool same_grids =
            size == size_ && scale == scale_ && mesh_a.stamp == a_.stamp && mesh_b.stamp == b_.stamp;
        if (walk_ && same_grids && turn == turn_ && handles_["a"] == a_.at.translation &&
            handles_["b"] == b_.at.translation)
            return;
        if (!same_grids) {
            a_.grid = voxels_of(mesh_a, size, 1.0f);
            b_.grid = voxels_of(mesh_b, size, scale);
            a_.stamp = mesh_a.stamp;
            b_.stamp = mesh_b.stamp;
            for (Placed* placed : {&a_, &b_}) {
                placed->bends.reset();
                if (placed->grid && placed->grid->filled_count() > kMaxWholeVoxels)
                    placed->bends = bends_of(*placed->grid);
            }
        }
        size_ = size;
        turn_ = turn;
        scale_ = scale;
        a_.at.translation = handles_["a"];
        b_.at.translation = handles_["b"];
        const float c = bv::cos(glm::radians(turn)), s = bv::sin(glm::radians(turn));
        b_.at.rotation = glm::mat3(c, 0, -s, 0, 1, 0, s, 0, c);
        walk_.reset();
        if (!a_.grid || !b_.grid) return;
        bv::Recording trace;
        const auto pairs = bv::overlapping_voxels(*a_.grid, a_.at, *b_.grid, b_.at, kMaxPairs, trace);
        bv::VoxelOverlapStats stats;
        (void)bv::overlapping_voxels(*a_.grid, a_.at, *b_.grid, b_.at, kMaxPairs, &stats);
        steps::Subject subject;
        subject.cubes = {frame_of(a_), frame_of(b_)};
        walk_ = std::make_shared<const steps::Walk>(
            steps::algorithm("voxels.pairs"), std::move(subject), trace,
            fmt::format("{} by {} and {}{}; without bricks it would take {}.",
                        io::counted(pairs.size(), "pair of voxels", "pairs of voxels"),
                        io::counted(stats.brick_tests, "brick test", "brick tests"),
                        io::counted(stats.voxel_tests, "voxel test", "voxel tests"),
                        stats.voxel_tests == 0 ? ", as no filled voxels are near each other" : "",
                        io::grouped(a_.grid->filled_count() * b_.grid->filled_count())));
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

    void show(const SceneContext&, FrameResults& results) const override {
        show_grid(a_, Role::ProjectionA, "voxels of A", results);
        show_grid(b_, Role::ProjectionB, "voxels of B", results);
        handles_.show(results);
        if (handles_.is_rearranged()) results.rearranged = &kVoxelsPlace;
    }
    [[nodiscard]] std::size_t memory_bytes() const override {
        return (std::size_t{1} << 14) + (walk_ ? walk_->memory_bytes() : 0);
    }

  private:
    struct Placement {
        const char *a, *b;
        glm::vec3 offset{0.0f};  ///< From A to B, in meters.
        float scale = 1.0f;
        float turn_degrees = 0.0f;
        float size_m = 0.3f;
    };
    [[nodiscard]] const Placement& placement() const {
        static constexpr Placement kOverlapping{"any", "rock", {1.7f, 0.25f, 0.1f}, 1.0f, 25.0f, 0.3f};
        // Cubes with whole numbers of voxels: the grids share a plane, and closed cubes that share a face
        // overlap.
        static constexpr Placement kFaceToFace{"box", "box", {1.0f, 0.0f, 0.0f}, 1.0f, 0.0f, 0.25f};
        // Boxes and bricks overlap, no voxel does.
        static constexpr Placement kThreaded{"torus", "capsule", {0.0f, 0.0f, 0.0f}, 0.38f, 0.0f, 0.1f};
        static constexpr Placement kHollow{"icosphere", "box", {0.0f, 0.0f, 0.0f}, 0.5f, 30.0f, 0.2f};
        static constexpr Placement kSamePlace{"icosphere", "icosphere", {0.0f, 0.0f, 0.0f},
                                              1.0f,        45.0f,       0.3f};
        switch (placed_) {
            case VoxelPlace::FaceToFace:
                return kFaceToFace;
            case VoxelPlace::Threaded:
                return kThreaded;
            case VoxelPlace::Hollow:
                return kHollow;
            case VoxelPlace::SamePlace:
                return kSamePlace;
            case VoxelPlace::Overlapping:
                break;
        }
        return kOverlapping;
    }
    void take_placement(Settings& settings) const {
        const Placement& chosen = placement();
        settings.assign(kVoxelsA, chosen.a);
        settings.assign(kVoxelsB, chosen.b);
        settings.assign(kVoxelsScale, chosen.scale);
        settings.assign(kVoxelsTurn, chosen.turn_degrees);
        settings.assign(kVoxelsSize, chosen.size_m);
    }
    void place() {
        handles_ = {};
        handles_.add("a", kCenter, "A", {.name = "A, position"});
        handles_.add("b", kCenter + placement().offset, "B", {.name = "B, position"});
        handles_.note_placement();
    }
    static std::optional<bv::VoxelGrid> voxels_of(const MeshEntry& mesh, float size, float of_normal) {
        const float scale = mesh.sphere.radius > 0.0f ? 1.1f * of_normal / mesh.sphere.radius : 1.0f;
        std::vector<glm::vec3> positions;
        for (const glm::vec3& p : mesh.positions)
            positions.push_back(scale * (p - mesh.sphere.center));
        return bv::voxelize_surface({positions, mesh.triangles}, size);
    }
    static steps::CubeFrame frame_of(const Placed& placed) {
        return {placed.at.rotation, placed.at.translation + placed.at.rotation * placed.grid->origin(),
                placed.grid->voxel_size()};
    }
    static void show_grid(const Placed& placed, Role role, const char* legend, FrameResults& results) {
        if (!placed.grid) return;
        const steps::CubeFrame frame = frame_of(placed);
        const glm::ivec3 size = placed.grid->size();
        if (placed.bends) {
            Polytope shape = *placed.bends;
            for (glm::vec3& p : shape.vertices)
                p = frame.corner + frame.rotation * (frame.size * p);
            Exhibit& model = put(results, std::move(shape), role);
            model.width_px = 0.8f;
            model.legend = legend;
            return;
        }
        for (int z = 0; z < size.z; ++z)
            for (int y = 0; y < size.y; ++y)
                for (int x = 0; x < size.x; ++x) {
                    if (!placed.grid->filled({x, y, z})) continue;
                    Exhibit& voxel = put(results, frame.cube({x, y, z}, 1), role);
                    voxel.width_px = 0.6f;
                    voxel.legend = legend;
                }
    }

    MeshSetting setting_a_, setting_b_;
    Placed a_, b_;
    float size_ = 0, turn_ = 0, scale_ = 0;
    VoxelPlace placed_ = VoxelPlace::Overlapping;
    std::shared_ptr<const steps::Walk> walk_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "voxel-pairs",
    .category = "Meshes",
    .title = "Voxels against voxels",
    .summary =
        "Two voxel models. Bricks of 4 × 4 × 4 voxels are tested first; then only the voxels of overlapping "
        "bricks, one bit each. Step with the arrow keys; drag A and B.",
    .make = make_scene<VoxelPairs>,
    .settings = kSettings,
    .steps = &kStepAt,
};

}  // namespace lab::scenes::voxel_pairs_scene
