// Volumes of the bodies that results or a world hold, for tests.
#pragma once

#include "session/session.hpp"
#include "world/world.hpp"

namespace lab::test {

inline const Body& body_in(const Session& session, const BodyState& state) {
    return *session.state().world.find(state.id);
}
inline bv::Sphere sphere_of(const Session& session, const BodyState& state) {
    return session.state().world.bodies().sphere(body_in(session, state));
}
inline bv::Aabb fixed_of(const Session& session, const BodyState& state) {
    return session.state().world.bodies().fixed_box(body_in(session, state));
}
inline bv::Aabb tight_of(const Session& session, const BodyState& state) {
    return session.state().world.bodies().tight_box(body_in(session, state));
}
inline bv::Obb obb_of(const Session& session, const BodyState& state) {
    return session.state().world.bodies().obb(body_in(session, state));
}

}  // namespace lab::test
