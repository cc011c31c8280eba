// A lesson: pages of text, each with the commands that set the stage and perhaps a task.
//
// The file is Markdown. A line `---` ends a page. Two kinds of fenced blocks are not shown as text:
//
//   ```run        commands, one a line, run when the page opens
//   ```task       task: what to do, in one sentence
//                 when: a condition (see condition.hpp); if there are several, all must hold
//                 show: a command that does it; several are carried out one after the other
//
//   ```claim      conditions, one a line, that hold on this page once its stage is set. `after: COMMANDS`
//                 runs commands before the lines below it are checked; `after: task` does the task.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lessons/condition.hpp"
#include "lessons/markdown.hpp"
#include "session/commands/command_table.hpp"

namespace lab::lessons {

struct Task {
    std::string text;         ///< Empty: this page has none.
    std::vector<Span> words;  ///< The same for a panel.
    std::vector<Condition> when;
    std::vector<std::string> show;
};

/// A number that the text gives, or a fact that it states: checked by a test, not shown.
struct Claim {
    std::string text;
    Condition condition;
    std::vector<std::string> after;  ///< Commands that run before it is checked, and stay in effect.
};

struct Page {
    std::vector<Block> blocks;
    std::vector<std::string> run;
    Task task;
    std::vector<Claim> claims;
};

struct Lesson {
    std::vector<Page> pages;
    std::vector<std::string> problems;  ///< With line numbers; empty for a valid file.
};

/// Its commands are checked against the table.
Lesson parse_lesson(std::string_view text, const CommandTable& commands);

}  // namespace lab::lessons
