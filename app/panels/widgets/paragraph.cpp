#include "panels/widgets/paragraph.hpp"

#include <imgui.h>

#include <algorithm>
#include <string>

#include "io/text/line_breaks.hpp"

namespace lab::panels {
namespace {

constexpr const char* kMore = "…";

/// True for a continuation byte of a UTF-8 character.
bool is_inside_letter(char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

}  // namespace

std::string on_lines(std::string_view text, float width) {
    return io::broken_at_blanks(text, std::max(width, 1.0f), [](std::string_view s) {
        return ImGui::CalcTextSize(s.data(), s.data() + s.size()).x;
    });
}

std::string first_lines(std::string_view text, float width, std::size_t count) {
    std::string all = on_lines(text, width);
    std::size_t begin = 0;
    for (std::size_t line = 1; line < count; ++line) {
        const std::size_t end = all.find('\n', begin);
        if (end == std::string::npos) return all;
        begin = end + 1;
    }
    const std::size_t end = all.find('\n', begin);
    if (end == std::string::npos) return all;
    return all.substr(0, begin) + fitted(all.substr(begin, end - begin) + kMore, width);
}

std::string fitted(const std::string& text, float width) {
    if (ImGui::CalcTextSize(text.c_str()).x <= width + 0.5f) return text;
    const float left = width - ImGui::CalcTextSize(kMore).x;
    if (left < 0.0f) return {};
    std::size_t fits = 0, too_long = text.size();
    while (fits + 1 < too_long) {
        const std::size_t middle = (fits + too_long) / 2;
        const bool fit = ImGui::CalcTextSize(text.data(), text.data() + middle).x <= left;
        (fit ? fits : too_long) = middle;
    }
    while (fits > 0 && is_inside_letter(text[fits]))
        --fits;
    return text.substr(0, fits) + kMore;
}

std::string fitted_end(const std::string& text, float width) {
    if (ImGui::CalcTextSize(text.c_str()).x <= width + 0.5f) return text;
    const float left = width - ImGui::CalcTextSize(kMore).x;
    if (left < 0.0f) return {};
    const char* const end = text.data() + text.size();
    std::size_t too_long = 0, fits = text.size();
    while (too_long + 1 < fits) {
        const std::size_t middle = (fits + too_long) / 2;
        const bool fit = ImGui::CalcTextSize(text.data() + middle, end).x <= left;
        (fit ? fits : too_long) = middle;
    }
    while (fits < text.size() && is_inside_letter(text[fits]))
        ++fits;
    return kMore + text.substr(fits);
}

void paragraph(std::string_view text, float right) {
    const float width = right > 0.0f ? right - ImGui::GetCursorPosX() : ImGui::GetContentRegionAvail().x;
    const std::string lines = on_lines(text, width);
    ImGui::TextUnformatted(lines.c_str(), lines.c_str() + lines.size());
}

}  // namespace lab::panels
