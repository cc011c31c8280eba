// Two trees of boxes against each other, step by step: which pair of nodes is tested, and which one is
// opened.
#include <memory>

#include "bv/tree/obb_tree.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/steps.hpp"
#include "steps/walk.hpp"
#include "workloads/meshes.hpp"

namespace lab::scenes {
namespace {

enum class PairedMesh : unsigned char { Torus, Icosphere, Cube };
constexpr std::array kPairedChoices = {Choice{"torus", "Torus", PairedMesh::Torus},
                                       Choice{"icosphere", "Ball", PairedMesh::Icosphere},
                                       Choice{"cube", "Cube", PairedMesh::Cube}};
constexpr Setting<PairedMesh> kMeshA{{
    .id = "pairs.a",
    .label = "Mesh A",
    .help = "Scene mesh-pairs: mesh A",
    .default_value = "torus",
    .choices = kPairedChoices,
    .remembered = false,
}};
constexpr Setting<PairedMesh> kMeshB{{
    .id = "pairs.b",
    .label = "Mesh B",
    .help = "Scene mesh-pairs: mesh B",
    .default_value = "icosphere",
    .choices = kPairedChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kMeshA, &kMeshB};

/// A mesh at its place, with its tree.
struct Placed {
    std::string name;
    bv::workloads::MeshData mesh;
    bv::ObbTree tree;
};

std::shared_ptr<const Placed> make(const Choice& choice) {
    auto placed = std::make_shared<Placed>();
    placed->name = choice.id;
    placed->mesh = bv::workloads::make_mesh(choice.id).value_or(bv::workloads::MeshData{});
    bv::workloads::center_and_scale(placed->mesh);
    (void)placed->tree.build(placed->mesh.view());
    return placed;
}

bv::Pose at(const glm::vec3& position) {
    bv::Pose pose(1.0f);
    pose[3] = position;
    return pose;
}

std::vector<bv::Obb> boxes_of(const Placed& placed, const glm::vec3& position) {
    std::vector<bv::Obb> boxes;
    for (const auto& node : placed.tree.nodes()) {
        boxes.push_back(node.volume);
        boxes.back().center += position;
    }
    return boxes;
}

void put_mesh(FrameResults& results, const Placed& placed, const glm::vec3& position, Role role) {
    Polytope shape;
    for (const glm::vec3& p : placed.mesh.positions)
        shape.vertices.push_back(p + position);
    shape.triangles = placed.mesh.triangles;
    Exhibit& exhibit = put(results, std::move(shape), role, {}, 0.35f);
    exhibit.legend = role == Role::ProjectionA ? "mesh A" : "mesh B";
}

class MeshPairs final : public SceneOf<MeshPairs> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        handles_.add("a", {-0.7f, 1.3f, 0.0f}, "A", {.name = "A, position"});
        handles_.add("b", {0.1f, 1.5f, 0.1f}, "B", {.name = "B, position"});
    }

    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        return handles_.drag(id, position);
    }

    void analyze(const SceneContext& context, const FrameResults&) override {
        follow(a_, context.settings.choice(kMeshA));
        follow(b_, context.settings.choice(kMeshB));
        const glm::vec3 a = handles_["a"], b = handles_["b"];
        if (walk_ && a == walked_a_ && b == walked_b_ && a_ == walked_[0] && b_ == walked_[1]) return;
        walked_a_ = a;
        walked_b_ = b;
        walked_ = {a_, b_};
        bv::Recording trace;
        const bv::CollideStats stats =
            bv::collide_pairs(a_->tree, at(a), b_->tree, at(b), bv::CollideExtent::All, pairs_, trace);
        steps::Subject subject;
        subject.nodes = boxes_of(*a_, a);
        subject.nodes_b = boxes_of(*b_, b);
        walk_ = std::make_shared<const steps::Walk>(
            steps::algorithm("traversal.pairs"), std::move(subject), trace,
            fmt::format("{} tests of boxes and {} of triangles find {} of {} pairs of triangles.",
                        stats.box_pairs, stats.triangle_pairs, pairs_.size(),
                        a_->mesh.triangles.size() * b_->mesh.triangles.size()));
    }

    void show(const SceneContext&, FrameResults& results) const override {
        put_mesh(results, *a_, handles_["a"], Role::ProjectionA);
        put_mesh(results, *b_, handles_["b"], Role::ProjectionB);
        for (const bv::TrianglePair& pair : pairs_)
            for (const auto& [placed, triangle, position] :
                 {std::tuple{a_.get(), pair.a, handles_["a"]}, std::tuple{b_.get(), pair.b, handles_["b"]}}) {
                const glm::uvec3 t = placed->mesh.triangles[triangle];
                const auto& p = placed->mesh.positions;
                Exhibit& touching =
                    put(results, bv::Triangle{p[t.x] + position, p[t.y] + position, p[t.z] + position},
                        Role::Touching, {}, 0.4f);
                touching.width_px = 1.0f;
                touching.legend = "triangles that touch";
            }
        handles_.show(results);
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

  private:
    static void follow(std::shared_ptr<const Placed>& placed, const Choice& choice) {
        if (!placed || placed->name != choice.id) placed = make(choice);
    }

    HandleSet handles_;
    std::shared_ptr<const Placed> a_, b_;
    std::array<std::shared_ptr<const Placed>, 2> walked_;
    glm::vec3 walked_a_{0.0f}, walked_b_{0.0f};
    std::vector<bv::TrianglePair> pairs_;
    std::shared_ptr<const steps::Walk> walk_;
};

}  // namespace

extern constinit const SceneSpec mesh_pairs_scene{
    .id = "mesh-pairs",
    .category = "Meshes",
    .title = "Tree against tree",
    .summary =
        "Two trees of oriented boxes. A pair of nodes that overlaps is opened, the larger one first; one "
        "that "
        "is apart spares all pairs below it. Drag the meshes; step with the arrow keys.",
    .make = make_scene<MeshPairs>,
    .settings = kSettings,
    .steps = &kStepAt,
};

}  // namespace lab::scenes
