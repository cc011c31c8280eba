#include "panels/menus/menus.hpp"

#include <fmt/format.h>

#include <array>

#include "commands/catalog.hpp"
#include "settings/draw.hpp"
#include "settings/program.hpp"

namespace lab::panels {
namespace {

constexpr std::array<std::string_view, 6> kMenus = {"File", "Edit", "View", "Scene", "Simulation", "Help"};

constexpr std::array kItems = {
    MenuItem{.menu = "File", .label = "Open a file...", .command = "open "},
    MenuItem{.menu = "File", .label = "Listen to an engine", .command = "listen", .needs = Needs::Desktop},
    MenuItem{.menu = "File", .label = "Save the scene...", .command = "save "},
    MenuItem{.menu = "File", .label = "Save the picture", .command = "screenshot"},
    MenuItem{.menu = "File", .label = "Save the report", .command = "report"},
    MenuItem{.menu = "File", .label = "Save the recording", .command = "record.save"},
    MenuItem{.menu = "File", .label = "Copy a link", .command = "link.copy"},
    MenuItem{.menu = "File", .needs = Needs::Desktop},
    MenuItem{.menu = "File", .label = "Quit", .command = "quit", .needs = Needs::Desktop},

    MenuItem{.menu = "Edit", .label = "Undo", .command = "undo"},
    MenuItem{.menu = "Edit", .label = "Redo", .command = "redo"},
    MenuItem{.menu = "Edit"},
    MenuItem{.menu = "Edit", .label = "Duplicate", .command = "duplicate", .needs = Needs::Body},
    MenuItem{.menu = "Edit", .label = "Copy", .command = "copy", .needs = Needs::Body},
    MenuItem{.menu = "Edit", .label = "Paste", .command = "paste"},
    MenuItem{.menu = "Edit", .label = "Remove the selection", .command = "remove", .needs = Needs::Body},
    MenuItem{.menu = "Edit", .label = "Remove all bodies", .command = "clear"},
    MenuItem{.menu = "Edit"},
    MenuItem{.menu = "Edit", .label = "Select all", .command = "select all"},
    MenuItem{.menu = "Edit", .label = "Deselect", .command = "select none", .needs = Needs::Body},
    MenuItem{.menu = "Edit", .label = "Hide the selection", .command = "hide", .needs = Needs::Body},
    MenuItem{.menu = "Edit", .label = "Isolate", .command = "isolate", .needs = Needs::Body},
    MenuItem{.menu = "Edit", .label = "Show everything", .command = "show all"},
    MenuItem{.menu = "Edit"},
    MenuItem{.menu = "Edit", .label = "Commands and settings...", .command = "palette"},
    MenuItem{.menu = "Edit", .label = "Reset all settings", .command = "reset all"},

    MenuItem{.menu = "View", .label = "Frame the selection", .command = "camera.frame"},
    MenuItem{.menu = "View", .label = "Frame everything", .command = "camera.frame all"},
    MenuItem{.menu = "View", .label = "Default view of the scene", .command = "camera.reset"},
    MenuItem{.menu = "View"},
    MenuItem{.menu = "View", .label = "Panels", .toggles = &kUiPanels},
    MenuItem{.menu = "View", .label = "Legend", .toggles = &kUiLegend},
    MenuItem{.menu = "View", .label = "Grid", .toggles = &kDrawGrid},
    MenuItem{.menu = "View", .label = "Axes", .toggles = &kDrawAxes},
    MenuItem{.menu = "View", .label = "Z points up", .toggles = &kDrawZUp},
    MenuItem{.menu = "View", .label = "Room", .toggles = &kDrawRoom},
    MenuItem{.menu = "View"},
    MenuItem{.menu = "View", .label = "Full screen", .command = "fullscreen"},

    MenuItem{.menu = "Scene", .label = "Find a scene...", .command = "palette \"scene \""},
    MenuItem{.menu = "Scene", .label = "Next", .command = "scene next"},
    MenuItem{.menu = "Scene", .label = "Previous", .command = "scene previous"},
    MenuItem{.menu = "Scene", .label = "Restart", .command = "restart"},

    MenuItem{.menu = "Simulation", .label = "Paused", .command = "pause"},
    MenuItem{.menu = "Simulation", .label = "One step", .command = "step"},
    MenuItem{.menu = "Simulation", .label = "Ten steps", .command = "step 10"},
    MenuItem{.menu = "Simulation", .label = "One step back", .command = "time.back"},
    MenuItem{.menu = "Simulation", .label = "Go to the start", .command = "time.goto start"},
    MenuItem{.menu = "Simulation", .label = "Back to the present", .command = "time.goto end"},
    MenuItem{.menu = "Simulation"},
    MenuItem{.menu = "Simulation", .label = "Spawn bodies", .command = "spawn"},
    MenuItem{.menu = "Simulation", .label = "Rebuild the tree", .command = "tree.rebuild"},
    MenuItem{.menu = "Simulation", .label = "Remove pinned rays", .command = "ray.clear"},
    MenuItem{.menu = "Simulation", .label = "Compare with brute force", .toggles = &kVerify},

    MenuItem{.menu = "Help", .label = "Start a lesson...", .command = "palette \"lesson \""},
    MenuItem{.menu = "Help", .label = "Keys, mouse and commands", .toggles = &kUiHelp},
    MenuItem{
        .menu = "Help", .label = "Lessons and reference as pages", .command = "site", .needs = Needs::Site},
};

}  // namespace

std::span<const std::string_view> menu_names() {
    return kMenus;
}
std::span<const MenuItem> menu_items() {
    return kItems;
}

std::string MenuItem::line() const {
    return toggles ? fmt::format("toggle {}", toggles->id) : std::string(command);
}

std::string shortcut_for_line(std::string_view line) {
    std::string keys;
    for (const Shortcut& shortcut : command_table().shortcuts()) {
        if (shortcut.line != line) continue;
        if (!keys.empty()) keys += ", ";
        keys += shortcut.keys;
    }
    return keys;
}

}  // namespace lab::panels
