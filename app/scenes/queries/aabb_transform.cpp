// A box under a rotating transform: transformed it is an OBB; boxed again, corner by corner or entry by
// entry, it grows; only a new fit to the vertices is tight.
#include <memory>

#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "world/mesh_library.hpp"
#include "world/world.hpp"

namespace lab::scenes::aabb_transform_scene {
namespace {

class AabbTransform final : public SceneWithHandles<AabbTransform> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        handles_.add("center", {0.0f, 1.6f, 0.0f}, "move", {.name = "Teapot, position"});
        BodySpec spec;
        spec.mesh = context.meshes.find("teapot").value_or(MeshId{0});
        spec.position = handles_["center"];
        spec.scale = spec.mesh.valid() ? 1.5f / context.meshes[spec.mesh].sphere.radius : 1.0f;
        spec.angular_velocity = {0.25f, 0.45f, 0.15f};
        spec.shown = kShowNone;
        body_ = context.world.add(spec);
        // The bound of its box in any orientation.
        context.frame_box = {spec.position - 1.9f, spec.position + 1.9f};
    }

    bool drag(SceneContext& context, std::string_view id, const glm::vec3& position) override {
        return handles_.drag(id, position) && context.world.move(body_, position);
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        const Body* body = context.world.find(body_);
        if (!body) return;
        const MeshEntry& mesh = context.meshes[body->state.mesh];
        const glm::mat4x3& pose = body->state.transform;
        const bv::Aabb corners = bv::transformed_corners(mesh.aabb_tight, pose);
        const bv::Aabb entries = bv::transformed(mesh.aabb_tight, pose);
        const bv::Aabb tight = context.world.bodies().tight_box(*body);

        bv::Obb carried;
        const float scale = glm::length(pose[0]);
        carried.axes = glm::mat3(pose[0] / scale, pose[1] / scale, pose[2] / scale);
        carried.half_extents = mesh.aabb_tight.half_extents() * scale;
        carried.center = pose * glm::vec4(mesh.aabb_tight.center(), 1.0f);

        const auto show_box = [&](ExhibitShape box, Role role, float fill, const char* legend) {
            put(results, std::move(box), role, {}, fill).legend = legend;
        };
        show_box(carried, Role::Obb, 0.06f, "turned with the body: an OBB");
        const bv::Aabb fixed = context.world.bodies().fixed_box(*body);
        show_box(fixed, Role::AabbFixed, 0.0f, "fixed: around the sphere");
        show_box(entries, Role::ProjectionA, 0.03f, "AABB of the turned box: it grows");
        show_box(tight, Role::AabbTight, 0.08f, "refitted to the vertices: tight");
        for (int k = 0; k < 8; ++k)
            put(results, Marker{carried.corner(k)}, Role::Obb).legend = "turned with the body: an OBB";

        Table table{"aabb_transform", "The same box, turned", {"box", {"volume", "m³"}, "× tight", "work"}};
        const double base = tight.volume();
        const auto row = [&](const char* name, double volume, const char* work, Role role) {
            table.add({name, cells::trimmed(volume), cells::fixed(volume / base, 2), work}, role);
        };
        row("turned with the body (OBB)", carried.volume(), "9 products", Role::Obb);
        row("eight corners", corners.volume(), "72 products", Role::ProjectionA);
        row("entry by entry", entries.volume(), "18 products", Role::ProjectionA);
        row("refitted", tight.volume(), "every vertex", Role::AabbTight);
        row("fixed (around the sphere)", fixed.volume(), "nothing", Role::AabbFixed);
        results.tables.push_back(std::move(table));
        handles_.show(results);
    }

  private:
    bv::BodyId body_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "aabb-transform",
    .category = "Queries",
    .title = "A box under a transform",
    .summary =
        "Boxes of a turning teapot. Only refitting to the vertices is tight. The AABB around the turned box "
        "is larger; the fixed box holds the whole sphere, so that it fits in any orientation.",
    .make = make_scene<AabbTransform>,
};

}  // namespace lab::scenes::aabb_transform_scene
