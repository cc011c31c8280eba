#include "platform/host.hpp"

#include "platform/errand.hpp"

namespace lab::platform {

bool in_browser() {
    return false;
}

bool has_site() {
    return false;
}

std::unique_ptr<Errand> send_errand(ErrandKind, std::string_view) {
    return nullptr;  // threads and processes do the work
}

}  // namespace lab::platform
