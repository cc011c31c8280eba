#include "sandbox/tree_settings.hpp"

namespace lab {

bv::TreeOptions tree_options(const Settings& settings) {
    bv::TreeOptions options;
    options.insertion = chosen_row<bv::Insertion>(settings, "tree.insertion");
    options.balancing = chosen_row<bv::Balancing>(settings, "tree.balance");
    options.margin = chosen_row<bv::Margin>(settings, "tree.margin_kind");
    options.margin_m = settings.real("tree.margin");
    options.margin_relative = settings.real("tree.margin_relative");
    options.velocity_steps = settings.real("tree.velocity_steps");
    return options;
}

}  // namespace lab
