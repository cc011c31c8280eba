// The circles of a wire sphere as ribbons: the outline that the eye sees, and the three great circles of the axes.
// Neighboring pieces share their corners, so translucent colors do not add up at the joints.
#include "stroke.glsl"

layout(location = 0) in vec3 i_center;
layout(location = 1) in float i_radius;
layout(location = 2) in vec4 i_color;
layout(location = 3) in float i_width;

uniform int u_segments;

flat out vec4 v_color;
flat out float v_radius;
out float v_across;
out float v_strength;

const float kTau = 6.28318530718;

// The plane and the size of the circle that bounds the sphere in the picture. False when the eye is inside.
bool outline(out vec3 center, out vec3 u, out vec3 v, out float radius) {
    vec3 to_eye = towards_eye(i_center);
    float d = length(to_eye);
    vec3 n = to_eye / max(d, 1e-20);
    center = i_center;
    radius = i_radius;
    if (u_eye.w > 0.0) {
        if (d <= i_radius * 1.0005) return false;
        // Tangents from the eye touch the sphere on a circle nearer to the eye and a little smaller than a great circle.
        float s = i_radius / d;
        center = i_center + n * (i_radius * s);
        radius = i_radius * sqrt(1.0 - s * s);
    }
    u = normalize(cross(n, abs(n.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
    v = cross(n, u);
    return true;
}

vec3 g_center, g_u, g_v;
float g_radius;

vec3 on_circle(int k) {
    float angle = kTau * float(k) / float(u_segments);
    return g_center + (g_u * cos(angle) + g_v * sin(angle)) * g_radius;
}

// How plainly a point of a great circle shows: the far half of the sphere stays in the background.
float great_circle_strength(vec3 point) {
    float facing = dot(normalize(towards_eye(point)), (point - i_center) / max(i_radius, 1e-20));
    return mix(0.16, 0.42, smoothstep(-0.15, 0.15, facing));
}

void main() {
#ifdef THIN
    const int kVerticesPerSegment = 2;
#else
    const int kVerticesPerSegment = 6;
#endif
    int piece = gl_VertexID / kVerticesPerSegment;
    int corner = gl_VertexID % kVerticesPerSegment;
    int circle = piece / u_segments;
    int k = piece % u_segments;

    v_color = vec4(to_mixed(i_color.rgb), stroke_fade(i_width));
    v_radius = stroke_radius(i_width);
    v_across = 0.0;
    v_strength = 1.0;
    gl_Position = kNowhere;

    g_center = i_center;
    g_radius = i_radius;
    if (circle == 0) {
        if (!outline(g_center, g_u, g_v, g_radius)) return;
    } else {
        g_u = circle == 1 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
        g_v = circle == 3 ? vec3(0.0, 1.0, 0.0) : vec3(0.0, 0.0, 1.0);
        v_radius = max(v_radius * 0.8, kThinnest);
    }

    vec2 c = quad_corner(corner);
#ifdef THIN
    c = vec2(float(corner), 0.0);
#endif
    int at = k + int(c.x);
    vec3 world = on_circle(at);
    v_strength = mixed_alpha(i_color.rgb, i_color.a * (circle == 0 ? 1.0 : great_circle_strength(world)));
    vec4 here = project_stroke(world);
#ifdef THIN
    gl_Position = here;
#else
    vec4 other = project_stroke(on_circle(k + 1 - int(c.x)));
    vec4 before = project_stroke(on_circle(at - 1));
    vec4 after = project_stroke(on_circle(at + 1));
    // Pieces that reach behind the near plane are left out: that happens only right before the eye.
    if (here.z + here.w <= 0.0 || other.z + other.w <= 0.0) return;
    vec2 p = to_px(here);
    vec2 q = before.w > 0.0 ? to_px(before) : p;
    vec2 r = after.w > 0.0 ? to_px(after) : p;
    vec2 along = r - q;
    float length_px = length(along);
    along = length_px > 1e-5 ? along / length_px : vec2(1.0, 0.0);
    float reach = soft_reach(v_radius);
    v_across = c.y * reach;
    gl_Position = from_px(p + vec2(-along.y, along.x) * v_across, here.z / here.w);
#endif
}
