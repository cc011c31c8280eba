// Voxel models in the session, and the game: contacts against brute force, bit-for-bit repeatability, and no
// lost voxels.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <glm/geometric.hpp>
#include <map>
#include <unordered_map>

#include "bv/query/obb_sat.hpp"
#include "bv/query/overlap.hpp"
#include "commands/catalog.hpp"
#include "io/atomic_file.hpp"
#include "io/text/counted.hpp"
#include "scenes/invaders/invaders.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "temp_dir.hpp"
#include "workloads/random.hpp"
#include "world/exact.hpp"
#include "world/voxels/voxel_model.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using test::run;

constexpr float kStep_s = 1.0f / 60.0f;

const Table* table_of(const FrameResults& results, std::string_view id) {
    for (const Table& table : results.tables)
        if (table.id == id) return &table;
    return nullptr;
}

// ---- models

TEST(VoxelModels, TheSurfaceIsClosedAndHoldsTheVoxelsVolume) {
    bv::workloads::Random random(4);
    for (int round = 0; round < 20; ++round) {
        io::VoxelModel model;
        model.size = glm::ivec3(6, 5, 7);
        for (int n = 0; n < 90; ++n)
            model.voxels.push_back({{static_cast<int>(random.below(6)), static_cast<int>(random.below(5)),
                                     static_cast<int>(random.below(7))},
                                    1});
        io::make_unique(model);
        const auto grid = grid_of(model, 0.5f);
        ASSERT_TRUE(grid);
        const bv::workloads::MeshData mesh = surface_of(*grid);
        EXPECT_EQ(mesh.triangles.size(), 2 * face_count(*grid));
        double volume = 0.0;
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
        for (const glm::uvec3& t : mesh.triangles) {
            const glm::dvec3 a(mesh.positions[t.x]), b(mesh.positions[t.y]), c(mesh.positions[t.z]);
            volume += glm::dot(a, glm::cross(b, c)) / 6.0;
            for (int k = 0; k < 3; ++k) {
                ++edges[{t[k], t[(k + 1) % 3]}];
                --edges[{t[(k + 1) % 3], t[k]}];
            }
        }
        EXPECT_NEAR(volume, 0.125 * static_cast<double>(model.voxels.size()), 1e-4);
        for (const auto& [edge, balance] : edges)
            ASSERT_EQ(balance, 0) << "each edge runs both ways equally often";
    }
}

TEST(VoxelModels, OpeningOneShowsItWithItsVolumes) {
    const test::TempDir folder;
    const std::string path = (folder / "isle.vox").string();
    ASSERT_FALSE(io::write_vox_file(path, sample_island()));
    Session session{command_table()};
    run(session, "open " + quote_word(path), 2);
    const FrameResults& results = session.results();
    EXPECT_EQ(results.scene_id, "voxels");
    ASSERT_EQ(results.bodies.size(), 1u);
    ASSERT_TRUE(results.bodies[0].voxels);
    EXPECT_GT(results.bodies[0].voxels->cells->size(), 1000u);
    EXPECT_LT(results.bodies[0].voxels->cells->size(), sample_island().voxels.size())
        << "the inside is left out";
    const Table* table = table_of(results, "voxels");
    ASSERT_TRUE(table);
    EXPECT_EQ(to_text(table->rows[0].cells[2]), io::grouped(sample_island().voxels.size()));
    const io::Report report = make_report(session, "test");
    EXPECT_EQ(report.volumes.size(), 4u);
    const std::string said = path + ": " + io::grouped(sample_island().voxels.size()) + " voxels";
    const auto& messages = session.messages().messages();
    EXPECT_TRUE(
        std::any_of(messages.begin(), messages.end(), [&](const Message& m) { return m.text == said; }));

    std::ofstream(path, std::ios::trunc) << "VOX ";
    const auto before = session.refused_commands();
    session.commands().push("open " + quote_word(path));
    session.drain();
    EXPECT_EQ(session.refused_commands(), before + 1);
    session.step(Session::kFixedStep_s);
    EXPECT_EQ(session.results().bodies.size(), 1u) << "nothing is lost";
}

/// With BVLAB_WRITE_ASSETS set this writes the file instead.
TEST(VoxelModels, TheAssetIsTheSample) {
    const std::filesystem::path path = std::filesystem::path(BVLAB_ASSETS) / "voxels" / "island.vox";
    if (std::getenv("BVLAB_WRITE_ASSETS")) {
        ASSERT_FALSE(io::write_vox_file(path, sample_island()));
    }
    const auto bytes = io::read_whole_file(path);
    ASSERT_TRUE(bytes) << bytes.error().text();
    EXPECT_EQ(*bytes, io::encode_vox(sample_island()));
}

// ---- the game

/// The largest distance of any voxel from its position.
float reach_of(const VoxelThing& thing) {
    return 0.5f * thing.grid().voxel_size() * glm::length(glm::vec3(thing.grid().size()));
}

/// The cubes of the filled voxels that `other` could reach, grown or shrunk by `by`.
std::vector<bv::Obb> cubes(const VoxelThing& thing, const VoxelThing& other, float by) {
    std::vector<bv::Obb> out;
    const glm::ivec3 size = thing.grid().size();
    const float reach = reach_of(other) + 2.0f * thing.grid().voxel_size();
    for (int z = 0; z < size.z; ++z)
        for (int y = 0; y < size.y; ++y)
            for (int x = 0; x < size.x; ++x)
                if (thing.grid().filled({x, y, z}) &&
                    glm::distance(thing.center_of({x, y, z}), other.position) < reach) {
                    out.push_back(thing.cube_of({x, y, z}));
                    out.back().half_extents += by;
                }
    return out;
}

/// Every filled voxel of one against every filled voxel of the other, as boxes.
bool touch_by_brute_force(const VoxelThing& a, const VoxelThing& b, float by) {
    if (glm::distance(a.position, b.position) > reach_of(a) + reach_of(b) + 0.1f) return false;
    const std::vector<bv::Obb> in_a = cubes(a, b, by), in_b = cubes(b, a, by);
    for (const bv::Obb& p : in_a)
        for (const bv::Obb& q : in_b) {
            const glm::vec3 d = p.center - q.center;
            if (glm::dot(d, d) > 4.0f * 3.1f * p.half_extents.x * p.half_extents.x) continue;
            if (bv::overlap(p, q)) return true;
        }
    return false;
}

TEST(Invaders, EveryContactIsThatOfBruteForce) {
    Invaders game(1);
    int pairs = 0, hits = 0, steps = 0;
    for (int step = 0; step < 900; ++step) {
        const Invaders before = game;
        game.step(kStep_s);
        if (game.pairs().empty() && step % 30 != 0) continue;
        // A copy of the game has the positions at the time of the voxel tests, after which only voxels
        // change.
        ++steps;
        std::map<std::pair<std::uint32_t, std::uint32_t>, bool> found;
        for (const Invaders::Pair& pair : game.pairs())
            found[{pair.a, pair.b}] = pair.hit;
        const auto actors = game.actors();
        for (std::size_t i = 0; i < actors.size(); ++i)
            for (std::size_t j = i + 1; j < actors.size(); ++j) {
                const Invaders::Actor &a = actors[i], &b = actors[j];
                if (!Invaders::matters(a.kind, b.kind) || a.age_s < kStep_s || b.age_s < kStep_s) continue;
                const auto key = std::pair(a.id, b.id);
                const bool near = found.count(key) != 0;
                // Things still whole after the step can be tested again.
                const Invaders::Actor *was_a = before.find(a.id), *was_b = before.find(b.id);
                if (!was_a || !was_b || was_a->thing.filled() != a.thing.filled() ||
                    was_b->thing.filled() != b.thing.filled())
                    continue;
                const bool sure = touch_by_brute_force(a.thing, b.thing, -1e-4f);
                const bool perhaps = touch_by_brute_force(a.thing, b.thing, 1e-4f);
                if (sure != perhaps) continue;
                ASSERT_EQ(near && found[key], sure) << "step " << step << ": " << a.id << "-" << b.id;
                pairs += near;
            }
        for (const auto& [key, hit] : found)
            hits += hit;
    }
    EXPECT_GT(pairs, 50) << "false alarms were asked, too";
    EXPECT_GT(hits, 20);
    EXPECT_GT(steps, 100);
}

TEST(Invaders, HitsOfWholeThingsAreThoseOfBruteForce) {
    // Each hit removes the touching voxels: test again with the original things at the current positions.
    Invaders game(3);
    int hits = 0;
    for (int step = 0; step < 900 && hits < 25; ++step) {
        const Invaders before = game;
        game.step(kStep_s);
        std::map<std::uint32_t, int> in_hits;
        for (const Invaders::Pair& pair : game.pairs()) {
            ++in_hits[pair.a];
            ++in_hits[pair.b];
        }
        for (const Invaders::Pair& pair : game.pairs()) {
            const Invaders::Actor *a = before.find(pair.a), *b = before.find(pair.b);
            if (!pair.hit || !a || !b || in_hits[pair.a] > 1 || in_hits[pair.b] > 1) continue;
            if (a->kind != Invaders::Kind::Bunker && a->kind != Invaders::Kind::Ground) continue;
            if (b->kind == Invaders::Kind::Alien) continue;  // it marches
            VoxelThing flying = b->thing;                    // the other one stands still
            if (b->kind == Invaders::Kind::Chunk) flying.velocity.y -= 6.0f * kStep_s;
            flying.advance(kStep_s);
            EXPECT_TRUE(touch_by_brute_force(a->thing, flying, 1e-4f)) << "step " << step;
            ++hits;
        }
    }
    EXPECT_GE(hits, 10);
}

TEST(Invaders, TwoGamesAreEqualBitForBit) {
    Invaders a(9), b(9), other(10);
    for (int step = 0; step < 1200; ++step) {
        if (step == 300) {
            a.steer(-0.8f);
            b.steer(-0.8f);
        }
        if (step % 50 == 0) {
            a.fire();
            b.fire();
        }
        a.step(kStep_s);
        b.step(kStep_s);
        other.step(kStep_s);
    }
    ASSERT_EQ(a.actors().size(), b.actors().size());
    for (std::size_t i = 0; i < a.actors().size(); ++i) {
        EXPECT_EQ(a.actors()[i].id, b.actors()[i].id);
        EXPECT_EQ(
            std::memcmp(&a.actors()[i].thing.position, &b.actors()[i].thing.position, sizeof(glm::vec3)), 0);
        EXPECT_EQ(a.actors()[i].thing.filled(), b.actors()[i].thing.filled());
    }
    EXPECT_EQ(a.score(), b.score());
    EXPECT_EQ(a.total_counts().voxel_tests, b.total_counts().voxel_tests);
    EXPECT_NE(a.total_counts().voxel_tests, other.total_counts().voxel_tests);
}

TEST(Invaders, TheAutopilotPlaysAndAllKindsOfHitsHappen) {
    Invaders game(1);
    bool dented = false, cratered = false, chunks = false;
    const std::size_t bunker = game.actors()[1].thing.filled(), ground = game.actors()[0].thing.filled();
    for (int step = 0; step < 3600; ++step) {
        game.step(kStep_s);
        ASSERT_EQ(game.actors()[0].kind, Invaders::Kind::Ground);
        for (const Invaders::Actor& actor : game.actors()) {
            ASSERT_TRUE(std::isfinite(actor.thing.position.x + actor.thing.position.y)) << step;
            dented |= actor.kind == Invaders::Kind::Bunker && actor.thing.filled() < bunker;
            cratered |= actor.kind == Invaders::Kind::Ground && actor.thing.filled() < ground;
            chunks |= actor.kind == Invaders::Kind::Chunk;
        }
        ASSERT_LE(game.actors().size(), 400u);
    }
    EXPECT_TRUE(dented);
    EXPECT_TRUE(cratered);
    EXPECT_TRUE(chunks);
    EXPECT_GT(game.score(), 500);
    EXPECT_GT(game.total_counts().box_pairs, game.total_counts().hits) << "boxes give false alarms";
    EXPECT_GT(game.total_counts().hits, 50u);
}

TEST(Invaders, NoVoxelAppearsOrVanishesWhenAThingFallsApart) {
    bv::workloads::Random random(8);
    for (int round = 0; round < 60; ++round) {
        VoxelThing thing(alien_sprite(round % kAlienKinds, round % 2), 0.1f);
        const std::size_t at_first = thing.filled();
        std::size_t loose_voxels = 0, in_pieces = 0;
        for (int hit = 0; hit < 3; ++hit) {
            const glm::ivec3 size = thing.grid().size();
            const glm::ivec3 at(static_cast<int>(random.below(static_cast<std::uint32_t>(size.x))),
                                static_cast<int>(random.below(static_cast<std::uint32_t>(size.y))),
                                static_cast<int>(random.below(static_cast<std::uint32_t>(size.z))));
            std::vector<LooseVoxel> loose = thing.break_off(at, 1.6f);
            EXPECT_FALSE(thing.grid().filled(at));
            for (const VoxelThing& piece : thing.fall_apart(4, loose))
                in_pieces += piece.filled();
            loose_voxels += loose.size();
        }
        EXPECT_EQ(thing.filled() + loose_voxels + in_pieces, at_first);
        const std::size_t left = thing.filled();
        std::size_t shattered = 0;
        for (const VoxelThing& piece : thing.shatter())
            shattered += piece.filled();
        EXPECT_EQ(shattered, left);
        EXPECT_EQ(thing.filled(), 0u);
    }
}

TEST(Invaders, TheSceneIsPlayedByCommandsAndByItsHandle) {
    Session session{command_table()};
    run(session, "scene voxel-invaders; invaders.left; invaders.left; invaders.left; invaders.fire", 40);
    ASSERT_FALSE(session.results().handles.empty());
    EXPECT_LT(session.results().handles[0].position.x, -1.5f);
    run(session, "scene.drag ship 3 1 0", 90);
    EXPECT_NEAR(session.results().handles[0].position.x, 3.0f, 0.1f);
    const Table* table = table_of(session.results(), "invaders");
    ASSERT_TRUE(table);
    EXPECT_FALSE(session.results().trees.empty());
    session.commands().push("scene welcome; invaders.left");
    session.commands().clear();
    session.commands().push("scene welcome");
    session.commands().push("invaders.left");
    const auto before = session.refused_commands();
    session.drain();
    EXPECT_EQ(session.refused_commands(), before + 1) << "there is nothing to play there";
}

}  // namespace
}  // namespace lab
