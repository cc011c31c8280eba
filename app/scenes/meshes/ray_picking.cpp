// A gallery of meshes from two thousand to a million triangles, and one ray: the triangle that it hits first,
// and every node of the mesh's tree that the traversal visits, with the intervals of t of its three slabs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <memory>
#include <optional>

#include "bv/query/raycast.hpp"
#include "platform/jobs.hpp"
#include "results/messages.hpp"
#include "results/volume_settings.hpp"
#include "scenes/meshes/traversal.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/rays.hpp"
#include "settings/role.hpp"
#include "settings/settings.hpp"
#include "steps/walk.hpp"
#include "workloads/meshes.hpp"
#include "world/mesh_library.hpp"
#include "world/mesh_making.hpp"
#include "world/mesh_title.hpp"
#include "world/opened_files.hpp"
#include "world/tree_settings.hpp"
#include "world/world.hpp"

namespace lab::scenes::ray_picking_scene {
namespace {

constexpr Setting<int> kPickStep{{
    .id = "pick.step",
    .label = "Step",
    .help = "Scene ray-picking: the traversal up to this node, with its slabs; 0: the whole traversal",
    .default_value = "0",
    .max = 5000,
    .zero = "result",
    .remembered = false,
    .effect = Effect::View,
    .reads_results = true,
}};

constexpr Setting<bool> kPickFollow{{
    .id = "pick.follow",
    .label = "Camera follows",
    .help = "Scene ray-picking: move the camera closer when the node of a step is too small to see",
    .default_value = "true",
    .remembered = false,
    .effect = Effect::View,
}};

/// Values: how many meshes of the gallery, whose sizes ascend.
constexpr std::array kPickLargestChoices = {
    Choice{"2k", "2,300 triangles", 1}, Choice{"20k", "20,000 triangles", 2},
    Choice{"80k", "80,000 triangles", 3}, Choice{"330k", "330,000 triangles", 4},
    Choice{"1m", "A million triangles", 5}};
constexpr Setting<int> kPickLargest{{
    .id = "pick.largest",
    .label = "Largest mesh",
    .help = "Scene ray-picking: the largest mesh of the gallery; takes effect when the scene restarts",
    .default_value = "1m",
    .choices = kPickLargestChoices,
    .remembered = false,
    .effect = Effect::View,
}};

constexpr const SettingSpec* kSettings[] = {&kPickStep, &kPickFollow, &kPickLargest, &kOwnMesh};

constexpr float kRadius = 1.0f;
constexpr float kSpacing = 2.35f;
constexpr float kHeight = 1.15f;
constexpr std::size_t kChartRows = 5;
constexpr std::size_t kMaxBoxes = 400, kMaxTriangles = 600;

/// A body's frame: scale and position without rotation, so that the tree's boxes stay axis-aligned.
struct Place {
    glm::vec3 at{0.0f};
    float scale = 1.0f;

    explicit Place(const BodyState& body) : at(body.transform[3]), scale(body.scale) {}
    [[nodiscard]] bv::Ray to_local(const bv::Ray& ray) const {
        return {(ray.origin - at) / scale, ray.direction / scale, ray.t_max, ray.t_min};
    }
    [[nodiscard]] bv::Aabb to_world(const bv::Aabb& box) const {
        return {box.min * scale + at, box.max * scale + at};
    }
    [[nodiscard]] bv::Triangle to_world(const bv::Triangle& t) const {
        return {t.a * scale + at, t.b * scale + at, t.c * scale + at};
    }
};

class RayPicking final : public SceneOf<RayPicking> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        hide_volumes(context.settings);
        context.settings.assign(kRaySweep, true);
        context.settings.assign(kVolumePairKind, VolumeKind::AabbTight);  // their boxes are disjoint
        const auto rows = bv::workloads::mesh_gallery();
        const auto wanted = static_cast<std::size_t>(context.settings[kPickLargest]);
        slots_ = std::min(wanted, rows.size());
        opened_slot_ = !context.opened.meshes.empty() && !context.settings[kOwnMesh];
        if (opened_slot_) add(context, slots_, context.opened.meshes.back());
        for (const auto& row : rows.first(slots_))
            if (!context.meshes.find(row.id)) make(context, row);
        job_ended(context);
        context.world.set_light(glm::vec3(-0.44f * width(), 3.2f, 2.2f));
        context.camera = {};
        context.camera.yaw_rad = 0.22f;
        context.camera.pitch_rad = 0.2f;
        context.camera.fov_y_rad = 0.7f;
        const float half = 0.5f * width();
        stage_ = {glm::vec3(-half, 0.1f, -0.6f), glm::vec3(half, 2.2f, 0.6f)};
        context.frame_box = stage_;
        context.frame_box.min.y -= 1.9f;  // room for the charts below
    }

    /// Nodes become smaller and smaller: the camera follows when one can no longer be seen.
    void adapt(SceneContext& context) override {
        const int step = context.settings[kPickStep];
        if (step == std::exchange(context.followed_step, step) || step == 0 || boxes_.empty()) return;
        if (!context.settings[kPickFollow]) return;
        const bv::Aabb& box = boxes_[std::min(static_cast<std::size_t>(step), boxes_.size()) - 1];
        const float size = std::max(0.5f * glm::length(box.size()), 1e-3f);
        const float aside = glm::length(box.center() - context.camera.target);
        const float seen = context.camera.distance * context.camera.fov_y_rad;
        if (size > 0.08f * seen && size < 0.6f * seen && aside < 0.45f * seen) return;
        // Place the node above the center, where no chart hides it.
        context.camera.distance = 4.5f * size / context.camera.fov_y_rad;
        context.camera.target = box.center() - glm::vec3(0.0f, 0.12f * context.camera.distance, 0.0f);
    }

    /// Adds the bodies in the order of their slots, so that they have the same ids on every machine.
    bool job_ended(SceneContext& context) override {
        for (; added_ < slots_; ++added_) {
            const auto made = context.meshes.find(bv::workloads::mesh_gallery()[added_].id);
            if (!made) return false;
            add(context, added_, *made);
        }
        return true;
    }

    [[nodiscard]] bool pins_picks() const override { return true; }

    void analyze(const SceneContext& context, const FrameResults& results) override {
        traversal_.reset();
        walk_.reset();
        boxes_.clear();
        const RayQuery* query = chosen_ray(results);
        const BodyState* body = query ? target(context.world, results, *query) : nullptr;
        if (!body) return;
        const MeshEntry& mesh = context.meshes[body->mesh];
        const Place place(*body);
        traversal_ = std::make_shared<const Traversal>(traverse(*mesh.tree, place.to_local(query->ray)));
        for (const TraversalStep& s : traversal_->steps)
            boxes_.push_back(place.to_world(s.box));
        walk_ = walk_of(*traversal_);
        if (query->kind == RayQuery::Kind::Pinned) test_every_triangle(mesh, *body, *query);
    }

    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

    void show(const SceneContext& context, FrameResults& results) const override {
        results.bounds = bv::merge(results.bounds, stage_);
        label_meshes(context, results);
        const RayQuery* query = chosen_ray(results);
        const BodyState* body = query ? target(context.world, results, *query) : nullptr;
        if (!body || !traversal_) {
            list_counts(context, results, query, nullptr, nullptr);
            return;
        }
        const MeshEntry& mesh = context.meshes[body->mesh];
        const Traversal& traversal = *traversal_;
        const auto asked = static_cast<std::size_t>(context.settings[kPickStep]);
        const std::size_t step = std::min(asked, traversal.steps.size());
        draw_nodes(results, mesh, Place(*body), traversal, step);
        draw_triangles(results, mesh, Place(*body), traversal, step);
        if (step > 0) draw_step(results, mesh, *body, *query, traversal, step - 1);
        chart_order(results, traversal, step);
        list_counts(context, results, query, body, &traversal);
        list_steps(results, mesh, traversal, step);
    }

  private:
    /// The same steps for the stepper; this scene draws them itself.
    static std::shared_ptr<const steps::Walk> walk_of(const Traversal& traversal) {
        bv::Recording visits(traversal.steps.size());
        for (const TraversalStep& step : traversal.steps) {
            using Verdict = bv::NodeVisited::Verdict;
            const Verdict verdict = is_culled(step.verdict)                ? Verdict::Culled
                                    : step.verdict == StepVerdict::Entered ? Verdict::Entered
                                    : step.verdict == StepVerdict::LeafHit ? Verdict::LeafHit
                                                                           : Verdict::LeafTested;
            visits(
                bv::NodeVisited{bv::NodeIndex{step.node}, step.depth, std::max(step.enter, 0.0f), verdict});
        }
        const float best = traversal.steps.empty() ? std::numeric_limits<float>::infinity()
                                                   : traversal.steps.back().best_after;
        auto walk = std::make_shared<steps::Walk>(
            steps::algorithm("traversal.ray"), steps::Subject{}, visits,
            std::isfinite(best) ? fmt::format("The nearest hit is at t = {}.", number(best))
                                : "The ray hits nothing.");
        walk->without_picture();
        return walk;
    }
    [[nodiscard]] std::size_t count() const { return slots_ + (opened_slot_ ? 1 : 0); }
    [[nodiscard]] float width() const { return kSpacing * static_cast<float>(count()); }
    [[nodiscard]] glm::vec3 center_of(std::size_t slot) const {
        return {kSpacing * (static_cast<float>(slot) - 0.5f * static_cast<float>(count() - 1)), kHeight,
                0.0f};
    }

    static void make(SceneContext& context, const bv::workloads::MeshCatalogEntry& row) {
        JobSpec job;
        job.title = fmt::format("{}: {}", row.name, row.description);
        job.of_scene = true;
        auto parts = std::make_shared<std::optional<MeshMaking>>();
        job.work = [parts, &row, needs = context.meshes.needs()](const JobControl& control) {
            if (!control.report(0.0f, "building the mesh")) return;
            bv::workloads::MeshData data = row.factory();
            bv::workloads::center_and_scale(data);
            parts->emplace(std::string(row.id), std::string(kGallerySource), std::move(data.positions),
                           std::move(data.triangles), needs);
        };
        job.more = [parts](const JobControl& control) { return (*parts)->advance(control.part(0.2f, 1.0f)); };
        job.end = [parts, &meshes = context.meshes, &messages = context.messages](JobEnd end,
                                                                                  std::string_view why) {
            if (end == JobEnd::Done) meshes.insert((*parts)->take());
            if (end == JobEnd::Failed)
                messages.error(fmt::format("a mesh of the gallery is missing: {}", why));
        };
        context.jobs.start(std::move(job));
    }

    void add(SceneContext& context, std::size_t slot, MeshId id) {
        const MeshEntry& mesh = context.meshes[id];
        const glm::vec3 half = mesh.aabb_tight.half_extents();
        const float size = std::max({half.x, half.y, half.z});
        BodySpec spec;
        spec.mesh = id;
        spec.name = title_of(mesh);
        spec.scale = size > 0.0f ? kRadius / size : 1.0f;
        spec.position = center_of(slot) - spec.scale * mesh.aabb_tight.center();
        spec.shown = kShowNone;
        if (!context.world.add(spec).valid())
            context.messages.warning(fmt::format("{} is too large or too far away to show", spec.name));
    }

    static void label_meshes(const SceneContext& context, FrameResults& results) {
        for (const BodyState& body : results.bodies) {
            const Body* placed = context.world.find(body.id);
            if (!placed) continue;
            const bv::Aabb& box = context.world.bodies().tight_box(*placed);
            const glm::vec3 center = box.center();
            put_note(results, {center.x, box.min.y - 0.28f, center.z + 0.5f}, Role::Mesh,
                     to_text(cells::grouped(context.meshes[body.mesh].triangles.size()).in("triangles")));
        }
    }

    /// The pinned ray, or else the one that follows the mouse or sweeps by itself.
    static const RayQuery* chosen_ray(const FrameResults& results) {
        for (const RayQuery& ray : results.rays)
            if (ray.kind == RayQuery::Kind::Pinned) return &ray;
        return results.rays.empty() ? nullptr : &results.rays.front();
    }

    /// The body that is hit, or else the first one whose box the ray enters.
    static const BodyState* target(const World& world, const FrameResults& results, const RayQuery& query) {
        if (query.hit) {
            const BodyState* body = find_body(results, query.body);
            return body && !body->hidden ? body : nullptr;
        }
        const BodyState* nearest = nullptr;
        float enter = std::numeric_limits<float>::infinity();
        for (const BodyState& body : results.bodies) {
            if (body.hidden) continue;
            const Body* placed = world.find(body.id);
            if (!placed) continue;
            const auto hit = bv::raycast(query.ray, world.bodies().tight_box(*placed));
            if (!hit || hit->t_enter >= enter) continue;
            enter = hit->t_enter;
            nearest = &body;
        }
        return nearest;
    }

    static void draw_nodes(FrameResults& results, const MeshEntry& mesh, const Place& place,
                           const Traversal& traversal, std::size_t step) {
        const std::size_t end = step == 0 ? traversal.steps.size() : step - 1;
        const std::size_t begin = end > kMaxBoxes ? end - kMaxBoxes : 0;
        for (std::size_t i = begin; i < end; ++i) {
            const TraversalStep& s = traversal.steps[i];
            const bool leaf = s.triangles > 0;
            const bool culled = is_culled(s.verdict);
            Exhibit& box = put(results, place.to_world(s.box),
                               culled ? Role::Culled
                               : leaf ? Role::TreeLeaf
                                      : Role::Visited);
            box.width_px = culled ? 0.8f : leaf ? 1.8f : 1.1f;
            box.legend = culled ? "node skipped" : leaf ? "leaf tested" : "node visited";
        }
        if (step == 0) return;
        for (const std::uint32_t node : waiting_nodes(*mesh.tree, traversal, step)) {
            Exhibit& box = put(results, place.to_world(mesh.tree->nodes()[node].box()), Role::Kdop);
            box.width_px = 1.0f;
            box.legend = "node waiting";
        }
    }

    static void draw_triangles(FrameResults& results, const MeshEntry& mesh, const Place& place,
                               const Traversal& traversal, std::size_t step) {
        const bool done = step == 0 || step == traversal.steps.size();
        std::size_t drawn = 0;
        const std::size_t end = step == 0 ? traversal.steps.size() : step;
        for (std::size_t i = 0; i < end; ++i) {
            const TraversalStep& s = traversal.steps[i];
            for (std::uint32_t k = 0; k < s.triangles && drawn < kMaxTriangles; ++k, ++drawn) {
                Exhibit& tested = put(results, place.to_world(mesh.tree->triangle(s.first_reference + k)),
                                      Role::Sphere, {}, 0.35f);
                tested.width_px = 1.2f;
                tested.on_top = true;
                tested.legend = "triangle tested";
            }
        }
        if (!done || !traversal.result.hit) return;
        Exhibit& hit = put(results, place.to_world(mesh.view().triangle(traversal.result.hit->triangle)),
                           Role::Hit, {}, 0.8f);
        hit.on_top = true;
        hit.width_px = 2.5f;
        hit.legend = "triangle hit";
    }

    /// The node of one step: its box, where the ray crosses its planes, and the intervals as a chart.
    static void draw_step(FrameResults& results, const MeshEntry& mesh, const BodyState& body,
                          const RayQuery& query, const Traversal& traversal, std::size_t index) {
        const TraversalStep& s = traversal.steps[index];
        const Place place(body);
        const bool culled = is_culled(s.verdict);
        Exhibit& box = put(results, place.to_world(s.box), Role::Selected, {}, 0.10f);
        box.width_px = 3.0f;
        box.legend = "node of this step";
        // Text beside the box, away from the ray.
        put_note(results, place.to_world(s.box).max + glm::vec3(0.0f, 0.12f, 0.0f), Role::Selected,
                 fmt::format("node {}: {}", s.node, name_of(s.verdict)));
        if (!culled && s.enter <= s.exit) {
            const float from = std::max(s.enter, 0.0f);
            Exhibit& inside =
                put(results, bv::Segment{query.ray.at(from), query.ray.at(s.exit)}, Role::AabbFixed);
            inside.width_px = 6.0f;
            inside.on_top = true;
            inside.legend = "ray inside the node";
        }
        const TraversalStep& root = traversal.steps.front();
        const float span = std::max(root.exit - root.enter, 1e-6f);
        IntervalChart chart;
        chart.title = fmt::format("Step {} of {}: node {}, depth {}", index + 1, traversal.steps.size(),
                                  s.node, s.depth);
        chart.unit = "t";
        // The range of t of the three intervals, since deep nodes are small; the other chart has the range of
        // the root.
        float low = root.exit, high = root.enter;
        for (const bv::SlabClipped& slab : s.slabs) {
            low = std::min(low, std::max(slab.t_near, root.enter - 0.35f * span));
            high = std::max(high, std::min(slab.t_far, root.exit + 0.35f * span));
        }
        const float pad = 0.12f * std::max(high - low, 1e-3f * span);
        chart.min = std::floor(1000.0f * (low - pad)) / 1000.0f;
        chart.max = std::ceil(1000.0f * (high + pad)) / 1000.0f;
        for (int axis = 0; axis < 3; ++axis) {
            const bv::SlabClipped& slab = s.slabs[static_cast<std::size_t>(axis)];
            chart.rows.push_back({std::string(1, "xyz"[axis]), slab.t_near, slab.t_far, kAxisRoles[axis],
                                  fmt::format("{} to {}", number(slab.t_near), number(slab.t_far))});
            for (const float t : {slab.t_near, slab.t_far}) {
                if (!std::isfinite(t) || t < chart.min || t > chart.max) continue;
                Exhibit& cross = put(results, Marker{query.ray.at(t)}, kAxisRoles[axis]);
                cross.on_top = true;
                cross.width_px = 1.5f;
                cross.legend = fmt::format("ray crosses a plane of {}", "xyz"[axis]);
            }
        }
        const Role role = culled ? Role::Muted : Role::Overlap;
        chart.rows.push_back({"all", s.enter, s.exit, role, in_words(*mesh.tree, s)});
        if (std::isfinite(s.best_after)) {
            chart.rows.push_back(
                {"hit", s.best_after, s.best_after, Role::Hit, "best so far " + number(s.best_after)});
            chart.now = s.best_after;
        }
        results.charts.push_back(std::move(chart));
    }

    /// The nodes in order of visits: nearer ones first, and a hit discards all nodes behind it.
    static void chart_order(FrameResults& results, const Traversal& traversal, std::size_t step) {
        if (traversal.steps.empty()) return;
        // For the whole traversal: the last leaf with a hit, and what follows it.
        std::size_t end = step == 0 ? traversal.steps.size() : step;
        for (std::size_t i = end; step == 0 && i-- > 0;)
            if (traversal.steps[i].verdict == StepVerdict::LeafHit) {
                end = std::min(i + kChartRows - 1, end);
                break;
            }
        const std::size_t begin = end > kChartRows ? end - kChartRows : 0;
        const TraversalStep& root = traversal.steps.front();
        const float span = std::max(root.exit - root.enter, 1e-6f);
        IntervalChart chart;
        chart.title = fmt::format("Nodes {} to {} of {} on the path", begin + 1, end, traversal.steps.size());
        chart.unit = "t";
        chart.min = std::floor(10.0f * (root.enter - 0.05f * span)) / 10.0f;
        chart.max = std::ceil(10.0f * (root.exit + 0.05f * span)) / 10.0f;
        for (std::size_t i = begin; i < end; ++i) {
            const TraversalStep& s = traversal.steps[i];
            const Role role = s.verdict == StepVerdict::LeafHit ? Role::Hit
                              : is_culled(s.verdict)            ? Role::Culled
                              : s.triangles > 0                 ? Role::TreeLeaf
                                                                : Role::Visited;
            chart.rows.push_back({fmt::format("{}", s.node), s.enter, s.exit, role,
                                  fmt::format("depth {}: {}", s.depth, name_of(s.verdict))});
        }
        const float best = traversal.steps[end - 1].best_after;
        if (std::isfinite(best)) chart.now = best;
        results.charts.push_back(std::move(chart));
    }

    void list_counts(const SceneContext& context, FrameResults& results, const RayQuery* query,
                     const BodyState* body, const Traversal* traversal) const {
        using cells::grouped;
        Table table{"ray_picking", "One ray, counted", {"what", "binary tree", "8-wide tree", "brute force"}};
        if (!traversal) {
            table.add({query ? "the ray misses every box" : "no ray: move the mouse over the view"},
                      Role::Muted);
            results.tables.push_back(std::move(table));
            return;
        }
        const MeshEntry& mesh = context.meshes[body->mesh];
        const bv::Ray local = Place(*body).to_local(query->ray);
        const bv::MeshRayResult wide = mesh.bvh.raycast(local, bv::RayMode::Watertight);
        const bv::QueryStats& b = traversal->result.stats;
        const auto culled = static_cast<std::uint64_t>(
            std::count_if(traversal->steps.begin(), traversal->steps.end(),
                          [](const TraversalStep& s) { return is_culled(s.verdict); }));
        const std::size_t all = mesh.triangles.size();
        table.add({"mesh", title_of(mesh), {}, grouped(all).in("triangles")}, Role::Mesh);
        table.add({"nodes in the tree", grouped(mesh.tree->nodes().size()), grouped(mesh.bvh.node_count())},
                  Role::TreeNode);
        table.add({"nodes visited", grouped(b.nodes_visited), grouped(wide.stats.nodes_visited)},
                  Role::Visited);
        table.add({"nodes skipped", grouped(culled)}, Role::Culled);
        table.add({"boxes tested", grouped(b.boxes_tested), grouped(wide.stats.boxes_tested), grouped(0)},
                  Role::TreeNode);
        const bool pinned = query->kind == RayQuery::Kind::Pinned;
        const BruteForce* brute = pinned ? &brute_ : nullptr;
        table.add({"triangles tested", grouped(b.leaves_tested), grouped(wide.stats.leaves_tested),
                   grouped(brute ? brute->tested : all)},
                  Role::Ray);
        const auto triangle_at = [](std::uint32_t triangle, float t) {
            Numbers numbers = cells::list({cells::whole(triangle), cells::trimmed(t)});
            numbers.separator = " at ";
            return Cell(std::move(numbers));
        };
        const auto hit_cell = [&](const std::optional<bv::MeshHit>& hit) {
            return hit ? triangle_at(hit->triangle, hit->t) : Cell("none");
        };
        Cell by_brute = "pin the ray to check";
        if (brute) by_brute = brute->triangle ? triangle_at(*brute->triangle, brute->t) : Cell("none");
        table.add(
            {"triangle hit, t", hit_cell(traversal->result.hit), hit_cell(wide.hit), std::move(by_brute)},
            Role::Hit);
        if (query->hit) table.add({"normal", cells::vector(query->normal)}, Role::Normal);
        if (brute) {
            const bool same = agrees(*brute, traversal->result.hit) && agrees(*brute, wide.hit);
            table.add({"checked by brute force", same ? "the same hit" : "DIFFERENT HIT",
                       same ? Cell("the same hit") : Cell()},
                      same ? Role::Touching : Role::Separating);
        }
        results.tables.push_back(std::move(table));
    }

    static void list_steps(FrameResults& results, const MeshEntry& mesh, const Traversal& traversal,
                           std::size_t step) {
        Table table{"traversal", "Node by node", {"step", "node", "depth", "t in", "t out", "what happened"}};
        constexpr std::size_t kMaxRows = 500;
        for (std::size_t i = 0; i < std::min(traversal.steps.size(), kMaxRows); ++i) {
            const TraversalStep& s = traversal.steps[i];
            const bool here = i + 1 == step;
            table.add({cells::whole(i + 1), cells::whole(s.node), cells::whole(s.depth),
                       cells::trimmed(s.enter), cells::trimmed(s.exit), in_words(*mesh.tree, s)},
                      here                                ? Role::Selected
                      : s.verdict == StepVerdict::LeafHit ? Role::Hit
                      : is_culled(s.verdict)              ? Role::Culled
                                                          : Role::Visited,
                      here ? RowMark::Chosen : RowMark::None);
        }
        results.tables.push_back(std::move(table));
    }

    /// Every triangle against the ray, counted. Cached until the ray or the mesh changes.
    struct BruteForce {
        bv::BodyId body;
        bv::Ray ray;
        std::uint64_t tested = 0;
        std::optional<std::uint32_t> triangle;
        float t = 0;
    };
    void test_every_triangle(const MeshEntry& mesh, const BodyState& body, const RayQuery& query) {
        const bv::Ray local = Place(body).to_local(query.ray);
        if (brute_.body == body.id && brute_.ray.origin == local.origin &&
            brute_.ray.direction == local.direction)
            return;
        brute_ = {body.id, local, 0, {}, local.t_max};
        const bv::MeshView view = mesh.view();
        for (std::uint32_t i = 0; i < view.triangles.size(); ++i) {
            ++brute_.tested;
            const auto hit = bv::raycast(local, view.triangle(i));
            if (!hit || (brute_.triangle && hit->t >= brute_.t)) continue;
            brute_.triangle = i;
            brute_.t = hit->t;
        }
    }
    /// True for the same triangle, or a neighbor hit at the same point: at an edge either is right.
    static bool agrees(const BruteForce& brute, const std::optional<bv::MeshHit>& hit) {
        if (!brute.triangle || !hit) return !brute.triangle && !hit;
        return *brute.triangle == hit->triangle || std::abs(brute.t - hit->t) <= 1e-4f * std::abs(brute.t);
    }

    std::size_t slots_ = 0;
    bool opened_slot_ = false;
    bv::Aabb stage_;
    std::size_t added_ = 0;  // of the slots, in their order
    BruteForce brute_;
    std::shared_ptr<const Traversal> traversal_;
    std::shared_ptr<const steps::Walk> walk_;  // of this frame's ray
    std::vector<bv::Aabb> boxes_;              // of its traversal, one per step
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "ray-picking",
    .category = "Meshes",
    .title = "From a click to the triangle",
    .summary =
        "Meshes of up to a million triangles, and one ray. Move the mouse: the ray finds its triangle after "
        "a few dozen boxes. Click to pin the ray, then step through the tree node by node with the arrow "
        "keys to see three slabs, three intervals of t, and why each node was visited or skipped.",
    .make = make_scene<RayPicking>,
    .settings = kSettings,
    .steps = &kPickStep,
    .settings_last = true,
};

}  // namespace lab::scenes::ray_picking_scene
