// A probe: one query of a chosen kind against a tree on show, with its result and the work it took.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bv/tree/query_stats.hpp"

namespace lab {

enum class ProbeKind : std::uint8_t {
    Off,
    Ray,            ///< The first box along a ray from `at` toward `aim`.
    BoxCast,        ///< The first box that a moving box hits on its way from `at` to `aim`.
    SphereOverlap,  ///< All boxes that a sphere around `at` overlaps.
    BoxOverlap,     ///< All boxes that a box around `at` overlaps.
    ClosestPoint,   ///< The box nearest to `at`.
    KNearest,       ///< The `count` boxes nearest to `at`.
    Frustum,        ///< All boxes not entirely outside of a view from `at` to `aim`.
};

struct ProbeKindRow {
    ProbeKind kind;
    std::string_view id;     ///< In settings and reports.
    std::string_view label;  ///< For people.
    std::string_view value;  ///< The meaning of a hit's number; empty where hits have none.
    bool aims = false;       ///< Needs a direction.
};
/// In the order of the enumeration.
inline constexpr std::array kProbeKinds = {
    ProbeKindRow{ProbeKind::Off, "off", "Off", "", false},
    ProbeKindRow{ProbeKind::Ray, "ray", "Ray", "distance, m", true},
    ProbeKindRow{ProbeKind::BoxCast, "box-cast", "Box cast", "t", true},
    ProbeKindRow{ProbeKind::SphereOverlap, "sphere", "Sphere overlap", "", false},
    ProbeKindRow{ProbeKind::BoxOverlap, "box", "Box overlap", "", false},
    ProbeKindRow{ProbeKind::ClosestPoint, "closest", "Closest point", "distance, m", false},
    ProbeKindRow{ProbeKind::KNearest, "k-nearest", "K nearest", "distance, m", false},
    ProbeKindRow{ProbeKind::Frustum, "frustum", "Frustum", "", true},
};

/// World frame, meters. A length that is not positive makes the probe a point, or one without a direction.
struct Probe {
    ProbeKind kind = ProbeKind::Off;
    std::string tree;  ///< Its id.
    glm::vec3 at{0.0f};
    glm::vec3 aim{0.0f, 0.0f, -1.0f};
    float size = 1.0f;        ///< Radius of the sphere, half the edge of the box.
    std::uint32_t count = 1;  ///< For KNearest.
    friend bool operator==(const Probe&, const Probe&) = default;
};

struct ProbeHit {
    std::uint32_t place = 0;    ///< In the tree's payloads.
    std::uint64_t payload = 0;  ///< What the tree calls it.
    float value = 0;            ///< See ProbeKindRow::value; 0 for kinds without one.
};

/// Nodes are indices into the snapshot, in order of the walk.
struct ProbeResult {
    Probe probe;
    std::vector<std::uint32_t> visited;  ///< Nodes whose children or payloads were examined.
    std::vector<std::uint32_t>
        culled;                  ///< Nodes whose box was tested and rejected, or whose turn never came.
    std::vector<ProbeHit> hits;  ///< Nearest first where they have a value, else by index.
    bv::QueryStats stats;
    std::uint32_t brute_force_tested = 0;  ///< Boxes that a loop over all would test.
};

}  // namespace lab
