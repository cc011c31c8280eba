// Commands that cast rays.
#include <array>

#include "commands/tables.hpp"
#include "session/sandbox.hpp"

namespace lab::commands {
namespace {

CommandResult hover(Sandbox& sandbox, CommandArgs args) {
    if (args.size() == 1 && args[0] == "none") {
        sandbox.set_hover(std::nullopt);
        return std::nullopt;
    }
    ArgReader read(args);
    const glm::vec2 pixel = read.vec2("a pixel coordinate");
    if (read.problem()) return read.problem();
    sandbox.set_hover(pixel);
    return std::nullopt;
}

CommandResult ray_pin(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    bv::Ray ray;
    if (args.size() == 2) {
        ray = sandbox.ray_through(read.vec2("a pixel coordinate"));
    } else {
        ray.origin = read.vec3("a coordinate of the origin");
        ray.direction = read.vec3("a coordinate of the direction");
    }
    if (read.problem()) return read.problem();
    if (ray.direction == glm::vec3(0.0f)) return "a ray needs a direction other than 0 0 0";
    return sandbox.pin_ray(ray);
}

CommandResult ray_remove(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const auto number = read.integer("N", 0, 1000);
    if (read.problem()) return read.problem();
    return sandbox.remove_ray(static_cast<std::uint32_t>(number));
}

CommandResult ray_clear(Sandbox& sandbox, CommandArgs) {
    sandbox.clear_pinned_rays();
    return std::nullopt;
}

constexpr std::array kRows = {
    CommandSpec{"hover", "X Y|none", "Let the ray follow a pixel, as the mouse does", "Query", 1, 2, hover},
    CommandSpec{"ray.pin", "X Y|OX OY OZ DX DY DZ",
                "Keep a ray in the scene: through a pixel, or from O along D", "Query", 2, 6, ray_pin},
    CommandSpec{"ray.remove", "N", "Remove a pinned ray, counted from 0", "Query", 1, 1, ray_remove},
    CommandSpec{"ray.clear", "", "Remove the pinned rays", "Query", 0, 0, ray_clear},
};

}  // namespace

std::span<const CommandSpec> query_commands() {
    return kRows;
}

}  // namespace lab::commands
