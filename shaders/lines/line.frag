#include "frame.glsl"

flat in vec4 v_color;
flat in vec2 v_a;
flat in vec2 v_b;
flat in float v_radius;
uniform int u_core;  // 1: only depth, where the line covers most of the pixel
out vec4 o_color;

void main() {
#ifdef THIN
    o_color = v_color;
#else
    vec2 along = v_b - v_a;
    vec2 from_a = gl_FragCoord.xy - v_a;
    float t = clamp(dot(from_a, along) / max(dot(along, along), 1e-8), 0.0, 1.0);
    float coverage = clamp(v_radius + 0.5 - distance(from_a, along * t), 0.0, 1.0);
    if (coverage <= 0.0 || (u_core != 0 && coverage < 0.5)) discard;
    o_color = vec4(v_color.rgb, v_color.a * coverage);
#endif
}
