// A calm studio light: sky from above, warm bounce from below, a wide key light over the viewer's left shoulder, so that
// a body is well lit from wherever one looks, and a soft rim that lifts its outline off the background.
#include "frame.glsl"

in vec3 v_world;
in vec3 v_normal;
flat in vec4 v_color;
out vec4 o_color;

const vec3 kSky = vec3(0.36, 0.40, 0.47);
const vec3 kBounce = vec3(0.15, 0.135, 0.12);
const vec3 kKey = vec3(0.80, 0.775, 0.73);
const vec3 kFill = vec3(0.10, 0.12, 0.16);

void main() {
    vec3 to_eye = normalize(towards_eye(v_world));
    vec3 n = normalize(v_normal);
    if (dot(n, to_eye) < 0.0 && !gl_FrontFacing) n = -n;  // the inside of an open mesh is lit as its outside

    vec3 right = vec3(u_view[0][0], u_view[1][0], u_view[2][0]);
    vec3 up = vec3(u_view[0][1], u_view[1][1], u_view[2][1]);
    vec3 back = vec3(u_view[0][2], u_view[1][2], u_view[2][2]);
    vec3 key = normalize(-0.55 * right + 0.60 * up + 0.62 * back + 0.35 * up_axis());
    vec3 fill = normalize(0.85 * right - 0.10 * up + 0.35 * back);

    float wrapped = clamp((dot(n, key) + 0.25) / 1.25, 0.0, 1.0);
    vec3 light = mix(kBounce, kSky, 0.5 + 0.5 * dot(n, up_axis()));
    light += kKey * wrapped * wrapped;
    light += kFill * clamp(dot(n, fill), 0.0, 1.0);

    float facing = clamp(dot(n, to_eye), 0.0, 1.0);
    float away = 1.0 - facing;
    float fresnel = away * away * away * away;
    // To the power of 48: products, since a software renderer takes long for a pow.
    float gloss = clamp(dot(n, normalize(key + to_eye)), 0.0, 1.0);
    gloss *= gloss * gloss;
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;
    vec3 color = v_color.rgb * light + vec3(0.16) * gloss + kSky * fresnel * 0.28;
    if (writes_bytes()) color = to_srgb(color);
    o_color = vec4(color, v_color.a);
}
