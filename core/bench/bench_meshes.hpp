// The parts of bench_meshes: each prints its own lines.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

#include "bv/shapes/ray.hpp"
#include "workloads/meshes.hpp"

namespace bv::bench {

/// BV_BENCH_ROUNDS, or 7.
inline int mesh_rounds() {
    const char* text = std::getenv("BV_BENCH_ROUNDS");
    return text != nullptr ? std::max(1, std::atoi(text)) : 7;
}

/// `Warm`: each has just done the piece untimed, so that none pays for what the one before left in the
/// caches.
enum class Caches { AsTheyAre, Warm };

/// Seconds of processor time, of all threads: waiting for the processor does not count.
inline double processor_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// One line on a ratio of our time over a peer's: what it is, what is wanted, and whether it was reached.
inline void print_wanted(const char* what, double ratio, double wanted) {
    std::printf("  %s: %.2f of its time, wanted %.2f: %s\n", what, ratio, wanted,
                ratio <= wanted ? "met" : "MISSED");
}

/// Seconds of each contender's whole work, which is divided into pieces: the contenders take turns piece by
/// piece for several rounds, and the best time of each piece counts. So other load on the machine affects all
/// alike.
inline std::vector<double> race(std::size_t pieces,
                                const std::vector<std::function<void(std::size_t)>>& contenders,
                                Caches caches = Caches::AsTheyAre) {
    std::vector<double> total(contenders.size(), 0.0);
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        std::vector<double> best(contenders.size(), 1e30);
        for (int round = 0; round < mesh_rounds(); ++round)
            for (std::size_t i = 0; i < contenders.size(); ++i) {
                if (caches == Caches::Warm) contenders[i](piece);
                const double start = processor_seconds();
                contenders[i](piece);
                best[i] = std::min(best[i], processor_seconds() - start);
            }
        for (std::size_t i = 0; i < contenders.size(); ++i)
            total[i] += best[i];
    }
    return total;
}

void bench_contacts(const workloads::MeshData& a, const workloads::MeshData& b, float spread);

/// Casts rays with CGAL's AABB tree; without CGAL it does nothing and reports so.
class CgalCaster {
  public:
    explicit CgalCaster(const workloads::MeshData& mesh);
    ~CgalCaster();
    CgalCaster(const CgalCaster&) = delete;
    CgalCaster& operator=(const CgalCaster&) = delete;
    [[nodiscard]] static bool available() noexcept;
    [[nodiscard]] bool hit(const Ray& ray) const;

  private:
    struct Tree;
    Tree* tree_;
};

}  // namespace bv::bench
