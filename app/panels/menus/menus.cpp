#include "panels/menus/menus.hpp"

#include <array>

#include "commands/catalog.hpp"

namespace lab::panels {
namespace {

constexpr std::array<std::string_view, 6> kMenus = {"File", "Edit", "View", "Scene", "Simulation", "Help"};

constexpr std::array kItems = {
    MenuItem{"File", "Open a file...", "open "},
    MenuItem{"File", "Save the scene...", "save "},
    MenuItem{"File", "Save the picture", "screenshot"},
    MenuItem{"File", "Save the report", "report"},
    MenuItem{"File", "Save the recording", "record.save"},
    MenuItem{"File", "", ""},
    MenuItem{"File", "Quit", "quit"},

    MenuItem{"Edit", "Undo", "undo"},
    MenuItem{"Edit", "Redo", "redo"},
    MenuItem{"Edit", "", ""},
    MenuItem{"Edit", "Duplicate", "duplicate", Needs::Body},
    MenuItem{"Edit", "Copy", "copy", Needs::Body},
    MenuItem{"Edit", "Paste", "paste"},
    MenuItem{"Edit", "Remove the selection", "remove", Needs::Body},
    MenuItem{"Edit", "Remove all bodies", "clear"},
    MenuItem{"Edit", "", ""},
    MenuItem{"Edit", "Select all", "select all"},
    MenuItem{"Edit", "Deselect", "select none", Needs::Body},
    MenuItem{"Edit", "Hide the selection", "hide", Needs::Body},
    MenuItem{"Edit", "Hide everything else", "isolate", Needs::Body},
    MenuItem{"Edit", "Show everything", "show all"},
    MenuItem{"Edit", "", ""},
    MenuItem{"Edit", "Commands and settings...", "palette"},
    MenuItem{"Edit", "Reset all settings", "reset all"},

    MenuItem{"View", "Frame the selection", "camera.frame"},
    MenuItem{"View", "Frame everything", "camera.frame all"},
    MenuItem{"View", "The scene's own view", "camera.reset"},
    MenuItem{"View", "", ""},
    MenuItem{"View", "Panels", "toggle ui.panels"},
    MenuItem{"View", "Legend", "toggle ui.legend"},
    MenuItem{"View", "Grid", "toggle draw.grid"},
    MenuItem{"View", "Axes", "toggle draw.axes"},
    MenuItem{"View", "Room", "toggle draw.room"},

    MenuItem{"Scene", "Find a scene...", "palette \"scene \""},
    MenuItem{"Scene", "Next", "scene next"},
    MenuItem{"Scene", "Previous", "scene previous"},
    MenuItem{"Scene", "Start again", "restart"},

    MenuItem{"Simulation", "Paused", "pause"},
    MenuItem{"Simulation", "One step", "step"},
    MenuItem{"Simulation", "Ten steps", "step 10"},
    MenuItem{"Simulation", "One step back", "time.back"},
    MenuItem{"Simulation", "To the start", "time.goto start"},
    MenuItem{"Simulation", "Back to the present", "time.goto end"},
    MenuItem{"Simulation", "", ""},
    MenuItem{"Simulation", "Spawn bodies", "spawn"},
    MenuItem{"Simulation", "Build the tree anew", "tree.rebuild"},
    MenuItem{"Simulation", "Remove pinned rays", "ray.clear"},
    MenuItem{"Simulation", "Compare with brute force", "toggle verify"},

    MenuItem{"Help", "Begin a lesson...", "palette \"lesson \""},
    MenuItem{"Help", "Keys, mouse and commands", "toggle ui.help"},
};

}  // namespace

std::span<const std::string_view> menu_names() {
    return kMenus;
}
std::span<const MenuItem> menu_items() {
    return kItems;
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
