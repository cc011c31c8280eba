// Objects in FCL's dynamic AABB tree, captured: capture_fcl FILE.bvcap|PORT [FRAMES].
// With a port it runs in real time, for a lab that listens there.
#include <fcl/geometry/shape/box.h>
#include <fcl/narrowphase/collision_object.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "bv/capture/adapters/fcl.hpp"

int main(int argc, char** argv) {
    const auto [path, port, frames] = parse_arguments(argc, argv, "fcl.bvcap");

    const auto crate = std::make_shared<fcl::Boxd>(1.0, 1.0, 1.0);
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
    fcl::DynamicAABBTreeCollisionManagerd manager;
    for (int i = 0; i < 200; ++i) {
        objects.push_back(std::make_unique<fcl::CollisionObjectd>(crate));
        manager.registerObject(objects.back().get());
    }

    // The five lines of a capture.
    const bv_capture_config config = bv::capture::FclAdapter<double>::config("circling crates");
    bv_capture* capture = port > 0 ? bv_capture_to_lab(nullptr, port, &config, nullptr)
                                   : bv_capture_to_file(path, &config, nullptr);
    bv::capture::FclAdapter<double> adapter;
    for (int f = 0; f < frames; ++f) {
        for (std::size_t i = 0; i < objects.size(); ++i) {
            const double angle = 0.1 * static_cast<double>(i) + 0.01 * f,
                         r = 5.0 + 0.2 * static_cast<double>(i % 50);
            objects[i]->setTranslation(
                {r * std::cos(angle), 0.05 * static_cast<double>(i), r * std::sin(angle)});
            objects[i]->computeAABB();
        }
        manager.update();
        adapter.frame(capture, manager, f / 60.0);
        if (port > 0) std::this_thread::sleep_for(std::chrono::milliseconds(16));
    }
    return bv_capture_close(capture) == BV_CAPTURE_OK ? 0 : 1;
}
