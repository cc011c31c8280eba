#include "results/probe.hpp"

namespace lab {

const std::array<ProbeKindRow, 8>& probe_kinds() {
    static constexpr std::array<ProbeKindRow, 8> kRows = {{
        {ProbeKind::Off, "off", "Off", "", false},
        {ProbeKind::Ray, "ray", "Ray", "distance, m", true},
        {ProbeKind::BoxCast, "box-cast", "Box cast", "t", true},
        {ProbeKind::SphereOverlap, "sphere", "Sphere overlap", "", false},
        {ProbeKind::BoxOverlap, "box", "Box overlap", "", false},
        {ProbeKind::ClosestPoint, "closest", "Closest point", "distance, m", false},
        {ProbeKind::KNearest, "k-nearest", "K nearest", "distance, m", false},
        {ProbeKind::Frustum, "frustum", "Frustum", "", true},
    }};
    return kRows;
}

}  // namespace lab
