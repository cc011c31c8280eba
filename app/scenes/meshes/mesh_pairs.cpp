// Two trees of boxes against each other, step by step: which pair of nodes is tested, and which one is
// opened. Or one triangle against another.
#include <algorithm>
#include <memory>
#include <vector>

#include "bv/tree/obb_tree.hpp"
#include "io/text/counted.hpp"
#include "results/put.hpp"
#include "scenes/meshes/triangle_pair.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "scenes/thin_mesh.hpp"
#include "settings/steps.hpp"
#include "steps/walk.hpp"
#include "world/mesh_library.hpp"

namespace lab::scenes::mesh_pairs_scene {
namespace {

constexpr Setting<std::string> kMeshA{{
    .id = "pairs.a",
    .label = "Mesh A",
    .help = "Scene mesh-pairs: mesh A; `any`: the mesh opened last, or the torus",
    .default_value = "any",
    .remembered = false,
    .is_mesh = true,
}};
constexpr Setting<std::string> kMeshB{{
    .id = "pairs.b",
    .label = "Mesh B",
    .help = "Scene mesh-pairs: mesh B",
    .default_value = "icosphere",
    .remembered = false,
    .is_mesh = true,
}};

enum class Place : unsigned char { Near, Apart, Small, Inside, Same };
constexpr std::array kPlaceChoices = {
    Choice{"near", "They overlap", Place::Near}, Choice{"apart", "Apart", Place::Apart},
    Choice{"small", "B is small", Place::Small}, Choice{"inside", "B smaller, same center", Place::Inside},
    Choice{"same", "At the same place", Place::Same}};
constexpr Setting<Place> kPairsPlace{{
    .id = "pairs.place",
    .label = "Meshes",
    .help = "Scene mesh-pairs: where the meshes are; choosing another placement discards dragged positions",
    .default_value = "near",
    .choices = kPlaceChoices,
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

constexpr const SettingSpec* kSettings[] = {&kPairsStepped, &kMeshA, &kMeshB, &kPairsPlace, &kPairsPreset};

/// Meshes with more triangles are thinned: no one steps through more.
constexpr std::size_t kMaxTriangles = 4'000;

/// A mesh of radius 1 around the origin, with its tree.
struct Placed {
    std::uint64_t stamp = 0;  ///< Of the mesh in the library.
    float scale = 1.0f;
    ThinMesh mesh;
    bv::ObbTree tree;
};

std::shared_ptr<const Placed> make(const MeshEntry& entry, float scale) {
    auto placed = std::make_shared<Placed>();
    placed->stamp = entry.stamp;
    placed->scale = scale;
    placed->mesh = thin_mesh(entry.view(), kMaxTriangles);
    const float to_unit = entry.sphere.radius > 0.0f ? scale / entry.sphere.radius : scale;
    for (glm::vec3& p : placed->mesh.positions)
        p = to_unit * (p - entry.sphere.center);
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
    if (!placed.mesh.thinned.empty()) exhibit.legend += ", thinned";
}

std::vector<std::uint32_t> leaves_of(const Placed& placed) {
    std::vector<std::uint32_t> counts;
    for (const auto& node : placed.tree.nodes())
        counts.push_back(node.count);
    return counts;
}

struct Start {
    glm::vec3 a, b;
    float scale_b;
};
constexpr Start start_of(Place place) {
    constexpr glm::vec3 kA{-0.7f, 1.3f, 0.0f};
    switch (place) {
        case Place::Apart:
            return {kA, {1.6f, 1.7f, 0.2f}, 1.0f};
        case Place::Small:
            return {kA, {0.1f, 1.45f, 0.1f}, 0.15f};
        case Place::Inside:
            return {kA, kA, 0.5f};
        case Place::Same:
            return {kA, kA, 1.0f};
        case Place::Near:
            break;
    }
    return {kA, {0.1f, 1.5f, 0.1f}, 1.0f};
}

bv::Triangle triangle_at(const Placed& placed, std::uint32_t triangle, const glm::vec3& position) {
    const bv::Triangle t = placed.mesh.view().triangle(triangle);
    return {t.a + position, t.b + position, t.c + position};
}

class MeshPairs final : public SceneOf<MeshPairs> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        handles_.add("a", {}, "A", {.name = "A, position"});
        handles_.add("b", {}, "B", {.name = "B, position"});
        (void)follow(context);
        if (stepped_ != Stepped::Triangles) return;
        triangles_.face(context.camera);
        context.frame_box = triangles_.bounds();
    }

    void adapt(SceneContext& context) override {
        if (!follow(context)) return;
        // The new input is somewhere else: reframe the camera.
        if (stepped_ == Stepped::Triangles) triangles_.face(context.camera);
        context.camera.frame(stepped_ == Stepped::Triangles ? triangles_.bounds() : both_meshes());
    }

    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        return handles_.drag(id, position) || triangles_.drag(id, position);
    }
    [[nodiscard]] SceneInput input() const override {
        return SceneInput(std::pair(handles_, triangles_.handles()));
    }
    void restore(const SceneInput& from, const SceneInput& to) override {
        const auto *was = from.get<std::pair<HandleSet, HandleSet>>(),
                   *is = to.get<std::pair<HandleSet, HandleSet>>();
        if (!was || !is) return;
        handles_.restore(was->first, is->first);
        triangles_.restore(was->second, is->second);
    }

    void analyze(const SceneContext&, const FrameResults&) override {
        walk_trees();
        if (stepped_ == Stepped::Triangles) triangles_.analyze();
    }

    void show(const SceneContext&, FrameResults& results) const override {
        if (stepped_ == Stepped::Triangles) {
            triangles_.show(results);
            if (triangles_.is_rearranged()) results.rearranged = &kPairsPreset;
        } else {
            show_trees(results);
            if (handles_.is_rearranged()) results.rearranged = &kPairsPlace;
        }
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override {
        return stepped_ == Stepped::Triangles ? triangles_.walk().get() : walk_.get();
    }

  private:
    /// True if the input has changed.
    bool follow(const SceneContext& context) {
        const Stepped stepped = context.settings[kPairsStepped];
        const Place place = context.settings[kPairsPlace];
        const PairCase preset = context.settings[kPairsPreset];
        const bool other = stepped != stepped_ || place != place_;
        if (!a_ || place != place_) {
            handles_.place("a", start_of(place).a);
            handles_.place("b", start_of(place).b);
            handles_.note_placement();
        }
        stepped_ = stepped;
        place_ = place;
        take(a_, context,
             setting_a_.follow(context, context.settings[kMeshA], mesh_on_show(context, "torus")), 1.0f);
        take(b_, context,
             setting_b_.follow(context, context.settings[kMeshB],
                               context.meshes.find("icosphere").value_or(MeshId{0})),
             start_of(place).scale_b);
        if (preset == preset_) return other;
        if (preset == PairCase::Meshes) walk_trees();
        triangles_.place(preset, first_pair());
        preset_ = preset;
        return other || stepped == Stepped::Triangles;
    }
    static void take(std::shared_ptr<const Placed>& placed, const SceneContext& context, MeshId id,
                     float scale) {
        const MeshEntry& entry = context.meshes[id];
        if (!placed || placed->stamp != entry.stamp || placed->scale != scale) placed = make(entry, scale);
    }

    void walk_trees() {
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
        subject.leaves = leaves_of(*a_);
        subject.leaves_b = leaves_of(*b_);
        walk_ = std::make_shared<const steps::Walk>(
            steps::algorithm("traversal.pairs"), std::move(subject), trace,
            fmt::format("{} and {} find {} among {} pairs of triangles.{}",
                        io::counted(stats.box_pairs, "box test", "box tests"),
                        io::counted(stats.triangle_pairs, "triangle test", "triangle tests"),
                        io::counted(pairs_.size(), "overlapping pair", "overlapping pairs"),
                        io::grouped(a_->mesh.triangles.size() * b_->mesh.triangles.size()), thinned()));
    }
    /// The parts thinned out for the steps.
    [[nodiscard]] std::string thinned() const {
        std::string text;
        for (const auto& [placed, name] : {std::pair(a_.get(), "A"), std::pair(b_.get(), "B")})
            if (!placed->mesh.thinned.empty())
                text += fmt::format(" {} is thinned for the steps, to {}.", name, placed->mesh.thinned);
        return text;
    }
    [[nodiscard]] bv::Aabb both_meshes() const {
        bv::Aabb all;
        for (const auto& [placed, position] :
             {std::pair(a_.get(), handles_["a"]), std::pair(b_.get(), handles_["b"])})
            for (const glm::vec3& p : placed->mesh.positions)
                all = bv::merge(all, p + position);
        return all;
    }

    void show_trees(FrameResults& results) const {
        put_mesh(results, *a_, handles_["a"], Role::ProjectionA);
        put_mesh(results, *b_, handles_["b"], Role::ProjectionB);
        put_touching(results, *a_, &bv::TrianglePair::a, handles_["a"]);
        put_touching(results, *b_, &bv::TrianglePair::b, handles_["b"]);
        handles_.show(results);
    }
    /// The triangles of a mesh that are in a pair, each once.
    void put_touching(FrameResults& results, const Placed& placed, std::uint32_t bv::TrianglePair::*of,
                      const glm::vec3& position) const {
        std::vector<std::uint32_t> touching;
        for (const bv::TrianglePair& pair : pairs_)
            touching.push_back(pair.*of);
        std::sort(touching.begin(), touching.end());
        touching.erase(std::unique(touching.begin(), touching.end()), touching.end());
        if (touching.empty()) return;
        Polytope surface;
        for (const std::uint32_t triangle : touching) {
            const auto first = static_cast<std::uint32_t>(surface.vertices.size());
            const bv::Triangle t = triangle_at(placed, triangle, position);
            surface.vertices.insert(surface.vertices.end(), {t.a, t.b, t.c});
            surface.triangles.emplace_back(first, first + 1, first + 2);
            // With more triangles, the edges would cover the faces.
            if (touching.size() <= kMaxOutlines)
                for (std::uint32_t k = 0; k < 3; ++k)
                    surface.edges.emplace_back(first + k, first + (k + 1) % 3);
        }
        Exhibit& shown = put(results, std::move(surface), Role::Touching, {}, 0.4f);
        shown.width_px = 1.0f;
        shown.legend = "overlapping triangles";
    }
    /// The first two triangles that touch, if the meshes do.
    [[nodiscard]] std::optional<std::array<bv::Triangle, 2>> first_pair() const {
        if (pairs_.empty()) return std::nullopt;
        return std::array{triangle_at(*a_, pairs_[0].a, handles_["a"]),
                          triangle_at(*b_, pairs_[0].b, handles_["b"])};
    }
    HandleSet handles_;
    MeshSetting setting_a_, setting_b_;
    std::shared_ptr<const Placed> a_, b_;
    std::array<std::shared_ptr<const Placed>, 2> walked_;
    glm::vec3 walked_a_{0.0f}, walked_b_{0.0f};
    std::vector<bv::TrianglePair> pairs_;
    std::shared_ptr<const steps::Walk> walk_;
    Stepped stepped_ = Stepped::Trees;
    Place place_ = Place::Near;
    PairCase preset_ = PairCase::Crossing;
    TrianglePair triangles_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "mesh-pairs",
    .category = "Meshes",
    .title = "Mesh against mesh",
    .summary =
        "Two trees of oriented boxes. Where two nodes overlap, the search descends into the larger one; "
        "where they are apart, it skips all pairs below. Drag the meshes; step with the arrow keys. Or step "
        "through the final triangle test: sides of a plane, then intervals on a line.",
    .make = make_scene<MeshPairs>,
    .settings = kSettings,
    .steps = &kStepAt,
};

}  // namespace lab::scenes::mesh_pairs_scene
