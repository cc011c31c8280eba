#include "workloads/mesh_build.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <unordered_map>
#include <utility>

#include "bv/portable_math.hpp"

namespace bv::workloads {
namespace {

std::uint32_t index(std::size_t i) {
    return static_cast<std::uint32_t>(i);
}

/// The corners of one face in order around its normal.
std::vector<std::uint32_t> sorted_around(std::span<const glm::vec3> corners, std::vector<std::uint32_t> face,
                                         const glm::vec3& normal) {
    glm::vec3 middle(0.0f);
    for (const std::uint32_t i : face)
        middle += corners[i];
    middle /= static_cast<float>(face.size());
    const glm::vec3 u = glm::normalize(corners[face[0]] - middle);
    const glm::vec3 v = glm::cross(normal, u);
    const auto angle = [&](std::uint32_t i) {
        const glm::vec3 d = corners[i] - middle;
        return i == face[0] ? 0.0f
                            : std::fmod(bv::atan2(glm::dot(d, v), glm::dot(d, u)) + glm::two_pi<float>(),
                                        glm::two_pi<float>());
    };
    std::sort(face.begin() + 1, face.end(),
              [&](std::uint32_t a, std::uint32_t b) { return angle(a) < angle(b); });
    return face;
}

}  // namespace

MeshData convex_solid(std::string_view name, std::span<const glm::vec3> corners) {
    MeshData mesh{std::string(name), {corners.begin(), corners.end()}, {}};
    const std::size_t n = corners.size();
    for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = a + 1; b < n; ++b) {
            for (std::size_t c = b + 1; c < n; ++c) {
                // Each plane through three corners with all the others on one side is a face. It is added
                // only at the triple of its three lowest corners.
                glm::vec3 normal =
                    glm::normalize(glm::cross(corners[b] - corners[a], corners[c] - corners[a]));
                if (glm::dot(normal, corners[a]) < 0.0f) normal = -normal;
                std::vector<std::uint32_t> face;
                bool outermost = true;
                for (std::size_t i = 0; i < n; ++i) {
                    const float height = glm::dot(normal, corners[i] - corners[a]);
                    outermost = outermost && height < 1e-4f;
                    if (std::abs(height) < 1e-4f) face.push_back(index(i));
                }
                if (!outermost || face[0] != a || face[1] != b || face[2] != c) continue;
                face = sorted_around(corners, std::move(face), normal);
                for (std::size_t i = 2; i < face.size(); ++i)
                    mesh.triangles.emplace_back(face[0], face[i - 1], face[i]);
            }
        }
    }
    return mesh;
}

MeshData revolve(std::string_view name, std::span<const glm::vec2> profile, int segments) {
    MeshData mesh{std::string(name), {}, {}};
    const std::size_t rows = profile.size() - 2;
    const auto around = index(static_cast<std::size_t>(segments));
    mesh.positions.emplace_back(0.0f, profile.front().y, 0.0f);
    for (std::size_t row = 0; row < rows; ++row) {
        const glm::vec2 p = profile[row + 1];
        for (std::uint32_t s = 0; s < around; ++s) {
            const float angle = glm::two_pi<float>() * static_cast<float>(s) / static_cast<float>(segments);
            mesh.positions.emplace_back(p.x * bv::cos(angle), p.y, p.x * bv::sin(angle));
        }
    }
    const std::uint32_t bottom = index(mesh.positions.size());
    mesh.positions.emplace_back(0.0f, profile.back().y, 0.0f);

    const auto at = [&](std::size_t row, std::uint32_t s) { return 1 + index(row) * around + s % around; };
    for (std::uint32_t s = 0; s < around; ++s) {
        mesh.triangles.emplace_back(0u, at(0, s + 1), at(0, s));
        mesh.triangles.emplace_back(bottom, at(rows - 1, s), at(rows - 1, s + 1));
        for (std::size_t row = 0; row + 1 < rows; ++row) {
            mesh.triangles.emplace_back(at(row, s), at(row, s + 1), at(row + 1, s));
            mesh.triangles.emplace_back(at(row, s + 1), at(row + 1, s + 1), at(row + 1, s));
        }
    }
    return mesh;
}

MeshData tube(std::string_view name, std::span<const Ring> rings, TubeEnds ends) {
    MeshData mesh{std::string(name), {}, {}};
    const std::size_t sides = rings[0].size();
    for (const Ring& ring : rings)
        mesh.positions.insert(mesh.positions.end(), ring.begin(), ring.end());
    const auto at = [&](std::size_t ring, std::size_t s) {
        return index((ring % rings.size()) * sides + s % sides);
    };
    const std::size_t lengths = ends == TubeEnds::Joined ? rings.size() : rings.size() - 1;
    for (std::size_t r = 0; r < lengths; ++r) {
        for (std::size_t s = 0; s < sides; ++s) {
            mesh.triangles.emplace_back(at(r, s), at(r, s + 1), at(r + 1, s));
            mesh.triangles.emplace_back(at(r, s + 1), at(r + 1, s + 1), at(r + 1, s));
        }
    }
    if (ends == TubeEnds::Joined) return mesh;
    const auto middle = [](const Ring& ring) {
        glm::vec3 sum(0.0f);
        for (const glm::vec3& p : ring)
            sum += p;
        return sum / static_cast<float>(ring.size());
    };
    const std::uint32_t start = index(mesh.positions.size());
    mesh.positions.push_back(middle(rings.front()));
    mesh.positions.push_back(middle(rings.back()));
    const std::size_t last = rings.size() - 1;
    for (std::size_t s = 0; s < sides; ++s) {
        mesh.triangles.emplace_back(start, at(0, s + 1), at(0, s));
        mesh.triangles.emplace_back(start + 1, at(last, s), at(last, s + 1));
    }
    return mesh;
}

std::vector<Ring> rings_along(std::span<const glm::vec3> line, TubeEnds ends, float radius, int sides) {
    const std::size_t n = line.size();
    const bool joined = ends == TubeEnds::Joined;
    const auto tangent = [&](std::size_t i) {
        const std::size_t before = i > 0 ? i - 1 : (joined ? n - 1 : 0);
        const std::size_t after = i + 1 < n ? i + 1 : (joined ? 0 : n - 1);
        return glm::normalize(line[after] - line[before]);
    };
    // Transporting the normal, projected onto each cross-section in turn, keeps the tube from twisting.
    std::vector<glm::vec3> normals(n);
    const glm::vec3 t0 = tangent(0);
    const glm::vec3 aside = std::abs(t0.y) < 0.9f ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
    normals[0] = glm::normalize(glm::cross(t0, aside));
    const auto carried = [&](const glm::vec3& normal, std::size_t to) {
        return glm::normalize(normal - tangent(to) * glm::dot(tangent(to), normal));
    };
    for (std::size_t i = 1; i < n; ++i)
        normals[i] = carried(normals[i - 1], i);
    float excess = 0.0f;
    if (joined) {
        const glm::vec3 back = carried(normals[n - 1], 0);
        excess = bv::atan2(glm::dot(glm::cross(normals[0], back), t0), glm::dot(normals[0], back));
    }
    std::vector<Ring> rings(n, Ring(static_cast<std::size_t>(sides)));
    for (std::size_t i = 0; i < n; ++i) {
        const glm::vec3 t = tangent(i);
        const glm::vec3& u = normals[i];
        const glm::vec3 v = glm::cross(t, u);
        const float start = -excess * static_cast<float>(i) / static_cast<float>(n);
        for (std::size_t s = 0; s < rings[i].size(); ++s) {
            const float angle =
                start + glm::two_pi<float>() * static_cast<float>(s) / static_cast<float>(sides);
            rings[i][s] = line[i] + radius * (bv::cos(angle) * u + bv::sin(angle) * v);
        }
    }
    return rings;
}

MeshData star_shape(std::string_view name, int subdivisions,
                    const std::function<float(const glm::vec3&)>& radius_at) {
    MeshData mesh = icosahedron();
    mesh.name = name;
    for (glm::vec3& p : mesh.positions)
        p = glm::normalize(p);
    for (int level = 0; level < std::min(subdivisions, 8); ++level) {
        std::unordered_map<std::uint64_t, std::uint32_t> middles;
        const auto middle = [&](std::uint32_t a, std::uint32_t b) {
            const std::uint64_t key = (std::uint64_t{std::min(a, b)} << 32) | std::max(a, b);
            const auto [found, is_new] = middles.try_emplace(key, index(mesh.positions.size()));
            if (is_new) mesh.positions.push_back(glm::normalize(mesh.positions[a] + mesh.positions[b]));
            return found->second;
        };
        std::vector<glm::uvec3> finer;
        finer.reserve(mesh.triangles.size() * 4);
        for (const glm::uvec3& t : mesh.triangles) {
            const std::uint32_t ab = middle(t.x, t.y);
            const std::uint32_t bc = middle(t.y, t.z);
            const std::uint32_t ca = middle(t.z, t.x);
            finer.insert(finer.end(), {{t.x, ab, ca}, {ab, t.y, bc}, {ca, bc, t.z}, {ab, bc, ca}});
        }
        mesh.triangles = std::move(finer);
    }
    for (glm::vec3& p : mesh.positions)
        p *= radius_at(p);
    return mesh;
}

void append(MeshData& to, const MeshData& piece) {
    const std::uint32_t offset = index(to.positions.size());
    to.positions.insert(to.positions.end(), piece.positions.begin(), piece.positions.end());
    for (const glm::uvec3& t : piece.triangles)
        to.triangles.push_back(t + offset);
}

}  // namespace bv::workloads
