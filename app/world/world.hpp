// The bodies and what finds their pairs: motion in fixed steps, refit of the volumes that decide, a
// broadphase of the chosen kind, and the test of the chosen volumes.
#pragma once

#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bv/assert.hpp"
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

/// What a new body is.
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
    std::string name;  ///< Empty: mesh name and number.
};

enum class Contact : unsigned char { Pass, Bounce, Stop };

/// What the world needs to know of the settings.
struct WorldOptions {
    VolumeChoice volumes;  ///< Of bodies without a choice of their own.
    Contact contact = Contact::Pass;
    bool exact = false;  ///< Test the meshes or voxels of pairs whose volumes overlap.
    ExactBy exact_by = ExactBy::Meshes;
    bv::BroadphaseKind broadphase = bv::BroadphaseKind::WideTree;
    bv::TreeOptions tree;  ///< Of the dynamic tree.
    bv::RayMode ray_mode = bv::RayMode::Watertight;
    friend bool operator==(const WorldOptions&, const WorldOptions&) = default;
};

/// A broadphase that is copied with whoever holds it: the copy goes on exactly as the original would.
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

class World {
  public:
    static constexpr std::size_t kMaxBodies = 200'000;
    /// Brute force tests half the square of the bodies in every step. With more bodies than this the wide
    /// tree stands in for it.
    static constexpr std::size_t kMaxBruteForce = 20'000;
    /// Where boxes lie so that an engine needs more tests than this for a step, the wide tree stands in for
    /// it from the next step on, until another engine is chosen.
    static constexpr std::uint64_t kMaxTests = 300'000'000;
    /// With more pairs of volumes than these the exact stage is left out, or a frame would last for minutes.
    static constexpr std::size_t kMaxExactPairs = 100'000;
    /// Further pairs of boxes are counted and not kept: bodies in one place make pairs in proportion to their
    /// square, and memory would run out. Beyond the second number they are no longer counted, either.
    static constexpr std::size_t kMaxPairs = 2'000'000;
    static constexpr std::uint64_t kMaxCountedPairs = 100'000'000;

    /// `meshes` must outlive the world.
    explicit World(const MeshLibrary& meshes);
    /// A copy goes on exactly as the original would.
    World(const World&) = default;
    World& operator=(const World&) = default;
    World(World&&) = default;
    World& operator=(World&&) = default;
    ~World() = default;

    /// Ids count from 1 and are not used again. Invalid if the world is full, the mesh is empty, or a number
    /// in `spec` is not finite.
    bv::BodyId add(const BodySpec& spec);
    bool remove(bv::BodyId id);
    /// All bodies; ids go on counting.
    void remove_all();
    /// After a change that threw halfway, for want of memory: everything that follows from the bodies is made
    /// anew.
    void mend();
    /// No bodies, no room, and ids count from 1 again.
    void clear();

    /// What the next body will be called.
    [[nodiscard]] bv::BodyId next_id() const { return {next_id_}; }
    /// In order of ids.
    [[nodiscard]] std::span<const Body> bodies() const { return bodies_; }
    [[nodiscard]] const Body* find(bv::BodyId id) const;
    /// Where a body of this world stands in the list.
    [[nodiscard]] std::size_t place_of(const Body& body) const { return index_[body.state.id.value]; }
    /// To change it; the pairs are then found anew.
    [[nodiscard]] Body* edit(bv::BodyId id);
    /// A hidden body is not hit by rays. False if there is no such body.
    bool set_hidden(bv::BodyId id, bool hidden);
    /// Puts a body somewhere else and refits it. False if there is no such body or the place is not finite.
    bool move(bv::BodyId id, const glm::vec3& position);
    /// The same with another orientation, which need not have unit length.
    bool place(bv::BodyId id, const glm::vec3& position, const glm::quat& orientation);
    /// Lets a body have volumes of its own choice. False if there is no such body, or its box is not finite.
    bool choose(bv::BodyId id, const OwnChoice& own);
    /// Brings a body back as it was, with its id. False if there is one of that id, or no room.
    bool put_back(const Body& body);

    /// The walls that reflect bodies. Empty: none.
    void set_room(const bv::Aabb& room) { room_ = room; }
    [[nodiscard]] const bv::Aabb& room() const { return room_; }
    /// Where the ray that follows the mouse starts; nothing: at the eye.
    void set_lamp(std::optional<glm::vec3> lamp) { lamp_ = lamp; }
    [[nodiscard]] const std::optional<glm::vec3>& lamp() const { return lamp_; }

    /// Everything acts at once. Another broadphase, kind or fit of volumes or fat margin starts an engine
    /// anew with all bodies; another way of inserting or balancing starts with the next operation: the tree
    /// changes while one looks on.
    void set_options(const WorldOptions& options);
    [[nodiscard]] const WorldOptions& options() const { return options_; }
    /// The engine's tree built at once by `builder`, or without one by inserting all bodies in order of ids
    /// into an empty tree.
    void rebuild_tree(std::optional<bv::Builder> builder);

    /// One fixed step in four stages, timed into `timings`: motion, refit, broadphase, narrow phase.
    void step(float dt_s, TimingsMs& timings);
    /// Broadphase and narrow phase for the bodies as they stand. Nothing is done while nothing has changed.
    void find_pairs(TimingsMs& timings);

    [[nodiscard]] const PairStages& pairs() const { return pairs_; }
    /// The engine that finds the pairs: that of the options, but for brute force over too many bodies.
    /// Whoever moved bodies by hand calls `settle` first.
    [[nodiscard]] const bv::Broadphase& broadphase() const {
        BV_ASSERT(!engine_due_);
        return *engine_;
    }
    /// Lets the engine know where bodies that were moved by hand are now, so that rays find them there.
    /// Hundreds that are moved together cost one update and not hundreds. `step` and `find_pairs` do it, too.
    void settle();
    // ---- volumes of bodies of this world, as they stood at the last refit
    /// Around the vertices.
    [[nodiscard]] const bv::Aabb& tight_box(const Body& body) const;
    /// These three are carried along when asked for.
    [[nodiscard]] bv::Sphere sphere(const Body& body) const;
    [[nodiscard]] bv::Aabb fixed_box(const Body& body) const;
    [[nodiscard]] bv::Obb obb(const Body& body) const;
    [[nodiscard]] BodyVolume volume(VolumeKind kind, const Body& body) const;
    /// Contains the body's chosen volume and its mesh: what the broadphase holds.
    [[nodiscard]] bv::Aabb broad_box(const Body& body) const;
    /// Whether the ray meets the body's chosen volume within its t_max.
    [[nodiscard]] bool ray_meets(const bv::Ray& ray, const Body& body) const;
    /// By place: the tight box of every body, and of each the volume that decides about its pairs. Others are
    /// whatever they were.
    [[nodiscard]] const BodyVolumes& volumes() const { return volumes_; }

    [[nodiscard]] const BroadphaseFrame& broadphase_frame() const { return broadphase_frame_; }
    /// Names the state of everything that a picture or a query could show: another stamp after every change,
    /// never that of another world. A copy has its original's, until either of them changes.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }
    /// The same for the engine alone: bodies that stand still in it may take a step without a change.
    /// The chosen engine needed more than kMaxTests: another one stands in for it.
    [[nodiscard]] bool is_too_slow() const {
        return options_.broadphase != bv::BroadphaseKind::WideTree && too_slow_ == options_.broadphase;
    }
    [[nodiscard]] std::uint64_t engine_revision() const { return engine_revision_; }
    /// Something has changed since the pairs were found.
    [[nodiscard]] bool pairs_due() const { return pairs_due_; }
    /// Triangles of all bodies that are not hidden: what a ray would test without any tree.
    [[nodiscard]] std::uint64_t visible_triangles() const { return visible_triangles_; }
    [[nodiscard]] const MeshLibrary& meshes() const { return *meshes_; }
    /// About what a copy takes.
    [[nodiscard]] std::size_t memory_bytes() const;
    /// Of the room, or else of all bodies, however they turn.
    [[nodiscard]] bv::Aabb bounds() const;

  private:
    bool move_bodies(float dt_s);
    void bounce();
    void stop();
    /// Of a body in the list: its transform, its tight box, and the volume that decides.
    void refit_body(std::size_t place);
    void refit_all();
    void refit_column(VolumeKind kind, bool every_body);
    /// Elements without a value for a body that is about to come in at a place.
    void insert_volumes(std::size_t place);
    void erase_volumes(std::size_t place);
    [[nodiscard]] bv::Aabb broad_box_at(std::size_t place) const;
    /// Of a body that is not in the list.
    [[nodiscard]] bv::Aabb broad_box_of(Body body) const;
    void start_engine();
    void enter(Body& body, const bv::Aabb& box);
    bool take_in(Body body, std::size_t place);
    void find_broad_pairs();
    void find_volume_pairs();
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
    std::vector<std::uint32_t> index_;  // of the body of each id
    BodyVolumes volumes_;
    VolumeSet kinds_on_ = VolumeKind::AabbTight;  // which of the columns are kept
    OwnBroadphase engine_;
    bool engine_due_ = false;                // bodies were moved by hand since its last update
    std::vector<bv::BodyId> body_of_proxy_;  // by the proxy's index
    std::vector<bv::ProxyPair> found_;
    PairStages pairs_;
    BroadphaseFrame broadphase_frame_;
    ExactTester exact_;
    PairMemory remembered_;
    bv::Aabb room_;
    std::optional<glm::vec3> lamp_;
    std::uint32_t next_id_ = 1;
    std::uint64_t revision_ = next_stamp();
    std::uint64_t engine_revision_ = next_stamp();
    std::uint64_t visible_triangles_ = 0;
    bool pairs_due_ = true;
    std::optional<bv::BroadphaseKind> too_slow_;  // needed more than kMaxTests
};

}  // namespace lab
