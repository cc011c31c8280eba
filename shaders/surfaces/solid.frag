// A tinted film: a little brighter from above so that faces tell apart, and denser where it is seen at a slant, which
// makes a sphere look round and not like a disc.
#include "frame.glsl"

flat in vec4 v_color;
in vec3 v_normal;
in vec3 v_world;
out vec4 o_color;

void main() {
    vec3 n = v_normal / max(length(v_normal), 1e-20);
    vec3 to_eye = normalize(towards_eye(v_world));
    float shade = 0.86 + 0.14 * n.y * (gl_FrontFacing ? 1.0 : -1.0);
    float alpha = v_color.a;
#ifdef SPHERES
    float slant = 1.0 - abs(dot(n, to_eye));
    alpha = clamp(alpha * (0.75 + 1.25 * slant * slant * slant), 0.0, max(alpha, 0.9));
#endif
    o_color = vec4(v_color.rgb * shade, alpha);
}
