// A tinted film. A sphere is denser where it is seen at a slant, which makes it look round and not like a disc.
#include "frame.glsl"

flat in vec4 v_color;
#ifdef SPHERES
in vec3 v_normal;
in vec3 v_world;
#endif
out vec4 o_color;

void main() {
    o_color = v_color;
#ifdef SPHERES
    vec3 n = v_normal / max(length(v_normal), 1e-20);
    float slant = 1.0 - abs(dot(n, normalize(towards_eye(v_world))));
    o_color.rgb *= shade_from_above(gl_FrontFacing ? n : -n);
    o_color.a = clamp(o_color.a * (0.75 + 1.25 * slant * slant * slant), 0.0, max(o_color.a, 0.9));
#endif
}
