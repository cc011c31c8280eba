#include "view/checks/probe_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>
#include <limits>
#include <vector>

namespace lab::reference {
namespace {

constexpr double kBand = 1e-5;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The relation of a box to the probe.
struct Standing {
    double margin = 0;  ///< Distance to the limit in meters: above 0 it must be found, below 0 not.
    double value = 0;   ///< As ProbeHit::value.
};

struct Box {
    glm::dvec3 min, max;
};

/// The interval of t in which origin + t * direction is inside; empty if it never is.
std::pair<double, double> inside(const glm::dvec3& origin, const glm::dvec3& direction, const Box& box) {
    double enter = 0.0, leave = kInfinity;
    for (int k = 0; k < 3; ++k) {
        if (direction[k] == 0.0) {
            if (origin[k] < box.min[k] || origin[k] > box.max[k]) return {kInfinity, -kInfinity};
            continue;
        }
        const double a = (box.min[k] - origin[k]) / direction[k], b = (box.max[k] - origin[k]) / direction[k];
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
    }
    return {enter, leave};
}

double distance(const glm::dvec3& p, const Box& box) {
    return glm::length(glm::max(glm::max(box.min - p, p - box.max), glm::dvec3(0.0)));
}

/// A line certainly meets a box if it meets the box shrunk by the band, and certainly misses it if it misses
/// the box grown by the band. Nothing is left of a box smaller than the band: no line certainly meets it.
Standing along(const glm::dvec3& origin, const glm::dvec3& direction, double t_max, const Box& box,
               double band) {
    const auto [enter, leave] = inside(origin, direction, box);
    const auto meets = [&](double grow) {
        const Box grown{box.min - grow, box.max + grow};
        if (glm::any(glm::greaterThan(grown.min, grown.max))) return false;
        const auto [from, to] = inside(origin, direction, grown);
        return from <= to && from <= t_max * (1.0 + (grow > 0.0 ? kBand : -kBand));
    };
    const bool surely = meets(-band), perhaps = meets(band);
    return {surely ? 1.0 : perhaps ? 0.0 : -1.0, std::min(enter, leave)};
}

class Reference {
  public:
    explicit Reference(const Probe& p)
        : kind_(p.kind),
          at_(p.at),
          to_aim_(glm::dvec3(p.aim) - glm::dvec3(p.at)),
          half_(std::max(p.size, 0.0f)) {}

    [[nodiscard]] double band(const Box& box) const {
        const glm::dvec3 far = glm::max(glm::abs(box.min), glm::abs(box.max));
        return kBand * (glm::length(far) + glm::length(at_) + glm::length(to_aim_) + half_);
    }
    /// The band of a hit's value; for a cast, the value is a share of the way.
    [[nodiscard]] double value_band(const Box& box) const {
        const double length = glm::length(to_aim_);
        return kind_ == ProbeKind::BoxCast && length > 0.0 ? band(box) / length : band(box);
    }
    [[nodiscard]] Standing operator()(const Box& box) const {
        const double length = glm::length(to_aim_);
        switch (kind_) {
            case ProbeKind::Ray:
                return along(at_, length > 0.0 ? to_aim_ / length : to_aim_, kInfinity, box, band(box));
            case ProbeKind::BoxCast:
                return along(at_, to_aim_, 1.0, {box.min - half_, box.max + half_}, band(box));
            case ProbeKind::SphereOverlap:
                return {half_ - distance(at_, box), 0.0};
            case ProbeKind::BoxOverlap: {
                const glm::dvec3 gap = glm::max(box.min - (at_ + half_), (at_ - half_) - box.max);
                return {-std::max({gap.x, gap.y, gap.z}), 0.0};
            }
            case ProbeKind::ClosestPoint:
            case ProbeKind::KNearest:
                return {1.0, distance(at_, box)};
            case ProbeKind::Frustum:
                return {in_front(box), 0.0};
            case ProbeKind::Off:
                break;
        }
        return {-1.0, 0.0};
    }

  private:
    /// The minimum over six planes of the box's largest distance in front.
    [[nodiscard]] double in_front(const Box& box) const {
        const double far = std::max(glm::length(to_aim_), 1e-3);
        const glm::dvec3 forward =
            glm::length(to_aim_) > 0.0 ? to_aim_ / glm::length(to_aim_) : glm::dvec3(0, 0, -1);
        const glm::dvec3 up = std::abs(forward.y) < 0.999 ? glm::dvec3(0, 1, 0) : glm::dvec3(1, 0, 0);
        const glm::dvec3 right = glm::normalize(glm::cross(forward, up)),
                         upright = glm::cross(right, forward);
        const double slope = std::tan(std::acos(-1.0) / 9.0);  // 20 degrees
        const auto reach = [&](const glm::dvec3& normal, double offset) {
            double largest = -kInfinity;
            for (int k = 0; k < 8; ++k) {
                const glm::dvec3 corner((k & 1) ? box.max.x : box.min.x, (k & 2) ? box.max.y : box.min.y,
                                        (k & 4) ? box.max.z : box.min.z);
                largest = std::max(largest, glm::dot(normal, corner - at_) - offset);
            }
            return largest / glm::length(normal);
        };
        return std::min({reach(forward, 0.02 * far), reach(-forward, -far),
                         reach(slope * forward - right, 0.0), reach(slope * forward + right, 0.0),
                         reach(slope * forward - upright, 0.0), reach(slope * forward + upright, 0.0)});
    }

    ProbeKind kind_;
    glm::dvec3 at_, to_aim_;
    double half_;
};

std::size_t wanted(const Probe& probe) {
    if (probe.kind == ProbeKind::KNearest) return probe.count;
    const bool one = probe.kind == ProbeKind::Ray || probe.kind == ProbeKind::BoxCast ||
                     probe.kind == ProbeKind::ClosestPoint;
    return one ? 1 : std::numeric_limits<std::size_t>::max();
}

}  // namespace

std::optional<std::string> check_probe(const ProbeResult& found, const bv::TreeSnapshot& tree) {
    const Reference reference(found.probe);
    const std::size_t max_hits = wanted(found.probe);
    std::vector<bool> is_hit(tree.payloads.size(), false);
    double farthest = 0.0;
    for (const ProbeHit& hit : found.hits) {
        if (hit.place >= is_hit.size() || is_hit[hit.place])
            return fmt::format("box {} was found twice", hit.payload);
        is_hit[hit.place] = true;
        farthest = std::max(farthest, static_cast<double>(hit.value));
    }
    if (found.hits.size() > max_hits)
        return fmt::format("{} boxes were found, not {}", found.hits.size(), max_hits);
    const bool has_space = found.hits.size() < max_hits;
    std::size_t next = 0;
    std::vector<float> values(is_hit.size(), 0.0f);
    for (const ProbeHit& hit : found.hits)
        values[hit.place] = hit.value;
    for (std::size_t i = 0; i < is_hit.size(); ++i, ++next) {
        const bv::Aabb& b = tree.payload_boxes[i];
        if (b.is_empty()) continue;
        const Box box{b.min, b.max};
        const Standing standing = reference(box);
        const double band = reference.band(box), value_band = reference.value_band(box);
        if (is_hit[i] && standing.margin < -band)
            return fmt::format("box {} was found, but is out of range", tree.payloads[i]);
        if (is_hit[i] && standing.margin > band &&
            std::abs(standing.value - static_cast<double>(values[i])) > value_band * (1.0 + standing.value))
            return fmt::format("box {} is at {}, not at {}", tree.payloads[i], standing.value, values[i]);
        if (!is_hit[i] && standing.margin > band &&
            (has_space || standing.value < farthest - value_band * (1.0 + farthest)))
            return fmt::format("box {} was missed", tree.payloads[i]);
    }
    return std::nullopt;
}

}  // namespace lab::reference
