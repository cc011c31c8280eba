// Bounding Volume Lab: arguments, then one frame after the other. A window, a headless run, a lesson and a
// test all go through the same loop.
#include <fmt/format.h>

#include <cstdio>

#include "controls.hpp"
#include "io/report.hpp"
#include "options.hpp"
#include "preferences.hpp"
#include "sandbox/report.hpp"
#include "sandbox/sandbox.hpp"
#include "sandbox/tree_files.hpp"
#include "stage.hpp"
#include "startup.hpp"

namespace lab {
namespace {

ExitStatus fail(ExitStatus status, const std::string& why) {
    fmt::print(stderr, "bvlab: {}\n", why);
    return status;
}

/// Writes what commands of this frame and, after the last one, the command line asked for. False if a file
/// could not be written.
bool write_outputs(const OutsideRequests& requests, const Stage& stage, Sandbox& sandbox) {
    bool all_written = true;
    const auto note = [&](const std::optional<io::FileError>& error, const std::string& path) {
        all_written = all_written && !error;
        if (error) sandbox.log().error(error->text());
        if (!error) sandbox.log().info(fmt::format("{} was written", path));
    };
    for (const std::string& path : requests.screenshots)
        note(stage.save_picture(path), path);
    for (const std::string& path : requests.scenes)
        note(sandbox.save_scene(path), path);
    for (const std::string& path : requests.reports) {
        io::Report report = make_report(sandbox, BVLAB_VERSION);
        report.widgets = stage.widgets();
        note(io::write_report(path, report), path);
    }
    for (const TreeFileRequest& request : requests.tree_files)
        note(write_tree_file(request, sandbox), request.path);
    return all_written;
}

ExitStatus run(const Options& options) {
    Stage stage(options);
    if (stage.opens_at_once())
        if (const std::string why = stage.open(); !why.empty()) return fail(ExitStatus::NoOpenGl, why);

    Sandbox sandbox;
    Controls controls;
    MessagePrinter printer(options.headless);
    Preferences preferences;
    if (!options.headless) preferences.load(sandbox.log());
    CommandQueue startup;
    for (const std::string& line : preferences.commands())
        startup.push(line);
    ExitStatus status = ExitStatus::Done;
    std::string problem;
    if (!push_startup_commands(options, startup, problem, status)) return fail(status, problem);

    const int frames = options.frames.value_or(options.headless ? 1 : 0);  // 0: until the user ends it
    for (int frame = 1; status == ExitStatus::Done; ++frame) {
        const platform::InputFrame input = stage.poll(sandbox.settings());  // 1
        controls.push_commands(input, stage.view(), sandbox, sandbox.commands());
        sandbox.commands().append(startup);
        sandbox.drain();           // 2
        sandbox.step(input.dt_s);  // 3, 4: sandbox.results()

        OutsideRequests requests = sandbox.take_requests();
        if (requests.palette) stage.open_palette(*requests.palette);
        if (requests.menu) stage.open_menu(*requests.menu);
        const bool last = frame == frames || requests.quit;
        if (last && !options.screenshot.empty()) requests.screenshots.push_back(options.screenshot);
        if (last && !options.report.empty()) requests.reports.push_back(options.report);
        if (stage.draws(!requests.screenshots.empty())) {
            if (const std::string why = stage.open(); !why.empty()) return fail(ExitStatus::NoOpenGl, why);
            stage.draw(sandbox, stage.visualize(sandbox, controls.look()));  // 5
            sandbox.set_drawing_times(stage.visualize_ms(), stage.draw_ms());
            stage.draw_panels(sandbox);  // 6
        }
        if (!write_outputs(requests, stage, sandbox)) status = ExitStatus::FileProblem;
        printer.print_new(sandbox.messages());
        stage.set_title(fmt::format("{} - Bounding Volume Lab", sandbox.scene().title));
        stage.present();
        if (last) break;
    }
    if (!options.headless)
        preferences.save(sandbox.settings_without_presets(), options.settings, sandbox.log());
    printer.print_new(sandbox.messages());
    return status == ExitStatus::Done ? status_of(options, sandbox) : status;
}

}  // namespace
}  // namespace lab

int main(int argc, char** argv) {
    const lab::ParsedOptions parsed = lab::parse_options(argc, argv);
    return static_cast<int>(parsed.options ? lab::run(*parsed.options) : parsed.status);
}
