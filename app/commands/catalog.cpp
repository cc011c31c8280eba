#include "commands/catalog.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "commands/tables.hpp"
#include "lessons/commands.hpp"
#include "platform/host.hpp"
#include "scenes/scenes.hpp"

namespace lab {
namespace {

constexpr std::array kGestures = {
    MouseGesture{"Left drag", "Orbit"},
    MouseGesture{"Right drag", "Pan"},
    MouseGesture{"Middle drag", "Pan"},
    MouseGesture{"Wheel", "Zoom"},
    MouseGesture{"Click", "Select"},
    MouseGesture{"Shift + click, Ctrl + click", "Add to the selection, or remove from it"},
    MouseGesture{"Alt + click", "Select the tree node whose box is there"},
    MouseGesture{"Shift + left drag", "Select the bodies in a rectangle"},
    MouseGesture{"Right click", "Context menu"},
    MouseGesture{"Double-click", "Make this point the orbit center"},
    MouseGesture{"Ctrl + left drag", "Move a body, or the whole selection with it"},
    MouseGesture{"Left drag on the gizmo", "Move or turn the selection along an axis or in a plane"},
    MouseGesture{"Esc while dragging", "Put back what is being dragged"},
    MouseGesture{"Right button + W A S D Q E", "Fly; Shift flies faster"},
    MouseGesture{"Drop a file", "Open it"},
};

constexpr std::array kTouches = {
    MouseGesture{"One finger", "Orbit, or drag a handle"},
    MouseGesture{"Two fingers", "Pan, and pinch to zoom"},
    MouseGesture{"Tap", "Select"},
    MouseGesture{"Double tap", "Make this point the orbit center"},
    MouseGesture{"Long press", "Context menu"},
};

using Rows = std::vector<CommandSpec>;

void add(Rows& rows, std::span<const CommandSpec> topic) {
    rows.insert(rows.end(), topic.begin(), topic.end());
}

void add_commands_of_scenes(Rows& rows) {
    for (const SceneSpec& scene : scene_specs())
        for (const SceneCommand& command : scene.commands) {
            const bool known = std::any_of(rows.begin(), rows.end(), [&](const CommandSpec& row) {
                return row.id == command.id;  // scenes can share a command
            });
            if (known) continue;
            rows.push_back({
                .id = command.id,
                .help = command.help,
                .edit = command.button,
                .category = "Scene",
                .scene_action = command.action,
                .keys = {command.key},
                .repeats = command.repeats,
            });
        }
}

Rows all_rows() {
    Rows rows;
    add(rows, commands::scene_commands());
    add_commands_of_scenes(rows);
    for (const auto topic :
         {commands::time_commands(), commands::body_commands(), commands::editing_commands(),
          commands::selection_commands(), commands::query_commands(), commands::step_commands(),
          commands::tree_commands(), commands::camera_commands(), commands::setting_commands(),
          commands::file_commands(), lessons::lesson_commands(), commands::program_commands()})
        add(rows, topic);
    return rows;
}

}  // namespace

CommandTable command_table_for(bool in_browser) {
    return CommandTable(all_rows(), setting_catalog(), in_browser);
}

const CommandTable& command_table() {
    static const CommandTable table = command_table_for(platform::in_browser());
    return table;
}

std::span<const MouseGesture> mouse_gestures() {
    return kGestures;
}

std::span<const MouseGesture> touch_gestures() {
    return kTouches;
}

}  // namespace lab
