// This library's dynamic tree, captured: capture_own_tree FILE.bvcap|PORT [FRAMES].
// With a port it runs in real time, for a lab that listens there.
#include <chrono>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "bv/capture/adapters/trees.hpp"
#include "bv/tree/dynamic_tree.hpp"

int main(int argc, char** argv) {
    const auto [path, port, frames] = parse_arguments(argc, argv, "own_tree.bvcap");

    bv::DynamicTree tree;
    std::vector<bv::ProxyId> ids;
    const auto box_of = [](std::size_t i, int frame) {
        const std::size_t column = i % 20, row = i / 20;
        const glm::vec3 low(static_cast<float>(column) * 1.5f + 0.02f * static_cast<float>(frame),
                            static_cast<float>(row) * 1.5f, 0.0f);
        return bv::Aabb{low, low + 1.0f};
    };
    for (std::size_t i = 0; i < 200; ++i)
        ids.push_back(tree.insert(box_of(i, 0), i).id);

    // The five lines of a capture.
    const bv_capture_config config{"bv::DynamicTree", "drifting crates", 3, tree.options().margin_m, 0};
    bv_capture* capture = port > 0 ? bv_capture_to_lab(nullptr, port, &config, nullptr)
                                   : bv_capture_to_file(path, &config, nullptr);
    bv::capture::SnapshotAdapter adapter;
    for (int f = 0; f < frames; ++f) {
        for (std::size_t i = 0; i < ids.size(); ++i)
            tree.move(ids[i], box_of(i, f));
        tree.update();
        adapter.frame(capture, tree, f / 60.0);
        if (port > 0) std::this_thread::sleep_for(std::chrono::milliseconds(16));
    }
    return bv_capture_close(capture) == BV_CAPTURE_OK ? 0 : 1;
}
