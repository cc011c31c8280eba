// The common interface of every tree in the benchmark. Results are returned as sums that do not depend on the
// order of hits.
#pragma once

#include <cstdint>
#include <cstring>
#include <glm/vec3.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/ray.hpp"

namespace bv::bench {

class Contender {
  public:
    Contender() = default;
    Contender(const Contender&) = delete;
    Contender& operator=(const Contender&) = delete;
    virtual ~Contender() = default;

    [[nodiscard]] virtual std::string name() const = 0;
    virtual void insert_one_by_one(std::span<const Aabb> boxes) = 0;  ///< From an empty tree.
    /// Removes these boxes, by their index. False if the contender cannot.
    virtual bool remove(std::span<const std::uint32_t>) { return false; }
    virtual void build(std::span<const Aabb> boxes) = 0;  ///< From an empty tree, as fast as possible.
    virtual void update(std::span<const Aabb> boxes, std::span<const glm::vec3> displacements) = 0;
    virtual std::uint64_t pairs() = 0;  ///< All overlapping pairs of tight boxes.
    /// Tight boxes that overlap each; 0 if the contender has no box queries.
    virtual std::uint64_t queries(std::span<const Aabb> boxes) = 0;
    /// The nearest tight box of each ray; 0 if the contender has no ray casts.
    virtual std::uint64_t rays(std::span<const Ray> rays) = 0;
    /// Memory of the tree, including fat and tight boxes and a user's number for each; 0 if unknown.
    [[nodiscard]] virtual std::size_t memory_bytes() const { return 0; }
};

/// The count in the upper half, a hash of the members in the lower.
inline std::uint64_t pair_mark(std::uint32_t a, std::uint32_t b) {
    const std::uint64_t lo = a < b ? a : b;
    const std::uint64_t hi = a < b ? b : a;
    return (std::uint64_t{1} << 32) + (((lo * 0x9e3779b97f4a7c15ull) ^ (hi * 0xc2b2ae3d27d4eb4full)) >> 52);
}

/// A hit by its distance: of several boxes that contain the ray's origin, all at 0, any may be the nearest.
inline std::uint64_t t_mark(float t) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &t, sizeof bits);
    return std::uint64_t{1} + bits;
}

enum class Which : std::uint8_t { All, Ours };
std::vector<std::unique_ptr<Contender>> make_contenders(Which which = Which::All);

std::unique_ptr<Contender> make_bullet_tree();        ///< Null without Bullet.
std::unique_ptr<Contender> make_bullet_broadphase();  ///< Null without Bullet.
std::unique_ptr<Contender> make_fcl();                ///< Null without FCL.

}  // namespace bv::bench
