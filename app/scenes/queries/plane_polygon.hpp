// A convex polygon in the plane that the user edits: it can be dragged and turned, and corners added and
// removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/frame_results.hpp"

namespace lab::scenes {

/// The tested shape is the hull of the corners: those inside it are left out.
class PlanePolygon {
  public:
    static constexpr std::size_t kMinCorners = 3, kMaxCorners = 8;
    /// The classic sizes of rectangles are pixels; here a pixel is two centimeters.
    static constexpr float kMetresPerUnit = 0.02f;

    PlanePolygon() = default;
    /// `id` begins the ids of its handles: "a" for `a`, `a.angle`, `a.corners`, `a.v1` and so on.
    PlanePolygon(std::string id, glm::vec2 center, std::vector<glm::vec2> around_center);
    /// Its size can be given, too, while it is still a rectangle: the handle `a.size`.
    static PlanePolygon rectangle(std::string id, glm::vec2 center, glm::vec2 size_units);

    /// Keeps turning until the angle is given or the shape is changed.
    void turn_to(float angle_rad);
    void set_angle(float degrees);
    /// True while it is as it was made, but for rounding and for the angle that it keeps turning to.
    [[nodiscard]] bool is_like(const PlanePolygon& made) const;
    enum class Moved : unsigned char { NotMine, Done, WrongCount };
    Moved drag(std::string_view handle, const glm::vec3& to);
    /// Adds a corner on the edge after corner `k`, at a fraction of its length, a little outward so that it
    /// counts as one. False if it does not fit.
    bool add_corner(std::size_t k, float share = 0.5f);
    /// False if too few would be left.
    bool remove_corner(std::size_t k);

    [[nodiscard]] std::size_t size() const { return corners_.size(); }
    [[nodiscard]] bool is_rectangle() const { return size_units_.has_value(); }
    /// Where the user has put it, exactly.
    [[nodiscard]] glm::vec2 corner(std::size_t k) const { return corners_[k]; }
    /// The corner that `handle` moves.
    [[nodiscard]] std::optional<std::size_t> corner_of(std::string_view handle) const;
    /// The corners of the hull in their order around it, counter-clockwise, from the one with the lowest
    /// number.
    [[nodiscard]] std::vector<std::uint32_t> hull() const;
    [[nodiscard]] std::vector<glm::vec2> hull_corners() const;
    /// The numbers of corners that are not on the hull, counted from 1: "corner 3", "corners 3 and 4". Empty
    /// if there are none.
    [[nodiscard]] std::string left_out() const;
    /// "A  30 × 140", "B, 5 corners".
    [[nodiscard]] std::string label() const;
    [[nodiscard]] std::string letter() const { return id_ == "a" ? "A" : "B"; }
    /// With the number of the corner that was touched last beside it.
    void show_handles(FrameResults& results, std::optional<std::size_t> touched) const;
    friend bool operator==(const PlanePolygon&, const PlanePolygon&) = default;

  private:
    [[nodiscard]] glm::vec2 turned(glm::vec2 v, float sign) const;
    void become_free();
    /// Puts the corners where center and angle have them.
    void place();
    void set_size(glm::vec2 units);
    void move_corner(std::size_t k, glm::vec2 to);
    bool set_count(float count);
    /// Puts the center into the mean of the corners, which stay.
    void recenter();

    std::string id_;
    glm::vec2 center_{0.0f};
    float degrees_ = 0.0f;
    bool turns_ = true;
    std::vector<glm::vec2> corners_, local_;  ///< In the plane, and around the center with an angle of 0.
    std::optional<glm::vec2> size_units_;
};

}  // namespace lab::scenes
