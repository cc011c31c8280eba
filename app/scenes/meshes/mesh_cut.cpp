// A plane through a mesh: the cut mesh falls apart into closed solids, each with a cap, and no volume is
// lost.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <memory>
#include <utility>

#include "io/text/counted.hpp"
#include "results/messages.hpp"
#include "scenes/meshes/cut_pieces.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/draw.hpp"
#include "settings/settings.hpp"
#include "workloads/random.hpp"
#include "world/mesh_library.hpp"
#include "world/mesh_title.hpp"
#include "world/opened_files.hpp"
#include "world/world.hpp"
#include "world/world_settings.hpp"

namespace lab::scenes::mesh_cut_scene {
namespace {

constexpr Setting<int> kCutPeriod{{
    .id = "cut.period",
    .label = "Steps per cut",
    .help = "Scene mesh-cut: simulation steps from one cut to the next while the plane is not dragged",
    .default_value = "150",
    .min = 20,
    .max = 6000,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kCutPeriod, &kOwnMesh};

constexpr SceneCommand kCommands[] = {
    {.id = "cut",
     .help = "Scene mesh-cut: cut along the plane",
     .action = "cut",
     .key = {"K", "", "Mesh cut: cut along the plane"}},
};

constexpr float kRadius = 1.6f;
constexpr glm::vec3 kPlace(0.0f, 2.3f, 0.0f);
constexpr glm::vec3 kBladePlace(kPlace.x - 0.1f, kPlace.y + 0.2f, kPlace.z);
constexpr float kApart_mps = 0.55f;
constexpr std::size_t kMaxPieces = 60;
/// Of a new piece, see `SceneContext::work`. More than its time, since the library keeps its tree.
constexpr std::uint64_t kWorkPerTriangle = 30;
constexpr int kCutsByItself = 6;

class MeshCut final : public SceneOf<MeshCut> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        context.settings.assign(kDrawVolumesOn, VolumesOn::None);
        context.settings.assign(kDrawContacts, false);
        context.settings.assign(kVolumeExact, true);
        handles_.add("plane", kBladePlace, "move the plane", {.name = "Plane, point"});
        handles_.add("normal", {}, "turn it", {.name = "Plane, normal", .unit = "", .from = "plane"});
        handles_.add("cut", {}, "pull to cut", {.listed = false});
        begin(context);
        context.camera = {};
        context.camera.yaw_rad = 0.5f;
        context.camera.pitch_rad = 0.22f;
        context.camera.fov_y_rad = 0.65f;
        context.frame_box = {{-2.1f, -0.7f, -1.3f}, {2.1f, 3.4f, 1.3f}};
    }

    void step(SceneContext& context, float dt_s) override {
        ++since_cut_;
        if (!taken()) by_itself(context);
        if (!cut_yet_) return;  // before the first cut it floats
        push_apart(context.world);
        for (const Piece& piece : pieces_)
            if (Body* body = context.world.edit(piece.body)) fall_on_floor(*body, piece.shape, 0.0f, dt_s);
    }

    bool drag(SceneContext& context, std::string_view id, const glm::vec3& position) override {
        const glm::vec3 by = position - handles_[id == "cut" ? "cut" : "plane"];
        if (!handles_.drag(id, position)) return false;
        if (id == "plane") {
            handles_.place("normal", handles_["normal"] + by);
        } else if (id == "cut") {
            if (since_cut_ > 20) (void)cut(context);
        }
        place_blade();
        return true;
    }

    bool play(SceneContext& context, std::string_view action) override {
        if (action != "cut") return false;
        by_hand_ = true;
        if (const char* why = cut(context)) context.messages.info(why);
        return true;
    }

    [[nodiscard]] SceneInput input() const override {
        return SceneInput(Pieces{pieces_, handles_, volume_, lost_, made_, cuts_, cut_yet_});
    }
    [[nodiscard]] std::size_t input_size() const override { return made_; }
    void restore(const SceneInput&, const SceneInput& to) override {
        const auto* given = to.get<Pieces>();
        if (!given) return;
        pieces_ = given->pieces;
        handles_ = given->handles;
        volume_ = given->volume;
        lost_ = given->lost;
        made_ = given->made;
        cuts_ = given->cuts;
        cut_yet_ = given->cut_yet;
        by_hand_ = true;  // or the automatic cuts would go on through what was restored
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        const bv::Plane plane = blade();
        Exhibit& patch = put(results, PlanePatch{plane, handles_["plane"], 1.7f}, Role::Plane, {}, 0.10f);
        patch.width_px = 1.5f;
        for (const Piece& piece : pieces_)
            if (const Body* body = context.world.find(piece.body)) show_caps(results, piece, *body);
        count(context, results);
        handles_.show(results);
    }

  private:
    struct Piece {
        bv::BodyId body;
        std::uint32_t number = 0;  ///< 0: the whole mesh.
        std::shared_ptr<const CutPiece> solid;
        std::shared_ptr<const Polytope> caps;  ///< In the piece's frame.
        RigidShape shape;
        friend bool operator==(const Piece& a, const Piece& b) {
            return a.body == b.body && a.number == b.number && a.solid == b.solid;
        }
    };
    /// What undo restores, apart from the bodies.
    struct Pieces {
        std::vector<Piece> pieces;
        HandleSet handles;
        double volume = 0, lost = 0;
        std::uint32_t made = 0;
        int cuts = 0;
        bool cut_yet = false;
        friend bool operator==(const Pieces&, const Pieces&) = default;
    };

    [[nodiscard]] bool taken() const {
        return by_hand_ || handles_.taken("plane") || handles_.taken("normal") || handles_.taken("cut");
    }
    [[nodiscard]] bv::Plane blade() const {
        return bv::plane_from(handles_["plane"], handles_["normal"] - handles_["plane"])
            .value_or(bv::Plane{{0, 1, 0}, handles_["plane"].y});
    }
    void aim(const glm::vec3& normal) {
        handles_.place("normal", handles_["plane"] + 0.9f * glm::normalize(normal));
        place_blade();
    }
    /// The third handle lies in the plane, at its edge.
    void place_blade() {
        const glm::vec3 n = blade().normal;
        const glm::vec3 other = std::abs(n.y) < 0.9f ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
        handles_.place("cut", handles_["plane"] + 1.7f * glm::normalize(glm::cross(n, glm::cross(other, n))));
    }

    /// The mesh that was opened last, or a knot; whole, in one piece. The cuts that follow are the same each
    /// time, so that their pieces, which the library keeps, are no new ones.
    void begin(SceneContext& context) {
        random_ = bv::workloads::Random(context.seed, 31);
        handles_.place("plane", kBladePlace);
        aim({0.75f, 0.62f, 0.24f});
        for (const Piece& piece : pieces_)
            context.world.remove(piece.body);
        pieces_.clear();
        const MeshId id = mesh_on_show(context, "torus_knot");
        const MeshEntry& mesh = context.meshes[id];
        const float scale = mesh.sphere.radius > 0.0f ? kRadius / mesh.sphere.radius : 1.0f;
        std::vector<glm::vec3> positions;
        for (const glm::vec3& p : mesh.positions)
            positions.push_back(scale * (p - mesh.sphere.center));
        base_ = mesh.name;
        title_ = title_of(mesh);
        made_ = 0;
        std::uint64_t key = 0;
        for (const char c : mesh.name + mesh.source)
            key = key * 131 + static_cast<unsigned char>(c);
        const CutPiece whole = whole_piece({positions, mesh.triangles}, key);
        volume_ = whole.mass.volume;
        cut_yet_ = false;
        cuts_ = 0;
        lost_ = 0.0;
        since_cut_ = 0;
        Body at;
        at.position = kPlace;
        at.state.angular_velocity = {0.0f, 0.25f, 0.0f};
        add(context, whole, at, glm::vec3(0.0f), 0);
    }

    /// A body for the piece, at its place in the body that it was cut from.
    void add(SceneContext& context, const CutPiece& solid, const Body& from, const glm::vec3& push,
             std::uint32_t number) {
        const std::string name = fmt::format("{} {:08x}", base_, static_cast<std::uint32_t>(solid.key >> 32));
        std::optional<MeshId> mesh = context.meshes.find(name);
        if (!mesh) {
            context.work += kWorkPerTriangle * solid.triangles.size();
            mesh = context.meshes.add(name, std::string(MeshLibrary::kCut), solid.positions, solid.triangles);
        }
        const glm::vec3 arm = glm::mat3_cast(from.orientation) * solid.center;
        BodySpec spec;
        spec.mesh = *mesh;
        spec.name = number == 0 ? title_ : fmt::format("piece {} of {}", number, title_);
        spec.position = from.position + arm + 0.004f * push;
        spec.orientation = from.orientation;
        spec.velocity =
            from.state.velocity + glm::cross(from.state.angular_velocity, arm) + kApart_mps * push;
        spec.angular_velocity = from.state.angular_velocity;
        spec.shown = kShowNone;
        Piece piece;
        piece.number = number;
        piece.body = context.world.add(spec);
        if (!piece.body.valid()) {
            lost_ += solid.mass.volume;
            return;
        }
        auto caps = std::make_shared<Polytope>();
        for (std::size_t i = 0; i < solid.triangles.size(); ++i)
            if (solid.is_cap(i)) {
                const auto first = static_cast<std::uint32_t>(caps->vertices.size());
                const bv::Triangle t = solid.view().triangle(i);
                caps->vertices.insert(caps->vertices.end(), {t.a, t.b, t.c});
                caps->triangles.emplace_back(first, first + 1, first + 2);
            }
        piece.caps = std::move(caps);
        piece.shape = rigid_shape(solid.mass, context.meshes[*mesh].extremes);
        piece.solid = std::make_shared<const CutPiece>(solid);
        pieces_.push_back(std::move(piece));
    }

    /// Why nothing was cut; null if something was.
    const char* cut(SceneContext& context) {
        const bv::Plane plane = blade();
        const std::vector<Piece> before = std::move(pieces_);
        pieces_.clear();
        bool any = false, is_hit = false;
        std::size_t whole = 0, standing = static_cast<std::size_t>(
                                   std::count_if(before.begin(), before.end(), [&](const Piece&piece) {
                                       return context.world.find(piece.body) != nullptr;
                                   }));
        for (const Piece& piece : before) {
            const Body* body = context.world.find(piece.body);
            if (!body) {  // removed by hand, and back with an undo
                pieces_.push_back(piece);
                continue;
            }
            const Body from = *body;
            bv::Plane local;
            local.normal = glm::transpose(glm::mat3_cast(from.orientation)) * plane.normal;
            local.offset = plane.offset - glm::dot(plane.normal, from.position);
            const CutResult halves = cut_piece(*piece.solid, local);
            is_hit = is_hit || halves.is_hit;
            const std::size_t made = halves.front.size() + halves.back.size();
            if (made == 0 || standing + made > kMaxPieces + 1) {
                whole += made > 0 ? 1 : 0;
                pieces_.push_back(piece);
                continue;
            }
            standing += made - 1;
            any = true;
            if (!halves.closed)
                context.messages.warning(
                    "The mesh is not closed where it was cut, so its pieces are open there, too.");
            context.world.remove(piece.body);
            for (const CutPiece& solid : halves.front)
                add(context, solid, from, plane.normal, ++made_);
            for (const CutPiece& solid : halves.back)
                add(context, solid, from, -plane.normal, ++made_);
        }
        since_cut_ = 0;
        if (whole > 0)
            context.messages.warning(fmt::format("At most {} pieces: {} in the way of the plane {} whole",
                                                 kMaxPieces, io::counted(whole, "piece", "pieces"),
                                                 io::plural(whole, "stays", "stay")));
        if (!any)
            return whole > 0 ? nullptr
                   : is_hit
                       ? "The mesh was not cut: it is flat, open or inside out, so its halves have no volume"
                       : "The plane cuts no piece";
        cut_yet_ = true;
        ++cuts_;
        return nullptr;
    }

    /// While the user does not drag the plane: cut after cut through the largest piece, then a restart.
    void by_itself(SceneContext& context) {
        const int period = context.settings[kCutPeriod];
        const int wait = cuts_ == 0 ? period / 2 : cuts_ < kCutsByItself ? period : 2 * period;
        if (since_cut_ < wait) {
            if (since_cut_ == 30 && cuts_ > 0 && cuts_ < kCutsByItself) choose_plane(context.world);
            return;
        }
        if (cuts_ < kCutsByItself) {
            (void)cut(context);
        } else {
            begin(context);
            since_cut_ = 1;  // as after the first step of the scene
        }
    }

    void choose_plane(const World& world) {
        const Body* largest = nullptr;
        double volume = 0.0;
        for (const Piece& piece : pieces_) {
            const Body* body = world.find(piece.body);  // null if removed by hand
            if (!body || (largest && piece.solid->mass.volume <= volume)) continue;
            largest = body;
            volume = piece.solid->mass.volume;
        }
        if (!largest) return;
        glm::vec3 normal = random_.direction();
        normal.y *= 0.4f;  // nearly upright, so that the pieces lie side by side
        handles_.place("plane", largest->position);
        aim(glm::length(normal) > 0.1f ? normal : glm::vec3(1, 0, 0));
    }

    /// Pushes touching pieces apart along the floor.
    static void push_apart(World& world) {
        const SharedList<BodyPair> touching = world.finder().pairs().exact;
        for (const BodyPair& pair : touching) {
            Body *a = world.edit(pair.a), *b = world.edit(pair.b);
            if (!a || !b) continue;
            glm::vec3 apart = b->position - a->position;
            apart.y = 0.0f;
            const float length = glm::length(apart);
            apart = length > 1e-3f ? apart / length : glm::vec3(1, 0, 0);
            a->state.velocity -= 0.12f * apart;
            b->state.velocity += 0.12f * apart;
        }
    }

    static void show_caps(FrameResults& results, const Piece& piece, const Body& body) {
        if (piece.caps->triangles.empty()) return;
        Polytope caps = *piece.caps;
        for (glm::vec3& p : caps.vertices)
            p = body.state.transform * glm::vec4(p, 1.0f);
        Exhibit& exhibit = put(results, std::move(caps), Role::AabbFixed, {}, 0.92f);
        exhibit.legend = "caps over the cuts";
    }

    void count(const SceneContext& context, FrameResults& results) const {
        std::vector<const Piece*> sorted;
        double sum = 0.0, removed = 0.0, surface = 0.0, caps = 0.0;
        std::size_t triangles = 0;
        for (const Piece& piece : pieces_) {
            if (!context.world.find(piece.body)) {
                removed += piece.solid->mass.volume;
                continue;
            }
            sorted.push_back(&piece);
            sum += piece.solid->mass.volume;
            surface += piece.solid->surface;
            caps += piece.solid->cap_surface;
            triangles += piece.solid->triangles.size();
        }
        std::stable_sort(sorted.begin(), sorted.end(), [](const Piece* a, const Piece* b) {
            return a->solid->mass.volume > b->solid->mass.volume;
        });
        Table table{"mesh_cut",
                    "The volumes add up",
                    {"piece", {"volume", "m³"}, "share", {"surface", "m²"}, {"caps", "m²"}, "triangles"}};
        const auto share = [this](double volume) -> Cell {
            if (volume_ == 0.0) return {};  // a flat mesh
            return cells::fixed(100.0 * volume / volume_, 3).in("%");
        };
        const auto row = [&](std::string name, double volume, double area, double cap, std::size_t count,
                             Role role) {
            table.add({std::move(name), cells::fixed(volume, 6), share(volume), cells::fixed(area, 4),
                       cells::fixed(cap, 4), cells::grouped(count)},
                      role);
        };
        table.add({fmt::format("uncut mesh: {}", title_), cells::fixed(volume_, 6), share(volume_)},
                  Role::Mesh);
        row(fmt::format("{} after {}", io::counted(sorted.size(), "piece", "pieces"),
                        io::counted(cuts_, "cut", "cuts")),
            sum + lost_, surface, caps, triangles, Role::AabbFixed);
        if (removed > 0.0)
            table.add({"removed by hand", cells::fixed(removed, 6), share(removed)}, Role::Muted);
        const double difference = sum + removed + lost_ - volume_;
        table.add({"difference", cells::scientific(difference, 1),
                   volume_ == 0.0 ? Cell() : cells::scientific(100.0 * difference / volume_, 1).in("%")},
                  Role::Muted);
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            const CutPiece& solid = *sorted[i]->solid;
            row(sorted[i]->number == 0 ? title_ : fmt::format("piece {}", sorted[i]->number),
                solid.mass.volume, solid.surface, solid.cap_surface, solid.triangles.size(), Role::Mesh);
            table.rows.back().mesh = context.world.find(sorted[i]->body)->state.mesh.value;
        }
        results.tables.push_back(std::move(table));
    }

    HandleSet handles_;
    std::vector<Piece> pieces_;
    std::string base_, title_;
    std::uint32_t made_ = 0;  ///< Pieces so far, for their names.
    bv::workloads::Random random_{1};
    double volume_ = 0, lost_ = 0;
    int since_cut_ = 0, cuts_ = 0;
    bool cut_yet_ = false, by_hand_ = false;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "mesh-cut",
    .category = "Meshes",
    .title = "Cutting a mesh",
    .summary =
        "A plane cuts a closed mesh; each half gets a cap, so it is closed again, and falls. Drag the plane "
        "and cut again. The volumes of all pieces always add up to the volume of the mesh.",
    .make = make_scene<MeshCut>,
    .settings = kSettings,
    .commands = kCommands,
    .settings_last = true,
};

}  // namespace lab::scenes::mesh_cut_scene
