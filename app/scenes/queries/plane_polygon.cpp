#include "scenes/queries/plane_polygon.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "bv/fit/polygon.hpp"
#include "bv/portable_math.hpp"
#include "bv/shapes/not_finite.hpp"
#include "results/put.hpp"
#include "scenes/staging.hpp"

namespace lab::scenes {
namespace {

float cross(const glm::vec2& a, const glm::vec2& b) {
    return a.x * b.y - a.y * b.x;
}

/// The distance from `from` along `direction` to the line through `p` and `q`; infinite if the line is not
/// ahead.
float reach_to_line(const glm::vec2& from, const glm::vec2& direction, const glm::vec2& p,
                    const glm::vec2& q) {
    const float at = cross(q - p, from - p), change = cross(q - p, direction);
    const float t = -at / change;
    return std::isfinite(t) && t > 0.0f ? t : std::numeric_limits<float>::infinity();
}

}  // namespace

PlanePolygon::PlanePolygon(std::string id, glm::vec2 center, std::vector<glm::vec2> around_center)
    : id_(std::move(id)), center_(center), local_(std::move(around_center)) {
    place();
}

PlanePolygon PlanePolygon::rectangle(std::string id, glm::vec2 center, glm::vec2 size_units) {
    PlanePolygon made(std::move(id), center, {});
    made.set_size(size_units);
    return made;
}

void PlanePolygon::set_size(glm::vec2 units) {
    size_units_ = units;
    const glm::vec2 half = 0.5f * kMetresPerUnit * glm::abs(units);
    // The first edge goes up on the right, so that the first axis is the rectangle's own x.
    local_ = {{half.x, -half.y}, {half.x, half.y}, {-half.x, half.y}, {-half.x, -half.y}};
    place();
}

void PlanePolygon::turn_to(float angle_rad) {
    if (!turns_) return;
    degrees_ = in_one_turn(glm::degrees(angle_rad));
    place();
}

void PlanePolygon::set_angle(float degrees) {
    turns_ = false;
    if (degrees_ == in_one_turn(degrees)) return;
    degrees_ = in_one_turn(degrees);
    place();
}

glm::vec2 PlanePolygon::turned(glm::vec2 v, float sign) const {
    const float angle_rad = glm::radians(degrees_);
    const float c = bv::cos(angle_rad), s = sign * bv::sin(angle_rad);
    return {c * v.x - s * v.y, s * v.x + c * v.y};
}

void PlanePolygon::place() {
    corners_.clear();
    for (const glm::vec2& p : local_)
        corners_.push_back(center_ + turned(p, 1.0f));
}

std::optional<std::size_t> PlanePolygon::corner_of(std::string_view handle) const {
    const std::string prefix = id_ + ".v";
    if (!handle.starts_with(prefix)) return std::nullopt;
    std::size_t number = 0;
    const char* const end = handle.data() + handle.size();
    const auto [stop, error] = std::from_chars(handle.data() + prefix.size(), end, number);
    if (error != std::errc{} || stop != end || number < 1 || number > size()) return std::nullopt;
    return number - 1;
}

bool PlanePolygon::is_like(const PlanePolygon& made) const {
    const auto close = [](glm::vec2 a, glm::vec2 b) {
        return glm::distance(a, b) <= 1e-5f * (1.0f + glm::length(a));
    };
    return turns_ == made.turns_ && (turns_ || std::abs(degrees_ - made.degrees_) <= 1e-3f) &&
           close(center_, made.center_) && size_units_ == made.size_units_ &&
           std::equal(local_.begin(), local_.end(), made.local_.begin(), made.local_.end(), close);
}

PlanePolygon::Moved PlanePolygon::drag(std::string_view handle, const glm::vec3& to) {
    if (!bv::is_finite(to)) return Moved::NotMine;
    if (handle == id_) {
        if (center_ == glm::vec2(to)) return Moved::Done;
        center_ = glm::vec2(to);
        place();
    } else if (handle == id_ + ".angle") {
        set_angle(to.x);
    } else if (handle == id_ + ".size" && is_rectangle()) {
        set_size(glm::vec2(to));
    } else if (handle == id_ + ".corners") {
        if (!set_count(to.x)) return Moved::WrongCount;
    } else if (const auto k = corner_of(handle)) {
        move_corner(*k, glm::vec2(to));
    } else {
        return Moved::NotMine;
    }
    return Moved::Done;
}

void PlanePolygon::become_free() {
    size_units_.reset();
    turns_ = false;
}

void PlanePolygon::recenter() {
    center_ = glm::vec2(0.0f);
    for (const glm::vec2& p : corners_)
        center_ += p / static_cast<float>(size());
    local_.clear();
    for (const glm::vec2& p : corners_)
        local_.push_back(turned(p - center_, -1.0f));
}

void PlanePolygon::move_corner(std::size_t k, glm::vec2 to) {
    // A handle that is already there changes nothing: a saved scene gives every handle its position.
    if (to == corners_[k]) return;
    become_free();
    corners_[k] = to;
    recenter();
}

bool PlanePolygon::set_count(float count) {
    if (count != std::floor(count) || count < static_cast<float>(kMinCorners) ||
        count > static_cast<float>(kMaxCorners))
        return false;
    const auto wanted = static_cast<std::size_t>(count);
    while (size() > wanted)
        remove_corner(size() - 1);
    while (size() < wanted) {
        std::size_t longest = 0;
        const auto length = [&](std::size_t k) {
            return glm::distance(corners_[k], corners_[(k + 1) % size()]);
        };
        for (std::size_t k = 1; k < size(); ++k)
            if (length(k) > 1.001f * length(longest)) longest = k;
        add_corner(longest);
    }
    return true;
}

bool PlanePolygon::add_corner(std::size_t k, float share) {
    const std::size_t n = size();
    if (n >= kMaxCorners) return false;
    become_free();
    const glm::vec2 a = corners_[k], b = corners_[(k + 1) % n];
    const glm::vec2 on_edge = a + share * (b - a);
    const float length = glm::distance(a, b);
    glm::vec2 out(b.y - a.y, a.x - b.x);
    out = length > 1e-6f ? out / length : glm::vec2(1.0f, 0.0f);
    if (glm::dot(out, on_edge - center_) < 0.0f) out = -out;  // away from the mean
    // Not beyond the lines of the two neighboring edges, or their corners would be inside the hull.
    const float reach = std::min({reach_to_line(on_edge, out, corners_[(k + n - 1) % n], a),
                                  reach_to_line(on_edge, out, b, corners_[(k + 2) % n]), 0.5f * length});
    corners_.insert(corners_.begin() + static_cast<std::ptrdiff_t>(k) + 1, on_edge + 0.5f * reach * out);
    recenter();
    return true;
}

bool PlanePolygon::remove_corner(std::size_t k) {
    if (size() <= kMinCorners) return false;
    become_free();
    corners_.erase(corners_.begin() + static_cast<std::ptrdiff_t>(k));
    recenter();
    return true;
}

std::vector<std::uint32_t> PlanePolygon::hull() const {
    std::vector<std::uint32_t> around = bv::fit::convex_polygon(corners_);
    std::rotate(around.begin(), std::min_element(around.begin(), around.end()), around.end());
    return around;
}

std::vector<glm::vec2> PlanePolygon::hull_corners() const {
    std::vector<glm::vec2> corners;
    for (const std::uint32_t k : hull())
        corners.push_back(corner(k));
    return corners;
}

std::string PlanePolygon::left_out() const {
    const std::vector<std::uint32_t> kept = hull();
    std::vector<std::size_t> others;
    for (std::size_t k = 0; k < size(); ++k)
        if (std::find(kept.begin(), kept.end(), k) == kept.end()) others.push_back(k + 1);
    if (others.empty()) return {};
    std::string text = others.size() == 1 ? "corner " : "corners ";
    for (std::size_t i = 0; i < others.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == others.size() ? " and " : ", ", others[i]);
    return text;
}

std::string PlanePolygon::label() const {
    return size_units_ ? fmt::format("{}  {} × {} units of 2 cm", letter(),
                                     number(static_cast<double>(size_units_->x)),
                                     number(static_cast<double>(size_units_->y)))
                       : fmt::format("{}, {} corners", letter(), size());
}

void PlanePolygon::show_handles(FrameResults& results, std::optional<std::size_t> touched) const {
    const std::string name = letter();
    results.handles.push_back(
        {id_, glm::vec3(center_, 0.0f), "move " + name, false, {.name = name + ", center", .parts = 2}});
    const auto numbers = [&](const char* what, glm::vec3 value, GivenValue given) {
        given.in_view = false;
        results.handles.push_back({id_ + what, value, {}, true, std::move(given)});
    };
    // A saved scene is put back in the order of the ids: number, size, and then the corners.
    numbers(".corners", {static_cast<float>(size()), 0.0f, 0.0f},
            {.name = name + ", corners", .unit = "", .parts = 1});
    if (size_units_)
        numbers(
            ".size", glm::vec3(*size_units_, 0.0f),
            {.name = name + ", size", .unit = "units", .note = "one is 2 cm", .parts = 2, .is_size = true});
    numbers(".angle", {degrees_, 0.0f, 0.0f}, {.name = name + ", angle", .unit = "°", .parts = 1});
    for (std::size_t k = 0; k < size(); ++k)
        results.handles.push_back(
            {fmt::format("{}.v{}", id_, k + 1),
             glm::vec3(corner(k), 0.0f),
             touched == k ? fmt::format("corner {}", k + 1) : std::string(),
             false,
             {.name = fmt::format("{}, corner {}", name, k + 1), .parts = 2, .listed = !is_rectangle()}});
}

}  // namespace lab::scenes
