// Tests rays, sweeps, sides of planes, measures, batches and trees against the same rule, plus regressions.
#include <gtest/gtest.h>

#include <array>
#include <climits>
#include <string>

#include "bv/broadphase/broadphase.hpp"
#include "bv/query/batch.hpp"
#include "bv/query/classify.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/raycast.hpp"
#include "bv/query/sweep.hpp"
#include "bv/shapes/voxel_grid.hpp"
#include "bv/tree/bsp_tree.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/metrics.hpp"
#include "bv/tree/wide_tree.hpp"
#include "samples.hpp"

namespace bv::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();

bool has_nan(const glm::vec3& p) {
    return std::isnan(p.x) || std::isnan(p.y) || std::isnan(p.z);
}

void check_hit(const std::optional<RayHit>& hit, const std::string& what) {
    if (!hit) return;
    EXPECT_GE(hit->t, 0.0f) << what;
    EXPECT_FALSE(has_nan(hit->normal)) << what;
    EXPECT_FALSE(std::isnan(hit->t_enter) || std::isnan(hit->t_exit)) << what;
}

template <class T>
void check_rays() {
    const Ray ray{{-20.0f, 0.1f, 0.05f}, {1.0f, 0.0f, 0.0f}, 100.0f};
    const RefSolid ref_ray = ref_of_rod(ray.origin, ray.origin + 100.0f * ray.direction, 0.0);
    std::size_t decided = 0;
    for (const glm::vec3& center : {glm::vec3(0.0f), glm::vec3(0.0f, 9.0f, 8.0f)}) {
        const T solid = Shape<T>::at(center, 1.0f, 1);
        with_special_floats(solid, [&](const T& changed) {
            const auto hit = raycast(ray, changed);
            check_hit(hit, fields_of(changed));
            const Ruling rule = rule_overlap(Shape<T>::ref(changed), ref_ray);
            if (rule == Ruling::Unsure) return;
            ++decided;
            EXPECT_EQ(hit.has_value(), rule == Ruling::Yes) << fields_of(changed);
        });
        Ray other = ray;
        for (int k = 0; k < 3; ++k)
            for (float* f : {&other.origin[k], &other.direction[k]}) {
                const float before = *f;
                for (const float value : special_floats()) {
                    *f = value;
                    const auto hit = raycast(other, solid);
                    check_hit(hit, std::string(Shape<T>::kName) + " and a ray with " + std::to_string(value));
                    if (!std::isfinite(value)) {
                        EXPECT_FALSE(hit.has_value()) << Shape<T>::kName;
                    }
                }
                *f = before;
            }
        other.t_max = kNan;
        EXPECT_FALSE(raycast(other, solid).has_value()) << Shape<T>::kName;
        other.t_max = -kInf;
        EXPECT_FALSE(raycast(other, solid).has_value()) << Shape<T>::kName;
        for (const float t_min : {kNan, kInf}) {
            other = ray;
            other.t_min = t_min;
            EXPECT_FALSE(raycast(other, solid).has_value()) << Shape<T>::kName;
        }
    }
    EXPECT_GT(decided, 10u) << Shape<T>::kName;
}

template <class A, class B>
void check_sweeps() {
    const glm::vec3 velocity(1.0f, 0.25f, -0.5f);
    const auto check = [](const A& a, const glm::vec3& v, const B& b) {
        const auto hit = sweep(a, v, b, 50.0f);
        const std::string what = fields_of(a) + fields_of(b);
        const RefSolid ref_a = Shape<A>::ref(a);
        const RefSolid ref_b = Shape<B>::ref(b);
        if (hit) {
            EXPECT_GE(hit->t_enter, 0.0f) << what;
            EXPECT_FALSE(std::isnan(hit->t_leave) || has_nan(hit->normal)) << what;
        }
        if (ref_a.no_points || ref_b.no_points) {
            EXPECT_FALSE(hit.has_value()) << what;
        }
        if (bv::is_finite(v) && rule_overlap(ref_a, ref_b) == Ruling::Yes) {
            EXPECT_TRUE(hit.has_value() && hit->t_enter == 0.0f) << what;
        }
    };
    for (const glm::vec3& at :
         {glm::vec3(0.4f, 0.2f, 0.1f), glm::vec3(8.0f, 2.0f, -4.0f), glm::vec3(0.0f, 9.0f, 9.0f)}) {
        const A a = Shape<A>::at(glm::vec3(0.0f), 1.0f, 0);
        const B b = Shape<B>::at(at, 1.0f, 1);
        with_special_floats(a, [&](const A& changed) { check(changed, velocity, b); });
        with_special_floats(b, [&](const B& changed) { check(a, velocity, changed); });
        with_special_floats(velocity, [&](const glm::vec3& changed) {
            check(a, changed, b);
            if (!bv::is_finite(changed)) {
                EXPECT_FALSE(sweep(a, changed, b).has_value());
            }
        });
        EXPECT_FALSE(sweep(a, velocity, b, kNan).has_value());
    }
}

template <class T>
void check_sides() {
    const Plane plane{glm::vec3(0.6f, 0.8f, 0.0f), 0.5f};
    RefSolid behind;
    SimpleSet slab;
    slab.kind = SimpleSet::Kind::Slab;
    slab.axes[0] = glm::dvec3(plane.normal);
    slab.lo.x = -kEndless;
    slab.hi.x = plane.offset;
    behind.sets.push_back(slab);
    for (const glm::vec3& at :
         {glm::vec3(0.4f, 0.2f, 0.1f), glm::vec3(8.0f, 2.0f, -4.0f), glm::vec3(-9.0f)}) {
        const T solid = Shape<T>::at(at, 1.0f, 1);
        with_special_floats(solid, [&](const T& changed) {
            const PlaneProjection p = project(changed, plane);
            EXPECT_FALSE(std::isnan(p.distance) || std::isnan(p.radius)) << fields_of(changed);
            const RefSolid ref = Shape<T>::ref(changed);
            if (ref.no_points) {
                EXPECT_EQ(p.side, Side::Intersecting) << fields_of(changed);
            }
            if (ref.no_points || !ref.known) return;
            const Ruling rule = rule_overlap(ref, behind);
            if (rule == Ruling::No) {
                EXPECT_EQ(p.side, Side::Front) << fields_of(changed);
            }
            if (rule == Ruling::Yes) {
                EXPECT_NE(p.side, Side::Front) << fields_of(changed);
            }
        });
        for (const Plane& bad : {Plane{{kNan, 0, 0}, 0}, Plane{{0, 1, 0}, kNan}})
            EXPECT_EQ(classify(solid, bad), Side::Intersecting);
    }
}

template <class T>
void check_measures() {
    with_special_floats(Shape<T>::at(glm::vec3(1, 2, 3), 1.0f, 1), [](const T& changed) {
        EXPECT_GE(changed.volume(), 0.0f) << fields_of(changed);
        EXPECT_GE(changed.surface_area(), 0.0f) << fields_of(changed);
    });
}

/// True for boxes that a tree accepts: no NaN, no infinity, not inside out.
bool is_accepted(const Aabb& b) {
    for (int k = 0; k < 3; ++k)
        if (!std::isfinite(b.min[k]) || !std::isfinite(b.max[k]) || !(b.min[k] <= b.max[k])) return false;
    return true;
}

template <class Tree, class Moved>
void check_tree(Tree& tree, const Moved& moved) {
    const Aabb usual{glm::vec3(-1.0f), glm::vec3(1.0f)};
    const ProxyId first = tree.insert(usual, 1).id;
    with_special_floats(usual, [&](const Aabb& box) {
        const InsertResult added = tree.insert(box, ULLONG_MAX);
        EXPECT_EQ(added.status, is_accepted(box) ? TreeStatus::Ok : TreeStatus::NotFinite) << fields_of(box);
        EXPECT_EQ(moved(first, box), is_accepted(box) ? TreeStatus::Ok : TreeStatus::NotFinite)
            << fields_of(box);
    });
    EXPECT_EQ(tree.remove(ProxyId{0xffffffffu, 0}), TreeStatus::StaleId);
    EXPECT_EQ(tree.remove(ProxyId{INT_MAX, UINT_MAX}), TreeStatus::StaleId);
    tree.update();
    const auto broken = tree.validate();
    EXPECT_FALSE(broken.has_value()) << *broken;
    for (const Ray& ray :
         {Ray{{kNan, 0, 0}, {1, 0, 0}}, Ray{{0, 0, 0}, {kInf, 0, 0}}, Ray{{0, 0, 0}, {1, 0, 0}, kNan},
          Ray{{0, 0, 0}, {1, 0, 0}, kInf, kNan}, Ray{{0, 0, 0}, {1, 0, 0}, kInf, kInf}}) {
        const QueryStats stats = tree.raycast(ray, [](ProxyId, std::uint64_t, float) { return kInf; });
        EXPECT_EQ(stats.hits, 0u);
    }
}

template <class Tree>
void check_box_queries(const Tree& tree, std::span<const Aabb> boxes) {
    with_special_floats(Aabb{{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}}, [&](const Aabb& box) {
        const RefSolid ref = Shape<Aabb>::ref(box);
        std::uint32_t expected = 0;
        for (const Aabb& b : boxes) {
            bool hits_box = !ref.no_points;
            for (int k = 0; k < 3; ++k)
                hits_box = hits_box && box.min[k] <= b.max[k] && b.min[k] <= box.max[k];
            expected += hits_box ? 1 : 0;
        }
        EXPECT_EQ(tree.query(box, [](ProxyId, std::uint64_t) {}).hits, expected) << fields_of(box);
    });
    EXPECT_EQ(tree.query(Aabb{{5, 5, 5}, {-5, -5, -5}}, [](ProxyId, std::uint64_t) {}).hits, 0u);
}

}  // namespace

TEST(NotFinite, Rays) {
    check_rays<Sphere>();
    check_rays<Aabb>();
    check_rays<Obb>();
    check_rays<Capsule>();
    check_rays<Hull>();
    EXPECT_FALSE(
        raycast(Ray{{0, 0, 5}, {0, 0, -1}}, Triangle{{kNan, 0, 0}, {1, 0, 0}, {0, 1, 0}}).has_value());
    EXPECT_FALSE(raycast(Ray{{0, 0, 5}, {0, 0, 0}}, Sphere{{kNan, 0, 0}, 1.0f}).has_value());
}

TEST(NotFinite, Sweeps) {
    check_sweeps<Aabb, Aabb>();
    check_sweeps<Sphere, Sphere>();
    check_sweeps<Sphere, Aabb>();
    check_sweeps<Sphere, Obb>();
    check_sweeps<Obb, Obb>();
    check_sweeps<Aabb, Obb>();
    check_sweeps<Obb, Aabb>();
    check_sweeps<Aabb, Sphere>();
    // An infinite floor on which a ball lands far out; and a half space that it enters from the side.
    const Obb floor{{0, 0, 0}, {kInf, kInf, 1.0f}, glm::mat3(1.0f)};
    const auto hit = sweep(Sphere{{0, 0, 102}, 1.0f}, {1e6f, 0, -1.0f}, floor);
    ASSERT_TRUE(hit.has_value());
    EXPECT_FLOAT_EQ(hit->t_enter, 100.0f);
    const Aabb half{{3.0f, -kInf, -kInf}, {kInf, kInf, kInf}};
    const auto entered = sweep(Sphere{{0, 0, 0}, 1.0f}, {1, 0, 0}, half);
    ASSERT_TRUE(entered.has_value());
    EXPECT_FLOAT_EQ(entered->t_enter, 2.0f);
    EXPECT_EQ(entered->t_leave, kInf);
}

TEST(NotFinite, SidesOfPlanes) {
    check_sides<Sphere>();
    check_sides<Aabb>();
    check_sides<Obb>();
    check_sides<Capsule>();
    check_sides<RectSweptSphere>();
    const Frustum frustum = frustum_of(glm::mat4(kNan));
    EXPECT_EQ(classify(Sphere{{0, 0, 0}, 1.0f}, frustum), Side::Intersecting);
    for (int first = 0; first < 256; ++first) {
        FrustumHint hint;
        hint.first = static_cast<std::uint8_t>(first);
        FrustumHint usual;
        const Frustum view = frustum_of(glm::mat4(1.0f));
        EXPECT_EQ(classify(Sphere{{9, 0, 0}, 1.0f}, view, hint),
                  classify(Sphere{{9, 0, 0}, 1.0f}, view, usual));
    }
}

TEST(NotFinite, Measures) {
    check_measures<Sphere>();
    check_measures<Aabb>();
    check_measures<Obb>();
    check_measures<Capsule>();
    check_measures<RectSweptSphere>();
    EXPECT_EQ((RectSweptSphere{{0, 0, 0}, {kInf, 0.0f}, 1.0f, glm::mat3(1.0f)}).volume(), kInf);
    EXPECT_EQ((RectSweptSphere{{0, 0, 0}, {kInf, 1.0f}, 0.0f, glm::mat3(1.0f)}).volume(), 0.0f);
}

TEST(NotFinite, BatchesAgreeWithSingleQueries) {
    std::vector<Obb> a;
    std::vector<Obb> b;
    for (const glm::vec3& at : {glm::vec3(0.5f, 0.3f, 0.2f), glm::vec3(8.0f, 0.3f, 0.2f)})
        with_special_floats(Shape<Obb>::at(at, 1.0f, 1), [&](const Obb& changed) {
            a.push_back(Shape<Obb>::at(glm::vec3(0.0f), 1.0f, static_cast<int>(a.size() % 2)));
            b.push_back(changed);
        });
    for (const Simd simd : {Simd::Scalar, best_simd()}) {
        std::vector<std::uint8_t> out(b.size());
        overlap_pairs(a, b, out, simd);
        for (std::size_t i = 0; i < b.size(); ++i)
            EXPECT_EQ(out[i] != 0, overlap(a[i], b[i])) << fields_of(b[i]);
        overlap_many(b[0], b, out, simd);
        for (std::size_t i = 0; i < b.size(); ++i)
            EXPECT_EQ(out[i] != 0, overlap(b[0], b[i])) << fields_of(b[i]);
    }
    std::vector<Aabb> boxes;
    with_special_floats(Aabb{{-1, -1, -1}, {1, 1, 1}}, [&](const Aabb& box) { boxes.push_back(box); });
    const Ray rays[] = {
        {{-5, 0.1f, 0.2f}, {1, 0, 0}}, {{-5, 0.1f, 0.2f}, {1, 0.01f, -0.02f}}, {{kNan, 0, 0}, {1, 0, 0}}};
    for (const Simd simd : {Simd::Scalar, best_simd()}) {
        RaySlabs8 eight;
        for (int i = 0; i < 3; ++i)
            eight.set(i, rays[i]);
        std::vector<Hits8> by_box(boxes.size());
        raycast_boxes(eight, boxes, by_box, simd);
        for (int r = 0; r < 3; ++r)
            for (std::size_t i = 0; i < boxes.size(); ++i) {
                const bool expected = raycast(rays[r], boxes[i]).has_value();
                EXPECT_EQ(((by_box[i].mask >> r) & 1u) != 0, expected) << r << fields_of(boxes[i]);
                Aabb8 group;
                group.set(3, boxes[i]);
                Hits8 found;
                raycast_boxes(RaySlabs(rays[r]), kInf, {&group, 1}, {&found, 1}, simd);
                EXPECT_EQ(found.mask, expected ? 8u : 0u) << r << fields_of(boxes[i]);
                float t = 0.0f;
                EXPECT_EQ(RaySlabs(rays[r]).hit(boxes[i], kInf, t), expected) << r << fields_of(boxes[i]);
            }
    }
}

TEST(NotFinite, Trees) {
    for (const float value : special_floats())
        for (float TreeOptions::*option :
             {&TreeOptions::margin_m, &TreeOptions::margin_relative, &TreeOptions::velocity_steps})
            for (const Margin margin : {Margin::Fixed, Margin::Relative, Margin::AlongVelocity}) {
                TreeOptions options;
                options.margin = margin;
                options.*option = value;
                DynamicTree tree(options);
                check_tree(tree, [&](ProxyId id, const Aabb& box) {
                    return tree.move(id, box, {1, 0, 0}).status;
                });
            }
    for (const float value : special_floats()) {
        WideTree tree(WideTreeOptions{value, best_simd()});
        check_tree(tree, [&](ProxyId id, const Aabb& box) { return tree.move(id, box).status; });
    }
    std::vector<Aabb> boxes;
    std::vector<std::uint64_t> data;
    for (int i = 0; i < 40; ++i) {
        const glm::vec3 at(static_cast<float>(i % 7) - 3.0f, static_cast<float>(i % 5) - 2.0f,
                           static_cast<float>(i % 3) - 1.0f);
        boxes.push_back({at - (i == 0 ? 20.0f : 0.4f), at + (i == 0 ? 20.0f : 0.4f)});
        data.push_back(static_cast<std::uint64_t>(i));
    }
    DynamicTree binary;
    ASSERT_EQ(binary.insert_all(boxes, data), TreeStatus::Ok);
    check_box_queries(binary, boxes);
    EXPECT_EQ(binary.closest({kNan, 0, 0}, kInf, [](ProxyId, std::uint64_t, float) { return kInf; }).hits,
              0u);
    EXPECT_EQ(binary.closest({0, 0, 0}, kNan, [](ProxyId, std::uint64_t, float) { return kInf; }).hits, 0u);
    EXPECT_EQ(binary.query_frustum(std::array{Plane{{kNan, 0, 0}, 0}}, [](ProxyId, std::uint64_t) {}).hits,
              0u);
    for (const Simd simd : {Simd::Scalar, best_simd()}) {
        WideTree wide(WideTreeOptions{1.3f, simd});
        ASSERT_EQ(wide.insert_all(boxes, data), TreeStatus::Ok);
        check_box_queries(wide, boxes);
    }
}

TEST(NotFinite, Broadphases) {
    for (const BroadphaseInfo& info : broadphase_kinds()) {
        const auto engine = make_broadphase(info.kind);
        std::vector<ProxyPair> pairs;
        engine->find_pairs(pairs);
        for (const auto& cell : engine->layout().cells)
            EXPECT_TRUE(cell.box.is_finite()) << info.id;
        check_tree(*engine, [&](ProxyId id, const Aabb& box) { return engine->move(id, box).status; });
        engine->find_pairs(pairs);
        for (const auto& cell : engine->layout().cells)
            EXPECT_TRUE(is_accepted(cell.box)) << info.id;
    }
}

TEST(NotFinite, OptionsAndIndices) {
    const glm::vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const glm::uvec3 faces[] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    for (const float value : special_floats())
        for (float BspOptions::*option : {&BspOptions::split_cost, &BspOptions::imbalance_cost,
                                          &BspOptions::max_fragments_per_triangle, &BspOptions::tolerance}) {
            BspOptions options;
            options.*option = value;
            BspTree tree;
            ASSERT_EQ(tree.build({corners, faces}, options), MeshBuildStatus::Ok);
            EXPECT_TRUE(std::isfinite(tree.tolerance()));
            EXPECT_EQ(tree.classify({9, 9, 9}), BspSide::Outside);
        }
    const auto grid = VoxelGrid::make({2, 2, 2}, {0, 0, 0}, 1.0f);
    ASSERT_TRUE(grid.has_value());
    EXPECT_EQ(grid->voxel_box({INT_MAX, 0, INT_MIN}).max, glm::vec3(2147483648.0f, 1.0f, -2147483648.0f));
    EXPECT_FALSE(grid->filled({INT_MAX, INT_MIN, 0}));
}

}  // namespace bv::test
