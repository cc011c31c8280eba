#include "scenes/trees/broadphase_pictures.hpp"

#include <algorithm>
#include <limits>

#include "bv/broadphase/layout.hpp"
#include "bv/query/overlap.hpp"
#include "io/text/counted.hpp"
#include "scenes/staging.hpp"

namespace lab::scenes {
namespace {

/// With more lines a picture shows nothing else.
constexpr std::size_t kMaxLines = 600;
constexpr float kBarStep = 0.24f;
constexpr int kMaxBarRows = 16;

/// The body whose tests are shown.
struct Marked {
    const World& world;
    const Body& body;
    bv::Aabb box;
};

constexpr const char* kTested = "box that the marked one is tested against";
constexpr Role kTestedRole = Role::Kdop;  // unlike any depth of a tree

void mark_tested(const Marked& m, FrameResults& results, const std::vector<const Body*>& tested,
                 const char* legend = kTested) {
    for (const Body* body : tested) {
        Exhibit& box = put(results, m.world.bodies().broad_box(*body), kTestedRole);
        box.legend = legend;
        box.width_px = 2.0f;
        box.fill = 0.12f;
    }
    Exhibit& box = put(results, m.box, Role::Selected);
    box.legend = "marked body; click on another";
    box.width_px = 3.0f;
    box.on_top = true;
}

std::string title(const World& world) {
    return std::string(bv::broadphase_info(world.finder().engine().kind()).title);
}

/// Behind the arena, to the right of panels and the scene's card.
glm::vec3 caption_place(const bv::Aabb& arena) {
    return {arena.center().x + 0.2f * arena.size().x, arena.max.y, arena.min.z - 0.07f * arena.size().z};
}

void caption(const Marked& m, FrameResults& results, std::size_t tested, const std::string& how) {
    const bv::Aabb& arena = m.world.arena();
    const glm::vec3 behind = caption_place(arena);
    put_note(results, behind, Role::TreeNode,
             fmt::format("{}. {}.\nThe marked body is tested against {} of {}.", title(m.world), how, tested,
                         m.world.bodies().size() - 1));
    results.bounds = bv::merge(results.bounds, behind - glm::vec3(0, 0, 0.04f * arena.size().z));
}

// ---- brute force

void draw_brute_force(const Marked& m, FrameResults& results) {
    std::vector<const Body*> tested;
    for (const Body& other : m.world.bodies()) {
        if (&other == &m.body) continue;
        tested.push_back(&other);
        if (tested.size() > kMaxLines) continue;
        Exhibit& line = put(results, bv::Segment{m.box.center(), m.world.bodies().broad_box(other).center()},
                            kTestedRole);
        line.legend = "test";
        line.width_px = 1.0f;
    }
    if (tested.size() > kMaxLines) tested.resize(kMaxLines);
    mark_tested(m, results, tested);
    caption(m, results, m.world.bodies().size() - 1, "Every box against every other");
}

// ---- sweeps

/// Bars beside the arena, one for each box, in as many rows as overlap at a time.
void draw_axis(const Marked& m, FrameResults& results, const bv::BroadphaseLayout::SortedAxis& sorted,
               const bv::BroadphaseLayout::Interval& marked) {
    const bv::Aabb& arena = m.world.arena();
    const int k = sorted.axis;
    const int aside = k == 0 ? 2 : 0;
    std::vector<float> ends;  // of the last bar in each row
    for (const auto& interval : sorted.intervals) {
        auto row = std::find_if(ends.begin(), ends.end(), [&](float end) { return end < interval.from; });
        if (row == ends.end()) {
            if (static_cast<int>(ends.size()) == kMaxBarRows) continue;
            row = ends.insert(ends.end(), 0.0f);
        }
        *row = interval.to + 0.02f * arena.size()[k];
        glm::vec3 a = arena.min;
        a[aside] = arena.max[aside] + kBarStep * static_cast<float>(row - ends.begin() + 2);
        glm::vec3 b = a;
        a[k] = interval.from;
        b[k] = interval.to;
        const bool meets = interval.from <= marked.to && marked.from <= interval.to;
        const bool own = interval.user_data == marked.user_data;
        Exhibit& bar = put(results, bv::Segment{a, b},
                           own     ? Role::Selected
                           : meets ? kTestedRole
                                   : Role::ProjectionA);
        bar.width_px = 4.0f;
        bar.legend = own     ? "marked body; click on another"
                     : meets ? "interval that overlaps the marked one's"
                             : "interval of a box, sorted by min";
        results.bounds = bv::merge(results.bounds, bv::Aabb{a, b});
    }
}

void draw_sweep(const Marked& m, FrameResults& results, const bv::BroadphaseLayout& layout) {
    static constexpr char kNames[] = {'x', 'y', 'z'};
    std::vector<const Body*> tested;
    std::string axes;
    for (const auto& sorted : layout.axes) {
        axes += axes.empty() ? "" : ", ";
        axes += kNames[sorted.axis];
        const auto own = std::find_if(sorted.intervals.begin(), sorted.intervals.end(),
                                      [&](const auto& i) { return i.user_data == m.body.state.id.value; });
        if (own == sorted.intervals.end()) continue;
        if (sorted.axis != 1) draw_axis(m, results, sorted, *own);  // in a flat crowd all boxes overlap in y
        if (layout.axes.size() > 1) continue;
        for (const auto& i : sorted.intervals)
            if (&i != &*own && i.from <= own->to && own->from <= i.to)
                if (const Body* body = m.world.find({static_cast<std::uint32_t>(i.user_data)}))
                    tested.push_back(body);
        bv::Aabb slab = m.world.arena();
        slab.min[sorted.axis] = own->from;
        slab.max[sorted.axis] = own->to;
        Exhibit& swept = put(results, slab, Role::Plane, {}, 0.10f);
        swept.legend = "overlap with the marked interval";
        swept.width_px = 1.0f;
    }
    if (layout.axes.size() == 1) {
        mark_tested(m, results, tested);
        caption(m, results, tested.size(), fmt::format("Boxes along {}, sorted by min", axes));
        return;
    }
    // Nothing is tested while the order stays the same: only the pairs that overlap on all axes are kept.
    for (const BodyPair& pair : results.pairs.broad)
        if (pair.a == m.body.state.id || pair.b == m.body.state.id)
            if (const Body* body = m.world.find(pair.a == m.body.state.id ? pair.b : pair.a))
                tested.push_back(body);
    mark_tested(m, results, tested, "box that overlaps the marked one on all axes");
    const bv::Aabb& arena = m.world.arena();
    const glm::vec3 behind = caption_place(arena);
    put_note(
        results, behind, Role::TreeNode,
        fmt::format(
            "{}. All endpoints stay sorted along {}.\n{} in this frame: one wherever a min has passed a max.",
            title(m.world), axes, io::counted(results.broadphase.tests, "test", "tests")));
    results.bounds = bv::merge(results.bounds, behind);
}

// ---- cells

void draw_cells(const Marked& m, FrameResults& results, const bv::BroadphaseLayout& layout) {
    const bv::Aabb& arena = m.world.arena();
    std::vector<const bv::BroadphaseLayout::Cell*> own;
    for (const auto& cell : layout.cells)
        if (bv::overlap(cell.box, m.box)) own.push_back(&cell);
    std::vector<const Body*> tested;
    for (const Body& body : m.world.bodies()) {
        const bv::Aabb box = m.world.bodies().broad_box(body);
        const auto meets = [&](const auto* cell) { return bv::overlap(cell->box, box); };
        if (&body != &m.body && std::any_of(own.begin(), own.end(), meets)) tested.push_back(&body);
    }
    std::size_t drawn = 0;
    for (const auto& cell : layout.cells) {
        if (++drawn > kMaxLines) break;
        const bool mine = std::find(own.begin(), own.end(), &cell) != own.end();
        if (!mine && !layout.cuts.empty()) continue;  // the planes already show where the others are
        // Grid cells can be higher than the flat arena: clip them.
        bv::Aabb box = cell.box;
        box.min.y = std::max(box.min.y, arena.min.y);
        box.max.y = std::min(box.max.y, arena.max.y);
        if (box.min.y > box.max.y) continue;
        Exhibit& e = put(results, box, mine ? Role::Normal : Role::Plane);
        e.legend = mine ? "cell that the marked body overlaps" : "cell with boxes in it";
        e.width_px = mine ? 2.0f : 1.0f;
        e.fill = mine ? 0.14f : 0.0f;
    }
    mark_tested(m, results, tested);
    std::uint32_t max_boxes = 0;
    for (const auto& cell : layout.cells)
        max_boxes = std::max(max_boxes, cell.boxes);
    const glm::vec3 size = layout.cells.empty() ? glm::vec3(0.0f) : layout.cells.front().box.size();
    if (layout.cuts.empty())
        caption(m, results, tested.size(),
                fmt::format("Cells of {:.1f} m: {} in use, at most {} boxes in one",
                            std::max({size.x, size.y, size.z}), layout.cells.size(), max_boxes));
    else
        caption(
            m, results, tested.size(),
            fmt::format("{}, {}, at most {} boxes in one", io::counted(layout.cuts.size(), "plane", "planes"),
                        io::counted(layout.cells.size(), "cell", "cells"), max_boxes));
}

/// The intersections of the planes with floor and ceiling of the arena; the first ones wider.
void draw_cuts(FrameResults& results, const bv::Aabb& arena, const bv::BroadphaseLayout& layout) {
    std::size_t drawn = 0;
    for (const auto& cut : layout.cuts) {
        if (++drawn > kMaxLines) break;
        bv::Aabb face = cut.part;
        face.min.y = std::max(face.min.y, arena.min.y);
        face.max.y = std::min(face.max.y, arena.max.y);
        face.min[cut.axis] = face.max[cut.axis] = cut.at;
        Exhibit& e = put(results, face, cut.depth < 3 ? Role::Separating : Role::Plane);
        e.legend = cut.depth < 3 ? "one of the first planes" : "plane further down";
        e.width_px = std::max(1.0f, 4.0f - static_cast<float>(cut.depth));
        e.fill = cut.depth < 3 ? 0.18f : 0.06f;
    }
}

// ---- trees

void draw_tree(const Marked& m, FrameResults& results) {
    std::vector<const Body*> tested;
    std::size_t entered = 0;
    for (const auto& [id, tree] : results.trees) {
        if (id != "bodies" || tree.empty()) continue;
        std::vector<std::uint32_t> open{0};
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            open.pop_back();
            if (!bv::overlap(tree.boxes[node], m.box)) continue;
            const bool inner = !tree.is_leaf(node) || tree.payload_count[node] > 1;
            entered += inner ? 1 : 0;
            if (inner && node != 0) {
                Exhibit& e = put(results, tree.boxes[node], Role::Normal);
                e.legend = "node that the marked body overlaps";
                e.width_px = 2.0f;
            }
            for (std::uint32_t k = 0; k < tree.child_count[node]; ++k)
                open.push_back(tree.first_child[node] + k);
            for (std::uint32_t k = 0; k < tree.payload_count[node]; ++k) {
                const std::uint64_t id_of_body = tree.payloads[tree.first_payload[node] + k];
                const Body* body = m.world.find({static_cast<std::uint32_t>(id_of_body)});
                if (body && body != &m.body) tested.push_back(body);
            }
        }
        mark_tested(m, results, tested);
        caption(m, results, tested.size(),
                fmt::format("{} of {} nodes overlap the marked body", entered, tree.size()));
        return;
    }
    mark_tested(m, results, tested);
}

}  // namespace

void draw_broadphase(const World& world, FrameResults& results) {
    if (world.bodies().empty() || world.arena().is_empty()) return;
    const Body* body = &world.bodies().front();
    for (const BodyState& state : results.bodies)
        if (state.selected)
            if (const Body* selected = world.find(state.id)) body = selected;
    const Marked marked{world, *body, world.bodies().broad_box(*body)};
    const bv::BroadphaseLayout layout = world.finder().engine().layout();
    if (world.finder().engine().has_tree()) return draw_tree(marked, results);
    if (!layout.axes.empty()) return draw_sweep(marked, results, layout);
    if (layout.cells.empty()) return draw_brute_force(marked, results);
    draw_cuts(results, world.arena(), layout);
    draw_cells(marked, results, layout);
}

}  // namespace lab::scenes
