// A plane cuts a mesh, triangle by triangle: the sides of the corners, the new corners, the outline that they
// make, and the caps that close both halves.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <memory>
#include <utility>

#include "bv/fit/aabb.hpp"
#include "bv/query/slice.hpp"
#include "io/text/counted.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "scenes/thin_mesh.hpp"
#include "settings/steps.hpp"
#include "steps/walk.hpp"
#include "world/mesh_library.hpp"

namespace lab::scenes::slice_scene {
namespace {

constexpr Setting<std::string> kSliceMesh{{
    .id = "slice.mesh",
    .label = "Mesh",
    .help = "Scene slice: the mesh to cut; a mesh with more than 4,000 triangles is thinned",
    .default_value = "gear",
    .remembered = false,
    .is_mesh = true,
}};

enum class SliceCase : unsigned char { Oblique, Upright, Face, Beside };
constexpr std::array kCaseChoices = {Choice{"oblique", "Oblique", SliceCase::Oblique},
                                     Choice{"upright", "Upright, through the middle", SliceCase::Upright},
                                     Choice{"face", "In the plane of the top", SliceCase::Face},
                                     Choice{"beside", "Above the mesh", SliceCase::Beside}};
constexpr Setting<SliceCase> kSlicePreset{{
    .id = "slice.preset",
    .label = "Placement",
    .help = "Scene slice: where the plane is; choosing another placement discards dragged positions",
    .default_value = "oblique",
    .choices = kCaseChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kSliceMesh, &kSlicePreset};

constexpr glm::vec3 kCenter{0.0f, 1.7f, 0.0f};
constexpr float kRadius = 1.5f;
constexpr std::size_t kMaxTriangles = 4'000;

class SliceScene final : public SceneWithHandles<SliceScene> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        context.frame_box = {kCenter - 0.75f * kRadius, kCenter + 0.75f * kRadius};
        take_mesh(context);
        place(context.settings[kSlicePreset]);
    }
    void adapt(SceneContext& context) override {
        if (context.settings[kSliceMesh] != wanted_) take_mesh(context);
        if (context.settings[kSlicePreset] != preset_) place(context.settings[kSlicePreset]);
    }
    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        const glm::vec3 before = handles_["plane"];
        if (!handles_.drag(id, position)) return false;
        // The normal's tip goes with the plane.
        if (id == "plane") handles_.drag("normal", handles_["normal"] + position - before);
        return true;
    }

    void analyze(const SceneContext&, const FrameResults&) override {
        const bv::Plane plane = this->plane();
        if (walk_ && plane.normal == cut_.normal && plane.offset == cut_.offset && walked_ == wanted_) return;
        cut_ = plane;
        walked_ = wanted_;
        bv::Recording trace;
        const bv::MeshSlice halves = bv::slice(mesh_.view(), plane, trace);
        steps::Subject subject;
        for (std::size_t i = 0; i < mesh_.triangles.size(); ++i)
            subject.triangles.push_back(mesh_.view().triangle(i));
        for (std::uint32_t k = 0; k < halves.contours.size(); ++k)
            subject.planes[k] = outline(halves.contours[k]);
        const auto cut =
            std::count_if(trace.events().begin(), trace.events().end(), [](const bv::TraceEvent& e) {
                const auto* triangle = std::get_if<bv::TriangleCut>(&e);
                return triangle && triangle->verdict == bv::TriangleCut::Verdict::Cut;
            });
        walk_ = std::make_shared<const steps::Walk>(
            steps::algorithm("slice"), std::move(subject), trace,
            (cut == 0 ? fmt::format("The plane cuts none of the {} triangles.", mesh_.triangles.size())
                      : fmt::format("{} of {} triangles {} cut; {} capped in both halves.", cut,
                                    mesh_.triangles.size(), io::plural(cut, "is", "are"),
                                    io::counted(halves.contours.size(), "loop is", "loops are"))) +
                (mesh_.thinned.empty()
                     ? std::string()
                     : fmt::format(" The mesh is thinned for the steps, to {}.", mesh_.thinned)));
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

    void show(const SceneContext&, FrameResults& results) const override {
        Polytope mesh;
        mesh.vertices = mesh_.positions;
        for (const glm::uvec3& t : mesh_.triangles)
            for (int k = 0; k < 3; ++k)
                if (t[k] < t[(k + 1) % 3]) mesh.edges.emplace_back(t[k], t[(k + 1) % 3]);
        Exhibit& shown = put(results, std::move(mesh), Role::Muted);
        shown.width_px = 0.7f;
        shown.legend = mesh_.thinned.empty() ? "mesh" : "mesh, thinned";
        put(results, PlanePatch{plane(), handles_["plane"], 0.8f * kRadius}, Role::Plane, {}, 0.06f)
            .width_px = 1.5f;
        handles_.show(results);
        if (handles_.is_rearranged()) results.rearranged = &kSlicePreset;
    }
    [[nodiscard]] std::size_t memory_bytes() const override {
        return mesh_.positions.size() * sizeof(glm::vec3) + mesh_.triangles.size() * sizeof(glm::uvec3) +
               (walk_ ? walk_->memory_bytes() : 0);
    }

  private:
    void place(SliceCase preset) {
        preset_ = preset;
        const float top = bv::fit::aabb_tight(mesh_.positions).max.y;
        glm::vec3 at = kCenter + glm::vec3(0.15f, 0.1f, 0.0f), normal(1.1f, 0.65f, 0.4f);
        if (preset == SliceCase::Upright) at = kCenter, normal = {1.0f, 0.0f, 0.0f};
        if (preset == SliceCase::Face) at = {kCenter.x, top, kCenter.z}, normal = {0.0f, 0.6f, 0.0f};
        if (preset == SliceCase::Beside) at = {kCenter.x, top + 0.3f, kCenter.z}, normal = {0.0f, 0.6f, 0.0f};
        handles_ = {};
        handles_.add("plane", at, "move the plane", {.name = "Plane, point"});
        handles_.add("normal", at + normal, "turn it",
                     {.name = "Plane, normal", .unit = "", .from = "plane"});
        handles_.note_placement();
    }
    [[nodiscard]] bv::Plane plane() const {
        const glm::vec3 along = handles_["normal"] - handles_["plane"];
        const float length = glm::length(along);
        const glm::vec3 normal = length > 1e-4f ? along / length : glm::vec3(0, 1, 0);
        return {normal, glm::dot(normal, handles_["plane"])};
    }
    static Polytope outline(const std::vector<glm::vec3>& loop) {
        Polytope shape;
        shape.vertices = loop;
        const auto count = static_cast<std::uint32_t>(loop.size());
        for (std::uint32_t i = 0; i < count; ++i)
            shape.edges.emplace_back(i, (i + 1) % count);
        return shape;
    }
    void take_mesh(SceneContext& context) {
        wanted_ = context.settings[kSliceMesh];
        const MeshEntry& mesh =
            context.meshes[mesh_named(context, wanted_, context.meshes.find("gear").value_or(MeshId{0}))];
        const float scale = mesh.sphere.radius > 0.0f ? kRadius / mesh.sphere.radius : 1.0f;
        mesh_ = thin_mesh(mesh.view(), kMaxTriangles);
        for (glm::vec3& p : mesh_.positions)
            p = kCenter + scale * (p - mesh.sphere.center);
    }

    SliceCase preset_{};
    std::string wanted_, walked_;
    bv::Plane cut_;
    ThinMesh mesh_;
    std::shared_ptr<const steps::Walk> walk_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "slice",
    .category = "Meshes",
    .title = "Cutting a mesh, step by step",
    .summary =
        "The plane is tested against one triangle after another: in front, behind, or cut, with new corners "
        "that neighbors share. The cut edges join into loops, and a cap closes each half. Step with the "
        "arrow keys; drag the plane and its normal.",
    .make = make_scene<SliceScene>,
    .settings = kSettings,
    .steps = &kStepAt,
};

}  // namespace lab::scenes::slice_scene
