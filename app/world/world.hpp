// The bodies and the pipeline that finds their pairs: motion in fixed steps, refit of the chosen volumes, a
// broadphase of the chosen kind, and the tests of the chosen volumes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bv/ids.hpp"
#include "bv/shapes/aabb.hpp"
#include "results/frame_results.hpp"
#include "results/stamp.hpp"
#include "world/bodies/body.hpp"
#include "world/bodies/body_list.hpp"
#include "world/bodies/motion.hpp"
#include "world/mesh_library.hpp"
#include "world/pair_finder.hpp"
#include "world/world_options.hpp"

namespace lab {

/// Describes a body to add.
struct BodySpec {
    MeshId mesh;
    glm::vec3 position{0.0f};
    glm::quat orientation{1.0f, 0.0f, 0.0f, 0.0f};
    float scale = 1.0f;
    glm::vec3 velocity{0.0f};
    glm::vec3 angular_velocity{0.0f};  ///< rad/s about the world axes
    Motion motion;
    OwnChoice own;
    VolumeSet shown = kShowAll;
    std::string name;  ///< Empty: the mesh's name and a number.
};

class World {
  public:
    static constexpr std::size_t kMaxBodies = 200'000;

    /// `meshes` must outlive the world.
    explicit World(const MeshLibrary& meshes);
    /// A copy continues exactly as the original would.
    World(const World&) = default;
    World& operator=(const World&) = default;
    World(World&&) = default;
    World& operator=(World&&) = default;
    ~World() = default;

    /// In order of ids, with their volumes.
    [[nodiscard]] const BodyList& bodies() const { return bodies_; }
    [[nodiscard]] const Body* find(bv::BodyId id) const { return bodies_.find(id); }
    /// The id of the next body.
    [[nodiscard]] bv::BodyId next_id() const { return {next_id_}; }

    /// Ids count up from 1 and are never reused. Invalid if the world is full, the mesh is empty, or a number
    /// in `spec` is not finite.
    bv::BodyId add(const BodySpec& spec);
    bool remove(bv::BodyId id);
    /// The same for many at once; ids that are unknown, or named before, are skipped. Returns how many were
    /// removed.
    std::size_t remove(std::span<const bv::BodyId> ids);
    /// Restores removed bodies, with their ids. Leaves out bodies whose id is in use, and those for which the
    /// world has no room; returns how many it took.
    std::size_t put_back(std::vector<Body> bodies);
    /// Removes all bodies; ids continue to count up.
    void remove_all();
    /// Removes bodies and arena; ids count from 1 again.
    void clear();
    /// Rebuilds all derived data after a change that was interrupted by an exception (out of memory).
    void repair();

    /// Gives access to a body for changing it; pairs are then found anew.
    [[nodiscard]] Body* edit(bv::BodyId id);
    /// A hidden body is not hit by rays. False if there is no such body.
    bool set_hidden(bv::BodyId id, bool hidden);
    /// Moves a body and refits it. False if there is no such body or the position is not finite.
    bool move(bv::BodyId id, const glm::vec3& position);
    /// The same with another orientation, which need not have unit length.
    bool place(bv::BodyId id, const glm::vec3& position, const glm::quat& orientation);
    /// Gives a body its own choice of volumes. False if there is no such body, or its box is not finite.
    bool choose(bv::BodyId id, const OwnChoice& own);

    /// The box whose walls reflect bodies. Empty: none.
    void set_arena(const bv::Aabb& arena) { arena_ = arena; }
    [[nodiscard]] const bv::Aabb& arena() const { return arena_; }
    /// The origin of the ray that follows the mouse; without a value it starts at the eye.
    void set_light(std::optional<glm::vec3> light) { light_ = light; }
    [[nodiscard]] const std::optional<glm::vec3>& light() const { return light_; }
    /// Bounds of the arena, or without one of all bodies in any orientation.
    [[nodiscard]] bv::Aabb bounds() const;

    /// Takes effect at once. A change of broadphase, of the kind or fit of volumes, or of the fat margin
    /// restarts the engine with all bodies. A change of insertion or balancing applies from the next
    /// operation on, so that one can watch the tree change.
    void set_options(const WorldOptions& options);
    [[nodiscard]] const WorldOptions& options() const { return options_; }
    /// Rebuilds the engine's tree by `builder`, or without one by inserting all bodies in order of ids into
    /// an empty tree.
    void rebuild_tree(std::optional<bv::Builder> builder);

    /// One fixed step in four stages, timed into `timings`: motion, refit, broadphase, narrow phase.
    void step(float dt_s, TimingsMs& timings);
    /// Broadphase and narrow phase for the bodies as they are. Does nothing unless something has changed.
    void find_pairs(TimingsMs& timings);
    /// Updates the engine if bodies have been moved since its last update.
    void settle() { finder_.settle(); }
    /// The pairs found last, and the engine that found them.
    [[nodiscard]] const PairFinder& finder() const { return finder_; }
    /// True if something has changed since the pairs were found.
    [[nodiscard]] bool pairs_due() const { return pairs_due_; }

    /// Identifies the state of everything visible to pictures and queries: a new stamp after every change,
    /// never one of another world. A copy shares its original's until either changes.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }
    /// The same for the engine alone, which does not change in a step without motion.
    [[nodiscard]] std::uint64_t engine_revision() const { return engine_revision_; }
    /// The approximate size of a copy.
    [[nodiscard]] std::size_t memory_bytes() const;

  private:
    bool move_bodies(float dt_s);
    void bounce();
    void stop();
    void update_pairs(TimingsMs& timings, PairFinder::For purpose);
    bool append(Body body);
    void restart_engine();
    void changed() {
        revision_ = next_stamp();
        pairs_due_ = true;
    }
    void engine_changed() {
        engine_revision_ = next_stamp();
        changed();
    }

    WorldOptions options_;
    BodyList bodies_;
    PairFinder finder_;
    bv::Aabb arena_;
    std::optional<glm::vec3> light_;
    std::uint32_t next_id_ = 1;
    std::uint64_t revision_ = next_stamp();
    std::uint64_t engine_revision_ = next_stamp();
    bool pairs_due_ = true;
};

}  // namespace lab
