#include "io/text_scanner.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <system_error>

namespace lab::io {
namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

}  // namespace

std::string_view TextScanner::word_in_line() {
    while (at_ < text_.size() && is_blank(text_[at_]))
        ++at_;
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != '\n' && !is_blank(text_[at_]))
        ++at_;
    return text_.substr(start, at_ - start);
}

std::string_view TextScanner::word() {
    for (;;) {
        const std::string_view found = word_in_line();
        if (!found.empty() || !next_line()) return found;
    }
}

std::string_view TextScanner::rest_of_line() {
    const std::size_t start = at_;
    at_ = std::min(text_.find('\n', at_), text_.size());
    std::string_view rest = text_.substr(start, at_ - start);
    while (!rest.empty() && is_blank(rest.back()))
        rest.remove_suffix(1);
    while (!rest.empty() && is_blank(rest.front()))
        rest.remove_prefix(1);
    return rest;
}

bool TextScanner::next_line() {
    at_ = std::min(text_.find('\n', at_), text_.size());
    if (at_ >= text_.size()) return false;
    ++at_;
    ++line_;
    return at_ < text_.size();
}

std::string parse_finite(std::string_view word, float& value) {
    std::string_view digits = word;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const char* const last = digits.data() + digits.size();
    const auto [end, code] = std::from_chars(digits.data(), last, value);
    if (word.empty()) return "a number is missing";
    if (code == std::errc::invalid_argument || end != last) return shown(word) + " is not a number";
    if (code == std::errc::result_out_of_range) {
        // Too small or too large for a float: a wider type tells which. Beyond that, too, the sign of the
        // exponent does.
        double wide = 0.0;
        const auto second = std::from_chars(digits.data(), last, wide);
        const bool tiny =
            second.ec == std::errc::result_out_of_range
                ? digits.find("e-") != std::string_view::npos || digits.find("E-") != std::string_view::npos
                : std::abs(wide) < 1.0;
        if (!tiny) return shown(word) + " is not finite";
        value = 0.0f;
    }
    return std::isfinite(value) ? "" : shown(word) + " is not finite";
}

std::optional<long long> parse_whole(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    long long value = 0;
    const char* const last = word.data() + word.size();
    const auto [end, code] = std::from_chars(word.data(), last, value);
    return !word.empty() && code == std::errc() && end == last ? std::optional(value) : std::nullopt;
}

std::string shown(std::string_view word) {
    std::string text = "\"";
    for (const char c : word.substr(0, 24))
        text += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
    return text + (word.size() > 24 ? "...\"" : "\"");
}

bool same_word(std::string_view word, std::string_view lower) {
    return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                      [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
}

}  // namespace lab::io
