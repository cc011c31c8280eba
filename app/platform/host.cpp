#include "platform/host.hpp"

#include <csignal>

#include "platform/errand.hpp"

namespace lab::platform {
namespace {

volatile std::sig_atomic_t end_signal = 0;

void note_end_signal(int signal) {
    end_signal = signal;
}

}  // namespace

bool in_browser() {
    return false;
}

bool has_site() {
    return false;
}

void note_end_signals() {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        struct sigaction action {};
        if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
        action.sa_handler = note_end_signal;
        action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
        (void)::sigaction(signal, &action, nullptr);
    }
}

bool was_asked_to_end() {
    return end_signal != 0;
}

std::unique_ptr<Errand> send_errand(ErrandKind, std::string_view) {
    return nullptr;  // threads and processes do the work
}

}  // namespace lab::platform
