#include "view/probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <limits>
#include <utility>

#include "bv/portable_math.hpp"
#include "bv/query/closest.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/raycast.hpp"
#include "bv/shapes/not_finite.hpp"
#include "results/probe_settings.hpp"
#include "view/checks/probe_reference.hpp"
#include "view/perspective.hpp"
#include "view/selection.hpp"

namespace lab {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kHalfHeight = 0.36397023f;  // tangent of 20 degrees: half of a frustum's height at distance 1
constexpr std::size_t kMaxDrawnNodes = 400, kMaxDrawnHits = 400, kMaxRows = 100;
constexpr std::size_t kMaxLabels = 3;  // more would overlap

/// Scores a box for one kind of probe: a distance or time, smaller is better.
class Measure {
  public:
    explicit Measure(const Probe& probe)
        : probe_(probe),
          half_(std::max(probe.size, 0.0f)),
          box_{probe.at - half_, probe.at + half_},
          ray_{probe.at, probe.aim - probe.at, kInfinity},
          frustum_(frustum_of(probe)) {
        if (probe.kind == ProbeKind::BoxCast) ray_.t_max = 1.0f;
        // In double: squares of short ways underflow, those of long ones overflow.
        const glm::dvec3 direction(ray_.direction);
        const double length = glm::length(direction);
        if (probe.kind == ProbeKind::Ray && length > 0.0) ray_.direction = glm::vec3(direction / length);
    }

    /// Empty if no box inside this one can be a hit.
    [[nodiscard]] std::optional<float> operator()(const bv::Aabb& box) const {
        switch (probe_.kind) {
            case ProbeKind::Ray:
                return enter(box);
            case ProbeKind::BoxCast:
                return enter({box.min - half_, box.max + half_});
            case ProbeKind::SphereOverlap:
                return zero_if(bv::overlap(box, bv::Sphere{probe_.at, half_}));
            case ProbeKind::BoxOverlap:
                return zero_if(bv::overlap(box, box_));
            case ProbeKind::ClosestPoint:
            case ProbeKind::KNearest:
                return box.is_empty() ? std::nullopt : std::optional(bv::distance(box, probe_.at));
            case ProbeKind::Frustum:
                return zero_if(bv::classify(box, frustum_) != bv::Side::Back);
            case ProbeKind::Off:
                break;
        }
        return std::nullopt;
    }
    /// The requested number of hits.
    [[nodiscard]] std::size_t wanted() const {
        if (probe_.kind == ProbeKind::KNearest) return probe_.count;
        const bool nearest = probe_.kind == ProbeKind::Ray || probe_.kind == ProbeKind::BoxCast ||
                             probe_.kind == ProbeKind::ClosestPoint;
        return nearest ? 1 : std::numeric_limits<std::size_t>::max();
    }

  private:
    [[nodiscard]] std::optional<float> enter(const bv::Aabb& box) const {
        const auto hit = bv::raycast(ray_, box);
        return hit ? std::optional(std::max(hit->t_enter, 0.0f)) : std::nullopt;
    }
    static std::optional<float> zero_if(bool wanted) { return wanted ? std::optional(0.0f) : std::nullopt; }

    const Probe& probe_;
    float half_;
    bv::Aabb box_;
    bv::Ray ray_;
    bv::Frustum frustum_;
};

bool better(const ProbeHit& a, const ProbeHit& b) {
    return a.value < b.value || (a.value == b.value && a.place < b.place);
}

/// The hits so far: a heap with the worst on top once there are as many as requested.
class Hits {
  public:
    explicit Hits(std::size_t wanted) : wanted_(wanted) {}
    [[nodiscard]] bool has_place_for(float value) const {
        return hits_.size() < wanted_ || (wanted_ > 0 && value <= hits_.front().value);
    }
    void add(const ProbeHit& hit) {
        if (hits_.size() == wanted_) {
            if (wanted_ == 0 || !better(hit, hits_.front())) return;
            std::pop_heap(hits_.begin(), hits_.end(), better);
            hits_.pop_back();
        }
        hits_.push_back(hit);
        std::push_heap(hits_.begin(), hits_.end(), better);
    }
    [[nodiscard]] std::vector<ProbeHit> take() {
        std::sort(hits_.begin(), hits_.end(), better);
        return std::move(hits_);
    }

  private:
    std::size_t wanted_;
    std::vector<ProbeHit> hits_;
};

struct Waiting {
    float value = 0;
    std::uint32_t node = 0;
};

using Coordinates = std::array<const Setting<float>*, 3>;

glm::vec3 place_in(const Settings& settings, const Coordinates& of) {
    return {settings[*of[0]], settings[*of[1]], settings[*of[2]]};
}

}  // namespace

std::optional<Probe> probe_of(const Settings& s) {
    Probe probe;
    probe.kind = s[kProbeKind];
    if (probe.kind == ProbeKind::Off) return std::nullopt;
    probe.tree = s[kProbeTree];
    probe.at = place_in(s, kProbeAt);
    probe.aim = place_in(s, kProbeAim);
    probe.size = s[kProbeSize];
    probe.count = static_cast<std::uint32_t>(s[kProbeCount]);
    return probe;
}

bv::Frustum frustum_of(const Probe& probe) {
    const glm::vec3 delta = probe.aim - probe.at;
    const float far = std::max(glm::length(delta), 1e-3f);
    const glm::vec3 up = std::abs(delta.y) < 0.999f * far ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
    const glm::vec3 aim = glm::length(delta) > 0.0f ? probe.aim : probe.at - glm::vec3(0, 0, far);
    return bv::frustum_of(perspective(2.0f * bv::atan(kHalfHeight), 1.0f, 0.02f * far, far) *
                          glm::lookAt(probe.at, aim, up));
}

ProbeResult run_probe(const Probe& probe, const bv::TreeSnapshot& tree) {
    ProbeResult result;
    result.probe = probe;
    result.brute_force_tested = static_cast<std::uint32_t>(tree.payloads.size());
    const Measure measure(probe);
    Hits hits(measure.wanted());
    std::vector<Waiting> stack, children;
    const auto consider = [&](std::uint32_t node, std::vector<Waiting>& out) {
        ++result.stats.boxes_tested;
        if (const auto value = measure(tree.boxes[node]))
            out.push_back({*value, node});
        else
            result.culled.push_back(node);
    };
    if (!tree.empty()) consider(0, stack);
    while (!stack.empty()) {
        const Waiting next = stack.back();
        stack.pop_back();
        if (!hits.has_place_for(next.value)) {
            result.culled.push_back(next.node);
            continue;
        }
        result.visited.push_back(next.node);
        ++result.stats.nodes_visited;
        children.clear();
        for (std::uint32_t i = 0; i < tree.child_count[next.node]; ++i)
            consider(tree.first_child[next.node] + i, children);
        std::stable_sort(children.begin(), children.end(),
                         [](const Waiting& a, const Waiting& b) { return a.value > b.value; });
        stack.insert(stack.end(), children.begin(), children.end());
        const bool leaf = tree.is_leaf(next.node);
        for (std::uint32_t i = 0; leaf && i < tree.payload_count[next.node]; ++i) {
            const std::uint32_t place = tree.first_payload[next.node] + i;
            ++result.stats.leaves_tested;
            if (const auto value = measure(tree.payload_boxes[place]))
                hits.add({place, tree.payloads[place], *value});
        }
    }
    result.hits = hits.take();
    result.stats.hits = static_cast<std::uint32_t>(result.hits.size());
    return result;
}

namespace {

const ProbeKindRow& row_of(const Probe& probe) {
    return kProbeKinds[static_cast<std::size_t>(probe.kind)];
}

Exhibit& put(FrameResults& results, ExhibitShape shape, Role role, std::string legend) {
    Exhibit& exhibit = results.exhibits.emplace_back();
    exhibit.shape = std::move(shape);
    exhibit.role = role;
    exhibit.legend = std::move(legend);
    return exhibit;
}

/// The eight corners of a frustum probe, near ones first.
Polytope outline_of(const Probe& probe) {
    const glm::vec3 delta = probe.aim - probe.at;
    const float far = std::max(glm::length(delta), 1e-3f);
    const glm::vec3 forward = glm::length(delta) > 0.0f ? delta / far : glm::vec3(0, 0, -1);
    const glm::vec3 up = std::abs(forward.y) < 0.999f ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
    const glm::vec3 right = glm::normalize(glm::cross(forward, up));
    const glm::vec3 upright = glm::cross(right, forward);
    Polytope outline;
    for (const float distance : {0.02f * far, far})
        for (const auto& [x, y] : {std::pair(-1.0f, -1.0f), {1.0f, -1.0f}, {1.0f, 1.0f}, {-1.0f, 1.0f}})
            outline.vertices.push_back(probe.at +
                                       distance * (forward + kHalfHeight * (x * right + y * upright)));
    outline.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                     {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    outline.triangles = {{0, 4, 5}, {0, 5, 1}, {1, 5, 6}, {1, 6, 2},
                         {2, 6, 7}, {2, 7, 3}, {3, 7, 4}, {3, 4, 0}};
    return outline;
}

void draw_shape(FrameResults& results, const ProbeResult& found, const bv::TreeSnapshot& tree) {
    const Probe& probe = found.probe;
    const glm::vec3 half(std::max(probe.size, 0.0f));
    const auto solid = [&](ExhibitShape shape) {
        Exhibit& exhibit = put(results, std::move(shape), Role::Ray, "probe");
        exhibit.fill = 0.12f;
        exhibit.width_px = 2.5f;
        exhibit.on_top = true;
    };
    const auto line = [&](const glm::vec3& a, const glm::vec3& b, Role role, std::string legend,
                          std::string label = {}) {
        Exhibit& exhibit = put(results, bv::Segment{a, b}, role, std::move(legend));
        exhibit.label = std::move(label);
        exhibit.width_px = 3.0f;
        exhibit.on_top = true;
    };
    switch (probe.kind) {
        case ProbeKind::Ray: {
            const glm::vec3 delta = probe.aim - probe.at;
            const float length = glm::length(delta);
            const float t = found.hits.empty() ? length : found.hits.front().value;
            line(probe.at, length > 0.0f ? probe.at + delta * (t / length) : probe.at, Role::Ray, "probe");
            break;
        }
        case ProbeKind::BoxCast: {
            const float t = found.hits.empty() ? 1.0f : found.hits.front().value;
            const glm::vec3 end = probe.at + t * (probe.aim - probe.at);
            solid(bv::Aabb{probe.at - half, probe.at + half});
            line(probe.at, end, Role::Ray, "probe");
            const bool hits = !found.hits.empty();
            put(results, bv::Aabb{end - half, end + half}, hits ? Role::Hit : Role::Muted,
                hits ? "box at first contact" : "box at the end: no contact")
                .width_px = 2.0f;
            break;
        }
        case ProbeKind::SphereOverlap:
            solid(bv::Sphere{probe.at, half.x});
            break;
        case ProbeKind::BoxOverlap:
            solid(bv::Aabb{probe.at - half, probe.at + half});
            break;
        case ProbeKind::ClosestPoint:
        case ProbeKind::KNearest:
            for (std::size_t i = 0; i < std::min(found.hits.size(), kMaxDrawnHits); ++i) {
                const ProbeHit& hit = found.hits[i];
                line(probe.at, bv::closest_point(tree.payload_boxes[hit.place], probe.at), Role::Ray, "probe",
                     found.hits.size() <= kMaxLabels && hit.value > 0.0f
                         ? to_text(cells::trimmed(hit.value).in("m"))
                         : std::string());
            }
            break;
        case ProbeKind::Frustum:
            solid(outline_of(probe));
            break;
        case ProbeKind::Off:
            break;
    }
}

void draw_nodes(FrameResults& results, const ProbeResult& found, const bv::TreeSnapshot& tree) {
    const auto nodes = [&](const std::vector<std::uint32_t>& list, Role role, const char* legend) {
        for (std::size_t i = 0; i < std::min(list.size(), kMaxDrawnNodes); ++i)
            put(results, tree.boxes[list[i]], role, legend).width_px = tree.is_leaf(list[i]) ? 1.8f : 1.0f;
    };
    nodes(found.culled, Role::Culled, "node the probe skipped");
    nodes(found.visited, Role::Visited, "node the probe visited");
    for (std::size_t i = 0; i < std::min(found.hits.size(), kMaxDrawnHits); ++i) {
        Exhibit& box =
            put(results, tree.payload_boxes[found.hits[i].place], Role::Hit, "box the probe found");
        box.fill = 0.2f;
        box.width_px = 2.5f;
    }
}

void add_table(FrameResults& results, const ProbeResult& found, const bv::TreeSnapshot& tree) {
    const ProbeKindRow& kind = row_of(found.probe);
    Table table{"probe",
                fmt::format("Probe: {} in the tree \"{}\"", kind.label, found.probe.tree),
                {"what", "with the tree", "brute force"}};
    table.add({"nodes in the tree", cells::grouped(tree.size())}, Role::TreeNode);
    table.add({"nodes visited", cells::grouped(found.stats.nodes_visited), cells::grouped(0)}, Role::Visited);
    table.add({"nodes skipped", cells::grouped(found.culled.size()), cells::grouped(0)}, Role::Culled);
    table.add(
        {"boxes tested", cells::grouped(std::uint64_t{found.stats.boxes_tested} + found.stats.leaves_tested),
         cells::grouped(found.brute_force_tested)},
        Role::Ray);
    table.add({"found", cells::grouped(found.stats.hits)}, Role::Hit);
    for (std::size_t i = 0; i < std::min(found.hits.size(), kMaxRows); ++i) {
        const ProbeHit& hit = found.hits[i];
        table.add(
            {fmt::format("  box {}", hit.payload),
             kind.value.empty() ? Cell() : Cell(cells::trimmed(hit.value).in(kind.value == "t" ? "" : "m"))},
            Role::Hit);
    }
    results.tables.push_back(std::move(table));
}

}  // namespace

/// True if the settings place the probe; otherwise it has its initial place.
static bool is_placed(const Settings& settings) {
    const auto is_default = [&](const Setting<float>* row) { return settings.is_default(*row); };
    return !std::all_of(kProbeAt.begin(), kProbeAt.end(), is_default) ||
           !std::all_of(kProbeAim.begin(), kProbeAim.end(), is_default);
}
/// The initial probe stands beside the tree, aims at its center, and has a suitable size.
static void place_beside(Probe& probe, const bv::Aabb& tree) {
    const glm::vec3 half = tree.half_extents();
    const float largest = std::max({half.x, half.y, half.z});
    if (!(largest > 0.0f) || !std::isfinite(largest)) return;
    probe.aim = tree.center();
    probe.at = tree.center() + glm::vec3(-0.4f * half.x, 0.3f * half.y, half.z + 0.3f * largest);
    const bool aims = row_of(probe).aims;
    if (!aims) probe.at = tree.center() + glm::vec3(-0.4f, 0.3f, 0.4f) * half;
    probe.size = (probe.kind == ProbeKind::BoxCast ? 0.1f : 0.25f) * largest;
}

/// The position of the probe in this frame.
static std::optional<Probe> placed_probe(const Settings& settings, const FrameResults& results) {
    std::optional<Probe> probe = probe_of(settings);
    if (!probe) return std::nullopt;
    if (!find_tree(results.trees, probe->tree)) {
        const auto first = std::find_if(results.trees.begin(), results.trees.end(),
                                        [](const auto& tree) { return !tree.second.empty(); });
        if (first == results.trees.end()) return std::nullopt;
        probe->tree = first->first;
    }
    const bv::TreeSnapshot& tree = *find_tree(results.trees, probe->tree);
    if (!is_placed(settings) && !tree.empty()) place_beside(*probe, tree.boxes.front());
    const bool follows = settings[kProbeMouse] && !results.rays.empty() &&
                         results.rays.front().kind == RayQuery::Kind::Hover && results.rays.front().hit;
    if (follows) (row_of(*probe).aims ? probe->aim : probe->at) = results.rays.front().point;
    return probe;
}

/// Adds no handles while the probe follows the mouse.
static void add_handles(const Settings& settings, const ProbeResult& found, FrameResults& results) {
    if (settings[kProbeMouse]) return;
    results.handles.push_back({std::string(kProbeHandle), found.probe.at, "probe", false, {.name = "Probe"}});
    if (row_of(found.probe).aims)
        results.handles.push_back(
            {std::string(kProbeAimHandle), found.probe.aim, "aim", false, {.name = "Probe, aim"}});
}

void show_probe(const Settings& settings, FrameResults& results) {
    results.probe.reset();
    const std::optional<Probe> probe = placed_probe(settings, results);
    if (!probe) return;
    const bv::TreeSnapshot& tree = *find_tree(results.trees, probe->tree);
    const ProbeResult& found = results.probe.emplace(run_probe(*probe, tree));
    draw_nodes(results, found, tree);
    draw_shape(results, found, tree);
    add_handles(settings, found, results);
    add_table(results, found, tree);
}

void verify_probe(FrameResults& results) {
    constexpr std::size_t kMaxDifferences = 100;
    const std::optional<ProbeResult>& found = results.probe;
    if (!found || results.checks.differences.size() >= kMaxDifferences) return;
    const auto problem = reference::check_probe(*found, *find_tree(results.trees, found->probe.tree));
    if (problem)
        results.checks.differences.push_back(fmt::format("frame {}: the probe in the tree '{}': {}",
                                                         results.frame, found->probe.tree, *problem));
}

bool drag_probe(Settings& settings, const FrameResults& results, std::string_view handle,
                const glm::vec3& to) {
    if (handle != kProbeHandle && handle != kProbeAimHandle) return false;
    if (!bv::is_finite(to)) return false;
    const auto put = [&](const Coordinates& of, const glm::vec3& position) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            settings.assign(*of[axis], std::clamp(position[static_cast<int>(axis)], -1e6f, 1e6f));
    };
    if (!is_placed(settings) && results.probe) {
        put(kProbeAt, results.probe->probe.at);
        put(kProbeAim, results.probe->probe.aim);
        settings.assign(kProbeSize, std::clamp(results.probe->probe.size, 0.0f, 1e6f));
    }
    put(handle == kProbeHandle ? kProbeAt : kProbeAim, to);
    return true;
}

}  // namespace lab
