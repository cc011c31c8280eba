// Bounding Volume Lab: arguments, then one frame after the other. A window, a headless run, a lesson and a
// test all go through the same loop.
#include <fmt/format.h>

#include <exception>

#include "clip.hpp"
#include "commands/catalog.hpp"
#include "controls.hpp"
#include "io/png.hpp"
#include "io/sessions/report.hpp"
#include "io/terminal.hpp"
#include "lessons/player.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "platform/jobs.hpp"
#include "preferences.hpp"
#include "session/files/saver.hpp"
#include "session/files/tree_files.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "stage.hpp"
#include "startup.hpp"

namespace lab {
namespace {

ExitStatus fail(ExitStatus status, const std::string& why) {
    io::print_error("bvlab: " + why);
    return status;
}

std::optional<io::FileError> write_picture(const std::string& path, const render::Image& image) {
    return io::write_png(path, image.size.x, image.size.y, image.rgba);
}

/// Writes the outputs requested by this frame's commands and, after the last frame, by the command line.
void write_outputs(const OutsideRequests& requests, const Stage& stage, Session& session, Outputs& outputs) {
    const auto is_free = [&](const std::string& path, std::string_view kind) {
        std::string why;
        if (outputs.claim(path, kind, why)) return true;
        session.saver().write_file(path, [path, why] {
            return io::FileError{path, "", why, "Choose another name"};
        });
        return false;
    };
    for (const std::string& path : requests.screenshots)
        if (is_free(path, "a picture"))
            session.saver().write_file(
                path, [path, image = stage.picture()] { return write_picture(path, image); });
    for (const std::string& path : requests.scenes)
        if (is_free(path, "a scene")) session.saver().save_scene(path);
    for (const std::string& path : requests.reports) {
        if (!is_free(path, "a report")) continue;
        io::Report report = make_report(session, BVLAB_VERSION);
        report.timings_ms.viz = stage.visualize_ms();
        report.timings_ms.render = stage.draw_ms();
        report.widgets = stage.widgets();
        session.saver().write_file(
            path, [path, report = std::move(report)] { return io::write_report(path, report); });
    }
    for (const TreeFileRequest& request : requests.tree_files)
        if (is_free(request.path, "a tree"))
            session.saver().write_file(request.path, tree_file_writer(request, session));
}

/// Writes this frame's picture while a clip is recorded. False if that failed.
bool write_clip(Clip& clip, const Stage& stage, Session& session) {
    if (!clip.going()) return true;
    const std::optional<io::FileError> error = write_picture(clip.next_file(), stage.picture());
    if (error) clip.stop();
    if (error) session.log().error(error->text());
    if (!error && !clip.going()) session.log().info(clip.summary());
    return !error;
}

ExitStatus run(const Options& options) {
    lessons::Player lesson;
    Stage stage(options, lesson);
    if (options.headless && (stage.opens_at_once() || !options.screenshot.empty()))
        if (const std::string why = Stage::too_large(options.size); !why.empty())
            return fail(ExitStatus::WrongArguments, why);
    if (stage.opens_at_once())
        if (const std::string why = stage.open(); !why.empty()) return fail(ExitStatus::NoOpenGl, why);

    Session session(command_table());
    // A run of a given length is a script: it waits for its jobs and fails on errors.
    const bool is_script = options.headless || options.frames;
    if (!is_script) session.work_in_background(stage.mesh_observer());
    Controls controls;
    MessagePrinter printer(options.headless);
    Preferences preferences;
    if (!options.headless) preferences.load(session.log());
    CommandQueue startup;
    for (const std::string& line : preferences.commands())
        startup.push(line);
    for (std::string& line : layout_commands(options, preferences.commands()))
        session.commands().push(std::move(line));
    session.drain();
    ExitStatus status = ExitStatus::Done;
    std::string problem;
    if (!push_startup_commands(options, startup, problem, status)) return fail(status, problem);

    // 0: until the user ends it. A lesson takes its place in one frame and is seen in it in the next.
    const int frames = options.frames.value_or(!options.headless ? 0 : options.lesson ? 2 : 1);
    Clip clip;
    Outputs outputs;
    for (int frame = 1; status == ExitStatus::Done; ++frame) {
        const platform::InputFrame input = stage.poll(session.state().settings);  // 1
        controls.push_commands(input, stage.view(), session, session.commands());
        session.commands().append(startup);
        session.drain();  // 2
        lesson.obey(session);
        session.step(is_script ? Session::kFixedStep_s : input.dt_s,
                     stage.step_input(session.shown()));  // 3, 4
        lesson.look(session);
        stage.watch(session);

        OutsideRequests requests = session.take_requests();
        if (requests.palette) stage.open_palette(*requests.palette);
        if (requests.menu) stage.open_menu(*requests.menu);
        if (requests.clip) clip.begin(*requests.clip);
        const bool last = (frames > 0 && frame >= frames && clip.left() <= 1) || requests.quit;
        if (last && !options.screenshot.empty()) requests.screenshots.push_back(options.screenshot);
        if (last && !options.report.empty()) requests.reports.push_back(options.report);
        if (stage.draws(!requests.screenshots.empty() || clip.going())) {
            if (const std::string why = stage.open(); !why.empty()) return fail(ExitStatus::NoOpenGl, why);
            stage.draw(session, stage.visualize(session, controls.look()));  // 5
            stage.draw_panels(session);                                      // 6
            for (std::string& message : stage.take_driver_messages())
                session.log().warning(std::move(message));
        }
        write_outputs(requests, stage, session, outputs);
        if (!write_clip(clip, stage, session) && is_script) status = ExitStatus::FileProblem;
        printer.print_new(session.messages());
        stage.set_title(fmt::format("{} - Bounding Volume Lab", session.state().scene.spec->title));
        stage.present(session.jobs());
        if (last) break;
    }
    lesson.close(session);
    session.saver().finish();
    if (!options.headless)
        preferences.save(session.state().settings_without_presets(), options.settings, session.log());
    printer.print_new(session.messages());
    return status == ExitStatus::Done ? status_of(options, session) : status;
}

}  // namespace
}  // namespace lab

int main(int argc, char** argv) {
    lab::io::prepare_terminal();
    try {
        const lab::ParsedOptions parsed = lab::parse_options(argc, argv);
        return static_cast<int>(parsed.options ? lab::run(*parsed.options) : parsed.status);
    } catch (const std::exception& problem) {
        lab::io::print_error(fmt::format("bvlab: the session had to end: {}", problem.what()));
        return static_cast<int>(lab::ExitStatus::Failed);
    }
}
