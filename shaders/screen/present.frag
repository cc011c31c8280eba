// The finished scene, from linear light to sRGB bytes.
uniform sampler2D u_scene;
in vec2 v_uv;
out vec4 o_color;

void main() {
    vec3 linear = texelFetch(u_scene, ivec2(gl_FragCoord.xy), 0).rgb;
    vec3 srgb = mix(linear * 12.92, 1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, step(vec3(0.0031308), linear));
    o_color = vec4(srgb, 1.0);
}
