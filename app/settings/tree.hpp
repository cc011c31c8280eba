// Settings of the broadphase and of its dynamic tree.
#pragma once

#include <array>
#include "bv/broadphase/broadphase.hpp"
#include "bv/tree/tree_options.hpp"
#include "settings/settings.hpp"

namespace lab {

inline constexpr auto kBroadphaseChoices = []<std::size_t... rows>(std::index_sequence<rows...>) {
    return std::array{Choice{bv::kBroadphaseKinds[rows].id, bv::kBroadphaseKinds[rows].label,
                             bv::kBroadphaseKinds[rows].kind}...};
}
(std::make_index_sequence<bv::kBroadphaseKinds.size()>{});

inline constexpr Setting<bv::BroadphaseKind> kBroadphaseKind{{
    .id = "broadphase.kind",
    .label = "Broadphase",
    .help = "The algorithm that finds the pairs of overlapping boxes; all of them find the same pairs",
    .default_value = "wide-tree",
    .choices = kBroadphaseChoices,
    .is_algorithm = true,
}};

inline constexpr std::array kInsertionChoices = {
    Choice{"manhattan", "Nearest center", bv::Insertion::Manhattan},
    Choice{"greedy", "Greedy SAH", bv::Insertion::GreedySah},
    Choice{"branch_and_bound", "Branch and bound", bv::Insertion::BranchAndBoundSah}};
inline constexpr Setting<bv::Insertion> kTreeInsertion{{
    .id = "tree.insertion",
    .label = "Insertion",
    .help = "Dynamic tree: where a new leaf goes",
    .default_value = "branch_and_bound",
    .choices = kInsertionChoices,
    .is_algorithm = true,
}};

inline constexpr std::array kBalancingChoices = {Choice{"none", "None", bv::Balancing::None},
                                                 Choice{"height", "Height", bv::Balancing::Height},
                                                 Choice{"sah", "SAH rotations", bv::Balancing::Sah}};
inline constexpr Setting<bv::Balancing> kTreeBalance{{
    .id = "tree.balance",
    .label = "Balancing",
    .help = "Dynamic tree: rotations on the way to the root after a leaf is inserted or removed",
    .default_value = "sah",
    .choices = kBalancingChoices,
    .is_algorithm = true,
}};

inline constexpr std::array kTreeMarginKindChoices = {
    Choice{"none", "None", bv::Margin::None}, Choice{"fixed", "Fixed", bv::Margin::Fixed},
    Choice{"relative", "Relative", bv::Margin::Relative},
    Choice{"velocity", "Velocity", bv::Margin::AlongVelocity}};
inline constexpr Setting<bv::Margin> kTreeMarginKind{{
    .id = "tree.margin_kind",
    .label = "Fat margin",
    .help = "Dynamic tree: how a leaf's box is enlarged beyond its body's",
    .default_value = "velocity",
    .choices = kTreeMarginKindChoices,
    .is_algorithm = true,
}};

inline constexpr Setting<float> kTreeMargin{{
    .id = "tree.margin",
    .label = "Margin",
    .help = "By how much a fat box is enlarged on each side, so that small moves cost nothing",
    .default_value = "0.1",
    .max = 10,
    .unit = "m",
    .is_algorithm = true,
}};

inline constexpr Setting<float> kTreeMarginRelative{{
    .id = "tree.margin_relative",
    .label = "Relative margin",
    .help = "The margin as a share of the box's mean edge",
    .default_value = "0.1",
    .max = 2,
    .is_algorithm = true,
}};

inline constexpr Setting<float> kTreeVelocitySteps{{
    .id = "tree.velocity_steps",
    .label = "Steps ahead",
    .help = "By how many steps of motion a fat box is extended in the direction of the velocity",
    .default_value = "4",
    .max = 60,
    .unit = "steps",
    .is_algorithm = true,
}};

inline constexpr std::array kTreeUpkeepChoices = {
    Choice{"none", "Re-insert", bv::Upkeep::None}, Choice{"refit", "Refit only", bv::Upkeep::RefitOnly},
    Choice{"partial", "Partial rebuild", bv::Upkeep::PartialRebuild},
    Choice{"periodic", "Periodic rebuild", bv::Upkeep::PeriodicRebuild},
    Choice{"reinsertion", "Refit, re-insert the worst", bv::Upkeep::Reinsertion}};
inline constexpr Setting<bv::Upkeep> kTreeUpkeep{{
    .id = "tree.upkeep",
    .label = "Update",
    .help = "Dynamic tree: how the tree is updated when a leaf leaves its fat box",
    .default_value = "none",
    .choices = kTreeUpkeepChoices,
    .is_algorithm = true,
}};

inline constexpr std::array kTreeBuilderChoices = {
    Choice{"median", "Median", bv::Builder::Median}, Choice{"morton", "Morton curve", bv::Builder::Morton},
    Choice{"binned", "Binned SAH", bv::Builder::BinnedSah},
    Choice{"sweep", "Sweep SAH", bv::Builder::SweepSah},
    Choice{"agglomerative", "Agglomerative", bv::Builder::Agglomerative}};
inline constexpr Setting<bv::Builder> kTreeBuilder{{
    .id = "tree.builder",
    .label = "Builder",
    .help = "Dynamic tree: the builder used by `tree.rebuild` and by rebuilding updates",
    .default_value = "binned",
    .choices = kTreeBuilderChoices,
    .is_algorithm = true,
}};

inline constexpr Setting<int> kTreeRebuildPeriod{{
    .id = "tree.rebuild_period",
    .label = "Rebuild every",
    .help = "Periodic rebuild: after how many steps",
    .default_value = "60",
    .min = 1,
    .max = 10000,
    .unit = "steps",
    .is_algorithm = true,
}};

inline constexpr Setting<int> kTreeReinsertions{{
    .id = "tree.reinsertions",
    .label = "Re-insertions",
    .help = "Re-insert the worst: how many nodes per step",
    .default_value = "32",
    .min = 1,
    .max = 10000,
    .is_algorithm = true,
}};

inline constexpr const SettingSpec* kTreeSettings[] = {
    &kBroadphaseKind, &kTreeInsertion,      &kTreeBalance,       &kTreeMarginKind,
    &kTreeMargin,     &kTreeMarginRelative, &kTreeVelocitySteps, &kTreeUpkeep,
    &kTreeBuilder,    &kTreeRebuildPeriod,  &kTreeReinsertions};

}  // namespace lab
