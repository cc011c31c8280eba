// The finished scene, from linear light to sRGB bytes.
#include "frame.glsl"

uniform sampler2D u_scene;
in vec2 v_uv;
out vec4 o_color;

void main() {
    o_color = vec4(to_srgb(texelFetch(u_scene, ivec2(gl_FragCoord.xy), 0).rgb), 1.0);
}
