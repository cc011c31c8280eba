#include "render/passes/mesh_pass.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>

#include "render/finite.hpp"
#include "render/gl/dialect.hpp"

namespace lab::render {

namespace {

using gl::Attribute;
constexpr GLuint kPosition = 5, kNormal = 6;
// Largest error of a simplified surface on screen.
constexpr float kErrorPx = 0.5f, kErrorPxFast = 2.0f;
constexpr std::uint32_t kNothing = 0xffffffffu;

constexpr std::size_t column(std::size_t i) {
    return offsetof(MeshInstance, transform) + i * sizeof(glm::vec3);
}

}  // namespace

MeshPass::MeshPass(gl::ShaderLibrary& shaders)
    : program_(shaders.add("surfaces/mesh.vert", "surfaces/mesh.frag")),
      instances_({{0, 3, Attribute::Type::Float, column(0)},
                  {1, 3, Attribute::Type::Float, column(1)},
                  {2, 3, Attribute::Type::Float, column(2)},
                  {3, 3, Attribute::Type::Float, column(3)},
                  {4, 4, Attribute::Type::ByteNormalized, offsetof(MeshInstance, color)}},
                 sizeof(MeshInstance)),
      merged_vertices_({{4, 4, Attribute::Type::ByteNormalized, offsetof(MergedVertex, color)},
                        {kPosition, 3, Attribute::Type::Float, offsetof(MergedVertex, position)},
                        {kNormal, 3, Attribute::Type::Float, offsetof(MergedVertex, normal)}},
                       sizeof(MergedVertex), gl::Advance::PerVertex),
      meshes_(1) {}

MeshPass::Detail MeshPass::make_detail(const PreparedMesh::Detail& prepared) {
    const LitMesh& lit = prepared.lit;
    Detail detail;
    detail.error = prepared.error;
    detail.index_count = static_cast<std::uint32_t>(lit.indices.size());
    gl::VertexArray array;  // the element buffer belongs to the vertex array that is bound
    glBindVertexArray(array.get());
    glBindBuffer(GL_ARRAY_BUFFER, detail.vertices.get());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(lit.vertices.size() * sizeof(LitVertex)),
                 lit.vertices.data(), GL_STATIC_DRAW);
    // WebGL: a buffer that was once bound to another target never holds indices.
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, detail.indices.get());
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(lit.indices.size() * sizeof(std::uint32_t)),
                 lit.indices.data(), GL_STATIC_DRAW);
    if (gl::instances_cost_draws()) detail.small = small_mesh(lit);
    return detail;
}

MeshHandle MeshPass::upload(const PreparedMesh& prepared) {
    Mesh mesh;
    for (const PreparedMesh::Detail& detail : prepared.details)
        mesh.details[mesh.detail_count++] = make_detail(detail);
    meshes_.push_back(std::move(mesh));
    return {static_cast<std::uint32_t>(meshes_.size() - 1)};
}

void MeshPass::remove(MeshHandle mesh) {
    if (mesh.id < meshes_.size()) meshes_[mesh.id] = {};
}

std::size_t MeshPass::detail_for(const MeshInstance& instance, float error_px,
                                 const gl::FrameContext& frame) const {
    const Mesh& mesh = meshes_[instance.mesh.id];
    if (mesh.detail_count == 1) return 0;
    const glm::mat4x3& m = instance.transform;
    const float scale =
        std::sqrt(std::max({glm::dot(m[0], m[0]), glm::dot(m[1], m[1]), glm::dot(m[2], m[2])}));
    const float w = (frame.block.view_projection * glm::vec4(m[3], 1.0f)).w;
    if (!(w > 0.0f)) return 0;  // the eye may be inside
    const float px = scale * frame.px_per_unit / w;
    std::size_t detail = mesh.detail_count - 1;
    while (detail > 0 && mesh.details[detail].error * px > error_px)
        --detail;
    return detail;
}

// Front to back, so that hidden pixels fail the depth test before they are shaded. Only roughly sorted: a
// counting sort by distance. Worth it where shading takes the processor's time.
void MeshPass::order_front_to_back(std::span<const MeshInstance> instances, const gl::FrameContext& frame) {
    constexpr std::size_t kWorthIt = 500;
    constexpr std::size_t kSteps = 1024;
    order_.resize(instances.size());
    std::iota(order_.begin(), order_.end(), 0u);
    if (!frame.software || instances.size() < kWorthIt) return;
    const glm::vec4 eye = frame.block.eye;
    std::vector<float> distance(instances.size(), 0.0f);
    float nearest = std::numeric_limits<float>::max(), farthest = std::numeric_limits<float>::lowest();
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const glm::vec3 at = instances[i].transform[3];
        const float d =
            eye.w > 0.0f ? glm::length(glm::vec3(eye) - at * eye.w) : -glm::dot(glm::vec3(eye), at);
        if (!std::isfinite(d)) continue;
        distance[i] = d;
        nearest = std::min(nearest, d);
        farthest = std::max(farthest, d);
    }
    if (!(farthest > nearest)) return;
    const float scale = static_cast<float>(kSteps - 1) / (farthest - nearest);
    std::vector<std::uint32_t> first(kSteps + 1, 0);
    std::vector<std::uint16_t> step(instances.size());
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const float at = std::clamp(scale * (distance[i] - nearest), 0.0f, static_cast<float>(kSteps - 1));
        step[i] = static_cast<std::uint16_t>(at);
        ++first[step[i] + std::size_t{1}];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    for (std::uint32_t i = 0; i < instances.size(); ++i)
        order_[first[step[i]]++] = i;
}

void MeshPass::merge_small(std::span<const MeshInstance> instances, gl::FrameContext& frame) {
    merged_.clear();
    merged_instances_ = 0;
    if (!frame.software || !gl::instances_cost_draws()) return;
    for (const std::uint32_t i : order_) {
        if (keys_[i] == kNothing || instances[i].color.a != 255) continue;
        const Detail& detail = detail_of(keys_[i]);
        if (!detail.small) continue;
        append_merged(*detail.small, instances[i], frame.block.eye, merged_);
        ++merged_instances_;
        keys_[i] = kNothing;
    }
    merged_vertices_.update(std::span<const MergedVertex>(merged_), *frame.uploads);
}

// Counting sort of the opaque ones by mesh and detail; the few translucent ones follow, far to near.
void MeshPass::prepare(std::span<const MeshInstance> instances, gl::FrameContext& frame) {
    const float error_px = frame.fast && frame.software ? kErrorPxFast : kErrorPx;
    keys_.resize(instances.size());
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const MeshInstance& instance = instances[i];
        keys_[i] = kNothing;
        if (instance.color.a == 0 || !exists(instance.mesh) || !drawable(instance)) continue;
        keys_[i] =
            static_cast<std::uint32_t>(instance.mesh.id * kDetails + detail_for(instance, error_px, frame));
    }
    order_front_to_back(instances, frame);
    merge_small(instances, frame);
    counts_.assign(meshes_.size() * kDetails + 1, 0);
    std::size_t total = 0;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        if (keys_[i] == kNothing) continue;
        ++total;
        if (instances[i].color.a == 255) ++counts_[keys_[i] + 1];
    }
    std::partial_sum(counts_.begin(), counts_.end(), counts_.begin());
    opaque_ = counts_.back();
    sorted_.resize(total);
    sorted_keys_.resize(total);
    std::vector<std::uint32_t> translucent;
    for (const std::uint32_t i : order_) {
        if (keys_[i] == kNothing) continue;
        if (instances[i].color.a != 255) {
            translucent.push_back(i);
            continue;
        }
        const std::uint32_t at = counts_[keys_[i]]++;
        sorted_[at] = instances[i];
        sorted_keys_[at] = keys_[i];
    }
    const auto depth = [&](std::uint32_t i) {
        const glm::vec4 eye = frame.block.eye;
        const glm::vec3 to_eye = glm::vec3(eye) - instances[i].transform[3] * eye.w;
        return eye.w > 0.0f ? glm::dot(to_eye, to_eye) : -glm::dot(glm::vec3(eye), instances[i].transform[3]);
    };
    std::stable_sort(translucent.begin(), translucent.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return depth(a) > depth(b); });
    for (std::size_t k = 0; k < translucent.size(); ++k) {
        sorted_[opaque_ + k] = instances[translucent[k]];
        sorted_keys_[opaque_ + k] = keys_[translucent[k]];
    }
    instances_.update(std::span<const MeshInstance>(sorted_), *frame.uploads);
}

void MeshPass::draw_run(std::size_t first, std::size_t count, gl::FrameContext& frame) {
    Detail& mesh = meshes_[sorted_keys_[first] / kDetails].details[sorted_keys_[first] % kDetails];
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

void MeshPass::draw_merged(gl::FrameContext& frame) {
    if (merged_.empty()) return;
    merged_vertices_.bind(0);
    glVertexAttrib3f(0, 1.0f, 0.0f, 0.0f);
    glVertexAttrib3f(1, 0.0f, 1.0f, 0.0f);
    glVertexAttrib3f(2, 0.0f, 0.0f, 1.0f);
    glVertexAttrib3f(3, 0.0f, 0.0f, 0.0f);
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(merged_.size()));
    frame.count(merged_instances_);
    frame.triangles += merged_.size() / 3;
}

void MeshPass::draw_opaque(gl::FrameContext& frame) {
    if (opaque_ == 0 && merged_.empty()) return;
    program_.use();
    draw_merged(frame);
    for (std::size_t first = 0; first < opaque_;) {
        std::size_t last = first + 1;
        while (last < opaque_ && sorted_keys_[last] == sorted_keys_[first])
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
