#include "io/text/line_breaks.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace lab::io {
namespace {

/// Bytes of the first characters that fit, at least one character.
std::size_t fitting(std::string_view word, float width,
                    const std::function<float(std::string_view)>& measure) {
    const auto next = [&](std::size_t at) {
        do
            ++at;
        while (at < word.size() && (static_cast<unsigned char>(word[at]) & 0xc0u) == 0x80u);
        return at;
    };
    std::size_t end = next(0);
    while (end < word.size() && measure(word.substr(0, next(end))) <= width)
        end = next(end);
    return end;
}

bool is_unit(std::string_view word) {
    constexpr std::array<std::string_view, 8> kUnits = {"m", "m²", "m³", "m/s", "s", "ms", "cm", "%"};
    while (!word.empty() && std::string_view(".,;:)").find(word.back()) != std::string_view::npos)
        word.remove_suffix(1);
    return std::find(kUnits.begin(), kUnits.end(), word) != kUnits.end();
}

/// Where the word that begins at `begin` ends; a number's unit belongs to it.
std::size_t word_end(std::string_view text, std::size_t begin) {
    const auto end_from = [&](std::size_t from) {
        return std::min(text.find_first_of(" \n", from), text.size());
    };
    const std::size_t end = end_from(begin);
    const bool number = end > begin && text[end - 1] >= '0' && text[end - 1] <= '9';
    if (!number || end == text.size() || text[end] != ' ') return end;
    const std::size_t next = end_from(end + 1);
    return is_unit(text.substr(end + 1, next - end - 1)) ? next : end;
}

}  // namespace

std::string broken_at_blanks(std::string_view text, float width,
                             const std::function<float(std::string_view)>& measure) {
    std::string out;
    std::size_t line = 0;  // where the current line begins in `out`
    const auto is_wide = [&] { return measure(std::string_view(out).substr(line)) > width; };
    while (!text.empty()) {
        if (text.front() == '\n') {
            out += '\n';
            line = out.size();
            text.remove_prefix(1);
            continue;
        }
        const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
        const std::size_t end = word_end(text, blanks);
        std::string_view word = text.substr(blanks, end - blanks);
        const std::size_t before = out.size();
        out += text.substr(0, end);
        text.remove_prefix(end);
        if (!is_wide()) continue;
        out.resize(before);
        if (before > line) {
            out += '\n';
            line = out.size();
        }
        while (measure(word) > width) {
            const std::size_t part = fitting(word, width, measure);
            out += word.substr(0, part);
            word.remove_prefix(part);
            if (word.empty()) break;
            out += '\n';
            line = out.size();
        }
        out += word;
    }
    return out;
}

}  // namespace lab::io
