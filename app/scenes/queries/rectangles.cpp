// Two convex polygons in the plane of three to eight corners each, and the axes that decide: one for each
// direction of an edge. At first two turning rectangles, 30 by 140 and 40 by 110, with two axes each. Blue
// while they are apart, red while they touch.
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <memory>

#include "bv/portable_math.hpp"
#include "bv/query/overlap_polygon.hpp"
#include "results/messages.hpp"
#include "scenes/queries/plane_polygon.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/steps.hpp"
#include "steps/event_spec.hpp"
#include "steps/walk.hpp"

namespace lab::scenes::rectangles_scene {
namespace {

enum class PolygonPreset : unsigned char { Rectangles, Triangle, Many, Touching, Inside };
constexpr std::array kPolygonChoices = {
    Choice{"rectangles", "Two turning rectangles", PolygonPreset::Rectangles},
    Choice{"triangle", "A triangle and a rectangle", PolygonPreset::Triangle},
    Choice{"many", "A hexagon and an octagon", PolygonPreset::Many},
    Choice{"touching", "A corner on an edge", PolygonPreset::Touching},
    Choice{"inside", "One inside the other", PolygonPreset::Inside}};
constexpr Setting<PolygonPreset> kPolygonPreset{{
    .id = "polygons.preset",
    .label = "Shapes",
    .help = "Scene rectangles: the polygons to start with; choosing others discards dragged corners",
    .default_value = "rectangles",
    .choices = kPolygonChoices,
    .remembered = false,
}};
constexpr const SettingSpec* kSettings[] = {&kPolygonPreset};

constexpr SceneCommand kCommands[] = {
    {.id = "corners.add",
     .help = "Add a corner to a polygon, after the one dragged last",
     .action = "corners.add",
     .button = "Add a corner"},
    {.id = "corners.remove",
     .help = "Remove the corner of a polygon that was dragged last",
     .action = "corners.remove",
     .button = "Remove a corner"},
};

std::vector<glm::vec2> regular(int count, float radius) {
    std::vector<glm::vec2> corners;
    for (int k = 0; k < count; ++k) {
        const float angle_rad = 6.2831853f * (static_cast<float>(k) + 0.5f) / static_cast<float>(count);
        corners.emplace_back(radius * bv::cos(angle_rad), radius * bv::sin(angle_rad));
    }
    return corners;
}

/// A number of axes as a title spells it.
std::string axes_in_words(std::size_t count) {
    static constexpr std::array kWords = {"No",    "One",   "Two",  "Three", "Four",   "Five",  "Six",
                                          "Seven", "Eight", "Nine", "Ten",   "Eleven", "Twelve"};
    return fmt::format("{} {}", count < kWords.size() ? std::string(kWords[count]) : std::to_string(count),
                       count == 1 ? "axis" : "axes");
}

using Polygons = std::array<PlanePolygon, 2>;

class Rectangles final : public SceneOf<Rectangles> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        place(context.settings[kPolygonPreset]);
        context.camera = {};
        context.camera.yaw_rad = 0.0f;
        context.camera.pitch_rad = 0.0f;
        context.frame_camera = false;
        context.camera.frame({{-3.4f, -1.0f, 0.0f}, {3.4f, 5.3f, 0.0f}});
    }

    void adapt(SceneContext& context) override { follow(context.settings); }

    void step(SceneContext&, float dt_s) override {
        time_s_ += dt_s;
        turn();
    }

    bool drag(SceneContext& context, std::string_view id, const glm::vec3& position) override {
        follow(context.settings);
        for (std::size_t p = 0; p < polygons_.size(); ++p) {
            const auto moved = polygons_[p].drag(id, position);
            if (moved == PlanePolygon::Moved::NotMine) continue;
            if (moved == PlanePolygon::Moved::WrongCount) refuse_count(context);
            if (const auto corner = polygons_[p].corner_of(id)) touched_ = {p, *corner};
            if (touched_ && touched_->corner >= polygons_[touched_->polygon].size()) touched_.reset();
            return true;
        }
        return false;
    }

    bool play(SceneContext& context, std::string_view action) override {
        follow(context.settings);
        const Corner at = touched_.value_or(Corner{0, polygons_[0].size() - 1});
        PlanePolygon& polygon = polygons_[at.polygon];
        if (action == "corners.add") {
            if (!polygon.add_corner(at.corner))
                refuse_count(context);
            else
                touched_ = {at.polygon, at.corner + 1};
        } else if (action == "corners.remove") {
            if (!polygon.remove_corner(at.corner))
                refuse_count(context);
            else
                touched_ = {at.polygon, std::min(at.corner, polygon.size() - 1)};
        } else {
            return false;
        }
        return true;
    }

    [[nodiscard]] SceneInput input() const override { return SceneInput(polygons_); }
    [[nodiscard]] std::size_t input_size() const override {
        return polygons_[0].size() + polygons_[1].size();
    }
    void restore(const SceneInput& from, const SceneInput& to) override {
        const auto *was = from.get<Polygons>(), *is = to.get<Polygons>();
        if (!was || !is) return;
        for (std::size_t p = 0; p < polygons_.size(); ++p)
            if ((*was)[p] != (*is)[p]) polygons_[p] = (*is)[p];
        touched_.reset();
    }

    /// A click on an edge adds a corner there.
    void pick(SceneContext& context, const bv::Ray& ray) override {
        follow(context.settings);
        if (!(std::abs(ray.direction.z) > 1e-6f)) return;
        const glm::vec2 at(ray.origin - ray.direction * (ray.origin.z / ray.direction.z));
        constexpr float kReach_m = 0.1f;
        for (std::size_t p = 0; p < polygons_.size(); ++p)
            for (std::size_t k = 0; k < polygons_[p].size(); ++k) {
                const glm::vec2 a = polygons_[p].corner(k),
                                b = polygons_[p].corner((k + 1) % polygons_[p].size());
                const float length = glm::distance(a, b);
                if (!(length > 0.0f)) continue;
                const float along = glm::dot(at - a, b - a) / length;
                if (along < kReach_m || along > length - kReach_m ||
                    glm::distance(at, a + along / length * (b - a)) > kReach_m)
                    continue;
                if (polygons_[p].add_corner(k, along / length))
                    touched_ = {p, k + 1};
                else
                    refuse_count(context);
                return;
            }
    }

    void analyze(const SceneContext&, const FrameResults&) override {
        corners_ = {polygons_[0].hull_corners(), polygons_[1].hull_corners()};
        bv::Recording trace;
        touching_ = bv::overlap(bv::ConvexPolygon{corners_[0]}, bv::ConvexPolygon{corners_[1]}, trace);
        tests_.clear();
        for (const bv::TraceEvent& event : trace.events())
            if (const auto* test = std::get_if<bv::AxisTested>(&event)) tests_.push_back(*test);
        auto walk = std::make_shared<steps::Walk>(steps::algorithm("sat.rectangles"), steps::Subject{}, trace,
                                                  verdict());
        walk->without_picture();
        walk_ = std::move(walk);
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

    void show(const SceneContext&, FrameResults& results) const override {
        const auto stepped = results.walk ? static_cast<std::size_t>(results.walk->number) : 0;
        const Role role = touching_ ? Role::Touching : Role::Separating;
        for (std::size_t p = 0; p < polygons_.size(); ++p)
            draw(results, p, role, stepped > 0 && stepped <= tests_.size() ? &tests_[stepped - 1] : nullptr);
        list(results);
        // All at once would overlap each other.
        const std::size_t drawn = stepped > 0 ? stepped - 1 : deciding();
        if (drawn < tests_.size()) draw_axis(results, tests_[drawn]);
        for (std::size_t p = 0; p < polygons_.size(); ++p)
            polygons_[p].show_handles(results, touched_ && touched_->polygon == p
                                                   ? std::optional<std::size_t>(touched_->corner)
                                                   : std::nullopt);
        if (!polygons_[0].is_like(made_[0]) || !polygons_[1].is_like(made_[1]))
            results.rearranged = &kPolygonPreset;
    }

  private:
    struct Corner {
        std::size_t polygon = 0, corner = 0;
    };

    void follow(const Settings& settings) {
        if (preset_ != settings[kPolygonPreset]) place(settings[kPolygonPreset]);
    }

    void place(PolygonPreset preset) {
        make(preset);
        made_ = polygons_;
    }

    void make(PolygonPreset preset) {
        preset_ = preset;
        touched_.reset();
        using P = PlanePolygon;
        switch (preset) {
            case PolygonPreset::Rectangles:
                polygons_ = {P::rectangle("a", {-0.7f, 1.8f}, {30.0f, 140.0f}),
                             P::rectangle("b", {0.8f, 1.7f}, {40.0f, 110.0f})};
                turn();
                return;
            case PolygonPreset::Triangle:
                polygons_ = {P("a", {-0.95f, 1.7f}, {{-0.8f, -0.7f}, {0.9f, -0.4f}, {-0.1f, 1.1f}}),
                             P::rectangle("b", {0.85f, 1.9f}, {55.0f, 110.0f})};
                break;
            case PolygonPreset::Many:
                polygons_ = {P("a", {-0.95f, 1.65f}, regular(6, 0.95f)),
                             P("b", {0.9f, 1.95f}, regular(8, 0.85f))};
                break;
            case PolygonPreset::Touching:
                // Numbers that floats hold exactly, so that rounding plays no part.
                polygons_ = {P("a", {-0.625f, 1.75f},
                               {{0.625f, -0.75f}, {0.625f, 0.75f}, {-0.625f, 0.75f}, {-0.625f, -0.75f}}),
                             P("b", {1.0f, 1.75f}, {{-1.0f, 0.0f}, {0.5f, -0.75f}, {0.5f, 0.75f}})};
                break;
            case PolygonPreset::Inside:
                polygons_ = {P("a", {0.0f, 1.75f}, regular(7, 1.5f)),
                             P("b", {0.15f, 1.7f}, regular(5, 0.5f))};
                break;
        }
        polygons_[0].set_angle(0.0f);
        polygons_[1].set_angle(preset == PolygonPreset::Triangle ? 25.0f : 0.0f);
    }

    /// The angles keep changing until they are given.
    void turn() {
        if (preset_ != PolygonPreset::Rectangles) return;
        polygons_[0].turn_to(0.5f * time_s_);
        polygons_[1].turn_to(0.9f - 0.35f * time_s_);
    }

    static void refuse_count(SceneContext& context) {
        context.messages.error(fmt::format("a polygon of this scene has {} to {} corners",
                                           PlanePolygon::kMinCorners, PlanePolygon::kMaxCorners));
    }

    /// The first axis with a gap, or else the one with the least overlap; none without axes.
    [[nodiscard]] std::size_t deciding() const {
        std::size_t best = 0;
        for (std::size_t i = 0; i < tests_.size(); ++i) {
            if (tests_[i].gap > 0) return i;
            if (tests_[i].gap > tests_[best].gap) best = i;
        }
        return best;
    }

    /// For polygons that no axis separates: true iff they share only points of their edges.
    [[nodiscard]] bool only_touch() const {
        return !tests_.empty() && steps::just_touches(tests_[deciding()]);
    }

    /// An axis is named after the edge to which it is normal.
    [[nodiscard]] static std::string direction_of(const bv::AxisTested& test) {
        const std::string name = steps::axis_name(test);
        return (name.starts_with("edge") ? "the normal of " : "the ") + name;
    }

    [[nodiscard]] std::string verdict() const {
        std::string text = axes_in_words(tests_.size());
        text[0] = static_cast<char>(text[0] - 'A' + 'a');
        if (touching_) {
            const char* answer = only_touch() ? "they touch" : "they overlap";
            text = tests_.empty()       ? "Both are the same point: they touch."
                   : tests_.size() == 1 ? fmt::format("The only axis does not separate them: {}.", answer)
                                        : fmt::format("None of the {} separates them: {}.", text, answer);
            if (!tests_.empty() && !only_touch())
                text += fmt::format(" The minimum translation is {} along {}.",
                                    steps::in_meters(-static_cast<double>(tests_[deciding()].gap)),
                                    direction_of(tests_[deciding()]));
        } else if (tests_.empty()) {
            text = "Two distinct points: they are apart.";
        } else {
            const bv::AxisTested& test = tests_[deciding()];
            text = fmt::format(
                "Apart: along {}, {}, the gap is {}.", direction_of(test),
                tests_.size() == 1 ? "the only axis" : fmt::format("the first of {} with a gap", text),
                steps::in_meters(static_cast<double>(test.gap)));
        }
        for (const PlanePolygon& polygon : polygons_)
            if (const std::string out = polygon.left_out(); !out.empty())
                text += fmt::format(
                    " Of {}, {} {} left out, not on the hull of the other corners: the test needs convex "
                    "shapes.",
                    polygon.letter(), out, out.starts_with("corners") ? "are" : "is");
        return text;
    }

    void list(FrameResults& results) const {
        Table table{
            "rectangles", axes_in_words(tests_.size()), {"axis", {"A", "m"}, {"B", "m"}, {"gap", "m"}}};
        for (const bv::AxisTested& test : tests_)
            table.add({steps::axis_name(test), cells::interval(test.min_a, test.max_a),
                       cells::interval(test.min_b, test.max_b), cells::trimmed(test.gap)},
                      test.gap > 0 ? Role::Separating : Role::Touching);
        for (const PlanePolygon& polygon : polygons_)
            if (const std::string out = polygon.left_out(); !out.empty())
                table.add(
                    {fmt::format("{}, {}", polygon.letter(), out), {}, {}, "left out: not on the hull"},
                    Role::Broken);
        table.add({"verdict", {}, {}, touching_ ? only_touch() ? "touch" : "overlap" : "apart"},
                  touching_ ? Role::Touching : Role::Separating, RowMark::Verdict);
        results.tables.push_back(std::move(table));
    }

    void draw(FrameResults& results, std::size_t which, Role role, const bv::AxisTested* now) const {
        const PlanePolygon& polygon = polygons_[which];
        const std::vector<glm::vec2>& corners = corners_[which];
        const auto n = static_cast<std::uint32_t>(corners.size());
        Polytope outline;
        for (const glm::vec2& c : corners)
            outline.vertices.emplace_back(c, 0.0f);
        for (std::uint32_t k = 0; k + 2 < n; ++k)
            outline.triangles.push_back({0, k + 1, k + 2});
        for (std::uint32_t k = 0; k < n; ++k)
            outline.edges.push_back({k, (k + 1) % n});
        Exhibit& whole = put(results, std::move(outline), role, polygon.label(), 0.4f);
        whole.width_px = 3.0f;
        whole.legend = !touching_     ? "polygons that are apart"
                       : only_touch() ? "polygons that touch"
                                      : "polygons that overlap";
        const int edge_now = !now ? -1 : which == 0 ? now->i : now->j;
        for (std::uint32_t k = 0; k < n && n > 1; ++k) {
            const glm::vec2 &a = corners[k], &b = corners[(k + 1) % n];
            const glm::vec2 out = glm::vec2(b.y - a.y, a.x - b.x) / std::max(glm::distance(a, b), 1e-6f);
            put_note(results, glm::vec3(0.5f * (a + b) - 0.11f * out, 0.0f), Role::Muted,
                     fmt::format("{}", k + 1));
            if (edge_now != static_cast<int>(k)) continue;
            Exhibit& edge = put(results, bv::Segment{glm::vec3(a, 0.0f), glm::vec3(b, 0.0f)},
                                which == 0 ? Role::ProjectionA : Role::ProjectionB);
            edge.width_px = 7.0f;
            edge.on_top = true;
            edge.legend = fmt::format("edge of {} whose normal is the axis", which == 0 ? "A" : "B");
        }
        const std::vector<std::uint32_t> hull = polygon.hull();
        for (std::size_t k = 0; k < polygon.size(); ++k) {
            if (std::find(hull.begin(), hull.end(), k) != hull.end()) continue;
            Exhibit& mark =
                put(results, Marker{glm::vec3(polygon.corner(k), 0.0f)}, Role::Broken, "left out");
            mark.on_top = true;
            mark.legend = "corner inside the hull: left out";
        }
    }

    /// The axis above the polygons, clear of text, with both projections.
    static void draw_axis(FrameResults& results, const bv::AxisTested& test) {
        const glm::vec3 direction = test.axis;
        glm::vec3 aside(direction.y, -direction.x, 0.0f);
        if (aside.y < -0.1f) aside = -aside;
        constexpr float distance = 1.9f;
        const glm::vec3 middle(0.0f, 1.75f, 0.0f);
        const float along = glm::dot(middle, direction);
        const glm::vec3 base = middle + aside * distance - direction * along;
        const float low = std::min(test.min_a, test.min_b) - 0.2f;
        const float high = std::max(test.max_a, test.max_b) + 0.2f;
        Exhibit& line =
            put(results, bv::Segment{base + low * direction, base + high * direction}, Role::Muted);
        line.width_px = 1.0f;
        line.legend = "axis";
        // Beyond the end of the line; a level text needs half of its width more.
        const float beyond = 0.15f + 0.55f * std::abs(direction.x);
        put_note(results, base + (high + beyond) * direction,
                 test.gap > 0 ? Role::Separating : Role::Touching, steps::axis_name(test));
        put_separation(results, {base + 0.05f * aside, direction, aside, 0.1f}, {test.min_a, test.max_a},
                       {test.min_b, test.max_b});
    }

    PolygonPreset preset_ = PolygonPreset::Rectangles;
    Polygons polygons_, made_;  // made_: as the preset gave them
    std::optional<Corner> touched_;
    float time_s_ = 0;
    std::array<std::vector<glm::vec2>, 2> corners_;  // of the hulls, which are tested
    bool touching_ = false;
    std::vector<bv::AxisTested> tests_;
    std::shared_ptr<const steps::Walk> walk_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "rectangles",
    .category = "Queries",
    .title = "Polygons in the plane",
    .summary =
        "Separating axes in the plane: one for each edge direction, so four for two rectangles and five for "
        "a rectangle and a triangle. The shapes are blue while an axis separates them and red while none "
        "does. Drag corners; click an edge to add one.",
    .make = make_scene<Rectangles>,
    .settings = kSettings,
    .commands = kCommands,
    .steps = &kStepAt,
    .clicks_change = true,
};

}  // namespace lab::scenes::rectangles_scene
