#include "render/mesh/normals.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>
#include <numeric>

#include "render/finite.hpp"

namespace lab::render {

namespace {

struct Corner {
    std::uint32_t triangle;
    std::uint32_t which;  // 0..2
    float angle;          // weight
};

// Positions that are bit for bit the same (0 and -0 alike) get the same number.
std::vector<std::uint32_t> weld(std::span<const glm::vec3> positions) {
    std::vector<std::uint32_t> order(positions.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto less = [&](std::uint32_t i, std::uint32_t j) {
        const glm::vec3 &a = positions[i], &b = positions[j];
        if (a.x != b.x) return a.x < b.x;
        if (a.y != b.y) return a.y < b.y;
        if (a.z != b.z) return a.z < b.z;
        return i < j;
    };
    // NaN would break the order; such vertices are never used, so they may stay out of it.
    const auto usable =
        std::partition(order.begin(), order.end(), [&](std::uint32_t i) { return is_finite(positions[i]); });
    std::sort(order.begin(), usable, less);
    std::vector<std::uint32_t> number(positions.size());
    std::uint32_t next = 0;
    for (auto it = order.begin(); it != usable; ++it) {
        if (it != order.begin() && positions[*it] != positions[*(it - 1)]) ++next;
        number[*it] = next;
    }
    return number;
}

float angle_between(const glm::vec3& u, const glm::vec3& v) {
    const float lengths = std::sqrt(glm::dot(u, u) * glm::dot(v, v));
    return lengths > 0.0f ? std::acos(std::clamp(glm::dot(u, v) / lengths, -1.0f, 1.0f)) : 0.0f;
}

glm::vec3 unit_or(const glm::vec3& v, const glm::vec3& otherwise) {
    // Scaled first: the square of a tiny or huge normal leaves the range of a float.
    const float largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    if (!(largest > 0.0f) || !std::isfinite(largest)) return otherwise;
    return glm::normalize(v / largest);
}

glm::vec3 face_normal(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c) {
    const glm::dvec3 u = glm::dvec3(b) - glm::dvec3(a), v = glm::dvec3(c) - glm::dvec3(a);
    const glm::dvec3 n = glm::cross(u, v);
    const double length = glm::length(n);
    return length > 0.0 && std::isfinite(length) ? glm::vec3(n / length) : glm::vec3(0.0f);
}

constexpr glm::vec3 kUp(0.0f, 1.0f, 0.0f);

glm::vec3 smoothed(const glm::vec3& own, std::span<const Corner> around, std::span<const glm::vec3> face,
                   float crease_cos) {
    const bool flat = own == glm::vec3(0.0f);
    glm::vec3 sum(0.0f);
    for (const Corner& other : around)
        if (flat || glm::dot(own, face[other.triangle]) >= crease_cos)
            sum += face[other.triangle] * other.angle;
    return unit_or(sum, flat ? kUp : own);
}

// Comparing all pairs of faces takes too long where a hostile mesh joins a hundred thousand of them at one
// vertex. There they share one normal if they roughly agree on it (the pole of a sphere); otherwise the
// shared normal is zero and each face keeps its own (the tip of a cone).
constexpr std::size_t kCrowd = 256;
glm::vec3 common_normal(std::span<const Corner> around, std::span<const glm::vec3> face, float crease_cos) {
    glm::vec3 sum(0.0f);
    for (const Corner& corner : around)
        sum += face[corner.triangle] * corner.angle;
    const glm::vec3 mean = unit_or(sum, glm::vec3(0.0f));
    for (const Corner& corner : around)
        if (glm::dot(face[corner.triangle], mean) < crease_cos) return glm::vec3(0.0f);
    return mean;
}

}  // namespace

LitMesh light(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles, float crease_rad) {
    std::vector<glm::uvec3> good;
    good.reserve(triangles.size());
    for (const glm::uvec3& t : triangles) {
        const std::size_t n = positions.size();
        if (t.x < n && t.y < n && t.z < n && is_finite(positions[t.x]) && is_finite(positions[t.y]) &&
            is_finite(positions[t.z]))
            good.push_back(t);
    }
    const std::vector<std::uint32_t> welded = weld(positions);

    // Corners sorted by welded vertex: a counting sort.
    std::vector<std::uint32_t> first(positions.size() + 2, 0);
    for (const glm::uvec3& t : good)
        for (int k = 0; k < 3; ++k)
            ++first[welded[t[k]] + 2];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<Corner> corners(good.size() * 3);
    std::vector<glm::vec3> face(good.size());
    for (std::uint32_t i = 0; i < good.size(); ++i) {
        const glm::uvec3& t = good[i];
        face[i] = face_normal(positions[t.x], positions[t.y], positions[t.z]);
        for (std::uint32_t k = 0; k < 3; ++k) {
            const glm::vec3& p = positions[t[static_cast<int>(k)]];
            const float angle = angle_between(positions[t[static_cast<int>((k + 1) % 3)]] - p,
                                              positions[t[static_cast<int>((k + 2) % 3)]] - p);
            corners[first[welded[t[static_cast<int>(k)]] + 1]++] = {i, k, angle};
        }
    }

    LitMesh out;
    out.indices.resize(good.size() * 3);
    out.vertices.reserve(positions.size());
    const float crease_cos = std::cos(crease_rad);
    for (std::size_t v = 0; v + 1 < first.size(); ++v) {
        const std::span<const Corner> around(corners.data() + first[v], corners.data() + first[v + 1]);
        const auto at = [&](const Corner& c) {
            return positions[good[c.triangle][static_cast<int>(c.which)]];
        };
        const std::size_t first_new = out.vertices.size();
        const bool crowded = around.size() > kCrowd;
        const glm::vec3 common = crowded ? common_normal(around, face, crease_cos) : glm::vec3(0.0f);
        for (const Corner& mine : around) {
            const glm::vec3 own = face[mine.triangle];
            glm::vec3 normal = common;
            if (!crowded)
                normal = smoothed(own, around, face, crease_cos);
            else if (normal == glm::vec3(0.0f))
                normal = unit_or(own, kUp);
            std::size_t index = crowded && common == glm::vec3(0.0f) ? out.vertices.size() : first_new;
            while (index < out.vertices.size() && glm::dot(out.vertices[index].normal, normal) < 0.9999f)
                ++index;
            if (index == out.vertices.size()) out.vertices.push_back({at(mine), normal});
            out.indices[mine.triangle * 3 + mine.which] = static_cast<std::uint32_t>(index);
        }
    }
    return out;
}

}  // namespace lab::render
