// What the page asks of the program: `window.bvlab` in app/web/page.js calls these.
#include <emscripten.h>

#include <string>

#include "io/file_kind.hpp"
#include "io/sessions/report.hpp"
#include "program.hpp"
#include "session/commands/commands.hpp"

using lab::Program;

namespace {

/// Keeps the text that was handed out last.
const char* hand_out(std::string text) {
    static std::string kept;
    kept = std::move(text);
    return kept.c_str();
}

}  // namespace

extern "C" {

/// Queues the commands of a text for the next frame.
EMSCRIPTEN_KEEPALIVE void bvlab_run(const char* text) {
    Program* const program = Program::running();
    if (!program) return;
    for (std::string& line : lab::split_lines(text))
        program->session().commands().push(std::move(line), "page");
}

EMSCRIPTEN_KEEPALIVE void bvlab_save_preferences() {
    if (Program* const program = Program::running()) program->save_preferences();
}

/// Of files that come together, these are opened; others, like materials, are only read by them.
EMSCRIPTEN_KEEPALIVE int bvlab_opens(const char* name) {
    return lab::io::kind_of_file(name) != lab::io::FileKind::Unknown;
}

/// True while jobs are under way: then the report and the picture lack what they make.
EMSCRIPTEN_KEEPALIVE int bvlab_busy() {
    Program* const program = Program::running();
    return program && !program->session().jobs().empty();
}

/// The report of the last frame as JSON.
EMSCRIPTEN_KEEPALIVE const char* bvlab_report() {
    Program* const program = Program::running();
    return hand_out(program ? lab::io::report_text(program->report()) : "null");
}

}  // extern "C"
