// What the program runs in: a desktop, or a page in a browser.
#pragma once

namespace lab::platform {

/// True in a page: browsers keep some keys, nothing listens to other programs, and files are downloads.
[[nodiscard]] bool in_browser();

/// Whether there is a site around the page, which `Surface::open_site` opens.
[[nodiscard]] bool has_site();

}  // namespace lab::platform
