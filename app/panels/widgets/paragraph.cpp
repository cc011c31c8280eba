#include "panels/widgets/paragraph.hpp"

#include <imgui.h>

#include <algorithm>
#include <string>

#include "io/line_breaks.hpp"

namespace lab::panels {

std::string on_lines(std::string_view text, float width) {
    return io::broken_at_blanks(text, std::max(width, 1.0f), [](std::string_view s) {
        return ImGui::CalcTextSize(s.data(), s.data() + s.size()).x;
    });
}

void paragraph(std::string_view text, float right) {
    const float width = right > 0.0f ? right - ImGui::GetCursorPosX() : ImGui::GetContentRegionAvail().x;
    const std::string lines = on_lines(text, width);
    ImGui::TextUnformatted(lines.c_str(), lines.c_str() + lines.size());
}

}  // namespace lab::panels
