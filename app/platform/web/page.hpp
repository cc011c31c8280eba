// The page around the program: what the browser's side (app/web/page.js) and this one tell each other.
// Only the WebAssembly build has it.
#pragma once

#include <string>

namespace lab::platform::page {

/// False under node: then there is no canvas, and nobody calls for frames.
[[nodiscard]] bool is_there();

/// The first one takes the progress bar away.
void frame_ended();
/// The program has ended with that exit status.
void ended(int status);
/// To the clipboard; a link with the address of the page before it.
void copy(const std::string& text);
void copy_link(const std::string& link);
void pick_files();
void set_title(const std::string& title);
/// For the keyboard of a touch screen: text is wanted now; a tap where the finger is would make it so.
void set_typing(bool wanted, bool under_pointer);

}  // namespace lab::platform::page
