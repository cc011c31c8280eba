// Builds the results of a frame from the state: bodies, pairs, trees, rays, the heatmap and what the scene
// shows. Everything that is kept between frames is kept for speed alone.
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

    /// Fills the results anew for the state as it stands.
    void update();
    /// The results are those of another moment until the next `update`.
    void invalidate() { is_due_ = true; }
    [[nodiscard]] bool is_due() const { return is_due_; }
    /// The state was replaced as a whole: nothing kept is of use.
    void reset();
    /// Puts the tree of the bodies, if the broadphase keeps one, among the trees of the results.
    void lay_out_bodies_tree();
    /// Adds what the running scene shows.
    void show_scene(FrameResults& results);

    /// Compares this frame with brute force, once for every frame of the record.
    void verify();
    /// The same for a frame of the record that is seen once more: it is counted where it stands in the
    /// record.
    void verify_again();
    [[nodiscard]] bool is_verified() const;

    /// Rays of commands and of pictures, each cast once for each state of the world.
    [[nodiscard]] const RayQuery& cast(RayQuery::Kind kind, const bv::Ray& ray);
    /// The ray that follows the mouse, given what the eye sees there: from the eye, or from the scene's light
    /// to the same point.
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
    std::optional<std::uint64_t> tree_revision_;    // of the world whose tree is in the results
    std::optional<std::uint64_t> bodies_revision_;  // of the world whose bodies and pairs are
    std::optional<std::uint64_t> verified_;         // of the world that was verified last
    bool is_due_ = false;
};

}  // namespace lab
