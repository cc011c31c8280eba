// No standard containers: their inline functions would be compiled for AVX2 and shared with the other
// sources.
#include "peers_fcl.hpp"

#include <fcl/math/bv/AABB.h>
#include <fcl/math/bv/OBB.h>
#include <fcl/narrowphase/detail/traversal/collision/intersect.h>

namespace bv::bench {
namespace {

fcl::Vector3f vector_of(const glm::vec3& v) {
    return {v.x, v.y, v.z};
}

void assign(fcl::OBBf& out, const Obb& box) {
    for (int k = 0; k < 3; ++k) {
        out.axis.col(k) = vector_of(box.axes[k]);
        out.To[k] = box.center[k];
        out.extent[k] = box.half_extents[k];
    }
}

}  // namespace

bool fcl_peers_run_here() noexcept {
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}

struct FclObbPairs::Pairs {
    std::size_t count;
    fcl::OBBf* a;
    fcl::OBBf* b;
};

FclObbPairs::FclObbPairs(const Obb* a, const Obb* b, std::size_t count)
    : pairs_(new Pairs{count, new fcl::OBBf[count], new fcl::OBBf[count]}) {
    for (std::size_t i = 0; i < count; ++i) {
        assign(pairs_->a[i], a[i]);
        assign(pairs_->b[i], b[i]);
    }
}

FclObbPairs::~FclObbPairs() {
    delete[] pairs_->a;
    delete[] pairs_->b;
    delete pairs_;
}

std::uint64_t FclObbPairs::count(std::uint8_t* out) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < pairs_->count; ++i) {
        out[i] = pairs_->a[i].overlap(pairs_->b[i]) ? 1 : 0;
        sum += out[i];
    }
    return sum;
}

struct FclAabbs::Boxes {
    std::size_t count;
    fcl::AABBf* box;
};

FclAabbs::FclAabbs(const Aabb* boxes, std::size_t count) : boxes_(new Boxes{count, new fcl::AABBf[count]}) {
    for (std::size_t i = 0; i < count; ++i)
        boxes_->box[i] = fcl::AABBf(vector_of(boxes[i].min), vector_of(boxes[i].max));
}

FclAabbs::~FclAabbs() {
    delete[] boxes_->box;
    delete boxes_;
}

std::uint64_t FclAabbs::count() const {
    std::uint64_t hits = 0;
    for (std::size_t i = 0; i < boxes_->count; ++i)
        for (std::size_t j = 0; j < boxes_->count; ++j)
            hits += boxes_->box[i].overlap(boxes_->box[j]) ? 1u : 0u;
    return hits;
}

struct FclTriangles::Corners {
    std::size_t count;
    fcl::Vector3f (*of)[6];
};

FclTriangles::FclTriangles(const Triangle* a, const Triangle* b, std::size_t count)
    : corners_(new Corners{count, new fcl::Vector3f[count][6]}) {
    for (std::size_t i = 0; i < count; ++i) {
        const glm::vec3 all[6] = {a[i].a, a[i].b, a[i].c, b[i].a, b[i].b, b[i].c};
        for (int k = 0; k < 6; ++k)
            corners_->of[i][k] = vector_of(all[k]);
    }
}

FclTriangles::~FclTriangles() {
    delete[] corners_->of;
    delete corners_;
}

std::uint64_t FclTriangles::count() const {
    std::uint64_t hits = 0;
    for (std::size_t i = 0; i < corners_->count; ++i) {
        const fcl::Vector3f(&c)[6] = corners_->of[i];
        hits +=
            fcl::detail::Intersect<float>::intersect_Triangle(c[0], c[1], c[2], c[3], c[4], c[5]) ? 1u : 0u;
    }
    return hits;
}

}  // namespace bv::bench
