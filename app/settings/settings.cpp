#include "settings/settings.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "bv/assert.hpp"
#include "io/limits.hpp"
#include "io/printable.hpp"
#include "settings/suggest.hpp"
#include "settings/volume_table.hpp"

namespace lab {
namespace {

constexpr std::array kVolumesOn = {Choice{"scene", "As the scene says"}, Choice{"all", "Every body"},
                                   Choice{"colliding", "Colliding bodies"},
                                   Choice{"selected", "The selected body"}, Choice{"none", "No body"}};
constexpr std::array kTreeColors = {Choice{"depth", "Depth"}, Choice{"balance", "Balance"},
                                    Choice{"area", "SAH share"}, Choice{"overlap", "Sibling overlap"},
                                    Choice{"uniform", "One color"}};
constexpr std::array kLabels = {Choice{"none", "None"}, Choice{"selected", "Selected body"},
                                Choice{"all", "All bodies"}};
constexpr std::array kContact = {Choice{"pass", "Pass, lit up"}, Choice{"bounce", "Bounce off"},
                                 Choice{"stop", "Stop"}};
constexpr std::array kMotions = {Choice{"drift", "Drift"}, Choice{"orbit", "Orbit"},
                                 Choice{"walk", "Random walk"}, Choice{"fall", "Fall and bounce"},
                                 Choice{"still", "Still"}};
constexpr std::array kPlacements = {Choice{"uniform", "Anywhere"}, Choice{"clusters", "In clusters"},
                                    Choice{"row", "In a row"}, Choice{"grid", "In a grid"},
                                    Choice{"shell", "On a shell"}};
/// In the order of VolumeKind.
constexpr auto kVolumeKindChoices = [] {
    std::array<Choice, kVolumeKinds> choices;
    for (std::size_t i = 0; i < kVolumeKinds; ++i)
        choices[i] = {kVolumeSpecs[i].id, kVolumeSpecs[i].label};
    return choices;
}();
// In the order of SphereFit, ObbFit and bv::RayMode.
constexpr std::array kSphereFitNames = {Choice{"ritter", "Ritter"},           Choice{"centroid", "Centroid"},
                                        Choice{"aabb_center", "AABB center"}, Choice{"epos6", "EPOS-6"},
                                        Choice{"epos14", "EPOS-14"},          Choice{"epos26", "EPOS-26"},
                                        Choice{"epos98", "EPOS-98"},          Choice{"exact", "Exact"}};
constexpr std::array kObbFitNames = {Choice{"pca", "PCA of points"}, Choice{"pca_surface", "PCA of surface"},
                                     Choice{"pca_hull", "PCA of hull"}, Choice{"dito14", "DiTO-14"},
                                     Choice{"exact", "Exact"}};
constexpr std::array kRayModes = {Choice{"fast", "Fast"}, Choice{"watertight", "Watertight"}};
constexpr std::array kInsertions = {Choice{"manhattan", "Nearer center"}, Choice{"greedy", "Greedy SAH"},
                                    Choice{"branch_and_bound", "Best SAH"}};
constexpr std::array kBalancings = {Choice{"none", "None"}, Choice{"height", "Height"},
                                    Choice{"sah", "SAH rotations"}};
constexpr std::array kMargins = {Choice{"none", "None"}, Choice{"fixed", "Fixed"},
                                 Choice{"relative", "Relative"}, Choice{"velocity", "Along the motion"}};
constexpr std::array kUpkeeps = {
    Choice{"none", "Insert anew"}, Choice{"refit", "Refit only"}, Choice{"partial", "Rebuild what moved"},
    Choice{"periodic", "Rebuild now and then"}, Choice{"reinsertion", "Reinsert the worst"}};
constexpr std::array kBuilders = {Choice{"median", "Median"}, Choice{"morton", "Morton curve"},
                                  Choice{"binned", "Binned SAH"}, Choice{"sweep", "Sweep SAH"},
                                  Choice{"agglomerative", "Agglomerative"}};
// In the order of bv::broadphase_kinds(), with its ids.
constexpr std::array kBroadphases = {Choice{"brute-force", "Brute force"},
                                     Choice{"sweep-and-prune", "Sweep, one axis"},
                                     Choice{"incremental-sweep", "Sweep, incremental"},
                                     Choice{"uniform-grid", "Uniform grid"},
                                     Choice{"spatial-hash", "Spatial hash"},
                                     Choice{"bsp", "BSP"},
                                     Choice{"dynamic-tree", "Dynamic tree"},
                                     Choice{"wide-tree", "Wide tree"}};
constexpr std::array kRayFrom = {Choice{"lamp", "The lamp"}, Choice{"eye", "The eye"}};
constexpr std::array kProbeKinds = {Choice{"off", "Off"},
                                    Choice{"ray", "Ray"},
                                    Choice{"box-cast", "Box cast"},
                                    Choice{"sphere", "Sphere overlap"},
                                    Choice{"box", "Box overlap"},
                                    Choice{"closest", "Closest point"},
                                    Choice{"k-nearest", "K nearest"},
                                    Choice{"frustum", "Frustum"}};
constexpr std::array kHeatCounters = {Choice{"nodes", "Nodes visited"},
                                      Choice{"triangles", "Triangles tested"}};
constexpr std::array kGizmos = {Choice{"both", "Moves and turns"}, Choice{"move", "Moves"},
                                Choice{"turn", "Turns"}, Choice{"off", "None"}};
constexpr std::array kThemes = {Choice{"dark", "Dark"}, Choice{"light", "Light"}};

constexpr std::array kVolumeGroups = {Choice{"compare", "The classic four"},
                                      Choice{"sphere", "Spheres"},
                                      Choice{"aabb", "AABBs"},
                                      Choice{"obb", "OBBs"},
                                      Choice{"kdop", "k-DOPs"},
                                      Choice{"hull", "Convex hull"},
                                      Choice{"swept", "Swept spheres"}};
constexpr std::array kStressBodies = {Choice{"1000", "1,000"}, Choice{"10000", "10,000"},
                                      Choice{"100000", "100,000"}};
constexpr auto kAlarmKinds = [] {
    std::array<Choice, kLineup.size() + 1> choices;
    choices[0] = {"none", "None"};
    for (std::size_t i = 0; i < kLineup.size(); ++i)
        choices[i + 1] = {spec_of(kLineup[i]).id, spec_of(kLineup[i]).label};
    return choices;
}();
constexpr std::array kExactBy = {Choice{"meshes", "Triangles of the meshes"}, Choice{"voxels", "Voxels"}};
constexpr std::array kInvaderBoxes = {Choice{"all", "All boxes"}, Choice{"pairs", "Boxes that overlap"},
                                      Choice{"none", "None"}};
constexpr std::array kInputs = {Choice{"row", "Sorted row"}, Choice{"grid", "Grid"},
                                Choice{"clusters", "Clusters"}, Choice{"giant", "One giant"},
                                Choice{"crowd", "Drifting crowd"}};

constexpr std::array kListTrees = {Choice{"insert", "Inserted one by one"},
                                   Choice{"median", "Median"},
                                   Choice{"morton", "Morton curve"},
                                   Choice{"binned_sah", "Binned SAH"},
                                   Choice{"sweep_sah", "Sweep SAH"},
                                   Choice{"agglomerative", "Agglomerative"},
                                   Choice{"sweep_sah+reinsertion", "Sweep, re-inserted"}};
constexpr std::array kGallery = {Choice{"2k", "2,300 triangles"}, Choice{"20k", "20,000 triangles"},
                                 Choice{"80k", "80,000 triangles"}, Choice{"330k", "330,000 triangles"},
                                 Choice{"1m", "A million triangles"}};
constexpr std::array kMeshBuilders = {Choice{"median", "Median"},
                                      Choice{"morton", "Morton"},
                                      Choice{"agglomerative", "Agglomerative (PLOC)"},
                                      Choice{"binned", "Binned SAH"},
                                      Choice{"sweep", "Sweep SAH"},
                                      Choice{"reinserted", "Binned SAH, reinserted"},
                                      Choice{"spatial", "Binned SAH, spatial splits"},
                                      Choice{"none", "None"}};
constexpr std::array kTreeKinds = {Choice{"obb", "OBBs"}, Choice{"aabb", "AABBs"},
                                   Choice{"sphere", "Spheres"}};
constexpr std::array kGrowThen = {Choice{"stop", "Nothing"}, Choice{"churn", "Boxes move and go"}};

constexpr SettingSpec flag(std::string_view id, std::string_view label, std::string_view help, bool on,
                           bool remembered = true) {
    return {id, SettingKind::Flag, label, help, on ? "true" : "false", 0, 0, {}, {}, remembered};
}
constexpr SettingSpec integer(std::string_view id, std::string_view label, std::string_view help,
                              std::string_view value, double min, double max, std::string_view unit = {},
                              bool remembered = true) {
    return {id, SettingKind::Integer, label, help, value, min, max, {}, unit, remembered};
}
constexpr SettingSpec real(std::string_view id, std::string_view label, std::string_view help,
                           std::string_view value, double min, double max, std::string_view unit = {},
                           bool remembered = true) {
    return {id, SettingKind::Real, label, help, value, min, max, {}, unit, remembered};
}
constexpr SettingSpec choice(std::string_view id, std::string_view label, std::string_view help,
                             std::string_view value, std::span<const Choice> choices,
                             bool remembered = true) {
    return {id, SettingKind::Choice, label, help, value, 0, 0, choices, {}, remembered};
}
constexpr SettingSpec text(std::string_view id, std::string_view label, std::string_view help,
                           std::string_view value, bool remembered = true) {
    return {id, SettingKind::Text, label, help, value, 0, 0, {}, {}, remembered};
}

constexpr SettingSpec drawn(VolumeKind kind) {
    const VolumeSpec& spec = spec_of(kind);
    const SettingSpec row = flag(spec.draw_id, spec.plural, spec.help, spec.drawn).with(Effect::View);
    return spec.key.empty() ? row : row.key(spec.key, spec.plural);
}

constexpr std::array kSpecs = {
    flag("draw.mesh", "Meshes", "Draw the bodies themselves", true).with(Effect::View).key("M", "Meshes"),
    drawn(VolumeKind::Sphere),
    drawn(VolumeKind::AabbFixed),
    drawn(VolumeKind::AabbTight),
    drawn(VolumeKind::Obb),
    drawn(VolumeKind::Capsule),
    drawn(VolumeKind::SweptRectangle),
    drawn(VolumeKind::Kdop8),
    drawn(VolumeKind::Kdop14),
    drawn(VolumeKind::Kdop18),
    drawn(VolumeKind::Kdop26),
    drawn(VolumeKind::Hull),
    choice("draw.volumes_on", "Volumes of", "Which bodies show their volumes; the selected one always does",
           "scene", kVolumesOn)
        .with(Effect::View)
        .key("V", "Which bodies show their volumes"),
    real("draw.fill", "Face opacity", "Opacity of the volumes' faces, 0 for edges only", "0.06", 0, 1)
        .with(Effect::View),
    real("draw.line_width", "Line width", "Width of the volumes' edges", "1.5", 0.5, 8, "px")
        .with(Effect::View),
    flag("draw.tree", "Tree nodes", "Draw the nodes of the broadphase tree", true)
        .with(Effect::View)
        .key("T", "Tree nodes"),
    integer("draw.tree_min_depth", "From depth", "Hide tree nodes above this depth; the root has depth 0",
            "0", 0, 64)
        .with(Effect::View),
    integer("draw.tree_max_depth", "To depth", "Hide tree nodes below this depth", "64", 0, 64)
        .with(Effect::View),
    flag("draw.tree_leaves", "Tree leaves", "Draw the leaves of the tree, too: the fat boxes of the bodies",
         false)
        .with(Effect::View),
    choice("draw.tree_color", "Node color",
           "What the color of a tree node shows: depth, difference of height between its children, surface "
           "over the root's, or what its children share",
           "depth", kTreeColors)
        .with(Effect::View),
    flag("draw.rays", "Rays", "Draw the rays that were cast, with their hits", true).with(Effect::View),
    flag("draw.ray_nodes", "Visited nodes", "Mark the tree nodes that the ray visited", false)
        .with(Effect::View),
    flag("draw.contacts", "Pairs", "Join the bodies of each overlapping pair by a line", true)
        .with(Effect::View)
        .key("C", "Overlapping pairs"),
    flag("draw.velocity", "Velocities", "Draw an arrow for each body's velocity", false).with(Effect::View),
    choice("draw.labels", "Names", "Which bodies show their name", "selected", kLabels)
        .with(Effect::View)
        .key("L", "Names of bodies"),
    flag("draw.room", "Room", "Draw the edges of the room that the bodies move in", true).with(Effect::View),
    flag("draw.grid", "Grid", "Draw the ground grid", true).with(Effect::View).key("G", "Grid"),
    flag("draw.axes", "Axes", "Draw the world's axes", true).with(Effect::View),

    flag("sim.paused", "Paused", "Stop time; `step` still advances it", false, false).with(Effect::Outside),
    real("sim.speed", "Speed", "Simulated seconds per second", "1", 0, 10, "", false).with(Effect::Outside),
    choice("sim.contact", "On contact", "What two bodies do whose chosen volumes touch", "pass", kContact),

    choice("volume.pair_kind", "Pairs by", "Which volume decides whether two bodies overlap", "obb",
           kVolumeKindChoices),
    flag("volume.exact", "Exact test", "Test the meshes themselves of the pairs whose volumes overlap",
         false),
    choice("volume.exact_by", "Exact by", "What the exact test compares", "meshes", kExactBy),

    choice("fit.sphere", "Sphere fit",
           "How bounding spheres are fitted; the fixed AABB goes around the sphere", "ritter",
           kSphereFitNames),
    choice("fit.obb", "OBB fit", "How the boxes that turn with the bodies are fitted", "pca", kObbFitNames),

    choice("broadphase.kind", "Broadphase",
           "What finds the pairs of boxes that overlap; all of them find the same pairs", "wide-tree",
           kBroadphases),

    choice("tree.insertion", "Insertion", "Dynamic tree: where a new leaf goes", "branch_and_bound",
           kInsertions),
    choice("tree.balance", "Balancing",
           "Dynamic tree: what happens on the way to the root after a leaf came or went", "sah", kBalancings),
    choice("tree.margin_kind", "Fat margin", "Dynamic tree: how much a leaf's box is larger than its body's",
           "velocity", kMargins),
    real("tree.margin", "Margin", "How far a fat box stands out, so that small moves cost nothing", "0.1", 0,
         10, "m"),
    real("tree.margin_relative", "Relative margin", "The same as a share of the box's mean edge", "0.1", 0,
         2),
    real("tree.velocity_steps", "Steps ahead", "How many steps of motion a fat box reaches ahead", "4", 0,
         60),
    choice("tree.upkeep", "Upkeep", "Dynamic tree: what becomes of a leaf that leaves its fat box", "none",
           kUpkeeps),
    choice("tree.builder", "Builder",
           "Dynamic tree: how it is built at once, by `tree.rebuild` and by upkeep", "binned", kBuilders),
    integer("tree.rebuild_period", "Rebuild every", "Upkeep that rebuilds now and then: after how many steps",
            "60", 1, 10000, "steps"),
    integer("tree.reinsertions", "Reinsertions",
            "Upkeep by reinsertion: how many of the worst nodes per step", "32", 1, 10000),

    choice("volumes.kind", "Volumes", "Scene volumes: which kind is drawn", "compare", kVolumeGroups, false),
    integer("volumes.algorithm", "Algorithm",
            "Scene volumes: which algorithm of the kind, counted as in the table; 0: all", "0", 0, 8, "",
            false),
    integer("sat.axis", "Axis", "Which of the fifteen axes is drawn; 0: the one that decides", "0", 0, 15, "",
            false),
    integer("grow.period", "Steps per box", "Scene aabb-tree: fixed steps from one insertion to the next",
            "10", 1, 600, "", false),
    integer("grow.count", "Boxes", "Scene aabb-tree: how many boxes are inserted", "40", 1, 2000, "", false),
    choice("grow.then", "Then", "Scene aabb-tree: what happens once all boxes are in the tree", "stop",
           kGrowThen, false),
    choice("balance.input", "Input", "Scene tree-balance: which boxes go into the trees", "row", kInputs,
           false),
    integer("balance.count", "Boxes", "Scene tree-balance: how many boxes", "64", 1, 2000, "", false),
    choice("balance.rival_insertion", "Rival insertion", "Scene tree-balance: insertion of the second tree",
           "branch_and_bound", kInsertions, false),
    choice("balance.rival_balance", "Rival balancing", "Scene tree-balance: balancing of the second tree",
           "none", kBalancings, false),

    integer("crowd.count", "Bodies", "Scene broadphases: how many bodies", "110", 2, 5000, "", false),
    choice("stress.bodies", "Bodies", "Scene stress: how many bodies", "10000", kStressBodies, false),
    integer("fat.count", "Boxes", "Scene fat-boxes: how many boxes move", "40", 2, 2000, "", false),
    real("fat.speed", "Speed", "Scene fat-boxes: speed of the fastest box", "1", 0, 30, "m/s", false),
    real("fat.linger", "Linger", "Scene fat-boxes: how long a fat box that was left stays in the picture",
         "0.12", 0, 5, "s", false),
    choice("boxes.tree", "Tree", "Scene boxes: how the tree is made; `insert` follows the group tree",
           "insert", kListTrees, false),
    flag("boxes.draw", "Boxes", "Scenes boxes and tree-file: draw the boxes, not only the nodes above them",
         true, false),
    choice("alarms.kind", "False alarms of",
           "Scene narrow-phase: the kind of volume whose false alarms are marked", "obb", kAlarmKinds, false),
    integer("cut.period", "Steps per cut",
            "Scene mesh-cut: fixed steps from one cut to the next while nobody drags the plane", "150", 20,
            6000, "", false),
    choice("invaders.boxes", "Boxes", "Scene voxel-invaders: which boxes and voxel tests are drawn", "all",
           kInvaderBoxes, false),
    integer("pick.step", "Step",
            "Scene ray-picking: the traversal up to this node, with its slabs; 0: all of it", "0", 0, 5000,
            "", false)
        .with(Effect::View)
        .read_with_results(),
    flag("pick.follow", "Camera follows",
         "Scene ray-picking: let the camera go along when the node of a step is too small to be seen", true,
         false)
        .with(Effect::View),
    choice("pick.largest", "Largest mesh",
           "Scene ray-picking: up to which size the gallery goes; takes effect when the scene restarts", "1m",
           kGallery, false)
        .with(Effect::View),
    choice("bvh.builder", "Builder", "Scene mesh-bvh: how the tree on the left was built", "median",
           std::span(kMeshBuilders).first(kMeshBuilders.size() - 1), false)
        .with(Effect::View),
    choice("bvh.rival", "Rival", "Scene mesh-bvh: how the tree on the right was built", "sweep",
           kMeshBuilders, false)
        .with(Effect::View),
    integer("bvh.level", "Level", "Scene mesh-bvh: which level of both trees is drawn; 0 is the root", "5", 0,
            64, "", false)
        .with(Effect::View),
    text("bvh.mesh", "Mesh", "Scene mesh-bvh: whose trees; empty: the mesh opened last, or the teapot", "",
         false),
    choice("obbtree.kind", "Volumes", "Scene obb-tree: which kind of volume is drawn", "obb", kTreeKinds,
           false)
        .with(Effect::View),
    integer("obbtree.level", "Level",
            "Scene obb-tree: which level of pairs is drawn, the roots being 1; 0: one after the other", "0",
            0, 200, "", false)
        .with(Effect::View),
    text("obbtree.mesh_a", "Left mesh",
         "Scene obb-tree: the mesh on the left; empty: the one opened last, or a knot", "", false),
    text("obbtree.mesh_b", "Right mesh", "Scene obb-tree: the mesh on the right; empty: a spike ball", "",
         false),

    flag("ray.hover", "Ray under mouse", "Cast a ray through the mouse in every frame", true)
        .with(Effect::View),
    choice("ray.from", "Ray from", "Where the ray that follows the mouse starts, in scenes that have a lamp",
           "lamp", kRayFrom)
        .with(Effect::View),
    choice("ray.mode", "Ray test",
           "How rays meet triangles: fast, or so that none slips through between two of them", "watertight",
           kRayModes)
        .with(Effect::View),
    flag("ray.sweep", "Sweeping ray", "While no mouse is over the view, let a ray sweep through the scene",
         true)
        .with(Effect::View),

    choice("probe.kind", "Probe", "Ask a tree on show a question of this kind", "off", kProbeKinds, false)
        .with(Effect::View),
    text("probe.tree", "Tree",
         "Which tree the probe asks, by its id; empty: the first on show that has nodes", "", false)
        .with(Effect::View),
    flag("probe.mouse", "Follow mouse", "Place or aim the probe where the ray under the mouse hits", false,
         false)
        .with(Effect::View),
    real("probe.size", "Size", "Radius of the probe's sphere, half the edge of its box", "1", 0, 1e6, "m",
         false)
        .with(Effect::View),
    integer("probe.k", "K", "How many boxes the probe K nearest looks for", "5", 1, 1000, {}, false)
        .with(Effect::View),
    real("probe.x", "At x", "Where the probe is", "0", -1e6, 1e6, "m", false).with(Effect::View),
    real("probe.y", "At y", "Where the probe is", "1.5", -1e6, 1e6, "m", false).with(Effect::View),
    real("probe.z", "At z", "Where the probe is", "4", -1e6, 1e6, "m", false).with(Effect::View),
    real("probe.aim_x", "Aim x", "What rays, box casts and frusta of the probe point at", "0", -1e6, 1e6, "m",
         false)
        .with(Effect::View),
    real("probe.aim_y", "Aim y", "What rays, box casts and frusta of the probe point at", "1.5", -1e6, 1e6,
         "m", false)
        .with(Effect::View),
    real("probe.aim_z", "Aim z", "What rays, box casts and frusta of the probe point at", "-4", -1e6, 1e6,
         "m", false)
        .with(Effect::View),

    flag("heat.show", "Heatmap", "Color each pixel by what a ray through it costs", false, false),
    choice("heat.counter", "Count", "What the heatmap counts for each ray", "nodes", kHeatCounters),
    real("heat.opacity", "Opacity", "How much the heatmap hides of the picture under it", "0.85", 0.1, 1),
    integer("heat.detail", "Finest cell", "Edge of the heatmap's smallest cells", "2", 1, 16, "px"),
    integer("heat.rays", "Rays a frame", "How many of the heatmap's rays are cast in one frame", "40000",
            1000, 4000000),
    flag("heat.auto", "Automatic scale", "Let the color scale end where nearly all rays lie below", true),
    integer("heat.top", "Scale to", "Where the color scale ends while it is not automatic", "64", 1, 100000),

    integer("spawn.count", "Count", "How many bodies the spawn button adds", "10", 1, 10000)
        .with(Effect::View),
    text("spawn.mesh", "Mesh", "Which mesh the spawn button adds; `any` takes turns", "any")
        .with(Effect::View),
    real("spawn.size", "Size", "Radius of spawned bodies", "0.6", 0.01, 100, "m").with(Effect::View),
    real("spawn.spread", "Size range", "How much larger or smaller bodies are, as a share of the size",
         "0.25", 0, 0.9)
        .with(Effect::View),
    choice("spawn.motion", "Motion", "How spawned bodies move", "drift", kMotions).with(Effect::View),
    choice("spawn.placement", "Placement", "Where they appear", "uniform", kPlacements).with(Effect::View),
    real("spawn.speed", "Speed", "Fastest speed of spawned bodies", "2", 0, 100, "m/s").with(Effect::View),

    choice("edit.gizmo", "Gizmo", "What the handles around the selected bodies do", "both", kGizmos)
        .key("X", "What the gizmo does"),

    choice("ui.theme", "Theme", "Dark or light colors", "dark", kThemes).with(Effect::Outside).of_window(),
    flag("ui.panels", "Panels", "Show the panels", true)
        .with(Effect::Outside)
        .of_window()
        .key("Tab", "Panels"),
    flag("ui.legend", "Legend", "Show which color is which volume", true).with(Effect::Outside).of_window(),
    flag("ui.help", "Help", "Show the list of keys and commands", false, false)
        .with(Effect::Outside)
        .of_window()
        .key("F1", "This list")
        .key("?", "This list"),
    real("ui.left", "Left panel", "Width of the left panel, in heights of the text; its edge can be dragged",
         "16.5", 10, 40)
        .with(Effect::Outside)
        .of_window(),
    real("ui.right", "Right panel", "Width of the right panel, in heights of the text", "20", 12, 45)
        .with(Effect::Outside)
        .of_window(),
    real("ui.bottom", "Bottom panel", "Height of the bottom panel, in heights of the text", "12.5", 5, 40)
        .with(Effect::Outside)
        .of_window(),
    real("ui.scale", "Text size", "Size of text and panels; 1 fits the monitor", "1", 0.5, 3)
        .with(Effect::Outside)
        .of_window(),

    integer("world.seed", "Seed", "Where the random numbers start; takes effect when a scene restarts", "1",
            0, 2147483647, "", false),
    flag("verify", "Verify", "Compare every pair and hit with brute force in every frame", false, false),
};

std::size_t index_of(std::string_view id) {
    for (std::size_t i = 0; i < kSpecs.size(); ++i)
        if (kSpecs[i].id == id) return i;
    return kSpecs.size();
}

std::string unknown(std::string_view id) {
    std::vector<std::string_view> ids;
    ids.reserve(kSpecs.size());
    for (const SettingSpec& spec : kSpecs)
        ids.push_back(spec.id);
    const std::string hint = did_you_mean(id, ids);
    return fmt::format("there is no setting '{}'{}", id,
                       hint.empty() ? "; --list-settings shows them all" : hint);
}

std::optional<bool> parse_flag(std::string_view value) {
    for (std::string_view yes : {"true", "on", "yes", "1"})
        if (value == yes) return true;
    for (std::string_view no : {"false", "off", "no", "0"})
        if (value == no) return false;
    return std::nullopt;
}

template <class Number>
std::optional<Number> parse_number(std::string_view value) {
    Number number{};
    const char* end = value.data() + value.size();
    const auto [stop, status] = std::from_chars(value.data(), end, number);
    if (status != std::errc{} || stop != end) return std::nullopt;
    return number;
}

std::string wants(const SettingSpec& spec, std::string_view value, std::string_view what) {
    return fmt::format("{} takes {}, not '{}'", spec.id, what, value);
}

std::string range_of(const SettingSpec& spec, std::string_view kind) {
    return fmt::format("{} from {} to {}", kind, spec.min, spec.max);
}

std::string wrong_choice(const SettingSpec& spec, std::string_view value) {
    std::vector<std::string_view> ids;
    std::string list;
    for (const Choice& c : spec.choices) {
        ids.push_back(c.id);
        list += (list.empty() ? "" : ", ");
        list += c.id;
    }
    return wants(spec, value, fmt::format("one of {}", list)) + did_you_mean(value, ids);
}

using Value = std::variant<bool, int, float, std::string>;

/// The value, or what is wrong with it.
std::variant<Value, std::string> parse(const SettingSpec& spec, std::string_view value) {
    using Result = std::variant<Value, std::string>;
    const auto good = [](Value v) { return Result(std::in_place_index<0>, std::move(v)); };
    const auto bad = [](std::string why) { return Result(std::in_place_index<1>, std::move(why)); };
    switch (spec.kind) {
        case SettingKind::Flag:
            if (const auto f = parse_flag(value)) return good(*f);
            return bad(wants(spec, value, "true or false"));
        case SettingKind::Integer: {
            const auto n = parse_number<long long>(value);
            if (n && static_cast<double>(*n) >= spec.min && static_cast<double>(*n) <= spec.max)
                return good(static_cast<int>(*n));
            return bad(wants(spec, value, range_of(spec, "a whole number")));
        }
        case SettingKind::Real: {
            const auto x = parse_number<double>(value);
            if (x && *x >= spec.min && *x <= spec.max) return good(static_cast<float>(*x));
            return bad(wants(spec, value, range_of(spec, "a number")));
        }
        case SettingKind::Choice:
            for (const Choice& c : spec.choices)
                if (c.id == value) return good(std::string(value));
            return bad(wrong_choice(spec, value));
        case SettingKind::Text:
            break;
    }
    // Every file that keeps settings can hold such a text.
    if (!io::is_plain_text(value) || value.size() > io::limits::kNameBytes)
        return bad(wants(spec, io::printable(value, io::LineEnds::Escape, 40),
                         fmt::format("a text of up to {} bytes in UTF-8 without control characters",
                                     io::limits::kNameBytes)));
    return good(std::string(value));
}

}  // namespace

std::span<const SettingSpec> setting_specs() {
    return kSpecs;
}

std::string SettingSpec::shown(const std::string& value) const {
    for (const Choice& choice : choices)
        if (choice.id == value) return std::string(choice.label);
    if (kind == SettingKind::Flag) return value == "true" ? "on" : "off";
    return unit.empty() ? value : fmt::format("{} {}", value, unit);
}

const SettingSpec* find_setting(std::string_view id) {
    const std::size_t i = index_of(id);
    return i < kSpecs.size() ? &kSpecs[i] : nullptr;
}

Settings::Settings() {
    values_.resize(kSpecs.size());
    reset_all();
}

const Settings::Value& Settings::value(std::string_view id, SettingKind kind) const {
    std::size_t i = index_of(id);
    BV_ASSERT(i < kSpecs.size() && kSpecs[i].kind == kind);
    if (i == kSpecs.size()) i = 0;  // stay inside the table if the assert handler returns
    return values_[i];
}

bool Settings::flag(std::string_view id) const {
    return std::get<bool>(value(id, SettingKind::Flag));
}
int Settings::integer(std::string_view id) const {
    return std::get<int>(value(id, SettingKind::Integer));
}
float Settings::real(std::string_view id) const {
    return std::get<float>(value(id, SettingKind::Real));
}
const std::string& Settings::choice(std::string_view id) const {
    return std::get<std::string>(value(id, SettingKind::Choice));
}
const std::string& Settings::text(std::string_view id) const {
    return std::get<std::string>(value(id, SettingKind::Text));
}

std::optional<std::string> Settings::set(std::string_view id, std::string_view value) {
    const std::size_t i = index_of(id);
    if (i == kSpecs.size()) return unknown(id);
    auto parsed = parse(kSpecs[i], value);
    if (parsed.index() == 1) return std::get<1>(std::move(parsed));
    values_[i] = std::get<0>(std::move(parsed));
    return std::nullopt;
}

std::string Settings::get_as_text(std::string_view id) const {
    const std::size_t i = index_of(id);
    BV_ASSERT(i < kSpecs.size());
    if (i == kSpecs.size()) return {};
    struct Printer {
        std::string operator()(bool b) const { return b ? "true" : "false"; }
        std::string operator()(int n) const { return fmt::format("{}", n); }
        std::string operator()(float x) const { return fmt::format("{}", x); }
        std::string operator()(const std::string& s) const { return s; }
    };
    return std::visit(Printer{}, values_[i]);
}

std::optional<std::string> Settings::reset(std::string_view id) {
    const SettingSpec* spec = find_setting(id);
    if (!spec) return unknown(id);
    return set(id, spec->default_value);
}

std::optional<std::string> Settings::toggle(std::string_view id) {
    const SettingSpec* spec = find_setting(id);
    if (!spec) return unknown(id);
    if (spec->kind == SettingKind::Flag) return set(id, flag(id) ? "false" : "true");
    if (spec->kind != SettingKind::Choice)
        return fmt::format("{} is a number or a text and cannot be toggled; use `set {} VALUE`", id, id);
    const std::string& now = choice(id);
    for (std::size_t i = 0; i < spec->choices.size(); ++i)
        if (spec->choices[i].id == now) return set(id, spec->choices[(i + 1) % spec->choices.size()].id);
    return set(id, spec->default_value);
}

bool Settings::is_default(std::string_view id) const {
    const std::size_t i = index_of(id);
    BV_ASSERT(i < kSpecs.size());
    return i == kSpecs.size() || std::get<0>(parse(kSpecs[i], kSpecs[i].default_value)) == values_[i];
}

void Settings::reset_all() {
    for (const SettingSpec& spec : kSpecs) {
        const auto problem = reset(spec.id);
        BV_ASSERT(!problem);  // a default outside its own range is a bug in the table
    }
}

std::string_view named_setting(std::span<const std::string> words) {
    const std::string_view first = words.empty() ? std::string_view() : words.front();
    return first.substr(0, first.find_first_of("= "));
}

std::optional<std::string> assign(Settings& settings, std::span<const std::string> words) {
    std::string joined;
    for (const std::string& word : words)
        joined += (joined.empty() ? "" : " ") + word;
    const std::size_t split = joined.find_first_of("= ");
    if (split == std::string::npos) return fmt::format("a value is missing: `set {}=VALUE`", joined);
    std::size_t value = joined.find_first_not_of(' ', split);
    if (value != std::string::npos && joined[value] == '=') value = joined.find_first_not_of(' ', value + 1);
    return settings.set(joined.substr(0, split), value == std::string::npos ? "" : joined.substr(value));
}

}  // namespace lab
