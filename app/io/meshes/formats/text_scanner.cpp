#include "io/meshes/formats/text_scanner.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <system_error>

#include "io/text/typed_number.hpp"

namespace lab::io {
namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

/// Whether a decimal number that is out of range is too small rather than too large.
bool is_tiny(std::string_view number) {
    long long magnitude = 0;  // of the first digit that is not zero, as a power of ten
    bool behind_point = false;
    bool found = false;
    for (std::size_t i = 0; i < number.size(); ++i) {
        const char c = number[i];
        if (c == '.') {
            behind_point = true;
        } else if (c == 'e' || c == 'E') {
            const std::string_view exponent = without_plus(number.substr(i + 1));
            long long value = 0;
            const auto code = std::from_chars(exponent.data(), exponent.data() + exponent.size(), value).ec;
            if (code == std::errc::result_out_of_range) return exponent.starts_with('-');
            magnitude += value;
            break;
        } else if (c >= '0' && c <= '9') {
            found = found || c != '0';
            if (found && !behind_point) ++magnitude;
            if (!found && behind_point) --magnitude;
        }
    }
    return magnitude <= 0;
}

}  // namespace

TextScanner::TextScanner(std::string_view text, Lines lines, std::size_t longest_line)
    : text_(text), longest_line_(longest_line), joined_(lines == Lines::JoinedByBackslash) {
    if (text.starts_with("\xef\xbb\xbf")) at_ = line_start_ = 3;
}

std::size_t TextScanner::line_end(std::size_t at) const {
    if (at >= text_.size()) return 0;
    if (text_[at] == '\n') return 1;
    if (text_[at] != '\r') return 0;
    return at + 1 < text_.size() && text_[at + 1] == '\n' ? 2 : 1;
}

std::size_t TextScanner::joint(std::size_t at) const {
    if (!joined_ || at >= text_.size() || text_[at] != '\\') return 0;
    const std::size_t end = line_end(at + 1);
    return end == 0 ? 0 : 1 + end;
}

void TextScanner::check_length() {
    if (at_ - line_start_ <= longest_line_) return;
    too_long_ = true;
    at_ = line_start_ = text_.size();
}

std::string TextScanner::fault(std::string what) const {
    if (!too_long_) return what;
    return "the line is longer than " + std::to_string(longest_line_) + " bytes, the most that is read";
}

std::string_view TextScanner::word_in_line() {
    for (;;) {
        while (at_ < text_.size() && is_blank(text_[at_]))
            ++at_;
        const std::size_t skipped = joint(at_);
        if (skipped == 0) break;
        at_ += skipped;
        ++line_;
    }
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r' && !is_blank(text_[at_]) &&
           joint(at_) == 0)
        ++at_;
    const std::string_view found = text_.substr(start, at_ - start);
    check_length();
    return too_long_ ? std::string_view() : found;
}

std::string_view TextScanner::word() {
    for (;;) {
        const std::string_view found = word_in_line();
        if (!found.empty() || !next_line()) return found;
    }
}

std::string_view TextScanner::rest_of_line() {
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r')
        ++at_;
    std::string_view rest = text_.substr(start, at_ - start);
    check_length();
    if (too_long_) return {};
    while (!rest.empty() && is_blank(rest.back()))
        rest.remove_suffix(1);
    while (!rest.empty() && is_blank(rest.front()))
        rest.remove_prefix(1);
    return rest;
}

bool TextScanner::next_line() {
    while (at_ < text_.size() && line_end(at_) == 0) {
        const std::size_t skipped = joint(at_);
        line_ += skipped > 0;
        at_ += std::max<std::size_t>(skipped, 1);
    }
    check_length();
    if (at_ >= text_.size()) return false;
    at_ += line_end(at_);
    line_start_ = at_;
    ++line_;
    return at_ < text_.size();
}

std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + (text.substr(end).starts_with("\r\n") ? 2 : 1), text.size()));
    return line;
}

std::string parse_finite(std::string_view word, float& value) {
    if (word.empty()) return "a number is missing";
    const std::string_view digits = without_plus(word);
    const char* const last = digits.data() + digits.size();
    const auto [end, code] = read_real(digits.data(), last, value);
    if (code == std::errc::invalid_argument || end != last) return shown(word) + " is not a number";
    if (code == std::errc::result_out_of_range) {
        if (!is_tiny(digits)) return shown(word) + " is not finite";
        value = 0.0f;
    }
    return std::isfinite(value) ? "" : shown(word) + " is not finite";
}

bool is_number(std::string_view word) {
    float ignored = 0.0f;
    word = without_plus(word);
    const auto [end, code] = read_real(word.data(), word.data() + word.size(), ignored);
    return code != std::errc::invalid_argument && end == word.data() + word.size();
}

std::optional<long long> parse_whole(std::string_view word) {
    return typed_number<long long>(word);
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
