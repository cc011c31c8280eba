#include "scenes/fits/fit_walk.hpp"

#include "bv/assert.hpp"
#include "bv/fit/catalog.hpp"
#include "bv/fit/sphere.hpp"

namespace lab::scenes {
namespace {

constexpr std::size_t kMaxEvents = 100'000;

std::string verdict_of(const bv::fit::FitEntry& entry, const bv::fit::Volume& volume,
                       const PointSet& points) {
    const std::span<const glm::vec3> all = points.points();
    std::string verdict;
    if (all.empty())
        verdict = "There are no points.";
    else if (const auto* ball = std::get_if<bv::Sphere>(&volume))
        verdict = fmt::format("{}: radius {} m, {} of the smallest.", entry.name, number(ball->radius),
                              number(ball->radius / std::max(bv::fit::sphere_exact(all).radius, 1e-30f)));
    else
        verdict = fmt::format("{}: volume {} m³.", entry.name, number(bv::fit::volume_of(volume)));
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
    walk_ = std::make_shared<const steps::Walk>(steps::algorithm(fit_id), std::move(subject), trace,
                                                verdict_of(*entry, volume, points));
}

}  // namespace lab::scenes
