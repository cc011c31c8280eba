#include "render/mesh/simplify.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "render/finite.hpp"

namespace lab::render {

namespace {

constexpr std::uint32_t kUnused = 0xffffffffu;

// The same for the three rotations of a triangle, which are the same triangle; not for its back.
std::uint64_t triangle_key(glm::uvec3 t) {
    while (t.x > t.y || t.x > t.z)
        t = {t.y, t.z, t.x};
    return (static_cast<std::uint64_t>(t.x) << 42) | (static_cast<std::uint64_t>(t.y) << 21) | t.z;
}

}  // namespace

SimpleMesh simplify(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles, int cells) {
    SimpleMesh out;
    constexpr float kInf = std::numeric_limits<float>::infinity();
    glm::vec3 low(kInf), high(-kInf);
    for (const glm::vec3& p : positions) {
        if (!is_finite(p)) continue;
        low = glm::min(low, p);
        high = glm::max(high, p);
    }
    const glm::vec3 size = high - low;
    const float longest = std::max({size.x, size.y, size.z});
    cells = std::clamp(cells, 1, 250);
    if (!(longest > 0.0f) || !std::isfinite(longest)) return out;
    const float cube = longest / static_cast<float>(cells);
    out.error = 0.5f * cube;

    std::unordered_map<std::uint32_t, std::uint32_t> number_of_cube;
    std::vector<std::uint32_t> number(positions.size(), kUnused);
    std::vector<std::uint32_t> members;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (!is_finite(positions[i])) continue;
        const glm::uvec3 c =
            glm::min(glm::uvec3((positions[i] - low) / cube), glm::uvec3(static_cast<unsigned>(cells)));
        const std::uint32_t key = (c.z * 256u + c.y) * 256u + c.x;
        const auto [found, fresh] =
            number_of_cube.try_emplace(key, static_cast<std::uint32_t>(members.size()));
        if (fresh) {
            members.push_back(0);
            out.positions.emplace_back(0.0f);
        }
        number[i] = found->second;
        // Running mean: a sum of large coordinates would lose digits.
        const float weight = 1.0f / static_cast<float>(++members[found->second]);
        out.positions[found->second] = glm::mix(out.positions[found->second], positions[i], weight);
    }
    if (members.size() >= std::size_t{1} << 21) return {};  // the key of a triangle cannot hold more
    std::unordered_set<std::uint64_t> seen;
    for (const glm::uvec3& t : triangles) {
        if (std::max({t.x, t.y, t.z}) >= positions.size()) continue;
        const glm::uvec3 merged(number[t.x], number[t.y], number[t.z]);
        if (merged.x == kUnused || merged.y == kUnused || merged.z == kUnused) continue;
        if (merged.x == merged.y || merged.y == merged.z || merged.z == merged.x) continue;
        if (seen.insert(triangle_key(merged)).second) out.triangles.push_back(merged);
    }
    return out;
}

}  // namespace lab::render
