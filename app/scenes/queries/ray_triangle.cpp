// A ray against a triangle: the point in its plane, and the three weights that say whether it lies inside.
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <memory>

#include "bv/portable_math.hpp"
#include "bv/query/raycast.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/steps.hpp"
#include "steps/walk.hpp"

namespace lab::scenes::ray_triangle_scene {
namespace {

/// Weights of the corners: p = w a + u b + v c, named as by Möller and Trumbore.
constexpr const char* kWeights = "wuv";
constexpr Role kRoles[3] = {Role::ProjectionA, Role::ProjectionB, Role::Plane};

/// The ray's end: twice as far as its aim, which is at t = 1.
constexpr float kEnd = 2.0f;

/// The intersection of the ray with the triangle's plane, and its weights of a, b, c. Empty for a parallel
/// ray and for a triangle without area.
struct PlaneHit {
    glm::vec3 point{0.0f};
    glm::dvec3 weights{0.0};
    double t = 0;
};

std::optional<PlaneHit> meet_plane(const bv::Ray& ray, const bv::Triangle& tri) {
    const glm::dvec3 a(tri.a);
    const glm::dvec3 ab = glm::dvec3(tri.b) - a;
    const glm::dvec3 ac = glm::dvec3(tri.c) - a;
    const glm::dvec3 n = glm::cross(ab, ac);
    const double down = glm::dot(glm::dvec3(ray.direction), n);
    const double square = glm::dot(n, n);
    if (down == 0 || square == 0) return std::nullopt;
    PlaneHit hit;
    hit.t = glm::dot(a - glm::dvec3(ray.origin), n) / down;
    const glm::dvec3 p = glm::dvec3(ray.origin) + hit.t * glm::dvec3(ray.direction);
    const double v = glm::dot(glm::cross(p - a, ac), n) / square;
    const double w = glm::dot(glm::cross(ab, p - a), n) / square;
    hit.weights = {1.0 - v - w, v, w};
    hit.point = glm::vec3(p);
    return hit;
}

enum class RayTriangleCase : unsigned char { Moving, Edge, Corner, Back, Parallel, Behind, Flat };
constexpr std::array kCaseChoices = {Choice{"moving", "Moving", RayTriangleCase::Moving},
                                     Choice{"edge", "At an edge", RayTriangleCase::Edge},
                                     Choice{"corner", "At a corner", RayTriangleCase::Corner},
                                     Choice{"back", "From the back", RayTriangleCase::Back},
                                     Choice{"parallel", "Parallel to the plane", RayTriangleCase::Parallel},
                                     Choice{"behind", "The triangle is behind", RayTriangleCase::Behind},
                                     Choice{"flat", "A triangle without area", RayTriangleCase::Flat}};
constexpr Setting<RayTriangleCase> kRayTrianglePreset{{
    .id = "ray_triangle.preset",
    .label = "Placement",
    .help = "Scene ray-triangle: where ray and triangle are; choosing another placement discards dragged "
            "positions",
    .default_value = "moving",
    .choices = kCaseChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kRayTrianglePreset};

constexpr glm::vec3 kA{-1.2f, 0.4f, 0.6f}, kB{1.3f, 0.7f, 0.3f}, kC{0.1f, 2.2f, -0.5f};
constexpr glm::vec3 kOrigin{-0.6f, 1.9f, 2.6f}, kAim{0.1f, 1.0f, 0.1f};

/// The handles that each case after the first moves. The coordinates of edge, corner, parallel ray and flat
/// triangle leave nothing to rounding.
struct Arranged {
    glm::vec3 a = kA, b = kB, c = kC, origin = kOrigin, aim = kAim;
};
constexpr std::array<Arranged, 6> kArranged = {{
    {.a = {-1.0f, 0.5f, 0.0f},
     .b = {1.0f, 0.5f, 0.0f},
     .c = {0.0f, 2.0f, 0.0f},
     .origin = {0.0f, 0.5f, 2.5f},
     .aim = {0.0f, 0.5f, 0.0f}},
    {.a = {-1.0f, 0.5f, 0.0f},
     .b = {1.0f, 0.5f, 0.0f},
     .c = {0.0f, 2.0f, 0.0f},
     .origin = {0.0f, 2.0f, 2.5f},
     .aim = {0.0f, 2.0f, 0.0f}},
    {.origin = {0.6f, 0.6f, -2.2f}},
    {.a = {-1.2f, 0.4f, 0.0f},
     .b = {1.3f, 0.4f, 0.0f},
     .c = {0.1f, 2.2f, 0.0f},
     .origin = {-2.0f, 1.2f, 1.0f},
     .aim = {1.5f, 1.2f, 1.0f}},
    {.origin = {0.0f, 1.4f, 1.2f}, .aim = {0.0f, 1.7f, 2.4f}},
    {.a = {-1.0f, 1.0f, 0.0f}, .b = {1.0f, 1.0f, 0.0f}, .c = {0.0f, 1.0f, 0.0f}},
}};

class RayTriangle final : public SceneWithHandles<RayTriangle> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        place(context.settings[kRayTrianglePreset]);
    }

    void adapt(SceneContext& context) override {
        if (preset_ != context.settings[kRayTrianglePreset]) place(context.settings[kRayTrianglePreset]);
    }

    void place(RayTriangleCase preset) {
        preset_ = preset;
        handles_ = {};
        handles_.add("a", kA, "a", {.name = "Triangle, a"});
        handles_.add("b", kB, "b", {.name = "Triangle, b"});
        handles_.add("c", kC, "c", {.name = "Triangle, c"});
        handles_.add("origin", kOrigin, "origin", {.name = "Ray, origin"});
        handles_.add("aim", kAim, "aim", {.name = "Ray, direction", .from = "origin"});
        if (preset == RayTriangleCase::Moving) return;
        const Arranged& at = kArranged[static_cast<std::size_t>(preset) - 1];
        handles_.arrange(std::array{Placed{"a", at.a}, Placed{"b", at.b}, Placed{"c", at.c},
                                    Placed{"origin", at.origin}, Placed{"aim", at.aim}});
        handles_.note_placement();
    }

    void step(SceneContext&, float dt_s) override {
        time_s_ += dt_s;
        if (!handles_.taken("aim"))
            handles_.place(
                "aim", {0.1f + 0.9f * bv::sin(0.6f * time_s_), 1.0f + 0.5f * bv::cos(0.8f * time_s_), 0.1f});
    }

    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        return handles_.drag(id, position);
    }

    void analyze(const SceneContext&, const FrameResults&) override {
        steps::Subject subject;
        subject.triangle = triangle();
        subject.ray = ray();
        bv::Recording trace;
        const auto hit = bv::raycast(*subject.ray, *subject.triangle, trace);
        walk_ = std::make_shared<const steps::Walk>(steps::algorithm("moller_trumbore"), std::move(subject),
                                                    trace, verdict(hit));
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

    void show(const SceneContext&, FrameResults& results) const override {
        const bv::Triangle tri = triangle();
        const bv::Ray ray = this->ray();
        const auto hit = bv::raycast(ray, tri);
        const auto plane = meet_plane(ray, tri);

        Exhibit& whole = put(results, tri, Role::Mesh, {}, 0.15f);
        whole.width_px = 2.5f;
        whole.legend = "triangle";
        put(results, ray, Role::Ray).on_top = true;
        if (plane) {
            // The three smaller triangles between the point and the edges: their shares of the area are the
            // weights.
            const glm::vec3 corners[3] = {tri.a, tri.b, tri.c};
            for (int k = 0; k < 3; ++k) {
                const bv::Triangle part{plane->point, corners[(k + 1) % 3], corners[(k + 2) % 3]};
                Exhibit& share = put(results, part, kRoles[k], {}, hit ? 0.3f : 0.08f);
                share.width_px = 1.0f;
                share.legend = fmt::format("{}: weight of {}", kWeights[k], "abc"[k]);
                // Nearer to the outer edge than the middle, clear of the hit and its handle.
                put_note(results, 0.2f * part.a + 0.4f * (part.b + part.c), kRoles[k],
                         fmt::format("{} = {}", kWeights[k], number(plane->weights[k])));
            }
            Exhibit& point = put(results, Marker{plane->point}, hit ? Role::Hit : Role::Separating,
                                 hit                                    ? "t = " + number(hit->t)
                                 : plane->t < 0                         ? "in the plane, but behind"
                                 : plane->t > static_cast<double>(kEnd) ? "in the plane, but beyond the end"
                                                                        : "in the plane, but outside");
            point.on_top = true;
            point.width_px = 9.0f;  // a ring around the handle of the aim, which is at the same place
            if (!hit) point.legend = "outside";
        }
        if (hit)
            put(results, bv::Segment{hit->point, hit->point + 0.6f * hit->normal}, Role::Normal).on_top =
                true;

        const Role verdict = hit ? Role::Hit : Role::Separating;
        Table table{"ray_triangle", "Weights of the corners", {"what", "value", "must be", "holds"}};
        const auto add = [&](std::string what, Cell value, std::string condition, bool holds, Role role) {
            table.add({std::move(what), std::move(value), std::move(condition), cells::yes_or_no(holds)},
                      role);
        };
        if (plane) {
            for (int k = 0; k < 3; ++k)
                add(fmt::format("{} (of {})", kWeights[k], "abc"[k]), cells::trimmed(plane->weights[k]),
                    "≥ 0", plane->weights[k] >= 0, kRoles[k]);
            add("t", cells::trimmed(plane->t), fmt::format("0 to {}", number(kEnd)),
                plane->t >= 0 && plane->t <= static_cast<double>(kEnd), verdict);
        } else if (area() == 0.0) {
            add("area", cells::grouped(0).in("m²"), "not 0", false, verdict);
        } else {
            add("direction · normal", cells::grouped(0), "not 0", false, verdict);
        }
        table.add({"verdict", hit ? "hit" : "miss"}, verdict, RowMark::Verdict);
        results.tables.push_back(std::move(table));
        handles_.show(results);
        if (preset_ == RayTriangleCase::Moving ? handles_.any_taken() : handles_.is_rearranged())
            results.rearranged = &kRayTrianglePreset;
    }

  private:
    [[nodiscard]] bv::Triangle triangle() const { return {handles_["a"], handles_["b"], handles_["c"]}; }
    [[nodiscard]] std::string verdict(const std::optional<bv::RayHit>& hit) const {
        if (hit) return fmt::format("The ray hits at t = {}.", number(hit->t));
        if (area() == 0.0) return "A triangle without area has no plane: no ray hits it.";
        const auto plane = meet_plane(ray(), triangle());
        if (!plane)
            return ray().direction == glm::vec3(0.0f) ? "The ray has no direction: a miss."
                                                      : "The ray is parallel to the plane: a miss.";
        const glm::dvec3& w = plane->weights;
        if (std::min({w.x, w.y, w.z}) >= 0 && plane->t < 0)
            return fmt::format("The line crosses the triangle at t = {}, behind the origin: a miss.",
                               number(plane->t));
        if (std::min({w.x, w.y, w.z}) >= 0 && plane->t > static_cast<double>(kEnd))
            return fmt::format("The line crosses the triangle at t = {}, but the ray ends at {}: a miss.",
                               number(plane->t), number(kEnd));
        return "The line crosses the plane outside the triangle: a miss.";
    }
    [[nodiscard]] double area() const {
        const glm::dvec3 a(handles_["a"]);
        return 0.5 * glm::length(glm::cross(glm::dvec3(handles_["b"]) - a, glm::dvec3(handles_["c"]) - a));
    }
    [[nodiscard]] bv::Ray ray() const {
        return {handles_["origin"], handles_["aim"] - handles_["origin"], kEnd};
    }

    RayTriangleCase preset_{};
    float time_s_ = 0;
    std::shared_ptr<const steps::Walk> walk_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "ray-triangle",
    .category = "Queries",
    .title = "Ray against triangle",
    .summary =
        "The point where the ray hits the triangle's plane divides the triangle into three parts. Their "
        "shares of the area are the weights of the corners: all positive means inside.",
    .make = make_scene<RayTriangle>,
    .settings = kSettings,
    .steps = &kStepAt,
};

}  // namespace lab::scenes::ray_triangle_scene
