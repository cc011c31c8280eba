// View-frustum culling: boxes and balls against six planes. Each remembers the plane that rejected it, and
// tests it first in the next frame.
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/trigonometric.hpp>
#include <memory>
#include <utility>

#include "bv/portable_math.hpp"
#include "bv/query/classify.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/steps.hpp"
#include "steps/walk.hpp"
#include "view/perspective.hpp"
#include "workloads/random.hpp"

namespace lab::scenes {
namespace {

constexpr int kRow = 9;
constexpr float kSpacing = 1.3f;
constexpr float kHigh_rad = 0.7f;  // of the camera's picture

class FrustumScene final : public SceneOf<FrustumScene> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        bv::workloads::Random random(context.seed);
        for (int i = 0; i < kRow * kRow; ++i) {
            const glm::vec3 center(kSpacing * static_cast<float>(i % kRow - kRow / 2), 0.6f,
                                   kSpacing * static_cast<float>(i / kRow - kRow / 2));
            const glm::vec3 half = random.in_box(glm::vec3(0.15f), glm::vec3(0.42f));
            boxes_.push_back({center - half, center + half});
        }
        hints_.resize(boxes_.size());
        handles_.add("eye", {-4.6f, 1.6f, 3.8f}, "camera", {.name = "Camera, eye"});
        handles_.add("aim", {0.6f, 0.6f, -0.6f}, "looks here", {.name = "Camera, direction", .from = "eye"});
        handles_.add_numbers("angle", {glm::degrees(kHigh_rad), 0, 0},
                             {.name = "Camera, angle", .unit = "°", .parts = 1});
        handles_.add_numbers("depth", {0.8f, 9.0f, 0}, {.name = "Near and far", .parts = 2});
        handles_.add("box", {2.3f, 1.7f, 1.3f}, "box being stepped through", {.name = "Box, center"});
        handles_.add_numbers("box.half", {0.35f, 0.25f, 0.3f}, {.name = "Box, half size"});
    }

    void step(SceneContext&, float dt_s) override {
        time_s_ += dt_s;
        if (!handles_.taken("aim") && !handles_.taken("eye"))
            handles_.place("aim",
                           {1.2f * bv::cos(0.4f * time_s_), 0.6f, -0.6f + 1.8f * bv::sin(0.4f * time_s_)});
        tested_ = 0;
        const bv::Frustum frustum = bv::frustum_of(matrix());
        for (std::size_t i = 0; i < boxes_.size(); ++i) {
            hints_[i].undecided = 0x3f;
            (void)bv::classify(boxes_[i], frustum, hints_[i], &tested_);
        }
    }

    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        return handles_.drag(id, position);
    }

    void analyze(const SceneContext&, const FrameResults&) override {
        static constexpr const char* kVerdicts[3] = {"It lies entirely behind one plane: culled.",
                                                     "No plane rejects it, but at least one cuts it: drawn.",
                                                     "It lies in front of all six planes: inside."};
        const glm::mat4 view_projection = matrix();
        bv::Recording trace;
        bv::FrustumHint fresh;
        const auto side = static_cast<std::size_t>(
            bv::classify(stepped_box(), bv::frustum_of(view_projection), fresh, trace));
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
                                                    trace, kVerdicts[side]);
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

    void show(const SceneContext&, FrameResults& results) const override {
        const glm::mat4 view_projection = matrix();
        const bv::Frustum frustum = bv::frustum_of(view_projection);
        static constexpr Role kRoles[3] = {Role::Culled, Role::ProjectionB, Role::Visited};
        static constexpr const char* kNames[3] = {"outside", "cut by a plane", "inside"};
        std::array<int, 3> counts{};
        std::uint32_t plain = 0;
        for (const bv::Aabb& box : boxes_) {
            bv::FrustumHint fresh;
            const auto side = static_cast<std::size_t>(bv::classify(box, frustum, fresh, &plain));
            ++counts[side];
            Exhibit& shown = put(results, box, kRoles[side], {}, side == 0 ? 0.0f : 0.25f);
            shown.width_px = side == 0 ? 1.0f : 2.0f;
            shown.legend = kNames[side];
        }
        show_outline(results, view_projection);
        Exhibit& stepped = put(results, steps::as_obb(stepped_box()), Role::AabbFixed, {}, 0.2f);
        stepped.width_px = 3.0f;
        stepped.legend = "box being stepped through";

        Table table{"frustum", "Boxes against six planes", {"verdict", "boxes"}};
        for (const std::size_t side : {2u, 1u, 0u})
            table.add({kNames[side], cells::grouped(counts[side])}, kRoles[side]);
        table.add({"planes tested", cells::grouped(plain)}, Role::Muted);
        table.add(
            {"with the last plane first", tested_ > 0 ? Cell(cells::grouped(tested_)) : Cell("run a step")},
            Role::Muted);
        results.tables.push_back(std::move(table));
        handles_.show(results);
    }

  private:
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

    HandleSet handles_;
    std::vector<bv::Aabb> boxes_;
    std::vector<bv::FrustumHint> hints_;
    std::uint32_t tested_ = 0;
    std::shared_ptr<const steps::Walk> walk_;
    float time_s_ = 0;
};

}  // namespace

extern constinit const SceneSpec frustum_scene{
    .id = "frustum",
    .category = "Queries",
    .title = "Frustum culling",
    .summary =
        "Boxes against the six planes of a camera: inside, cut or outside. Testing first the plane that "
        "rejected a box last time saves tests. Step through one box with the arrow keys; drag it.",
    .make = make_scene<FrustumScene>,
    .steps = &kStepAt,
};

}  // namespace lab::scenes
