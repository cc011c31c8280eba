// Lit meshes, one instance a body.
#include "frame.glsl"

layout(location = 0) in vec3 i_x;
layout(location = 1) in vec3 i_y;
layout(location = 2) in vec3 i_z;
layout(location = 3) in vec3 i_origin;
layout(location = 4) in vec4 i_color;
layout(location = 5) in vec3 a_position;
layout(location = 6) in vec3 a_normal;

out vec3 v_world;
out vec3 v_normal;
flat out vec4 v_color;

void main() {
    mat3 linear = mat3(i_x, i_y, i_z);
    v_world = linear * a_position + i_origin;
    // Normals go with the cofactor matrix, which is there even where the transform flattens or mirrors.
    vec3 normal = mat3(cross(i_y, i_z), cross(i_z, i_x), cross(i_x, i_y)) * a_normal;
    float size = dot(normal, normal);
    v_normal = size > 0.0 ? normal * inversesqrt(size) : a_normal;
    v_color = vec4(to_linear(i_color.rgb), writes_bytes() ? i_color.a : seen_alpha(i_color.rgb, i_color.a));
    gl_Position = u_view_projection * vec4(v_world, 1.0);
}
