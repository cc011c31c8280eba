#include "scenes/fits/fit_walk.hpp"

#include "bv/assert.hpp"
#include "bv/fit/catalog.hpp"
#include "bv/fit/obb.hpp"
#include "bv/fit/sphere.hpp"

namespace lab::scenes {
namespace {

constexpr std::size_t kMaxEvents = 100'000;

std::string hull_verdict(const bv::Hull& hull) {
    switch (hull.dimension) {
        case 0:
            return "All points coincide.";
        case 1:
            return "The points lie on a line: their hull is a segment.";
        case 2:
            return fmt::format("The points lie in a plane: their hull is a polygon with {} corners.",
                               hull.vertices.size());
        default:
            return fmt::format("Quickhull: {} corners, {} triangles, volume {} m³.", hull.vertices.size(),
                               hull.triangles.size(), number(hull.volume()));
    }
}

std::string verdict_of(const bv::fit::FitEntry& entry, const bv::fit::Volume& volume,
                       const PointSet& points) {
    const std::span<const glm::vec3> all = points.points();
    std::string verdict;
    if (all.empty())
        verdict = "There are no points.";
    else if (const auto* ball = std::get_if<bv::Sphere>(&volume))
        verdict = fmt::format("{}: radius {} m, {} times the smallest.", entry.name, number(ball->radius),
                              number(ball->radius / std::max(bv::fit::sphere_exact(all).radius, 1e-30f)));
    else if (std::holds_alternative<bv::Obb>(volume)) {
        const double smallest = bv::fit::volume_of(bv::fit::obb_exact(all));
        verdict = fmt::format("{}: volume {} m³", entry.name, number(bv::fit::volume_of(volume)));
        verdict += smallest > 0 ? fmt::format(", {} times the smallest, which has {} m³.",
                                              number(bv::fit::volume_of(volume) / smallest), number(smallest))
                                : ": the points lie in a plane.";
    } else if (const auto* hull = std::get_if<bv::Hull>(&volume))
        verdict = hull_verdict(*hull);
    else
        verdict = fmt::format("{}: volume {} m³.", entry.name, number(bv::fit::volume_of(volume)));
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
    for (const glm::uvec3& t : points.triangles())
        subject.triangles.push_back({subject.points[t.x], subject.points[t.y], subject.points[t.z]});
    for (const bv::TraceEvent& event : trace.events())
        if (const auto* added = std::get_if<bv::HullPointAdded>(&event); added && added->faces_added == 0)
            subject.tetrahedron.push_back(added->point_index);
    walk_ = std::make_shared<const steps::Walk>(steps::algorithm(fit_id), std::move(subject), trace,
                                                verdict_of(*entry, volume, points));
}

}  // namespace lab::scenes
