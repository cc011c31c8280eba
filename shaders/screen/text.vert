// Glyphs in window px, y down, one texel for one pixel; between texels the distance is interpolated.
layout(location = 0) in vec2 i_min;
layout(location = 1) in vec2 i_size;
layout(location = 2) in vec2 i_texel;
layout(location = 3) in float i_px_per_value;
layout(location = 4) in float i_halo_px;
layout(location = 5) in vec4 i_color;
layout(location = 6) in vec4 i_halo;

uniform vec2 u_size;
uniform int u_halo_pass;

flat out vec4 v_color;
flat out vec4 v_halo;
flat out float v_px_per_value;
flat out float v_halo_px;
out vec2 v_texel;

void main() {
    vec2 corner = vec2((gl_VertexID & 1) == 0 ? 0.0 : 1.0, (gl_VertexID & 2) == 0 ? 0.0 : 1.0);
    v_color = i_color;
    v_halo = i_halo;
    v_px_per_value = i_px_per_value;
    v_halo_px = i_halo_px;
    // The picture's margin is wider than what is drawn around the outline.
    float margin = i_px_per_value * 127.0 / 255.0;
    float drawn = u_halo_pass != 0 ? i_halo_px + 1.0 : 1.0;
    vec2 at = i_size * corner + (1.0 - 2.0 * corner) * max(floor(margin - drawn), 0.0);
    v_texel = i_texel + at;
    gl_Position = vec4((i_min + at) / u_size * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}
