#include <array>

#include "workloads/meshes.hpp"

namespace bv::workloads {
namespace {

constexpr std::array kCatalog{
    MeshCatalogEntry{"box", "Box", "A cube; its own tight AABB and OBB", [] { return box(); }},
    MeshCatalogEntry{"plank", "Plank", "A long flat box: the worst fit for a sphere",
                     [] {
                         return box({0.5f, 0.04f, 0.12f});
                     }},
    MeshCatalogEntry{"tetrahedron", "Tetrahedron", "4 corners; its smallest box is a cube", tetrahedron},
    MeshCatalogEntry{"octahedron", "Octahedron", "6 corners on the axes", octahedron},
    MeshCatalogEntry{"dodecahedron", "Dodecahedron", "12 pentagons", dodecahedron},
    MeshCatalogEntry{"icosahedron", "Icosahedron", "20 triangles", icosahedron},
    MeshCatalogEntry{"icosphere", "Sphere", "1,280 triangles of nearly equal size",
                     [] { return icosphere(); }},
    MeshCatalogEntry{"cylinder", "Cylinder", "A solid of revolution about y", [] { return cylinder(); }},
    MeshCatalogEntry{"cone", "Cone", "A solid of revolution about y", [] { return cone(); }},
    MeshCatalogEntry{"capsule", "Capsule", "All points near a segment", [] { return capsule(); }},
    MeshCatalogEntry{"pawn", "Pawn", "A chess pawn, a solid of revolution", [] { return pawn(); }},
    MeshCatalogEntry{"torus", "Torus", "A ring: a hole that no convex volume sees", [] { return torus(); }},
    MeshCatalogEntry{"torus_knot", "Torus knot", "A trefoil: much empty space in every volume",
                     [] { return torus_knot(); }},
    MeshCatalogEntry{"cinquefoil", "Cinquefoil knot", "Five lobes wound twice around",
                     [] { return torus_knot(2, 5, 0.06f, 320); }},
    MeshCatalogEntry{"helix", "Spring", "A coil with round ends", [] { return helix(); }},
    MeshCatalogEntry{"chain", "Chain", "Five linked rings in one mesh: concave and in pieces",
                     [] { return chain(); }},
    MeshCatalogEntry{"gear", "Gear", "Twelve teeth and a bore", [] { return gear(); }},
    MeshCatalogEntry{"rock", "Rock", "A boulder with flat breaks", [] { return rock(); }},
    MeshCatalogEntry{"spike_ball", "Spike ball", "42 spikes that every volume must reach",
                     [] { return spike_ball(); }},
    MeshCatalogEntry{"teapot", "Utah teapot", "Newell's teapot of 32 patches", [] { return teapot(); }},
};

constexpr std::array kGallery{
    MeshCatalogEntry{"torus_2k", "Torus", "2,304 triangles", [] { return torus(); }},
    MeshCatalogEntry{"spike_ball_20k", "Spike ball", "20,480 triangles", [] { return spike_ball(5); }},
    MeshCatalogEntry{"teapot_80k", "Teapot", "About 80,000 triangles", [] { return teapot(36); }},
    MeshCatalogEntry{"rock_330k", "Rock", "327,680 triangles", [] { return rock(1, 7); }},
    MeshCatalogEntry{"knot_1m", "Knot", "1,008,000 triangles: 8,000 rings of 63 points",
                     [] { return torus_knot(2, 5, 0.06f, 8000, 63); }},
};

}  // namespace

std::span<const MeshCatalogEntry> mesh_catalog() {
    return kCatalog;
}

std::span<const MeshCatalogEntry> mesh_gallery() {
    return kGallery;
}

std::optional<MeshData> make_mesh(std::string_view id) {
    for (const MeshCatalogEntry& entry : kCatalog) {
        if (entry.id != id) continue;
        MeshData mesh = entry.factory();
        mesh.name = entry.name;
        center_and_scale(mesh);
        return mesh;
    }
    return std::nullopt;
}

}  // namespace bv::workloads
