// The handles that move and turn what is selected: found where they are drawn, and they follow the mouse.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "view/gizmo.hpp"
#include "workloads/random.hpp"

namespace lab {
namespace {

TEST(Gizmo, PartsAreFoundWhereTheyAreDrawn) {
    Camera camera;
    camera.distance = 8.0f;
    camera.yaw_rad = 0.6f;
    camera.pitch_rad = 0.45f;
    const glm::vec2 view(1000, 800);
    for (const float scale : {1.0f, 2.0f}) {
        const Gizmo g = *gizmo_at({0.3f, -0.2f, 0.1f}, GizmoMode::Both, camera, view, scale);
        const auto at = [&](const glm::vec3& p) {
            return gizmo_part_at(g, camera, view, scale, *camera.project(p, view));
        };
        const float px = g.metres_per_px;
        for (int axis = 0; axis < 3; ++axis) {
            const auto tip = camera.project(g.center + kGizmoArrowPx * px * unit_axis(axis), view);
            const GizmoPart part = at(g.center + 0.8f * kGizmoArrowPx * px * unit_axis(axis));
            EXPECT_EQ(axis_of(part), axis);
            EXPECT_TRUE(part != GizmoPart::None && !is_turn(part) && !is_plane(part));
            EXPECT_LT(glm::distance(*tip, *camera.project(g.center, view)), 1.1f * kGizmoArrowPx * scale);
            const glm::vec3 square =
                0.6f * kGizmoSquarePx * px * (unit_axis((axis + 1) % 3) + unit_axis((axis + 2) % 3));
            EXPECT_TRUE(is_plane(at(g.center + square)));
            EXPECT_EQ(axis_of(at(g.center + square)), axis);
            int rings = 0;
            for (int i = 0; i < 40; ++i) {
                const glm::vec3 p = ring_point(g, axis, static_cast<float>(i) / 40.0f);
                if (!faces_eye(g, p, camera.eye())) continue;
                EXPECT_NE(at(p), GizmoPart::None);
                rings += is_turn(at(p)) && axis_of(at(p)) == axis;
            }
            EXPECT_GT(rings, 10);
        }
        EXPECT_EQ(gizmo_part_at(g, camera, view, scale, {5, 5}), GizmoPart::None);
    }
    EXPECT_FALSE(gizmo_at({0, 0, 0}, GizmoMode::Off, camera, view, 1.0f));
    EXPECT_FALSE(gizmo_at(camera.eye() - camera.forward(), GizmoMode::Both, camera, view, 1.0f))
        << "behind the eye";
}

TEST(Gizmo, ADraggedPartFollowsTheMouse) {
    Camera camera;
    camera.distance = 8.0f;
    const glm::vec2 view(1000, 800);
    const Gizmo g = *gizmo_at({0, 0, 0}, GizmoMode::Both, camera, view, 1.0f);
    bv::workloads::Random random(3);
    for (int i = 0; i < 200; ++i) {
        const auto part = static_cast<GizmoPart>(1 + random.below(9));
        const int axis = axis_of(part);
        if (is_turn(part)) {
            // From one point of the ring to another: the angle between them.
            const float a = random.uniform(), b = a + random.uniform(-0.2f, 0.2f);
            const auto from = camera.project(ring_point(g, axis, a), view);
            const auto to = camera.project(ring_point(g, axis, b), view);
            EXPECT_NEAR(gizmo_angle(g, part, camera, view, *from, *to), 6.2831853f * (b - a), 2e-3f);
            continue;
        }
        glm::vec3 start = 0.3f * random.in_ball(), end = 0.3f * random.in_ball();
        for (int k = 0; k < 3; ++k)
            if ((k == axis) == is_plane(part)) start[k] = end[k] = 0.0f;
        const glm::vec3 delta =
            gizmo_delta(g, part, camera, view, *camera.project(start, view), *camera.project(end, view));
        EXPECT_LT(glm::distance(delta, end - start), 2e-3f) << static_cast<int>(part);
        EXPECT_EQ(is_plane(part) ? delta[axis] : delta[(axis + 1) % 3], 0.0f) << "nothing but along it";
    }
}

}  // namespace
}  // namespace lab
