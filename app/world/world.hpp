// The bodies and the pipeline that finds their pairs: motion in fixed steps, refit of the chosen volumes, a
// broadphase of the chosen kind, and the tests of the chosen volumes.
#pragma once

#include <cassert>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bv/broadphase/broadphase.hpp"
#include "bv/ids.hpp"
#include "bv/shapes/aabb.hpp"
#include "results/frame_results.hpp"
#include "results/stamp.hpp"
#include "world/bodies/body.hpp"
#include "world/bodies/motion.hpp"
#include "world/exact.hpp"
#include "world/mesh_library.hpp"
#include "world/volumes.hpp"

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

enum class Contact : unsigned char { Pass, Bounce, Stop };

/// The world's part of the settings.
struct WorldOptions {
    VolumeChoice volumes;  ///< For bodies without their own choice.
    Contact contact = Contact::Pass;
    bool exact = false;  ///< Test the meshes or voxels of pairs whose volumes overlap.
    ExactBy exact_by = ExactBy::Meshes;
    bv::BroadphaseKind broadphase = bv::BroadphaseKind::WideTree;
    bv::TreeOptions tree;  ///< For the dynamic tree.
    bv::RayMode ray_mode = bv::RayMode::Watertight;
    friend bool operator==(const WorldOptions&, const WorldOptions&) = default;
};

/// An owned broadphase as a value: a copy continues exactly as the original would.
class OwnBroadphase {
  public:
    explicit OwnBroadphase(std::unique_ptr<bv::Broadphase> engine) : engine_(std::move(engine)) {}
    OwnBroadphase(const OwnBroadphase& other) : engine_(other.engine_->clone()) {}
    OwnBroadphase(OwnBroadphase&&) noexcept = default;
    OwnBroadphase& operator=(const OwnBroadphase& other) {
        if (this != &other) engine_ = other.engine_->clone();
        return *this;
    }
    OwnBroadphase& operator=(OwnBroadphase&&) noexcept = default;
    ~OwnBroadphase() = default;

    [[nodiscard]] bv::Broadphase* operator->() { return engine_.get(); }
    [[nodiscard]] const bv::Broadphase* operator->() const { return engine_.get(); }
    [[nodiscard]] const bv::Broadphase& operator*() const { return *engine_; }

  private:
    std::unique_ptr<bv::Broadphase> engine_;
};

/// Arrays of one step, with an element for each body, which later steps use again. A copy has none.
struct StepMemory {
    std::vector<bv::ProxyId> proxies;
    std::vector<bv::Aabb> boxes;
    std::vector<glm::vec3> displacements;
    std::vector<VolumeKind> kinds;
    std::vector<std::uint8_t> colliding;

    StepMemory() = default;
    StepMemory(const StepMemory& /*other*/) {}
    StepMemory(StepMemory&&) noexcept = default;
    StepMemory& operator=(const StepMemory& /*other*/) { return *this; }
    StepMemory& operator=(StepMemory&&) noexcept = default;
    ~StepMemory() = default;
};

class World {
  public:
    static constexpr std::size_t kMaxBodies = 200'000;
    /// Brute force tests n^2 / 2 pairs in every step. With more bodies the wide tree replaces it.
    static constexpr std::size_t kMaxBruteForce = 20'000;
    /// After a step in which an engine needs more tests, the wide tree replaces it until another engine is
    /// chosen.
    static constexpr std::uint64_t kMaxTests = 300'000'000;
    /// With more pairs of volumes the exact stage is skipped: it would take minutes.
    static constexpr std::size_t kMaxExactPairs = 100'000;
    /// Further pairs of boxes are only counted: n bodies in one place make n^2 / 2 pairs, and memory would
    /// run out. Beyond the second limit they are not counted either.
    static constexpr std::size_t kMaxPairs = 2'000'000;
    static constexpr std::uint64_t kMaxCountedPairs = 100'000'000;

    /// `meshes` must outlive the world.
    explicit World(const MeshLibrary& meshes);
    /// A copy continues exactly as the original would.
    World(const World&) = default;
    World& operator=(const World&) = default;
    World(World&&) = default;
    World& operator=(World&&) = default;
    ~World() = default;

    /// Ids count up from 1 and are never reused. Invalid if the world is full, the mesh is empty, or a number
    /// in `spec` is not finite.
    bv::BodyId add(const BodySpec& spec);
    bool remove(bv::BodyId id);
    /// The same for many at once; ids that are unknown, or named before, are skipped. Returns how many were
    /// removed.
    std::size_t remove(std::span<const bv::BodyId> ids);
    /// Removes all bodies; ids continue to count up.
    void remove_all();
    /// Rebuilds all derived data after a change that was interrupted by an exception (out of memory).
    void repair();
    /// Removes bodies and arena; ids count from 1 again.
    void clear();

    /// The id of the next body.
    [[nodiscard]] bv::BodyId next_id() const { return {next_id_}; }
    /// In order of ids.
    [[nodiscard]] std::span<const Body> bodies() const { return bodies_; }
    [[nodiscard]] const Body* find(bv::BodyId id) const;
    /// The index in `bodies()` of a body of this world.
    [[nodiscard]] std::size_t place_of(const Body& body) const { return index_[body.state.id.value]; }
    /// For changing it; pairs are then found anew.
    [[nodiscard]] Body* edit(bv::BodyId id);
    /// A hidden body is not hit by rays. False if there is no such body.
    bool set_hidden(bv::BodyId id, bool hidden);
    /// Moves a body and refits it. False if there is no such body or the position is not finite.
    bool move(bv::BodyId id, const glm::vec3& position);
    /// The same with another orientation, which need not have unit length.
    bool place(bv::BodyId id, const glm::vec3& position, const glm::quat& orientation);
    /// Gives a body its own choice of volumes. False if there is no such body, or its box is not finite.
    bool choose(bv::BodyId id, const OwnChoice& own);
    /// Restores removed bodies, with their ids. Leaves out those whose id is in use and what the world has no
    /// room for; returns how many it took.
    std::size_t put_back(std::vector<Body> bodies);

    /// The box whose walls reflect bodies. Empty: none.
    void set_arena(const bv::Aabb& arena) { arena_ = arena; }
    [[nodiscard]] const bv::Aabb& arena() const { return arena_; }
    /// The origin of the ray that follows the mouse; without a value it starts at the eye.
    void set_light(std::optional<glm::vec3> light) { light_ = light; }
    [[nodiscard]] const std::optional<glm::vec3>& light() const { return light_; }

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

    [[nodiscard]] const PairStages& pairs() const { return pairs_; }
    /// The engine that finds the pairs: the chosen one, or the wide tree in its place. After `move`, `place`
    /// or `choose` it needs a `settle` first.
    [[nodiscard]] const bv::Broadphase& broadphase() const {
        assert(!engine_due_);
        return *engine_;
    }
    /// Updates the engine if bodies have been moved since its last update: hundreds of moves cost one.
    void settle();

    // ---- volumes of bodies of this world, as of the last refit
    /// Around the vertices.
    [[nodiscard]] const bv::Aabb& tight_box(const Body& body) const;
    /// Computed on demand.
    [[nodiscard]] bv::Sphere sphere(const Body& body) const;
    [[nodiscard]] bv::Aabb fixed_box(const Body& body) const;
    [[nodiscard]] bv::Obb obb(const Body& body) const;
    [[nodiscard]] BodyVolume volume(VolumeKind kind, const Body& body) const;
    /// Contains the body's chosen volume and its mesh. Held by the broadphase.
    [[nodiscard]] bv::Aabb broad_box(const Body& body) const;
    /// True if the ray hits the body's chosen volume within its t_max.
    [[nodiscard]] bool ray_meets(const bv::Ray& ray, const Body& body) const;
    /// By index: the tight box of every body, and its chosen volume. Other elements are out of date.
    [[nodiscard]] const BodyVolumes& volumes() const { return volumes_; }

    [[nodiscard]] const BroadphaseFrame& broadphase_frame() const { return broadphase_frame_; }
    /// Identifies the state of everything visible to pictures and queries: a new stamp after every change,
    /// never one of another world. A copy shares its original's until either changes.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }
    /// The same for the engine alone, which does not change in a step without motion.
    [[nodiscard]] std::uint64_t engine_revision() const { return engine_revision_; }
    /// True if the chosen engine needed more than kMaxTests, and the wide tree replaces it.
    [[nodiscard]] bool is_too_slow() const {
        return options_.broadphase != bv::BroadphaseKind::WideTree && too_slow_ == options_.broadphase;
    }
    /// True if something has changed since the pairs were found.
    [[nodiscard]] bool pairs_due() const { return pairs_due_; }
    /// Triangles of all visible bodies: the tests of a ray without any tree.
    [[nodiscard]] std::uint64_t visible_triangles() const { return visible_triangles_; }
    [[nodiscard]] const MeshLibrary& meshes() const { return *meshes_; }
    /// The approximate size of a copy.
    [[nodiscard]] std::size_t memory_bytes() const;
    /// Bounds of the arena, or without one of all bodies in any orientation.
    [[nodiscard]] bv::Aabb bounds() const;

  private:
    bool move_bodies(float dt_s);
    void bounce();
    void stop();
    /// Updates transform, tight box and chosen volume of a body in the list.
    void refit_body(std::size_t place);
    void refit_all();
    void refit_column(VolumeKind kind, bool every_body);
    /// Inserts unset elements for a body that is about to be inserted at an index.
    void append_volume();
    /// Makes row i that which was row `from[i]`, or a new one where that is no row.
    void rearrange_volumes(std::span<const std::uint32_t> from);
    [[nodiscard]] bv::Aabb broad_box_at(std::size_t place) const;
    /// For a body that is not in the list.
    [[nodiscard]] bv::Aabb broad_box_of(Body body) const;
    void start_engine();
    void enter(Body& body, const bv::Aabb& box);
    bool append(Body body);
    void move_proxies(float dt_s);
    void find_broad_pairs();
    void find_volume_pairs();
    void find_exact_pairs();
    void mark_colliding();
    void changed() {
        revision_ = next_stamp();
        pairs_due_ = true;
    }
    void engine_changed() {
        engine_revision_ = next_stamp();
        changed();
    }
    [[nodiscard]] std::size_t triangles_of(const Body& body) const;
    [[nodiscard]] bv::BroadphaseKind affordable_kind() const;
    [[nodiscard]] Body* at(bv::BodyId id);
    void index_from(std::size_t first);

    const MeshLibrary* meshes_;
    WorldOptions options_;
    std::vector<Body> bodies_;
    std::vector<std::uint32_t> index_;  // of each id's body
    BodyVolumes volumes_;
    VolumeSet kinds_on_ = VolumeKind::AabbTight;  // the columns that are up to date
    OwnBroadphase engine_;
    bool engine_due_ = false;                // bodies were moved since its last update
    std::vector<bv::BodyId> body_of_proxy_;  // by the proxy's index
    std::vector<bv::ProxyPair> found_;
    StepMemory step_memory_;
    PairStages pairs_;
    BroadphaseFrame broadphase_frame_;
    ExactTester exact_;
    PairMemory remembered_;
    bv::Aabb arena_;
    std::optional<glm::vec3> light_;
    std::uint32_t next_id_ = 1;
    std::uint64_t revision_ = next_stamp();
    std::uint64_t engine_revision_ = next_stamp();
    std::uint64_t visible_triangles_ = 0;
    bool pairs_due_ = true;
    std::optional<bv::BroadphaseKind> too_slow_;  // the kind that needed more than kMaxTests
};

}  // namespace lab
