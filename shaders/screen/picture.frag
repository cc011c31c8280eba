uniform sampler2D u_picture;
uniform float u_opacity;
in vec2 v_uv;
out vec4 o_color;

void main() {
    vec4 texel = texture(u_picture, v_uv);
    o_color = vec4(texel.rgb, texel.a * u_opacity);
}
