// View-frustum culling: boxes against six planes. Each remembers the plane that rejected it, and tests it
// first in the next frame. The exact test shows which boxes are drawn needlessly.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/trigonometric.hpp>
#include <memory>
#include <string>
#include <utility>

#include "bv/portable_math.hpp"
#include "bv/query/classify.hpp"
#include "bv/query/convex.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/steps.hpp"
#include "steps/event_spec.hpp"
#include "steps/walk.hpp"
#include "view/perspective.hpp"
#include "workloads/random.hpp"

namespace lab::scenes::frustum_scene {
namespace {

constexpr int kRow = 9;
constexpr float kSpacing = 1.3f;
constexpr float kHigh_rad = 0.7f;  // of the camera's picture

/// The position of the box that is stepped through.
enum class BoxPlace : unsigned char { Row, PastAnEdge, AroundTheEye, Behind, OnAPlane };
constexpr std::array kPlaces = {Choice{"row", "Among the others", BoxPlace::Row},
                                Choice{"edge", "Past an edge: drawn needlessly", BoxPlace::PastAnEdge},
                                Choice{"around", "Around the camera", BoxPlace::AroundTheEye},
                                Choice{"behind", "Behind the camera", BoxPlace::Behind},
                                Choice{"touching", "Touching a plane", BoxPlace::OnAPlane}};
constexpr Setting<BoxPlace> kFrustumBox{{
    .id = "frustum.box",
    .label = "Placement",
    .help =
        "Scene frustum: where the box being stepped through stands; choosing a different placement discards "
        "dragged positions",
    .default_value = "row",
    .choices = kPlaces,
    .remembered = false,
}};
constexpr const SettingSpec* kSettings[] = {&kFrustumBox};

class FrustumScene final : public SceneWithHandles<FrustumScene> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        bv::workloads::Random random(context.seed);
        for (int i = 0; i < kRow * kRow; ++i) {
            const int column = i % kRow - kRow / 2, row = i / kRow - kRow / 2;
            const glm::vec3 center(kSpacing * static_cast<float>(column), 0.6f,
                                   kSpacing * static_cast<float>(row));
            const glm::vec3 half = random.in_box(glm::vec3(0.15f), glm::vec3(0.42f));
            boxes_.push_back({center - half, center + half});
        }
        hints_.resize(boxes_.size() + 1);
        place(context.settings[kFrustumBox]);
    }

    void adapt(SceneContext& context) override {
        if (placed_ != context.settings[kFrustumBox]) place(context.settings[kFrustumBox]);
    }

    void step(SceneContext&, float dt_s) override {
        time_s_ += dt_s;
        if (placed_ == BoxPlace::Row && !handles_.taken("aim") && !handles_.taken("eye"))
            handles_.place("aim",
                           {1.2f * bv::cos(0.4f * time_s_), 0.6f, -0.6f + 1.8f * bv::sin(0.4f * time_s_)});
        tested_ = 0;
        const bv::Frustum frustum = bv::frustum_of(matrix());
        for (std::size_t i = 0; i < hints_.size(); ++i)
            (void)bv::classify(i < boxes_.size() ? boxes_[i] : stepped_box(), frustum, hints_[i], &tested_);
    }

    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        return handles_.drag(id, position);
    }

    void analyze(const SceneContext&, const FrameResults&) override {
        static constexpr const char* kPlanes[6] = {"left", "right", "bottom", "top", "near", "far"};
        const glm::mat4 view_projection = matrix();
        bv::Recording trace;
        bv::FrustumHint fresh;
        const auto side = static_cast<std::size_t>(
            bv::classify(stepped_box(), bv::frustum_of(view_projection), fresh, trace));
        std::string verdict =
            side == 0   ? fmt::format("It lies entirely behind the {} plane: culled.", kPlanes[fresh.first])
            : side == 1 ? "No plane rejects it, but at least one cuts it: drawn."
                        : "It lies in front of all six planes: inside.";
        const float gap = distance_to(stepped_box(), view_projection);
        if (side == 1 && gap > 0.0f)
            verdict += fmt::format(" Needlessly: it is {} outside, past an edge.", steps::in_meters(gap));
        steps::Subject subject;
        subject.probe = handles_["box"];
        subject.plane_names = {"Left plane", "Right plane", "Bottom plane",
                               "Top plane",  "Near plane",  "Far plane"};
        subject.nodes = {steps::as_obb(stepped_box())};
        const std::array<glm::vec3, 8> corners = corners_of(view_projection);
        static constexpr std::uint32_t kFaces[6][4] = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                       {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}};
        for (std::uint32_t p = 0; p < 6; ++p) {
            Polytope& face = subject.planes[p];
            for (const std::uint32_t corner : kFaces[p])
                face.vertices.push_back(corners[corner]);
            face.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
            face.triangles = {{0, 1, 2}, {0, 2, 3}};
        }
        walk_ = std::make_shared<const steps::Walk>(steps::algorithm("planes.frustum"), std::move(subject),
                                                    trace, std::move(verdict));
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

    void show(const SceneContext&, FrameResults& results) const override {
        const glm::mat4 view_projection = matrix();
        const bv::Frustum frustum = bv::frustum_of(view_projection);
        static constexpr Role kRoles[3] = {Role::Culled, Role::ProjectionB, Role::Visited};
        static constexpr const char* kNames[3] = {"outside", "cut by a plane", "inside"};
        std::array<int, 3> counts{};
        int in_vain = 0;
        std::uint32_t plain = 0;
        const auto count = [&](const bv::Aabb& box) {
            bv::FrustumHint fresh;
            const auto side = static_cast<std::size_t>(bv::classify(box, frustum, fresh, &plain));
            ++counts[side];
            if (side == 1 && distance_to(box, view_projection) > 0.0f) ++in_vain;
            return side;
        };
        count(stepped_box());
        for (const bv::Aabb& box : boxes_) {
            const std::size_t side = count(box);
            Exhibit& shown = put(results, box, kRoles[side], {}, side == 0 ? 0.0f : 0.25f);
            shown.width_px = side == 0 ? 1.0f : 2.0f;
            shown.legend = kNames[side];
        }
        show_outline(results, view_projection);
        Exhibit& stepped = put(results, steps::as_obb(stepped_box()), Role::AabbFixed, {}, 0.2f);
        stepped.width_px = 3.0f;
        stepped.legend = "box being stepped through";

        Table table{"frustum", "Boxes against six planes", {"what", "count"}};
        for (const std::size_t side : {2u, 1u, 0u})
            table.add({kNames[side], cells::grouped(counts[side])}, kRoles[side]);
        table.add({"planes tested", cells::grouped(plain)}, Role::Muted);
        table.add(
            {"with the last plane first", tested_ > 0 ? Cell(cells::grouped(tested_)) : Cell("run a step")},
            Role::Muted);
        table.add({"cut, but outside by the exact test", cells::grouped(in_vain)}, Role::Muted);
        results.tables.push_back(std::move(table));
        handles_.show(results);
    }

  private:
    /// Puts camera and box where a placement wants them.
    void place(BoxPlace where) {
        placed_ = where;
        handles_ = {};
        handles_.add("eye", {-4.6f, 1.6f, 3.8f}, "camera", {.name = "Camera, eye"});
        handles_.add("aim", {0.6f, 0.6f, -0.6f}, "looks here",
                     {.name = "Camera, direction", .unit = "", .from = "eye"});
        handles_.add_numbers("angle", {glm::degrees(kHigh_rad), 0, 0},
                             {.name = "Camera, angle", .unit = "°", .parts = 1});
        handles_.add_numbers("depth", {0.8f, 9.0f, 0}, {.name = "Near and far", .parts = 2});
        glm::vec3 center(2.3f, 1.7f, 1.3f), half(0.35f, 0.25f, 0.3f);
        const glm::vec3 eye = handles_["eye"];
        if (where == BoxPlace::PastAnEdge) {
            half = glm::vec3(0.9f, 0.7f, 0.9f);
            center = past_an_edge(half);
        } else if (where == BoxPlace::AroundTheEye) {
            half = glm::vec3(1.6f, 1.2f, 1.6f);
            center = eye;
        } else if (where == BoxPlace::Behind) {
            center = eye + 1.4f * glm::normalize(eye - handles_["aim"]);
        } else if (where == BoxPlace::OnAPlane) {
            center = beside_left_plane(half);
        }
        handles_.add("box", center, "box being stepped through", {.name = "Box, center"});
        handles_.add_numbers("box.half", half, {.name = "Box, half size", .is_size = true});
    }
    /// Half the length of a box's projection onto a direction.
    static float reach(const glm::vec3& half, const glm::vec3& direction) {
        return glm::dot(half, glm::abs(direction));
    }
    /// A place for a box between the far and the right plane: outside of the frustum, but behind neither
    /// plane.
    [[nodiscard]] glm::vec3 past_an_edge(const glm::vec3& half) const {
        const std::array<glm::vec3, 8> corners = corners_of(matrix());
        const bv::Frustum frustum = bv::frustum_of(matrix());
        const bv::Plane &right = frustum.planes[1], &far = frustum.planes[5];
        const glm::vec3 out = -glm::normalize(right.normal + far.normal);
        // Separated along `out` beyond the first distance; behind a plane beyond the second.
        const float apart = reach(half, out);
        const float behind = std::min(reach(half, right.normal) / -glm::dot(right.normal, out),
                                      reach(half, far.normal) / -glm::dot(far.normal, out));
        return 0.5f * (corners[5] + corners[7]) + std::lerp(apart, behind, 0.5f) * out;
    }
    /// A place for a box that touches the left plane from outside.
    [[nodiscard]] glm::vec3 beside_left_plane(const glm::vec3& half) const {
        const std::array<glm::vec3, 8> corners = corners_of(matrix());
        const bv::Plane left = bv::frustum_of(matrix()).planes[0];
        const glm::vec3 middle = 0.25f * (corners[0] + corners[2] + corners[4] + corners[6]);
        return middle - reach(half, left.normal) * left.normal;
    }
    [[nodiscard]] glm::mat4 matrix() const {
        const glm::vec3 eye = handles_["eye"];
        glm::vec3 aim = handles_["aim"];
        if (glm::distance(eye, aim) < 1e-3f) aim = eye + glm::vec3(0, 0, -1);
        const glm::vec3 forward = glm::normalize(aim - eye);
        const glm::vec3 up = std::abs(forward.y) < 0.999f ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
        const bool given = handles_.taken("angle");
        const float high_rad =
            given ? glm::radians(std::clamp(handles_["angle"].x, 1.0f, 170.0f)) : kHigh_rad;
        const float near = std::max(handles_["depth"].x, 1e-3f);
        const float far = std::max(handles_["depth"].y, 1.001f * near);
        return perspective(high_rad, 1.6f, near, far) * glm::lookAt(eye, aim, up);
    }
    [[nodiscard]] bv::Aabb stepped_box() const {
        const glm::vec3 half = glm::abs(handles_["box.half"]);
        return {handles_["box"] - half, handles_["box"] + half};
    }
    static std::array<glm::vec3, 8> corners_of(const glm::mat4& view_projection) {
        const glm::mat4 back = glm::inverse(view_projection);
        std::array<glm::vec3, 8> corners;
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const glm::vec4 corner =
                back * glm::vec4((i & 1) ? 1 : -1, (i & 2) ? 1 : -1, (i & 4) ? 1 : -1, 1);
            corners[i] = glm::vec3(corner) / corner.w;
        }
        return corners;
    }
    /// The distance between a box and the frustum; 0 if they overlap, or touch within the corners' rounding.
    static float distance_to(const bv::Aabb& box, const glm::mat4& view_projection) {
        const std::array<glm::vec3, 8> corners = corners_of(view_projection);
        std::array<glm::dvec3, 8> points;
        std::copy(corners.begin(), corners.end(), points.begin());
        const float distance =
            bv::distance(box, bv::ConvexRef(points.data(), static_cast<std::uint32_t>(points.size())));
        const float rounding = 4e-6f * glm::distance(corners[0], corners[7]);
        return distance > rounding ? distance : 0.0f;
    }
    static void show_outline(FrameResults& results, const glm::mat4& view_projection) {
        Polytope outline;
        const std::array<glm::vec3, 8> corners = corners_of(view_projection);
        outline.vertices.assign(corners.begin(), corners.end());
        outline.edges = {{0, 1}, {1, 3}, {3, 2}, {2, 0}, {4, 5}, {5, 7},
                         {7, 6}, {6, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
        outline.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
        Exhibit& shown = put(results, std::move(outline), Role::Plane, {}, 0.10f);
        shown.width_px = 2.0f;
        shown.legend = "frustum";
    }

    std::vector<bv::Aabb> boxes_;
    std::vector<bv::FrustumHint> hints_;  // the last one is of the box that is stepped through
    std::uint32_t tested_ = 0;
    BoxPlace placed_ = BoxPlace::Row;
    std::shared_ptr<const steps::Walk> walk_;
    float time_s_ = 0;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "frustum",
    .category = "Queries",
    .title = "Frustum culling",
    .summary =
        "Boxes against the six planes of a camera: inside, cut or outside. Testing first the plane that "
        "rejected a box last time saves tests. Six planes are a conservative test: a box past an edge is "
        "drawn needlessly. Step through one box with the arrow keys; drag it.",
    .make = make_scene<FrustumScene>,
    .settings = kSettings,
    .steps = &kStepAt,
};

}  // namespace lab::scenes::frustum_scene
