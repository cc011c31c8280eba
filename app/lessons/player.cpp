#include "lessons/player.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "session/sandbox.hpp"

namespace lab::lessons {

void Player::obey(Sandbox& sandbox) {
    for (const std::string& wish : sandbox.take_lesson_requests()) {
        if (wish == "close") {
            close(sandbox);
        } else if (wish.starts_with("open ")) {
            open(sandbox, std::string_view(wish).substr(5));
        } else if (!spec_) {
            sandbox.log().error("no lesson is under way; `lesson ID` begins one");
        } else if (wish == "next") {
            if (page_ + 1 < lesson_.pages.size()) enter(sandbox, page_ + 1);
        } else if (wish == "back") {
            if (page_ > 0) enter(sandbox, page_ - 1);
        } else if (wish == "show") {
            push(sandbox, current().task.show);
        } else if (wish.starts_with("page ")) {
            const auto page = static_cast<std::size_t>(std::stoul(wish.substr(5)));
            if (page >= 1 && page <= lesson_.pages.size())
                enter(sandbox, page - 1);
            else
                sandbox.log().error(fmt::format("this lesson has the pages 1 to {}", lesson_.pages.size()));
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
    lesson_ = parse_lesson(lesson_text(*spec));
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
    std::string error;
    for (const std::string& line : lines) {
        const auto words = split_words(line, error);
        if (words && words->size() > 1 && ((*words)[0] == "set" || (*words)[0] == "toggle"))
            changed_.insert((*words)[1].substr(0, (*words)[1].find('=')));
        if (words && words->size() > 1 && (*words)[0] == "pause") changed_.insert("sim.paused");
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
