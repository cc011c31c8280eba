// Boxes and trees on disk: the commands write files that another session opens and other programs understand.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bv/tree/tree_io.hpp"
#include "commands/catalog.hpp"
#include "io/trees/box_list.hpp"
#include "io/trees/tree_file.hpp"
#include "io_test_tools.hpp"
#include "session/files/tree_files.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "volumes_of.hpp"
#include "workloads/boxes.hpp"
#include "world/opened_files.hpp"
#include "world/tree_recipes.hpp"

namespace lab {
namespace {

namespace fs = std::filesystem;
using io::testing_tools::bytes_of;
using io::testing_tools::TestFolder;
using nlohmann::json;

/// Runs frames of a session and writes the requested files, as the program does. Returns the last error of a
/// file, or an empty string.
std::string run_and_write(Session& session, const std::string& script, int frames = 1) {
    std::string problem;
    for (int i = 0; i < frames; ++i) {
        test::frame(session, i == 0 ? script : "");
        for (const TreeFileRequest& request : session.take_requests().tree_files)
            if (const auto error = tree_file_writer(request, session)()) problem = error->text();
    }
    return problem;
}

std::vector<bv::Aabb> some_boxes(std::size_t count) {
    return bv::workloads::MovingBoxes(count, 5).boxes();
}

bool same_tree(const bv::TreeSnapshot& a, const bv::TreeSnapshot& b) {
    return bv::snapshot_to_bytes(a) == bv::snapshot_to_bytes(b);
}

TEST(TreeFiles, AListSavedFromItsTreeComesBackInOrderBitForBit) {
    const TestFolder folder;
    const std::vector<bv::Aabb> boxes = some_boxes(300);
    ASSERT_FALSE(io::write_box_list(folder / "in.txt", boxes));
    Session session{command_table()};
    for (const char* name : {"out.txt", "out.csv"}) {
        const std::string out = (folder / name).string();
        EXPECT_EQ(run_and_write(session, "open " + (folder / "in.txt").string() + "; save.boxes " + out), "");
        const auto back = io::read_box_list(out);
        ASSERT_TRUE(back.ok()) << back.error().text();
        EXPECT_EQ(*back, boxes) << name;
    }
}

TEST(TreeFiles, TheBodiesOfASceneBecomeAListThatCanBeOpened) {
    const TestFolder folder;
    const std::string out = (folder / "bodies.txt").string();
    Session session{command_table()};
    EXPECT_EQ(run_and_write(session, "scene welcome; set volume.pair_kind=aabb_tight; save.boxes " + out, 1),
              "");
    const auto back = io::read_box_list(out);
    ASSERT_TRUE(back.ok()) << back.error().text();
    ASSERT_EQ(back->size(), session.results().bodies.size());
    for (std::size_t i = 0; i < back->size(); ++i)
        EXPECT_EQ((*back)[i], test::tight_of(session, session.results().bodies[i])) << i;
}

TEST(TreeFiles, ASavedTreeOpensAsTheSameTreeWithTheSameNumbers) {
    const TestFolder folder;
    const std::string out = (folder / "saved.bvtree").string();
    Session first{command_table()};
    ASSERT_EQ(run_and_write(first, "scene welcome; save.tree " + out, 1), "");
    const bv::TreeSnapshot saved = first.results().trees.front().second;
    Session second{command_table()};
    run_and_write(second, "open " + out);
    EXPECT_EQ(second.refused_commands(), 0u);
    EXPECT_EQ(second.results().scene_id, "tree-file");
    ASSERT_EQ(second.results().trees.size(), 1u);
    EXPECT_TRUE(same_tree(second.results().trees.front().second, saved));
    const io::ReportTree before = report_trees(first).front();
    const io::ReportTree after = report_trees(second).front();
    EXPECT_EQ(before.sah, after.sah);
    EXPECT_EQ(before.epo, after.epo);
    EXPECT_EQ(before.nodes_per_ray, after.nodes_per_ray);
    EXPECT_EQ(before.leaf_depths, after.leaf_depths);
}

TEST(TreeFiles, DamagedTreesAreRefusedAndNothingIsLost) {
    const TestFolder folder;
    const std::string good = (folder / "good.bvtree").string();
    Session session{command_table()};
    ASSERT_EQ(run_and_write(session, "scene welcome; save.tree " + good, 1), "");
    const std::string bytes = bytes_of(good);
    const auto refused = [&](const std::string& content, const std::string& says) {
        const std::string path = folder.write("bad.bvtree", content).string();
        const auto before = session.refused_commands();
        run_and_write(session, "open " + path);
        EXPECT_EQ(session.refused_commands(), before + 1);
        EXPECT_EQ(session.results().scene_id, "welcome");
        EXPECT_NE(session.messages().messages().back().text.find(says), std::string::npos)
            << session.messages().messages().back().text;
    };
    refused("", "bad.bvtree");
    refused("a text about trees", "bad.bvtree");
    refused(bytes.substr(0, bytes.size() / 2), "bad.bvtree");
    std::string turned = bytes;
    turned[40] = static_cast<char>(0xff);  // a coordinate of the root's box
    turned[39] = static_cast<char>(0xff);
    turned[38] = static_cast<char>(0xff);
    turned[35] = static_cast<char>(0xff);
    turned[34] = static_cast<char>(0xff);
    refused(turned, "bad.bvtree");
    EXPECT_EQ(session.shown().opened.trees.size(), 0u);
    EXPECT_EQ(session.file_problems(), 4u);
}

TEST(TreeFiles, JsonHoldsEveryNodeAndDotEveryEdge) {
    const TestFolder folder;
    Session session{command_table()};
    ASSERT_EQ(run_and_write(session, "scene welcome; export.tree " + (folder / "t.json").string() +
                                         "; export.tree " + (folder / "t.dot").string()),
              "");
    const bv::TreeSnapshot& tree = session.results().trees.front().second;
    const json structure = json::parse(bytes_of(folder / "t.json"));
    ASSERT_EQ(structure["nodes"].size(), tree.size());
    EXPECT_EQ(structure["tree"], "bodies");
    std::size_t payloads = 0;
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        const json& node = structure["nodes"][i];
        EXPECT_EQ(node["node"], i);
        EXPECT_EQ(node["parent"], i == 0 ? json(nullptr) : json(tree.parents[i]));
        EXPECT_EQ(node["children"].size(), tree.child_count[i]);
        EXPECT_EQ(node["depth"], tree.depths[i]);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            EXPECT_EQ(node["min"][axis].get<float>(), tree.boxes[i].min[static_cast<int>(axis)]);
            EXPECT_EQ(node["max"][axis].get<float>(), tree.boxes[i].max[static_cast<int>(axis)]);
        }
        payloads += node.contains("payloads") ? node["payloads"].size() : 0;
    }
    EXPECT_EQ(payloads, tree.payloads.size());

    std::istringstream dot(bytes_of(folder / "t.dot"));
    std::size_t edges = 0, leaves = 0;
    for (std::string line; std::getline(dot, line);) {
        edges += line.find(" -> ") != std::string::npos;
        leaves += line.find("shape=box") != std::string::npos;
    }
    EXPECT_EQ(edges, tree.size() - 1);
    EXPECT_EQ(leaves,
              static_cast<std::size_t>(std::count(tree.child_count.begin(), tree.child_count.end(), 0u)));
}

TEST(TreeFiles, MetricsAreThoseOfTheReport) {
    const TestFolder folder;
    Session session{command_table()};
    ASSERT_EQ(run_and_write(session, "scene boxes; export.metrics " + (folder / "m.csv").string() +
                                         "; export.metrics " + (folder / "m.json").string()),
              "");
    const json report = json::parse(io::report_text(make_report(session, "test")));
    const json metrics = json::parse(bytes_of(folder / "m.json"));
    EXPECT_EQ(metrics["scene"], "boxes");
    EXPECT_EQ(metrics["trees"], report["trees"]);

    std::istringstream csv(bytes_of(folder / "m.csv"));
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(csv, line);) {
        std::istringstream fields(line);
        rows.emplace_back();
        for (std::string field; std::getline(fields, field, ',');)
            rows.back().push_back(field);
    }
    ASSERT_EQ(rows.size(), report["trees"].size() + 1);
    for (std::size_t row = 1; row < rows.size(); ++row) {
        const json& tree = report["trees"][row - 1];
        ASSERT_EQ(rows[row].size(), rows[0].size());
        EXPECT_EQ(rows[row][0], tree["id"]);
        for (std::size_t k = 1; k + 1 < rows[0].size(); ++k)
            EXPECT_EQ(std::stod(rows[row][k]), tree[rows[0][k]].get<double>()) << rows[0][k];
    }
}

TEST(TreeFiles, AFailedWriteIsReported) {
    const TestFolder folder;
    Session session{command_table()};
    const std::string path = (folder / "x").string();
    const auto says = [&](const std::string& line, const std::string& what) {
        std::string problem = run_and_write(session, "scene welcome; " + line);
        problem += test::errors_of(session);
        EXPECT_NE(problem.find(what), std::string::npos) << line << ": " << problem;
    };
    says("save.boxes " + path + ".png", "end in .txt or .csv");
    says("save.tree " + path + ".txt", "end in .bvtree");
    says("export.tree " + path + ".xml", ".json, .dot or .gv");
    says("export.metrics " + path + ".dot", ".csv or .json");
    says("save.tree " + path + ".bvtree nosuch", "there is no tree 'nosuch' to write. Trees now: bodies");
    says("export.metrics " + path + ".csv nosuch", "no tree 'nosuch'");
    says("save.boxes /proc/no/such/x.txt", "/proc/no/such/x.txt");
    says("clear; save.boxes " + path + ".txt", "there is no tree to write");
    says("clear; select.node bodies 0", "tree 'bodies' has no nodes");
    // A tree that is shown down to a level has leaves that stand for subtrees.
    const std::string part = "scene mesh-bvh; save.boxes " + path + ".txt ";
    const std::string problem = run_and_write(session, part + "\"rival sweep SAH, depths 0 to 12\"", 40);
    EXPECT_NE((problem + test::errors_of(session)).find("hold no boxes to write. `save.tree`"),
              std::string::npos)
        << problem << test::errors_of(session);
    EXPECT_EQ(folder.file_count(), 0u);
}

}  // namespace
}  // namespace lab
