// Bounding Volume Lab: arguments, then one frame after the other (program.cpp).
#include <optional>

#include "capture/diagnosis.hpp"
#include "io/terminal.hpp"
#include "io/text/printable.hpp"
#include "options.hpp"
#include "platform/threads/thread_pool.hpp"
#include "program.hpp"

namespace {

/// Prints what is wrong with the trees of a capture, under `heading`. Nothing if that cannot be written;
/// false if the capture or a tree of it cannot be read.
std::optional<bool> diagnose(const std::string& path, const std::string& heading) {
    auto file = lab::io::CaptureFile::open(path);
    if (!file) {
        lab::io::print_error("bvlab: " + file.error().text());
        return false;
    }
    const auto diagnosis = lab::capture::diagnose(*file, lab::capture::make_survey(*file));
    if (lab::io::print_out(heading + lab::capture::diagnosis_text(*diagnosis)))
        return !diagnosis->has_failed();
    lab::io::print_error("bvlab: cannot write to standard output");
    return std::nullopt;
}

lab::ExitStatus diagnose_all(const std::vector<std::string>& paths) {
    lab::ExitStatus status = lab::ExitStatus::Done;
    for (const std::string& path : paths) {
        const bool is_first = &path == &paths.front();
        const std::string heading =
            paths.size() == 1 ? std::string() : (is_first ? "" : "\n") + lab::io::printable(path) + ":\n";
        const std::optional<bool> is_well = diagnose(path, heading);
        if (!is_well) return lab::ExitStatus::FileProblem;
        if (!*is_well) status = lab::ExitStatus::FileProblem;
    }
    return status;
}

int run(int argc, char** argv) {
    const lab::ParsedOptions parsed = lab::parse_options(argc, argv);
    if (!parsed.options) return static_cast<int>(parsed.status);
    if (const auto threads = parsed.options->threads)
        lab::platform::all_cores().set_threads(static_cast<unsigned>(*threads));
    if (!parsed.options->diagnose.empty()) return static_cast<int>(diagnose_all(parsed.options->diagnose));
    auto program = std::make_unique<lab::Program>(*parsed.options);
    const lab::ExitStatus status = program->begin();
    if (status != lab::ExitStatus::Done) return static_cast<int>(status);
    return lab::platform::run_frames(std::move(program));
}

}  // namespace

int main(int argc, char** argv) {
    lab::io::prepare_terminal();
    return lab::guarded([&] { return run(argc, argv); });
}
