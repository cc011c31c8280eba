// The boxes that the scenes about pair finding step through: presets with the hard cases, and boxes
// that are dragged, added and removed.
#pragma once

#include <glm/vec3.hpp>
#include <string_view>
#include <variant>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"

namespace lab::scenes {

enum class BoxPreset : unsigned char { Scattered, Row, Pile, Touching, Sizes };
/// Many small boxes, for builders.
enum class BuilderPreset : unsigned char { ThreeClusters, TwoClusters, Spread, Line, Sorted, Giant, Equal };

inline constexpr std::array kBoxPresetChoices = {
    Choice{"scattered", "Scattered", BoxPreset::Scattered}, Choice{"row", "In a row", BoxPreset::Row},
    Choice{"pile", "All in one place", BoxPreset::Pile},
    Choice{"touching", "Side by side, touching", BoxPreset::Touching},
    Choice{"sizes", "One large, many small", BoxPreset::Sizes}};
inline constexpr Setting<BoxPreset> kBoxesPreset{{
    .id = "boxes.preset",
    .label = "Boxes",
    .help = "The input boxes; choosing another set discards dragged boxes",
    .default_value = "scattered",
    .choices = kBoxPresetChoices,
    .remembered = false,
}};
inline constexpr Setting<int> kBoxesCount{{
    .id = "boxes.count",
    .label = "Count",
    .help = "How many boxes; with more than 40, only the last 40 can be dragged",
    .default_value = "10",
    .min = 1,
    .max = 300,
    .remembered = false,
}};

/// The commands of every scene that has such boxes.
inline constexpr std::array<SceneCommand, 2> kBoxCommands = {
    SceneCommand{.id = "boxes.add",
                 .help = "Add a box that can be dragged",
                 .action = "boxes.add",
                 .button = "Add a box"},
    SceneCommand{.id = "boxes.remove",
                 .help = "Remove the box that was dragged last",
                 .action = "boxes.remove",
                 .button = "Remove a box"},
};

struct BoxInput {
    std::variant<BoxPreset, BuilderPreset> preset;
    int count = -1;
    std::uint64_t seed = 0;
    friend bool operator==(const BoxInput&, const BoxInput&) = default;
};
/// The boxes selected by the settings and the seed.
[[nodiscard]] BoxInput box_input(const SceneContext& context);

/// Where a box was put: the numbers of its handles. Its corners are rounded from them.
struct BoxPlace {
    glm::vec3 center{0.0f}, half_size{0.0f};
    friend bool operator==(const BoxPlace&, const BoxPlace&) = default;
};

class BoxSet {
  public:
    /// Regenerates the boxes if another input is chosen.
    void follow(const BoxInput& input);
    bool drag(std::string_view handle, const glm::vec3& position);
    /// `boxes.add` and `boxes.remove`.
    bool play(SceneContext& context, std::string_view action);
    /// All that drags and actions change, as `Scene::input` and `Scene::restore`.
    [[nodiscard]] SceneInput input() const;
    void restore(const SceneInput& to);
    void show(FrameResults& results) const;
    /// For scenes that draw the boxes themselves.
    void show_handles(FrameResults& results) const;

    [[nodiscard]] const std::vector<bv::Aabb>& boxes() const { return boxes_; }
    /// True while they are not those of the input, but for rounding.
    [[nodiscard]] bool is_rearranged() const;

  private:
    void add(const bv::Aabb& box);

    BoxInput input_;
    std::vector<bv::Aabb> boxes_;
    std::vector<BoxPlace> places_;  ///< Of `boxes_`.
    std::vector<bv::Aabb> made_;    ///< As the input gave them.
    std::size_t touched_ = 0;
};

}  // namespace lab::scenes
