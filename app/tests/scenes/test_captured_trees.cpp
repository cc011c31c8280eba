// A capture of several trees, two of them broken, and what the scene says and draws of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "bv/capture/bv_capture.h"
#include "commands/catalog.hpp"
#include "io_test_tools.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"

namespace lab {
namespace {

using io::testing_tools::TestFolder;

/// Ten frames: the tree `one` lacks a node in all of them, `bodies` has a box of NaN from the sixth one on,
/// and both have a node 5. The fourth has a call that is refused, the eighth a tree that is incomplete.
std::string with_two_broken_trees() {
    constexpr float kLow[] = {0, 0, 0}, kHigh[] = {1, 1, 1}, kHigher[] = {1, 2, 1};
    const float none[] = {NAN, 0, 0};
    const bv_capture_bounds low = bv_capture_box(kLow, kHigh), whole = bv_capture_box(kLow, kHigher);
    const std::unique_ptr<bv_capture, decltype(&bv_capture_close)> capture(
        bv_capture_to_memory(nullptr, nullptr), bv_capture_close);
    for (int frame = 0; frame < 10; ++frame) {
        bv_capture_frame(capture.get(), frame);
        const bv_capture_proxy bodies[] = {{1, low, {}, 0}, {2, whole, {}, 0}};
        bv_capture_proxies(capture.get(), bodies, 2);
        if (frame == 3) bv_capture_move(capture.get(), 99, low, {});
        const std::uint64_t children[] = {6, 7}, body = 1;
        bv_capture_tree_begin(capture.get(), "one", 5);
        bv_capture_node(capture.get(), 5, whole, children, 2, nullptr, 0);
        bv_capture_node(capture.get(), 6, low, nullptr, 0, &body, 1);
        bv_capture_tree_end(capture.get());
        const bv_capture_bounds left = frame >= 5 ? bv_capture_box(none, kHigh) : low;
        const bv_capture_tree_node nodes[] = {{5, whole, 0, 2}, {6, left, 1, 0}, {7, whole, 2, 0}};
        bv_capture_tree(capture.get(), "bodies", nodes, 3);
        if (frame == 7) bv_capture_tree(capture.get(), "three", nodes, 2);
        const float from[] = {-1, 0.5f, 0.5f}, along[] = {1, 0, 0};
        bv_capture_query_ray(capture.get(), from, along, 4.0f, nullptr);
        bv_capture_query_cast(capture.get(), low, along, nullptr);
    }
    bv_capture_finish(capture.get());
    std::string bytes(1 << 16, '\0');
    bytes.resize(bv_capture_take(capture.get(), bytes.data(), bytes.size()));
    return bytes;
}

/// How many exhibits have that entry in the legend.
std::ptrdiff_t named(const Session& session, std::string_view legend) {
    const auto& exhibits = session.results().exhibits;
    return std::count_if(exhibits.begin(), exhibits.end(),
                         [legend](const Exhibit& e) { return e.legend == legend; });
}

TEST(CapturedTrees, NamesEveryBrokenTreeAndMarksNodesInTheirOwn) {
    const TestFolder folder;
    const std::string path = folder.write("two.bvcap", with_two_broken_trees()).string();
    Session session{command_table()};
    test::run(session, "open " + quote_word(path) + "; set capture.play=off; set capture.frame=9", 2);
    const Table& diagnosis = test::table_of(session, "diagnosis");
    ASSERT_EQ(diagnosis.rows.size(), 3u) << "two trees, and the way to what if";
    EXPECT_EQ(to_text(diagnosis.rows[0].cells[0]), "broken invariants in 'one'");
    EXPECT_EQ(to_text(diagnosis.rows[1].cells[0]), "broken invariants in 'bodies'");
    EXPECT_EQ(to_text(diagnosis.rows[1].cells[1]), "5");
    test::run(session, diagnosis.rows[0].command, 2);
    EXPECT_EQ(test::value_of(session, "capture.node"), "one/5");
    EXPECT_EQ(named(session, "marked node"), 1);
    test::run(session, test::table_of(session, "diagnosis").rows[1].command, 2);
    EXPECT_EQ(test::value_of(session, "capture.node"), "bodies 2/6") << "the scene has a tree of that name";
    EXPECT_EQ(named(session, "marked node"), 1);
    test::run(session, "set capture.node=5", 2);
    EXPECT_EQ(named(session, "marked node"), 2) << "a number alone means every tree";
    std::string notes;
    for (const Row& row : test::table_of(session, "diagnosis_words").rows)
        notes += to_text(row.cells[1]) + " ";
    EXPECT_NE(notes.find("refused, the first in frame 3"), std::string::npos) << notes;
    EXPECT_NE(notes.find("incomplete, the first in frame 7"), std::string::npos) << notes;
}

TEST(CapturedTrees, DrawsWhatTheEngineAsked) {
    const TestFolder folder;
    const std::string path = folder.write("two.bvcap", with_two_broken_trees()).string();
    Session session{command_table()};
    test::run(session, "open " + quote_word(path) + "; set capture.play=off; set draw.rays=on", 2);
    EXPECT_EQ(named(session, "captured ray"), 1);
    EXPECT_EQ(named(session, "captured box cast"), 2) << "the box, and its way";
    EXPECT_EQ(to_text(test::table_of(session, "capture").rows[0].cells[8]), "-") << "the engine does not say";
    test::run(session, "set draw.rays=off", 2);
    EXPECT_EQ(named(session, "captured ray"), 0);
}

}  // namespace
}  // namespace lab
