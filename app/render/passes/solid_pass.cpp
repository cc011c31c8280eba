#include "render/passes/solid_pass.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>

#include "render/finite.hpp"

namespace lab::render {

namespace {

using gl::Attribute;
using gl::kByte;
using gl::kFloat;
constexpr GLuint kSpherePosition = 5;

// Beyond this count, sorting each frame costs more than it improves the picture.
constexpr std::size_t kMaxSorted = 8192;

std::vector<Attribute> box_layout() {
    constexpr std::size_t at = offsetof(SolidBox, transform), step = sizeof(glm::vec3);
    return {{0, 3, kFloat, at},
            {1, 3, kFloat, at + step},
            {2, 3, kFloat, at + 2 * step},
            {3, 3, kFloat, at + 3 * step},
            {4, 4, kByte, offsetof(SolidBox, color)}};
}
std::vector<Attribute> sphere_layout() {
    return {{0, 3, kFloat, offsetof(SolidSphere, center)},
            {1, 1, kFloat, offsetof(SolidSphere, radius)},
            {2, 4, kByte, offsetof(SolidSphere, color)}};
}
}  // namespace

SolidPass::SolidPass(gl::ShaderLibrary& shaders)
    : box_program_(shaders.add("surfaces/solid.vert", "surfaces/solid.frag", "#define BOXES\n")),
      sphere_program_(shaders.add("surfaces/solid.vert", "surfaces/solid.frag", "#define SPHERES\n")),
      triangle_program_(shaders.add("surfaces/solid.vert", "surfaces/solid.frag", "#define TRIANGLES\n")),
      boxes_(box_layout(), sizeof(SolidBox)),
      spheres_(sphere_layout(), sizeof(SolidSphere)),
      triangles_({{0, 3, kFloat, offsetof(Corner, at)},
                  {1, 3, kFloat, offsetof(Corner, normal)},
                  {2, 4, kByte, offsetof(Corner, color)}},
                 sizeof(Corner), gl::Advance::PerVertex) {
    build_sphere();
}

// Rings of latitude: 48 around, 24 from pole to pole.
void SolidPass::build_sphere() {
    constexpr std::uint16_t kAround = 48, kRings = 24;
    std::vector<glm::vec3> vertices;
    std::vector<std::uint16_t> indices;
    for (int ring = 0; ring <= kRings; ++ring) {
        const float polar = 3.14159265f * static_cast<float>(ring) / kRings;
        for (int i = 0; i < kAround; ++i) {
            const float turn = 6.28318531f * static_cast<float>(i) / kAround;
            vertices.emplace_back(std::sin(polar) * std::cos(turn), std::cos(polar),
                                  std::sin(polar) * std::sin(turn));
        }
    }
    for (std::uint16_t ring = 0; ring < kRings; ++ring)
        for (std::uint16_t i = 0; i < kAround; ++i) {
            const auto a = static_cast<std::uint16_t>(ring * kAround + i);
            const auto b = static_cast<std::uint16_t>(ring * kAround + (i + 1) % kAround);
            const auto below_a = static_cast<std::uint16_t>(a + kAround),
                       below_b = static_cast<std::uint16_t>(b + kAround);
            if (ring > 0) indices.insert(indices.end(), {a, b, below_a});
            if (ring + 1 < kRings) indices.insert(indices.end(), {b, below_b, below_a});
        }
    sphere_index_count_ = static_cast<GLsizei>(indices.size());
    glBindVertexArray(spheres_.vertex_array());
    glBindBuffer(GL_ARRAY_BUFFER, sphere_vertices_.get());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(glm::vec3)),
                 vertices.data(), GL_STATIC_DRAW);
    glEnableVertexAttribArray(kSpherePosition);
    glVertexAttribPointer(kSpherePosition, 3, GL_FLOAT, GL_FALSE, sizeof(glm::vec3), nullptr);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, sphere_indices_.get());
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(indices.size() * sizeof(std::uint16_t)),
                 indices.data(), GL_STATIC_DRAW);
    glBindVertexArray(0);
}

// Each thing twice, its far side and its near side, at their own distances from the eye.
void SolidPass::collect(const DrawList& list, const gl::FrameContext& frame) {
    items_.clear();
    const glm::vec4 eye = frame.block.eye;
    const auto depth = [&](const glm::vec3& p) {
        return eye.w > 0.0f ? glm::distance(glm::vec3(eye), p) : -glm::dot(glm::vec3(eye), p);
    };
    const auto add_both = [&](Kind kind, std::size_t index, float center, float half) {
        items_.push_back({center + half, kind, Face::Back, static_cast<std::uint32_t>(index)});
        items_.push_back({center - half, kind, Face::Front, static_cast<std::uint32_t>(index)});
    };
    for (std::size_t i = 0; i < list.solid_boxes.size(); ++i) {
        const SolidBox& box = list.solid_boxes[i];
        if (box.color.a == 0 || !drawable(box)) continue;
        const glm::mat4x3& m = box.transform;
        const float half =
            std::sqrt(glm::dot(m[0], m[0]) + glm::dot(m[1], m[1]) + glm::dot(m[2], m[2])) * 0.58f;
        add_both(Kind::Box, i, depth(m[3]), half);
    }
    for (std::size_t i = 0; i < list.solid_spheres.size(); ++i) {
        const SolidSphere& sphere = list.solid_spheres[i];
        if (sphere.color.a != 0 && drawable(sphere))
            add_both(Kind::Sphere, i, depth(sphere.center), sphere.radius);
    }
    for (std::size_t i = 0; i < list.solid_triangles.size(); ++i) {
        const SolidTriangle& t = list.solid_triangles[i];
        if (t.color.a != 0 && drawable(t))
            items_.push_back(
                {depth((t.a + t.b + t.c) / 3.0f), Kind::Triangle, Face::Both, static_cast<std::uint32_t>(i)});
    }
    if (items_.size() <= kMaxSorted)
        std::stable_sort(items_.begin(), items_.end(),
                         [](const Item& a, const Item& b) { return a.depth > b.depth; });
    else
        std::stable_sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
            return a.face != b.face ? a.face == Face::Back || (a.face == Face::Both && b.face == Face::Front)
                                    : a.kind < b.kind;
        });
}

// Instance arrays in drawing order, and the runs of things that one draw call can take.
void SolidPass::arrange(const DrawList& list) {
    sorted_boxes_.clear();
    sorted_spheres_.clear();
    sorted_corners_.clear();
    runs_.clear();
    for (const Item& item : items_) {
        std::size_t at = 0;
        switch (item.kind) {
            case Kind::Box:
                at = sorted_boxes_.size();
                sorted_boxes_.push_back(list.solid_boxes[item.index]);
                break;
            case Kind::Sphere:
                at = sorted_spheres_.size();
                sorted_spheres_.push_back(list.solid_spheres[item.index]);
                break;
            case Kind::Triangle: {
                const SolidTriangle& t = list.solid_triangles[item.index];
                const glm::vec3 normal = glm::cross(t.b - t.a, t.c - t.a);
                at = sorted_corners_.size() / 3;
                for (const glm::vec3& corner : {t.a, t.b, t.c})
                    sorted_corners_.push_back({corner, normal, t.color});
                break;
            }
        }
        if (!runs_.empty() && runs_.back().kind == item.kind && runs_.back().face == item.face)
            ++runs_.back().count;
        else
            runs_.push_back({item.kind, item.face, at, 1});
    }
}

void SolidPass::draw_run(const Run& run, gl::FrameContext& frame) {
    const auto count = static_cast<GLsizei>(run.count);
    if (run.face == Face::Both) {
        glDisable(GL_CULL_FACE);
    } else {
        glEnable(GL_CULL_FACE);
        glCullFace(run.face == Face::Back ? GL_FRONT : GL_BACK);
    }
    switch (run.kind) {
        case Kind::Box:
            box_program_.use();
            boxes_.bind(run.first);
            glDrawArraysInstanced(GL_TRIANGLES, 0, 36, count);
            break;
        case Kind::Sphere:
            sphere_program_.use();
            spheres_.bind(run.first);
            glDrawElementsInstanced(GL_TRIANGLES, sphere_index_count_, GL_UNSIGNED_SHORT, nullptr, count);
            break;
        case Kind::Triangle:
            triangle_program_.use();
            triangles_.bind(3 * run.first);
            glDrawArrays(GL_TRIANGLES, 0, 3 * count);
            break;
    }
    frame.count(run.count);
}

void SolidPass::draw(const DrawList& list, gl::FrameContext& frame) {
    if (list.solid_boxes.empty() && list.solid_spheres.empty() && list.solid_triangles.empty()) return;
    collect(list, frame);
    arrange(list);
    boxes_.update(std::span<const SolidBox>(sorted_boxes_), *frame.uploads);
    spheres_.update(std::span<const SolidSphere>(sorted_spheres_), *frame.uploads);
    triangles_.update(std::span<const Corner>(sorted_corners_), *frame.uploads);
    // A volume that coincides with a face of a mesh is drawn over it instead of z-fighting.
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(-1.0f, -2.0f);
    glDepthMask(GL_FALSE);
    for (const Run& run : runs_)
        draw_run(run, frame);
    glDepthMask(GL_TRUE);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDisable(GL_CULL_FACE);
}

}  // namespace lab::render
