#include "result_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <variant>

namespace lab::test {
namespace {

template <class Vector>
std::string numbers_of(const Vector& v, int size) {
    std::string out;
    for (int i = 0; i < size; ++i)
        out += (i == 0 ? "" : " ") + text(static_cast<double>(v[i]));
    return out;
}

bool is_separator(char c) {
    return c == ' ' || c == '\n' || c == ',' || c == ';' || c == ':' || c == '[' || c == ']' || c == '(' ||
           c == ')' || c == '\'';
}

struct ShapeText {
    std::string operator()(const Note& s) const { return "note at " + text(s.position); }
    std::string operator()(const Marker& s) const { return "marker at " + text(s.position); }
    std::string operator()(const bv::Segment& s) const { return "segment " + text(s.a) + " to " + text(s.b); }
    std::string operator()(const Polyline& s) const {
        Sums sums;
        for (const glm::vec3& p : s.points)
            sums.add(p);
        return fmt::format("line of {} points {}", s.points.size(), sums.text());
    }
    std::string operator()(const bv::Ray& s) const {
        return "ray " + text(s.origin) + " along " + text(s.direction);
    }
    std::string operator()(const bv::Triangle& s) const {
        return "triangle " + text(s.a) + ", " + text(s.b) + ", " + text(s.c);
    }
    std::string operator()(const bv::Sphere& s) const {
        return "sphere " + text(s.center) + " r " + text(s.radius);
    }
    std::string operator()(const bv::Aabb& s) const { return "box " + text(s); }
    std::string operator()(const bv::Obb& s) const { return "obb " + text(s); }
    std::string operator()(const bv::Capsule& s) const {
        return fmt::format("capsule {} {} r {}", text(s.a), text(s.b), text(s.radius));
    }
    std::string operator()(const bv::RectSweptSphere& s) const {
        return fmt::format("rectangle swept sphere {} by {} {} r {}", text(s.center), text(s.half_extents.x),
                           text(s.half_extents.y), text(s.radius));
    }
    std::string operator()(const PlanePatch& s) const {
        return fmt::format("plane {} offset {} at {} size {}", text(s.plane.normal), text(s.plane.offset),
                           text(s.center), text(s.half_size));
    }
    std::string operator()(const Polytope& s) const {
        Sums sums, indices;
        for (const glm::vec3& p : s.vertices)
            sums.add(p);
        for (const glm::uvec3& t : s.triangles)
            indices.add(glm::vec3(t));
        for (const glm::uvec2& e : s.edges)
            indices.add(glm::vec2(e));
        return fmt::format("polytope {} vertices {}, {} triangles, {} edges, indices {}", s.vertices.size(),
                           sums.text(), s.triangles.size(), s.edges.size(), indices.text());
    }
    std::string operator()(const VoxelBlock& s) const {
        Sums sums;
        for (const VoxelCell& c : *s.cells)
            sums.add(c.at), sums.add(c.size), sums.add(c.rgb[0]), sums.add(c.rgb[1]), sums.add(c.rgb[2]);
        return fmt::format("voxels {} cells {} pose {} size {}", s.cells->size(), sums.text(),
                           text(s.transform), text(s.size));
    }
};

}  // namespace

std::string text(double value) {
    if (std::abs(value) < 1e-6) value = 0;  // what is left of a difference, and minus zero
    return fmt::format("{:.5g}", value);
}
std::string text(const glm::vec2& v) {
    return numbers_of(v, 2);
}
std::string text(const glm::vec3& v) {
    return numbers_of(v, 3);
}
std::string text(const glm::mat4x3& m) {
    return text(m[0]) + " / " + text(m[1]) + " / " + text(m[2]) + " / " + text(m[3]);
}
std::string text(const bv::Aabb& box) {
    return text(box.min) + " to " + text(box.max);
}
std::string text(const bv::Obb& box) {
    return fmt::format("{} half {} axes {} / {} / {}", text(box.center), text(box.half_extents),
                       text(box.axes[0]), text(box.axes[1]), text(box.axes[2]));
}
std::string text(const render::Color& c) {
    return fmt::format("#{:02x}{:02x}{:02x}{:02x}", c.r, c.g, c.b, c.a);
}
std::string text(const std::optional<glm::vec2>& v) {
    return v ? text(*v) : "unseen";
}

std::string text(const Exhibit& e) {
    return fmt::format("role {} '{}' legend '{}' fill {} width {}{} scalar {}: {}", static_cast<int>(e.role),
                       e.label, e.legend, text(e.fill), text(e.width_px), e.on_top ? " on top" : "",
                       text(e.scalar), std::visit(ShapeText{}, e.shape));
}

void Sums::add(double value) {
    if (!std::isfinite(value)) value = 1e3;
    const double weight = static_cast<double>(1 + count_++ % 97);
    size_ += std::abs(value);
    plain_ += value;
    weighted_size_ += weight * std::abs(value);
    weighted_ += weight * value;
}

std::string Sums::text() const {
    if (size_ < 1e-6) return "0";
    return fmt::format("{:.5g} {:.5g} {:.5g} {:.5g}", size_, weighted_size_, 2 + plain_ / size_,
                       2 + weighted_ / weighted_size_);
}

void Words::add(std::string_view text) {
    while (!text.empty()) {
        const std::string_view word = next_word(text);
        if (const auto value = number(word))
            numbers_.add(*value);
        else
            for (const char c : word)
                digest_ = (digest_ ^ static_cast<unsigned char>(c)) * 16777619u;
    }
}

std::string Words::text() const {
    return fmt::format("words #{:08x}, numbers {}", digest_, numbers_.text());
}

std::string_view next_word(std::string_view& rest) {
    std::size_t end = 0;
    while (end < rest.size() && !is_separator(rest[end]))
        ++end;
    end = std::max<std::size_t>(end, rest.empty() ? 0 : 1);
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
}

std::optional<double> number(std::string_view word) {
    constexpr std::string_view kMinus = "−";
    const bool negative = word.starts_with(kMinus);
    if (negative) word.remove_prefix(kMinus.size());
    double value = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || status != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return negative ? -value : value;
}

}  // namespace lab::test
