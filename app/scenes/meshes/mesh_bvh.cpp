// One mesh, one tree by each builder: the same level of two of them side by side, and the costs of building
// and querying each.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/metrics.hpp"
#include "platform/clock.hpp"
#include "platform/jobs.hpp"
#include "platform/threads/thread_pool.hpp"
#include "results/messages.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/draw.hpp"
#include "settings/settings.hpp"
#include "world/mesh_library.hpp"
#include "world/mesh_title.hpp"
#include "world/opened_files.hpp"
#include "world/tree_settings.hpp"
#include "world/world.hpp"

namespace lab::scenes::mesh_bvh_scene {
namespace {

struct Builder {
    std::string_view id, label;
    const char* name;
    bv::MeshBuilder builder;
    int reinsertion_rounds = 0;
    float spatial_splits = 0.0f;
};
constexpr std::array kBuilders = {
    Builder{"median", "Median", "median", bv::MeshBuilder::Median},
    Builder{"morton", "Morton", "Morton", bv::MeshBuilder::Morton},
    Builder{"agglomerative", "Agglomerative (PLOC)", "agglomerative (PLOC)", bv::MeshBuilder::Agglomerative},
    Builder{"binned", "Binned SAH", "binned SAH", bv::MeshBuilder::BinnedSah},
    Builder{"sweep", "Sweep SAH", "sweep SAH", bv::MeshBuilder::SweepSah},
    Builder{"reinserted", "Binned SAH, re-inserted", "binned SAH, re-inserted", bv::MeshBuilder::BinnedSah,
            3},
    Builder{"spatial", "Binned SAH, spatial splits", "binned SAH, spatial splits", bv::MeshBuilder::BinnedSah,
            0, 1.0f},
};

constexpr auto kBuilderChoices = choices_of(kBuilders);
constexpr auto kRivalChoices = []<std::size_t... rows>(std::index_sequence<rows...>) {
    return std::array{kBuilderChoices[rows]..., Choice{"none", "None", kBuilders.size()}};
}
(std::make_index_sequence<kBuilders.size()>{});

constexpr Setting<int> kBvhBuilder{{
    .id = "bvh.builder",
    .label = "Builder",
    .help = "Scene mesh-bvh: how the tree on the left was built",
    .default_value = "median",
    .choices = kBuilderChoices,
    .remembered = false,
    .effect = Effect::View,
}};

constexpr Setting<int> kBvhRival{{
    .id = "bvh.rival",
    .label = "Rival",
    .help = "Scene mesh-bvh: how the tree on the right was built",
    .default_value = "sweep",
    .choices = kRivalChoices,
    .remembered = false,
    .effect = Effect::View,
}};

constexpr Setting<int> kBvhLevel{{
    .id = "bvh.level",
    .label = "Level",
    .help = "Scene mesh-bvh: which level of both trees is drawn; 0 is the root",
    .default_value = "5",
    .max = 64,
    .remembered = false,
    .effect = Effect::View,
}};

constexpr Setting<std::string> kBvhMesh{{
    .id = "bvh.mesh",
    .label = "Mesh",
    .help = "Scene mesh-bvh: the mesh of the trees; `any`: the mesh opened last, or the teapot",
    .default_value = "any",
    .remembered = false,
    .is_mesh = true,
}};

constexpr const SettingSpec* kSettings[] = {&kBvhBuilder, &kBvhRival, &kBvhLevel, &kBvhMesh, &kOwnMesh};

constexpr float kRadius = 1.5f;
/// EPO compares each node with everything that overlaps it, and a snapshot is copied in every frame.
constexpr std::size_t kMaxNodesForEpo = 20'000;
constexpr std::size_t kMaxShown = 4096;
constexpr std::size_t kWorthThreads = 50'000;

struct Built {
    bool made = false;
    bv::TreeSnapshot top;         ///< The whole tree, or only its upper levels if it is too large to show.
    std::uint32_t top_depth = 0;  ///< Nodes of `top` at this depth look like leaves but need not be.
    bool whole = true;
    bv::TreeMetrics metrics;
    bool has_epo = false;
    double build_ms = 0;
};

/// The levels that together have at most `max_nodes` nodes. Parents stand before their children, so the
/// levels are found in one pass.
bv::TreeSnapshot upper_part(const bv::TreeSnapshot& tree, std::size_t max_nodes, std::uint32_t& depth) {
    std::vector<std::size_t> per_depth;
    for (const std::uint32_t d : tree.depths) {
        if (d >= per_depth.size()) per_depth.resize(d + 1, 0);
        ++per_depth[d];
    }
    std::size_t nodes = 0;
    depth = 0;
    for (std::uint32_t d = 0; d < per_depth.size() && nodes + per_depth[d] <= max_nodes; ++d) {
        nodes += per_depth[d];
        depth = d;
    }
    bv::TreeSnapshot top;
    std::vector<std::uint32_t> number(tree.size(), bv::TreeSnapshot::kNone);
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
        if (tree.depths[node] > depth) continue;
        number[node] = static_cast<std::uint32_t>(top.size());
        const std::uint32_t parent = tree.parents[node];
        const bool inner = !tree.is_leaf(node) && tree.depths[node] < depth;
        top.boxes.push_back(tree.boxes[node]);
        top.parents.push_back(parent == bv::TreeSnapshot::kNone ? parent : number[parent]);
        top.first_child.push_back(bv::TreeSnapshot::kNone);
        top.child_count.push_back(inner ? tree.child_count[node] : 0);
        top.depths.push_back(tree.depths[node]);
        top.source_nodes.push_back(tree.source_nodes[node]);
        top.first_payload.push_back(0);
        top.payload_count.push_back(0);
        if (parent != bv::TreeSnapshot::kNone && top.first_child[number[parent]] == bv::TreeSnapshot::kNone)
            top.first_child[number[parent]] = number[node];
    }
    return top;
}

void build(const bv::MeshView& mesh, const Builder& row, const JobControl& control, Built& built) {
    bv::MeshBvhOptions options;
    options.builder = row.builder;
    options.reinsertion_rounds = row.reinsertion_rounds;
    options.spatial_splits = row.spatial_splits;
    if (mesh.triangles.size() > kWorthThreads) options.tasks = &platform::all_cores();
    options.progress = &control.part(0.0f, 0.8f).build("building the tree");
    bv::MeshBvh tree;
    const platform::Clock clock;
    if (tree.build(mesh, options) == bv::MeshBuildStatus::Cancelled) return;
    built.build_ms = clock.milliseconds();
    if (!control.report(0.8f, "measuring the tree")) return;
    const bv::TreeSnapshot whole = tree.snapshot();
    bv::MetricOptions measures;
    built.has_epo = whole.size() <= kMaxNodesForEpo;
    if (built.has_epo) measures.epo = bv::MeasureEpo::Yes;
    measures.random_rays = 400;
    built.metrics = bv::measure(whole, measures);
    built.whole = whole.size() <= kMaxShown;
    if (built.whole) {
        built.top = whole;
        built.top_depth = built.metrics.height;
    } else {
        built.top = upper_part(whole, kMaxShown, built.top_depth);
    }
}

class MeshTrees final : public SceneOf<MeshTrees> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        hide_volumes(context.settings);
        context.settings.assign(kDrawTreeColor, TreeColor::Overlap);
        start(context);
        context.camera = {};
        context.camera.yaw_rad = 0.22f;
        context.camera.pitch_rad = 0.3f;
        context.camera.fov_y_rad = 0.6f;
        context.frame_box = {glm::vec3(-2.95f, 0.75f, -0.5f), glm::vec3(2.95f, 2.3f, 0.5f)};
    }

    void adapt(SceneContext& context) override {
        if (context.settings[kBvhMesh] != wanted_) start(context);
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        const auto chosen = static_cast<std::size_t>(context.settings[kBvhBuilder]);
        const auto rival = static_cast<std::size_t>(context.settings[kBvhRival]);
        // One scale for both sides.
        float largest = largest_at_level(context.settings, *trees_[chosen]);
        if (rival < kBuilders.size())
            largest = std::max(largest, largest_at_level(context.settings, *trees_[rival]));
        // Nothing to show on this level: the scale has some range all the same.
        constexpr float kNothing = 1e-5f;
        if (!(largest > kNothing)) largest = 0.01f;
        const bool both = rival < kBuilders.size() && trees_[chosen]->made && trees_[rival]->made;
        const int better = both ? better_by(trees_[chosen]->metrics, trees_[rival]->metrics) : 0;
        stage(context, results, chosen, 0, largest, better > 0);
        if (rival < kBuilders.size()) stage(context, results, rival, 1, largest, better < 0);
        list(results, context.meshes[mesh_], chosen, rival);
    }

  private:
    /// The mesh that the setting names, or the one opened last, or the teapot.
    void choose_mesh(SceneContext& context) {
        wanted_ = context.settings[kBvhMesh];
        mesh_ = mesh_named(context, wanted_, mesh_on_show(context, "teapot"));
    }

    void start(SceneContext& context) {
        choose_mesh(context);
        context.jobs.drop_scene_jobs();
        const MeshEntry& mesh = context.meshes[mesh_];
        context.work += 10 * mesh.triangles.size();  // a tree by each builder
        for (int side = 0; side < 2; ++side) {
            BodySpec spec;
            spec.mesh = mesh_;
            spec.name = title_of(mesh);
            spec.scale = mesh.sphere.radius > 0.0f ? kRadius / mesh.sphere.radius : 1.0f;
            const float x = (side == 0 ? -1.0f : 1.0f) * 1.12f * kRadius;
            spec.position = glm::vec3(x, kRadius, 0.0f) - spec.scale * mesh.aabb_tight.center();
            spec.shown = kShowNone;
            if (bodies_[static_cast<std::size_t>(side)].valid())
                context.world.remove(bodies_[static_cast<std::size_t>(side)]);
            bodies_[static_cast<std::size_t>(side)] = context.world.add(spec);
        }
        // The mesh is copied: the library may grow while a job runs.
        const auto positions = std::make_shared<const std::vector<glm::vec3>>(mesh.positions);
        const auto triangles = std::make_shared<const std::vector<glm::uvec3>>(mesh.triangles);
        for (std::size_t i = 0; i < kBuilders.size(); ++i) {
            auto built = std::make_shared<Built>();
            trees_[i] = built;
            auto done = std::make_shared<Built>();
            JobSpec job;
            job.title = fmt::format("{}: {}", title_of(mesh), kBuilders[i].name);
            job.of_scene = true;
            job.work = [done, positions, triangles, i](const JobControl& control) {
                build({*positions, *triangles}, kBuilders[i], control, *done);
            };
            job.end = [done, built, &messages = context.messages](JobEnd end, std::string_view why) {
                if (end == JobEnd::Failed) messages.error(fmt::format("a tree was not built: {}", why));
                if (end != JobEnd::Done) return;
                *built = std::move(*done);
                built->made = true;
            };
            context.jobs.start(std::move(job));
        }
    }

    static std::uint32_t shown_level(const Settings& settings, const Built& built) {
        return std::min(static_cast<std::uint32_t>(settings[kBvhLevel]), built.top_depth);
    }

    /// Named only if the tree ends above the level of the setting.
    static std::string level_in_words(const Settings& settings, const Built& built) {
        const std::uint32_t shown = shown_level(settings, built);
        if (static_cast<std::uint32_t>(settings[kBvhLevel]) == shown) return {};
        return fmt::format(", level {}, the {}", shown, built.whole ? "deepest" : "deepest drawn");
    }

    /// The value of one node that `draw.tree_color` shows; negative: one color for all.
    static float measure_of(TreeColor color, const bv::TreeSnapshot& tree, std::uint32_t node) {
        if (color == TreeColor::Overlap) return static_cast<float>(bv::sibling_overlap(tree, node));
        if (color == TreeColor::Area) return tree.boxes[node].surface_area() / tree.boxes[0].surface_area();
        return -1.0f;
    }

    static float largest_at_level(const Settings& settings, const Built& built) {
        float largest = 0.0f;
        for (std::uint32_t node = 0; node < built.top.size(); ++node)
            if (built.top.depths[node] == shown_level(settings, built))
                largest = std::max(largest, measure_of(settings[kDrawTreeColor], built.top, node));
        return largest;
    }

    void stage(const SceneContext& context, FrameResults& results, std::size_t which, std::size_t side,
               float largest, bool is_better) const {
        const Body* body = context.world.find(bodies_[side]);
        const Built& built = *trees_[which];
        if (!body) return;
        const bv::Aabb around = context.world.bodies().tight_box(*body);
        const glm::vec3 above(around.center().x, around.max.y + 0.25f, around.center().z);
        if (!built.made) {
            put_note(results, above, Role::Muted, fmt::format("{}: building", kBuilders[which].name));
            return;
        }
        put_note(results, above, is_better ? Role::Selected : Role::TreeNode,
                 fmt::format("{}{}: SAH cost {:.2f}{}", kBuilders[which].name, is_better ? " (better)" : "",
                             built.metrics.sah, level_in_words(context.settings, built)));
        bv::TreeSnapshot tree = built.top;
        const float scale = body->state.scale;
        const glm::vec3 at = body->state.transform[3];
        for (bv::Aabb& box : tree.boxes)
            box = {box.min * scale + at, box.max * scale + at};
        for (bv::Aabb& box : tree.payload_boxes)
            box = {box.min * scale + at, box.max * scale + at};
        draw_level(context.settings, results, tree, built, largest);
        // A truncated tree is marked: its metrics are not those of the whole one.
        results.trees.emplace_back(
            fmt::format("{}{}{}", side == 0 ? "" : "rival ", kBuilders[which].name,
                        built.whole ? "" : fmt::format(", depths 0 to {}", built.top_depth)),
            std::move(tree));
    }

    /// The nodes of one level, and the leaves above it.
    static void draw_level(const Settings& settings, FrameResults& results, const bv::TreeSnapshot& tree,
                           const Built& built, float largest) {
        const std::uint32_t level = shown_level(settings, built);
        const TreeColor color = settings[kDrawTreeColor];
        for (std::uint32_t node = 0; node < tree.size(); ++node) {
            const bool ended = tree.is_leaf(node) && tree.depths[node] < level;
            if (tree.depths[node] != level && !ended) continue;
            Exhibit& box = put(results, tree.boxes[node], ended ? Role::Muted : Role::TreeNode);
            box.width_px = ended ? 0.8f : level <= 6 ? 2.0f : 1.3f;
            const float measure = ended ? -1.0f : measure_of(color, tree, node);
            if (ended) box.legend = "leaf above this level";
            if (measure < 0.0f) continue;
            box.scalar = measure / largest;
            box.scalar_end = 100.0f * largest;
            box.scalar_unit = "%";
            box.legend = color == TreeColor::Overlap ? "sibling overlap" : "share of the root's area";
        }
    }

    void list(FrameResults& results, const MeshEntry& mesh, std::size_t chosen, std::size_t rival) const {
        Table table{"mesh_bvh",
                    fmt::format("Trees of {}, {}", title_of(mesh),
                                to_text(cells::grouped(mesh.triangles.size()).in("triangles"))),
                    {"builder",
                     {"build", "ms"},
                     "SAH",
                     "EPO",
                     "height",
                     "nodes",
                     "tris/leaf",
                     "overlap",
                     "nodes/ray"}};
        for (std::size_t i = 0; i < kBuilders.size(); ++i) {
            const Built& b = *trees_[i];
            const RowMark mark = i == chosen ? RowMark::Chosen : i == rival ? RowMark::Rival : RowMark::None;
            const Role role = mark == RowMark::None ? Role::Muted : Role::Selected;
            if (!b.made) {
                table.add({kBuilders[i].name, "building"}, role, mark);
                continue;
            }
            const bv::TreeMetrics& m = b.metrics;
            const double per_leaf = m.leaves > 0 ? static_cast<double>(m.payloads) / m.leaves : 0.0;
            table.add({kBuilders[i].name, cells::fixed(b.build_ms, 2).timed(), cells::fixed(m.sah, 2),
                       b.has_epo ? Cell(cells::fixed(m.epo, 2)) : Cell("too large"), cells::whole(m.height),
                       cells::grouped(m.nodes), cells::fixed(per_leaf, 2),
                       cells::fixed(100.0 * m.sibling_overlap, 1).in("%"), cells::fixed(m.nodes_per_ray, 1)},
                      role, mark);
        }
        results.tables.push_back(std::move(table));
    }

    MeshId mesh_;
    std::string wanted_;
    std::array<bv::BodyId, 2> bodies_{};
    std::array<std::shared_ptr<Built>, kBuilders.size()> trees_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "mesh-bvh",
    .category = "Meshes",
    .title = "One mesh, seven trees",
    .summary =
        "The same level of two trees of one mesh, colored by sibling overlap. The arrow keys change the "
        "level. The table compares the build time of each builder and the cost of a ray in its tree. Open a "
        "mesh of your own to see its trees.",
    .make = make_scene<MeshTrees>,
    .settings = kSettings,
    .steps = &kBvhLevel,
    .settings_last = true,
};

}  // namespace lab::scenes::mesh_bvh_scene
