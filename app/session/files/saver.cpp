#include "session/files/saver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "io/atomic_file.hpp"
#include "io/file_kind.hpp"
#include "io/sessions/packed_text.hpp"
#include "io/sessions/recording.hpp"
#include "io/text/counted.hpp"
#include "session/files/scene_conversion.hpp"
#include "session/parts.hpp"
#include "settings/program.hpp"

namespace lab {
namespace {

/// Mail programs and chats cut longer ones.
constexpr std::size_t kMaxLink = 8000;

/// Why `open` would refuse the scene, while it can still be changed; nothing if it would not.
std::optional<io::FileError> refusal_of(const io::SceneFile& scene, const std::string& path,
                                        const CommandTable& table) {
    CommandResult problem = FileOpener::problem_of(scene, path);
    if (!problem && !scene.history.empty()) {
        const io::Result<io::Recording> history = io::parse_recording(scene.history, path);
        problem = history ? FileOpener::problem_of(*history, path, table) : history.error().text();
    }
    if (!problem) return std::nullopt;
    if (problem->ends_with('.')) problem->pop_back();  // the message goes on
    return io::FileError{path, "", "could not be opened again: " + *problem, "Nothing was written"};
}

}  // namespace

void place_in(const std::string& path, std::vector<std::string>& files, std::vector<io::NamedMesh>& meshes) {
    if (path.empty()) return;
    for (std::string& file : files)
        file = io::path_in_file(path, file);
    for (io::NamedMesh& mesh : meshes)
        mesh.file = io::path_in_file(path, mesh.file);
}

std::optional<io::FileError> refusal_to_replace(const std::string& path,
                                                const std::vector<std::string>& files,
                                                const std::vector<io::NamedMesh>& meshes) {
    const auto is_there = [&](const std::string& file) {
        return io::is_same_file(io::path_from_file(path, file), path);
    };
    if (std::none_of(files.begin(), files.end(), is_there) &&
        std::none_of(meshes.begin(), meshes.end(),
                     [&](const io::NamedMesh& mesh) { return is_there(mesh.file); }))
        return std::nullopt;
    return io::FileError{path, "", "is a file that must be there when this is opened again",
                         "Choose another name; nothing was written"};
}

bool Saver::is_of_file(MeshId mesh) const {
    const auto& files = parts_.opened.mesh_files;
    const std::string& source = parts_.meshes[mesh].source;
    return std::any_of(files.begin(), files.end(), [&](const HeldFile& f) { return f.source == source; }) &&
           parts_.meshes.find_file(source) == mesh;
}

void Saver::name_meshes(io::RecordingStart& start, const std::vector<io::RecordingEntry>& entries) const {
    const auto is_used = [&](MeshId id) {
        const SessionState& state = parts_.state;
        const std::string& name = parts_.meshes[id].name;
        const auto is_it = [&](const auto& setting) { return setting.second == name; };
        const auto& rows = state.settings.catalog().rows();
        return std::any_of(state.world.bodies().begin(), state.world.bodies().end(),
                           [&](const Body& body) { return body.state.mesh == id; }) ||
               std::any_of(
                   rows.begin(), rows.end(),
                   [&](const SettingSpec* row) { return state.settings.get_as_text(*row) == name; }) ||
               std::any_of(start.before.begin(), start.before.end(), is_it) ||
               std::any_of(start.after.begin(), start.after.end(), is_it) ||
               std::any_of(entries.begin(), entries.end(), [&](const io::RecordingEntry& entry) {
                   return entry.line.find(name) != std::string::npos;
               });
    };
    const auto named = [&](MeshId id) {
        return io::NamedMesh{parts_.meshes[id].name, parts_.meshes[id].source};
    };
    start.meshes.clear();
    std::vector<MeshId> shown;
    for (const std::string& file : start.opened)
        if (const std::optional<MeshId> mesh = parts_.meshes.find_file(file)) shown.push_back(*mesh);
    const MeshLibrary::Names fresh = parts_.meshes.fresh_names(shown);
    if (std::any_of(fresh.begin(), fresh.end(),
                    [&](const auto& f) { return parts_.meshes[f.first].name != f.second; }))
        for (const MeshId mesh : shown)
            start.meshes.push_back(named(mesh));
    for (std::uint32_t i = 0; i < parts_.meshes.size(); ++i)
        if (std::find(shown.begin(), shown.end(), MeshId{i}) == shown.end() && is_of_file({i}) &&
            is_used({i}))
            start.meshes.push_back(named({i}));
}

io::SceneFile Saver::saved_scene(const std::string& path) const {
    const SessionState& state = parts_.state;
    const FrameResults& results = parts_.results;
    const Timeline record = parts_.recorder.record_until_now();
    io::RecordingStart start = record.start();
    name_meshes(start, record.is_whole() ? record.tape() : std::vector<io::RecordingEntry>());
    io::SceneFile out;
    out.scene = state.scene.spec->id;
    out.files = start.opened;
    out.meshes = start.meshes;
    for (const SettingSpec* row : state.settings.catalog().rows())
        if (is_saved(*row) && !state.settings.is_default(*row))
            out.settings.emplace_back(row->id, state.settings.get_as_text(*row));
    out.frame = results.frame;
    out.steps = results.steps;
    if (state.scene.seed != static_cast<std::uint64_t>(state.settings[kWorldSeed]))
        out.seed = static_cast<std::uint32_t>(state.scene.seed);
    std::unordered_set<std::string_view> made;
    for (const Body& body : state.world.bodies()) {
        const MeshEntry& mesh = parts_.meshes[body.state.mesh];
        const bool is_made = mesh.source != MeshLibrary::kGenerated && !is_of_file(body.state.mesh);
        if (is_made && !record.is_whole()) continue;  // nothing would make it again
        out.bodies.push_back(saved(body, parts_.meshes));
        if (is_made && made.insert(mesh.name).second) out.made_meshes.push_back(mesh.name);
    }
    const bv::Aabb& arena = state.world.arena();
    if (!arena.is_empty()) out.arena = {arena.min, arena.max};
    out.light = state.world.light();
    for (const Handle& handle : results.handles)
        out.handles.emplace_back(handle.id, handle.position);
    const View& view = state.view;
    for (const bv::Ray& ray : view.pinned_rays)
        out.rays.push_back(saved(ray));
    out.camera = saved(view.camera);
    out.home = saved(view.home);
    out.view = {view.rect.min_px, view.rect.size_px};
    out.pointer = view.hover_px;
    std::unordered_set<std::uint32_t> written;
    for (const io::SceneFileBody& body : out.bodies)
        written.insert(body.id);
    for (const bv::BodyId id : view.selection.bodies)
        if (written.contains(id.value)) out.selection.bodies.push_back(id.value);
    const auto node = [](const TreeNodeRef& ref) { return io::SceneFileNode{ref.tree, ref.node}; };
    if (results.selected_node) out.selection.node = node(*results.selected_node);
    if (results.isolated_node) out.selection.isolated = node(*results.isolated_node);
    const std::optional<TriangleRef>& triangle = view.selection.triangle;
    if (triangle && view.selection.contains(triangle->body)) out.selection.triangle = triangle->triangle;
    out.selection.ray = view.selection.ray;
    place_in(path, out.files, out.meshes);
    if (!record.is_whole()) return out;
    start.opened = out.files;
    start.meshes.clear();  // the scene names them
    out.history = io::recording_text(start, record.tape());
    return out;
}

io::Result<std::string> Saver::link(std::string_view also) const {
    const auto refuse = [](std::string why, std::string_view with = {}) {
        return io::FileError{"", "", std::move(why),
                             fmt::format("Use `save FILE.json` and share the file{}", with)};
    };
    if (shows_engine())
        return io::FileError{
            "", "", "a link cannot contain frames from an engine",
            "Save them with `save.capture FILE.bvcap`, `open` that file, then save the scene "
            "with `save FILE.json` and share both files"};
    io::SceneFile scene = saved_scene();
    if (scene.history.empty())
        return refuse("a link cannot reproduce this: not all that led to this scene is still recorded");
    if (!scene.files.empty() || !scene.meshes.empty())
        return refuse("a link cannot contain the opened files that this scene shows", " together with them");
    // The record leads to them.
    scene.bodies.clear();
    scene.handles.clear();
    scene.made_meshes.clear();
    if (std::optional<io::FileError> refusal = refusal_of(scene, "the link", parts_.table)) return *refusal;
    const io::Result<std::string> text = io::checked_scene_text(scene, "the link");
    if (!text) return text.error();
    std::string link = "#saved=" + io::pack_text(*text);
    if (parts_.state.settings[kSimPaused]) link += "&run=pause";  // not part of a saved scene
    link += also;
    if (link.size() > kMaxLink)
        return refuse(fmt::format("the link would have {} characters; many programs accept only {}",
                                  link.size(), kMaxLink));
    return link;
}

void Saver::save_capture(const std::string& path) {
    const auto& captures = parts_.opened.captures;
    if (captures.empty()) {
        write_file(path, [path] {
            return io::FileError{path, "", "there is no capture to save",
                                 "`open` one, or `listen` for an engine"};
        });
        return;
    }
    // A separate reader: the other one may grow meanwhile.
    auto file = std::make_shared<const io::CaptureFile>(captures.back().file->another());
    write_file(path, [path, file] { return file->save(path); });
}

/// True if the scene shows a capture from an engine, which is in no file: without it, the scene shows a
/// different capture, or a sample.
bool Saver::shows_engine() const {
    const SceneSpec& scene = *parts_.state.scene.spec;
    const auto& captures = parts_.opened.captures;
    const bool shows_own = scene.own_example && parts_.state.settings[*scene.own_example];
    return scene.shows == io::FileKind::Capture && !shows_own && !captures.empty() &&
           captures.back().is_from_engine();
}

void Saver::warn_of_engine(std::string_view what) {
    if (shows_engine())
        parts_.messages.warning(
            fmt::format("Frames from an engine are not part of {}. Save them with `save.capture FILE.bvcap`, "
                        "`open` that file, then save again",
                        what));
}

void Saver::save_scene(const std::string& path) {
    warn_of_engine("a saved scene");
    auto scene = std::make_shared<const io::SceneFile>(saved_scene(path));
    if (const std::size_t lost = parts_.state.world.bodies().size() - scene->bodies.size(); lost > 0)
        parts_.messages.warning(fmt::format(
            "{}: {} not saved: {} in no file, and the record that made {} has ended. Save the scene in which "
            "they were made",
            path, io::counted(lost, "body is", "bodies are"),
            io::plural(lost, "its mesh is", "their meshes are"), io::plural(lost, "it", "them")));
    write_file(path, [scene, path, &table = parts_.table]() -> std::optional<io::FileError> {
        if (auto refusal = refusal_to_replace(path, scene->files, scene->meshes)) return refusal;
        if (std::optional<io::FileError> refusal = refusal_of(*scene, path, table)) return refusal;
        return io::write_scene_file(path, *scene);
    });
}

void Saver::write_file(const std::string& path, std::function<std::optional<io::FileError>()> write) {
    auto error = std::make_shared<std::optional<io::FileError>>();
    JobSpec job;
    job.title = name_of(path);
    job.writes = true;
    job.work = [error, write = std::move(write)](const JobControl& control) {
        if (control.report(0.0f, "writing")) *error = write();
    };
    job.end = [this, error, path](JobEnd end, std::string_view why) {
        if (end == JobEnd::Cancelled) {
            failed_.push_back(path);
            return parts_.messages.info(fmt::format("{}: writing was canceled", path));
        }
        if (end == JobEnd::Done && !*error) return parts_.messages.info(fmt::format("{} was written", path));
        failed_.push_back(path);
        ++parts_.file_problems;
        parts_.messages.error(*error ? (*error)->text() : fmt::format("{}: {}", path, why));
    };
    parts_.jobs.start(std::move(job));
}

void Saver::refuse(const io::FileError& why) {
    ++parts_.file_problems;
    parts_.messages.error(why.text());
}

void Saver::finish() {
    parts_.recorder.write_due();
    parts_.jobs.finish_writing();
}

}  // namespace lab
