// What stands over the picture in every scene, at every usual size and scale, in both themes: no plate covers
// another, the scene's text or a panel.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "commands/catalog.hpp"
#include "panels/ui.hpp"
#include "session/session.hpp"
#include "settings/program.hpp"
#include "viz/build.hpp"

namespace {

using lab::Session;
using lab::panels::Rect;

bool overlap(const Rect& a, const Rect& b) {
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

std::string text_of(const Rect& r) {
    return "(" + std::to_string(r.min.x) + ", " + std::to_string(r.min.y) + ") to (" +
           std::to_string(r.max.x) + ", " + std::to_string(r.max.y) + ")";
}

/// The panels and the list of what is drawn over the view, as the stage builds them, without any OpenGL.
struct Screen {
    Session session{lab::command_table()};
    lab::panels::Ui ui{lab::panels::Ui::Graphics::None};
    lab::render::DrawList list;

    void run(const std::string& script, int frames) {
        session.commands().push_script(script, "test");
        for (int i = 0; i < frames; ++i) {
            session.drain();
            session.step(Session::kFixedStep_s, {true});
        }
    }
    /// Plates in pixels of the window; the first is the scene's text, if it is shown.
    std::vector<Rect> plates(glm::ivec2 size, float scale) {
        const lab::Settings& settings = session.state().settings;
        lab::CommandQueue none;
        for (int i = 0; i < 2; ++i) {
            ui.begin_frame({size, scale, 1.0 / 60.0, {}}, settings);
            ui.build(session.shown(), none);
        }
        EXPECT_TRUE(none.empty());
        const Rect view = ui.view_px(), card = ui.card_px();
        lab::viz::ViewInfo info;
        info.size_px = view.size() / scale;
        info.title = session.state().scene.spec->title;
        info.panels = true;
        info.card_min_px = (card.min - view.min) / scale;
        info.card_max_px = (card.max - view.min) / scale;
        lab::viz::build(session.results(), settings, session.state().view.camera, {}, info, list);
        std::vector<Rect> found;
        if (!card.is_empty()) found.push_back(card);
        const lab::viz::Palette& colors = lab::viz::palette(lab::viz::theme_of(settings));
        for (const lab::render::ScreenRect& rect : list.screen_rects) {
            const bool plate = rect.color == colors.plate || rect.color == colors.notice;
            if (plate) found.push_back({view.min + rect.min_px * scale, view.min + rect.max_px * scale});
        }
        return found;
    }
};

}  // namespace

TEST(ScreenLayout, NothingCoversAnotherInAnySceneAtAnySize) {
    const glm::ivec2 sizes[] = {{1024, 600}, {1280, 720}, {1920, 1080}, {2560, 1440}};
    std::size_t seen = 0;
    for (const lab::SceneSpec& scene : lab::scene_specs()) {
        Screen s;
        s.run("scene " + std::string(scene.id), 40);
        s.run("pause on; step.next", 2);
        for (const char* theme : {"dark", "light"}) {
            s.run("set ui.theme " + std::string(theme), 1);
            for (const glm::ivec2 size : sizes)
                for (const float scale : {1.0f, 1.5f, 2.0f}) {
                    // The themes differ in colors alone: one size shows that.
                    if (theme == std::string("light") && (size.x != 1280 || scale != 1.0f)) continue;
                    const std::string where = std::string(scene.id) + ", " + theme + ", " +
                                              std::to_string(size.x) + "x" + std::to_string(size.y) +
                                              " at scale " + std::to_string(scale);
                    const std::vector<Rect> plates = s.plates(size, scale);
                    const Rect view = s.ui.view_px();
                    seen += plates.size();
                    for (std::size_t i = 0; i < plates.size(); ++i) {
                        EXPECT_TRUE(plates[i].min.x >= view.min.x - 1 && plates[i].min.y >= view.min.y - 1 &&
                                    plates[i].max.x <= view.max.x + 1 && plates[i].max.y <= view.max.y + 1)
                            << where << ": " << text_of(plates[i]) << " leaves the view " << text_of(view);
                        for (std::size_t k = 0; k < i; ++k)
                            EXPECT_FALSE(overlap(plates[i], plates[k]))
                                << where << ": " << text_of(plates[i]) << " covers " << text_of(plates[k]);
                    }
                }
        }
    }
    EXPECT_GT(seen, 41u * 12u) << "at least the scene's text each time";
}

/// What one takes hold of must be in sight: on the first frame and on a step in the middle, no handle lies
/// under a plate or outside the view.
TEST(ScreenLayout, EveryHandleIsInSight) {
    std::size_t seen = 0;
    for (const lab::SceneSpec& scene : lab::scene_specs()) {
        Screen s;
        s.run("scene " + std::string(scene.id), 2);
        for (const char* script : {"", "step.goto 5"}) {
            if (!s.session.results().walk && *script) continue;
            s.run(script, 2);
            for (const glm::ivec2 size : {glm::ivec2(1280, 720), glm::ivec2(1920, 1080)}) {
                const std::vector<Rect> plates = s.plates(size, 1.0f);
                const Rect area = s.ui.view_px();
                lab::View view = s.session.state().view;
                view.rect = {area.min, area.size()};
                for (const lab::Handle& handle : s.session.results().handles) {
                    if (!handle.given.in_view) continue;
                    const std::optional<glm::vec2> at = view.pixel_of(handle.position);
                    const std::string where = std::string(scene.id) + " '" + script + "', " +
                                              std::to_string(size.x) + ": handle " + handle.name();
                    ASSERT_TRUE(at) << where;
                    ++seen;
                    EXPECT_TRUE(at->x > area.min.x && at->y > area.min.y && at->x < area.max.x &&
                                at->y < area.max.y)
                        << where << " is outside the view";
                    for (const Rect& plate : plates)
                        EXPECT_FALSE(at->x > plate.min.x && at->y > plate.min.y && at->x < plate.max.x &&
                                     at->y < plate.max.y)
                            << where << " at (" << at->x << ", " << at->y << ") lies under "
                            << text_of(plate);
                }
            }
        }
    }
    EXPECT_GT(seen, 100u);
}

/// Without panels the sentence stands in the picture: it leaves two thirds of it free, and hides no handle of
/// one of the usual sizes.
TEST(ScreenLayout, TheSentenceInThePictureCoversNoHandle) {
    std::size_t seen = 0;
    for (const lab::SceneSpec& scene : lab::scene_specs()) {
        Session session(lab::command_table());
        lab::render::DrawList list;
        const auto run = [&](const std::string& script) {
            session.commands().push_script(script, "test");
            for (int i = 0; i < 3; ++i) {
                session.drain();
                session.step(Session::kFixedStep_s, {true});
            }
        };
        for (const glm::ivec2 size : {glm::ivec2(640, 360), glm::ivec2(1280, 720), glm::ivec2(1920, 1080)}) {
            run("scene " + std::string(scene.id) + "; view.size " + std::to_string(size.x) + " " +
                std::to_string(size.y));
            if (!session.results().walk) break;
            for (const char* step : {"step.goto 1", "step.goto 5", "step.last"}) {
                run(step);
                lab::viz::ViewInfo info;
                info.size_px = size;
                info.title = scene.title;
                const lab::View& view = session.state().view;
                lab::viz::build(session.results(), session.state().settings, view.shown_camera(), {}, info,
                                list);
                const lab::viz::Palette& colors =
                    lab::viz::palette(lab::viz::theme_of(session.state().settings));
                for (const lab::render::ScreenRect& rect : list.screen_rects) {
                    if (!(rect.color == colors.plate) || rect.min_px.y > 0.25f * info.size_px.y) continue;
                    ++seen;
                    const std::string where =
                        std::string(scene.id) + ", " + std::to_string(size.x) + ", " + step;
                    EXPECT_LT(rect.max_px.y, 0.33f * info.size_px.y) << where;
                    const auto covers = [&](glm::vec2 at) {
                        return at.x > rect.min_px.x && at.y > rect.min_px.y && at.x < rect.max_px.x &&
                               at.y < rect.max_px.y;
                    };
                    for (const lab::Handle& handle : session.results().handles) {
                        const std::optional<glm::vec2> at = view.pixel_of(handle.position);
                        EXPECT_FALSE(size.x >= 1280 && handle.given.in_view && at && covers(*at))
                            << where << ": " << handle.name();
                    }
                }
            }
        }
    }
    EXPECT_GT(seen, 100u);
}

/// At the usual sizes there is room for all of them.
TEST(ScreenLayout, TheSentenceAndTheNoticeAreThere) {
    Screen s;
    s.run("scene ray-aabb", 30);
    s.run("pause on", 2);
    // The scene's text, which holds the sentence; PAUSED, a chart, the legend.
    EXPECT_EQ(s.plates({1920, 1080}, 1.0f).size(), 4u);
    EXPECT_EQ(s.plates({1280, 720}, 1.0f).size(), 4u);
}

/// Windows and panels too small for anything must not end the program: widgets get no space at all there.
TEST(ScreenLayout, AWindowOfAnySizeIsDrawn) {
    for (const char* scene : {"scene fit-sphere; step.goto 2", "scene aabb-tree; step 9", "scene capture"}) {
        Screen s;
        s.run(scene, 12);
        for (int width = 1; width < 500; width += 23)
            for (const float scale : {1.0f, 2.0f, 3.0f})
                (void)s.plates({width, 1 + 3 * (500 - width) / 2}, scale);
        s.run("set ui.sheet settings", 1);
        for (int width = 1; width < 40; ++width)
            for (const float scale : {0.5f, 1.0f, 2.0f})
                (void)s.plates({width, 300}, scale);
    }
}
