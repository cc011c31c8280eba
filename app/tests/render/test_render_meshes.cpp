// What the renderer computes before meshes are drawn: normals, coarser copies, and small meshes merged.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <limits>
#include <random>
#include <set>

#include "bv/query/closest.hpp"
#include "bv/query/raycast.hpp"
#include "render/mesh/merged.hpp"
#include "render/mesh/normals.hpp"
#include "render/mesh/prepared.hpp"
#include "render/mesh/simplify.hpp"

using namespace lab::render;

namespace {

constexpr float kCrease = 0.7f;

const std::vector<glm::uvec3> kCubeTriangles{{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                             {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                             {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

std::vector<glm::vec3> cube_corners() {
    std::vector<glm::vec3> p;
    for (int i = 0; i < 8; ++i)
        p.emplace_back((i & 1) != 0 ? 1.0f : -1.0f, (i & 2) != 0 ? 1.0f : -1.0f, (i & 4) != 0 ? 1.0f : -1.0f);
    return p;
}

TEST(Normals, ACubeKeepsItsEdges) {
    const LitMesh mesh = light(cube_corners(), kCubeTriangles, kCrease);
    EXPECT_EQ(mesh.indices.size(), 36u);
    EXPECT_EQ(mesh.vertices.size(), 24u) << "three normals a corner, shared by the two triangles of a face";
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        const LitVertex &a = mesh.vertices[mesh.indices[i]], &b = mesh.vertices[mesh.indices[i + 1]],
                        &c = mesh.vertices[mesh.indices[i + 2]];
        const glm::vec3 face = glm::normalize(glm::cross(b.position - a.position, c.position - a.position));
        EXPECT_GT(glm::dot(face, a.position), 0.5f) << "outward";
        for (const LitVertex* v : {&a, &b, &c})
            EXPECT_GT(glm::dot(v->normal, face), 0.9999f);
    }
}

TEST(Normals, LooseTrianglesOfARoundThingAreSmoothed) {
    // A prism of 24 sides as a triangle soup.
    std::vector<glm::vec3> p;
    std::vector<glm::uvec3> t;
    for (int i = 0; i < 24; ++i) {
        const auto at = [](int k, float y) {
            const float a = 6.2831853f * static_cast<float>(k % 24) / 24.0f;
            return glm::vec3(std::cos(a), y, -std::sin(a));
        };
        const auto n = static_cast<unsigned>(p.size());
        p.insert(p.end(), {at(i, 0), at(i + 1, 0), at(i + 1, 1), at(i, 0), at(i + 1, 1), at(i, 1)});
        t.insert(t.end(), {{n, n + 1, n + 2}, {n + 3, n + 4, n + 5}});
    }
    const LitMesh mesh = light(p, t, kCrease);
    EXPECT_LE(mesh.vertices.size(), 2u * 24u) << "welded";
    for (const LitVertex& v : mesh.vertices) {
        const glm::vec3 outward(v.position.x, 0.0f, v.position.z);
        EXPECT_GT(glm::dot(v.normal, glm::normalize(outward)), 0.99f);
    }
}

TEST(Normals, DamagedMeshesLeaveWhatIsGood) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                    kInf = std::numeric_limits<float>::infinity();
    const std::vector<glm::vec3> p{{0, 0, 0},    {1, 0, 0},    {0, 1, 0},
                                   {kNan, 0, 0}, {0, kInf, 0}, {3e38f, -3e38f, 3e38f}};
    const std::vector<glm::uvec3> t{{0, 1, 2}, {0, 1, 3}, {0, 4, 2}, {0, 1, 6},
                                    {0, 0, 0}, {0, 5, 1}, {7, 8, 9}};
    const LitMesh mesh = light(p, t, kCrease);
    EXPECT_EQ(mesh.indices.size(), 9u);
    for (const unsigned index : mesh.indices)
        ASSERT_LT(index, mesh.vertices.size());
    for (const LitVertex& v : mesh.vertices)
        EXPECT_NEAR(glm::length(v.normal), 1.0f, 1e-4f);
    EXPECT_TRUE(light({}, {}, kCrease).indices.empty());
    EXPECT_TRUE(light(p, {}, kCrease).indices.empty());
}

TEST(Normals, AHugeFanTakesNoQuadraticTime) {
    std::vector<glm::vec3> p{{0, 0.5f, 0}};
    std::vector<glm::uvec3> t;
    constexpr unsigned kRim = 200'000;
    for (unsigned i = 0; i < kRim; ++i) {
        const float a = 6.2831853f * static_cast<float>(i) / kRim;
        p.emplace_back(std::cos(a), 0.0f, -std::sin(a));
        t.emplace_back(0, i + 1, (i + 1) % kRim + 1);
    }
    const LitMesh mesh = light(p, t, kCrease);
    EXPECT_EQ(mesh.indices.size(), t.size() * 3);
}

// A closed strip of quads around the unit circle, `n` around and `n` along an axis of length 2.
SimpleMesh tube(unsigned n) {
    SimpleMesh mesh;
    for (unsigned j = 0; j <= n; ++j)
        for (unsigned i = 0; i < n; ++i) {
            const float a = 6.2831853f * static_cast<float>(i) / static_cast<float>(n);
            mesh.positions.emplace_back(std::cos(a), 2.0f * static_cast<float>(j) / static_cast<float>(n),
                                        -std::sin(a));
        }
    for (unsigned j = 0; j < n; ++j)
        for (unsigned i = 0; i < n; ++i) {
            const unsigned a = j * n + i, b = j * n + (i + 1) % n;
            mesh.triangles.emplace_back(a, b, a + n);
            mesh.triangles.emplace_back(b, b + n, a + n);
        }
    return mesh;
}

// The largest distance from points spread over each triangle of `from` to the triangles of `to`.
float farthest(const SimpleMesh& from, const SimpleMesh& to) {
    float worst = 0.0f;
    for (const glm::uvec3& t : from.triangles)
        for (int i = 0; i <= 2; ++i)
            for (int j = 0; i + j <= 2; ++j) {
                const float u = 0.5f * static_cast<float>(i), v = 0.5f * static_cast<float>(j);
                const glm::vec3 p =
                    u * from.positions[t.x] + v * from.positions[t.y] + (1.0f - u - v) * from.positions[t.z];
                float nearest = std::numeric_limits<float>::infinity();
                for (const glm::uvec3& k : to.triangles)
                    nearest = std::min(
                        nearest,
                        bv::distance(bv::Triangle{to.positions[k.x], to.positions[k.y], to.positions[k.z]},
                                     p));
                worst = std::max(worst, nearest);
            }
    return worst;
}

TEST(Simplify, StaysNearTheSurfaceWithFarFewerTriangles) {
    const SimpleMesh fine = tube(48);
    std::size_t fewest = fine.triangles.size();
    for (const float error : {0.005f, 0.03f}) {
        const SimpleMesh coarse = simplify(fine.positions, fine.triangles, error);
        EXPECT_LT(coarse.triangles.size() * 2, fewest) << error;
        fewest = coarse.triangles.size();
        EXPECT_GT(fewest, 8u);
        EXPECT_GT(coarse.error, 0.0f);
        EXPECT_LE(coarse.error, 2.0f * error * 1.001f) << "the longest side is 2";
        EXPECT_LE(farthest(fine, coarse), 2.0f * coarse.error);
        EXPECT_LE(farthest(coarse, fine), 2.0f * coarse.error);
        std::set<std::array<unsigned, 3>> seen;
        for (const glm::uvec3& t : coarse.triangles) {
            ASSERT_LT(std::max({t.x, t.y, t.z}), coarse.positions.size());
            EXPECT_TRUE(t.x != t.y && t.y != t.z && t.z != t.x);
            EXPECT_TRUE(seen.insert({t.x, t.y, t.z}).second);
            const glm::vec3 normal = glm::cross(coarse.positions[t.y] - coarse.positions[t.x],
                                                coarse.positions[t.z] - coarse.positions[t.x]);
            const glm::vec3 middle = coarse.positions[t.x] + coarse.positions[t.y] + coarse.positions[t.z];
            EXPECT_GE(normal.x * middle.x + normal.z * middle.z, -1e-3f) << "still facing outward";
        }
    }
}

TEST(Simplify, VerticesAtOnePositionAreOne) {
    const SimpleMesh fine = tube(24);
    SimpleMesh loose;
    for (const glm::uvec3& t : fine.triangles) {
        const auto n = static_cast<unsigned>(loose.positions.size());
        loose.triangles.emplace_back(n, n + 1, n + 2);
        for (int k = 0; k < 3; ++k)
            loose.positions.push_back(fine.positions[t[k]]);
    }
    const SimpleMesh a = simplify(fine.positions, fine.triangles, 0.02f);
    const SimpleMesh b = simplify(loose.positions, loose.triangles, 0.02f);
    EXPECT_EQ(a.triangles.size(), b.triangles.size());
    EXPECT_EQ(a.positions.size(), b.positions.size());
}

TEST(Simplify, LooseTrianglesAndCrowdedVerticesLoseTheirConnections) {
    SimpleMesh grass;  // nothing shares an edge
    for (unsigned i = 0; i < 3000; ++i) {
        const glm::vec3 at(0.01f * static_cast<float>(i % 60), 0.0f, 0.01f * static_cast<float>(i) / 60.0f);
        grass.triangles.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
        for (const glm::vec3& p :
             {glm::vec3(0.0f), glm::vec3(0.004f, 0.0f, 0.0f), glm::vec3(0.002f, 0.05f, 0.0f)})
            grass.positions.push_back(at + p);
    }
    const SimpleMesh lawn = simplify(grass.positions, grass.triangles, 0.2f);
    EXPECT_FALSE(lawn.triangles.empty());
    EXPECT_LT(lawn.triangles.size() * 4, grass.triangles.size());

    SimpleMesh fan;  // 20,000 triangles at one vertex: all pairs of them would take a minute
    fan.positions.emplace_back(0.0f);
    constexpr unsigned kBlades = 20'000;
    for (unsigned i = 0; i < kBlades; ++i) {
        const float a = 6.2831853f * static_cast<float>(i) / kBlades;
        fan.positions.emplace_back(std::cos(a), 0.2f * std::sin(31.0f * a), std::sin(a));
        fan.triangles.emplace_back(0, 1 + i, 1 + (i + 1) % kBlades);
    }
    const SimpleMesh star = simplify(fan.positions, fan.triangles, 0.02f);
    EXPECT_FALSE(star.triangles.empty());
    EXPECT_LT(star.triangles.size() * 2, fan.triangles.size());
}

TEST(Simplify, DamagedMeshesAreHarmless) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<glm::vec3> p{{0, 0, 0},    {1, 0, 0},     {0, 1, 0},
                                   {kNan, 0, 0}, {3e38f, 0, 0}, {-3e38f, 0, 0}};
    const std::vector<glm::uvec3> t{{0, 1, 2}, {0, 1, 3}, {9, 1, 2}};
    EXPECT_EQ(simplify(p, t, 0.01f).triangles.size(), 1u) << "vertices that no triangle uses do not count";
    EXPECT_EQ(simplify(p, t, 0.01f).positions.size(), 3u);
    const std::vector<glm::uvec3> huge{{0, 1, 2}, {4, 5, 2}};
    EXPECT_TRUE(simplify(p, huge, 0.01f).triangles.empty()) << "too large to measure";
    EXPECT_TRUE(simplify({}, {}, 0.01f).positions.empty());
    EXPECT_TRUE(simplify(p, {}, 0.01f).positions.empty());
    const std::vector<glm::vec3> same(5, glm::vec3(2.0f));
    EXPECT_TRUE(simplify(same, t, 0.01f).triangles.empty());
    std::vector<glm::vec3> tiny{{0, 0, 0}, {1e-42f, 0, 0}, {0, 1e-42f, 0}};
    EXPECT_TRUE(simplify(tiny, std::span(t).first(1), 0.01f).triangles.empty());
}

TEST(Prepared, EachCopyHasFewerTrianglesAndALargerError) {
    const SimpleMesh fine = tube(160);
    const PreparedMesh mesh = prepare_mesh(fine.positions, fine.triangles);
    ASSERT_GE(mesh.details.size(), 4u);
    EXPECT_EQ(mesh.details[0].lit.indices.size(), 3 * fine.triangles.size());
    EXPECT_EQ(mesh.details[0].error, 0.0f);
    for (std::size_t i = 1; i < mesh.details.size(); ++i) {
        EXPECT_LE(mesh.details[i].lit.indices.size() * 10, mesh.details[i - 1].lit.indices.size() * 7);
        EXPECT_GT(mesh.details[i].error, mesh.details[i - 1].error);
    }
    EXPECT_LT(mesh.details.back().error, 0.4f) << "the tube is 2 long";
    EXPECT_TRUE(prepare_mesh({}, {}).details.empty());
    EXPECT_EQ(
        prepare_mesh(std::span(fine.positions).first(3), std::vector<glm::uvec3>{{0, 1, 2}}).details.size(),
        1u);
}

TEST(Prepared, ComesBackFromAnErrandAsItIsMadeHere) {
    const SimpleMesh fine = tube(160);
    const PreparedMesh here = prepare_mesh(fine.positions, fine.triangles);
    const std::string bytes = prepare_bytes(mesh_bytes(fine.positions, fine.triangles));
    const std::optional<PreparedMesh> back = prepared_from(bytes);
    ASSERT_TRUE(back);
    ASSERT_EQ(back->details.size(), here.details.size());
    for (std::size_t i = 0; i < here.details.size(); ++i) {
        EXPECT_EQ(back->details[i].error, here.details[i].error);
        EXPECT_EQ(back->details[i].lit.indices, here.details[i].lit.indices);
        ASSERT_EQ(back->details[i].lit.vertices.size(), here.details[i].lit.vertices.size());
        for (std::size_t v = 0; v < here.details[i].lit.vertices.size(); ++v) {
            EXPECT_EQ(back->details[i].lit.vertices[v].position, here.details[i].lit.vertices[v].position);
            EXPECT_EQ(back->details[i].lit.vertices[v].normal, here.details[i].lit.vertices[v].normal);
        }
    }
    // Bytes that a worker did not finish are no mesh.
    for (std::size_t size = 1; size < bytes.size(); size += 1 + bytes.size() / 200)
        if (const auto part = prepared_from(std::string_view(bytes).substr(0, size))) {
            EXPECT_LT(part->details.size(), here.details.size());
        }
    EXPECT_TRUE(prepared_from({})->details.empty());
    EXPECT_TRUE(prepare_bytes("none").empty());
}

const SmallMesh kCube = *small_mesh(light(cube_corners(), kCubeTriangles, kCrease));

std::vector<MergedVertex> merged(const SmallMesh& mesh, const glm::mat4x3& transform, const glm::vec4& eye) {
    std::vector<MergedVertex> out;
    append_merged(mesh, {{1}, transform, rgb(0x123456)}, eye, out);
    return out;
}

/// Of their first corners.
bool same_triangle(const MergedVertex* a, const MergedVertex* b) {
    return a[0].position == b[0].position && a[1].position == b[1].position && a[2].position == b[2].position;
}

TEST(Merged, WhatIsLeftOutIsHidden) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> any(-1.0f, 1.0f);
    const auto vec = [&](float size) { return size * glm::vec3(any(random), any(random), any(random)); };
    SmallMesh open = kCube;
    open.convex = false;
    std::size_t kept_of_all = 0, all_of_all = 0;
    for (int round = 0; round < 300; ++round) {
        const glm::mat4x3 transform(vec(2), vec(2), vec(2), vec(3));  // sheared, half of them mirrored
        const glm::vec3 in_cube = glm::inverse(glm::mat3(transform)) * -transform[3];
        const bool from_afar = round % 3 == 0;  // orthographic
        const glm::vec3 at = vec(10);
        const glm::vec4 eye(at, from_afar ? 0.0f : 1.0f);
        const auto all = merged(open, transform, eye), kept = merged(kCube, transform, eye);
        ASSERT_EQ(all.size(), 36u);
        const glm::vec3 local = in_cube + glm::inverse(glm::mat3(transform)) * at;
        const bool inside =
            !from_afar && std::max({std::abs(local.x), std::abs(local.y), std::abs(local.z)}) < 1.0f;
        if (inside) {
            EXPECT_EQ(kept.size(), 36u);
            continue;
        }
        kept_of_all += kept.size();
        all_of_all += all.size();
        for (std::size_t t = 0; t < all.size(); t += 3) {
            bool is_kept = false;
            for (std::size_t k = 0; k < kept.size() && !is_kept; k += 3)
                is_kept = same_triangle(&all[t], &kept[k]);
            if (is_kept) continue;
            const glm::vec3 center = (all[t].position + all[t + 1].position + all[t + 2].position) / 3.0f;
            const glm::vec3 towards = from_afar ? at : at - center;
            bool hidden = false;
            for (std::size_t k = 0; k < kept.size(); k += 3)
                hidden |=
                    bv::raycast(bv::Ray{center + 1e-4f * towards, towards},
                                bv::Triangle{kept[k].position, kept[k + 1].position, kept[k + 2].position})
                        .has_value();
            EXPECT_TRUE(hidden) << "round " << round << ", triangle " << t / 3;
        }
    }
    EXPECT_LE(kept_of_all * 2, all_of_all + all_of_all / 10) << "three sides of six at most";
}

TEST(Merged, FromInsideAndOfOpenMeshesNothingIsLeftOut) {
    EXPECT_TRUE(kCube.convex);
    EXPECT_EQ(merged(kCube, glm::mat4x3(1.0f), {0.5f, -0.5f, 0.9f, 1.0f}).size(), 36u);
    EXPECT_EQ(merged(kCube, glm::mat4x3(1.0f), {5, 0, 0, 1}).size(), 6u) << "one side faces the eye";
    EXPECT_EQ(merged(kCube, glm::mat4x3(0.0f), {5, 0, 0, 1}).size(), 36u) << "flattened to a point";

    const auto small = [](std::vector<glm::uvec3> triangles) {
        return *small_mesh(light(cube_corners(), triangles, kCrease));
    };
    auto triangles = kCubeTriangles;
    triangles.pop_back();
    EXPECT_FALSE(small(triangles).convex) << "one sees in through the hole";
    triangles = kCubeTriangles;
    for (glm::uvec3& t : triangles)
        std::swap(t.x, t.y);
    EXPECT_FALSE(small(triangles).convex) << "inside out";
    triangles = kCubeTriangles;
    std::swap(triangles[3].x, triangles[3].y);
    EXPECT_FALSE(small(triangles).convex) << "one triangle turned";

    std::vector<glm::vec3> two = cube_corners();
    triangles = kCubeTriangles;
    for (std::size_t i = 0; i < 8; ++i)
        two.push_back(cube_corners()[i] + glm::vec3(5, 0, 0));
    for (const glm::uvec3& t : kCubeTriangles)
        triangles.push_back(t + 8u);
    EXPECT_FALSE(small_mesh(light(two, triangles, kCrease))->convex) << "not one piece";

    const SimpleMesh fine = tube(40);
    EXPECT_FALSE(small_mesh(light(fine.positions, fine.triangles, kCrease)).has_value()) << "too large";
    EXPECT_FALSE(small_mesh({}).has_value());
}

}  // namespace
