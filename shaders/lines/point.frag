#include "frame.glsl"

flat in vec4 v_color;
flat in float v_radius;
in vec2 v_offset;
uniform int u_core;  // 1: only depth, where the marker covers most of the pixel
out vec4 o_color;

void main() {
    float d = length(v_offset);
    float coverage = clamp(v_radius + 0.5 - d, 0.0, 1.0);
    if (coverage <= 0.0 || (u_core != 0 && coverage < 0.5)) discard;
    // A dark rim sets the marker off from whatever is behind it.
    float rim = v_radius > 2.5 ? clamp(d - (v_radius - max(1.25, v_radius * 0.22)) + 0.5, 0.0, 1.0) : 0.0;
    o_color = vec4(mix(v_color.rgb, v_color.rgb * mixed_shade(0.06), rim * 0.85), v_color.a * coverage);
}
