#include "render/text/symbols.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace lab::render {

namespace {

using Stroke = std::vector<glm::vec2>;

constexpr float kMid = 0.27f;  // the height of a minus sign
constexpr float kTop = 0.56f;
constexpr float kPi = 3.14159265f;

Stroke arc(glm::vec2 center, glm::vec2 radius, float from_turns, float to_turns) {
    constexpr int kSteps = 20;
    Stroke out;
    for (int i = 0; i <= kSteps; ++i) {
        const float turns = from_turns + (to_turns - from_turns) * static_cast<float>(i) / kSteps;
        out.push_back(center + radius * glm::vec2(std::cos(turns * 2 * kPi), std::sin(turns * 2 * kPi)));
    }
    return out;
}

// An arrow from `tail` to `tip` with its two barbs.
void add_arrow(Symbol& symbol, glm::vec2 tail, glm::vec2 tip) {
    const glm::vec2 along = glm::normalize(tip - tail) * 0.17f;
    const glm::vec2 across(-along.y, along.x);
    symbol.strokes.push_back({tail, tip});
    symbol.strokes.push_back({tip - along + across, tip, tip - along - across});
}

Symbol arrow(char32_t code_point) {
    Symbol s;
    s.advance = 0.74f;
    s.pen = 0.085f;
    const glm::vec2 left(0.09f, kMid), right(0.65f, kMid), low(0.27f, 0.0f), high(0.27f, 0.58f);
    switch (code_point) {
        case U'←':
            add_arrow(s, right, left);
            break;
        case U'→':
            add_arrow(s, left, right);
            break;
        case U'↔':
            add_arrow(s, left, right);
            add_arrow(s, right, left);
            break;
        case U'↑':
            add_arrow(s, low, high);
            break;
        default:
            add_arrow(s, high, low);
            break;  // ↓
    }
    if (code_point == U'↑' || code_point == U'↓') s.advance = 0.54f;
    return s;
}

Symbol from_strokes(std::vector<Stroke> strokes, float advance = 0.6f) {
    Symbol s;
    s.advance = advance;
    s.pen = 0.088f;
    s.strokes = std::move(strokes);
    return s;
}

Symbol area(Stroke outline, float advance = 0.6f) {
    Symbol s;
    s.advance = advance;
    s.pen = 0.02f;
    s.filled = true;
    outline.push_back(outline.front());
    s.strokes.push_back(std::move(outline));
    return s;
}

// Left leg, arch, right leg; upside down for a union.
Stroke arch(bool open_below) {
    Stroke out;
    const float foot = open_below ? 0.0f : kTop, bow = open_below ? kTop - 0.2f : 0.2f;
    out.push_back({0.09f, foot});
    for (const glm::vec2& p : arc({0.29f, bow}, {0.2f, open_below ? 0.2f : -0.2f}, 0.5f, 0.0f))
        out.push_back(p);
    out.push_back({0.49f, foot});
    return out;
}

Stroke open_right() {
    Stroke out{{0.52f, kTop - 0.02f}};
    for (const glm::vec2& p : arc({0.33f, kMid}, {0.25f, kMid - 0.01f}, 0.25f, 0.75f))
        out.push_back(p);
    out.push_back({0.52f, 0.02f});
    return out;
}

float segment_distance(glm::vec2 p, glm::vec2 a, glm::vec2 b) {
    const glm::vec2 ab = b - a;
    const float t = std::clamp(glm::dot(p - a, ab) / std::max(glm::dot(ab, ab), 1e-12f), 0.0f, 1.0f);
    return glm::distance(p, a + ab * t);
}

bool contains(const Stroke& outline, glm::vec2 p) {
    bool inside = false;
    for (std::size_t i = 0; i + 1 < outline.size(); ++i) {
        const glm::vec2 a = outline[i], b = outline[i + 1];
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y))
            inside = !inside;
    }
    return inside;
}

}  // namespace

bool drawn_better(char32_t code_point) {
    return code_point >= U'\u2013' && code_point <= U'\u2015';
}

std::optional<Symbol> find_symbol(char32_t code_point) {
    switch (code_point) {
        case U'\u2013':
            return from_strokes({{{0.1f, 0.3f}, {0.45f, 0.3f}}}, 0.55f);
        case U'\u2014':
        case U'\u2015':
            return from_strokes({{{0.09f, 0.3f}, {0.57f, 0.3f}}}, 0.66f);
        case U'←':
        case U'→':
        case U'↔':
        case U'↑':
        case U'↓':
            return arrow(code_point);
        case U'∩':
            return from_strokes({arch(true)}, 0.58f);
        case U'∪':
            return from_strokes({arch(false)}, 0.58f);
        case U'∈':
            return from_strokes({open_right(), {{0.1f, kMid}, {0.5f, kMid}}});
        case U'⊂':
            return from_strokes({open_right()});
        case U'∅':
            return from_strokes({arc({0.3f, kMid}, {0.23f, 0.23f}, 0.0f, 1.0f),
                                 {{0.08f, kMid - 0.27f}, {0.52f, kMid + 0.27f}}});
        case U'⟂':
        case U'⊥':
            return from_strokes({{{0.3f, 0.02f}, {0.3f, kTop}}, {{0.05f, 0.02f}, {0.55f, 0.02f}}});
        case U'∥':
            return from_strokes({{{0.15f, -0.05f}, {0.15f, 0.64f}}, {{0.35f, -0.05f}, {0.35f, 0.64f}}}, 0.5f);
        case U'∧':
            return from_strokes({{{0.08f, 0.0f}, {0.3f, kTop}, {0.52f, 0.0f}}});
        case U'∨':
            return from_strokes({{{0.08f, kTop}, {0.3f, 0.0f}, {0.52f, kTop}}});
        case U'✓':
            return from_strokes({{{0.08f, 0.25f}, {0.24f, 0.05f}, {0.54f, kTop}}});
        case U'✗':
            return from_strokes({{{0.1f, 0.04f}, {0.5f, 0.52f}}, {{0.1f, 0.52f}, {0.5f, 0.04f}}});
        case U'▲':
            return area({{0.04f, 0.02f}, {0.56f, 0.02f}, {0.3f, 0.52f}});
        case U'▼':
            return area({{0.04f, 0.52f}, {0.56f, 0.52f}, {0.3f, 0.02f}});
        case U'▶':
            return area({{0.08f, 0.0f}, {0.08f, 0.54f}, {0.56f, 0.27f}});
        case U'■':
            return area({{0.06f, 0.03f}, {0.54f, 0.03f}, {0.54f, 0.51f}, {0.06f, 0.51f}});
        case U'●':
            return area(arc({0.3f, kMid}, {0.24f, 0.24f}, 0.0f, 1.0f));
        default:
            return std::nullopt;
    }
}

Symbol missing_symbol() {
    return from_strokes({{{0.1f, 0.0f}, {0.45f, 0.0f}, {0.45f, 0.6f}, {0.1f, 0.6f}, {0.1f, 0.0f}}}, 0.55f);
}

float distance_inside(const Symbol& symbol, glm::vec2 at) {
    float nearest = 1e9f;
    for (const Stroke& stroke : symbol.strokes)
        for (std::size_t i = 0; i + 1 < stroke.size(); ++i)
            nearest = std::min(nearest, segment_distance(at, stroke[i], stroke[i + 1]));
    const bool inside_area = symbol.filled && contains(symbol.strokes.front(), at);
    return symbol.pen * 0.5f + (inside_area ? nearest : -nearest);
}

}  // namespace lab::render
