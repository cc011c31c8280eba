// The endless grid: thin lines, every tenth strong, every hundredth for the far distance. Each set fades out before its
// cells get smaller than a few pixels, so nothing flickers or turns into gray soup.
#include "frame.glsl"

uniform vec4 u_plane;
uniform vec4 u_wrap;
uniform vec4 u_line;     // as it is mixed
uniform float u_brightness;  // of the line, sRGB
uniform vec4 u_axis_x;   // as it is mixed; alpha 0: no axes here
uniform vec4 u_axis_across;  // z, or y where z points up
uniform vec4 u_reach;    // x: spacing; y: distance at which everything has faded; z: half width of lines, px; w: see ground.vert

in vec2 v_from_middle;
out vec4 o_color;

// How much of the pixel a set of lines covers, in each direction. `at` in cells, `footprint` cells per px.
vec2 lines(vec2 at, vec2 footprint, vec2 px_per_cell, float half_width) {
    vec2 off = abs(fract(at - 0.5) - 0.5) * px_per_cell;  // px from the nearest line
    return clamp(half_width + 0.5 - off, 0.0, 1.0) * clamp(1.4 - 4.0 * footprint, 0.0, 1.0);
}

float both(vec2 coverage) { return max(coverage.x, coverage.y); }

void main() {
    vec2 footprint = max(fwidth(v_from_middle), vec2(1e-9));
    float half_width = u_reach.z;
    vec2 at = (v_from_middle + u_wrap.xz) / u_reach.x;  // in cells
    vec2 cells = footprint / u_reach.x;
    vec2 px = 1.0 / cells;
    float thin = both(lines(at, cells, px, half_width));
    float strong = both(lines(at * 0.1, cells * 0.1, px * 10.0, half_width * 1.25));
    float far = both(lines(at * 0.01, cells * 0.01, px * 100.0, half_width * 1.25));

    vec4 color = vec4(u_line.rgb, mixed_alpha(vec3(u_brightness), u_line.a * max(max(thin * 0.5, strong), far)));

    // The axes: one line each, counted from the origin and not from the nearest cell.
    vec2 origin = v_from_middle + u_plane.xz;
    vec2 axis = clamp(half_width * 2.0 + 0.5 - abs(origin) / footprint, 0.0, 1.0);
    color = mix(color, vec4(u_axis_x.rgb, max(color.a, u_axis_x.a)), axis.y * u_axis_x.a);
    color = mix(color, vec4(u_axis_across.rgb, max(color.a, u_axis_across.a)), axis.x * u_axis_across.a);

    vec2 share = v_from_middle / u_reach.y;
    float fade = clamp(1.0 - dot(share, share), 0.0, 1.0);
    color.a *= fade * fade;
    if (color.a <= 0.002) discard;
    o_color = color;
}
