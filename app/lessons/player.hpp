// The active lesson. It handles the commands `lesson ...`, pushes the commands of each page on entry, and
// checks in every frame whether the page's task is done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lessons/catalog.hpp"
#include "lessons/lesson.hpp"
#include "settings/settings.hpp"

namespace lab {
class Session;
struct LessonRequest;
struct SceneSpec;
}  // namespace lab

namespace lab::lessons {

/// Whether the user has finished a lesson: read it to its last page and done all of its tasks, in this
/// session or an earlier one.
[[nodiscard]] bool is_finished(const Settings& settings, std::string_view lesson);

class Player {
  public:
    /// To be called after Session::drain: carries out what `lesson` commands asked for. What a page runs is
    /// drained at once, so that the frame already shows it.
    void obey(Session& session);
    /// To be called after Session::step: checks the task, and marks the lesson as finished on its last page
    /// once the tasks of all pages are done.
    void look(Session& session);
    /// Closes the lesson, if any, and restores the settings that it changed. Settings that the scene on show
    /// has set stay. While a file opened since the page began or a past moment is on show, all settings stay,
    /// and the user's return with the next scene. Returns how many it restored.
    std::size_t close(Session& session);
    /// The session's settings as they are without the open lesson: what preferences keep.
    [[nodiscard]] Settings settings_without_lesson(const Session& session) const;

    /// What a link to the session needs for the lesson to be open in it, too; empty without a lesson.
    [[nodiscard]] std::string link_part() const;

    /// nullptr: no lesson is active; the other getters are then meaningless.
    [[nodiscard]] const LessonSpec* spec() const { return spec_; }
    [[nodiscard]] const Lesson& lesson() const { return lesson_; }
    [[nodiscard]] std::size_t page() const { return page_; }
    [[nodiscard]] const Page& current() const { return lesson_.pages[page_]; }
    /// The scene that the page opened. The user may have gone on to another, where no task can be done.
    [[nodiscard]] const SceneSpec& scene() const { return *scene_; }
    /// Whether the task of a page was completed in this session.
    [[nodiscard]] bool done(std::size_t page) const;
    /// Increments on every page entry, so that panels can scroll back to the top.
    [[nodiscard]] unsigned turns() const { return turns_; }

  private:
    void fulfill(Session& session, const LessonRequest& request);
    /// `enter` or `resume` follows.
    void open(Session& session, const LessonSpec& spec);
    /// Closes the lesson and reports how many settings were restored.
    void leave(Session& session);
    /// True if what is on show is not for the lesson to change: a file opened since the page began, or the
    /// past, whose recorded future a change would discard.
    [[nodiscard]] bool keeps_shown(const Session& session) const;
    void mark_finished(Session& session) const;
    [[nodiscard]] bool all_tasks_done() const;
    [[nodiscard]] bool is_on_last_page() const { return page_ + 1 == lesson_.pages.size(); }
    void enter(Session& session, std::size_t page);
    /// Opens a page beside the current or coming scene, to which an earlier visit of the page led.
    void resume(const Session& session, std::size_t page);
    void find_rows(const Session& session);
    /// Pushes the lines that undo what earlier pages and tasks left: the scenes' own settings and all that
    /// change the world go back to their defaults; shared settings that do not change it go back to what the
    /// user had. A page then looks the same whichever page was open before.
    void prepare(Session& session) const;
    /// Queues lines of the page; `push` also runs them.
    void queue(Session& session, const std::vector<std::string>& lines) const;
    void push(Session& session, const std::vector<std::string>& lines) const;

    const LessonSpec* spec_ = nullptr;
    Lesson lesson_;
    const SceneSpec* scene_ = nullptr;
    std::size_t page_ = 0;
    unsigned turns_ = 0;
    std::uint64_t files_before_ = 0;  // LastOpened::number when the page began
    bool show_due_ = false;           // of the page that was entered in this frame
    std::optional<Settings> before_;  // the user's, from before the lesson
    std::vector<const SettingSpec*>
        rows_;  // what changes the world, and what pages, tasks and scenes are about
    std::set<std::pair<std::string_view, std::size_t>> done_;
};

}  // namespace lab::lessons
