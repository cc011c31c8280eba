#ifdef GL_ES
#include "frame.glsl"
#endif
uniform vec4 u_top;     // sRGB
uniform vec4 u_bottom;  // sRGB
in vec2 v_uv;
out vec4 o_color;

// Noise of half a step against the bands that eight bits leave in a slow dark gradient, which a projector shows plainly.
float noise(vec2 px) { return fract(52.9829189 * fract(dot(px, vec2(0.06711056, 0.00583715)))); }

void main() {
    vec3 srgb = mix(u_bottom.rgb, u_top.rgb, smoothstep(0.0, 1.0, v_uv.y));
    if (u_top.rgb != u_bottom.rgb) srgb += (noise(gl_FragCoord.xy) - 0.5) / 255.0;
    srgb = clamp(srgb, 0.0, 1.0);
#ifdef GL_ES
    // OpenGL ES converts what is written from linear light, except in a target of bytes.
    o_color = vec4(writes_bytes() ? srgb : to_linear(srgb), 1.0);
#else
    // Written as bytes: the conversion from linear light is off for this draw, nothing is mixed.
    o_color = vec4(srgb, 1.0);
#endif
}
