// What the program runs in: a desktop, or a page in a browser.
#pragma once

namespace lab::platform {

/// True in a page: browsers keep some keys, nothing listens to other programs, and files are downloads.
[[nodiscard]] bool in_browser();

/// Whether there is a site around the page, which `Surface::open_site` opens.
[[nodiscard]] bool has_site();

/// From now on, a signal that asks the program to end (SIGTERM, SIGINT, SIGHUP) is only noted, so that it can
/// save first. A second one of the kind ends it at once. Ignored signals stay so.
void note_end_signals();
/// True after such a signal.
[[nodiscard]] bool was_asked_to_end();

}  // namespace lab::platform
