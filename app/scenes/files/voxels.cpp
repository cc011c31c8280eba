// The opened voxel models side by side, with all of their volumes. Each is a body: its surface is a mesh for
// rays and volumes, its grid serves exact contact.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/draw.hpp"
#include "settings/rays.hpp"
#include "settings/settings.hpp"
#include "world/mesh_library.hpp"
#include "world/opened_files.hpp"
#include "world/voxels/voxel_model.hpp"
#include "world/world.hpp"

namespace lab::scenes::voxels_scene {
namespace {

constexpr std::string_view kSample = "island";

class OpenedVoxels final : public SceneOf<OpenedVoxels> {
  public:
    void setup(SceneContext& context) override {
        shown_ = context.opened.voxel_models;
        if (shown_.empty()) show_sample(context);
        put_side_by_side(context, shown_);
        context.settings.assign(kDrawAxes, false);
        context.settings.assign(kDrawTree, false);
        context.settings.assign(kDrawAabbFixed, false);
        context.settings.assign(kDrawSphere, false);
        context.settings.assign(kRaySweep, false);
        context.settings.assign(kDrawFill, 0.0f);  // keep its own colors visible
        context.frame_box = {};
        for (const Body& body : context.world.bodies())
            context.frame_box = bv::merge(context.frame_box, context.world.bodies().tight_box(body));
        context.camera = {};
        context.camera.yaw_rad = 0.6f;
        context.camera.pitch_rad = 0.32f;
        context.camera.fov_y_rad = 0.6f;
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        Table models{"voxels", "Voxels", {"model", "size", "voxels", "drawn", "bricks", "faces", "filled"}};
        Table volumes{"voxel_volumes",
                      "Volumes",
                      {"model", "kind", "algorithm", {"volume", "m³"}, {"surface", "m²"}, {"fit", "ms"}}};
        for (const MeshId id : shown_) {
            const MeshEntry& mesh = context.meshes[id];
            if (!mesh.grid || !mesh.voxels) continue;
            const glm::ivec3 size = mesh.grid->size();
            const glm::ivec3 bricks = mesh.grid->bricks();
            const auto filled = static_cast<double>(mesh.grid->filled_count());
            models.add(
                {mesh.name, cells::size(size), cells::grouped(static_cast<std::uint64_t>(filled)),
                 cells::grouped(mesh.voxels->cells->size()), cells::grouped(bricks.x * bricks.y * bricks.z),
                 cells::grouped(mesh.triangles.size() / 2),
                 cells::fixed(100.0 * filled / (1.0 * size.x * size.y * size.z), 1).in("%")},
                Role::Mesh);
            add_volumes(volumes, mesh, context.world.options().volumes);
        }
        results.tables.push_back(std::move(models));
        results.tables.push_back(std::move(volumes));
    }

  private:
    void show_sample(SceneContext& context) {
        std::optional<MeshId> id = context.meshes.find(kSample);
        if (!id || !context.meshes[*id].grid) {
            std::string why;
            auto making = begin_voxel_mesh(sample_island(), "sample", why, {});
            id = making ? std::optional(context.meshes.insert(making->make())) : std::nullopt;
        }
        if (id) shown_ = {*id};
    }

    std::vector<MeshId> shown_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "voxels",
    .category = "Your files",
    .title = "Opened voxel models",
    .summary =
        "The voxel models that you open, and a sample until then: each a body in its own colors, with "
        "volumes "
        "and a grid. Drop a .vox file on the window, or open it from the menu File.",
    .make = make_scene<OpenedVoxels>,
    .shows = io::FileKind::Voxels,
};

}  // namespace lab::scenes::voxels_scene
