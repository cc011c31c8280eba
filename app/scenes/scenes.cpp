#include "scenes/scenes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "scenes/factories.hpp"
#include "settings/suggest.hpp"

namespace lab {
namespace {

constexpr std::array kScenes = {
    SceneSpec{"welcome", "Start", "Welcome",
              "Forty bodies drift and turn in a room. Some show a bounding volume; pairs whose volumes "
              "overlap light up, "
              "and a ray finds its triangle through the tree.",
              scenes::make_welcome},
    SceneSpec{"volumes", "Volumes", "Every volume of a mesh",
              "One mesh, every bounding volume, every algorithm, with what it costs and what it buys. Choose "
              "the kind and "
              "the algorithm; compare the fixed AABB, which never changes, with the tight one while the mesh "
              "turns.",
              scenes::make_volumes, "volumes"},
    SceneSpec{
        "aabb-forms", "Queries", "Three forms of a box",
        "The same box as two corners, as center and half extents, and as one corner and edge lengths. Drag a "
        "corner and compare what each form stores, and what it has to compute.",
        scenes::make_aabb_forms},
    SceneSpec{"aabb-overlap", "Queries", "AABB against AABB",
              "Two boxes overlap when their intervals overlap on every axis. Watch the three pairs of bars: "
              "one gap "
              "is enough to be apart. The common box is filled.",
              scenes::make_aabb_overlap},
    SceneSpec{"aabb-transform", "Queries", "A box under a transform",
              "The box of a turning teapot. Carried along it is an OBB; boxed again it grows; only a new fit "
              "to the "
              "vertices is tight. The table says what each costs.",
              scenes::make_aabb_transform},
    SceneSpec{"aabb-sweep", "Queries", "Moving AABBs",
              "Two boxes meet while they overlap on all three axes at once. Each axis has its own interval "
              "of time; unit "
              "cubes 0.5 m apart closing at 3 m/s meet after 0.16667 s.",
              scenes::make_aabb_sweep},
    SceneSpec{"aabb-plane", "Queries", "AABB against plane, and a cut",
              "The plane misses the box when the distance of the center exceeds the projected radius. Where "
              "it does not, "
              "the mesh is cut into two closed halves.",
              scenes::make_aabb_plane},
    SceneSpec{
        "ray-aabb", "Queries", "Ray against AABB",
        "Three pairs of planes, three intervals of t. The ray hits where all three bars overlap. Drag the "
        "origin into a face plane, or aim along an axis.",
        scenes::make_ray_aabb},
    SceneSpec{
        "ray-triangle", "Queries", "Ray against triangle",
        "The point where the ray meets the triangle's plane splits it into three parts. Their shares of the "
        "area are the weights of the corners: all positive means inside.",
        scenes::make_ray_triangle},
    SceneSpec{"obb-sat", "Queries", "OBB against OBB",
              "Fifteen axes could separate two boxes: three normals of each and nine crosses of edges. One "
              "is drawn with "
              "both shadows: the first that separates, or the one with the least overlap.",
              scenes::make_obb_sat, "sat"},
    SceneSpec{"rectangles", "Queries", "Two rectangles, four axes",
              "Separating axes in the plane. Two turning rectangles, 30 by 140 and 40 by 110: blue while one "
              "of four axes "
              "keeps them apart, red while none does.",
              scenes::make_rectangles},
    SceneSpec{"frustum", "Queries", "Frustum culling",
              "Boxes against the six planes of a camera: inside, cut or outside. A box that starts with the "
              "plane that "
              "rejected it last time needs fewer tests.",
              scenes::make_frustum},
    SceneSpec{"aabb-tree", "Trees", "A growing tree",
              "Boxes go into the tree one by one. The newest is marked, with the sibling that it was given, "
              "the path "
              "to the root that had to grow, and what every weighed sibling would have cost.",
              scenes::make_aabb_tree, "grow tree.insertion tree.balance"},
    SceneSpec{
        "tree-balance", "Trees", "Strategies side by side",
        "The same boxes in the same order, in two trees. Choose the input and both strategies. Sorted input "
        "without rotations becomes a list: compare the heights.",
        scenes::make_tree_balance, "balance tree.insertion tree.balance"},
    SceneSpec{"broadphases", "Trees", "Every broadphase",
              "One crowd, and every way to find its pairs: all find the same ones, and the table says "
              "what each pays. Choose the broadphase and see its cells, planes, intervals or nodes, "
              "and in green what the marked body is tested against.",
              scenes::make_broadphases, "crowd broadphase.kind"},
    SceneSpec{"stress", "Trees", "Ten thousand bodies, or more",
              "As many bodies as the machine bears, each overlapping about one other. The table says where "
              "the time of a frame goes: compare the stages at 1,000, 10,000 and 100,000 bodies, and switch "
              "the broadphase while they move.",
              scenes::make_stress, "stress broadphase.kind"},
    SceneSpec{
        "fat-boxes", "Trees", "Fat boxes: how large a margin",
        "Each body may move inside a fat box before the tree has to know. Watch one reach the side of its "
        "fat box: the old one stays behind in gray for a moment, the new one is bright. A larger margin "
        "saves re-insertions and pays with false pairs; move the slider and see both curves.",
        scenes::make_fat_boxes, "fat tree.margin_kind tree.margin tree.margin_relative tree.velocity_steps"},
    SceneSpec{
        "narrow-phase", "Meshes", "False alarms",
        "A crowd, and ten kinds of bounding volumes around each body. The table says how many pairs each "
        "kind passes on, how many of those do not touch, and what a test costs. The false alarms of one "
        "kind are marked: choose it.",
        scenes::make_narrow_phase, "alarms"},
    SceneSpec{"mesh-cut", "Meshes", "Cutting a mesh",
              "A plane cuts a closed mesh; each half gets a cap, is closed again and falls. Drag the plane "
              "and cut again. The volumes of all pieces always add up to that of the mesh.",
              scenes::make_mesh_cut, "cut"},
    SceneSpec{"voxel-invaders", "Meshes", "Voxel invaders",
              "Rows of voxel aliens march, a ship fires. Boxes in a tree say which things may touch, then "
              "voxels are tested against voxels: only what really meets breaks off. Arrow keys, or drag the "
              "ship; left alone it plays by itself.",
              scenes::make_voxel_invaders, "invaders"},
    SceneSpec{
        "ray-picking", "Meshes", "From a click to the triangle",
        "Meshes of up to a million triangles, and one ray. Move the mouse: the ray finds its triangle "
        "after a few dozen boxes. Click to pin the ray, then go through the tree node by node with the "
        "arrow keys: three pairs of planes, three intervals of t, and why a node was opened or skipped.",
        scenes::make_ray_picking, "pick", "pick.step"},
    SceneSpec{
        "mesh-bvh", "Meshes", "One mesh, seven trees",
        "The same level of two trees of one mesh, colored by how much the children of each node overlap. "
        "The arrow keys change the level. Compare in the table what each builder took and what its tree "
        "costs a ray. `open FILE` shows the trees of your own mesh.",
        scenes::make_mesh_bvh, "bvh", "bvh.level"},
    SceneSpec{
        "obb-tree", "Meshes", "Two trees meet",
        "Two meshes approach, and the pairs of boxes that are tested appear level by level. Oriented "
        "boxes lie close to the surface, so that few pairs are left where axis-aligned boxes and spheres "
        "go on. Red lines are where the triangles really cross.",
        scenes::make_obb_tree, "obbtree", "obbtree.level"},
    SceneSpec{"mesh", "Your files", "Opened meshes",
              "The meshes that you have opened, with all their volumes. Drop a file on the window or use "
              "`open FILE`.",
              scenes::make_mesh},
    SceneSpec{
        "voxels", "Your files", "Opened voxel models",
        "The voxel models that you have opened, in their colors, each a body with a surface, volumes and "
        "a grid. Drop a .vox file on the window or use `open FILE`.",
        scenes::make_voxels},
    SceneSpec{"boxes", "Your files", "Opened boxes",
              "The list of boxes that you have opened, made into a tree in every way that there is. Choose "
              "which one is drawn, and compare height, surface and the nodes that a query visits.",
              scenes::make_boxes, "boxes"},
    SceneSpec{
        "tree-file", "Your files", "Opened tree",
        "The tree that you have opened, node for node as it was saved by `save.tree`. Color its nodes by "
        "balance or sibling overlap to find the bad ones.",
        scenes::make_tree_file, " boxes.draw"},
};

}  // namespace

std::span<const SceneSpec> scene_specs() {
    return kScenes;
}

const SceneSpec* find_scene(std::string_view id) {
    for (const SceneSpec& spec : kScenes)
        if (spec.id == id) return &spec;
    return nullptr;
}

bool SceneSpec::offers(std::string_view group_or_id) const {
    for (std::string_view list = settings; !list.empty();) {
        const std::size_t end = std::min(list.find(' '), list.size());
        if (list.substr(0, end) == group_or_id) return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

std::string no_scene(std::string_view id) {
    std::vector<std::string_view> ids;
    for (const SceneSpec& spec : kScenes)
        ids.push_back(spec.id);
    const std::string hint = did_you_mean(id, ids);
    return fmt::format("there is no scene '{}'{}", id,
                       hint.empty() ? "; --list-scenes shows them all" : hint);
}

}  // namespace lab
