// The stepper: every kind of event is told, every algorithm walks forward and back through the same states,
// and the last state is the untraced answer.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <map>
#include <regex>
#include <set>
#include <span>
#include <sstream>

#include "bv/fit/catalog.hpp"
#include "bv/fit/hull.hpp"
#include "bv/fit/kdop.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "bv/tree/bsp_tree.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "commands/catalog.hpp"
#include "result_text.hpp"
#include "scenes/scenes.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "step_test_tools.hpp"
#include "steps/event_spec.hpp"
#include "steps/walk.hpp"
#include "workloads/clouds.hpp"
#include "workloads/random.hpp"
#include "world/mesh_library.hpp"

namespace lab {
namespace {

using steps::Board;
using steps::Subject;
using steps::Walk;
using test::run;
using test::walk_of;

constexpr const char* kPresets[] = {"cloud", "clusters", "line", "plane", "sphere", "cube", "sorted", "mesh"};

std::vector<std::string> event_names() {
    std::ifstream file(BV_EVENTS_HEADER);
    std::stringstream text;
    text << file.rdbuf();
    const std::string all = text.str();
    const std::size_t variant = all.find("std::variant<", all.find("using TraceEvent ="));
    EXPECT_NE(variant, std::string::npos);
    const std::size_t begin = all.find('<', variant);
    const std::string list = all.substr(begin, all.find(">;", begin) - begin);
    const std::regex name("[A-Z][A-Za-z]+");
    return {std::sregex_token_iterator(list.begin(), list.end(), name), std::sregex_token_iterator()};
}

/// `SphereGrown` as `sphere_grown`.
std::string as_id(const std::string& name) {
    std::string id;
    for (const char c : name) {
        if (std::isupper(static_cast<unsigned char>(c)) && !id.empty()) id += '_';
        id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return id;
}

/// Scenes with steps, each with its choices of algorithm.
struct Stepped {
    std::string scene;
    std::vector<std::string> settings;  ///< `set` lines; one empty one where there is no choice.
};
std::vector<Stepped> stepped_scenes() {
    std::vector<Stepped> scenes;
    for (const SceneSpec& spec : scene_specs()) {
        Session session(command_table());
        run(session, "scene " + std::string(spec.id), 2);
        if (!session.state().scene.running->stepped_walk()) continue;
        Stepped row{std::string(spec.id), {}};
        for (const SettingSpec* setting : spec.settings)
            if (setting->id.ends_with(".algorithm"))
                for (const Choice& choice : setting->choices)
                    row.settings.push_back(set_line(*setting, choice.id));
        if (spec.id == "less-work")
            row.settings.emplace_back("set less.resting=on; set less.behind=on; set less.at_rest=0.4");
        if (spec.id == "aabb-tree")  // removals and moves, too
            row.settings.emplace_back("set grow.period=1; set grow.count=5; set grow.then=churn");
        if (spec.id == "mesh-pairs")  // edges, too
            row.settings.emplace_back("set pairs.algorithm=triangles; set pairs.preset=touching");
        if (row.settings.empty()) row.settings.emplace_back();
        scenes.push_back(std::move(row));
    }
    return scenes;
}

/// Each algorithm of a scene with each of its presets.
std::vector<std::string> with_presets(const Stepped& row) {
    std::vector<std::string> lines = row.settings;
    for (const SettingSpec* setting : find_scene(row.scene)->settings) {
        if (!setting->id.ends_with(".preset") && !setting->id.ends_with(".place")) continue;
        for (const std::string& algorithm : row.settings)
            for (const Choice& choice : setting->choices)
                lines.push_back(algorithm + "; " + set_line(*setting, choice.id));
    }
    return lines;
}

/// What a state shows, all of it.
std::string shown_of(const Board& board, const Subject& subject) {
    FrameResults results;
    draw_board(board, subject, results);
    std::string text;
    for (const Exhibit& e : results.exhibits)
        text += test::text(e) + '\n';
    for (const Table& table : results.tables)
        for (const Row& row : table.rows)
            for (const Cell& cell : row.cells)
                text += to_text(cell) + ';';
    return text;
}

bool same(const Board& a, const Board& b) {
    const auto same_box = [](const auto& x, const auto& y) {
        return x.has_value() == y.has_value() && (!x || (x->box == y->box && x->volume == y->volume));
    };
    const auto alive = [](const Board& board) {
        std::multiset<std::array<std::uint32_t, 3>> faces;
        for (const Board::HullFace& face : board.faces)
            if (face.alive) faces.insert(face.vertex);
        return faces;
    };
    return a.ball == b.ball && a.support == b.support && same_box(a.best_box, b.best_box) &&
           alive(a) == alive(b) && a.face_count == b.face_count && a.seen_faces == b.seen_faces &&
           a.hull_points == b.hull_points && a.axes.size() == b.axes.size() &&
           a.slabs.size() == b.slabs.size() && a.visited.size() == b.visited.size() &&
           a.pairs.size() == b.pairs.size() && a.siblings.size() == b.siblings.size() &&
           a.splits.size() == b.splits.size() && a.tree == b.tree && a.refitted == b.refitted &&
           a.found == b.found && a.tests.size() == b.tests.size() && a.cells.size() == b.cells.size() &&
           a.planes.size() == b.planes.size() && a.cuts.size() == b.cuts.size() &&
           a.loops.size() == b.loops.size() && a.voxels.size() == b.voxels.size() &&
           a.pieces_waiting == b.pieces_waiting && a.pieces_in_planes == b.pieces_in_planes &&
           a.sorted.size() == b.sorted.size() && a.listed.size() == b.listed.size() &&
           a.clusters == b.clusters && a.neighbors.size() == b.neighbors.size() &&
           a.merged.size() == b.merged.size() && a.references.size() == b.references.size() &&
           a.sided.size() == b.sided.size() && a.intervals.has_value() == b.intervals.has_value() &&
           a.edges.size() == b.edges.size() && a.triangles_meet == b.triangles_meet;
}

/// The triangles that the walk was made with, as indices of its points.
std::vector<glm::uvec3> triangles_of(const Subject& subject) {
    const auto index = [&](const glm::vec3& p) {
        return static_cast<std::uint32_t>(std::find(subject.points.begin(), subject.points.end(), p) -
                                          subject.points.begin());
    };
    std::vector<glm::uvec3> triangles;
    for (const bv::Triangle& t : subject.triangles)
        triangles.emplace_back(index(t.a), index(t.b), index(t.c));
    return triangles;
}

/// The last state against the answer of the fast algorithm.
void expect_answer(const Board& board, const bv::fit::FitEntry& entry, const bv::MeshView& mesh,
                   const Subject& subject) {
    const bv::fit::Volume answer = entry.fit(mesh);
    if (const auto* ball = std::get_if<bv::Sphere>(&answer)) {
        ASSERT_EQ(board.ball.has_value(), !ball->is_empty()) << entry.id;
        if (board.ball) {
            EXPECT_EQ(*board.ball, *ball) << entry.id;
        }
    } else if (const auto* box = std::get_if<bv::Obb>(&answer)) {
        ASSERT_EQ(board.best_box.has_value(), !box->is_empty()) << entry.id;
        if (board.best_box) {
            EXPECT_EQ(board.best_box->box, *box) << entry.id;
        }
    } else if (const auto* hull = std::get_if<bv::Hull>(&answer)) {
        if (hull->dimension < 3) return;
        // Faces with coplanar corners left out are the same solid: every corner is one of the answer's or
        // lies inside it.
        const auto inside = [&](const glm::vec3& p) {
            for (const glm::uvec3& t : hull->triangles) {
                const glm::dvec3 a(hull->vertices[t.x]), b(hull->vertices[t.y]), c(hull->vertices[t.z]);
                const glm::dvec3 n = glm::normalize(glm::cross(b - a, c - a));
                if (glm::dot(n, glm::dvec3(p) - a) > 1e-6) return false;
            }
            return true;
        };
        double volume = 0;
        for (const Board::HullFace& face : board.faces) {
            if (!face.alive) continue;
            const glm::dvec3 o(hull->vertices[0]);
            const glm::dvec3 a(subject.point(face.vertex[0])), b(subject.point(face.vertex[1]));
            const glm::dvec3 c(subject.point(face.vertex[2]));
            volume += glm::dot(a - o, glm::cross(b - o, c - o)) / 6.0;
            for (const std::uint32_t v : face.vertex)
                EXPECT_TRUE(inside(subject.point(v)));
        }
        EXPECT_NEAR(volume, bv::fit::volume_of(answer), 1e-5 * std::max(volume, 1e-6));
    } else {
        // Slabs: as many as the k-DOP has, with the same bounds.
        std::visit(
            [&](const auto& dop) {
                using Dop = std::decay_t<decltype(dop)>;
                if constexpr (requires { Dop::kDirections; }) {
                    ASSERT_EQ(board.slabs_fitted.size(), dop.is_empty() ? 0u : dop.min.size());
                    for (std::size_t k = 0; k < board.slabs_fitted.size(); ++k) {
                        EXPECT_EQ(board.slabs_fitted[k].min, dop.min[k]);
                        EXPECT_EQ(board.slabs_fitted[k].max, dop.max[k]);
                    }
                } else {
                    ADD_FAILURE() << "no check of " << entry.id;
                }
            },
            answer);
    }
}

/// Two values that differ never read alike, and noise is no difference.
TEST(Steps, ValuesInOneSentenceAreToldApart) {
    using steps::change_of;
    EXPECT_EQ(change_of(1.32, 1.41, "m", "grows"), "grows from 1.32 to 1.41 m");
    EXPECT_EQ(change_of(32.6401, 32.6399, "m²"), "goes from 32.6401 to 32.6399 m²");
    EXPECT_EQ(change_of(32.64, 32.64 + 1e-6, "m²"), "stays 32.64 m²");
    EXPECT_EQ(change_of(5.0, 5.0, ""), "stays 5");
    EXPECT_EQ(change_of(2.801, 2.8, "", "goes", 2), "goes from 2.801 to 2.8");
    EXPECT_EQ(change_of(1.21e-5, 1.23e-5, "m"), "goes from 1.21e-05 to 1.23e-05 m");
    for (int i = 1; i < 2000; ++i) {
        const double a = 1e-3 * i * i, b = a * (1.0 + 1e-6);
        const auto [first, second] = steps::distinct_texts(a, b);
        EXPECT_NE(first, second) << a;
    }
}

TEST(Steps, LargeQuantitiesHaveFewerDecimals) {
    EXPECT_EQ(to_text(cells::quantity(865.8124)), "865.812");
    EXPECT_EQ(to_text(cells::quantity(-2017.68)), "−2017.7");
}

TEST(Steps, EveryKindOfEventIsTold) {
    const std::vector<std::string> names = event_names();
    const std::vector<std::string_view> ids = steps::all_kinds();
    ASSERT_EQ(names.size(), ids.size());
    for (std::size_t i = 0; i < names.size(); ++i)
        EXPECT_EQ(as_id(names[i]), ids[i]);
    std::set<std::size_t> with_a_line;
    for (const steps::Algorithm& row : steps::algorithms()) {
        EXPECT_GE(row.code.size(), 10u) << row.id;
        EXPECT_LE(row.code.size(), 20u) << row.id;
        for (const steps::CodeLine& line : row.code) {
            if (line.kind != steps::kNoEvent) with_a_line.insert(line.kind);
            EXPECT_LE(line.text.size(), 44u) << line.text;
        }
    }
    for (std::size_t i = 0; i < names.size(); ++i)
        EXPECT_TRUE(with_a_line.contains(i)) << names[i] << " has no line of pseudo-code";
}

TEST(Steps, EveryTracedFitHasAnAlgorithm) {
    for (const bv::fit::FitEntry& entry : bv::fit::fit_catalog()) {
        if (!entry.fit_traced) continue;
        EXPECT_EQ(steps::algorithm(entry.id).id, entry.id);
    }
}

/// For every algorithm, at every preset.
TEST(Steps, WalkingBackGivesTheSameStates) {
    std::size_t walks = 0;
    for (const Stepped& row : stepped_scenes())
        for (const std::string& setting : with_presets(row)) {
            Session session(command_table());
            run(session, "scene " + row.scene + "; " + setting, 2);
            const Walk& walk = walk_of(session);
            ++walks;
            const std::size_t stride = 1 + walk.size() / 12;
            std::vector<std::size_t> looked_at;
            std::vector<std::string> forward;
            Board board = walk.board(0);
            // All of the first steps, then some of each stretch between the states that a walk keeps.
            for (std::size_t n = 0; n < walk.size(); ++n) {
                if (n < 300 || n % 97 == 0 || n % 512 < 2 || n + 3 > walk.size()) {
                    EXPECT_TRUE(same(board, walk.board(n))) << row.scene << ' ' << setting << ' ' << n;
                }
                if (n % stride == 0 || n == 512 || n == 513) {
                    looked_at.push_back(n);
                    forward.push_back(shown_of(board, walk.subject()));
                }
                EXPECT_EQ(board.apply(walk.event(n)), walk.changes_answer(n));
            }
            EXPECT_TRUE(same(board, walk.board(walk.size())));
            EXPECT_EQ(shown_of(board, walk.subject()), shown_of(walk.board(walk.size()), walk.subject()));
            for (std::size_t i = looked_at.size(); i-- > 0;)
                EXPECT_EQ(forward[i], shown_of(walk.board(looked_at[i]), walk.subject()))
                    << row.scene << ' ' << setting << ' ' << looked_at[i];
        }
    EXPECT_GT(walks, 200u);
}

TEST(Steps, EveryStepHasASentenceALineAndAPicture) {
    std::set<std::size_t> shown;
    for (const Stepped& row : stepped_scenes())
        for (const std::string& setting : row.settings) {
            Session session(command_table());
            run(session, "scene " + row.scene + "; " + setting, 12);
            run(session, "pause");
            const std::size_t size = walk_of(session).size();
            EXPECT_GT(size, 0u) << row.scene << ' ' << setting;
            std::set<std::size_t> numbers = {size}, kinds;
            for (std::size_t n = 1; n <= size; ++n)
                if (n % (1 + size / 40) == 0 || kinds.insert(walk_of(session).event(n - 1).index()).second)
                    numbers.insert(n);
            for (const std::size_t n : numbers) {
                run(session, "step.goto " + std::to_string(n));
                const std::optional<WalkView>& view = session.results().walk;
                ASSERT_TRUE(view.has_value());
                EXPECT_EQ(view->number, n);
                EXPECT_EQ(view->of, size);
                EXPECT_LT(view->code_line, view->code.size()) << row.scene << ' ' << view->sentence;
                EXPECT_GT(view->sentence.size(), 10u);
                EXPECT_EQ(view->sentence.find(" nan"), std::string::npos) << view->sentence;
                EXPECT_FALSE(view->values.empty());
                EXPECT_FALSE(session.results().exhibits.empty());
                shown.insert(walk_of(session).event(n - 1).index());
            }
        }
    const std::vector<std::string> names = event_names();
    for (std::size_t i = 0; i < names.size(); ++i)
        EXPECT_TRUE(shown.contains(i)) << names[i] << " is shown in no scene";
}

TEST(Steps, TheLastStateIsTheAnswer) {
    for (const char* scene : {"fit-sphere", "fit-obb", "fit-kdop", "hull"})
        for (const Stepped& row : stepped_scenes()) {
            if (row.scene != scene) continue;
            for (const std::string& setting : row.settings)
                for (const char* preset : kPresets) {
                    Session session(command_table());
                    run(session,
                        fmt::format("scene {}; {}; set points.preset={}; set points.count=60", scene, setting,
                                    preset),
                        2);
                    const Walk& walk = walk_of(session);
                    const bv::fit::FitEntry* entry = bv::fit::find_fit(walk.algorithm().id);
                    ASSERT_NE(entry, nullptr);
                    SCOPED_TRACE(fmt::format("{} {}", entry->id, preset));
                    const std::vector<glm::uvec3> triangles = triangles_of(walk.subject());
                    expect_answer(walk.board(walk.size()), *entry, {walk.subject().points, triangles},
                                  walk.subject());
                }
        }
}

TEST(Steps, TheLastStateIsTheAnswerOfRandomClouds) {
    for (const bv::workloads::CloudKind& kind : bv::workloads::cloud_kinds())
        for (const bv::fit::FitEntry& entry : bv::fit::fit_catalog()) {
            if (!entry.fit_traced) continue;
            SCOPED_TRACE(fmt::format("{} {}", entry.id, kind.id));
            const auto points = bv::workloads::make_cloud(kind.id, 150, 5);
            bv::Recording trace(1'000'000);
            (void)entry.fit_traced({points, {}}, trace);
            Subject subject;
            subject.points = points;
            const Walk walk(steps::algorithm(entry.id), subject, trace, {});
            expect_answer(walk.board(walk.size()), entry, {points, {}}, subject);
        }
}

/// A tree without the numbers that a mere list of boxes does not know.
void expect_same_tree(const bv::TreeSnapshot& reported, const bv::TreeSnapshot& tree) {
    EXPECT_EQ(reported.boxes, tree.boxes);
    EXPECT_EQ(reported.parents, tree.parents);
    EXPECT_EQ(reported.source_nodes, tree.source_nodes);
    EXPECT_EQ(reported.payloads, tree.payloads);
}

TEST(Steps, TheLastTreeIsTheTree) {
    for (const char* balance : {"none", "height", "sah"})
        for (const char* insertion : {"manhattan", "greedy", "branch_and_bound"})
            for (const char* scene :
                 {"scene aabb-tree; set grow.period=1; set grow.count=25; set grow.then=churn",
                  "scene tree-balance", "scene insertion"}) {
                SCOPED_TRACE(fmt::format("{} {} {}", scene, balance, insertion));
                Session session(command_table());
                run(session,
                    fmt::format("set tree.balance={}; set tree.insertion={}; {}", balance, insertion, scene),
                    90);
                run(session, "pause", 2);
                const Walk& walk = walk_of(session);
                const auto shown = [&session, name = walk.subject().tree_name] {
                    for (const auto& [id, tree] : session.results().trees)
                        if (id == name) return tree;
                    ADD_FAILURE() << "no tree " << name;
                    return bv::TreeSnapshot{};
                };
                const bv::TreeSnapshot tree = shown();
                expect_same_tree(walk.board(walk.size()).tree.snapshot(), tree);
                run(session, "step.last");
                expect_same_tree(shown(), tree);
            }
}

/// Pairs of boxes that overlap, by comparing all.
std::set<steps::BoxPair> pairs_of(const Subject& subject) {
    std::set<steps::BoxPair> pairs;
    for (std::uint32_t a = 0; a < subject.nodes.size(); ++a)
        for (std::uint32_t b = a + 1; b < subject.nodes.size(); ++b) {
            const bv::Obb &x = subject.nodes[a], &y = subject.nodes[b];
            bool apart = false;
            for (int k = 0; k < 3; ++k)
                apart = apart || x.center[k] + x.half_extents[k] < y.center[k] - y.half_extents[k] ||
                        y.center[k] + y.half_extents[k] < x.center[k] - x.half_extents[k];
            if (!apart) pairs.emplace(a, b);
        }
    return pairs;
}

TEST(Steps, TheLastStateOfASearchIsAllPairs) {
    for (const Stepped& row : stepped_scenes()) {
        if (row.scene != "sweep" && row.scene != "grid") continue;
        for (const std::string& setting : row.settings)
            for (const char* preset : {"scattered", "row", "pile", "sizes"})
                for (const int count : {1, 2, 10, 40})
                    for (const int seed : {1, 2, 3}) {
                        SCOPED_TRACE(fmt::format("{} {} {} {}", setting, preset, count, seed));
                        Session session(command_table());
                        run(session,
                            fmt::format(
                                "set world.seed={}; scene {}; {}; set boxes.preset={}; set boxes.count={}",
                                seed, row.scene, setting, preset, count),
                            2);
                        const Walk& walk = walk_of(session);
                        ASSERT_EQ(walk.dropped(), 0u);
                        EXPECT_EQ(walk.board(walk.size()).found, pairs_of(walk.subject()));
                    }
    }
}

/// The mesh of the scene bsp, where the scene has it.
struct BspMesh {
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;

    BspMesh(const Session& session, std::string_view name) {
        const MeshEntry& mesh = session.meshes()[*session.meshes().find(name)];
        for (const glm::vec3& p : mesh.positions)
            positions.push_back(glm::vec3(0.0f, 1.6f, 0.0f) +
                                1.7f / mesh.sphere.radius * (p - mesh.sphere.center));
        triangles = mesh.triangles;
    }
};

/// Each as its triangle and corners, in any order.
using PieceList = std::multiset<std::vector<std::array<float, 3>>>;
std::vector<std::array<float, 3>> as_row(std::span<const glm::vec3> corners) {
    std::vector<std::array<float, 3>> row;
    for (const glm::vec3& p : corners)
        row.push_back({p.x, p.y, p.z});
    return row;
}

TEST(Steps, TheLastPiecesAreThoseOfTheTree) {
    for (const char* mesh_name : {"gear", "box", "dodecahedron"})
        for (const bv::BspPlanes planes : {bv::BspPlanes::Triangles, bv::BspPlanes::TrianglesAndAxes}) {
            SCOPED_TRACE(fmt::format("{} {}", mesh_name, static_cast<int>(planes)));
            Session session(command_table());
            run(session,
                fmt::format("set bsp.mesh={}; set bsp.planes={}; set bsp.algorithm=build; scene bsp",
                            mesh_name, planes == bv::BspPlanes::Triangles ? "triangles" : "axes"),
                3);
            const BspMesh mesh(session, mesh_name);
            bv::BspOptions options;
            options.planes = planes;
            bv::BspTree tree;
            ASSERT_EQ(tree.build({mesh.positions, mesh.triangles}, options), bv::MeshBuildStatus::Ok);
            PieceList expected, reported;
            for (const bv::BspFragment& f : tree.fragments())
                expected.insert(as_row(tree.corners(f)));
            const Walk& walk = walk_of(session);
            ASSERT_EQ(walk.dropped(), 0u);
            const Board board = walk.board(walk.size());
            std::vector<std::uint32_t> pieces = board.pieces_in_planes;
            pieces.insert(pieces.end(), board.pieces_waiting.begin(), board.pieces_waiting.end());
            for (const std::uint32_t piece : pieces) {
                ASSERT_NE(walk.subject().piece(piece), nullptr);
                reported.insert(as_row(*walk.subject().piece(piece)));
            }
            EXPECT_EQ(reported, expected);
        }
}

TEST(Steps, TheLastOrderIsThatOfTheTree) {
    for (const char* mesh_name : {"gear", "torus"})
        for (const char* order : {"back-to-front", "front-to-back"})
            for (const bool from_camera : {false, true}) {
                SCOPED_TRACE(fmt::format("{} {} {}", mesh_name, order, from_camera));
                Session session(command_table());
                run(session,
                    fmt::format("set bsp.mesh={}; set bsp.algorithm={}; set bsp.eye={}; scene bsp; "
                                "scene.drag point 1.1 0.7 -0.9; camera.orbit 40 -15",
                                mesh_name, order, from_camera ? "camera" : "point"),
                    3);
                EXPECT_EQ(test::errors_of(session), "");
                const glm::vec3 eye =
                    from_camera ? session.state().view.camera.eye() : glm::vec3(1.1f, 0.7f, -0.9f);
                const BspMesh mesh(session, mesh_name);
                bv::BspTree tree;
                ASSERT_EQ(tree.build({mesh.positions, mesh.triangles}), bv::MeshBuildStatus::Ok);
                std::vector<std::uint32_t> expected, reported;
                tree.back_to_front(eye, [&](std::uint32_t f) { expected.push_back(f); });
                if (std::string_view(order) == "front-to-back")
                    std::reverse(expected.begin(), expected.end());
                const Walk& walk = walk_of(session);
                for (const bv::PieceListed& e : walk.board(walk.size()).listed)
                    reported.push_back(e.fragment);
                EXPECT_EQ(reported, expected);
            }
}

/// The clusters that merged are the inner nodes of the tree, and one is left.
TEST(Steps, TheLastClusterIsTheTree) {
    for (const int seed : {1, 2, 3})
        for (const int count : {2, 3, 40, 300}) {
            SCOPED_TRACE(fmt::format("{} {}", seed, count));
            Session session(command_table());
            run(session,
                fmt::format("set world.seed={}; set split.algorithm=agglomerative; set split.count={}; "
                            "scene sah-split",
                            seed, count),
                2);
            const Walk& walk = walk_of(session);
            ASSERT_EQ(walk.dropped(), 0u);
            const Board first = walk.board(0), last = walk.board(walk.size());
            ASSERT_EQ(first.clusters.size(), static_cast<std::size_t>(count));
            ASSERT_EQ(last.clusters.size(), 1u);
            bv::TreeOptions options;
            options.margin = bv::Margin::None;
            bv::DynamicTree tree(options);
            for (const auto& [node, box] : std::map(first.clusters.begin(), first.clusters.end()))
                (void)tree.insert(box, node);
            ASSERT_EQ(tree.rebuild(bv::Builder::Agglomerative), bv::TreeStatus::Ok);
            EXPECT_EQ(last.clusters[0].second, tree.bounds());
            const auto key = [](const bv::Aabb& b) {
                return std::array<float, 6>{b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z};
            };
            std::multiset<std::array<float, 6>> merged, inner;
            for (const bv::ClustersMerged& e : last.merged)
                merged.insert(key(e.box));
            const bv::TreeSnapshot built = tree.snapshot();
            for (std::uint32_t n = 0; n < built.size(); ++n)
                if (!built.is_leaf(n)) inner.insert(key(built.boxes[n]));
            EXPECT_EQ(merged, inner);
        }
}

/// The parts that the events cut fill the nodes of the untraced tree.
TEST(Steps, TheCutTrianglesFillTheTree) {
    for (const int seed : {1, 2, 3})
        for (const int count : {2, 10, 40, 200}) {
            SCOPED_TRACE(fmt::format("{} {}", seed, count));
            Session session(command_table());
            run(session,
                fmt::format("set world.seed={}; set split.algorithm=spatial; set split.count={}; "
                            "scene sah-split",
                            seed, count),
                2);
            const Walk& walk = walk_of(session);
            ASSERT_EQ(walk.dropped(), 0u);
            std::vector<glm::vec3> positions;
            std::vector<glm::uvec3> triangles;
            for (const bv::Triangle& t : walk.subject().triangles) {
                const auto at = static_cast<std::uint32_t>(positions.size());
                positions.insert(positions.end(), {t.a, t.b, t.c});
                triangles.emplace_back(at, at + 1, at + 2);
            }
            ASSERT_EQ(triangles.size(), static_cast<std::size_t>(count));
            bv::MeshBvhOptions options;
            options.max_leaf_triangles = 1;
            options.spatial_splits = 1.0f;
            bv::MeshBvh tree;
            ASSERT_EQ(tree.build({positions, triangles}, options), bv::MeshBuildStatus::Ok);
            ASSERT_EQ(walk.subject().contents.size(), tree.nodes().size());
            std::size_t in_leaves = 0;
            for (std::size_t n = 0; n < tree.nodes().size(); ++n) {
                bv::Aabb all;
                for (const bv::Aabb& part : walk.subject().contents[n])
                    all = bv::merge(all, part);
                EXPECT_EQ(all, tree.nodes()[n].box()) << n;
                if (!tree.nodes()[n].is_leaf()) continue;
                in_leaves += walk.subject().contents[n].size();
                EXPECT_GE(walk.subject().contents[n].size(), tree.nodes()[n].count) << n;
            }
            EXPECT_GE(in_leaves, tree.references().size());
            if (count == 40) {
                EXPECT_TRUE(tree.has_repeated_references()) << "nothing to see";
            }
        }
}

TEST(Steps, TheLastStateOfTwoTrianglesIsTheAnswer) {
    std::set<std::size_t> kinds;
    bool answers[2] = {};
    const auto check = [&](const Session& session) {
        const Walk& walk = walk_of(session);
        ASSERT_EQ(walk.subject().triangles.size(), 2u);
        const bool overlap = bv::overlap(walk.subject().triangles[0], walk.subject().triangles[1]);
        EXPECT_EQ(walk.board(walk.size()).triangles_meet, overlap);
        EXPECT_NE(walk.verdict().find(overlap ? "overlap" : "apart"), std::string::npos);
        answers[overlap ? 1 : 0] = true;
        kinds.insert(walk.event(walk.size() - 1).index());
    };
    const std::map<std::string, bool> presets = {{"crossing", true}, {"plane", false},   {"line", false},
                                                 {"touching", true}, {"coplanar", true}, {"neighbors", true},
                                                 {"meshes", true}};
    for (const auto& [preset, overlap] : presets) {
        SCOPED_TRACE(preset);
        Session session(command_table());
        run(session, "set pairs.algorithm=triangles; scene mesh-pairs; set pairs.preset=" + preset, 3);
        check(session);
        EXPECT_EQ(walk_of(session).board(walk_of(session).size()).triangles_meet, overlap);
        const bool by_line = std::holds_alternative<bv::IntervalsCompared>(
            walk_of(session).event(walk_of(session).size() - 1));
        if (preset == "crossing" || preset == "line") {
            EXPECT_TRUE(by_line);
        }
    }
    bv::workloads::Random random(4);
    Session session(command_table());
    run(session, "set pairs.algorithm=triangles; scene mesh-pairs; pause on", 2);
    for (int round = 0; round < 200; ++round) {
        std::string line;
        for (const char* corner : {"a1", "a2", "a3", "b1", "b2", "b3"}) {
            // On a lattice, so that corners also touch.
            const glm::vec3 p = glm::floor(random.in_box(glm::vec3(0.0f), glm::vec3(4.0f)));
            line += fmt::format("scene.drag {} {} {} {}; ", corner, p.x, p.y, p.z);
        }
        run(session, line, 1);
        check(session);
    }
    EXPECT_EQ(test::errors_of(session), "");
    EXPECT_EQ(kinds.size(), 3u) << "sides, intervals and edges each decide some";
    EXPECT_TRUE(answers[0] && answers[1]);
}

TEST(Steps, ARecordingThatOverflowedSaysSo) {
    bv::Recording trace(3);
    const std::vector<glm::vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    (void)bv::fit::hull(points, trace);
    ASSERT_TRUE(trace.overflowed());
    Subject subject;
    subject.points = points;
    const Walk walk(steps::algorithm("hull.quickhull"), subject, trace, "x");
    FrameResults results;
    results.walk = steps::view_of(walk, {2, false});
    steps::show(walk, {2, false}, results);
    EXPECT_EQ(results.walk->of, 3u);
    EXPECT_EQ(results.walk->dropped, trace.dropped());
    const Table& table = results.tables.back();
    EXPECT_NE(to_text(table.rows.back().cells[1]).find("did not fit"), std::string::npos);
}

}  // namespace
}  // namespace lab
