// The time drawer: step buttons, and a scrubber from the first recorded step to the last, or from the first
// frame of a film to the last.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "panels/widgets/widgets.hpp"
#include "session/commands/commands.hpp"
#include "settings/program.hpp"

namespace lab::panels {
namespace {

struct Button {
    Icon icon;
    std::string_view command;
    const char* tip;
    bool lit = false;
};

/// Back, pause and step.
struct Row {
    Button back, pause, step;

    [[nodiscard]] static float gap(const PanelContext& c) { return 0.25f * c.em; }
    /// With the gap behind them.
    [[nodiscard]] static float buttons_width(const PanelContext& c) {
        return 3.0f * ImGui::GetFrameHeight() + 2.0f * gap(c) + ImGui::GetStyle().ItemSpacing.x;
    }
    void draw(const PanelContext& c) const {
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap(c), ImGui::GetStyle().ItemSpacing.y});
        const auto add = [&](const Button& button, const char* name) {
            if (icon_button(c, button.icon, name, button.tip, button.lit))
                c.push(std::string(button.command));
        };
        add(back, "drawer.back");
        ImGui::SameLine();
        add(pause, "drawer.pause");
        ImGui::SameLine();
        add(step, "drawer.step");
        ImGui::PopStyleVar();
        ImGui::SameLine();
    }
};

/// Drawn at a share of the line's length.
struct Tick {
    double share = 0;
    render::Color color;
    std::string_view text;  ///< Shown while the mouse is near it; may be empty.
};

/// The scrubber: a line with ticks and a knob at the share `now`. Returns the share under a mouse that drags.
std::optional<double> scrubber(const PanelContext& c, float width, double now,
                               const render::Color& knob_color, std::span<const Tick> ticks,
                               const char* tip) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    // A finger needs more than the line's own height.
    const float height = std::max(ImGui::GetFrameHeight(), std::round((c.fingers ? 2.7f : 0.0f) * c.em));
    hit_area("drawer.line", {width, height});
    c.mark("drawer.line");
    const float knob = 0.42f * c.em;
    const float left = at.x + knob;
    const float length = width - 2.0f * knob;
    const auto x_of = [&](double share) { return left + length * static_cast<float>(share); };
    const float mouse = ImGui::GetIO().MousePos.x;
    std::optional<double> goal;
    if (ImGui::IsItemActive()) {
        goal = std::clamp(static_cast<double>((mouse - left) / length), 0.0, 1.0);
    } else {
        const Tick* near = nullptr;
        for (const Tick& tick : ticks)
            if (!tick.text.empty() && std::abs(x_of(tick.share) - mouse) < 0.4f * c.em) near = &tick;
        tooltip(near ? std::string(near->text).c_str() : tip);
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float y = std::round(at.y + 0.5f * height);
    const float thick = std::max(3.0f, std::round(0.25f * c.em));
    const float here = x_of(now);
    list.AddRectFilled({left, y - 0.5f * thick}, {left + length, y + 0.5f * thick}, pack(c.colors.raised),
                       0.5f * thick);
    list.AddRectFilled({left, y - 0.5f * thick}, {here, y + 0.5f * thick}, pack(c.colors.accent),
                       0.5f * thick);
    for (const Tick& tick : ticks) {
        const float x = std::round(x_of(tick.share));
        list.AddRectFilled({x - 1.0f, y - 0.45f * c.em}, {x + 1.0f, y + 0.45f * c.em},
                           pack(tick.color.with_alpha(0.8f)));
    }
    list.AddCircleFilled({here, y}, knob, pack(knob_color));
    list.AddCircle({here, y}, knob, pack(c.colors.panel), 0, 1.5f);
    return goal;
}

/// Draws the buttons of `row`, the line, `text` and the button "Now" beside each other. Where that would make
/// the line too short to point at single steps, it gets a row of its own above them. "Now" runs `newest` and
/// is disabled if that is empty.
template <class Line>
void line_and_text(const PanelContext& c, const std::string& text, std::string_view newest, const Line& line,
                   const Row& row) {
    const bool past = c.session.timeline.in_past();
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float now_width = ImGui::CalcTextSize("Now").x + 2.0f * ImGui::GetStyle().FramePadding.x;
    const float text_width = std::max(ImGui::CalcTextSize(text.c_str()).x, 8.5f * c.em);
    const float whole = ImGui::GetContentRegionAvail().x;
    const float available = whole - row.buttons_width(c) - text_width - now_width - 2.0f * gap;
    const bool beside = available > 12.0f * c.em;
    if (!beside) line(whole);
    row.draw(c);
    if (beside) {
        line(available);
        ImGui::SameLine();
    }
    ImGui::AlignTextToFramePadding();
    const float x = ImGui::GetCursorPosX();
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(past ? c.colors.warning : c.colors.text_dim));
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
    ImGui::SameLine();
    ImGui::SetCursorPosX(x + text_width + gap);
    ImGui::BeginDisabled(newest.empty());
    if (button(c, "Now", "drawer.now")) c.push(std::string(newest));
    tooltip(past ? "Back to the present" : "Follow the engine");
    ImGui::EndDisabled();
}

constexpr std::string_view kToTheEnd = "time.goto end";

render::Color knob_color(const PanelContext& c) {
    return c.session.timeline.in_past() ? c.colors.warning : c.colors.accent;
}

/// Why time stands still although it is not paused, to be appended to the time; empty if time passes.
std::string_view why_time_stands_still(const PanelContext& c) {
    const std::optional<WalkView>& walk = c.results().walk;
    if (walk && walk->number != 0) return ", stands still while a step is shown";
    if (c.settings()[kSimSpeed] == 0.0f) return ", stands still at speed 0";
    return {};
}

/// The session's own steps.
void session_drawer(const PanelContext& c) {
    const Timeline& timeline = c.session.timeline;
    const bool past = timeline.in_past();
    const bool paused = c.settings()[kSimPaused];
    const Row row{
        {Icon::Previous, "time.back", "One step back (,); ten: Shift+,"},
        {paused ? Icon::Play : Icon::Pause, "pause", paused ? "Resume (Space)" : "Pause (Space)", paused},
        {Icon::Step, "step", "One step forward (.); ten: Shift+."}};
    const std::uint64_t now = timeline.place().steps;
    line_and_text(
        c,
        past ? fmt::format("step {} of {}", grouped(now), grouped(timeline.last_step()))
             : fmt::format("step {}  {:.2f} s{}", grouped(now), c.results().time_s,
                           paused ? std::string_view() : why_time_stands_still(c)),
        past ? kToTheEnd : "",
        [&](float width) {
            const auto first = static_cast<double>(timeline.first_step());
            const auto last = static_cast<double>(std::max(timeline.last_step(), timeline.first_step() + 1));
            const auto share = [&](std::uint64_t step) {
                return (static_cast<double>(step) - first) / (last - first);
            };
            std::vector<Tick> ticks;
            for (const std::uint64_t mark : timeline.marks())
                ticks.push_back({share(mark), c.colors.warning, ""});
            const auto goal = scrubber(c, width, share(now), knob_color(c), ticks,
                                       "Drag to move through time. The marks are your changes: "
                                       "bodies added, moved or removed.");
            if (!goal) return;
            const auto step = static_cast<std::uint64_t>(std::llround(first + *goal * (last - first)));
            const std::uint64_t reachable = std::min(step, timeline.last_step());
            if (reachable != now) c.push(fmt::format("time.goto {}", reachable));
        },
        row);
}

/// The frames of a film.
void film_drawer(const PanelContext& c, const Film& film) {
    const std::vector<int>& numbers = *film.numbers;
    const std::size_t last = numbers.size() - 1;
    const bool runs = c.settings().flag(*film.playing) && !c.settings()[kSimPaused];
    const Row row{{Icon::Previous, "film.step -1", "Previous frame (,); ten: Shift+,"},
                  {runs ? Icon::Pause : Icon::Play, "film.play",
                   runs ? "Stop here (Space)" : "Play the frames (Space)", !runs},
                  {Icon::Step, "film.step 1", "Next frame (.); ten: Shift+."}};
    const bool past = c.session.timeline.in_past();
    line_and_text(
        c, film.caption(), past ? kToTheEnd : film.newest,
        [&](float width) {
            // By number, so that frames left out leave a gap.
            const double first = numbers.front(), length = std::max(numbers[last] - first, 1.0);
            std::vector<Tick> ticks;
            if (film.marks)
                for (const Film::Mark& mark : *film.marks)
                    ticks.push_back({(mark.frame - first) / length, c.palette.role(mark.role), mark.text});
            const auto goal =
                scrubber(c, width, (numbers[film.place] - first) / length, knob_color(c), ticks,
                         "Drag to move through the frames. The marks show what the engine marked and what "
                         "the diagnosis found.");
            if (!goal) return;
            const int number = static_cast<int>(std::lround(first + *goal * length));
            const auto after = std::upper_bound(numbers.begin() + 1, numbers.end(), number);
            const auto place = static_cast<std::size_t>(after - numbers.begin()) - 1;
            if (place != film.place) c.push(set_line(*film.frame, std::to_string(numbers[place])));
        },
        row);
}

}  // namespace

void time_drawer(const PanelContext& c) {
    const std::optional<Film>& film = c.results().film;
    if (film)
        film_drawer(c, *film);
    else
        session_drawer(c);
}

}  // namespace lab::panels
