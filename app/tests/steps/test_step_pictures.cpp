// What steps show beside their sentence, against values that are computed in another way: the queue of an
// insertion, halves of a rotation, cells of a Morton curve, which volume is opened, the sorted ends of a
// sweep, and what GJK says of depth.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "bv/fit/kdop.hpp"
#include "bv/query/convex.hpp"
#include "bv/shapes/kdop.hpp"
#include "commands/catalog.hpp"
#include "scenes/scenes.hpp"
#include "scenes/thin_mesh.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "step_test_tools.hpp"
#include "steps/event_spec.hpp"
#include "steps/walk.hpp"
#include "temp_dir.hpp"
#include "workloads/random.hpp"
#include "world/mesh_library.hpp"

namespace lab {
namespace {

using steps::Board;
using steps::Candidate;
using steps::Walk;
using test::run;
using test::walk_of;

const Exhibit* exhibit(const Session& session, std::string_view legend) {
    for (const Exhibit& e : session.results().exhibits)
        if (e.legend == legend) return &e;
    return nullptr;
}

const Table* table(const Session& session, std::string_view id) {
    for (const Table& t : session.results().tables)
        if (t.id == id) return &t;
    return nullptr;
}

std::string sentence_at(const Walk& walk, std::size_t index) {
    return steps::sentence_of(walk.event(index), walk.subject(), walk.board(index));
}

// ---- trees

double area(const bv::Aabb& b) {
    const glm::dvec3 d(glm::dvec3(b.max) - glm::dvec3(b.min));
    return 2.0 * (d.x * d.y + d.y * d.z + d.z * d.x);
}

/// Branch and bound in double over a snapshot: the queue after each node that is considered.
struct Search {
    struct State {
        std::uint32_t node;  ///< Source number.
        std::vector<std::uint32_t> queue;
    };
    std::vector<State> states;

    Search(const bv::TreeSnapshot& tree, const bv::Aabb& leaf) {
        struct Open {
            double bound, inherited;
            std::uint32_t node;
        };
        std::vector<Open> open;
        double best = std::numeric_limits<double>::infinity();
        const auto consider = [&](std::uint32_t node, double inherited) {
            const double direct = area(bv::merge(tree.boxes[node], leaf));
            best = std::min(best, direct + inherited);
            const double below = direct + inherited - area(tree.boxes[node]);
            if (!tree.is_leaf(node) && (node == 0 || below + area(leaf) < best))
                open.push_back({below + area(leaf), below, node});
            // Of equal bounds the smaller number.
            std::sort(open.begin(), open.end(), [&](const Open& a, const Open& b) {
                return std::pair(a.bound, tree.source_nodes[a.node]) <
                       std::pair(b.bound, tree.source_nodes[b.node]);
            });
            State state{tree.source_nodes[node], {}};
            for (const Open& o : open)
                if (o.bound < best) state.queue.push_back(tree.source_nodes[o.node]);
            states.push_back(std::move(state));
        };
        consider(0, 0.0);
        while (!open.empty() && open.front().bound < best) {
            const Open next = open.front();
            open.erase(open.begin());
            for (std::uint32_t k = 0; k < 2; ++k)
                consider(tree.first_child[next.node] + k, next.inherited);
        }
    }
};

TEST(StepPictures, TheQueueIsThatOfBranchAndBound) {
    std::size_t with_queue = 0, cut = 0;
    for (const int seed : {1, 2, 3, 4, 5, 6})
        for (const int count : {3, 8, 30, 120}) {
            SCOPED_TRACE(fmt::format("{} {}", seed, count));
            Session session(command_table());
            run(session,
                fmt::format(
                    "set world.seed={}; set tree.insertion=branch_and_bound; set insertion.sorted=false; "
                    "set insertion.count={}; scene insertion",
                    seed, count),
                2);
            const Walk& walk = walk_of(session);
            std::size_t placed = 0;
            while (!std::holds_alternative<bv::LeafPlaced>(walk.event(placed)))
                ++placed;
            const Search search(walk.subject().tree, std::get<bv::LeafPlaced>(walk.event(placed)).box);
            ASSERT_EQ(search.states.size(), placed);
            for (std::size_t n = 0; n < placed; ++n) {
                EXPECT_EQ(std::get<bv::SiblingConsidered>(walk.event(n)).node.value, search.states[n].node);
                // The parent is opened when its first child is considered; the oracle opens it for both.
                const Board board = walk.board(n + 1);
                std::vector<std::uint32_t> waiting;
                for (const Candidate& c : board.queue)
                    if (c.bound < board.best_cost()) waiting.push_back(c.node.value);
                EXPECT_EQ(waiting, search.states[n].queue) << n;
                with_queue += waiting.size() > 1;
                cut += !board.cut_off.empty();
                const std::string sentence = sentence_at(walk, n);
                const bool queued =
                    std::any_of(board.queue.begin(), board.queue.end(),
                                [&](const Candidate& c) { return c.node.value == search.states[n].node; });
                const bool was_cut =
                    std::any_of(board.cut_off.begin(), board.cut_off.end(),
                                [&](const Candidate& c) { return c.node.value == search.states[n].node; });
                EXPECT_EQ(sentence.find("joins the queue") != std::string::npos, queued) << sentence;
                EXPECT_EQ(sentence.find("cut off") != std::string::npos, was_cut) << sentence;
            }
        }
    EXPECT_GT(with_queue, 10u);
    EXPECT_GT(cut, 10u);
}

TEST(StepPictures, TheQueueIsInTheTableAndTheView) {
    Session session(command_table());
    run(session, "set tree.insertion=branch_and_bound; scene insertion; step.goto 9", 2);
    const Table* queue = table(session, "queue");
    ASSERT_NE(queue, nullptr);
    const Board board = walk_of(session).board(9);
    EXPECT_EQ(queue->rows.size(), board.queue.size() + board.cut_off.size());
    ASSERT_FALSE(board.queue.empty());
    EXPECT_EQ(to_text(queue->rows[0].cells[1]), std::to_string(board.queue[0].node.value));
    EXPECT_NE(exhibit(session, "in the queue"), nullptr);
    EXPECT_NE(exhibit(session, "cut off"), nullptr);
    // Insertions by descent keep no queue.
    for (const char* other : {"greedy", "manhattan"}) {
        run(session, fmt::format("set tree.insertion={}; step.goto 2", other), 2);
        EXPECT_EQ(table(session, "queue"), nullptr) << other;
    }
}

TEST(StepPictures, NodesOfASentenceAreFoundInTheViewAndTheDiagram) {
    const std::regex node("(?:node|sibling|leaf|Node|Leaf|parent) ([0-9]+)");
    std::size_t found = 0;
    for (const char* scene :
         {"scene insertion", "scene tree-balance", "set tree.balance=height; scene tree-balance",
          "scene aabb-tree; set grow.period=1; set grow.count=25; set grow.then=churn"}) {
        SCOPED_TRACE(scene);
        Session session(command_table());
        run(session, scene, 80);
        run(session, "pause on", 2);
        const std::size_t size = walk_of(session).size();
        for (std::size_t n = 1; n <= size; n += 1 + size / 60) {
            run(session, fmt::format("step.goto {}", n));
            std::set<std::string> labels, marked;
            for (const Exhibit& e : session.results().exhibits)
                labels.insert(e.label);
            for (const MarkedNode& mark : session.results().marked_nodes.nodes)
                marked.insert(std::to_string(mark.source));
            EXPECT_EQ(session.results().marked_nodes.tree, walk_of(session).subject().tree_name);
            const std::string& sentence = session.results().walk->sentence;
            for (auto it = std::sregex_iterator(sentence.begin(), sentence.end(), node);
                 it != std::sregex_iterator(); ++it) {
                EXPECT_TRUE(labels.contains((*it)[1].str())) << sentence;
                EXPECT_TRUE(marked.contains((*it)[1].str())) << sentence;
                ++found;
            }
        }
    }
    EXPECT_GT(found, 100u);
}

/// The halves after a rotation are the boxes that the refits behind it give them.
TEST(StepPictures, ARotationShowsBothHalves) {
    std::size_t rotations = 0;
    for (const char* balance : {"sah", "height"})
        for (const int seed : {1, 2}) {
            Session session(command_table());
            run(session,
                fmt::format(
                    "set world.seed={}; set tree.balance={}; scene tree-balance; set balance.input=clusters",
                    seed, balance),
                2);
            const std::size_t size = walk_of(session).size();
            std::size_t here = 0;
            for (std::size_t n = 1; n <= size && here < 25; ++n) {
                if (!std::holds_alternative<bv::Rotated>(walk_of(session).event(n - 1))) continue;
                ++here;
                run(session, fmt::format("step.goto {}", n));
                EXPECT_NE(exhibit(session, "swaps places"), nullptr);
                EXPECT_NE(exhibit(session, "with this one"), nullptr);
                EXPECT_NE(exhibit(session, "child before"), nullptr);
                std::map<std::uint32_t, bv::Aabb> after;
                for (std::size_t k = n; k < size; ++k) {
                    const auto* fitted = std::get_if<bv::NodeRefitted>(&walk_of(session).event(k));
                    if (!fitted) break;
                    after.emplace(fitted->node.value, fitted->after);
                }
                std::size_t halves = 0;
                for (const Exhibit& e : session.results().exhibits) {
                    if (e.legend != "child now") continue;
                    ++halves;
                    const auto refitted = std::find_if(after.begin(), after.end(), [&](const auto& row) {
                        return !e.label.empty() && std::to_string(row.first) == e.label;
                    });
                    if (refitted == after.end()) continue;  // fitted as it was
                    const bv::Obb& box = std::get<bv::Obb>(e.shape);
                    EXPECT_LE(glm::distance(box.center, refitted->second.center()), 1e-4f);
                    EXPECT_LE(glm::distance(box.half_extents, refitted->second.half_extents()), 1e-4f);
                }
                EXPECT_GE(halves, 1u);
                EXPECT_LE(halves, 2u);
                const std::string& stated = session.results().walk->sentence;
                EXPECT_NE(stated.find("height"), std::string::npos);
                EXPECT_NE(stated.find("SAH cost"), std::string::npos);
            }
            rotations += here;
        }
    EXPECT_GT(rotations, 20u);
}

// ---- builders

TEST(StepPictures, TheCellsOfTheCurveHoldBothRuns) {
    std::size_t cuts = 0;
    for (const char* preset : {"clusters", "two-clusters", "spread", "line", "sorted", "giant"}) {
        SCOPED_TRACE(preset);
        Session session(command_table());
        run(session,
            fmt::format(
                "scene sah-split; set split.algorithm=morton; set split.preset={}; set split.count=40",
                preset),
            2);
        const std::size_t size = walk_of(session).size();
        for (std::size_t n = 1; n <= size; ++n) {
            run(session, fmt::format("step.goto {}", n));
            const auto& e = std::get<bv::SplitEvaluated>(walk_of(session).event(n - 1));
            const Exhibit* low = exhibit(session, "cells where the bit is 0");
            const Exhibit* high = exhibit(session, "cells where the bit is 1");
            ASSERT_EQ(low != nullptr, e.normal != glm::vec3(0.0f));
            if (!low || !high) continue;
            const auto& run_of = walk_of(session).subject().contents.at(e.node.value);
            for (std::size_t i = 0; i < run_of.size(); ++i) {
                const bv::Aabb& cells = std::get<bv::Aabb>((i < e.left_count ? low : high)->shape);
                const glm::vec3 center = run_of[i].center();
                for (int k = 0; k < 3; ++k) {
                    EXPECT_GE(center[k], cells.min[k] - 1e-4f);
                    EXPECT_LE(center[k], cells.max[k] + 1e-4f);
                }
            }
            ++cuts;
        }
    }
    EXPECT_GT(cuts, 100u);
}

TEST(StepPictures, EveryBuilderStepsThroughHardInput) {
    for (const char* algorithm : {"binned", "sweep", "median", "morton", "agglomerative", "spatial"})
        for (const char* preset : {"clusters", "two-clusters", "spread", "line", "sorted", "giant", "equal"})
            for (const int count : {2, 3, 33}) {
                SCOPED_TRACE(fmt::format("{} {} {}", algorithm, preset, count));
                Session session(command_table());
                run(session,
                    fmt::format(
                        "scene sah-split; set split.algorithm={}; set split.preset={}; set split.count={}",
                        algorithm, preset, count),
                    2);
                const Walk& walk = walk_of(session);
                ASSERT_GT(walk.size(), 0u);
                run(session, "step.last; step.first; step.change", 1);
                EXPECT_EQ(session.results().walk->sentence.find("nan"), std::string::npos);
                EXPECT_EQ(test::errors_of(session), "");
            }
}

TEST(StepPictures, BoxesOfABuilderAreDraggedAddedAndRemoved) {
    Session session(command_table());
    run(session, "scene sah-split; set split.count=5", 2);
    const auto root = [&] {
        bv::Aabb all;
        for (const bv::Aabb& box : walk_of(session).subject().contents.at(
                 std::get<bv::SplitEvaluated>(walk_of(session).event(0)).node.value))
            all = bv::merge(all, box);
        return all;
    };
    run(session, "boxes.add; scene.drag b5 9 1 0", 2);
    EXPECT_GT(root().max.x, 9.0f);
    EXPECT_NE(walk_of(session).verdict().find("6 boxes"), std::string::npos);
    run(session, "boxes.remove", 2);
    EXPECT_LT(root().max.x, 5.0f);
    EXPECT_EQ(test::errors_of(session), "");
}

// ---- meshes

/// The next pair says which volume was opened: the one whose depth grew.
TEST(StepPictures, TheVolumeThatIsOpenedIsTheOneNamed) {
    std::set<std::string> reasons;
    for (const char* place : {"near", "apart", "small", "inside", "same"})
        for (const char* mesh : {"torus", "box", "icosphere"}) {
            SCOPED_TRACE(fmt::format("{} {}", place, mesh));
            Session session(command_table());
            run(session,
                fmt::format("scene mesh-pairs; set pairs.place={}; set pairs.a={}; set pairs.b=box", place,
                            mesh),
                2);
            const Walk& walk = walk_of(session);
            ASSERT_GT(walk.size(), 0u);
            if (std::string_view(place) == "apart") {
                EXPECT_LT(walk.size(), 30u);
            }
            for (std::size_t n = 0; n + 1 < walk.size() && n < 1500; ++n) {
                const auto& e = std::get<bv::VolumesTested>(walk.event(n));
                const auto& next = std::get<bv::VolumesTested>(walk.event(n + 1));
                std::string opened;
                for (const auto& [name, value] :
                     steps::values_of(walk.event(n), walk.subject(), walk.board(n)))
                    if (name == "opened") opened = to_text(value);
                reasons.insert(opened);
                const auto line = std::string(
                    walk.algorithm().code[walk.algorithm().line_of(walk.event(n), walk.subject())].text);
                EXPECT_NE(line.find(!e.overlap                   ? "apart"
                                    : opened.starts_with("none") ? "both are leaves"
                                    : opened.starts_with("A")    ? " a, if"
                                                                 : " b, if"),
                          std::string::npos)
                    << opened << ": " << line;
                if (!e.overlap) {
                    EXPECT_EQ(opened, "none");
                } else if (opened.starts_with("A")) {
                    EXPECT_EQ(next.depth_a, e.depth_a + 1);
                    EXPECT_EQ(next.b, e.b);
                } else if (opened.starts_with("B")) {
                    EXPECT_EQ(next.depth_b, e.depth_b + 1);
                    EXPECT_EQ(next.a, e.a);
                }
            }
        }
    for (const char* reason : {"none", "A, the larger", "B, the larger", "A, for B is a leaf",
                               "B, for A is a leaf", "none: both are leaves"})
        EXPECT_TRUE(reasons.contains(reason)) << reason;
}

TEST(StepPictures, LargeMeshesAreThinnedAndSaySo) {
    for (const auto& [setting, scene, limit] :
         {std::tuple{"pairs.a", "mesh-pairs", 4000u}, std::tuple{"slice.mesh", "slice", 4000u}}) {
        Session session(command_table());
        run(session, fmt::format("set {}=teapot; scene {}", setting, scene), 2);
        const MeshLibrary& library = session.meshes();
        std::string largest;
        std::size_t triangles = 0;
        for (const std::string_view name : library.names())
            if (library[*library.find(name)].triangles.size() > triangles) {
                triangles = library[*library.find(name)].triangles.size();
                largest = name;
            }
        ASSERT_GT(triangles, limit);
        run(session, fmt::format("set {}={}", setting, largest), 2);
        EXPECT_NE(walk_of(session).verdict().find("thinned for the steps"), std::string::npos)
            << walk_of(session).verdict();
        EXPECT_NE(walk_of(session).verdict().find(to_text(cells::grouped(triangles))), std::string::npos);
        EXPECT_EQ(test::errors_of(session), "");
    }
}

/// A grid of squares, as a file.
std::string flat_mesh(int side) {
    std::string text;
    for (int y = 0; y <= side; ++y)
        for (int x = 0; x <= side; ++x)
            text += fmt::format("v {} {} {}\n", x, y, x * y % 3);
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            const int a = y * (side + 1) + x + 1, b = a + side + 1;
            text += fmt::format("f {} {} {}\nf {} {} {}\n", a, a + 1, b, a + 1, b + 1, b);
        }
    return text;
}

TEST(StepPictures, AnOpenedMeshIsOneOfThePair) {
    const test::TempDir folder;
    for (const int side : {10, 80}) {
        SCOPED_TRACE(side);
        Session session(command_table());
        run(session, "open " + quote_word(folder.write("waves.obj", flat_mesh(side)).string()), 4);
        run(session, "scene mesh-pairs", 3);
        const std::string& verdict = walk_of(session).verdict();
        EXPECT_EQ(verdict.find("A is thinned") != std::string::npos, side == 80) << verdict;
        if (side == 10) {
            // 200 triangles against those of the ball.
            EXPECT_NE(verdict.find("among 256,000 pairs"), std::string::npos) << verdict;
        } else {
            EXPECT_NE(verdict.find("of 12,800 triangles"), std::string::npos) << verdict;
            EXPECT_NE(exhibit(session, "mesh A, thinned"), nullptr);
        }
        run(session, "scene voxel-pairs", 3);
        EXPECT_GT(walk_of(session).size(), 0u);
        EXPECT_EQ(test::errors_of(session), "");
    }
}

TEST(StepPictures, AThinnedMeshStaysInPlace) {
    const Session session(command_table());
    for (const std::string_view name : session.meshes().names()) {
        const MeshEntry& mesh = session.meshes()[*session.meshes().find(name)];
        for (const std::size_t limit : {20u, 300u}) {
            const ThinMesh thin = thin_mesh(mesh.view(), limit);
            EXPECT_LE(thin.triangles.size(), limit) << name;
            EXPECT_EQ(thin.thinned.empty(), mesh.triangles.size() <= limit) << name;
            if (limit == 300u) {
                EXPECT_GT(thin.triangles.size(), std::min<std::size_t>(mesh.triangles.size(), 30) / 2)
                    << name;
            }
            const std::set<std::array<float, 3>> known = [&] {
                std::set<std::array<float, 3>> all;
                for (const glm::vec3& p : mesh.positions)
                    all.insert({p.x, p.y, p.z});
                return all;
            }();
            for (const glm::uvec3& t : thin.triangles)
                for (int k = 0; k < 3; ++k) {
                    ASSERT_LT(t[k], thin.positions.size());
                    const glm::vec3& p = thin.positions[t[k]];
                    EXPECT_TRUE(known.contains({p.x, p.y, p.z})) << name;
                }
        }
    }
}

// ---- searches

TEST(StepPictures, TheActiveListIsThatOfTheSweep) {
    for (const int seed : {1, 2, 3}) {
        Session session(command_table());
        run(session, fmt::format("set world.seed={}; scene sweep; set boxes.count=25", seed), 2);
        const Walk& walk = walk_of(session);
        for (std::size_t n = 0; n < walk.size(); ++n) {
            const auto* e = std::get_if<bv::SweepReached>(&walk.event(n));
            if (!e) continue;
            std::string list, ahead;
            for (const auto& [name, value] : steps::values_of(walk.event(n), walk.subject(), walk.board(n))) {
                if (name == "active list") list = to_text(value);
                if (name == "tested with it") ahead = to_text(value);
            }
            const auto numbers_in = [](const std::string& text) {
                std::set<int> numbers;
                const std::regex number("[0-9]+");
                for (auto it = std::sregex_iterator(text.begin(), text.end(), number);
                     it != std::sregex_iterator(); ++it)
                    numbers.insert(std::stoi(it->str()));
                return numbers;
            };
            const std::set<int> stated = numbers_in(list);
            std::set<int> truth, tested;
            for (std::size_t t = n + 1; t < walk.size(); ++t) {
                const auto* test = std::get_if<bv::BoxesTested>(&walk.event(t));
                if (!test) break;
                tested.insert(static_cast<int>(test->b));
            }
            EXPECT_EQ(numbers_in(ahead), tested) << n;
            for (std::size_t i = 0; i < walk.subject().nodes.size(); ++i) {
                const bv::Obb& box = walk.subject().nodes[i];
                const int k = e->axis;
                if (i != e->box && box.center[k] - box.half_extents[k] < e->low &&
                    e->low <= box.center[k] + box.half_extents[k])
                    truth.insert(static_cast<int>(i));
            }
            EXPECT_EQ(stated, truth) << n;
            EXPECT_EQ(truth.size(), e->open) << n;
        }
        run(session, "step.goto 3", 1);
        ASSERT_NE(table(session, "ends"), nullptr);
    }
}

TEST(StepPictures, ExchangesEndInSortedEnds) {
    for (const char* preset : {"scattered", "row", "touching", "sizes"})
        for (const int seed : {1, 2}) {
            SCOPED_TRACE(fmt::format("{} {}", preset, seed));
            Session session(command_table());
            run(session,
                fmt::format("set world.seed={}; scene sweep; set sweep.algorithm=incremental-sweep; set "
                            "boxes.preset={}; set boxes.count=12; set sweep.moved=1.3",
                            seed, preset),
                2);
            const Walk& walk = walk_of(session);
            const Board last = walk.board(walk.size());
            for (int axis = 0; axis < 3; ++axis) {
                const auto& ends = last.ends[static_cast<std::size_t>(axis)];
                ASSERT_EQ(ends.size(), 24u);
                float before = -std::numeric_limits<float>::infinity();
                for (const steps::BoxEnd& end : ends) {
                    const bv::Obb& box = walk.subject().nodes[end.box];
                    const float at = box.center[axis] + (end.upper ? 1.0f : -1.0f) * box.half_extents[axis];
                    EXPECT_GE(at, before - 1e-5f);
                    before = at;
                }
            }
            for (std::size_t n = 1; n <= walk_of(session).size(); ++n)
                if (std::holds_alternative<bv::EndsExchanged>(walk_of(session).event(n - 1))) {
                    run(session, fmt::format("step.goto {}", n), 1);
                    const Table* ends = table(session, "ends");
                    ASSERT_NE(ends, nullptr);
                    EXPECT_EQ(ends->rows.size(), 24u);
                    break;
                }
        }
}

// ---- GJK

/// The least support of A - B over all directions, in double: minus the distance, or the depth.
double least_support(const Session& session) {
    std::array<std::vector<glm::dvec3>, 2> corners;
    std::array<double, 2> radius{};
    for (const Exhibit& e : session.results().exhibits) {
        if (e.label != "A" && e.label != "B") continue;
        const std::size_t side = e.label == "A" ? 0 : 1;
        if (const auto* box = std::get_if<bv::Obb>(&e.shape)) {
            for (int k = 0; k < 8; ++k)
                corners[side].emplace_back(box->corner(k));
        } else if (const auto* hull = std::get_if<Polytope>(&e.shape)) {
            for (const glm::vec3& p : hull->vertices)
                corners[side].emplace_back(p);
        } else if (const auto* capsule = std::get_if<bv::Capsule>(&e.shape)) {
            corners[side] = {glm::dvec3(capsule->a), glm::dvec3(capsule->b)};
            radius[side] = static_cast<double>(capsule->radius);
        } else if (const auto* ball = std::get_if<bv::Sphere>(&e.shape)) {
            corners[side] = {glm::dvec3(ball->center)};
            radius[side] = static_cast<double>(ball->radius);
        }
    }
    const auto support = [&](const glm::dvec3& d) {
        double max_a = -1e300, least_b = 1e300;
        for (const glm::dvec3& p : corners[0])
            max_a = std::max(max_a, glm::dot(p, d));
        for (const glm::dvec3& p : corners[1])
            least_b = std::min(least_b, glm::dot(p, d));
        return max_a - least_b + radius[0] + radius[1];
    };
    std::vector<std::pair<double, glm::dvec3>> best;
    constexpr int kCount = 4000;
    for (int i = 0; i < kCount; ++i) {
        const double y = 1.0 - 2.0 * (i + 0.5) / kCount, r = std::sqrt(1.0 - y * y),
                     angle = 2.399963229728653 * i;
        const glm::dvec3 d(r * std::cos(angle), y, r * std::sin(angle));
        best.emplace_back(support(d), d);
    }
    std::sort(best.begin(), best.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    // Downhill from the best few: a smaller step wherever none of eight around is better.
    double least = best[0].first;
    for (std::size_t start = 0; start < 12; ++start) {
        auto [value, at] = best[start];
        for (double step = 0.05; step > 1e-7;) {
            const glm::dvec3 u = glm::normalize(
                glm::cross(at, std::abs(at.y) < 0.9 ? glm::dvec3(0, 1, 0) : glm::dvec3(1, 0, 0)));
            const glm::dvec3 v = glm::cross(at, u);
            bool better = false;
            for (int k = 0; k < 8; ++k) {
                const double angle = 0.7853981633974483 * k;
                const glm::dvec3 d = glm::normalize(at + step * (std::cos(angle) * u + std::sin(angle) * v));
                if (const double s = support(d); s < value) {
                    value = s;
                    at = d;
                    better = true;
                    break;
                }
            }
            if (!better) step *= 0.5;
        }
        least = std::min(least, value);
    }
    return least;
}

TEST(StepPictures, GjkSaysHowFarOrHowDeep) {
    int touching = 0, deep = 0, apart = 0;
    for (const char* a : {"box", "hull", "capsule", "ball"})
        for (const char* b : {"box", "hull", "capsule", "ball"})
            for (const char* preset :
                 {"apart", "near", "touching", "overlapping", "deep", "parallel", "inside"}) {
                SCOPED_TRACE(fmt::format("{} {} {}", a, b, preset));
                Session session(command_table());
                run(session,
                    fmt::format("scene gjk; set gjk.a={}; set gjk.b={}; set gjk.preset={}", a, b, preset), 2);
                const double depth = least_support(session);
                // The last step says the same.
                const std::string last_step = sentence_at(walk_of(session), walk_of(session).size() - 1);
                EXPECT_EQ(last_step.ends_with(" apart."), depth < -1e-4) << last_step << depth;
                const std::string& verdict = walk_of(session).verdict();
                const std::regex number("([0-9.]+)(e-[0-9]+)? m");
                if (std::string_view(preset) == "touching") {
                    EXPECT_NEAR(depth, 0.0, 1e-4);
                    EXPECT_EQ(verdict, "They touch.");
                    ++touching;
                    continue;
                }
                std::smatch stated;
                ASSERT_TRUE(std::regex_search(verdict, stated, number)) << verdict;
                if (depth > 0) {
                    EXPECT_EQ(verdict.rfind("They overlap by ", 0), 0u) << verdict;
                    EXPECT_NEAR(std::stod(stated[1]), depth, 2e-3) << verdict;
                    EXPECT_NE(exhibit(session, "penetration: the shortest way out"), nullptr);
                    ++deep;
                } else {
                    // The last of the numbers is the distance between the shapes.
                    std::string last;
                    for (auto it = std::sregex_iterator(verdict.begin(), verdict.end(), number);
                         it != std::sregex_iterator(); ++it)
                        last = (*it)[1];
                    EXPECT_NEAR(std::stod(last), -depth, 2e-3) << verdict;
                    EXPECT_EQ(exhibit(session, "penetration: the shortest way out"), nullptr);
                    ++apart;
                }
            }
    EXPECT_EQ(touching, 16);
    EXPECT_GT(deep, 40);
    EXPECT_GT(apart, 16);
}

/// The line of pseudo-code of the last step.
std::string last_line_of_code(Session& session) {
    run(session, "step.last");
    const WalkView& view = *session.results().walk;
    return std::string(view.code[view.code_line]);
}

/// A segment or a triangle of aligned shapes passes through the origin far inside of the difference: the
/// simplex alone does not say that they touch.
TEST(StepPictures, AlignedShapesThatOverlapDoNotTouch) {
    for (const char* b : {"box", "capsule", "ball"})
        for (const float aside : {0.0f, 0.5f}) {
            SCOPED_TRACE(fmt::format("{} {}", b, aside));
            Session session(command_table());
            run(session, fmt::format("scene gjk; set gjk.a=box; set gjk.b={}; set gjk.preset=touching", b),
                2);
            run(session, fmt::format("scene.drag b {} 1.5 0", aside - 0.6f), 1);
            EXPECT_EQ(test::errors_of(session), "");
            const Walk& walk = walk_of(session);
            EXPECT_EQ(walk.verdict().rfind("They overlap by ", 0), 0u) << walk.verdict();
            const std::string last = sentence_at(walk, walk.size() - 1);
            EXPECT_NE(last.find(" overlap"), std::string::npos) << last;
            EXPECT_NE(last_line_of_code(session).find("return overlap"), std::string::npos);
        }
}

/// What counts as touching shrinks with the shapes and their coordinates.
TEST(StepPictures, SmallShapesThatAreApartDoNotTouch) {
    Session session(command_table());
    // Boxes of 1.4 mm, 0.01 mm apart.
    run(session, "scene gjk; set gjk.a=box; set gjk.b=box; set gjk.preset=touching", 2);
    run(session,
        "scene.drag a.scale 0.001 0 0; scene.drag b.scale 0.001 0 0; scene.drag a 0 0 0; "
        "scene.drag b 0.00141 0 0",
        1);
    EXPECT_EQ(test::errors_of(session), "");
    const Walk& walk = walk_of(session);
    EXPECT_EQ(walk.verdict().rfind("They are 1.0e-05 m apart", 0), 0u) << walk.verdict();
    const std::string last = sentence_at(walk, walk.size() - 1);
    EXPECT_NE(last.find("are 1.0e-05 m apart"), std::string::npos) << last;
    EXPECT_NE(last_line_of_code(session).find("that is the distance"), std::string::npos);
    const std::vector<Row>& rows = test::table_of(session, "gjk").rows;
    EXPECT_EQ(to_text(rows.front().cells[1]), "1.0e-05 m");
    EXPECT_EQ(to_text(rows.back().cells[1]), "apart");
    run(session, "scene.drag b 0.0014 0 0", 1);
    EXPECT_EQ(walk_of(session).verdict(), "They touch.");
    run(session, "scene.drag b 0.00139 0 0", 1);
    EXPECT_EQ(walk_of(session).verdict().rfind("They overlap by 1.0e-05 m", 0), 0u)
        << walk_of(session).verdict();
}

// ---- planes, balls and slabs

TEST(StepPictures, PlanesOfTheFrustumAreNamed) {
    Session session(command_table());
    run(session,
        "scene frustum; pause on; scene.drag eye -4 2 4; scene.drag aim 1 0.5 -1; scene.drag box 0 1 0", 2);
    const glm::vec3 forward = glm::normalize(glm::vec3(1, 0.5f, -1) - glm::vec3(-4, 2, 4));
    const glm::vec3 right = glm::normalize(glm::cross(forward, glm::vec3(0, 1, 0))),
                    up = glm::cross(right, forward);
    const std::map<std::string, glm::vec3> inward = {{"Left plane", right},   {"Right plane", -right},
                                                     {"Bottom plane", up},    {"Top plane", -up},
                                                     {"Near plane", forward}, {"Far plane", -forward}};
    const Walk& walk = walk_of(session);
    std::set<std::string> names;
    for (std::size_t n = 0; n < walk.size(); ++n) {
        const std::string sentence = sentence_at(walk, n);
        const std::string name = sentence.substr(0, sentence.find(':'));
        ASSERT_TRUE(inward.contains(name)) << sentence;
        EXPECT_GT(glm::dot(std::get<bv::PlaneTested>(walk.event(n)).normal, inward.at(name)), 0.3f)
            << sentence;
        names.insert(name);
    }
    EXPECT_EQ(names.size(), 6u);
}

TEST(StepPictures, TheFirstBallNamesThePointsThatHoldIt) {
    for (const char* algorithm : {"ritter", "epos6", "epos14", "epos26", "epos98"}) {
        SCOPED_TRACE(algorithm);
        Session session(command_table());
        run(session, fmt::format("scene fit-sphere; set fit_sphere.algorithm={}", algorithm), 2);
        const Walk& walk = walk_of(session);
        bool first = false;
        for (std::size_t n = 0; n < walk.size(); ++n) {
            const auto* grown = std::get_if<bv::SphereGrown>(&walk.event(n));
            if (!grown || !grown->before.is_empty()) continue;
            first = true;
            std::vector<double> held;
            for (const auto& [name, value] : steps::values_of(walk.event(n), walk.subject(), walk.board(n)))
                if (name == "defining points") {
                    std::string text = to_text(value);
                    const std::regex number("[0-9]+");
                    for (auto it = std::sregex_iterator(text.begin(), text.end(), number);
                         it != std::sregex_iterator(); ++it)
                        held.push_back(std::stod(it->str()));
                }
            ASSERT_GE(held.size(), 2u);
            const std::string sentence = sentence_at(walk, n);
            for (const double point : held) {
                const glm::vec3 p = walk.subject().point(static_cast<std::size_t>(point));
                EXPECT_NEAR(glm::distance(p, grown->after.center), grown->after.radius, 1e-3f);
                EXPECT_NE(sentence.find(fmt::format(" {}", point)), std::string::npos) << sentence;
            }
        }
        EXPECT_TRUE(first);
    }
}

TEST(StepPictures, TheLastSlabNamesTheVolumeOfTheKdop) {
    const auto check = [](int k, double volume) {
        Session session(command_table());
        run(session, fmt::format("scene fit-kdop; set fit_kdop.algorithm={}", k), 2);
        EXPECT_EQ(test::errors_of(session), "");
        const Walk& walk = walk_of(session);
        ASSERT_EQ(walk.size(), static_cast<std::size_t>(k / 2));
        const std::string sentence = sentence_at(walk, walk.size() - 1);
        EXPECT_NE(sentence.find(steps::in_short(volume) + " m³"), std::string::npos) << sentence << volume;
        EXPECT_NE(sentence_at(walk, 0).find("unbounded so far"), std::string::npos);
    };
    Session session(command_table());
    run(session, "scene fit-kdop", 2);
    const std::vector<glm::vec3> points = walk_of(session).subject().points;
    check(6, bv::polytope_of(bv::fit::kdop<6>(points)).volume());
    check(8, bv::polytope_of(bv::fit::kdop<8>(points)).volume());
    check(14, bv::polytope_of(bv::fit::kdop<14>(points)).volume());
    check(26, bv::polytope_of(bv::fit::kdop<26>(points)).volume());
}

/// The three first slabs of an 8-DOP meet in a parallelepiped with corners far outside of the points' box,
/// which is all of it that is drawn.
TEST(StepPictures, TheVolumeOfSlabsIsNotThatOfTheirPicture) {
    steps::Subject subject;
    subject.points = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}};
    bv::Recording trace;
    (void)bv::fit::kdop<8>(subject.points, trace);
    const Walk walk(steps::algorithm("kdop8.tight"), subject, trace, "x");
    ASSERT_EQ(walk.size(), 4u);
    EXPECT_NE(sentence_at(walk, 1).find("unbounded"), std::string::npos);
    EXPECT_TRUE(sentence_at(walk, 2).ends_with("The volume is 2 m³.")) << sentence_at(walk, 2);
    EXPECT_TRUE(sentence_at(walk, 3).ends_with("The volume falls from 2 to 1.333 m³."))
        << sentence_at(walk, 3);
    const auto curve = steps::quantity_of(walk.event(3), subject, walk.board(4));
    ASSERT_TRUE(curve.has_value());
    EXPECT_NEAR(*curve, 4.0 / 3.0, 1e-5);
}

}  // namespace
}  // namespace lab
