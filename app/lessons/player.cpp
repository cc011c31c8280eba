#include "lessons/player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "io/text/counted.hpp"
#include "io/text/printable.hpp"
#include "scenes/files/capture_settings.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "session/parts.hpp"
#include "session/scene_runner.hpp"
#include "session/session.hpp"
#include "settings/draw.hpp"
#include "settings/program.hpp"
#include "settings/steps.hpp"

namespace lab::lessons {
namespace {

/// Whatever the user has set, every page begins with these values and with the defaults of all settings that
/// change the world, because its text describes what they show.
constexpr std::pair<const SettingSpec*, std::string_view> kGiven[] = {
    {&scenes::kOwnMesh, "true"}, {&scenes::kCaptureOwn, "true"}, {&kDrawZUp, "false"}};

const SceneSpec* scene_opened_by(const ParsedLine& line) {
    const bool opens = line.words.size() == 2 && line.words[0] == "scene";
    return opens ? find_scene(line.words[1]) : nullptr;
}

std::string quoted_set_line(const SettingSpec& row, std::string_view value) {
    return "set " + quote_word(fmt::format("{}={}", row.id, value));
}

}  // namespace

void Player::obey(Session& session) {
    // Repeats up to once per line: a line queued behind a lesson's command may hold another one.
    for (std::size_t left = session.commands().size() + 1; left > 0; --left) {
        const std::vector<LessonRequest> requests = std::exchange(session.requests().lessons, {});
        if (requests.empty()) return;
        CommandQueue behind = std::exchange(session.commands(), {});
        for (const LessonRequest& request : requests)
            fulfill(session, request);
        session.commands().append(behind);
        session.drain();
    }
}

void Player::fulfill(Session& session, const LessonRequest& request) {
    using What = LessonRequest::What;
    const auto refuse = [&](const std::string& why) {
        session.refuse(request.origin, fmt::format("`{}`: {}", io::printable(request.line), why));
    };
    const bool opens = request.what == What::Open || request.what == What::Resume;
    if (!spec_ && !opens && request.what != What::Close)
        return refuse("no lesson is open; `lesson ID` starts one");
    const LessonSpec* const named = opens ? find_lesson(request.id) : nullptr;
    if (opens && !named) return refuse(no_lesson(request.id));
    switch (request.what) {
        case What::Open:
            open(session, *named);
            enter(session, 0);
            break;
        case What::Resume:
            open(session, *named);
            resume(session, std::min(request.page, lesson_.pages.size()) - 1);
            break;
        case What::Next:
            if (page_ + 1 < lesson_.pages.size()) enter(session, page_ + 1);
            break;
        case What::Back:
            if (page_ > 0) enter(session, page_ - 1);
            break;
        case What::Page:
            if (request.page >= 1 && request.page <= lesson_.pages.size())
                enter(session, request.page - 1);
            else
                refuse(fmt::format("this lesson has pages 1 to {}", lesson_.pages.size()));
            break;
        case What::Show:
            if (session.state().scene.spec != scene_) {
                enter(session, page_);
                show_due_ = true;  // its lines may need what the first frame shows
                break;
            }
            push(session, current().task.show);
            break;
        case What::Close:
            leave(session);
            break;
    }
}

void Player::open(Session& session, const LessonSpec& spec) {
    close(session);
    spec_ = &spec;
    lesson_ = parse_lesson(lesson_text(spec), session.command_table());
    for (const std::string& problem : lesson_.problems)
        session.log().error(fmt::format("lesson {}, {}", spec.id, problem));
    before_ = session.state().settings_without_presets();
    find_rows(session);
    scene_ = nullptr;
}

void Player::resume(const Session& session, std::size_t page) {
    page_ = page;
    files_before_ = session.shown().last_opened.number;
    show_due_ = false;
    ++turns_;
    scene_ = session.state().scene.spec;
    for (std::size_t i = 0; i <= page; ++i)
        for (const std::string& line : lesson_.pages[i].run)
            if (const SceneSpec* opened = scene_opened_by(session.command_table().parse(line)))
                scene_ = opened;
}

std::string Player::link_part() const {
    return spec_ ? fmt::format("&lesson={}&page={}", spec_->id, page_ + 1) : "";
}

void Player::find_rows(const Session& session) {
    std::set<const SettingSpec*> found;
    for (const auto& [row, value] : kGiven)
        found.insert(row);
    for (const Page& page : lesson_.pages) {
        for (const auto* lines : {&page.run, &page.task.show}) {
            for (const std::string& line : *lines) {
                const ParsedLine parsed = session.command_table().parse(line);
                if (parsed.changes_setting()) found.insert(parsed.setting);
                const SceneSpec* const scene = scene_opened_by(parsed);
                if (scene) found.insert(scene->settings.begin(), scene->settings.end());
            }
        }
    }
    rows_.clear();
    for (const SettingSpec* row : before_->catalog().rows())
        if (found.contains(row) || row->effect == Effect::World) rows_.push_back(row);
}

void Player::prepare(Session& session) const {
    const Settings now = session.state().settings_without_presets();
    const Settings defaults(now.catalog());
    const auto of_program = program_settings();
    for (const SettingSpec* row : rows_) {
        const bool shared = row->effect != Effect::World &&
                            std::find(of_program.begin(), of_program.end(), row) != of_program.end();
        const auto given = std::find_if(std::begin(kGiven), std::end(kGiven),
                                        [row](const auto& g) { return g.first == row; });
        const std::string value = given != std::end(kGiven)
                                      ? std::string(given->second)
                                      : (shared ? *before_ : defaults).get_as_text(*row);
        if (value != now.get_as_text(*row)) session.commands().push(quoted_set_line(*row, value), "lesson");
    }
}

void Player::enter(Session& session, std::size_t page) {
    page_ = page;
    files_before_ = session.shown().last_opened.number;
    show_due_ = false;
    ++turns_;
    // A step that is still on show would freeze the scene of this page.
    const Settings& settings = session.state().settings;
    if (settings[kStepPlaying]) session.commands().push(set_line(kStepPlaying, "off"), "lesson");
    if (settings[kStepAt] != 0) session.commands().push(set_line(kStepAt, "0"), "lesson");
    // So would a pause from the previous page or from before the lesson, or a speed of 0.
    if (settings[kSimPaused]) session.commands().push(set_line(kSimPaused, "off"), "lesson");
    if (settings[kSimSpeed] == 0.0f)
        session.commands().push(quoted_set_line(kSimSpeed, kSimSpeed.default_value), "lesson");
    prepare(session);
    push(session, current().run);
    scene_ = session.state().scene.spec;
    // Undo must not take away what the page is about.
    if (session.state().edits.undo_count() + session.state().edits.redo_count() > 0)
        push(session, {"edit.forget"});
}

void Player::queue(Session& session, const std::vector<std::string>& lines) const {
    for (const std::string& line : lines)
        session.commands().push(line, fmt::format("lesson {}, page {}", spec_->id, page_ + 1));
}

void Player::push(Session& session, const std::vector<std::string>& lines) const {
    queue(session, lines);
    session.drain();
}

void Player::look(Session& session) {
    if (!spec_) return;
    // For the next frame: reports and saved files of this one must fit its results.
    if (std::exchange(show_due_, false)) queue(session, current().task.show);
    const auto& when = current().task.when;
    const bool shows_page = session.state().scene.spec == scene_;
    if (shows_page && !when.empty() && std::all_of(when.begin(), when.end(), [&](const Condition& c) {
            return c.holds(session.state(), session.results());
        }))
        done_.emplace(spec_->id, page_);
    if (is_on_last_page() && all_tasks_done()) mark_finished(session);
}

bool Player::all_tasks_done() const {
    for (std::size_t page = 0; page < lesson_.pages.size(); ++page)
        if (!lesson_.pages[page].task.when.empty() && !done(page)) return false;
    return true;
}

void Player::mark_finished(Session& session) const {
    const std::string& before = session.state().settings[kLessonsDone];
    if (is_finished(session.state().settings, spec_->id)) return;
    const std::string line =
        set_line(kLessonsDone, fmt::format("{}{}{}", before, before.empty() ? "" : ",", spec_->id));
    CommandQueue waiting = std::exchange(session.commands(), {});  // for the next frame
    session.commands().push(line);
    session.drain();
    session.commands().append(waiting);
}

bool Player::keeps_shown(const Session& session) const {
    return session.shown().last_opened.number != files_before_ || session.timeline().in_past();
}

std::size_t Player::close(Session& session) {
    if (!spec_) return 0;
    SessionState& state = session.state();
    const Settings now = state.settings_without_presets();
    const bool keeps = keeps_shown(session);
    std::size_t restored = 0;
    for (const SettingSpec* row : rows_) {
        std::string users = before_->get_as_text(*row);
        const bool is_changed = now.get_as_text(*row) != users;
        restored += is_changed ? 1 : 0;
        std::string shown = state.settings.get_as_text(*row);
        auto& presets = state.scene.presets;
        const auto preset =
            std::find_if(presets.begin(), presets.end(), [row](const Preset& p) { return p.setting == row; });
        if (preset != presets.end()) {
            if (keeps && is_changed) preset->set_to = shown;
            if (!keeps && shown != preset->set_to)
                session.commands().push(quoted_set_line(*row, preset->set_to));
            preset->was = std::move(users);
        } else if (is_changed && keeps) {
            presets.push_back({row, std::move(users), std::move(shown)});
        } else if (is_changed) {
            session.commands().push(quoted_set_line(*row, users));
        }
    }
    session.drain();
    session.parts().scenes.keep_shared_settings();
    rows_.clear();
    before_.reset();
    spec_ = nullptr;
    return restored;
}

void Player::leave(Session& session) {
    const bool keeps = keeps_shown(session);
    const std::size_t restored = close(session);
    if (restored == 0) return;
    const std::string settings = io::counted(restored, "setting is", "settings are");
    session.log().info(keeps ? fmt::format("Lesson closed: in the next scene {} back to what you had "
                                           "before",
                                           settings)
                             : fmt::format("Lesson closed: {} back to what you had before", settings));
}

Settings Player::settings_without_lesson(const Session& session) const {
    Settings settings = session.state().settings_without_presets();
    if (spec_)
        for (const SettingSpec* row : rows_)
            (void)settings.set(*row, before_->get_as_text(*row));
    return settings;
}

bool is_finished(const Settings& settings, std::string_view lesson) {
    return fmt::format(",{},", settings[kLessonsDone]).find(fmt::format(",{},", lesson)) != std::string::npos;
}

bool Player::done(std::size_t page) const {
    return spec_ && done_.contains({spec_->id, page});
}

}  // namespace lab::lessons
