// Strict JSON. The parser enforces the limits of io/limits.hpp while it reads and refuses duplicate keys. A
// value that is missing, of the wrong type or out of range is an error that names it, like
// `bodies[3].position`. Only sources of this folder include this.
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/file_error.hpp"
#include "io/limits.hpp"

namespace lab::io {

/// Limits of a document.
struct JsonLimits {
    int levels = limits::kJsonLevels;
    std::size_t values = limits::kJsonValues;
    std::size_t memory_bytes = limits::kJsonMemory;
    std::size_t name_bytes = limits::kNameBytes;
    std::size_t text_bytes = limits::kLineBytes;
};

/// Parses a whole text. Refuses, with line and column: invalid JSON, a NUL byte, a duplicate key, a number
/// beyond double precision, and a document that exceeds the limits. Memory is bounded by the limits; the
/// stack does not grow with the nesting.
Result<nlohmann::json> parse_json(std::string_view text, const std::string& path,
                                  const JsonLimits& limits = {});

/// True for a text that is no valid JSON only because it ends too early.
bool is_cut_off(std::string_view text);

/// A value and its path. The first mismatch sets `problem`; values read after it are meaningless.
class JsonReader {
  public:
    JsonReader(const nlohmann::json& value, std::string where, std::optional<std::string>& problem)
        : value_(&value), where_(std::move(where)), problem_(&problem) {}

    [[nodiscard]] bool good() const { return !*problem_; }
    void refuse(std::string_view what) const;

    /// Refuses unlisted names.
    void expect_only(std::initializer_list<std::string_view> names) const;
    /// A value of an object; refused if it is missing.
    [[nodiscard]] JsonReader at(std::string_view name) const;
    /// True where there is such a value and it is not null.
    [[nodiscard]] bool has(std::string_view name) const;
    /// The items of a list. Refused, and empty, if there are more than `limit`.
    [[nodiscard]] std::vector<JsonReader> items(std::size_t limit) const;
    /// Names and values of an object. Refused, and empty, if there are more than `limit`.
    [[nodiscard]] std::vector<std::pair<std::string, JsonReader>> members(std::size_t limit) const;

    /// A text of any characters, up to `max_bytes`.
    [[nodiscard]] std::string text(std::size_t max_bytes = limits::kTextBytes) const;
    /// A short text without control characters.
    [[nodiscard]] std::string name(std::size_t max_bytes = limits::kNameBytes) const;
    [[nodiscard]] bool flag() const;
    [[nodiscard]] double number(double min = -1e9, double max = 1e9) const;
    /// A single-precision number; the limits are rounded to single precision, too.
    [[nodiscard]] float real(double min = -1e9, double max = 1e9) const;
    [[nodiscard]] std::uint64_t whole(std::uint64_t max) const;
    [[nodiscard]] std::uint32_t whole32(std::uint32_t max = 0xfffffffeu) const {
        return static_cast<std::uint32_t>(whole(max));
    }
    [[nodiscard]] glm::vec2 vec2() const;
    [[nodiscard]] glm::vec3 vec3(double max = 1e9) const;

  private:
    [[nodiscard]] std::vector<double> numbers(std::size_t count, double max) const;

    const nlohmann::json* value_;
    std::string where_;
    std::optional<std::string>* problem_;
};

}  // namespace lab::io
