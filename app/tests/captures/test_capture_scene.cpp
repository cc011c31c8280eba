// Captures in the program: opened like every other file, played, scrubbed, saved; broken trees are shown.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "capture/diagnosis.hpp"
#include "capture/samples/samples.hpp"
#include "capture/shown_frame.hpp"
#include "commands/catalog.hpp"
#include "io/captures/capture_file.hpp"
#include "io/captures/capture_tree.hpp"
#include "io/sessions/scene_file.hpp"
#include "io_test_tools.hpp"
#include "scenes/files/capture_picture.hpp"
#include "session/files/saver.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "world/opened_files.hpp"

namespace lab {
namespace {

using capture::SampleKind;
using io::testing_tools::TestFolder;

std::string text_of(const std::vector<std::uint8_t>& bytes) {
    return {bytes.begin(), bytes.end()};
}

class CaptureScene : public ::testing::Test {
  protected:
    /// A file with a made-up capture; its path.
    std::string write(SampleKind kind, const std::string& name = "game.bvcap") {
        sample_ = capture::make_sample(kind, 5);
        return folder_.write(name, text_of(sample_.bytes)).string();
    }
    /// The same frame, read by itself.
    [[nodiscard]] io::CaptureFrame frame(std::size_t place) const {
        auto file = io::CaptureFile::from_bytes(sample_.bytes, "x.bvcap");
        EXPECT_TRUE(file);
        auto read = file->frame(place);
        EXPECT_TRUE(read);
        return std::move(*read);
    }
    static const bv::TreeSnapshot& tree(const Session& session) {
        static const bv::TreeSnapshot kNone;
        return session.results().trees.empty() ? kNone : session.results().trees.front().second;
    }
    void expect_frame(const Session& session, std::size_t place) const {
        const io::CaptureFrame expected = frame(place);
        EXPECT_EQ(tree(session), io::snapshot_of(expected.trees.front(), expected.proxies).tree) << place;
    }

    TestFolder folder_;
    capture::Sample sample_;
};

/// Each kind of mark has its own limit.
TEST(CapturePicture, ManyDefectsOfOneKindHideNoOther) {
    using Kind = io::CaptureDefect::Kind;
    capture::ShownTree tree;
    tree.id = "t";
    tree.node_ids = {1, 2};
    tree.snapshot.tree.boxes.assign(2, {glm::vec3(0), glm::vec3(1)});
    std::vector<io::CaptureDefect>& defects = tree.snapshot.defects;
    const io::CaptureDefect shared{Kind::SamePayload, 1, 7, 0.0f}, outside{Kind::ChildOutside, 1, 2, 0.5f};
    defects.assign(250, shared);
    defects.push_back(outside);
    FrameResults results;
    scenes::put_broken_nodes(results, tree);
    EXPECT_EQ(results.exhibits.size(), 200u);
    ASSERT_EQ(results.broken_nodes.size(), 1u);
    EXPECT_EQ(results.broken_nodes[0].nodes.size(), 1u);
    defects.assign(250, outside);
    defects.push_back(shared);
    results = {};
    scenes::put_broken_nodes(results, tree);
    EXPECT_EQ(results.exhibits.size(), 1u);
    ASSERT_EQ(results.broken_nodes.size(), 1u);
    EXPECT_EQ(results.broken_nodes[0].nodes.size(), 200u);
    EXPECT_EQ(results.broken_nodes[0].count, 250u);
}

TEST_F(CaptureScene, OpensPlaysAndScrubs) {
    const std::string path = write(SampleKind::Sound);
    Session session{command_table()};
    test::run(session, "open " + quote_word(path));
    EXPECT_EQ(session.results().scene_id, "capture");
    ASSERT_EQ(session.shown().opened.captures.size(), 1u);
    test::frames(session, 9);  // ten steps at 30 frames a second
    EXPECT_EQ(test::value_of(session, "capture.frame"), "5");
    expect_frame(session, 5);
    test::run(session, "set capture.play=off; set capture.frame=77", 3);
    EXPECT_EQ(test::value_of(session, "capture.frame"), "77");
    expect_frame(session, 77);
    test::run(session, "set capture.frame=3");
    expect_frame(session, 3);
    test::run(session, "set capture.frame=119; set capture.play=on", 2);
    EXPECT_EQ(test::value_of(session, "capture.frame"), "0") << "in a loop";
    EXPECT_EQ(test::table_of(session, "diagnosis").rows.size(), 2u);
    ASSERT_TRUE(session.results().curves);
    for (const Curves::Line& line : session.results().curves->lines)
        EXPECT_EQ(line.values.size(), 120u) << line.name;
}

TEST_F(CaptureScene, GoesFromMarkToMark) {
    const std::string path = write(SampleKind::Giant);
    Session session{command_table()};
    test::run(session, "open " + quote_word(path) + "; set capture.play=off; set capture.frame=0", 5);
    ASSERT_TRUE(session.results().film && session.results().film->marks);
    const std::vector<Film::Mark> marks = *session.results().film->marks;
    ASSERT_FALSE(marks.empty());
    ASSERT_GT(marks.back().frame, 0);
    int now = 0;
    for (const Film::Mark& mark : marks) {
        if (mark.frame <= now) continue;
        test::run(session, "film.mark", 3);
        EXPECT_EQ(test::value_of(session, "capture.frame"), std::to_string(mark.frame));
        now = mark.frame;
    }
    test::run(session, "set capture.frame=119; film.mark back", 4);
    EXPECT_EQ(test::value_of(session, "capture.frame"), std::to_string(marks.back().frame));
}

/// Children and payloads of a node, in their order.
std::vector<std::uint64_t> below(const io::CaptureTree& tree, std::uint64_t id) {
    for (const io::CaptureNode& node : tree.nodes) {
        if (node.id != id) continue;
        std::vector<std::uint64_t> out{node.child_count};
        for (std::size_t k = 0; k < node.child_count; ++k)
            out.push_back(tree.children[node.first_child + k]);
        for (std::size_t k = 0; k < node.payload_count; ++k)
            out.push_back(tree.payloads[node.first_payload + k]);
        return out;
    }
    return {};
}

TEST_F(CaptureScene, SaysSinceWhichFrameANodeHasItsChildren) {
    const std::string path = write(SampleKind::Sound);
    Session session{command_table()};
    test::run(session, "open " + quote_word(path) + "; set capture.play=off; set capture.frame=80", 5);
    ASSERT_EQ(session.results().captured_nodes.size(), 1u);
    const CapturedNodes nodes = session.results().captured_nodes.front();
    ASSERT_TRUE(nodes.since);
    EXPECT_FALSE(nodes.since(static_cast<std::uint32_t>(nodes.numbers->size())));
    std::vector<io::CaptureTree> trees;
    for (std::size_t place = 0; place <= 80; ++place)
        trees.push_back(frame(place).trees.at(0));
    std::set<std::uint32_t> different;
    for (std::size_t i = 0; i < nodes.numbers->size(); i += 7) {
        const std::uint64_t id = (*nodes.numbers)[i];
        const std::vector<std::uint64_t> now = below(trees[80], id);
        std::uint32_t since = 80;
        while (since > 0 && below(trees[since - 1], id) == now)
            --since;
        ASSERT_EQ(nodes.since(static_cast<std::uint32_t>(i)), since) << "node " << id;
        different.insert(since);
    }
    EXPECT_GT(different.size(), 3u);
}

TEST_F(CaptureScene, ShowsEveryCaptureOfTheSession) {
    Session session{command_table()};
    const std::string first = write(SampleKind::Sound);
    test::run(session, "open " + quote_word(first));
    const bv::TreeSnapshot sound = tree(session);
    EXPECT_EQ(session.results().captured_nodes.size(), session.results().trees.size());
    const std::string second = write(SampleKind::SortedRow, "other.bvcap");
    test::run(session, "open " + quote_word(second), 2);
    ASSERT_EQ(session.shown().opened.captures.size(), 2u);
    const Table list = test::table_of(session, "captures");
    ASSERT_EQ(list.rows.size(), 2u);
    EXPECT_EQ(list.rows[1].mark, RowMark::Chosen);
    EXPECT_EQ(list.rows[0].command, "capture.show 1; capture.newest");
    EXPECT_EQ(to_text(list.rows[0].cells[0]), "1") << "the number that capture.show takes";
    test::run(session, "set capture.play=off; " + list.rows[0].command + "; set capture.frame=0", 3);
    EXPECT_EQ(tree(session), sound);
    EXPECT_EQ(test::table_of(session, "captures").rows[1].mark, RowMark::Chosen) << "now it is the newest";
}

/// Where a ray enters a box, by slabs in double precision; infinity if it misses.
double entry(const bv::Ray& ray, const bv::Aabb& box) {
    double enter = 0.0, leave = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k) {
        const double o = ray.origin[k], d = ray.direction[k];
        const double a = (static_cast<double>(box.min[k]) - o) / d,
                     b = (static_cast<double>(box.max[k]) - o) / d;
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
    }
    return enter <= leave ? enter : std::numeric_limits<double>::infinity();
}

TEST_F(CaptureScene, AClickMarksTheBodyThatIsSeenThere) {
    const std::string path = write(SampleKind::Sound);
    Session session{command_table()};
    test::run(session, "open " + quote_word(path) + "; set capture.play=off; set capture.frame=50", 3);
    const io::CaptureFrame shown = frame(50);
    std::set<std::string> marked;
    for (int x = 340; x <= 940; x += 40)
        for (int y = 200; y <= 520; y += 40) {
            const glm::vec2 pixel(x, y);
            const bv::Ray ray = session.state().view.ray_through(pixel);
            std::string expected;
            double nearest = std::numeric_limits<double>::infinity();
            for (const io::CaptureProxy& proxy : shown.proxies)
                if (const double t = entry(ray, proxy.tight); t < nearest) {
                    nearest = t;
                    expected = std::to_string(proxy.id);
                }
            test::run(session, fmt::format("pick {} {}", x, y));
            EXPECT_EQ(test::value_of(session, "capture.find"), expected) << x << " " << y;
            marked.insert(expected);
        }
    EXPECT_GT(marked.size(), 10u);
    EXPECT_TRUE(marked.contains("")) << "a click beside all bodies marks none";
    const Table& bodies = test::table_of(session, "capture_bodies");
    test::run(session, "set capture.find=" + *marked.rbegin());
    EXPECT_EQ(to_text(bodies.rows.at(0).cells.at(0)), *marked.rbegin()) << "its row comes first";
}

TEST_F(CaptureScene, IsSavedWithItsFrameAndGoesBackInTime) {
    const std::string path = write(SampleKind::Stretched);
    Session session{command_table()};
    test::run(session, "open " + quote_word(path) + "; set capture.speed=60", 30);
    const bv::TreeSnapshot shown = tree(session);
    EXPECT_EQ(test::value_of(session, "capture.frame"), "30");
    test::run(session, "time.goto 12");
    EXPECT_EQ(test::value_of(session, "capture.frame"), "12");
    expect_frame(session, 12);
    test::run(session, "time.goto 30");
    EXPECT_EQ(tree(session), shown);
    const std::string saved = (folder_ / "saved.json").string();
    ASSERT_FALSE(io::write_scene_file(saved, session.saver().saved_scene(saved)));
    Session again{command_table()};
    test::run(again, "open " + quote_word(saved));
    EXPECT_EQ(again.results().scene_id, "capture");
    EXPECT_EQ(test::value_of(again, "capture.frame"), "30");
    EXPECT_EQ(tree(again), shown);
}

TEST_F(CaptureScene, ACaptureChosenAmongSeveralIsTheOneThatIsSaved) {
    const std::string first = write(SampleKind::Stretched),
                      second = write(SampleKind::SortedRow, "other.bvcap");
    for (const char* play : {"on", "off"}) {
        Session session{command_table()};
        test::run(session, "open " + quote_word(first) + "; open " + quote_word(second), 2);
        const bv::TreeSnapshot other = tree(session);
        test::run(session, std::string("set capture.play=") + play + "; capture.show 1; pause on", 2);
        const bv::TreeSnapshot shown = tree(session);
        EXPECT_FALSE(shown == other) << "shown at once, played or not";
        const std::string saved = (folder_ / "chosen.json").string();
        ASSERT_FALSE(io::write_scene_file(saved, session.saver().saved_scene(saved)));
        Session again{command_table()};
        test::run(again, "open " + quote_word(saved), 2);
        EXPECT_EQ(tree(again), shown) << play;
    }
}

TEST_F(CaptureScene, MarksAndListsWhatIsBroken) {
    const std::pair<SampleKind, const char*> kinds[] = {
        {SampleKind::ShrunkBox, "does not contain"},
        {SampleKind::Knot, "which is above it"},
        {SampleKind::LostSubtree, "cannot be reached"},
        {SampleKind::DoubledPayload, "which another node has"}};
    for (const auto& [kind, says] : kinds) {
        Session session{command_table()};
        test::run(session,
                  "open " + quote_word(write(kind)) + "; set capture.play=off; set capture.frame=119");
        const Table& table = test::table_of(session, "capture_broken");
        const auto has = [says = says](const Row& row) {
            return to_text(row.cells[1]).find(says) != std::string::npos;
        };
        EXPECT_TRUE(std::any_of(table.rows.begin(), table.rows.end(), has)) << says;
        const auto& exhibits = session.results().exhibits;
        const bool marked = !session.results().broken_nodes.empty() ||
                            std::any_of(exhibits.begin(), exhibits.end(),
                                        [](const Exhibit& e) { return e.role == Role::Broken; });
        EXPECT_TRUE(marked) << says;
        EXPECT_NE(to_text(test::table_of(session, "diagnosis").rows.front().cells.front()).find("broken"),
                  std::string::npos);
        test::run(session, "set capture.frame=5");
        for (const Table& other : session.results().tables)
            EXPECT_NE(other.id, "capture_broken") << "before it broke";
    }
}

/// Whether the camera shows all of a box, and it fills at least a tenth of the picture's width.
void expect_framed(const Session& session, const bv::Aabb& box) {
    const Camera& camera = session.state().view.camera;
    const float half = camera.distance * std::tan(0.5f * camera.fov_y_rad);
    EXPECT_LT(glm::length(camera.target - box.center()), 0.25f * glm::length(box.size()) + 1e-3f);
    EXPECT_LT(0.5f * glm::length(box.size()), 3.0f * half);
    EXPECT_GT(glm::length(box.size()), 0.1f * half);
}

TEST_F(CaptureScene, FramesWhatWasFoundWhatIsComparedAndEverything) {
    Session session{command_table()};
    test::run(session, "open " + quote_word(write(SampleKind::MixedClusters)) + "; set capture.play=off");
    const io::CaptureProxy body = frame(0).proxies[7];
    test::run(session, test::table_of(session, "capture_bodies").rows[7].command, 2);
    EXPECT_EQ(test::value_of(session, "capture.find"), std::to_string(body.id));
    EXPECT_LT(glm::length(session.state().view.camera.target - body.tight.center()), 0.01f);
    const float near = session.state().view.camera.distance;
    test::run(session, "camera.frame all", 2);
    const bv::Aabb all = session.results().bounds;
    expect_framed(session, all);
    EXPECT_GT(session.state().view.camera.distance, 2.0f * near);
    test::run(session, "camera.frame");
    EXPECT_EQ(session.state().view.camera.distance, near) << "F frames what was found";
    test::run(session, "set capture.beside=rebuilt", 2);
    EXPECT_GT(session.results().bounds.size().x + session.results().bounds.size().z,
              1.5f * (all.size().x + all.size().z) / 2.0f);
    expect_framed(session, session.results().bounds);
    test::run(session, "set capture.find=; camera.fly 500 0 0", 2);
    test::run(session, "camera.frame");
    expect_framed(session, session.results().bounds);
}

TEST_F(CaptureScene, ListsTheMarksOfTheEngineWithTheirFrames) {
    std::string lines = "{\"capture\": 1}\n";
    for (int i = 0; i < 12; ++i) {
        lines += fmt::format("{{\"frame\": {}}}\n", 10 * i);
        if (i == 0)
            lines += R"({"create": 1, "tight": [0, 0, 0, 1, 1, 1]})"
                     "\n";
        if (i == 4) lines += "{\"mark\": \"level loaded\"}\n";
        if (i == 9) lines += "{\"mark\": \"boss\"}\n{\"mark\": \"boss fell\"}\n";
    }
    const auto path = folder_.write("marks.jsonl", lines).string();
    Session session{command_table()};
    test::run(session, "open " + quote_word(path) + "; set capture.play=off", 2);
    EXPECT_EQ(test::errors_of(session), "");
    const Table& marks = test::table_of(session, "capture_marks");
    ASSERT_EQ(marks.rows.size(), 3u);
    EXPECT_EQ(to_text(marks.rows[0].cells[0]) + to_text(marks.rows[0].cells[1]), "40level loaded");
    EXPECT_EQ(to_text(marks.rows[2].cells[0]) + to_text(marks.rows[2].cells[1]), "90boss fell");
    const std::string look = marks.rows[1].command;
    test::run(session, look, 2);
    EXPECT_EQ(test::value_of(session, "capture.frame"), "90");
    ASSERT_TRUE(session.results().film);
    EXPECT_EQ(session.results().film->place, 9u);
    EXPECT_EQ(session.results().film->numbers->back(), 110);
    EXPECT_EQ(session.results().film->caption(), "frame 90 (10 of 12)  0.00 s");
}

TEST_F(CaptureScene, NumbersOfFramesThatNoSettingHoldsAreShownWhole) {
    for (const std::uint64_t first : {std::uint64_t{2147483640}, std::uint64_t{9007199254740993}}) {
        std::string lines;
        for (std::uint64_t i = 0; i < 12; ++i) {
            lines +=
                fmt::format("{{\"frame\": {}, \"time\": {}}}\n", first + i, 0.5 * static_cast<double>(i));
            if (i == 0) lines += "{\"create\": 1, \"tight\": [0, 0, 0, 1, 1, 1]}\n";
            if (i == 9) lines += "{\"mark\": \"boss\"}\n";
        }
        Session session{command_table()};
        test::run(session,
                  "open " + quote_word(folder_.write("late.jsonl", lines).string()) +
                      "; set capture.play=off; set capture.frame=3",
                  2);
        EXPECT_EQ(test::errors_of(session), "");
        ASSERT_TRUE(session.results().film);
        EXPECT_EQ(session.results().film->caption(), fmt::format("frame {} (4 of 12)  1.50 s", first + 3));
        const Row mark = test::table_of(session, "capture_marks").rows.at(0);
        EXPECT_EQ(to_text(mark.cells[0]), std::to_string(first + 9));
        test::run(session, mark.command, 2);
        EXPECT_EQ(session.results().film->number, first + 9);
        EXPECT_EQ(to_text(test::table_of(session, "capture").rows.at(0).cells[0]), std::to_string(first + 9));
        test::run(session, "capture.newest", 2);
        EXPECT_EQ(session.results().film->number, first + 11);
        ASSERT_TRUE(session.results().curves);
        EXPECT_EQ(session.results().curves->at, *session.results().film->numbers);
    }
}

TEST_F(CaptureScene, TheLegendExplainsBrokenNodesAndListsTagsInOrder) {
    const std::string lines = R"({"frame": 1}
{"create": 1, "tight": [0, 0, 0, 1, 1, 1], "tag": 7}
{"create": 2, "tight": [2, 0, 0, 3, 1, 1], "tag": 2}
{"create": 3, "tight": [4, 0, 0, 5, 1, 1], "tag": 7}
{"tree": "t", "root": 10, "nodes": [{"id": 10, "box": [0, 0, 0, 5, 1, 1], "children": [11, 12]}, )"
                              R"({"id": 11, "box": [0, 0, null, 3, 1, 1], "payloads": [1, 2]}, )"
                              R"({"id": 12, "box": [4, 0, 0, 5, 1, 1], "payloads": [3]}]}
)";
    Session session{command_table()};
    test::run(session,
              "open " + quote_word(folder_.write("nan.jsonl", lines).string()) + "; set boxes.draw=on", 2);
    EXPECT_EQ(test::errors_of(session), "");
    std::vector<std::string> legend;
    for (const Exhibit& e : session.results().exhibits) {
        if (!e.legend.empty() && (legend.empty() || legend.back() != e.legend)) legend.push_back(e.legend);
        if (e.role != Role::Broken) continue;
        ASSERT_TRUE(std::holds_alternative<bv::Aabb>(e.shape));
        EXPECT_EQ(std::get<bv::Aabb>(e.shape), (bv::Aabb{{0, 0, 0}, {3, 1, 1}}))
            << "the boxes of bodies 1 and 2";
    }
    EXPECT_EQ(legend, (std::vector<std::string>{"bodies with tag 2", "bodies with tag 7",
                                                "node whose box is empty or NaN"}));
    EXPECT_TRUE(session.results().broken_nodes.empty()) << "those do not contain their children";
}

TEST_F(CaptureScene, BoxesThatAreNoneAreCounted) {
    std::string lines = "{\"frame\": 3}\n";
    for (int id = 1; id <= 9; ++id)
        lines += fmt::format("{{\"create\": {}, \"tight\": {}}}\n", id,
                             id == 2   ? "[1, 0, 0, 0, 1, 1]"
                             : id == 4 ? "[0, 0, null, 1, 1, 1]"
                                       : "[0, 0, 0, 1, 1, 1]");
    lines += "{\"frame\": 4}\n{\"remove\": 2}\n{\"frame\": 5}\n{\"remove\": 4}\n";
    Session session{command_table()};
    test::run(session,
              "open " + quote_word(folder_.write("broken.jsonl", lines).string()) +
                  "; set capture.play=off; set capture.frame=3",
              2);
    const auto noted = [&](const char* table, const std::string& text) {
        const auto& rows = test::table_of(session, table).rows;
        return std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
            return to_text(row.cells[1]).find(text) != std::string::npos;
        });
    };
    EXPECT_TRUE(
        noted("capture_remarks", "2 bodies have a tight or fat box that is inverted or not finite: 2, 4"));
    EXPECT_TRUE(noted("diagnosis_words", "in frame 3, 2 bodies have a tight or fat box"));
    EXPECT_TRUE(noted("diagnosis_words", "The last frame with such a box is 4"));
    EXPECT_EQ(to_text(test::table_of(session, "capture_bodies").rows.at(1).cells[3]), "its box is broken");
    test::run(session, "set capture.frame=4", 2);
    EXPECT_TRUE(noted("capture_remarks", "1 body has a tight or fat box that is inverted or not finite: 4"));
    test::run(session, "set capture.frame=5", 2);
    EXPECT_FALSE(noted("capture_remarks", "not finite"));
}

TEST_F(CaptureScene, ARowOfTheDiagnosisLeadsToItsFrameAndNode) {
    Session session{command_table()};
    test::run(session, "open " + quote_word(write(SampleKind::MixedClusters)));
    const Row row = test::table_of(session, "diagnosis").rows.front();
    EXPECT_EQ(to_text(row.cells[1]), std::to_string(sample_.frame));
    test::run(session, row.command, 2);
    EXPECT_EQ(test::value_of(session, "capture.frame"), "119");
    EXPECT_EQ(test::value_of(session, "capture.node"), to_text(row.cells[3]));
    const auto& exhibits = session.results().exhibits;
    const auto label = "node " + to_text(row.cells[3]);
    EXPECT_TRUE(
        std::any_of(exhibits.begin(), exhibits.end(), [&](const Exhibit& e) { return e.label == label; }));
}

TEST_F(CaptureScene, AMarkedNodeBelongsToItsCapture) {
    Session session{command_table()};
    test::run(session, "scene capture; set capture.sample=sorted_row; set capture.node=332", 2);
    EXPECT_EQ(test::value_of(session, "capture.node"), "332") << "chosen together";
    test::run(session, "set capture.frame=60", 2);
    EXPECT_EQ(test::value_of(session, "capture.node"), "332");
    test::run(session, "set capture.sample=stretched", 2);
    EXPECT_EQ(test::value_of(session, "capture.node"), "");
    test::run(session, "set capture.sample=sound; set capture.node=7", 2);
    EXPECT_EQ(test::value_of(session, "capture.node"), "7");
    const std::string first = write(SampleKind::Sound), second = write(SampleKind::SortedRow, "other.bvcap");
    test::run(session, "open " + quote_word(first), 2);
    EXPECT_EQ(test::value_of(session, "capture.node"), "");
    test::run(session, "set capture.node=9", 2);
    test::run(session, "open " + quote_word(second), 2);
    EXPECT_EQ(test::value_of(session, "capture.node"), "") << "it was a node of the other file";
    test::run(session, "set capture.node=9; set capture.play=off", 2);
    test::run(session, "capture.show 1; capture.newest", 2);
    EXPECT_EQ(test::value_of(session, "capture.node"), "");
    test::run(session, "open " + quote_word(second) + "; set capture.node=11", 2);
    EXPECT_EQ(test::value_of(session, "capture.node"), "11") << "chosen together";
}

TEST_F(CaptureScene, WithoutATreeNothingIsCalledRight) {
    Session session{command_table()};
    const std::string path =
        folder_
            .write("boxes.jsonl",
                   "{\"create\": 7, \"tight\": [0,0,0,1,1,1]}\n{\"frame\": 0}\n{\"frame\": 1}\n")
            .string();
    test::run(session, "open " + quote_word(path), 2);
    const Table& table = test::table_of(session, "diagnosis");
    ASSERT_EQ(table.rows.size(), 1u);
    EXPECT_NE(to_text(table.rows[0].cells[0]).find("no tree was captured"), std::string::npos);
    EXPECT_TRUE(table.rows[0].command.empty());
    for (const Row& row : test::table_of(session, "diagnosis_words").rows)
        EXPECT_EQ(to_text(row.cells[1]).find("SAH"), std::string::npos);
}

TEST_F(CaptureScene, FindsBodiesByNameAndId) {
    Session session{command_table()};
    test::run(session, "open " + quote_word(write(SampleKind::Sound)) + "; set capture.find=DRONE");
    const Table& drones = test::table_of(session, "capture_bodies");
    EXPECT_EQ(drones.rows.front().mark, RowMark::Chosen);
    EXPECT_NE(to_text(drones.rows.front().cells[1]).find("drone"), std::string::npos);
    test::run(session, "set capture.find=7");
    const Table& seven = test::table_of(session, "capture_bodies");
    EXPECT_EQ(to_text(seven.rows[0].cells[0]), "7");
    EXPECT_EQ(seven.rows[0].mark, RowMark::Chosen);
    EXPECT_EQ(seven.rows[1].mark, RowMark::None);
}

TEST_F(CaptureScene, ARebuiltTreeStandsBesideTheSameBoxes) {
    Session session{command_table()};
    test::run(session, "open " + quote_word(write(SampleKind::SortedRow)) +
                           "; set capture.play=off; set capture.frame=119; set capture.beside=rebuilt");
    ASSERT_EQ(session.results().trees.size(), 2u);
    const bv::TreeSnapshot& rival = session.results().trees[1].second;
    EXPECT_EQ(rival.payloads.size(), tree(session).payloads.size());
    EXPECT_LT(bv::measure(rival).sah, bv::measure(tree(session)).sah);
}

TEST_F(CaptureScene, RefusesWhatIsNoCaptureAndKeepsTheScene) {
    Session session{command_table()};
    test::frame(session, "scene volumes");
    write(SampleKind::Sound);
    for (const std::string& content :
         {std::string(), std::string("a text"), text_of(sample_.bytes).substr(0, 30)}) {
        const auto before = session.refused_commands();
        test::frame(session, "open " + quote_word(folder_.write("bad.bvcap", content).string()));
        EXPECT_EQ(session.refused_commands(), before + 1);
        EXPECT_EQ(session.results().scene_id, "volumes");
        EXPECT_NE(test::errors_of(session).find("bad.bvcap"), std::string::npos);
    }
    // What is cut off later is shown up to there.
    test::frame(
        session,
        "open " + quote_word(folder_.write("cut.bvcap", text_of(sample_.bytes).substr(0, 400'000)).string()));
    EXPECT_EQ(session.results().scene_id, "capture");
    EXPECT_LT(session.shown().opened.captures.back().file->frames().size(), 120u);
}

TEST_F(CaptureScene, LinesOfJsonAndExportedTreesOpenByTheirNames) {
    Session session{command_table()};
    const std::string lines =
        "{\"capture\": 1, \"engine\": \"by hand\"}\n{\"frame\": 0}\n"
        "{\"create\": 1, \"tight\": [0,0,0,1,1,1]}\n{\"create\": 2, \"tight\": [2,0,0,3,1,1]}\n"
        "{\"tree\": \"t\", \"root\": 9, \"nodes\": [{\"id\": 9, \"box\": [0,0,0,3,1,1], \"children\": [7, "
        "8]}, "
        "{\"id\": 7, \"box\": [0,0,0,1,1,1], \"payloads\": [1]}, {\"id\": 8, \"box\": [2,0,0,3,1,1], "
        "\"payloads\": "
        "[2]}]}\n";
    test::run(session, "open " + quote_word(folder_.write("hand.jsonl", lines).string()));
    EXPECT_EQ(session.results().scene_id, "capture");
    EXPECT_EQ(tree(session).size(), 3u);
    const std::string exported =
        "{\"nodes\": "
        "[{\"node\":0,\"parent\":null,\"depth\":0,\"min\":[0,0,0],\"max\":[1,1,1],\"children\":[],"
        "\"payloads\":[{\"id\":4,\"min\":[0,0,0],\"max\":[1,1,1]}]}], \"tree\": \"mine\"}";
    const std::string path = folder_.write("t.json", exported).string();
    test::run(session, "open " + quote_word(path));
    EXPECT_EQ(session.results().scene_id, "tree-file");
    EXPECT_EQ(tree(session).payloads, std::vector<std::uint64_t>{4});
    const std::string saved = (folder_ / "scene.json").string();
    ASSERT_FALSE(io::write_scene_file(saved, session.saver().saved_scene(saved)));
    Session again{command_table()};
    test::run(again, "open " + quote_word(saved));
    EXPECT_EQ(again.results().scene_id, "tree-file");
    EXPECT_EQ(tree(again).payloads, std::vector<std::uint64_t>{4});
}

TEST_F(CaptureScene, NamesOfAListOfBoxesAreShown) {
    Session session{command_table()};
    test::run(session, "open " + quote_word(folder_
                                                .write("b.csv",
                                                       "name,x0,y0,z0,x1,y1,z1\nhouse,0,0,0,1,1,1\n"
                                                       "\"tall tower\",2,0,0,3,4,1\n")
                                                .string()));
    const Table& names = test::table_of(session, "box_names");
    ASSERT_EQ(names.rows.size(), 2u);
    EXPECT_EQ(to_text(names.rows[1].cells[1]), "tall tower");
    const auto& exhibits = session.results().exhibits;
    EXPECT_TRUE(
        std::any_of(exhibits.begin(), exhibits.end(), [](const Exhibit& e) { return e.label == "house"; }));
}

// Measures of a node look at all of its children: with this many, not at all pairs of them.
TEST_F(CaptureScene, ATreeWithOneVeryWideNodeIsShownAndDiagnosed) {
    constexpr int kLeaves = 100'000;
    std::string children, nodes;
    for (int i = 1; i <= kLeaves; ++i) {
        const char* const comma = i == 1 ? "" : ",";
        children += fmt::format("{}{}", comma, i);
        nodes += fmt::format(R"(,{{"id":{},"box":[0,0,0,1,1,1],"payloads":[{}]}})", i, i);
    }
    const std::string path =
        folder_
            .write("wide.jsonl",
                   "{\"capture\":1}\n{\"frame\":1,\"time\":0}\n" +
                       fmt::format(
                           R"({{"tree":"t","root":0,"nodes":[{{"id":0,"box":[0,0,0,6,1,1],"children":[{}]}})",
                           children) +
                       nodes + "]}\n")
            .string();
    Session session{command_table()};
    test::run(session, "open " + quote_word(path), 3);
    EXPECT_EQ(tree(session).size(), kLeaves + 1u);
    auto file = io::CaptureFile::open(path);
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_TRUE(capture::diagnose(*file, capture::make_survey(*file)));
}

/// Each is told from the others, at a cost that grows with their number and no faster.
TEST(ShownFrame, ManyTreesOfOneNameAreToldApart) {
    io::CaptureFrame frame;
    for (int i = 0; i < 20'000; ++i) {
        io::CaptureTree tree;
        tree.name = i % 2 == 0 ? "bodies" : "a;b";
        tree.root = 1;
        tree.is_complete = true;
        tree.nodes.push_back({.id = 1, .box = {glm::vec3(0.0f), glm::vec3(1.0f)}});
        frame.trees.push_back(std::move(tree));
    }
    const capture::ShownFrame shown = capture::shown_frame(std::move(frame));
    std::set<std::string> ids{"bodies"};
    for (const capture::ShownTree& tree : shown.trees)
        EXPECT_TRUE(ids.insert(tree.id).second) << tree.id;
    EXPECT_EQ(shown.trees.at(0).id, "bodies 2");
    EXPECT_EQ(shown.trees.at(1).id, "a_b");
}

// The next one is read while another is on show.
TEST_F(CaptureScene, EveryFrameThatPlaysIsTheOneThatItsNumberSays) {
    const std::string path = write(SampleKind::Stretched);
    Session session{command_table()};
    test::run(session, "open " + quote_word(path) + "; set capture.speed=60");
    for (int i = 0; i < 90; ++i) {
        const char* const jump = i == 20   ? "set capture.play=off; set capture.frame=90"
                                 : i == 25 ? "set capture.play=on"
                                 : i == 40 ? "set capture.frame=12"
                                 : i == 60 ? "set capture.speed=120; capture.what_if"
                                           : "";
        test::run(session, jump, 1);
        expect_frame(session, std::stoul(test::value_of(session, "capture.frame")));
    }
}

TEST_F(CaptureScene, SaysThatNoBodyIsFound) {
    Session session{command_table()};
    test::run(session, "open " + quote_word(write(SampleKind::Sound)) + "; set capture.find=Herozzz", 2);
    const Table& bodies = test::table_of(session, "capture_bodies");
    EXPECT_NE(to_text(bodies.rows.front().cells[1]).find("'Herozzz'"), std::string::npos);
    test::run(session, "set capture.find=", 2);
    EXPECT_EQ(to_text(test::table_of(session, "capture_bodies").rows.front().cells[1]).find("no body"),
              std::string::npos);
}

}  // namespace
}  // namespace lab
