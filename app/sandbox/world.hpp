// The bodies and what finds their pairs: motion in fixed steps, refit of every volume, a dynamic tree as the
// broadphase, and the test of the chosen volumes.
#pragma once

#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bv/ids.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "sandbox/exact.hpp"
#include "sandbox/frame_results.hpp"
#include "sandbox/mesh_library.hpp"
#include "sandbox/volumes.hpp"

namespace lab {

/// What a new body is.
struct BodySpec {
    MeshId mesh;
    glm::vec3 position{0.0f};
    glm::quat orientation{1.0f, 0.0f, 0.0f, 0.0f};
    float scale = 1.0f;
    glm::vec3 velocity{0.0f};
    glm::vec3 angular_velocity{0.0f};  ///< rad/s about the world axes
    std::uint8_t shown = kShowAll;     ///< Bits of ShownVolume.
    std::string name;                  ///< Empty: mesh name and number.
};

struct Body {
    BodyState state;
    glm::vec3 position{0.0f};
    glm::quat orientation{1.0f, 0.0f, 0.0f, 0.0f};
    bv::ProxyId proxy;
};

enum class Contact : unsigned char { Pass, Bounce };

/// What the world needs to know of the settings.
struct WorldOptions {
    VolumeKind pair_kind = VolumeKind::Obb;
    Contact contact = Contact::Pass;
    bool exact = false;  ///< Test the meshes of pairs whose volumes overlap.
    bv::TreeOptions tree;
    friend bool operator==(const WorldOptions&, const WorldOptions&) = default;
};

class World {
  public:
    static constexpr std::size_t kMaxBodies = 200'000;

    /// `meshes` must outlive the world.
    explicit World(const MeshLibrary& meshes);
    /// A copy goes on exactly as the original would.
    World(const World&) = default;
    World& operator=(const World&) = delete;
    ~World() = default;

    /// Ids count from 1 and are not used again. Invalid if the world is full, the mesh is empty, or a number
    /// in `spec` is not finite.
    bv::BodyId add(const BodySpec& spec);
    bool remove(bv::BodyId id);
    /// No bodies, no room, and ids count from 1 again.
    void clear();

    /// In order of ids.
    [[nodiscard]] std::span<const Body> bodies() const { return bodies_; }
    [[nodiscard]] const Body* find(bv::BodyId id) const;
    [[nodiscard]] Body* find(bv::BodyId id);
    /// Puts a body somewhere else and refits it. False if there is no such body or the place is not finite.
    bool move(bv::BodyId id, const glm::vec3& position);

    /// The walls that reflect bodies. Empty: none.
    void set_room(const bv::Aabb& room) { room_ = room; }
    [[nodiscard]] const bv::Aabb& room() const { return room_; }
    /// Where the ray that follows the mouse starts; nothing: at the eye.
    void set_lamp(std::optional<glm::vec3> lamp) { lamp_ = lamp; }
    [[nodiscard]] const std::optional<glm::vec3>& lamp() const { return lamp_; }

    /// A change of the pair kind or of the fat margin builds the tree anew at once. Another way of inserting
    /// or balancing starts with the next operation: the tree changes while one looks on.
    void set_options(const WorldOptions& options);
    [[nodiscard]] const WorldOptions& options() const { return options_; }
    /// All bodies inserted into an empty tree, in order of ids.
    void rebuild_tree();

    /// One fixed step in four stages, timed into `timings`: motion, refit, broadphase, narrow phase.
    void step(float dt_s, TimingsMs& timings);
    /// Broadphase and narrow phase for the bodies as they stand.
    void find_pairs(TimingsMs& timings);

    [[nodiscard]] const PairStages& pairs() const { return pairs_; }
    [[nodiscard]] const bv::DynamicTree& tree() const { return tree_; }
    [[nodiscard]] const MeshLibrary& meshes() const { return meshes_; }
    /// About what a copy takes.
    [[nodiscard]] std::size_t memory_bytes() const;
    /// Of the room, or else of all bodies, however they turn.
    [[nodiscard]] bv::Aabb bounds() const;

  private:
    void move_bodies(float dt_s);
    void bounce();
    void refit_body(Body& body);

    const MeshLibrary& meshes_;
    WorldOptions options_;
    std::vector<Body> bodies_;
    bv::DynamicTree tree_;
    PairStages pairs_;
    ExactTester exact_;
    bv::Aabb room_;
    std::optional<glm::vec3> lamp_;
    std::uint32_t next_id_ = 1;
};

}  // namespace lab
