// Commands about the trees.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bv/tree/metrics.hpp"
#include "commands/tables.hpp"
#include "session/parts.hpp"
#include "session/session.hpp"
#include "settings/suggest.hpp"
#include "settings/tree.hpp"
#include "world/tree_settings.hpp"

namespace lab::commands {
namespace {

bv::TreeMetrics metrics_of_tree(const Session& session) {
    return bv::measure(session.state().world.finder().engine().snapshot());
}

/// Reports what rebuilding did to the height and the cost.
void report_rebuild(Session& session, const bv::TreeMetrics& before) {
    const bv::TreeMetrics after = metrics_of_tree(session);
    const auto text = [](double x) { return fmt::format("{:.1f}", x); };
    const bool same = before.height == after.height && text(before.sah) == text(after.sah);
    session.log().info(
        same ? fmt::format("Rebuilding the tree changed nothing: its height is still {}, its SAH cost {}",
                           after.height, text(after.sah))
             : fmt::format("Rebuilt the tree: height {} to {}, SAH cost {} to {}", before.height,
                           after.height, text(before.sah), text(after.sah)));
}

std::vector<std::string_view> ids_of(const SettingSpec& setting) {
    std::vector<std::string_view> ids;
    for (const Choice& choice : setting.choices)
        ids.push_back(choice.id);
    return ids;
}

std::string unknown_builder(std::string_view name) {
    std::vector<std::string_view> builders = ids_of(kTreeBuilder), insertions = ids_of(kTreeInsertion);
    std::string problem = fmt::format("'{}' is neither a builder ({}) nor a way of inserting bodies ({})",
                                      name, fmt::join(builders, ", "), fmt::join(insertions, ", "));
    builders.insert(builders.end(), insertions.begin(), insertions.end());
    return problem + did_you_mean(name, builders);
}

/// The argument names a builder, or a way of inserting one body after another.
CommandResult tree_rebuild(Session& session, CommandArgs args) {
    if (session.state().world.bodies().empty())
        return "there are no bodies to build a tree of: spawn some first";
    Settings& settings = session.state().settings;
    session.parts().scenes.apply_world_settings();  // a line of this frame may have chosen the broadphase
    const bv::Broadphase& engine = session.state().world.finder().engine();
    if (!engine.has_tree())
        return fmt::format("the broadphase {} has no tree; `{}` chooses one that does",
                           bv::broadphase_info(engine.kind()).id, set_line(kBroadphaseKind, "dynamic-tree"));
    const bv::TreeMetrics before = metrics_of_tree(session);
    std::string wanted = args.empty() ? settings.get_as_text(kTreeBuilder) : args[0];
    if (wanted == "sah") wanted = "binned";
    if (kTreeInsertion.has_choice(wanted)) {
        if (auto problem = settings.set(kTreeInsertion, wanted)) return problem;
        session.parts().scenes.rebuild_tree(std::nullopt);
        report_rebuild(session, before);
        return std::nullopt;
    }
    if (!kTreeBuilder.has_choice(wanted)) return unknown_builder(wanted);
    if (auto problem = settings.set(kTreeBuilder, wanted)) return problem;
    session.parts().scenes.rebuild_tree(settings[kTreeBuilder]);
    report_rebuild(session, before);
    return std::nullopt;
}

CommandResult tree_isolate(Session& session, CommandArgs args) {
    const bool isolated = session.state().view.selection.isolated.holds();
    const std::string wanted = args.empty() ? "toggle" : args[0];
    if (wanted == "on") return session.parts().selector.isolate_node(true);
    if (wanted == "off") return session.parts().selector.isolate_node(false);
    if (wanted == "toggle") return session.parts().selector.isolate_node(!isolated);
    return "use `tree.isolate on`, `off` or `toggle`";
}

constexpr std::array kTreeRows = {
    CommandSpec{
        .id = "tree.isolate",
        .usage = "[on|off|toggle]",
        .help = "Draw only the subtree of the selected node",
        .category = "Tree",
        .max_args = 1,
        .run = tree_isolate,
        .effect = Effect::View,
        .keys = {{"PageDown", "", "Show only the subtree of the selected node, or the whole tree"}},
        .reads_results = true,
    },
    CommandSpec{
        .id = "tree.rebuild",
        .usage = "[median|morton|binned|sweep|agglomerative|manhattan|greedy|branch_and_bound]",
        .help = "Rebuild the tree of bodies with a builder, or by inserting one body after another",
        .category = "Tree",
        .max_args = 1,
        .run = tree_rebuild,
    },
};

}  // namespace

std::span<const CommandSpec> tree_commands() {
    return kTreeRows;
}

}  // namespace lab::commands
