// A world of Bullet whose broadphase is captured: capture_bullet FILE.bvcap|PORT [FRAMES].
// With a port it runs in real time, for a lab that listens there.
#include <btBulletDynamicsCommon.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "bv/capture/adapters/bullet.hpp"

int main(int argc, char** argv) {
    const auto [path, port, frames] = parse_arguments(argc, argv, "bullet.bvcap");

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    btBoxShape ground_shape(btVector3(20, 1, 20)), crate_shape(btVector3(0.5f, 0.5f, 0.5f));
    std::vector<std::unique_ptr<btDefaultMotionState>> states;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    const auto add = [&](btScalar mass, btCollisionShape& shape, const btVector3& at) {
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shape.calculateLocalInertia(mass, inertia);
        states.push_back(
            std::make_unique<btDefaultMotionState>(btTransform(btQuaternion::getIdentity(), at)));
        bodies.push_back(std::make_unique<btRigidBody>(mass, states.back().get(), &shape, inertia));
        world.addRigidBody(bodies.back().get());
    };
    add(0, ground_shape, btVector3(0, -1, 0));
    for (int i = 0; i < 200; ++i)
        add(1, crate_shape,
            btVector3(static_cast<btScalar>(i % 7) * 1.2f - 4, 2 + static_cast<btScalar>(i) * 0.4f, 0));

    // The five lines of a capture.
    const bv_capture_config config = bv::capture::BulletAdapter::config("falling crates");
    bv_capture* capture = port > 0 ? bv_capture_to_lab(nullptr, port, &config, nullptr)
                                   : bv_capture_to_file(path, &config, nullptr);
    bv::capture::BulletAdapter adapter;
    for (int f = 0; f < frames; ++f) {
        world.stepSimulation(1.0f / 60.0f, 0);
        adapter.frame(capture, broadphase, f / 60.0);
        if (port > 0) std::this_thread::sleep_for(std::chrono::milliseconds(16));
    }
    const bv_capture_status status = bv_capture_close(capture);

    for (const auto& body : bodies)
        world.removeRigidBody(body.get());
    return status == BV_CAPTURE_OK ? 0 : 1;
}
