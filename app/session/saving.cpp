// Saving the scene and opening it again. A saved scene carries the record of its commands, and opening it
// plays the record to its end: that leads to the same state bit for bit, whatever a scene keeps to itself.
// What the file says about bodies, handles and rays is compared with that; where the record leads elsewhere
// (it was cut, the file was edited by hand, the program has changed), what the file says counts.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/file_kind.hpp"
#include "io/sessions/recording.hpp"
#include "io/sessions/scene_file.hpp"
#include "session/sandbox.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

io::SceneFileCamera saved(const Camera& c) {
    return {c.target, c.distance, c.yaw_rad, c.pitch_rad, c.fov_y_rad};
}

Camera camera_of(const io::SceneFileCamera& c) {
    return {c.target, c.distance, c.yaw_rad, c.pitch_rad, c.fov_y_rad};
}

io::SceneFileBody saved(const Body& body, const MeshLibrary& meshes) {
    const BodyState& state = body.state;
    io::SceneFileBody out;
    out.id = state.id.value;
    out.name = state.name;
    out.mesh = meshes[state.mesh].name;
    out.position = body.position;
    out.orientation = body.orientation;
    out.scale = state.scale;
    out.velocity = state.velocity;
    out.angular_velocity = state.angular_velocity;
    out.motion = id_of(body.motion.kind);
    out.anchor = body.motion.anchor;
    out.fastest = body.motion.fastest;
    out.walked = body.motion.steps;
    out.hidden = state.hidden;
    out.shown = state.shown;
    for (const std::string_view setting : body_settings())
        if (const std::string_view value = own_choice(state.own, setting); !value.empty())
            out.choices.emplace_back(setting, value);
    return out;
}

Body body_of(const io::SceneFileBody& saved, MeshId mesh) {
    Body body;
    body.state.id = {saved.id};
    body.state.name = saved.name;
    body.state.mesh = mesh;
    body.state.scale = saved.scale;
    body.state.velocity = saved.velocity;
    body.state.angular_velocity = saved.angular_velocity;
    body.state.hidden = saved.hidden;
    for (const auto& [setting, value] : saved.choices)
        (void)set_own_choice(body.state.own, setting, value);
    body.state.shown = static_cast<std::uint8_t>(saved.shown);
    body.position = saved.position;
    body.orientation = saved.orientation;
    body.motion = {motion_kind(saved.motion).value_or(MotionKind::Drift), saved.anchor, saved.fastest,
                   saved.walked};
    return body;
}

bool same(const io::SceneFileBody& a, const io::SceneFileBody& b) {
    return a.id == b.id && a.mesh == b.mesh && a.position == b.position && a.orientation == b.orientation &&
           a.scale == b.scale && a.velocity == b.velocity && a.angular_velocity == b.angular_velocity &&
           a.hidden == b.hidden && a.motion == b.motion &&
           std::is_permutation(a.choices.begin(), a.choices.end(), b.choices.begin(), b.choices.end());
}

/// Settings that belong to the scene and not to the window.
bool is_saved(const SettingSpec& spec) {
    return spec.effect != Effect::Outside;
}

}  // namespace

// ---- out

std::vector<std::string> Sandbox::paths_in(const std::string& path, std::vector<std::string> files) {
    if (!path.empty())
        for (std::string& file : files)
            file = io::path_in_file(path, file);
    return files;
}

io::SceneFile Sandbox::saved_scene(const std::string& path) const {
    io::SceneFile out;
    out.scene = scene_spec_->id;
    out.files = timeline_.start().opened;
    for (const SettingSpec& spec : setting_specs())
        if (is_saved(spec) && !settings_.is_default(spec.id))
            out.settings.emplace_back(spec.id, settings_.get_as_text(spec.id));
    out.frame = results_.frame;
    out.steps = results_.steps;
    for (const Body& body : std::as_const(*world_).bodies())
        out.bodies.push_back(saved(body, meshes_));
    for (const Body& body : std::as_const(*world_).bodies()) {
        const MeshEntry& mesh = meshes_[body.state.mesh];
        const bool from_file = std::find(out.files.begin(), out.files.end(), mesh.source) != out.files.end();
        if (mesh.source == MeshLibrary::kGenerated || from_file) continue;
        if (std::find(out.made_meshes.begin(), out.made_meshes.end(), mesh.name) == out.made_meshes.end())
            out.made_meshes.push_back(mesh.name);
    }
    if (!world_->room().is_empty()) out.room = {world_->room().min, world_->room().max};
    out.lamp = world_->lamp();
    for (const Handle& handle : results_.handles)
        out.handles.emplace_back(handle.id, handle.position);
    for (const bv::Ray& ray : pinned_) {
        const bool endless = !(ray.t_max < 1e30f);
        out.rays.push_back({ray.origin, ray.direction, endless ? std::nullopt : std::optional(ray.t_max)});
    }
    out.camera = saved(camera_);
    out.home = saved(scene_camera_);
    out.view = {view_.min_px, view_.size_px};
    out.pointer = hover_px_;
    for (const bv::BodyId id : selection_.bodies)
        out.selection.bodies.push_back(id.value);
    const auto node = [](const TreeNodeRef& ref) { return io::SceneFileNode{ref.tree, ref.node}; };
    if (results_.selected_node) out.selection.node = node(*results_.selected_node);
    if (results_.isolated_node) out.selection.isolated = node(*results_.isolated_node);
    if (selection_.triangle) out.selection.triangle = selection_.triangle->triangle;
    out.selection.ray = selection_.ray;
    out.files = paths_in(path, std::move(out.files));
    if (!timeline_.is_whole()) return out;
    Timeline past = timeline_;
    past.cut();  // what comes later than the moment on show is no part of it
    io::RecordingStart start = past.start();
    start.opened = out.files;
    out.history = io::recording_text(start, past.tape());
    return out;
}

void Sandbox::save_scene(const std::string& path) {
    auto scene = std::make_shared<const io::SceneFile>(saved_scene(path));
    write_file(path, [scene, path, &table = table_]() -> std::optional<io::FileError> {
        // What `open` would refuse is refused here, as long as it can still be changed.
        CommandResult problem = what_is_wrong_with(*scene, path);
        if (!problem && !scene->history.empty()) {
            const io::Result<io::Recording> history = io::parse_recording(scene->history, path);
            problem = history ? what_is_unknown(*history, path, table) : history.error().text();
        }
        if (problem)
            return io::FileError{path, "", "could not be opened again: " + *problem, "Nothing was written"};
        return io::write_scene_file(path, *scene);
    });
}

// ---- in

/// What the file itself shows.
CommandResult Sandbox::what_is_wrong_with(const io::SceneFile& file, const std::string& path) {
    if (!find_scene(file.scene)) return path + ": " + no_scene(file.scene);
    Settings scratch;
    for (const auto& [id, value] : file.settings) {
        if (const auto problem = scratch.set(id, value)) return path + ": " + *problem;
        if (!is_saved(*find_setting(id))) return fmt::format("{}: {} is no setting of a scene", path, id);
    }
    for (const io::SceneFileBody& body : file.bodies) {
        if (!motion_kind(body.motion))
            return fmt::format("{}: body {} moves by '{}'; it is drift, orbit, walk, fall or still", path,
                               body.id, body.motion);
        OwnChoice own;
        for (const auto& [setting, value] : body.choices)
            if (value.empty() || !set_own_choice(own, setting, value))
                return fmt::format("{}: body {} cannot choose {}={}", path, body.id, setting, value);
    }
    return std::nullopt;
}

/// What only the session shows, with the files open that it needs.
CommandResult Sandbox::what_is_missing_for(const io::SceneFile& file, const std::string& path) const {
    for (const io::SceneFileBody& body : file.bodies) {
        const bool made =
            std::find(file.made_meshes.begin(), file.made_meshes.end(), body.mesh) != file.made_meshes.end();
        if (!made && !meshes_.find(body.mesh))
            return fmt::format("{}: body {} is a '{}', but there is no such mesh: `open` its file first",
                               path, body.id, body.mesh);
    }
    return std::nullopt;
}

/// Scenes about opened files show what they showed when they were saved.
void Sandbox::show_only(const std::vector<std::string>& files) {
    OpenedFiles shown;
    for (const std::string& file : files) {
        for (const MeshId id : opened_.meshes)
            if (io::is_same_place(meshes_[id].source, file)) shown.meshes.push_back(id);
        for (const BoxList& list : opened_.box_lists)
            if (io::is_same_place(list.source, file)) shown.box_lists.push_back(list);
        for (const OpenedTree& tree : opened_.trees)
            if (io::is_same_place(tree.source, file)) shown.trees.push_back(tree);
        for (const MeshId id : opened_.voxel_models)
            if (io::is_same_place(meshes_[id].source, file)) shown.voxel_models.push_back(id);
    }
    opened_ = std::move(shown);
}

/// What the file says, over what its record led to, if that was `played` to its end.
void Sandbox::adopt(const io::SceneFile& file, const Settings& own, const std::string& path, bool played) {
    presets_.clear();
    for (const SettingSpec& spec : setting_specs())
        if (is_saved(spec)) (void)settings_.reset(spec.id);
    for (const auto& [id, value] : file.settings)
        (void)settings_.set(id, value);
    for (const SettingSpec& spec : setting_specs())
        if (const std::string now = settings_.get_as_text(spec.id); now != own.get_as_text(spec.id))
            presets_.push_back({spec.id, own.get_as_text(spec.id), now});
    apply_world_settings();
    meter_.restart(settings_);
    camera_ = camera_of(file.camera);
    scene_camera_ = camera_of(file.home);
    hover_px_ = file.pointer;
    pinned_.clear();
    for (const io::SceneFileRay& ray : file.rays) {
        bv::Ray pinned;
        pinned.origin = ray.origin;
        pinned.direction = ray.direction;
        if (ray.t_max) pinned.t_max = *ray.t_max;
        pinned_.push_back(pinned);
    }
    const bool bodies_differ = !played || !has_bodies(file.bodies);
    if (bodies_differ) put_bodies(file);
    const bool handles_differ = put_handles(file);
    find_out();
    select_saved(file.selection);
    holds_still_ = true;
    messages_.info(
        fmt::format("{}: scene {}, {} bodies, step {}", path, file.scene, file.bodies.size(), file.steps));
    if (!bodies_differ && !handles_differ) return join_present(take_view());
    edits_.clear();
    begin_record(recording_start(settings_));
    timeline_.give_up_start();
    messages_.warning(
        fmt::format("{}: everything stands as it was saved, but its record {}: trees were built anew", path,
                    played ? "does not lead there" : "was not replayed to its end"));
}

/// True if any of them stood elsewhere.
bool Sandbox::put_handles(const io::SceneFile& file) {
    find_out();
    bool any = false;
    for (const auto& [id, place] : file.handles)
        for (const Handle& handle : results_.handles)
            if (handle.id == id && handle.position != place) any = true;
    if (!any) return false;
    for (const auto& [id, place] : file.handles)
        (void)drag_handle(id, place);
    return true;
}

bool Sandbox::has_bodies(const std::vector<io::SceneFileBody>& wanted) const {
    const auto bodies = std::as_const(*world_).bodies();
    return std::equal(
        bodies.begin(), bodies.end(), wanted.begin(), wanted.end(),
        [this](const Body& body, const io::SceneFileBody& b) { return same(saved(body, meshes_), b); });
}

void Sandbox::put_bodies(const io::SceneFile& file) {
    world_->remove_all();
    std::size_t lost = 0;
    for (const io::SceneFileBody& saved : file.bodies) {
        const std::optional<MeshId> mesh = meshes_.find(saved.mesh);
        if (!mesh) {
            messages_.warning(
                fmt::format("{} is left out: its mesh '{}' was not made again", saved.name, saved.mesh));
            continue;
        }
        Body body = body_of(saved, *mesh);
        body.state.voxels = meshes_[*mesh].voxels;
        if (!world_->put_back(body)) ++lost;
    }
    if (lost > 0) messages_.warning(fmt::format("{} bodies are too large or too far away to be shown", lost));
    if (file.room) world_->set_room({file.room->first, file.room->second});
    world_->set_lamp(file.lamp);
    TimingsMs timings;
    world_->find_pairs(timings);
}

void Sandbox::select_saved(const io::SceneFileSelection& saved) {
    selection_ = {};
    if (saved.node) (void)select_node(saved.node->tree, saved.node->index);
    if (saved.isolated)
        (void)selection_.isolated.take(results_.trees, saved.isolated->tree, saved.isolated->index);
    if (saved.ray && *saved.ray < pinned_.size()) selection_.ray = saved.ray;
    selection_.bodies.clear();
    for (const std::uint32_t id : saved.bodies)
        if (std::as_const(*world_).find({id})) selection_.bodies.push_back({id});
    if (saved.triangle && selection_.primary().valid())
        selection_.triangle = TriangleRef{selection_.primary(), *saved.triangle};
    settle_selection();
}

}  // namespace lab
