#include "world/bodies/rigid.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>

namespace lab {
namespace {

constexpr double kGravity = 9.81;
constexpr double kFriction = 0.55;
constexpr double kBounce = 0.15;
constexpr int kIterations = 12;
constexpr std::size_t kMaxContacts = 48;
/// A body slower than this for a while is at rest.
constexpr double kStillSpeed = 0.06, kStillSpin = 0.12;

struct Touch {
    glm::dvec3 arm;        ///< From the center of mass.
    double min_speed = 0;  ///< The least upward speed of the corner.
    double normal = 0;     ///< Accumulated impulse.
    glm::dvec2 along{0};   ///< The same along x and z: friction.
};

/// The change of a corner's speed along `axis` by a unit impulse there along that axis.
double response(const RigidShape& shape, const glm::dmat3& inverse_inertia, const glm::dvec3& arm,
                const glm::dvec3& axis) {
    const glm::dvec3 turn = glm::cross(inverse_inertia * glm::cross(arm, axis), arm);
    return 1.0 / shape.mass + glm::dot(turn, axis);
}

}  // namespace

MassProperties mass_of(const bv::MeshView& mesh) {
    MassProperties m;
    glm::dvec3 first(0.0);
    glm::dmat3 second(0.0);  // integral of x x^T
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const bv::Triangle t = mesh.triangle(i);
        const glm::dvec3 a(t.a), b(t.b), c(t.c);
        const double six = glm::dot(a, glm::cross(b, c));
        const glm::dvec3 sum = a + b + c;
        m.volume += six / 6.0;
        first += (six / 24.0) * sum;
        second += (six / 120.0) * (glm::outerProduct(a, a) + glm::outerProduct(b, b) +
                                   glm::outerProduct(c, c) + glm::outerProduct(sum, sum));
    }
    if (!(std::abs(m.volume) > 0.0)) return m;
    m.center = first / m.volume;
    second -= m.volume * glm::outerProduct(m.center, m.center);
    const double trace = second[0][0] + second[1][1] + second[2][2];
    m.inertia = trace * glm::dmat3(1.0) - second;
    return m;
}

RigidShape rigid_shape(const MassProperties& mass, std::span<const glm::vec3> hull_corners) {
    RigidShape shape;
    shape.mass = std::max(std::abs(mass.volume), 1e-12);
    // A sliver would spin without bound, so no moment is less than a hundredth of the largest.
    const double largest = std::max({mass.inertia[0][0], mass.inertia[1][1], mass.inertia[2][2], 1e-18});
    shape.inverse_inertia = glm::inverse(mass.inertia + 0.01 * largest * glm::dmat3(1.0));
    shape.corners.assign(hull_corners.begin(), hull_corners.end());
    return shape;
}

namespace {

std::vector<Touch> contacts_of(const Body& body, const RigidShape& shape, double floor_y, double dt_s,
                               const glm::dvec3& velocity, const glm::dvec3& spin) {
    std::vector<Touch> contacts;
    const glm::dmat3 rotation = glm::dmat3(glm::mat3_cast(body.orientation));
    const double reach = 0.01 + dt_s * (glm::length(velocity) + 2.0 * glm::length(spin));
    for (const glm::vec3& corner : shape.corners) {
        const glm::dvec3 arm = rotation * glm::dvec3(corner);
        const double height = body.position.y + arm.y - floor_y;
        if (height > reach) continue;
        Touch contact;
        contact.arm = arm;
        // A corner may approach the floor; one below it is pushed out slowly.
        contact.min_speed = height > 0.0 ? -height / dt_s : std::min(-0.15 * height / dt_s, 0.8);
        const double speed = velocity.y + glm::cross(spin, arm).y;
        if (height < 0.02 && speed < -0.6) contact.min_speed = std::max(contact.min_speed, -kBounce * speed);
        contacts.push_back(contact);
    }
    if (contacts.size() > kMaxContacts) {
        // The impulses depend on the order, so that must not depend on the library as nth_element's does.
        std::stable_sort(contacts.begin(), contacts.end(),
                         [](const Touch& a, const Touch& b) { return a.arm.y < b.arm.y; });
        contacts.resize(kMaxContacts);
    }
    return contacts;
}

}  // namespace

void fall_on_floor(Body& body, const RigidShape& shape, float floor_y, float dt_s) {
    glm::dvec3 velocity(body.state.velocity);
    glm::dvec3 spin(body.state.angular_velocity);
    velocity.y -= kGravity * dt_s;
    const glm::dmat3 rotation = glm::dmat3(glm::mat3_cast(body.orientation));
    const glm::dmat3 inverse_inertia = rotation * shape.inverse_inertia * glm::transpose(rotation);
    std::vector<Touch> contacts = contacts_of(body, shape, floor_y, dt_s, velocity, spin);
    const auto push = [&](const Touch& contact, const glm::dvec3& impulse) {
        velocity += impulse / shape.mass;
        spin += inverse_inertia * glm::cross(contact.arm, impulse);
    };
    for (int i = 0; i < kIterations; ++i)
        for (Touch& contact : contacts) {
            const glm::dvec3 at = velocity + glm::cross(spin, contact.arm);
            const glm::dvec3 up(0, 1, 0);
            const double wanted =
                (contact.min_speed - at.y) / response(shape, inverse_inertia, contact.arm, up);
            const double before = contact.normal;
            contact.normal = std::max(before + wanted, 0.0);
            push(contact, (contact.normal - before) * up);
            for (int k = 0; k < 2; ++k) {
                const glm::dvec3 axis = k == 0 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 0, 1);
                const double speed = glm::dot(velocity + glm::cross(spin, contact.arm), axis);
                const double limit = kFriction * contact.normal;
                const double old = contact.along[k];
                contact.along[k] = std::clamp(
                    old - speed / response(shape, inverse_inertia, contact.arm, axis), -limit, limit);
                push(contact, (contact.along[k] - old) * axis);
            }
        }
    if (contacts.size() >= 3 && glm::length(velocity) < kStillSpeed && glm::length(spin) < kStillSpin) {
        velocity *= 0.5;
        spin *= 0.5;
    }
    spin *= 0.998;
    const double spin_length = glm::length(spin);
    if (spin_length > 12.0) spin *= 12.0 / spin_length;
    body.state.velocity = glm::vec3(velocity);
    body.state.angular_velocity = glm::vec3(spin);
}

}  // namespace lab
