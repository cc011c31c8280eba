// The panels under a finger, on a screen as narrow as a phone's.
#include <gtest/gtest.h>

#include <string>

#include "panel_screen.hpp"
#include "settings/draw.hpp"
#include "settings/program.hpp"
#include "world/world_settings.hpp"

using lab::panels::Rect;
using lab::panels::UiKey;
using lab::testing_tools::Screen;

namespace {

/// A phone: the finger comes down where it touches, and leaves the screen.
struct Phone : Screen {
    Phone() {
        size = {390, 844};
        fingers = true;
        frames(2);
    }
    void put(glm::vec2 at) {
        input.mouse_px = at;
        input.left_down = true;
        frame();
    }
    void lift() {
        input.left_down = false;
        frame();
        input.mouse_px = {-1.0f, -1.0f};
        frames(3);
    }
    void tap(const std::string& name) {
        const auto rect = ui.widget_rect(name);
        ASSERT_TRUE(rect) << "not on screen: " << name;
        put(rect->center());
        frame();
        lift();
    }
    [[nodiscard]] bool shows(const std::string& name) const { return ui.widget_rect(name).has_value(); }
};

}  // namespace

TEST(Phone, TabsOpenOnePanelAtATimeAndCloseIt) {
    Phone p;
    EXPECT_TRUE(p.shows("sheet.scenes"));
    EXPECT_FALSE(p.shows("section.Scenes"));
    const float whole = p.ui.view_px().size().y;
    p.tap("sheet.scenes");
    EXPECT_TRUE(p.shows("section.Scenes"));
    EXPECT_LT(p.ui.view_px().size().y, 0.6f * whole);
    p.tap("sheet.results");
    EXPECT_TRUE(p.shows("tab.statistics"));
    EXPECT_FALSE(p.shows("section.Scenes"));
    p.tap("sheet.results");
    EXPECT_FALSE(p.shows("tab.statistics"));
    EXPECT_EQ(p.ui.view_px().size().y, whole);
}

TEST(Phone, AListIsScrolledByTheFingerAndATapChooses) {
    Phone p;
    p.tap("sheet.scenes");
    const auto row = p.ui.widget_rect("scene.welcome");
    ASSERT_TRUE(row);
    p.pushed.clear();
    p.put(row->center());
    for (int i = 1; i <= 10; ++i)
        p.put(row->center() - glm::vec2(0.0f, 15.0f * static_cast<float>(i)));
    const auto moved = p.ui.widget_rect("scene.welcome");
    if (moved) {
        EXPECT_LT(moved->center().y, row->center().y - 100.0f);
    }
    p.lift();
    EXPECT_TRUE(p.pushed.empty()) << "a drag chooses nothing: " << p.pushed.front();
    p.frames(120);
    std::string seen;
    for (const lab::SceneSpec& scene : lab::scene_specs())
        if (const auto at = p.ui.widget_rect("scene." + std::string(scene.id));
            at && at->center().y > 600.0f && at->center().y < 760.0f)
            seen = scene.id;
    ASSERT_FALSE(seen.empty());
    p.tap("scene." + seen);
    EXPECT_TRUE(p.was_pushed("scene " + seen));
}

TEST(Phone, ASliderIsDraggedSideways) {
    Phone p;
    p.run("scene obb-sat; set ui.sheet settings");
    const auto slider = p.ui.widget_rect("sat.axis");
    ASSERT_TRUE(slider);
    p.pushed.clear();
    const glm::vec2 from(slider->min.x + 12.0f, slider->center().y);
    p.put(from);
    for (int i = 1; i <= 8; ++i)
        p.put(from + glm::vec2(10.0f * static_cast<float>(i), 0.0f));
    p.lift();
    ASSERT_FALSE(p.pushed.empty());
    EXPECT_TRUE(p.pushed.back().starts_with("set sat.axis ")) << p.pushed.back();
}

TEST(Phone, WhatIsTouchedIsLargeEnough) {
    Phone p;
    p.run("scene obb-sat");
    for (const char* sheet : {"none", "scenes", "settings", "results"}) {
        p.run(std::string("set ui.sheet ") + sheet);
        p.frames(3);
        for (const auto& widget : p.ui.widget_rects()) {
            if (widget.name.starts_with("scene.card") || widget.name.starts_with("row.")) continue;
            EXPECT_GE(widget.rect.size().y, 28.0f) << widget.name << " with " << sheet;
        }
    }
}

TEST(Phone, RowsOfTheContextMenuAndTheTimeLineAreAsLargeAsAFinger) {
    Phone p;
    p.run("scene welcome; pause on; select 2");
    p.ui.open_menu({40.0f, 100.0f});
    p.frames(3);
    int rows = 0;
    for (const auto& widget : p.ui.widget_rects()) {
        if (!widget.name.starts_with("context.")) continue;
        ++rows;
        EXPECT_GE(widget.rect.size().y, 38.0f) << widget.name;
        EXPECT_LE(widget.rect.size().x, 200.0f) << "without keys, it leaves half of the picture free";
    }
    EXPECT_GT(rows, 8);
    p.press(UiKey::Escape);
    p.run("set ui.sheet results");
    p.frames(2);
    const auto line = p.ui.widget_rect("drawer.line");
    ASSERT_TRUE(line);
    EXPECT_GE(line->size().y, 38.0f);
    EXPECT_GT(line->size().x, 300.0f) << "a line of its own";
}

TEST(Phone, ANewcomerSeesWhereToBegin) {
    Phone p;
    p.run("scene welcome");
    p.frames(2);
    EXPECT_TRUE(p.shows("lesson.begin")) << "on the picture";
    p.run("set ui.sheet scenes");
    p.frames(2);
    EXPECT_TRUE(p.shows("lesson.begin")) << "above the lists";
    p.run("set ui.sheet none; set lessons.done bounding-volumes");
    p.frames(2);
    EXPECT_FALSE(p.shows("lesson.begin"));
}

TEST(Phone, AFingerOnAPanelIsKnownBeforeItIsAMouse) {
    Phone p;
    p.run("set ui.sheet scenes");
    EXPECT_FALSE(p.ui.wants_mouse());
    EXPECT_TRUE(p.ui.covers({200.0f, 600.0f}));
    EXPECT_FALSE(p.ui.covers({200.0f, 300.0f})) << "the view";
    p.run("palette");
    EXPECT_TRUE(p.ui.covers(p.ui.widget_rect("palette.0")->center()));
}

TEST(Phone, ATextFieldIsKnownWhileTheFingerIsOnIt) {
    Phone p;
    p.run("set ui.sheet scenes");
    const auto field = p.ui.widget_rect("scene.search");
    ASSERT_TRUE(field);
    p.put(field->center());
    p.frame();
    EXPECT_TRUE(p.ui.points_at_text());
    EXPECT_FALSE(p.ui.wants_text());
    p.lift();
    EXPECT_TRUE(p.ui.wants_text());
    p.type("grid");
    EXPECT_TRUE(p.shows("scene.grid"));
    EXPECT_FALSE(p.shows("scene.welcome"));
}
