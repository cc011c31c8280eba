// A game in voxels that shows collision detection in two stages: boxes in a tree, then voxel against voxel.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <memory>

#include "bv/query/overlap.hpp"
#include "scenes/invaders/invaders.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/draw.hpp"
#include "settings/settings.hpp"
#include "workloads/random.hpp"

namespace lab::scenes::voxel_invaders_scene {
namespace {

enum class BoxesShown : unsigned char { All, Pairs, None };
constexpr std::array kInvadersBoxesChoices = {Choice{"all", "All boxes", BoxesShown::All},
                                              Choice{"pairs", "Boxes that overlap", BoxesShown::Pairs},
                                              Choice{"none", "None", BoxesShown::None}};
constexpr Setting<BoxesShown> kInvadersBoxes{{
    .id = "invaders.boxes",
    .label = "Boxes",
    .help = "Scene voxel-invaders: which boxes and voxel tests are drawn",
    .default_value = "all",
    .choices = kInvadersBoxesChoices,
    .remembered = false,
    .effect = Effect::View,
}};

constexpr const SettingSpec* kSettings[] = {&kInvadersBoxes};

constexpr SceneCommand kCommands[] = {
    {.id = "invaders.left",
     .help = "Scene voxel-invaders: move the ship to the left",
     .action = "left",
     .repeats = true},
    {.id = "invaders.right",
     .help = "Scene voxel-invaders: move the ship to the right",
     .action = "right",
     .repeats = true},
    {.id = "invaders.fire",
     .help = "Scene voxel-invaders: fire",
     .action = "fire",
     .key = {"Up", "", "Voxel invaders: fire"},
     .repeats = true},
};

constexpr std::string_view kShip = "ship";
constexpr float kNudge_m = 0.8f;

std::array<std::uint8_t, 3> bytes(std::uint32_t color) {
    return {static_cast<std::uint8_t>(color >> 16 & 0xff), static_cast<std::uint8_t>(color >> 8 & 0xff),
            static_cast<std::uint8_t>(color & 0xff)};
}

class VoxelInvaders final : public SceneOf<VoxelInvaders> {
  public:
    void setup(SceneContext& context) override {
        game_ = Invaders(context.seed);
        stars_ = make_stars(context.seed);
        clear_the_board(context.settings);
        context.settings.assign(kDrawGrid, false);
        context.camera = {};
        context.camera.yaw_rad = -0.2f;
        context.camera.pitch_rad = 0.16f;
        context.camera.fov_y_rad = 0.5f;
        context.frame_box = {{-Invaders::kHalfWidth, -2.0f, -0.6f}, {Invaders::kHalfWidth, 9.3f, 0.6f}};
    }

    [[nodiscard]] std::size_t memory_bytes() const override { return std::size_t{1} << 19; }

    void step(SceneContext&, float dt_s) override { game_.step(dt_s); }

    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        if (id != kShip) return false;
        game_.steer_to(position.x);
        game_.fire();
        return true;
    }

    bool play(SceneContext&, std::string_view action) override {
        if (action == "left")
            game_.steer(-kNudge_m);
        else if (action == "right")
            game_.steer(kNudge_m);
        else if (action == "fire")
            game_.fire();
        else
            return false;
        return true;
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        results.trees.clear();
        results.trees.emplace_back("voxels", game_.tree().snapshot());
        put(results, stars_, Role::Muted);
        for (const Invaders::Actor& actor : game_.actors())
            if (!actor.gone) put(results, actor.thing.block(), Role::Muted);
        show_sparks(results);
        show_stages(results, context.settings[kInvadersBoxes]);
        show_state(results);
        count(results);
        if (const Invaders::Actor* ship = game_.ship())
            results.handles.push_back({std::string(kShip),
                                       ship->thing.position + glm::vec3(0.0f, -0.05f, 0.45f),
                                       "drag the ship",
                                       false,
                                       {.listed = false}});
    }

  private:
    static VoxelBlock make_stars(std::uint64_t seed) {
        bv::workloads::Random random(seed, 77);
        auto cells = std::make_shared<VoxelCells>();
        const glm::vec3 size(320.0f, 150.0f, 40.0f);
        for (int i = 0; i < 150; ++i) {
            const glm::vec3 at = random.in_box(glm::vec3(0.0f), size);
            const auto light = static_cast<std::uint8_t>(90 + random.below(120));
            cells->push_back({at, 0.35f + 0.5f * random.uniform(), {light, light, 235}});
        }
        VoxelBlock block;
        block.cells = std::move(cells);
        block.transform = {glm::vec3(0.1f, 0, 0), glm::vec3(0, 0.1f, 0), glm::vec3(0, 0, 0.1f),
                           glm::vec3(-16.0f, 0.0f, -9.0f)};
        return block;  // of size 0, so that stars do not affect the camera
    }

    void show_sparks(FrameResults& results) const {
        auto cells = std::make_shared<VoxelCells>();
        for (const Invaders::Spark& spark : game_.sparks()) {
            const float left = 1.0f - spark.age_s / spark.life_s;
            const float size = 0.85f * std::min(1.0f, 3.0f * left);
            cells->push_back({spark.position / Invaders::kVoxel - 0.5f * size, size, bytes(spark.color)});
        }
        VoxelBlock block;
        block.cells = std::move(cells);
        for (int axis = 0; axis < 3; ++axis)
            block.transform[axis][axis] = Invaders::kVoxel;
        put(results, std::move(block), Role::Muted);
    }

    /// Boxes of the first stage, bricks and voxels of the second.
    void show_stages(FrameResults& results, BoxesShown which) const {
        if (which == BoxesShown::None) return;
        if (which == BoxesShown::All)
            for (const Invaders::Actor& actor : game_.actors()) {
                if (actor.kind == Invaders::Kind::Ground || actor.gone) continue;
                Exhibit& box = put(results, actor.thing.box(), Role::TreeLeaf);
                box.width_px = 1.0f;
                box.legend = "box in the tree";
            }
        for (const Invaders::Pair& pair : game_.pairs()) {
            const Invaders::Actor *a = game_.find(pair.a), *b = game_.find(pair.b);
            if (!a || !b) continue;
            for (const Invaders::Actor* actor : {a, b}) {
                if (actor->kind == Invaders::Kind::Ground) continue;
                Exhibit& box = put(results, actor->thing.box(), Role::AabbTight);
                box.width_px = 2.5f;
                box.legend = "boxes that overlap";
            }
            show_bricks(results, a->thing, b->thing);
            show_bricks(results, b->thing, a->thing);
        }
        for (const Invaders::Flash& flash : game_.flashes()) {
            Exhibit& cube = put(results, flash.cube, Role::Hit, {}, 0.75f);
            cube.width_px = 1.5f;
            cube.on_top = true;
            cube.legend = "voxels that overlapped";
        }
    }

    /// The bricks of `thing` that are near the box of `other`: these are tested voxel by voxel.
    static void show_bricks(FrameResults& results, const VoxelThing& thing, const VoxelThing& other) {
        const bv::Aabb near = other.box();
        const glm::ivec3 bricks = thing.grid().bricks();
        int shown = 0;
        for (int z = 0; z < bricks.z; ++z)
            for (int y = 0; y < bricks.y; ++y)
                for (int x = 0; x < bricks.x && shown < 16; ++x) {
                    if (thing.grid().brick({x, y, z}) == 0) continue;
                    const bv::Obb box = thing.brick_box({x, y, z});
                    bv::Aabb around;
                    for (int i = 0; i < 8; ++i)
                        around = bv::merge(around, box.corner(i));
                    if (!bv::overlap(around, near)) continue;
                    Exhibit& brick = put(results, box, Role::Visited);
                    brick.width_px = 1.0f;
                    brick.legend = "bricks of 4 × 4 × 4 voxels";
                    ++shown;
                }
    }

    void show_state(FrameResults& results) const {
        // Below the ground, where neither aliens nor the scene's card are in the way.
        put_note(results, {-0.9f, -0.45f, 1.0f}, Role::ProjectionA, fmt::format("SCORE {}", game_.score()));
        put_note(results, {2.2f, -0.45f, 1.0f}, Role::ProjectionB,
                 fmt::format("WAVE {}{}", game_.wave(), game_.played() ? "" : "  ·  plays by itself"));
        put_note(results, {5.2f, -0.45f, 1.0f}, Role::Touching,
                 fmt::format("SHIPS {}", std::max(game_.lives(), 0)));
        if (game_.over()) put_note(results, {0.0f, 3.7f, 1.0f}, Role::Selected, "GAME OVER");
    }

    void count(FrameResults& results) const {
        const Invaders::Counts &now = game_.counts(), &all = game_.total_counts();
        const std::size_t n = game_.actors().size();
        Table table{"invaders", "Boxes, then voxels", {"stage", "this step", "so far"}};
        const auto counted = [&table](const char* name, std::uint64_t here, std::uint64_t total, Role role) {
            table.add({name, cells::grouped(here), cells::grouped(total)}, role);
        };
        std::size_t voxels = 0;
        for (const Invaders::Actor& actor : game_.actors())
            voxels += actor.thing.filled();
        table.add({"objects, voxels", cells::list({cells::grouped(n), cells::grouped(voxels)})}, Role::Mesh);
        table.add({"all pairs", cells::grouped(n * (n - 1) / 2)}, Role::Muted);
        counted("boxes overlap", now.box_pairs, all.box_pairs, Role::AabbTight);
        counted("bricks tested", now.brick_tests, all.brick_tests, Role::Visited);
        counted("voxels tested", now.voxel_tests, all.voxel_tests, Role::Visited);
        counted("voxels overlap: exact hits", now.hits, all.hits, Role::Hit);
        const auto share = [](std::uint64_t pairs, std::uint64_t hits) {
            if (pairs == 0) return Cell("none");
            const double percent = 100.0 * static_cast<double>(pairs - hits) / static_cast<double>(pairs);
            return Cell(cells::fixed(percent, 0).in("%"));
        };
        table.add(
            {"false alarms of the boxes", share(now.box_pairs, now.hits), share(all.box_pairs, all.hits)},
            Role::AabbTight);
        counted("voxels broken off", now.broken_off, all.broken_off, Role::Muted);
        table.add({"aliens left, score", cells::whole(game_.aliens_left()), cells::whole(game_.score())},
                  Role::Muted);
        results.tables.push_back(std::move(table));
        results.alarms.push_back(
            {"voxel_boxes", Role::AabbTight, all.box_pairs, all.box_pairs, all.hits, 0, 0});
    }

    Invaders game_{1};
    VoxelBlock stars_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "voxel-invaders",
    .category = "Meshes",
    .title = "Voxel invaders",
    .summary =
        "Rows of voxel aliens march, and a ship fires. A tree of boxes finds what may collide, then voxels "
        "are tested against voxels: only voxels that really overlap break off. Use the arrow keys or drag "
        "the ship; left alone, it plays by itself.",
    .make = make_scene<VoxelInvaders>,
    .settings = kSettings,
    .commands = kCommands,
    .step_commands = {kCommands[0].id, kCommands[1].id},
    .settings_last = true,
};

}  // namespace lab::scenes::voxel_invaders_scene
