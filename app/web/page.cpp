// The functions that the page calls: `window.bvlab` in app/web/page.js uses them, and its workers.
#include <emscripten.h>

#include <string>

#include "io/file_kind.hpp"
#include "io/meshes/web/mesh_request.hpp"
#include "io/sessions/report.hpp"
#include "platform/errand.hpp"
#include "program.hpp"
#include "render/mesh/prepared.hpp"
#include "session/commands/commands.hpp"
#include "world/mesh_making.hpp"

// clang-format off
EM_JS(void, bvlab_send, (const char* bytes, int size), { Module["send"](HEAPU8.slice(bytes, bytes + size)); });
// clang-format on

using lab::Program;
using lab::platform::ErrandKind;

namespace {

/// Keeps the text returned last.
const char* hand_out(std::string text) {
    static std::string kept;
    kept = std::move(text);
    return kept.c_str();
}

std::string errand_bytes;

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

/// True while jobs are running, whose results the report and the picture still lack.
EMSCRIPTEN_KEEPALIVE int bvlab_busy() {
    Program* const program = Program::running();
    return program && !program->session().jobs().empty();
}

/// The report of the last frame as JSON.
EMSCRIPTEN_KEEPALIVE const char* bvlab_report() {
    Program* const program = Program::running();
    return hand_out(program ? lab::io::report_text(program->report()) : "null");
}

/// An errand, in a worker: the first function returns the buffer for its bytes, the second does the work. The
/// answer goes out through the module's `send`, in parts.
EMSCRIPTEN_KEEPALIVE char* bvlab_errand_bytes(int size) {
    errand_bytes.resize(static_cast<std::size_t>(size));
    return errand_bytes.data();
}
EMSCRIPTEN_KEEPALIVE void bvlab_errand(int kind) {
    const auto send = [](const std::string& part) {
        bvlab_send(part.data(), static_cast<int>(part.size()));
        return true;
    };
    switch (static_cast<ErrandKind>(kind)) {
        case ErrandKind::ReadMesh:
            lab::io::answer_mesh_request(errand_bytes, send);
            break;
        case ErrandKind::PrepareMesh:
            send(lab::render::prepare_bytes(errand_bytes));
            break;
        case ErrandKind::FindExtremes:
            send(lab::extremes_of_bytes(errand_bytes));
            break;
    }
}

}  // extern "C"
