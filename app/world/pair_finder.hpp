// Finds the pairs of bodies in three stages: a broadphase of the chosen kind, the tests of the chosen
// volumes, and the exact tests of meshes or voxels.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bv/broadphase/broadphase.hpp"
#include "bv/ids.hpp"
#include "bv/shapes/aabb.hpp"
#include "results/frame_results.hpp"
#include "world/bodies/body_list.hpp"
#include "world/exact.hpp"
#include "world/world_options.hpp"

namespace lab {

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

class PairFinder {
  public:
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

    explicit PairFinder(const WorldOptions& options);

    [[nodiscard]] const PairStages& pairs() const { return pairs_; }
    /// The engine that finds the pairs: the chosen one, or the wide tree in its place. After `move` it needs
    /// a `settle` first.
    [[nodiscard]] const bv::Broadphase& engine() const {
        assert(!engine_due_);
        return *engine_;
    }
    [[nodiscard]] const BroadphaseFrame& frame() const { return frame_; }
    /// True if the chosen engine needed more than kMaxTests, and the wide tree replaces it.
    [[nodiscard]] bool is_too_slow(const WorldOptions& options) const {
        return options.broadphase != bv::BroadphaseKind::WideTree && too_slow_ == options.broadphase;
    }
    /// True if the options, or the number of bodies, call for another engine than the present one.
    [[nodiscard]] bool is_outdated(const BodyList& bodies, const WorldOptions& options) const {
        return engine_->kind() != affordable_kind(bodies, options);
    }
    [[nodiscard]] std::size_t memory_bytes() const;

    /// A new engine with all bodies.
    void restart(BodyList& bodies, const WorldOptions& options);
    void rebuild_tree(bv::Builder builder);
    void set_tree_options(const bv::TreeOptions& options) { engine_->set_tree_options(options); }
    /// Gives the chosen engine another try.
    void forgive() { too_slow_.reset(); }

    /// Inserts the box of a body, which gets a proxy.
    void enter(Body& body, const bv::Aabb& box);
    void leave(const Body& body) { engine_->remove(body.proxy); }
    /// False if the engine refuses the box.
    bool move(const Body& body, const bv::Aabb& box);
    /// Moves all bodies on by one step, and updates the engine.
    void follow(const BodyList& bodies, float dt_s);
    /// Updates the engine if bodies have been moved since its last update: hundreds of moves cost one.
    void settle();
    /// False while bodies have moved since the last update of the engine.
    [[nodiscard]] bool is_settled() const { return !engine_due_; }

    /// What pairs are found for. A picture between two steps changes nothing that later counts of tests
    /// depend on, so that these are the same however often the moment is looked at.
    enum class For : unsigned char { Step, Picture };
    /// All stages. Marks the bodies in pairs of the last one.
    void find(BodyList& bodies, const WorldOptions& options, TimingsMs& timings, For purpose);
    /// Forgets all pairs, and what is remembered of them.
    void forget();
    /// Removes the pairs of bodies that are gone.
    void forget_lost(const BodyList& bodies);

  private:
    [[nodiscard]] bv::BroadphaseKind affordable_kind(const BodyList& bodies,
                                                     const WorldOptions& options) const;
    void find_broad_pairs();
    void find_volume_pairs(const BodyList& bodies);
    void find_exact_pairs(const BodyList& bodies, ExactBy by);
    void mark_colliding(BodyList& bodies);

    OwnBroadphase engine_;
    bool engine_due_ = false;                // bodies were moved since its last update
    std::vector<bv::BodyId> body_of_proxy_;  // by the proxy's index
    std::vector<bv::ProxyPair> found_;
    StepMemory step_memory_;
    PairStages pairs_;
    BroadphaseFrame frame_;
    ExactTester exact_;
    PairMemory remembered_;
    std::optional<bv::BroadphaseKind> too_slow_;  // the kind that needed more than kMaxTests
};

}  // namespace lab
