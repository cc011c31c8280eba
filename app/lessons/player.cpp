#include "lessons/player.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "session/sandbox.hpp"

namespace lab::lessons {

void Player::obey(Sandbox& sandbox) {
    using What = LessonRequest::What;
    for (const LessonRequest& request : sandbox.take_lesson_requests()) {
        if (!spec_ && request.what != What::Open && request.what != What::Close) {
            sandbox.log().error("no lesson is under way; `lesson ID` begins one");
            continue;
        }
        switch (request.what) {
            case What::Open:
                open(sandbox, request.id);
                break;
            case What::Next:
                if (page_ + 1 < lesson_.pages.size()) enter(sandbox, page_ + 1);
                break;
            case What::Back:
                if (page_ > 0) enter(sandbox, page_ - 1);
                break;
            case What::Page:
                if (request.page >= 1 && request.page <= lesson_.pages.size())
                    enter(sandbox, request.page - 1);
                else
                    sandbox.log().error(
                        fmt::format("this lesson has the pages 1 to {}", lesson_.pages.size()));
                break;
            case What::Show:
                push(sandbox, current().task.show);
                break;
            case What::Close:
                close(sandbox);
                break;
        }
    }
}

void Player::open(Sandbox& sandbox, std::string_view id) {
    const LessonSpec* spec = find_lesson(id);
    if (!spec) {
        sandbox.log().error(no_lesson(id));
        return;
    }
    close(sandbox);
    spec_ = spec;
    lesson_ = parse_lesson(lesson_text(*spec), sandbox.command_table());
    for (const std::string& problem : lesson_.problems)
        sandbox.log().error(fmt::format("lesson {}, {}", spec->id, problem));
    before_ = sandbox.settings_without_presets();
    enter(sandbox, 0);
}

void Player::enter(Sandbox& sandbox, std::size_t page) {
    page_ = page;
    ++turns_;
    push(sandbox, current().run);
}

void Player::push(Sandbox& sandbox, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
        const ParsedLine parsed = sandbox.command_table().parse(line);
        if (parsed.changes_setting()) changed_.insert(std::string(parsed.setting->id));
        sandbox.commands().push(line, fmt::format("lesson {}, page {}", spec_->id, page_ + 1));
    }
    sandbox.drain();
}

void Player::look(const Sandbox& sandbox) {
    if (!spec_ || current().task.when.empty()) return;
    const auto& when = current().task.when;
    if (std::all_of(when.begin(), when.end(), [&](const Condition& c) { return c.holds(sandbox); }))
        done_.emplace(spec_->id, page_);
}

void Player::close(Sandbox& sandbox) {
    if (!spec_) return;
    for (const std::string& id : changed_)
        sandbox.commands().push("set " + quote_word(fmt::format("{}={}", id, before_->get_as_text(id))));
    sandbox.drain();
    changed_.clear();
    before_.reset();
    spec_ = nullptr;
}

bool Player::done(std::size_t page) const {
    return spec_ && done_.contains({spec_->id, page});
}

}  // namespace lab::lessons
