// What stands over the picture in every scene, at every usual size and scale, in both themes: no plate covers
// another, the scene's text or a panel; no label covers a handle; and the camera leaves the scene in sight.
// Everything is laid out as for a window, and no pixel is drawn.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "commands/catalog.hpp"
#include "panels/ui.hpp"
#include "render/font.hpp"
#include "render/text/label_places.hpp"
#include "session/session.hpp"
#include "settings/program.hpp"
#include "settings/steps.hpp"
#include "viz/build.hpp"

namespace {

using lab::Session;
using lab::panels::Rect;

constexpr glm::ivec2 kSizes[] = {{1024, 600}, {1280, 720}, {1920, 1080}, {2560, 1440}};
constexpr float kScales[] = {1.0f, 1.5f, 2.0f};

bool overlap(const Rect& a, const Rect& b) {
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

std::string text_of(const Rect& r) {
    return "(" + std::to_string(r.min.x) + ", " + std::to_string(r.min.y) + ") to (" +
           std::to_string(r.max.x) + ", " + std::to_string(r.max.y) + ")";
}

/// What a window shows, in pixels of the window.
struct Look {
    Rect view;
    float scale = 1.0f;
    std::vector<Rect> plates;  ///< The first is the scene's text, if it is shown.
    lab::View camera;
    std::vector<lab::render::PlacedLabel> labels;
    std::set<std::string> texts;           ///< On plates.
    std::vector<std::string> rows;         ///< All of the legend.
    std::optional<glm::vec2> folded_rows;  ///< Where the legend says how many rows it has left out.

    [[nodiscard]] bool has_all_rows() const {
        return std::all_of(rows.begin(), rows.end(),
                           [this](const std::string& row) { return texts.contains(row); });
    }
};

/// The panels and the list of what is drawn over the view, as the stage builds them, without any OpenGL.
struct Screen {
    Session session{lab::command_table()};
    lab::panels::Ui ui{lab::panels::Ui::Graphics::None};
    lab::render::DrawList list;
    lab::render::GlyphAtlas atlas{lab::render::roboto_medium()};

    void run(const std::string& script, int frames) {
        session.commands().push_script(script, "test");
        for (int i = 0; i < frames; ++i) {
            session.drain();
            session.step(Session::kFixedStep_s, {true});
        }
    }
    /// With the mouse at `pointer_px`.
    Look look(glm::ivec2 size, float scale, std::optional<glm::vec2> pointer_px = {}) {
        const lab::Settings& settings = session.state().settings;
        lab::CommandQueue none;
        for (int i = 0; i < 2; ++i) {
            ui.begin_frame({size, scale, 1.0 / 60.0, {}}, settings);
            ui.build(session.shown(), none);
        }
        EXPECT_TRUE(none.empty());
        const Rect& view = ui.view_px();
        const Rect card = ui.card_px();
        lab::viz::ViewInfo info;
        info.panels = true;
        info.card_min_px = (card.min - view.min) / scale;
        info.card_max_px = (card.max - view.min) / scale;
        Look look;
        if (pointer_px) info.pointer_px = (*pointer_px - view.min) / scale;
        if (!card.is_empty()) look.plates.push_back(card);
        add_picture(look, view, scale, info);
        return look;
    }
    /// Without panels.
    Look bare_look(glm::ivec2 size) {
        Look look;
        add_picture(look, {glm::vec2(0.0f), glm::vec2(size)}, 1.0f, {});
        return look;
    }

  private:
    void add_picture(Look& look, const Rect& view, float scale, lab::viz::ViewInfo info) {
        const lab::Settings& settings = session.state().settings;
        look.view = view;
        look.scale = scale;
        look.camera = session.state().view;
        look.camera.rect = {glm::floor(view.min), glm::floor(view.size())};
        const lab::Camera camera = look.camera.shown_camera();
        info.size_px = view.size() / scale;
        info.title = session.state().scene.spec->title;
        for (lab::viz::LegendRow& row : lab::viz::build(session.results(), settings, camera, {}, info, list))
            look.rows.push_back(std::move(row.text));
        for (const lab::render::ScreenText& text : list.screen_texts) {
            look.texts.insert(text.text);
            if (text.text.starts_with("and ") && text.text.ends_with(" more"))
                look.folded_rows = view.min + text.position_px * scale;
        }
        const lab::viz::Palette& colors = lab::viz::palette(lab::viz::theme_of(settings));
        for (const lab::render::ScreenRect& rect : list.screen_rects) {
            const bool plate = rect.color == colors.plate || rect.color == colors.notice;
            if (plate)
                look.plates.push_back({view.min + rect.min_px * scale, view.min + rect.max_px * scale});
        }
        atlas.make_room();
        const lab::render::ScreenArea area{look.camera.rect.min_px, look.camera.rect.size_px, scale};
        const auto texts = lab::render::place_texts(atlas, list.screen_texts, area);
        look.labels =
            lab::render::place_labels(atlas, list.labels, {}, camera.projection(area.size_px) * camera.view(),
                                      area, lab::render::obstacles_of(list, texts, area));
    }
};

/// Every scene at every size and scale in both themes, while it runs and at a step.
template <class Visit>
void for_all_looks(Visit visit) {
    for (const lab::SceneSpec& scene : lab::scene_specs()) {
        Screen s;
        s.run("scene " + std::string(scene.id), 40);
        s.run("pause on; step.next", 2);
        for (const char* theme : {"dark", "light"}) {
            s.run("set ui.theme " + std::string(theme), 1);
            for (const glm::ivec2 size : kSizes)
                for (const float scale : kScales)
                    visit(s, s.look(size, scale),
                          std::string(scene.id) + ", " + theme + ", " + std::to_string(size.x) + "x" +
                              std::to_string(size.y) + " at scale " + std::to_string(scale).substr(0, 3));
        }
    }
}

/// Points that must be in the picture: the corners of bodies and exhibits.
std::vector<glm::vec3> content_of(const lab::FrameResults& results) {
    std::vector<glm::vec3> points;
    const auto add = [&](const bv::Aabb& box) {
        if (box.is_empty() || !box.is_finite()) return;
        for (int i = 0; i < 8; ++i)
            points.push_back(box.corner(i));
    };
    for (const lab::BodyState& body : results.bodies)
        add({body.transform[3] - 0.5f * body.scale, body.transform[3] + 0.5f * body.scale});
    for (const lab::Exhibit& exhibit : results.exhibits)
        add(bounds_of(exhibit));
    return points;
}

bool covers(const Rect& plate, glm::vec2 at) {
    return at.x > plate.min.x && at.y > plate.min.y && at.x < plate.max.x && at.y < plate.max.y;
}

/// No plate leaves the view or covers another.
void check_plates(const Look& look, const std::string& where) {
    const std::vector<Rect>& plates = look.plates;
    for (std::size_t i = 0; i < plates.size(); ++i) {
        EXPECT_TRUE(plates[i].min.x >= look.view.min.x - 1 && plates[i].min.y >= look.view.min.y - 1 &&
                    plates[i].max.x <= look.view.max.x + 1 && plates[i].max.y <= look.view.max.y + 1)
            << where << ": " << text_of(plates[i]) << " leaves the view " << text_of(look.view);
        for (std::size_t k = 0; k < i; ++k)
            EXPECT_FALSE(overlap(plates[i], plates[k]))
                << where << ": " << text_of(plates[i]) << " covers " << text_of(plates[k]);
    }
}

/// No label covers a plate, another label or a handle. Those without a free place are faded; they are
/// counted.
std::size_t check_labels(const Look& look, const std::vector<glm::vec2>& handles, const std::string& where) {
    const float ring = 6.5f * look.scale;
    std::size_t faded = 0;
    for (std::size_t i = 0; i < look.labels.size(); ++i) {
        const auto& placed = look.labels[i];
        faded += placed.faded ? 1 : 0;
        if (placed.faded) continue;
        const Rect label{placed.rect.min, placed.rect.max};
        const std::string name = where + ": label '" + placed.label->text + "'";
        for (const Rect& plate : look.plates)
            EXPECT_FALSE(overlap(label, plate)) << name << " lies under " << text_of(plate);
        for (std::size_t k = 0; k < i; ++k) {
            const auto& other = look.labels[k];
            EXPECT_FALSE(!other.faded && overlap(label, {other.rect.min, other.rect.max}))
                << name << " covers '" << other.label->text << "'";
        }
        for (const glm::vec2 at : handles)
            EXPECT_FALSE(covers({label.min - ring, label.max + ring}, at))
                << name << " covers the handle at (" << at.x << ", " << at.y << ")";
    }
    return faded;
}

/// The camera frames what the card leaves free: nearly all of a scene is inside the view, and the plates over
/// it hide little.
void check_framing(const lab::FrameResults& results, const Look& look, const std::string& where) {
    const std::vector<glm::vec3> points = content_of(results);
    if (points.empty() || look.view.size().x < 100.0f) return;
    std::size_t outside = 0, hidden = 0;
    for (const glm::vec3& point : points) {
        const std::optional<glm::vec2> at = look.camera.pixel_of(point);
        const bool inside = at && covers(look.view, *at);
        outside += inside ? 0 : 1;
        hidden += inside && std::any_of(look.plates.begin(), look.plates.end(),
                                        [&](const Rect& plate) { return covers(plate, *at); })
                      ? 1
                      : 0;
    }
    const auto share = [&](std::size_t count) {
        return static_cast<double>(count) / static_cast<double>(points.size());
    };
    EXPECT_LE(share(outside), 0.1) << where;
    EXPECT_LE(share(hidden), 0.2) << where;
}

}  // namespace

TEST(ScreenLayout, NothingCoversAnotherInAnySceneAtAnySize) {
    std::size_t plates = 0, labels = 0, faded = 0, handles = 0;
    for_all_looks([&](const Screen& s, const Look& look, const std::string& where) {
        std::vector<glm::vec2> handles_px;
        for (const lab::Handle& handle : s.session.results().handles) {
            const std::optional<glm::vec2> at = look.camera.pixel_of(handle.position);
            if (at && !handle.bare && handle.given.in_view) handles_px.push_back(*at);
        }
        check_plates(look, where);
        faded += check_labels(look, handles_px, where);
        check_framing(s.session.results(), look, where);
        plates += look.plates.size();
        labels += look.labels.size();
        handles += handles_px.size();
    });
    EXPECT_GT(plates, 41u * 24u) << "at least the scene's text each time";
    EXPECT_GT(labels, 3000u);
    EXPECT_GT(handles, 1000u);
    EXPECT_LE(faded, labels / 50);
}

/// A legend that folds shows all of its rows while the mouse is on it, and they cover nothing else.
TEST(ScreenLayout, AFoldedLegendUnfoldsUnderTheMouse) {
    std::size_t folded = 0;
    for (const lab::SceneSpec& scene : lab::scene_specs()) {
        Screen s;
        s.run("scene " + std::string(scene.id), 40);
        s.run("pause on; step.next", 2);
        for (const glm::ivec2 size : kSizes)
            for (const float scale : kScales) {
                const std::optional<glm::vec2> at = s.look(size, scale).folded_rows;
                if (!at) continue;
                ++folded;
                const Look look = s.look(size, scale, at);
                const std::string where = std::string(scene.id) + ", " + std::to_string(size.x) +
                                          " at scale " + std::to_string(scale);
                check_plates(look, where);
                (void)check_labels(look, {}, where);
                EXPECT_TRUE(look.has_all_rows()) << where;
            }
    }
    EXPECT_GT(folded, 20u);
}

/// What one takes hold of must be in sight: on the first frame and at steps of each algorithm, no handle lies
/// under a plate or outside the view.
TEST(ScreenLayout, EveryHandleIsInSight) {
    std::size_t seen = 0;
    for (const lab::SceneSpec& scene : lab::scene_specs()) {
        Screen s;
        s.run("scene " + std::string(scene.id), 2);
        std::vector<std::string> scripts = {""};
        std::vector<std::string> algorithms = {""};
        for (const lab::SettingSpec* setting : scene.settings)
            if (setting->id.ends_with(".algorithm"))
                for (const lab::Choice& choice : setting->choices)
                    algorithms.push_back(lab::set_line(*setting, choice.id) + "; ");
        if (s.session.results().walk)
            for (const std::string& algorithm : algorithms)
                for (const char* step : {"step.goto 5", "step.last"})
                    scripts.push_back(algorithm + step);
        // Placements at the beginning of each algorithm, too.
        for (const std::string& algorithm : algorithms)
            for (const lab::SettingSpec* setting : scene.settings)
                if (setting->id.ends_with(".preset") || setting->id.ends_with(".place"))
                    for (const lab::Choice& choice : setting->choices)
                        scripts.push_back(algorithm + lab::set_line(*setting, choice.id) + "; step.first");
        for (const std::string& script : scripts) {
            s.run(script, 2);
            for (const glm::ivec2 size : kSizes) {
                const Look look = s.look(size, 1.0f);
                for (const lab::Handle& handle : s.session.results().handles) {
                    if (!handle.given.in_view) continue;
                    const std::optional<glm::vec2> at = look.camera.pixel_of(handle.position);
                    const std::string where = std::string(scene.id) + " '" + script + "', " +
                                              std::to_string(size.x) + ": handle " + handle.name();
                    ASSERT_TRUE(at) << where;
                    ++seen;
                    EXPECT_TRUE(covers(look.view, *at)) << where << " is outside the view";
                    for (const Rect& plate : look.plates)
                        EXPECT_FALSE(covers(plate, *at)) << where << " at (" << at->x << ", " << at->y
                                                         << ") lies under " << text_of(plate);
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
                    const Rect plate{rect.min_px, rect.max_px};
                    for (const lab::Handle& handle : session.results().handles) {
                        const std::optional<glm::vec2> at = view.pixel_of(handle.position);
                        EXPECT_FALSE(size.x >= 1280 && handle.given.in_view && at && covers(plate, *at))
                            << where << ": " << handle.name();
                    }
                }
            }
        }
    }
    EXPECT_GT(seen, 100u);
}

/// In a small picture without panels, the camera leaves the sentence its place: it covers nothing of the
/// scene that it is about.
TEST(ScreenLayout, TheSentenceInASmallPictureLeavesTheSceneInSight) {
    std::size_t scenes = 0;
    for (const lab::SceneSpec& scene : lab::scene_specs()) {
        Screen s;
        s.run("scene " + std::string(scene.id), 3);
        if (!s.session.results().walk || scene.steps != &lab::kStepAt) continue;
        ++scenes;
        const std::vector<glm::vec3> points = content_of(s.session.results());
        ASSERT_FALSE(points.empty()) << scene.id;
        for (const glm::ivec2 size : {glm::ivec2(640, 360), glm::ivec2(800, 450)}) {
            const Look look = s.bare_look(size);
            std::size_t hidden = 0;
            for (const glm::vec3& point : points) {
                const std::optional<glm::vec2> at = look.camera.pixel_of(point);
                for (const Rect& plate : look.plates)
                    hidden += at && plate.min.y < 0.25f * look.view.max.y && covers(plate, *at) ? 1 : 0;
            }
            EXPECT_EQ(hidden, 0u) << scene.id << " at " << size.x << "x" << size.y;
        }
    }
    EXPECT_GT(scenes, 15u);
}

/// No ray and no bar of a projection runs through a label.
TEST(ScreenLayout, NoBarStrikesALabelThrough) {
    std::size_t bars = 0, struck = 0;
    for (const lab::SceneSpec& scene : lab::scene_specs()) {
        Screen s;
        s.run("scene " + std::string(scene.id), 40);
        for (const glm::ivec2 size : {glm::ivec2(640, 360), glm::ivec2(1024, 600)}) {
            const Look look = s.bare_look(size);
            for (const lab::Exhibit& exhibit : s.session.results().exhibits) {
                const auto* bar = std::get_if<bv::Segment>(&exhibit.shape);
                if (!bar || (exhibit.role != lab::Role::Ray && exhibit.width_px < 5.0f)) continue;
                const auto a = look.camera.pixel_of(bar->a), b = look.camera.pixel_of(bar->b);
                if (!a || !b) continue;
                ++bars;
                for (const auto& label : look.labels) {
                    bool crossed = false;
                    for (int i = 0; i <= 100; ++i)
                        crossed |= covers({label.rect.min, label.rect.max},
                                          glm::mix(*a, *b, 0.01f * static_cast<float>(i)));
                    if (!crossed || label.faded) continue;
                    ++struck;
                    ADD_FAILURE() << scene.id << " at " << size.x << ": '" << label.label->text << "'";
                }
            }
        }
    }
    EXPECT_GT(bars, 20u);
    EXPECT_EQ(struck, 0u);
}

/// At the usual sizes there is room for all of them.
TEST(ScreenLayout, TheSentenceAndTheNoticeAreThere) {
    Screen s;
    s.run("scene ray-aabb", 30);
    s.run("pause on", 2);
    // The scene's text, which holds the sentence; PAUSED, a chart, the legend.
    EXPECT_EQ(s.look({1920, 1080}, 1.0f).plates.size(), 4u);
    EXPECT_EQ(s.look({1280, 720}, 1.0f).plates.size(), 4u);
}

/// Windows and panels too small for anything must not end the program: widgets get no space at all there.
TEST(ScreenLayout, AWindowOfAnySizeIsDrawn) {
    for (const char* scene : {"scene fit-sphere; step.goto 2", "scene aabb-tree; step 9", "scene capture"}) {
        Screen s;
        s.run(scene, 12);
        for (int width = 1; width < 500; width += 23)
            for (const float scale : {1.0f, 2.0f, 3.0f})
                (void)s.look({width, 1 + 3 * (500 - width) / 2}, scale);
        s.run("set ui.sheet settings", 1);
        for (int width = 1; width < 40; ++width)
            for (const float scale : {0.5f, 1.0f, 2.0f})
                (void)s.look({width, 300}, scale);
    }
}
