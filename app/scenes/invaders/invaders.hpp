// The game of the scene voxel-invaders. Rows of voxel aliens march; a ship fires; every hit is found in two
// stages: boxes that overlap in a dynamic tree, then voxel against voxel by `bv::overlapping_voxels`.
// Everything follows from the seed, the steps and the actions of the player.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bv/tree/dynamic_tree.hpp"
#include "workloads/random.hpp"
#include "world/voxels/voxel_thing.hpp"

namespace lab {

class Invaders {
  public:
    enum class Kind : unsigned char { Alien, Ship, Bunker, Ground, Shot, Bomb, Chunk };
    struct Actor {
        Kind kind = Kind::Alien;
        std::uint32_t id = 0;
        VoxelThing thing;
        VoxelThing other_frame;  ///< The other animation frame of an alien, with the same damage.
        bv::ProxyId proxy;
        int row = 0, column = 0;
        float age_s = 0;
        bool gone = false;
    };
    /// Two actors whose boxes overlap in this step, and the result of their voxel test.
    struct Pair {
        std::uint32_t a = 0, b = 0;  ///< Ids, the smaller first.
        bool hit = false;
        bv::VoxelOverlapStats stats;
    };
    struct Counts {
        std::uint64_t box_pairs = 0, brick_tests = 0, voxel_tests = 0, hits = 0, broken_off = 0;
    };
    /// A voxel that was hit, for a moment.
    struct Flash {
        bv::Obb cube;
        float age_s = 0;
    };
    /// A loose voxel in flight.
    struct Spark {
        glm::vec3 position{0.0f}, velocity{0.0f};
        std::uint32_t color = 0;
        float age_s = 0, life_s = 1;
    };

    static constexpr float kVoxel = 0.1f;
    static constexpr float kHalfWidth = 6.8f;
    static constexpr float kTop = 9.2f;
    static constexpr int kColumns = 8, kRows = 4;
    static constexpr float kFlash_s = 0.35f;

    explicit Invaders(std::uint64_t seed);
    void step(float dt_s);

    // ---- the player; these suspend the autopilot for a while
    void steer(float metres);
    void steer_to(float x);
    void fire();
    [[nodiscard]] bool played() const { return hand_s_ > 0.0f; }

    // ---- contents
    [[nodiscard]] std::span<const Actor> actors() const { return actors_; }
    [[nodiscard]] const Actor* find(std::uint32_t id) const;
    [[nodiscard]] const Actor* ship() const { return find(ship_id_); }
    [[nodiscard]] std::span<const Pair> pairs() const { return pairs_; }
    [[nodiscard]] std::span<const Flash> flashes() const { return flashes_; }
    [[nodiscard]] std::span<const Spark> sparks() const { return sparks_; }
    [[nodiscard]] const bv::DynamicTree& tree() const { return tree_; }
    [[nodiscard]] const Counts& counts() const { return counts_; }        ///< Of this step.
    [[nodiscard]] const Counts& total_counts() const { return totals_; }  ///< Since the start.
    [[nodiscard]] int score() const { return score_; }
    [[nodiscard]] int wave() const { return wave_; }
    [[nodiscard]] int lives() const { return lives_; }
    [[nodiscard]] int aliens_left() const;
    [[nodiscard]] bool over() const { return over_s_ > 0.0f; }
    /// True if hits between the two count: shots and aliens, bombs and the ship, and so on.
    [[nodiscard]] static bool matters(Kind a, Kind b);

  private:
    Actor& add(Kind kind, VoxelThing thing);
    Actor* edit(std::uint32_t id);
    void begin_game();
    void begin_wave();
    void add_ship();
    void march(float dt_s);
    void drop_bombs();
    void steer_ship(float dt_s);
    void think();
    [[nodiscard]] std::optional<float> aim() const;
    [[nodiscard]] bool under_bunker(float x) const;
    void shoot();
    void move_all(float dt_s);
    void move_sparks(float dt_s);
    [[nodiscard]] float ground_height(const glm::vec3& at) const;
    void refit();
    void find_contacts();
    void resolve(Actor& a, Actor& b, const std::vector<bv::VoxelPair>& voxels);
    void strike(Actor& actor, const glm::ivec3& voxel, float radius, const glm::vec3& push);
    void break_apart(Actor& actor, const glm::vec3& push);
    void spill(const std::vector<LooseVoxel>& loose, const glm::vec3& push, float speed);
    void remove_gone();
    void check_state(float dt_s);

    bv::workloads::Random random_;
    std::vector<Actor> actors_;
    std::vector<Actor> born_;  ///< Added after the step, so that references stay valid.
    bv::DynamicTree tree_;
    std::vector<Pair> pairs_;
    std::vector<Flash> flashes_;
    std::vector<Spark> sparks_;
    Counts counts_, totals_;
    std::uint32_t next_id_ = 1;
    std::uint32_t ship_id_ = 0;
    float time_s_ = 0;
    float march_phase_ = 0;  ///< Steps of the march; each whole one switches the animation frame.
    float march_x_ = 0, march_y_ = 0, march_direction_ = 1;
    float target_x_ = 0;
    float reload_s_ = 0, bomb_s_ = 1.5f, hand_s_ = 0, respawn_s_ = 0, over_s_ = 0;
    bool trigger_ = false;
    int score_ = 0, wave_ = 0, lives_ = 3;
};

}  // namespace lab
