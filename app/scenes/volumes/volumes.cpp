// Every bounding volume of one rotating mesh, by every algorithm, and a table of their quality. The fixed
// AABB never changes while the mesh rotates; the tight AABB always fits.
#include <algorithm>
#include <cmath>
#include <memory>

#include "bv/fit/catalog.hpp"
#include "bv/fit/hull.hpp"
#include "bv/portable_math.hpp"
#include "platform/clock.hpp"
#include "platform/jobs.hpp"
#include "results/messages.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/settings.hpp"
#include "workloads/meshes.hpp"
#include "world/mesh_library.hpp"
#include "world/mesh_title.hpp"
#include "world/opened_files.hpp"
#include "world/world.hpp"

namespace lab::scenes::volumes_scene {
namespace {

enum class VolumeGroup : unsigned char { ClassicFour, Spheres, Aabbs, Obbs, Kdops, Hulls, SweptSpheres };
constexpr std::array kVolumesKindChoices = {Choice{"compare", "The classic four", VolumeGroup::ClassicFour},
                                            Choice{"sphere", "Spheres", VolumeGroup::Spheres},
                                            Choice{"aabb", "AABBs", VolumeGroup::Aabbs},
                                            Choice{"obb", "OBBs", VolumeGroup::Obbs},
                                            Choice{"kdop", "k-DOPs", VolumeGroup::Kdops},
                                            Choice{"hull", "Convex hull", VolumeGroup::Hulls},
                                            Choice{"swept", "Swept spheres", VolumeGroup::SweptSpheres}};
constexpr Setting<VolumeGroup> kVolumesKind{{
    .id = "volumes.kind",
    .label = "Volumes",
    .help = "Scene volumes: which kind is drawn",
    .default_value = "compare",
    .choices = kVolumesKindChoices,
    .remembered = false,
    .effect = Effect::View,
}};

constexpr Setting<int> kVolumesAlgorithm{{
    .id = "volumes.algorithm",
    .label = "Algorithm",
    .help = "Scene volumes: which algorithm of the kind, numbered as in the table; 0: all",
    .default_value = "0",
    .max = 8,
    .zero = "all",
    .remembered = false,
    .effect = Effect::View,
}};

constexpr const SettingSpec* kSettings[] = {&kVolumesKind, &kVolumesAlgorithm, &kOwnMesh};

using Kind = bv::fit::VolumeKind;

constexpr float kRadius = 1.6f;

struct Fit {
    const bv::fit::FitEntry* entry;
    bv::fit::Volume volume;
    FitRow row;
};

VolumeGroup group_of(Kind kind) {
    switch (kind) {
        case Kind::Sphere:
            return VolumeGroup::Spheres;
        case Kind::Aabb:
            return VolumeGroup::Aabbs;
        case Kind::Obb:
            return VolumeGroup::Obbs;
        case Kind::Hull:
            return VolumeGroup::Hulls;
        case Kind::Capsule:
        case Kind::RectSweptSphere:
            return VolumeGroup::SweptSpheres;
        default:
            return VolumeGroup::Kdops;
    }
}

/// The color of the body's volume of that kind, or of the first kind with its shape.
Role role_of(const bv::fit::FitEntry& entry) {
    if (entry.id == "aabb.fixed") return Role::AabbFixed;
    if (entry.kind == Kind::Aabb) return Role::AabbTight;
    const auto same = std::find_if(kVolumeSpecs.begin(), kVolumeSpecs.end(),
                                   [&](const VolumeSpec& spec) { return spec.shape == entry.kind; });
    return same == kVolumeSpecs.end() ? Role::Kdop : same->role;
}

/// The color of one of several volumes of a kind that are drawn at once.
Role role_among(int place) {
    static constexpr std::array kRoles = {Role::Sphere,      Role::AabbFixed, Role::Kdop, Role::Obb,
                                          Role::ProjectionB, Role::Normal,    Role::Hit,  Role::Ray,
                                          Role::Selected,    Role::Plane};
    return kRoles[static_cast<std::size_t>(place) % kRoles.size()];
}

class Volumes final : public SceneOf<Volumes> {
  public:
    void setup(SceneContext& context) override {
        mesh_ = mesh_on_show(context, "teapot");
        const MeshEntry& mesh = context.meshes[mesh_];
        BodySpec spec;
        spec.mesh = mesh_;
        spec.name = title_of(mesh);
        spec.scale = mesh.sphere.radius > 0.0f ? kRadius / mesh.sphere.radius : 1.0f;
        spec.position = {0.0f, kRadius + 0.2f, 0.0f};
        spec.angular_velocity = {0.10f, 0.35f, 0.06f};
        spec.shown = kShowNone;
        body_ = context.world.add(spec);
        start_fits(context, mesh);
        directions_ = bv::workloads::make_mesh("icosphere").value_or(bv::workloads::MeshData{});
        clear_the_board(context.settings);
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        const Body* body = context.world.find(body_);
        const VolumeGroup group = context.settings[kVolumesKind];
        const int chosen = context.settings[kVolumesAlgorithm];
        Table table{"volumes",
                    "Every volume of this mesh",
                    {"volume",
                     "algorithm",
                     {"volume", "m³"},
                     {"surface", "m²"},
                     "tightness",
                     "holds all",
                     {"fit", "ms"},
                     "cost"}};
        int in_group = 0;
        std::size_t drawn_count = 0;
        for (const Fit& fit : *fits_) {
            const bool in =
                group == VolumeGroup::ClassicFour ? is_classic(fit) : group_of(fit.entry->kind) == group;
            if (in) ++in_group;
            const bool drawn = in && (chosen == 0 || chosen == in_group);
            const bool among_its_kind = drawn && chosen == 0 && group != VolumeGroup::ClassicFour;
            const Role role = among_its_kind ? role_among(in_group - 1) : role_of(*fit.entry);
            if (drawn && body) draw(context.world, results, fit, role, *body, drawn_count++);
            const std::string_view kind = bv::fit::name_of(fit.entry->kind);
            const bool says_kind_only = fit.entry->name == kind;  // the k-DOPs
            table.add(
                {std::string(kind), std::string(says_kind_only ? "Extreme points" : fit.entry->name),
                 cells::significant(fit.row.volume, 4), cells::significant(fit.row.surface, 4),
                 cells::fixed(fit.row.tightness, 3), cells::must_hold(fit.row.contains_all),
                 cells::fixed(fit.row.fit_ms, 3).timed(), std::string(bv::fit::name_of(fit.entry->cost))},
                role, drawn ? RowMark::Chosen : RowMark::None);
            if (in) table.rows.back().command = fmt::format("set {}={}", kVolumesAlgorithm.id, in_group);
            results.fits.push_back(fit.row);
        }
        results.tables.push_back(std::move(table));
    }

  private:
    /// Some fits of a large mesh take seconds.
    void start_fits(SceneContext& context, const MeshEntry& mesh) {
        auto copy = std::make_shared<bv::workloads::MeshData>();
        *copy = {mesh.name, mesh.positions, mesh.triangles};
        auto fits = std::make_shared<std::vector<Fit>>();
        JobSpec job;
        job.title = fmt::format("Volumes of {}", title_of(mesh));
        job.of_scene = true;
        auto hull = std::make_shared<bv::Hull>();
        job.work = [copy, hull](const JobControl&) { *hull = bv::fit::hull(copy->positions); };
        job.more = [copy, hull, fits](const JobControl& control) {
            return fit_next(*copy, *hull, control, *fits);
        };
        job.end = [shown = fits_, fits, mesh = mesh_, &messages = context.messages](JobEnd end,
                                                                                    std::string_view why) {
            if (end == JobEnd::Failed) messages.error(fmt::format("the volumes were not fitted: {}", why));
            if (end != JobEnd::Done) return;
            for (Fit& fit : *fits)
                fit.row.mesh = mesh;
            *shown = std::move(*fits);
        };
        context.jobs.start(std::move(job));
    }

    /// The next volume of the catalog. False after the last one.
    static bool fit_next(const bv::workloads::MeshData& mesh, const bv::Hull& hull, const JobControl& control,
                         std::vector<Fit>& fits) {
        const auto catalog = bv::fit::fit_catalog();
        if (fits.size() == catalog.size()) return false;
        const bv::fit::FitEntry& entry = catalog[fits.size()];
        const auto share = static_cast<float>(fits.size()) / static_cast<float>(catalog.size());
        if (!control.report(share, fmt::format("{}: {}", bv::fit::name_of(entry.kind), entry.name)))
            return false;
        const platform::Clock clock;
        Fit fit{&entry, entry.fit(mesh.view()), {}};
        const double fit_ms = clock.milliseconds();
        fit.row.body = mesh.name;
        fit.row.kind = bv::fit::id_of(entry.kind);
        fit.row.algorithm = entry.id.substr(entry.id.find('.') + 1);
        fit.row.volume = bv::fit::volume_of(fit.volume);
        fit.row.surface = bv::fit::surface_area_of(fit.volume);
        fit.row.tightness = bv::fit::tightness(fit.volume, hull);
        fit.row.fit_ms = fit_ms;
        fit.row.shape = std::make_shared<const bv::fit::Volume>(fit.volume);
        fit.row.contains_all = bv::fit::contains_all(fit.volume, mesh.positions);
        fits.push_back(std::move(fit));
        return true;
    }

    /// The four that courses start with.
    static bool is_classic(const Fit& fit) {
        for (const char* id : {"sphere.exact", "aabb.fixed", "aabb.tight", "obb.exact"})
            if (fit.entry->id == id) return true;
        return false;
    }

    /// `which` counts the volumes that are drawn.
    void draw(const World& world, FrameResults& results, const Fit& fit, Role role, const Body& body,
              std::size_t which) const {
        const std::size_t first = results.exhibits.size();
        draw_in(role, world, results, fit, body);
        if (results.exhibits.size() == first) return;
        const std::string label = std::move(results.exhibits[first].label);
        results.exhibits[first].label.clear();
        bv::Aabb around;
        for (std::size_t i = first; i < results.exhibits.size(); ++i) {
            results.exhibits[i].legend = label;
            around = bv::merge(around, bounds_of(results.exhibits[i]));
        }
        // Volumes around one body have their tops in one place, so each has its name on a different side.
        constexpr std::array kSides = {glm::vec3(0, 1, 0),  glm::vec3(1, 0.6f, -1), glm::vec3(-1, 0.6f, 1),
                                       glm::vec3(0, -1, 0), glm::vec3(1, -0.6f, 1), glm::vec3(-1, -0.6f, -1)};
        const glm::vec3 side = kSides[which % kSides.size()];
        glm::vec3 at = around.center() + 0.5f * side * around.size();
        if (results.exhibits.size() == first + 1) at = surface_point(results.exhibits[first].shape, side, at);
        put_note(results, at, role, label);
    }
    /// A point of the shape far out on that side, since a corner of its box may lie well outside it; for
    /// shapes that fill their box, `corner`.
    static glm::vec3 surface_point(const ExhibitShape& shape, const glm::vec3& side,
                                   const glm::vec3& corner) {
        if (const auto* ball = std::get_if<bv::Sphere>(&shape))
            return ball->center + ball->radius * glm::normalize(side);
        if (const auto* solid = std::get_if<Polytope>(&shape); solid && !solid->vertices.empty())
            return *std::max_element(solid->vertices.begin(), solid->vertices.end(),
                                     [&](const glm::vec3& a, const glm::vec3& b) {
                                         return glm::dot(a, side) < glm::dot(b, side);
                                     });
        return corner;
    }
    void draw_in(Role role, const World& world, FrameResults& results, const Fit& fit,
                 const Body& body) const {
        // Several volumes at once need both names: several algorithms are called exact.
        const std::string_view kind = bv::fit::name_of(fit.entry->kind);
        const std::string label =
            fit.entry->name == kind ? std::string(kind) : fmt::format("{}: {}", kind, fit.entry->name);
        if (fit.entry->kind == Kind::Aabb) {
            // Axis-aligned boxes are recomputed for the current orientation.
            put(results,
                fit.entry->id == "aabb.fixed" ? world.bodies().fixed_box(body)
                                              : world.bodies().tight_box(body),
                role, label, 0.04f);
            return;
        }
        const bv::fit::Volume placed = bv::fit::transformed(fit.volume, body.state.transform);
        if (const auto* sphere = std::get_if<bv::Sphere>(&placed)) {
            put(results, *sphere, role, label, 0.04f);
            return;
        }
        if (const auto* box = std::get_if<bv::Obb>(&placed)) {
            put(results, *box, role, label, 0.04f);
            return;
        }
        bv::Polytope flat = bv::fit::polytope_of(placed);
        if (!flat.is_empty()) {
            put(results, Polytope{flat.vertices, flat.triangles, flat.edges}, role, label, 0.08f).width_px =
                1.5f;
            return;
        }
        draw_round(results, placed, role, label);
    }

    /// A surface of support points in many directions, and three rings around it.
    void draw_round(FrameResults& results, const bv::fit::Volume& volume, Role role,
                    const std::string& label) const {
        Polytope surface;
        for (const glm::vec3& direction : directions_.positions)
            surface.vertices.push_back(bv::fit::support(volume, direction));
        surface.triangles = directions_.triangles;
        put(results, std::move(surface), role, label, 0.10f);
        constexpr int kSteps = 48;
        for (int axis = 0; axis < 3; ++axis) {
            Polyline ring;
            for (int i = 0; i <= kSteps; ++i) {
                const float angle = 6.2831853f * static_cast<float>(i) / kSteps;
                glm::vec3 direction(0.0f);
                direction[(axis + 1) % 3] = bv::cos(angle);
                direction[(axis + 2) % 3] = bv::sin(angle);
                ring.points.push_back(bv::fit::support(volume, direction));
            }
            put(results, std::move(ring), role);
        }
    }

    MeshId mesh_;
    bv::BodyId body_;
    // Shared with the job that computes them and with copies of the scene.
    std::shared_ptr<std::vector<Fit>> fits_ = std::make_shared<std::vector<Fit>>();
    bv::workloads::MeshData directions_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "volumes",
    .category = "Volumes",
    .title = "Every volume of a mesh",
    .summary =
        "One mesh, every bounding volume, every algorithm, with its cost and its tightness. Choose the kind "
        "and the algorithm; compare the fixed AABB, which never changes size, with the tight one while the "
        "mesh turns.",
    .make = make_scene<Volumes>,
    .settings = kSettings,
};

}  // namespace lab::scenes::volumes_scene
