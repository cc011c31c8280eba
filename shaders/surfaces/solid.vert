// Translucent volumes. BOXES and SPHERES say what an instance is; TRIANGLES are plain vertices.
#include "frame.glsl"

#if defined(BOXES)
layout(location = 0) in vec3 i_x;
layout(location = 1) in vec3 i_y;
layout(location = 2) in vec3 i_z;
layout(location = 3) in vec3 i_origin;
layout(location = 4) in vec4 i_color;
#elif defined(SPHERES)
layout(location = 0) in vec3 i_center;
layout(location = 1) in float i_radius;
layout(location = 2) in vec4 i_color;
layout(location = 5) in vec3 a_position;
#else
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec4 i_color;
#endif

flat out vec4 v_color;
#ifdef SPHERES
out vec3 v_normal;
out vec3 v_world;
#endif

void main() {
    v_color = to_mixed(i_color);
#if defined(BOXES)
    // Two triangles per face, counterclockwise from outside.
    int face = gl_VertexID / 6;
    int i = gl_VertexID % 6;
    int axis = face / 2;
    float side = (face & 1) == 0 ? -1.0 : 1.0;
    vec2 st = vec2((i == 1 || i == 2 || i == 4) ? 1.0 : -1.0, (i == 2 || i == 4 || i == 5) ? 1.0 : -1.0);
    st.x *= side;
    mat3 linear = mat3(i_x, i_y, i_z);
    vec3 p = axis == 0 ? vec3(side, st) : axis == 1 ? vec3(st.y, side, st.x) : vec3(st, side);
    vec3 cofactor_x = cross(i_y, i_z);
    float outward = side;
    // A mirroring transform would turn the winding round: mirror back, a box is the same either way.
    if (dot(i_x, cofactor_x) < 0.0) {
        p.x = -p.x;
        outward = axis == 0 ? side : -side;
    }
    vec3 normal = (axis == 0 ? cofactor_x : axis == 1 ? cross(i_z, i_x) : cross(i_x, i_y)) * outward;
    vec3 world = linear * p + i_origin;
#elif defined(SPHERES)
    vec3 normal = a_position;
    vec3 world = i_center + a_position * i_radius;
#else
    vec3 normal = a_normal;
    vec3 world = a_position;
#endif
#ifdef SPHERES
    v_normal = normal;
    v_world = world;
#else
    // Flat faces have one shade each.
    float facing = dot(normal, towards_eye(world)) >= 0.0 ? 1.0 : -1.0;
    v_color.rgb *= shade_from_above(facing * normal / max(length(normal), 1e-20));
#endif
    gl_Position = u_view_projection * vec4(world, 1.0);
}
