// Steps of separating axes, of GJK, and of planes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <span>

#include "results/put.hpp"
#include "steps/event_spec.hpp"

namespace lab::steps {
namespace {

Interval projected(std::span<const glm::vec3> corners, const glm::vec3& direction) {
    Interval interval{std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};
    for (const glm::vec3& corner : corners) {
        const float t = glm::dot(corner, direction);
        interval = {std::min(interval.min, t), std::max(interval.max, t)};
    }
    return interval;
}

glm::vec3 box_center_of(std::span<const glm::vec3> corners) {
    bv::Aabb box;
    for (const glm::vec3& corner : corners)
        box = bv::merge(box, corner);
    return box.center();
}

/// The axis as a line below or beside the shapes, with both projections and the feet of the corners.
void draw_axis(const bv::AxisTested& test, const Subject& subject, FrameResults& results) {
    const float length = glm::length(test.axis);
    if (!(length > 1e-6f) || subject.points.empty() || subject.points_b.empty()) return;
    const glm::vec3 direction = test.axis / length;
    // The line passes beside both shapes, moved at right angles to itself, downward as far as possible.
    glm::vec3 aside = glm::vec3(0, -1, 0) + direction * direction.y;
    aside = glm::length(aside) > 0.2f ? glm::normalize(aside) : glm::vec3(0, 0, 1);
    const float reach =
        std::max(projected(subject.points, aside).max, projected(subject.points_b, aside).max);
    const glm::vec3 middle = 0.5f * (box_center_of(subject.points) + box_center_of(subject.points_b));
    const glm::vec3 base =
        middle - direction * glm::dot(middle, direction) + aside * (reach + 0.35f - glm::dot(middle, aside));
    const Interval ia = projected(subject.points, direction);
    const Interval ib = projected(subject.points_b, direction);
    const float low = std::min(ia.min, ib.min) - 0.5f;
    const float high = std::max(ia.max, ib.max) + 0.5f;
    Exhibit& line = put(results, bv::Segment{base + low * direction, base + high * direction},
                        test.gap > 0 ? Role::Separating : Role::Muted);
    line.width_px = 1.5f;
    line.legend = test.gap > 0 ? "axis that separates" : "axis";
    put_note(results, base + (high + 0.1f) * direction, test.gap > 0 ? Role::Separating : Role::Touching,
             axis_name(test));
    put_separation(results, {base + 0.06f * aside, direction, aside, 0.09f}, ia, ib);
    const auto drop = [&](std::span<const glm::vec3> corners, const Interval& interval, Role role) {
        for (const glm::vec3& corner : corners) {
            const float t = glm::dot(corner, direction);
            if (t > interval.min + 1e-4f && t < interval.max - 1e-4f) continue;
            put(results, bv::Segment{corner, base + t * direction}, role).width_px = 1.0f;
        }
    };
    drop(subject.points, ia, Role::ProjectionA);
    drop(subject.points_b, ib, Role::ProjectionB);
}

/// True iff all vertices of a simplex are also vertices of the other one.
bool is_within(const bv::SimplexReduced& simplex, const bv::SimplexReduced& other) {
    const auto vertices = [](const bv::SimplexReduced& e) {
        return std::span(e.difference).first(std::min<std::size_t>(e.count, 4));
    };
    const auto all = vertices(simplex), others = vertices(other);
    return std::all_of(all.begin(), all.end(), [&](const glm::vec3& v) {
        return std::find(others.begin(), others.end(), v) != others.end();
    });
}

/// A simplex: points, edges, and faces.
void draw_simplex(const bv::SimplexReduced& e, const glm::vec3& origin, Role role, float width,
                  FrameResults& results) {
    const char* const legend = role == kNow ? "simplex" : "simplex before";
    const auto count = std::min<std::size_t>(e.count, 4);
    for (std::size_t i = 0; i < count; ++i) {
        Exhibit& dot = put(results, Marker{origin + e.difference[i]}, role);
        dot.on_top = true;
        dot.width_px = width;
        dot.legend = legend;
        for (std::size_t j = 0; j < i; ++j) {
            Exhibit& edge =
                put(results, bv::Segment{origin + e.difference[i], origin + e.difference[j]}, role);
            edge.width_px = width;
            edge.on_top = true;
            edge.legend = legend;
        }
    }
    for (std::size_t skip = count == 4 ? 0 : 3; count >= 3 && skip < 4; ++skip) {
        std::array<glm::vec3, 3> corner{};
        std::size_t n = 0;
        for (std::size_t i = 0; i < count && n < 3; ++i)
            if (i != skip) corner[n++] = origin + e.difference[i];
        if (n == 3)
            put(results, bv::Triangle{corner[0], corner[1], corner[2]}, role, {}, 0.25f).legend = legend;
    }
}

}  // namespace

std::string axis_name(const bv::AxisTested& e) {
    using Kind = bv::AxisTested::Kind;
    if (e.kind == Kind::FaceA && e.i >= 0 && e.i < 3) return fmt::format("A{}", "xyz"[e.i]);
    if (e.kind == Kind::FaceB && e.j >= 0 && e.j < 3) return fmt::format("B{}", "xyz"[e.j]);
    if (e.kind == Kind::EdgeCross && e.i >= 0 && e.i < 3 && e.j >= 0 && e.j < 3)
        return fmt::format("A{} × B{}", "xyz"[e.i], "xyz"[e.j]);
    // For polygons in the plane: the normal of one edge.
    if (e.kind == Kind::EdgeCross && e.i >= 0 && e.j < 0) return fmt::format("edge {} of A", e.i + 1);
    if (e.kind == Kind::EdgeCross && e.j >= 0 && e.i < 0) return fmt::format("edge {} of B", e.j + 1);
    if (e.kind == Kind::EdgeCross) return "common supporting line";
    return "axis";
}

namespace {

/// The name of the axis, capitalized to start a sentence.
std::string axis_title(const bv::AxisTested& e) {
    std::string name = axis_name(e);
    name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
    return name;
}

}  // namespace

// ---- separating axes

namespace {

/// The magnitude of the coordinates along the axis.
double size_along(const bv::AxisTested& e) {
    return static_cast<double>(
        std::max({std::abs(e.min_a), std::abs(e.max_a), std::abs(e.min_b), std::abs(e.max_b)}));
}

}  // namespace

bool just_touches(const bv::AxisTested& e) {
    return !(e.gap > 0) && is_noise(static_cast<double>(e.gap), size_along(e));
}

namespace {

/// Gives the same number as the picture and the table: the shortest translation that separates the intervals.
std::string overlap_sentence(const bv::AxisTested& e) {
    const double depth = -static_cast<double>(e.gap), size = size_along(e);
    if (depth < 0) return fmt::format("a gap of {}, so they are apart", in_meters(-depth));
    if (just_touches(e)) return "they touch";
    const std::string depth_text = in_meters(depth, size);
    if (e.min_a < e.min_b && e.max_b < e.max_a)
        return fmt::format("B lies within A, {} to separate them", depth_text);
    if (e.min_b < e.min_a && e.max_a < e.max_b)
        return fmt::format("A lies within B, {} to separate them", depth_text);
    return fmt::format("they overlap by {}", depth_text);
}

}  // namespace

template <>
const EventSpec<bv::AxisTested>& event_spec<bv::AxisTested>() {
    static constexpr EventSpec<bv::AxisTested> kRow{
        .id = "axis_tested",
        .variant = [](const bv::AxisTested& e) -> int { return e.skipped   ? 2
                                                               : e.gap > 0 ? 1
                                                                           : 0; },
        .sentence = [](const bv::AxisTested& e) -> std::string {
            if (e.skipped)
                return fmt::format("{}: the edges are parallel, so this axis adds nothing.", axis_title(e));
            return fmt::format("{}: A covers {} to {} m, B {} to {} m: {}.", axis_title(e),
                               in_short(static_cast<double>(e.min_a)), in_short(static_cast<double>(e.max_a)),
                               in_short(static_cast<double>(e.min_b)), in_short(static_cast<double>(e.max_b)),
                               overlap_sentence(e));
        },
        .values = [](const bv::AxisTested& e) -> StepValues {
            StepValues values = {
                {"axis", axis_name(e)},
                {"A", cells::interval(static_cast<double>(e.min_a), static_cast<double>(e.max_a))},
                {"B", cells::interval(static_cast<double>(e.min_b), static_cast<double>(e.max_b))}};
            if (e.skipped) return values;
            if (e.gap > 0) {
                values.emplace_back("gap", in_meters(static_cast<double>(e.gap)));
                return values;
            }
            values.emplace_back("to separate", in_meters(-static_cast<double>(e.gap), size_along(e)));
            return values;
        },
        .quantity = [](const bv::AxisTested& e, const Subject&, const Board&) -> std::optional<double> {
            if (e.skipped) return std::nullopt;
            return e.gap;
        },
        .draw = [](const bv::AxisTested& e, const StepContext& c,
                   FrameResults& results) { draw_axis(e, c.subject, results); },
    };
    return kRow;
}

// ---- GJK

namespace {

/// The last step of a walk that ends at a distance.
bool is_closest(const bv::SimplexReduced& e) {
    return e.upper_bound > 0 && e.upper_bound - e.lower_bound <= 1e-4f * e.upper_bound;
}

/// Within the tetrahedron, or on a smaller simplex but for rounding. The latter says nothing about depth: a
/// segment between aligned shapes may pass through the origin far inside of the difference.
bool holds_origin(const bv::SimplexReduced& e, const Subject& subject) {
    return e.count >= 4 || is_noise(static_cast<double>(e.upper_bound), static_cast<double>(subject.size));
}

/// For shapes with radii, the simplex is that of their cores.
std::string simplex_sentence(const bv::SimplexReduced& e, const Subject& subject) {
    static constexpr std::array kNames = {"nothing", "a point", "a segment", "a triangle", "a tetrahedron"};
    const char* const simplex = kNames[std::min<std::size_t>(e.count, 4)];
    const double radii = static_cast<double>(subject.radii), size = static_cast<double>(subject.size);
    const char* const of_cores = radii > 0 ? " of the cores" : "";
    const char* const shapes = radii > 0 ? "cores" : "shapes";
    if (e.count >= 4)
        return fmt::format("The simplex, {}, contains the origin: the {} overlap.", simplex, shapes);
    if (holds_origin(e, subject))
        return fmt::format("The origin lies on the simplex, {}: the {} overlap or touch.", simplex, shapes);
    const double upper = static_cast<double>(e.upper_bound);
    if (!is_closest(e)) {
        const auto [low, high] = distinct_texts(static_cast<double>(e.lower_bound), upper);
        return fmt::format("The simplex is {}; the distance{} lies between {} and {} m.", simplex, of_cores,
                           low, high);
    }
    const std::string apart =
        fmt::format("No support point is nearer: the {} are {} apart", shapes, in_meters(upper));
    if (radii == 0) return apart + ".";
    const std::string so = fmt::format("{}, and the radii add up to {}: the shapes", apart, in_meters(radii));
    if (is_noise(upper - radii, size)) return so + " touch.";
    return upper > radii ? fmt::format("{} are {} apart.", so, in_meters(upper - radii))
                         : fmt::format("{} overlap by {}.", so, in_meters(radii - upper));
}

StepValues simplex_values(const bv::SimplexReduced& e, const Subject& subject) {
    const auto bound = [&subject](float value) {
        const bool noise = is_noise(static_cast<double>(value), static_cast<double>(subject.size));
        return cells::brief(noise ? 0.0 : static_cast<double>(value)).in("m");
    };
    StepValues values = {{"corners", cells::whole(static_cast<int>(e.count))},
                         {"lower bound", bound(e.lower_bound)},
                         {"upper bound", bound(e.upper_bound)},
                         {"on A", cells::vector(e.on_a)},
                         {"on B", cells::vector(e.on_b)}};
    if (!(subject.radii > 0)) return values;
    values.emplace_back("sum of radii", cells::brief(static_cast<double>(subject.radii)).in("m"));
    // Before the last step the distance is a bound, and overlapping cores have none.
    if (!is_closest(e) || holds_origin(e, subject)) return values;
    const double apart = static_cast<double>(e.upper_bound) - static_cast<double>(subject.radii);
    values.emplace_back(apart > 0 ? "apart" : "deep",
                        in_meters(std::abs(apart), static_cast<double>(subject.size)));
    return values;
}

}  // namespace

template <>
const EventSpec<bv::SimplexReduced>& event_spec<bv::SimplexReduced>() {
    static constexpr EventSpec<bv::SimplexReduced> kRow{
        .id = "simplex_reduced",
        .variant_in_context = [](const bv::SimplexReduced& e, const Subject& subject) -> int {
            if (holds_origin(e, subject)) return 1;
            return is_closest(e) ? 2 : 0;
        },
        .sentence = [](const bv::SimplexReduced& e) -> std::string { return simplex_sentence(e, {}); },
        .values = [](const bv::SimplexReduced& e) -> StepValues { return simplex_values(e, {}); },
        .sentence_in_context = [](const bv::SimplexReduced& e, const Subject& subject,
                                  const Board&) -> std::string { return simplex_sentence(e, subject); },
        .values_in_context = [](const bv::SimplexReduced& e, const Subject& subject,
                                const Board&) -> StepValues { return simplex_values(e, subject); },
        .quantity = [](const bv::SimplexReduced& e, const Subject&, const Board&) -> std::optional<double> {
            return e.upper_bound;
        },
        .draw =
            [](const bv::SimplexReduced& e, const StepContext& c, FrameResults& results) {
                const glm::vec3& origin = c.subject.difference_origin;
                // An old simplex that has only gained vertices would be hidden by the new one.
                if (c.before.simplex && !is_within(*c.before.simplex, e))
                    draw_simplex(*c.before.simplex, origin, kRejected, 2.0f, results);
                draw_simplex(e, origin, kNow, 4.0f, results);
                if (e.count >= 4) return;
                const glm::vec3 nearest = e.on_a - e.on_b;
                put_measure(
                    results, origin, origin + nearest, Role::Separating,
                    in_meters(static_cast<double>(e.upper_bound), static_cast<double>(c.subject.size)));
                results.exhibits.back().legend = "shortest distance so far";
                put_measure(results, e.on_a, e.on_b, Role::Separating, {});
                results.exhibits.back().legend = "shortest distance so far";
                put(results, Marker{e.on_a}, Role::ProjectionA).legend = "A";
                put(results, Marker{e.on_b}, Role::ProjectionB).legend = "B";
            },
    };
    return kRow;
}

namespace {

std::string plane_name(const bv::PlaneTested& e, const Subject& subject) {
    return e.plane < subject.plane_names.size() ? subject.plane_names[e.plane]
                                                : fmt::format("Plane {}", e.plane);
}

/// True if a box is tested, by its center and a radius; otherwise it is the point of a BSP, or the eye.
bool is_of_box(const Subject& subject) {
    return !subject.nodes.empty();
}

/// The size of the numbers whose difference is the distance from the plane.
double size_of_terms(const bv::PlaneTested& e, const Subject& subject) {
    if (!subject.probe) return 0.0;
    const glm::dvec3 terms = glm::abs(glm::dvec3(e.normal) * glm::dvec3(*subject.probe));
    return terms.x + terms.y + terms.z + std::abs(static_cast<double>(e.offset));
}

/// Rounding noise is 0 only where it decides nothing: a point with a side is not at distance 0.
Number distance_from_plane(const bv::PlaneTested& e, const Subject& subject) {
    const double distance = static_cast<double>(e.distance);
    const bool has_side = e.verdict != bv::PlaneTested::Verdict::Across;
    const bool noise = !has_side && is_noise(distance, size_of_terms(e, subject));
    return cells::brief(noise ? 0.0 : distance).in("m");
}

std::string plane_sentence(const bv::PlaneTested& e, const Subject& subject) {
    using Verdict = bv::PlaneTested::Verdict;
    const bool box = is_of_box(subject);
    const std::string reach =
        box ? fmt::format(", projected radius {}", in_meters(static_cast<double>(e.radius))) : std::string();
    // An eye in the plane is counted as in front: either order would do.
    const bool counted = e.verdict == Verdict::Front && e.distance == 0.0f && !box;
    const char* verdict = counted                       ? "lies in it, which counts as in front"
                          : e.verdict == Verdict::Front ? "lies in front of it"
                          : e.verdict == Verdict::Back  ? "lies behind it"
                          : box                         ? "intersects it"
                                                        : "lies in it";
    return fmt::format("{}: distance {}{}, so the {} {}.", plane_name(e, subject),
                       to_text(distance_from_plane(e, subject)), reach,
                       box                ? "box"
                       : subject.in_order ? "eye"
                                          : "point",
                       verdict);
}

StepValues plane_values(const bv::PlaneTested& e, const Subject& subject) {
    static constexpr const char* kSides[] = {"behind", "intersecting", "in front"};
    StepValues values = {{"plane", e.plane < subject.plane_names.size() ? Cell(subject.plane_names[e.plane])
                                                                        : Cell(cells::whole(e.plane))},
                         {"normal", cells::vector(e.normal)},
                         {"distance", distance_from_plane(e, subject)}};
    if (is_of_box(subject))
        values.emplace_back("projected radius", cells::brief(static_cast<double>(e.radius)).in("m"));
    values.emplace_back("side", kSides[static_cast<std::size_t>(e.verdict)]);
    return values;
}

}  // namespace

template <>
const EventSpec<bv::PlaneTested>& event_spec<bv::PlaneTested>() {
    static constexpr EventSpec<bv::PlaneTested> kRow{
        .id = "plane_tested",
        .variant = [](const bv::PlaneTested& e) -> int { return static_cast<int>(e.verdict); },
        .sentence = [](const bv::PlaneTested& e) -> std::string { return plane_sentence(e, {}); },
        .values = [](const bv::PlaneTested& e) -> StepValues { return plane_values(e, {}); },
        .sentence_in_context = [](const bv::PlaneTested& e, const Subject& subject,
                                  const Board&) -> std::string { return plane_sentence(e, subject); },
        .values_in_context = [](const bv::PlaneTested& e, const Subject& subject,
                                const Board&) -> StepValues { return plane_values(e, subject); },
        .quantity = [](const bv::PlaneTested& e, const Subject&, const Board&) -> std::optional<double> {
            return e.distance;
        },
        .draw =
            [](const bv::PlaneTested& e, const StepContext& c, FrameResults& results) {
                if (const Polytope* piece = c.subject.plane(e.plane)) {
                    Exhibit& plane = put(results, *piece, kNow, {}, 0.2f);
                    plane.width_px = 3.0f;
                    plane.legend = "plane being tested";
                }
                if (!c.subject.probe) return;
                const glm::vec3 center = *c.subject.probe;
                // In the color of the eye, which no listed piece has.
                put_measure(results, center, center - e.distance * e.normal,
                            c.subject.in_order ? Role::Kdop : Role::ProjectionA,
                            to_text(distance_from_plane(e, c.subject)));
                const bool box = is_of_box(c.subject);
                results.exhibits.back().legend = box                  ? "distance of the center"
                                                 : c.subject.in_order ? "distance of the eye"
                                                                      : "distance of the point";
                if (box)
                    put(results, bv::Segment{center - e.radius * e.normal, center + e.radius * e.normal},
                        Role::Kdop)
                        .legend = "projected radius";
            },
    };
    return kRow;
}

void draw_queries(const Board& board, const Subject& subject, FrameResults& results) {
    // All planes of a BSP would cover one another.
    for (const bv::PlaneTested& tested : subject.pieces ? std::vector<bv::PlaneTested>() : board.planes) {
        const Polytope* piece = subject.plane(tested.plane);
        if (!piece) continue;
        const bool rejects = tested.verdict == bv::PlaneTested::Verdict::Back;
        Exhibit& plane =
            put(results, *piece, rejects ? Role::Separating : Role::Normal, {}, rejects ? 0.15f : 0.03f);
        plane.width_px = rejects ? 2.5f : 1.0f;
        plane.legend = rejects ? "plane that rejects it" : "plane tested before";
    }
    if (subject.difference_origin == glm::vec3(0.0f)) return;
    Exhibit& origin = put(results, Marker{subject.difference_origin}, Role::AabbFixed, "origin");
    origin.on_top = true;
    origin.legend = "origin of the Minkowski difference";
}

}  // namespace lab::steps
