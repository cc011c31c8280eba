// FCL's tests of boxes and triangles, compiled for AVX2 and fused multiply-add, like those of our own kernels
// that such processors run. Only for processors that have both. Each function runs all its pairs and returns
// the number of hits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/triangle.hpp"

namespace bv::bench {

/// True if this processor can run them.
[[nodiscard]] bool fcl_peers_run_here() noexcept;

/// Pairs a[i], b[i].
class FclObbPairs {
  public:
    FclObbPairs(const Obb* a, const Obb* b, std::size_t count);
    ~FclObbPairs();
    FclObbPairs(const FclObbPairs&) = delete;
    FclObbPairs& operator=(const FclObbPairs&) = delete;
    [[nodiscard]] std::uint64_t count(std::uint8_t* out) const;

  private:
    struct Pairs;
    Pairs* pairs_;
};

/// Each box with each.
class FclAabbs {
  public:
    FclAabbs(const Aabb* boxes, std::size_t count);
    ~FclAabbs();
    FclAabbs(const FclAabbs&) = delete;
    FclAabbs& operator=(const FclAabbs&) = delete;
    [[nodiscard]] std::uint64_t count() const;

  private:
    struct Boxes;
    Boxes* boxes_;
};

/// Pairs a[i], b[i].
class FclTriangles {
  public:
    FclTriangles(const Triangle* a, const Triangle* b, std::size_t count);
    ~FclTriangles();
    FclTriangles(const FclTriangles&) = delete;
    FclTriangles& operator=(const FclTriangles&) = delete;
    [[nodiscard]] std::uint64_t count() const;

  private:
    struct Corners;
    Corners* corners_;
};

}  // namespace bv::bench
