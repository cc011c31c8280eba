// The view, shared by all programs. Twin of FrameBlock in app/render/gl/frame.hpp.
layout(std140) uniform Frame {
    mat4 u_view_projection;
    mat4 u_view;
    vec4 u_eye;       // the eye (w = 1), or the direction toward it (w = 0: orthographic)
    vec4 u_viewport;  // x, y, width, height in px
    vec4 u_scale;     // x: px per unit of width; y: depth step of lines; z: far distance; w: brightness of the background
    vec4 u_quality;   // x = 1: blended things are mixed as sRGB bytes, 0: in linear light; y: px around shapes with soft edges;
                      // z: 1 where the z axis points up, 0: the y axis
};

// Colors come as sRGB bytes and are mixed in linear light.
vec3 to_linear(vec3 srgb) {
    return mix(srgb / 12.92, pow((srgb + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), srgb));
}

// Mixing in linear light makes bright things over a dark ground look denser than their opacity says, and dark things over a
// bright one thinner. This is the opacity that looks as if the sRGB values had been mixed (with a gamma of 2).
float seen_alpha(vec3 srgb, float alpha) {
    float ground = u_scale.w, own = dot(srgb, vec3(0.2126, 0.7152, 0.0722));
    return alpha * (mix(ground, own, alpha) + ground) / max(own + ground, 1e-3);
}

// Colors of lines, markers and translucent volumes. Fast frames mix them as bytes, without any conversion.
float mixed_alpha(vec3 srgb, float alpha) { return u_quality.x > 0.0 ? alpha : seen_alpha(srgb, alpha); }
vec3 to_mixed(vec3 srgb) { return u_quality.x > 0.0 ? srgb : to_linear(srgb); }
vec4 to_mixed(vec4 srgb) { return vec4(to_mixed(srgb.rgb), mixed_alpha(srgb.rgb, srgb.a)); }
// For the colors of lit surfaces. OpenGL converts what they write from linear light; so does OpenGL ES,
// except in a target of bytes.
#ifdef GL_ES
bool writes_bytes() { return u_quality.x > 0.0; }
#else
bool writes_bytes() { return false; }
#endif
vec3 to_srgb(vec3 linear) {
    return mix(linear * 12.92, 1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, step(vec3(0.0031308), linear));
}

// A factor of light, for a color from to_mixed.
float mixed_shade(float light) { return u_quality.x > 0.0 ? sqrt(light) : light; }

vec3 up_axis() { return u_quality.z > 0.0 ? vec3(0.0, 0.0, 1.0) : vec3(0.0, 1.0, 0.0); }

// The shade of a translucent surface with this unit normal on the side that is seen: a little brighter from
// above, so that faces can be told apart.
float shade_from_above(vec3 normal) { return mixed_shade(0.86 + 0.14 * dot(normal, up_axis())); }

// From a point of the scene toward the eye, not normalized.
vec3 towards_eye(vec3 world) { return u_eye.xyz - world * u_eye.w; }
