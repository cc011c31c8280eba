// System services of a page: no threads, no context without a canvas, and memory
// that only the browser knows about.
#include "platform/headless.hpp"
#include "platform/host.hpp"
#include "platform/memory.hpp"
#include "platform/threads/threads.hpp"
#include "platform/web/page.hpp"

namespace lab::platform {

bool in_browser() {
    return true;
}

bool has_site() {
    return page::is_there() && page::has_site();
}

void note_end_signals() {}

bool was_asked_to_end() {
    return false;
}

bool has_threads() {
    return false;
}

void rest(double) {}

std::optional<std::uint64_t> available_memory() {
    return std::nullopt;
}

HeadlessResult open_headless(const HeadlessOptions&) {
    HeadlessResult result;
    result.error.kind = OpenError::Kind::NoOpenGl;
    result.error.message = "pictures need a page in a browser.";
    result.error.hint = "Open the page in a browser.";
    return result;
}

}  // namespace lab::platform
