// Every lesson from beginning to end: its file is sound, its commands are accepted, its tasks are open at
// first and can be done, and the text becomes blocks that a panel can show.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bv/query/overlap.hpp"
#include "capture/samples/samples.hpp"
#include "commands/catalog.hpp"
#include "io/sessions/scene_file.hpp"
#include "lessons/catalog.hpp"
#include "lessons/player.hpp"
#include "scenes/scenes.hpp"
#include "session/files/link.hpp"
#include "session/files/saver.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session/time/timeline.hpp"
#include "settings/draw.hpp"
#include "settings/program.hpp"
#include "settings/steps.hpp"
#include "temp_dir.hpp"
#include "workloads/random.hpp"

namespace lab::lessons {
namespace {

void frame(Session& session, Player& player, std::string_view script = {}) {
    session.commands().push_script(script, "test");
    session.drain();
    player.obey(session);
    session.step(Session::kFixedStep_s);
    player.look(session);
}

std::string errors_of(const Session& session) {
    std::string all;
    for (const Message& message : session.messages().messages())
        if (message.severity == Severity::Error) all += message.text + "\n";
    return all;
}

TEST(Lessons, LinesBehindALessonsCommandFollowItsPage) {
    Session session{command_table()};
    Player player;
    frame(session, player, "lesson ray-box; lesson.close; scene gjk");
    EXPECT_EQ(player.spec(), nullptr);
    EXPECT_EQ(session.results().scene_id, "gjk");
    frame(session, player, "lesson ray-box; scene gjk; lesson building; set world.seed=5");
    ASSERT_TRUE(player.spec());
    EXPECT_EQ(player.spec()->id, "building");
    EXPECT_NE(session.results().scene_id, "gjk");
    EXPECT_EQ(session.state().settings[kWorldSeed], 5);
    EXPECT_EQ(errors_of(session), "");
}

std::string report_of(const Session& session) {
    io::Report report = make_report(session, "");
    io::erase_timings(report);
    report.errors.clear();
    return io::report_text(report);
}

// A teacher copies a link in the middle of a lesson; whoever opens it reads the same page beside the same
// view.
TEST(Lessons, AreOpenAtTheSamePageInACopiedLink) {
    for (const LessonSpec& spec : lesson_specs()) {
        Session first{command_table()};
        Player teacher;
        const std::size_t pages = parse_lesson(lesson_text(spec), command_table()).pages.size();
        frame(first, teacher, fmt::format("lesson {}; lesson.page {}", spec.id, pages / 2 + 1));
        frame(first, teacher, "lesson.show");
        for (int i = 0; i < 10 || first.has_waiting_work(); ++i)
            frame(first, teacher, i == 5 ? "camera.orbit 10 5" : "");
        const io::Result<std::string> link = first.saver().link(teacher.link_part());
        ASSERT_TRUE(link.ok()) << spec.id << ": " << link.error().text();

        Session second{command_table()};
        Player pupil;
        frame(second, pupil, "set draw.obb=true; set world.seed=77");
        std::vector<std::string> lines;
        ASSERT_FALSE(read_link(*link, command_table(), lines)) << spec.id;
        for (std::string& line : lines)
            second.commands().push(std::move(line), std::string(kLinkOrigin));
        frame(second, pupil);
        for (int i = 0; i < 600 && second.has_waiting_work(); ++i)
            frame(second, pupil);
        EXPECT_EQ(errors_of(second), "") << spec.id;
        ASSERT_EQ(pupil.spec(), &spec);
        EXPECT_EQ(pupil.page(), teacher.page()) << spec.id;
        EXPECT_EQ(&pupil.scene(), &teacher.scene()) << spec.id;
        EXPECT_EQ(report_of(second), report_of(first)) << spec.id;

        // From there on it is the same lesson.
        const char* const turn = pages > pupil.page() + 1 ? "lesson.next" : "lesson.back";
        frame(first, teacher, turn);
        frame(second, pupil, turn);
        EXPECT_EQ(pupil.page(), teacher.page()) << spec.id;
        EXPECT_EQ(second.state().scene.spec, first.state().scene.spec) << spec.id;
        EXPECT_EQ(errors_of(second), "") << spec.id;
        frame(second, pupil, "lesson.close");
        EXPECT_EQ(second.state().settings.get_as_text(kDrawObb), "true") << spec.id << ": the pupil's own";
    }
}

TEST(Lessons, ResumeAtAPageThatExists) {
    Session session{command_table()};
    Player player;
    frame(session, player, "lesson.resume ray-box 99");
    ASSERT_TRUE(player.spec());
    EXPECT_EQ(player.page() + 1, player.lesson().pages.size());
    EXPECT_EQ(session.results().scene_id, "welcome") << "the page ran nothing";
    frame(session, player, "lesson.resume nowhere 1");
    EXPECT_NE(errors_of(session).find("nowhere"), std::string::npos);
    frame(session, player, "lesson.resume ray-box 0");
    EXPECT_EQ(session.refused_commands(), 2u);
}

TEST(Lessons, AreAtLeastTenAndKnowEachOther) {
    EXPECT_GE(lesson_specs().size(), 10u);
    std::set<std::string_view> ids;
    for (const LessonSpec& spec : lesson_specs()) {
        EXPECT_TRUE(ids.insert(spec.id).second) << spec.id;
        EXPECT_EQ(find_lesson(spec.id), &spec);
        EXPECT_FALSE(spec.title.empty() || spec.summary.empty() || spec.category.empty()) << spec.id;
    }
    EXPECT_EQ(find_lesson("nothing"), nullptr);
    EXPECT_NE(no_lesson("sphere").find("spheres"), std::string::npos);
}

TEST(Lessons, FilesAreSound) {
    for (const LessonSpec& spec : lesson_specs()) {
        const Lesson lesson = parse_lesson(lesson_text(spec), command_table());
        for (const std::string& problem : lesson.problems)
            ADD_FAILURE() << spec.id << ".md, " << problem;
        EXPECT_GE(lesson.pages.size(), 3u) << spec.id;
        std::size_t tasks = 0;
        for (const Page& page : lesson.pages) {
            EXPECT_FALSE(page.run.empty()) << spec.id << ": a page must set its own stage";
            EXPECT_EQ(page.blocks.front().kind, Block::Kind::Heading) << spec.id;
            tasks += !page.task.text.empty();
            EXPECT_EQ(page.task.text.empty(), page.task.show.empty()) << spec.id << ": who shows it?";
        }
        EXPECT_GE(tasks, 1u) << spec.id;
    }
}

TEST(Lessons, EveryTaskIsOpenAtFirstAndCanBeDone) {
    for (const LessonSpec& spec : lesson_specs()) {
        Session session{command_table()};
        Player player;
        frame(session, player, "lesson " + std::string(spec.id));
        ASSERT_EQ(player.spec(), &spec);
        for (std::size_t page = 0;; ++page) {
            const std::string where = std::string(spec.id) + ", page " + std::to_string(page + 1);
            ASSERT_EQ(player.page(), page) << where;
            const bool task = !player.current().task.text.empty();
            for (int i = 0; i < 60; ++i)
                frame(session, player);
            EXPECT_FALSE(player.done(page)) << where << " is done before anyone did anything";
            if (task) {
                frame(session, player, "lesson.show");
                for (int i = 0; i < 240 && !player.done(page); ++i)
                    frame(session, player);
                EXPECT_TRUE(player.done(page)) << where << ": what is shown does not do the task";
            }
            EXPECT_EQ(errors_of(session), "") << where;
            EXPECT_EQ(session.refused_commands(), 0u) << where;
            if (page + 1 == player.lesson().pages.size()) break;
            frame(session, player, "lesson.next");
        }
        frame(session, player, "lesson.next");
        EXPECT_EQ(player.page() + 1, player.lesson().pages.size()) << "the last page stays";
    }
}

/// Neither undoing what a page has set up nor a part of a task does the task.
TEST(Lessons, TasksAreNotDoneBySomethingElse) {
    struct Case {
        const char* lesson;
        int page;
        const char* script;
    };
    for (const Case& c :
         {Case{"cutting", 1, "step.next"}, Case{"sweep-and-grid", 1, "step.goto 3"},
          Case{"fitting", 3, "step.goto 2"},
          Case{"ray-box", 2, "scene.drag origin 6 5 5; scene.drag aim 8 1 7"},
          Case{"ray-box", 3, "scene.drag aim 8 7 7; scene.drag origin 6 6.4 5.5"},
          Case{"picking", 1, "pick 640 360; select 5"},
          Case{"aabb-forms", 1, "scene.drag min 1.8 .3 -.8; scene.drag max 2.3 1.8 .7"},
          Case{"your-engine", 3, "set capture.node=3"}, Case{"broad-and-narrow", 2, "scene narrow-phase"},
          Case{"broad-and-narrow", 3, "scene stress"}, Case{"less-work", 2, "undo; undo; undo"},
          Case{"less-work", 3, "undo; undo; undo"},
          Case{"planes", 3, "scene.drag eye -9 1.6 3.8; scene.drag aim -7 1 3"}}) {
        Session session{command_table()};
        Player player;
        frame(session, player, fmt::format("lesson {}; lesson.page {}", c.lesson, c.page));
        const auto page = static_cast<std::size_t>(c.page - 1);
        ASSERT_EQ(player.page(), page);
        ASSERT_FALSE(player.current().task.text.empty());
        frame(session, player, c.script);
        frame(session, player);
        EXPECT_FALSE(player.done(page)) << c.lesson << ", page " << c.page << ": " << c.script;
    }
    Session session{command_table()};
    Player player;
    frame(session, player, "lesson aabb-forms; scene.drag min -2.6 .3 -.8");
    frame(session, player);
    EXPECT_TRUE(player.done(0)) << "a long box, whichever corner was dragged";
}

TEST(Lessons, AFreshPageHasNothingToUndo) {
    for (const LessonSpec& spec : lesson_specs()) {
        Session session{command_table()};
        Player player;
        frame(session, player, "lesson " + std::string(spec.id));
        for (std::size_t page = 0;; ++page) {
            EXPECT_EQ(session.state().edits.undo_count(), 0u) << spec.id << ", page " << page + 1;
            if (page + 1 == player.lesson().pages.size()) break;
            frame(session, player, "lesson.next");
        }
    }
}

TEST(Lessons, APageInAnotherSceneIsOpenedAgainToShowItsTask) {
    Session session{command_table()};
    Player player;
    frame(session, player, "lesson aabb-overlap; lesson.page 2; scene bsp");
    EXPECT_EQ(player.scene().id, "aabb-overlap");
    ASSERT_FALSE(player.current().task.show.empty());
    frame(session, player, "lesson.show");
    frame(session, player);
    EXPECT_EQ(session.results().scene_id, "aabb-overlap");
    EXPECT_TRUE(player.done(1));
    // What it shows here needs the results of a frame.
    frame(session, player, "lesson tree-growth; lesson.page 4; scene bsp");
    frame(session, player, "lesson.show");
    for (int i = 0; i < 3; ++i)
        frame(session, player);
    EXPECT_EQ(session.results().scene_id, "aabb-tree");
    EXPECT_EQ(errors_of(session), "");
}

/// What is saved in the frame of a command has the state of that frame.
TEST(Lessons, WhatAPageShowsWaitsForTheNextFrame) {
    Session session{command_table()};
    Player player;
    frame(session, player, "lesson two-meshes; scene aabb-forms; lesson.show");
    EXPECT_TRUE(session.has_waiting_work());
    frame(session, player);
    EXPECT_FALSE(session.has_waiting_work());
    EXPECT_EQ(errors_of(session), "");
}

TEST(Lessons, APageThatFollowsAPauseRuns) {
    Session session{command_table()};
    Player player;
    frame(session, player, "lesson bounding-volumes; pause on; lesson.next");
    EXPECT_FALSE(session.state().settings[kSimPaused]);
}

/// The first scene of this lesson is empty until time passes.
TEST(Lessons, TheFirstPageRunsWhateverStoodStillBefore) {
    for (const char* before : {"pause on", "speed 0"}) {
        Session session{command_table()};
        Player player;
        frame(session, player, std::string(before) + "; lesson tree-growth");
        for (int i = 0; i < 60; ++i)
            frame(session, player);
        EXPECT_GT(session.results().steps, 30u) << before;
        EXPECT_EQ(errors_of(session), "") << before;
    }
    // Slow motion is what its user wants.
    Session session{command_table()};
    Player player;
    frame(session, player, "speed 0.25; lesson tree-growth");
    EXPECT_EQ(session.state().settings[kSimSpeed], 0.25f);
}

/// Lines that give everything that changes the world another value than its own.
std::string other_world() {
    std::string lines;
    for (const SettingSpec* row : setting_catalog().rows()) {
        if (row->effect != Effect::World || row->kind == SettingKind::Text || row->id == "verify") continue;
        std::string value = row->default_value == "false" ? "true" : "false";
        if (row->kind == SettingKind::Choice)
            value = row->choices[row->choices[0].id == row->default_value ? 1 : 0].id;
        else if (row->kind != SettingKind::Flag)
            value = fmt::format("{}",
                                std::stod(std::string(row->default_value)) != row->min ? row->min : row->max);
        lines += fmt::format("set {}={}; ", row->id, value);
    }
    return lines;
}

/// Some claims need a job or a few steps: they hold soon after the page is entered, or after what stands
/// above them was done; and whatever the user has set before.
TEST(Lessons, WhatEveryPageClaimsIsTrue) {
    std::size_t all = 0;
    for (const LessonSpec& spec : lesson_specs()) {
        Session session{command_table()};
        Player player;
        frame(session, player, other_world() + "lesson " + std::string(spec.id));
        for (std::size_t page = 0; page < player.lesson().pages.size(); ++page) {
            const std::string where = std::string(spec.id) + ", page " + std::to_string(page + 1);
            frame(session, player, "lesson.page " + std::to_string(page + 1));
            std::size_t claims = 0;
            for (const Claim& claim : player.current().claims) {
                ++claims;
                for (const std::string& line : claim.after)
                    frame(session, player, line);
                const auto holds = [&] { return claim.condition.holds(session.state(), session.results()); };
                for (int i = 0; i < 240 && !holds(); ++i)
                    frame(session, player);
                EXPECT_TRUE(holds()) << where << ": " << claim.text;
            }
            // Three pages only say what to do, or speak of other programs.
            EXPECT_GE(claims, 1u) << where << " claims nothing that is tested";
            all += claims;
        }
        EXPECT_EQ(errors_of(session), "") << spec.id;
    }
    EXPECT_GE(all, 150u);
}

/// A scene that is stepped has a page that begins with it.
TEST(Lessons, ShowEverySceneThatHasSteps) {
    std::string commands;
    for (const LessonSpec& spec : lesson_specs())
        for (const Page& page : parse_lesson(lesson_text(spec), command_table()).pages)
            for (const std::string& line : page.run)
                commands += line + ";\n";
    std::size_t stepped = 0;
    for (const SceneSpec& scene : scene_specs()) {
        Session session{command_table()};
        Player player;
        frame(session, player, "scene " + std::string(scene.id));
        for (int i = 0; i < 3; ++i)
            frame(session, player);
        if (!session.results().walk) continue;
        ++stepped;
        EXPECT_NE(commands.find("scene " + std::string(scene.id) + ";"), std::string::npos)
            << "no lesson has a page with the scene " << scene.id;
    }
    EXPECT_GE(stepped, 20u);
}

/// "Of random pairs of boxes that are apart, about 98 in 100 are separated by the six face normals alone."
TEST(Lessons, SixFaceNormalsSeparateNearlyAllBoxes) {
    bv::workloads::Random random(7);
    const auto box = [&] {
        bv::Obb made;
        made.center = random.in_box(glm::vec3(-2.0f), glm::vec3(2.0f));
        made.half_extents = random.in_box(glm::vec3(0.2f), glm::vec3(1.0f));
        made.axes = random.rotation();
        return made;
    };
    int apart = 0, by_faces = 0;
    for (int i = 0; i < 20'000; ++i) {
        const bv::Obb a = box();
        const bv::Obb b = box();
        bv::Recording trace;
        if (bv::overlap(a, b, trace)) continue;
        ++apart;
        for (const bv::TraceEvent& event : trace.events()) {
            const auto* test = std::get_if<bv::AxisTested>(&event);
            if (!test || test->kind == bv::AxisTested::Kind::EdgeCross || !(test->gap > 0)) continue;
            ++by_faces;
            break;
        }
    }
    EXPECT_GT(apart, 5000);
    EXPECT_NEAR(static_cast<double>(by_faces) / apart, 0.98, 0.01);
}

/// Whatever page was open before, whatever its task changed, and however the user had set the scene before
/// the lesson: a page starts from the same settings, and its task can be done.
TEST(Lessons, EveryPageStartsAlikeFromEveryOther) {
    const auto settings_of = [](const Session& session) {
        std::vector<std::string> lines;
        for (const SettingSpec* row : setting_catalog().rows())
            if (row != &kLessonsDone)
                lines.push_back(std::string(row->id) + "=" + session.state().settings.get_as_text(*row));
        return lines;
    };
    for (const LessonSpec& spec : lesson_specs()) {
        Session session{command_table()};
        Player player;
        frame(session, player, "lesson " + std::string(spec.id));
        const std::size_t pages = player.lesson().pages.size();
        std::vector<std::vector<std::string>> first(pages);
        for (std::size_t page = 0; page < pages; ++page) {
            Session fresh{command_table()};
            Player alone;
            frame(fresh, alone, "lesson " + std::string(spec.id));
            frame(fresh, alone, "lesson.page " + std::to_string(page + 1));
            first[page] = settings_of(fresh);
        }
        for (std::size_t page = pages; page-- > 0;) {
            frame(session, player, "lesson.page " + std::to_string(page + 1));
            const std::string where = std::string(spec.id) + ", page " + std::to_string(page + 1);
            EXPECT_EQ(settings_of(session), first[page]) << where;
            if (player.current().task.when.empty()) continue;
            frame(session, player, "lesson.show");
            for (int i = 0; i < 240 && !player.done(page); ++i)
                frame(session, player);
            EXPECT_TRUE(player.done(page)) << where;
        }
    }
    Session session{command_table()};
    Player player;
    frame(session, player, "scene less-work; set less.count=48; lesson less-work");
    EXPECT_EQ(session.state().settings.get_as_text(*setting_catalog().find("less.count")), "24");
    frame(session, player, "lesson.close");
    EXPECT_EQ(session.state().settings.get_as_text(*setting_catalog().find("less.count")), "48");
}

TEST(Lessons, GiveTheUsersSettingsBack) {
    for (const LessonSpec& spec : lesson_specs()) {
        Session session{command_table()};
        Player player;
        frame(session, player, "scene welcome; set draw.fill=0.5; set tree.balance=height");
        std::vector<std::string> before;
        for (const SettingSpec* row : setting_catalog().rows())
            before.push_back(session.state().settings_without_presets().get_as_text(*row));
        frame(session, player, "lesson " + std::string(spec.id));
        for (std::size_t i = 1; i < player.lesson().pages.size(); ++i)
            frame(session, player, "lesson.show; lesson.next");
        std::size_t changed = 0;
        for (std::size_t i = 0; i < before.size(); ++i) {
            const SettingSpec& row = *setting_catalog().rows()[i];
            const std::string kept = player.settings_without_lesson(session).get_as_text(row);
            if (row.remembered && &row != &kLessonsDone) {
                EXPECT_EQ(kept, before[i]) << spec.id << ": preferences would keep " << row.id;
            }
            changed += &row != &kLessonsDone &&
                       session.state().settings_without_presets().get_as_text(row) != before[i];
        }
        frame(session, player, "lesson.close");
        EXPECT_EQ(player.spec(), nullptr);
        if (changed > 0) {
            const auto& all = session.messages().messages();
            EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const Message& m) {
                return m.text.starts_with("Lesson closed: ");
            })) << spec.id;
        }
        frame(session, player, "scene welcome");
        for (std::size_t i = 0; i < before.size(); ++i) {
            const SettingSpec& row = *setting_catalog().rows()[i];
            if (&row == &kSimPaused || &row == &kSimSpeed || &row == &kLessonsDone) continue;
            EXPECT_EQ(session.state().settings_without_presets().get_as_text(row), before[i])
                << spec.id << ": " << row.id;
        }
    }
}

/// All settings as text, one per line, other than those of time, of steps and of the lessons themselves.
std::string settings_text(const Settings& settings) {
    std::string text;
    for (const SettingSpec* row : setting_catalog().rows())
        if (row != &kSimPaused && row != &kSimSpeed && row != &kStepAt && row != &kLessonsDone)
            text += fmt::format("{}={}\n", row->id, settings.get_as_text(*row));
    return text;
}

/// What a scene has set belongs to it: it stays when the lesson is closed, whatever the user had.
TEST(Lessons, ClosedLeaveTheSceneAsItIsWithoutThem) {
    for (const LessonSpec& spec : lesson_specs()) {
        const std::size_t pages = parse_lesson(lesson_text(spec), command_table()).pages.size();
        for (std::size_t page = 1; page <= pages; ++page) {
            const char* const before =
                page % 2 == 0 ? "set volume.exact=true; set volume.pair_kind=sphere; set draw.obb=false; "
                                "set broadphase.kind=grid; set world.seed=5"
                              : "";
            Session session{command_table()};
            Player player;
            frame(session, player, before);
            frame(session, player, fmt::format("lesson {}; lesson.page {}; lesson.close", spec.id, page));
            Session without{command_table()};
            Player none;
            frame(without, none, before);
            frame(without, none, "scene " + session.results().scene_id);
            EXPECT_EQ(settings_text(session.state().settings), settings_text(without.state().settings))
                << spec.id << ", page " << page;
            frame(session, player, "scene gjk");
            frame(without, none, "scene gjk");
            EXPECT_EQ(settings_text(session.state().settings), settings_text(without.state().settings))
                << spec.id << ", page " << page << ", in the next scene";
        }
    }
}

/// A scene that the user opened while the lesson was open is not the lesson's to change.
TEST(Lessons, ClosedChangeNothingInASceneOpenedMeanwhile) {
    const test::TempDir folder;
    const std::string path = (folder / "mine.json").string();
    Session first{command_table()};
    Player none;
    frame(first, none, "scene narrow-phase; set draw.fill=0.3; set volume.pair_kind=sphere");
    ASSERT_FALSE(io::write_scene_file(path, first.saver().saved_scene(path)));

    Session session{command_table()};
    Player player;
    frame(session, player, "set draw.fill=0.7; set tree.balance=height");
    const std::string users = settings_text(session.state().settings_without_presets());
    frame(session, player, "lesson bounding-volumes; lesson.page 3");
    frame(session, player, "open " + quote_word(path));
    ASSERT_EQ(errors_of(session), "");
    const auto sets = [&] {
        const auto& tape = session.timeline().tape();
        return std::count_if(tape.begin(), tape.end(),
                             [](const io::RecordingEntry& e) { return e.line.starts_with("set "); });
    };
    const auto sets_before = sets();
    const std::string opened = settings_text(session.state().settings);
    EXPECT_EQ(opened, settings_text(first.state().settings));
    frame(session, player, "lesson.close");
    EXPECT_EQ(player.spec(), nullptr);
    EXPECT_EQ(settings_text(session.state().settings), opened);
    EXPECT_EQ(sets(), sets_before) << "nor in its record";
    frame(session, player, "scene gjk");
    EXPECT_EQ(settings_text(session.state().settings_without_presets()), users)
        << "the user's own come back with the next scene";
}

TEST(Lessons, ClosedInThePastKeepTheRecordedFuture) {
    Session session{command_table()};
    Player player;
    frame(session, player, "set draw.fill=0.7; set volume.pair_kind=sphere");
    const std::string users = settings_text(session.state().settings_without_presets());
    frame(session, player, "lesson bounding-volumes; lesson.page 3");
    for (int i = 0; i < 20; ++i)
        frame(session, player);
    frame(session, player, "time.back 10");
    ASSERT_TRUE(session.timeline().in_past());
    const std::uint64_t last = session.timeline().last_step();
    frame(session, player, "lesson.close");
    EXPECT_EQ(player.spec(), nullptr);
    EXPECT_EQ(session.timeline().last_step(), last);
    frame(session, player, "scene gjk");
    EXPECT_EQ(settings_text(session.state().settings_without_presets()), users);
}

/// A page about samples of captures shows them, whatever was opened before; what is opened on the page is
/// shown in their place.
TEST(Lessons, ShowTheirSamplesAfterACaptureWasOpened) {
    const test::TempDir folder;
    const auto bytes = capture::make_sample(capture::SampleKind::Sound, 5).bytes;
    const std::string path = folder.write("mine.bvcap", std::string(bytes.begin(), bytes.end())).string();
    const LessonSpec& spec = *find_lesson("your-engine");
    Session session{command_table()};
    Player player;
    frame(session, player, "open " + quote_word(path));
    frame(session, player, "lesson your-engine");
    for (std::size_t page = 0; page < player.lesson().pages.size(); ++page) {
        frame(session, player, fmt::format("lesson.page {}", page + 1));
        for (const Claim& claim : player.current().claims) {
            for (const std::string& line : claim.after)
                frame(session, player, line);
            const auto holds = [&] { return claim.condition.holds(session.state(), session.results()); };
            for (int i = 0; i < 240 && !holds(); ++i)
                frame(session, player);
            EXPECT_TRUE(holds()) << spec.id << ", page " << page + 1 << ": " << claim.text;
        }
    }
    std::string error;
    const auto sound = Condition::parse("table diagnosis #1 cause contains \"nothing wrong\"", error);
    ASSERT_TRUE(sound) << error;
    const auto shows_it = [&] {
        for (int i = 0; i < 240 && !sound->holds(session.state(), session.results()); ++i)
            frame(session, player);
        return sound->holds(session.state(), session.results());
    };
    frame(session, player, "open " + quote_word(path));
    EXPECT_TRUE(shows_it()) << "opened on a page about a broken tree";
    frame(session, player, "lesson.page 5");
    for (int i = 0; i < 60; ++i)
        frame(session, player);
    EXPECT_FALSE(sound->holds(session.state(), session.results()));
    frame(session, player, "capture.show 1");
    EXPECT_TRUE(shows_it()) << "chosen in the list of captures";
    frame(session, player, "lesson.page 5; lesson.close; scene welcome; scene capture");
    EXPECT_TRUE(shows_it()) << "the user's own, after the lesson";
    EXPECT_EQ(errors_of(session), "");
}

TEST(Lessons, AreFinishedOnTheLastPageOnceAllTasksAreDone) {
    for (const LessonSpec& spec : lesson_specs()) {
        Session session{command_table()};
        Player player;
        const auto finished = [&] { return is_finished(session.state().settings, spec.id); };
        // The first task is skipped; the lesson gets its tick when it is done later.
        std::vector<std::size_t> with_tasks;
        const auto do_task = [&] {
            frame(session, player, "lesson.show");
            for (int i = 0; i < 240 && !player.done(player.page()); ++i)
                frame(session, player);
            EXPECT_TRUE(player.done(player.page())) << spec.id << ", page " << player.page() + 1;
        };
        frame(session, player, "lesson " + std::string(spec.id));
        const std::size_t pages = player.lesson().pages.size();
        for (std::size_t page = 0; page < pages; ++page) {
            EXPECT_FALSE(finished()) << spec.id << ", page " << page + 1;
            if (!player.current().task.when.empty() && !player.done(page)) {
                if (!with_tasks.empty()) do_task();
                with_tasks.push_back(page);
            }
            if (page + 1 < pages) frame(session, player, "lesson.next");
        }
        if (!with_tasks.empty() && !player.done(with_tasks.front())) {
            EXPECT_FALSE(finished()) << spec.id << ": page " << with_tasks.front() + 1 << " is undone";
            frame(session, player, "lesson.close");
            EXPECT_FALSE(finished()) << spec.id << " was closed on its last page";
            frame(session, player, "lesson " + std::string(spec.id));
            frame(session, player, fmt::format("lesson.page {}", with_tasks.front() + 1));
            do_task();
            frame(session, player, fmt::format("lesson.page {}", pages));
        }
        EXPECT_TRUE(finished()) << spec.id << " is still open";
        EXPECT_EQ(player.spec(), &spec);
    }
    Session session{command_table()};
    Player player;
    frame(session, player, "set lessons.done=ray-box,planes; lesson spheres");
    for (std::size_t i = 1; i < player.lesson().pages.size(); ++i)
        frame(session, player, "lesson.next");
    frame(session, player, "lesson.close");
    EXPECT_EQ(session.state().settings[kLessonsDone], "ray-box,planes") << "its tasks are undone";
    EXPECT_FALSE(is_finished(session.state().settings, "ray"));
}

TEST(Lessons, PagesGoBackAndForth) {
    Session session{command_table()};
    Player player;
    frame(session, player, "lesson.next");
    EXPECT_NE(errors_of(session).find("`lesson.next`: no lesson"), std::string::npos);
    EXPECT_EQ(session.refused_commands(), 1u);
    frame(session, player, "lesson aabb-overlap; lesson.next; lesson.next; lesson.back");
    EXPECT_EQ(player.page(), 1u);
    frame(session, player, "lesson.page 1");
    EXPECT_EQ(player.page(), 0u);
    frame(session, player, "lesson.page 77; lesson nowhere");
    EXPECT_EQ(player.page(), 0u) << "what does not exist changes nothing";
    EXPECT_NE(errors_of(session).find("pages 1 to"), std::string::npos);
    EXPECT_NE(errors_of(session).find("no lesson 'nowhere'"), std::string::npos);
    EXPECT_EQ(session.refused_commands(), 3u);
}

TEST(LessonFiles, MistakesAreTold) {
    const std::pair<const char*, const char*> cases[] = {
        {"# A\n```run\nfrobnicate\n```\n", "line 3"},
        {"# A\n```run\nset draw.obb=maybe\n```\n", "draw.obb"},
        {"# A\n```task\ntask: do\nwhen: nonsense\n```\n", "RELATION"},
        {"# A\n```task\ntask: do\nwhen: setting no.such = 1\n```\n", "no.such"},
        {"# A\n```task\ntask: do\nwhen: bodies > many\n```\n", "number"},
        {"# A\n```task\ntask: do\nwhen: colors = 3\n```\n", "compared"},
        {"# A\n```task\ntask: do\n```\n", "condition"},
        {"# A\n```task\nhello\n```\n", "task:"},
        {"# A\n```claim\nafter: task\nbodies > 1\n```\n", "without a task"},
        {"# A\n```claim\nafter: pause on\n```\n", "without a claim"},
        {"# A\n```claim\nafter: frobnicate\nbodies > 1\n```\n", "line 3"},
        {"# A\n```run\npause\n", "never closed"},
        {"# A\n---\n\n---\n# B\n", "without text"},
    };
    for (const auto& [text, why] : cases) {
        const Lesson lesson = parse_lesson(text, command_table());
        ASSERT_FALSE(lesson.problems.empty()) << text;
        EXPECT_NE(lesson.problems.front().find(why), std::string::npos) << lesson.problems.front();
    }
}

TEST(LessonFiles, MarkdownBecomesBlocks) {
    const auto blocks = parse_markdown(
        "# Title\nSome *soft* and **hard** words\nand `code`.\n\n- one\n- two **x**\n\n1. first\n2. "
        "second\n\n"
        "```\na = b\n```\n");
    ASSERT_EQ(blocks.size(), 7u);
    EXPECT_EQ(blocks[0].kind, Block::Kind::Heading);
    EXPECT_EQ(blocks[0].plain(), "Title");
    EXPECT_EQ(blocks[1].plain(), "Some soft and hard words and code.");
    EXPECT_TRUE(blocks[1].spans[1].emphasis);
    EXPECT_TRUE(blocks[1].spans[3].strong);
    EXPECT_TRUE(blocks[1].spans[5].code);
    EXPECT_EQ(blocks[2].kind, Block::Kind::Item);
    EXPECT_EQ(blocks[2].number, 0);
    EXPECT_EQ(blocks[3].plain(), "two x");
    EXPECT_EQ(blocks[5].number, 2);
    EXPECT_EQ(blocks[6].kind, Block::Kind::Code);
    EXPECT_EQ(parse_markdown("").size(), 0u);
}

TEST(Conditions, CompareWhatTheSessionShows) {
    Session session{command_table()};
    Player player;
    frame(session, player, "scene aabb-overlap; scene.drag b 5 1.6 0.3");
    const auto holds = [&](const char* line) {
        std::string error;
        const auto condition = Condition::parse(line, error);
        EXPECT_TRUE(condition) << line << ": " << error;
        return condition && condition->holds(session.state(), session.results());
    };
    EXPECT_TRUE(holds("table aabb_overlap verdict \"overlap length\" = apart"));
    EXPECT_FALSE(holds("table aabb_overlap verdict \"overlap length\" = overlap"));
    EXPECT_TRUE(holds("table aabb_overlap x \"overlap length\" contains apart"));
    EXPECT_TRUE(holds("table aabb_overlap y \"overlap length\" > 1"));
    EXPECT_FALSE(holds("table aabb_overlap w \"overlap length\" > 1")) << "no such row";
    EXPECT_FALSE(holds("table nothing y \"overlap length\" > 1"));
    EXPECT_TRUE(holds("table aabb_overlap x \"overlap length\" < 0")) << "an overlap below zero is a gap";
    EXPECT_FALSE(holds("table aabb_overlap verdict \"overlap length\" < 0")) << "a word is no number";
    EXPECT_TRUE(holds("table aabb_overlap #1 axis = x"));
    EXPECT_TRUE(holds("handle b x = 5"));
    EXPECT_TRUE(holds("handle b x != 4"));
    EXPECT_TRUE(holds("value b.size x = 1")) << "counted from the center, without a sign";
    EXPECT_TRUE(holds("handle b.size x = 6"));
    EXPECT_FALSE(holds("selected mesh = teapot")) << "nothing is selected";
    EXPECT_FALSE(holds("walk changed = no")) << "nothing is stepped";
    EXPECT_TRUE(holds("scene = aabb-overlap"));
    EXPECT_TRUE(holds("steps >= 1"));
    EXPECT_TRUE(holds("setting draw.tree = false"));
    EXPECT_TRUE(holds("selected = no"));
    EXPECT_TRUE(holds("bodies <= 0"));
    EXPECT_TRUE(holds("rows aabb_overlap = 4"));
    EXPECT_FALSE(holds("rows nothing = 0"));
    EXPECT_FALSE(holds("differences = 0")) << "nothing was compared";
    EXPECT_FALSE(holds("walk rises >= 0")) << "nothing is stepped";
    frame(session, player, "scene obb-sat; set sat.axis=2; set draw.fill=0.3");
    EXPECT_TRUE(holds("table obb_sat 2 # = 2")) << "whatever mark stands before it";
    EXPECT_TRUE(holds("setting draw.fill = 0.3"));
    EXPECT_TRUE(holds("setting draw.fill <= 0.3"));
    EXPECT_FALSE(holds("setting draw.fill < 0.3")) << "single precision is no difference";
}

}  // namespace
}  // namespace lab::lessons
