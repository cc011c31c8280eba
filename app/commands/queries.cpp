// Commands that cast rays.
#include <algorithm>
#include <array>
#include <glm/geometric.hpp>

#include "commands/tables.hpp"
#include "results/probe_settings.hpp"
#include "session/parts.hpp"
#include "session/session.hpp"
#include "view/picking.hpp"
#include "view/probe.hpp"

namespace lab::commands {
namespace {

CommandResult hover(Session& session, CommandArgs args) {
    if (args.size() == 1 && args[0] == "none") {
        session.state().view.hover_px = std::nullopt;
        return std::nullopt;
    }
    ArgReader read(args);
    const glm::vec2 pixel = read.vec2("a pixel coordinate");
    if (read.problem()) return read.problem();
    session.state().view.hover_px = pixel;
    return std::nullopt;
}

CommandResult ray_pin(Session& session, CommandArgs args) {
    ArgReader read(args);
    bv::Ray ray;
    if (args.size() == 2) {
        ray = session.state().view.ray_through(read.vec2("a pixel coordinate"));
    } else {
        ray.origin = read.vec3("a coordinate of the origin");
        ray.direction = read.vec3("a coordinate of the direction");
    }
    if (read.problem()) return read.problem();
    if (ray.direction == glm::vec3(0.0f)) return "a ray needs a direction other than 0 0 0";
    return session.parts().editor.pin_ray(ray);
}

CommandResult ray_remove(Session& session, CommandArgs args) {
    ArgReader read(args);
    const auto number = read.integer("N", 0, 1000);
    if (read.problem()) return read.problem();
    return session.parts().editor.remove_ray(static_cast<std::uint32_t>(number));
}

CommandResult ray_clear(Session& session, CommandArgs) {
    session.parts().editor.clear_rays();
    return std::nullopt;
}

/// A probe that is placed while it is off starts as a probe of points.
CommandResult place_probe(Session& session, const glm::vec3& at) {
    session.parts().frame.update_before_first();
    Settings& settings = session.state().settings;
    session.state().edits.touch_settings(settings);
    if (!probe_of(settings)) settings.assign(kProbeKind, ProbeKind::ClosestPoint);
    drag_probe(settings, session.results(), kProbeHandle, at);
    return std::nullopt;
}

CommandResult probe(Session& session, CommandArgs args) {
    ArgReader read(args);
    const glm::vec3 at = read.vec3("a coordinate");
    if (read.problem()) return read.problem();
    return place_probe(session, at);
}

CommandResult probe_pixel(Session& session, CommandArgs args) {
    ArgReader read(args);
    const bv::Ray ray = session.state().view.ray_through(read.vec2("a pixel coordinate"));
    if (read.problem()) return read.problem();
    const RayQuery seen = cast_ray(session.state().world, RayQuery::Kind::Pick, ray);
    if (seen.hit) return place_probe(session, seen.point);
    return place_probe(session, ray.at(session.state().view.shown_camera().distance /
                                       std::max(glm::length(ray.direction), 1e-6f)));
}

CommandResult probe_aim(Session& session, CommandArgs args) {
    ArgReader read(args);
    const glm::vec3 aim = read.vec3("a coordinate");
    if (read.problem()) return read.problem();
    session.parts().frame.update_before_first();
    session.state().edits.touch_settings(session.state().settings);
    drag_probe(session.state().settings, session.results(), kProbeAimHandle, aim);
    return std::nullopt;
}

constexpr std::array kQueryRows = {
    CommandSpec{
        .id = "hover",
        .usage = "X Y|none",
        .help = "Cast the ray through a pixel, as the mouse does",
        .category = "Query",
        .min_args = 1,
        .max_args = 2,
        .run = hover,
        .effect = Effect::View,
        .from_window = true,
    },
    CommandSpec{
        .id = "ray.pin",
        .usage = "X Y|OX OY OZ DX DY DZ",
        .help = "Pin a ray: through a pixel, or from O along D",
        .edit = "Pin a ray",
        .category = "Query",
        .min_args = 2,
        .max_args = 6,
        .run = ray_pin,
        .effect = Effect::View,
    },
    CommandSpec{
        .id = "ray.remove",
        .usage = "N",
        .help = "Remove a pinned ray; numbers start at 0",
        .edit = "Remove a pinned ray",
        .category = "Query",
        .min_args = 1,
        .max_args = 1,
        .run = ray_remove,
        .effect = Effect::View,
    },
    CommandSpec{
        .id = "ray.clear",
        .help = "Remove all pinned rays",
        .edit = "Remove all pinned rays",
        .category = "Query",
        .run = ray_clear,
        .effect = Effect::View,
    },
    CommandSpec{
        .id = "probe",
        .usage = "X Y Z",
        .help = "Place the probe",
        .edit = "Place the probe",
        .category = "Query",
        .min_args = 3,
        .max_args = 3,
        .run = probe,
        .effect = Effect::View,
        .reads_results = true,
    },
    CommandSpec{
        .id = "probe.aim",
        .usage = "X Y Z",
        .help = "Aim the probe at a point",
        .edit = "Aim the probe",
        .category = "Query",
        .min_args = 3,
        .max_args = 3,
        .run = probe_aim,
        .effect = Effect::View,
        .reads_results = true,
    },
    CommandSpec{
        .id = "probe.pixel",
        .usage = "X Y",
        .help = "Place the probe at the point seen at a pixel",
        .edit = "Place the probe",
        .category = "Query",
        .min_args = 2,
        .max_args = 2,
        .run = probe_pixel,
        .effect = Effect::View,
        .reads_results = true,
    },
};

}  // namespace

std::span<const CommandSpec> query_commands() {
    return kQueryRows;
}

}  // namespace lab::commands
