flat in vec4 v_color;
flat in vec2 v_half;
flat in float v_radius;
in vec2 v_local;
out vec4 o_color;

void main() {
    vec2 d = abs(v_local) - v_half + v_radius;
    float outside = length(max(d, 0.0)) + min(max(d.x, d.y), 0.0) - v_radius;
    o_color = vec4(v_color.rgb, v_color.a * clamp(0.5 - outside, 0.0, 1.0));
}
