#include "bv/broadphase/pair_rules.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "bv/query/overlap.hpp"
#include "bv/shapes/not_finite.hpp"

namespace bv {
namespace {

constexpr int kMaxHalvings = 4;
constexpr std::size_t kFewBodies = 4;

/// Data of a body for the loop, prepared once.
struct Seen {
    glm::dvec3 center{0.0};
    double radius = 0.0;
    std::uint32_t cells = 0;  ///< One bit per cell that it reaches into.
    bool used = false;
};

struct Cell {
    Aabb bounds;
    std::vector<std::uint32_t> bodies;
};

template <class Sink>
class Search {
  public:
    Search(std::span<const RuledBody> bodies, const PairRules& rules, RuledPairs& out, Sink& sink)
        : bodies_(bodies), rules_(rules), out_(out), sink_(sink) {}

    void run() {
        prepare();
        for (std::uint32_t number = 0; number < cells_.size(); ++number)
            for (const std::uint32_t a : cells_[number].bodies)
                ask_all(a, number);
        std::sort(out_.pairs.begin(), out_.pairs.end());
        out_.pairs.erase(std::unique(out_.pairs.begin(), out_.pairs.end()), out_.pairs.end());
    }

  private:
    void prepare() {
        seen_.resize(bodies_.size());
        Cell all;
        for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
            const Aabb& box = bodies_[i].box;
            if (box.is_empty() || !is_finite(box.min) || !is_finite(box.max)) continue;
            const glm::dvec3 low(box.min), high(box.max);
            seen_[i] = {0.5 * (low + high), 0.5 * glm::length(high - low), 0, true};
            all.bounds = merge(all.bounds, box);
            all.bodies.push_back(i);
        }
        if (!rules_.planes) {
            cells_.push_back(std::move(all));
            return;
        }
        if (!all.bodies.empty()) halve(std::move(all), kMaxHalvings);
        for (std::uint32_t number = 0; number < cells_.size(); ++number) {
            out_.cells.push_back(cells_[number].bounds);
            std::uint32_t count = 0;
            for (const std::uint32_t i : cells_[number].bodies) {
                seen_[i].cells |= 1u << number;
                if constexpr (Sink::kEnabled) sink_(CellFilled{cells_[number].bounds, number, i, ++count});
            }
        }
    }

    /// Splits a cell at the median center along its longest axis.
    void halve(Cell cell, int left) {
        if (left == 0 || cell.bodies.size() <= kFewBodies) return keep(std::move(cell));
        const glm::vec3 size = cell.bounds.size();
        const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.z >= size.y ? 2 : 1;
        std::vector<double> centers;
        for (const std::uint32_t i : cell.bodies)
            centers.push_back(seen_[i].center[axis]);
        const auto middle = centers.begin() + static_cast<std::ptrdiff_t>(centers.size() / 2);
        std::nth_element(centers.begin(), middle, centers.end());
        const auto plane = static_cast<float>(*middle);
        Cell low{cell.bounds, {}}, high{cell.bounds, {}};
        low.bounds.max[axis] = high.bounds.min[axis] = plane;
        for (const std::uint32_t i : cell.bodies) {
            ++out_.sides_compared;
            if (bodies_[i].box.min[axis] <= plane) low.bodies.push_back(i);
            if (bodies_[i].box.max[axis] >= plane) high.bodies.push_back(i);
        }
        // A plane that cuts every body would only double the work.
        if (std::max(low.bodies.size(), high.bodies.size()) == cell.bodies.size())
            return keep(std::move(cell));
        halve(std::move(low), left - 1);
        halve(std::move(high), left - 1);
    }
    void keep(Cell cell) { cells_.push_back(std::move(cell)); }

    void ask_all(std::uint32_t a, std::uint32_t number) {
        if (rules_.resting && bodies_[a].rests) {
            spare(a, PairSpared::kNobody, PairSpared::Rule::Resting, 0.0, number);
            return;
        }
        for (const std::uint32_t b : cells_[number].bodies)
            if (b != a) ask(a, b, number);
    }

    void ask(std::uint32_t a, std::uint32_t b, std::uint32_t number) {
        using Rule = PairSpared::Rule;
        if (rules_.once) {
            const bool b_asks = !(rules_.resting && bodies_[b].rests);
            const std::uint32_t earlier = (1u << number) - 1u;
            if ((b < a && b_asks) || (seen_[a].cells & seen_[b].cells & earlier) != 0)
                return spare(a, b, Rule::Once, 0.0, number);
        }
        const glm::dvec3 offset = seen_[b].center - seen_[a].center;
        if (rules_.behind) {
            ++out_.directions_compared;
            // A NaN never spares a test.
            const double parting =
                glm::dot(offset, glm::dvec3(bodies_[b].velocity) - glm::dvec3(bodies_[a].velocity));
            if (parting > 0.0) return spare(a, b, Rule::Behind, parting, number);
        }
        if (rules_.points) {
            ++out_.points_compared;
            constexpr double kRounding = 1.0 + 1e-12;
            const double reach = kRounding * (seen_[a].radius + seen_[b].radius);
            const double distance_sq = glm::dot(offset, offset);
            if (distance_sq > reach * reach)
                return spare(a, b, Rule::Points, Sink::kEnabled ? std::sqrt(distance_sq) - reach : 0.0,
                             number);
        }
        ++out_.boxes_tested;
        const bool found = overlap(bodies_[a].box, bodies_[b].box);
        if (found) out_.pairs.emplace_back(std::min(a, b), std::max(a, b));
        if constexpr (Sink::kEnabled)
            sink_(BoxesTested{a, b, found ? BoxesTested::Verdict::Pair : BoxesTested::Verdict::Apart,
                              rules_.planes ? number : BoxesTested::kNoCell});
    }

    void spare(std::uint32_t a, std::uint32_t b, PairSpared::Rule rule, double by, std::uint32_t number) {
        if constexpr (Sink::kEnabled)
            sink_(PairSpared{a, b, rule, static_cast<float>(by),
                             rules_.planes ? number : BoxesTested::kNoCell});
    }

    std::span<const RuledBody> bodies_;
    PairRules rules_;
    RuledPairs& out_;
    Sink& sink_;
    std::vector<Seen> seen_;
    std::vector<Cell> cells_;
};

void clear(RuledPairs& out) {
    out.pairs.clear();
    out.cells.clear();
    out.boxes_tested = out.points_compared = out.directions_compared = out.sides_compared = 0;
}

}  // namespace

void find_pairs_by_rules(std::span<const RuledBody> bodies, const PairRules& rules, RuledPairs& out) {
    clear(out);
    NoTrace none;
    Search<NoTrace>(bodies, rules, out, none).run();
}

void find_pairs_by_rules(std::span<const RuledBody> bodies, const PairRules& rules, RuledPairs& out,
                         Recording& trace) {
    clear(out);
    Search<Recording>(bodies, rules, out, trace).run();
}

}  // namespace bv
