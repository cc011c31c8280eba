// A saved scene reads the files that it needs again, in their current state, and says which of them are
// missing, damaged or of the wrong kind.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "commands/catalog.hpp"
#include "program.hpp"
#include "saving_test_tools.hpp"
#include "session/time/timeline.hpp"
#include "session_test_tools.hpp"
#include "world/opened_files.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using test::frames;
using test::Json;
using test::refusal;
using test::report_of;

class SavedFiles : public test::SavingTest {};

constexpr std::string_view kTet = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

TEST_F(SavedFiles, MeshesAreReadAgain) {
    test::write_text(folder / "tet.obj", std::string(kTet));
    Session first{command_table()};
    frames(first, "open " + quote_word(path("tet.obj")), 2);
    frames(first, "spawn 4 tet", 10);
    save(first, "tets.json");
    Session opened{command_table()};
    frames(opened, "open " + quote_word(path("tets.json")), 1);
    ASSERT_EQ(opened.refused_commands(), 0u) << opened.messages().messages().back().text;
    ASSERT_EQ(opened.results().bodies.size(), 5u);
    EXPECT_EQ(opened.meshes()[opened.results().bodies[2].mesh].source, path("tet.obj"));
    std::filesystem::remove(folder / "tet.obj");
    Session without{command_table()};
    frames(without, "scene welcome", 2);
    const Json before = report_of(without);
    EXPECT_NE(refusal(without, "open " + quote_word(path("tets.json"))).find("tet.obj"), std::string::npos);
    EXPECT_EQ(without.results().scene_id, "welcome");
    EXPECT_EQ(without.results().bodies.size(), 40u);
}

const MeshEntry& mesh_of(const Session& session, std::size_t body) {
    return session.meshes()[session.results().bodies[body].mesh];
}

/// Merged by hand, say.
TEST_F(SavedFiles, AFileListedTwiceIsOpenedOnce) {
    test::write_text(folder / "tet.obj", std::string(kTet));
    Session first{command_table()};
    frames(first, "open " + quote_word(path("tet.obj")), 2);
    frames(first, "spawn 4 tet", 10);
    save(first, "tets.json");
    Json scene = Json::parse(test::read_text(folder / "tets.json"));
    ASSERT_EQ(scene["files"].size(), 1u);
    scene["files"].push_back(scene["files"][0]);
    test::write_text(folder / "twice.json", scene.dump());
    Session opened{command_table()};
    frames(opened, "open " + quote_word(path("twice.json")), 1);
    EXPECT_EQ(opened.refused_commands(), 0u) << opened.messages().messages().back().text;
    ASSERT_EQ(opened.results().bodies.size(), 5u);
    EXPECT_EQ(mesh_of(opened, 2).name, "tet");
}

/// `any` means any mesh, for settings and commands.
TEST_F(SavedFiles, AMeshOfAFileCanBeNamed) {
    test::write_text(folder / "any.obj", std::string(kTet));
    Session session{command_table()};
    frames(session, "open " + quote_word(path("any.obj")), 2);
    frames(session, "clear; spawn 3 " + quote_word("any 2"), 2);
    ASSERT_EQ(session.results().bodies.size(), 3u);
    EXPECT_EQ(mesh_of(session, 1).source, path("any.obj"));
    save(session, "any.json");
    Session opened{command_table()};
    frames(opened, "open " + quote_word(path("any.json")), 1);
    ASSERT_EQ(opened.results().bodies.size(), 3u);
    EXPECT_EQ(mesh_of(opened, 1).name, "any 2");
}

/// The same with its last corner higher up, in as many bytes.
constexpr std::string_view kTall = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 7\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

TEST_F(SavedFiles, FilesAreReadInTheirCurrentState) {
    const std::string obj = "open " + quote_word(path("tet.obj")),
                      json = "open " + quote_word(path("tets.json"));
    folder.write("tet.obj", kTet);
    Session session{command_table()};
    frames(session, obj, 2);
    frames(session, "spawn 2 tet; spawn 1 cone", 3);
    save(session, "tets.json");
    const std::size_t count = session.meshes().size();
    frames(session, json, 1);
    EXPECT_EQ(session.meshes().size(), count) << "nothing has changed";
    EXPECT_EQ(mesh_of(session, 1).name, "tet");

    frames(session, "select 2; copy", 1);
    const MeshId old = session.results().bodies[1].mesh;
    folder.write("tet.obj", kTall);
    frames(session, json, 1);
    ASSERT_EQ(session.refused_commands(), 0u) << session.messages().messages().back().text;
    EXPECT_EQ(mesh_of(session, 1).name, "tet");
    EXPECT_EQ(mesh_of(session, 1).aabb_tight.max.z, 7.0f);
    EXPECT_EQ(mesh_of(session, 3).name, "cone");
    frames(session, "paste", 1);
    EXPECT_EQ(session.results().bodies.back().mesh, old);
    EXPECT_EQ(session.meshes()[old].aabb_tight.max.z, 1.0f) << "bodies keep the mesh that they have";
    EXPECT_NE(session.meshes()[old].name, "tet");

    // Opened directly any number of times: one mesh of that name, so that saved scenes can be opened.
    for (const std::string_view text : {kTet, kTall, kTall, kTet}) {
        folder.write("tet.obj", text);
        frames(session, obj, 1);
        ASSERT_EQ(session.shown().opened.meshes.size(), 1u);
        EXPECT_EQ(mesh_of(session, 0).name, "tet");
        EXPECT_EQ(mesh_of(session, 0).aabb_tight.max.z, text == kTall ? 7.0f : 1.0f);
    }
    frames(session, "spawn 2 tet", 1);
    save(session, "again.json");
    Session fresh{command_table()};
    frames(fresh, "open " + quote_word(path("again.json")), 1);
    EXPECT_EQ(fresh.refused_commands(), 0u) << fresh.messages().messages().back().text;
    EXPECT_EQ(fresh.results().bodies.size(), session.results().bodies.size());
}

std::string texts_of(const Session& session, Severity least) {
    std::string all;
    for (const Message& message : session.messages().messages())
        if (message.severity >= least) all += message.text + '\n';
    return all;
}

/// Writes what is on show as a saved scene and as a recording.
void save_both(Session& session, const std::string& base) {
    frames(session, "record.save " + quote_word(base + ".bvrec"), 1);
    session.saver().save_scene(base + ".json");
    session.saver().finish();
    EXPECT_EQ(texts_of(session, Severity::Warning), "");
}

/// A saved scene shows its own files alone; the meshes of others can still be used there.
TEST_F(SavedFiles, MeshesOfFilesThatAreNoLongerShownAreSavedWhereTheyAreUsed) {
    folder.write("tet.obj", kTet);
    folder.write("other.obj", kTall);
    for (const std::string_view scene : {"volumes", "bsp"}) {
        Session first{command_table()};
        frames(first, fmt::format("scene {}", scene), 2);
        save(first, "plain.json");
        Session session{command_table()};
        frames(session, "open " + quote_word(path("other.obj")), 1);
        frames(session, "open " + quote_word(path("tet.obj")), 1);
        frames(session, "open " + quote_word(path("plain.json")), 1);
        frames(session, scene == "bsp" ? "set bsp.mesh=tet" : "spawn 2 tet", 1);
        save_both(session, path("used"));
        std::filesystem::rename(folder / "other.obj", folder / "gone.obj");  // nothing here needs it

        Session opened{command_table()};
        frames(opened, "open " + quote_word(path("used.json")), 1);
        EXPECT_EQ(texts_of(opened, Severity::Warning), "") << scene;
        EXPECT_TRUE(opened.meshes().find("tet")) << scene;
        EXPECT_TRUE(opened.shown().opened.meshes.empty()) << scene;
        expect_same(opened, session, {}, std::string(scene));
        save_both(opened, path("again"));
        for (const char* record : {"used.bvrec", "again.bvrec"}) {
            Session played{command_table()};
            frames(played, "open " + quote_word(path(record)), 8);
            EXPECT_EQ(texts_of(played, Severity::Warning), "") << scene;
            EXPECT_EQ(played.results().bodies.size(), session.results().bodies.size()) << scene;
            EXPECT_TRUE(played.meshes().find("tet")) << scene;
        }
        std::filesystem::rename(folder / "gone.obj", folder / "other.obj");
    }
}

/// Files of the same name in two folders: their meshes have the names of the saved scene in every session.
TEST_F(SavedFiles, MeshesOfFilesOfTheSameNameAreToldApart) {
    for (const char* name : {"A", "B"})
        std::filesystem::create_directory(folder / name);
    const std::string a = folder.write("A/tet.obj", kTet).string(),
                      b = folder.write("B/tet.obj", kTall).string();
    Session first{command_table()};
    frames(first, "open " + quote_word(a), 1);
    frames(first, "open " + quote_word(b), 1);
    frames(first, "scene welcome; spawn 1 tet; spawn 1 \"tet 2\"; spawn 1 tet", 3);
    save_both(first, path("AB"));
    const auto expect_meshes = [&](const Session& session, const std::string& where) {
        EXPECT_EQ(texts_of(session, Severity::Warning), "") << where;
        ASSERT_EQ(session.results().bodies.size(), 43u) << where;
        EXPECT_EQ(mesh_of(session, 40).source, a) << where;
        EXPECT_EQ(mesh_of(session, 41).source, b) << where;
        EXPECT_EQ(mesh_of(session, 42).source, a) << where;
    };
    expect_meshes(first, "first");
    for (const std::string& file : {std::string("AB.json"), std::string("AB.bvrec")})
        for (const std::string& before : {std::string(), "open " + quote_word(b), "open " + quote_word(a)}) {
            Session session{command_table()};
            frames(session, before, 1);
            frames(session, "open " + quote_word(path(file)), 6);
            expect_meshes(session, file + " after " + before);
            save_both(session, path("copy"));
            Session again{command_table()};
            frames(again, "open " + quote_word(b), 1);
            frames(again, "open " + quote_word(path("copy.json")), 1);
            expect_meshes(again, "copy of " + file + " after " + before);
        }
    // A file whose opening was refused leaves all names as they were.
    Session session{command_table()};
    frames(session, "open " + quote_word(b), 1);
    frames(session, "spawn 1 tet", 1);
    std::filesystem::remove(a);
    EXPECT_NE(refusal(session, "open " + quote_word(path("AB.json"))).find("tet.obj"), std::string::npos);
    EXPECT_EQ(session.meshes()[*session.meshes().find("tet")].source, b);
}

/// Without the record that made them, pieces of a cut mesh are in no file.
/// The leaf of the bodies' tree that holds a body, as the session has it now.
std::uint32_t leaf_of(const Session& session, std::uint64_t body) {
    for (const auto& [id, tree] : session.results().trees)
        for (std::uint32_t node = 0; id == "bodies" && node < tree.size(); ++node)
            if (tree.is_leaf(node) && leaf_holds(tree, node, body)) return node;
    ADD_FAILURE() << "no leaf holds " << body;
    return 0;
}

TEST_F(SavedFiles, PiecesWithoutTheirRecordAreLeftOutAndBothSidesSaySo) {
    Session first{command_table()};
    frames(first, "scene mesh-cut", 5);
    frames(first, "cut", 2);
    frames(first, "select all; copy; scene welcome; paste", 2);
    const std::size_t all = first.results().bodies.size();
    ASSERT_GT(all, 41u);
    first.saver().save_scene(path("pieces.json"));
    EXPECT_NE(texts_of(first, Severity::Warning).find(fmt::format("{} bodies are not saved", all - 40)),
              std::string::npos)
        << texts_of(first, Severity::Info);
    Session opened{command_table()};
    frames(opened, "open " + quote_word(path("pieces.json")), 1);
    EXPECT_EQ(opened.results().bodies.size(), 40u);
    EXPECT_EQ(texts_of(opened, Severity::Info).find("left out"), std::string::npos);

    // A file as it was written before.
    io::SceneFile old = *io::read_scene_file(path("pieces.json"));
    old.bodies.push_back(old.bodies.back());
    old.bodies.back().id += 1;
    old.bodies.back().mesh = "gear 12345678";
    old.made_meshes = {"gear 12345678"};
    ASSERT_FALSE(io::write_scene_file(path("old.json"), old));
    Session session{command_table()};
    frames(session, "open " + quote_word(path("old.json")), 1);
    const std::string texts = texts_of(session, Severity::Info);
    EXPECT_EQ(session.results().bodies.size(), 40u);
    EXPECT_NE(texts.find("is left out"), std::string::npos) << texts;
    EXPECT_EQ(texts.find("is as it was saved"), std::string::npos) << texts;
    EXPECT_NE(texts.find("without what was left out"), std::string::npos) << texts;
}

TEST_F(SavedFiles, WithoutARecordTheSelectionIsTheSavedOneAndNotThatOfALeaf) {
    Session first{command_table()};
    frames(first, "scene welcome", 3);
    frames(first, "select 3; select add 5", 1);
    io::SceneFile saved = first.saver().saved_scene();
    saved.history.clear();
    const std::uint32_t inner = 0;
    for (const std::uint32_t node : {inner, leaf_of(first, 9)}) {
        saved.selection.node = io::SceneFileNode{"bodies", node};
        saved.selection.bodies = {3, 5};
        saved.selection.triangle = 1;
        ASSERT_FALSE(io::write_scene_file(path("chosen.json"), saved));
        Session session{command_table()};
        frames(session, "open " + quote_word(path("chosen.json")), 2);
        EXPECT_EQ(session.refused_commands(), 0u) << texts_of(session, Severity::Error);
        EXPECT_EQ(session.state().view.selection.bodies, (std::vector<bv::BodyId>{{3}, {5}})) << node;
        EXPECT_TRUE(session.results().selected_triangle) << node;
        EXPECT_EQ(session.results().selected_node.has_value(), node == inner)
            << "the leaf of another body, in the tree that was rebuilt";
    }
}

TEST_F(SavedFiles, ListsOfBoxesAndTreesAreReadInTheirCurrentState) {
    test::write_text(folder / "list.txt", "0 0 0 1 1 1\n");
    Session session{command_table()};
    frames(session, "open " + quote_word(path("list.txt")), 1);
    save(session, "list.json");
    test::write_text(folder / "list.txt", "0 0 0 1 1 1\n2 2 2 3 3 3\n");
    frames(session, "open " + quote_word(path("list.json")), 1);
    ASSERT_EQ(session.shown().opened.box_lists.size(), 1u);
    EXPECT_EQ(session.shown().opened.box_lists[0].boxes.size(), 2u);
}

TEST_F(SavedFiles, ASceneThatNeedsABrokenFileChangesNothing) {
    folder.write("a.obj", kTet);
    folder.write("b.obj", kTet);
    {
        Session first{command_table()};
        frames(first, "open " + quote_word(path("a.obj")), 1);
        frames(first, "open " + quote_word(path("b.obj")), 1);
        frames(first, "spawn 1 a; spawn 1 b", 1);
        save(first, "both.json");
    }
    Session session{command_table()};
    frames(session, "open " + quote_word(path("a.obj")), 5);
    folder.write("a.obj", kTall);
    test::write_text(folder / "b.obj", "f 1 2 3\n");
    const Json before = report_of(session);
    const std::uint64_t record = session.timeline().id();
    EXPECT_NE(refusal(session, "open " + quote_word(path("both.json"))).find("b.obj"), std::string::npos);
    EXPECT_EQ(session.timeline().id(), record);
    EXPECT_EQ(session.shown().opened.meshes.size(), 1u);
    EXPECT_EQ(session.meshes().find("a"), session.shown().opened.meshes[0]);
    EXPECT_EQ(session.meshes()[session.shown().opened.meshes[0]].aabb_tight.max.z, 1.0f);
}

/// The extension says what is written; a wrong one is refused before anything is done.
/// What would be written there needs itself.
TEST_F(SavedFiles, AFileThatASceneNeedsIsNotReplacedByIt) {
    test::write_text(folder / "tet.obj", std::string(kTet));
    Session session{command_table()};
    frames(session, "open " + quote_word(path("tet.obj")), 2);
    ASSERT_EQ(session.refused_commands(), 0u);
    const auto expect_refusals = [&](std::uint64_t count) {
        EXPECT_EQ(session.file_problems(), count);
        const std::string said = session.messages().messages().back().text;
        EXPECT_NE(said.find("must be there when this is opened again"), std::string::npos) << said;
        EXPECT_EQ(std::filesystem::file_size(folder / "tet.obj"), kTet.size());
    };
    for (const char* name : {"link.json", "link.bvrec"})
        std::filesystem::create_symlink("tet.obj", folder / name);
    session.saver().save_scene(path("link.json"));
    expect_refusals(1);
    frames(session, "record.save " + quote_word(path("link.bvrec")), 2);
    expect_refusals(2);
    session.saver().save_scene(path("other.json"));
    EXPECT_EQ(session.file_problems(), 2u);
}

TEST_F(SavedFiles, WrongEndingsAreRefusedAtOnceWithTheRightOnes) {
    struct Writer {
        const char* command;
        std::vector<const char*> right;
    };
    const std::vector<Writer> writers = {
        {"save", {".json"}},
        {"record.save", {".bvrec"}},
        {"screenshot", {".png"}},
        {"report", {".json"}},
        {"save.boxes", {".txt", ".csv"}},
        {"save.tree", {".bvtree"}},
        {"export.tree", {".json", ".dot", ".gv"}},
        {"export.metrics", {".csv", ".json"}},
    };
    const std::vector<std::string> all = {"",       ".obj",   ".txt", ".csv",       ".json", ".bvtree",
                                          ".bvrec", ".png",   ".jpg", ".dot",       ".gv",   ".vox",
                                          ".xyz",   ".json ", ".",    ".bvtree.bak"};
    for (const Writer& writer : writers)
        for (const std::string& ending : all) {
            Session session{command_table()};
            frames(session, "scene welcome", 1);
            (void)session.take_requests();
            std::string upper = ending;
            for (char& c : upper)
                c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
            for (const std::string& end : {ending, upper}) {
                const std::string name = path("folder.json/x" + end);
                const bool is_right =
                    std::find(writer.right.begin(), writer.right.end(), ending) != writer.right.end();
                const auto refused = session.refused_commands();
                session.commands().push(std::string(writer.command) + ' ' + quote_word(name));
                session.drain();
                EXPECT_EQ(session.refused_commands() - refused, is_right ? 0u : 1u)
                    << writer.command << ' ' << name;
                const OutsideRequests asked = session.take_requests();
                const std::size_t requests = asked.screenshots.size() + asked.reports.size() +
                                             asked.tree_files.size() + asked.scenes.size();
                EXPECT_EQ(requests, is_right && std::string_view(writer.command) != "record.save" ? 1u : 0u)
                    << name;
                if (is_right) continue;
                for (const char* right : writer.right)
                    EXPECT_NE(session.messages().messages().back().text.find(right), std::string::npos)
                        << session.messages().messages().back().text;
            }
        }
}

}  // namespace
}  // namespace lab
