// A world of Box2D whose tree is captured: capture_box2d FILE.bvcap|PORT [FRAMES].
// With a port it runs in real time, for a lab that listens there.
#include <box2d/box2d.h>

#include <chrono>
#include <thread>

#include "arguments.hpp"
#include "bv/capture/adapters/box2d.hpp"

int main(int argc, char** argv) {
    const auto [path, port, frames] = parse_arguments(argc, argv, "box2d.bvcap");

    b2World world(b2Vec2(0.0f, -10.0f));
    b2BodyDef ground_def;
    b2PolygonShape ground;
    ground.SetAsBox(30.0f, 1.0f, b2Vec2(0.0f, -1.0f), 0.0f);
    world.CreateBody(&ground_def)->CreateFixture(&ground, 0.0f);
    b2PolygonShape crate;
    crate.SetAsBox(0.5f, 0.5f);
    for (int i = 0; i < 200; ++i) {
        b2BodyDef def;
        def.type = b2_dynamicBody;
        def.position.Set(static_cast<float>(i % 9) * 1.3f - 6.0f, 2.0f + static_cast<float>(i) * 0.4f);
        world.CreateBody(&def)->CreateFixture(&crate, 1.0f);
    }

    // The five lines of a capture.
    const bv_capture_config config = bv::capture::Box2dAdapter::config("falling crates");
    bv_capture* capture = port > 0 ? bv_capture_to_lab(nullptr, port, &config, nullptr)
                                   : bv_capture_to_file(path, &config, nullptr);
    bv::capture::Box2dAdapter adapter;
    for (int f = 0; f < frames; ++f) {
        world.Step(1.0f / 60.0f, 8, 3);
        adapter.frame(capture, world, f / 60.0);
        if (port > 0) std::this_thread::sleep_for(std::chrono::milliseconds(16));
    }
    return bv_capture_close(capture) == BV_CAPTURE_OK ? 0 : 1;
}
