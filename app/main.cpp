// Bounding Volume Lab: arguments, then one frame after the other (program.cpp).
#include "io/terminal.hpp"
#include "options.hpp"
#include "program.hpp"

namespace {

int run(int argc, char** argv) {
    const lab::ParsedOptions parsed = lab::parse_options(argc, argv);
    if (!parsed.options) return static_cast<int>(parsed.status);
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
