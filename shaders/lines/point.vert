// Round markers of a fixed size on screen.
#include "stroke.glsl"

layout(location = 0) in vec3 i_position;
layout(location = 1) in vec4 i_color;
layout(location = 2) in float i_size;

flat out vec4 v_color;
flat out float v_radius;
out vec2 v_offset;

void main() {
    vec4 clip = project_stroke(i_position);
    v_color = to_mixed(i_color);
    v_radius = max(0.5 * i_size * u_scale.x, 0.5);
    vec2 c = quad_corner(gl_VertexID);
    v_offset = vec2(c.x * 2.0 - 1.0, c.y) * soft_reach(v_radius);
    if (clip.z + clip.w <= 0.0 || clip.w <= 0.0)
        gl_Position = kNowhere;
    else
        gl_Position = from_px(to_px(clip) + v_offset, clip.z / clip.w);
}
