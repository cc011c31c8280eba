// Slicing: both halves closed, the volume preserved, everything on its own side; also for planes through
// corners, edges and faces.
#include "bv/query/slice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "query_cases.hpp"
#include "workloads/meshes.hpp"

namespace bv {
namespace {

using glm::vec3;
using test::Random;
using D = glm::dvec3;

double volume(const MeshView& mesh) {
    double sum = 0;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const Triangle t = mesh.triangle(i);
        sum += glm::dot(D(t.a), glm::cross(D(t.b), D(t.c)));
    }
    return sum / 6;
}

double area(const MeshPiece& piece, std::size_t from) {
    double sum = 0;
    for (std::size_t i = from; i < piece.triangles.size(); ++i)
        sum += double(piece.view().triangle(i).area());
    return sum;
}

/// Each directed edge has its opposite, as often as itself.
bool is_closed(const MeshView& mesh) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (const glm::uvec3& t : mesh.triangles)
        for (int i = 0; i < 3; ++i) {
            ++edges[{t[i], t[(i + 1) % 3]}];
            --edges[{t[(i + 1) % 3], t[i]}];
        }
    for (const auto& e : edges)
        if (e.second != 0) return false;
    return true;
}

void check(const MeshView& mesh, const Plane& plane, const std::string& what) {
    const MeshSlice cut = slice(mesh, plane);
    const double mesh_volume = volume(mesh);
    double size = 0;
    double lowest = 1e30;
    double highest = -1e30;
    for (const vec3& p : mesh.positions) {
        size = std::max(size, double(glm::length(p)));
        lowest = std::min(lowest, double(plane.signed_distance(p)));
        highest = std::max(highest, double(plane.signed_distance(p)));
    }
    if (cut.side != Side::Intersecting) {
        EXPECT_TRUE(cut.front.triangles.empty() && cut.back.triangles.empty()) << what;
        EXPECT_TRUE(cut.side == Side::Front ? lowest > -1e-5 * size : highest < 1e-5 * size) << what;
        return;
    }
    EXPECT_TRUE(cut.closed) << what;
    EXPECT_TRUE(is_closed(cut.front.view())) << what;
    EXPECT_TRUE(is_closed(cut.back.view())) << what;
    const double volume_front = volume(cut.front.view());
    const double volume_back = volume(cut.back.view());
    EXPECT_NEAR(volume_front + volume_back, mesh_volume, 2e-5 * size * size * size) << what;
    EXPECT_GT(volume_front, -1e-5) << what;
    EXPECT_GT(volume_back, -1e-5) << what;
    for (const vec3& p : cut.front.positions)
        EXPECT_GE(double(plane.signed_distance(p)), -1e-6 * (size + 1)) << what;
    for (const vec3& p : cut.back.positions)
        EXPECT_LE(double(plane.signed_distance(p)), 1e-6 * (size + 1)) << what;
    // Both caps fill the area that the outlines enclose.
    double enclosed = 0;
    for (const auto& loop : cut.contours)
        for (std::size_t i = 2; i < loop.size(); ++i)
            enclosed += 0.5 * glm::dot(D(plane.normal),
                                       glm::cross(D(loop[i - 1]) - D(loop[0]), D(loop[i]) - D(loop[0])));
    EXPECT_NEAR(area(cut.front, cut.front.cap_begin), enclosed, 1e-4 * size * size) << what;
    EXPECT_NEAR(area(cut.back, cut.back.cap_begin), enclosed, 1e-4 * size * size) << what;
    for (const auto& loop : cut.contours)
        for (std::size_t i = 0; i < loop.size(); ++i)
            EXPECT_NE(loop[i], loop[(i + 1) % loop.size()]) << what;
}

TEST(Slice, CubeInTheMiddle) {
    const auto cube = workloads::box(vec3(1));
    const MeshSlice cut = slice(cube.view(), Plane{vec3(0, 1, 0), 0.5f});
    EXPECT_EQ(cut.side, Side::Intersecting);
    EXPECT_NEAR(volume(cut.front.view()), 2.0, 1e-6);
    EXPECT_NEAR(volume(cut.back.view()), 6.0, 1e-6);
    ASSERT_EQ(cut.contours.size(), 1u);
    EXPECT_NEAR(area(cut.front, cut.front.cap_begin), 4.0, 1e-6);
    check(cube.view(), Plane{vec3(0, 1, 0), 0.5f}, "cube");
}

TEST(Slice, APlaneThatIsNotFiniteCutsNothing) {
    const auto cube = workloads::box(vec3(1));
    constexpr float kInf = std::numeric_limits<float>::infinity();
    for (const Plane& plane :
         {Plane{vec3(0, 0, 1), kInf}, Plane{vec3(0, 0, 1), -kInf}, Plane{vec3(0, 0, kInf), 0}})
        for (const Aabb& bounds : {Aabb{vec3(-1), vec3(1)}, Aabb{vec3(-1, -1, 2), vec3(1, 1, 4)}}) {
            EXPECT_EQ(slice(cube.view(), bounds, plane).side, Side::Intersecting);
            EXPECT_EQ(slice(cube.view(), plane).side, Side::Intersecting);
        }
}

// Known bug: a plane through a corner, along an edge or along a face makes slivers, open caps or doubled
// faces.
TEST(KnownBug, PlaneThroughCornersEdgesAndFaces) {
    const auto cube = workloads::box(vec3(1));
    // Along a face: everything is behind it, nothing is cut or copied.
    EXPECT_EQ(slice(cube.view(), Plane{vec3(0, 1, 0), 1.0f}).side, Side::Back);
    EXPECT_EQ(slice(cube.view(), Plane{vec3(0, 1, 0), -1.0f}).side, Side::Front);
    // Touching one corner, one edge.
    const vec3 diagonal = glm::normalize(vec3(1, 1, 1));
    EXPECT_EQ(slice(cube.view(), Plane{diagonal, glm::dot(diagonal, vec3(1))}).side, Side::Back);
    const vec3 half = glm::normalize(vec3(1, 1, 0));
    EXPECT_EQ(slice(cube.view(), Plane{half, glm::dot(half, vec3(1, 1, 0))}).side, Side::Back);
    // Through four corners: no sliver, the two halves are prisms.
    const vec3 across = glm::normalize(vec3(1, -1, 0));
    const MeshSlice prisms = slice(cube.view(), Plane{across, 0.0f});
    EXPECT_NEAR(volume(prisms.front.view()), 4.0, 1e-6);
    EXPECT_LE(prisms.front.positions.size(), 8u);
    check(cube.view(), Plane{across, 0.0f}, "through four corners");
    // Through three corners.
    check(cube.view(), Plane{diagonal, glm::dot(diagonal, vec3(1, 1, -1))}, "through three corners");
    const auto octahedron = workloads::octahedron();
    for (const vec3& n : {vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)})
        check(octahedron.view(), Plane{n, 0.0f}, "along four edges");
}

TEST(KnownBug, PlaneAlongAStepOfTheMesh) {
    // A low and a high box in one mesh with a common side wall: an L in profile, as one closed surface.
    const std::vector<vec3> p{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0},
                              {0, 0, 1}, {2, 0, 1}, {2, 1, 1}, {1, 1, 1}, {1, 2, 1}, {0, 2, 1}};
    std::vector<glm::uvec3> t;
    for (std::uint32_t i = 0; i < 6; ++i) {
        const std::uint32_t j = (i + 1) % 6;
        t.emplace_back(i, j, j + 6);
        t.emplace_back(i, j + 6, i + 6);
    }
    for (const glm::uvec3& f :
         {glm::uvec3(0, 1, 3), glm::uvec3(1, 2, 3), glm::uvec3(0, 3, 5), glm::uvec3(3, 4, 5)}) {
        t.emplace_back(f.x + 6, f.y + 6, f.z + 6);
        t.emplace_back(f.z, f.y, f.x);
    }
    const MeshView mesh{p, t};
    ASSERT_TRUE(is_closed(mesh));
    ASSERT_NEAR(volume(mesh), 3.0, 1e-9);
    const MeshSlice cut = slice(mesh, Plane{vec3(0, 1, 0), 1.0f});
    EXPECT_NEAR(volume(cut.front.view()), 1.0, 1e-9);
    EXPECT_NEAR(volume(cut.back.view()), 2.0, 1e-9);
    check(mesh, Plane{vec3(0, 1, 0), 1.0f}, "along the step");
    check(mesh, Plane{vec3(1, 0, 0), 1.0f}, "along the other step");
}

TEST(Slice, EveryMeshOfTheCatalog) {
    Random rng(1);
    for (const auto& entry : workloads::mesh_catalog()) {
        const auto mesh = entry.factory();
        const MeshView view = mesh.view();
        if (view.triangles.size() > 20000) continue;
        const std::string name(entry.id);
        // The teapot's parts intersect, so do those of its halves, and areas are not compared.
        const bool crossing = name == "teapot";
        for (int n = 0; n < test::cases(20) && !crossing; ++n) {
            Plane plane{rng.direction(), rng.range(-0.4f, 0.4f)};
            if (n % 4 == 1) plane.normal = vec3(n % 3 == 0, n % 3 == 1, n % 3 == 2);
            // Through a corner of the mesh, to within rounding.
            if (n % 2 == 1)
                plane.offset = glm::dot(plane.normal,
                                        view.positions[std::size_t(rng.below(int(view.positions.size())))]);
            check(view, plane, name + " " + std::to_string(n));
            if (testing::Test::HasFailure()) return;
        }
        check(view, Plane{vec3(0, 1, 0), 0.0f}, name + " across the middle");
        check(view, Plane{vec3(1, 0, 0), 0.0f}, name + " along the middle");
    }
}

TEST(Slice, HolesInTheCrossSection) {
    const auto torus = workloads::torus();
    const MeshSlice ring = slice(torus.view(), Plane{vec3(0, 1, 0), 0.01f});
    EXPECT_EQ(ring.contours.size(), 2u) << "an outline and a hole";
    const MeshSlice disks = slice(torus.view(), Plane{vec3(1, 0, 0), 0.01f});
    EXPECT_EQ(disks.contours.size(), 2u) << "two outlines";
    check(torus.view(), Plane{vec3(0, 1, 0), 0.01f}, "ring");
    check(torus.view(), Plane{vec3(1, 0, 0), 0.01f}, "disks");
}

TEST(Slice, CoincidentCornersAreMerged) {
    // The cube again, with separate corners for every triangle.
    const auto cube = workloads::box(vec3(1));
    std::vector<vec3> p;
    std::vector<glm::uvec3> t;
    for (std::size_t i = 0; i < cube.triangles.size(); ++i) {
        const Triangle tri = cube.view().triangle(i);
        const auto n = static_cast<std::uint32_t>(p.size());
        p.insert(p.end(), {tri.a, tri.b, tri.c});
        t.emplace_back(n, n + 1, n + 2);
    }
    check(MeshView{p, t}, Plane{glm::normalize(vec3(1, 2, 3)), 0.2f}, "soup");
}

// A box without its wall at x = 1: its cross-section is an open chain of six edges.
workloads::MeshData box_without_a_wall() {
    auto mesh = workloads::box(vec3(1));
    std::erase_if(mesh.triangles, [&](const glm::uvec3& t) {
        return mesh.positions[t.x].x > 0 && mesh.positions[t.y].x > 0 && mesh.positions[t.z].x > 0;
    });
    return mesh;
}

TEST(Slice, AnOpenChainIsNotAnOutline) {
    const auto open = box_without_a_wall();
    ASSERT_EQ(open.triangles.size(), 10u);
    for (const float height : {0.25f, -0.25f}) {
        const MeshSlice cut = slice(open.view(), Plane{vec3(0, 1, 0), height});
        EXPECT_EQ(cut.side, Side::Intersecting);
        EXPECT_FALSE(cut.closed);
        EXPECT_TRUE(cut.contours.empty());
        EXPECT_EQ(cut.front.cap_begin, cut.front.triangles.size());
        EXPECT_EQ(cut.back.cap_begin, cut.back.triangles.size());
        EXPECT_GT(cut.front.triangles.size(), 0u);
    }
    // Cut where it is complete, it closes: the missing wall is on one side.
    const MeshSlice closed = slice(open.view(), Plane{vec3(1, 0, 0), 0.5f});
    EXPECT_TRUE(closed.closed);
    EXPECT_EQ(closed.contours.size(), 1u);
    EXPECT_TRUE(is_closed(closed.back.view()));
    EXPECT_FALSE(is_closed(closed.front.view()));
    EXPECT_NEAR(volume(closed.back.view()), 6.0, 1e-6);
}

TEST(Slice, AnOpenPartBesideAClosedOne) {
    auto mesh = workloads::box(vec3(1));
    const auto open = box_without_a_wall();
    for (const bool open_first : {false, true}) {
        workloads::MeshData both = open_first ? open : mesh;
        const workloads::MeshData& other = open_first ? mesh : open;
        const auto shift = static_cast<std::uint32_t>(both.positions.size());
        for (const vec3& p : other.positions)
            both.positions.push_back(p + vec3(5, 0, 0));
        for (const glm::uvec3& t : other.triangles)
            both.triangles.push_back(t + glm::uvec3(shift));
        const MeshSlice cut = slice(both.view(), Plane{vec3(0, 1, 0), 0.5f});
        EXPECT_FALSE(cut.closed);
        ASSERT_EQ(cut.contours.size(), 1u);
        EXPECT_NEAR(area(cut.front, cut.front.cap_begin), 4.0, 1e-6);
        EXPECT_NEAR(area(cut.back, cut.back.cap_begin), 4.0, 1e-6);
    }
}

/// A prism along y between -1 and 1, over a triangle in the plane of x and z.
void add_prism(workloads::MeshData& mesh, const std::array<glm::vec2, 3>& base) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const float y : {-1.0f, 1.0f})
        for (const glm::vec2& p : base)
            mesh.positions.emplace_back(p.x, y, p.y);
    std::vector<glm::uvec3> faces{{0, 1, 2}, {5, 4, 3}};
    for (std::uint32_t i = 0; i < 3; ++i) {
        const std::uint32_t j = (i + 1) % 3;
        faces.emplace_back(i, i + 3, j);
        faces.emplace_back(j, i + 3, j + 3);
    }
    for (const glm::uvec3& f : faces)
        mesh.triangles.push_back(f + glm::uvec3(first));
}

TEST(Slice, OutlinesThatTouchStaySeparate) {
    // Wedges around a common edge: their outlines meet in one corner, whichever triangle is cut first.
    Random rng(7);
    for (int n = 0; n < 60; ++n) {
        const int count = 2 + n % 3;
        workloads::MeshData mesh;
        for (int k = 0; k < count; ++k) {
            const float from = 0.3f + 6.2831853f * float(k) / float(count), to = from + 0.8f;
            add_prism(mesh, {glm::vec2(0), glm::vec2(std::cos(from), std::sin(from)),
                             glm::vec2(std::cos(to), std::sin(to))});
        }
        for (std::size_t i = mesh.triangles.size(); i > 1; --i)
            std::swap(mesh.triangles[i - 1], mesh.triangles[std::size_t(rng.below(int(i)))]);
        ASSERT_TRUE(is_closed(mesh.view()));
        ASSERT_GT(volume(mesh.view()), 0.0);
        const Plane plane{vec3(0, n % 2 == 0 ? 1 : -1, 0), 0.25f};
        check(mesh.view(), plane, "wedges");
        const MeshSlice cut = slice(mesh.view(), plane);
        ASSERT_EQ(cut.contours.size(), std::size_t(count)) << "wedges in one outline";
        for (const auto& loop : cut.contours) {
            double doubled = 0;
            for (std::size_t i = 2; i < loop.size(); ++i)
                doubled += glm::dot(D(plane.normal),
                                    glm::cross(D(loop[i - 1]) - D(loop[0]), D(loop[i]) - D(loop[0])));
            EXPECT_NEAR(doubled, std::sin(0.8), 1e-5);
        }
    }
}

/// A plate 1 m thick: a square meter for each `#` of a picture, row by row.
workloads::MeshData plate(const std::vector<std::string>& rows) {
    workloads::MeshData mesh;
    const int height = static_cast<int>(rows.size()), width = static_cast<int>(rows.front().size());
    const auto is_solid = [&](int x, int y) {
        return x >= 0 && y >= 0 && x < width && y < height &&
               rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '#';
    };
    const auto id = [&](int x, int y, int z) {
        return static_cast<std::uint32_t>((z * (height + 1) + y) * (width + 1) + x);
    };
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y <= height; ++y)
            for (int x = 0; x <= width; ++x)
                mesh.positions.emplace_back(x, y, z);
    const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        mesh.triangles.emplace_back(a, b, c);
        mesh.triangles.emplace_back(a, c, d);
    };
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            if (!is_solid(x, y)) continue;
            quad(id(x, y, 1), id(x + 1, y, 1), id(x + 1, y + 1, 1), id(x, y + 1, 1));
            quad(id(x, y, 0), id(x, y + 1, 0), id(x + 1, y + 1, 0), id(x + 1, y, 0));
            if (!is_solid(x, y - 1)) quad(id(x, y, 0), id(x + 1, y, 0), id(x + 1, y, 1), id(x, y, 1));
            if (!is_solid(x, y + 1))
                quad(id(x + 1, y + 1, 0), id(x, y + 1, 0), id(x, y + 1, 1), id(x + 1, y + 1, 1));
            if (!is_solid(x - 1, y)) quad(id(x, y + 1, 0), id(x, y, 0), id(x, y, 1), id(x, y + 1, 1));
            if (!is_solid(x + 1, y))
                quad(id(x + 1, y, 0), id(x + 1, y + 1, 0), id(x + 1, y + 1, 1), id(x + 1, y, 1));
        }
    return mesh;
}

TEST(Slice, PlatesWithWindows) {
    const auto two = plate({"###", "#.#", "###", "#.#", "###"});
    const MeshSlice cut = slice(two.view(), Plane{vec3(0, 0, 1), 0.5f});
    EXPECT_EQ(cut.contours.size(), 3u);
    EXPECT_NEAR(area(cut.front, cut.front.cap_begin), 13.0, 1e-5);
    Random random(41);
    int windows = 0;
    for (int n = 0; n < test::cases(1500); ++n) {
        const int width = 3 + random.below(n % 10 == 0 ? 20 : 5), height = 3 + random.below(5);
        std::vector<std::string> rows(static_cast<std::size_t>(height),
                                      std::string(static_cast<std::size_t>(width), '#'));
        for (int holes = 1 + random.below(width); holes > 0; --holes) {
            const int y = 1 + random.below(height - 2);
            const int x = 1 + random.below(width - 2);
            rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = '.';
        }
        workloads::MeshData mesh = plate(rows);
        check(mesh.view(), Plane{vec3(0, 0, n % 2 == 0 ? 1 : -1), n % 2 == 0 ? 0.5f : -0.5f},
              "plate " + std::to_string(n));
        // Turned, so that nothing is aligned with the axes of the cap.
        const glm::mat3 turn = random.rotation();
        for (vec3& p : mesh.positions)
            p = turn * p;
        check(mesh.view(), Plane{turn[2], 0.5f}, "turned plate " + std::to_string(n));
        if (testing::Test::HasFailure()) {
            for (const std::string& row : rows)
                std::printf("%s\n", row.c_str());
            return;
        }
        for (const std::string& row : rows)
            windows += static_cast<int>(std::count(row.begin(), row.end(), '.'));
    }
    EXPECT_GT(windows, test::cases(1500));
}

/// The surface of the cells that are filled, of n to a side: each face in two triangles, by either diagonal.
workloads::MeshData cells_of(const std::vector<bool>& filled, int n, Random* rng) {
    const auto is_filled = [&](const glm::ivec3& c) {
        for (int k = 0; k < 3; ++k)
            if (c[k] < 0 || c[k] >= n) return false;
        return bool(filled[static_cast<std::size_t>((c.z * n + c.y) * n + c.x)]);
    };
    workloads::MeshData mesh;
    std::map<std::array<int, 3>, std::uint32_t> corners;
    const auto corner = [&](const glm::ivec3& c) {
        const auto [at, is_new] =
            corners.emplace(std::array{c.x, c.y, c.z}, static_cast<std::uint32_t>(mesh.positions.size()));
        if (is_new) mesh.positions.emplace_back(c);
        return at->second;
    };
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x)
                for (int axis = 0; axis < 3; ++axis)
                    for (const int side : {0, 1}) {
                        const glm::ivec3 cell(x, y, z);
                        glm::ivec3 to(0), u(0), v(0);
                        to[axis] = 2 * side - 1;
                        u[(axis + (side == 1 ? 1 : 2)) % 3] = 1;
                        v[(axis + (side == 1 ? 2 : 1)) % 3] = 1;
                        if (!is_filled(cell) || is_filled(cell + to)) continue;
                        glm::ivec3 at = cell;
                        at[axis] += side;
                        const std::uint32_t q[4] = {corner(at), corner(at + u), corner(at + u + v),
                                                    corner(at + v)};
                        const int d = rng && rng->uniform(-1, 1) < 0 ? 1 : 0;
                        mesh.triangles.emplace_back(q[d], q[d + 1], q[d + 2]);
                        mesh.triangles.emplace_back(q[d], q[d + 2], q[(d + 3) % 4]);
                    }
    return mesh;
}

/// The cap's area without those of its triangles that are folded back onto others.
double unfolded(const MeshPiece& piece, const vec3& outward) {
    double net = 0;
    for (std::size_t i = piece.cap_begin; i < piece.triangles.size(); ++i) {
        const Triangle t = piece.view().triangle(i);
        net += 0.5 * glm::dot(glm::cross(D(t.b) - D(t.a), D(t.c) - D(t.a)), D(outward));
    }
    return net;
}

TEST(Slice, CapsAreNotFolded) {
    // A hole that touches the outline in a corner.
    std::vector<bool> few(8);
    for (const int cell : {0, 1, 3, 4, 6, 7})
        few[static_cast<std::size_t>(cell)] = true;
    const workloads::MeshData touching = cells_of(few, 2, nullptr);
    const vec3 normal = vec3(2, -1, 2) / 3.0f;
    const MeshSlice halves = slice(touching.view(), Plane{normal, 4.0f / 3.0f});
    EXPECT_TRUE(halves.closed);
    EXPECT_NEAR(unfolded(halves.front, -normal), 4.125, 1e-4);
    EXPECT_NEAR(area(halves.front, halves.front.cap_begin), 4.125, 1e-4);
    EXPECT_NEAR(area(halves.back, halves.back.cap_begin), 4.125, 1e-4);
    // Columns cut across, with many corners on one line, which rounding makes nearly so.
    Random rng(5);
    int cuts = 0;
    for (int n = 0; n < test::cases(3000); ++n) {
        std::vector<bool> filled(64);
        for (std::size_t i = 0; i < 16; ++i) {
            const bool is = rng.uniform(0, 3) > 1;
            for (std::size_t z = 0; z < 4; ++z)
                filled[16 * z + i] = is;
        }
        const auto is_filled = [&](std::size_t x, std::size_t y) { return bool(filled[4 * y + x]); };
        bool is_manifold = true;  // no two columns that share but an edge
        for (std::size_t y = 0; y + 1 < 4; ++y)
            for (std::size_t x = 0; x + 1 < 4; ++x)
                is_manifold = is_manifold && (is_filled(x, y) != is_filled(x + 1, y + 1) ||
                                              is_filled(x + 1, y) != is_filled(x, y + 1) ||
                                              is_filled(x, y) == is_filled(x + 1, y));
        const workloads::MeshData mesh = cells_of(filled, 4, &rng);
        if (!is_manifold || mesh.triangles.empty()) continue;
        const vec3 across = glm::normalize(vec3(rng.uniform(-0.3f, 0.3f), rng.uniform(-0.3f, 0.3f), 1.0f));
        const MeshSlice cut = slice(mesh.view(), Plane{across, glm::dot(across, vec3(2.0f))});
        ++cuts;
        ASSERT_TRUE(cut.closed) << n;
        EXPECT_NEAR(area(cut.front, cut.front.cap_begin), unfolded(cut.front, -across), 1e-3) << n;
        EXPECT_NEAR(area(cut.back, cut.back.cap_begin), unfolded(cut.back, across), 1e-3) << n;
    }
    EXPECT_GT(cuts, test::cases(300));
}

// Both caps: their outlines run in opposite directions.
TEST(Slice, OutlinesThatMeetInACorner) {
    const auto angle = plate({"##", "#."});
    for (const vec3& normal : {vec3(1, 2, -1), vec3(2, 1, 1), vec3(2, 1, -1), vec3(1, 2, 1), vec3(1, 1, 0)}) {
        const auto plane = plane_from(vec3(1, 1, 1), normal);
        ASSERT_TRUE(plane);
        check(angle.view(), *plane, "angle");
        check(angle.view(), Plane{-plane->normal, -plane->offset}, "angle from behind");
    }
}

// A side is split in its middle, and a triangle without area closes the gap beside the undivided top.
TEST(Slice, ATriangleWithoutAreaIsNoSecondHalf) {
    const auto mesh_with = [](bool closed) {
        workloads::MeshData cube = plate({"#"});
        const auto middle = static_cast<std::uint32_t>(cube.positions.size());
        cube.positions.emplace_back(0.5f, 0, 1);
        for (std::size_t k = 0, count = cube.triangles.size(); k < count; ++k) {
            const glm::uvec3 t = cube.triangles[k];
            for (int i = 0; i < 3; ++i) {
                const std::uint32_t a = t[i], b = t[(i + 1) % 3], c = t[(i + 2) % 3];
                const auto on_edge = [&](std::uint32_t v) {
                    return cube.positions[v].y == 0.0f && cube.positions[v].z == 1.0f;
                };
                if (!on_edge(a) || !on_edge(b) || cube.positions[c].y != 0.0f) continue;
                cube.triangles[k] = {a, middle, c};
                cube.triangles.emplace_back(middle, b, c);
                if (closed) cube.triangles.emplace_back(b, middle, a);
            }
        }
        return cube;
    };
    for (const bool closed : {false, true}) {
        const auto cube = mesh_with(closed);
        EXPECT_EQ(slice(cube.view(), Plane{vec3(0, 0, 1), 1.0f}).side, Side::Back);
        EXPECT_EQ(slice(cube.view(), Plane{vec3(0, 0, -1), -1.0f}).side, Side::Front);
        EXPECT_TRUE(slice(cube.view(), Plane{vec3(0, 0, 1), 1.0f}).contours.empty());
    }
    const auto cube = mesh_with(true);
    EXPECT_NEAR(volume(slice(cube.view(), Plane{vec3(0, 0, 1), 0.5f}).back.view()), 0.5, 1e-6);
}

TEST(Slice, TheRoundingOfThePlaneIsItsTolerance) {
    // A face farther from the plane than the rounding of its floats is cut; a nearer one is not.
    const auto cube = workloads::box(vec3(1));
    const float above = std::nextafter(1.0f, 2.0f), below = 1.0f - 0x1p-18f;
    EXPECT_EQ(slice(cube.view(), Plane{vec3(0, 1, 0), above}).side, Side::Back);
    EXPECT_EQ(slice(cube.view(), Plane{vec3(0, 1, 0), below}).side, Side::Intersecting);
    EXPECT_EQ(slice(cube.view(), Plane{vec3(0, 1, 0), -below}).side, Side::Intersecting);
}

TEST(Slice, BoxTestAndBadInput) {
    const auto cube = workloads::box(vec3(1));
    const Aabb bounds{vec3(-1), vec3(1)};
    EXPECT_EQ(slice(cube.view(), bounds, Plane{vec3(0, 1, 0), 3.0f}).side, Side::Back);
    EXPECT_EQ(slice(cube.view(), bounds, Plane{vec3(0, 1, 0), -3.0f}).side, Side::Front);
    EXPECT_EQ(slice(cube.view(), bounds, Plane{vec3(0, 1, 0), 0.0f}).contours.size(), 1u);
    const MeshSlice empty = slice(MeshView{}, Plane{});
    EXPECT_TRUE(empty.front.triangles.empty() && empty.back.triangles.empty());
    // An open mesh: a single triangle and a cube without a face.
    const std::vector<vec3> p{vec3(-1, -1, 0), vec3(1, -1, 0), vec3(0, 1, 0)};
    const std::vector<glm::uvec3> one{{0, 1, 2}};
    const MeshSlice open = slice(MeshView{p, one}, Plane{vec3(0, 1, 0), 0.0f});
    EXPECT_FALSE(open.closed);
    EXPECT_EQ(open.front.triangles.size() + open.back.triangles.size(), 3u);
    // Triangles with non-finite corners are dropped; the others are cut.
    auto broken = workloads::box(vec3(1));
    broken.positions[0].x = std::nanf("");
    const MeshSlice rest = slice(broken.view(), Plane{vec3(0, 1, 0), 0.0f});
    for (const vec3& v : rest.front.positions)
        EXPECT_TRUE(v == v);
    (void)slice(cube.view(), Plane{vec3(std::nanf("")), 0.0f});
    (void)slice(cube.view(), Plane{vec3(0), 0.0f});
}

}  // namespace
}  // namespace bv
