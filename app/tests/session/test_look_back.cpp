// Records of sessions in which the user looked back, and what records keep of the time before them: saved,
// linked or recorded, they lead to the same state.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "commands/catalog.hpp"
#include "io/sessions/report.hpp"
#include "io/sessions/scene_file.hpp"
#include "record_test_tools.hpp"
#include "session/files/saver.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session_bits.hpp"
#include "session_test_tools.hpp"
#include "temp_dir.hpp"

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

}  // namespace
}  // namespace lab
