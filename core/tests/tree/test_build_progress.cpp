// Progress and cancellation of builds: MeshBvh with every builder, also in slices, MeshBvh8, and the trees of
// obb_tree.hpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "bv/progress.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/mesh_bvh_build.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"
#include "bv/tree/obb_tree.hpp"
#include "workloads/meshes.hpp"

namespace bv {
namespace {

using workloads::MeshData;

/// Runs jobs on its own threads and calls `before_job` before each.
class WatchedThreads final : public TaskRunner {
  public:
    explicit WatchedThreads(std::function<void(std::size_t)> before_job)
        : before_job_(std::move(before_job)) {}
    unsigned concurrency() const noexcept override { return 4; }
    void run(std::size_t count, const Job& job) override {
        std::atomic<std::size_t> next{0};
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&] {
                for (std::size_t i = next++; i < count; i = next++) {
                    before_job_(i);
                    job(i);
                }
            });
        for (std::thread& t : threads)
            t.join();
    }

  private:
    std::function<void(std::size_t)> before_job_;
};

struct Config {
    std::string name;
    MeshBvhOptions options;
};

std::vector<Config> configs() {
    std::vector<Config> all;
    const std::pair<const char*, MeshBuilder> builders[] = {{"median", MeshBuilder::Median},
                                                            {"Morton", MeshBuilder::Morton},
                                                            {"agglomerative", MeshBuilder::Agglomerative},
                                                            {"binned", MeshBuilder::BinnedSah},
                                                            {"sweep", MeshBuilder::SweepSah}};
    for (const auto& [name, builder] : builders) {
        all.push_back({name, {}});
        all.back().options.builder = builder;
    }
    all.push_back({"binned, then reinsertion", {}});
    all.back().options.reinsertion_rounds = 1;
    return all;
}

void expect_empty(const MeshBvh& tree, const std::string& what) {
    EXPECT_TRUE(tree.empty() && tree.validate()) << what;
    EXPECT_EQ(tree.references().size(), 0u) << what;
    EXPECT_TRUE(tree.snapshot().empty()) << what;
    EXPECT_FALSE(tree.raycast({{0, 0, 5}, {0, 0, -1}}).hit.has_value()) << what;
}

/// Samples `done()` on its own thread for its lifetime.
class Watcher {
  public:
    explicit Watcher(const BuildProgress& progress)
        : thread_([this, &progress] {
              float last = 0.0f;
              while (!stop_.load()) {
                  const float now = progress.done();
                  if (now < last || now < 0.0f || now > 1.0f) wrong_.store(true);
                  last = now;
                  std::this_thread::yield();
              }
          }) {}
    ~Watcher() {
        stop_.store(true);
        thread_.join();
    }
    [[nodiscard]] bool wrong() const { return wrong_.load(); }

  private:
    std::atomic<bool> stop_{false};
    std::atomic<bool> wrong_{false};
    std::thread thread_;
};

TEST(BuildProgress, RisesToOneWithoutEffectOnTheTree) {
    const MeshData mesh = workloads::icosphere(5);
    for (Config config : configs()) {
        MeshBvh plain;
        ASSERT_EQ(plain.build(mesh.view(), config.options), MeshBuildStatus::Ok);
        BuildProgress progress;
        float lowest = 1.0f, highest = 0.0f;
        std::atomic_flag busy = ATOMIC_FLAG_INIT;
        WatchedThreads threads([&](std::size_t) {
            while (busy.test_and_set()) {
            }
            lowest = std::min(lowest, progress.done());
            highest = std::max(highest, progress.done());
            busy.clear();
        });
        config.options.progress = &progress;
        config.options.tasks = &threads;
        const Watcher watcher(progress);
        MeshBvh tree;
        ASSERT_EQ(tree.build(mesh.view(), config.options), MeshBuildStatus::Ok) << config.name;
        EXPECT_EQ(progress.done(), 1.0f) << config.name;
        EXPECT_FALSE(watcher.wrong()) << config.name;
        // Seen from inside the jobs, it advances.
        EXPECT_GT(highest, lowest) << config.name;
        EXPECT_GT(highest, 0.1f) << config.name;
        EXPECT_LT(highest, 1.0f) << config.name;
        ASSERT_EQ(tree.nodes().size(), plain.nodes().size()) << config.name;
        EXPECT_TRUE(
            std::equal(tree.references().begin(), tree.references().end(), plain.references().begin()))
            << config.name;
    }
}

TEST(BuildProgress, CancelledInTheMiddleLeavesAnEmptyTree) {
    const MeshData mesh = workloads::icosphere(5);
    for (Config config : configs()) {
        BuildProgress progress;
        float when = 0.0f;
        WatchedThreads threads([&](std::size_t i) {
            if (i != 0) return;
            progress.cancel();
            when = progress.done();
        });
        config.options.progress = &progress;
        config.options.tasks = &threads;
        MeshBvh tree;
        EXPECT_EQ(tree.build(mesh.view(), config.options), MeshBuildStatus::Cancelled) << config.name;
        expect_empty(tree, config.name);
        // It stopped early; jobs already begun on other threads may have finished.
        EXPECT_LT(progress.done(), when + 0.4f) << config.name;
        // The tree and the object can be used again.
        progress.reset();
        config.options.tasks = nullptr;
        EXPECT_EQ(tree.build(mesh.view(), config.options), MeshBuildStatus::Ok) << config.name;
        EXPECT_TRUE(tree.validate()) << config.name;
        EXPECT_EQ(progress.done(), 1.0f) << config.name;
    }
}

TEST(BuildProgress, CancelledInAdvanceEndsAtOnce) {
    const MeshData mesh = workloads::icosphere(4);
    MeshBvh complete;
    ASSERT_EQ(complete.build(mesh.view()), MeshBuildStatus::Ok);
    BuildProgress progress;
    progress.cancel();
    for (Config config : configs()) {
        config.options.progress = &progress;
        MeshBvh tree = complete;
        EXPECT_EQ(tree.build(mesh.view(), config.options), MeshBuildStatus::Cancelled) << config.name;
        expect_empty(tree, config.name);
    }
    MeshBvh8 wide;
    ASSERT_EQ(wide.build(complete), MeshBvh8::Status::Ok);
    EXPECT_EQ(wide.build(complete, &progress), MeshBvh8::Status::Cancelled);
    EXPECT_TRUE(wide.empty() && wide.validate());
    EXPECT_FALSE(wide.raycast({{0, 0, 5}, {0, 0, -1}}).hit.has_value());
    VolumeTreeOptions<Obb> options;
    options.progress = &progress;
    ObbTree boxes;
    EXPECT_EQ(boxes.build(mesh.view(), options), MeshBuildStatus::Cancelled);
    EXPECT_TRUE(boxes.empty());
    // Errors of the mesh take precedence.
    MeshBvhOptions plain;
    plain.progress = &progress;
    MeshBvh tree;
    EXPECT_EQ(tree.build({}, plain), MeshBuildStatus::Empty);
}

/// Cancels from another thread as soon as `done()` reaches `at`. Both outcomes are valid, but not a partial
/// tree; and at least one of many tries must cancel the build. On a busy machine the
/// other thread may seldom run in time: the build waits until it has begun.
template <class Build>
void cancel_from_outside(float at, const Build& build, const std::string& what) {
    bool cancelled = false;
    for (int attempt = 0; attempt < 20'000 && !cancelled; ++attempt) {
        BuildProgress progress;
        std::atomic<bool> watching{false}, over{false};
        std::thread other([&] {
            watching.store(true);
            while (!over.load() && progress.done() < at) {
            }
            progress.cancel();
        });
        while (!watching.load())
            std::this_thread::yield();
        cancelled = build(progress);
        over.store(true);
        other.join();
    }
    EXPECT_TRUE(cancelled) << what;
}

TEST(BuildProgress, CancelledFromAnotherThread) {
    const MeshData mesh = workloads::icosphere(5);
    for (const Config& config : configs())
        for (const float at : {0.0f, 0.3f, 0.6f, 0.85f}) {
            if (at > 0.8f && config.options.reinsertion_rounds == 0) continue;
            cancel_from_outside(
                at,
                [&](BuildProgress& progress) {
                    MeshBvhOptions options = config.options;
                    options.progress = &progress;
                    MeshBvh tree;
                    if (tree.build(mesh.view(), options) == MeshBuildStatus::Ok) {
                        EXPECT_TRUE(tree.validate());
                        return false;
                    }
                    expect_empty(tree, config.name);
                    return true;
                },
                config.name);
        }
    MeshBvh binary;
    binary.build(mesh.view());
    for (const float at : {0.3f, 0.8f})
        cancel_from_outside(
            at,
            [&](BuildProgress& progress) {
                MeshBvh8 wide;
                if (wide.build(binary, &progress) == MeshBvh8::Status::Ok) {
                    EXPECT_TRUE(wide.validate());
                    return false;
                }
                EXPECT_TRUE(wide.empty() && wide.snapshot().empty());
                return true;
            },
            "wide");
}

TEST(BuildProgress, OneRangeForSeveralBuilds) {
    const MeshData mesh = workloads::icosphere(4);
    BuildProgress progress;
    MeshBvhOptions options;
    options.progress = &progress;
    MeshBvh tree;
    progress.set_range(0.0f, 0.75f);
    ASSERT_EQ(tree.build(mesh.view(), options), MeshBuildStatus::Ok);
    EXPECT_EQ(progress.done(), 0.75f);
    progress.set_range(0.75f, 1.0f);
    MeshBvh8 wide;
    ASSERT_EQ(wide.build(tree, &progress), MeshBvh8::Status::Ok);
    EXPECT_EQ(progress.done(), 1.0f);
}

TEST(BuildProgress, TreesOfOtherVolumes) {
    const MeshData mesh = workloads::icosphere(3);
    BuildProgress progress;
    VolumeTreeOptions<Sphere> options;
    options.progress = &progress;
    float last = 0.0f;
    std::size_t fits = 0;
    std::size_t cancel_at = mesh.triangles.size() * 100;
    options.fit = [&](std::span<const glm::vec3> points) {
        EXPECT_GE(progress.done(), last);
        last = progress.done();
        if (++fits == cancel_at) progress.cancel();
        Sphere all{points[0], 0.0f};
        for (const glm::vec3& p : points)
            all.radius = std::max(all.radius, glm::distance(p, all.center) * 1.000001f);
        return all;
    };
    SphereTree tree;
    ASSERT_EQ(tree.build(mesh.view(), options), MeshBuildStatus::Ok);
    EXPECT_EQ(progress.done(), 1.0f);
    EXPECT_GT(last, 0.9f);
    progress.reset();
    const std::size_t all_fits = fits;
    fits = 0;
    last = 0.0f;
    cancel_at = 100;
    EXPECT_EQ(tree.build(mesh.view(), options), MeshBuildStatus::Cancelled);
    EXPECT_TRUE(tree.empty() && tree.validate());
    EXPECT_EQ(fits, 100u);
    EXPECT_GT(all_fits, 1000u);
}

// ---- in slices

/// Equal bit for bit.
bool is_same_tree(const MeshBvh& a, const MeshBvh& b) {
    const auto same_node = [](const MeshBvhNode& m, const MeshBvhNode& n) {
        return m.box() == n.box() && m.first == n.first && m.count == n.count;
    };
    return std::equal(a.nodes().begin(), a.nodes().end(), b.nodes().begin(), b.nodes().end(), same_node) &&
           std::equal(a.references().begin(), a.references().end(), b.references().begin(),
                      b.references().end());
}

TEST(BuildSlices, MakeTheTreeOfOneBuild) {
    std::vector<Config> all = configs();
    all.push_back({"spatial splits", {}});
    all.back().options.spatial_splits = 0.5f;
    for (const int levels : {0, 2, 5}) {
        const MeshData mesh = workloads::icosphere(levels);
        for (const Config& config : all)
            for (const std::size_t references : {0u, 1000u, 100'000u}) {
                MeshBvh whole;
                ASSERT_EQ(whole.build(mesh.view(), config.options), MeshBuildStatus::Ok);
                MeshBvhBuild build(mesh.view(), config.options);
                EXPECT_TRUE(build.take().empty()) << "before the last slice";
                while (build.advance(references)) {
                }
                EXPECT_FALSE(build.advance(references));
                ASSERT_EQ(build.status(), MeshBuildStatus::Ok);
                const MeshBvh tree = build.take();
                EXPECT_TRUE(tree.validate());
                EXPECT_TRUE(is_same_tree(tree, whole)) << config.name << " by " << references;
                EXPECT_EQ(tree.snapshot().payloads, whole.snapshot().payloads) << config.name;
                EXPECT_TRUE(build.take().empty()) << "taken before";
            }
    }
}

TEST(BuildSlices, AreAsLongAsAskedFor) {
    const MeshData mesh = workloads::icosphere(5);
    const std::size_t n = mesh.triangles.size();
    for (const MeshBuilder builder : {MeshBuilder::Median, MeshBuilder::BinnedSah}) {
        MeshBvhOptions options;
        BuildProgress progress;
        options.builder = builder;
        options.progress = &progress;
        MeshBvhBuild build(mesh.view(), options);
        std::size_t slices = 0;
        float last = 0.0f, largest = 0.0f;
        for (; build.advance(n); ++slices) {
            largest = std::max(largest, progress.done() - last);
            last = progress.done();
        }
        // A balanced tree has 15 levels of n references; leaves end some levels early.
        EXPECT_GE(slices, 10u);
        EXPECT_LE(slices, 20u);
        EXPECT_LE(largest, 0.25f) << "of the progress, in one slice";
        EXPECT_EQ(progress.done(), 1.0f);
    }
}

TEST(BuildSlices, EndWithoutATreeWhereABuildDoes) {
    const MeshData mesh = workloads::icosphere(4);
    for (std::size_t slices = 0; slices < 5; ++slices) {
        BuildProgress progress;
        MeshBvhOptions options;
        options.progress = &progress;
        MeshBvhBuild build(mesh.view(), options);
        for (std::size_t i = 0; i < slices; ++i)
            ASSERT_TRUE(build.advance(1000));
        progress.cancel();
        EXPECT_FALSE(build.advance(1000));
        EXPECT_EQ(build.status(), MeshBuildStatus::Cancelled);
        EXPECT_TRUE(build.take().empty());
    }
    MeshBvhBuild of_nothing{MeshView{}};
    EXPECT_FALSE(of_nothing.advance(1));
    EXPECT_EQ(of_nothing.status(), MeshBuildStatus::Empty);
    const std::vector<glm::uvec3> out_of_range{{0, 1, 3}};
    const std::vector<glm::vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    MeshBvhBuild damaged(MeshView{corners, out_of_range});
    EXPECT_FALSE(damaged.advance(1));
    EXPECT_EQ(damaged.status(), MeshBuildStatus::IndexOutOfRange);
    // One that is moved from does nothing.
    MeshBvhBuild moved = std::move(damaged);
    EXPECT_EQ(moved.status(), MeshBuildStatus::IndexOutOfRange);
    EXPECT_FALSE(damaged.advance(1));
    EXPECT_EQ(damaged.status(), MeshBuildStatus::Ok);
    EXPECT_TRUE(damaged.take().empty());
}

TEST(BuildSlices, MakeTheWideTreeOfOneBuild) {
    for (const int levels : {0, 2, 5}) {
        const MeshData mesh = workloads::icosphere(levels);
        MeshBvh binary;
        ASSERT_EQ(binary.build(mesh.view()), MeshBuildStatus::Ok);
        MeshBvh8 whole;
        ASSERT_EQ(whole.build(binary), MeshBvh8::Status::Ok);
        std::size_t max_slices = 0;
        for (const std::size_t references : {0u, 1000u, 1'000'000u}) {
            BuildProgress progress;
            MeshBvh8Build build(binary, &progress);
            EXPECT_TRUE(build.take().empty()) << "before the last slice";
            std::size_t slices = 1;
            float last = 0.0f;
            for (; build.advance(references); ++slices) {
                EXPECT_GE(progress.done(), last);
                last = progress.done();
            }
            max_slices = std::max(max_slices, slices);
            EXPECT_FALSE(build.advance(references));
            EXPECT_EQ(build.status(), MeshBvh8::Status::Ok);
            EXPECT_EQ(progress.done(), 1.0f);
            const MeshBvh8 tree = build.take();
            EXPECT_TRUE(tree.validate());
            EXPECT_TRUE(build.take().empty()) << "taken before";
            EXPECT_EQ(tree.snapshot().boxes, whole.snapshot().boxes);
            EXPECT_EQ(tree.snapshot().payloads, whole.snapshot().payloads);
            EXPECT_EQ(tree.memory_bytes(), whole.memory_bytes());
            for (int i = 0; i < 100; ++i) {
                const float angle = 0.1f * static_cast<float>(i);
                const Ray ray{{5.0f * std::cos(angle), 0.01f * static_cast<float>(i), 5.0f * std::sin(angle)},
                              {-std::cos(angle), 0.0f, -std::sin(angle)}};
                EXPECT_EQ(tree.raycast(ray).hit, whole.raycast(ray).hit);
            }
        }
        EXPECT_GE(max_slices, mesh.triangles.size() / 10) << "slices of one node";
    }
    BuildProgress progress;
    MeshBvh binary;
    ASSERT_EQ(binary.build(workloads::icosphere(4).view()), MeshBuildStatus::Ok);
    for (const int slices : {0, 1, 4}) {
        progress.reset();
        MeshBvh8Build build(binary, &progress);
        for (int i = 0; i < slices; ++i)
            ASSERT_TRUE(build.advance(1000));
        progress.cancel();
        EXPECT_FALSE(build.advance(1000));
        EXPECT_EQ(build.status(), MeshBvh8::Status::Cancelled);
        EXPECT_TRUE(build.take().empty());
    }
    const MeshBvh nothing;
    MeshBvh8Build of_nothing(nothing);
    EXPECT_FALSE(of_nothing.advance(1));
    EXPECT_EQ(of_nothing.status(), MeshBvh8::Status::Empty);
    MeshBvh8Build moved = std::move(of_nothing);
    EXPECT_EQ(moved.status(), MeshBvh8::Status::Empty);
    EXPECT_FALSE(of_nothing.advance(1));
    EXPECT_TRUE(of_nothing.take().empty());
}

}  // namespace
}  // namespace bv
