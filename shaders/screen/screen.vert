// Filled shapes in window px, y down: rounded rectangles and thick lines (a rounded rectangle turned by `axis`).
layout(location = 0) in vec2 i_center;
layout(location = 1) in vec2 i_half;
layout(location = 2) in vec2 i_axis;
layout(location = 3) in float i_radius;
layout(location = 4) in vec4 i_color;

uniform vec2 u_size;

flat out vec4 v_color;
flat out vec2 v_half;
flat out float v_radius;
out vec2 v_local;

void main() {
    vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, (gl_VertexID & 2) == 0 ? -1.0 : 1.0);
    v_color = i_color;
    v_half = i_half;
    v_radius = min(i_radius, min(i_half.x, i_half.y));
    v_local = corner * (i_half + 1.0);
    vec2 px = i_center + i_axis * v_local.x + vec2(-i_axis.y, i_axis.x) * v_local.y;
    gl_Position = vec4(px / u_size * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}
