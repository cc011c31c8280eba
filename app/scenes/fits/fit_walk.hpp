// Shared by the fitting scenes: a walk through a fit of core's catalog, rebuilt when its points or
// its algorithm change.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "bv/fit/volume.hpp"
#include "scenes/fits/point_set.hpp"
#include "steps/walk.hpp"

namespace lab::scenes {

class FitWalk {
  public:
    /// A row of core's catalog whose traced form is stepped, as `steps::algorithms()` names it, too.
    void follow(const SceneContext& context, std::string_view fit_id);
    [[nodiscard]] const steps::Walk* get() const { return walk_.get(); }
    /// At the end, adds the smallest sphere beside one that is larger, so that the picture shows by how much;
    /// or the segment or polygon of a hull without faces.
    void show_answer(FrameResults& results) const;

    PointSet points;

  private:
    std::string fit_id_;
    std::uint64_t revision_ = 0;
    std::shared_ptr<const steps::Walk> walk_;
    std::optional<bv::Sphere> smallest_;  ///< If the fit is a sphere that is visibly larger.
    Polytope flat_hull_;                  ///< Of points in a plane or on a line; else empty.
};

/// A scene that steps a fit of one kind of volume; `Kind` names the setting of its algorithm and the group of
/// the catalog.
template <class Kind>
class FitScene final : public SceneOf<FitScene<Kind>> {
  public:
    void setup(SceneContext& context) override { clear_the_board(context.settings); }
    void adapt(SceneContext& context) override { fit_.points.follow(context); }
    void analyze(const SceneContext& context, const FrameResults&) override {
        fit_.follow(context, Kind::fit_id(context.settings));
    }
    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        return fit_.points.drag(id, position);
    }
    bool play(SceneContext& context, std::string_view action) override {
        return fit_.points.play(context, action);
    }
    [[nodiscard]] SceneInput input() const override { return fit_.points.input(); }
    [[nodiscard]] std::size_t input_size() const override { return fit_.points.points().size(); }
    void restore(const SceneInput&, const SceneInput& to) override { fit_.points.restore(to); }
    void show(const SceneContext&, FrameResults& results) const override {
        fit_.points.show_handles(results);
        fit_.show_answer(results);
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return fit_.get(); }

  private:
    FitWalk fit_;
};

}  // namespace lab::scenes
