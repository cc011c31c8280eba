// Two meshes approach. Their trees are traversed together, and the tested pairs of volumes appear level by
// level: oriented boxes leave few pairs where axis-aligned boxes and balls keep descending.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <memory>
#include <tuple>

#include "bv/query/collide.hpp"
#include "bv/tree/obb_tree.hpp"
#include "io/text/counted.hpp"
#include "platform/clock.hpp"
#include "platform/jobs.hpp"
#include "results/messages.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/settings.hpp"
#include "world/mesh_library.hpp"
#include "world/mesh_title.hpp"
#include "world/opened_files.hpp"
#include "world/tree_settings.hpp"
#include "world/world.hpp"

namespace lab::scenes::obb_tree_scene {
namespace {

using Trees = std::tuple<bv::ObbTree, bv::AabbTree, bv::SphereTree>;

struct TreeKind {
    std::string_view id, label;
    const char *name, *plural;
    Role role;
};
/// In the order of Trees.
constexpr std::array kKinds = {
    TreeKind{"obb", "OBBs", "OBB", "OBBs", Role::Obb},
    TreeKind{"aabb", "AABBs", "AABB", "AABBs", Role::AabbTight},
    TreeKind{"sphere", "Spheres", "sphere", "spheres", Role::Sphere},
};

constexpr auto kObbtreeKindChoices = choices_of(kKinds);
constexpr Setting<int> kObbtreeKind{{
    .id = "obbtree.kind",
    .label = "Volumes",
    .help = "Scene obb-tree: which kind of volume is drawn",
    .default_value = "obb",
    .choices = kObbtreeKindChoices,
    .remembered = false,
    .effect = Effect::View,
}};

constexpr Setting<int> kObbtreeLevel{{
    .id = "obbtree.level",
    .label = "Level",
    .help =
        "Scene obb-tree: which level of pairs is drawn; the roots are level 1; 0 cycles through all levels",
    .default_value = "0",
    .max = 200,
    .zero = "all in turn",
    .remembered = false,
    .effect = Effect::View,
}};

constexpr Setting<std::string> kObbtreeMeshA{{
    .id = "obbtree.mesh_a",
    .label = "Left mesh",
    .help = "Scene obb-tree: the mesh on the left; `any`: the mesh opened last, or a knot",
    .default_value = "any",
    .remembered = false,
    .is_mesh = true,
}};

constexpr Setting<std::string> kObbtreeMeshB{{
    .id = "obbtree.mesh_b",
    .label = "Right mesh",
    .help = "Scene obb-tree: the mesh on the right; `any`: a spike ball",
    .default_value = "any",
    .remembered = false,
    .is_mesh = true,
}};

constexpr Setting<bool> kObbtreeNearest{{
    .id = "obbtree.nearest",
    .label = "Nearest points",
    .help = "Scene obb-tree: connect the nearest points of the two surfaces while they are apart",
    .default_value = "false",
    .remembered = false,
    .effect = Effect::View,
}};

constexpr const SettingSpec* kSettings[] = {&kObbtreeKind,  &kObbtreeLevel, &kObbtreeNearest,
                                            &kObbtreeMeshA, &kObbtreeMeshB, &kOwnMesh};

constexpr float kRadius = 1.4f;
constexpr std::size_t kMaxDrawn = 400, kMaxContacts = 3000;
constexpr std::size_t kMaxEvents = std::size_t{1} << 20;
constexpr int kStepsPerLevel = 24;

/// One of the two meshes at its scale, with a tree of each kind.
struct Side {
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;
    Trees trees;
    [[nodiscard]] bv::MeshView view() const { return {positions, triangles}; }
};

struct Sides {
    std::array<Side, 2> side;
    bool made = false;
};

constexpr unsigned kTrees = 3;  // of each mesh

/// One tree of a mesh: each is a part of the job, so that frames without threads stay short.
void build(Side& side, unsigned which, const JobControl& control) {
    const auto grow = [&](auto& tree, float from, float to, const char* phase) {
        typename std::remove_reference_t<decltype(tree)> grown;
        bv::VolumeTreeOptions<std::decay_t<decltype(tree.nodes()[0].volume)>> options;
        options.progress = &control.part(from, to).build(phase);
        grown.build(side.view(), options);
        tree = std::move(grown);
    };
    switch (which) {
        case 0:
            return grow(std::get<0>(side.trees), 0.0f, 0.6f, "building the tree of OBBs");
        case 1:
            return grow(std::get<1>(side.trees), 0.6f, 0.8f, "building the tree of AABBs");
        default:
            return grow(std::get<2>(side.trees), 0.8f, 1.0f, "building the tree of spheres");
    }
}

/// The cost of a simultaneous traversal of two trees of one kind.
struct Walk {
    bv::CollideStats stats;
    double took_ms = 0;
    std::vector<bv::TrianglePair> pairs;
    std::vector<bv::VolumesTested> tested;  ///< In order of traversal.
    std::vector<std::uint32_t> per_level, overlapping;
    bool cut_off = false;
};

std::uint32_t level_of(const bv::VolumesTested& test) {
    return test.depth_a + test.depth_b;
}

template <class Tree>
Walk walk(const Tree& a, const bv::Pose& pose_a, const Tree& b, const bv::Pose& pose_b) {
    Walk found;
    const platform::Clock clock;
    bv::collide_pairs(a, pose_a, b, pose_b, bv::CollideExtent::All, found.pairs);
    found.took_ms = clock.milliseconds();
    bv::Recording trace(kMaxEvents);
    found.stats = bv::collide_pairs(a, pose_a, b, pose_b, bv::CollideExtent::All, found.pairs, trace);
    found.cut_off = trace.overflowed();
    for (const bv::TraceEvent& event : trace.events())
        if (const auto* test = std::get_if<bv::VolumesTested>(&event)) {
            const std::uint32_t level = level_of(*test);
            if (level >= found.per_level.size()) {
                found.per_level.resize(level + 1, 0);
                found.overlapping.resize(level + 1, 0);
            }
            ++found.per_level[level];
            found.overlapping[level] += test->overlap ? 1 : 0;
            found.tested.push_back(*test);
        }
    return found;
}

bv::Obb moved(const bv::Obb& box, const bv::Pose& pose) {
    const glm::mat3 turn(pose[0], pose[1], pose[2]);
    return {bv::apply(pose, box.center), box.half_extents, turn * box.axes};
}
bv::Obb moved(const bv::Aabb& box, const bv::Pose& pose) {
    return {bv::apply(pose, box.center()), box.half_extents(), glm::mat3(pose[0], pose[1], pose[2])};
}
bv::Sphere moved(const bv::Sphere& ball, const bv::Pose& pose) {
    return {bv::apply(pose, ball.center), ball.radius};
}

/// A body's pose without its scale, which is in the vertices.
bv::Pose pose_of(const BodyState& body) {
    bv::Pose pose = body.transform;
    for (int i = 0; i < 3; ++i)
        pose[i] /= body.scale;
    return pose;
}

/// A wave of period 1 in [0, 1], slow at both ends, with the same bits on every machine.
float to_and_fro(float x) {
    const float f = x - std::floor(x);
    const float up = f < 0.5f ? 2.0f * f : 2.0f - 2.0f * f;
    return up * up * (3.0f - 2.0f * up);
}

class ObbTrees final : public SceneOf<ObbTrees> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        hide_volumes(context.settings);
        start(context);
        context.camera = {};
        context.camera.yaw_rad = 0.25f;
        context.camera.pitch_rad = 0.2f;
        context.camera.fov_y_rad = 0.65f;
        stage_ = {glm::vec3(-2.9f, 0.3f, -1.2f), glm::vec3(2.9f, 3.3f, 1.2f)};
        context.frame_box = {glm::vec3(-2.7f, 0.0f, -0.9f), glm::vec3(2.7f, 3.6f, 0.9f)};
    }

    void adapt(SceneContext& context) override {
        if (wanted(context) != wanted_) start(context);
    }

    void step(SceneContext& context, float dt_s) override {
        ++steps_;
        time_s_ += dt_s;
        place(context);
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        results.bounds = bv::merge(results.bounds, stage_);
        for (BodyState& body : results.bodies)
            body.colliding = false;  // contacts show whether they touch, not the color of the body
        const Body* a = context.world.find(bodies_[0]);
        const Body* b = context.world.find(bodies_[1]);
        if (!a || !b) return;
        if (!sides_->made) {
            put_note(results, {0.0f, 3.3f, 0.0f}, Role::Muted, "building the trees");
            return;
        }
        const bv::Pose pose_a = pose_of(a->state), pose_b = pose_of(b->state);
        const auto kind = static_cast<std::size_t>(context.settings[kObbtreeKind]);
        const std::array<Walk, 3> walks = {
            walk(std::get<0>(sides_->side[0].trees), pose_a, std::get<0>(sides_->side[1].trees), pose_b),
            walk(std::get<1>(sides_->side[0].trees), pose_a, std::get<1>(sides_->side[1].trees), pose_b),
            walk(std::get<2>(sides_->side[0].trees), pose_a, std::get<2>(sides_->side[1].trees), pose_b)};
        const std::uint32_t level = shown_level(context.settings, walks[kind]);
        if (kind == 0) draw_pairs<0>(results, walks[0], pose_a, pose_b, level);
        if (kind == 1) draw_pairs<1>(results, walks[1], pose_a, pose_b, level);
        if (kind == 2) draw_pairs<2>(results, walks[2], pose_a, pose_b, level);
        const std::size_t contacts = draw_contacts(results, context.meshes, a->state, b->state);
        list_kinds(results, walks, kind, contacts);
        list_levels(results, walks, kind, level, static_cast<std::uint32_t>(context.settings[kObbtreeLevel]));
        if (context.settings[kObbtreeNearest]) show_nearest(results, context.meshes, a->state, b->state);
    }

  private:
    static std::array<std::string, 2> wanted(const SceneContext& context) {
        return {context.settings[kObbtreeMeshA], context.settings[kObbtreeMeshB]};
    }

    void start(SceneContext& context) {
        wanted_ = wanted(context);
        sides_ = std::make_shared<Sides>();
        context.jobs.drop_scene_jobs();
        const MeshId right = context.meshes.find("spike_ball").value_or(MeshId{0});
        const std::array<MeshId, 2> meshes = {
            mesh_named(context, wanted_[0], mesh_on_show(context, "torus_knot")),
            mesh_named(context, wanted_[1], right)};
        auto sides = std::make_shared<std::array<Side, 2>>();
        for (std::size_t i = 0; i < 2; ++i) {
            const MeshEntry& mesh = context.meshes[meshes[i]];
            context.work += 10 * mesh.triangles.size();
            BodySpec spec;
            spec.mesh = meshes[i];
            spec.name = title_of(mesh);
            spec.scale = mesh.sphere.radius > 0.0f ? kRadius / mesh.sphere.radius : 1.0f;
            spec.angular_velocity = i == 0 ? glm::vec3(0.05f, 0.21f, 0.03f) : glm::vec3(0.11f, -0.17f, 0.2f);
            spec.shown = kShowNone;
            if (bodies_[i].valid()) context.world.remove(bodies_[i]);
            bodies_[i] = context.world.add(spec);
            centers_[i] = spec.scale * mesh.aabb_tight.center();
            (*sides)[i].triangles = mesh.triangles;
            (*sides)[i].positions = mesh.positions;
            for (glm::vec3& p : (*sides)[i].positions)
                p *= spec.scale;
        }
        place(context);
        JobSpec job;
        job.title = fmt::format("{} and {}", context.meshes[meshes[0]].name, context.meshes[meshes[1]].name);
        job.of_scene = true;
        job.more = [sides, next = 0u](const JobControl& control) mutable {
            const unsigned side = next / kTrees;
            build((*sides)[side], next % kTrees,
                  control.part(0.5f * static_cast<float>(side), 0.5f * static_cast<float>(side + 1)));
            return ++next < 2 * kTrees;
        };
        job.end = [sides, shown = sides_, &messages = context.messages](JobEnd end, std::string_view why) {
            if (end == JobEnd::Failed) messages.error(fmt::format("the trees were not built: {}", why));
            if (end != JobEnd::Done) return;
            for (std::size_t k = 0; k < 2; ++k)
                shown->side[k] = std::move((*sides)[k]);
            shown->made = true;
        };
        context.jobs.start(std::move(job));
    }

    /// They approach from both sides and separate again; at the closest they overlap deeply.
    void place(SceneContext& context) const {
        const float apart = 1.75f - 0.95f * to_and_fro(time_s_ / 16.0f);
        for (std::size_t i = 0; i < 2; ++i) {
            const float x = i == 0 ? -apart : apart;
            context.world.move(bodies_[i], glm::vec3(x, 1.75f, 0.0f) - centers_[i]);
        }
    }

    /// The level of the setting; 0: one after the other.
    [[nodiscard]] std::uint32_t shown_level(const Settings& settings, const Walk& walk) const {
        if (walk.per_level.empty()) return 0;
        const auto last = static_cast<std::uint32_t>(walk.per_level.size() - 1);
        const auto asked = static_cast<std::uint32_t>(settings[kObbtreeLevel]);
        if (asked > 0) return std::min(asked - 1, last);
        return static_cast<std::uint32_t>(steps_ / kStepsPerLevel) % (last + 1);
    }

    template <std::size_t kKind>
    void draw_pairs(FrameResults& results, const Walk& walk, const bv::Pose& pose_a, const bv::Pose& pose_b,
                    std::uint32_t level) const {
        const auto nodes_a = std::get<kKind>(sides_->side[0].trees).nodes();
        const auto nodes_b = std::get<kKind>(sides_->side[1].trees).nodes();
        // Each volume once, however often it was tested; it overlaps if any of its tests did.
        const auto collect = [&](auto node_of) {
            std::vector<std::pair<std::uint32_t, bool>> nodes;
            for (const bv::VolumesTested& test : walk.tested)
                if (level_of(test) == level) nodes.emplace_back(node_of(test), !test.overlap);
            std::sort(nodes.begin(), nodes.end());
            nodes.erase(std::unique(nodes.begin(), nodes.end(),
                                    [](const auto& x, const auto& y) { return x.first == y.first; }),
                        nodes.end());
            if (nodes.size() > kMaxDrawn) nodes.resize(kMaxDrawn);
            return nodes;
        };
        // One pair stands out; where there are many others, they stay faint behind it.
        const auto first =
            std::find_if(walk.tested.begin(), walk.tested.end(),
                         [&](const bv::VolumesTested& t) { return level_of(t) == level && t.overlap; });
        const auto draw = [&](const auto& nodes, const auto& list, const bv::Pose& pose,
                              std::uint32_t chosen) {
            constexpr std::size_t kFew = 4, kCrowd = 16;
            const bool many = list.size() > kFew, crowd = list.size() > kCrowd;
            for (const auto& [node, apart] : list) {
                const bool lit = many && node == chosen;
                Exhibit& box = put(results, moved(nodes[node].volume, pose),
                                   lit              ? Role::Selected
                                   : apart || crowd ? Role::Culled
                                                    : kKinds[kKind].role,
                                   {},
                                   lit             ? 0.15f
                                   : apart || many ? 0.0f
                                                   : 0.05f);
                box.width_px = lit ? 3.5f : crowd ? 0.4f : many ? 0.7f : apart ? 1.0f : 1.8f;
                box.on_top = lit || (!apart && !many);  // touching meshes would hide it
                box.legend = lit     ? "first pair that overlaps"
                             : crowd ? "other volumes tested"
                             : apart ? "tested: no overlap"
                                     : "tested: overlap";
            }
        };
        constexpr std::uint32_t kNone = 0xffffffffu;
        const bool any = first != walk.tested.end();
        draw(nodes_a, collect([](const bv::VolumesTested& t) { return t.a.value; }), pose_a,
             any ? first->a.value : kNone);
        draw(nodes_b, collect([](const bv::VolumesTested& t) { return t.b.value; }), pose_b,
             any ? first->b.value : kNone);
    }

    static std::size_t draw_contacts(FrameResults& results, const MeshLibrary& meshes, const BodyState& a,
                                     const BodyState& b) {
        std::vector<bv::ContactSegment> contacts;
        bv::collide_segments(meshes[a.mesh].bvh, a.transform, meshes[b.mesh].bvh, b.transform, contacts);
        for (std::size_t i = 0; i < std::min(contacts.size(), kMaxContacts); ++i) {
            Exhibit& line = put(results, contacts[i].segment, Role::Hit);
            line.on_top = true;
            line.width_px = 3.0f;
            line.legend = "contact";
        }
        return contacts.size();
    }

    /// The closest points of the two surfaces, and the cost of finding them.
    static void show_nearest(FrameResults& results, const MeshLibrary& meshes, const BodyState& a,
                             const BodyState& b) {
        const platform::Clock clock;
        const bv::MeshDistanceResult found =
            bv::mesh_distance(*meshes[a.mesh].tree, a.transform, *meshes[b.mesh].tree, b.transform);
        const double took_ms = clock.milliseconds();
        if (!found.nearest) return;
        const bv::MeshDistance& nearest = *found.nearest;
        if (nearest.distance > 0.0f) {
            static constexpr const char* kLegend = "nearest points of the surfaces";
            Exhibit& line = put(results, bv::Segment{nearest.point_a, nearest.point_b}, Role::Separating,
                                fmt::format("{} m", number(static_cast<double>(nearest.distance))));
            line.on_top = true;
            line.width_px = 3.5f;
            line.legend = kLegend;
            for (const glm::vec3& p : {nearest.point_a, nearest.point_b}) {
                Exhibit& end = put(results, Marker{p}, Role::Separating);
                end.on_top = true;
                end.legend = kLegend;
            }
        }
        Table table{"obb_tree_nearest", "Nearest points of the two surfaces", {"what", "value"}};
        table.add({"distance", cells::trimmed(static_cast<double>(nearest.distance)).in("m")},
                  Role::Separating);
        table.add({"pairs of boxes tested", cells::grouped(found.stats.box_pairs)}, Role::AabbTight);
        table.add({"pairs of triangles tested", cells::grouped(found.stats.triangle_pairs)}, Role::Mesh);
        table.add({"time", cells::fixed(took_ms, 2).in("ms").timed()}, Role::Muted);
        results.tables.push_back(std::move(table));
    }

    void list_kinds(FrameResults& results, const std::array<Walk, 3>& walks, std::size_t kind,
                    std::size_t contacts) const {
        Table table{"obb_tree",
                    "Both trees traversed together",
                    {"volumes",
                     "pairs of volumes tested",
                     "pairs of triangles tested",
                     "overlapping triangles",
                     {"", "ms"}}};
        for (std::size_t i = 0; i < walks.size(); ++i) {
            const Walk& w = walks[i];
            table.add(
                {kKinds[i].name, cells::grouped(w.stats.box_pairs), cells::grouped(w.stats.triangle_pairs),
                 cells::grouped(w.pairs.size()), cells::fixed(w.took_ms, 2).timed()},
                kKinds[i].role, i == kind ? RowMark::Chosen : RowMark::None);
        }
        const std::uint64_t all =
            static_cast<std::uint64_t>(sides_->side[0].triangles.size()) * sides_->side[1].triangles.size();
        table.add({"brute force", cells::grouped(0), cells::grouped(all)}, Role::Muted);
        const bool same = walks[0].pairs == walks[1].pairs && walks[0].pairs == walks[2].pairs &&
                          walks[0].pairs.size() == contacts;
        table.add({"every kind finds the same pairs", {}, {}, cells::must_hold(same)},
                  same ? Role::Touching : Role::Separating);
        results.tables.push_back(std::move(table));
    }

    /// `asked` is the level of the setting, 1 for the roots; the search may have ended above it.
    static void list_levels(FrameResults& results, const std::array<Walk, 3>& walks, std::size_t kind,
                            std::uint32_t level, std::uint32_t asked) {
        Table table{"obb_tree_levels",
                    "Level by level",
                    {"level", "OBB tests", "meet", "AABB tests", "meet", "sphere tests", "meet"}};
        std::size_t levels = 0;
        for (const Walk& w : walks)
            levels = std::max(levels, w.per_level.size());
        for (std::size_t l = 0; l < levels; ++l) {
            std::vector<Cell> row = {cells::whole(l + 1)};
            for (const Walk& w : walks) {
                const bool reached = l < w.per_level.size();
                row.push_back(reached ? Cell(cells::grouped(w.per_level[l])) : Cell());
                row.push_back(reached ? Cell(cells::grouped(w.overlapping[l])) : Cell());
            }
            table.add(std::move(row), l == level ? kKinds[kind].role : Role::Muted,
                      l == level ? RowMark::Chosen : RowMark::None);
        }
        results.tables.push_back(std::move(table));
        const Walk& w = walks[kind];
        if (level >= w.per_level.size()) return;
        const std::string missing = asked > w.per_level.size()
                                        ? fmt::format("the search ended above level {}; ", asked)
                                        : std::string();
        put_note(results, {0.1f, 0.45f, 0.6f}, kKinds[kind].role,
                 missing + fmt::format("level {} of {}: {} of {} tested, {} overlap", level + 1,
                                       w.per_level.size(), io::counted(w.per_level[level], "pair", "pairs"),
                                       kKinds[kind].plural, w.overlapping[level]));
    }

    std::array<std::string, 2> wanted_;
    std::array<bv::BodyId, 2> bodies_{};
    std::array<glm::vec3, 2> centers_{glm::vec3(0.0f), glm::vec3(0.0f)};
    std::shared_ptr<Sides> sides_;  // shared with the job that makes them and with copies of the scene
    bv::Aabb stage_;
    int steps_ = 0;
    float time_s_ = 0;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "obb-tree",
    .category = "Meshes",
    .title = "Trees of OBBs, AABBs and spheres",
    .summary =
        "Two meshes approach each other, and the tested pairs of boxes appear level by level. Oriented boxes "
        "fit the surface closely, so few pairs remain where axis-aligned boxes and spheres still have many. "
        "Red lines show where the triangles really intersect.",
    .make = make_scene<ObbTrees>,
    .settings = kSettings,
    .steps = &kObbtreeLevel,
    .settings_last = true,
};

}  // namespace lab::scenes::obb_tree_scene
