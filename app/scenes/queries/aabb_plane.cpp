// A box against a plane, by its projected radius. If the plane also crosses the mesh inside, the mesh is cut
// into two closed halves.
#include <cmath>
#include <glm/geometric.hpp>
#include <memory>

#include "bv/portable_math.hpp"
#include "bv/query/slice.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "world/mesh_library.hpp"

namespace lab::scenes::aabb_plane_scene {
namespace {

constexpr float kRadius = 1.5f;
constexpr glm::vec3 kPlace(0.0f, 1.4f, 0.0f);
constexpr float kApart = 0.35f;  // distance of the halves from the plane, so that the caps are visible

class AabbPlane final : public SceneWithHandles<AabbPlane> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        const MeshEntry& mesh = context.meshes[context.meshes.find("teapot").value_or(MeshId{0})];
        const float scale = kRadius / mesh.sphere.radius;
        for (const glm::vec3& p : mesh.positions)
            positions_.push_back(scale * (p - mesh.sphere.center) + kPlace);
        triangles_ = mesh.triangles;
        for (const glm::vec3& p : positions_)
            box_ = bv::merge(box_, p);
        handles_.add("plane", {0.2f, 0.2f, 0.6f}, "move the plane", {.name = "Plane, point"});
        handles_.add("normal", {1.2f, 0.5f, 0.95f}, "turn it",
                     {.name = "Plane, normal", .unit = "", .from = "plane"});
    }

    void step(SceneContext&, float dt_s) override {
        time_s_ += dt_s;
        if (handles_.taken("plane") || handles_.taken("normal")) return;
        const glm::vec3 point(1.3f * bv::sin(0.5f * time_s_ - 0.8f), 0.2f, 0.6f);
        const glm::vec3 tip = handles_["normal"] - handles_["plane"];
        handles_.place("plane", point);
        handles_.place("normal", point + tip);
    }

    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        if (id == "plane") handles_.place("normal", handles_["normal"] + position - handles_["plane"]);
        return handles_.drag(id, position);
    }

    void show(const SceneContext&, FrameResults& results) const override {
        const auto made = bv::plane_from(handles_["plane"], handles_["normal"] - handles_["plane"]);
        const bv::Plane plane = made.value_or(bv::Plane{{0, 1, 0}, handles_["plane"].y});
        const bv::PlaneProjection answer = bv::project(box_, plane);
        static constexpr Role kRoles[3] = {Role::Kdop, Role::AabbTight, Role::ProjectionA};
        static constexpr const char* kNames[3] = {"behind", "cut", "in front"};
        const auto side = static_cast<std::size_t>(answer.side);

        put(results, PlanePatch{plane, box_.center(), 1.7f}, Role::Plane, {}, 0.10f);
        Exhibit& box = put(results, box_, Role::AabbTight, fmt::format("box: {}", kNames[side]));
        box.width_px = 2.0f;
        box.legend = "tight AABB";
        show_projection(results, plane, answer);
        const bv::Side mesh_side = show_halves(results, plane);

        Table table{"aabb_plane", "Projected radius and distance", {"what", "value"}};
        table.add({"distance of the center", cells::trimmed(answer.distance).in("m")}, Role::Hit);
        table.add({"radius: h · |n|", cells::trimmed(answer.radius).in("m")}, Role::Visited);
        table.add({"verdict", fmt::format("|{}| {} {}: {}", number(answer.distance),
                                          answer.side == bv::Side::Intersecting ? "≤" : ">",
                                          number(answer.radius), kNames[side])},
                  kRoles[side], RowMark::Verdict);
        const char* of_mesh = kNames[static_cast<std::size_t>(mesh_side)];
        table.add({"mesh", answer.side != bv::Side::Intersecting ? fmt::format("{}, like its box", of_mesh)
                           : mesh_side == bv::Side::Intersecting
                               ? std::string(of_mesh)
                               : fmt::format("{}: the box gave a false alarm", of_mesh)},
                  kRoles[static_cast<std::size_t>(mesh_side)]);
        results.tables.push_back(std::move(table));
        handles_.show(results);
    }

  private:
    /// The box and the plane on an axis along the normal, above the box, which would hide it inside.
    void show_projection(FrameResults& results, const bv::Plane& plane,
                         const bv::PlaneProjection& answer) const {
        const glm::vec3 n = plane.normal, half = box_.half_extents(), center = box_.center();
        const glm::vec3 other = std::abs(n.y) < 0.9f ? glm::vec3(0, 1, 0) : glm::vec3(0, 0, 1);
        const glm::vec3 aside = glm::normalize(other - glm::dot(other, n) * n);
        constexpr float kClear = 0.25f, kApartBars = 0.1f;
        const glm::vec3 middle = center + (glm::dot(glm::abs(aside), half) + kClear) * aside;
        const glm::vec3 corner =
            half * glm::vec3(std::copysign(1.0f, n.x), std::copysign(1.0f, n.y), std::copysign(1.0f, n.z));
        const auto drop = [&results](const glm::vec3& from, const glm::vec3& to) {
            Exhibit& line = put(results, bv::Segment{from, to}, Role::Muted);
            line.width_px = 1.0f;
            line.legend = "from the corners and the center";
        };
        for (const float sign : {-1.0f, 1.0f}) {
            const glm::vec3 end = middle + sign * answer.radius * n;
            Exhibit& radius = put(results, bv::Segment{middle, end}, Role::Visited);
            radius.width_px = 5.0f;
            radius.legend = "projected radius, both ways";
            drop(center + sign * corner, end);
        }
        drop(center, middle);
        const glm::vec3 over = middle + kApartBars * aside, foot = over - answer.distance * n;
        Exhibit& distance = put(results, bv::Segment{over, foot}, Role::Hit);
        distance.width_px = 5.0f;
        distance.legend = "distance of the center";
        put_note(results, 0.5f * (over + foot) + 0.12f * aside, Role::Hit,
                 fmt::format("distance {} m", number(answer.distance)));
        put_note(results, middle + (answer.radius + 0.15f) * n, Role::Visited,
                 fmt::format("± radius {} m", number(answer.radius)));
    }

    /// Returns the side of the plane on which the mesh lies.
    bv::Side show_halves(FrameResults& results, const bv::Plane& plane) const {
        const bv::MeshSlice cut = bv::slice({positions_, triangles_}, box_, plane);
        if (cut.side != bv::Side::Intersecting) {
            const bool in_front = cut.side == bv::Side::Front;
            put(results, Polytope{positions_, triangles_, {}}, in_front ? Role::ProjectionA : Role::Kdop, {},
                0.35f)
                .legend = in_front ? "mesh in front" : "mesh behind";
            return cut.side;
        }
        show_piece(results, cut.front, Role::ProjectionA, kApart * plane.normal);
        show_piece(results, cut.back, Role::Kdop, -kApart * plane.normal);
        for (const std::vector<glm::vec3>& contour : cut.contours) {
            Polyline line{contour};
            if (!contour.empty()) line.points.push_back(contour.front());
            Exhibit& exhibit = put(results, std::move(line), Role::AabbFixed);
            exhibit.legend = "cross-section";
            exhibit.width_px = 3.0f;
            exhibit.on_top = true;
        }
        return cut.side;
    }
    static void show_piece(FrameResults& results, const bv::MeshPiece& piece, Role role,
                           const glm::vec3& offset) {
        Polytope skin;
        Polytope cap;
        for (const glm::vec3& p : piece.positions)
            skin.vertices.push_back(p + offset);
        cap.vertices = skin.vertices;
        for (std::size_t i = 0; i < piece.triangles.size(); ++i)
            (i < piece.cap_begin ? skin : cap).triangles.push_back(piece.triangles[i]);
        put(results, std::move(skin), role, {}, 0.35f).legend =
            role == Role::ProjectionA ? "half in front" : "half behind";
        put(results, std::move(cap), Role::AabbFixed, {}, 0.8f).legend = "cross-section";
    }

    std::vector<glm::vec3> positions_;
    std::vector<glm::uvec3> triangles_;
    bv::Aabb box_;
    float time_s_ = 0;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "aabb-plane",
    .category = "Queries",
    .title = "AABB against plane",
    .summary =
        "The plane misses the box when the distance of the center exceeds the projected radius. Otherwise "
        "the mesh may be cut: its triangles decide, and it becomes two closed halves.",
    .make = make_scene<AabbPlane>,
};

}  // namespace lab::scenes::aabb_plane_scene
