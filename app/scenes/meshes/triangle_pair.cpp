#include "scenes/meshes/triangle_pair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <utility>

#include "bv/query/overlap_triangle.hpp"
#include "io/text/counted.hpp"

namespace lab::scenes {
namespace {

constexpr bv::Triangle kFlat{{-1.3f, 0.6f, 0.0f}, {1.3f, 0.6f, 0.0f}, {0.0f, 2.5f, 0.0f}};

constexpr bv::Triangle partner(PairCase which) {
    switch (which) {
        case PairCase::Plane:
            return {{-1.1f, 0.7f, 0.4f}, {1.0f, 0.8f, 1.0f}, {0.1f, 2.3f, 0.6f}};
        case PairCase::Line:
            return {{0.7f, 2.2f, -0.9f}, {1.2f, 1.7f, 0.8f}, {1.9f, 2.4f, 0.9f}};
        case PairCase::Touching:
            return {{0.1f, 1.3f, 0.0f}, {0.9f, 1.6f, 1.2f}, {-0.6f, 2.0f, 1.1f}};
        case PairCase::Coplanar:
            return {{0.2f, 1.1f, 0.0f}, {1.9f, 1.3f, 0.0f}, {1.1f, 2.4f, 0.0f}};
        case PairCase::Neighbors:
            return {kFlat.b, kFlat.a, {0.1f, 0.2f, 1.4f}};
        case PairCase::Crossing:
        case PairCase::Meshes:
            break;
    }
    return {{-0.5f, 1.3f, -1.1f}, {0.4f, 0.9f, 1.2f}, {0.8f, 2.1f, 1.0f}};
}

constexpr std::array kCorners = {"a1", "a2", "a3", "b1", "b2", "b3"};

}  // namespace

TrianglePair::TrianglePair() {
    for (const char* id : kCorners)
        handles_.add(id, {}, {}, {.name = fmt::format("{}, corner {}", id[0] == 'a' ? "A" : "B", id[1])});
    place(PairCase::Crossing, std::nullopt);
}

void TrianglePair::place(PairCase which, const std::optional<std::array<bv::Triangle, 2>>& of_meshes) {
    if (which == PairCase::Meshes && !of_meshes) return;
    const auto pair = which == PairCase::Meshes ? *of_meshes : std::array{kFlat, partner(which)};
    const glm::vec3 corners[] = {pair[0].a, pair[0].b, pair[0].c, pair[1].a, pair[1].b, pair[1].c};
    for (std::size_t i = 0; i < kCorners.size(); ++i)
        handles_.place(kCorners[i], corners[i]);
    handles_.note_placement();
}

bv::Triangle TrianglePair::triangle(bool of_a) const {
    const std::size_t first = of_a ? 0 : 3;
    return {handles_[kCorners[first]], handles_[kCorners[first + 1]], handles_[kCorners[first + 2]]};
}

void TrianglePair::analyze() {
    const std::array pair = {triangle(true), triangle(false)};
    const auto same = [](const bv::Triangle& s, const bv::Triangle& t) {
        return s.a == t.a && s.b == t.b && s.c == t.c;
    };
    if (walk_ && same(pair[0], walked_[0]) && same(pair[1], walked_[1])) return;
    walked_ = pair;
    bv::Recording trace;
    const bool overlap = bv::overlap(pair[0], pair[1], trace);
    steps::Subject subject;
    subject.triangles.assign(pair.begin(), pair.end());
    const std::size_t count = trace.events().size();
    walk_ = std::make_shared<const steps::Walk>(
        steps::algorithm("triangles"), std::move(subject), trace,
        fmt::format("After {}, the triangles are known {}.", io::counted(count, "step", "steps"),
                    overlap ? "to overlap" : "to be apart"));
}

bv::Aabb TrianglePair::bounds() const {
    bv::Aabb all;
    for (const char* corner : kCorners)
        all = bv::merge(all, handles_[corner]);
    const float height = all.size().y;
    all.min.y -= 0.45f * height;  // for the chart below
    all.max.y += 0.3f * height;   // for the scene's text above
    return all;
}

void TrianglePair::face(Camera& camera) const {
    const auto normal = [&](bool of_a) {
        const bv::Triangle t = triangle(of_a);
        const glm::vec3 n = glm::cross(t.b - t.a, t.c - t.a);
        const float length = glm::length(n);
        return length > 0.0f ? n / length : glm::vec3(0, 0, 1);
    };
    const glm::vec3 a = normal(true), b = normal(false);
    float best = -1.0f;
    for (int yaw = -60; yaw <= 60; yaw += 5)
        for (int pitch = 10; pitch <= 50; pitch += 5) {
            Camera candidate = camera;
            candidate.yaw_rad = glm::radians(static_cast<float>(yaw));
            candidate.pitch_rad = glm::radians(static_cast<float>(pitch));
            const glm::vec3 along = candidate.forward();
            const float seen = std::min(std::abs(glm::dot(along, a)), std::abs(glm::dot(along, b)));
            if (seen <= best) continue;
            best = seen;
            camera.yaw_rad = candidate.yaw_rad;
            camera.pitch_rad = candidate.pitch_rad;
        }
}

void TrianglePair::show(FrameResults& results) const {
    for (const bool of_a : {true, false}) {
        const bv::Triangle t = triangle(of_a);
        Exhibit& shown = put(results, t, of_a ? Role::ProjectionA : Role::ProjectionB, {}, 0.35f);
        shown.legend = of_a ? "triangle A" : "triangle B";
        put_note(results, (t.a + t.b + t.c) / 3.0f, shown.role, of_a ? "A" : "B");
    }
    handles_.show(results);
}

}  // namespace lab::scenes
