// Two triangles whose corners can be dragged, tested against each other step by step.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "bv/shapes/triangle.hpp"
#include "scenes/staging.hpp"
#include "steps/walk.hpp"

namespace lab::scenes {

/// The hard part of each pair of triangles. The order is that of the choices of `pairs.preset`.
enum class PairCase : unsigned char { Crossing, Plane, Line, Touching, Coplanar, Neighbors, Meshes };

class TrianglePair {
  public:
    /// Adds handles for the corners.
    TrianglePair();
    /// Places the corners. `of_meshes` is for `Meshes`; without it they stay.
    void place(PairCase which, const std::optional<std::array<bv::Triangle, 2>>& of_meshes);
    bool drag(std::string_view id, const glm::vec3& position) { return handles_.drag(id, position); }
    [[nodiscard]] const HandleSet& handles() const { return handles_; }
    void restore(const HandleSet& from, const HandleSet& to) { handles_.restore(from, to); }
    [[nodiscard]] bool is_rearranged() const { return handles_.is_rearranged(); }
    /// Tests the triangles if a corner has moved.
    void analyze();
    void show(FrameResults& results) const;
    [[nodiscard]] bv::Aabb bounds() const;
    /// Turns the camera to where both triangles show their faces.
    void face(Camera& camera) const;
    [[nodiscard]] const std::shared_ptr<const steps::Walk>& walk() const { return walk_; }

  private:
    [[nodiscard]] bv::Triangle triangle(bool of_a) const;

    HandleSet handles_;
    std::array<bv::Triangle, 2> walked_{};
    std::shared_ptr<const steps::Walk> walk_;
};

}  // namespace lab::scenes
