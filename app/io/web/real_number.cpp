// Finds the end of the number and leaves its value to strtod, which rounds to nearest, too, and reads more
// forms than std::from_chars does.
#include "io/text/real_number.hpp"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

namespace lab::io {
namespace {

const char* skip_digits(const char* at, const char* last) {
    while (at != last && *at >= '0' && *at <= '9')
        ++at;
    return at;
}

bool begins_with(const char* at, const char* last, std::string_view word) {
    if (static_cast<std::size_t>(last - at) < word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i)
        if (std::tolower(static_cast<unsigned char>(at[i])) != word[i]) return false;
    return true;
}

/// The end of the number at `first`, or `first` if there is none.
const char* end_of_number(const char* first, const char* last) {
    const char* at = first;
    if (at != last && *at == '-') ++at;
    for (const std::string_view word : {"infinity", "inf", "nan"})
        if (begins_with(at, last, word)) return at + word.size();
    const char* const whole = at;
    at = skip_digits(at, last);
    auto digits = at - whole;
    if (at != last && *at == '.') {
        const char* const fraction = ++at;
        at = skip_digits(at, last);
        digits += at - fraction;
    }
    if (digits == 0) return first;
    if (at == last || (*at != 'e' && *at != 'E')) return at;
    const char* exponent = at + 1;
    if (exponent != last && (*exponent == '+' || *exponent == '-')) ++exponent;
    const char* const end = skip_digits(exponent, last);
    return end == exponent ? at : end;
}

template <class Real, class Convert>
std::from_chars_result read(const char* first, const char* last, Real& value, const Convert& convert) {
    const char* const end = end_of_number(first, last);
    if (end == first) return {first, std::errc::invalid_argument};
    const std::string text(first, end);
    const Real found = convert(text.c_str());
    const std::string_view mantissa = std::string_view(text).substr(0, text.find_first_of("eE"));
    const bool is_word = text.find_first_of("nN") != std::string::npos;
    const bool is_lost = found == Real(0) && mantissa.find_first_of("123456789") != std::string_view::npos;
    if (!is_word && (is_lost || !std::isfinite(found))) return {end, std::errc::result_out_of_range};
    value = found;
    return {end, std::errc{}};
}

}  // namespace

std::from_chars_result read_real(const char* first, const char* last, double& value) {
    return read(first, last, value, [](const char* text) { return std::strtod(text, nullptr); });
}

std::from_chars_result read_real(const char* first, const char* last, float& value) {
    return read(first, last, value, [](const char* text) { return std::strtof(text, nullptr); });
}

}  // namespace lab::io
