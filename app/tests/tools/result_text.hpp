// Numbers, shapes and sums over many of them as text, for tests that compare whole results with stored ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/mat4x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"
#include "render/draw_list.hpp"
#include "results/exhibit.hpp"

namespace lab::test {

[[nodiscard]] std::string text(double value);
[[nodiscard]] std::string text(const glm::vec2& v);
[[nodiscard]] std::string text(const glm::vec3& v);
[[nodiscard]] std::string text(const glm::mat4x3& m);
[[nodiscard]] std::string text(const bv::Aabb& box);
[[nodiscard]] std::string text(const bv::Obb& box);
[[nodiscard]] std::string text(const render::Color& c);
[[nodiscard]] std::string text(const std::optional<glm::vec2>& v);
[[nodiscard]] std::string text(const Exhibit& exhibit);

/// Sums of numbers in their order: another order or another number gives another sum. They are written as the
/// sum of sizes and as shares of it, so that a sum near zero needs no more digits than the numbers have.
class Sums {
  public:
    void add(double value);
    void add(const glm::vec2& v) { add(static_cast<double>(v.x)), add(static_cast<double>(v.y)); }
    void add(const glm::vec3& v) {
        for (int k = 0; k < 3; ++k)
            add(static_cast<double>(v[k]));
    }
    void add(const glm::mat4x3& m) {
        for (int c = 0; c < 4; ++c)
            add(m[c]);
    }
    void add(const bv::Aabb& box) { add(box.min), add(box.max); }
    void add(const render::Color& c) { add(c.r), add(c.g), add(c.b), add(c.a); }
    [[nodiscard]] std::string text() const;

  private:
    double size_ = 0, plain_ = 0, weighted_size_ = 0, weighted_ = 0;
    std::size_t count_ = 0;
};

/// A digest of texts: of their words exactly, of their numbers by sums.
class Words {
  public:
    void add(std::string_view text);
    [[nodiscard]] std::string text() const;

  private:
    std::uint32_t digest_ = 2166136261u;
    Sums numbers_;
};

/// The word at the front, taken off `rest` with the separators between words as words of their own.
[[nodiscard]] std::string_view next_word(std::string_view& rest);
/// The number that a word is, if it is one; also with a real minus sign.
[[nodiscard]] std::optional<double> number(std::string_view word);

}  // namespace lab::test
