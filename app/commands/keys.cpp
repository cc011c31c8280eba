// The keys that push command lines, and what the mouse does.
#include <array>

#include "session/commands.hpp"

namespace lab {
namespace {

constexpr std::array kShortcuts = {
    Shortcut{"Space", "pause", "Pause or go on"},
    Shortcut{"P", "pause", "Pause or go on"},
    Shortcut{".", "step", "One step"},
    Shortcut{"Shift+.", "step 10", "Ten steps"},
    Shortcut{",", "time.back", "One step back"},
    Shortcut{"Shift+,", "time.back 10", "Ten steps back"},
    Shortcut{"Right", "scene.step 1", "Next node or level; in voxel-invaders the ship goes right"},
    Shortcut{"Left", "scene.step -1", "The node or level before; in voxel-invaders the ship goes left"},
    Shortcut{"R", "restart", "Restart the scene"},
    Shortcut{"[", "scene previous", "Previous scene"},
    Shortcut{"]", "scene next", "Next scene"},
    Shortcut{"N", "spawn", "Spawn bodies"},
    Shortcut{"Delete", "remove", "Remove what is selected"},
    Shortcut{"Ctrl+Z", "undo", "Take the last edit back"},
    Shortcut{"Ctrl+Shift+Z", "redo", "Do it again"},
    Shortcut{"Ctrl+Y", "redo", "Do it again"},
    Shortcut{"Ctrl+C", "copy", "Copy the selected bodies"},
    Shortcut{"Ctrl+V", "paste", "Paste them"},
    Shortcut{"Ctrl+D", "duplicate", "Copy and paste at once"},
    Shortcut{"Ctrl+A", "select all", "Select all bodies"},
    Shortcut{"PageUp", "select.parent", "Select the parent node"},
    Shortcut{"PageDown", "tree.isolate", "Only the subtree of the selected node, or the whole tree"},
    Shortcut{"X", "toggle edit.gizmo", "What the gizmo does"},
    Shortcut{"F", "camera.frame", "Frame the selection, or everything"},
    Shortcut{"Home", "camera.reset", "The scene's own view"},
    Shortcut{"H", "hide", "Hide the selection"},
    Shortcut{"I", "isolate", "Hide everything else"},
    Shortcut{"J", "show all", "Show everything"},
    Shortcut{"1", "toggle draw.sphere", "Spheres"},
    Shortcut{"2", "toggle draw.aabb_fixed", "Fixed AABBs"},
    Shortcut{"3", "toggle draw.aabb_tight", "Tight AABBs"},
    Shortcut{"4", "toggle draw.obb", "OBBs"},
    Shortcut{"M", "toggle draw.mesh", "Meshes"},
    Shortcut{"T", "toggle draw.tree", "Tree nodes"},
    Shortcut{"C", "toggle draw.contacts", "Overlapping pairs"},
    Shortcut{"V", "toggle draw.volumes_on", "Which bodies show their volumes"},
    Shortcut{"L", "toggle draw.labels", "Names of bodies"},
    Shortcut{"G", "toggle draw.grid", "Grid"},
    Shortcut{"Ctrl+P", "palette", "Search commands, settings and scenes"},
    Shortcut{"Ctrl+O", "palette \"scene \"", "Search scenes"},
    Shortcut{"Ctrl+S", "palette \"save \"", "Save the scene"},
    Shortcut{"Tab", "toggle ui.panels", "Panels"},
    Shortcut{"F1", "toggle ui.help", "This list"},
    Shortcut{"?", "toggle ui.help", "This list"},
    Shortcut{"Up", "invaders.fire", "Voxel invaders: fire"},
    Shortcut{"K", "cut", "Mesh cut: cut along the plane"},
    Shortcut{"F12", "screenshot", "Write the picture to bvlab.png"},
    Shortcut{"Shift+F12", "report", "Write the report to bvlab.json"},
    Shortcut{"Esc", "back", "One layer back: help, selection, hidden bodies"},
    Shortcut{"Ctrl+Q", "quit", "End the program"},
};

constexpr std::array kGestures = {
    MouseGesture{"Left drag", "Orbit"},
    MouseGesture{"Right drag", "Pan"},
    MouseGesture{"Middle drag", "Pan"},
    MouseGesture{"Wheel", "Zoom"},
    MouseGesture{"Click", "Select"},
    MouseGesture{"Shift + click, Ctrl + click", "Add to the selection, or take out of it"},
    MouseGesture{"Alt + click", "Select the tree node whose box is there"},
    MouseGesture{"Shift + left drag", "Select the bodies in a rectangle"},
    MouseGesture{"Right click", "Menu of what is there"},
    MouseGesture{"Double-click", "Make this point the orbit center"},
    MouseGesture{"Ctrl + left drag", "Move a body, or all that are selected with it"},
    MouseGesture{"Left drag on the gizmo", "Move or turn the selection along an axis or in a plane"},
    MouseGesture{"Right button + W A S D Q E", "Fly; Shift is faster"},
    MouseGesture{"Drop a file", "Open it"},
};

}  // namespace

std::span<const Shortcut> shortcuts() {
    return kShortcuts;
}
std::span<const MouseGesture> mouse_gestures() {
    return kGestures;
}

}  // namespace lab
