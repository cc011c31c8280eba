#include "platform/host.hpp"

namespace lab::platform {

bool in_browser() {
    return false;
}

bool has_site() {
    return false;
}

}  // namespace lab::platform
