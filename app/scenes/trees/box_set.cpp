#include "scenes/trees/box_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <glm/geometric.hpp>

#include "results/messages.hpp"
#include "results/put.hpp"
#include "workloads/random.hpp"

namespace lab::scenes {
namespace {

/// Handles on more boxes would hide the picture: if there are more, only the last ones get handles.
constexpr std::size_t kMaxHandles = 40;
constexpr std::size_t kMaxBoxes = 5000;
constexpr glm::vec3 kMiddle{0.0f, 1.5f, 0.0f};

bv::Aabb box_at(const glm::vec3& center, const glm::vec3& half) {
    return {center - half, center + half};
}

/// What undo restores.
struct BoxesAndPlaces {
    std::vector<bv::Aabb> boxes;
    std::vector<BoxPlace> places;
    friend bool operator==(const BoxesAndPlaces&, const BoxesAndPlaces&) = default;
};

constexpr std::string_view kHalfSize = ".half";

void put_values(FrameResults& results, std::size_t i, const BoxPlace& place) {
    const std::string id = fmt::format("b{}", i);
    results.handles.push_back({id, place.center, {}, true, {.name = fmt::format("Box {}, center", i)}});
    results.handles.push_back(
        {id + std::string(kHalfSize),
         place.half_size,
         {},
         true,
         {.name = fmt::format("Box {}, half size", i), .in_view = false, .is_size = true}});
}

bv::Aabb made(BuilderPreset preset, bv::workloads::Random& random, std::size_t i, std::size_t count) {
    const float share = count > 1 ? static_cast<float>(i) / static_cast<float>(count - 1) : 0.5f;
    const float z = random.uniform(-1.5f, 1.5f), y = random.uniform(0.3f, 2.7f),
                x = random.uniform(-3.0f, 3.0f);
    const float half_z = random.uniform(0.04f, 0.16f), half_y = random.uniform(0.04f, 0.16f),
                half_x = random.uniform(0.04f, 0.16f);
    const glm::vec3 half(half_x, half_y, half_z), any(x, y, z), from_middle = any - kMiddle;
    switch (preset) {
        case BuilderPreset::TwoClusters:
            return box_at(glm::vec3(i % 2 == 0 ? -2.3f : 2.3f, 1.5f, 0.0f) + 0.28f * from_middle, half);
        case BuilderPreset::ThreeClusters: {
            const glm::vec3 middle[] = {{-2.2f, 0.8f, -0.6f}, {0.3f, 2.0f, 0.5f}, {2.3f, 0.9f, 0.2f}};
            return box_at(middle[i % 3] + 0.28f * from_middle, half);
        }
        case BuilderPreset::Line:
            return box_at(kMiddle + x * glm::vec3(1.0f, 0.35f, 0.2f), half);
        case BuilderPreset::Equal:
            return box_at(kMiddle, glm::vec3(0.3f));
        case BuilderPreset::Sorted:
            return box_at({6.0f * share * share - 3.0f, y, 0.5f * z}, half);
        case BuilderPreset::Giant:
            return i == 0 ? box_at(kMiddle, {3.0f, 1.0f, 1.2f}) : box_at(any, half);
        case BuilderPreset::Spread:
            break;
    }
    return box_at(any, half);
}

bv::Aabb made(BoxPreset preset, bv::workloads::Random& random, std::size_t i, std::size_t count) {
    const float share = count > 1 ? static_cast<float>(i) / static_cast<float>(count - 1) : 0.5f;
    const float x = random.uniform(-2.6f, 2.6f), y = random.uniform(-1.1f, 1.1f),
                z = random.uniform(-1.4f, 1.4f);
    const float a = random.uniform(0.22f, 0.5f), b = random.uniform(0.22f, 0.5f),
                c = random.uniform(0.22f, 0.5f);
    const float step = 5.2f / static_cast<float>(std::max<std::size_t>(count, 2) - 1);
    switch (preset) {
        case BoxPreset::Row:
            return box_at(kMiddle + glm::vec3(5.2f * share - 2.6f, 0, 0), {0.62f * step, 0.3f, 0.3f});
        case BoxPreset::Pile:
            return box_at(kMiddle + 0.15f * glm::vec3(x, y, z), {a, b, c});
        case BoxPreset::Touching: {
            // Neighbors share a face, bit for bit.
            const auto face = [step](std::size_t k) { return (static_cast<float>(k) - 0.5f) * step - 2.6f; };
            return {kMiddle + glm::vec3(face(i), -0.4f, -0.4f), kMiddle + glm::vec3(face(i + 1), 0.4f, 0.4f)};
        }
        case BoxPreset::Sizes:
            if (i == 0) return box_at(kMiddle, {2.6f, 0.5f, 0.7f});
            return box_at(kMiddle + glm::vec3(x, y, z), 0.5f * glm::vec3(a, b, c));
        case BoxPreset::Scattered:
            break;
    }
    return box_at(kMiddle + glm::vec3(x, y, z), {a, b, c});
}

}  // namespace

BoxInput box_input(const SceneContext& context) {
    return {context.settings[kBoxesPreset], context.settings[kBoxesCount], context.seed};
}

void BoxSet::follow(const BoxInput& input) {
    if (input == input_) return;
    input_ = input;
    touched_ = 0;
    boxes_.clear();
    places_.clear();
    bv::workloads::Random random(input.seed);
    const auto count = static_cast<std::size_t>(input.count);
    for (std::size_t i = 0; i < count; ++i)
        add(std::visit([&](const auto preset) { return made(preset, random, i, count); }, input.preset));
    made_ = boxes_;
}

void BoxSet::add(const bv::Aabb& box) {
    boxes_.push_back(box);
    places_.push_back({box.center(), box.half_extents()});
}

bool BoxSet::drag(std::string_view handle, const glm::vec3& position) {
    if (!handle.starts_with('b') || !std::isfinite(position.x + position.y + position.z)) return false;
    std::size_t index = 0;
    const char* const end = handle.data() + handle.size();
    const auto [stop, error] = std::from_chars(handle.data() + 1, end, index);
    const std::string_view rest(stop, static_cast<std::size_t>(end - stop));
    const bool is_size = rest == kHalfSize;
    if (error != std::errc{} || (!rest.empty() && !is_size) || index >= boxes_.size()) return false;
    touched_ = index;
    BoxPlace& place = places_[index];
    glm::vec3& number = is_size ? place.half_size : place.center;
    const glm::vec3 given = is_size ? glm::abs(position) : position;
    // A saved scene gives every handle its position: boxes that share a face must still do so.
    if (number == given) return true;
    number = given;
    boxes_[index] = box_at(place.center, place.half_size);
    return true;
}

bool BoxSet::play(SceneContext& context, std::string_view action) {
    if (action == "boxes.add") {
        if (boxes_.size() >= kMaxBoxes) {
            context.messages.error(
                fmt::format("there are already {} boxes, the maximum: remove one first", kMaxBoxes));
            return true;
        }
        // Beyond the others, where it is visible.
        bv::Aabb all;
        for (const bv::Aabb& box : boxes_)
            all = bv::merge(all, box);
        const glm::vec3 at =
            all.is_empty() ? kMiddle : glm::vec3(all.max.x + 0.1f, all.center().y, all.center().z);
        add(box_at(at, glm::vec3(0.35f)));
        touched_ = boxes_.size() - 1;
        return true;
    }
    if (action == "boxes.remove") {
        if (boxes_.empty()) {
            context.messages.error("there is no box to remove: add one first");
            return true;
        }
        const auto at = static_cast<std::ptrdiff_t>(std::min(touched_, boxes_.size() - 1));
        boxes_.erase(boxes_.begin() + at);
        places_.erase(places_.begin() + at);
        touched_ = boxes_.empty() ? 0 : boxes_.size() - 1;
        return true;
    }
    return false;
}

SceneInput BoxSet::input() const {
    return SceneInput(BoxesAndPlaces{boxes_, places_});
}

void BoxSet::restore(const SceneInput& to) {
    const auto* given = to.get<BoxesAndPlaces>();
    if (!given) return;
    boxes_ = given->boxes;
    places_ = given->places;
    touched_ = boxes_.empty() ? 0 : boxes_.size() - 1;
}

bool BoxSet::is_rearranged() const {
    return !std::equal(boxes_.begin(), boxes_.end(), made_.begin(), made_.end(),
                       [](const bv::Aabb& a, const bv::Aabb& b) {
                           return glm::distance(a.min, b.min) < 1e-5f && glm::distance(a.max, b.max) < 1e-5f;
                       });
}

void BoxSet::show(FrameResults& results) const {
    // More faint faces would add up to a fog.
    constexpr std::size_t kMaxFilled = 60;
    if (boxes_.size() > kMaxFilled) {
        put_boxes(results, boxes_, Role::AabbTight, 1.0f, "box");
    } else {
        for (const bv::Aabb& each : boxes_) {
            Exhibit& box = put(results, each, Role::AabbTight, {}, 0.06f);
            box.width_px = 1.5f;
            box.legend = "box";
        }
    }
    show_handles(results);
}

void BoxSet::show_handles(FrameResults& results) const {
    if (is_rearranged() && std::holds_alternative<BoxPreset>(input_.preset))
        results.rearranged = &kBoxesPreset;
    for (std::size_t i = boxes_.size() - std::min(boxes_.size(), kMaxHandles); i < boxes_.size(); ++i)
        put_values(results, i, places_[i]);
}

}  // namespace lab::scenes
