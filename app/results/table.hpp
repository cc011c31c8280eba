// Tables as values: a cell is a number with its unit and precision, several numbers, a name or a mark. Panels
// format cells with `to_text`, reports write the numbers as they are, lessons compare them.
#pragma once

#include <concepts>
#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lab {

enum class Role : unsigned char;

/// A number and how it is shown.
struct Number {
    enum class Style : std::uint8_t {
        Whole,        ///< A count: 1234.
        Grouped,      ///< A large count: 1,234.
        Fixed,        ///< `digits` decimals.
        Trimmed,      ///< At most `digits` decimals, no zeros at the end.
        Significant,  ///< `digits` digits in all.
        Scientific,   ///< `digits` decimals and an exponent.
    };
    double value = 0;
    Style style = Style::Trimmed;
    int digits = 3;
    std::string_view unit = {};  ///< Shown behind the number, where the column does not name it. Static.
    std::string_view below_zero = {};  ///< Shown instead of a minus sign, like "apart by ". Static.
    bool measured = false;             ///< With a clock: differs from run to run.

    /// The same number with its own unit.
    [[nodiscard]] Number in(std::string_view its_unit) const;
    /// The same number, marked as measured with a clock.
    [[nodiscard]] Number timed() const;
    /// True iff `other` is shown as this number is: equal up to half of its last shown digit.
    [[nodiscard]] bool shown_equal(double other) const;
};

/// Several numbers in one cell: an interval, a vector, a size.
struct Numbers {
    std::vector<Number> parts;
    std::string_view open, separator, close;  ///< Static.
};

/// A yes or no. `Fails` is a no that must not be.
enum class Mark : std::uint8_t { Yes, No, Fails };

using Cell = std::variant<std::monostate, Number, Numbers, std::string, Mark>;

/// Ways to make a cell.
namespace cells {
[[nodiscard]] Number whole(double value);
template <std::integral T>
[[nodiscard]] Number whole(T value) {
    return whole(static_cast<double>(value));
}
[[nodiscard]] Number grouped(std::uint64_t value);
[[nodiscard]] Number fixed(double value, int digits);
/// Three decimals at most, unless stated otherwise: as a teacher writes a number.
[[nodiscard]] Number trimmed(double value, int digits = 3);
[[nodiscard]] Number significant(double value, int digits);
[[nodiscard]] Number scientific(double value, int digits);
/// At most that many decimals; tiny and huge values in powers of ten, so that only 0 reads as 0.
[[nodiscard]] Number brief(double value, int digits = 3);
/// An area or a cost: the same, with two decimals fewer from 1000 on.
[[nodiscard]] Number quantity(double value, int digits = 3);
[[nodiscard]] Numbers interval(double from, double to);   ///< [from, to]
[[nodiscard]] Numbers vector(const glm::vec3& v);         ///< (x, y, z)
[[nodiscard]] Numbers list(std::vector<Number> numbers);  ///< a, b
[[nodiscard]] Numbers size(const glm::ivec3& voxels);     ///< x × y × z
/// `Fails` if a condition that must hold does not.
[[nodiscard]] Mark must_hold(bool condition);
[[nodiscard]] Mark yes_or_no(bool condition);
}  // namespace cells

/// The one place where cells become text for people: a real minus sign, infinity as a symbol, no minus before
/// a number that rounds to zero. An empty cell is an empty text.
[[nodiscard]] std::string to_text(const Number& number);
[[nodiscard]] std::string to_text(const Cell& cell);
/// True iff any of its numbers was measured with a clock.
[[nodiscard]] bool is_measured(const Cell& cell);

struct Column {
    std::string heading;
    std::string unit;  ///< Of every number in the column; shown in its heading.

    Column(const char* its_heading, const char* its_unit = "") : heading(its_heading), unit(its_unit) {}
    /// Heading and unit: "fit, ms".
    [[nodiscard]] std::string label() const;
};

/// The highlighting of a row.
enum class RowMark : std::uint8_t {
    None,
    Chosen,   ///< The one that is on show, or that decided.
    Rival,    ///< The one that the chosen one is compared with.
    Best,     ///< The best of all rows.
    Verdict,  ///< The conclusion from all the others; panels show it first.
};
/// The explanation of a mark, for users; empty for None.
[[nodiscard]] std::string_view name_of(RowMark mark);

struct Row {
    std::vector<Cell> cells;   ///< May be fewer than columns.
    std::optional<Role> role;  ///< The color of the swatch at its start.
    RowMark mark = RowMark::None;
    std::string command =
        {};  ///< Command lines that a click on the row runs, like `set capture.frame=7`; none if empty.
    std::optional<std::uint32_t> mesh =
        {};  ///< Its bodies' color instead of the role's, for a row about one.
};

/// A table beside the scene; also written to the report under its id.
struct Table {
    std::string id;     ///< For the report, like `volumes`.
    std::string title;  ///< For the panel.
    std::vector<Column> columns;
    std::vector<Row> rows;
    /// Incremented at each user request: the panel then brings the table to the front.
    int asked = 0;

    Table() = default;
    Table(std::string its_id, std::string its_title, std::vector<Column> its_columns)
        : id(std::move(its_id)), title(std::move(its_title)), columns(std::move(its_columns)) {}
    void add(std::vector<Cell> cells, std::optional<Role> role = {}, RowMark mark = RowMark::None) {
        rows.push_back({std::move(cells), role, mark});
    }
    /// The place of the column of this label; nothing if there is none.
    [[nodiscard]] std::optional<std::size_t> column(std::string_view label) const;
};

}  // namespace lab
