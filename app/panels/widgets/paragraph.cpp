#include "panels/widgets/paragraph.hpp"

#include <imgui.h>

#include <algorithm>
#include <cstddef>

namespace lab::panels {
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
        const std::size_t end = std::min(text.find_first_of(" \n", blanks), text.size());
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

void paragraph(std::string_view text, float right) {
    const float width = right > 0.0f ? right - ImGui::GetCursorPosX() : ImGui::GetContentRegionAvail().x;
    const std::string lines = broken_at_blanks(text, std::max(width, 1.0f), [](std::string_view s) {
        return ImGui::CalcTextSize(s.data(), s.data() + s.size()).x;
    });
    ImGui::TextUnformatted(lines.c_str(), lines.c_str() + lines.size());
}

}  // namespace lab::panels
