// A large square around the point under the eye. Coordinates count from there, so that lines stay sharp far from the origin.
#include "frame.glsl"

uniform vec4 u_plane;   // x, z of the middle; y: height; w: half size. Where z points up, y and z change places
uniform vec4 u_wrap;    // x, z of the middle within one cell of the coarsest lines

uniform vec4 u_reach;   // w: 1 where z points up

out vec2 v_from_middle;

void main() {
    vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, (gl_VertexID & 2) == 0 ? -1.0 : 1.0);
    v_from_middle = corner * u_plane.w;
    vec3 world = vec3(u_plane.x + v_from_middle.x, u_plane.y, u_plane.z + v_from_middle.y);
    gl_Position = u_view_projection * vec4(u_reach.w > 0.0 ? world.xzy : world, 1.0);
}
