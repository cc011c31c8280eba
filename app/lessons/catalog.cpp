#include "lessons/catalog.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "bv/assert.hpp"
#include "lessons/embedded.hpp"
#include "settings/suggest.hpp"

namespace lab::lessons {
namespace {

constexpr std::array kLessons = {
    LessonSpec{"bounding-volumes", "Volumes", "What a bounding volume is",
               "A cheap shape around an expensive one: \"no\" is certain, \"yes\" means only maybe."},
    LessonSpec{"spheres", "Volumes", "A sphere around a mesh",
               "Ritter's two passes, the exact sphere, and how much they differ."},
    LessonSpec{"fitting", "Volumes", "Fitting, step by step",
               "A growing sphere, a hull that replaces faces, a tilted box, slabs that cut off corners."},
    LessonSpec{"aabb-forms", "Volumes", "Three ways to store a box",
               "Two corners, center and half extents, corner and size: what each form costs."},
    LessonSpec{"fixed-and-tight", "Volumes", "Fixed and tight boxes",
               "A box that never changes size, and one that always fits."},
    LessonSpec{"aabb-overlap", "Pairs", "Box against box", "Overlap on every axis means overlap in space."},
    LessonSpec{"moving-boxes", "Pairs", "Moving boxes",
               "When two boxes touch and when they separate, without taking small steps."},
    LessonSpec{"obb-axes", "Pairs", "Oriented boxes and fifteen axes",
               "Separating axes: one for each edge direction in the plane, fifteen in space."},
    LessonSpec{"planes", "Pairs", "A box and a plane",
               "The projected radius decides; then the plane cuts a mesh into two closed halves."},
    LessonSpec{"cutting", "Pairs", "Cutting meshes and space",
               "One plane through triangles, then many planes: a tree that knows what is in front."},
    LessonSpec{"two-meshes", "Pairs", "Mesh against mesh",
               "Tree against tree, triangle against triangle, and two methods without triangles."},
    LessonSpec{"ray-box", "Rays", "Ray against box", "Three slabs, three intervals, one intersection."},
    LessonSpec{"ray-triangle", "Rays", "Ray against triangle",
               "Intersect the plane, then test whether the point is inside."},
    LessonSpec{"picking", "Rays", "Picking with a ray",
               "What a click does: pixel, ray, boxes, triangles, nearest hit."},
    LessonSpec{"tree-growth", "Trees", "A growing tree",
               "Where a new box goes, what it costs, and which boxes have to grow."},
    LessonSpec{"building", "Trees", "How a tree is built",
               "Box by box, top-down with planes, or bottom-up by merging neighbors."},
    LessonSpec{"tree-balance", "Trees", "Why balance matters",
               "Sorted input turns a tree into a list; rotations turn it back into a tree."},
    LessonSpec{"sweep-and-grid", "Trees", "Without a tree: sweep and grid",
               "Sorted endpoints and grid cells find the same pairs."},
    LessonSpec{"fat-boxes", "Trees", "Fat boxes",
               "Boxes that are too large on purpose, so that small moves cost nothing."},
    LessonSpec{"broad-and-narrow", "Trees", "Broadphase, then narrow phase",
               "From all pairs to a few, and from a few to those that touch."},
    LessonSpec{"less-work", "Trees", "Tests that can be skipped",
               "Five rules that save tests, and the pairs that two of them miss."},
    LessonSpec{"your-engine", "Trees", "Your own engine",
               "Capture what your engine's tree does, and find out why it is slow."},
};

}  // namespace

std::span<const LessonSpec> lesson_specs() {
    return kLessons;
}

const LessonSpec* find_lesson(std::string_view id) {
    for (const LessonSpec& spec : kLessons)
        if (spec.id == id) return &spec;
    return nullptr;
}

std::string no_lesson(std::string_view id) {
    std::vector<std::string_view> ids;
    ids.reserve(std::size(kLessons));
    for (const LessonSpec& spec : kLessons)
        ids.push_back(spec.id);
    return no_such("lesson", id, ids);
}

std::string_view lesson_text(const LessonSpec& spec) {
    const std::string name = fmt::format("{}.md", spec.id);
    for (const EmbeddedFile& file : embedded_lessons())
        if (file.name == name) return {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
    BV_ASSERT(false);  // a row without a file
    return {};
}

}  // namespace lab::lessons
