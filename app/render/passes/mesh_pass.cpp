#include "render/passes/mesh_pass.hpp"

#include <algorithm>
#include <cstddef>
#include <glm/geometric.hpp>
#include <numeric>

#include "render/finite.hpp"
#include "render/mesh/normals.hpp"

namespace lab::render {

namespace {

using gl::Attribute;
constexpr GLuint kPosition = 5, kNormal = 6;
constexpr float kCreaseRad = 40.0f * 3.14159265f / 180.0f;

constexpr std::size_t column(std::size_t i) {
    return offsetof(MeshInstance, transform) + i * sizeof(glm::vec3);
}

}  // namespace

MeshPass::MeshPass(gl::ShaderLibrary& shaders)
    : program_(shaders.add("mesh.vert", "mesh.frag")),
      instances_({{0, 3, Attribute::Type::Float, column(0)},
                  {1, 3, Attribute::Type::Float, column(1)},
                  {2, 3, Attribute::Type::Float, column(2)},
                  {3, 3, Attribute::Type::Float, column(3)},
                  {4, 4, Attribute::Type::ByteNormalized, offsetof(MeshInstance, color)}},
                 sizeof(MeshInstance)),
      meshes_(1) {}

MeshHandle MeshPass::upload(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles) {
    const LitMesh lit = light(positions, triangles, kCreaseRad);
    Mesh mesh;
    mesh.index_count = static_cast<std::uint32_t>(lit.indices.size());
    if (mesh.index_count > 0) {
        glBindVertexArray(0);  // the element buffer belongs to the vertex array that is bound
        glBindBuffer(GL_ARRAY_BUFFER, mesh.vertices.get());
        glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(lit.vertices.size() * sizeof(LitVertex)),
                     lit.vertices.data(), GL_STATIC_DRAW);
        glBindBuffer(GL_ARRAY_BUFFER, mesh.indices.get());
        glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(lit.indices.size() * sizeof(std::uint32_t)),
                     lit.indices.data(), GL_STATIC_DRAW);
    }
    meshes_.push_back(std::move(mesh));
    return {static_cast<std::uint32_t>(meshes_.size() - 1)};
}

void MeshPass::remove(MeshHandle mesh) {
    if (mesh.id < meshes_.size()) meshes_[mesh.id] = {};
}

void MeshPass::prepare(std::span<const MeshInstance> instances, gl::FrameContext& frame) {
    // A counting sort by mesh for the opaque ones; the few translucent ones follow, far ones first.
    counts_.assign(meshes_.size() + 1, 0);
    const auto usable = [&](const MeshInstance& i) {
        return i.color.a != 0 && exists(i.mesh) && drawable(i);
    };
    std::size_t total = 0;
    for (const MeshInstance& i : instances) {
        if (!usable(i)) continue;
        ++total;
        if (i.color.a == 255) ++counts_[i.mesh.id + 1];
    }
    std::partial_sum(counts_.begin(), counts_.end(), counts_.begin());
    opaque_ = counts_.back();
    sorted_.resize(total);
    std::size_t next_translucent = opaque_;
    for (const MeshInstance& i : instances) {
        if (!usable(i)) continue;
        sorted_[i.color.a == 255 ? counts_[i.mesh.id]++ : next_translucent++] = i;
    }
    const glm::vec4 eye = frame.block.eye;
    const auto depth = [&](const MeshInstance& i) {
        const glm::vec3 to_eye = glm::vec3(eye) - i.transform[3] * eye.w;
        return eye.w > 0.0f ? glm::dot(to_eye, to_eye) : -glm::dot(glm::vec3(eye), i.transform[3]);
    };
    std::stable_sort(sorted_.begin() + static_cast<std::ptrdiff_t>(opaque_), sorted_.end(),
                     [&](const MeshInstance& a, const MeshInstance& b) { return depth(a) > depth(b); });
    instances_.update(std::span<const MeshInstance>(sorted_), *frame.uploads);
}

void MeshPass::draw_run(std::size_t first, std::size_t count, gl::FrameContext& frame) {
    Mesh& mesh = meshes_[sorted_[first].mesh.id];
    instances_.bind(first);
    glBindBuffer(GL_ARRAY_BUFFER, mesh.vertices.get());
    glEnableVertexAttribArray(kPosition);
    glEnableVertexAttribArray(kNormal);
    glVertexAttribPointer(kPosition, 3, GL_FLOAT, GL_FALSE, sizeof(LitVertex),
                          reinterpret_cast<const void*>(offsetof(LitVertex, position)));
    glVertexAttribPointer(kNormal, 3, GL_FLOAT, GL_FALSE, sizeof(LitVertex),
                          reinterpret_cast<const void*>(offsetof(LitVertex, normal)));
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh.indices.get());
    glDrawElementsInstanced(GL_TRIANGLES, static_cast<GLsizei>(mesh.index_count), GL_UNSIGNED_INT, nullptr,
                            static_cast<GLsizei>(count));
    frame.count(count);
    frame.triangles += static_cast<std::uint64_t>(mesh.index_count / 3) * count;
}

void MeshPass::draw_opaque(gl::FrameContext& frame) {
    if (opaque_ == 0) return;
    program_.use();
    for (std::size_t first = 0; first < opaque_;) {
        std::size_t last = first + 1;
        while (last < opaque_ && sorted_[last].mesh == sorted_[first].mesh)
            ++last;
        draw_run(first, last - first, frame);
        first = last;
    }
}

void MeshPass::draw_translucent(gl::FrameContext& frame) {
    if (opaque_ == sorted_.size()) return;
    program_.use();
    glEnable(GL_CULL_FACE);
    for (std::size_t i = opaque_; i < sorted_.size(); ++i) {
        const glm::mat4x3& m = sorted_[i].transform;
        const bool mirrored = glm::dot(m[0], glm::cross(m[1], m[2])) < 0.0f;
        glFrontFace(mirrored ? GL_CW : GL_CCW);
        glCullFace(GL_FRONT);
        draw_run(i, 1, frame);
        glCullFace(GL_BACK);
        draw_run(i, 1, frame);
    }
    glFrontFace(GL_CCW);
    glDisable(GL_CULL_FACE);
}

}  // namespace lab::render
