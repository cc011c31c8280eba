// Commands that move the camera.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glm/trigonometric.hpp>

#include "commands/tables.hpp"
#include "session/parts.hpp"
#include "session/session.hpp"
#include "world/world.hpp"

namespace lab::commands {
namespace {

CommandResult camera_orbit(Session& session, CommandArgs args) {
    ArgReader read(args);
    const glm::vec2 turn = glm::radians(read.vec2("an angle"));
    if (read.problem()) return read.problem();
    session.state().view.camera.orbit(turn.x, turn.y);
    return std::nullopt;
}

CommandResult camera_look(Session& session, CommandArgs args) {
    ArgReader read(args);
    const glm::vec2 angles = glm::radians(read.vec2("an angle"));
    const double distance =
        read.more() ? read.number("DISTANCE", 1e-3, 1e6) : session.state().view.camera.distance;
    if (read.problem()) return read.problem();
    Camera& camera = session.state().view.camera;
    camera.yaw_rad = camera.pitch_rad = 0.0f;
    camera.orbit(angles.x, angles.y);
    camera.distance = static_cast<float>(distance);
    return std::nullopt;
}

CommandResult camera_target(Session& session, CommandArgs args) {
    ArgReader read(args);
    const glm::vec3 target = read.vec3("a coordinate");
    if (read.problem()) return read.problem();
    session.state().view.camera.target = target;
    session.state().view.camera.fly({});  // into the range that stays precise
    return std::nullopt;
}

CommandResult camera_place(Session& session, CommandArgs args) {
    ArgReader read(args);
    Camera camera = session.state().view.camera;
    camera.target = read.vec3("a coordinate of the target");
    camera.distance = static_cast<float>(read.number("DISTANCE", 1e-3, 1e6));
    camera.yaw_rad = static_cast<float>(read.number("YAW", -1e3, 1e3));
    camera.pitch_rad = static_cast<float>(read.number("PITCH", -1.6, 1.6));
    camera.framed_aspect = Camera::kAspect;
    if (args.size() > 6)  // a record may have rounded its digits up
        camera.framed_aspect =
            std::min(static_cast<float>(read.number("ASPECT", 0.0, 1.78)), Camera::kAspect);
    if (read.problem()) return read.problem();
    session.state().view.camera = camera;
    return std::nullopt;
}

CommandResult camera_pan(Session& session, CommandArgs args) {
    ArgReader read(args);
    const glm::vec2 delta = read.vec2("a distance in pixels");
    if (read.problem()) return read.problem();
    Camera seen = session.state().view.shown_camera();
    const glm::vec3 from = seen.target;
    seen.pan(delta, session.state().view.rect.size_px);
    session.state().view.camera.target += seen.target - from;
    session.state().view.camera.fly({});  // into the range that stays precise
    return std::nullopt;
}

CommandResult camera_zoom(Session& session, CommandArgs args) {
    ArgReader read(args);
    const double factor = read.number("FACTOR", 1e-3, 1e3);
    if (read.problem()) return read.problem();
    session.state().view.camera.zoom(static_cast<float>(factor));
    return std::nullopt;
}

CommandResult camera_fly(Session& session, CommandArgs args) {
    ArgReader read(args);
    const glm::vec3 delta = read.vec3("a distance");
    if (read.problem()) return read.problem();
    session.state().view.camera.fly(delta);
    return std::nullopt;
}

CommandResult camera_frame(Session& session, CommandArgs args) {
    if (args.size() == 1 && args[0] == "all") {
        session.parts().selector.frame_everything();
        return std::nullopt;
    }
    if (args.size() == 1 && args[0] == "marked") {
        session.state().view.wants_marks_framed = true;
        return std::nullopt;
    }
    if (args.empty()) {
        session.parts().selector.frame_selection();
        return std::nullopt;
    }
    ArgReader read(args);
    std::string problem;
    bv::Aabb box;
    const World& world = session.state().world;
    for (const bv::BodyId id : bodies_or_selected(session, read, problem))
        if (const Body* body = world.find(id)) box = bv::merge(box, world.bodies().fixed_box(*body));
    if (!problem.empty()) return problem;
    session.state().view.camera.frame(box);
    return std::nullopt;
}

CommandResult camera_center(Session& session, CommandArgs args) {
    ArgReader read(args);
    const glm::vec2 pixel = read.vec2("a pixel coordinate");
    if (read.problem()) return read.problem();
    const RayQuery seen =
        session.parts().selector.cast(RayQuery::Kind::Pick, session.state().view.ray_through(pixel));
    if (!seen.hit) return std::nullopt;  // a double-click on nothing leaves the center where it is
    const Camera seen_by = session.state().view.shown_camera();
    const float farther = seen_by.distance / session.state().view.camera.distance;
    const float away = glm::dot(seen.point - seen_by.eye(), seen_by.forward());
    session.state().view.camera.distance = std::max(away / farther, 1e-3f);
    session.state().view.camera.target = seen.point;
    return std::nullopt;
}

CommandResult camera_reset(Session& session, CommandArgs) {
    session.state().view.camera = session.state().view.home;
    return std::nullopt;
}

CommandResult view_size(Session& session, CommandArgs args) {
    ArgReader read(args);
    const auto width = read.integer("WIDTH", 1, 65536);
    const auto height = read.integer("HEIGHT", 1, 65536);
    ViewRect view;
    view.size_px = {static_cast<float>(width), static_cast<float>(height)};
    if (read.more()) {
        view.min_px.x = static_cast<float>(read.number("a pixel coordinate", 0, 65536));
        view.min_px.y = static_cast<float>(read.number("a pixel coordinate", 0, 65536));
    }
    if (read.problem()) return read.problem();
    session.state().view.rect = view;
    return std::nullopt;
}

constexpr std::array kCameraRows = {
    CommandSpec{
        .id = "camera.orbit",
        .usage = "YAW PITCH",
        .help = "Turn about the orbit center, in degrees",
        .category = "View",
        .min_args = 2,
        .max_args = 2,
        .run = camera_orbit,
        .effect = Effect::View,
    },
    CommandSpec{
        .id = "camera.pan",
        .usage = "DX DY",
        .help = "Pan the view by pixels",
        .category = "View",
        .min_args = 2,
        .max_args = 2,
        .run = camera_pan,
        .effect = Effect::View,
    },
    CommandSpec{
        .id = "camera.zoom",
        .usage = "FACTOR",
        .help = "Multiply the distance to the orbit center",
        .category = "View",
        .min_args = 1,
        .max_args = 1,
        .run = camera_zoom,
        .effect = Effect::View,
    },
    CommandSpec{
        .id = "camera.fly",
        .usage = "RIGHT UP FORWARD",
        .help = "Move the camera, in meters",
        .category = "View",
        .min_args = 3,
        .max_args = 3,
        .run = camera_fly,
        .effect = Effect::View,
    },
    CommandSpec{
        .id = "camera.frame",
        .usage = "[all|marked|ID...]",
        .help = "Frame the selection, bodies, what the scene has marked, or everything",
        .category = "View",
        .max_args = -1,
        .run = camera_frame,
        .effect = Effect::View,
        .keys = {{"F", "", "Frame the selection, or everything"}},
        .reads_results = true,
    },
    CommandSpec{
        .id = "camera.center",
        .usage = "X Y",
        .help = "Make the point seen at a pixel the orbit center",
        .category = "View",
        .min_args = 2,
        .max_args = 2,
        .run = camera_center,
        .effect = Effect::View,
    },
    CommandSpec{
        .id = "camera.look",
        .usage = "YAW PITCH [DISTANCE]",
        .help = "Set the camera's angles, in degrees",
        .category = "View",
        .min_args = 2,
        .max_args = 3,
        .run = camera_look,
        .effect = Effect::View,
    },
    CommandSpec{
        .id = "camera.target",
        .usage = "X Y Z",
        .help = "Set the orbit center",
        .category = "View",
        .min_args = 3,
        .max_args = 3,
        .run = camera_target,
        .effect = Effect::View,
    },
    CommandSpec{
        .id = "camera.place",
        .usage = "TX TY TZ DISTANCE YAW PITCH [ASPECT]",
        .help = "Set the whole camera at once: target, distance, angles in radians, and the aspect ratio of "
                "the narrowest view that needs no larger distance",
        .category = "View",
        .min_args = 6,
        .max_args = 7,
        .run = camera_place,
        .effect = Effect::View,
    },
    CommandSpec{
        .id = "camera.reset",
        .help = "Reset the view to the scene's own",
        .category = "View",
        .run = camera_reset,
        .effect = Effect::View,
        .keys = {{"Home", "", "The scene's own view"}},
    },
    CommandSpec{
        .id = "view.size",
        .usage = "WIDTH HEIGHT [X Y]",
        .help = "Set the area of the window that shows the scene, for pick and hover",
        .category = "View",
        .min_args = 2,
        .max_args = 4,
        .run = view_size,
        .effect = Effect::View,
        .needs_scene = false,
        .from_window = true,
    },
};

}  // namespace

std::span<const CommandSpec> camera_commands() {
    return kCameraRows;
}

}  // namespace lab::commands
