#include "results/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/text/counted.hpp"

namespace lab {
namespace {

/// Without a sign.
std::string digits_of(const Number& number, double value) {
    switch (number.style) {
        case Number::Style::Whole:
            return fmt::format("{:.0f}", value);
        case Number::Style::Grouped:
            return io::grouped(static_cast<std::uint64_t>(std::min(value, 0x1p63)));
        case Number::Style::Fixed:
            return fmt::format("{:.{}f}", value, number.digits);
        case Number::Style::Trimmed: {
            std::string text = fmt::format("{:.{}f}", value, number.digits);
            if (text.find('.') == std::string::npos) return text;
            while (text.back() == '0')
                text.pop_back();
            if (text.back() == '.') text.pop_back();
            return text;
        }
        case Number::Style::Significant:
            return fmt::format("{:.{}g}", value, number.digits);
        case Number::Style::Scientific:
            return value == 0.0 ? "0" : fmt::format("{:.{}e}", value, number.digits);
    }
    return {};
}

/// Half of the last digit shown.
double half_a_digit(const Number& number) {
    switch (number.style) {
        case Number::Style::Whole:
        case Number::Style::Grouped:
            return 0.0;
        case Number::Style::Fixed:
        case Number::Style::Trimmed:
            return 0.5 * std::pow(10.0, -number.digits);
        case Number::Style::Significant:
        case Number::Style::Scientific:
            break;
    }
    if (number.value == 0.0) return 0.0;
    const int after = number.style == Number::Style::Scientific ? number.digits : number.digits - 1;
    return 0.5 * std::pow(10.0, std::floor(std::log10(std::abs(number.value))) - after);
}

struct CellText {
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(const Number& number) const { return to_text(number); }
    std::string operator()(const Numbers& numbers) const {
        std::string text(numbers.open);
        for (std::size_t i = 0; i < numbers.parts.size(); ++i) {
            if (i > 0) text += numbers.separator;
            text += to_text(numbers.parts[i]);
        }
        return text += numbers.close;
    }
    std::string operator()(const std::string& name) const { return name; }
    std::string operator()(Mark mark) const {
        return mark == Mark::Yes ? "yes" : mark == Mark::No ? "no" : "NO";
    }
};

}  // namespace

Number Number::in(std::string_view its_unit) const {
    Number number = *this;
    number.unit = its_unit;
    return number;
}

Number Number::timed() const {
    Number number = *this;
    number.measured = true;
    return number;
}

bool Number::shown_equal(double other) const {
    if (!std::isfinite(value) || !std::isfinite(other)) return value == other;
    // A tie may be rounded either way. The slack covers the rounding error of decimal fractions near a tie.
    return std::abs(value - other) <= half_a_digit(*this) + 1e-12 * std::abs(value);
}

namespace cells {

Number whole(double value) {
    return {value, Number::Style::Whole, 0};
}
Number grouped(std::uint64_t value) {
    return {static_cast<double>(value), Number::Style::Grouped, 0};
}
Number fixed(double value, int digits) {
    return {value, Number::Style::Fixed, digits};
}
Number trimmed(double value, int digits) {
    return {value, Number::Style::Trimmed, digits};
}
Number significant(double value, int digits) {
    return {value, Number::Style::Significant, digits};
}
Number scientific(double value, int digits) {
    return {value, Number::Style::Scientific, digits};
}
Number brief(double value, int digits) {
    constexpr double kTiny = 5e-4, kHuge = 1e12;
    const double size = std::abs(value);
    if (value == 0.0 || !std::isfinite(value) || (size >= kTiny && size < kHuge))
        return trimmed(value, digits);
    Number number = scientific(value, std::max(digits - 2, 0));
    number.below_zero = "−";
    return number;
}
Number quantity(double value, int digits) {
    return brief(value, std::abs(value) < 1000.0 ? digits : std::max(digits - 2, 0));
}
Numbers interval(double from, double to) {
    return {{trimmed(from), trimmed(to)}, "[", ", ", "]"};
}
Numbers vector(const glm::vec3& v) {
    return {{trimmed(v.x), trimmed(v.y), trimmed(v.z)}, "(", ", ", ")"};
}
Numbers list(std::vector<Number> numbers) {
    return {std::move(numbers), "", ", ", ""};
}
Numbers size(const glm::ivec3& voxels) {
    return {{whole(voxels.x), whole(voxels.y), whole(voxels.z)}, "", " × ", ""};
}
Mark must_hold(bool condition) {
    return condition ? Mark::Yes : Mark::Fails;
}
Mark yes_or_no(bool condition) {
    return condition ? Mark::Yes : Mark::No;
}

}  // namespace cells

std::string to_text(const Number& number) {
    std::string text;
    if (std::isnan(number.value)) {
        text = "not a number";
    } else {
        text = std::isinf(number.value) ? "∞" : digits_of(number, std::abs(number.value));
        const bool zero = text.find_first_not_of("0.") == std::string::npos;
        if (number.value < 0 && !number.below_zero.empty())
            text.insert(0, number.below_zero);
        else if (number.value < 0 && !zero)
            text.insert(0, number.style == Number::Style::Scientific ? "-" : "−");  // as in its exponent
    }
    if (!number.unit.empty()) text += fmt::format(" {}", number.unit);
    return text;
}

std::string to_text(const Cell& cell) {
    return std::visit(CellText{}, cell);
}

bool is_measured(const Cell& cell) {
    if (const auto* number = std::get_if<Number>(&cell)) return number->measured;
    const auto* numbers = std::get_if<Numbers>(&cell);
    return numbers && std::any_of(numbers->parts.begin(), numbers->parts.end(),
                                  [](const Number& part) { return part.measured; });
}

std::string Column::label() const {
    if (unit.empty()) return heading;
    return heading.empty() ? unit : heading + ", " + unit;
}

std::string_view name_of(RowMark mark) {
    switch (mark) {
        case RowMark::None:
            break;
        case RowMark::Chosen:
            return "shown";
        case RowMark::Rival:
            return "compared with it";
        case RowMark::Best:
            return "best";
        case RowMark::Verdict:
            return "verdict";
    }
    return "";
}

std::optional<std::size_t> Table::column(std::string_view label) const {
    const auto at =
        std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.label() == label; });
    if (at == columns.end()) return std::nullopt;
    return static_cast<std::size_t>(at - columns.begin());
}

}  // namespace lab
