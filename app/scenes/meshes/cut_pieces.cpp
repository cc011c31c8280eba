#include "scenes/meshes/cut_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>
#include <numeric>

#include "bv/query/slice.hpp"

namespace lab::scenes {
namespace {

std::uint64_t mixed(std::uint64_t key, std::uint64_t with) {
    std::uint64_t h = (key ^ with) * 0x9e3779b97f4a7c15ull;
    h ^= h >> 31;
    return h * 0xbf58476d1ce4e5b9ull;
}

std::uint64_t mixed(std::uint64_t key, const bv::Plane& plane) {
    for (const float value : {plane.normal.x, plane.normal.y, plane.normal.z, plane.offset}) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        key = mixed(key, bits);
    }
    return key;
}

/// The index of the connected part of each position, in order of positions.
std::vector<std::uint32_t> parts_of(const bv::MeshPiece& half, std::size_t& count) {
    std::vector<std::uint32_t> parent(half.positions.size());
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](std::uint32_t i) {
        while (parent[i] != i)
            i = parent[i] = parent[parent[i]];
        return i;
    };
    for (const glm::uvec3& t : half.triangles)
        for (const int k : {1, 2}) {
            const std::uint32_t a = root(t[0]), b = root(t[k]);
            parent[std::max(a, b)] = std::min(a, b);
        }
    std::vector<std::uint32_t> number(parent.size(), 0xffffffffu), part(parent.size());
    count = 0;
    for (std::uint32_t i = 0; i < parent.size(); ++i) {
        std::uint32_t& n = number[root(i)];
        if (n == 0xffffffffu) n = static_cast<std::uint32_t>(count++);
        part[i] = n;
    }
    return part;
}

/// Moves the center of mass to the origin and measures everything.
void finish(CutPiece& piece) {
    piece.mass = mass_of(piece.view());
    piece.center = glm::vec3(piece.mass.center);
    for (glm::vec3& p : piece.positions)
        p -= piece.center;
    for (bv::Plane& plane : piece.cap_planes)
        plane.offset -= glm::dot(plane.normal, piece.center);
    piece.mass = mass_of(piece.view());
    for (std::size_t i = 0; i < piece.triangles.size(); ++i) {
        const bv::Triangle t = piece.view().triangle(i);
        const glm::dvec3 a(t.a);
        const double area = 0.5 * glm::length(glm::cross(glm::dvec3(t.b) - a, glm::dvec3(t.c) - a));
        piece.surface += area;
        if (piece.is_cap(i)) piece.cap_surface += area;
    }
}

std::vector<CutPiece> pieces_of(const CutPiece& parent, const bv::MeshPiece& half, const bv::Plane& plane,
                                std::uint64_t key) {
    std::size_t count = 0;
    std::vector<std::uint32_t> part = parts_of(half, count);
    std::vector<CutPiece> pieces(count);
    std::vector<std::uint32_t> place(half.positions.size());
    for (std::size_t i = 0; i < half.positions.size(); ++i) {
        place[i] = static_cast<std::uint32_t>(pieces[part[i]].positions.size());
        pieces[part[i]].positions.push_back(half.positions[i]);
    }
    for (const glm::uvec3& t : half.triangles)
        pieces[part[t[0]]].triangles.emplace_back(place[t[0]], place[t[1]], place[t[2]]);
    // A part inside out is a cavity: it belongs to the part around it, and the half stays one piece.
    const bool hollow = std::any_of(pieces.begin(), pieces.end(),
                                    [](const CutPiece& p) { return mass_of(p.view()).volume < 0.0; });
    if (hollow) {
        pieces.assign(1, {});
        pieces[0].positions = half.positions;
        pieces[0].triangles = half.triangles;
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        pieces[i].key = mixed(key, i);
        pieces[i].cap_planes = parent.cap_planes;
        pieces[i].cap_planes.push_back(plane);
        finish(pieces[i]);
    }
    std::erase_if(pieces, [](const CutPiece& p) { return p.triangles.empty() || !(p.mass.volume > 0.0); });
    return pieces;
}

}  // namespace

bool CutPiece::is_cap(std::size_t i) const {
    const bv::Triangle t = view().triangle(i);
    return std::any_of(cap_planes.begin(), cap_planes.end(), [&](const bv::Plane& plane) {
        const auto on = [&](const glm::vec3& p) { return std::abs(plane.signed_distance(p)) < 2e-5f; };
        return on(t.a) && on(t.b) && on(t.c);
    });
}

CutPiece whole_piece(const bv::MeshView& mesh, std::uint64_t key) {
    CutPiece piece;
    piece.key = mixed(key, mesh.triangles.size());
    piece.positions.assign(mesh.positions.begin(), mesh.positions.end());
    piece.triangles.assign(mesh.triangles.begin(), mesh.triangles.end());
    finish(piece);
    return piece;
}

CutResult cut_piece(const CutPiece& piece, const bv::Plane& plane) {
    CutResult result;
    const bv::MeshSlice halves = bv::slice(piece.view(), plane);
    if (halves.side != bv::Side::Intersecting) return result;
    result.is_hit = true;
    result.closed = halves.closed;
    const std::uint64_t key = mixed(piece.key, plane);
    result.front = pieces_of(piece, halves.front, plane, mixed(key, 1));
    result.back = pieces_of(piece, halves.back, plane, mixed(key, 2));
    return result;
}

}  // namespace lab::scenes
