// The opened meshes side by side, each with all of its volumes and a table of their measures.
#include <utility>
#include <vector>

#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "world/mesh_library.hpp"
#include "world/opened_files.hpp"
#include "world/world.hpp"

namespace lab::scenes::mesh_scene {
namespace {

class OpenedMeshes final : public SceneOf<OpenedMeshes> {
  public:
    void setup(SceneContext& context) override {
        put_side_by_side(context, shown_meshes(context));
        context.camera = {};
        context.camera.yaw_rad = 0.5f;
        context.camera.pitch_rad = 0.35f;
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        Table table{"mesh_volumes",
                    "Volumes",
                    {"mesh", "kind", "algorithm", {"volume", "m³"}, {"surface", "m²"}, {"fit", "ms"}}};
        for (const MeshId id : shown_meshes(context))
            add_volumes(table, context.meshes[id], context.world.options().volumes);
        results.tables.push_back(std::move(table));
    }

  private:
    /// The opened meshes, or the teapot, so that the scene is never empty.
    static std::vector<MeshId> shown_meshes(const SceneContext& context) {
        if (!context.opened.meshes.empty()) return context.opened.meshes;
        const auto teapot = context.meshes.find("teapot");
        return teapot ? std::vector<MeshId>{*teapot} : std::vector<MeshId>{};
    }
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "mesh",
    .category = "Your files",
    .title = "Opened meshes",
    .summary =
        "The meshes that you open, and the teapot until then, with all their volumes. Drop a file on the "
        "window, or open it from the menu File.",
    .make = make_scene<OpenedMeshes>,
    .shows = io::FileKind::Mesh,
};

}  // namespace lab::scenes::mesh_scene
