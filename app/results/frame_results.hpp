// The results of one step of the session. viz, panels and reports read them; only the step writes
// them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bv/fit/volume.hpp"
#include "bv/ids.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/ray.hpp"
#include "bv/shapes/sphere.hpp"
#include "bv/tree/metrics.hpp"
#include "bv/tree/snapshot.hpp"
#include "bv/tree/tree_io.hpp"
#include "results/before_after.hpp"
#include "results/body_volumes.hpp"
#include "results/exhibit.hpp"
#include "results/probe.hpp"
#include "results/shared_list.hpp"
#include "results/volume_choice.hpp"
#include "results/walk_view.hpp"

namespace lab {

enum class VolumesOn : unsigned char;

/// A mesh of the sandbox's library, by index.
using MeshId = bv::Id<struct MeshTag>;

/// Which of the volumes drawn by default a scene shows on a body. See the setting
/// `draw.volumes_on`.
inline constexpr VolumeSet kShowNone;
inline constexpr VolumeSet kShowAll = drawn_from_start();

/// How a body from a voxel model is drawn: its cubes in its mesh's frame.
struct VoxelSkin {
    std::shared_ptr<const VoxelCells> cells;
    glm::vec3 origin{0.0f};  ///< The corner of the cube at (0, 0, 0).
    float edge = 1.0f;       ///< Of a voxel.
};

/// One body after the step. Its volumes are separate, in BodyVolumes.
struct BodyState {
    bv::BodyId id;
    SharedText name;
    MeshId mesh;
    glm::mat4x3 transform{1.0f};
    float scale = 1.0f;                ///< Uniform; already inside `transform`.
    glm::vec3 velocity{0.0f};          ///< m/s
    glm::vec3 angular_velocity{0.0f};  ///< rad/s about the world axes
    VolumeChoice volumes;              ///< What decides about its pairs, and how its volumes were fitted.
    OwnChoice own;                     ///< The part of that choice which does not follow the settings.
    bool colliding = false;            ///< In at least one pair of the last stage that ran.
    bool selected = false;
    bool hidden = false;         ///< Neither drawn nor picked; it still takes part in collisions.
    VolumeSet shown = kShowAll;  ///< What its scene shows.
    std::shared_ptr<const VoxelSkin> voxels;  ///< Drawn in place of the mesh; usually none.
};

/// The volumes that a body shows, of those that are switched on: `volumes_on` is the choice of the
/// setting of that name. Kinds not drawn by default show wherever a scene shows any volume.
[[nodiscard]] VolumeSet shown_volumes(const BodyState& body, VolumesOn volumes_on);

/// The work of the stages after the broadphase in this frame.
struct NarrowCounts {
    std::uint64_t volume_tests = 0;
    std::uint64_t exact_tests = 0;  ///< Pairs of bodies whose meshes or voxels were compared.
    std::uint64_t box_tests = 0;    ///< Nodes of two meshes' trees, or bricks of two grids.
    std::uint64_t part_tests = 0;   ///< Triangles or voxels.
};

/// How well a kind of volume filtered the pairs that the broadphase passed on.
struct FalseAlarms {
    std::string kind;  ///< Its id, like `obb` or `kdop14`.
    Role role = Role::Muted;
    std::uint64_t tested = 0;
    std::uint64_t passed = 0;    ///< Volumes that overlap.
    std::uint64_t touching = 0;  ///< Of those, bodies that really touch.
    double test_ns = 0;          ///< Per pair.
    double refit_us = 0;         ///< Per body, where it was measured.

    [[nodiscard]] std::uint64_t count() const { return passed - touching; }
    /// Share among those that passed; 0 if none did.
    [[nodiscard]] double share() const {
        return passed == 0 ? 0.0 : static_cast<double>(count()) / static_cast<double>(passed);
    }
};

/// A node of one of the trees on show, by its index in the snapshot.
struct TreeNodeRef {
    std::string tree;
    std::uint32_t node = 0;
    friend bool operator==(const TreeNodeRef&, const TreeNodeRef&) = default;
};

/// A triangle of a body's mesh.
struct TriangleRef {
    bv::BodyId body;
    std::uint32_t triangle = 0;
    friend bool operator==(const TriangleRef&, const TriangleRef&) = default;
};

struct BodyPair {
    bv::BodyId a, b;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a pointer in the 0 of <=>.
    friend auto operator<=>(const BodyPair&, const BodyPair&) = default;
};

/// Pairs that survived each stage, each list sorted, a < b in every pair.
struct PairStages {
    SharedList<BodyPair> broad;   ///< Boxes overlap, according to the broadphase.
    SharedList<BodyPair> volume;  ///< The chosen volumes overlap.
    SharedList<BodyPair> exact;   ///< The meshes touch; equals `volume` if no exact test is chosen.
    bool exact_tested = false;
    /// Pairs of boxes beyond the budget: found and counted, but in none of the lists. `broad` then holds the
    /// first ones in their order.
    std::uint64_t left_out = 0;
    bool all_counted = true;  ///< False: there are even more of them.
    NarrowCounts counts;

    [[nodiscard]] std::uint64_t broad_count() const { return broad.size() + left_out; }
};

/// The cost of finding the pairs in this frame.
struct BroadphaseFrame {
    std::string_view engine;         ///< Its id, like `wide-tree`.
    std::uint64_t tests = 0;         ///< Box against box, inner nodes included.
    std::uint64_t pairs = 0;         ///< Of overlapping boxes.
    std::uint64_t memory_bytes = 0;  ///< What a copy of the engine takes.
    bool has_tree = false;
};

struct QueryCounters {
    std::uint32_t visited = 0;             ///< Tree nodes visited.
    std::uint32_t tested = 0;              ///< Bodies or triangles tested.
    std::uint32_t brute_force_tested = 0;  ///< What a loop over everything would have tested.
};

/// One ray cast into the world.
struct RayQuery {
    enum class Kind : unsigned char { Hover, Pick, Pinned };
    Kind kind = Kind::Hover;
    bv::Ray ray;
    bool hit = false;
    float t = 0;
    glm::vec3 point{0.0f};
    glm::vec3 normal{0.0f};
    bv::BodyId body;
    std::uint32_t triangle = 0xffffffffu;
    QueryCounters counters;
    std::vector<std::uint32_t> visited_nodes;  ///< Source node numbers, in order of the visit.
    std::vector<std::uint32_t> culled_nodes;
};

struct TimingsMs {
    double motion = 0, refit = 0, broadphase = 0, narrowphase = 0, results = 0, queries = 0, verify = 0,
           viz = 0, render = 0;                ///< `results`: copying bodies and trees into the results.
    double volume_tests = 0, exact_tests = 0;  ///< Both are parts of `narrowphase`.
};

/// The comparison by `verify` with brute force, over the run so far.
struct Checks {
    bool enabled = false;
    std::uint64_t frames = 0;
    std::uint64_t pairs_compared = 0;
    std::uint64_t rays_compared = 0;
    std::uint64_t trees_validated = 0;
    std::vector<std::string> differences;  ///< Empty when all agreed. Bounded.
};

/// One volume fitted by one algorithm, for the report.
struct FitRow {
    std::string body;
    std::string kind;
    std::string algorithm;
    double volume = 0;     ///< m^3, in the mesh's own frame and size.
    double surface = 0;    ///< m^2
    double tightness = 0;  ///< Volume of the hull over this volume.
    double fit_ms = 0;
    bool contains_all = false;
    MeshId mesh;                                     ///< The mesh that it was fitted around,
    std::shared_ptr<const bv::fit::Volume> shape{};  ///< in the mesh's own frame and size.
};

struct LineupResult;

/// The cost of rays through the cells of the view.
struct Heatmap {
    static constexpr std::size_t kBins = 48;

    glm::ivec2 cells{0};
    int cell_px = 1;          ///< Edge of a cell in pixels of the view.
    glm::vec2 view_px{0.0f};  ///< The size that the cells cover; the last column and row may reach beyond it.
    std::vector<std::uint32_t> counts;  ///< One a cell, rows from the top down.
    std::string_view counter;           ///< The counted quantity.
    std::uint32_t top = 1;              ///< Where the color scale ends; it begins at 0.
    std::uint32_t max_count = 0;
    double mean = 0;
    std::array<std::uint32_t, kBins>
        histogram{};        ///< Cells from 0 to `top`; the last bin also has those above.
    bool complete = false;  ///< The finest cells have all been cast.
};

/// A tree of which only the metrics are kept: for tables, the report and exported metrics.
struct MeasuredTree {
    std::string id;
    bv::TreeMetrics metrics;
    bool epo_measured = false;
    std::optional<double> build_ms = std::nullopt;
};

/// The defects of a tree from a file, for debugging it.
struct BrokenNodes {
    std::string tree;  ///< Its id.
    std::vector<bv::LooseNode> nodes;
    std::uint64_t count = 0;  ///< Of all of them; the list is bounded.
};

/// The operation that gave a node its current state.
struct NodeChange {
    std::uint64_t step = 0;      ///< Of the stepper; 0: unchanged since before the first.
    std::string_view operation;  ///< "insertion", "removal", "rotation", "refit". Static.
};
/// The history of the tree that the stepper walks through, up to the current step.
struct TreeHistory {
    std::string tree;               ///< Its id.
    std::vector<NodeChange> nodes;  ///< By source number; may be shorter than the tree.
};

/// What is known about the nodes of a captured tree, by node.
struct CapturedNodes {
    std::string tree;                                           ///< Its id.
    std::shared_ptr<const std::vector<std::uint64_t>> numbers;  ///< The engine's.
    /// The place in the film of the frame in which a node got its current children or payloads; empty until
    /// that is known.
    std::function<std::optional<std::size_t>(std::uint32_t node)> since;
};

/// A node that the current step refers to.
struct MarkedNode {
    std::uint32_t source = 0;  ///< Its source number.
    Role role = Role::Hit;
};
/// Marks in the diagram of the tree, in the colors of the view. Later ones cover earlier ones.
struct MarkedNodes {
    std::string tree;  ///< Its id; empty: no tree is stepped.
    std::vector<MarkedNode> nodes;
};

struct FrameResults {
    std::uint64_t record = 0;  ///< Names the timeline that the frame belongs to: a new one after every start
                               ///< of a scene, never one used before.
    std::uint64_t frame = 0;   ///< Calls of Session::step since the scene began.
    std::uint64_t steps = 0;   ///< Fixed steps since the scene began.
    double time_s = 0;         ///< Simulated, since the scene began.
    bool paused = false;
    bool in_past = false;  ///< An earlier moment of the timeline is on show.
    std::string scene_id;
    std::vector<BodyState> bodies;
    std::vector<VolumeSet> has_volumes;  ///< By index of a body: which of its volumes are in `volumes`.
    BodyVolumes volumes;                 ///< By index of a body, shared with the world.
    std::uint64_t volumes_revision = 0;  ///< Of the world that they belong to.
    PairStages pairs;
    BroadphaseFrame broadphase;
    std::vector<std::pair<std::string, bv::TreeSnapshot>>
        trees;  ///< Id and tree; `bodies` is the broadphase's own, while it keeps one. See
                ///< StepInput::needs_bodies_tree.
    bool bodies_tree_left_out = false;  ///< The broadphase keeps a tree that is not among them.
    std::vector<BrokenNodes> broken_nodes;
    std::vector<CapturedNodes> captured_nodes;
    std::vector<MeasuredTree> measured_trees;  ///< Further trees that are compared but not drawn.
    std::vector<RayQuery> rays;
    std::optional<ProbeResult> probe;  ///< While one is on and a tree is on show.
    bv::BodyId hovered;                ///< The body under the mouse, if any.
    std::optional<TreeNodeRef> selected_node;
    std::optional<TreeNodeRef> isolated_node;  ///< Only this subtree of its tree is drawn.
    std::optional<TriangleRef> selected_triangle;
    std::optional<std::uint32_t> selected_ray;  ///< Which of the pinned rays, counted from 0.
    bv::Aabb bounds;                            ///< Of everything that should be in the picture.
    /// Bounds of the object that the user asked the scene to mark, like a body of a capture; may be empty.
    bv::Aabb marked_bounds;
    bv::Aabb arena;  ///< The box whose walls reflect the bodies; may be empty.
    std::vector<Exhibit> exhibits;
    std::vector<Handle> handles;
    /// The setting that placed what the handles move, once the user has moved, added or removed some of it;
    /// null before.
    const SettingSpec* rearranged = nullptr;
    std::vector<IntervalChart> charts;
    std::vector<LineChart> line_charts;
    std::shared_ptr<const Curves> curves;  ///< In scenes with a number that the user steps through.
    std::optional<Film> film;              ///< In a scene that plays frames recorded elsewhere.
    std::vector<FitRow> fits;              ///< Only in scenes about fitting.
    std::vector<Table> tables;
    std::optional<TreeHistory> tree_history;  ///< Of a tree that changes step by step.
    MarkedNodes marked_nodes;
    std::optional<WalkView> walk;            ///< In scenes that show an algorithm step by step.
    std::shared_ptr<const Heatmap> heatmap;  ///< Only while `heat.show` is on.
    /// Kinds of volumes against the exact test; the chosen kind, while the exact test is on. See PairStages.
    std::vector<FalseAlarms> alarms;
    std::shared_ptr<const LineupResult>
        lineup;  ///< Of a scene that compares all kinds of volumes; else none.
    /// The effect of the last change of an algorithm on counts and times; nothing before the first one.
    std::optional<BeforeAfter> before_after;
    TimingsMs timings_ms;
    Checks checks;
};

/// The displayed number of a node of a tree: the engine's number in a captured tree, else its index.
[[nodiscard]] inline std::uint64_t node_number(const FrameResults& results, std::string_view tree,
                                               std::uint32_t node) {
    for (const CapturedNodes& nodes : results.captured_nodes)
        if (nodes.tree == tree && node < nodes.numbers->size()) return (*nodes.numbers)[node];
    return node;
}

/// The body with that id, or null. Bodies are in the order of their ids.
[[nodiscard]] inline const BodyState* find_body(const FrameResults& results, bv::BodyId id) {
    const auto at =
        std::lower_bound(results.bodies.begin(), results.bodies.end(), id,
                         [](const BodyState& body, bv::BodyId wanted) { return body.id < wanted; });
    return at == results.bodies.end() || at->id != id ? nullptr : &*at;
}

}  // namespace lab
