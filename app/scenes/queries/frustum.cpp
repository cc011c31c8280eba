// View-frustum culling: boxes and balls against six planes. Each remembers the plane that rejected it, and
// tests it first in the next frame.
#include <array>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <memory>

#include "bv/portable_math.hpp"
#include "bv/query/classify.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "view/perspective.hpp"
#include "workloads/random.hpp"

namespace lab::scenes {
namespace {

constexpr int kRow = 9;
constexpr float kSpacing = 1.3f;

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
        handles_.add("eye", {-4.6f, 1.6f, 3.8f}, "camera");
        handles_.add("aim", {0.6f, 0.6f, -0.6f}, "looks here");
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

    void show(const SceneContext&, FrameResults& results) const override {
        const glm::mat4 view_projection = matrix();
        const bv::Frustum frustum = bv::frustum_of(view_projection);
        static constexpr Role kRoles[3] = {Role::Culled, Role::Overlap, Role::Visited};
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

        Table table{"frustum", "Boxes against six planes", {"verdict", "boxes"}};
        for (const std::size_t side : {2u, 1u, 0u})
            table.add({kNames[side], cells::whole(counts[side])}, kRoles[side]);
        table.add({"planes tested", cells::whole(plain)}, Role::Muted);
        table.add(
            {"with the last plane first", tested_ > 0 ? Cell(cells::whole(tested_)) : Cell("needs a step")},
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
        return perspective(0.7f, 1.6f, 0.8f, 9.0f) * glm::lookAt(eye, aim, up);
    }
    static void show_outline(FrameResults& results, const glm::mat4& view_projection) {
        const glm::mat4 back = glm::inverse(view_projection);
        Polytope outline;
        for (int i = 0; i < 8; ++i) {
            const glm::vec4 corner =
                back * glm::vec4((i & 1) ? 1 : -1, (i & 2) ? 1 : -1, (i & 4) ? 1 : -1, 1);
            outline.vertices.push_back(glm::vec3(corner) / corner.w);
        }
        outline.edges = {{0, 1}, {1, 3}, {3, 2}, {2, 0}, {4, 5}, {5, 7},
                         {7, 6}, {6, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
        outline.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
        put(results, std::move(outline), Role::Plane, {}, 0.10f).width_px = 2.0f;
    }

    HandleSet handles_;
    std::vector<bv::Aabb> boxes_;
    std::vector<bv::FrustumHint> hints_;
    std::uint32_t tested_ = 0;
    float time_s_ = 0;
};

}  // namespace

extern constinit const SceneSpec frustum_scene{
    .id = "frustum",
    .category = "Queries",
    .title = "Frustum culling",
    .summary =
        "Boxes against the six planes of a camera: inside, cut or outside. A box that starts with the plane "
        "that rejected it last time needs fewer tests.",
    .make = make_scene<FrustumScene>,
};

}  // namespace lab::scenes
