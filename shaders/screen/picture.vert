// A picture in window px, y down.
uniform vec2 u_size;
uniform vec4 u_rect;  // min, max

out vec2 v_uv;

void main() {
    v_uv = vec2((gl_VertexID & 1) == 0 ? 0.0 : 1.0, (gl_VertexID & 2) == 0 ? 0.0 : 1.0);
    vec2 px = mix(u_rect.xy, u_rect.zw, v_uv);
    gl_Position = vec4(px / u_size * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}
