// Overlap, containment, distance and separation of two shapes in the table. pairs.cpp tests their meaning
// against the model of the rule.
#include "bv/query/contains.hpp"
#include "bv/query/convex.hpp"
#include "bv/query/obb_sat.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/overlap_kdop.hpp"
#include "bv/query/overlap_polygon.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "bv/query/separation.hpp"
#include "table.hpp"

namespace bv::test {
namespace {

using glm::vec2;
using glm::vec3;

template <class A, class B>
Row overlap_row(std::vector<std::string> functions) {
    return empty_stays_empty(std::move(functions), [](const A& a, const B& b) {
        const bool overlapping = overlap(a, b);
        require(overlap(b, a) == overlapping, "not symmetric");
        // Others have no traced form of their own, and GJK's may differ where they touch.
        constexpr bool kIsTraced =
            std::is_same_v<A, B>
                ? !std::is_same_v<A, Sphere> && !std::is_same_v<A, Triangle> && !std::is_same_v<A, vec3>
                : std::is_same_v<B, Triangle> || std::is_same_v<B, Obb>;
        if constexpr (kIsTraced && requires(Recording & r) { overlap(a, b, r); } &&
                      !std::is_same_v<A, Sphere>) {
            Recording trace;
            require(overlap(a, b, trace) == overlapping, "a different result with a trace");
        }
        return overlapping;
    });
}

std::vector<Row> overlap_rows() {
    std::vector<Row> rows;
    rows.push_back(overlap_row<vec3, vec3>({"overlap(vec3, vec3)"}));
    rows.push_back(overlap_row<Aabb, vec3>({"overlap(Aabb, vec3)", "overlap(vec3, Aabb)"}));
    rows.push_back(overlap_row<Sphere, vec3>({"overlap(Sphere, vec3)", "overlap(vec3, Sphere)"}));
    rows.push_back(overlap_row<Obb, vec3>({"overlap(Obb, vec3)", "overlap(vec3, Obb)"}));
    rows.push_back(overlap_row<Aabb, Aabb>({"overlap(Aabb, Aabb)", "overlap(Aabb, Aabb, Recording)"}));
    rows.push_back(overlap_row<Sphere, Sphere>({"overlap(Sphere, Sphere)"}));
    rows.push_back(overlap_row<Aabb, Sphere>({"overlap(Aabb, Sphere)", "overlap(Sphere, Aabb)"}));
    rows.push_back(overlap_row<Obb, Sphere>({"overlap(Obb, Sphere)", "overlap(Sphere, Obb)"}));
    rows.push_back(overlap_row<Obb, Obb>({"overlap(Obb, Obb)", "overlap(Obb, Obb, Recording)"}));
    rows.push_back(overlap_row<Aabb, Obb>({"overlap(Aabb, Obb)", "overlap(Aabb, Obb, Recording)",
                                           "overlap(Obb, Aabb)", "overlap(Obb, Aabb, Recording)"}));
    rows.push_back(overlap_row<Triangle, Triangle>(
        {"overlap(Triangle, Triangle)", "overlap(Triangle, Triangle, Recording)"}));
    rows.push_back(overlap_row<Sphere, Triangle>({"overlap(Sphere, Triangle)", "overlap(Triangle, Sphere)"}));
    rows.push_back(overlap_row<Aabb, Triangle>(
        {"overlap(Aabb, Triangle)", "overlap(Triangle, Aabb)", "overlap(Aabb, Triangle, Recording)"}));
    rows.push_back(overlap_row<Obb, Triangle>(
        {"overlap(Obb, Triangle)", "overlap(Triangle, Obb)", "overlap(Obb, Triangle, Recording)"}));
    rows.push_back(overlap_row<Obb2, Obb2>({"overlap(Obb2, Obb2)", "overlap(Obb2, Obb2, Recording)"}));
    rows.push_back(overlap_row<Obb2, vec2>({"overlap(Obb2, vec2)", "overlap(vec2, Obb2)"}));
    using Corners = std::vector<vec2>;
    rows.push_back(
        no_nan({"ConvexPolygon::is_empty()", "overlap(ConvexPolygon, ConvexPolygon)",
                "overlap(ConvexPolygon, ConvexPolygon, Recording)"},
               [](const Corners& a, const Corners& b) {
                   const ConvexPolygon pa{a}, pb{b};
                   const bool finite = is_finite_argument(a) && is_finite_argument(b);
                   require((pa.is_empty() || pb.is_empty()) == !finite, "empty iff not finite");
                   const bool overlapping = overlap(pa, pb);
                   require(finite || !overlapping, "an empty polygon overlaps");
                   require(overlap(pb, pa) == overlapping, "not symmetric");
                   Recording trace;
                   require(overlap(pa, pb, trace) == overlapping, "a different result with a trace");
                   for (const TraceEvent& event : trace.events()) {
                       const auto& e = std::get<AxisTested>(event);
                       require(!std::isnan(e.gap) && !std::isnan(e.axis.x + e.axis.y), "an event with NaN");
                   }
                   return overlapping;
               }));
    // Preconditions: neither is empty.
    rows.push_back(no_nan({"overlap_nonempty(Aabb, Aabb)"}, [](const Aabb& a, const Aabb& b) {
        if (!a.is_empty() && !b.is_empty())
            require(overlap_nonempty(a, b) == overlap(a, b), "a different result than overlap's");
    }));
    rows.push_back(no_nan({"overlap_nonempty(Obb, Obb)"}, [](const Obb& a, const Obb& b) {
        if (!a.is_empty() && !b.is_empty())
            require(overlap_nonempty(a, b) == overlap(a, b), "a different result than overlap's");
    }));
    rows.push_back(
        empty_stays_empty({"overlap(ObbPair)"}, [](const ObbPair& pair) { return overlap(pair); }));
    rows.push_back(formula({"make_obb_pair(Obb, Obb)"}, [](const Obb& a, const Obb& b) {
        if (!is_finite_argument(a) || !is_finite_argument(b) ||
            glm::length(glm::dvec3(a.center - b.center)) > 1e30 || !Shape<Obb>::ref(a).known ||
            !Shape<Obb>::ref(b).known)
            return ObbPair{};  // A difference beyond the largest float.
        return make_obb_pair(a, b);
    }));
    rows.push_back(empty_stays_empty({"overlap_box(Aabb, Aabb)"},
                                     [](const Aabb& a, const Aabb& b) { return overlap_box(a, b); }));
    rows.push_back(
        empty_stays_empty({"intersection(Triangle, Triangle)"},
                          [](const Triangle& a, const Triangle& b) { return intersection(a, b); }));
    return rows;
}

template <int K>
std::vector<Row> kdop_rows() {
    const auto with = [](auto shape) {
        using T = decltype(shape);
        return empty_stays_empty(
            {"overlap(Kdop<K>, ConvexRef)", "overlap(ConvexRef, Kdop<K>)", "contains(Kdop<K>, ConvexRef)"},
            [](const Kdop<K>& d, const T& x) {
                const bool overlapping = overlap(d, ConvexRef(x));
                require(overlap(ConvexRef(x), d) == overlapping, "not symmetric");
                require(!contains(d, ConvexRef(x)) || overlapping, "contains without overlap");
                return overlapping;
            });
    };
    return {overlap_row<Kdop<K>, Kdop<K>>({"overlap(Kdop<K>, Kdop<K>)"}),
            empty_stays_empty({"overlap(Kdop<K>, vec3)", "overlap(vec3, Kdop<K>)", "contains(Kdop<K>, vec3)"},
                              [](const Kdop<K>& d, const vec3& p) {
                                  require(overlap(d, p) == contains(d, p) && overlap(p, d) == overlap(d, p),
                                          "two answers");
                                  return overlap(d, p);
                              }),
            empty_stays_empty({"contains(Kdop<K>, Kdop<K>)"},
                              [](const Kdop<K>& a, const Kdop<K>& b) { return contains(a, b); }),
            with(Sphere{}),
            with(Aabb{}),
            with(Obb{}),
            with(Capsule{}),
            with(Triangle{}),
            with(RectSweptSphere{}),
            with(Segment{}),
            with(Hull{})};
}

template <class A, class B>
Row contains_row(std::string function) {
    return empty_stays_empty({std::move(function)}, [](const A& a, const B& b) {
        const bool holds = contains(a, b);
        if constexpr (requires { overlap(a, b); })
            require(!holds || overlap(a, b), "contains without overlap");
        return holds;
    });
}
template <class A>
std::vector<Row> contains_convex(const std::string& function) {
    return {contains_row<A, Capsule>(function), contains_row<A, Hull>(function),
            contains_row<A, RectSweptSphere>(function), contains_row<A, Segment>(function)};
}

std::vector<Row> contains_rows() {
    std::vector<Row> rows = {contains_row<Aabb, vec3>("contains(Aabb, vec3)"),
                             contains_row<Sphere, vec3>("contains(Sphere, vec3)"),
                             contains_row<Obb, vec3>("contains(Obb, vec3)"),
                             contains_row<Aabb, Aabb>("contains(Aabb, Aabb)"),
                             contains_row<Aabb, Sphere>("contains(Aabb, Sphere)"),
                             contains_row<Aabb, Obb>("contains(Aabb, Obb)"),
                             contains_row<Sphere, Sphere>("contains(Sphere, Sphere)"),
                             contains_row<Sphere, Aabb>("contains(Sphere, Aabb)"),
                             contains_row<Sphere, Obb>("contains(Sphere, Obb)"),
                             contains_row<Obb, Sphere>("contains(Obb, Sphere)"),
                             contains_row<Obb, Aabb>("contains(Obb, Aabb)"),
                             contains_row<Obb, Obb>("contains(Obb, Obb)"),
                             contains_row<Sphere, Capsule>("contains(Sphere, Capsule)"),
                             contains_row<Sphere, Hull>("contains(Sphere, Hull)"),
                             contains_row<Capsule, vec3>("contains(Capsule, vec3)"),
                             contains_row<Capsule, Sphere>("contains(Capsule, Sphere)"),
                             contains_row<Capsule, Capsule>("contains(Capsule, Capsule)"),
                             contains_row<Capsule, Aabb>("contains(Capsule, Aabb)"),
                             contains_row<Capsule, Hull>("contains(Capsule, Hull)"),
                             contains_row<Hull, vec3>("contains(Hull, vec3)"),
                             contains_row<Hull, Aabb>("contains(Hull, Aabb)"),
                             contains_row<Hull, Hull>("contains(Hull, Hull)"),
                             contains_row<Hull, Sphere>("contains(Hull, Sphere)"),
                             contains_row<Hull, Capsule>("contains(Hull, Capsule)"),
                             contains_row<Hull, Obb>("contains(Hull, Obb)"),
                             contains_row<Aabb, Triangle>("contains(Convex, Inner)"),
                             contains_row<Sphere, Triangle>("contains(Convex, Inner)"),
                             contains_row<Obb, Triangle>("contains(Convex, Inner)"),
                             contains_row<Capsule, Triangle>("contains(Convex, Inner)"),
                             contains_row<Hull, Triangle>("contains(Convex, Inner)")};
    append(rows, contains_convex<Aabb>("contains(Aabb, ConvexRef)"));
    append(rows, contains_convex<Obb>("contains(Obb, ConvexRef)"));
    return rows;
}

/// Row for a solid as a core with a radius.
template <class T>
Row convex_row(std::string constructor) {
    return formula(
        {std::move(constructor), "ConvexRef::is_empty()", "ConvexRef::is_bounded()",
         "ConvexRef::is_all_of_space()", "ConvexRef::radius()", "ConvexRef::center()",
         "ConvexRef::support(dvec3, uint32_t)", "ConvexRef::support_value(dvec3)"},
        [](const T& shape, const glm::dvec3& direction) {
            const ConvexRef c(shape);
            require(c.is_empty() == is_empty_argument(shape), "empty");
            if (c.is_empty()) return std::tuple(0.0, glm::dvec3(0.0), 0.0, glm::dvec3(0.0));
            std::uint32_t hint = 0;
            const glm::dvec3 far = c.is_all_of_space() ? glm::dvec3(0.0) : c.support(direction, hint);
            // Products of doubles may overflow, but not those of numbers that a shape can hold.
            const bool usual = glm::length(direction) < 1e100;
            return std::tuple(c.radius(), c.center(), usual ? c.support_value(direction) : 0.0, far);
        });
}
template <class A, class B>
Row convex_pair() {
    return empty_stays_empty(
        {"overlap(ConvexRef, ConvexRef)", "overlap(ConvexRef, ConvexRef, Recording)",
         "ConvexRef::bounded_part_near(ConvexRef)", "closest_points(ConvexRef, ConvexRef)",
         "closest_points(ConvexRef, ConvexRef, Recording)", "distance(ConvexRef, ConvexRef)",
         "overlap(ConvexRef, ConvexRef, ConvexCache)", "closest_points(ConvexRef, ConvexRef, ConvexCache)",
         "distance(ConvexRef, ConvexRef, ConvexCache)"},
        [](const A& shape_a, const B& shape_b) {
            const ConvexRef a(shape_a), b(shape_b);
            ConvexCache cache;
            Recording trace;
            const bool overlapping = overlap(a, b);
            require(overlap(a, b, trace) == overlapping, "a different result with a trace");
            // Within 1e-13 of the size from touching either result will do.
            const auto size = std::max(Shape<A>::ref(shape_a).largest, Shape<B>::ref(shape_b).largest);
            if (size < 1e10) require(overlap(b, a) == overlapping, "not symmetric");
            const ClosestPoints c = closest_points(a, b), traced = closest_points(a, b, trace);
            require(c.distance == traced.distance && distance(a, b) == c.distance, "two distances");
            require(closest_points(a, b, cache).distance == c.distance, "a different distance with a cache");
            require(size >= 1e10 || overlap(a, b, cache) == overlapping, "a different result with a cache");
            require((distance(a, b, cache) == 0.0f) == (c.distance == 0.0f) || size >= 1e10,
                    "a cached distance that contradicts overlap");
            require((c.distance == 0.0f) == overlapping || c.distance < 1e-30f,
                    "a distance that contradicts overlap");
            if (!a.is_empty() && !b.is_empty() && !a.is_all_of_space() && !b.is_all_of_space())
                require(a.bounded_part_near(b).is_bounded() && b.bounded_part_near(a).is_bounded(),
                        "an unbounded part");
            return std::tuple(overlapping, c);
        });
}

std::vector<Row> convex_rows() {
    std::vector<Row> rows = {convex_row<vec3>("ConvexRef::ConvexRef(vec3)"),
                             convex_row<Sphere>("ConvexRef::ConvexRef(Sphere)"),
                             convex_row<Capsule>("ConvexRef::ConvexRef(Capsule)"),
                             convex_row<Segment>("ConvexRef::ConvexRef(Segment)"),
                             convex_row<RectSweptSphere>("ConvexRef::ConvexRef(RectSweptSphere)"),
                             convex_row<Aabb>("ConvexRef::ConvexRef(Aabb)"),
                             convex_row<Obb>("ConvexRef::ConvexRef(Obb)"),
                             convex_row<Triangle>("ConvexRef::ConvexRef(Triangle)"),
                             convex_row<Hull>("ConvexRef::ConvexRef(Hull)"),
                             convex_pair<Capsule, Hull>(),
                             convex_pair<Capsule, RectSweptSphere>(),
                             convex_pair<Hull, Obb>(),
                             convex_pair<Hull, Hull>(),
                             convex_pair<Segment, Triangle>(),
                             convex_pair<RectSweptSphere, Aabb>(),
                             convex_pair<Sphere, Segment>()};
    rows.push_back(empty_stays_empty({"ConvexRef::ConvexRef(Hull, mat4x3, float)"},
                                     [](const Hull& hull, const glm::mat4x3& map, const Sphere& ball) {
                                         return overlap(ConvexRef(hull, map, 0.5f), ConvexRef(ball));
                                     }));
    rows.push_back(empty_stays_empty(
        {"ConvexRef::ConvexRef(dvec3*, uint32_t)", "ConvexRef::moved(dvec3)"},
        [](const std::array<glm::dvec3, 4>& points, const glm::dvec3& by, const Sphere& ball) {
            const ConvexRef c = ConvexRef(points.data(), 4).moved(by);
            require(ConvexRef(points.data(), 0).is_empty(), "no points");
            return overlap(c, ball);
        }));
    return rows;
}

template <class A, class B>
Row separation_row(std::string function) {
    return empty_stays_empty({std::move(function)}, [](const A& a, const B& b) {
        const Separation s = separation(a, b);
        const double size = glm::length(glm::dvec3(s.axis));
        require(size == 0.0 || std::abs(size - 1.0) < 1e-4,
                "an axis that is neither zero nor of unit length");
        require(s.contact_count >= 0 && s.contact_count <= 8, "more contacts than fit");
        return s;
    });
}

std::vector<Row> separation_rows() {
    std::vector<Row> rows = {separation_row<Sphere, Sphere>("separation(Sphere, Sphere)"),
                             separation_row<Obb, Sphere>("separation(Obb, Sphere)"),
                             separation_row<Aabb, Sphere>("separation(Aabb, Sphere)"),
                             separation_row<Hull, Sphere>("separation(Hull, Sphere)"),
                             separation_row<Obb, Obb>("separation(Obb, Obb)"),
                             separation_row<Aabb, Aabb>("separation(Aabb, Aabb)"),
                             separation_row<Aabb, Obb>("separation(Aabb, Obb)"),
                             separation_row<Hull, Hull>("separation(Hull, Hull)"),
                             separation_row<Obb, Hull>("separation(Obb, Hull)")};
    rows.push_back(empty_stays_empty({"separation(Obb, Obb, Recording)"}, [](const Obb& a, const Obb& b) {
        Recording trace;
        const Separation s = separation(a, b, trace);
        require(s.distance == separation(a, b).distance, "a different result with a trace");
        return s;
    }));
    return rows;
}

}  // namespace

std::vector<Row> pair_rows() {
    std::vector<Row> rows;
    append(rows, overlap_rows());
    append(rows, kdop_rows<6>());
    append(rows, kdop_rows<8>());
    append(rows, kdop_rows<14>());
    append(rows, kdop_rows<18>());
    append(rows, kdop_rows<26>());
    append(rows, contains_rows());
    append(rows, convex_rows());
    append(rows, separation_rows());
    return rows;
}

}  // namespace bv::test
