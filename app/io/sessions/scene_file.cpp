#include "io/sessions/scene_file.hpp"

#include <algorithm>
#include <cmath>
#include <glm/vector_relational.hpp>

#include "io/atomic_file.hpp"
#include "io/file_kind.hpp"
#include "io/json_reader.hpp"
#include "io/limits.hpp"
#include "io/text/counted.hpp"
#include "io/text/printable.hpp"

namespace lab::io {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "bounding volume lab scene";
constexpr std::uint32_t kSceneVersion = 1;
constexpr const char* kSceneAdvice = "Nothing was changed. Correct the file, or save the scene again";

// ---- out

Json json_of(const glm::vec2& v) {
    return Json::array({v.x, v.y});
}
Json json_of(const glm::vec3& v) {
    return Json::array({v.x, v.y, v.z});
}
Json json_of(const SettingTexts& settings) {
    Json json = Json::object();
    for (const auto& [name, value] : settings)
        json[name] = value;
    return json;
}
Json json_of(const SceneFileCamera& c) {
    return {{"target", json_of(c.target)}, {"distance", c.distance},   {"yaw_rad", c.yaw_rad},
            {"pitch_rad", c.pitch_rad},    {"fov_y_rad", c.fov_y_rad}, {"framed_aspect", c.framed_aspect}};
}
Json json_of(const SceneFileView& v) {
    return {{"min", json_of(v.min)}, {"size", json_of(v.size)}};
}
Json json_of(const SceneFileBody& b) {
    const glm::quat& q = b.orientation;
    Json json = {{"id", b.id},
                 {"name", b.name},
                 {"mesh", b.mesh},
                 {"position", json_of(b.position)},
                 {"orientation_wxyz", Json::array({q.w, q.x, q.y, q.z})},
                 {"scale", b.scale},
                 {"velocity", json_of(b.velocity)},
                 {"angular_velocity", json_of(b.angular_velocity)},
                 {"motion", b.motion},
                 {"anchor", json_of(b.anchor)},
                 {"fastest", b.fastest},
                 {"walked", b.walked},
                 {"hidden", b.hidden},
                 {"shown", b.shown}};
    if (!b.choices.empty()) json["choices"] = json_of(b.choices);
    return json;
}
Json json_of(const SceneFileRay& r) {
    Json json = {{"origin", json_of(r.origin)}, {"direction", json_of(r.direction)}};
    if (r.t_max) json["t_max"] = *r.t_max;
    return json;
}
Json json_of(const SceneFileNode& n) {
    return {{"tree", n.tree}, {"index", n.index}};
}
template <class T>
Json json_of(const std::vector<T>& list) {
    Json json = Json::array();
    for (const T& item : list)
        json.push_back(json_of(item));
    return json;
}
Json json_of(const SceneFileSelection& s) {
    Json json = {{"bodies", s.bodies}};
    if (s.node) json["node"] = json_of(*s.node);
    if (s.isolated) json["isolated"] = json_of(*s.isolated);
    if (s.triangle) json["triangle"] = *s.triangle;
    if (s.ray) json["ray"] = *s.ray;
    return json;
}

// ---- in

SettingTexts settings_in(const JsonReader& json) {
    SettingTexts settings;
    for (const auto& [name, value] : json.members(limits::kSettings))
        settings.emplace_back(name, value.text());
    return settings;
}
SceneFileCamera camera_in(const JsonReader& json) {
    json.expect_only({"target", "distance", "yaw_rad", "pitch_rad", "fov_y_rad", "framed_aspect"});
    SceneFileCamera c;
    c.target = json.at("target").vec3();
    c.distance = json.at("distance").real(limits::kNearestCamera, limits::kFarthestCamera);
    c.yaw_rad = json.at("yaw_rad").real(-limits::kCameraYaw, limits::kCameraYaw);
    c.pitch_rad = json.at("pitch_rad").real(-limits::kCameraPitch, limits::kCameraPitch);
    c.fov_y_rad = json.at("fov_y_rad").real(0.01, 3.0);
    if (json.has("framed_aspect"))
        c.framed_aspect = json.at("framed_aspect").real(0.0, limits::kFramedAspect);
    return c;
}
SceneFileView view_in(const JsonReader& json) {
    json.expect_only({"min", "size"});
    SceneFileView v;
    v.min = json.at("min").vec2();
    v.size = json.at("size").vec2();
    if (!(v.size.x >= 1.0f && v.size.y >= 1.0f)) json.refuse("should have a size of at least one pixel");
    return v;
}
SceneFileBody body_in(const JsonReader& json) {
    json.expect_only({"id", "name", "mesh", "position", "orientation_wxyz", "scale", "velocity",
                      "angular_velocity", "motion", "anchor", "fastest", "walked", "hidden", "shown",
                      "choices"});
    SceneFileBody b;
    b.id = json.at("id").whole32();
    if (b.id == 0 || b.id > limits::kBodyId) json.refuse("needs an id from 1 to " + grouped(limits::kBodyId));
    b.name = json.at("name").name();
    b.mesh = json.at("mesh").name();
    b.position = json.at("position").vec3(limits::kFarthestBody);
    const std::vector<JsonReader> q = json.at("orientation_wxyz").items(4);
    if (q.size() != 4) {
        json.refuse("needs four numbers of its orientation");
        return b;
    }
    b.orientation = glm::quat(q[0].real(), q[1].real(), q[2].real(), q[3].real());
    const float length = glm::length(b.orientation);
    if (!(std::abs(length - 1.0f) < 1e-3f)) json.refuse("needs an orientation of length 1");
    b.scale = json.at("scale").real(limits::kSmallestScale, limits::kLargestScale);
    b.velocity = json.at("velocity").vec3(limits::kFarthestBody);
    b.angular_velocity = json.at("angular_velocity").vec3(limits::kFarthestBody);
    b.motion = json.at("motion").name();
    b.anchor = json.at("anchor").vec3(limits::kFarthestBody);
    b.fastest = json.at("fastest").real(0.0, 1e6);
    b.walked = json.at("walked").whole32();
    b.hidden = json.at("hidden").flag();
    b.shown = json.at("shown").whole32(0xff);
    if (json.has("choices")) b.choices = settings_in(json.at("choices"));
    return b;
}
SceneFileRay ray_in(const JsonReader& json) {
    json.expect_only({"origin", "direction", "t_max"});
    SceneFileRay r;
    r.origin = json.at("origin").vec3();
    r.direction = json.at("direction").vec3();
    if (r.direction == glm::vec3(0.0f)) json.refuse("needs a direction other than 0 0 0");
    if (json.has("t_max")) r.t_max = json.at("t_max").real(0.0, 1e30);
    return r;
}
SceneFileNode node_in(const JsonReader& json) {
    json.expect_only({"tree", "index"});
    return {json.at("tree").name(), json.at("index").whole32()};
}
SceneFileSelection selection_in(const JsonReader& json) {
    json.expect_only({"bodies", "node", "isolated", "triangle", "ray"});
    SceneFileSelection s;
    for (const JsonReader& id : json.at("bodies").items(limits::kBodies))
        s.bodies.push_back(id.whole32());
    if (json.has("node")) s.node = node_in(json.at("node"));
    if (json.has("isolated")) s.isolated = node_in(json.at("isolated"));
    if (json.has("triangle")) s.triangle = json.at("triangle").whole32();
    if (json.has("ray")) s.ray = json.at("ray").whole32();
    return s;
}

void state_in(const JsonReader& json, SceneFile& scene) {
    json.expect_only({"frame", "steps", "seed", "bodies", "room", "lamp", "handles", "rays"});
    scene.frame = json.at("frame").whole(limits::kSteps);
    scene.steps = json.at("steps").whole(limits::kSteps);
    if (json.has("seed")) scene.seed = json.at("seed").whole32(0x7fffffff);
    const std::vector<JsonReader> bodies = json.at("bodies").items(limits::kBodies);
    std::uint32_t last = 0;
    for (const JsonReader& item : bodies) {
        if (!item.good()) return;
        scene.bodies.push_back(body_in(item));
        if (scene.bodies.back().id <= last) item.refuse("needs an id larger than that of the body before it");
        last = scene.bodies.back().id;
    }
    if (json.has("room")) {
        const JsonReader arena = json.at("room");
        arena.expect_only({"min", "max"});
        scene.arena = {arena.at("min").vec3(limits::kFarthestBody),
                       arena.at("max").vec3(limits::kFarthestBody)};
        if (!glm::all(glm::lessThanEqual(scene.arena->first, scene.arena->second)))
            arena.refuse("has a min above its max");
    }
    if (json.has("lamp")) scene.light = json.at("lamp").vec3(limits::kFarthestBody);
    for (const auto& [id, place] : json.at("handles").members(limits::kHandles))
        scene.handles.emplace_back(id, place.vec3());
    for (const JsonReader& ray : json.at("rays").items(limits::kRays))
        scene.rays.push_back(ray_in(ray));
}

void look_in(const JsonReader& json, SceneFile& scene) {
    json.expect_only({"camera", "home", "view", "pointer", "selection"});
    scene.camera = camera_in(json.at("camera"));
    scene.home = camera_in(json.at("home"));
    scene.view = view_in(json.at("view"));
    if (json.has("pointer")) scene.pointer = json.at("pointer").vec2();
    scene.selection = selection_in(json.at("selection"));
}

/// The path of a file that the scene needs.
std::string file_in(const JsonReader& json) {
    std::string path = json.text();
    if (!may_be_needed(path)) json.refuse("is \"" + path + "\": " + kNotNeededWhy);
    return path;
}

/// The recording, a line of it for each item of the list.
std::string history_in(const JsonReader& json) {
    std::string text;
    for (const JsonReader& line : json.items(limits::kRecordedEntries)) {
        if (!line.good()) return {};
        text += line.text(limits::kLineBytes) + "\n";
    }
    return text;
}

Json lines_of(std::string_view text) {
    Json lines = Json::array();
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(std::string(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace

std::string scene_file_text(const SceneFile& s) {
    Json json;
    json["format"] = kFormat;
    json["version"] = kSceneVersion;
    json["scene"] = s.scene;
    json["files"] = s.files;
    for (const NamedMesh& mesh : s.meshes)
        json["meshes"].push_back({{"name", mesh.name}, {"file", mesh.file}});
    json["made_meshes"] = s.made_meshes;
    json["settings"] = json_of(s.settings);
    Json& look = json["look"];
    look = {{"camera", json_of(s.camera)}, {"home", json_of(s.home)}, {"view", json_of(s.view)}};
    if (s.pointer) look["pointer"] = json_of(*s.pointer);
    look["selection"] = json_of(s.selection);
    Json& state = json["state"];
    state = {{"frame", s.frame}, {"steps", s.steps}};
    if (s.seed) state["seed"] = *s.seed;
    if (s.arena) state["room"] = {{"min", json_of(s.arena->first)}, {"max", json_of(s.arena->second)}};
    if (s.light) state["lamp"] = json_of(*s.light);
    state["handles"] = Json::object();
    for (const auto& [id, place] : s.handles)
        state["handles"][id] = json_of(place);
    state["rays"] = json_of(s.rays);
    state["bodies"] = json_of(s.bodies);
    json["history"] = lines_of(s.history);
    return json.dump(1) + "\n";
}

Result<SceneFile> parse_scene_file(std::string_view text, const std::string& path) {
    const Result<nlohmann::json> parsed = parse_json(text, path);
    if (!parsed) {
        FileError error = parsed.error();
        if (error.advice.empty()) error.advice = kSceneAdvice;
        return error;
    }
    std::optional<std::string> problem;
    const JsonReader json(*parsed, "the file", problem);
    if (!json.has("format") || json.at("format").text() != kFormat)
        return FileError{path, "", "is not a scene saved by this program",
                         "A scene is written by `save FILE.json`"};
    SceneFile scene;
    if (json.at("version").whole32() != kSceneVersion)
        return FileError{path, "", "uses another version of this format", "Save it again with this program"};
    json.expect_only({"format", "version", "scene", "files", "meshes", "made_meshes", "settings", "look",
                      "state", "history"});
    scene.scene = json.at("scene").name();
    for (const JsonReader& file : json.at("files").items(limits::kFiles))
        scene.files.push_back(file_in(file));
    if (json.has("meshes"))
        for (const JsonReader& mesh : json.at("meshes").items(limits::kFiles)) {
            mesh.expect_only({"name", "file"});
            scene.meshes.push_back({mesh.at("name").name(), file_in(mesh.at("file"))});
        }
    if (json.has("made_meshes"))
        for (const JsonReader& name : json.at("made_meshes").items(limits::kBodies))
            scene.made_meshes.push_back(name.name());
    scene.settings = settings_in(json.at("settings"));
    look_in(json.at("look"), scene);
    state_in(json.at("state"), scene);
    if (json.has("history")) scene.history = history_in(json.at("history"));
    if (problem) return FileError{path, "", *problem, kSceneAdvice};
    return scene;
}

Result<SceneFile> read_scene_file(const std::filesystem::path& path) {
    const Result<std::string> bytes = read_whole_file(path, limits::kSceneBytes);
    if (!bytes) return bytes.error();
    return parse_scene_file(*bytes, path.string());
}

Result<std::string> checked_scene_text(const SceneFile& scene, const std::string& path) {
    constexpr const char* kNothingWritten = "Nothing was written. Rename what it names, or remove it";
    for (const auto* list : {&scene.files, &scene.made_meshes})
        for (const std::string& name : *list)
            if (!is_valid_utf8(name))
                return FileError{path, "",
                                 "the name \"" + printable(name) + "\" is not UTF-8 and cannot be saved",
                                 kNothingWritten};
    std::string text;
    try {
        text = scene_file_text(scene);
    } catch (const Json::exception&) {
        return FileError{path, "", "a text in this scene is not UTF-8 and cannot be saved", kNothingWritten};
    }
    if (text.size() > limits::kSceneBytes)
        return FileError{path, "",
                         "would have " + std::to_string(text.size()) + " bytes and could not be opened again",
                         "Nothing was written. Remove some bodies, or `restart` the scene"};
    const Result<SceneFile> again = parse_scene_file(text, path);
    if (!again)
        return FileError{
            path, again.error().where, "could not be opened again: " + again.error().what,
            "Nothing was written. Change or remove what the error names, or `restart` the scene"};
    return text;
}

std::optional<FileError> write_scene_file(const std::filesystem::path& path, const SceneFile& scene) {
    const Result<std::string> text = checked_scene_text(scene, path.string());
    return text ? write_file_atomically(path, *text) : text.error();
}

}  // namespace lab::io
