// The meaning of a drawn shape.
#pragma once

namespace lab {

/// The meaning of a shape. The palette gives each role one color, the same in the 3D view, the panels and the
/// plots.
enum class Role : unsigned char {
    Mesh,
    Sphere,
    AabbFixed,
    AabbTight,
    Obb,
    Kdop,
    Hull,
    Capsule,
    TreeNode,
    TreeLeaf,
    Ray,
    Hit,
    Normal,
    Plane,
    Overlap,
    Separating,  ///< A separating axis, or a verdict of apart.
    Touching,    ///< A verdict of overlap.
    ProjectionA,
    ProjectionB,
    Visited,
    Culled,
    Selected,
    Muted,
    Broken,  ///< A part of a tree that breaks its rules.
    AxisX,   ///< What belongs to one axis: a slab, an interval, a cost curve, an arrow of the gizmo.
    AxisY,
    AxisZ,
};

inline constexpr Role kAxisRoles[3] = {Role::AxisX, Role::AxisY, Role::AxisZ};

}  // namespace lab
