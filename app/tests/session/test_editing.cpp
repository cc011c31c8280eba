// Selection, edits and undo: every command, and that nothing else changes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>
#include <utility>

#include "commands/catalog.hpp"
#include "scenes/scenes.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "settings/draw.hpp"
#include "volumes_of.hpp"
#include "workloads/random.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

class Editing : public testing::Test {
  protected:
    // The dynamic tree has one leaf for each body and many nodes to select.
    Editing() { run("view.size 1000 800; set broadphase.kind=dynamic-tree; scene welcome; pause on"); }

    void run(std::string_view script, int frames = 1) { test::run(session, script, frames); }
    std::string refusal(const std::string& line) { return test::refusal(session, line); }
    const Body& body(std::uint32_t id) { return *std::as_const(session).state().world.find({id}); }
    std::vector<std::uint32_t> chosen() {
        std::vector<std::uint32_t> ids;
        for (const bv::BodyId id : session.state().view.selection.bodies)
            ids.push_back(id.value);
        return ids;
    }
    const bv::TreeSnapshot& tree() { return session.results().trees.front().second; }
    std::uint32_t leaf_of(std::uint32_t id) {
        for (std::uint32_t node = 0; node < tree().size(); ++node)
            if (tree().is_leaf(node) && leaf_holds(tree(), node, id)) return node;
        return bv::TreeSnapshot::kNone;
    }
    /// Everything about the bodies that an edit can change.
    std::string state() {
        std::string text;
        for (const Body& b : std::as_const(session).state().world.bodies()) {
            const auto add = [&](const auto& x) {
                text.append(reinterpret_cast<const char*>(&x), sizeof(x));
            };
            add(b.state.id.value);
            add(b.position);
            add(b.orientation);
            add(b.state.velocity);
            add(b.state.hidden);
            add(std::as_const(session).state().world.bodies().tight_box(b));
        }
        for (const SettingSpec* row : setting_catalog().rows())
            if (row->group() != "ui") text += session.state().settings.get_as_text(*row) + ";";
        for (const bv::Ray& ray : session.state().view.pinned_rays)
            text.append(reinterpret_cast<const char*>(&ray.origin), sizeof(ray.origin));
        return text;
    }

    Session session{command_table()};
};

using Ids = std::vector<std::uint32_t>;

TEST_F(Editing, BodiesAreSelectedOneByOneAndTogether) {
    run("select 3");
    EXPECT_EQ(chosen(), Ids{3});
    run("select add 5 7");
    EXPECT_EQ(chosen(), (Ids{3, 5, 7}));
    EXPECT_EQ(session.state().selected().value, 7u) << "the last one is inspected";
    run("select add 3");
    EXPECT_EQ(chosen(), (Ids{5, 7, 3}));
    run("select toggle 7 9");
    EXPECT_EQ(chosen(), (Ids{5, 3, 9}));
    int marked = 0;
    for (const BodyState& b : session.results().bodies)
        marked += b.selected;
    EXPECT_EQ(marked, 3);
    run("select all");
    EXPECT_EQ(chosen().size(), session.results().bodies.size());
    run("select none");
    EXPECT_TRUE(session.state().view.selection.empty());
    EXPECT_NE(refusal("select add 3 999").find("no body 999"), std::string::npos);
    EXPECT_TRUE(session.state().view.selection.empty()) << "all or none";
}

TEST_F(Editing, ARectangleSelectsTheBodiesSeenInIt) {
    run("select.box 0 0 1000 800");
    std::size_t seen = 0;
    for (const BodyState& b : session.results().bodies)
        if (const auto at = session.state().view.pixel_of(test::sphere_of(session, b).center))
            seen += at->x >= 0 && at->y >= 0 && at->x <= 1000 && at->y <= 800;
    EXPECT_EQ(chosen().size(), seen);
    EXPECT_GT(seen, 20u);
    const glm::vec2 at =
        *session.state().view.pixel_of(test::sphere_of(session, session.results().bodies[4]).center);
    run("select.box " + std::to_string(at.x + 2) + " " + std::to_string(at.y + 2) + " " +
        std::to_string(at.x - 2) + " " + std::to_string(at.y - 2));
    EXPECT_TRUE(session.state().view.selection.contains(session.results().bodies[4].id));
    EXPECT_LT(chosen().size(), 4u);
}

TEST_F(Editing, ANodeIsSelectedAndItsLeafIsItsBody) {
    run("select.node bodies 0");
    ASSERT_TRUE(session.results().selected_node);
    EXPECT_EQ(session.results().selected_node->node, 0u);
    EXPECT_TRUE(chosen().empty());
    const std::uint32_t leaf = leaf_of(6);
    run("select.node bodies " + std::to_string(leaf));
    EXPECT_EQ(chosen().size(), tree().payload_count[leaf]);
    EXPECT_TRUE(session.state().view.selection.contains({6}));
    run("select.parent");
    EXPECT_EQ(session.results().selected_node->node, tree().parents[leaf]);
    EXPECT_TRUE(chosen().empty());
    run("select 6; select.parent");
    EXPECT_EQ(session.results().selected_node->node, leaf_of(6)) << "a body's parent is its leaf";
    for (int i = 0; i < 60; ++i)
        run("select.parent");
    EXPECT_EQ(session.results().selected_node->node, 0u) << "the root stays selected";
    run("select.node bodies " + std::to_string(leaf) + "; select.parent");
    EXPECT_EQ(session.results().selected_node->node, tree().parents[leaf]) << "within one frame, too";
    run("time.back; select.parent; camera.frame");  // before results of that moment exist
    EXPECT_TRUE(session.results().selected_node);
    EXPECT_NE(refusal("select.node bodies 99999").find("no node 99999"), std::string::npos);
    EXPECT_NE(refusal("select.node bodys 0").find("no tree 'bodys'"), std::string::npos);
    Session fresh{command_table()};
    fresh.commands().push_script("scene boxes; select.node boxes 3", "test");
    fresh.drain();
    fresh.step(Session::kFixedStep_s);
    ASSERT_TRUE(fresh.results().selected_node) << "before the first results of a scene, too";
    EXPECT_EQ(fresh.results().selected_node->tree, "boxes");
}

TEST_F(Editing, ASelectedLeafIsFollowedWhileTheTreeChanges) {
    run("select.node bodies " + std::to_string(leaf_of(6)) + "; pause off", 1);
    for (int i = 0; i < 200; ++i) {
        run("", 1);
        ASSERT_TRUE(session.results().selected_node);
        const std::uint32_t node = session.results().selected_node->node;
        EXPECT_TRUE(leaf_holds(tree(), node, 6u));
    }
    run("remove 6", 1);
    EXPECT_FALSE(session.results().selected_node) << "dropped with its body";
}

TEST_F(Editing, ASelectedInnerNodeIsFollowedOrDropped) {
    run("select.node bodies 4; pause off", 1);
    bv::Aabb before = tree().boxes[4];
    for (int i = 0; i < 600 && session.results().selected_node; ++i) {
        run("", 1);
        if (!session.results().selected_node) break;
        const bv::Aabb now = tree().boxes[session.results().selected_node->node];
        EXPECT_TRUE(glm::all(glm::lessThanEqual(now.min, before.max)) &&
                    glm::all(glm::lessThanEqual(before.min, now.max)));
        before = now;
    }
    run("clear", 1);
    EXPECT_FALSE(session.results().selected_node);
    EXPECT_FALSE(session.results().isolated_node);
}

TEST_F(Editing, ASubtreeIsIsolatedAndFramed) {
    run("select.node bodies 1; tree.isolate");
    ASSERT_TRUE(session.results().isolated_node);
    EXPECT_EQ(session.results().isolated_node->node, 1u);
    const glm::vec3 target = session.state().view.camera.target;
    run("camera.frame");
    EXPECT_NE(session.state().view.camera.target, target);
    EXPECT_LT(glm::distance(session.state().view.camera.target, tree().boxes[1].center()), 1e-3f);
    run("select 3");
    EXPECT_TRUE(session.results().isolated_node) << "it stays while other things are selected";
    run("back");
    EXPECT_FALSE(session.results().isolated_node);
    EXPECT_EQ(chosen(), Ids{3});
}

TEST_F(Editing, ANodeIsPickedByItsEdge) {
    // The middle of an edge of each drawn node: the node found there has an edge there, too.
    run("set draw.tree_leaves=true; set draw.tree_min_depth=0; set draw.tree_max_depth=64");
    int exact = 0, asked = 0;
    for (std::uint32_t node = 0; node < std::min<std::size_t>(tree().size(), 40); ++node) {
        const bv::Aabb box = tree().boxes[node];
        const auto at = session.state().view.pixel_of({box.min.x, box.max.y, box.center().z});
        if (!at) continue;
        run("pick.node " + std::to_string(at->x) + " " + std::to_string(at->y));
        ASSERT_TRUE(session.results().selected_node) << node;
        exact += session.results().selected_node->node == node;
        ++asked;
    }
    EXPECT_GT(asked, 30);
    EXPECT_GT(exact, asked * 2 / 3) << "boxes share edges with their parents, but few with others";
}

TEST_F(Editing, AClickNamesTheTriangle) {
    run("select none");
    const auto at =
        session.state().view.pixel_of(test::sphere_of(session, session.results().bodies[0]).center);
    ASSERT_TRUE(at);
    run("pick " + std::to_string(at->x) + " " + std::to_string(at->y));
    ASSERT_TRUE(session.results().selected_triangle);
    EXPECT_EQ(session.results().selected_triangle->triangle, session.state().view.picks.back().triangle);
    ASSERT_TRUE(session.state().selected_triangle());
    const bv::Triangle t = *session.state().selected_triangle();
    const glm::vec3 normal = glm::normalize(glm::cross(t.b - t.a, t.c - t.a));
    EXPECT_LT(std::abs(glm::dot(session.state().view.picks.back().point - t.a, normal)), 1e-3f);
    run("remove");
    EXPECT_FALSE(session.state().selected_triangle());
    EXPECT_FALSE(session.results().selected_triangle);
}

TEST_F(Editing, PinnedRaysAreSelectedAndRemoved) {
    run("ray.pin -8 3 0 1 0 0; ray.pin -8 2 0 1 0 0; select.ray 1");
    EXPECT_EQ(session.results().selected_ray, 1u);
    run("remove");
    EXPECT_EQ(session.state().view.pinned_rays.size(), 1u);
    EXPECT_FALSE(session.results().selected_ray);
    run("undo");
    ASSERT_EQ(session.state().view.pinned_rays.size(), 2u);
    EXPECT_EQ(session.state().view.pinned_rays[1].origin.y, 2.0f);
    EXPECT_NE(refusal("select.ray 2").find("no pinned ray 2"), std::string::npos);
}

TEST_F(Editing, BodiesMoveAndTurnTogether) {
    run("select 2 4");
    const glm::vec3 a = body(2).position, b = body(4).position;
    run("move.by 1 -0.5 0.25");
    EXPECT_LT(glm::distance(body(2).position, a + glm::vec3(1, -0.5f, 0.25f)), 1e-5f);
    EXPECT_LT(glm::distance(body(4).position, b + glm::vec3(1, -0.5f, 0.25f)), 1e-5f);
    const glm::vec3 c = body(2).position, d = body(4).position;
    run("turn 0 1 0 90");
    const glm::vec3 before = d - c, after = body(4).position - body(2).position;
    EXPECT_NEAR(after.x, before.z, 1e-4f);
    EXPECT_NEAR(after.z, -before.x, 1e-4f);
    EXPECT_NEAR(after.y, before.y, 1e-4f);
    EXPECT_LT(glm::distance(0.5f * (body(2).position + body(4).position), 0.5f * (c + d)), 1e-4f);
    run("turn 0 0 1 30 5");
    EXPECT_EQ(refusal("turn 0 0 0 30").empty(), false);
    EXPECT_NE(refusal("move.by 1 2").find("DZ"), std::string::npos);
}

TEST_F(Editing, PasteAddsBesideTheOriginalsEvenIfThoseAreGone) {
    const auto pasted_at = [&](const char* between) {
        run(std::string("scene welcome; pause on; select 4 5; copy; ") + between);
        run("paste");
        const std::vector<std::uint32_t> ids = chosen();
        EXPECT_EQ(ids.size(), 2u);
        return ids.empty() ? glm::vec3(0.0f) : body(ids.front()).position;
    };
    const glm::vec3 beside = pasted_at("");
    EXPECT_EQ(pasted_at("remove"), beside);
    EXPECT_EQ(pasted_at("clear; spawn 1"), beside);
    EXPECT_EQ(pasted_at("restart"), beside);
}

TEST_F(Editing, ManyRandomEditsAreUndoneAndRedoneBitForBit) {
    bv::workloads::Random random(7);
    const auto id = [&] {
        const auto& bodies = std::as_const(session).state().world.bodies();
        return std::to_string(random.one_of(bodies).state.id.value);
    };
    std::vector<std::string> states = {state()};
    for (int i = 0; i < 120; ++i) {
        std::string line;
        switch (random.below(10)) {
            case 0:
                line = "spawn 3 torus";
                break;
            case 1:
                line = "remove " + id();
                break;
            case 2:
                line = "move " + id() + " 1 " + std::to_string(random.uniform(1, 5)) + " 0";
                break;
            case 3:
                line = "turn 0 1 1 " + std::to_string(random.uniform(10, 90)) + " " + id();
                break;
            case 4:
                line = "hide " + id();
                break;
            case 5:
                line = "set draw.fill=" + std::to_string(random.uniform(0.0f, 1.0f));
                break;
            case 6:
                line = "ray.pin 0 " + std::to_string(random.uniform(0, 5)) + " 9 0 0 -1; ray.remove 0";
                break;
            case 7:
                line = "isolate " + id();
                break;
            case 8:
                line = "select " + id() + "; duplicate";
                break;
            default:
                line = "toggle draw.obb";
                break;
        }
        for (const std::string& part : split_lines(line)) {
            // Apart in time, so that no two are merged.
            run("", 25);
            const auto known = session.state().edits.undo_count();
            run(part);
            if (session.state().edits.undo_count() == known) continue;  // hid a hidden body
            states.push_back(state());
        }
    }
    ASSERT_GT(states.size(), 80u);
    ASSERT_LT(states.size(), EditHistory::kMaxEdits);
    EXPECT_EQ(session.state().edits.undo_count(), states.size() - 1);
    for (std::size_t i = states.size() - 1; i > 0; --i) {
        run("undo");
        ASSERT_TRUE(state() == states[i - 1]) << "undo to " << i - 1;
    }
    for (std::size_t i = 1; i < states.size(); ++i) {
        run("redo");
        ASSERT_TRUE(state() == states[i]) << "redo to " << i;
    }
    run("undo; undo; spawn 1");
    EXPECT_EQ(session.state().edits.redo_count(), 0u) << "a new edit drops the redo list";
}

TEST_F(Editing, AnUndoneRemovalComesBackWhileTimeGoesOn) {
    run("pause off", 10);
    const glm::vec3 velocity = body(5).state.velocity;
    run("remove 5", 10);
    const glm::vec3 other = body(6).position;
    run("pause on; undo");
    EXPECT_EQ(body(5).state.velocity, velocity);
    EXPECT_LT(glm::distance(body(6).position, other), 0.1f) << "time is not turned back for the others";
    run("pause off", 30);
    run("undo; undo; undo");
}

TEST_F(Editing, ManyBodiesGoAndComeBackTogether) {
    run("scene stress; set stress.bodies=1000; set draw.volumes_on=all; set draw.sphere=true; set "
        "draw.obb=true; set verify=true; "
        "pause on");
    const auto left = [&] {
        Ids ids;
        for (const Body& b : std::as_const(session).state().world.bodies())
            ids.push_back(b.state.id.value);
        return ids;
    };
    const Ids all = left();
    run(fmt::format("hide {} {}; step 3", all[7], all[9]), 4);
    const std::string before = state();
    std::string line = "remove";
    Ids kept;
    for (std::size_t i = all.size(); i-- > 0;)
        if (i % 3 == 0) line += fmt::format(" {}", all[i]);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (i % 3 != 0) kept.push_back(all[i]);
    run(line);
    EXPECT_EQ(left(), kept);
    for (const BodyPair& pair : session.state().world.finder().pairs().broad)
        for (const bv::BodyId id : {pair.a, pair.b})
            EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), id.value));
    run("undo");
    EXPECT_TRUE(state() == before);
    run("redo");
    EXPECT_EQ(left(), kept);
    run("undo; step 5", 6);
    EXPECT_TRUE(session.results().checks.differences.empty());
    run(fmt::format("select all; isolate {0} {1} {2}; remove {0} {1} {0}", all[1], all[2], all[3]));
    EXPECT_EQ(left().size(), all.size() - 2) << "an id that is named twice";
}

TEST_F(Editing, HandlesAndTypedValuesAreEdits) {
    const auto at = [&](std::string_view id) { return find_handle(session.results().handles, id)->position; };
    run("scene obb-sat");
    const glm::vec3 a = at("a"), b = at("b");
    for (int i = 0; i < 30; ++i)
        run("scene.drag b 4 " + std::to_string(1.0 + 0.1 * i) + " 0", 2);
    EXPECT_EQ(session.state().edits.undo_count(), 1u) << "a drag is one edit";
    run("scene.value a -2.5 1 0");
    EXPECT_EQ(session.state().edits.undo_count(), 2u);
    EXPECT_FLOAT_EQ(at("a").x, -2.5f);
    run("undo");
    EXPECT_EQ(session.messages().messages().back().text, "Undone: A, center");
    EXPECT_EQ(at("a"), a);
    EXPECT_FLOAT_EQ(at("b").y, 3.9f);
    run("undo");
    EXPECT_EQ(at("b"), b);
    run("redo");
    EXPECT_FLOAT_EQ(at("b").y, 3.9f);
    // Typed before the first frame, and the probe.
    run("scene aabb-overlap; scene.drag a 1 2 3; undo");
    EXPECT_NE(session.messages().messages().back().text.find("Undone"), std::string::npos);
    EXPECT_NE(at("a"), glm::vec3(1, 2, 3));
    run("scene welcome; set probe.kind=sphere");
    const glm::vec3 probe = at("probe");
    run("scene.drag probe 1 2 3");
    EXPECT_EQ(at("probe"), glm::vec3(1, 2, 3));
    run("undo");
    EXPECT_EQ(at("probe"), probe);
    for (const char* line : {"probe 3 2 1", "probe.pixel 100 100"}) {
        run(line);
        EXPECT_NE(at("probe"), probe) << line;
        run("undo");
        EXPECT_EQ(session.messages().messages().back().text, "Undone: Place the probe");
        EXPECT_EQ(at("probe"), probe) << line;
    }
    run("set probe.kind=ray");
    const glm::vec3 aim = at("probe.aim");
    run("probe.aim 3 2 1; undo");
    EXPECT_EQ(at("probe.aim"), aim);
    // One that is placed while there is none.
    run("set probe.kind=off; probe 1 2 3");
    EXPECT_EQ(at("probe"), glm::vec3(1, 2, 3));
    run("undo");
    EXPECT_FALSE(find_handle(session.results().handles, "probe"));
}

TEST_F(Editing, WhatIsAddedAndRemovedInASceneComesBack) {
    const auto inputs = [&] {
        std::string all;
        for (const Handle& handle : session.results().handles)
            if (handle.id != "a.angle" && handle.id != "b.angle")
                all += fmt::format("{} {:.4f} {:.4f} {:.4f}\n", handle.id, handle.position.x,
                                   handle.position.y, handle.position.z);
        return all;
    };
    const char* const scripts[][4] = {{"fit-sphere", "points.add", "points.remove", "Add a point"},
                                      {"hull", "points.add", "points.remove", "Add a point"},
                                      {"sweep", "boxes.add", "boxes.remove", "Add a box"},
                                      {"grid", "boxes.add", "boxes.remove", "Add a box"},
                                      {"sah-split", "boxes.add", "boxes.remove", "Add a box"},
                                      {"rectangles", "corners.add", "corners.remove", "Add a corner"}};
    for (const auto& [scene, add, remove, words] : scripts) {
        SCOPED_TRACE(scene);
        run("pause on; scene " + std::string(scene));
        const std::string first = inputs();
        run(add);
        const std::string more = inputs();
        ASSERT_NE(more, first);
        run(std::string(remove) + "; " + remove);
        const std::string fewer = inputs();
        ASSERT_NE(fewer, first);
        EXPECT_EQ(session.state().edits.undo_count(), 3u);
        run("undo; undo");
        EXPECT_EQ(inputs(), more);
        run("undo");
        EXPECT_EQ(inputs(), first);
        EXPECT_EQ(session.messages().messages().back().text, std::string("Undone: ") + words);
        run("redo; redo; redo");
        EXPECT_EQ(inputs(), fewer);
    }
    // Several in one frame, beside a setting that chooses another input.
    run("scene rectangles");
    run("scene.drag a.v2 2.16 -0.475 -3.75; set polygons.preset=inside; corners.add");
    const std::string edited = inputs();
    run("undo; undo; undo; redo; redo; redo");
    EXPECT_EQ(inputs(), edited);
    // A number of corners that is typed.
    run("reset polygons.preset; scene rectangles");
    const std::string first = inputs();
    run("scene.value a.corners 6");
    EXPECT_NE(inputs(), first);
    run("undo");
    EXPECT_EQ(inputs(), first);
    EXPECT_EQ(session.state().edits.undo_count(), 0u);
}

/// Where the handles are, the settings of the scene's panel and how much input it has.
std::string input_of(const Session& session) {
    const SceneState& scene = session.state().scene;
    std::string all = fmt::format("{} of input\n", scene.running->input_size());
    for (const SettingSpec* row : scene.spec->settings)
        all += fmt::format("{}={}\n", row->id, session.state().settings.get_as_text(*row));
    for (const Handle& handle : session.results().handles)
        all +=
            fmt::format("{} {} {} {}\n", handle.id, handle.position.x, handle.position.y, handle.position.z);
    return all;
}

/// Another value of a setting; empty if it has none to test.
std::string other_value(const SettingSpec& row) {
    const std::string_view now = row.default_value;
    switch (row.kind) {
        case SettingKind::Flag:
            return now == "true" ? "false" : "true";
        case SettingKind::Choice:
            return std::string(row.choices[row.choices[0].id == now ? 1 : 0].id);
        case SettingKind::Integer: {
            const auto number = std::stoll(std::string(now));
            return std::to_string(static_cast<double>(number) < row.max ? number + 1 : number - 1);
        }
        default:
            return {};
    }
}

/// A placement and a count replace what the user has dragged and added: undo brings it back.
TEST_F(Editing, UndoOfASettingBringsBackTheInputThatItReplaced) {
    for (const SceneSpec& scene : scene_specs()) {
        for (const SettingSpec* row : scene.settings) {
            const std::string value = other_value(*row);
            if (value.empty() || row->effect != Effect::World || row->id == "stress.bodies") continue;
            SCOPED_TRACE(fmt::format("scene {}, set {}={}", scene.id, row->id, value));
            run(fmt::format("reset all; set pick.largest=20k; pause on; scene {}", scene.id), 2);
            if (session.results().handles.empty()) break;
            const Handle handle = session.results().handles.front();
            const std::string start = input_of(session);
            const glm::vec3 to = handle.position + glm::vec3(0.3f, 0.1f, 0.2f);
            run(fmt::format("scene.drag {} {} {} {}", handle.id, to.x, to.y, to.z));
            for (const SceneCommand& command : scene.commands)
                if (command.id.ends_with(".add")) run(std::string(command.id));
            const std::string edited = input_of(session);
            const std::size_t edits = session.state().edits.undo_count();
            run(fmt::format("set {}={}", row->id, value), 2);
            const std::string set = input_of(session);
            if (session.state().edits.undo_count() == edits) continue;
            EXPECT_EQ(session.state().edits.next_undo()->label, row->label);
            run("undo", 2);
            EXPECT_EQ(input_of(session), edited);
            run("redo", 2);
            EXPECT_EQ(input_of(session), set);
            for (std::size_t i = 0; i <= edits; ++i)
                run("undo");
            EXPECT_EQ(input_of(session), start);
            for (std::size_t i = 0; i <= edits; ++i)
                run("redo");
            EXPECT_EQ(input_of(session), set);
        }
    }
}

/// What moves by itself until it is dragged moves on after the undo of a placement.
TEST_F(Editing, UndoOfAPlacementLetsMotionGoOn) {
    run("pause off; scene ray-aabb", 10);
    const auto aim = [&] { return find_handle(session.results().handles, "aim")->position; };
    run("set ray_aabb.preset=face", 5);
    const glm::vec3 still = aim();
    run("", 5);
    EXPECT_EQ(aim(), still);
    run("undo", 5);
    const glm::vec3 moving = aim();
    run("", 5);
    EXPECT_NE(aim(), moving);
    run("scene.drag origin -2 1 1", 5);
    run("pause on", 2);
    const glm::vec3 paused = aim();
    run("undo");
    EXPECT_EQ(aim(), paused) << "undo does not turn back time";
}

/// A scene takes a setting at once, so that what the next line changes counts.
TEST_F(Editing, AValueSetAfterAPlacementCounts) {
    run("scene voxel-pairs");
    run("set voxel_pairs.preset=face; set voxel_pairs.size=0.5; scene.drag a 1 1 1");
    EXPECT_EQ(test::value_of(session, "voxel_pairs.size"), "0.5");
    EXPECT_EQ(test::value_of(session, "voxel_pairs.a"), "box");
    EXPECT_EQ(find_handle(session.results().handles, "a")->position, glm::vec3(1.0f));
    run("undo; undo; undo", 2);
    EXPECT_EQ(test::value_of(session, "voxel_pairs.size"), "0.3");
    EXPECT_EQ(test::value_of(session, "voxel_pairs.a"), "any");
    run("scene gjk");
    run("set gjk.preset=deep; camera.place 1 2 3 10 0 0");
    EXPECT_EQ(session.state().view.camera.target, glm::vec3(1, 2, 3));
}

/// Of many points only some have handles: a script can move the others, too.
TEST_F(Editing, ADragOfAPointWithoutAHandleIsAnEdit) {
    run("scene fit-sphere; set points.count=100");
    const auto last = [&] {
        const Handle* handle = find_handle(session.results().handles, "p99");
        return handle ? handle->position : glm::vec3(0.0f);
    };
    const glm::vec3 start = last();
    run("scene.drag p99 0 0 5");
    run("scene.drag p0 9 9 9");
    EXPECT_EQ(session.state().edits.undo_count(), 3u);
    run("undo");
    EXPECT_EQ(last(), glm::vec3(0, 0, 5));
    run("undo");
    EXPECT_EQ(last(), start);
}

/// One wrong line of several values: none is taken.
TEST_F(Editing, ValuesAreAllTakenOrNone) {
    run("scene gjk");
    run("scene.values \"A, center = (10, 0, 0); A, its x axis = (0, 0, 1)\"");
    EXPECT_EQ(find_handle(session.results().handles, "a")->position, glm::vec3(10, 0, 0));
    EXPECT_EQ(find_handle(session.results().handles, "a.turn")->position, glm::vec3(10, 0, 1));
    const std::string before = input_of(session);
    (void)refusal("scene.values \"A, center = (1000000, 0, 0); A, its x axis = (0.00001, 0, 0)\"");
    EXPECT_EQ(input_of(session), before);
}

TEST_F(Editing, SeveralValuesAreOneEdit) {
    run("scene aabb-overlap; pause on");
    const std::vector<Handle> before = session.results().handles;
    const char* const paste =
        "scene.values \"A, center = (0, 0.5, 0); A, half size = (2, 2, 2); B, center = (3, 1, 0)\"";
    run(paste);
    const std::vector<Handle> after = session.results().handles;
    EXPECT_EQ(session.state().edits.undo_count(), 1u);
    EXPECT_EQ(session.state().edits.next_undo()->label, "Set values");
    const auto expect_as = [&](const std::vector<Handle>& wanted, const char* when) {
        const std::vector<Handle>& now = session.results().handles;
        ASSERT_EQ(now.size(), wanted.size());
        for (std::size_t i = 0; i < now.size(); ++i)
            EXPECT_EQ(now[i].position, wanted[i].position) << when << ": " << now[i].name();
    };
    EXPECT_NE(find_handle(after, "a")->position, find_handle(before, "a")->position);
    run("undo");
    expect_as(before, "undone");
    run("redo");
    expect_as(after, "redone");
}

/// Ids of commands and settings are for scripts.
TEST_F(Editing, WhatWasUndoneIsSaidInWords) {
    const auto undone = [&](const std::string& line) {
        run(line);
        run("undo");
        return session.messages().messages().back().text;
    };
    EXPECT_EQ(undone("spawn 3 torus"), "Undone: Add bodies");
    EXPECT_EQ(undone("move.by 1 0 0 2"), "Undone: Move bodies");
    EXPECT_EQ(undone("turn 0 1 0 90 2"), "Undone: Turn bodies");
    EXPECT_EQ(undone("clear"), "Undone: Remove all bodies");
    EXPECT_EQ(undone("ray.pin 0 5 0 0 -1 0"), "Undone: Pin a ray");
    EXPECT_EQ(undone("set draw.fill=0.3"), "Undone: Face opacity");
    EXPECT_EQ(undone("body.set fit.sphere=exact 2"), "Undone: Sphere fit of a body");
    EXPECT_EQ(undone("edit.begin \"\"; move.by 1 0 0 2; edit.end"), "Undone: Several edits");
    // The name is also a row of the context menu.
    EXPECT_NE(refusal("edit.begin " + std::string(61, 'x')).find("at most 60 bytes"), std::string::npos);
}

TEST_F(Editing, DragsAndSlidersAreOneEdit) {
    const glm::vec3 before = body(2).position;
    run("edit.begin drag");
    for (int i = 0; i < 60; ++i)
        run("move.by 0.01 0 0 2", 3);
    run("edit.end");
    EXPECT_EQ(session.state().edits.undo_count(), 1u);
    run("undo");
    EXPECT_EQ(session.messages().messages().back().text, "Undone: drag");
    EXPECT_EQ(body(2).position, before);
    for (int i = 0; i < 30; ++i)
        run("set draw.fill=" + std::to_string(0.01 * i), 2);
    EXPECT_EQ(session.state().edits.undo_count(), 1u);
    run("", 60);
    run("set draw.fill=0.9");
    EXPECT_EQ(session.state().edits.undo_count(), 2u) << "a later change is another edit";
    run("undo; undo");
    EXPECT_EQ(session.state().settings.get_as_text(kDrawFill), "0.06");
    run("undo");
    EXPECT_NE(session.messages().messages().back().text.find("nothing to undo"), std::string::npos);
}

TEST_F(Editing, TheUndoListIsBounded) {
    for (int i = 0; i < 300; ++i)
        run("edit.begin x; move.by 0 0.001 0 2; edit.end");
    EXPECT_EQ(session.state().edits.undo_count(), EditHistory::kMaxEdits);
    run("spawn 1000; set volume.pair_kind=sphere; set ray.sweep=false");
    for (int i = 0; i < 55; ++i)
        run("select all; hide; show all");
    EXPECT_LE(session.state().edits.undo_count(), 100u) << "large ones are fewer";
    EXPECT_GT(session.state().edits.undo_count(), 80u);
    run("scene volumes");
    EXPECT_EQ(session.state().edits.undo_count(), 0u) << "another scene has other bodies";
}

}  // namespace
}  // namespace lab
