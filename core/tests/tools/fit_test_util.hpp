// Input for testing every fit: generated meshes, regular solids, random and degenerate clouds.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "shape_test_util.hpp"
#include "workloads/clouds.hpp"
#include "workloads/meshes.hpp"

namespace bv::test {

struct NamedCloud {
    std::string name;
    std::vector<glm::vec3> points;
};

/// All generated meshes, as their vertices.
inline std::vector<NamedCloud> mesh_clouds() {
    std::vector<NamedCloud> clouds;
    for (const workloads::MeshCatalogEntry& entry : workloads::mesh_catalog())
        clouds.push_back({std::string(entry.id), workloads::make_mesh(entry.id)->positions});
    return clouds;
}

/// Two clouds of each kind of the workloads: full ones and degenerate ones.
inline std::vector<NamedCloud> kind_clouds(std::size_t count) {
    std::vector<NamedCloud> clouds;
    for (const workloads::CloudKind& kind : workloads::cloud_kinds()) {
        for (std::uint64_t seed = 1; seed <= 2; ++seed)
            clouds.push_back({std::string(kind.id), workloads::make_cloud(kind.id, count, seed)});
    }
    return clouds;
}

/// Bad input that no fit may fail on, with non-finite points mixed in.
inline std::vector<NamedCloud> bad_clouds() {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    std::vector<NamedCloud> clouds = {
        {"none", {}},
        {"only nan", {glm::vec3(nan), glm::vec3(nan, 0, 0)}},
        {"only inf", {glm::vec3(inf), glm::vec3(0, -inf, 0)}},
        {"one", {glm::vec3(1, 2, 3)}},
        {"one and nan", {glm::vec3(nan), glm::vec3(1, 2, 3), glm::vec3(0, 0, inf)}},
        {"two", {glm::vec3(1, 2, 3), glm::vec3(3, 2, 1)}},
        {"largest", {glm::vec3(-3.4e38f), glm::vec3(3.4e38f), glm::vec3(3.4e38f, -3.4e38f, 0), glm::vec3(0)}},
    };
    Random random(99);
    for (const float size : {1e-42f, 1e-38f, 1e-20f, 1e-6f, 1.0f, 1e6f, 1e15f, 1e30f}) {
        const std::string label = " of size " + std::to_string(std::log10(size));
        const glm::vec3 a = random.in_cube(size), d = random.in_cube(size), e = random.in_cube(size);
        NamedCloud same{"coincident" + label, std::vector<glm::vec3>(9, a)};
        NamedCloud line{"collinear" + label, {}}, plane{"coplanar" + label, {}}, solid{"solid" + label, {}};
        NamedCloud axis{"on an axis" + label, {}}, sheet{"in a coordinate plane" + label, {}};
        NamedCloud mixed{"solid with nan" + label, {}};
        for (int i = 0; i < 40; ++i) {
            const float s = random.range(-1, 1), t = random.range(-1, 1);
            line.points.push_back(a + d * s);
            plane.points.push_back(a + d * s + e * t);
            solid.points.push_back(random.in_cube(size));
            axis.points.push_back(glm::vec3(0, s * size, 0));
            sheet.points.push_back(glm::vec3(s * size, size, t * size));
            mixed.points.push_back(random.in_cube(size));
            if (i % 5 == 0) mixed.points.push_back(glm::vec3(s, nan, t));
            if (i % 7 == 0) mixed.points.push_back(glm::vec3(-inf, s, t));
        }
        for (NamedCloud* cloud : {&same, &line, &plane, &solid, &axis, &sheet, &mixed})
            clouds.push_back(std::move(*cloud));
    }
    return clouds;
}

inline bool finite(const glm::vec3& p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

inline std::vector<glm::vec3> scaled(const std::vector<glm::vec3>& points, float scale) {
    std::vector<glm::vec3> result;
    for (const glm::vec3& p : points)
        result.push_back(p * scale);
    return result;
}

inline std::vector<glm::vec3> turned(const std::vector<glm::vec3>& points, const glm::dmat3& m) {
    std::vector<glm::vec3> result;
    for (const glm::vec3& p : points)
        result.push_back(glm::vec3(m * glm::dvec3(p)));
    return result;
}

}  // namespace bv::test
