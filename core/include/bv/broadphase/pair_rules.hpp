// Rules that skip pairs: a search for pairs of boxes as a plain double loop, with five rules that
// spare it tests. For teaching, and to see what each rule is worth; the engines of broadphase.hpp are faster.
//
// Three rules keep all pairs: bodies that are far apart are compared as points first, planes halve space
// until few bodies are left on a side, and a pair is asked about once. Two give pairs up: those of two bodies
// that rest, and those that move apart. Source: Ericson 2005, chapter 7. Test:
// core/tests/broadphase/test_pair_rules.cpp, against every box compared with every other.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <utility>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/trace/trace.hpp"

namespace bv {

struct RuledBody {
    Aabb box;                  ///< Meters. One that is empty or not finite has no pairs.
    glm::vec3 velocity{0.0f};  ///< m/s
    bool rests = false;
};

/// The rules in force. Without any, every body tests every other: n (n - 1) tests.
struct PairRules {
    /// Two bodies whose centers are farther apart than the sum of their radii are not tested.
    bool points = false;
    /// Axis-aligned planes halve space, and only bodies in a common cell are tested. A body that a plane
    /// cuts is on both sides, so that two bodies can share several cells.
    bool planes = false;
    /// Each pair is tested once, by one of its bodies and in one cell.
    bool once = false;
    /// Resting bodies start no tests, so two of them are never tested.
    bool resting = false;
    /// Two bodies whose centers move apart are not tested, touching or not.
    bool behind = false;
    friend bool operator==(const PairRules&, const PairRules&) = default;
};

/// The results of a search, and its cost.
struct RuledPairs {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  ///< Indices, ascending, each once, a < b.
    std::vector<Aabb> cells;  ///< The cells that the planes made; empty without that rule.
    std::uint64_t boxes_tested = 0;
    std::uint64_t points_compared = 0;      ///< Distances of centers.
    std::uint64_t directions_compared = 0;  ///< Relative velocities against offsets to another body.
    std::uint64_t sides_compared = 0;       ///< Boxes against planes.
};

/// Finds the pairs of bodies whose closed boxes overlap, among those that the rules leave: replaces the
/// contents of `out` and reuses its memory. Distances and directions are compared in double, distances with a
/// margin for rounding, so that `points`, `planes` and `once` lose no pair. O(n^2) time.
void find_pairs_by_rules(std::span<const RuledBody> bodies, const PairRules& rules, RuledPairs& out);
/// The same, with one `CellFilled` for each cell that a body reaches into, one `BoxesTested` per test, and
/// one `PairSpared` each time a rule spares a test or, for a resting body, all tests that it would start;
/// what the cells of planes spare is not recorded. Boxes are indices of bodies.
void find_pairs_by_rules(std::span<const RuledBody> bodies, const PairRules& rules, RuledPairs& out,
                         Recording& trace);

}  // namespace bv
