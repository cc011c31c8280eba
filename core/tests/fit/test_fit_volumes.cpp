// All rows of the fit catalog: each contains every point of every shape, at every scale; then specifics of
// boxes from extremes, k-DOPs, capsules and rectangle swept spheres.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>

#include "bv/fit/aabb.hpp"
#include "bv/fit/capsule.hpp"
#include "bv/fit/catalog.hpp"
#include "bv/fit/hull.hpp"
#include "bv/fit/kdop.hpp"
#include "bv/fit/obb.hpp"
#include "bv/fit/sphere.hpp"
#include "fit_test_util.hpp"

#include "workloads/meshes.hpp"

namespace bv {
namespace {

using test::Random;
using Cloud = std::vector<glm::vec3>;
using fit::FitEntry;
using fit::Volume;

MeshView view_of(const Cloud& points) {
    return {points, {}};
}

void check_row(const FitEntry& row, const Cloud& points, const std::string& name) {
    const Volume volume = row.fit(view_of(points));
    EXPECT_EQ(fit::kind_of(volume), row.kind);
    bool any = false;
    for (const glm::vec3& p : points) {
        any = any || test::finite(p);
        ASSERT_EQ(fit::contains_point(volume, p), test::finite(p)) << name << " " << row.id;
    }
    ASSERT_EQ(fit::is_empty(volume), !any) << name << " " << row.id;
    EXPECT_TRUE(fit::contains_all(volume, points));
}

TEST(Catalog, RowsAreComplete) {
    std::set<std::string_view> ids;
    for (const FitEntry& row : fit::fit_catalog()) {
        EXPECT_TRUE(ids.insert(row.id).second) << row.id;
        EXPECT_FALSE(row.name.empty() || row.description.empty() || fit::name_of(row.cost).empty()) << row.id;
        EXPECT_EQ(row.id.substr(0, row.id.find('.')), fit::id_of(row.kind)) << row.id;
        EXPECT_FALSE(fit::name_of(row.kind).empty());
        ASSERT_NE(row.fit, nullptr);
        EXPECT_EQ(fit::find_fit(row.id), &row);
    }
    EXPECT_EQ(fit::find_fit("sphere.none"), nullptr);
    EXPECT_GE(ids.size(), 25u);
}

TEST(Catalog, EveryRowContainsEveryPointOfEveryShape) {
    Random random(70);
    for (const FitEntry& row : fit::fit_catalog()) {
        for (const test::NamedCloud& cloud : test::bad_clouds())
            check_row(row, cloud.points, cloud.name);
        for (const test::NamedCloud& cloud : test::kind_clouds(50))
            check_row(row, cloud.points, cloud.name);
        for (int i = 0; i < 60; ++i) {
            Cloud cloud = test::random_cloud(random, 1 + random.below(60));
            check_row(row, test::scaled(cloud, std::pow(10.0f, random.range(-6, 6))), "random");
        }
    }
    for (const test::NamedCloud& cloud : test::mesh_clouds()) {
        const Cloud turned = test::turned(cloud.points, random.rotation_in_double());
        for (const FitEntry& row : fit::fit_catalog()) {
            // The search is slow on these, and test_fit_obb runs it on them.
            if (row.cost != fit::CostClass::Search) check_row(row, turned, cloud.name);
        }
    }
}

TEST(Catalog, TracedRowsGiveTheSame) {
    Random random(71);
    for (const FitEntry& row : fit::fit_catalog()) {
        if (row.fit_traced == nullptr) continue;
        for (int i = 0; i < 10; ++i) {
            const Cloud cloud = test::random_cloud(random, 40);
            Recording trace;
            const Volume traced = row.fit_traced(view_of(cloud), trace), plain = row.fit(view_of(cloud));
            EXPECT_EQ(fit::volume_of(traced), fit::volume_of(plain)) << row.id;
            EXPECT_EQ(fit::center_of(traced), fit::center_of(plain)) << row.id;
            EXPECT_FALSE(trace.events().empty()) << row.id;
        }
    }
}

/// Every edge is shared by two triangles in opposite directions, and is listed once if these are not
/// coplanar.
void expect_edges_between_faces(const Polytope& solid, std::string_view id) {
    using Edge = std::pair<std::uint32_t, std::uint32_t>;
    std::map<Edge, glm::dvec3> normals;  // by directed edge
    for (const glm::uvec3& t : solid.triangles) {
        const glm::dvec3 a(solid.vertices[t.x]), b(solid.vertices[t.y]), c(solid.vertices[t.z]);
        for (int i = 0; i < 3; ++i)
            EXPECT_TRUE(normals.emplace(Edge{t[i], t[(i + 1) % 3]}, glm::cross(b - a, c - a)).second) << id;
    }
    std::set<Edge> listed;
    for (const glm::uvec2& e : solid.edges) {
        EXPECT_TRUE(normals.contains({e.x, e.y}) && normals.contains({e.y, e.x})) << id;
        EXPECT_TRUE(listed.insert(std::minmax(e.x, e.y)).second) << id;
    }
    for (const auto& [edge, normal] : normals) {
        const auto other = normals.find({edge.second, edge.first});
        ASSERT_NE(other, normals.end()) << id;
        const double scale = glm::length(normal) * glm::length(other->second);
        const double turned = glm::length(glm::cross(normal, other->second));
        // Slivers have no reliable normal.
        if (std::min(glm::length(normal), glm::length(other->second)) > 1e-3 && turned > 1e-2 * scale) {
            EXPECT_TRUE(listed.contains(std::minmax(edge.first, edge.second))) << id;
        }
    }
}

TEST(AnyVolume, MeasuresAgreeWithSupportsAndHull) {
    Random random(72);
    for (int i = 0; i < 20; ++i) {
        Cloud cloud = test::random_cloud(random, 60);
        const Hull hull = fit::hull(cloud);
        // Corners in float are not accurate enough to test thin slabs.
        if (hull.dimension < 3 || fit::tightness(fit::sphere_exact(cloud), hull) < 0.01) continue;
        for (const FitEntry& row : fit::fit_catalog()) {
            const Volume volume = row.fit(view_of(cloud));
            const double tight = fit::tightness(volume, hull);
            EXPECT_GT(tight, 0.0) << row.id;
            EXPECT_LE(tight, 1.0 + 1e-6) << row.id;
            EXPECT_GE(fit::surface_area_of(volume), hull.surface_area() * (1 - 1e-6)) << row.id;
            for (int k = 0; k < 20; ++k) {
                const glm::vec3 d = random.direction();
                const glm::vec3 s = fit::support(volume, d);
                const double reach = glm::dot(glm::dvec3(d), glm::dvec3(s));
                for (const glm::vec3& p : cloud)
                    EXPECT_GE(reach + 1e-5, glm::dot(glm::dvec3(d), glm::dvec3(p))) << row.id;
                // The support is on the surface: slightly toward the center is inside, slightly away is not.
                const glm::vec3 c = fit::center_of(volume);
                EXPECT_TRUE(fit::contains_point(volume, c + (s - c) * 0.9995f)) << row.id;
                EXPECT_FALSE(fit::contains_point(volume, c + (s - c) * 1.001f)) << row.id;
            }
            const Polytope solid = fit::polytope_of(volume);
            using Kind = fit::VolumeKind;
            const bool rounded =
                row.kind == Kind::Sphere || row.kind == Kind::Capsule || row.kind == Kind::RectSweptSphere;
            EXPECT_EQ(solid.is_empty(), rounded) << row.id;
            expect_edges_between_faces(solid, row.id);
            if (!solid.is_empty()) {
                EXPECT_NEAR(solid.volume() / fit::volume_of(volume), 1.0, 1e-4) << row.id;
                EXPECT_NEAR(solid.surface_area() / fit::surface_area_of(volume), 1.0, 1e-4) << row.id;
            }
        }
    }
}

TEST(AnyVolume, VolumeBySampling) {
    Random random(73);
    const Cloud cloud = test::random_cloud(random, 40);
    const Aabb box = fit::aabb_fixed(Sphere{glm::vec3(0), 12.0f});
    for (const FitEntry& row : fit::fit_catalog()) {
        const Volume volume = row.fit(view_of(cloud));
        Aabb around;
        for (int k = 0; k < 3; ++k) {
            glm::vec3 d(0.0f);
            d[k] = 1.0f;
            around.max[k] = std::min(fit::support(volume, d)[k], box.max[k]);
            around.min[k] = std::max(fit::support(volume, -d)[k], box.min[k]);
        }
        int inside = 0;
        constexpr int kSamples = 40000;
        for (int i = 0; i < kSamples; ++i) {
            const glm::vec3 p(random.range(around.min.x, around.max.x),
                              random.range(around.min.y, around.max.y),
                              random.range(around.min.z, around.max.z));
            inside += fit::contains_point(volume, p) ? 1 : 0;
        }
        const double part = static_cast<double>(inside) / kSamples;
        EXPECT_NEAR(part, fit::volume_of(volume) / static_cast<double>(around.volume()), 0.02) << row.id;
    }
}

TEST(AnyVolume, TransformedContainsTheMappedPoints) {
    Random random(74);
    for (int i = 0; i < 40; ++i) {
        const Cloud cloud = test::random_cloud(random, 40);
        if (fit::tightness(fit::sphere_exact(cloud), fit::hull(cloud)) < 0.01) continue;
        const glm::mat4x3 m = test::affine_of(random.rotation_in_double() * 2.0, random.in_cube(5));
        for (const FitEntry& row : fit::fit_catalog()) {
            const Volume volume = row.fit(view_of(cloud));
            const Volume image = fit::transformed(volume, m);
            EXPECT_EQ(fit::kind_of(image), row.kind);
            if (row.kind == fit::VolumeKind::Hull) continue;  // Its vertices are rounded, not grown.
            for (const glm::vec3& p : cloud) {
                // The mapped point is itself rounded; test one a step toward the center instead.
                const glm::vec3 q = test::apply(m, p);
                const glm::vec3 c = fit::center_of(image);
                EXPECT_TRUE(fit::contains_point(image, c + (q - c) * 0.99999f)) << row.id;
            }
        }
    }
}

TEST(AnyVolume, EmptyOnes) {
    for (const FitEntry& row : fit::fit_catalog()) {
        const Volume volume = row.fit(MeshView{});
        EXPECT_TRUE(fit::is_empty(volume));
        EXPECT_EQ(fit::volume_of(volume), 0.0);
        EXPECT_EQ(fit::surface_area_of(volume), 0.0);
        EXPECT_EQ(fit::center_of(volume), glm::vec3(0));
        EXPECT_EQ(fit::support(volume, glm::vec3(1)), glm::vec3(0));
        EXPECT_FALSE(fit::contains_point(volume, glm::vec3(0)));
        EXPECT_EQ(fit::tightness(volume, Hull{}), 0.0);
        EXPECT_TRUE(fit::polytope_of(volume).is_empty());
    }
}

TEST(FitAabb, RefitAndExtremesOfRotatedMeshes) {
    Random random(75);
    for (const test::NamedCloud& cloud : test::mesh_clouds()) {
        const Hull hull = fit::hull(cloud.points);
        fit::ExtremeVertices extremes{};
        for (int i = 0; i < 20; ++i) {
            const glm::mat4x3 m = test::affine_of(random.rotation_in_double(), random.in_cube(3));
            const Aabb refit = fit::aabb_tight(cloud.points, m);
            const Aabb climbed = fit::aabb_extremes(hull, m, extremes);
            const Aabb loose = transformed(fit::aabb_tight(cloud.points), m);
            for (int k = 0; k < 3; ++k) {
                EXPECT_NEAR(refit.min[k], climbed.min[k], 1e-6f);
                EXPECT_NEAR(refit.max[k], climbed.max[k], 1e-6f);
                EXPECT_GE(refit.min[k], loose.min[k] - 1e-6f);
                EXPECT_LE(refit.max[k], loose.max[k] + 1e-6f);
            }
            for (const glm::vec3& p : cloud.points) {
                const glm::dvec3 q = glm::dmat4x3(m) * glm::dvec4(glm::dvec3(p), 1.0);
                for (int k = 0; k < 3; ++k) {
                    ASSERT_LE(static_cast<double>(refit.min[k]), q[k]);
                    ASSERT_GE(static_cast<double>(refit.max[k]), q[k]);
                    ASSERT_LE(static_cast<double>(climbed.min[k]), q[k]);
                    ASSERT_GE(static_cast<double>(climbed.max[k]), q[k]);
                }
            }
        }
    }
    fit::ExtremeVertices none{};
    EXPECT_TRUE(fit::aabb_extremes(Hull{}, glm::mat4x3(1.0f), none).is_empty());
    EXPECT_TRUE(fit::aabb_tight(Cloud{}, glm::mat4x3(1.0f)).is_empty());
    EXPECT_TRUE(fit::aabb_tight(Cloud{glm::vec3(1)}, glm::mat4x3(1.0f / 0.0f)).is_empty());
}

TEST(FitAabb, TightIsExactAndFixedHoldsInEveryOrientation) {
    Random random(76);
    const Cloud cloud = test::random_cloud(random, 100);
    const Aabb tight = fit::aabb_tight(cloud);
    Aabb force;
    for (const glm::vec3& p : cloud)
        force = merge(force, p);
    EXPECT_EQ(tight, force);
    const Sphere ball = fit::sphere_exact(cloud);
    const Aabb fixed = fit::aabb_fixed(ball);
    for (int i = 0; i < 100; ++i) {
        const glm::dmat3 turn = random.rotation_in_double();
        for (const glm::vec3& p : cloud) {
            const glm::vec3 q = glm::vec3(turn * (glm::dvec3(p) - glm::dvec3(ball.center))) + ball.center;
            const Aabb grown_box = grown(fixed, 1e-5f);
            EXPECT_EQ(intersection(grown_box, Aabb{q, q}), (Aabb{q, q}));
        }
    }
}

TEST(FitKdop, RefitIsTighterThanTheTransformedOne) {
    Random random(77);
    for (int i = 0; i < 200; ++i) {
        const Cloud cloud = test::random_cloud(random, 50);
        const glm::mat4x3 m = test::affine_of(random.rotation_in_double(), random.in_cube(3));
        const Kdop<26> moved = transformed(fit::kdop<26>(cloud), m), refit = fit::kdop<26>(cloud, m);
        for (std::size_t k = 0; k < 13; ++k) {
            EXPECT_LE(refit.max[k], moved.max[k] + 1e-5f);
            EXPECT_GE(refit.min[k], moved.min[k] - 1e-5f);
        }
        // More directions never give more volume.
        EXPECT_LE(fit::kdop<14>(cloud).volume(), fit::kdop<6>(cloud).volume() * (1 + 1e-6));
        EXPECT_LE(fit::kdop<14>(cloud).volume(), fit::kdop<8>(cloud).volume() * (1 + 1e-6));
        EXPECT_LE(fit::kdop<26>(cloud).volume(), fit::kdop<18>(cloud).volume() * (1 + 1e-6));
        EXPECT_LE(fit::kdop<26>(cloud).volume(), fit::kdop<14>(cloud).volume() * (1 + 1e-6));
    }
    EXPECT_TRUE(fit::kdop<14>(Cloud{}, glm::mat4x3(1.0f)).is_empty());
    const Aabb box = fit::aabb_tight(Cloud{{1, 2, 3}, {-1, 0, 5}});
    const Kdop<6> six = fit::kdop<6>(Cloud{{1, 2, 3}, {-1, 0, 5}});
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(six.min[k], box.min[static_cast<int>(k)]);
        EXPECT_EQ(six.max[k], box.max[static_cast<int>(k)]);
    }
}

TEST(FitVolumes, TightSweptVolumesAreNeverLargerThanPrincipalOnes) {
    for (const auto& row : bv::workloads::mesh_catalog()) {
        const auto mesh = bv::workloads::make_mesh(row.id);
        ASSERT_TRUE(mesh);
        EXPECT_LE(fit::capsule_tight(mesh->positions).volume(), fit::capsule_pca(mesh->positions).volume())
            << row.id;
        EXPECT_LE(fit::rect_swept_sphere_tight(mesh->positions).volume(),
                  fit::rect_swept_sphere_pca(mesh->positions).volume())
            << row.id;
    }
}

TEST(FitVolumes, AKnownSmallestBoxChangesNoSweptVolume) {
    for (const auto& row : bv::workloads::mesh_catalog()) {
        const auto mesh = bv::workloads::make_mesh(row.id);
        ASSERT_TRUE(mesh);
        const Cloud& cloud = mesh->positions;
        const Obb box = fit::obb_exact(cloud);
        EXPECT_EQ(fit::capsule_tight(cloud, box), fit::capsule_tight(cloud)) << row.id;
        EXPECT_EQ(fit::rect_swept_sphere_tight(cloud, box), fit::rect_swept_sphere_tight(cloud)) << row.id;
        // Without axes the principal ones are left.
        EXPECT_LE(fit::capsule_tight(cloud, Obb{}).volume(), fit::capsule_pca(cloud).volume()) << row.id;
        for (const fit::FitEntry& entry : fit::fit_catalog())
            if (entry.fit_with_box) {
                EXPECT_EQ(entry.fit_with_box({cloud, {}}, box), entry.fit({cloud, {}})) << entry.id;
            }
    }
}

TEST(FitCapsule, FindsCapsulesAndRoundedPlates) {
    Random random(78);
    for (int i = 0; i < 4; ++i) {
        const glm::dmat3 turn = random.rotation_in_double();
        Cloud rod, plate;
        for (int k = 0; k < 1500; ++k) {
            const glm::dvec3 d(random.direction());
            const double x = random.range(-1, 1), y = random.range(-1, 1);
            const glm::dvec3 end(x < 0 ? -2.0 : 2.0, 0, 0), corner(x < 0 ? -2.0 : 2.0, y < 0 ? -1.0 : 1.0, 0);
            rod.push_back(glm::vec3(turn * (end + d * 0.5)));
            plate.push_back(glm::vec3(turn * (corner + d * 0.5)));
        }
        const double rod_volume = Capsule{{-2, 0, 0}, {2, 0, 0}, 0.5f}.volume();
        const double plate_volume =
            RectSweptSphere{glm::vec3(0), glm::vec2(2, 1), 0.5f, glm::mat3(1)}.volume();
        EXPECT_NEAR(fit::volume_of(fit::capsule_pca(rod)) / rod_volume, 1.0, 0.1);
        EXPECT_NEAR(fit::volume_of(fit::capsule_tight(rod)) / rod_volume, 1.0, 0.05);
        EXPECT_NEAR(fit::volume_of(fit::rect_swept_sphere_pca(plate)) / plate_volume, 1.0, 0.1);
        EXPECT_NEAR(fit::volume_of(fit::rect_swept_sphere_tight(plate)) / plate_volume, 1.0, 0.05);
    }
    // On a line neither has volume.
    const Cloud line{{0, 0, 0}, {4, 0, 0}, {1, 0, 0}};
    EXPECT_EQ(fit::volume_of(fit::capsule_pca(line)), 0.0);
    EXPECT_EQ(fit::capsule_pca(line).radius, 0.0f);
}

// Ten million points: nothing may be quadratic, recursive, or waste memory.
TEST(TenMillionPoints, EveryFitCopes) {
    const char* scale = std::getenv("BV_TEST_SCALE");
    const std::size_t count = scale != nullptr && std::atof(scale) >= 10.0 ? 10000000 : 1000000;
    Random random(79);
    Cloud cloud(count);
    for (glm::vec3& p : cloud)
        p = random.in_cube(1.0f);
    for (const FitEntry& row : fit::fit_catalog()) {
        const Volume volume = row.fit(view_of(cloud));
        if (row.kind != fit::VolumeKind::Hull) {
            EXPECT_TRUE(fit::contains_all(volume, cloud)) << row.id;
        }
    }
}

/// Products of very small and very large numbers neither vanish nor overflow.
TEST(FitVolumes, SupportPointsOfExtremeVolumes) {
    const glm::vec3 x(1, 0, 0);
    for (const float size : {1e-20f, 1e-3f, 1.0f, 1e20f})
        for (const float length : {1e-43f, 1e-28f, 1.0f, 1e30f})
            for (const float sign : {-1.0f, 1.0f}) {
                const glm::vec3 d = sign * length * x;
                EXPECT_EQ(fit::support(Capsule{-size * x, size * x, 0.0f}, d), sign * size * x);
                EXPECT_EQ(fit::support(Obb{{}, glm::vec3(size, 0, 0), glm::mat3(1.0f)}, d), sign * size * x);
            }
    const Capsule far{{3e38f, 0, 0}, {-3e38f, 3e38f, 0}, 0.0f};
    EXPECT_EQ(fit::support(far, {1.0f, 1.0f, 0.0f}), far.a);
    EXPECT_EQ(fit::support(far, {-1.0f, 0.0f, 0.0f}), far.b);
}

}  // namespace
}  // namespace bv
