#include "scenes/fits/fit_walk.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

#include "bv/assert.hpp"
#include "bv/fit/catalog.hpp"
#include "bv/fit/obb.hpp"
#include "bv/fit/sphere.hpp"
#include "results/put.hpp"
#include "steps/event_spec.hpp"

namespace lab::scenes {
namespace {

constexpr std::size_t kMaxEvents = 100'000;

/// The dimension of what the points span, up to rounding: 0 a point, 1 a line, 2 a plane, 3 space; -1 without
/// points. Below 3, boxes are compared by area or length, since their volumes would be nothing but noise.
int dimension_of(std::span<const glm::vec3> points) {
    if (points.empty()) return -1;
    double size = 0.0;
    for (const glm::vec3& p : points)
        size = std::max({size, static_cast<double>(std::abs(p.x)), static_cast<double>(std::abs(p.y)),
                         static_cast<double>(std::abs(p.z))});
    const glm::dvec3 origin(points[0]);
    // What is left of the offsets once the directions found so far are projected out.
    std::vector<glm::dvec3> rest;
    for (const glm::vec3& p : points)
        rest.push_back(glm::dvec3(p) - origin);
    for (int dimension = 0; dimension < 3; ++dimension) {
        const glm::dvec3 farthest = *std::max_element(
            rest.begin(), rest.end(),
            [](const glm::dvec3& a, const glm::dvec3& b) { return glm::dot(a, a) < glm::dot(b, b); });
        const double length = glm::length(farthest);
        if (steps::is_noise(length, size)) return dimension;
        const glm::dvec3 direction = farthest / length;
        for (glm::dvec3& r : rest)
            r -= direction * glm::dot(direction, r);
    }
    return 3;
}

std::string span_in_words(int dimension) {
    return dimension == 0   ? "all points coincide"
           : dimension == 1 ? "the points lie on a line"
                            : "the points lie in a plane";
}

std::string hull_verdict(const bv::Hull& hull, int dimension) {
    const std::string sliver =
        hull.dimension > dimension
            ? fmt::format(" That is up to rounding: decided exactly, the hull is a sliver with {} corners.",
                          hull.vertices.size())
            : std::string();
    switch (dimension) {
        case 0:
            return "Degenerate: all points coincide, so their hull is a point." + sliver;
        case 1: {
            float length = 0.0f;
            for (const glm::vec3& p : hull.vertices)
                length = std::max(length, glm::distance(p, hull.vertices.front()));
            return fmt::format(
                "Degenerate: the points lie on a line, so their hull is a segment with 2 ends, {} m long.{}",
                number(static_cast<double>(length)), sliver);
        }
        case 2:
            return fmt::format(
                "Degenerate: the points lie in a plane, so their hull is a flat polygon with {} corners.{}",
                hull.vertices.size(), sliver);
        default:
            return fmt::format("Quickhull: {} corners, {} triangles, volume {} m³.", hull.vertices.size(),
                               hull.triangles.size(), number(hull.volume()));
    }
}

/// Describes a box without volume by its length or its area.
std::string flat_box_verdict(const bv::Obb& box, const bv::Obb& smallest, int dimension) {
    const auto area = [](const bv::Obb& b) {
        const glm::dvec3 s = 2.0 * glm::dvec3(b.half_extents);
        return std::max({s.x * s.y, s.y * s.z, s.z * s.x});
    };
    const double longest =
        2.0 * static_cast<double>(std::max({box.half_extents.x, box.half_extents.y, box.half_extents.z}));
    if (dimension == 0) return "a box without size";
    if (dimension == 1) return fmt::format("a box without volume, {} m long", number(longest));
    std::string text = fmt::format("a box without volume, a rectangle of {} m²", number(area(box)));
    const double ratio = area(box) / area(smallest);
    if (ratio > 1.0005) text += fmt::format(" ({} times that of the exact box)", number(ratio));
    return text;
}

/// A size over the smallest possible.
std::string ratio_text(double ratio) {
    if (ratio <= 1.0 + 1e-6) return "the smallest possible";
    if (number(ratio) == "1") return "less than 0.1 % above the smallest";
    return fmt::format("{} times the smallest", number(ratio));
}

/// The smallest sphere around the points, if the fit is one and larger.
std::optional<bv::Sphere> smaller_than(const bv::fit::Volume& volume, const PointSet& points) {
    const auto* ball = std::get_if<bv::Sphere>(&volume);
    if (!ball || points.points().empty()) return std::nullopt;
    const bv::Sphere smallest = bv::fit::sphere_exact(points.points());
    if (ball->radius <= 1.002f * smallest.radius) return std::nullopt;
    return smallest;
}

std::string verdict_of(const bv::fit::FitEntry& entry, const bv::fit::Volume& volume,
                       const PointSet& points) {
    const std::span<const glm::vec3> all = points.points();
    const int dimension = dimension_of(all);
    std::string verdict;
    if (all.empty()) return "There are no points.";
    if (dimension == 0 && std::holds_alternative<bv::Sphere>(volume))
        verdict = fmt::format("{}: radius 0 m, since all points coincide.", entry.name);
    else if (const auto* ball = std::get_if<bv::Sphere>(&volume))
        verdict =
            fmt::format("{}: radius {} m, {}.", entry.name, number(ball->radius),
                        ratio_text(static_cast<double>(ball->radius) /
                                   std::max(static_cast<double>(bv::fit::sphere_exact(all).radius), 1e-30)));
    else if (std::holds_alternative<bv::Obb>(volume)) {
        const bv::Obb exact = bv::fit::obb_exact(all);
        const double smallest = bv::fit::volume_of(exact);
        const double ratio = bv::fit::volume_of(volume) / smallest;
        if (dimension < 3)
            verdict = fmt::format("{}: {}, since {}.", entry.name,
                                  flat_box_verdict(std::get<bv::Obb>(volume), exact, dimension),
                                  span_in_words(dimension));
        else
            verdict = fmt::format(
                "{}: volume {} m³, {}.", entry.name, number(bv::fit::volume_of(volume)),
                ratio <= 1.0005 ? ratio_text(ratio)
                                : fmt::format("{}, which has {} m³", ratio_text(ratio), number(smallest)));
    } else if (const auto* hull = std::get_if<bv::Hull>(&volume))
        verdict = hull_verdict(*hull, dimension);
    else {
        verdict = fmt::format("{}: volume {} m³", entry.name, number(bv::fit::volume_of(volume)));
        verdict += dimension < 3 ? fmt::format("; {}.", span_in_words(dimension)) : ".";
    }
    if (entry.id == "obb.pca_surface" && points.triangles().empty())
        verdict +=
            " There are no triangles, so all points count equally. (Set Points to \"Vertices of a mesh\".)";
    if (!points.thinned().empty()) verdict += fmt::format(" These are {}.", points.thinned());
    return verdict;
}

}  // namespace

void FitWalk::follow(const SceneContext& context, std::string_view fit_id) {
    points.follow(context);
    if (walk_ && fit_id == fit_id_ && revision_ == points.revision()) return;
    fit_id_ = fit_id;
    revision_ = points.revision();
    const bv::fit::FitEntry* entry = bv::fit::find_fit(fit_id);
    BV_ASSERT(entry && entry->fit_traced);
    if (!entry || !entry->fit_traced) return;
    bv::Recording trace(kMaxEvents);
    const bv::fit::Volume volume = entry->fit_traced({points.points(), points.triangles()}, trace);
    steps::Subject subject;
    subject.points = points.points();
    if (fit_id == "obb.pca_surface" && !points.triangles().empty()) subject.spread_of = "the mesh's surface";
    for (const glm::uvec3& t : points.triangles())
        subject.triangles.push_back({subject.points[t.x], subject.points[t.y], subject.points[t.z]});
    bool has_faces = false;
    for (const bv::TraceEvent& event : trace.events()) {
        if (const auto* added = std::get_if<bv::HullPointAdded>(&event); added && added->faces_added == 0)
            subject.tetrahedron.push_back(added->point_index);
        has_faces = has_faces || std::holds_alternative<bv::HullFaceAdded>(event);
    }
    subject.is_flat = !has_faces && subject.tetrahedron.size() > 2;
    if (fit_id == "obb.pca_hull")
        subject.spread_of = has_faces || subject.is_flat ? "the hull's surface" : "the hull's corners";
    walk_ = std::make_shared<const steps::Walk>(steps::algorithm(fit_id), std::move(subject), trace,
                                                verdict_of(*entry, volume, points));
    smallest_ = smaller_than(volume, points);
    flat_hull_ = {};
    if (const auto* hull = std::get_if<bv::Hull>(&volume); hull && hull->dimension < 3)
        flat_hull_ = {hull->vertices, hull->triangles, hull->edges};
}

void FitWalk::show_answer(FrameResults& results) const {
    if (!results.walk || (results.walk->number != 0 && results.walk->number != results.walk->of)) return;
    if (!flat_hull_.edges.empty()) put(results, flat_hull_, Role::Hull, {}, 0.2f).width_px = 3.0f;
    if (!smallest_) return;
    Exhibit& ball = put(results, *smallest_, Role::Selected,
                        fmt::format("smallest: {} m", number(static_cast<double>(smallest_->radius))));
    ball.legend = "smallest sphere";
    ball.width_px = 1.5f;
}

}  // namespace lab::scenes
