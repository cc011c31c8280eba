// The context menu of the selection: the same rows in the view and in the lists.
#include <fmt/format.h>

#include "panels/menus/menus.hpp"
#include "panels/widgets/widgets.hpp"

namespace lab::panels {
namespace {

void row(const PanelContext& c, const std::string& label, const std::string& line, bool enabled = true) {
    line_row(c, label, line, false, enabled);
    c.mark(fmt::format("context.{}", line.substr(0, line.find(' '))));
}

void node_rows(const PanelContext& c) {
    row(c, "Select the parent node", "select.parent");
    const bool isolated = c.results().isolated_node.has_value();
    row(c, isolated ? "Show the whole tree" : "Only this subtree", "tree.isolate",
        isolated || c.results().selected_node);
}

}  // namespace

void line_row(const PanelContext& c, const std::string& label, const std::string& line, bool checked,
              bool enabled) {
    const std::string keys = c.fingers ? std::string() : shortcut_for_line(line);
    if (ImGui::MenuItem(label.c_str(), keys.empty() ? nullptr : keys.c_str(), checked, enabled)) c.push(line);
}

void selection_menu(const PanelContext& c) {
    const Selection& selection = c.session.state.view.selection;
    const BodyState* body = c.selected_body();
    const bool bodies = !selection.bodies.empty();
    if (body && selection.bodies.size() == 1) {
        subheading(c, body->name.str());
    } else if (bodies) {
        subheading(c, fmt::format("{} bodies", selection.bodies.size()));
    }
    row(c, bodies ? "Frame" : "Frame everything", "camera.frame");
    if (bodies) {
        if (body && body->hidden)
            row(c, "Show", fmt::format("show {}", body->id.value));
        else
            row(c, "Hide", "hide");
        row(c, "Isolate", "isolate");
        row(c, "Duplicate", "duplicate");
        row(c, "Copy", "copy");
    }
    row(c, "Paste", "paste", c.session.state.clipboard && !c.session.state.clipboard->empty());
    if (bodies || selection.ray) row(c, "Remove", "remove");
    if (!bodies) row(c, "Select all", "select all");
    ImGui::Separator();
    if (bodies || c.results().selected_node) node_rows(c);
    row(c, "Show everything", "show all");
    const Edit* const edit = c.session.state.edits.next_undo();
    row(c, edit ? "Undo: " + edit->label : "Undo", "undo", edit != nullptr);
    row(c, "Redo", "redo", c.session.state.edits.redo_count() > 0);
    ImGui::Separator();
    row(c, "Save the picture", "screenshot");
}

void context_menu(const PanelContext& c) {
    if (c.state.menu_at) {
        ImGui::OpenPopup("selection.menu");
        c.state.menu_pixel = *c.state.menu_at;
        ImGui::SetNextWindowPos({c.state.menu_at->x, c.state.menu_at->y});
        c.state.menu_at.reset();
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.6f * c.em, 0.5f * c.em});
    if (ImGui::BeginPopup("selection.menu")) {
        push_row_spacing(c);
        selection_menu(c);
        const glm::vec2 at = c.state.menu_pixel * c.to_framebuffer;
        row(c, "Spawn a body here", fmt::format("spawn.at {} {}", at.x, at.y));
        row(c, "Pin a ray here", fmt::format("ray.pin {} {}", at.x, at.y));
        row(c, "Select the tree node here", fmt::format("pick.node {} {}", at.x, at.y));
        row(c, "Make this the orbit center", fmt::format("camera.center {} {}", at.x, at.y));
        ImGui::PopStyleVar();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

}  // namespace lab::panels
