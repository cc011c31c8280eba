// What capturing costs an engine: bench_capture [COUNT] [FRAMES] [FILE]; 10000 boxes and 600 frames without
// arguments.
//
// All boxes move each frame, as in bench_trees: half extents 0.25 to 1 m, 2 m/s, 1/60 s. Two engines: one
// that has its proxies and nodes in arrays (our tree's snapshot), and Bullet through its adapter, whose nodes
// are scattered in memory. For comparison, two more times of Bullet: its own frame, which is a setAabb for
// every box and the pairs, and a mere look at every proxy and node. All goes into a file, which a second
// thread writes. Times are CPU times of the engine's thread. The limit for 10000 boxes is 300 us and 500000
// bytes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "bv/capture/bv_capture.h"
#include "bv/tree/dynamic_tree.hpp"
#include "workloads/boxes.hpp"

#ifdef BVLAB_HAVE_BULLET
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wextra"
#include "bv/capture/adapters/bullet.hpp"
#pragma GCC diagnostic pop
#endif

namespace {

double cpu_us() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

class Times {
  public:
    void add(double us) { us_.push_back(us); }
    void print(const char* name) {
        std::sort(us_.begin(), us_.end());
        double sum = 0.0;
        for (const double us : us_)
            sum += us;
        std::printf("%-34s mean %8.1f  median %8.1f  99 %% %8.1f  longest %8.1f us\n", name,
                    sum / static_cast<double>(us_.size()), us_[us_.size() / 2], us_[us_.size() * 99 / 100],
                    us_.back());
    }
    [[nodiscard]] double mean() const {
        double sum = 0.0;
        for (const double us : us_)
            sum += us;
        return sum / static_cast<double>(us_.size());
    }

  private:
    std::vector<double> us_;
};

bv_capture_bounds bounds(const bv::Aabb& box) {
    return bv_capture_box(&box.min.x, &box.max.x);
}

/// The nodes of a snapshot level by level, as bv_capture_tree takes them.
std::vector<bv_capture_tree_node> by_levels(const bv::TreeSnapshot& tree) {
    std::vector<bv_capture_tree_node> nodes;
    std::vector<std::uint32_t> order{0};
    for (std::size_t at = 0; at < order.size(); ++at) {
        const std::uint32_t i = order[at];
        for (std::uint32_t k = 0; k < tree.child_count[i]; ++k)
            order.push_back(tree.first_child[i] + k);
        nodes.push_back({tree.source_nodes[i], bounds(tree.boxes[i]),
                         tree.is_leaf(i) ? tree.payloads[tree.first_payload[i]] : 0, tree.child_count[i]});
    }
    return nodes;
}

int run_arrays(std::size_t count, int frames, const char* path) {
    bv::workloads::MovingBoxes world(count, 7);
    bv::DynamicTree tree;
    std::vector<bv::ProxyId> ids;
    const bv_capture_config config{"arrays", nullptr, 3, tree.options().margin_m, 0};
    bv_capture* capture = bv_capture_to_file(path, &config, nullptr);
    if (!capture) return 1;
    std::vector<bv::Aabb> tight = world.boxes(), fat(count);
    for (std::size_t i = 0; i < count; ++i) {
        ids.push_back(tree.insert(tight[i], i).id);
        fat[i] = tree.fat_box(ids[i]);
        bv_capture_create(capture, i, bounds(tight[i]), bounds(fat[i]), 0, nullptr);
    }
    Times moves_us, trees_us, all;
    std::uint64_t first = 0;
    for (int f = 0; f < frames; ++f) {
        world.step();
        tight = world.boxes();
        for (std::size_t i = 0; i < count; ++i) {
            tree.move(ids[i], tight[i], world.displacement(i));
            fat[i] = tree.fat_box(ids[i]);
        }
        const bv::TreeSnapshot snapshot = tree.snapshot();
        const std::vector<bv_capture_tree_node> nodes = by_levels(snapshot);
        const double start = cpu_us();
        bv_capture_frame(capture, f / 60.0);
        for (std::size_t i = 0; i < count; ++i)
            bv_capture_move(capture, i, bounds(tight[i]), bounds(fat[i]));
        const double middle = cpu_us();
        bv_capture_tree(capture, "dynamic", nodes.data(), nodes.size());
        const double end = cpu_us();
        if (f == 0) {
            first = bv_capture_get_stats(capture).bytes;
            continue;
        }
        moves_us.add(middle - start);
        trees_us.add(end - middle);
        all.add(end - start);
    }
    const bv_capture_stats stats = bv_capture_get_stats(capture);
    const bool good = bv_capture_close(capture) == BV_CAPTURE_OK && stats.left_out_calls == 0;
    std::printf("%zu boxes, %d frames, proxies and nodes in arrays\n", count, frames);
    moves_us.print("capture: moves, one by one");
    trees_us.print("capture: tree");
    all.print("capture: all");
    std::printf("bytes a frame: mean %.0f\n\n", static_cast<double>(stats.bytes - first) / (frames - 1));
    return good ? 0 : 1;
}

#ifdef BVLAB_HAVE_BULLET
btVector3 vector(const glm::vec3& v) {
    return {v.x, v.y, v.z};
}

/// The least that any capture has to do: look at every proxy with its leaf, and at every node in the order in
/// which it is written. Returns the sum of the values read.
float look_at_everything(const btDbvtBroadphase& broadphase, std::vector<const btDbvtNode*>& order) {
    float sum = 0.0f;
    const auto look = [&sum](const btVector3& low, const btVector3& high) {
        sum += low.x() + low.y() + low.z() + high.x() + high.y() + high.z();
    };
    for (const btDbvtProxy* stage : broadphase.m_stageRoots)
        for (const btDbvtProxy* p = stage; p; p = p->links[1]) {
            look(p->m_aabbMin, p->m_aabbMax);
            look(p->leaf->volume.Mins(), p->leaf->volume.Maxs());
        }
    for (const btDbvt& tree : broadphase.m_sets) {
        if (!tree.m_root) continue;
        order.assign(1, tree.m_root);
        for (std::size_t i = 0; i < order.size(); ++i) {
            const btDbvtNode* node = order[i];
            look(node->volume.Mins(), node->volume.Maxs());
            if (node->isleaf())
                sum += static_cast<float>(static_cast<const btDbvtProxy*>(node->data)->m_uniqueId);
            else
                order.insert(order.end(), {node->childs[0], node->childs[1]});
        }
    }
    return sum;
}

int run(std::size_t count, int frames, const char* path) {
    bv::workloads::MovingBoxes world(count, 7);
    btDbvtBroadphase broadphase;
    std::vector<btBroadphaseProxy*> proxies;
    for (const bv::Aabb& box : world.boxes())
        proxies.push_back(
            broadphase.createProxy(vector(box.min), vector(box.max), 0, nullptr, 1, 1, nullptr));
    const bv_capture_config config = bv::capture::BulletAdapter::config("bench_capture");
    bv_capture* capture = bv_capture_to_file(path, &config, nullptr);
    if (!capture) {
        std::printf("%s cannot be written\n", path);
        return 1;
    }
    bv::capture::BulletAdapter adapter;
    Times engine, look_us, proxies_us, trees_us, all;
    std::vector<const btDbvtNode*> order;
    float seen = 0.0f;
    std::uint64_t before = 0, largest = 0, first = 0;
    for (int f = 0; f < frames; ++f) {
        world.step();
        const auto boxes = world.boxes();
        double start = cpu_us();
        for (std::size_t i = 0; i < count; ++i)
            broadphase.setAabb(proxies[i], vector(boxes[i].min), vector(boxes[i].max), nullptr);
        broadphase.calculateOverlappingPairs(nullptr);
        if (f > 0) engine.add(cpu_us() - start);
        // In every other frame, since the second of two finds what it needs in the caches.
        const bool looks = f % 2 == 1;
        start = cpu_us();
        if (looks) {
            seen += look_at_everything(broadphase, order);
            look_us.add(cpu_us() - start);
        }
        start = cpu_us();
        bv_capture_frame(capture, f / 60.0);
        adapter.proxies(capture, broadphase);
        const double middle = cpu_us();
        adapter.tree(capture, "dynamic", broadphase.m_sets[0]);
        adapter.tree(capture, "fixed", broadphase.m_sets[1]);
        const double end = cpu_us();
        const std::uint64_t bytes = bv_capture_get_stats(capture).bytes;
        if (f == 0) {
            first = bytes;
        } else {
            if (!looks) {
                proxies_us.add(middle - start);
                trees_us.add(end - middle);
                all.add(end - start);
            }
            largest = std::max(largest, bytes - before);
        }
        before = bytes;
    }
    const std::uint64_t left_out = bv_capture_get_stats(capture).left_out_calls;
    const bool good = bv_capture_close(capture) == BV_CAPTURE_OK && left_out == 0;
    const double per_frame = static_cast<double>(before - first) / (frames - 1);
    std::printf("%zu boxes, %d frames, Bullet's btDbvtBroadphase\n", count, frames);
    engine.print("Bullet: move all, find the pairs");
    look_us.print(seen != 0.0f ? "looking at everything once" : "nothing was seen");
    proxies_us.print("capture: proxies");
    trees_us.print("capture: trees");
    all.print("capture: all");
    std::printf("bytes a frame: mean %.0f, largest %llu; %llu calls left out\n", per_frame,
                static_cast<unsigned long long>(largest), static_cast<unsigned long long>(left_out));
    const double share = static_cast<double>(count) / 10'000.0;
    std::printf(
        "limit for this count: %.0f us, %.0f bytes; Bullet's frame grows by %.1f %%; %.2f times a look "
        "at everything\n",
        300.0 * share, 500'000.0 * share, 100.0 * all.mean() / engine.mean(), all.mean() / look_us.mean());
    return good ? 0 : 1;
}
#else
int run(std::size_t, int, const char*) {
    std::printf("Bullet is missing: nothing to compare with\n");
    return 0;
}
#endif

}  // namespace

int main(int argc, char** argv) {
    const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10'000;
    const int frames = argc > 2 ? std::atoi(argv[2]) : 600;
    const char* path = argc > 3 ? argv[3] : "bench_capture.bvcap";
    int result = run_arrays(std::max<std::size_t>(count, 1), std::max(frames, 2), path);
    result += run(std::max<std::size_t>(count, 1), std::max(frames, 2), path);
    if (argc <= 3) std::remove(path);
    return result;
}
