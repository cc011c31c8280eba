#include "program.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "commands/catalog.hpp"
#include "io/png.hpp"
#include "io/sessions/report.hpp"
#include "io/terminal.hpp"
#include "io/text/printable.hpp"
#include "platform/host.hpp"
#include "platform/jobs.hpp"
#include "platform/threads/threads.hpp"
#include "session/files/saver.hpp"
#include "session/files/tree_files.hpp"
#include "session/report.hpp"
#include "settings/program.hpp"

namespace lab {
namespace {

ExitStatus fail(ExitStatus status, const std::string& why) {
    io::print_error("bvlab: " + why);
    return status;
}

/// How long the steps of a frame may take before those that are still owed are dropped.
constexpr double kCatchUp_ms = 50.0;

/// How many more frames a run takes for commands that wait for the next frame.
constexpr int kMaxWaiting = 1000;

Program* the_program = nullptr;

/// The kind of output, for messages.
std::string_view kind_of(TreeFileRequest::What what) {
    using enum TreeFileRequest::What;
    switch (what) {
        case Boxes:
            return "a list of boxes";
        case Snapshot:
            return "a tree";
        case Structure:
            return "an exported tree";
        case Metrics:
            break;
    }
    return "metrics of trees";
}

std::optional<io::FileError> write_picture(const std::string& path, const render::Image& image) {
    return io::write_png(path, image.size.x, image.size.y, image.rgba);
}

}  // namespace

Program::Program(Options options)
    : options_(std::move(options)),
      stage_(options_, lesson_),
      is_script_(options_.headless || options_.frames),
      printer_(options_.headless),
      frames_(options_.frames.value_or(!options_.headless ? 0
                                       : options_.lesson  ? 2
                                                          : 1)) {}

Program::~Program() {
    if (the_program == this) the_program = nullptr;
}

Program* Program::running() {
    return the_program;
}

ExitStatus Program::begin() {
    if (options_.headless && (stage_.opens_at_once() || !options_.screenshot.empty()))
        if (const std::string why = Stage::too_large(options_.size); !why.empty())
            return fail(ExitStatus::WrongArguments, why);
    if (stage_.opens_at_once())
        if (const std::string why = stage_.open(); !why.empty()) return fail(ExitStatus::NoOpenGl, why);

    session_ = std::make_unique<Session>(command_table());
    if (!is_script_)
        session_->work_in_background(platform::has_threads() ? JobMode::Background : JobMode::Slices,
                                     stage_.mesh_observer());
    if (!options_.headless) preferences_.load(session_->log());
    for (const std::string& line : preferences_.commands())
        startup_.push(line);
    for (std::string& line : layout_commands(options_, preferences_.commands()))
        session_->commands().push(std::move(line));
    session_->drain();
    ExitStatus status = ExitStatus::Done;
    std::string problem;
    if (!push_startup_commands(options_, startup_, problem, status)) return fail(status, problem);
    the_program = this;
    if (!options_.headless) platform::note_end_signals();
    return ExitStatus::Done;
}

std::optional<int> Program::frame() {
    std::optional<int> ended;
    const int failed = guarded([&] {
        if (const std::optional<ExitStatus> status = next_frame()) ended = static_cast<int>(*status);
        return 0;
    });
    return failed != 0 ? failed : ended;
}

// One frame: 1 poll the input, 2 drain the commands, 3 step, 4 results, 5 the picture, 6 panels.
std::optional<ExitStatus> Program::next_frame() {
    Session& session = *session_;
    ++frame_;
    const platform::InputFrame input = stage_.poll(session.state().settings);  // 1
    controls_.push_commands(input, stage_.view(), session, session.commands());
    session.commands().append(startup_);
    session.drain();  // 2
    lesson_.obey(session);
    StepInput step = stage_.step_input(session.shown());
    if (!is_script_) step.catch_up_ms = kCatchUp_ms;
    session.step(is_script_ ? Session::kFixedStep_s : input.dt_s, step);  // 3, 4
    lesson_.look(session);
    save_progress();
    stage_.watch(session);

    OutsideRequests requests = session.take_requests();
    if (requests.palette) stage_.open_palette(*requests.palette);
    if (requests.menu) stage_.open_menu(*requests.menu);
    if (requests.clip && clip_.going())
        session.refuse({}, fmt::format("`clip {}`: another clip is still being written",
                                       io::printable(requests.clip->folder)));
    else if (requests.clip)
        clip_.begin(*requests.clip);
    const bool last = is_last(requests);
    if (last && !options_.screenshot.empty()) requests.screenshots.push_back(options_.screenshot);
    if (last && !options_.report.empty()) requests.reports.push_back(options_.report);
    if (stage_.draws(!requests.screenshots.empty() || clip_.going())) {
        if (const std::string why = stage_.open(); !why.empty()) return fail(ExitStatus::NoOpenGl, why);
        stage_.draw(session, stage_.visualize(session, controls_.look()));  // 5
        stage_.draw_panels(session);                                        // 6
        for (std::string& message : stage_.take_driver_messages())
            session.log().warning(std::move(message));
    }
    write_outputs(requests);
    if (requests.link) copy_link();
    if (requests.full_screen && !stage_.toggle_full_screen())
        session.log().warning("There is no full screen here");
    if (requests.site && !stage_.open_site()) session.log().warning("There are no pages around the lab here");
    options_.link.insert(options_.link.end(), requests.linked.begin(), requests.linked.end());
    if (!write_clip() && is_script_) status_ = ExitStatus::FileProblem;
    printer_.print_new(session.messages());
    stage_.set_title(fmt::format("{} - Bounding Volume Lab", session.state().scene.spec->title));
    stage_.present(session.jobs());
    if (!last) return std::nullopt;  // also after a clip that failed: the other outputs are still due
    return end();
}

/// A run of a given number of frames goes on for a clip, and for commands and steps that wait for the next
/// frame.
bool Program::is_last(const OutsideRequests& requests) {
    if (requests.quit || platform::was_asked_to_end()) return true;
    if (frames_ == 0 || frame_ < frames_ || clip_.left() > 1) return false;
    if (!session_->has_waiting_work()) return true;
    if (++waited_ <= kMaxWaiting) return false;
    session_->refuse(
        {}, fmt::format("commands still wait after {} more frames: run the rest separately", kMaxWaiting));
    return true;
}

ExitStatus Program::end() {
    lesson_.close(*session_);
    session_->saver().finish();
    save_preferences();
    printer_.print_new(session_->messages());
    return status_ == ExitStatus::Done ? status_of(options_, *session_) : status_;
}

void Program::save_preferences() {
    if (options_.headless) return;
    // Settings from options and links apply to this session alone.
    std::vector<std::string> set_for_now = preferences_.assignments_of(options_.link);
    set_for_now.insert(set_for_now.end(), options_.settings.begin(), options_.settings.end());
    preferences_.save(lesson_.settings_without_lesson(*session_), set_for_now, session_->log());
}

/// Finished lessons and opened files are saved at once: the session may end in any way.
void Program::save_progress() {
    std::string progress;
    for (const SettingSpec* row : kProgressSettings)
        progress += session_->state().settings.get_as_text(*row) + '\n';
    if (saved_progress_ && *saved_progress_ != progress) save_preferences();
    saved_progress_ = std::move(progress);
}

io::Report Program::report() const {
    io::Report report = make_report(*session_, BVLAB_VERSION);
    report.timings_ms.viz = stage_.visualize_ms();
    report.timings_ms.render = stage_.draw_ms();
    report.widgets = stage_.widgets();
    return report;
}

/// Why this output may not be written to `path`; nothing if it may.
std::optional<io::FileError> Program::claim(const std::string& path, std::string_view kind) {
    for (const std::string& failed : session_->saver().take_failed())
        outputs_.release(failed);
    std::string why;
    if (outputs_.claim(path, kind, why)) return std::nullopt;
    return io::FileError{path, "", why, "Choose another name"};
}

/// Writes the outputs requested by this frame's commands and, after the last frame, by the command line.
void Program::write_outputs(const OutsideRequests& requests) {
    Saver& saver = session_->saver();
    const auto is_free = [&](const std::string& path, std::string_view kind) {
        const std::optional<io::FileError> taken = claim(path, kind);
        if (taken) saver.refuse(*taken);
        return !taken;
    };
    for (const std::string& path : requests.screenshots)
        if (is_free(path, "a picture"))
            saver.write_file(path, [path, image = stage_.picture()] { return write_picture(path, image); });
    for (const std::string& path : requests.scenes)
        if (is_free(path, "a scene")) saver.save_scene(path);
    for (const std::string& path : requests.reports)
        if (is_free(path, "a report"))
            saver.write_file(path, [path, report = report()] { return io::write_report(path, report); });
    for (const std::string& path : requests.captures)
        if (is_free(path, "a capture")) saver.save_capture(path);
    for (const TreeFileRequest& request : requests.tree_files)
        if (is_free(request.path, kind_of(request.what)))
            saver.write_file(request.path, tree_file_writer(request, *session_));
}

void Program::copy_link() {
    const io::Result<std::string> link = session_->saver().link(lesson_.link_part());
    MessageLog& log = session_->log();
    if (!link) return log.error(link.error().text());
    using enum platform::Surface::Copied;
    const platform::Surface::Copied copied = stage_.copy_link(*link);
    if (copied == Yes) log.info(fmt::format("Link copied: {} characters", link->size()));
    if (copied == No) log.info("The link: " + *link);
}

/// Writes this frame's picture while a clip is recorded. False if that failed.
bool Program::write_clip() {
    if (!clip_.going()) return true;
    const std::string path = clip_.next_file();
    std::optional<io::FileError> error = claim(path, "a picture of a clip");
    if (!error) {
        error = write_picture(path, stage_.picture());
        if (error) outputs_.release(path);
    }
    if (error) clip_.stop();
    if (error) session_->log().error(error->text());
    if (!error && !clip_.going()) session_->log().info(clip_.summary());
    return !error;
}

int guarded(const std::function<int()>& work) {
    try {
        return work();
    } catch (const std::exception& problem) {
        io::print_error(fmt::format("bvlab: the session had to end: {}", problem.what()));
        return static_cast<int>(ExitStatus::Failed);
    }
}

}  // namespace lab
