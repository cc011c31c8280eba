#include "world/tree_settings.hpp"
#include "results/volume_settings.hpp"
#include "settings/tree.hpp"

namespace lab {

VolumeChoice chosen_volumes(const Settings& settings) {
    return {settings[kVolumePairKind], settings[kFitSphere], settings[kFitObb]};
}

bv::TreeOptions tree_options(const Settings& settings) {
    bv::TreeOptions options;
    options.insertion = settings[kTreeInsertion];
    options.balancing = settings[kTreeBalance];
    options.margin = settings[kTreeMarginKind];
    options.margin_m = settings[kTreeMargin];
    options.margin_relative = settings[kTreeMarginRelative];
    options.velocity_steps = settings[kTreeVelocitySteps];
    options.upkeep = settings[kTreeUpkeep];
    options.builder = settings[kTreeBuilder];
    options.rebuild_period = static_cast<std::uint32_t>(settings[kTreeRebuildPeriod]);
    options.reinsertions = static_cast<std::uint32_t>(settings[kTreeReinsertions]);
    return options;
}

}  // namespace lab
