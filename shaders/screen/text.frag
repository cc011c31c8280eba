uniform sampler2D u_atlas;
uniform vec2 u_atlas_size;
uniform int u_halo_pass;

flat in vec4 v_color;
flat in vec4 v_halo;
flat in float v_px_per_value;
flat in float v_halo_px;
in vec2 v_texel;
out vec4 o_color;

void main() {
    // px inside the outline; negative outside
    float inside = (texture(u_atlas, v_texel / u_atlas_size).r - 128.0 / 255.0) * v_px_per_value;
    if (u_halo_pass != 0)
        o_color = vec4(v_halo.rgb, v_halo.a * smoothstep(-v_halo_px - 0.5, -0.35 * v_halo_px, inside));
    else
        o_color = vec4(v_color.rgb, v_color.a * clamp(inside + 0.5, 0.0, 1.0));
    if (o_color.a <= 0.003) discard;
}
