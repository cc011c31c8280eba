// Tests overlap, containment and distance of every pair of shapes against the rule, with each float of each
// shape replaced by each special value.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <type_traits>

#include "bv/query/closest.hpp"
#include "bv/query/contains.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/overlap_kdop.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "bv/query/separation.hpp"
#include "pairs.hpp"
#include "samples.hpp"

namespace bv::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

template <class A, class B>
constexpr bool kOverlaps = requires(const A& a, const B& b) {
    overlap(a, b);
};
template <class A, class B>
constexpr bool kOverlapsTraced = requires(const A& a, const B& b, Recording& r) {
    overlap(a, b, r);
};
template <class A, class B>
constexpr bool kContains = requires(const A& a, const B& b) {
    contains(a, b);
};
// Excludes glm's distance of two points.
template <class A, class B>
constexpr bool kDistance =
    !(std::is_same_v<A, glm::vec3> && std::is_same_v<B, glm::vec3>)&&requires(const A& a, const B& b) {
    distance(a, b);
};
template <class A, class B>
constexpr bool kClosest = requires(const A& a, const B& b) {
    closest_points(a, b);
};
template <class A, class B>
constexpr bool kSeparation = requires(const A& a, const B& b) {
    separation(a, b);
};

bool has_nan(const glm::vec3& p) {
    return std::isnan(p.x) || std::isnan(p.y) || std::isnan(p.z);
}

std::size_t g_decided = 0;
std::map<std::string, int> g_reported;  // By kind of failure.

template <class A, class B>
void report(const char* what, const A& a, const B& b, const std::string& got) {
    // The first of a kind is enough for a diagnosis.
    const std::string kind = std::string(what) + "(" + Shape<A>::kName + ", " + Shape<B>::kName + ")";
    if (g_reported[kind]++ == 0)
        ADD_FAILURE() << kind << ": " << fields_of(a) << " and " << fields_of(b) << ": " << got;
}

template <class A, class B>
void expect(const char* what, const A& a, const B& b, Ruling expected, bool got) {
    if (expected == Ruling::Unsure) return;
    ++g_decided;
    if ((expected == Ruling::Yes) != got) report(what, a, b, got ? "yes, not no" : "no, not yes");
}

template <class A, class B>
void check_overlap(const A& a, const B& b, Ruling rule) {
    if constexpr (kOverlaps<A, B>) {
        const bool got = overlap(a, b);
        expect("overlap", a, b, rule, got);
        if constexpr (kOverlapsTraced<A, B>) {
            Recording trace;
            expect("overlap with a trace", a, b, rule, overlap(a, b, trace));
        }
        if constexpr (kOverlaps<B, A>) expect("overlap swapped", b, a, rule, overlap(b, a));
    }
}

template <class A, class B>
void check_contains(const A& a, const B& b, const RefSolid& ref_a, const RefSolid& ref_b) {
    if constexpr (kContains<A, B>) {
        const bool got = contains(a, b);
        expect("contains", a, b, rule_contains(ref_a, ref_b), got);
        if constexpr (kOverlaps<A, B>) {
            if (got && ref_a.known && ref_b.known && !overlap(a, b))
                report("contains", a, b, "yes, but they do not overlap");
        }
    }
}

template <class A, class B>
void check_distance(const A& a, const B& b, Ruling rule, bool no_points) {
    if constexpr (kDistance<A, B>) {
        const float d = distance(a, b);
        if (no_points && d != kInf) report("distance", a, b, "not infinite for an empty set");
        if (!(d >= 0.0f)) report("distance", a, b, std::to_string(d));
        if (!no_points) expect("distance is 0", a, b, rule, d == 0.0f);
    }
    if constexpr (kClosest<A, B>) {
        const ClosestPoints c = closest_points(a, b);
        if (no_points && c.distance != kInf) report("closest_points", a, b, "not infinite for an empty set");
        if (!(c.distance >= 0.0f)) report("closest_points", a, b, std::to_string(c.distance));
        if (has_nan(c.on_a) || has_nan(c.on_b)) report("closest_points", a, b, "NaN");
        if (!no_points) expect("closest_points at 0", a, b, rule, c.distance == 0.0f);
    }
}

template <class A, class B>
void check_separation(const A& a, const B& b, Ruling rule, bool no_points) {
    if constexpr (kSeparation<A, B>) {
        const Separation s = separation(a, b);
        if (no_points && (s.distance != kInf || s.axis != glm::vec3(0.0f) || s.contact_count != 0))
            report("separation", a, b, "not infinite for an empty set");
        if (std::isnan(s.distance) || has_nan(s.axis) || has_nan(s.on_a) || has_nan(s.on_b))
            report("separation", a, b, "NaN");
        for (std::size_t i = 0; i < static_cast<std::size_t>(s.contact_count); ++i)
            if (has_nan(s.contacts[i].point) || !(s.contacts[i].depth >= 0.0f))
                report("separation", a, b, "NaN in a contact");
        if (!no_points) expect("separation <= 0", a, b, rule, s.distance <= 0.0f);
    }
}

template <class A, class B>
void check_one(const A& a, const B& b) {
    const RefSolid ref_a = Shape<A>::ref(a);
    const RefSolid ref_b = Shape<B>::ref(b);
    const Ruling rule = rule_overlap(ref_a, ref_b);
    const bool no_points = ref_a.no_points || ref_b.no_points;
    check_overlap(a, b, rule);
    check_contains(a, b, ref_a, ref_b);
    check_distance(a, b, rule, no_points);
    check_separation(a, b, rule, no_points);
}

struct Placement {
    glm::vec3 center;
    float size;
};
// Overlapping, inside, separated along one axis, and along all.
constexpr Placement kPlacements[] = {{{0.5f, 0.3f, 0.2f}, 1.0f},
                                     {{0.1f, 0.05f, 0.0f}, 0.1f},
                                     {{8.0f, 0.3f, 0.2f}, 1.0f},
                                     {{6.0f, -7.0f, 8.0f}, 1.5f}};

template <class A, class B>
void check_pair() {
    if constexpr (kOverlaps<A, B> || kContains<A, B> || kDistance<A, B> || kClosest<A, B>) {
        const std::size_t before = g_decided;
        for (const int turned : {0, 1})
            for (const Placement& place : kPlacements) {
                const A a = Shape<A>::at(glm::vec3(0.0f), 1.0f, 0);
                const B b = Shape<B>::at(place.center, place.size, turned);
                with_special_floats(a, [&](const A& changed) { check_one(changed, b); });
                with_special_floats(b, [&](const B& changed) { check_one(a, changed); });
            }
        // Two unbounded shapes, in the same directions and in different ones.
        Floats floats;
        for (const int turned : {0, 1}) {
            A a = Shape<A>::at(glm::vec3(0.0f), 1.0f, 0);
            Floats of_a;
            Shape<A>::floats(a, of_a);
            for (float* f : of_a) {
                const float was = *f;
                for (const float value : {kInf, -kInf}) {
                    *f = value;
                    if (!Shape<A>::ref(a).no_points)
                        with_special_floats(Shape<B>::at({9.0f, 8.0f, 7.0f}, 1.0f, turned),
                                            [&](const B& changed) { check_one(a, changed); });
                }
                *f = was;
            }
        }
        EXPECT_GT(g_decided, before) << Shape<A>::kName << " and " << Shape<B>::kName
                                     << ": the rule never decided";
    }
}

template <class A, class... Bs>
void check_with_all() {
    (check_pair<A, Bs>(), ...);
}

#define BV_ALL_SHAPES \
    glm::vec3, Sphere, Aabb, Obb, Capsule, Segment, RectSweptSphere, Triangle, Hull, Kdop<6>, Kdop<14>

template <class... As>
void check_all() {
    (check_with_all<As, BV_ALL_SHAPES>(), ...);
}

}  // namespace

void check_pairs() {
    g_reported.clear();
    check_all<BV_ALL_SHAPES>();
    for (const auto& [kind, count] : g_reported)
        ADD_FAILURE() << kind << ": " << count << " in all";
    EXPECT_GT(g_decided, 50000u);
}

}  // namespace bv::test
