// BspTree against ray parity, against MeshBvh and against the depth order along rays; limits, bad input,
// snapshot, trace.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "bv/tree/bsp_tree.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "workloads/meshes.hpp"
#include "workloads/random.hpp"
#include "workloads/rays.hpp"

namespace bv {
namespace {

using workloads::MeshData;
using workloads::Random;

std::size_t scaled(std::size_t count) {
    const char* scale = std::getenv("BV_TEST_SCALE");
    return static_cast<std::size_t>(static_cast<double>(count) * (scale != nullptr ? std::atof(scale) : 1.0));
}

struct Config {
    std::string name;
    BspOptions options;
};

std::vector<Config> configs() {
    std::vector<Config> all(5);
    all[0].name = "default";
    all[1].name = "triangles' planes only";
    all[1].options.planes = BspPlanes::Triangles;
    all[1].options.max_depth = 1u << 20;
    all[2].name = "shallow";
    all[2].options.max_depth = 4;
    all[3].name = "few pieces";
    all[3].options.max_fragments_per_triangle = 1.05f;
    all[4].name = "one candidate, balance only";
    all[4].options.candidates = 1;
    all[4].options.split_cost = 0.0f;
    return all;
}

std::vector<MeshData> solids() {
    return {workloads::icosphere(2),  workloads::torus(0.35f, 0.15f, 24, 12),
            workloads::box(),         workloads::gear(9),
            workloads::tetrahedron(), workloads::rock(3, 3),
            workloads::spike_ball(2)};
}

Aabb bounds_of(const MeshData& mesh) {
    Aabb box;
    for (const glm::vec3& p : mesh.positions)
        box = merge(box, p);
    return box;
}

/// Inside iff a ray in `direction` crosses the surface an odd number of times.
bool odd_crossings(const MeshBvh& tree, const glm::vec3& p, const glm::vec3& direction) {
    std::vector<MeshHit> hits;
    tree.raycast_all({p, direction}, hits);
    return hits.size() % 2 == 1;
}

/// A closed box whose corner is at `at`.
MeshData closed_box(const glm::vec3& at, const glm::vec3& size) {
    MeshData mesh = workloads::box();
    Aabb bounds;
    for (const glm::vec3& p : mesh.positions)
        bounds = merge(bounds, p);
    for (glm::vec3& p : mesh.positions)
        p = at + (p - bounds.min) / bounds.size() * size;
    return mesh;
}

TEST(BspTree, SheetsThinnerThanTheToleranceHaveTheirOutsideOnBothSides) {
    for (const BspPlanes planes : {BspPlanes::Triangles, BspPlanes::TrianglesAndAxes})
        for (const float height : {0.0f, 1e-8f, 1e-7f, 5e-7f, 2e-6f, 1e-3f, 0.1f})
            for (const int axis : {0, 1, 2}) {
                glm::vec3 size(1.0f);
                size[axis] = height;
                BspOptions options;
                options.planes = planes;
                BspTree tree;
                ASSERT_EQ(tree.build(closed_box(glm::vec3(0.0f), size).view(), options), MeshBuildStatus::Ok);
                Random random(5);
                for (int i = 0; i < 100; ++i) {
                    glm::vec3 p = 2.0f * random.in_box(glm::vec3(-1.0f), glm::vec3(1.0f));
                    if (std::abs(p[axis]) < 0.2f) p[axis] = 0.3f;
                    ASSERT_EQ(tree.classify(p), BspSide::Outside)
                        << height << " along " << axis << ": " << p.x << " " << p.y << " " << p.z;
                }
            }
    // A triangle with two sides.
    MeshData sheet;
    sheet.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    sheet.triangles = {{0, 1, 2}, {0, 2, 1}};
    BspTree tree;
    ASSERT_EQ(tree.build(sheet.view()), MeshBuildStatus::Ok);
    for (const glm::vec3& p : {glm::vec3(0.2f, 0.2f, 1), glm::vec3(0.2f, 0.2f, -1), glm::vec3(3, 3, 0.5f)})
        EXPECT_EQ(tree.classify(p), BspSide::Outside);
}

TEST(BspTree, ClassifiesFarFromTheOriginAsNearIt) {
    // 2 mm thin, three kilometers away: visible, though a millionth of the coordinates is more.
    const glm::vec3 at(3000.0f, -3000.0f, 2000.0f);
    const MeshData near = closed_box(glm::vec3(0.0f), {8.0f, 0.001953125f, 8.0f});
    MeshData far = near;
    for (glm::vec3& p : far.positions)
        p += at;
    BspTree tree;
    ASSERT_EQ(tree.build(far.view()), MeshBuildStatus::Ok);
    EXPECT_EQ(tree.classify(at + glm::vec3(4, 0.0009765625f, 4)), BspSide::Inside);
    Random random(6);
    for (int i = 0; i < 300; ++i) {
        glm::vec3 p = 12.0f * random.in_box(glm::vec3(-1.0f), glm::vec3(1.0f));
        if (std::abs(p.y) < 0.01f) p.y = 0.5f;
        EXPECT_EQ(tree.classify(at + p), BspSide::Outside);
    }
}

/// The winding number of a closed mesh around a point, from the solid angles of its triangles, in double.
double winding(const MeshData& mesh, const glm::dvec3& p) {
    double angle = 0.0;
    for (const glm::uvec3& t : mesh.triangles) {
        const glm::dvec3 a = glm::dvec3(mesh.positions[t.x]) - p, b = glm::dvec3(mesh.positions[t.y]) - p,
                         c = glm::dvec3(mesh.positions[t.z]) - p;
        const double la = glm::length(a), lb = glm::length(b), lc = glm::length(c);
        angle +=
            2.0 * std::atan2(glm::dot(a, glm::cross(b, c)),
                             la * lb * lc + glm::dot(a, b) * lc + glm::dot(b, c) * la + glm::dot(c, a) * lb);
    }
    return angle / (4.0 * std::numbers::pi);
}

/// Rounded corners tilt triangles that shared a plane: between their planes now lie wedges without a surface.
TEST(BspTree, RoundedCornersMakeNoInsideBeyondTheSurface) {
    Random random(8);
    std::size_t asked = 0, doubtful = 0;
    for (const float offset : {16.0f, 64.0f, 4096.0f})
        for (const MeshData& shape :
             {workloads::box(), workloads::torus(0.7f, 0.3f, 5, 4), workloads::gear(5)})
            for (int turn = 0; turn < 12; ++turn) {
                const glm::mat3 rotation = random.rotation();
                const glm::vec3 at = offset * random.in_box(glm::vec3(-1.0f), glm::vec3(1.0f));
                MeshData mesh = shape;
                for (glm::vec3& p : mesh.positions)
                    p = rotation * (2.0f * p) + at;
                BspTree tree;
                MeshBvh surface;
                ASSERT_EQ(tree.build(mesh.view()), MeshBuildStatus::Ok);
                ASSERT_EQ(surface.build(mesh.view()), MeshBuildStatus::Ok);
                for (std::size_t i = 0; i < scaled(400); ++i) {
                    // In the plane of a triangle, or between two corners: where wedges are.
                    const auto corner = [&] { return random.one_of(mesh.positions); };
                    const glm::uvec3 t = random.one_of(mesh.triangles);
                    const glm::vec3 a = mesh.positions[t.x];
                    const glm::vec3 p = i % 2 == 0
                                            ? 0.5f * (corner() + corner())
                                            : a + random.uniform(-3.0f, 3.0f) * (mesh.positions[t.y] - a) +
                                                  random.uniform(-3.0f, 3.0f) * (mesh.positions[t.z] - a);
                    if (surface.closest_point(p).nearest->distance < 4.0 * tree.tolerance()) continue;
                    const BspSide wrong = winding(mesh, p) > 0.5 ? BspSide::Outside : BspSide::Inside;
                    const BspSide side = tree.classify(p);
                    EXPECT_NE(side, wrong) << offset << ": " << p.x << " " << p.y << " " << p.z;
                    ++asked;
                    doubtful += side == BspSide::Boundary ? 1 : 0;
                }
            }
    EXPECT_LE(doubtful, asked / 500) << "in the plane of a triangle, beyond its edges";
}

/// By rounding, a corner is off the plane of its own triangle, and a corner of a turned box off the plane of
/// its neighbor.
TEST(BspTree, NoToleranceIsAsMuchAsRoundingNeeds) {
    BspOptions none;
    none.tolerance = 0.0f;
    Random random(21);
    for (int turn = 0; turn < 300; ++turn) {
        const glm::mat3 rotation = random.rotation();
        MeshData mesh = closed_box(glm::vec3(-1.0f), glm::vec3(2.0f));
        for (glm::vec3& p : mesh.positions)
            p = rotation * p;
        BspTree tree;
        ASSERT_EQ(tree.build(mesh.view(), none), MeshBuildStatus::Ok);
        for (int i = 0; i < 100; ++i) {
            const glm::vec3 local = random.in_box(glm::vec3(-2.0f), glm::vec3(2.0f));
            const float reach = std::max({std::abs(local.x), std::abs(local.y), std::abs(local.z)});
            if (std::abs(reach - 1.0f) < 1e-3f) continue;
            ASSERT_EQ(tree.classify(rotation * local), reach < 1.0f ? BspSide::Inside : BspSide::Outside)
                << turn << ", " << reach;
        }
    }
}

TEST(BspTree, EveryPlaneOfATriangleHasAPieceInIt) {
    Random random(22);
    const auto point = [&] { return random.in_box(glm::vec3(-1.0f), glm::vec3(1.0f)); };
    BspOptions options;
    options.planes = BspPlanes::Triangles;
    options.max_depth = 1000;
    for (int n = 0; n < 2000; ++n) {
        std::vector<glm::vec3> corners;
        std::vector<glm::uvec3> triangles;
        const float thin = random.one_of(std::vector<float>{1.0f, 1e-6f, 3e-8f, 0.0f});
        for (unsigned i = 0; i < 9; i += 3) {
            const glm::vec3 a = point(), b = point();
            corners.insert(corners.end(), {a, b, a + random.uniform(0.0f, 1.0f) * (b - a) + thin * point()});
            triangles.emplace_back(i, i + 1, i + 2);
        }
        options.tolerance = n % 2 == 0 ? 0.0f : 1e-6f;
        BspTree tree;
        if (tree.build({corners, triangles}, options) == MeshBuildStatus::Empty) continue;
        ASSERT_TRUE(tree.cells().empty()) << n;
        for (const BspNode& node : tree.nodes())
            ASSERT_GT(node.count, 0u) << n;
    }
}

TEST(BspTree, PointsAgreeWithRayParity) {
    Random random(1);
    for (const MeshData& mesh : solids()) {
        MeshBvh reference;
        reference.build(mesh.view());
        const Aabb box = bounds_of(mesh);
        const float size = glm::length(box.max - box.min);
        for (const Config& config : configs()) {
            BspTree tree;
            ASSERT_EQ(tree.build(mesh.view(), config.options), MeshBuildStatus::Ok);
            std::size_t inside = 0;
            for (std::size_t i = 0; i < scaled(3000); ++i) {
                const glm::vec3 p = random.in_box(box.min - 0.1f * size, box.max + 0.1f * size);
                if (reference.closest_point(p).nearest->distance < 1e-4f * size) continue;
                int votes = 0;
                for (int k = 0; k < 3; ++k)
                    votes += odd_crossings(reference, p, random.direction()) ? 1 : 0;
                const BspSide truth = votes >= 2 ? BspSide::Inside : BspSide::Outside;
                ASSERT_EQ(tree.classify(p), truth) << mesh.name << ", " << config.name << " " << i;
                inside += truth == BspSide::Inside ? 1 : 0;
            }
            EXPECT_GT(inside, scaled(3000) / 50) << mesh.name;
            for (const glm::uvec3& t : mesh.triangles) {
                const glm::vec3 middle =
                    (mesh.positions[t.x] + mesh.positions[t.y] + mesh.positions[t.z]) / 3.0f;
                ASSERT_EQ(tree.classify(middle), BspSide::Boundary) << mesh.name << ", " << config.name;
                ASSERT_EQ(tree.classify(mesh.positions[t.x]), BspSide::Boundary) << config.name;
            }
        }
    }
}

TEST(BspTree, RaysAgreeWithMeshBvh) {
    std::vector<MeshData> meshes = solids();
    meshes.push_back(workloads::teapot(4));  // pieces that cross one another
    for (const MeshData& mesh : meshes) {
        MeshBvh reference;
        reference.build(mesh.view());
        const Aabb box = bounds_of(mesh);
        std::vector<Ray> rays = workloads::rays_from_outside(scaled(2000), box, 2);
        for (const auto& more :
             {workloads::rays_from_inside(scaled(1000), box, 3),
              workloads::segments_inside(scaled(1000), box, 4), workloads::awkward_rays(box)})
            rays.insert(rays.end(), more.begin(), more.end());
        for (const Config& config : configs()) {
            BspTree tree;
            ASSERT_EQ(tree.build(mesh.view(), config.options), MeshBuildStatus::Ok);
            for (const Ray& ray : rays)
                for (const RayMode mode : {RayMode::Fast, RayMode::Watertight}) {
                    const MeshRayResult got = tree.raycast(ray, mode);
                    const MeshRayResult truth = reference.raycast(ray, mode);
                    // At an edge both triangles may be hit a rounding apart, and the order of boxes may
                    // decide: only compare distances.
                    ASSERT_EQ(got.hit.has_value(), truth.hit.has_value()) << mesh.name << config.name;
                    if (got.hit) {
                        ASSERT_EQ(got.hit->t, truth.hit->t) << mesh.name << config.name;
                        ASSERT_EQ(got.hit->triangle, truth.hit->triangle) << mesh.name << config.name;
                    }
                }
        }
    }
}

/// True if the ray clearly passes through the interior of a fragment.
bool passes_through(const BspTree& tree, const MeshData& mesh, const BspFragment& f, const Ray& ray,
                    double& t) {
    const Triangle tri = mesh.view().triangle(f.triangle);
    const glm::dvec3 n = glm::normalize(
        glm::cross(glm::dvec3(tri.b) - glm::dvec3(tri.a), glm::dvec3(tri.c) - glm::dvec3(tri.a)));
    const glm::dvec3 o(ray.origin), d(ray.direction);
    const double slope = glm::dot(n, d);
    if (std::abs(slope) < 1e-3) return false;
    t = glm::dot(n, glm::dvec3(tri.a) - o) / slope;
    if (t <= 1e-3) return false;
    const glm::dvec3 q = o + t * d;
    const auto corners = tree.corners(f);
    double longest = 0.0;
    for (const glm::vec3& c : corners)
        longest = std::max(longest, static_cast<double>(glm::distance(c, corners[0])));
    if (longest < 1e-3) return false;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const glm::dvec3 a(corners[i]), b(corners[(i + 1) % corners.size()]);
        const double length = glm::length(b - a);
        if (length < 1e-6) continue;
        if (glm::dot(glm::cross(n, b - a), q - a) / length < 1e-4) return false;
    }
    return true;
}

/// The other direction is the reverse, and both traces list the same pieces.
void expect_order_traced(const BspTree& tree, const glm::vec3& eye, const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> reverse;
    tree.front_to_back(eye, [&](std::uint32_t f) { reverse.push_back(f); });
    std::reverse(reverse.begin(), reverse.end());
    EXPECT_EQ(reverse, order);
    for (const bool front_first : {false, true}) {
        std::vector<std::uint32_t> visited, listed;
        std::size_t planes = 0;
        const auto visit = [&](std::uint32_t f) { visited.push_back(f); };
        Recording trace(1u << 22);
        front_first ? tree.front_to_back(eye, visit, trace) : tree.back_to_front(eye, visit, trace);
        for (const TraceEvent& event : trace.events()) {
            if (const auto* plane = std::get_if<PlaneTested>(&event)) {
                ++planes;
                const BspNode& node = tree.nodes()[plane->plane];
                const double distance = glm::dot(node.normal, glm::dvec3(eye)) - node.offset;
                EXPECT_FLOAT_EQ(plane->distance, static_cast<float>(distance));
                EXPECT_EQ(plane->verdict == PlaneTested::Verdict::Front, distance >= 0.0);
                continue;
            }
            const auto& e = std::get<PieceListed>(event);
            EXPECT_EQ(e.place, listed.size());
            EXPECT_EQ(e.triangle, tree.fragments()[e.fragment].triangle);
            if (e.node.valid()) {
                EXPECT_LT(e.fragment - tree.nodes()[e.node.value].first, tree.nodes()[e.node.value].count);
            }
            listed.push_back(e.fragment);
        }
        EXPECT_EQ(planes, tree.nodes().size());
        EXPECT_EQ(listed, visited);
        if (front_first) std::reverse(visited.begin(), visited.end());
        EXPECT_EQ(visited, order);
    }
}

TEST(BspTree, BackToFrontOrderIsValid) {
    Random random(5);
    std::size_t compared = 0;
    for (const MeshData& mesh : {workloads::icosphere(2), workloads::torus(0.35f, 0.15f, 16, 8),
                                 workloads::gear(7), workloads::teapot(2)})
        for (const Config& config : configs()) {
            BspTree tree;
            tree.build(mesh.view(), config.options);
            for (int e = 0; e < 6; ++e) {
                const glm::vec3 eye = (e < 2 ? 0.2f : 2.0f) * random.direction();
                std::vector<std::uint32_t> order;
                std::vector<std::uint32_t> place(tree.fragments().size(), MeshHit::kNone);
                tree.back_to_front(eye, [&](std::uint32_t f) {
                    EXPECT_EQ(place[f], MeshHit::kNone);
                    place[f] = static_cast<std::uint32_t>(order.size());
                    order.push_back(f);
                });
                ASSERT_EQ(order.size(), tree.fragments().size());
                expect_order_traced(tree, eye, order);
                if (!tree.cells().empty()) continue;
                for (std::size_t i = 0; i < scaled(30); ++i) {
                    const Aabb box = bounds_of(mesh);
                    const Ray ray{eye, glm::normalize(random.in_box(box.min, box.max) - eye)};
                    double last = std::numeric_limits<double>::infinity();
                    for (const std::uint32_t f : order) {
                        double t = 0.0;
                        if (!passes_through(tree, mesh, tree.fragments()[f], ray, t)) continue;
                        // Pieces in the same plane have the same distance.
                        ASSERT_LE(t, last + 1e-4) << mesh.name << ", " << config.name;
                        compared += std::isfinite(last) ? 1 : 0;
                        last = std::min(last, t);
                    }
                }
            }
        }
    EXPECT_GT(compared, scaled(30) * 20);
}

TEST(BspTree, PiecesCoverTheTriangles) {
    for (const MeshData& mesh : solids())
        for (const Config& config : configs()) {
            BspTree tree;
            ASSERT_EQ(tree.build(mesh.view(), config.options), MeshBuildStatus::Ok);
            std::vector<double> area(mesh.triangles.size(), 0.0);
            for (const BspFragment& f : tree.fragments()) {
                ASSERT_GE(f.corner_count, 3u);
                const auto c = tree.corners(f);
                for (std::size_t i = 2; i < c.size(); ++i)
                    area[f.triangle] += Triangle{c[0], c[i - 1], c[i]}.area();
            }
            for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
                const double triangle_area = mesh.view().triangle(i).area();
                EXPECT_NEAR(area[i], triangle_area, 1e-3 * triangle_area + 1e-5)
                    << mesh.name << ", " << config.name;
            }
        }
}

TEST(BspTree, CostsAndLimitsTakeEffect) {
    const MeshData mesh = workloads::torus(0.35f, 0.15f, 32, 16);
    const auto build = [&](const BspOptions& options) {
        BspTree tree;
        EXPECT_EQ(tree.build(mesh.view(), options), MeshBuildStatus::Ok);
        return tree;
    };
    const auto depth = [](const BspTree& tree) {
        const TreeSnapshot s = tree.snapshot();
        return *std::max_element(s.depths.begin(), s.depths.end());
    };
    BspOptions fewest, balanced;
    fewest.imbalance_cost = 0.0f;
    balanced.split_cost = 0.0f;
    EXPECT_LE(build(fewest).fragments().size(), build({}).fragments().size());
    EXPECT_LT(build(fewest).fragments().size(), build(balanced).fragments().size());
    EXPECT_LT(depth(build({})), depth(build(fewest)));

    // On a convex mesh each triangle's plane has all others behind it: a chain, unless axis-aligned planes
    // help.
    const MeshData ball = workloads::icosphere(3);
    BspOptions chain;
    chain.planes = BspPlanes::Triangles;
    chain.max_depth = 1u << 20;
    BspTree tree;
    tree.build(ball.view(), chain);
    EXPECT_EQ(tree.fragments().size(), ball.triangles.size());
    EXPECT_GT(depth(tree), 1000u);
    tree.build(ball.view());
    EXPECT_LT(depth(tree), 300u);

    BspOptions shallow;
    shallow.max_depth = 5;
    const BspTree cut = build(shallow);
    EXPECT_LE(depth(cut), 5u);
    EXPECT_FALSE(cut.cells().empty());
    // Each unsplit cell belongs to one node; each fragment belongs to one node or cell.
    std::vector<int> cell_refs(cut.cells().size(), 0), fragment_refs(cut.fragments().size(), 0);
    const auto own = [&](std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t f = first; f < first + count; ++f)
            ++fragment_refs.at(f);
    };
    for (const BspNode& node : cut.nodes()) {
        own(node.first, node.count);
        for (const std::uint32_t child : {node.front, node.back})
            if (child != BspNode::kOutside && child != BspNode::kInside && (child & BspNode::kCell) != 0)
                ++cell_refs.at(child & ~BspNode::kCell);
    }
    for (const BspCell& cell : cut.cells()) {
        own(cell.first, cell.count);
        for (std::uint32_t f = cell.first; f < cell.first + cell.count; ++f)
            for (const glm::vec3& corner : cut.corners(cut.fragments()[f]))
                EXPECT_TRUE(contains_point(cell.box, corner));
    }
    for (const std::vector<int>& counts : {cell_refs, fragment_refs})
        EXPECT_TRUE(std::all_of(counts.begin(), counts.end(), [](int n) { return n == 1; }));
    BspOptions few;
    few.split_cost = 0.0f;
    few.max_fragments_per_triangle = 1.2f;
    EXPECT_GT(static_cast<double>(build(balanced).fragments().size()), 1.4 * 1024);
    // The build stops at the first node beyond the limit, which may cut all of its pieces once.
    EXPECT_LT(static_cast<double>(build(few).fragments().size()), 1.4 * 1024);
}

/// The events of a build against the tree that came of it.
void expect_build_traced(const BspTree& tree, const MeshData& mesh, const Recording& trace) {
    using Verdict = PieceSorted::Verdict;
    std::vector<const SplitEvaluated*> chosen(tree.nodes().size());
    std::map<std::uint32_t, std::uint32_t> waiting;  // triangles of pieces that are still passed down
    std::vector<std::size_t> in_plane(tree.nodes().size()), cut(in_plane), sorted(in_plane),
        weighed(in_plane);
    for (const TraceEvent& event : trace.events()) {
        if (const auto* split = std::get_if<SplitEvaluated>(&event)) {
            ASSERT_LT(split->node.value, chosen.size());
            EXPECT_EQ(chosen[split->node.value], nullptr) << "more planes after the choice";
            ++weighed[split->node.value];
            if (!split->chosen) continue;
            EXPECT_GE(weighed[split->node.value], 2u);
            chosen[split->node.value] = split;
            continue;
        }
        const auto& e = std::get<PieceSorted>(event);
        const BspNode& node = tree.nodes()[e.node.value];
        ++sorted[e.node.value];
        waiting.erase(e.piece);
        if (e.verdict == Verdict::InPlane) {
            const BspFragment& f = tree.fragments()[node.first + in_plane[e.node.value]++];
            EXPECT_EQ(f.triangle, e.triangle);
        } else if (e.verdict == Verdict::Cut) {
            ++cut[e.node.value];
            EXPECT_TRUE(waiting.emplace(e.front, e.triangle).second);
            EXPECT_TRUE(waiting.emplace(e.back, e.triangle).second);
            const Triangle t = mesh.view().triangle(e.triangle);
            const glm::dvec3 normal =
                glm::normalize(glm::cross(glm::dvec3(t.b - t.a), glm::dvec3(t.c - t.a)));
            EXPECT_NE(e.from, e.to);
            for (const glm::vec3& p : {e.from, e.to}) {
                EXPECT_NEAR(glm::dot(node.normal, glm::dvec3(p)) - node.offset, 0.0, 1e-5);
                EXPECT_NEAR(glm::dot(normal, glm::dvec3(p - t.a)), 0.0, 1e-4);
            }
        } else {
            EXPECT_TRUE(waiting.emplace(e.piece, e.triangle).second);
        }
    }
    for (std::size_t n = 0; n < chosen.size(); ++n) {
        ASSERT_NE(chosen[n], nullptr);
        EXPECT_EQ(in_plane[n], tree.nodes()[n].count);
        EXPECT_EQ(cut[n], chosen[n]->cut);
        EXPECT_EQ(sorted[n] + cut[n], in_plane[n] + chosen[n]->left_count + chosen[n]->right_count);
        EXPECT_EQ(chosen[n]->normal, glm::vec3(tree.nodes()[n].normal));
        EXPECT_EQ(chosen[n]->offset, static_cast<float>(tree.nodes()[n].offset));
    }
    std::size_t in_cells = 0;
    for (const BspCell& cell : tree.cells())
        in_cells += cell.count;
    EXPECT_EQ(waiting.size(), in_cells);
}

TEST(BspTree, SnapshotAndTrace) {
    for (const MeshData& mesh : solids())
        for (const Config& config : configs()) {
            BspTree tree, traced;
            tree.build(mesh.view(), config.options);
            Recording build_trace(1u << 22);
            ASSERT_EQ(traced.build(mesh.view(), config.options, build_trace), MeshBuildStatus::Ok);
            ASSERT_EQ(traced.nodes().size(), tree.nodes().size());
            ASSERT_EQ(traced.fragments().size(), tree.fragments().size());
            expect_build_traced(tree, mesh, build_trace);

            const TreeSnapshot s = tree.snapshot();
            EXPECT_EQ(s.payloads.size(), tree.fragments().size());
            EXPECT_EQ(s.payload_boxes.size(), s.payloads.size());
            std::size_t payload_count = 0;
            for (std::uint32_t i = 0; i < s.size(); ++i) {
                EXPECT_EQ(s.is_leaf(i), s.payload_count[i] > 0);
                payload_count += s.payload_count[i];
                for (std::uint32_t p = s.first_payload[i]; p < s.first_payload[i] + s.payload_count[i]; ++p)
                    EXPECT_EQ(merge(s.boxes[i], s.payload_boxes[p]), s.boxes[i]);
                for (std::uint32_t c = 0; c < s.child_count[i]; ++c) {
                    EXPECT_EQ(s.parents[s.first_child[i] + c], i);
                    EXPECT_EQ(s.depths[s.first_child[i] + c], s.depths[i] + 1);
                    EXPECT_EQ(merge(s.boxes[i], s.boxes[s.first_child[i] + c]), s.boxes[i]);
                }
            }
            EXPECT_EQ(payload_count, s.payloads.size());

            for (const Ray& ray : workloads::rays_from_outside(scaled(200), bounds_of(mesh), 6)) {
                Recording trace;
                const MeshRayResult a = tree.raycast(ray);
                const MeshRayResult b = tree.raycast(ray, RayMode::Fast, trace);
                EXPECT_EQ(a.hit, b.hit);
                EXPECT_EQ(a.stats, b.stats);
                EXPECT_GE(trace.events().size(), a.stats.nodes_visited);
            }
        }
}

TEST(BspTreeBadInput, GivesAStatus) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    BspTree tree;
    EXPECT_EQ(tree.build({}), MeshBuildStatus::Empty);
    EXPECT_TRUE(tree.empty() && tree.snapshot().empty());
    EXPECT_EQ(tree.classify({0, 0, 0}), BspSide::Outside);
    EXPECT_FALSE(tree.raycast({{0, 0, 1}, {0, 0, -1}}).hit.has_value());
    tree.back_to_front({0, 0, 0}, [](std::uint32_t) { ADD_FAILURE(); });
    tree.front_to_back({0, 0, 0}, [](std::uint32_t) { ADD_FAILURE(); });

    const std::vector<glm::vec3> points{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2, 0, 0}, {nan, 0, 0}, {0, 1, 0}};
    EXPECT_EQ(tree.build({points, std::vector<glm::uvec3>{{0, 1, 2}, {0, 1, 9}}}),
              MeshBuildStatus::IndexOutOfRange);
    EXPECT_TRUE(tree.empty());
    const std::vector<glm::uvec3> useless{{0, 1, 3}, {2, 2, 2}, {0, 1, 4}};
    EXPECT_EQ(tree.build({points, useless}), MeshBuildStatus::Empty);
    EXPECT_TRUE(tree.empty());
    EXPECT_EQ(tree.skipped_triangles(), 3u);

    std::vector<glm::uvec3> some = useless;
    some.resize(1003, glm::uvec3(0, 1, 2));  // one triangle a thousand times
    some.resize(1100, glm::uvec3(0, 2, 5));  // and a neighbor in the same plane
    ASSERT_EQ(tree.build({points, some}), MeshBuildStatus::Ok);
    EXPECT_EQ(tree.skipped_triangles(), 3u);
    EXPECT_EQ(tree.nodes().size(), 1u);
    EXPECT_EQ(tree.fragments().size(), 1097u);
    const auto hit = tree.raycast({{0.75f, 0.25f, 1.0f}, {0, 0, -1}}).hit;
    ASSERT_TRUE(hit.has_value());
    EXPECT_EQ(hit->triangle, 3u);
    EXPECT_EQ(tree.classify({0.5f, 0.25f, 1.0f}), BspSide::Outside);
    EXPECT_EQ(tree.classify({0.5f, 0.25f, -1.0f}), BspSide::Inside);
    EXPECT_EQ(tree.classify({nan, 0, 0}), BspSide::Outside);

    // A self-intersecting soup at odd scales: stays within the limits, no crash.
    Random random(7);
    for (const float scale : {1e-30f, 1e-6f, 1.0f, 1e6f, 1e18f}) {
        std::vector<glm::vec3> cloud;
        std::vector<glm::uvec3> triangles;
        for (std::uint32_t i = 0; i < 300; ++i) {
            cloud.push_back(scale * random.in_box(glm::vec3(-1.0f), glm::vec3(1.0f)));
            if (i % 3 == 2) triangles.emplace_back(i - 2, i - 1, i);
        }
        ASSERT_EQ(tree.build({cloud, triangles}), MeshBuildStatus::Ok) << scale;
        EXPECT_LE(tree.fragments().size(), 2000u);
        (void)tree.classify(cloud[0]);
        const glm::vec3 middle = (cloud[0] + cloud[1] + cloud[2]) / 3.0f;
        const bool hit_it = tree.raycast({cloud[0] * 2.0f, middle - cloud[0] * 2.0f}).hit.has_value();
        EXPECT_TRUE(hit_it || scale < 1e-11f || scale > 1e11f) << scale;
    }
    BuildProgress progress;
    BspOptions options;
    options.progress = &progress;
    ASSERT_EQ(tree.build(workloads::box().view(), options), MeshBuildStatus::Ok);
    EXPECT_EQ(progress.done(), 1.0f);
    progress.cancel();
    EXPECT_EQ(tree.build(workloads::box().view(), options), MeshBuildStatus::Cancelled);
    EXPECT_TRUE(tree.empty());
}

// Prisms over star-shaped polygons, against a point in a polygon: long fans of triangles in cells that the
// limit of depth leaves undivided.
TEST(BspTree, KnowsTheSideInCellsOfManyPieces) {
    Random random(3);
    std::size_t compared = 0;
    for (int n = 0; n < 60; ++n) {
        const auto corners = static_cast<std::uint32_t>(5 + n % 12);
        std::vector<glm::dvec2> outline;
        MeshData mesh;
        for (std::uint32_t i = 0; i < corners; ++i) {
            const float angle = 6.2831853f * static_cast<float>(i) / static_cast<float>(corners);
            const float radius = random.uniform(1.0f, 3.0f);
            const glm::vec2 at(radius * std::cos(angle), radius * std::sin(angle));
            outline.emplace_back(at);
            mesh.positions.emplace_back(at, 0.0f);
        }
        mesh.positions.emplace_back(0.0f);
        for (std::uint32_t i = 0; i <= corners; ++i)
            mesh.positions.push_back(mesh.positions[i] + glm::vec3(0, 0, 1));
        const std::uint32_t low = corners, up = corners + 1, high = low + up;
        for (std::uint32_t i = 0; i < corners; ++i) {
            const std::uint32_t j = (i + 1) % corners;
            mesh.triangles.insert(mesh.triangles.end(),
                                  {{i, j, i + up}, {j, j + up, i + up}, {low, j, i}, {high, i + up, j + up}});
        }
        for (const std::uint32_t depth : {3u, 5u, 8u, 64u}) {
            BspOptions options;
            options.max_depth = depth;
            BspTree tree;
            ASSERT_EQ(tree.build(mesh.view(), options), MeshBuildStatus::Ok);
            for (int k = 0; k < 100; ++k) {
                const glm::vec3 p = random.in_box(glm::vec3(-3, -3, -0.5f), glm::vec3(3, 3, 1.5f));
                bool inside = false;
                double nearest = std::min(std::abs(static_cast<double>(p.z)), std::abs(p.z - 1.0));
                const glm::dvec2 q(p);
                for (std::uint32_t i = 0; i < corners; ++i) {
                    const glm::dvec2 a = outline[i], b = outline[(i + 1) % corners];
                    if ((a.y > q.y) != (b.y > q.y) && q.x < a.x + (q.y - a.y) / (b.y - a.y) * (b.x - a.x))
                        inside = !inside;
                    const double t = std::clamp(glm::dot(q - a, b - a) / glm::dot(b - a, b - a), 0.0, 1.0);
                    nearest = std::min(nearest, glm::distance(q, a + t * (b - a)));
                }
                if (nearest < 0.01) continue;
                inside = inside && p.z > 0.0f && p.z < 1.0f;
                ASSERT_EQ(tree.classify(p), inside ? BspSide::Inside : BspSide::Outside)
                    << n << ", depth " << depth << ", " << p.x << " " << p.y << " " << p.z;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 20'000u);
}

}  // namespace
}  // namespace bv
