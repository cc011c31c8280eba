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
    LessonSpec{"bounding-volumes", "Volumes", "What a bounding volume is, and why it lies",
               "A cheap shape around an expensive one: a no is certain, a yes is a question."},
    LessonSpec{"spheres", "Volumes", "A sphere around a mesh",
               "Ritter's two passes and the exact ball, and how far apart they are."},
    LessonSpec{"fitting", "Volumes", "Fits, step by step",
               "A ball that grows, a hull that sheds faces, a box that leans, slabs that cut corners."},
    LessonSpec{"aabb-forms", "Volumes", "Three ways to store a box",
               "Corners, center and half extents, corner and size: what each form costs."},
    LessonSpec{"fixed-and-tight", "Volumes", "Fixed against tight",
               "A box that never changes against one that always fits."},
    LessonSpec{"aabb-overlap", "Pairs", "Box against box", "Overlap on every axis is overlap in space."},
    LessonSpec{"moving-boxes", "Pairs", "Boxes that move",
               "When two boxes meet and when they part, without taking small steps."},
    LessonSpec{"obb-axes", "Pairs", "Turned boxes and fifteen axes",
               "Separating axes: one for each edge in the plane, fifteen in space."},
    LessonSpec{"planes", "Pairs", "A box, a plane and a cut",
               "The projected radius decides; then a mesh is cut into two closed halves."},
    LessonSpec{"cutting", "Pairs", "Cutting meshes and space",
               "A plane through triangles, then many planes: a tree that knows what is in front."},
    LessonSpec{"two-meshes", "Pairs", "Two meshes meet",
               "Tree against tree, triangle against triangle, and two ways without triangles."},
    LessonSpec{"ray-box", "Rays", "Ray against box", "Three slabs, three intervals, one intersection."},
    LessonSpec{"ray-triangle", "Rays", "Ray against triangle",
               "Meet the plane, then ask whether the point is inside."},
    LessonSpec{"picking", "Rays", "Picking with a ray",
               "What a click does: pixel, ray, boxes, triangles, nearest hit."},
    LessonSpec{"tree-growth", "Trees", "A tree that grows",
               "Where a new box goes, what that costs, and who has to grow with it."},
    LessonSpec{"building", "Trees", "How a tree is built",
               "One box after the other, from the root by planes, or from below by neighbors."},
    LessonSpec{"tree-balance", "Trees", "Why balance matters",
               "Sorted input turns a tree into a list; rotations turn it back."},
    LessonSpec{"sweep-and-grid", "Trees", "Without a tree: sweep and grid",
               "Sorted ends and cells find the same pairs."},
    LessonSpec{"fat-boxes", "Trees", "Fat boxes",
               "Boxes that are too large on purpose, so that small moves cost nothing."},
    LessonSpec{"broad-and-narrow", "Trees", "Broad phase, then narrow phase",
               "From all pairs to few, from few to the ones that touch."},
    LessonSpec{"less-work", "Trees", "What need not be tested",
               "Five rules that spare tests, and the pairs that two of them give up."},
    LessonSpec{"your-engine", "Trees", "Your own engine",
               "Write down what your engine's tree does, and read why it is slow."},
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
    const std::string hint = did_you_mean(id, ids);
    return fmt::format("there is no lesson '{}'{}", id,
                       hint.empty() ? "; --list-lessons shows them all" : hint);
}

std::string_view lesson_text(const LessonSpec& spec) {
    const std::string name = fmt::format("{}.md", spec.id);
    for (const EmbeddedFile& file : embedded_lessons())
        if (file.name == name) return {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
    BV_ASSERT(false);  // a row without a file
    return {};
}

}  // namespace lab::lessons
