// Segments with round ends. One of SEGMENTS, AABBS, BOXES says what an instance is; THIN draws plain one-pixel lines.
#include "stroke.glsl"

#if defined(SEGMENTS)
layout(location = 0) in vec3 i_a;
layout(location = 1) in vec4 i_color;
layout(location = 2) in vec3 i_b;
layout(location = 3) in float i_width;
#elif defined(AABBS)
layout(location = 0) in vec3 i_min;
layout(location = 1) in vec4 i_color;
layout(location = 2) in vec3 i_max;
layout(location = 3) in float i_width;
#else
layout(location = 0) in vec3 i_x;
layout(location = 1) in vec3 i_y;
layout(location = 2) in vec3 i_z;
layout(location = 3) in vec3 i_origin;
layout(location = 4) in vec4 i_color;
layout(location = 5) in float i_width;
#endif

flat out vec4 v_color;
flat out vec2 v_a;
flat out vec2 v_b;
flat out float v_radius;

#ifdef THIN
const int kVerticesPerSegment = 2;
#else
const int kVerticesPerSegment = 6;
#endif

void segment(int index, out vec3 a, out vec3 b) {
#if defined(SEGMENTS)
    a = i_a;
    b = i_b;
#else
    cube_edge(index, a, b);
#if defined(AABBS)
    a = mix(i_min, i_max, a * 0.5 + 0.5);
    b = mix(i_min, i_max, b * 0.5 + 0.5);
#else
    mat3 linear = mat3(i_x, i_y, i_z);
    a = linear * a + i_origin;
    b = linear * b + i_origin;
#endif
#endif
}

void main() {
    vec3 a_world, b_world;
    segment(gl_VertexID / kVerticesPerSegment, a_world, b_world);
    v_color = to_mixed(i_color);
    v_color.a *= stroke_fade(i_width);
    v_radius = stroke_radius(i_width);
    v_a = v_b = vec2(0.0);
    int corner = gl_VertexID % kVerticesPerSegment;
#ifdef THIN
    gl_Position = project_stroke(corner == 0 ? a_world : b_world);
#else
    vec4 a = project_stroke(a_world);
    vec4 b = project_stroke(b_world);
    if (!clip_to_near(a, b)) {
        gl_Position = kNowhere;
        return;
    }
    v_a = to_px(a);
    v_b = to_px(b);
    vec2 along = v_b - v_a;
    float length_px = length(along);
    along = length_px > 1e-4 ? along / length_px : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);
    float reach = soft_reach(v_radius);
    vec2 c = quad_corner(corner);
    vec2 end_px = c.x == 0.0 ? v_a - along * reach : v_b + along * reach;
    float depth = c.x == 0.0 ? a.z / a.w : b.z / b.w;
    gl_Position = from_px(end_px + across * c.y * reach, depth);
#endif
}
