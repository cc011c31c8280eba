#include "world/voxels/voxel_thing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "world/voxels/neighbors.hpp"

namespace lab {
namespace {

template <class Visit>
void for_each_place(const glm::ivec3& low, const glm::ivec3& high, Visit&& visit) {
    for (int z = low.z; z <= high.z; ++z)
        for (int y = low.y; y <= high.y; ++y)
            for (int x = low.x; x <= high.x; ++x)
                visit(glm::ivec3(x, y, z));
}

std::array<std::uint8_t, 3> bytes(std::uint32_t color) {
    return {static_cast<std::uint8_t>(color >> 16 & 0xff), static_cast<std::uint8_t>(color >> 8 & 0xff),
            static_cast<std::uint8_t>(color & 0xff)};
}

/// A hash of the place, in [-0.5, 0.5].
float ragged(const glm::ivec3& v) {
    std::uint32_t h = static_cast<std::uint32_t>(v.x) * 2654435761u ^
                      static_cast<std::uint32_t>(v.y) * 40503u ^
                      static_cast<std::uint32_t>(v.z) * 2246822519u;
    h = (h ^ h >> 15) * 2246822519u;
    return static_cast<float>(h >> 20 & 0xff) / 255.0f - 0.5f;
}

}  // namespace

VoxelThing::VoxelThing(SpritePtr sprite, float edge, Underside underside)
    : sprite_(std::move(sprite)), underside_(underside) {
    const glm::vec3 corner = -0.5f * edge * glm::vec3(sprite_->size);
    grid_ = bv::VoxelGrid::make(sprite_->size, corner, edge).value_or(bv::VoxelGrid{});
    for_each_place(glm::ivec3(0), grid_.size() - 1, [&](const glm::ivec3& v) {
        if (sprite_->at(v) != VoxelSprite::kEmpty) grid_.set(v, true);
    });
    refresh();
    initial_ = filled_;
}

void VoxelThing::advance(float dt_s) {
    position += dt_s * velocity;
    if (spin == glm::vec3(0.0f)) return;
    const glm::vec3 half = 0.5f * dt_s * spin;
    const glm::quat sum = orientation + glm::quat(0.0f, half.x, half.y, half.z) * orientation;
    const float length_sq = sum.w * sum.w + sum.x * sum.x + sum.y * sum.y + sum.z * sum.z;
    orientation = sum * (1.0f / std::sqrt(length_sq));
}

float VoxelThing::share_left() const {
    return initial_ == 0 ? 0.0f : static_cast<float>(filled_) / static_cast<float>(initial_);
}

bv::RigidTransform VoxelThing::pose() const {
    return {glm::mat3_cast(orientation), position};
}

bv::Aabb VoxelThing::box() const {
    if (bounds_.is_empty()) return {};
    const glm::mat3 rotation = glm::mat3_cast(orientation);
    const glm::vec3 center = rotation * bounds_.center() + position;
    const glm::vec3 half = bounds_.half_extents();
    const glm::vec3 reach =
        glm::abs(rotation[0]) * half.x + glm::abs(rotation[1]) * half.y + glm::abs(rotation[2]) * half.z;
    // Slightly more than a rounding error: voxels within a millionth of their size touch.
    return bv::grown({center - reach, center + reach}, 1e-4f * grid_.voxel_size());
}

VoxelBlock VoxelThing::block() const {
    const glm::mat3 rotation = glm::mat3_cast(orientation);
    const float edge = grid_.voxel_size();
    return {
        cells_,
        {rotation[0] * edge, rotation[1] * edge, rotation[2] * edge, rotation * grid_.origin() + position},
        glm::vec3(grid_.size())};
}

glm::vec3 VoxelThing::center_of(const glm::ivec3& voxel) const {
    return glm::mat3_cast(orientation) * grid_.voxel_box(voxel).center() + position;
}

bv::Obb VoxelThing::cube_of(const glm::ivec3& voxel) const {
    return {center_of(voxel), glm::vec3(0.5f * grid_.voxel_size()), glm::mat3_cast(orientation)};
}

bv::Obb VoxelThing::brick_box(const glm::ivec3& brick) const {
    const float half = 0.5f * bv::VoxelGrid::kBrick * grid_.voxel_size();
    const glm::vec3 local = grid_.origin() + half * (2.0f * glm::vec3(brick) + 1.0f);
    const glm::mat3 rotation = glm::mat3_cast(orientation);
    return {rotation * local + position, glm::vec3(half), rotation};
}

void VoxelThing::clear(const glm::ivec3& voxel, std::vector<LooseVoxel>& loose) {
    if (!grid_.filled(voxel)) return;
    grid_.set(voxel, false);
    loose.push_back({center_of(voxel), sprite_->at(voxel)});
}

std::vector<LooseVoxel> VoxelThing::break_off(const glm::ivec3& voxel, float radius) {
    std::vector<LooseVoxel> loose;
    const glm::ivec3 reach(static_cast<int>(std::ceil(radius + 0.5f)));
    const glm::ivec3 low = glm::max(voxel - reach, glm::ivec3(0));
    const glm::ivec3 high = glm::min(voxel + reach, grid_.size() - 1);
    for_each_place(low, high, [&](const glm::ivec3& v) {
        const glm::vec3 d = v - voxel;
        if (std::sqrt(glm::dot(d, d)) <= radius + ragged(v)) clear(v, loose);
    });
    clear(voxel, loose);
    refresh();
    return loose;
}

std::vector<LooseVoxel> VoxelThing::take_out(const std::vector<glm::ivec3>& voxels) {
    std::vector<LooseVoxel> loose;
    for (const glm::ivec3& v : voxels)
        clear(v, loose);
    refresh();
    return loose;
}

std::vector<LooseVoxel> VoxelThing::crumble() {
    std::vector<LooseVoxel> loose;
    for_each_place(glm::ivec3(0), grid_.size() - 1, [&](const glm::ivec3& v) { clear(v, loose); });
    refresh();
    return loose;
}

void VoxelThing::lose_as(const VoxelThing& other) {
    for_each_place(glm::ivec3(0), grid_.size() - 1, [&](const glm::ivec3& v) {
        if (other.sprite_->at(v) != VoxelSprite::kEmpty && !other.grid_.filled(v)) grid_.set(v, false);
    });
    refresh();
}

VoxelThing VoxelThing::piece(const std::vector<glm::ivec3>& voxels) const {
    glm::ivec3 low = voxels.front();
    glm::ivec3 high = low;
    for (const glm::ivec3& v : voxels) {
        low = glm::min(low, v);
        high = glm::max(high, v);
    }
    VoxelSprite part(high - low + 1);
    for (const glm::ivec3& v : voxels)
        part.set(v - low, sprite_->at(v));
    VoxelThing thing(std::make_shared<const VoxelSprite>(std::move(part)), grid_.voxel_size());
    const glm::vec3 middle =
        grid_.origin() + 0.5f * grid_.voxel_size() * (glm::vec3(low) + glm::vec3(high) + 1.0f);
    thing.position = glm::mat3_cast(orientation) * middle + position;
    thing.orientation = orientation;
    thing.velocity = velocity;
    thing.spin = spin;
    return thing;
}

std::vector<VoxelThing> VoxelThing::fall_apart(std::size_t smallest, std::vector<LooseVoxel>& loose) {
    const glm::ivec3 size = grid_.size();
    const auto index = [&](const glm::ivec3& v) {
        const glm::vec<3, std::size_t> at(v), extent(size);
        return at.x + extent.x * (at.y + extent.y * at.z);
    };
    std::vector<char> seen(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y) *
                           static_cast<std::size_t>(size.z));
    std::vector<std::vector<glm::ivec3>> parts;
    for_each_place(glm::ivec3(0), size - 1, [&](const glm::ivec3& start) {
        if (!grid_.filled(start) || seen[index(start)]) return;
        std::vector<glm::ivec3> part = {start};
        seen[index(start)] = 1;
        for (std::size_t next = 0; next < part.size(); ++next)
            for (const glm::ivec3& step : kNeighbors) {
                const glm::ivec3 v = part[next] + step;
                if (!grid_.filled(v) || seen[index(v)]) continue;
                seen[index(v)] = 1;
                part.push_back(v);
            }
        parts.push_back(std::move(part));
    });
    std::vector<VoxelThing> pieces;
    if (parts.size() < 2) return pieces;
    const auto largest = std::max_element(parts.begin(), parts.end(),
                                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
    for (auto part = parts.begin(); part != parts.end(); ++part) {
        if (part == largest) continue;
        if (part->size() >= smallest) {
            pieces.push_back(piece(*part));
            for (const glm::ivec3& v : *part)
                grid_.set(v, false);
        } else {
            for (const glm::ivec3& v : *part)
                clear(v, loose);
        }
    }
    refresh();
    return pieces;
}

std::vector<VoxelThing> VoxelThing::shatter() {
    std::array<std::vector<glm::ivec3>, 4> quarters;
    const glm::ivec3 size = grid_.size();
    for_each_place(glm::ivec3(0), size - 1, [&](const glm::ivec3& v) {
        if (!grid_.filled(v)) return;
        const std::size_t right = 2 * v.x + 1 > size.x ? 1 : 0;
        const std::size_t upper = 2 * v.y + 1 > size.y ? 2 : 0;
        quarters[right + upper].push_back(v);
    });
    std::vector<VoxelThing> pieces;
    for (std::size_t i = 0; i < quarters.size(); ++i) {
        if (quarters[i].empty()) continue;
        VoxelThing part = piece(quarters[i]);
        const float right = i % 2 == 1 ? 1.0f : -1.0f;
        const float up = i >= 2 ? 1.0f : -0.3f;
        const float depth = i == 1 || i == 2 ? 0.7f : -0.5f;
        part.velocity += glm::vec3(1.5f * right, 1.7f * up, depth);
        part.spin = glm::vec3(-2.5f * up, 2.0f * depth, -3.0f * right);
        pieces.push_back(std::move(part));
    }
    (void)crumble();
    return pieces;
}

void VoxelThing::refresh() {
    filled_ = grid_.filled_count();
    bounds_ = grid_.bounds();
    auto cells = std::make_shared<VoxelCells>();
    for_each_place(glm::ivec3(0), grid_.size() - 1, [&](const glm::ivec3& v) {
        if (!grid_.filled(v)) return;
        const bool open = std::any_of(kNeighbors.begin(), kNeighbors.end(), [&](const glm::ivec3& step) {
            const glm::ivec3 next = v + step;
            return !grid_.filled(next) && (next.y >= 0 || underside_ == Underside::Seen);
        });
        if (open) cells->push_back({glm::vec3(v), 1.0f, bytes(sprite_->at(v))});
    });
    cells_ = std::move(cells);
}

}  // namespace lab
