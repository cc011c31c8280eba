// GJK, step by step: two convex shapes in the world, and beside them the space of differences a - b, in which
// the algorithm walks toward the origin.
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <memory>

#include "bv/fit/hull.hpp"
#include "bv/query/convex.hpp"
#include "bv/shapes/polytope.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/steps.hpp"
#include "steps/event_spec.hpp"
#include "steps/walk.hpp"
#include "workloads/random.hpp"

namespace lab::scenes::gjk_scene {
namespace {

enum class ConvexKind : unsigned char { Box, Hull, Capsule, Ball };
constexpr std::array kConvexChoices = {
    Choice{"box", "Box", ConvexKind::Box}, Choice{"hull", "Hull", ConvexKind::Hull},
    Choice{"capsule", "Capsule", ConvexKind::Capsule}, Choice{"ball", "Sphere", ConvexKind::Ball}};
constexpr Setting<ConvexKind> kShapeA{{
    .id = "gjk.a",
    .label = "Shape A",
    .help = "Scene gjk: the shape of A",
    .default_value = "box",
    .choices = kConvexChoices,
    .remembered = false,
}};
constexpr Setting<ConvexKind> kShapeB{{
    .id = "gjk.b",
    .label = "Shape B",
    .help = "Scene gjk: the shape of B",
    .default_value = "hull",
    .choices = kConvexChoices,
    .remembered = false,
}};

enum class PairPreset : unsigned char { Apart, Near, Touching, Overlapping, Deep, ParallelEdges, Inside };
constexpr std::array kPairChoices = {
    Choice{"apart", "Apart", PairPreset::Apart},
    Choice{"near", "Almost touching", PairPreset::Near},
    Choice{"touching", "Touching", PairPreset::Touching},
    Choice{"overlapping", "Overlapping", PairPreset::Overlapping},
    Choice{"deep", "Deep in each other", PairPreset::Deep},
    Choice{"parallel", "Parallel edges", PairPreset::ParallelEdges},
    Choice{"inside", "One inside the other", PairPreset::Inside},
};
constexpr Setting<PairPreset> kPairPreset{{
    .id = "gjk.preset",
    .label = "Placement",
    .help = "Scene gjk: where the shapes are; choosing another placement discards dragged positions",
    .default_value = "near",
    .choices = kPairChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kShapeA, &kShapeB, &kPairPreset};

/// The origin of the Minkowski difference is to the right of the shapes.
constexpr glm::vec3 kDifferences{7.0f, 1.5f, 0.0f};
/// One of the shapes: corners of its core, and the radius of the ball that is swept over it.
struct Solid {
    std::vector<glm::vec3> corners;
    float radius = 0;
    float size = 0;  ///< The largest coordinate; rounding grows with it.
    bv::Hull hull;   ///< Of the corners.
    Exhibit exhibit;
};

Solid make_solid(ConvexKind kind, const glm::vec3& center, const glm::mat3& axes, float scale, Role role) {
    Solid solid;
    ExhibitShape shape;
    switch (kind) {
        case ConvexKind::Box: {
            const bv::Obb box{center, scale * glm::vec3(0.7f, 0.45f, 0.5f), axes};
            for (int k = 0; k < 8; ++k)
                solid.corners.push_back(box.corner(k));
            shape = box;
            break;
        }
        case ConvexKind::Hull: {
            bv::workloads::Random random(11);
            while (solid.corners.size() < 14) {
                const float x = random.uniform(-1.0f, 1.0f), y = random.uniform(-1.0f, 1.0f);
                const glm::vec3 p(x, y, random.uniform(-1.0f, 1.0f));
                if (glm::length(p) > 0.1f)
                    solid.corners.push_back(center + axes * (0.75f * scale * glm::normalize(p)));
            }
            break;
        }
        case ConvexKind::Capsule: {
            const bv::Capsule capsule{center - 0.6f * scale * axes[0], center + 0.6f * scale * axes[0],
                                      0.35f * scale};
            solid.corners = {capsule.a, capsule.b};
            solid.radius = capsule.radius;
            shape = capsule;
            break;
        }
        case ConvexKind::Ball:
            solid.corners = {center};
            solid.radius = 0.65f * scale;
            shape = bv::Sphere{center, solid.radius};
            break;
    }
    for (const glm::vec3& p : solid.corners)
        solid.size = std::max({solid.size, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    solid.size += solid.radius;
    solid.hull = bv::fit::hull(solid.corners);
    if (kind == ConvexKind::Hull)
        shape = Polytope{solid.hull.vertices, solid.hull.triangles, solid.hull.edges};
    solid.exhibit.shape = std::move(shape);
    solid.exhibit.role = role;
    solid.exhibit.fill = 0.18f;
    solid.exhibit.label = role == Role::ProjectionA ? "A" : "B";
    solid.exhibit.legend = solid.exhibit.label;
    return solid;
}

/// All differences of corners of the cores: their hull is what GJK walks in.
bv::Hull differences(const Solid& a, const Solid& b) {
    std::vector<glm::vec3> points;
    for (const glm::vec3& p : a.corners)
        for (const glm::vec3& q : b.corners)
            points.push_back(p - q);
    return bv::fit::hull(points);
}

/// The middle of the points that lie farthest in a direction of unit length.
glm::vec3 farthest(const Solid& solid, const glm::vec3& direction) {
    float highest = -std::numeric_limits<float>::infinity();
    for (const glm::vec3& p : solid.corners)
        highest = std::max(highest, glm::dot(p, direction));
    glm::vec3 sum(0.0f);
    float count = 0;
    for (const glm::vec3& p : solid.corners) {
        const float below = highest - glm::dot(p, direction);
        if (!steps::is_noise(static_cast<double>(below), static_cast<double>(solid.size))) continue;
        sum += p;
        ++count;
    }
    return sum / count + solid.radius * direction;
}

struct NearestFace {
    glm::vec3 normal;  ///< Outward, of length 1.
    float distance;    ///< From the origin, not negative.
};

/// The face nearest to the origin, which is inside the hull, or on it up to rounding. Nothing if it is
/// outside or the hull is flat.
std::optional<NearestFace> face_nearest_to_origin(const bv::Hull& hull) {
    if (hull.dimension < 3) return std::nullopt;
    double size = 0.0;
    for (const glm::vec3& v : hull.vertices)
        size = std::max(size, glm::length(glm::dvec3(v)));
    std::optional<NearestFace> best;
    for (const glm::uvec3& t : hull.triangles) {
        const glm::dvec3 a(hull.vertices[t.x]), b(hull.vertices[t.y]), c(hull.vertices[t.z]);
        const glm::dvec3 n = glm::cross(b - a, c - a);
        const double length = glm::length(n);
        if (!(length > 0)) continue;
        const double distance = glm::dot(n, a) / length;
        if (distance < -1e-6 * size) return std::nullopt;
        const float inside = static_cast<float>(std::max(distance, 0.0));
        if (!best || inside < best->distance) best = NearestFace{glm::vec3(n / length), inside};
    }
    return best;
}

class Gjk final : public SceneWithHandles<Gjk> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        context.camera.yaw_rad = -0.35f;  // shapes and differences side by side, and along the gap
        context.camera.pitch_rad = 0.2f;
        for (const std::string id : {"a", "b"}) {
            const std::string name = id == "a" ? "A" : "B";
            handles_.add(id, {}, "move " + name, {.name = name + ", center"});
            handles_.add(id + ".turn", {}, "turn " + name,
                         {.name = name + ", its x axis", .unit = "", .from = id});
            handles_.add_numbers(id + ".scale", glm::vec3(1.0f, 0.0f, 0.0f),
                                 {.name = name + ", size", .unit = "×", .parts = 1, .is_size = true});
        }
        follow(context.settings);
        context.frame_box = framed();
    }

    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        for (const char* shape : {"a", "b"}) {
            if (id != shape) continue;
            const std::string tip = std::string(shape) + ".turn";
            handles_.place(tip, handles_[tip] + position - handles_[shape]);
        }
        return handles_.drag(id, position);
    }

    void adapt(SceneContext& context) override {
        const bool other_kinds = std::array{context.settings[kShapeA], context.settings[kShapeB]} != kinds_;
        const bool other_place = context.settings[kPairPreset] != preset_;
        if (!placed_ || (!other_kinds && !other_place)) return;
        follow(context.settings);
        // The differences of another placement are somewhere else.
        if (other_place) context.camera.frame(framed());
    }

    void analyze(const SceneContext& context, const FrameResults&) override {
        follow(context.settings);
        // GJK walks over the cores; the radii of the swept balls are subtracted from the distance afterwards.
        bv::Recording trace;
        const bv::ClosestPoints cores =
            bv::closest_points(bv::ConvexRef(a_.hull), bv::ConvexRef(b_.hull), trace);
        cores_ = cores;
        steps::Subject subject;
        subject.difference_origin = kDifferences;
        subject.radii = radii();
        subject.size = size();
        walk_ = std::make_shared<const steps::Walk>(steps::algorithm("gjk"), std::move(subject), trace,
                                                    verdict());
    }

    void show(const SceneContext&, FrameResults& results) const override {
        results.exhibits.push_back(a_.exhibit);
        results.exhibits.push_back(b_.exhibit);
        Polytope shape{difference_.vertices, difference_.triangles, difference_.edges};
        for (glm::vec3& p : shape.vertices)
            p += kDifferences;
        bv::Aabb box;
        for (const glm::vec3& p : shape.vertices)
            box = bv::merge(box, p);
        Exhibit& all = put(results, std::move(shape), Role::Hull, {}, 0.1f);
        all.width_px = 1.0f;
        all.legend = radii() > 0 ? "Minkowski difference of the cores" : "Minkowski difference: all a − b";
        if (radii() > 0) {
            // Swept shapes overlap iff the difference of their cores comes this near to the origin.
            box = bv::merge(box, around_origin());
            Exhibit& sum = put(results, bv::Sphere{kDifferences, radii()}, Role::AabbFixed);
            sum.width_px = 1.0f;
            sum.legend = "radii of A and B, added, around the origin";
        }
        put_note(results, {box.center().x, box.max.y + 0.35f, box.center().z}, Role::Mesh,
                 radii() > 0 ? "difference of the cores, and the sum of the radii"
                             : "space of the Minkowski difference");
        show_answer(results);
        handles_.show(results);
        if (handles_.is_rearranged()) results.rearranged = &kPairPreset;
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

  private:
    void follow(const Settings& settings) {
        const std::array kinds = {settings[kShapeA], settings[kShapeB]};
        const bool other_kinds = kinds != kinds_;
        kinds_ = kinds;
        place(settings[kPairPreset], other_kinds);
        make_solids();
        difference_ = differences(a_, b_);
    }

    /// Around shapes and differences, with the origin.
    [[nodiscard]] bv::Aabb bounds() const {
        bv::Aabb box = bv::merge(bounds_of(a_.exhibit), bounds_of(b_.exhibit));
        box = bv::merge(box, around_origin());
        for (const glm::vec3& p : difference_.vertices)
            box = bv::merge(box, p + kDifferences);
        return box;
    }

    /// The sphere of the added radii, or the origin alone.
    [[nodiscard]] bv::Aabb around_origin() const {
        return {kDifferences - glm::vec3(radii()), kDifferences + glm::vec3(radii())};
    }

    /// With space for the legend below the shapes.
    [[nodiscard]] bv::Aabb framed() const {
        bv::Aabb box = bounds();
        box.min.y -= 0.13f * glm::length(box.size());
        return box;
    }

    void make_solids() {
        a_ = make_solid(kinds_[0], handles_["a"], axes_along(handles_["a.turn"] - handles_["a"]),
                        scale_of("a.scale"), Role::ProjectionA);
        b_ = make_solid(kinds_[1], handles_["b"], axes_along(handles_["b.turn"] - handles_["b"]),
                        scale_of("b.scale"), Role::ProjectionB);
    }

    void place(PairPreset preset, bool other_kinds) {
        // The touching point depends on the shapes.
        if (placed_ && preset_ == preset && !(other_kinds && preset == PairPreset::Touching)) return;
        placed_ = true;
        preset_ = preset;
        glm::vec3 b{1.9f, 1.6f, 0.1f}, toward{0.6f, 0.5f, 0.6f};
        const glm::vec3 a{-0.6f, 1.5f, 0.0f};
        glm::vec3 a_toward{0.9f, 0.2f, 0.5f};
        switch (preset) {
            case PairPreset::Apart:
                break;
            case PairPreset::Near:
                b = {0.95f, 1.6f, 0.1f};
                break;
            case PairPreset::Touching:
                b = a + glm::vec3(1.4f, 0.0f, 0.0f);
                a_toward = toward = {1.0f, 0.0f, 0.0f};
                break;
            case PairPreset::Overlapping:
                b = {0.2f, 1.65f, 0.15f};
                break;
            case PairPreset::Deep:
                b = a + glm::vec3(0.3f, 0.12f, 0.05f);
                break;
            case PairPreset::ParallelEdges:
                b = a + glm::vec3(1.7f, 0.3f, 0.0f);
                a_toward = toward = {1.0f, 0.0f, 1.0f};
                break;
            case PairPreset::Inside:
                b = a + glm::vec3(0.05f, 0.02f, 0.03f);
                break;
        }
        handles_.place("a", a);
        handles_.place("a.turn", a + 1.1f * glm::normalize(a_toward));
        handles_.place("b", b);
        handles_.place("b.turn", b + 1.1f * glm::normalize(toward));
        handles_.note_placement();
        if (preset != PairPreset::Touching) return;
        make_solids();
        const glm::vec3 x(1, 0, 0), by = farthest(a_, x) - farthest(b_, -x);
        handles_.place("b", b + by);
        handles_.place("b.turn", handles_["b.turn"] + by);
        handles_.note_placement();
    }

    /// A shape of no size is a point, which GJK takes, too.
    [[nodiscard]] float scale_of(const char* id) const { return std::abs(handles_[id].x); }

    [[nodiscard]] float radii() const { return a_.radius + b_.radius; }
    [[nodiscard]] float size() const { return std::max(a_.size, b_.size); }
    [[nodiscard]] bool is_noise(float value) const {
        return steps::is_noise(static_cast<double>(value), static_cast<double>(size()));
    }
    /// The shortest translation that separates A from B; none if they are apart. The radii of the swept balls
    /// are added to what the cores need.
    [[nodiscard]] glm::vec3 separation() const {
        if (cores_.distance > 0.0f) {
            const glm::vec3 between = cores_.on_b - cores_.on_a;
            const float length = glm::length(between);
            return length > 0.0f && radii() > cores_.distance
                       ? between * ((radii() - cores_.distance) / length)
                       : glm::vec3(0.0f);
        }
        if (const auto face = face_nearest_to_origin(difference_))
            return face->normal * (face->distance + radii());
        // Flat cores: at right angles to them.
        const auto& p = difference_.vertices;
        glm::vec3 across(0, 1, 0);
        if (difference_.dimension == 2 && !difference_.triangles.empty()) {
            const glm::uvec3& t = difference_.triangles.front();
            across = glm::cross(p[t.y] - p[t.x], p[t.z] - p[t.x]);
        } else if (difference_.dimension == 1) {
            const glm::vec3 along = p[1] - p[0];
            across = glm::cross(
                along, std::abs(along.y) < std::abs(along.x) ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0));
        }
        const float length = glm::length(across);
        return length > 0.0f ? across * (radii() / length) : glm::vec3(0.0f, radii(), 0.0f);
    }

    enum class Relation : unsigned char { Apart, Overlap, Touch };
    /// A distance or a depth that rounding may have made is none: they touch.
    [[nodiscard]] Relation relation() const {
        const float apart = cores_.distance - radii(), deep = glm::length(separation());
        if (apart > 0.0f && !is_noise(apart)) return Relation::Apart;
        return is_noise(deep) ? Relation::Touch : Relation::Overlap;
    }

    /// The distance with the closest points, or the depth with the way out; drawn once the steps have found
    /// it.
    void show_answer(FrameResults& results) const {
        const std::size_t step = results.walk ? static_cast<std::size_t>(results.walk->number) : 0;
        const bool is_found = step == 0 || step == results.walk->of;
        const float apart = cores_.distance - radii();
        const glm::vec3 offset = separation();
        const float deep = glm::length(offset);
        const Relation relation = this->relation();
        Table table{"gjk", "Result", {"what", "value"}};
        const auto in_m = [](float value) { return cells::brief(static_cast<double>(value)).in("m"); };
        if (relation == Relation::Apart) {
            const glm::vec3 toward = (cores_.on_b - cores_.on_a) / cores_.distance;
            const glm::vec3 on_a = cores_.on_a + a_.radius * toward, on_b = cores_.on_b - b_.radius * toward;
            if (step == 0) {  // the last step draws it by itself
                put_measure(results, on_a, on_b, Role::Separating, to_text(in_m(apart)));
                results.exhibits.back().legend = "shortest distance";
                put_measure(results, kDifferences - radii() * toward,
                            kDifferences + cores_.on_a - cores_.on_b, Role::Separating, to_text(in_m(apart)));
                results.exhibits.back().legend = "shortest distance";
            }
            table.add({"distance", in_m(apart)}, Role::Separating);
            table.add({"closest point of A, m", cells::vector(on_a)}, Role::ProjectionA);
            table.add({"closest point of B, m", cells::vector(on_b)}, Role::ProjectionB);
        } else if (relation == Relation::Overlap) {
            if (is_found) {
                // From the sphere of the radii to the border of the cores' difference.
                const glm::vec3 before = offset * (radii() / deep);
                put_measure(results, kDifferences - before, kDifferences + offset - before, Role::Normal,
                            fmt::format("penetration {}", to_text(in_m(deep))));
                results.exhibits.back().legend = "penetration: the shortest way out";
            }
            table.add({"penetration depth", in_m(deep)}, Role::Touching);
            table.add({"to separate them, move A by, m", cells::vector(-offset)}, Role::ProjectionA);
        } else {
            table.add({"distance", in_m(0.0f)}, Role::Touching);
        }
        table.add({"verdict", relation == Relation::Apart     ? "apart"
                              : relation == Relation::Overlap ? "overlap"
                                                              : "touch"},
                  relation == Relation::Apart ? Role::Separating : Role::Touching, RowMark::Verdict);
        results.tables.push_back(std::move(table));
    }

    [[nodiscard]] std::string verdict() const {
        const Relation relation = this->relation();
        if (relation == Relation::Touch) return "They touch.";
        const double between = static_cast<double>(cores_.distance), both = static_cast<double>(radii());
        const double deep = static_cast<double>(glm::length(separation()));
        const auto in_m = [](double value) { return steps::in_meters(value); };
        if (relation == Relation::Apart)
            return both > 0 ? fmt::format(
                                  "The cores are {} apart, and the radii add up to {}: the shapes are "
                                  "{} apart.",
                                  in_m(between), in_m(both), in_m(between - both))
                            : fmt::format("They are {} apart.", in_m(between));
        if (both == 0) return fmt::format("They overlap by {}.", in_m(deep));
        return between > 0
                   ? fmt::format("They overlap by {}: the radii add up to {}, and the cores are {} apart.",
                                 in_m(deep), in_m(both), in_m(between))
                   : fmt::format("They overlap by {}: the cores by {}, and the radii add up to {}.",
                                 in_m(deep), in_m(deep - both), in_m(both));
    }

    bool placed_ = false;
    PairPreset preset_{};
    std::array<ConvexKind, 2> kinds_{};
    bv::ClosestPoints cores_;
    Solid a_, b_;
    bv::Hull difference_;
    std::shared_ptr<const steps::Walk> walk_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "gjk",
    .category = "Queries",
    .title = "GJK",
    .summary =
        "Two convex shapes overlap exactly when their Minkowski difference, all a − b, contains the origin. "
        "GJK searches for the origin with a simplex of at most four support points. Spheres and capsules are "
        "cores, a point or a segment, with a radius: the radii are subtracted at the end. Move and turn "
        "the shapes; step with the arrow keys.",
    .make = make_scene<Gjk>,
    .settings = kSettings,
    .steps = &kStepAt,
};

}  // namespace lab::scenes::gjk_scene
