// Every mesh of the catalog keeps its header's promises: closed, consistent, outward, clean, deterministic.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <glm/geometric.hpp>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "workloads/meshes.hpp"

namespace bv::workloads {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// How often each directed edge occurs.
std::map<Edge, int> directed_edges(const MeshData& mesh) {
    std::map<Edge, int> edges;
    for (const glm::uvec3& t : mesh.triangles) {
        ++edges[{t.x, t.y}];
        ++edges[{t.y, t.z}];
        ++edges[{t.z, t.x}];
    }
    return edges;
}

bool is_closed(const MeshData& mesh) {
    const auto edges = directed_edges(mesh);
    return std::all_of(edges.begin(), edges.end(), [&](const auto& entry) {
        return entry.second == 1 && edges.contains({entry.first.second, entry.first.first});
    });
}

/// For each vertex the smallest vertex of its connected piece.
std::vector<std::uint32_t> pieces(const MeshData& mesh) {
    std::vector<std::uint32_t> parent(mesh.positions.size());
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](std::uint32_t v) {
        while (parent[v] != v)
            v = parent[v] = parent[parent[v]];
        return v;
    };
    for (const glm::uvec3& t : mesh.triangles) {
        parent[root(t.y)] = root(t.x);
        parent[root(t.z)] = root(t.x);
    }
    for (std::uint32_t v = 0; v < parent.size(); ++v)
        parent[v] = root(v);
    return parent;
}

/// Signed volume of each connected piece: positive where its triangles face outward.
std::map<std::uint32_t, double> piece_volumes(const MeshData& mesh) {
    const std::vector<std::uint32_t> piece = pieces(mesh);
    std::map<std::uint32_t, double> volumes;
    for (const glm::uvec3& t : mesh.triangles) {
        const glm::dvec3 a(mesh.positions[t.x]);
        const glm::dvec3 b(mesh.positions[t.y]);
        const glm::dvec3 c(mesh.positions[t.z]);
        volumes[piece[t.x]] += glm::dot(a, glm::cross(b, c)) / 6.0;
    }
    return volumes;
}

double volume(const MeshData& mesh) {
    double sum = 0.0;
    for (const auto& [piece, part] : piece_volumes(mesh))
        sum += part;
    return sum;
}

class Catalog : public testing::TestWithParam<MeshCatalogEntry> {};

TEST_P(Catalog, IsClosedAndConsistent) {
    const MeshData mesh = *make_mesh(GetParam().id);
    ASSERT_FALSE(mesh.triangles.empty());
    for (const glm::uvec3& t : mesh.triangles)
        for (int k = 0; k < 3; ++k)
            ASSERT_LT(t[k], mesh.positions.size());
    EXPECT_TRUE(is_closed(mesh));
}

TEST_P(Catalog, EveryPieceFacesOutward) {
    const MeshData mesh = *make_mesh(GetParam().id);
    for (const auto& [piece, part] : piece_volumes(mesh))
        EXPECT_GT(part, 1e-4) << "piece of vertex " << piece;
}

TEST_P(Catalog, HasNoBadTriangleOrVertex) {
    const MeshData mesh = *make_mesh(GetParam().id);
    const std::vector<std::uint32_t> piece = pieces(mesh);
    std::set<std::tuple<std::uint32_t, float, float, float>> places;
    std::set<std::uint32_t> used;
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        const glm::vec3& p = mesh.positions[i];
        ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
        EXPECT_TRUE(places.insert({piece[i], p.x, p.y, p.z}).second) << "duplicate vertex";
    }
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const Triangle t = mesh.view().triangle(i);
        EXPECT_GT(glm::length(glm::cross(t.b - t.a, t.c - t.a)), 1e-7f) << "triangle " << i;
        for (int k = 0; k < 3; ++k)
            used.insert(mesh.triangles[i][k]);
    }
    EXPECT_EQ(used.size(), mesh.positions.size());
}

TEST_P(Catalog, IsCenteredAndOneMeterLong) {
    const MeshData mesh = *make_mesh(GetParam().id);
    glm::vec3 low(1e9f);
    glm::vec3 high(-1e9f);
    for (const glm::vec3& p : mesh.positions) {
        low = glm::min(low, p);
        high = glm::max(high, p);
    }
    EXPECT_LT(glm::length(low + high), 1e-5f);
    EXPECT_NEAR(std::max({high.x - low.x, high.y - low.y, high.z - low.z}), 1.0f, 1e-5f);
}

TEST_P(Catalog, IsDeterministic) {
    const MeshData a = *make_mesh(GetParam().id);
    const MeshData b = *make_mesh(GetParam().id);
    ASSERT_EQ(a.positions.size(), b.positions.size());
    EXPECT_EQ(std::memcmp(a.positions.data(), b.positions.data(), a.positions.size() * sizeof(glm::vec3)), 0);
    EXPECT_EQ(a.triangles, b.triangles);
}

INSTANTIATE_TEST_SUITE_P(All, Catalog, testing::ValuesIn(mesh_catalog().begin(), mesh_catalog().end()),
                         [](const auto& row) { return std::string(row.param.id); });

TEST(MeshCatalog, IdsAreDistinctAndFound) {
    std::set<std::string_view> ids;
    for (const MeshCatalogEntry& entry : mesh_catalog())
        EXPECT_TRUE(ids.insert(entry.id).second) << entry.id;
    for (const char* id : {"box", "icosphere", "torus", "torus_knot", "capsule", "gear", "rock", "teapot",
                           "chain", "spike_ball", "tetrahedron", "octahedron", "dodecahedron", "icosahedron"})
        EXPECT_TRUE(ids.contains(id)) << id;
    EXPECT_FALSE(make_mesh("no such mesh").has_value());
    EXPECT_FALSE(make_mesh("").has_value());
}

TEST(MeshGallery, SizesAscendAndSmallOnesAreClosed) {
    std::size_t before = 0;
    std::set<std::string_view> ids;
    for (const MeshCatalogEntry& row : mesh_gallery()) {
        EXPECT_TRUE(ids.insert(row.id).second);
        EXPECT_FALSE(make_mesh(row.id)) << "ids are not those of the catalog: " << row.id;
        const MeshData mesh = row.factory();
        EXPECT_GT(mesh.triangles.size(), before) << row.id;
        before = mesh.triangles.size();
        if (before < 100'000) {
            EXPECT_TRUE(is_closed(mesh)) << row.id;
        }
    }
    EXPECT_GE(before, 1'000'000u);
}

TEST(Meshes, SolidsHaveTextbookVolumes) {
    const double g = (1.0 + std::sqrt(5.0)) / 2.0;
    EXPECT_NEAR(volume(box()), 1.0, 1e-6);
    EXPECT_NEAR(volume(tetrahedron()), 8.0 / 3.0, 1e-5);
    EXPECT_NEAR(volume(octahedron()), 4.0 / 3.0, 1e-5);
    EXPECT_NEAR(volume(dodecahedron()), std::pow(2.0 / g, 3) * (15.0 + 7.0 * std::sqrt(5.0)) / 4.0, 1e-4);
    EXPECT_NEAR(volume(icosahedron()), 8.0 * (15.0 + 5.0 * std::sqrt(5.0)) / 12.0, 1e-4);
    const double pi = std::acos(-1.0);
    EXPECT_NEAR(volume(icosphere(5)), pi / 6.0, 0.001);
    EXPECT_NEAR(volume(torus(0.35f, 0.15f, 200, 200)), 2.0 * pi * pi * 0.35 * 0.15 * 0.15, 1e-3);
    EXPECT_NEAR(volume(capsule(0.25f, 0.25f, 200)), pi * 0.0625 * (0.5 + 1.0 / 3.0), 1e-3);
    EXPECT_NEAR(volume(cylinder(0.25f, 0.5f, 400)), pi * 0.0625, 1e-4);
    EXPECT_NEAR(volume(cone(0.4f, 1.0f, 400)), pi * 0.16 / 3.0, 1e-4);
}

TEST(Meshes, FaceCounts) {
    EXPECT_EQ(box().triangles.size(), 12u);
    EXPECT_EQ(tetrahedron().triangles.size(), 4u);
    EXPECT_EQ(octahedron().triangles.size(), 8u);
    EXPECT_EQ(dodecahedron().triangles.size(), 36u);
    EXPECT_EQ(icosahedron().triangles.size(), 20u);
    for (int n = 0; n < 5; ++n)
        EXPECT_EQ(icosphere(n).triangles.size(), 20u << (2 * n));
}

TEST(Meshes, OtherParametersStayClosed) {
    for (const MeshData& mesh :
         {torus_knot(3, 4), torus_knot(3, 2, 0.05f, 100, 5), helix(1.5f, 0.1f, 12, 5), gear(5), gear(40),
          chain(1), chain(9), teapot(2), teapot(3), cylinder(0.2f, 0.3f, 3), cone(1.0f, 1.0f, 3),
          capsule(0.1f, 0.0f, 8), icosphere(0), spike_ball(2)}) {
        if (mesh.name == "capsule")
            continue;  // without a middle part two rings coincide, which the closedness test does not detect
        EXPECT_TRUE(is_closed(mesh)) << mesh.name;
        for (const auto& [piece, part] : piece_volumes(mesh))
            EXPECT_GT(part, 0.0) << mesh.name;
    }
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        EXPECT_TRUE(is_closed(rock(seed, 2)));
}

TEST(Meshes, RocksDifferBySeed) {
    EXPECT_NE(rock(1).positions, rock(2).positions);
}

TEST(Meshes, TeapotHasThreePiecesAndNewellsSize) {
    const MeshData mesh = teapot();
    EXPECT_EQ(piece_volumes(mesh).size(), 3u);
    glm::vec3 low(1e9f);
    glm::vec3 high(-1e9f);
    for (const glm::vec3& p : mesh.positions) {
        low = glm::min(low, p);
        high = glm::max(high, p);
    }
    // The handle extends to x = -3, the knob to 3.15, the body 2 to each side.
    EXPECT_FLOAT_EQ(high.y, 3.15f);
    EXPECT_FLOAT_EQ(low.y, 0.0f);
    EXPECT_NEAR(high.z, 2.0f, 1e-2f);
    EXPECT_NEAR(low.z, -2.0f, 1e-2f);
    EXPECT_NEAR(low.x, -3.0f, 0.06f);
    EXPECT_NEAR(high.x, 3.43f, 0.06f);
}

TEST(Meshes, ChainLinksDoNotTouch) {
    const MeshData mesh = chain(3);
    const std::vector<std::uint32_t> piece = pieces(mesh);
    float nearest = 1e9f;
    for (std::size_t a = 0; a < piece.size(); ++a)
        for (std::size_t b = a + 1; b < piece.size(); ++b)
            if (piece[a] != piece[b])
                nearest = std::min(nearest, glm::length(mesh.positions[a] - mesh.positions[b]));
    EXPECT_EQ(piece_volumes(mesh).size(), 3u);
    EXPECT_GT(nearest, 0.01f);
    EXPECT_LT(nearest, 0.05f);
}

TEST(Meshes, CenterAndScaleOfNoPointsAndOfAPoint) {
    MeshData none;
    center_and_scale(none);
    EXPECT_TRUE(none.positions.empty());
    MeshData point{"point", {glm::vec3(3.0f)}, {}};
    center_and_scale(point);
    EXPECT_EQ(point.positions[0], glm::vec3(0.0f));
}

}  // namespace
}  // namespace bv::workloads
