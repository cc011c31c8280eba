// Plans for the second engine at random, with one planted fault or none.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "second_engine.hpp"
#include "workloads/random.hpp"

namespace lab::capture {

using bv::workloads::Random;

Plan random_plan(std::uint64_t seed) {
    Random random(seed, 0x91a7);
    Plan plan;
    const auto one_of = [&random](auto... values) {
        const std::array all{values...};
        return random.one_of(all);
    };
    plan.ground = one_of(Ground::Field, Ground::Cloud, Ground::Planar, Ground::City);
    plan.travel = one_of(Travel::Straight, Travel::Orbits, Travel::Jitter, Travel::Pauses);
    plan.arity = one_of(2, 2, 2, 4, 8);
    plan.two_trees = random.chance(0.2f);
    plan.has_fat_boxes = random.chance(0.85f);
    plan.has_queries = random.chance(0.5f);
    plan.bodies = one_of(60, 150, 300, 600, 1200);
    plan.frames = one_of(60, 120, 200, 400);
    plan.frame = static_cast<int>(random.below(static_cast<std::uint32_t>(plan.frames / 2))) + 5;
    plan.before = random.chance(0.3f) ? 80 : 0;
    plan.unit = one_of(0.01f, 1.0f, 1.0f, 30.0f);
    plan.moving = one_of(0.2f, 0.5f, 1.0f);
    plan.speed = one_of(0.02f, 0.04f, 0.1f);
    using bv::Balancing;
    using bv::Insertion;
    plan.options.insertion = one_of(Insertion::GreedySah, Insertion::BranchAndBoundSah);
    plan.options.balancing = one_of(Balancing::Height, Balancing::Sah);
    const float steps = random.uniform(4.0f, 10.0f);
    plan.options.margin_m = steps * plan.speed * plan.unit;
    plan.options.margin = one_of(bv::Margin::Fixed, bv::Margin::Fixed, bv::Margin::AlongVelocity);
    plan.options.upkeep =
        one_of(bv::Upkeep::None, bv::Upkeep::None, bv::Upkeep::PeriodicRebuild, bv::Upkeep::Reinsertion);
    plan.fault =
        one_of(Fault::None, Fault::None, Fault::SortedRow, Fault::SortedFromStart, Fault::SortedSlowly,
               Fault::RefitOnly, Fault::LargeMargin, Fault::SmallMargin, Fault::Giant, Fault::Stretched,
               Fault::StretchedSlowly, Fault::Mixed, Fault::MixedTop);
    // Half of them grow, half follow their bodies.
    if (plan.fault == Fault::Stretched && seed % 2 == 1) plan.fault = Fault::InPlace;
    // A rebuild, or a re-insertion, repairs what these faults need.
    if (plan.fault != Fault::None) plan.options.upkeep = bv::Upkeep::None;
    switch (plan.fault) {
        case Fault::None:
        case Fault::Rebuilds:
            break;
        case Fault::SortedFromStart:
        case Fault::SortedSlowly:
            plan.options.balancing = Balancing::None;
            plan.frame = plan.before = 0;
            plan.bodies = std::min(plan.bodies, 300);
            plan.frames = std::max(plan.frames, plan.bodies / 3 + 20);
            plan.cause = Cause::SortedInsertion;
            break;
        case Fault::SortedAnew:
        case Fault::SortedRow:
            plan.cause = Cause::SortedInsertion;
            // The row must be a good part of the tree, and not be rotated into a good one later; in a wide
            // tree it costs hardly anything.
            plan.arity = 2;
            plan.bodies = std::min(plan.bodies, 150);
            plan.frames = plan.frame + 30;
            break;
        case Fault::RefitOnly:
            plan.cause = Cause::RefitOnly;
            // They must go far, or nothing gets worse.
            plan.moving = 1.0f;
            plan.speed = 0.15f;
            plan.options.margin_m = steps * plan.speed * plan.unit;
            plan.frames = std::max(plan.frames, plan.frame + 90);
            if (plan.travel == Travel::Jitter || plan.travel == Travel::Pauses)
                plan.travel = Travel::Straight;
            break;
        case Fault::LargeMargin:
            plan.cause = Cause::LargeMargin;
            plan.moving = std::max(plan.moving, 0.5f);
            if (plan.travel == Travel::Jitter || plan.travel == Travel::Pauses) plan.travel = Travel::Orbits;
            plan.frames = std::max(plan.frames, plan.frame + 90);
            break;
        case Fault::SmallMargin:
            plan.cause = Cause::SmallMargin;
            plan.frames = std::max(plan.frames, plan.frame + 40);
            if (plan.travel == Travel::Pauses) plan.travel = Travel::Straight;
            break;
        case Fault::Giant:
            plan.cause = Cause::GiantBox;
            plan.options.balancing = Balancing::None;
            // It rises whenever a neighbor leaves.
            plan.bodies = std::min(plan.bodies, 300);
            plan.moving = std::min(plan.moving, 0.5f);
            plan.frames = plan.frame + 20;
            break;
        case Fault::Stretched:
        case Fault::StretchedSlowly:
        case Fault::InPlace:
        case Fault::AllInPlace:
            plan.cause = Cause::StretchedLeaves;
            plan.moving = std::max(plan.moving, 0.5f);
            plan.frames = std::max(plan.frames, plan.frame + 90);
            if (plan.travel == Travel::Jitter || plan.travel == Travel::Pauses)
                plan.travel = Travel::Straight;
            // A leaf begins to grow when its body leaves it: soon, or the planted frame is not the first.
            plan.options.margin = bv::Margin::Fixed;
            plan.options.margin_m = 2.5f * plan.speed * plan.unit;
            if (plan.fault != Fault::InPlace) break;
            // They must go far, or nothing gets worse.
            plan.moving = 1.0f;
            plan.speed = 0.15f;
            plan.options.margin_m = steps * plan.speed * plan.unit;
            plan.frames = std::max(plan.frames, plan.frame + 120);
            break;
        case Fault::Leaked:
            plan.cause = Cause::BrokenInvariants;
            plan.frames = std::max(plan.frames, plan.frame + 20);
            break;
        case Fault::Mixed:
        case Fault::MixedTop:
            plan.cause = Cause::MixedClusters;
            plan.in_groups = one_of(30, 60, 120);
            if (plan.fault == Fault::MixedTop) plan.arity = 2;  // else nothing is left of the two levels
            plan.gap = plan.fault == Fault::MixedTop ? 150.0f : one_of(30.0f, 80.0f, 200.0f);
            break;
    }
    plan.name = fmt::format("seed {}", seed);
    return plan;
}

Plan random_change_plan(std::uint64_t seed) {
    Random random(seed, 0xc4a6);
    const auto one_of = [&random](auto... values) {
        const std::array all{values...};
        return random.one_of(all);
    };
    Plan plan;
    plan.name = fmt::format("change of seed {}", seed);
    plan.fault = one_of(Fault::SmallMargin, Fault::SmallMargin, Fault::Rebuilds, Fault::InPlace, Fault::Giant,
                        Fault::None);
    plan.ground = one_of(Ground::Field, Ground::Cloud, Ground::Planar, Ground::City);
    plan.travel = one_of(Travel::Straight, Travel::Orbits);
    plan.bodies = one_of(40, 100, 250, 600);
    plan.moving = one_of(0.1f, 0.3f, 0.6f, 0.9f, 1.0f);
    plan.speed = one_of(0.02f, 0.05f, 0.1f);
    plan.frame = 30 + static_cast<int>(random.below(120));
    plan.frames = plan.frame + one_of(40, 80, 160);
    plan.options.insertion = one_of(bv::Insertion::GreedySah, bv::Insertion::BranchAndBoundSah);
    plan.options.balancing = one_of(bv::Balancing::Height, bv::Balancing::Sah);
    const float steps = random.uniform(4.0f, 10.0f);
    plan.options.margin_m = steps * plan.speed;
    plan.options.margin = one_of(bv::Margin::Fixed, bv::Margin::AlongVelocity);
    plan.later_margin = one_of(0.0f, 0.1f, 0.3f);
    plan.rebuild_period = one_of(1, 1, 2, 4, 8);
    plan.giant = random.uniform(10.0f, 20.0f);
    const bool never_had_margins = random.chance(0.5f), changes_at_once = random.chance(0.5f);
    switch (plan.fault) {
        case Fault::SmallMargin:
            plan.cause = Cause::SmallMargin;
            plan.at_once = changes_at_once;
            break;
        case Fault::Rebuilds:
            if (!never_had_margins) break;
            plan.fault = Fault::None;
            plan.options.margin = bv::Margin::None;
            plan.options.upkeep = bv::Upkeep::PeriodicRebuild;
            plan.options.rebuild_period = static_cast<std::uint32_t>(plan.rebuild_period);
            break;
        case Fault::InPlace:
            plan.cause = Cause::StretchedLeaves;
            // They must go far, or nothing gets worse.
            plan.moving = std::max(plan.moving, 0.6f);
            plan.speed = 0.15f;
            plan.options.margin = bv::Margin::Fixed;
            plan.options.margin_m = 2.5f * plan.speed;
            plan.frames = plan.frame + 120;
            break;
        case Fault::Giant:
            plan.cause = Cause::GiantBox;
            plan.options.balancing = bv::Balancing::None;
            // In a large world it would cost hardly anything; and it rises whenever a neighbor leaves.
            plan.extent = 4.0f;
            plan.bodies = std::min(plan.bodies, 100);
            plan.moving = std::min(plan.moving, 0.3f);
            plan.frames = plan.frame + 20;
            // Wide margins would cost more than the giant does.
            plan.options.margin = bv::Margin::Fixed;
            plan.options.margin_m = 0.1f;
            break;
        default:
            break;
    }
    return plan;
}

}  // namespace lab::capture
