#include "scenes/fits/fit_walk.hpp"

#include "bv/assert.hpp"
#include "bv/fit/catalog.hpp"
#include "bv/fit/obb.hpp"
#include "bv/fit/sphere.hpp"
#include "results/put.hpp"

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
    std::string verdict;
    if (all.empty())
        verdict = "There are no points.";
    else if (const auto* ball = std::get_if<bv::Sphere>(&volume))
        verdict =
            fmt::format("{}: radius {} m, {}.", entry.name, number(ball->radius),
                        ratio_text(static_cast<double>(ball->radius) /
                                   std::max(static_cast<double>(bv::fit::sphere_exact(all).radius), 1e-30)));
    else if (std::holds_alternative<bv::Obb>(volume)) {
        const double smallest = bv::fit::volume_of(bv::fit::obb_exact(all));
        verdict = fmt::format("{}: volume {} m³", entry.name, number(bv::fit::volume_of(volume)));
        const double ratio = bv::fit::volume_of(volume) / smallest;
        verdict += !(smallest > 0) ? ": the points lie in a plane."
                   : ratio <= 1.0005
                       ? fmt::format(", {}.", ratio_text(ratio))
                       : fmt::format(", {}, which has {} m³.", ratio_text(ratio), number(smallest));
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
    smallest_ = smaller_than(volume, points);
}

void FitWalk::show_smallest(FrameResults& results) const {
    if (!smallest_ || !results.walk) return;
    if (results.walk->number != 0 && results.walk->number != results.walk->of) return;
    Exhibit& ball = put(results, *smallest_, Role::Selected,
                        fmt::format("smallest: {} m", number(static_cast<double>(smallest_->radius))));
    ball.legend = "smallest sphere";
    ball.width_px = 1.5f;
}

}  // namespace lab::scenes
