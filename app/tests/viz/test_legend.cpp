// In no scene do two different things share one color, or a thing and a value on a scale: at the answer, and
// at the steps of all of its algorithms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "commands/catalog.hpp"
#include "results/exhibit.hpp"
#include "scenes/files/capture_tables.hpp"
#include "scenes/scenes.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "steps/walk.hpp"
#include "viz/build.hpp"
#include "viz/colors/legend.hpp"
#include "viz/colors/palette.hpp"

namespace lab {
namespace {

using test::run;
using viz::LegendRow;

/// The text without its numbers: the planes of all levels are one thing.
std::string without_numbers(const std::string& text) {
    return std::regex_replace(text, std::regex("[0-9]+"), "#");
}

/// True for names of one thing in its different states, and of things that belong to one another on purpose.
bool is_one_thing(const std::string& a, const std::string& b) {
    // What is red is looked at now, all that belongs to A or B has the color of A or B.
    for (const char* word : {"A", "B", "planes? of level", "pair", "hit", "inside", "outside"}) {
        const std::regex whole(fmt::format("\\b{}\\b", word));
        if (std::regex_search(a, whole) && std::regex_search(b, whole)) return true;
    }
    static const std::regex kCurrent(
        "\\b(now|being|current|its new box|removed leaf|merged cluster|closed loop|chooses|its choice|"
        "crosses the plane|box that tests others)\\b");
    if (std::regex_search(a, kCurrent) && std::regex_search(b, kCurrent)) return true;
    static const std::vector<std::set<std::string>> kFamilies = {
        {"chosen plane", "cheapest plane so far"},
        {"best sibling so far", "its sibling", "sibling that moves up"},
        {"left half", "low parts clipped before", "box of its low part"},
        {"right half", "high parts clipped before", "box of its high part"},
        {"its bounding sphere", "skipped: centers too far apart"},
        {"gap along the axis", "overlap along the axis"},
        {"shortest distance", "shortest distance so far"},
        {"sphere", "center of the sphere", "point that defines the sphere"},
        {"convex hull", "corner of the hull"},
        {"OBB", "false alarm of the OBB"},
        {"colliding body", "overlapping pair"},
        {"axis that separates", "gap", "polygons that are apart"},
        {"selected body", "handle: drag it"},
        {"current cell", "skipped: in different cells"},
        {"plane of the node", "planes of level #", "other planes of level #"},
        {"plane #", "plane of level # on the point's path"},
        {"pieces in plane #", "pieces in planes of level #"},
        {"region that plane # divides", "other planes of level #"},  // never in one picture
        {"eye position for the order", "distance of the eye"},
        {"first child", "left half", "box of its low part"},
        {"cut off", "its old box", "removed parent", "child before"},  // out, and never in one picture
        {"part in the slabs so far", "part in the box"},
        {"outline so far", "capped loop"},
    };
    return std::any_of(kFamilies.begin(), kFamilies.end(),
                       [&](const auto& family) { return family.contains(a) && family.contains(b); });
}

/// Grays are for what stays in the background.
bool is_gray(const render::Color& c) {
    const int highest = std::max({c.r, c.g, c.b}), lowest = std::min({c.r, c.g, c.b});
    return highest - lowest < 48 && highest > 40 && highest < 225;
}

/// Ottosson's Oklab, in which distances are about as large as they look.
std::array<double, 3> oklab(const render::Color& c) {
    const auto linear = [](std::uint8_t byte) {
        const double x = byte / 255.0;
        return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
    };
    const double r = linear(c.r), g = linear(c.g), b = linear(c.b);
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

bool look_alike(const render::Color& a, const render::Color& b) {
    const auto x = oklab(a), y = oklab(b);
    return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]) < 0.06;
}

std::vector<LegendRow> legend_of(const Session& session) {
    render::DrawList list;
    viz::ViewInfo view;
    view.size_px = {1920.0f, 1080.0f};
    return viz::build(session.results(), session.state().settings, session.state().view.camera,
                      viz::MeshHandles{}, view, list);
}

/// True iff a value on the scale has about this color.
bool looks_like_a_value(const render::Color& color, const LegendRow& scale, const viz::Palette& palette) {
    constexpr int kSteps = 40;
    for (int i = 0; i <= kSteps; ++i) {
        const float share = static_cast<float>(i) / kSteps;
        if (look_alike(color, palette.scalar(scale.from + (scale.to - scale.from) * share))) return true;
    }
    return false;
}

/// Rows that were seen in one scene, and those of them that look like others.
struct Seen {
    std::map<std::string, render::Color> rows;
    std::set<std::string> faults;

    void note(const Session& session) {
        note_names(session.results().exhibits);
        const std::vector<LegendRow> legend = legend_of(session);
        const viz::Palette& palette = viz::palette(viz::theme_of(session.state().settings));
        std::vector<const LegendRow*> scales;
        for (const LegendRow& row : legend)
            if (row.swatch == viz::Swatch::Scale) scales.push_back(&row);
        for (const LegendRow& row : legend) {
            // Names of roles say nothing of what is on show.
            if (row.text == "apart" || row.text == "touching" || row.text == "selected" ||
                row.text == "helper")
                faults.insert(fmt::format("\"{}\" without a name of its own", row.text));
            if (row.swatch == viz::Swatch::Scale || is_gray(row.color)) continue;
            const std::string name = without_numbers(row.text);
            for (const LegendRow* scale : scales)
                if (looks_like_a_value(row.color, *scale, palette))
                    faults.insert(fmt::format("\"{}\" and a value of \"{}\"", name, scale->text));
            for (const auto& [other, color] : rows)
                if (other != name && look_alike(color, row.color) && !is_one_thing(other, name))
                    faults.insert(
                        fmt::format("\"{}\" and \"{}\"", std::min(other, name), std::max(other, name)));
            rows.emplace(name, row.color);
        }
    }

    /// Everything drawn has a name, and everything of one name has one color, which is that of its row.
    void note_names(const std::vector<Exhibit>& exhibits) {
        std::map<std::string, Role> roles;
        for (const Exhibit& exhibit : exhibits) {
            // Notes have no color of their own, and voxels those of their model.
            if (std::holds_alternative<Note>(exhibit.shape) ||
                std::holds_alternative<VoxelBlock>(exhibit.shape) || exhibit.scalar >= 0.0f)
                continue;
            const std::string name =
                exhibit.legend.empty() ? std::string(viz::role_name(exhibit.role)) : exhibit.legend;
            if (exhibit.legend.empty() && exhibit.role == Role::Muted)
                faults.insert(fmt::format("shape {} of label \"{}\" has no name", exhibit.shape.index(),
                                          exhibit.label));
            const Role known = roles.emplace(name, exhibit.role).first->second;
            if (known != exhibit.role)
                faults.insert(fmt::format("\"{}\" is drawn as {} and as {}", name, viz::role_name(known),
                                          viz::role_name(exhibit.role)));
        }
    }
};

TEST(Legend, NoTwoThingsOfASceneShareAColor) {
    for (const char* theme : {"dark", "light"})
        for (const SceneSpec& spec : scene_specs()) {
            SCOPED_TRACE(fmt::format("{} {}", spec.id, theme));
            std::vector<std::string> lines = {""};
            for (const SettingSpec* setting : spec.settings)
                if (setting->id.ends_with(".algorithm") || setting->id.ends_with(".preset"))
                    for (const Choice& choice : setting->choices)
                        lines.push_back(set_line(*setting, choice.id));
            for (const std::string& line : lines) {
                // What one algorithm shows is gone when another one is stepped.
                Seen seen;
                Session session(command_table());
                run(session, fmt::format("set ui.theme={}; scene {}; {}", theme, spec.id, line), 12);
                seen.note(session);
                run(session, "pause on");
                if (const steps::Walk* walk = session.state().scene.running->stepped_walk()) {
                    const std::size_t size = walk->size();
                    std::set<std::size_t> kinds;
                    for (std::size_t n = 1; n <= size; ++n) {
                        const std::size_t kind = walk->event(n - 1).index();
                        if (n % (1 + size / 12) != 0 && n != size && !kinds.insert(kind).second) continue;
                        run(session, fmt::format("step.goto {}", n));
                        walk = session.state().scene.running->stepped_walk();
                        seen.note(session);
                    }
                }
                for (const std::string& fault : seen.faults)
                    ADD_FAILURE() << line << ": " << fault;
            }
        }
}

/// The first pair of extremes is hidden by the current pair; from the second step on it is to be seen.
TEST(Legend, WhatAStepCoversIsNotNamed) {
    Session session(command_table());
    const auto names = [&](const std::string& line) {
        run(session, line, 2);
        std::set<std::string> texts;
        for (const LegendRow& row : legend_of(session))
            texts.insert(row.text);
        return texts;
    };
    const auto first = names("scene fit-sphere; pause on; set fit_sphere.algorithm=ritter; step.first");
    EXPECT_TRUE(first.contains("current pair"));
    EXPECT_FALSE(first.contains("pair of extremes"));
    EXPECT_TRUE(names("step.goto 2").contains("pair of extremes"));
    EXPECT_FALSE(names("scene voxel-pairs; pause on; step.first").contains("brick of A"));
}

const LegendRow* row_of(const std::vector<LegendRow>& legend, std::string_view text) {
    for (const LegendRow& row : legend)
        if (row.text == text) return &row;
    return nullptr;
}

/// A triangle and the plane through it have one color.
TEST(Legend, PlanesAreToldFromOtherSurfaces) {
    Session session(command_table());
    run(session, "scene mesh-pairs; set pairs.algorithm=triangles; pause on; step.goto 1", 2);
    const std::vector<LegendRow> legend = legend_of(session);
    const LegendRow *triangle = row_of(legend, "triangle B"), *plane = row_of(legend, "plane of B");
    ASSERT_TRUE(triangle && plane);
    EXPECT_NE(triangle->swatch, plane->swatch);
}

/// The bars beside the picture show it, too.
TEST(Legend, TheBoxThatASweepReachesIsNamedAtTheResult) {
    Session session(command_table());
    run(session, "scene sweep", 2);
    ASSERT_TRUE(session.results().walk && session.results().walk->number == 0);
    EXPECT_TRUE(row_of(legend_of(session), "box reached now"));
    run(session, "pause on; step.first", 2);
    EXPECT_TRUE(row_of(legend_of(session), "box reached now"));
}

/// The boxes of bodies lie among the nodes of a tree in the colors of their depths.
TEST(Legend, NoTagOfACaptureLooksLikeADepthOrAnotherTag) {
    constexpr std::uint32_t kTags = 8;
    for (const viz::Theme theme : {viz::Theme::Dark, viz::Theme::Light}) {
        const viz::Palette& colors = viz::palette(theme);
        for (std::uint32_t tag = 0; tag < kTags; ++tag) {
            const render::Color color = colors.role(scenes::role_of_tag(tag));
            EXPECT_FALSE(looks_like_a_value(color, LegendRow{}, colors)) << tag;
            for (std::uint32_t other = 0; other < tag; ++other)
                EXPECT_FALSE(look_alike(color, colors.role(scenes::role_of_tag(other))))
                    << tag << " " << other;
        }
    }
}

}  // namespace
}  // namespace lab
