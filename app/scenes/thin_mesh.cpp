#include "scenes/thin_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>
#include <set>

#include "bv/shapes/aabb.hpp"
#include "results/table.hpp"

namespace lab {

namespace {

/// Vertices by the cells of a cube of n x n x n cells around all of them.
class Cells {
  public:
    explicit Cells(const std::vector<glm::vec3>& positions) : positions_(positions), kept_(positions.size()) {
        for (const glm::vec3& p : positions)
            box_ = bv::merge(box_, p);
        edge_ = std::max({box_.size().x, box_.size().y, box_.size().z, 1e-30f});
    }

    /// How many cells have vertices.
    std::size_t fill(std::uint32_t n) {
        constexpr std::uint32_t kNone = 0xffffffffu;
        first_.assign(std::size_t{n} * n * n, kNone);
        std::size_t taken = 0;
        for (std::uint32_t i = 0; i < positions_.size(); ++i) {
            const glm::uvec3 at(glm::clamp((positions_[i] - box_.min) / edge_, 0.0f, 0.9999f) *
                                static_cast<float>(n));
            std::uint32_t& cell = first_[(std::size_t{at.z} * n + at.y) * n + at.x];
            if (cell == kNone) {
                cell = i;
                ++taken;
            }
            kept_[i] = cell;
        }
        return taken;
    }

    /// The largest n for which at most `count` cells have vertices. May leave the cells of a different n.
    std::uint32_t finest(std::size_t count) {
        std::uint32_t fits = 1, too_many = kMaxCells;
        while (fits + 1 < too_many) {
            const std::uint32_t n = (fits + too_many) / 2;
            (fill(n) <= count ? fits : too_many) = n;
        }
        return fits;
    }

    static constexpr std::uint32_t kMaxCells = 128;
    /// For each vertex the first one in its cell.
    [[nodiscard]] std::vector<std::uint32_t>& kept() { return kept_; }

  private:
    const std::vector<glm::vec3>& positions_;
    std::vector<std::uint32_t> kept_, first_;
    bv::Aabb box_;
    float edge_ = 0;
};

float distance_sq(const glm::vec3& a, const glm::vec3& b) {
    const glm::vec3 d = a - b;
    return glm::dot(d, d);
}

}  // namespace

std::vector<std::uint32_t> thin_vertices(const std::vector<glm::vec3>& positions, std::size_t count) {
    Cells cells(positions);
    if (positions.size() <= count)
        std::iota(cells.kept().begin(), cells.kept().end(), 0u);
    else
        cells.fill(cells.finest(count));
    return std::move(cells.kept());
}

std::vector<std::uint32_t> spread_vertices(const std::vector<glm::vec3>& positions, std::size_t count) {
    Cells cells(positions);
    std::vector<std::uint32_t>& kept = cells.kept();
    if (positions.size() <= count) {
        std::iota(kept.begin(), kept.end(), 0u);
        return kept;
    }
    // A few times as many candidates as wanted; then always the one farthest from those chosen.
    cells.fill(std::min(cells.finest(count) + 4, Cells::kMaxCells));
    struct Candidate {
        std::uint32_t vertex, nearest;  // of those chosen
        float distance_sq;
    };
    std::vector<Candidate> candidates;
    for (std::uint32_t i = 0; i < kept.size(); ++i)
        if (kept[i] == i) candidates.push_back({i, i, std::numeric_limits<float>::infinity()});
    for (std::size_t chosen = 0; chosen < std::min(count, candidates.size()); ++chosen) {
        const Candidate& farthest = *std::max_element(
            candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.distance_sq < b.distance_sq; });
        const std::uint32_t vertex = farthest.vertex;
        for (Candidate& c : candidates) {
            const float away = distance_sq(positions[c.vertex], positions[vertex]);
            if (away < c.distance_sq || c.vertex == vertex) c = {c.vertex, vertex, away};
        }
    }
    std::vector<std::uint32_t> nearest(positions.size());
    for (const Candidate& c : candidates)
        nearest[c.vertex] = c.nearest;
    for (std::uint32_t& k : kept)
        k = nearest[k];
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
