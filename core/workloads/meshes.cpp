#include "workloads/meshes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <utility>

#include "bv/portable_math.hpp"
#include "workloads/mesh_build.hpp"
#include "workloads/random.hpp"

namespace bv::workloads {
namespace {

constexpr float kGolden = 1.618033988749895f;

/// (x, y, z) with all signs of its non-zero coordinates, and the two rotations of its coordinates.
void add_signs_and_rotations(std::vector<glm::vec3>& points, glm::vec3 p) {
    for (int turn = 0; turn < 3; ++turn) {
        for (int signs = 0; signs < 8; ++signs) {
            const glm::vec3 s((signs & 1) ? -1.0f : 1.0f, (signs & 2) ? -1.0f : 1.0f,
                              (signs & 4) ? -1.0f : 1.0f);
            const glm::vec3 candidate = p * s + 0.0f;  // no negative zeros
            if (std::find(points.begin(), points.end(), candidate) == points.end())
                points.push_back(candidate);
        }
        p = {p.z, p.x, p.y};
    }
}

/// A quarter or half circle as a profile: `steps` points after the one at `from_rad`, the angle counted from
/// +y.
void add_arc(std::vector<glm::vec2>& profile, const glm::vec2& center, float radius, float from_rad,
             float to_rad, int steps) {
    for (int i = 1; i <= steps; ++i) {
        const float angle =
            from_rad + (to_rad - from_rad) * static_cast<float>(i) / static_cast<float>(steps);
        profile.push_back(center + radius * glm::vec2(bv::sin(angle), bv::cos(angle)));
    }
}

/// A closed curve like a running track in the x-y plane, around the origin.
std::vector<glm::vec3> running_track(float half_straight, float bend_radius, int steps_per_bend) {
    std::vector<glm::vec3> line;
    for (int side = 0; side < 2; ++side) {
        const float center = side == 0 ? half_straight : -half_straight;
        const float start = side == 0 ? -glm::half_pi<float>() : glm::half_pi<float>();
        for (int i = 0; i <= steps_per_bend; ++i) {
            const float angle =
                start + glm::pi<float>() * static_cast<float>(i) / static_cast<float>(steps_per_bend);
            line.emplace_back(center + bend_radius * bv::cos(angle), bend_radius * bv::sin(angle), 0.0f);
        }
        line.emplace_back(0.0f, side == 0 ? bend_radius : -bend_radius, 0.0f);
    }
    return line;
}

/// Smooth noise in [-1, 1] of wavelength 1: random values at the points of a lattice, interpolated.
class ValueNoise {
  public:
    explicit ValueNoise(Random& random) {
        for (float& value : values_)
            value = random.uniform(-1.0f, 1.0f);
    }
    float operator()(const glm::vec3& p) const {
        const glm::vec3 cell = glm::floor(p);
        const glm::vec3 f = p - cell;
        const glm::vec3 w = f * f * (3.0f - 2.0f * f);
        const glm::ivec3 c(cell);
        const auto row = [&](int y, int z) { return glm::mix(at(c.x, y, z), at(c.x + 1, y, z), w.x); };
        return glm::mix(glm::mix(row(c.y, c.z), row(c.y + 1, c.z), w.y),
                        glm::mix(row(c.y, c.z + 1), row(c.y + 1, c.z + 1), w.y), w.z);
    }

  private:
    static constexpr unsigned kSide = 16;
    float at(int x, int y, int z) const {
        const auto wrap = [](int i) { return static_cast<unsigned>(i) % kSide; };
        return values_[(wrap(z) * kSide + wrap(y)) * kSide + wrap(x)];
    }
    std::array<float, kSide * kSide * kSide> values_;
};

}  // namespace

MeshData box(const glm::vec3& half_extents) {
    std::vector<glm::vec3> corners;
    add_signs_and_rotations(corners, glm::vec3(1.0f));
    MeshData mesh = convex_solid("box", corners);
    for (glm::vec3& p : mesh.positions)
        p *= half_extents;
    return mesh;
}

MeshData tetrahedron() {
    return convex_solid("tetrahedron", std::array{glm::vec3(1, 1, 1), glm::vec3(1, -1, -1),
                                                  glm::vec3(-1, 1, -1), glm::vec3(-1, -1, 1)});
}

MeshData octahedron() {
    std::vector<glm::vec3> corners;
    add_signs_and_rotations(corners, {1.0f, 0.0f, 0.0f});
    return convex_solid("octahedron", corners);
}

MeshData dodecahedron() {
    std::vector<glm::vec3> corners;
    add_signs_and_rotations(corners, glm::vec3(1.0f));
    add_signs_and_rotations(corners, {0.0f, 1.0f / kGolden, kGolden});
    return convex_solid("dodecahedron", corners);
}

MeshData icosahedron() {
    std::vector<glm::vec3> corners;
    add_signs_and_rotations(corners, {0.0f, 1.0f, kGolden});
    return convex_solid("icosahedron", corners);
}

MeshData icosphere(int subdivisions, float radius) {
    return star_shape("icosphere", subdivisions, [radius](const glm::vec3&) { return radius; });
}

MeshData cylinder(float radius, float half_height, int segments) {
    return revolve("cylinder",
                   std::array{glm::vec2(0, half_height), glm::vec2(radius, half_height),
                              glm::vec2(radius, -half_height), glm::vec2(0, -half_height)},
                   segments);
}

MeshData cone(float radius, float height, int segments) {
    return revolve("cone", std::array{glm::vec2(0, height), glm::vec2(radius, 0), glm::vec2(0, 0)}, segments);
}

MeshData capsule(float radius, float half_height, int segments) {
    const int steps = std::max(2, segments / 4);
    std::vector<glm::vec2> profile{{0.0f, half_height + radius}};
    add_arc(profile, {0.0f, half_height}, radius, 0.0f, glm::half_pi<float>(), steps);
    profile.emplace_back(radius, -half_height);
    add_arc(profile, {0.0f, -half_height}, radius, glm::half_pi<float>(), glm::pi<float>(), steps);
    profile.back().x = 0.0f;
    return revolve("capsule", profile, segments);
}

MeshData pawn(int segments) {
    std::vector<glm::vec2> profile{{0.0f, 1.0f}};
    add_arc(profile, {0.0f, 0.84f}, 0.16f, 0.0f, 2.5f, 12);
    for (const glm::vec2& p :
         {glm::vec2(0.19f, 0.70f), glm::vec2(0.20f, 0.675f), glm::vec2(0.19f, 0.65f), glm::vec2(0.11f, 0.62f),
          glm::vec2(0.095f, 0.52f), glm::vec2(0.105f, 0.42f), glm::vec2(0.14f, 0.32f),
          glm::vec2(0.20f, 0.24f), glm::vec2(0.25f, 0.21f), glm::vec2(0.26f, 0.18f), glm::vec2(0.25f, 0.15f),
          glm::vec2(0.29f, 0.12f), glm::vec2(0.31f, 0.08f), glm::vec2(0.31f, 0.02f), glm::vec2(0.30f, 0.0f),
          glm::vec2(0.0f, 0.0f)})
        profile.push_back(p);
    return revolve("pawn", profile, segments);
}

MeshData torus(float major_radius, float minor_radius, int segments, int sides) {
    std::vector<glm::vec3> line;
    for (int i = 0; i < segments; ++i) {
        const float angle = glm::two_pi<float>() * static_cast<float>(i) / static_cast<float>(segments);
        line.emplace_back(major_radius * bv::cos(angle), 0.0f, major_radius * bv::sin(angle));
    }
    return tube("torus", rings_along(line, TubeEnds::Joined, minor_radius, sides), TubeEnds::Joined);
}

MeshData torus_knot(int p, int q, float tube_radius, int segments, int sides) {
    std::vector<glm::vec3> line;
    for (int i = 0; i < segments; ++i) {
        const float angle = glm::two_pi<float>() * static_cast<float>(i) / static_cast<float>(segments);
        const float around = static_cast<float>(p) * angle;
        const float through = static_cast<float>(q) * angle;
        const float r = 0.32f + 0.14f * bv::cos(through);
        line.emplace_back(r * bv::cos(around), 0.14f * bv::sin(through), r * bv::sin(around));
    }
    return tube("torus knot", rings_along(line, TubeEnds::Joined, tube_radius, sides), TubeEnds::Joined);
}

MeshData helix(float turns, float tube_radius, int segments_per_turn, int sides) {
    const int steps = std::max(2, static_cast<int>(turns * static_cast<float>(segments_per_turn)));
    std::vector<glm::vec3> line;
    for (int i = 0; i <= steps; ++i) {
        const float along = static_cast<float>(i) / static_cast<float>(steps);
        const float angle = glm::two_pi<float>() * turns * along;
        line.emplace_back(0.3f * bv::cos(angle), along - 0.5f, 0.3f * bv::sin(angle));
    }
    std::vector<Ring> rings = rings_along(line, TubeEnds::Capped, tube_radius, sides);
    // Each end is rounded by shrinking rings.
    const auto rounded = [&](const Ring& end, const glm::vec3& center, const glm::vec3& outward,
                             float angle) {
        Ring ring = end;
        for (glm::vec3& p : ring)
            p = center + (p - center) * bv::cos(angle) + outward * (tube_radius * bv::sin(angle));
        return ring;
    };
    const glm::vec3 first_direction = glm::normalize(line[0] - line[1]);
    const glm::vec3 last_direction = glm::normalize(line[line.size() - 1] - line[line.size() - 2]);
    const Ring first = rings.front();
    const Ring last = rings.back();
    for (const float angle : {0.4f, 0.8f, 1.2f}) {
        rings.insert(rings.begin(), rounded(first, line.front(), first_direction, angle));
        rings.push_back(rounded(last, line.back(), last_direction, angle));
    }
    return tube("helix", rings, TubeEnds::Capped);
}

MeshData chain(int links) {
    const std::vector<glm::vec3> track = running_track(0.12f, 0.1f, 14);
    const MeshData link = tube("link", rings_along(track, TubeEnds::Joined, 0.035f, 12), TubeEnds::Joined);
    MeshData mesh{"chain", {}, {}};
    for (int i = 0; i < links; ++i) {
        MeshData turned = link;
        for (glm::vec3& p : turned.positions) {
            if (i % 2 == 1) p = {p.x, -p.z, p.y};
            p.x += 0.35f * (static_cast<float>(i) - 0.5f * static_cast<float>(links - 1));
        }
        append(mesh, turned);
    }
    return mesh;
}

MeshData gear(int teeth) {
    // A tooth spans six angles: root, flank, tip, flank. The cross-section at each angle is a rectangle.
    constexpr std::array<std::pair<float, float>, 6> kTooth{
        {{0.0f, 0.38f}, {0.18f, 0.38f}, {0.30f, 0.42f}, {0.40f, 0.5f}, {0.70f, 0.5f}, {0.80f, 0.42f}}};
    constexpr float kBore = 0.14f;
    constexpr float kHalfThickness = 0.11f;
    std::vector<Ring> rings;
    for (int tooth = 0; tooth < teeth; ++tooth) {
        for (const auto& [part, radius] : kTooth) {
            const float angle =
                glm::two_pi<float>() * (static_cast<float>(tooth) + part) / static_cast<float>(teeth);
            const glm::vec3 out(bv::cos(angle), 0.0f, bv::sin(angle));
            const glm::vec3 up(0.0f, kHalfThickness, 0.0f);
            rings.push_back({out * kBore - up, out * radius - up, out * radius + up, out * kBore + up});
        }
    }
    return tube("gear", rings, TubeEnds::Joined);
}

MeshData rock(std::uint64_t seed, int subdivisions) {
    Random random(seed, 0x60c);
    const ValueNoise noise(random);
    const glm::vec3 shift = random.in_box(glm::vec3(0.0f), glm::vec3(16.0f));
    const glm::vec3 stretch = random.in_box(glm::vec3(0.75f), glm::vec3(1.1f));
    std::vector<std::pair<glm::vec3, float>> breaks(6);
    for (auto& [normal, distance] : breaks) {
        normal = random.direction();
        distance = random.uniform(0.33f, 0.45f);
    }
    MeshData mesh = star_shape("rock", subdivisions, [&](const glm::vec3& d) {
        float r = 0.5f;
        float frequency = 1.5f;
        float height = 0.16f;
        for (int octave = 0; octave < 3; ++octave, frequency *= 2.1f, height *= 0.36f)
            r += height * noise(d * frequency + shift * frequency);
        for (const auto& [normal, distance] : breaks) {
            const float facing = glm::dot(normal, d);
            if (facing > 0.0f) r = std::min(r, distance / facing);
        }
        return r;
    });
    for (glm::vec3& p : mesh.positions)
        p *= stretch;
    return mesh;
}

MeshData spike_ball(int subdivisions) {
    const MeshData tips = star_shape("tips", 1, [](const glm::vec3&) { return 1.0f; });
    return star_shape("spike ball", subdivisions, [&](const glm::vec3& d) {
        float nearest = -1.0f;
        for (const glm::vec3& tip : tips.positions)
            nearest = std::max(nearest, glm::dot(tip, d));
        const float angle = bv::acos(std::min(nearest, 1.0f));
        const float rise = std::max(0.0f, 1.0f - angle / 0.22f);
        return 0.31f + 0.19f * rise * std::sqrt(rise);
    });
}

void center_and_scale(MeshData& mesh) {
    if (mesh.positions.empty()) return;
    glm::vec3 low = mesh.positions[0];
    glm::vec3 high = low;
    for (const glm::vec3& p : mesh.positions) {
        low = glm::min(low, p);
        high = glm::max(high, p);
    }
    const glm::vec3 size = high - low;
    const float longest = std::max({size.x, size.y, size.z});
    const glm::vec3 center = low + 0.5f * size;
    for (glm::vec3& p : mesh.positions)
        p = longest > 0.0f ? (p - center) / longest : glm::vec3(0.0f);
}

}  // namespace bv::workloads
