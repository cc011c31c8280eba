#include "results/exhibit.hpp"

#include <glm/vec4.hpp>

namespace lab {
namespace {

struct Bounds {
    bv::Aabb box;

    void add(const glm::vec3& point) { box = bv::merge(box, point); }

    void operator()(const Note&) {}
    void operator()(const Marker& marker) { add(marker.position); }
    void operator()(const bv::Segment& segment) {
        add(segment.a);
        add(segment.b);
    }
    void operator()(const Polyline& line) {
        for (const glm::vec3& point : line.points)
            add(point);
    }
    void operator()(const bv::Ray& ray) { add(ray.origin); }
    void operator()(const bv::Triangle& triangle) {
        add(triangle.a);
        add(triangle.b);
        add(triangle.c);
    }
    void operator()(const bv::Sphere& sphere) {
        if (sphere.is_empty()) return;
        add(sphere.center - sphere.radius);
        add(sphere.center + sphere.radius);
    }
    void operator()(const bv::Aabb& other) { box = bv::merge(box, other); }
    void operator()(const bv::Obb& obb) {
        if (obb.is_empty()) return;
        for (int i = 0; i < 8; ++i)
            add(obb.corner(i));
    }
    void operator()(const bv::Capsule& capsule) {
        if (capsule.is_empty()) return;
        for (const glm::vec3& end : {capsule.a, capsule.b}) {
            add(end - capsule.radius);
            add(end + capsule.radius);
        }
    }
    void operator()(const bv::RectSweptSphere& rect) {
        if (rect.is_empty()) return;
        for (int i = 0; i < 4; ++i) {
            add(rect.corner(i) - rect.radius);
            add(rect.corner(i) + rect.radius);
        }
    }
    void operator()(const PlanePatch& patch) {
        add(patch.center - patch.half_size);
        add(patch.center + patch.half_size);
    }
    void operator()(const Polytope& polytope) {
        for (const glm::vec3& point : polytope.vertices)
            add(point);
    }
    void operator()(const VoxelBlock& block) {
        for (int i = 0; i < 8; ++i)
            add(block.transform * glm::vec4((i & 1) ? block.size.x : 0.0f, (i & 2) ? block.size.y : 0.0f,
                                            (i & 4) ? block.size.z : 0.0f, 1.0f));
    }
};

}  // namespace

bv::Aabb bounds_of(const Exhibit& exhibit) {
    Bounds bounds;
    std::visit(bounds, exhibit.shape);
    return bounds.box;
}

}  // namespace lab
