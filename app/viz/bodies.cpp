// Bodies as lit meshes in calm tints, and their volumes around them as crisp outlines with a faint
// filling.
#include <algorithm>
#include <cstddef>
#include <glm/geometric.hpp>
#include <string>
#include <variant>
#include <vector>

#include "bv/shapes/not_finite.hpp"
#include "viz/parts.hpp"

namespace lab::viz {
namespace {

bool is_finite_transform(const glm::mat4x3& m) {
    return bv::is_finite(m[0]) && bv::is_finite(m[1]) && bv::is_finite(m[2]) && bv::is_finite(m[3]);
}

bv::BodyId hovered_body(const FrameResults& results) {
    for (const RayQuery& ray : results.rays) {
        if (ray.kind == RayQuery::Kind::Hover && ray.hit) return ray.body;
    }
    return {};
}

/// The more volumes are shown, the fainter each one is drawn.
struct Crowd {
    float alpha, width_factor, fill_factor;
};
Crowd crowd(std::size_t outlines) {
    if (outlines <= 24) return {1.0f, 1.25f, 1.0f};
    if (outlines <= 200) return {0.9f, 1.0f, 0.7f};
    if (outlines <= 1000) return {0.75f, 0.8f, 0.0f};
    return {0.55f, 0.67f, 0.0f};
}

/// Above the body: the highest point of its tight box.
glm::vec3 top_of(const bv::Aabb& tight) {
    const glm::vec3 center = tight.center();
    return {center.x, tight.max.y, center.z};
}

void label_body(const Context& c, const BodyState& body, const bv::Aabb& tight) {
    const Color color = body.selected ? c.paint.colors.text : c.paint.colors.text_dim;
    c.paint.label(top_of(tight), body.name, color, body.selected ? 15.0f : 13.0f);
}

/// Draws the voxels in their own colors, tinted to show the state of the body.
void draw_as_voxels(const Context& c, const BodyState& body, bool hovered) {
    const glm::mat4x3& m = body.transform;
    const float edge = body.voxels->edge;
    VoxelBlock block;
    block.cells = body.voxels->cells;
    block.transform = {m[0] * edge, m[1] * edge, m[2] * edge, m * glm::vec4(body.voxels->origin, 1.0f)};
    if (body.selected || hovered)
        draw_voxels(c, block, render::rgb(0xffffff), 0.2f);
    else
        draw_voxels(c, block, c.paint.colors.body_colliding, body.colliding ? 0.4f : 0.0f);
}

}  // namespace

bool emphasizes_selected(const FrameResults& results) {
    constexpr std::ptrdiff_t kFewSelected = 12;
    return std::count_if(results.bodies.begin(), results.bodies.end(),
                         [](const BodyState& body) { return body.selected; }) <= kFewSelected;
}

void draw_bodies(const Context& c) {
    const bv::BodyId hovered_id = hovered_body(c.results);
    const Palette& colors = c.paint.colors;
    bool calm = false;
    bool colliding = false;
    bool selected = false;
    const bool emphasizes = c.emphasizes_selected;
    const bool meshes = c.settings[kDrawMesh];
    const VolumesOn volumes_on = c.settings[kDrawVolumesOn];
    const BodyLabels labels = c.settings[kDrawLabels];
    if (meshes) c.paint.list.meshes.reserve(c.results.bodies.size());
    const BodyVolumes& volumes = c.results.volumes;
    for (std::size_t place = 0; place < c.results.bodies.size(); ++place) {
        const BodyState& body = c.results.bodies[place];
        if (body.hidden || !is_finite_transform(body.transform)) continue;
        const bool hovered = hovered_id.valid() && body.id == hovered_id;
        if (meshes) {
            Color color = body.colliding ? colors.body_colliding : colors.body(body.mesh.value);
            if (body.selected || hovered) color = mix(color, render::rgb(0xffffff), 0.25f);
            if (body.voxels)
                draw_as_voxels(c, body, hovered);
            else
                c.paint.list.meshes.push_back({c.meshes.of(body.mesh), body.transform, color});
            (body.colliding ? colliding : calm) |= body.colliding || !body.voxels;
        }
        if (body.selected || (hovered && volumes_on != VolumesOn::None)) {
            const Color mark = colors.role(Role::Selected);
            c.paint.corners(volumes.get<bv::Obb>(VolumeKind::Obb, place),
                            {body.selected ? mark : mark.with_alpha(0.55f),
                             body.selected && emphasizes ? 2.5f : 1.5f, true});
        }
        const bool marked = (body.selected && emphasizes) || hovered;
        if (labels != BodyLabels::None && (labels != BodyLabels::Selected || marked))
            label_body(c, body, volumes.get<bv::Aabb>(VolumeKind::AabbTight, place));
        selected = selected || body.selected;
    }
    if (calm) c.legend.add("body", colors.bodies[0], Swatch::Fill);
    if (colliding) c.legend.add("colliding body", colors.body_colliding, Swatch::Fill);
    if (selected) c.legend.add("selected", colors.role(Role::Selected), Swatch::Outline, Legend::Rank::Asked);
}

void draw_volumes(const Context& c) {
    const VolumeSet kinds = drawn_volumes(c.settings);
    if (kinds.count() == 0) return;
    const VolumesOn volumes_on = c.settings[kDrawVolumesOn];
    const float fill = c.settings[kDrawFill];
    std::vector<VolumeSet> shown;
    shown.reserve(c.results.bodies.size());
    const bool emphasizes = c.emphasizes_selected;
    std::size_t outlines = 0;
    BodyState unselected;
    for (const BodyState& body : c.results.bodies) {
        unselected.hidden = body.hidden;
        unselected.colliding = body.colliding;
        unselected.shown = body.shown;
        const bool is_usual = !emphasizes && volumes_on != VolumesOn::Selected;
        shown.push_back(kinds & shown_volumes(is_usual ? unselected : body, volumes_on));
        outlines += shown.back().count();
    }
    if (outlines == 0) return;
    const Crowd usual = crowd(outlines);
    for (const VolumeSpec& spec : kVolumeSpecs) {
        if (!kinds.has(spec.kind)) continue;
        const Color color = c.paint.colors.role(spec.role);
        const Stroke loud{color, 1.5f * kUsualWidth_px};
        const Stroke quiet{color.with_alpha(usual.alpha), kUsualWidth_px * usual.width_factor};
        bool any = false;
        std::visit(
            [&](const auto& list) {
                for (std::size_t place = 0; place < std::min(shown.size(), list.size()); ++place) {
                    if (!shown[place].has(spec.kind)) continue;
                    const bool is_loud = emphasizes && c.results.bodies[place].selected;
                    c.paint.shape(list[place], is_loud ? loud : quiet,
                                  fill * (is_loud ? 1.5f : usual.fill_factor));
                    any = true;
                }
            },
            c.results.volumes.column(spec.kind));
        if (any) c.legend.add(std::string(spec.name), color, Swatch::Outline);
    }
}

void draw_velocities(const Context& c) {
    if (!c.settings[kDrawVelocity]) return;
    bool any = false;
    const Color color = c.paint.colors.role(Role::Normal);
    for (const BodyState& body : c.results.bodies) {
        const float speed = glm::length(body.velocity);
        if (body.hidden || !(speed > 1e-6f)) continue;
        // The path of the next half second, from the middle of the body, over everything else.
        const glm::vec3 from = body.transform[3];
        c.paint.arrow(from, from + 0.5f * body.velocity, {color, 2.0f, true}, 10.0f);
        any = true;
    }
    if (any) c.legend.add("velocity: displacement in 0.5 s", color, Swatch::Line);
}

void draw_pairs(const Context& c) {
    if (!c.settings[kDrawContacts]) return;
    const auto find = [&](bv::BodyId id) -> const bv::Obb* {
        const BodyState* body = find_body(c.results, id);
        if (!body || body->hidden) return nullptr;
        return &c.results.volumes.get<bv::Obb>(VolumeKind::Obb,
                                               static_cast<std::size_t>(body - c.results.bodies.data()));
    };
    const Color color = c.paint.colors.role(Role::Touching);
    // Lines beyond this number cover each other, and would cost more than all the rest of the picture.
    constexpr std::size_t kMaxLines = 100'000;
    std::size_t lines = 0;
    for (const BodyPair& pair :
         c.results.pairs.exact_tested ? c.results.pairs.exact : c.results.pairs.volume) {
        const bv::Obb* a = find(pair.a);
        const bv::Obb* b = find(pair.b);
        if (!a || !b) continue;
        c.paint.line(a->center, b->center, {color, 2.0f, true});
        if (++lines == kMaxLines) break;
    }
    if (lines > 0) c.legend.add("overlapping pair", color, Swatch::Line);
}

void draw_arena(const Context& c) {
    if (!c.settings[kDrawRoom] || c.results.arena.is_empty()) return;
    c.paint.box(c.results.arena, {c.paint.colors.arena.with_alpha(0.6f), 1.5f});
    c.legend.add("room", c.paint.colors.arena, Swatch::Outline);
}

}  // namespace lab::viz
