// The functions that the page calls: `window.bvlab` in app/web/page.js uses them.
#include <emscripten.h>

#include <string>

#include "io/file_kind.hpp"
#include "io/sessions/report.hpp"
#include "program.hpp"
#include "session/commands/commands.hpp"

using lab::Program;

namespace {

/// Keeps the text returned last.
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

/// Shows a message of the page among those of the session.
EMSCRIPTEN_KEEPALIVE void bvlab_message(const char* text, int is_warning) {
    Program* const program = Program::running();
    if (!program) return;
    if (is_warning != 0)
        program->session().log().warning(text);
    else
        program->session().log().info(text);
}

EMSCRIPTEN_KEEPALIVE void bvlab_save_preferences() {
    if (Program* const program = Program::running()) program->save_preferences();
}

/// Of files dropped together, these are opened; others, like materials, are only read by them.
EMSCRIPTEN_KEEPALIVE int bvlab_opens(const char* name) {
    return lab::io::kind_of_file(name) != lab::io::FileKind::Unknown;
}

/// True while jobs are running: then the report and the picture lack their results.
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
