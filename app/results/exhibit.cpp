#include "results/exhibit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <utility>

#include "results/put.hpp"

namespace lab {
namespace {

/// Calls `add(center, radius)` for balls that hold an exhibit together; points have the radius 0.
template <class Add>
struct Balls {
    Add& add;

    void box(const bv::Aabb& box) {
        if (box.is_empty()) return;
        for (int i = 0; i < 8; ++i)
            add(box.corner(i), 0.0f);
    }

    void operator()(const Note&) {}
    void operator()(const Marker& marker) { add(marker.position, 0.0f); }
    void operator()(const bv::Segment& segment) {
        add(segment.a, 0.0f);
        add(segment.b, 0.0f);
    }
    void operator()(const Polyline& line) {
        for (const glm::vec3& point : line.points)
            add(point, 0.0f);
    }
    void operator()(const bv::Ray& ray) {
        add(ray.origin, 0.0f);
        if (std::isfinite(ray.t_max)) add(ray.at(ray.t_max), 0.0f);
    }
    void operator()(const bv::Triangle& triangle) {
        add(triangle.a, 0.0f);
        add(triangle.b, 0.0f);
        add(triangle.c, 0.0f);
    }
    void operator()(const bv::Sphere& sphere) {
        if (!sphere.is_empty()) add(sphere.center, sphere.radius);
    }
    void operator()(const bv::Aabb& other) { box(other); }
    void operator()(const bv::Obb& obb) {
        if (obb.is_empty()) return;
        for (int i = 0; i < 8; ++i)
            add(obb.corner(i), 0.0f);
    }
    void operator()(const bv::Capsule& capsule) {
        if (capsule.is_empty()) return;
        for (const glm::vec3& end : {capsule.a, capsule.b})
            add(end, capsule.radius);
    }
    void operator()(const bv::RectSweptSphere& rect) {
        if (rect.is_empty()) return;
        for (int i = 0; i < 4; ++i)
            add(rect.corner(i), rect.radius);
    }
    void operator()(const PlanePatch& patch) {
        for (const glm::vec3& corner : patch.corners())
            add(corner, 0.0f);
    }
    void operator()(const Polytope& polytope) {
        for (const glm::vec3& point : polytope.vertices)
            add(point, 0.0f);
    }
    void operator()(const VoxelBlock& block) {
        for (int i = 0; i < 8; ++i)
            add(block.transform * glm::vec4((i & 1) ? block.size.x : 0.0f, (i & 2) ? block.size.y : 0.0f,
                                            (i & 4) ? block.size.z : 0.0f, 1.0f),
                0.0f);
    }
};

template <class Add>
void add_balls(const Exhibit& exhibit, Add&& add) {
    std::visit(Balls<Add>{add}, exhibit.shape);
}

}  // namespace

std::array<glm::vec3, 4> PlanePatch::corners() const {
    const glm::vec3& n = plane.normal;
    const glm::vec3 other = std::abs(n.y) < 0.9f ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
    const glm::vec3 u = glm::normalize(glm::cross(other, n)) * half_size;
    const glm::vec3 v = glm::normalize(glm::cross(n, u)) * half_size;
    const glm::vec3 middle = center - n * plane.signed_distance(center);
    return {middle - u - v, middle + u - v, middle + u + v, middle - u + v};
}

bv::Aabb bounds_of(const Exhibit& exhibit) {
    bv::Aabb box;
    add_balls(exhibit, [&](const glm::vec3& center, float radius) {
        box = bv::merge(bv::merge(box, center - radius), center + radius);
    });
    return box;
}

float radius_of(const Exhibit& exhibit, const glm::vec3& around) {
    float farthest = 0.0f;
    add_balls(exhibit, [&](const glm::vec3& center, float radius) {
        farthest = std::max(farthest, glm::distance(center, around) + radius);
    });
    return farthest;
}

// ---- ways to put them on show

Exhibit& put(FrameResults& results, ExhibitShape shape, Role role, std::string label, float fill) {
    Exhibit exhibit;
    exhibit.shape = std::move(shape);
    exhibit.role = role;
    exhibit.label = std::move(label);
    exhibit.fill = fill;
    return results.exhibits.emplace_back(std::move(exhibit));
}

void put_note(FrameResults& results, glm::vec3 position, Role role, std::string text) {
    Exhibit& note = put(results, Note{position}, role, std::move(text));
    note.on_top = true;
}

namespace {

/// Keeps the first point in each of the `cubes` x `cubes` x `cubes` parts of a cube.
std::vector<glm::vec3> thinned(std::span<const glm::vec3> points, const glm::vec3& corner, float edge,
                               int cubes) {
    std::vector<glm::vec3> kept;
    const auto side = static_cast<std::size_t>(cubes);
    std::vector<bool> taken(side * side * side);
    for (const glm::vec3& p : points) {
        const glm::ivec3 at = glm::clamp(glm::ivec3((p - corner) * (static_cast<float>(cubes) / edge)),
                                         glm::ivec3(0), glm::ivec3(cubes - 1));
        const int cube = (at.z * cubes + at.y) * cubes + at.x;
        const auto index = static_cast<std::size_t>(cube);
        if (!taken[index]) kept.push_back(p);
        taken[index] = true;
    }
    return kept;
}

/// At most `kMaxDots`, spread like all of them.
std::vector<glm::vec3> thinned(std::vector<glm::vec3> points) {
    bv::Aabb bounds;
    for (const glm::vec3& p : points)
        bounds = bv::merge(bounds, p);
    const glm::vec3 size = bounds.size();
    const float reach = std::max({size.x, size.y, size.z});
    if (points.size() <= kMaxDots || !(reach > 0.0f) || !std::isfinite(reach)) return points;
    std::vector<glm::vec3> kept;
    for (int cubes = 160; cubes > 1; cubes = cubes * 5 / 8) {
        kept = thinned(points, bounds.min, reach, cubes);
        if (kept.size() <= kMaxDots) break;
    }
    return kept;
}

}  // namespace

Exhibit& put_dots(FrameResults& results, std::vector<glm::vec3> points, Role role, const char* legend) {
    points = thinned(std::move(points));
    Exhibit& dots = put(results, Polytope{std::move(points), {}, {}}, role);
    dots.width_px = 1.0f;
    dots.legend = legend;
    return dots;
}

void put_boxes(FrameResults& results, std::span<const bv::Aabb> boxes, Role role, float width_px,
               const char* legend) {
    if (boxes.size() > kMaxOutlines) {
        std::vector<glm::vec3> centers;
        centers.reserve(boxes.size());
        for (const bv::Aabb& box : boxes)
            if (!box.is_empty()) centers.push_back(box.center());
        put_dots(results, std::move(centers), role, legend).legend += ": its center";
        return;
    }
    for (const bv::Aabb& box : boxes) {
        Exhibit& shown = put(results, box, role);
        shown.width_px = width_px;
        shown.legend = legend;
    }
}

void put_curve(FrameResults& results, std::span<const bv::Aabb> boxes, Role role, float width_px,
               const char* legend) {
    // With more boxes, every few share one corner, at the mean of their centers.
    constexpr std::size_t kMaxCorners = 400;
    const std::size_t each = 1 + boxes.size() / kMaxCorners;
    Polyline line;
    for (std::size_t first = 0; first < boxes.size(); first += each) {
        const std::size_t count = std::min(each, boxes.size() - first);
        glm::vec3 sum(0.0f);
        for (const bv::Aabb& box : boxes.subspan(first, count))
            sum += box.center();
        line.points.push_back(sum / static_cast<float>(count));
    }
    if (line.points.size() < 2) return;
    Exhibit& shown = put(results, std::move(line), role);
    shown.width_px = width_px;
    shown.legend = legend;
}

void put_measure(FrameResults& results, glm::vec3 a, glm::vec3 b, Role role, std::string text) {
    Exhibit& line = put(results, bv::Segment{a, b}, role, std::move(text));
    line.on_top = true;
    line.width_px = 2.5f;
}

namespace {

/// The third bar is `shared`, with this legend, or else the gap between the intervals.
void put_bars(FrameResults& results, const IntervalStage& stage, Interval a, Interval b, Interval shared,
              const char* legend) {
    const auto bar = [&](Interval interval, int row, Role role) -> Exhibit& {
        const glm::vec3 base = stage.origin + static_cast<float>(row) * stage.step * stage.aside;
        Exhibit& line = put(
            results,
            bv::Segment{base + interval.min * stage.direction, base + interval.max * stage.direction}, role);
        line.width_px = 5.0f;
        return line;
    };
    // The text stands clear of the bars, which it would cover: farther away where it lies beside them.
    const float level = glm::length(glm::vec2(stage.aside.x, stage.aside.z));
    const auto text = [&](Interval interval, Role role, std::string words) {
        put_note(results,
                 stage.origin + (3.2f * stage.step + 0.08f + 0.25f * level) * stage.aside +
                     0.5f * (interval.min + interval.max) * stage.direction,
                 role, std::move(words));
    };
    const std::string axis = stage.name.empty() ? "" : std::string(stage.name) + ": ";
    bar(a, 0, Role::ProjectionA);
    bar(b, 1, Role::ProjectionB);
    const Interval gap{std::min(a.max, b.max), std::max(a.min, b.min)};
    if (gap.min < gap.max) {
        bar(gap, 2, Role::Separating).legend = "gap";
        text(gap, Role::Separating, axis + "gap " + number(static_cast<double>(gap.max - gap.min)) + " m");
    } else {
        bar(shared, 2, Role::Overlap).legend = legend;
        text(shared, Role::Overlap, axis + number(static_cast<double>(shared.max - shared.min)) + " m");
    }
}

}  // namespace

void put_intervals(FrameResults& results, const IntervalStage& stage, Interval a, Interval b) {
    put_bars(results, stage, a, b, {std::max(a.min, b.min), std::min(a.max, b.max)}, "");
}

void put_separation(FrameResults& results, const IntervalStage& stage, Interval a, Interval b) {
    const bool b_goes_up = a.max - b.min <= b.max - a.min;
    put_bars(results, stage, a, b, b_goes_up ? Interval{b.min, a.max} : Interval{a.min, b.max},
             "overlap: translation that separates them");
}

std::string number(double value) {
    return to_text(cells::brief(value));
}

std::string Film::caption() const {
    std::string text = fmt::format("frame {} ({} of {})", number, to_text(cells::grouped(place + 1)),
                                   to_text(cells::grouped(numbers->size())));
    if (std::isfinite(time_s)) text += fmt::format("  {:.2f} s", time_s);
    return text;
}

const Handle* find_handle(const std::vector<Handle>& handles, std::string_view id) {
    for (const Handle& handle : handles)
        if (handle.id == id) return &handle;
    return nullptr;
}

glm::vec3 numbers_of(const std::vector<Handle>& handles, const Handle& handle) {
    const Handle* base = handle.given.from.empty() ? nullptr : find_handle(handles, handle.given.from);
    const glm::vec3 numbers = base ? handle.position - base->position : handle.position;
    return handle.given.is_size ? glm::abs(numbers) : numbers;
}

}  // namespace lab
