// Steps of fits around points by planes: slabs of k-DOPs, and quickhull.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>
#include <vector>

#include "io/text/counted.hpp"
#include "results/put.hpp"
#include "steps/event_spec.hpp"
#include "steps/events/fit_parts.hpp"

namespace lab::steps {

// ---- slabs

namespace {

/// Empty for fewer than three slabs: they are unbounded.
std::optional<double> volume_of(const std::vector<bv::SlabFitted>& slabs) {
    if (slabs.size() < 3) return std::nullopt;
    return polytope_of_slabs(slabs).volume();
}

/// In meters along the direction, which is not of unit length.
struct SlabEnds {
    double min = 0, max = 0;
};
SlabEnds ends_of(const bv::SlabFitted& e) {
    const double length = static_cast<double>(glm::length(e.direction));
    return {static_cast<double>(e.min) / length, static_cast<double>(e.max) / length};
}

std::string fitted_sentence(const bv::SlabFitted& e) {
    const auto [min, max] = ends_of(e);
    return fmt::format("Along {}, all points lie between {} and {}: a slab {} thick.",
                       direction_text(e.direction), point_name(e.low_index), point_name(e.high_index),
                       in_meters(max - min, std::max(std::abs(min), std::abs(max))));
}

/// The sentence with the remaining volume.
std::string fitted_sentence_in_context(const bv::SlabFitted& e, const Subject&, const Board& before) {
    std::vector<bv::SlabFitted> slabs = before.slabs_fitted;
    const std::optional<double> was = volume_of(slabs);
    slabs.push_back(e);
    const std::optional<double> now = volume_of(slabs);
    if (!now) return fitted_sentence(e) + " The volume is unbounded so far.";
    if (!was) return fmt::format("{} The volume is {} m³.", fitted_sentence(e), in_short(*now));
    return fmt::format("{} The volume {}.", fitted_sentence(e), change_of(*was, *now, "m³", "falls"));
}

}  // namespace

template <>
const EventSpec<bv::SlabFitted>& event_spec<bv::SlabFitted>() {
    static constexpr EventSpec<bv::SlabFitted> kRow{
        .id = "slab_fitted",
        .sentence = fitted_sentence,
        .values = [](const bv::SlabFitted& e) -> StepValues {
            const SlabEnds ends = ends_of(e);
            return {{"direction", cells::vector(e.direction)},
                    {"min", cells::brief(ends.min).in("m")},
                    {"max", cells::brief(ends.max).in("m")},
                    {"low point", cells::whole(e.low_index)},
                    {"high point", cells::whole(e.high_index)}};
        },
        .sentence_in_context = fitted_sentence_in_context,
        .quantity = [](const bv::SlabFitted&, const Subject&, const Board& after) -> std::optional<double> {
            return volume_of(after.slabs_fitted);
        },
        .draw =
            [](const bv::SlabFitted& e, const StepContext& c, FrameResults& results) {
                put_slab_planes(results, e, c.subject, Role::Plane, "plane");
                for (const std::uint32_t i : {e.low_index, e.high_index})
                    put_point(results, c.subject.point(i), kNow, point_name(i), 4.0f, kCurrentPoint);
            },
    };
    return kRow;
}

// ---- hulls

namespace {

/// The points outside a face of the hull. (Quickhull assigns each to one face only, of those that it is
/// outside of.)
void put_outside_set(FrameResults& results, const bv::Triangle& face, const Subject& subject) {
    const glm::dvec3 a(face.a), normal = glm::cross(glm::dvec3(face.b) - a, glm::dvec3(face.c) - a);
    const double length = glm::length(normal);
    constexpr std::size_t kMaxMarkers = 250;
    constexpr const char* kLegend = "points outside this face";
    constexpr Role kOutside = Role::ProjectionB;  // stands out from the face and from all other points
    std::vector<glm::vec3> outside;
    for (const glm::vec3& p : subject.points)
        if (glm::dot(normal, glm::dvec3(p) - a) > 1e-6 * length) outside.push_back(p);
    if (outside.size() > kMaxMarkers) {
        put_dots(results, std::move(outside), kOutside, kLegend);
        return;
    }
    for (const glm::vec3& p : outside) {
        Exhibit& dot = put(results, Marker{p}, kOutside);
        dot.width_px = 3.0f;
        dot.on_top = true;
        dot.legend = kLegend;
    }
}

}  // namespace

template <>
const EventSpec<bv::HullFaceSeen>& event_spec<bv::HullFaceSeen>() {
    static constexpr EventSpec<bv::HullFaceSeen> kRow{
        .id = "hull_face_seen",
        .sentence = [](const bv::HullFaceSeen& e) -> std::string {
            return fmt::format("Point {} sees face {} (points {}, {} and {}): it will be removed.",
                               e.point_index, e.slot, e.vertex[0], e.vertex[1], e.vertex[2]);
        },
        .values = [](const bv::HullFaceSeen& e) -> StepValues {
            return {{"point", cells::whole(e.point_index)},
                    {"face", cells::whole(e.slot)},
                    {"corners", cells::list({cells::whole(e.vertex[0]), cells::whole(e.vertex[1]),
                                             cells::whole(e.vertex[2])})}};
        },
        .quantity = [](const bv::HullFaceSeen&, const Subject&, const Board& after) -> std::optional<double> {
            return static_cast<double>(after.face_count);
        },
        .draw =
            [](const bv::HullFaceSeen& e, const StepContext& c, FrameResults& results) {
                const bv::Triangle seen{c.subject.point(e.vertex[0]), c.subject.point(e.vertex[1]),
                                        c.subject.point(e.vertex[2])};
                put_outside_set(results, seen, c.subject);
                Exhibit& face = put(results, seen, kNow, {}, 0.5f);
                face.legend = "face seen now";
                face.on_top = true;
                put_point(results, c.subject.point(e.point_index), kNow, point_name(e.point_index), 4.0f,
                          kCurrentPoint);
            },
    };
    return kRow;
}

namespace {

/// Points on a line or in a plane give no tetrahedron; `corners` are those that a hull begins with.
std::string first_corner_sentence(const bv::HullPointAdded& e, std::size_t corners, bool flat) {
    if (corners == 1) return fmt::format("All points coincide with point {}.", e.point_index);
    return fmt::format("Point {} is {}.", e.point_index,
                       corners == 2 ? "an end of the segment that holds all points"
                       : flat       ? "a corner of the polygon in the plane that holds all points"
                                    : "a corner of the first tetrahedron");
}

std::string hull_point_sentence(const bv::HullPointAdded& e) {
    if (e.faces_added == 0) return first_corner_sentence(e, 4, false);
    return fmt::format(
        "Point {} was farthest outside a face, by {}: {} removed, and the horizon has {} edges.",
        e.point_index, in_meters(static_cast<double>(e.distance)),
        io::counted(e.faces_removed, "face is", "faces are"), e.faces_added);
}

std::string hull_point_sentence_in_context(const bv::HullPointAdded& e, const Subject& subject,
                                           const Board&) {
    return e.faces_added == 0 ? first_corner_sentence(e, subject.tetrahedron.size(), subject.is_flat)
                              : hull_point_sentence(e);
}

}  // namespace

template <>
const EventSpec<bv::HullPointAdded>& event_spec<bv::HullPointAdded>() {
    static constexpr EventSpec<bv::HullPointAdded> kRow{
        .id = "hull_point_added",
        .variant_in_context = [](const bv::HullPointAdded& e, const Subject& subject) -> int {
            if (e.faces_added > 0) return 1;
            return subject.is_flat || subject.tetrahedron.size() < 4 ? 2 : 0;
        },
        .sentence = hull_point_sentence,
        .values = [](const bv::HullPointAdded& e) -> StepValues {
            return {{"point", cells::whole(e.point_index)},
                    {"distance", cells::brief(e.distance).in("m")},
                    {"faces removed", cells::whole(e.faces_removed)},
                    {"horizon edges", cells::whole(e.faces_added)}};
        },
        .sentence_in_context = hull_point_sentence_in_context,
        .quantity = [](const bv::HullPointAdded&, const Subject&, const Board& after)
            -> std::optional<double> { return static_cast<double>(after.face_count); },
        .draw =
            [](const bv::HullPointAdded& e, const StepContext& c, FrameResults& results) {
                put_point(results, e.point, kNow, point_name(e.point_index), 4.0f, kCurrentPoint);
                // The horizon: edges between a removed face and one that stays.
                for (const auto& [a, b] : c.before.horizon()) {
                    Exhibit& edge =
                        put(results, bv::Segment{c.subject.point(a), c.subject.point(b)}, Role::Separating);
                    edge.width_px = 4.0f;
                    edge.on_top = true;
                    edge.legend = "horizon";
                }
            },
    };
    return kRow;
}

template <>
const EventSpec<bv::HullFaceAdded>& event_spec<bv::HullFaceAdded>() {
    static constexpr EventSpec<bv::HullFaceAdded> kRow{
        .id = "hull_face_added",
        .variant_in_context =
            [](const bv::HullFaceAdded& e, const Subject& subject) {
                return std::all_of(e.vertex.begin(), e.vertex.end(),
                                   [&](std::uint32_t v) {
                                       return std::find(subject.tetrahedron.begin(),
                                                        subject.tetrahedron.end(),
                                                        v) != subject.tetrahedron.end();
                                   })
                           ? 0
                           : 1;
            },
        .sentence = [](const bv::HullFaceAdded& e) -> std::string {
            return fmt::format("Face {} joins points {}, {} and {}.", e.slot, e.vertex[0], e.vertex[1],
                               e.vertex[2]);
        },
        .values = [](const bv::HullFaceAdded& e) -> StepValues {
            return {{"face", cells::whole(e.slot)},
                    {"corners", cells::list({cells::whole(e.vertex[0]), cells::whole(e.vertex[1]),
                                             cells::whole(e.vertex[2])})}};
        },
        .quantity = [](const bv::HullFaceAdded&, const Subject&, const Board& after)
            -> std::optional<double> { return static_cast<double>(after.face_count); },
        .draw =
            [](const bv::HullFaceAdded& e, const StepContext& c, FrameResults& results) {
                const bv::Triangle added{c.subject.point(e.vertex[0]), c.subject.point(e.vertex[1]),
                                         c.subject.point(e.vertex[2])};
                put_outside_set(results, added, c.subject);
                Exhibit& face = put(results, added, Role::Selected, {}, 0.45f);
                face.legend = "the new face";
                face.on_top = true;
            },
    };
    return kRow;
}

}  // namespace lab::steps
