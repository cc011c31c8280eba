// Applies the contents of a saved scene. Playing its record to the end gives the same state bit for bit;
// where it does not (it was cut, the file was edited by hand, the program has changed), the contents of the
// file count.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "io/file_kind.hpp"
#include "io/text/counted.hpp"
#include "io/text/printable.hpp"
#include "session/files/file_opener.hpp"
#include "session/files/scene_conversion.hpp"
#include "session/parts.hpp"

namespace lab {
namespace {

/// True if the saved node is a leaf now that holds none of the saved bodies: the tree was rebuilt.
bool is_leaf_of_another(const bv::TreeSnapshot& tree, const io::SceneFileSelection& saved) {
    const std::uint32_t node = saved.node->index;
    return saved.node->tree == "bodies" && !saved.bodies.empty() && node < tree.size() &&
           tree.is_leaf(node) &&
           std::none_of(saved.bodies.begin(), saved.bodies.end(),
                        [&](std::uint32_t body) { return leaf_holds(tree, node, body); });
}

}  // namespace

/// `names` are the names that the meshes of the scene's files will have.
CommandResult FileOpener::missing_mesh(const io::SceneFile& file, const MeshLibrary::Names& names,
                                       const std::string& path) const {
    const auto is_there = [&](const std::string& name) {
        const std::optional<MeshId> known = parts_.meshes.find(name);
        bool is_renamed = false;
        for (const auto& [id, will_be] : names) {
            if (will_be == name) return true;
            is_renamed = is_renamed || id == known;
        }
        return known && !is_renamed;
    };
    // Each name is looked up once: a file can have as many made meshes as bodies.
    std::unordered_set<std::string_view> there(file.made_meshes.begin(), file.made_meshes.end());
    for (const io::SceneFileBody& body : file.bodies) {
        if (there.contains(body.mesh)) continue;
        if (!is_there(body.mesh))
            return fmt::format("{}: body {} is a '{}', but there is no such mesh: `open` its file first",
                               path, body.id, body.mesh);
        there.insert(body.mesh);
    }
    return std::nullopt;
}

/// Scenes about opened files show the same ones as when they were saved or recorded.
void FileOpener::show_only(const std::vector<std::string>& files) {
    OpenedFiles shown;
    shown.mesh_files = parts_.opened.mesh_files;
    for (const OpenedCapture& capture : parts_.opened.captures)
        if (capture.is_from_engine()) shown.captures.push_back(capture);  // it cannot be opened again
    for (const std::string& file : files) {
        for (const MeshId id : parts_.opened.meshes)
            if (io::is_same_place(parts_.meshes[id].source, file)) shown.meshes.push_back(id);
        for (const BoxList& list : parts_.opened.box_lists)
            if (io::is_same_place(list.source, file)) shown.box_lists.push_back(list);
        for (const OpenedTree& tree : parts_.opened.trees)
            if (io::is_same_place(tree.source, file)) shown.trees.push_back(tree);
        for (const OpenedCapture& capture : parts_.opened.captures)
            if (!capture.is_from_engine() && io::is_same_place(capture.source, file))
                shown.captures.push_back(capture);
        for (const MeshId id : parts_.opened.voxel_models)
            if (io::is_same_place(parts_.meshes[id].source, file)) shown.voxel_models.push_back(id);
    }
    parts_.opened = std::move(shown);
}

/// Applies the contents of the file over the state after its record, which was `played` to its end or not.
void FileOpener::adopt(const io::SceneFile& file, const Settings& own, const std::string& path, bool played) {
    View& view = state_.view;
    for (const SettingSpec* row : state_.settings.catalog().rows())
        if (is_saved(*row)) (void)state_.settings.set(*row, row->default_value);
    for (const auto& [id, value] : file.settings)
        (void)state_.settings.set(id, value);
    parts_.scenes.note_presets(own);
    parts_.scenes.apply_world_settings();
    parts_.meter.restart(state_.settings);
    view.camera = camera_of(file.camera);
    view.home = camera_of(file.home);
    view.hover_px = file.pointer;
    view.pinned_rays.clear();
    for (const io::SceneFileRay& ray : file.rays)
        view.pinned_rays.push_back(ray_of(ray));
    const bool bodies_differ = !played || !has_world(file);
    const std::size_t lost = bodies_differ ? put_bodies(file) : 0;
    const bool handles_differ = put_handles(file, path);
    parts_.frame.update();
    if (!select_saved(file.selection))
        parts_.messages.warning(fmt::format("{}: some of what was selected is not in this scene", path));
    holds_still_ = true;
    parts_.messages.info(fmt::format("{}: scene {}, {}, step {}", path, state_.scene.spec->id,
                                     io::counted(state_.world.bodies().size(), "body", "bodies"),
                                     state_.clock.steps));
    const bool steps_differ = file.steps != state_.clock.steps;
    const Timeline& record = parts_.recorder.timeline();
    if (!bodies_differ && !handles_differ) {
        if (steps_differ)
            parts_.messages.warning(fmt::format("{}: its record leads to step {}, not to step {}", path,
                                                state_.clock.steps, file.steps));
        parts_.recorder.join_present();
        adopted_entries_ = record.tape().size();
        return;
    }
    state_.edits.clear();
    parts_.recorder.begin_without_start();
    adopted_entries_ = record.tape().size();
    parts_.messages.warning(fmt::format(
        "{}: {} {}, so the trees were rebuilt{}", path,
        lost > 0       ? "the scene is shown without what was left out:"
        : steps_differ ? "the scene is as it was saved, but"
                       : "all that it holds is as it was saved, but",
        file.history.empty() ? "it has no record of what led there"
        : played && !file.files.empty()
            ? "its record does not lead to that state (a file that it needs may have changed)"
        : played ? "its record does not lead to that state"
                 : "its record was not replayed to its end",
        steps_differ
            ? fmt::format(", and time goes on from step {} instead of {}", state_.clock.steps, file.steps)
            : ""));
}

bool FileOpener::is_as_saved() const {
    return parts_.recorder.timeline().tape().size() == adopted_entries_;
}

/// True if any handle had to move.
bool FileOpener::put_handles(const io::SceneFile& file, const std::string& path) {
    parts_.frame.update();
    bool any = false;
    for (const auto& [id, place] : file.handles) {
        const Handle* const handle = find_handle(parts_.results.handles, id);
        if (!handle)
            parts_.messages.warning(
                fmt::format("{}: this scene has no handle '{}'", path, io::printable(id)));
        any = any || (handle && handle->position != place);
    }
    if (!any) return false;
    // A handle can move others whose numbers count from it: the second pass puts those right.
    std::vector<Handle> now = parts_.scenes.handles();
    for (int pass = 0; pass < 2; ++pass)
        for (const auto& [id, place] : file.handles) {
            const Handle* const handle = find_handle(now, id);
            if (!handle || handle->position == place) continue;
            (void)parts_.scenes.drag_handle(id, place);
            now = parts_.scenes.handles();
        }
    return true;
}

/// True if the world is as the file has it: bodies, arena and light.
bool FileOpener::has_world(const io::SceneFile& file) const {
    const auto& bodies = state_.world.bodies();
    const bv::Aabb& arena = state_.world.arena();
    const bool has_arena =
        file.arena ? arena.min == file.arena->first && arena.max == file.arena->second : arena.is_empty();
    return has_arena && state_.world.light() == file.light &&
           std::equal(bodies.begin(), bodies.end(), file.bodies.begin(), file.bodies.end(),
                      [this](const Body& body, const io::SceneFileBody& b) {
                          return same(saved(body, parts_.meshes), b);
                      });
}

std::size_t FileOpener::put_bodies(const io::SceneFile& file) {
    state_.world.remove_all();
    std::vector<Body> bodies;
    std::unordered_map<std::string_view, std::optional<MeshId>> meshes;
    for (const io::SceneFileBody& saved : file.bodies) {
        const auto [known, is_new] = meshes.try_emplace(saved.mesh);
        if (is_new) known->second = parts_.meshes.find(saved.mesh);
        const std::optional<MeshId>& mesh = known->second;
        if (!mesh) {
            parts_.messages.warning(
                fmt::format("{} is left out: its mesh '{}' could not be restored", saved.name, saved.mesh));
            continue;
        }
        Body body = body_of(saved, *mesh);
        body.state.voxels = parts_.meshes[*mesh].voxels;
        bodies.push_back(std::move(body));
    }
    const std::size_t wanted = bodies.size();
    const std::size_t lost = wanted - state_.world.put_back(std::move(bodies));
    if (lost > 0)
        parts_.messages.warning(fmt::format("{} too large or too far away to be shown",
                                            io::counted(lost, "body is", "bodies are")));
    state_.world.set_arena(file.arena ? bv::Aabb{file.arena->first, file.arena->second} : bv::Aabb{});
    state_.world.set_light(file.light);
    TimingsMs timings;
    state_.world.find_pairs(timings);
    return file.bodies.size() - state_.world.bodies().size();
}

bool FileOpener::select_saved(const io::SceneFileSelection& saved) {
    Selection& selection = state_.view.selection;
    selection = {};
    // Held at once: a command would select the bodies of a leaf, too, in the next frame.
    if (saved.node || saved.isolated) parts_.frame.add_bodies_tree();
    const bv::TreeSnapshot* const tree =
        saved.node ? find_tree(parts_.results.trees, saved.node->tree) : nullptr;
    if (tree && !is_leaf_of_another(*tree, saved))
        (void)selection.node.take(parts_.results.trees, saved.node->tree, saved.node->index);
    if (saved.isolated)
        (void)selection.isolated.take(parts_.results.trees, saved.isolated->tree, saved.isolated->index);
    if (saved.ray && *saved.ray < state_.view.pinned_rays.size()) selection.ray = saved.ray;
    selection.bodies.clear();
    std::set<std::uint32_t> known;  // a file can name a body twice
    for (const std::uint32_t id : saved.bodies)
        if (state_.world.find({id}) && known.insert(id).second) selection.bodies.push_back({id});
    if (saved.triangle && selection.primary().valid())
        selection.triangle = TriangleRef{selection.primary(), *saved.triangle};
    const bool has_all =
        selection.bodies.size() == std::set(saved.bodies.begin(), saved.bodies.end()).size() &&
        selection.ray.has_value() == saved.ray.has_value();
    parts_.selector.settle();
    return has_all;
}

}  // namespace lab
