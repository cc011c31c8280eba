#include "world/tree_settings.hpp"

namespace lab {

bool has_choice(std::string_view id, std::string_view value) {
    const auto choices = find_setting(id)->choices;
    return std::any_of(choices.begin(), choices.end(), [value](const Choice& c) { return c.id == value; });
}

VolumeChoice chosen_volumes(const Settings& settings) {
    return {chosen_row<VolumeKind>(settings, "volume.pair_kind"),
            chosen_row<SphereFit>(settings, "fit.sphere"), chosen_row<ObbFit>(settings, "fit.obb")};
}

bv::TreeOptions tree_options(const Settings& settings) {
    bv::TreeOptions options;
    options.insertion = chosen_row<bv::Insertion>(settings, "tree.insertion");
    options.balancing = chosen_row<bv::Balancing>(settings, "tree.balance");
    options.margin = chosen_row<bv::Margin>(settings, "tree.margin_kind");
    options.margin_m = settings.real("tree.margin");
    options.margin_relative = settings.real("tree.margin_relative");
    options.velocity_steps = settings.real("tree.velocity_steps");
    options.upkeep = chosen_row<bv::Upkeep>(settings, "tree.upkeep");
    options.builder = chosen_row<bv::Builder>(settings, "tree.builder");
    options.rebuild_period = static_cast<std::uint32_t>(settings.integer("tree.rebuild_period"));
    options.reinsertions = static_cast<std::uint32_t>(settings.integer("tree.reinsertions"));
    return options;
}

}  // namespace lab
