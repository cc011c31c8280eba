// Commands that cast rays.
#include <array>

#include "commands/tables.hpp"
#include "session/editor.hpp"
#include "session/session.hpp"

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
    return session.editor().pin_ray(ray);
}

CommandResult ray_remove(Session& session, CommandArgs args) {
    ArgReader read(args);
    const auto number = read.integer("N", 0, 1000);
    if (read.problem()) return read.problem();
    return session.editor().remove_ray(static_cast<std::uint32_t>(number));
}

CommandResult ray_clear(Session& session, CommandArgs) {
    session.editor().clear_rays();
    return std::nullopt;
}

constexpr std::array kRows = {
    CommandSpec{
        .id = "hover",
        .usage = "X Y|none",
        .help = "Let the ray follow a pixel, as the mouse does",
        .category = "Query",
        .min_args = 1,
        .max_args = 2,
        .run = hover,
        .effect = Effect::View,
    },
    CommandSpec{
        .id = "ray.pin",
        .usage = "X Y|OX OY OZ DX DY DZ",
        .help = "Keep a ray in the scene: through a pixel, or from O along D",
        .category = "Query",
        .min_args = 2,
        .max_args = 6,
        .run = ray_pin,
        .effect = Effect::View,
    },
    CommandSpec{
        .id = "ray.remove",
        .usage = "N",
        .help = "Remove a pinned ray, counted from 0",
        .category = "Query",
        .min_args = 1,
        .max_args = 1,
        .run = ray_remove,
        .effect = Effect::View,
    },
    CommandSpec{
        .id = "ray.clear",
        .help = "Remove the pinned rays",
        .category = "Query",
        .run = ray_clear,
        .effect = Effect::View,
    },
};

}  // namespace

std::span<const CommandSpec> query_commands() {
    return kRows;
}

}  // namespace lab::commands
