// Commands of lessons. The sandbox knows no lesson: it passes on what is asked for.
#include <array>

#include "commands/tables.hpp"
#include "session/sandbox.hpp"

namespace lab::commands {
namespace {

CommandResult ask(Sandbox& sandbox, std::string wish) {
    sandbox.requests().lessons.push_back(std::move(wish));
    return std::nullopt;
}

CommandResult lesson(Sandbox& sandbox, CommandArgs args) {
    return ask(sandbox, "open " + args[0]);
}
CommandResult page(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const auto number = read.integer("N", 1, 1000);
    if (read.problem()) return read.problem();
    return ask(sandbox, "page " + std::to_string(number));
}
CommandResult next(Sandbox& sandbox, CommandArgs) {
    return ask(sandbox, "next");
}
CommandResult back(Sandbox& sandbox, CommandArgs) {
    return ask(sandbox, "back");
}
CommandResult show(Sandbox& sandbox, CommandArgs) {
    return ask(sandbox, "show");
}
CommandResult close(Sandbox& sandbox, CommandArgs) {
    return ask(sandbox, "close");
}

constexpr std::array kRows = {
    CommandSpec{"lesson", "ID", "Begin a lesson", "Lessons", 1, 1, lesson},
    CommandSpec{"lesson.next", "", "The next page of the lesson", "Lessons", 0, 0, next},
    CommandSpec{"lesson.back", "", "The page before", "Lessons", 0, 0, back},
    CommandSpec{"lesson.page", "N", "A page of the lesson", "Lessons", 1, 1, page},
    CommandSpec{"lesson.show", "", "Let the program do the task of this page", "Lessons", 0, 0, show},
    CommandSpec{"lesson.close", "", "End the lesson", "Lessons", 0, 0, close},
};

}  // namespace

std::span<const CommandSpec> lesson_commands() {
    return kRows;
}

}  // namespace lab::commands
