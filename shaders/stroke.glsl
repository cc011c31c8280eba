// Lines as quads around segments, in window px. Positions are divided by w here: what is interpolated is then linear on
// screen, and so is depth.
#include "frame.glsl"

// Lines win over the surfaces that they lie on: a small step toward the eye, the same share of the distance
// everywhere.
vec4 project_stroke(vec3 world) {
    vec4 clip = u_view_projection * vec4(world, 1.0);
    clip.z += u_scale.y;
    return clip;
}

const vec4 kNowhere = vec4(2.0, 2.0, 2.0, 1.0);  // outside the picture: the triangle is dropped

// Moves the end that lies behind the near plane onto it. False if both do.
bool clip_to_near(inout vec4 a, inout vec4 b) {
    float da = a.z + a.w, db = b.z + b.w;
    if (da <= 0.0 && db <= 0.0) return false;
    if (da < 0.0) a = mix(a, b, da / (da - db));
    if (db < 0.0) b = mix(b, a, db / (db - da));
    return a.w > 0.0 && b.w > 0.0;
}

vec2 to_px(vec4 clip) { return u_viewport.xy + (clip.xy / clip.w * 0.5 + 0.5) * u_viewport.zw; }
vec4 from_px(vec2 px, float depth) { return vec4((px - u_viewport.xy) / u_viewport.zw * 2.0 - 1.0, depth, 1.0); }

// The smallest half width that is drawn as such; thinner lines become fainter instead of dotted.
const float kThinnest = 0.5;
float stroke_radius(float width) { return max(0.5 * width * u_scale.x, kThinnest); }
// How far the quads of a shape of this radius reach. Coverage ends half a pixel outside of it, and a pixel of several
// samples must lie inside as a whole.
float soft_reach(float radius) { return radius + u_quality.y; }
float stroke_fade(float width) { return min(1.0, 0.5 * width * u_scale.x / kThinnest); }

// The corners 0..5 of two triangles: x along the segment, y across.
vec2 quad_corner(int i) {
    return vec2((i == 1 || i == 2 || i == 4) ? 1.0 : 0.0, (i == 2 || i == 4 || i == 5) ? 1.0 : -1.0);
}

// The corners of the cube [-1, 1]^3 at both ends of edge 0..11.
void cube_edge(int edge, out vec3 a, out vec3 b) {
    int axis = edge / 4;
    vec2 s = vec2((edge & 1) == 0 ? -1.0 : 1.0, (edge & 2) == 0 ? -1.0 : 1.0);
    if (axis == 0) {
        a = vec3(-1.0, s);
        b = vec3(1.0, s);
    } else if (axis == 1) {
        a = vec3(s.x, -1.0, s.y);
        b = vec3(s.x, 1.0, s.y);
    } else {
        a = vec3(s, -1.0);
        b = vec3(s, 1.0);
    }
}
