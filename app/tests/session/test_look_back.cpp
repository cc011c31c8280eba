// The view while the past is on show, records of sessions in which the user looked back, and what records
// keep of the time before them: saved, linked or recorded, they lead to the same state.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "commands/catalog.hpp"
#include "io/sessions/report.hpp"
#include "io/sessions/scene_file.hpp"
#include "record_test_tools.hpp"
#include "session/files/saver.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session/time/timeline.hpp"
#include "session_bits.hpp"
#include "session_test_tools.hpp"
#include "settings/draw.hpp"
#include "settings/program.hpp"
#include "temp_dir.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using test::difference;
using test::expect_no_errors;
using test::frame;
using test::seen;

class LookBack : public test::SessionFiles {
  protected:
    /// What a record of the session leads to.
    [[nodiscard]] std::string recorded(Session& session) const {
        frame(session, "record.save " + quote_word(path("again.bvrec")));
        Session again{command_table()};
        frame(again, open("again.bvrec") + "; time.goto end");
        expect_no_errors(again);
        return seen(again);
    }
};

/// Looking back is no edit, whatever it changes of the view.
TEST_F(LookBack, LeavesTheSameToUndo) {
    const auto edits = [](const Session& session) {
        const EditHistory& list = session.state().edits;
        return fmt::format("undo {} {}, redo {}", list.undo_count(),
                           list.next_undo() ? list.next_undo()->label : "", list.redo_count());
    };
    struct Case {
        std::vector<const char*> frames;
        const char* edits;
    };
    const char* const view = "set probe.x=2; set probe.y=2; set draw.fill=0.3; hide 4; step 3";
    for (const Case& c :
         {Case{{view, "time.back 4"}, "undo 0 , redo 0"},
          Case{{view, "time.back 4", "camera.orbit 5 5; set draw.fill=0.2; hide 3; ray.pin 0 5 0 0 -1 0"},
               "undo 0 , redo 0"},
          Case{{view, "spawn 1; undo; step 1", "time.back 5; set draw.fill=0.4; time.goto end"},
               "undo 4 Hide bodies, redo 1"},
          Case{{view, "time.back 4; set draw.fill=0.4", "move 3 0 1 0; step 2"},
               "undo 1 Move a body, redo 0"},
          Case{{view, "time.back 4", "edit.begin drag", "move 3 0 1 0", "move 4 0 1 0; edit.end"},
               "undo 1 drag, redo 0"}}) {
        Session first{command_table()};
        frame(first, "scene welcome; pause on; step 3");
        for (const char* script : c.frames)
            frame(first, script);
        EXPECT_EQ(edits(first), c.edits);
        save(first, "a.json");
        Session second{command_table()};
        frame(second, "pause on; " + open("a.json"));
        EXPECT_EQ(edits(second), c.edits) << "saved";
        frame(second, "record.save " + quote_word(path("a.bvrec")));
        Session third{command_table()};
        frame(third, open("a.bvrec") + "; time.goto end");
        EXPECT_EQ(edits(third), c.edits) << "recorded";
        expect_no_errors(third);
    }
}

TEST_F(LookBack, KeepsItsSelection) {
    for (const char* selection : {"select.node bodies 0; tree.isolate on",
                                  "select.node bodies 0; tree.isolate on; select.node bodies 2",
                                  "select.ray 0", "select.triangle 3 7", "select 5 6"}) {
        SCOPED_TRACE(selection);
        Session first{command_table()};
        frame(first, "set broadphase.kind=dynamic-tree; scene welcome; pause on; step 5");
        frame(first, "ray.pin -6 2 0 1 0 0.1");
        frame(first, std::string(selection) + "; step 2");
        const auto selected = [](const Session& session) {
            io::Report report;
            report.selection = make_report(session, "test").selection;
            return io::report_text(report);
        };
        frame(first, "time.back 4; spawn 1; step 3");
        frame(first, "record.save " + quote_word(path("a.bvrec")));
        const FrameResults& now = first.results();
        EXPECT_TRUE(now.selected_node || now.isolated_node || now.selected_ray || now.selected_triangle ||
                    first.state().selected().valid());
        Session second{command_table()};
        frame(second, open("a.bvrec") + "; time.goto end");
        EXPECT_EQ(selected(first), selected(second));
        expect_no_errors(second);
    }
}

/// What outlives the start of a scene is in its record, or ends there.
TEST_F(LookBack, ARecordKeepsWhatCameBeforeTheScene) {
    for (const char* script :
         {"hover 707 541; restart; step 3", "hover 707 541; scene narrow-phase; step 3",
          "select 1 2; restart; select 3; copy; paste; step 3", "select 1 2; copy; paste; restart"}) {
        SCOPED_TRACE(script);
        Session session{command_table()};
        frame(session, "scene narrow-phase; step 3");
        frame(session, script);
        frame(session);
        EXPECT_EQ(difference(seen(session), recorded(session)), "");
    }
}

/// Bodies that were copied before the scene began are in no record of it: none is written, and a saved scene
/// stands by itself.
TEST_F(LookBack, ARecordWithoutTheOriginOfPastedBodiesIsRefused) {
    Session session{command_table()};
    frame(session, "scene welcome; pause on; select 1 2; copy; restart; paste; step 3");
    frame(session, "time.back 2; time.goto end");
    EXPECT_EQ(session.results().bodies.size(), 42u);
    frame(session, "record.save " + quote_word(path("a.bvrec")));
    EXPECT_EQ(session.refused_commands(), 1u);
    EXPECT_FALSE(session.saver().link());
    save(session, "a.json");
    Session again{command_table()};
    frame(again, "pause on; " + open("a.json"));
    EXPECT_EQ(again.results().bodies.size(), 42u);
    expect_no_errors(again);
    EXPECT_NE(again.messages().messages().back().text.find("it has no record"), std::string::npos);
}

/// A group of edits that was open is closed in the past: in the record, too.
TEST_F(LookBack, ARecordKeepsTheEndOfAGroup) {
    for (const char* end : {"edit.end", "redo", "edit.end; edit.begin other"}) {
        SCOPED_TRACE(end);
        Session session{command_table()};
        frame(session, "scene welcome; pause on; edit.begin drag");
        frame(session, "step 10");
        frame(session, std::string("time.back 5; ") + end);
        frame(session, "spawn 1; spawn 1; undo");
        EXPECT_EQ(difference(seen(session), recorded(session)), "");
    }
}

/// Commands in the frame of a jump refer to what the jump shows.
TEST_F(LookBack, CommandsAfterAJumpAreRecordedAsTheyRan) {
    Session session{command_table()};
    frame(session, "scene fit-obb; pause on; step 5");
    frame(session, "scene.drag p1 3 1 2; step 20");
    frame(session, "time.goto 5; scene.drag p1 1 2 -7; camera.frame all; step 2");
    frame(session);
    EXPECT_EQ(difference(seen(session), recorded(session)), "");
}

/// A step that comes with a view, of a look back or of its record, does not move the camera.
TEST_F(LookBack, TheCameraOfAStepStays) {
    for (const char* script : {"time.back 5; move 1 0 0.1 0; step 2; pick 640 360",
                               "time.back 5; step 1; set pick.step=4; move 1 0 0.1 0; step 2; pick 640 360",
                               "time.back 5; time.goto end; set pick.step=3; step 2; pick 640 360"}) {
        SCOPED_TRACE(script);
        Session session{command_table()};
        frame(session, "pause on; set pick.largest=2k; scene ray-picking; step 3");
        frame(session, "pick 640 360; step 1");
        frame(session, "set pick.step=1; step 1");
        frame(session, "set pick.step=0; step 1");
        frame(session, "set pick.step=12; step 4");
        frame(session);
        ASSERT_NE(session.state().view.camera.distance, session.state().view.home.distance) << "it follows";
        frame(session, "camera.reset; camera.orbit 10 5; step 1");
        const Camera placed = session.state().view.camera;
        frame(session, "time.back 5");
        EXPECT_EQ(session.state().view.camera.target, placed.target);
        EXPECT_EQ(session.state().view.camera.distance, placed.distance);
        frame(session, "time.goto end");
        EXPECT_EQ(session.state().view.camera.distance, placed.distance);
        frame(session, script);
        frame(session, "step 1");
        frame(session);
        EXPECT_EQ(difference(seen(session), recorded(session)), "");
    }
}

/// Nor does a step of a ray that meets no mesh, whatever rays before it have met.
TEST_F(LookBack, NoRayMovesTheCameraOfAnother) {
    Session session{command_table()};
    frame(session, "pause on; set pick.largest=2k; scene ray-picking; step 3");
    const Camera placed = session.state().view.camera;
    frame(session, "pick 640 360; step 1");
    frame(session, "step 1");
    frame(session, "hide 1; step 1");
    frame(session, "set pick.step=12; step 1");
    frame(session);
    EXPECT_EQ(session.state().view.camera.distance, placed.distance);
    EXPECT_EQ(difference(seen(session), recorded(session)), "");
}

/// The lines after a moment refer to the picture that they were given for, not to the one of a look back.
TEST_F(LookBack, RecordedLinesReadThePictureOfTheRecord) {
    Session session{command_table()};
    frame(session, "pause on; scene narrow-phase");
    frame(session, "camera.frame; step 2");
    frame(session, "set alarms.kind=kdop18");
    frame(session, "select.box 976 501 596 395");
    frame(session, "move.by 0.5 0 0.25");
    frame(session);
    const std::string live = seen(session);
    frame(session, "time.goto start");
    frame(session, "time.goto end");
    EXPECT_EQ(difference(live, seen(session)), "");
}

TEST_F(LookBack, ShowsNoPicksOfTheFuture) {
    Session session{command_table()};
    frame(session, "scene welcome; pause on; step 3");
    frame(session, "pick 640 360; step 3");
    ASSERT_EQ(session.state().view.picks.size(), 1u);
    frame(session, "time.goto 2");
    EXPECT_TRUE(session.state().view.picks.empty());
    frame(session, "time.goto end");
    EXPECT_EQ(session.state().view.picks.size(), 1u);
}

// ---- what commands in the past leave to the present

/// A leaf of the bodies' tree with several bodies.
std::uint32_t full_leaf(const Session& session) {
    const bv::TreeSnapshot& tree = *find_tree(session.results().trees, "bodies");
    std::uint32_t leaf = 0;
    while (leaf < tree.size() && !(tree.is_leaf(leaf) && tree.payload_count[leaf] > 1))
        ++leaf;
    return leaf;
}

TEST_F(LookBack, ALeafKeepsTheBodiesThatWereSelectedWithIt) {
    for (const char* change : {"move {} 30 0 0; step 3", "remove {}; step 3"}) {
        SCOPED_TRACE(change);
        Session session{command_table()};
        frame(session, "scene welcome; pause on; set broadphase.kind=wide-tree; step 3");
        const std::uint32_t leaf = full_leaf(session);
        const bv::TreeSnapshot tree = *find_tree(session.results().trees, "bodies");
        ASSERT_LT(leaf, tree.size());
        const std::uint64_t last = tree.payloads[tree.first_payload[leaf] + tree.payload_count[leaf] - 1];
        frame(session, fmt::format(fmt::runtime(change), last));
        frame(session, "time.goto 3");
        frame(session, fmt::format("time.goto 3; select.node bodies {}", full_leaf(session)));
        frame(session, "time.goto end");
        ASSERT_TRUE(session.results().selected_node);
        ASSERT_TRUE(session.state().selected().valid());
        EXPECT_EQ(difference(seen(session), recorded(session)), "");
    }
}

TEST(Selecting, ABoxOfBodiesDropsTheNode) {
    Session session{command_table()};
    frame(session, "scene welcome; pause on");
    frame(session, "select.node bodies 0; select.box 0 0 1280 720 add");
    EXPECT_TRUE(session.state().selected().valid());
    EXPECT_FALSE(session.results().selected_node);
    frame(session, "select.node bodies 0 1 2");
    EXPECT_FALSE(session.state().selected().valid()) << "no leaf";
    EXPECT_TRUE(session.results().selected_node);
}

/// Before its first picture, a scene is asked for its own trees, steps and values.
TEST_F(LookBack, CommandsInTheFrameOfAStartAreRecordedAsTheyRan) {
    for (const char* script :
         {"scene welcome; pick.node 640 360; step 3", "restart; pick.node 700 380; tree.isolate on; step 3",
          "scene welcome; spawn 3; pick.node 700 380; select.parent; step 3", "restart; camera.frame; step 2",
          "scene fit-obb; step.goto 3; step 2", "scene welcome; select.node bodies 2; step 2"}) {
        SCOPED_TRACE(script);
        Session session{command_table()};
        frame(session, "scene narrow-phase; pause on; step 3");
        frame(session, script);
        frame(session);
        EXPECT_EQ(difference(seen(session), recorded(session)), "");
    }
}

/// What is selected at the start is selected in its other future, too.
TEST_F(LookBack, ANodeAtTheStartIsRecorded) {
    Session session{command_table()};
    frame(session, "scene welcome; pause on; step 5");
    frame(session, "time.goto start");
    frame(session, "select.node bodies 7");
    frame(session, "remove 1 2 3 4 5 6 7 8 9 10; step 2");
    ASSERT_TRUE(session.results().selected_node);
    EXPECT_EQ(difference(seen(session), recorded(session)), "");
}

/// What was refused when it was recorded is refused once more where the recording plays, not where it is
/// skipped.
TEST_F(LookBack, ALineThatWasRefusedIsNotRefusedInSilence) {
    Session session{command_table()};
    frame(session, "scene aabb-sweep; pause on; select.node b 8");
    EXPECT_EQ(session.refused_commands(), 1u);
    frame(session, "step 3");
    frame(session, "record.save " + quote_word(path("refused.bvrec")));
    Session played{command_table()};
    frame(played, open("refused.bvrec") + "; time.goto end");
    frame(played);
    const auto& all = played.messages().messages();
    const auto errors =
        std::count_if(all.begin(), all.end(), [](const Message& m) { return m.severity == Severity::Error; });
    EXPECT_EQ(played.refused_commands() == 0, errors == 0);
}

/// What was selected in the past counts, also if it is a node, or nothing.
TEST(LookingBack, ASelectionInThePastReplacesBodiesThatItDoesNotHave) {
    for (const char* selection : {"select none", "select.node bodies 0"}) {
        Session session{command_table()};
        frame(session, "scene welcome; pause on; step 3");
        frame(session, "spawn 2; select 41; step 3");
        frame(session, "time.goto 2");
        frame(session, selection);
        frame(session, "time.goto end");
        EXPECT_FALSE(session.state().selected().valid()) << selection;
    }
}

/// A jump after a command shows what that did, and so does its replay.
TEST_F(LookBack, ALineBeforeAJumpToTheEndIsShownInAFrame) {
    Session session{command_table()};
    frame(session, "scene narrow-phase; pause on; set alarms.kind=capsule");
    frame(session, "set alarms.kind=obb; time.goto end");
    frame(session, "camera.frame all");
    EXPECT_EQ(difference(seen(session), recorded(session)), "");
}

TEST_F(LookBack, APlayedRecordingShowsItsOwnPointer) {
    Session session{command_table()};
    frame(session, "scene welcome; pause on; hover 400 300; step 2");
    frame(session, "hover 640 360; step 2");
    frame(session, "hover none; step 2");
    frame(session, "record.save " + quote_word(path("a.bvrec")));
    Session played{command_table()};
    frame(played, open("a.bvrec"));
    const auto pointer = [&played] { return played.state().view.hover_px; };
    for (; played.timeline().in_past(); frame(played)) {
        using Pixel = std::optional<glm::vec2>;
        const Pixel expected[] = {{}, {{400, 300}}, {{400, 300}}, {{640, 360}}, {{640, 360}}, {}, {}};
        EXPECT_EQ(pointer(), expected[played.results().steps]) << played.results().steps;
    }
    frame(played, "time.goto 2; hover 10 20");
    frame(played, "time.goto 4");
    EXPECT_EQ(pointer(), glm::vec2(10, 20)) << "the user's";
}

/// Commands that no record holds make no difference to those around them.
TEST_F(LookBack, CommandsOfTheWindowBetweenEditsChangeNoTree) {
    for (const char* engine :
         {"dynamic-tree", "dynamic-tree; set tree.upkeep=reinsertion", "wide-tree", "incremental-sweep"}) {
        SCOPED_TRACE(engine);
        Session session{command_table()};
        frame(session, fmt::format("scene welcome; pause on; set broadphase.kind={}; step 2", engine));
        frame(session,
              "move 3 1 2 0; pause on; move 4 1 2 0; set ui.theme=light; move 5 1 2 1; pause on; "
              "move 6 -2 0 0; move 7 0 0 3; pause on; move 8 1 2 1");
        frame(session, "move 3 2 2 0; pause on; move 3 -4 2 0; pause on; move 3 1 2 0");
        frame(session,
              "move 3 9 9 9; report x.json; move 3 0 1 0; help move; move 3 9 0 9; pause on; move 3 1 1 1");
        frame(session, "step 3");
        EXPECT_EQ(difference(seen(session), recorded(session)), "");
    }
}

/// Neither do refused ones, which bring the engine up to date as others do.
TEST_F(LookBack, RefusedCommandsBetweenEditsChangeNoTree) {
    for (const char* engine : {"dynamic-tree; set tree.upkeep=reinsertion", "incremental-sweep"}) {
        SCOPED_TRACE(engine);
        Session session{command_table()};
        frame(session, fmt::format("scene welcome; pause on; set broadphase.kind={}; step 2", engine));
        frame(session, "move 3 9 9 9; remove 999; move 3 0 1 0; remove 999; move 3 9 0 9");
        frame(session, "step 3");
        frame(session, "record.save " + quote_word(path("again.bvrec")));
        Session again{command_table()};
        frame(again, open("again.bvrec") + "; time.goto end");
        // The refusals differ only in where they come from.
        const auto without = [](std::string text, std::string_view origin) {
            for (std::size_t at = 0; (at = text.find(origin, at)) != std::string::npos;)
                text.erase(at, origin.size());
            return text;
        };
        EXPECT_EQ(difference(without(seen(session), "test:1"), without(seen(again), "recording")), "");
    }
}

TEST_F(LookBack, ForgettingEditsKeepsTheFuture) {
    Session session{command_table()};
    frame(session, "scene welcome; pause on; step 3");
    frame(session, "spawn 1; step 3");
    frame(session, "spawn 1; step 3");
    frame(session, "time.goto 5; edit.forget");
    EXPECT_TRUE(session.timeline().in_past());
    EXPECT_EQ(session.state().edits.undo_count(), 0u);
    frame(session, "time.goto 7");
    EXPECT_EQ(session.state().edits.undo_count(), 0u);
    frame(session, "time.goto end");
    EXPECT_EQ(session.results().bodies.size(), 42u);
    EXPECT_EQ(session.state().edits.undo_count(), 0u) << "all that was done so far";
    frame(session, "undo; step 1; time.goto start; time.goto end");
    EXPECT_EQ(session.results().bodies.size(), 42u);
    EXPECT_EQ(session.state().edits.undo_count(), 0u);
    EXPECT_EQ(difference(seen(session), recorded(session)), "");
}

/// The edits of the record do not join a group that the user has begun while looking back at what was before.
TEST_F(LookBack, AGroupBegunInThePastIsOfLaterEdits) {
    Session session{command_table()};
    frame(session, "scene welcome; pause on; step 3");
    frame(session, "spawn 1; step 3");
    frame(session, "spawn 1; step 3");
    frame(session, "time.goto 3");
    frame(session, "time.goto 2; edit.begin drag");
    frame(session, "time.goto 7");
    EXPECT_EQ(session.state().edits.undo_count(), 2u);
    frame(session, "time.goto end");
    EXPECT_EQ(session.state().edits.undo_count(), 2u);
    frame(session, "move 3 0 1 0");
    frame(session, "move 4 0 1 0; edit.end; step 2");
    EXPECT_EQ(session.state().edits.undo_count(), 3u);
    EXPECT_EQ(session.state().edits.next_undo()->label, "drag");
    frame(session, "undo; undo; step 1");
    EXPECT_EQ(session.results().bodies.size(), 41u);
    EXPECT_EQ(difference(seen(session), recorded(session)), "");
}

TEST_F(LookBack, ACopyMadeInThePastChangesNoRecordedPaste) {
    Session session{command_table()};
    frame(session, "scene welcome; pause on; step 3");
    frame(session, "select 3; copy; step 1");
    frame(session, "paste; step 3");
    const auto last_body = [&session] { return session.results().bodies.back().transform; };
    const glm::mat4x3 pasted_at = last_body();
    frame(session, "time.goto 4; select 5 6; copy");
    frame(session, "time.goto end");
    EXPECT_EQ(session.results().bodies.size(), 41u);
    EXPECT_EQ(last_body(), pasted_at);
    // Bodies of another moment: no record leads to them, but what follows can still be looked at.
    frame(session, "paste; step 2");
    EXPECT_EQ(session.results().bodies.size(), 43u);
    const std::string pasted = seen(session);
    frame(session, "step 3; time.back 3");
    frame(session, "time.goto 7");
    frame(session, "time.goto 9");
    EXPECT_EQ(difference(pasted, seen(session)), "");
    EXPECT_FALSE(session.timeline().is_whole());
    expect_no_errors(session);
    frame(session, "time.goto 3");
    EXPECT_EQ(session.refused_commands(), 1u);
}

TEST_F(LookBack, ACopyMadeInThePastIsRecordedWithItsPaste) {
    Session session{command_table()};
    frame(session, "scene welcome; pause on; step 6");
    frame(session, "time.goto 4; select 5 6; copy; select 7");
    frame(session, "paste; step 2");
    EXPECT_EQ(session.results().bodies.size(), 42u);
    EXPECT_EQ(difference(seen(session), recorded(session)), "");
}

/// A step that is a part of the scene, such as the frame of a capture, begins another future; one that only
/// shows an axis does not.
TEST_F(LookBack, StepsOfTheSceneAreRecorded) {
    Session capture{command_table()};
    frame(capture, "scene capture; set capture.play=off; pause on; step 5");
    frame(capture, "time.back 2");
    frame(capture, "step.back");
    EXPECT_TRUE(capture.timeline().in_past()) << "there is no frame before";
    frame(capture, "step.next 3");
    EXPECT_FALSE(capture.timeline().in_past());
    EXPECT_EQ(test::value_of(capture, "capture.frame"), "3");
    EXPECT_EQ(difference(seen(capture), recorded(capture)), "");

    Session boxes{command_table()};
    frame(boxes, "scene obb-sat; pause on; step 5");
    frame(boxes, "time.back 2; step.goto 7");
    EXPECT_TRUE(boxes.timeline().in_past());
    frame(boxes, "time.goto end");
    EXPECT_EQ(test::value_of(boxes, "sat.axis"), "7");
    EXPECT_EQ(difference(seen(boxes), recorded(boxes)), "");
}

/// So does a click that changes what the scene computes with.
TEST_F(LookBack, ClicksThatChangeTheSceneAreRecorded) {
    for (const char* scene : {"rectangles", "less-work"}) {
        SCOPED_TRACE(scene);
        Session session{command_table()};
        frame(session, fmt::format("scene {}; pause on; step 5", scene));
        frame(session, "time.back 2; pick 1 1");
        EXPECT_TRUE(session.timeline().in_past()) << "nothing is there";
        const auto pick = [&session](glm::vec2 at) {
            if (session.timeline().in_past()) frame(session, fmt::format("pick {} {}", at.x, at.y));
        };
        const std::vector<Handle> handles = session.results().handles;
        const View view = session.state().view;
        for (std::size_t i = 0; i + 1 < handles.size(); ++i)  // an edge of a rectangle
            pick(*view.pixel_of(0.5f * (handles[i].position + handles[i + 1].position)));
        for (int x = 200; x < 1100; x += 31)
            for (int y = 100; y < 650; y += 31)
                pick({x, y});
        EXPECT_FALSE(session.timeline().in_past());
        EXPECT_EQ(session.timeline().last_step(), 3u);
        frame(session, "step 2");
        EXPECT_EQ(difference(seen(session), recorded(session)), "");
    }
}

// ---- the view while the past is on show

TEST(LookingBack, TheViewStaysInThePast) {
    Session session{command_table()};
    frame(session, "scene welcome; select 3; camera.look 10 20 30");
    for (int i = 0; i < 30; ++i)
        frame(session);
    frame(session, "camera.look 40 50 60; select 4; set draw.obb=false; hide 2; ray.pin 0 0 0 1 0 0");
    frame(session, "time.goto 10; pick 640 360; select 4");
    EXPECT_FLOAT_EQ(session.state().view.camera.distance, 60.0f);
    EXPECT_EQ(session.state().selected().value, 4u);
    EXPECT_FALSE(session.state().settings[kDrawObb]);
    EXPECT_TRUE(session.state().world.find({2})->state.hidden);
    EXPECT_TRUE(session.state().settings[kSimPaused]);
    frame(session, "camera.look 1 2 5; step 3");
    EXPECT_EQ(session.results().steps, 13u);
    EXPECT_TRUE(session.timeline().in_past()) << "moving the camera changes no future";
    EXPECT_FLOAT_EQ(session.state().view.camera.distance, 5.0f);
    frame(session, "set verify=true; step 2");
    EXPECT_TRUE(session.results().checks.enabled);
    EXPECT_TRUE(session.timeline().in_past()) << "neither does a check";
    frame(session, "time.goto end");
    EXPECT_FLOAT_EQ(session.state().view.camera.distance, 5.0f);
    expect_no_errors(session);
}

TEST(LookingBack, TheViewKeepsBodiesThatThePastDoesNotHave) {
    Session session{command_table()};
    frame(session, "scene welcome; step 5");
    frame(session, "spawn 4 torus; step 5");
    frame(session, "select 41 42; hide 41; step 3");
    const auto selected = [&] { return session.state().view.selection.bodies; };
    const auto is_hidden = [&](std::uint32_t id) {
        return std::as_const(session).state().world.find({id})->state.hidden;
    };
    frame(session, "time.goto start");
    EXPECT_TRUE(selected().empty());
    frame(session, "hide 3; time.goto 2");
    frame(session, "time.goto end");
    EXPECT_TRUE(is_hidden(3));
    EXPECT_TRUE(is_hidden(41));
    EXPECT_FALSE(is_hidden(42));
    EXPECT_EQ(selected(), (std::vector<bv::BodyId>{{41}, {42}}));
    frame(session, "time.goto start; select 5; time.goto end");
    EXPECT_EQ(selected(), (std::vector<bv::BodyId>{{5}})) << "what was selected in the past counts";
    frame(session, "time.goto start; spawn 1; step 2");
    EXPECT_FALSE(is_hidden(41)) << "a body of another future";
    expect_no_errors(session);
}

TEST(LookingBack, TheViewKeepsANodeThatThePastDoesNotHave) {
    Session session{command_table()};
    frame(session, "scene welcome; clear; step 5");
    frame(session, "spawn 9 torus; step 5");
    frame(session);
    frame(session, "select.node bodies 0; tree.isolate on; step 2");
    const auto node = session.results().selected_node;
    ASSERT_TRUE(node);
    frame(session, "time.goto 3");
    EXPECT_FALSE(session.results().selected_node);
    EXPECT_FALSE(session.results().isolated_node);
    frame(session, "time.goto 4");
    frame(session, "time.goto end");
    ASSERT_TRUE(session.results().selected_node);
    EXPECT_EQ(session.results().selected_node->node, node->node);
    EXPECT_TRUE(session.results().isolated_node);
    frame(session, "time.goto 3");
    frame(session, "select none; tree.isolate off; time.goto end");
    EXPECT_FALSE(session.results().selected_node) << "deselected in the past";
    EXPECT_FALSE(session.results().isolated_node);
    const std::uint32_t body = session.results().bodies.back().id.value;
    frame(session, "select.triangle " + std::to_string(body) + " 3; step 1");
    frame(session, "time.goto 3");
    EXPECT_FALSE(session.results().selected_triangle);
    frame(session, "time.goto end");
    ASSERT_TRUE(session.results().selected_triangle);
    EXPECT_EQ(session.results().selected_triangle->triangle, 3u);
    // In another future, what does not exist is not selected either.
    frame(session, "select.node bodies 0; step 1");
    frame(session, "time.goto 3");
    frame(session, "spawn 1; step 2");
    EXPECT_FALSE(session.timeline().in_past());
    EXPECT_FALSE(session.state().view.selection.node.holds());
    expect_no_errors(session);
}

TEST(LookingBack, AFrameThatItAddsIsVerified) {
    Session session{command_table()};
    frame(session, "scene welcome; set verify=true; time.goto end; reset all");
    EXPECT_EQ(session.results().checks.frames, 1u) << "in the frame itself it is off again";
}

/// A recording is played step by step, also amid frames of several steps: nobody saw those moments.
TEST_F(LookBack, ANodeThatIsGoneAmidAFrameStaysSelected) {
    const std::vector<std::vector<const char*>> kSessions = {
        {"pause on; scene welcome", "select.node bodies 15", "step 2", "move 20 3.00 -1.80 0.16; step 2",
         "step 2; step 2", ""},
        {"pause on; scene capture", "restart; step 2; select.node dynamic 19", ""}};
    for (const auto& lines : kSessions) {
        Session session{command_table()};
        for (const char* line : lines)
            frame(session, line);
        ASSERT_TRUE(session.results().selected_node);
        frame(session, "record.save " + quote_word(path("a.bvrec")));
        Session played{command_table()};
        frame(played, "pause off; " + open("a.bvrec"));
        for (int i = 0; i < 100 && played.timeline().in_past(); ++i)
            frame(played, "");
        frame(played, "time.goto end");
        ASSERT_TRUE(played.results().selected_node) << lines[0];
        EXPECT_EQ(played.results().selected_node->node, session.results().selected_node->node);
        expect_no_errors(played);
    }
}

/// The probe starts at a place that follows from the tree of the frame before.
TEST_F(LookBack, AProbePlacedByALineIsWhereItWasPlaced) {
    const auto probe = [](const Session& session) {
        std::string all;
        for (const SettingSpec* row : setting_catalog().rows())
            if (row->id.starts_with("probe."))
                all += fmt::format("{}={}\n", row->id, session.state().settings.get_as_text(*row));
        return all;
    };
    for (const char* line : {"probe.aim 1 2 3", "probe 1 2 3", "probe.pixel 640 300",
                             "scene.drag probe 1 2 3", "scene.drag probe.aim 1 2 3"}) {
        SCOPED_TRACE(line);
        Session session{command_table()};
        frame(session, "scene welcome");
        frame(session, "set probe.kind=ray");
        for (int i = 0; i < 30; ++i)
            frame(session, "");
        frame(session, line);
        for (int i = 0; i < 10; ++i)
            frame(session, "");
        frame(session, "record.save " + quote_word(path("a.bvrec")));
        Session jumped{command_table()};
        frame(jumped, open("a.bvrec") + "; time.goto end");
        EXPECT_EQ(probe(jumped), probe(session));
        // Right after the start of a scene there is no frame before.
        Session first{command_table()}, second{command_table()};
        frame(first, std::string("scene welcome; set probe.kind=ray; ") + line);
        frame(second, "scene stress; set probe.kind=ray; step 5");
        frame(second, std::string("scene welcome; set probe.kind=ray; ") + line);
        EXPECT_EQ(probe(first), probe(second)) << "of the scene before";
        frame(first, "record.save " + quote_word(path("a.bvrec")));
        Session again{command_table()};
        frame(again, open("a.bvrec") + "; time.goto end");
        EXPECT_EQ(probe(again), probe(first));
    }
}

/// The engines that a scene keeps for itself have not seen what was only looked at.
TEST_F(LookBack, AnEditAtTheStartLeavesEnginesOfTheSceneAsTheReplayHasThem) {
    for (const char* back : {"time.goto 0", "time.goto start"}) {
        Session session{command_table()};
        frame(session, "scene broadphases");
        for (const char* line : {"", "pause on", "step 3", back, "", "move 3 1 1 1", "step 5", "step 9"})
            frame(session, line);
        frame(session, "record.save " + quote_word(path("a.bvrec")));
        Session jumped{command_table()};
        frame(jumped, open("a.bvrec") + "; time.goto end");
        ASSERT_EQ(jumped.timeline().place().steps, session.timeline().place().steps);
        const auto &live = session.results().tables, &again = jumped.results().tables;
        ASSERT_FALSE(live.empty());
        ASSERT_EQ(live.size(), again.size());
        ASSERT_EQ(live[0].id, "broadphases");
        ASSERT_EQ(live[0].rows.size(), again[0].rows.size());
        for (std::size_t i = 0; i < live[0].rows.size(); ++i)
            EXPECT_EQ(to_text(live[0].rows[i].cells[1]), to_text(again[0].rows[i].cells[1]))
                << to_text(live[0].rows[i].cells[0]);
    }
}

/// A record holds the moves of a player, and not the keys of the stepper that asked for them.
TEST_F(LookBack, AGamePlayedByTheKeysOfTheStepperIsReplayed) {
    Session session{command_table()};
    frame(session, "scene voxel-invaders");
    for (int i = 0; i < 60; ++i)
        frame(session, i % 20 == 5 ? "scene.step 2" : i % 20 == 15 ? "scene.step -1" : "");
    const auto ship = [](const Session& s) { return find_handle(s.results().handles, "ship")->position.x; };
    frame(session, "record.save " + quote_word(path("a.bvrec")));
    Session played{command_table()};
    frame(played, open("a.bvrec"));
    const std::uint64_t last = session.timeline().last_step();
    ASSERT_TRUE(played.timeline().in_past());
    while (played.timeline().in_past() && played.timeline().place().steps < last)
        frame(played, "");
    EXPECT_EQ(played.timeline().last_step(), last) << "the player moved again, and ended the record";
    EXPECT_EQ(ship(played), ship(session));
    expect_no_errors(played);
}

/// Undo brings back what a setting has made the scene replace, in the record and in the past, too.
TEST_F(LookBack, UndoOfASettingIsReplayed) {
    const char* const edits[][4] = {
        {"gjk", "scene.drag a -3 2 1", "set gjk.preset=touching", "set gjk.a=ball"},
        {"ray-aabb", "scene.drag origin -3 2 1", "set ray_aabb.preset=face", "reset all"},
        {"voxel-pairs", "scene.drag a -1 2 1", "set voxel_pairs.preset=face; set voxel_pairs.size=0.5",
         "set voxel_pairs.turn=3"},
        {"fit-sphere", "points.add", "set points.count=20", "scene.drag p3 1 2 3"},
        {"grid", "boxes.add", "set boxes.count=12", "boxes.remove"},
        {"less-work", "scene.drag body 1 0 1", "set less.count=30", "set less.at_rest=0.5"},
        {"rectangles", "corners.add", "set polygons.preset=inside", "scene.value a.corners 6"}};
    for (const auto& [scene, first, second, third] : edits) {
        SCOPED_TRACE(scene);
        Session session{command_table()};
        frame(session, std::string("scene ") + scene);
        for (const char* line : {first, "", second, "", third, "", "undo", "", "undo", "", "redo", "",
                                 "undo; undo", "redo; redo", "", "step 3; undo", ""})
            frame(session, line);
        EXPECT_EQ(difference(seen(session), recorded(session)), "");
        frame(session, "time.back 8; undo");
        frame(session, "");
        frame(session, "redo");
        frame(session, "time.back 1; time.goto end; undo; undo");
        frame(session, "");
        EXPECT_EQ(difference(seen(session), recorded(session)), "");
        expect_no_errors(session);
    }
}

}  // namespace
}  // namespace lab
