// The page around the program: the calls between the browser's side (app/web/page.js) and this one. Only the
// WebAssembly build has it.
#pragma once

#include <string>

namespace lab::platform::page {

/// False under node: there is no canvas and no frame is requested.
[[nodiscard]] bool is_there();

/// The first call removes the progress bar.
void frame_ended();
/// The program has ended with this exit status.
void ended(int status);
/// Copies to the clipboard; `copy_link` puts the address of the page before the link.
void copy(const std::string& text);
void copy_link(const std::string& link);
void pick_files();
/// False if the browser does not offer it.
[[nodiscard]] bool toggle_full_screen();
/// Whether this page has a site around it.
[[nodiscard]] bool has_site();
[[nodiscard]] bool open_site();
void set_title(const std::string& title);
/// For on-screen keyboards: whether text is wanted now, and whether a tap at the finger's position would make
/// it wanted.
void set_typing(bool wanted, bool under_pointer);

}  // namespace lab::platform::page
