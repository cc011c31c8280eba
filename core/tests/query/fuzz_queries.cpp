// Runs every pair query, ray cast, sweep, classification and tree on random bit patterns as floats until the
// time is up.
//
//   fuzz_queries [SECONDS] [SEED]      2 seconds and seed 1 without arguments
//
// Each round has its own seed, which is printed with a finding: `fuzz_queries 0 SEED` runs only that one. The
// oracle is the rule of bv/shapes/not_finite.hpp, as implemented independently in not_finite/rule.hpp. Meant
// for long runs under the address and undefined-behavior sanitizers.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "bv/broadphase/broadphase.hpp"
#include "bv/query/closest.hpp"
#include "bv/query/contains.hpp"
#include "bv/query/overlap_kdop.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "bv/query/raycast.hpp"
#include "bv/query/separation.hpp"
#include "bv/query/sweep.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/wide_tree.hpp"
#include "not_finite/samples.hpp"
#include "shape_test_util.hpp"

namespace bv::test {
namespace {

std::uint64_t g_seed = 0;

void expect(bool condition, const std::string& what) {
    if (condition) return;
    std::fprintf(stderr, "fuzz_queries: seed %llu: %s\n", static_cast<unsigned long long>(g_seed),
                 what.c_str());
    std::exit(1);
}

float any_float(Random& random) {
    if (random.below(3) == 0)
        return special_floats()[random.below(static_cast<std::uint32_t>(special_floats().size()))];
    const auto bits = random.next_u32();
    float f = 0.0f;
    std::memcpy(&f, &bits, sizeof(f));
    return f;
}

/// A shape with none, some or all of its floats from raw bits.
template <class T>
T any_shape(Random& random) {
    T shape = Shape<T>::at(random.in_cube(2.0f), random.range(0.1f, 2.0f), static_cast<int>(random.below(2)));
    Floats floats;
    Shape<T>::floats(shape, floats);
    const std::uint32_t share = random.below(4);
    for (float* f : floats)
        if (share == 3 || random.below(12) < share) *f = any_float(random);
    return shape;
}

template <class A, class B>
void try_pair(Random& random) {
    const A a = any_shape<A>(random);
    const B b = any_shape<B>(random);
    const bool no_points = Shape<A>::ref(a).no_points || Shape<B>::ref(b).no_points;
    const std::string what = fields_of(a) + fields_of(b);
    if constexpr (requires { overlap(a, b); }) {
        const bool overlapping = overlap(a, b);
        expect(!(no_points && overlapping), "overlaps an empty set: " + what);
        if constexpr (requires { contains(a, b); })
            expect(!(no_points && contains(a, b)), "contains an empty set: " + what);
    }
    if constexpr (requires { closest_points(a, b); }) {
        const ClosestPoints c = closest_points(a, b);
        expect(c.distance >= 0.0f, "closest_points: " + what);
        expect(!no_points || c.distance == std::numeric_limits<float>::infinity(),
               "finite distance to an empty set: " + what);
    }
    if constexpr (requires { separation(a, b); }) {
        const float d = separation(a, b).distance;
        expect(!no_points || d == std::numeric_limits<float>::infinity(),
               "finite separation from an empty set: " + what);
    }
    const glm::vec3 v = any_shape<glm::vec3>(random);
    const float duration = random.below(2) == 0 ? 10.0f : any_float(random);
    if constexpr (requires { sweep(a, v, b, duration); })
        expect(!((no_points || !bv::is_finite(v)) && sweep(a, v, b, duration)), "hits an empty set: " + what);
}

template <class A>
void try_shape(Random& random) {
    const A a = any_shape<A>(random);
    const bool no_points = Shape<A>::ref(a).no_points;
    const Ray ray{any_shape<glm::vec3>(random), any_shape<glm::vec3>(random), any_float(random)};
    const bool no_ray = !bv::is_finite(ray.origin) || !bv::is_finite(ray.direction) || !(ray.t_max >= 0.0f);
    if constexpr (requires { raycast(ray, a); })
        expect(!((no_points || no_ray) && raycast(ray, a)), "a ray hits an empty set: " + fields_of(a));
    const glm::vec3 p = any_shape<glm::vec3>(random);
    if constexpr (requires { contains_point(a, p); })
        expect(!((no_points || !bv::is_finite(p)) && contains_point(a, p)),
               "a point in an empty set: " + fields_of(a));
    glm::mat4x3 m(1.0f);
    for (int c = 0; c < 4; ++c)
        if (random.below(2) == 0) m[c] = any_shape<glm::vec3>(random);
    if constexpr (requires { transformed(a, m); }) static_cast<void>(transformed(a, m));
    if constexpr (requires { a.volume(); }) static_cast<void>(a.volume());
    const Plane plane{any_shape<glm::vec3>(random), any_float(random)};
    if constexpr (requires { project(a, plane); })
        expect(!(no_points && project(a, plane).side != Side::Intersecting),
               "a side of an empty set: " + fields_of(a));
}

template <class A, class... Bs>
void try_pairs_of(Random& random) {
    try_shape<A>(random);
    (try_pair<A, Bs>(random), ...);
}
template <class... As>
void try_all(Random& random) {
    (try_pairs_of<As, As...>(random), ...);
}

template <class Tree, class Move>
void try_tree(Random& random, Tree& tree, const Move& move) {
    std::vector<ProxyId> ids;
    for (int i = 0; i < 60; ++i) {
        const Aabb box = any_shape<Aabb>(random);
        const glm::vec3 ahead = any_shape<glm::vec3>(random);
        const std::uint32_t what = random.below(6);
        if (what < 3 || ids.empty()) {
            const InsertResult added = tree.insert(box, random.next_u32());
            expect((added.status == TreeStatus::Ok) == box.is_finite(), "insertion of " + fields_of(box));
            if (added) ids.push_back(added.id);
        } else if (what < 5) {
            move(random.one_of(ids), box, ahead);
        } else {
            tree.remove(ids.back());
            ids.pop_back();
        }
    }
    tree.update();
    const auto broken = tree.validate();
    expect(!broken, broken.value_or(""));
    const Ray ray{any_shape<glm::vec3>(random), any_shape<glm::vec3>(random), any_float(random)};
    static_cast<void>(tree.raycast(ray, [](ProxyId, std::uint64_t, float t) { return t; }));
}

void try_trees(Random& random) {
    TreeOptions options;
    options.margin = static_cast<Margin>(random.below(4));
    options.upkeep = static_cast<Upkeep>(random.below(5));
    options.balancing = static_cast<Balancing>(random.below(3));
    options.insertion = static_cast<Insertion>(random.below(3));
    options.builder = static_cast<Builder>(random.below(5));
    options.margin_m = any_float(random);
    options.margin_relative = any_float(random);
    options.velocity_steps = any_float(random);
    DynamicTree tree(options);
    try_tree(random, tree,
             [&](ProxyId id, const Aabb& box, const glm::vec3& ahead) { tree.move(id, box, ahead); });
    const Aabb box = any_shape<Aabb>(random);
    static_cast<void>(tree.query(box, [](ProxyId, std::uint64_t) {}));
    static_cast<void>(
        tree.cast_box(box, any_shape<glm::vec3>(random), [](ProxyId, std::uint64_t, float t) { return t; }));
    static_cast<void>(tree.closest(any_shape<glm::vec3>(random), any_float(random),
                                   [](ProxyId, std::uint64_t, float d) { return d; }));
    WideTree wide(WideTreeOptions{any_float(random), best_simd()});
    try_tree(random, wide, [&](ProxyId id, const Aabb& to, const glm::vec3&) { wide.move(id, to); });
    const auto kind =
        broadphase_kinds()[random.below(static_cast<std::uint32_t>(broadphase_kinds().size()))].kind;
    const auto engine = make_broadphase(kind, options);
    try_tree(random, *engine,
             [&](ProxyId id, const Aabb& to, const glm::vec3& ahead) { engine->move(id, to, ahead); });
    std::vector<ProxyPair> pairs;
    engine->find_pairs(pairs);
    for (const auto& cell : engine->layout().cells)
        expect(cell.box.is_finite(), "a cell that is not finite");
}

}  // namespace
}  // namespace bv::test

int main(int argc, char** argv) {
    using namespace bv;
    const double seconds = argc > 1 ? std::atof(argv[1]) : 2.0;
    test::g_seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    const auto start = std::chrono::steady_clock::now();
    std::uint64_t rounds = 0;
    for (;; ++test::g_seed, ++rounds) {
        test::Random random(test::g_seed * 0x9e3779b97f4a7c15u);
        test::try_all<glm::vec3, Sphere, Aabb, Obb, Capsule, Segment, RectSweptSphere, Triangle, Hull,
                      Kdop<6>, Kdop<18>>(random);
        test::try_trees(random);
        if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() >= seconds) break;
    }
    std::printf("fuzz_queries: %llu rounds without a finding\n", static_cast<unsigned long long>(rounds + 1));
    return 0;
}
