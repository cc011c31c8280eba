#include "scenes/thin_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glm/common.hpp>
#include <numeric>
#include <set>

#include "bv/shapes/aabb.hpp"
#include "results/table.hpp"

namespace lab {

std::vector<std::uint32_t> thin_vertices(const std::vector<glm::vec3>& positions, std::size_t count) {
    std::vector<std::uint32_t> kept(positions.size());
    std::iota(kept.begin(), kept.end(), 0u);
    if (positions.size() <= count) return kept;
    bv::Aabb box;
    for (const glm::vec3& p : positions)
        box = bv::merge(box, p);
    const float edge = std::max({box.size().x, box.size().y, box.size().z, 1e-30f});
    std::vector<std::uint32_t> first;  // in each cell
    const auto cells_taken = [&](std::uint32_t n) {
        constexpr std::uint32_t kNone = 0xffffffffu;
        first.assign(std::size_t{n} * n * n, kNone);
        std::size_t taken = 0;
        for (std::uint32_t i = 0; i < positions.size(); ++i) {
            const glm::uvec3 at(glm::clamp((positions[i] - box.min) / edge, 0.0f, 0.9999f) *
                                static_cast<float>(n));
            std::uint32_t& cell = first[(std::size_t{at.z} * n + at.y) * n + at.x];
            if (cell == kNone) {
                cell = i;
                ++taken;
            }
            kept[i] = cell;
        }
        return taken;
    };
    std::uint32_t fits = 1, too_many = 128;
    while (fits + 1 < too_many) {
        const std::uint32_t n = (fits + too_many) / 2;
        (cells_taken(n) <= count ? fits : too_many) = n;
    }
    cells_taken(fits);
    return kept;
}

ThinMesh thin_mesh(const bv::MeshView& mesh, std::size_t max_triangles) {
    ThinMesh thin{
        {mesh.positions.begin(), mesh.positions.end()}, {mesh.triangles.begin(), mesh.triangles.end()}, {}};
    if (thin.triangles.size() <= max_triangles) return thin;
    // A closed surface has about twice as many triangles as vertices.
    for (std::size_t count = max_triangles; thin.triangles.size() > max_triangles && count > 3;
         count = count * 3 / 4) {
        const std::vector<glm::vec3> all(mesh.positions.begin(), mesh.positions.end());
        const std::vector<std::uint32_t> kept = thin_vertices(all, count);
        std::vector<std::uint32_t> place(kept.size(), 0);
        thin.positions.clear();
        for (std::uint32_t i = 0; i < kept.size(); ++i) {
            if (kept[i] != i) continue;
            place[i] = static_cast<std::uint32_t>(thin.positions.size());
            thin.positions.push_back(all[i]);
        }
        thin.triangles.clear();
        std::set<std::array<std::uint32_t, 3>> known;  // by their corners in order
        for (const glm::uvec3& t : mesh.triangles) {
            const glm::uvec3 now(place[kept[t.x]], place[kept[t.y]], place[kept[t.z]]);
            if (now.x == now.y || now.y == now.z || now.z == now.x) continue;
            std::array<std::uint32_t, 3> key{now.x, now.y, now.z};
            std::sort(key.begin(), key.end());
            if (known.insert(key).second) thin.triangles.push_back(now);
        }
    }
    thin.thinned = fmt::format("{} of {} triangles", to_text(cells::grouped(thin.triangles.size())),
                               to_text(cells::grouped(mesh.triangles.size())));
    return thin;
}

}  // namespace lab
