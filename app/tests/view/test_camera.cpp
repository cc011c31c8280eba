// The orbit camera: rays are the inverse of the projection, framing fits, and motion follows the mouse.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "view/camera.hpp"
#include "workloads/random.hpp"

namespace lab {
namespace {

/// The pixel of a point.
glm::vec2 pixel_of(const Camera& camera, const glm::vec3& p, glm::vec2 size) {
    const glm::vec4 clip = camera.projection(size) * camera.view() * glm::vec4(p, 1.0f);
    const glm::vec2 ndc = glm::vec2(clip) / clip.w;
    return {(ndc.x * 0.5f + 0.5f) * size.x, (0.5f - ndc.y * 0.5f) * size.y};
}

Camera random_camera(bv::workloads::Random& random) {
    Camera camera;
    camera.target = random.in_box(glm::vec3(-20.0f), glm::vec3(20.0f));
    camera.distance = random.uniform(0.5f, 50.0f);
    camera.yaw_rad = random.uniform(-3.1f, 3.1f);
    camera.pitch_rad = random.uniform(-1.5f, 1.5f);
    return camera;
}

TEST(Camera, AxesAreOrthonormalAndYawZeroLooksAlongMinusZ) {
    Camera camera;
    camera.yaw_rad = camera.pitch_rad = 0.0f;
    EXPECT_EQ(camera.forward(), glm::vec3(0, 0, -1));
    EXPECT_EQ(camera.right(), glm::vec3(1, 0, 0));
    EXPECT_EQ(camera.eye(), camera.target + glm::vec3(0, 0, camera.distance));
    camera.pitch_rad = 0.5f;
    EXPECT_GT(camera.eye().y, camera.target.y) << "a positive pitch lifts the eye";
    bv::workloads::Random random(1);
    for (int i = 0; i < 100; ++i) {
        const Camera c = random_camera(random);
        EXPECT_NEAR(glm::dot(c.forward(), c.right()), 0.0f, 1e-6f);
        EXPECT_NEAR(glm::dot(c.forward(), c.up()), 0.0f, 1e-6f);
        EXPECT_NEAR(glm::length(c.up()), 1.0f, 1e-5f);
        EXPECT_GE(c.up().y, 0.0f);
    }
}

TEST(Camera, RaysAreTheInverseOfTheProjection) {
    bv::workloads::Random random(2);
    const glm::vec2 size(1280.0f, 720.0f);
    for (int i = 0; i < 1000; ++i) {
        const Camera camera = random_camera(random);
        const glm::vec2 pixel(random.uniform(0.0f, size.x), random.uniform(0.0f, size.y));
        const bv::Ray ray = camera.ray_through(pixel, size);
        EXPECT_NEAR(glm::length(ray.direction), 1.0f, 1e-5f);
        const glm::vec2 seen = pixel_of(camera, ray.at(camera.distance), size);
        EXPECT_NEAR(seen.x, pixel.x, 0.05f);
        EXPECT_NEAR(seen.y, pixel.y, 0.05f);
    }
}

TEST(Camera, WithZUpEverythingIsTurned) {
    bv::workloads::Random random(4);
    const auto turned = [](const glm::vec3& v) { return glm::vec3(v.x, -v.z, v.y); };
    const glm::vec2 size(1280.0f, 720.0f);
    for (int i = 0; i < 100; ++i) {
        const Camera camera = random_camera(random);
        Camera z_up = camera;
        z_up.z_up = true;
        EXPECT_EQ(z_up.forward(), turned(camera.forward()));
        EXPECT_EQ(z_up.right(), turned(camera.right()));
        EXPECT_GE(z_up.up().z, 0.0f);
        const glm::vec3 point = random.in_box(glm::vec3(-1.0f), glm::vec3(1.0f));
        const glm::vec2 a = pixel_of(camera, camera.target + point, size);
        const glm::vec2 b = pixel_of(z_up, z_up.target + turned(point), size);
        EXPECT_NEAR(a.x, b.x, 0.05f);
        EXPECT_NEAR(a.y, b.y, 0.05f);
    }
}

TEST(Camera, FramePutsEveryCornerIntoThePictureAndFillsIt) {
    bv::workloads::Random random(3);
    for (int i = 0; i < 300; ++i) {
        Camera camera = random_camera(random);
        const glm::vec3 center = random.in_box(glm::vec3(-9.0f), glm::vec3(9.0f));
        const glm::vec3 half = random.in_box(glm::vec3(0.01f), glm::vec3(5.0f));
        const bv::Aabb box{center - half, center + half};
        camera.frame(box);
        const auto nearest_edge = [&](const Camera& seen_by, const glm::vec2& size) {
            float nearest = 1.0f;
            for (int k = 0; k < 8; ++k) {
                const glm::vec2 at = pixel_of(seen_by, box.corner(k), size) / size;
                nearest = std::min({nearest, at.x, at.y, 1.0f - at.x, 1.0f - at.y});
            }
            return nearest;
        };
        const float edge = nearest_edge(camera, {1280.0f, 720.0f});
        EXPECT_GT(edge, 0.0f);
        EXPECT_LT(edge, 0.1f) << "some corner comes near the edge of the picture";
        const glm::vec2 size(random.uniform(200.0f, 2000.0f), random.uniform(200.0f, 2000.0f));
        EXPECT_GT(nearest_edge(camera.in_view(size.x / size.y), size), 0.0f) << size.x << " x " << size.y;
    }
}

TEST(Camera, IsUnchangedForItsOwnAspectRatio) {
    bv::workloads::Random random(6);
    for (int i = 0; i < 20; ++i) {
        const Camera camera = random_camera(random);
        EXPECT_TRUE(camera.in_view(1280.0f / 720.0f) == camera);
        EXPECT_TRUE(camera.in_view(4.0f) == camera) << "a wider one only shows more at its sides";
        EXPECT_GT(camera.in_view(1.0f).distance, 1.7f * camera.distance);
    }
}

TEST(Camera, ComesNoCloserToANarrowPictureThanWhatWasFramedNeeds) {
    const glm::vec2 narrow(400.0f, 800.0f);
    const bv::Aabb tower{glm::vec3(-0.5f, 0.0f, -0.5f), glm::vec3(0.5f, 5.0f, 0.5f)};
    Camera camera;
    camera.frame(tower);
    EXPECT_EQ(camera.in_view(0.5f).distance, camera.distance) << "it is as narrow itself";
    const bv::Aabb cube{glm::vec3(-1.0f), glm::vec3(1.0f)};
    camera = {};
    camera.frame(cube);
    EXPECT_LT(camera.in_view(1.3f).distance, 1.1f * camera.distance);
    for (float yaw = 0.0f; yaw < 6.3f; yaw += 0.1f) {
        Camera turned = camera;
        turned.orbit(yaw, 0.0f);
        for (int i = 0; i < 8; ++i) {
            const auto seen = turned.in_view(0.5f).project(cube.corner(i), narrow);
            ASSERT_TRUE(seen);
            EXPECT_GT(std::min(seen->x, narrow.x - seen->x), 0.0f) << "turned by " << yaw;
        }
    }
    const bv::Aabb row{glm::vec3(-9.0f, 0.0f, -0.5f), glm::vec3(9.0f, 1.0f, 0.5f)};
    camera.frame(row);
    EXPECT_GT(camera.framed_aspect, 0.95f * Camera::kAspect);
    EXPECT_LE(camera.framed_aspect, Camera::kAspect);
}

TEST(Camera, FrameKeepsTheCoveredPartOfThePictureFree) {
    const bv::Aabb box{glm::vec3(-1.0f, 0.0f, -1.0f), glm::vec3(1.0f, 3.0f, 1.0f)};
    const glm::vec2 size(700.0f, 500.0f);
    for (const float covered : {0.0f, 0.16f, 0.2f}) {
        Camera camera;
        camera.pitch_rad = 0.2f;
        camera.frame(box);
        camera = camera.in_view(size.x / size.y, covered);
        float top = size.y, bottom = 0.0f;
        for (int i = 0; i < 8; ++i) {
            const auto seen = camera.project(box.corner(i), size);
            ASSERT_TRUE(seen);
            top = std::min(top, seen->y);
            bottom = std::max(bottom, seen->y);
        }
        EXPECT_GT(top, covered * size.y) << covered;
        EXPECT_LT(bottom, size.y) << covered;
        EXPECT_GT(bottom - top, 0.6f * (1.0f - covered) * size.y) << "and fills the rest";
    }
}

TEST(Camera, FrameKeepsTheRightOfThePictureFree) {
    const bv::Aabb box{glm::vec3(-3.0f, 0.0f, -1.0f), glm::vec3(3.0f, 1.0f, 1.0f)};
    const glm::vec2 size(900.0f, 500.0f);
    for (const float beside : {0.0f, 0.26f, 0.4f}) {
        Camera camera;
        camera.yaw_rad = 0.0f;
        camera.frame(box);
        camera = camera.in_view(size.x / size.y, 0.1f, beside);
        float left = size.x, right = 0.0f;
        for (int i = 0; i < 8; ++i) {
            const auto seen = camera.project(box.corner(i), size);
            ASSERT_TRUE(seen);
            left = std::min(left, seen->x);
            right = std::max(right, seen->x);
        }
        EXPECT_GT(left, 0.0f) << beside;
        EXPECT_LT(right, (1.0f - beside) * size.x) << beside;
        // Perspective is not even beside the middle of the picture.
        EXPECT_NEAR(left, (1.0f - beside) * size.x - right, 0.08f * size.x)
            << beside << ": centered in what is left";
        EXPECT_GT(right - left, 0.5f * (1.0f - beside) * size.x) << beside << ": and fills it";
    }
}

TEST(Camera, FrameOfNothingOrAPointKeepsTheDistance) {
    Camera camera;
    const Camera before = camera;
    camera.frame({});
    EXPECT_EQ(camera.target, before.target);
    camera.frame({glm::vec3(std::nanf("")), glm::vec3(1.0f)});
    EXPECT_EQ(camera.target, before.target);
    camera.frame({glm::vec3(2.0f), glm::vec3(2.0f)});
    EXPECT_EQ(camera.target, glm::vec3(2.0f));
    EXPECT_EQ(camera.distance, before.distance);
}

TEST(Camera, PanKeepsThePointUnderTheMouse) {
    bv::workloads::Random random(4);
    const glm::vec2 size(800.0f, 600.0f);
    for (int i = 0; i < 100; ++i) {
        Camera camera = random_camera(random);
        const glm::vec2 pixel(random.uniform(100.0f, 700.0f), random.uniform(100.0f, 500.0f));
        const bv::Ray ray = camera.ray_through(pixel, size);
        // The point in the plane through the target that faces the camera.
        const glm::vec3 p = ray.at(camera.distance / glm::dot(ray.direction, camera.forward()));
        const glm::vec2 delta(random.uniform(-80.0f, 80.0f), random.uniform(-80.0f, 80.0f));
        camera.pan(delta, size);
        const glm::vec2 seen = pixel_of(camera, p, size);
        EXPECT_NEAR(seen.x, pixel.x + delta.x, 0.1f);
        EXPECT_NEAR(seen.y, pixel.y + delta.y, 0.1f);
    }
}

TEST(Camera, StaysInAUsefulRange) {
    Camera camera;
    for (int i = 0; i < 10000; ++i) {
        camera.orbit(1.0f, 1.0f);
        camera.zoom(0.5f);
        camera.fly({1e6f, 1e6f, 1e6f});
    }
    EXPECT_GT(camera.distance, 0.0f);
    EXPECT_LE(std::abs(camera.yaw_rad), 3.15f);
    EXPECT_LT(camera.pitch_rad, glm::radians(90.0f));
    EXPECT_TRUE(std::isfinite(camera.eye().x + camera.eye().y + camera.eye().z));
    for (int i = 0; i < 10000; ++i)
        camera.zoom(2.0f);
    EXPECT_TRUE(std::isfinite(camera.distance));
}

}  // namespace
}  // namespace lab
