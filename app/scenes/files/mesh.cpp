// The opened meshes side by side, each with all of its volumes and a table of their measures.
#include <fmt/format.h>

#include <algorithm>

#include "results/messages.hpp"
#include "scenes/scenes.hpp"
#include "world/mesh_library.hpp"
#include "world/opened_files.hpp"
#include "world/world.hpp"

namespace lab::scenes {
namespace {

class OpenedMeshes final : public SceneOf<OpenedMeshes> {
  public:
    void setup(SceneContext& context) override {
        for (const MeshId id : shown_meshes(context))
            add(context, id);
        context.camera = {};
        context.camera.yaw_rad = 0.5f;
        context.camera.pitch_rad = 0.35f;
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        Table table{
            "mesh_volumes", "Volumes", {"mesh", "kind", "algorithm", "volume", "surface", {"fit", "ms"}}};
        for (const MeshId id : shown_meshes(context))
            for (const FittedVolume& fit : context.meshes[id].volumes(context.world.options().volumes)) {
                table.add({context.meshes[id].name, std::string(volume_id(fit.kind)), fit.algorithm,
                           cells::significant(fit.volume, 4), cells::significant(fit.surface, 4),
                           cells::fixed(fit.fit_ms, 3).timed()},
                          spec_of(fit.kind).role);
            }
        results.tables.push_back(std::move(table));
    }

  private:
    /// The opened meshes, or the teapot, so that the scene is never empty.
    static std::vector<MeshId> shown_meshes(const SceneContext& context) {
        if (!context.opened.meshes.empty()) return context.opened.meshes;
        const auto teapot = context.meshes.find("teapot");
        return teapot ? std::vector<MeshId>{*teapot} : std::vector<MeshId>{};
    }

    /// At its own scale, resting on the ground, to the right of the previous one.
    void add(SceneContext& context, MeshId id) {
        const bv::Aabb box = context.meshes[id].aabb_tight;
        const float gap = 0.25f * std::max(box.size().x, last_width_);
        if (last_width_ > 0.0f) right_end_ += gap;
        BodySpec spec;
        spec.mesh = id;
        spec.name = context.meshes[id].name;
        spec.position = glm::vec3(right_end_, 0.0f, 0.0f) - glm::vec3(box.min.x, box.min.y, box.center().z);
        if (!context.world.add(spec).valid())
            context.messages.warning(fmt::format("{} is too large or too far away to show", spec.name));
        right_end_ += box.size().x;
        last_width_ = box.size().x;
    }

    float right_end_ = 0.0f;
    float last_width_ = 0.0f;
};

}  // namespace

extern constinit const SceneSpec mesh_scene{
    .id = "mesh",
    .category = "Your files",
    .title = "Opened meshes",
    .summary =
        "The meshes that you have opened, with all their volumes. Drop a file on the window, or "
        "open it from the menu File.",
    .make = make_scene<OpenedMeshes>,
    .shows = io::FileKind::Mesh,
};

}  // namespace lab::scenes
