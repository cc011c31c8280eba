// A BSP tree of a closed mesh: its planes level by level, the pieces into which they cut the surface, and the
// path of a point from the root to the cell that says whether it is inside. Or, step by step, how the tree is
// built, and its pieces in the order of visibility from the point or the camera.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bv/portable_math.hpp"
#include "bv/tree/bsp_tree.hpp"
#include "io/text/counted.hpp"
#include "platform/clock.hpp"
#include "platform/jobs.hpp"
#include "results/messages.hpp"
#include "scenes/meshes/bsp_cells.hpp"
#include "scenes/meshes/bsp_walks.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/draw.hpp"
#include "settings/settings.hpp"
#include "settings/steps.hpp"
#include "steps/walk.hpp"
#include "world/mesh_library.hpp"
#include "world/mesh_title.hpp"
#include "world/opened_files.hpp"

namespace lab::scenes::bsp_scene {
namespace {

enum class Stepped : unsigned char { Point, Build, BackToFront, FrontToBack };
constexpr std::array kSteppedChoices = {Choice{"point", "Locating a point", Stepped::Point},
                                        Choice{"build", "Building the tree", Stepped::Build},
                                        Choice{"back-to-front", "Back to front", Stepped::BackToFront},
                                        Choice{"front-to-back", "Front to back", Stepped::FrontToBack}};
constexpr Setting<Stepped> kBspStepped{{
    .id = "bsp.algorithm",
    .label = "Steps of",
    .help = "Scene bsp: what to step through: locating the point, building the tree, or ordering its pieces",
    .default_value = "point",
    .choices = kSteppedChoices,
    .remembered = false,
}};

enum class Eye : unsigned char { Point, Camera };
constexpr std::array kEyeChoices = {Choice{"point", "The point", Eye::Point},
                                    Choice{"camera", "The camera", Eye::Camera}};
constexpr Setting<Eye> kBspEye{{
    .id = "bsp.eye",
    .label = "Seen from",
    .help = "Scene bsp: the eye position for the visibility order",
    .default_value = "point",
    .choices = kEyeChoices,
    .remembered = false,
}};

constexpr Setting<int> kBspLevel{{
    .id = "bsp.level",
    .label = "Level",
    .help = "Scene bsp: the level of the tree whose planes are drawn; 0 is the root",
    .default_value = "2",
    .max = 64,
    .remembered = false,
    .effect = Effect::View,
}};

constexpr std::array kPlaneChoices = {Choice{"triangles", "Triangles only", bv::BspPlanes::Triangles},
                                      Choice{"axes", "Triangles and axes", bv::BspPlanes::TrianglesAndAxes}};
constexpr Setting<bv::BspPlanes> kBspPlanes{{
    .id = "bsp.planes",
    .label = "Planes",
    .help = "Scene bsp: which planes may divide space; axis-aligned planes keep the trees of round meshes "
            "shallow",
    .default_value = "axes",
    .choices = kPlaneChoices,
    .remembered = false,
}};

constexpr Setting<bool> kBspCell{{
    .id = "bsp.cell",
    .label = "Cell",
    .help = "Scene bsp: draw the cell that the point is in",
    .default_value = "true",
    .remembered = false,
    .effect = Effect::View,
}};

constexpr Setting<std::string> kBspMesh{{
    .id = "bsp.mesh",
    .label = "Mesh",
    .help = "Scene bsp: the mesh of the tree; `any`: the mesh opened last, or the gear",
    .default_value = "any",
    .remembered = false,
    .is_mesh = true,
}};

constexpr const SettingSpec* kSettings[] = {&kBspStepped, &kBspEye,  &kBspLevel, &kBspPlanes,
                                            &kBspCell,    &kBspMesh, &kOwnMesh};

constexpr float kRadius = 1.7f, kMargin = 0.25f;
constexpr glm::vec3 kCenter(0.0f, 1.6f, 0.0f);
/// Choosing planes takes time proportional to candidates times pieces, for each level.
constexpr std::size_t kMaxTriangles = 100'000;
constexpr std::size_t kMaxPlanes = 64;
constexpr std::size_t kMaxPieces = 20'000;
constexpr std::size_t kMaxNodesToShow = 4'096;
constexpr std::size_t kMaxRows = 64;

/// A tree in the world frame, and the numbers of its table.
struct Built {
    bv::BspTree tree;
    bv::MeshBuildStatus status = bv::MeshBuildStatus::Empty;
    std::size_t triangles = 0;
    double build_ms = 0;
    std::vector<std::uint32_t> depth;  ///< Of each node.
    std::uint32_t height = 0;
    bv::TreeSnapshot snapshot;           ///< Empty for trees of more nodes than the panels can show.
    bv::Recording trace{kMaxBspEvents};  ///< Of the build, if that is stepped.
    BspPictures pictures;
};

void measure(Built& built) {
    const auto nodes = built.tree.nodes();
    built.depth.assign(nodes.size(), 0);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open;
    if (!nodes.empty()) open.push_back({built.tree.root(), 0});
    while (!open.empty()) {
        const auto [word, depth] = open.back();
        open.pop_back();
        if (!bsp_is_node(word)) continue;
        built.depth[word] = depth;
        built.height = std::max(built.height, depth);
        open.push_back({nodes[word].front, depth + 1});
        open.push_back({nodes[word].back, depth + 1});
    }
    if (nodes.size() <= kMaxNodesToShow) built.snapshot = built.tree.snapshot();
}

Role role_of(bv::BspSide side) {
    return side == bv::BspSide::Inside    ? Role::Touching
           : side == bv::BspSide::Outside ? Role::Separating
                                          : Role::Hit;
}

/// Adds a shape, unless it is empty.
void put_shape(FrameResults& results, Polytope&& shape, Role role, float fill, float width_px,
               std::string legend) {
    if (shape.vertices.empty()) return;
    Exhibit& shown = put(results, std::move(shape), role, {}, fill);
    shown.width_px = width_px;
    shown.legend = std::move(legend);
}

class BspScene final : public SceneWithHandles<BspScene> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        handles_.add("point", kCenter, {}, {.name = "Point"});
        start(context);
        context.camera = {};
        context.camera.yaw_rad = 0.45f;
        context.camera.pitch_rad = 0.35f;
        context.camera.fov_y_rad = 0.65f;
        context.frame_box = around_;
    }

    void adapt(SceneContext& context) override {
        if (context.settings[kBspMesh] != wanted_ || context.settings[kBspPlanes] != planes_ ||
            context.settings[kBspStepped] != stepped_)
            start(context);
    }

    void step(SceneContext&, float dt_s) override {
        time_s_ += dt_s;
        if (handles_.taken("point")) return;
        // A path in and out of the body.
        const glm::vec3 swing(bv::cos(0.31f * time_s_ + 0.4f), bv::sin(0.71f * time_s_),
                              bv::sin(0.43f * time_s_ + 0.4f));
        handles_.place("point", around_.center() + 0.72f * swing * around_.half_extents());
    }

    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        return handles_.drag(id, position);
    }

    void analyze(const SceneContext& context, const FrameResults&) override {
        if (!built() || built()->tree.empty()) {
            walk_.reset();
            return;
        }
        const glm::vec3 eye = stepped_ != Stepped::Point && context.settings[kBspEye] == Eye::Camera
                                  ? context.camera.eye()
                                  : handles_["point"];
        if (walk_ && walked_ == built() && (stepped_ == Stepped::Build || eye == eye_)) return;
        walked_ = built();
        eye_ = eye;
        switch (stepped_) {
            case Stepped::Point:
                walk_ = walk_bsp_point(built()->tree, eye);
                return;
            case Stepped::Build:
                walk_ = walk_bsp_build(built()->tree, built()->pictures, built()->trace);
                return;
            case Stepped::BackToFront:
            case Stepped::FrontToBack:
                walk_ =
                    walk_bsp_order(built()->tree, built()->pictures, eye, stepped_ == Stepped::FrontToBack);
        }
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

    void show(const SceneContext& context, FrameResults& results) const override {
        const bool from_camera = stepped_ != Stepped::Point && context.settings[kBspEye] == Eye::Camera;
        if (stepped_ != Stepped::Build && !from_camera) handles_.show(results);
        if (!built()) {
            put_note(results, kCenter + glm::vec3(0, 0.5f, 0), Role::Muted, "building the tree");
            return;
        }
        if (built()->tree.empty()) return;
        const std::size_t number = results.walk ? results.walk->number : 0;
        if (stepped_ == Stepped::Point)
            show_point(context, results, number);
        else
            show_order(context, results, number);
        if (!built()->snapshot.empty()) results.trees.emplace_back("bsp", built()->snapshot);
    }

    [[nodiscard]] std::size_t memory_bytes() const override {
        return (std::size_t{1} << 16) + (walk_ ? walk_->memory_bytes() : 0);
    }

  private:
    void show_point(const SceneContext& context, FrameResults& results, std::size_t number) const {
        // While stepping through the point's path, the displayed level follows the step.
        const std::uint32_t stepped =
            number > 0 ? std::get<bv::PlaneTested>(walk_->event(number - 1)).plane : bv::BspNode::kOutside;
        const std::uint32_t level = number > 0 ? built()->depth[stepped] : level_of(context.settings);
        const BspWalk walk = walk_bsp(built()->tree, glm::dvec3(handles_["point"]));
        bv::Recording trace;
        const bv::BspSide side = built()->tree.classify(handles_["point"], trace);
        if (number > 0) {
            draw_division(results, stepped);
        } else {
            draw_pieces(results, level);
            draw_planes(results, level, level < walk.steps.size() ? walk.steps[level].node : stepped);
            if (context.settings[kBspCell]) draw_cell(results, walk, side);
        }
        Exhibit& verdict = put(results, Marker{handles_["point"]}, role_of(side), name_of(side));
        verdict.on_top = true;
        verdict.legend = fmt::format("the point: {}", name_of(side));
        list_tree(results, level);
        list_walk(results, trace.events(), number, level, side);
    }
    /// The stepper draws the pieces.
    void show_order(const SceneContext& context, FrameResults& results, std::size_t number) const {
        const std::uint32_t level = level_of(context.settings);
        if (stepped_ == Stepped::Build) {
            if (number == 0) draw_planes(results, level, bv::BspNode::kOutside);
        } else if (context.settings[kBspEye] == Eye::Point) {
            Exhibit& eye = put(results, Marker{handles_["point"]}, Role::Kdop, "eye");
            eye.on_top = true;
            eye.legend = "eye position for the order";
        }
        list_tree(results, level);
    }
    [[nodiscard]] std::uint32_t level_of(const Settings& settings) const {
        return std::min(static_cast<std::uint32_t>(settings[kBspLevel]), built()->height);
    }
    void start(SceneContext& context) {
        wanted_ = context.settings[kBspMesh];
        planes_ = context.settings[kBspPlanes];
        stepped_ = context.settings[kBspStepped];
        walk_.reset();
        MeshId id = mesh_named(context, wanted_, mesh_on_show(context, "gear"));
        if (context.meshes[id].triangles.size() > kMaxTriangles) {
            id = context.meshes.find("gear").value_or(MeshId{0});
            context.messages.error(
                fmt::format("More than {} triangles take too long to partition; {} is shown instead",
                            kMaxTriangles, title_of(context.meshes[id])));
        }
        const MeshEntry& mesh = context.meshes[id];
        name_ = title_of(mesh);
        context.work += 10 * mesh.triangles.size();
        context.jobs.drop_scene_jobs();
        const float scale = mesh.sphere.radius > 0.0f ? kRadius / mesh.sphere.radius : 1.0f;
        auto positions = std::make_shared<std::vector<glm::vec3>>(mesh.positions);
        around_ = {};
        for (glm::vec3& p : *positions) {
            p = kCenter + scale * (p - mesh.sphere.center);
            around_ = bv::merge(around_, p);
        }
        around_ = {around_.min - kMargin, around_.max + kMargin};
        const auto triangles = std::make_shared<const std::vector<glm::uvec3>>(mesh.triangles);
        // The job holds the slot, not the scene, which can be copied.
        const auto done = std::make_shared<Built>();
        const auto slot = std::make_shared<std::shared_ptr<const Built>>();
        slot_ = slot;
        JobSpec job;
        job.title = fmt::format("{}: BSP tree", name_);
        job.of_scene = true;
        job.work = [done, positions, triangles, planes = planes_, stepped = stepped_,
                    around = around_](const JobControl& control) {
            build(*done, {*positions, *triangles}, planes, stepped, control);
            done->pictures = make_bsp_pictures(done->tree, {*positions, *triangles}, done->trace, around);
        };
        job.end = [done, slot, &messages = context.messages](JobEnd end, std::string_view why) {
            if (end == JobEnd::Failed) messages.error(fmt::format("the BSP tree was not built: {}", why));
            if (end == JobEnd::Done) *slot = done;
        };
        context.jobs.start(std::move(job));
    }
    /// Null while the job runs.
    [[nodiscard]] const Built* built() const { return slot_ ? slot_->get() : nullptr; }

    static void build(Built& built, const bv::MeshView& mesh, bv::BspPlanes planes, Stepped stepped,
                      const JobControl& control) {
        bv::BspOptions options;
        options.planes = planes;
        options.progress = &control.part(0.0f, 0.9f).build("dividing space");
        built.triangles = mesh.triangles.size();
        const platform::Clock clock;
        built.status = stepped == Stepped::Build ? built.tree.build(mesh, options, built.trace)
                                                 : built.tree.build(mesh, options);
        built.build_ms = clock.milliseconds();
        measure(built);
    }

    /// One plane on the path of the point, and the region that it divides, in front of the faint mesh.
    void draw_division(FrameResults& results, std::uint32_t node) const {
        const bv::BspTree& tree = built()->tree;
        const bv::BspNode& plane = tree.nodes()[node];
        Polytope rest, at, region, outline;
        for (std::uint32_t f = 0; f < std::min<std::size_t>(tree.fragments().size(), kMaxPieces); ++f) {
            const auto corners = tree.corners(tree.fragments()[f]);
            const bool is_in_plane = f >= plane.first && f - plane.first < plane.count;
            add_edges_and_fan(is_in_plane ? at : rest, {corners.begin(), corners.end()});
        }
        rest.triangles.clear();
        put_shape(results, std::move(rest), Role::Muted, 0.0f, 0.6f, "pieces in other planes");
        put_shape(results, std::move(at), Role::Normal, 0.5f, 1.2f, fmt::format("pieces in plane {}", node));
        const ConvexCell cell = bsp_region(tree, node, around_);
        for (const auto& face : faces_of(cell, around_))
            add_edges_and_fan(region, face);
        put_shape(results, std::move(region), Role::Plane, 0.06f, 2.0f,
                  fmt::format("region that plane {} divides", node));
        add_edges_and_fan(outline, outline_in({plane.normal, plane.offset}, cell, around_));
        put_shape(results, std::move(outline), Role::Visited, 0.25f, 2.5f, fmt::format("plane {}", node));
    }

    /// The pieces that lie in planes: those of the level, those above it, and the outlines of the rest.
    void draw_pieces(FrameResults& results, std::uint32_t level) const {
        const bv::BspTree& tree = built()->tree;
        Polytope above, at, below;
        std::size_t drawn = 0;
        const auto add = [&](Polytope& to, std::uint32_t first, std::uint32_t count) {
            for (std::uint32_t f = first; f < first + count && drawn < kMaxPieces; ++f, ++drawn) {
                const auto corners = tree.corners(tree.fragments()[f]);
                add_edges_and_fan(to, {corners.begin(), corners.end()});
            }
        };
        for (std::uint32_t n = 0; n < tree.nodes().size(); ++n) {
            const std::uint32_t depth = built()->depth[n];
            add(depth < level    ? above
                : depth == level ? at
                                 : below,
                tree.nodes()[n].first, tree.nodes()[n].count);
        }
        for (const bv::BspCell& cell : tree.cells())
            add(below, cell.first, cell.count);
        below.triangles.clear();
        put_shape(results, std::move(below), Role::Muted, 0.0f, 0.8f, "pieces of deeper levels and of cells");
        put_shape(results, std::move(above), Role::Mesh, 0.5f, 1.2f, "pieces in planes of the levels above");
        put_shape(results, std::move(at), Role::Normal, 0.5f, 1.2f,
                  fmt::format("pieces in planes of level {}", level));
    }

    /// The planes of one level, each clipped to its cell; `own`, on the point's path, is highlighted.
    /// kOutside: none is.
    void draw_planes(FrameResults& results, std::uint32_t level, std::uint32_t own) const {
        const std::vector<BspCut> cuts = bsp_cuts_at(built()->tree, level, kMaxPlanes, around_);
        for (const bool is_own : {false, true}) {
            Polytope shape;
            for (const BspCut& cut : cuts)
                if ((cut.node == own) == is_own && cut.outline.size() >= 3)
                    add_edges_and_fan(shape, cut.outline);
            std::string legend =
                is_own ? fmt::format("plane of level {} on the point's path", level)
                       : fmt::format("{} of level {}",
                                     own == bv::BspNode::kOutside ? "planes" : "other planes", level);
            put_shape(results, std::move(shape), is_own ? Role::Visited : Role::Plane, 0.12f,
                      is_own ? 2.5f : 1.5f, std::move(legend));
        }
    }

    void draw_cell(FrameResults& results, const BspWalk& walk, bv::BspSide side) const {
        Polytope shape;
        for (const auto& face : faces_of(walk.cell(around_), around_))
            add_edges_and_fan(shape, face);
        put_shape(results, std::move(shape), role_of(side), 0.2f, 2.0f,
                  fmt::format("cell of the point: {}", name_of(side)));
    }

    void list_tree(FrameResults& results, std::uint32_t level) const {
        const bv::BspTree& tree = built()->tree;
        const std::size_t at_level =
            static_cast<std::size_t>(std::count(built()->depth.begin(), built()->depth.end(), level));
        Table table{"bsp", fmt::format("BSP tree of {}", name_), {"what", "value"}};
        table.add({"triangles", cells::grouped(built()->triangles)}, Role::Mesh);
        if (tree.skipped_triangles() > 0)
            table.add({"triangles without area, skipped", cells::grouped(tree.skipped_triangles())},
                      Role::Broken);
        table.add({"pieces", cells::grouped(tree.fragments().size())}, Role::Mesh);
        table.add({"pieces per triangle",
                   cells::fixed(static_cast<double>(tree.fragments().size()) /
                                    static_cast<double>(std::max<std::size_t>(built()->triangles, 1)),
                                2)},
                  Role::Mesh);
        table.add({"planes", cells::grouped(tree.nodes().size())}, Role::Plane);
        table.add({fmt::format("planes of level {}", level), cells::grouped(at_level)}, Role::Plane);
        table.add({"height", cells::whole(built()->height + 1)}, Role::TreeNode);
        // Each plane divides one cell into two.
        table.add({"cells (leaves)", cells::grouped(tree.nodes().size() + 1)}, Role::TreeLeaf);
        if (!tree.cells().empty())
            table.add({"cells left unsplit", cells::grouped(tree.cells().size())}, Role::TreeLeaf);
        table.add({"build", cells::trimmed(built()->build_ms, 2).in("ms").timed()}, Role::Muted);
        results.tables.push_back(std::move(table));
    }

    /// The planes that the point is compared with, as in the steps. Below a plane that the point lies in,
    /// these include both sides.
    void list_walk(FrameResults& results, std::span<const bv::TraceEvent> tested, std::size_t number,
                   std::uint32_t level, bv::BspSide side) const {
        using Verdict = bv::PlaneTested::Verdict;
        Table table{"bsp_walk",
                    fmt::format("The point: {} after {}", name_of(side),
                                io::counted(tested.size(), "plane", "planes")),
                    {"level", {"distance", "m"}, "side"}};
        // Rows around the step.
        const std::size_t begin = number > kMaxRows / 2 ? number - kMaxRows / 2 : 0;
        for (std::size_t i = begin; i < std::min(tested.size(), begin + kMaxRows); ++i) {
            const auto& test = std::get<bv::PlaneTested>(tested[i]);
            const std::uint32_t depth = built()->depth[test.plane];
            const bool chosen = number > 0 ? i + 1 == number : depth == level;
            table.add({cells::whole(depth), cells::fixed(static_cast<double>(test.distance), 3),
                       test.verdict == Verdict::Front  ? "in front"
                       : test.verdict == Verdict::Back ? "behind"
                                                       : "in it"},
                      Role::Visited, chosen ? RowMark::Chosen : RowMark::None);
        }
        results.tables.push_back(std::move(table));
    }

    std::string wanted_, name_;
    bv::Aabb around_;  ///< The mesh with a margin: where planes and cells end.
    bv::BspPlanes planes_ = bv::BspPlanes::TrianglesAndAxes;
    std::shared_ptr<std::shared_ptr<const Built>> slot_;  ///< Where the job puts the tree.
    Stepped stepped_ = Stepped::Point;
    std::shared_ptr<const steps::Walk> walk_;
    const Built* walked_ = nullptr;  ///< What the walk was made of, and from where.
    glm::vec3 eye_{0.0f};
    float time_s_ = 0;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "bsp",
    .category = "Meshes",
    .title = "BSP tree of a mesh",
    .summary =
        "Each plane divides space in two and cuts the triangles across it. Drag the point and follow it down "
        "the tree with the arrow keys, level by level: the cell where it ends up is inside or outside. Or "
        "step through building the tree, or through its pieces from back to front.",
    .make = make_scene<BspScene>,
    .settings = kSettings,
    .steps = &kStepAt,
    .settings_last = true,
};

}  // namespace lab::scenes::bsp_scene
