#include "lessons/lesson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "session/commands/commands.hpp"

namespace lab::lessons {
namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\r'))
        text.remove_suffix(1);
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    return text;
}

/// In a claim's `after:`, stands for the commands of the task.
constexpr std::string_view kTask = "task";

class Reader {
  public:
    explicit Reader(const CommandTable& commands) : commands_(commands) {}
    Lesson read(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            ++number_;
            line(text.substr(0, end));
            if (end == std::string_view::npos) break;
            text.remove_prefix(end + 1);
        }
        if (!inside_.empty()) problem("the block is never closed");
        finish_page();
        return std::move(lesson_);
    }

  private:
    void problem(const std::string& what) {
        lesson_.problems.push_back(fmt::format("line {}: {}", number_, what));
    }

    void line(std::string_view raw) {
        const std::string_view words = trimmed(raw);
        if (words.starts_with("```")) {
            fence(words);
        } else if (inside_ == "run") {
            command(words, page_.run);
        } else if (inside_ == "task") {
            task(words);
        } else if (inside_ == "claim") {
            claim(words);
        } else if (inside_.empty() && words == "---") {
            finish_page();
        } else {
            markdown_ += raw;
            markdown_ += '\n';
        }
    }

    void fence(std::string_view words) {
        const bool closes = !inside_.empty();
        const std::string_view kind = closes ? std::string_view(inside_) : words.substr(3);
        if (kind != "run" && kind != "task" && kind != "claim") {  // code that is shown
            markdown_ += words;
            markdown_ += '\n';
        }
        inside_ = closes ? "" : kind.empty() ? "text" : std::string(kind);
    }

    void command(std::string_view words, std::vector<std::string>& lines) {
        for (std::string& one : split_lines(words)) {
            if (const CommandResult wrong = commands_.check(one)) problem(*wrong);
            lines.push_back(std::move(one));
        }
    }

    void task(std::string_view words) {
        const auto value = [&](std::string_view key) { return trimmed(words.substr(key.size())); };
        Task& task = page_.task;
        if (words.empty()) return;
        if (words.starts_with("task:")) {
            task.text = value("task:");
            for (Block& block : parse_markdown(task.text))
                task.words = std::move(block.spans);
        } else if (words.starts_with("show:")) {
            command(value("show:"), task.show);
        } else if (words.starts_with("when:")) {
            std::string error;
            if (auto condition = Condition::parse(value("when:"), error))
                task.when.push_back(std::move(*condition));
            else
                problem(error);
        } else {
            problem("a task has lines that begin with task:, when: and show:");
        }
    }

    void claim(std::string_view words) {
        constexpr std::string_view kAfter = "after:";
        if (words.empty()) return;
        if (words.starts_with(kAfter)) {
            const std::string_view what = trimmed(words.substr(kAfter.size()));
            if (what == kTask)
                after_.emplace_back(kTask);
            else
                command(what, after_);
            return;
        }
        std::string error;
        if (auto condition = Condition::parse(words, error))
            page_.claims.push_back({std::string(words), std::move(*condition), std::exchange(after_, {})});
        else
            problem(error);
    }

    /// The task may stand below the claims about it.
    void do_tasks_in_claims() {
        for (Claim& claim : page_.claims) {
            const auto at = std::find(claim.after.begin(), claim.after.end(), kTask);
            if (at == claim.after.end()) continue;
            if (page_.task.show.empty()) problem("'after: task' on a page without a task");
            const auto place = claim.after.erase(at);
            claim.after.insert(place, page_.task.show.begin(), page_.task.show.end());
        }
        if (!after_.empty()) problem("'after:' without a claim below it");
        after_.clear();
    }

    void finish_page() {
        page_.blocks = parse_markdown(markdown_);
        const bool half = page_.task.text.empty() != page_.task.when.empty();
        if (half) problem("a task needs a text and a condition");
        if (page_.blocks.empty()) problem("a page without text");
        do_tasks_in_claims();
        lesson_.pages.push_back(std::move(page_));
        page_ = {};
        markdown_.clear();
    }

    const CommandTable& commands_;
    Lesson lesson_;
    Page page_;
    std::string markdown_;
    std::string inside_;              // the kind of the fenced block
    std::vector<std::string> after_;  // for the next claim
    int number_ = 0;
};

}  // namespace

Lesson parse_lesson(std::string_view text, const CommandTable& commands) {
    return Reader(commands).read(text);
}

}  // namespace lab::lessons
