// The right panel: the inspector of the selection, the shapes drawn with their colors, and the choice of
// algorithms.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <glm/geometric.hpp>
#include <optional>
#include <vector>

#include "io/text/counted.hpp"
#include "panels/widgets/widgets.hpp"
#include "results/probe_settings.hpp"
#include "results/volume_settings.hpp"
#include "scenes/scenes.hpp"
#include "settings/draw.hpp"
#include "settings/program.hpp"
#include "settings/rays.hpp"
#include "settings/tree.hpp"
#include "settings/view.hpp"
#include "world/mesh_title.hpp"
#include "world/world.hpp"
#include "world/world_settings.hpp"

namespace lab::panels {
namespace {

struct ColoredToggle {
    const SettingSpec* setting;
    Role role;
};
/// The shapes of the view in the order of the legend; other flags of what is drawn take the accent color.
constexpr auto kShapes = []<std::size_t... kinds>(std::index_sequence<kinds...>) {
    return std::array{
        ColoredToggle{&kDrawMesh, Role::Mesh},
        ColoredToggle{&kDrawVolume[kinds], kVolumeSpecs[kinds].role}...,
        ColoredToggle{&kDrawTree, Role::TreeNode},
        ColoredToggle{&kDrawTreeLeaves, Role::TreeLeaf},
        ColoredToggle{&kDrawRays, Role::Ray},
        ColoredToggle{&kDrawRayNodes, Role::Visited},
        ColoredToggle{&kDrawContacts, Role::Touching},
        ColoredToggle{&kDrawVelocity, Role::Normal},
    };
}
(std::make_index_sequence<kVolumeKinds>{});

bool is_shape(const SettingSpec* setting) {
    return std::any_of(kShapes.begin(), kShapes.end(),
                       [&](const ColoredToggle& t) { return t.setting == setting; });
}

template <std::size_t count>
bool is_one_of(const SettingSpec* setting, const std::array<const SettingSpec*, count>& settings) {
    return std::find(settings.begin(), settings.end(), setting) != settings.end();
}

/// The kind of volume that the flag draws.
std::optional<VolumeKind> kind_drawn_by(const SettingSpec* setting) {
    for (const VolumeSpec& volume : kVolumeSpecs)
        if (setting == &draw_flag(volume.kind)) return volume.kind;
    return std::nullopt;
}

/// The kinds of volumes that some body would show if their flags were on.
VolumeSet kinds_of_use(const PanelContext& c) {
    VolumeSet kinds;
    VolumesOn on = c.settings()[kDrawVolumesOn];
    // Bodies that collide, or are selected, come and go: flags must stay where they are.
    if (on == VolumesOn::Colliding || on == VolumesOn::Selected) on = VolumesOn::All;
    for (const BodyState& body : c.results().bodies) {
        kinds |= shown_volumes(body, on);
        if (kinds == all_volumes()) break;
    }
    return kinds;
}

/// The setting draws something that belongs to bodies, and so nothing without any.
bool is_of_bodies(const SettingSpec* setting) {
    return is_one_of(setting,
                     std::to_array<const SettingSpec*>({&kDrawMesh, &kDrawContacts, &kDrawVelocity,
                                                        &kDrawVolumesOn, &kDrawLabels, &kSimContact}));
}

/// The setting draws trees or the rays through them, and so nothing without bodies or trees.
bool is_of_trees(const SettingSpec* setting) {
    return is_one_of(setting, std::to_array<const SettingSpec*>(
                                  {&kDrawTree, &kDrawTreeLeaves, &kDrawTreeMinDepth, &kDrawTreeMaxDepth,
                                   &kDrawTreeColor, &kDrawRays, &kDrawRayNodes}));
}

/// Bodies or a tree with nodes: rays and probes find something.
bool has_bodies_or_trees(const FrameResults& results) {
    return !results.bodies.empty() || std::any_of(results.trees.begin(), results.trees.end(),
                                                  [](const auto& tree) { return tree.second.size() > 0; });
}

/// True if the setting changes anything in this scene as it is now.
bool has_effect(const PanelContext& c, const SettingSpec* setting) {
    const FrameResults& results = c.results();
    if (setting == &kDrawRoom) return !results.arena.is_empty();
    if (setting == &kDrawFill) return kinds_of_use(c).count() > 0;
    if (is_of_bodies(setting)) return !results.bodies.empty();
    return !is_of_trees(setting) || has_bodies_or_trees(results);
}

/// The same for a whole group, which is folded in a scene where it has no effect.
bool has_effect(const PanelContext& c, std::string_view group) {
    const auto is_of = [&](auto... settings) { return ((settings->group() == group) || ...); };
    if (is_of(&kVolumePairKind, &kFitSphere, &kBroadphaseKind, &kTreeInsertion, &kEditGizmo))
        return !c.results().bodies.empty();
    return !is_of(&kRayHover, &kProbeKind, &kHeatShow) || has_bodies_or_trees(c.results());
}

std::string group_title(std::string_view group) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kTitles = {
        {{"sim", "Simulation"},
         {"volume", "Pair test"},
         {"fit", "Fits"},
         {"broadphase", "Broadphase"},
         {"tree", "Dynamic tree"},
         {"ray", "Rays"},
         {"heat", "Heatmap"},
         {"edit", "Editing"},
         {"world", "World"},
         {"verify", "Checks"}}};
    for (const auto& [id, title] : kTitles) {
        if (id == group) return std::string(title);
    }
    std::string title(group);
    if (!title.empty()) title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    return title;
}

std::string place(const glm::vec3& v) {
    return fmt::format("{:.2f}  {:.2f}  {:.2f}", v.x, v.y, v.z);
}

struct VolumeRow {
    const VolumeSpec& spec;
    double volume, surface;
};

/// The shapes drawn by default, then the others that are drawn or decide about pairs.
std::vector<VolumeRow> volume_rows(const PanelContext& c, const Body& body) {
    const VolumeSet kinds = drawn_from_start() | drawn_volumes(c.settings()) | body.state.volumes.kind;
    std::vector<VolumeRow> rows;
    for (const VolumeSpec& spec : kVolumeSpecs)
        if (kinds.has(spec.kind))
            std::visit(
                [&](const auto& volume) {
                    rows.push_back({spec, static_cast<double>(volume.volume()),
                                    static_cast<double>(volume.surface_area())});
                },
                c.session.state.world.bodies().volume(spec.kind, body));
    return rows;
}

void volume_table(const PanelContext& c, bv::BodyId id) {
    const Body* body = c.session.state.world.find(id);
    if (!body) return;
    const std::vector<VolumeRow> rows = volume_rows(c, *body);
    const VolumeRow& least = *std::min_element(
        rows.begin(), rows.end(), [](const VolumeRow& a, const VolumeRow& b) { return a.volume < b.volume; });
    // A volume that is flat but for rounding compares with nothing.
    const bool flat = least.volume <= 1e-6 * std::pow(least.surface, 1.5);
    if (!ImGui::BeginTable("volumes", 4, ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg)) return;
    ImGui::TableSetupColumn("Volume of", 0, 2.3f);
    ImGui::TableSetupColumn("m\xc2\xb3", 0, 1.1f);
    ImGui::TableSetupColumn("m\xc2\xb2", 0, 1.1f);
    ImGui::TableSetupColumn("ratio", 0, 1.0f);
    ImGui::TableHeadersRow();
    for (const VolumeRow& row : rows) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        swatch(c, c.palette.role(row.spec.role));
        ImGui::TextUnformatted(row.spec.name.data());
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(short_number(row.volume).c_str());
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(short_number(row.surface).c_str());
        ImGui::TableNextColumn();
        const std::string ratio = flat ? "\xe2\x80\x93" : fmt::format("{:.2f}", row.volume / least.volume);
        ImGui::TextUnformatted(ratio.c_str());
        tooltip(flat ? "No ratio: the smallest of these has no volume"
                     : "Volume over the volume of the smallest of these");
    }
    ImGui::EndTable();
}

void partner(const PanelContext& c, bv::BodyId id) {
    const BodyState* body = find_body(c.results(), id);
    if (!body) return;
    ImGui::PushID(static_cast<int>(id.value));
    swatch(c, c.palette.body_colliding);
    if (text_row(body->name.str())) c.push(fmt::format("select {}", id.value));
    ImGui::PopID();
}

void overlaps(const PanelContext& c, const BodyState& body) {
    const PairStages& pairs = c.results().pairs;
    const auto involves = [&](const BodyPair& p) { return p.a == body.id || p.b == body.id; };
    const auto count = [&](const SharedList<BodyPair>& list) {
        return std::count_if(list.begin(), list.end(), involves);
    };
    value_row(c, "Boxes that overlap", std::to_string(count(pairs.broad)));
    value_row(c, "Volumes that overlap", std::to_string(count(pairs.volume)));
    if (pairs.exact_tested) value_row(c, "Meshes that touch", std::to_string(count(pairs.exact)));
    int shown = 0;
    for (const BodyPair& pair : pairs.exact_tested ? pairs.exact : pairs.volume) {
        if (!involves(pair)) continue;
        if (++shown > 6) {
            note(c, "and more");
            break;
        }
        partner(c, pair.a == body.id ? pair.b : pair.a);
    }
}

void body_actions(const PanelContext& c, const BodyState& body) {
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float width = (ImGui::GetContentRegionAvail().x - 3.0f * gap) / 4.0f;
    if (button(c, "Frame", "selection.frame", {width, 0})) c.push("camera.frame");
    ImGui::SameLine();
    if (body.hidden) {
        if (button(c, "Show", "selection.show", {width, 0})) c.push(fmt::format("show {}", body.id.value));
    } else if (button(c, "Hide", "selection.hide", {width, 0})) {
        c.push("hide");
    }
    ImGui::SameLine();
    if (button(c, "Isolate", "selection.isolate", {width, 0})) c.push("isolate");
    ImGui::SameLine();
    if (button(c, "Remove", "selection.remove", {width, 0})) c.push("remove");
}

}  // namespace

void inspector(const PanelContext& c) {
    if (c.results().selected_node) node_inspector(c);
    if (c.results().selected_ray) ray_inspector(c);
    const BodyState* body = c.selected_body();
    if (!body && (c.results().selected_node || c.results().selected_ray)) return;
    if (!body) {
        note(c,
             "Click a body in the view or in the list to see its volumes, their sizes and what it overlaps.");
        return;
    }
    ImGui::PushFont(c.fonts.title);
    ImGui::TextUnformatted(body->name.c_str());
    ImGui::PopFont();
    c.mark(fmt::format("selection.name.{}", body->id.value));
    const std::size_t chosen = c.session.state.view.selection.bodies.size();
    if (chosen > 1) note(c, fmt::format("and {} more; changes here apply to all of them", chosen - 1));
    const bool known = body->mesh.value < c.session.meshes.size();
    const MeshEntry* mesh = known ? &c.session.meshes[body->mesh] : nullptr;
    value_row(c, "Number", std::to_string(body->id.value));
    if (mesh)
        value_row(c, "Mesh",
                  fmt::format("{}, {} {}", title_of(*mesh), grouped(mesh->triangles.size()),
                              io::plural(mesh->triangles.size(), "triangle", "triangles")));
    value_row(c, "Position, m", place(body->transform[3]));
    value_row(c, "Speed", fmt::format("{:.2f} m/s", glm::length(body->velocity)));
    value_row(c, "Angular speed", fmt::format("{:.2f} rad/s", glm::length(body->angular_velocity)));
    if (const auto& triangle = c.results().selected_triangle; triangle && triangle->body == body->id) {
        value_row(c, "Triangle", grouped(triangle->triangle));
        c.mark("selection.triangle");
    }
    ImGui::Spacing();
    volume_table(c, body->id);
    for (const std::string_view setting : body_settings())
        own_choice_editor(c, *setting_catalog().find(setting), *body);
    ImGui::Spacing();
    overlaps(c, *body);
    ImGui::Spacing();
    body_actions(c, *body);
}

void draw_toggles(const PanelContext& c) {
    // Two columns keep all shapes visible at once.
    if (ImGui::BeginTable("shapes", 2, ImGuiTableFlags_SizingStretchSame)) {
        const VolumeSet kinds = kinds_of_use(c);
        for (const ColoredToggle& toggle : kShapes) {
            const std::optional<VolumeKind> kind = kind_drawn_by(toggle.setting);
            if (kind ? !kinds.has(*kind) : !has_effect(c, toggle.setting)) continue;
            ImGui::TableNextColumn();
            setting_toggle(c, *toggle.setting, c.palette.role(toggle.role));
        }
        for (const SettingSpec* spec : kDrawSettings) {
            if (spec->kind != SettingKind::Flag || is_shape(spec) || !has_effect(c, spec)) continue;
            ImGui::TableNextColumn();
            setting_toggle(c, *spec, c.palette.role(Role::Muted));
        }
        ImGui::EndTable();
    }
    for (const SettingSpec* spec : kDrawSettings)
        if (spec->kind != SettingKind::Flag && has_effect(c, spec)) setting_editor(c, *spec);
}

void algorithm_settings(const PanelContext& c) {
    std::string_view group;
    bool open = false;
    for (const SettingSpec* spec : program_settings()) {
        if (spec->group() != group) {
            group = spec->group();
            fold_for_scene(c, group, has_effect(c, group));
            open = section(c, group_title(group).c_str());
        }
        if (open && has_effect(c, spec)) setting_editor(c, *spec);
    }
}

/// Two buttons in a row; the last of an odd number takes a whole row.
void scene_buttons(const PanelContext& c, const SceneSpec& scene) {
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float half = std::floor(0.5f * (ImGui::GetContentRegionAvail().x - gap));
    std::vector<const SceneCommand*> buttons;
    for (const SceneCommand& command : scene.commands)
        if (!command.button.empty()) buttons.push_back(&command);
    for (std::size_t i = 0; i < buttons.size(); ++i) {
        const SceneCommand& command = *buttons[i];
        const bool is_second = i % 2 == 1, is_alone = !is_second && i + 1 == buttons.size();
        if (is_second) ImGui::SameLine();
        const std::string id(command.id);
        if (button(c, command.button.data(), id, {is_alone ? -1.0f : half, 0.0f})) c.push(id);
        tooltip(command.help);
    }
}

void scene_settings(const PanelContext& c) {
    const SceneSpec* scene = find_scene(c.results().scene_id);
    if (!scene || scene->settings.empty() || !section(c, "This scene")) return;
    ImGui::PushID("scene");  // settings that the scene shares with others appear in their group, too
    for (const SettingSpec* spec : scene->settings)
        setting_editor(c, *spec);
    scene_buttons(c, *scene);
    ImGui::PopID();
}

void start_at_top(const PanelContext& c) {
    const std::string& scene = c.results().scene_id;
    if (c.state.right_scene == scene) return;
    c.state.right_scene = scene;
    ImGui::SetScrollY(0.0f);
}

void right_panel(const PanelContext& c) {
    start_at_top(c);
    scene_settings(c);
    steps_panel(c);  // its marked line of code must be in sight without scrolling
    values_panel(c);
    // Without anything to select, the explanation would waste space.
    const bool any = !c.results().bodies.empty() || c.results().selected_node || c.results().selected_ray;
    if (any && section(c, "Selection")) inspector(c);
    if (section(c, "Show")) draw_toggles(c);
    algorithm_settings(c);
    if (section(c, "Window", false)) {
        for (const SettingSpec* spec : kWindowSettings)
            setting_editor(c, *spec);
    }
}

}  // namespace lab::panels
