// Commands of lessons. The session forwards their requests.
#include "lessons/commands.hpp"

#include <array>

#include "lessons/catalog.hpp"
#include "session/commands/command_args.hpp"
#include "session/parts.hpp"
#include "session/session.hpp"

namespace lab::lessons {
namespace {

using What = LessonRequest::What;

constexpr int kMaxPages = 1000;

CommandResult ask(Session& session, LessonRequest request) {
    const ParsedLine& line = session.parts().runner.current();
    request.line = line.text;
    request.origin = line.origin;
    session.requests().lessons.push_back(std::move(request));
    return std::nullopt;
}
template <What what>
CommandResult ask_for(Session& session, CommandArgs) {
    return ask(session, {what, {}, 0});
}

CommandResult open(Session& session, CommandArgs args) {
    return ask(session, {What::Open, args[0], 0});
}
CommandResult check_lesson(CommandArgs args) {
    return find_lesson(args[0]) ? std::nullopt : CommandResult(no_lesson(args[0]));
}
CommandResult page(Session& session, CommandArgs args) {
    ArgReader read(args);
    const auto number = read.integer("N", 1, kMaxPages);
    if (read.problem()) return read.problem();
    return ask(session, {What::Page, {}, static_cast<std::size_t>(number)});
}
CommandResult resume(Session& session, CommandArgs args) {
    ArgReader read(args.subspan(1));
    const auto number = read.integer("N", 1, kMaxPages);
    if (read.problem()) return read.problem();
    return ask(session, {What::Resume, args[0], static_cast<std::size_t>(number)});
}

constexpr std::array kRows = {
    CommandSpec{
        .id = "lesson",
        .usage = "ID",
        .help = "Start a lesson",
        .category = "Lessons",
        .min_args = 1,
        .max_args = 1,
        .run = open,
        .effect = Effect::Outside,
        .check_ahead = check_lesson,
        .names = Names::Lesson,
    },
    CommandSpec{
        .id = "lesson.next",
        .help = "Go to the next page of the lesson",
        .category = "Lessons",
        .run = ask_for<What::Next>,
        .effect = Effect::Outside,
    },
    CommandSpec{
        .id = "lesson.back",
        .help = "Go back to the previous page of the lesson",
        .category = "Lessons",
        .run = ask_for<What::Back>,
        .effect = Effect::Outside,
    },
    CommandSpec{
        .id = "lesson.page",
        .usage = "N",
        .help = "Go to a page of the lesson",
        .category = "Lessons",
        .min_args = 1,
        .max_args = 1,
        .run = page,
        .effect = Effect::Outside,
    },
    CommandSpec{
        .id = "lesson.resume",
        .usage = "ID N",
        .help = "Open a lesson at page N beside the current scene, without running the page's commands",
        .category = "Lessons",
        .min_args = 2,
        .max_args = 2,
        .run = resume,
        .effect = Effect::Outside,
        .check_ahead = check_lesson,
        .names = Names::Lesson,
    },
    CommandSpec{
        .id = "lesson.show",
        .help = "Do the task of this page automatically",
        .category = "Lessons",
        .run = ask_for<What::Show>,
        .effect = Effect::Outside,
    },
    CommandSpec{
        .id = "lesson.close",
        .help = "Close the lesson",
        .category = "Lessons",
        .run = ask_for<What::Close>,
        .effect = Effect::Outside,
    },
};

}  // namespace

std::span<const CommandSpec> lesson_commands() {
    return kRows;
}

}  // namespace lab::lessons
