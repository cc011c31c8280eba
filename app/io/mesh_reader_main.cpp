// bvlab-mesh-reader FILE CPU_MS MEMORY_BYTES: reads one mesh under limits and sends it over descriptor 3.
// Started by the main program only; whatever the file makes of it, the main program goes on.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "io/mesh_import.hpp"
#include "io/mesh_wire.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BVLAB_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BVLAB_SANITIZED 1
#endif
#endif

namespace {

void set_limit(int what, rlim_t value) {
    const rlimit limit{value, value};
    ::setrlimit(static_cast<__rlimit_resource_t>(what), &limit);
}

void limit_self(long cpu_ms, unsigned long long memory_bytes) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_FSIZE, 0);
    set_limit(RLIMIT_CPU, static_cast<rlim_t>(cpu_ms / 1000 + 2));
    // The limit above counts whole seconds; this timer ends the program after milliseconds of its own time.
    const itimerval timer{{0, 0}, {cpu_ms / 1000, (cpu_ms % 1000) * 1000}};
    ::setitimer(ITIMER_PROF, &timer, nullptr);
#ifndef BVLAB_SANITIZED
    // Sanitizers reserve terabytes of addresses for themselves.
    set_limit(RLIMIT_AS, static_cast<rlim_t>(memory_bytes));
#else
    (void)memory_bytes;
#endif
}

bool send(const std::string& bytes) {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        const ssize_t written = ::write(lab::io::wire::kPipe, bytes.data() + sent, bytes.size() - sent);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        sent += static_cast<std::size_t>(written);
    }
    return true;
}

int read_and_send(const std::string& path) {
    using namespace lab::io;
    float last = -1.0f;
    const auto progress = [&last](float fraction) {
        if (fraction - last < 0.01f) return;
        last = fraction;
        send(wire::encode_progress(fraction));
    };
    FileError failure{path, "", "reading it failed", "The file is probably damaged"};
    try {
        const Result<MeshFile> file = import_mesh(path, progress);
        if (file) return send(wire::encode_mesh(*file)) ? 0 : 1;
        failure = file.error();
    } catch (const std::bad_alloc&) {
        failure.what = "reading it needs more memory than is allowed for a file";
    } catch (const std::exception&) {
        // Nothing that a parser's exception says helps a user more than the words above.
    }
    return send(wire::encode_failure(failure)) ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 4 || ::fcntl(lab::io::wire::kPipe, F_GETFD) < 0) return 2;
    limit_self(std::strtol(arguments[2], nullptr, 10), std::strtoull(arguments[3], nullptr, 10));
    const int status = read_and_send(arguments[1]);
    // Taking a large scene apart again would only cost time.
    ::_exit(status);
}
