// Builds the results of a frame from the state: bodies, pairs, trees, rays, the heatmap and the output of the
// scene. All data kept between frames is cache.
#pragma once

#include <cstdint>
#include <optional>

#include "bv/shapes/ray.hpp"
#include "view/heatmap.hpp"
#include "view/ray_cache.hpp"

namespace lab {

struct FrameResults;
struct SessionParts;
struct SessionState;

class FrameBuilder {
  public:
    explicit FrameBuilder(SessionParts& parts);

    /// Rebuilds the results for the current state.
    void update();
    /// Updates before the first picture of a scene, when the results are still those of the previous scene;
    /// does nothing later.
    void update_before_first();
    /// Marks the results as out of date until the next `update`.
    void invalidate() { is_due_ = true; }
    [[nodiscard]] bool is_due() const { return is_due_; }
    /// Drops all caches: the state was replaced as a whole.
    void reset();
    /// Adds the broadphase's tree, if it has one, to the trees of the results.
    void add_bodies_tree();
    /// Lets the scene compute for these results, and counts a walk that it makes anew as its work.
    void analyze_scene(const FrameResults& results);
    /// Adds the output of the running scene.
    void show_scene(FrameResults& results);

    /// Compares this frame with brute force, once for every frame of the record.
    void verify();
    /// The same for a frame of the record that is shown again, which must not count twice.
    void verify_again();
    [[nodiscard]] bool is_verified() const;

    /// Casts a ray for a command or a picture; the same ray is cast once per state of the world.
    [[nodiscard]] const RayQuery& cast(RayQuery::Kind kind, const bv::Ray& ray);
    /// The ray that follows the mouse, given the hit seen from the eye: from the eye, or from the scene's
    /// light to the same point.
    [[nodiscard]] bv::Ray pointing_ray(const RayQuery& seen) const;

  private:
    void take_bodies();
    void cast_rays();
    void cast_heatmap();
    [[nodiscard]] std::optional<bv::Ray> sweeping_ray() const;

    SessionParts& parts_;
    SessionState& state_;
    HeatCaster heat_;
    RayCache rays_;
    std::optional<std::uint64_t> tree_revision_;    // revision of the tree in the results
    std::optional<std::uint64_t> bodies_revision_;  // revision of the bodies and pairs there
    std::optional<std::uint64_t> verified_;         // revision verified last
    bool is_due_ = false;
};

}  // namespace lab
