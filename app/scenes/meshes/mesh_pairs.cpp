// Two trees of boxes against each other, step by step: which pair of nodes is tested, and which one is
// opened. Or one triangle against another.
#include <memory>

#include "bv/tree/obb_tree.hpp"
#include "scenes/meshes/triangle_pair.hpp"
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

enum class Stepped : unsigned char { Trees, Triangles };
constexpr std::array kSteppedChoices = {Choice{"trees", "Two trees", Stepped::Trees},
                                        Choice{"triangles", "Two triangles", Stepped::Triangles}};
constexpr Setting<Stepped> kPairsStepped{{
    .id = "pairs.algorithm",
    .label = "Steps of",
    .help = "Scene mesh-pairs: what to step through: two trees or two triangles against each other",
    .default_value = "trees",
    .choices = kSteppedChoices,
    .remembered = false,
}};

constexpr std::array kCaseChoices = {Choice{"crossing", "Crossing", PairCase::Crossing},
                                     Choice{"plane", "Separated by a plane", PairCase::Plane},
                                     Choice{"line", "Apart on the line", PairCase::Line},
                                     Choice{"touching", "Corner touches", PairCase::Touching},
                                     Choice{"coplanar", "Coplanar", PairCase::Coplanar},
                                     Choice{"neighbors", "Common edge", PairCase::Neighbors},
                                     Choice{"meshes", "First pair of the meshes", PairCase::Meshes}};
constexpr Setting<PairCase> kPairsPreset{{
    .id = "pairs.preset",
    .label = "Triangles",
    .help = "Scene mesh-pairs: the two triangles to start with; their corners can be dragged",
    .default_value = "crossing",
    .choices = kCaseChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kPairsStepped, &kMeshA, &kMeshB, &kPairsPreset};

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

bv::Triangle triangle_at(const Placed& placed, std::uint32_t triangle, const glm::vec3& position) {
    const bv::Triangle t = placed.mesh.view().triangle(triangle);
    return {t.a + position, t.b + position, t.c + position};
}

class MeshPairs final : public SceneOf<MeshPairs> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        if (context.settings[kPairsStepped] == Stepped::Triangles)
            context.frame_box = {glm::vec3(-1.7f, -0.5f, -1.1f), glm::vec3(1.8f, 2.7f, 1.1f)};
        handles_.add("a", {-0.7f, 1.3f, 0.0f}, "A", {.name = "A, position"});
        handles_.add("b", {0.1f, 1.5f, 0.1f}, "B", {.name = "B, position"});
    }

    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        return handles_.drag(id, position) || triangles_.drag(id, position);
    }

    void analyze(const SceneContext& context, const FrameResults&) override {
        stepped_ = context.settings[kPairsStepped];
        walk_trees(context);
        if (stepped_ == Stepped::Trees) return;
        const PairCase preset = context.settings[kPairsPreset];
        if (preset_ != preset) triangles_.place(preset, first_pair());
        preset_ = preset;
        triangles_.analyze();
    }

    void show(const SceneContext&, FrameResults& results) const override {
        if (stepped_ == Stepped::Triangles)
            triangles_.show(results);
        else
            show_trees(results);
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override {
        return stepped_ == Stepped::Triangles ? triangles_.walk().get() : walk_.get();
    }

  private:
    void walk_trees(const SceneContext& context) {
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
            fmt::format(
                "{} box tests and {} triangle tests find {} overlapping pairs among {} pairs of triangles.",
                stats.box_pairs, stats.triangle_pairs, pairs_.size(),
                a_->mesh.triangles.size() * b_->mesh.triangles.size()));
    }

    void show_trees(FrameResults& results) const {
        put_mesh(results, *a_, handles_["a"], Role::ProjectionA);
        put_mesh(results, *b_, handles_["b"], Role::ProjectionB);
        for (const bv::TrianglePair& pair : pairs_)
            for (const auto& [placed, triangle, position] :
                 {std::tuple{a_.get(), pair.a, handles_["a"]}, std::tuple{b_.get(), pair.b, handles_["b"]}}) {
                Exhibit& touching =
                    put(results, triangle_at(*placed, triangle, position), Role::Touching, {}, 0.4f);
                touching.width_px = 1.0f;
                touching.legend = "overlapping triangles";
            }
        handles_.show(results);
    }
    /// The first two triangles that touch, if the meshes do.
    [[nodiscard]] std::optional<std::array<bv::Triangle, 2>> first_pair() const {
        if (pairs_.empty()) return std::nullopt;
        return std::array{triangle_at(*a_, pairs_[0].a, handles_["a"]),
                          triangle_at(*b_, pairs_[0].b, handles_["b"])};
    }
    static void follow(std::shared_ptr<const Placed>& placed, const Choice& choice) {
        if (!placed || placed->name != choice.id) placed = make(choice);
    }

    HandleSet handles_;
    std::shared_ptr<const Placed> a_, b_;
    std::array<std::shared_ptr<const Placed>, 2> walked_;
    glm::vec3 walked_a_{0.0f}, walked_b_{0.0f};
    std::vector<bv::TrianglePair> pairs_;
    std::shared_ptr<const steps::Walk> walk_;
    Stepped stepped_ = Stepped::Trees;
    PairCase preset_ = PairCase::Crossing;
    TrianglePair triangles_;
};

}  // namespace

extern constinit const SceneSpec mesh_pairs_scene{
    .id = "mesh-pairs",
    .category = "Meshes",
    .title = "Tree against tree",
    .summary =
        "Two trees of oriented boxes. Where two nodes overlap, the search descends into the larger one; "
        "where they are apart, it skips all pairs below. Drag the meshes; step with the arrow keys. Or step "
        "through the final triangle test: sides of a plane, then intervals on a line.",
    .make = make_scene<MeshPairs>,
    .settings = kSettings,
    .steps = &kStepAt,
};

}  // namespace lab::scenes
