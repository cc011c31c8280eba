#include "panels/widgets/rich_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/widgets/paragraph.hpp"

namespace lab::panels {
namespace {

using lessons::Block;
using lessons::Span;

/// A piece of text in one style without blanks.
struct Piece {
    std::string text;
    const Span* span = nullptr;
    bool after_blank = false;
    bool after_break = false;
};

std::vector<Piece> pieces_of(const std::vector<Span>& spans) {
    std::vector<Piece> pieces;
    bool blank = false;
    bool line_break = false;
    for (const Span& span : spans) {
        Piece piece{{}, &span, blank, line_break};
        const auto finish = [&] {
            if (!piece.text.empty()) {
                pieces.push_back(piece);
                blank = line_break = false;
            }
            piece = {{}, &span, blank, line_break};
        };
        for (const char letter : span.text) {
            if (letter != ' ' && letter != '\n') {
                piece.text += letter;
                continue;
            }
            finish();
            blank = true;
            line_break = line_break || letter == '\n';
            piece = {{}, &span, blank, line_break};
        }
        finish();
    }
    return pieces;
}

struct Look {
    ImFont* font;
    render::Color color;
};

Look look_of(const PanelContext& c, const Span& span) {
    // A color would make names of panels and columns look like links.
    return {span.strong || span.emphasis ? c.fonts.reading_strong : c.fonts.reading, c.colors.text};
}

ImVec2 size_of(const Look& look, const std::string& text) {
    return look.font->CalcTextSizeA(look.font->FontSize, 1e9f, 0.0f, text.c_str());
}

}  // namespace

void flowing_text(const PanelContext& c, const std::vector<Span>& spans, float width) {
    const float size = c.fonts.reading->FontSize;
    const float line = std::round(1.36f * size);
    const float blank = size_of({c.fonts.reading, c.colors.text}, " ").x;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::vector<Piece> pieces = pieces_of(spans);
    float x = 0.0f;
    float y = 0.0f;
    for (std::size_t i = 0; i < pieces.size();) {
        // Text without blanks is not broken.
        std::size_t end = i;
        float together = 0.0f;
        do {
            together += size_of(look_of(c, *pieces[end].span), pieces[end].text).x;
            ++end;
        } while (end < pieces.size() && !pieces[end].after_blank);
        if (x > 0.0f && pieces[i].after_blank) x += blank;
        if (pieces[i].after_break || (x > 0.0f && x + together > width)) {
            x = 0.0f;
            y += line;
        }
        for (; i < end; ++i) {
            const Look look = look_of(c, *pieces[i].span);
            const float wide = size_of(look, pieces[i].text).x;
            const ImVec2 at{origin.x + x, origin.y + y + std::round(0.5f * (line - size))};
            if (pieces[i].span->code)
                list.AddRectFilled({at.x - 2.0f, at.y - 1.0f}, {at.x + wide + 2.0f, at.y + size + 1.0f},
                                   pack(c.colors.raised), 3.0f);
            list.AddText(look.font, size, at, pack(look.color), pieces[i].text.c_str());
            x += wide;
        }
    }
    ImGui::Dummy({width, y + line});
}

namespace {

void gap(const PanelContext& c, float em) {
    ImGui::Dummy({1.0f, std::round(em * c.em)});
}

void heading(const PanelContext& c, const Block& block) {
    ImGui::PushFont(block.level <= 1 ? c.fonts.title : c.fonts.reading_strong);
    if (block.level > 1) ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(c.colors.accent));
    paragraph(block.plain());
    if (block.level > 1) ImGui::PopStyleColor();
    ImGui::PopFont();
    gap(c, 0.15f);
}

void item(const PanelContext& c, const Block& block, float width) {
    const float indent = 1.5f * c.em * static_cast<float>(block.level);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float size = c.fonts.reading->FontSize;
    const float middle = at.y + std::round(0.68f * size);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (block.number == 0)
        list.AddCircleFilled({at.x + indent - 0.8f * c.em, middle}, 0.17f * size, pack(c.colors.accent));
    if (block.number > 0)
        list.AddText(c.fonts.reading_strong, size, {at.x + indent - 1.3f * c.em, middle - 0.5f * size},
                     pack(c.colors.accent), fmt::format("{}.", block.number).c_str());
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + indent);
    flowing_text(c, block.spans, width - indent);
    gap(c, 0.1f);
}

/// Formulas: line by line, on their own background.
void code(const PanelContext& c, const Block& block, float width) {
    const float size = c.fonts.reading->FontSize;
    const float line = std::round(1.36f * size);
    std::string text = block.plain();
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
    const float pad = std::round(0.55f * c.em);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float high = line * static_cast<float>(lines) + 1.2f * pad;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + high}, pack(c.colors.sunken), 4.0f);
    list.AddRectFilled(at, {at.x + std::round(0.2f * c.em), at.y + high}, pack(c.colors.accent), 2.0f);
    float y = at.y + 0.6f * pad + std::round(0.5f * (line - size));
    std::size_t from = 0;
    while (from <= text.size()) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        list.AddText(c.fonts.reading, size, {at.x + 1.6f * pad, y}, pack(c.colors.text), text.data() + from,
                     text.data() + end);
        y += line;
        from = end + 1;
    }
    ImGui::Dummy({width, high});
    gap(c, 0.35f);
}

}  // namespace

void rich_text(const PanelContext& c, const std::vector<Block>& blocks) {
    const float width = ImGui::GetContentRegionAvail().x;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Block& block = blocks[i];
        switch (block.kind) {
            case Block::Kind::Heading:
                if (i > 0) gap(c, 0.4f);
                heading(c, block);
                break;
            case Block::Kind::Item:
                item(c, block, width);
                break;
            case Block::Kind::Code:
                code(c, block, width);
                break;
            case Block::Kind::Quote:
            case Block::Kind::Paragraph:
                flowing_text(c, block.spans, width);
                gap(c, 0.35f);
                break;
        }
    }
}

}  // namespace lab::panels
