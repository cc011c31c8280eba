// All commands, in the order in which lists show them, and what can be told of a line before it is carried
// out.
#include <fmt/format.h>

#include <vector>

#include "commands/tables.hpp"
#include "session/sandbox.hpp"
#include "settings/suggest.hpp"

namespace lab {

std::span<const CommandSpec> command_specs() {
    static const std::vector<CommandSpec> all = [] {
        std::vector<CommandSpec> rows;
        for (const auto topic :
             {commands::scene_commands(), commands::time_commands(), commands::body_commands(),
              commands::editing_commands(), commands::selection_commands(), commands::query_commands(),
              commands::tree_commands(), commands::camera_commands(), commands::setting_commands(),
              commands::file_commands(), commands::lesson_commands(), commands::program_commands()})
            rows.insert(rows.end(), topic.begin(), topic.end());
        return rows;
    }();
    return all;
}

const CommandSpec* find_command(std::string_view id) {
    for (const CommandSpec& spec : command_specs())
        if (spec.id == id) return &spec;
    return nullptr;
}

namespace commands {

std::string no_command(std::string_view id) {
    std::vector<std::string_view> ids;
    for (const CommandSpec& known : command_specs())
        ids.push_back(known.id);
    const std::string hint = did_you_mean(id, ids);
    return fmt::format("there is no command '{}'{}", id,
                       hint.empty() ? "; --list-commands shows them all" : hint);
}

}  // namespace commands

CommandResult check_command(std::string_view line) {
    std::string error;
    const auto words = split_words(line, error);
    if (!words) return fmt::format("`{}`: {}", line, error);
    if (words->empty()) return std::nullopt;
    const CommandSpec* spec = find_command(words->front());
    if (!spec) return commands::no_command(words->front());
    const CommandArgs args = CommandArgs(*words).subspan(1);
    const int count = static_cast<int>(args.size());
    if (count < spec->min_args || (spec->max_args >= 0 && count > spec->max_args))
        return fmt::format("`{}`: it is used as `{}{}{}`", line, spec->id, spec->usage.empty() ? "" : " ",
                           spec->usage);

    CommandResult problem;
    if (spec->id == "set" || spec->id == "toggle" || (spec->id == "reset" && args[0] != "all")) {
        Settings scratch;  // names and ranges can be told without a session
        problem = spec->id == "set"      ? assign(scratch, args)
                  : spec->id == "toggle" ? scratch.toggle(args[0])
                                         : scratch.reset(args[0]);
    }
    if (spec->id == "scene" && args[0] != "next" && args[0] != "previous" && !find_scene(args[0]))
        problem = no_scene(args[0]);
    return problem ? fmt::format("`{}`: {}", line, *problem) : problem;
}

}  // namespace lab
