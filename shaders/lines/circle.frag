#include "frame.glsl"

flat in vec4 v_color;
flat in float v_radius;
in float v_across;
in float v_strength;
uniform int u_core;  // 1: only depth, where the ribbon covers most of the pixel
out vec4 o_color;

void main() {
#ifdef THIN
    float coverage = 1.0;
#else
    float coverage = clamp(v_radius + 0.5 - abs(v_across), 0.0, 1.0);
    if (coverage <= 0.0 || (u_core != 0 && coverage < 0.5)) discard;
#endif
    o_color = vec4(v_color.rgb, v_color.a * v_strength * coverage);
}
