// Helpers of the teaching scenes: draggable points, and initial boxes.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/frame_results.hpp"
#include "results/put.hpp"
#include "results/table.hpp"
#include "results/volume_choice.hpp"
#include "scenes/scenes.hpp"
#include "settings/settings.hpp"

namespace lab {
struct MeshEntry;
}  // namespace lab

namespace lab::scenes {

/// For scenes about opened boxes and trees.
inline constexpr Setting<bool> kBoxesDraw{{
    .id = "boxes.draw",
    .label = "Boxes",
    .help = "Opened boxes and trees: draw the boxes in the leaves, not only the nodes above them",
    .default_value = "true",
    .remembered = false,
    .effect = Effect::View,
}};

/// For scenes that show the mesh that was opened last.
inline constexpr Setting<bool> kOwnMesh{{
    .id = "scene.own_mesh",
    .label = "Own mesh",
    .help =
        "Show the scene's own mesh even after a different mesh was opened; takes effect when the scene restarts",
    .default_value = "false",
    .remembered = false,
}};
/// The mesh of such a scene: the opened one, unless `kOwnMesh` is on or there is none, or else `own`.
[[nodiscard]] MeshId mesh_on_show(const SceneContext& context, std::string_view own);

/// The mesh that a setting names: `otherwise` for `any`, an empty name, and one that does not exist, which is
/// an error message.
[[nodiscard]] MeshId mesh_named(const SceneContext& context, std::string_view name, MeshId otherwise);

/// A setting that names a mesh, read in every frame.
class MeshSetting {
  public:
    /// As `mesh_named`, but with one message for each name.
    [[nodiscard]] MeshId follow(const SceneContext& context, const std::string& name, MeshId otherwise);

  private:
    std::string name_;
};

/// Compares two trees of the same boxes: above zero if the first one is better, below if the second one. By
/// the SAH cost; of equal costs by the height.
[[nodiscard]] int better_by(const bv::TreeMetrics& a, const bv::TreeMetrics& b);

/// Adds a body of each mesh: at its own scale, resting on the ground, to the right of the previous one.
void put_side_by_side(SceneContext& context, std::span<const MeshId> meshes);
/// A row for each volume of a mesh: its name, kind and algorithm, volume, surface, and the time of the fit.
void add_volumes(Table& table, const MeshEntry& mesh, const VolumeChoice& volumes);

/// The position that a placement gives to one handle.
struct Placed {
    std::string_view id;
    glm::vec3 position;
};

/// The draggable points of one scene, by id.
class HandleSet {
  public:
    void add(std::string id, glm::vec3 position, std::string label = {}, GivenValue given = {}) {
        handles_.push_back({std::move(id), position, std::move(label), false, std::move(given)});
    }
    /// Numbers that only the panel of values shows, like a size.
    void add_numbers(std::string id, glm::vec3 numbers, GivenValue given) {
        given.in_view = false;
        handles_.push_back({std::move(id), numbers, {}, true, std::move(given)});
    }
    /// The position of a handle that was added; asserts otherwise.
    [[nodiscard]] glm::vec3 operator[](std::string_view id) const;
    void place(std::string_view id, glm::vec3 position);
    /// Moves a handle on behalf of the user. False if there is no such handle or the position is not finite.
    bool drag(std::string_view id, glm::vec3 position);
    /// Puts handles where they stay, as if the user had dragged them there.
    void arrange(std::span<const Placed> places);
    /// True once the user has dragged the handle: its animation then stops.
    [[nodiscard]] bool taken(std::string_view id) const;
    /// Call after all have been placed anew.
    void note_placement() {
        placed_.clear();
        for (const Handle& handle : handles_)
            placed_.push_back(handle.position);
    }
    /// True once the user has dragged any of them.
    [[nodiscard]] bool any_taken() const { return !taken_.empty(); }
    /// True while some are not where `note_placement` found them, but for rounding.
    [[nodiscard]] bool is_rearranged() const {
        const auto is_close = [](const glm::vec3& p, const Handle& h) {
            return glm::distance(p, h.position) <= 1e-5f * (1.0f + glm::length(p));
        };
        return !std::equal(placed_.begin(), placed_.end(), handles_.begin(), handles_.end(), is_close);
    }
    void show(FrameResults& results) const;
    /// What undo restores: positions, and whether the user or the animation moves the handle.
    friend bool operator==(const HandleSet& a, const HandleSet& b) {
        const auto is_same = [](const Handle& x, const Handle& y) {
            return x.id == y.id && x.position == y.position;
        };
        return std::equal(a.handles_.begin(), a.handles_.end(), b.handles_.begin(), b.handles_.end(),
                          is_same) &&
               a.taken_ == b.taken_ && a.placed_ == b.placed_;
    }
    /// Takes from `to` the handles that differ in `from`. See Scene::restore.
    void restore(const HandleSet& from, const HandleSet& to);

  private:
    [[nodiscard]] const Handle* find(std::string_view id) const;
    std::vector<Handle> handles_;
    std::vector<std::string> taken_;
    std::vector<glm::vec3> placed_;
};

/// The base of a scene whose input is one set of handles.
template <class Derived>
class SceneWithHandles : public SceneOf<Derived> {
  public:
    [[nodiscard]] SceneInput input() const override { return SceneInput(handles_); }
    void restore(const SceneInput& from, const SceneInput& to) override {
        const auto *was = from.get<HandleSet>(), *is = to.get<HandleSet>();
        if (was && is) handles_.restore(*was, *is);
    }

  protected:
    HandleSet handles_;
};

/// The same angle within one turn: in (-180, 180] degrees. Angles that are there already stay bit for bit.
[[nodiscard]] float in_one_turn(float degrees);

/// Axes whose x points along `forward`, as upright as possible.
[[nodiscard]] glm::mat3 axes_along(const glm::vec3& forward);
/// The same axes, turned about their x; 0 changes nothing.
[[nodiscard]] glm::mat3 rolled(const glm::mat3& axes, float degrees);

/// Settings for a blackboard: no axes, no tree, no sweeping ray in front of the drawing.
void clear_the_board(Settings& settings);
/// For scenes that draw their own volumes: none around bodies, and no contacts.
void hide_volumes(Settings& settings);

/// Settings for a list of boxes and its tree: shows the upper levels, and the boxes only if there are few
/// enough to see the tree.
void prepare_for_boxes(Settings& settings, std::size_t count);
/// Adds the boxes as `boxes.draw` says.
void put_boxes(const Settings& settings, FrameResults& results, std::span<const bv::Aabb> boxes);
/// The approximate size of a snapshot.
std::size_t bytes_of(const bv::TreeSnapshot& tree);
/// Houses along a street, for scenes without an opened file.
std::vector<bv::Aabb> made_up_street(std::uint64_t seed);

}  // namespace lab::scenes
