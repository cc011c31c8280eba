#include "panels/widgets/style.hpp"

#include <array>
#include <cmath>
#include <span>

#include "panels/backend.hpp"
#include "render/font.hpp"

namespace lab::panels {
namespace {

using render::Color;
using render::rgb;

constexpr float kTitleFactor = 1.3f;
constexpr float kReadingFactor = 1.13f;

PanelColors make_dark() {
    PanelColors c;
    c.panel = rgb(0x1a1e26);
    c.raised = rgb(0x272d38);
    c.sunken = rgb(0x12151b);
    c.border = rgb(0x323a47);
    c.text = rgb(0xe8ecf2);
    c.text_dim = rgb(0x9aa6b6);
    c.accent = rgb(0x8494ff);
    c.on_accent = rgb(0x0e1016);
    c.hover = rgb(0x333b49);
    c.good = rgb(0x5ecf94);
    c.warning = rgb(0xffc24a);
    c.error = rgb(0xff7a5c);
    return c;
}

PanelColors make_light() {
    PanelColors c;
    c.panel = rgb(0xfbfcfd);
    c.raised = rgb(0xe8ecf1);
    c.sunken = rgb(0xffffff);
    c.border = rgb(0xcfd6df);
    c.text = rgb(0x191d24);
    c.text_dim = rgb(0x566173);
    c.accent = rgb(0x3f51d9);
    c.on_accent = rgb(0xffffff);
    c.hover = rgb(0xdbe2ea);
    c.good = rgb(0x167a46);
    c.warning = rgb(0x8a5a00);
    c.error = rgb(0xb8260e);
    return c;
}

void apply_lengths(ImGuiStyle& s, float em) {
    const auto px = [em](float at_15) { return std::round(at_15 * em / 15.0f); };
    s.WindowPadding = {px(10), px(8)};
    s.FramePadding = {px(8), px(4)};
    s.CellPadding = {px(6), px(3)};
    s.ItemSpacing = {px(8), px(6)};
    s.ItemInnerSpacing = {px(6), px(5)};
    s.IndentSpacing = px(16);
    s.ScrollbarSize = px(11);
    s.GrabMinSize = px(11);
    s.WindowRounding = px(6);
    s.ChildRounding = px(4);
    s.FrameRounding = px(4);
    s.PopupRounding = px(6);
    s.ScrollbarRounding = px(6);
    s.GrabRounding = px(4);
    s.TabRounding = px(4);
    s.WindowBorderSize = 0.0f;
    s.ChildBorderSize = 0.0f;
    s.FrameBorderSize = 0.0f;
    s.PopupBorderSize = 1.0f;
    s.TabBorderSize = 0.0f;
    s.WindowTitleAlign = {0.0f, 0.5f};
    s.SelectableTextAlign = {0.0f, 0.5f};
    s.DisabledAlpha = 0.45f;
    s.DisplaySafeAreaPadding = {0, 0};
}

/// 42 px from row to row at 15 px of text: the minimum in platform guidelines.
void make_larger(ImGuiStyle& s, float em) {
    const auto px = [em](float at_15) { return std::round(at_15 * em / 15.0f); };
    s.FramePadding.y = px(9);
    s.ItemSpacing.y = px(9);
    s.ScrollbarSize = px(14);
    s.GrabMinSize = px(22);
    s.TouchExtraPadding = {0.0f, px(3)};
}

}  // namespace

const PanelColors& panel_colors(viz::Theme theme) {
    static const PanelColors dark = make_dark();
    static const PanelColors light = make_light();
    return theme == viz::Theme::Dark ? dark : light;
}

void apply_style(viz::Theme theme, float em, bool fingers) {
    ImGuiStyle& s = ImGui::GetStyle();
    s = ImGuiStyle();
    apply_lengths(s, em);
    if (fingers) make_larger(s, em);
    const PanelColors& c = panel_colors(theme);
    if (theme == viz::Theme::Dark)
        ImGui::StyleColorsDark(&s);
    else
        ImGui::StyleColorsLight(&s);
    const auto set = [&s](ImGuiCol slot, Color color) { s.Colors[slot] = to_vec4(color); };
    set(ImGuiCol_Text, c.text);
    set(ImGuiCol_TextDisabled, c.text_dim);
    set(ImGuiCol_WindowBg, c.panel);
    set(ImGuiCol_ChildBg, c.panel.with_alpha(0));
    set(ImGuiCol_PopupBg, viz::mix(c.panel, c.raised, 0.35f));
    set(ImGuiCol_Border, c.border);
    set(ImGuiCol_BorderShadow, c.border.with_alpha(0));
    set(ImGuiCol_MenuBarBg, c.panel);
    set(ImGuiCol_FrameBg, c.raised);
    set(ImGuiCol_FrameBgHovered, c.hover);
    set(ImGuiCol_FrameBgActive, c.hover);
    set(ImGuiCol_ScrollbarBg, c.panel.with_alpha(0));
    set(ImGuiCol_ScrollbarGrab, c.border);
    set(ImGuiCol_ScrollbarGrabHovered, c.text_dim);
    set(ImGuiCol_ScrollbarGrabActive, c.accent);
    set(ImGuiCol_CheckMark, c.accent);
    set(ImGuiCol_SliderGrab, c.accent.with_alpha(0.45f));
    set(ImGuiCol_SliderGrabActive, c.accent.with_alpha(0.75f));
    set(ImGuiCol_Button, c.raised);
    set(ImGuiCol_ButtonHovered, c.hover);
    set(ImGuiCol_ButtonActive, c.accent.with_alpha(0.6f));
    set(ImGuiCol_Header, c.accent.with_alpha(0.28f));
    set(ImGuiCol_HeaderHovered, c.hover);
    set(ImGuiCol_HeaderActive, c.accent.with_alpha(0.4f));
    set(ImGuiCol_Separator, c.border);
    set(ImGuiCol_SeparatorHovered, c.accent);
    set(ImGuiCol_SeparatorActive, c.accent);
    set(ImGuiCol_ResizeGrip, c.border.with_alpha(0));
    set(ImGuiCol_TableHeaderBg, c.raised);
    set(ImGuiCol_TableBorderStrong, c.border);
    set(ImGuiCol_TableBorderLight, c.border.with_alpha(0.6f));
    set(ImGuiCol_TableRowBg, c.panel.with_alpha(0));
    set(ImGuiCol_TableRowBgAlt, c.raised.with_alpha(0.45f));
    set(ImGuiCol_TextSelectedBg, c.accent.with_alpha(0.4f));
#if IMGUI_VERSION_NUM < 19140
    set(ImGuiCol_NavHighlight, c.accent);
#else
    set(ImGuiCol_NavCursor, c.accent);
#endif
    set(ImGuiCol_ModalWindowDimBg, rgb(0x000000).with_alpha(0.35f));
}

Fonts load_fonts(float size_px) {
    // Kept alive: the atlas reads the ranges when it is built, which may be later.
    static constexpr std::array<ImWchar, 13> kRanges = {
        0x0020, 0x024f, 0x0391, 0x03d6, 0x2010, 0x2044, 0x2070, 0x2094, 0x2200, 0x22ff, 0xfffd, 0xfffd, 0};
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    use_rasterizer(atlas);
    const auto add = [&](std::span<const std::uint8_t> bytes, float size) {
        ImFontConfig config;
        config.FontDataOwnedByAtlas = false;
        // ImGui only reads data that it does not own.
        return atlas.AddFontFromMemoryTTF(const_cast<std::uint8_t*>(bytes.data()),
                                          static_cast<int>(bytes.size()), size, &config, kRanges.data());
    };
    Fonts fonts;
    fonts.size_px = size_px;
    fonts.regular = add(render::roboto_regular(), size_px);
    fonts.medium = add(render::roboto_medium(), size_px);
    fonts.title = add(render::roboto_medium(), std::round(size_px * kTitleFactor));
    fonts.reading = add(render::roboto_regular(), std::round(size_px * kReadingFactor));
    fonts.reading_strong = add(render::roboto_medium(), std::round(size_px * kReadingFactor));
    return fonts;
}

}  // namespace lab::panels
