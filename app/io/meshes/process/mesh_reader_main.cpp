// bvlab-mesh-reader EXTENSION CPU_MS MEMORY_BYTES [NAME...]: reads one mesh from descriptor 4, with the files
// of these names, which it refers to, on those that follow, and sends it over descriptor 3. Only the main
// program starts it, and survives whatever a file does to it.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "io/meshes/process/child_process.hpp"
#include "io/meshes/process/mesh_exchange.hpp"
#include "io/meshes/process/reader_fence.hpp"
#include "io/sanitized.hpp"

namespace {

using namespace lab::io;

void set_limit(int what, rlim_t value) {
    const rlimit limit{value, value};
    ::setrlimit(static_cast<__rlimit_resource_t>(what), &limit);
}

void limit_self(long cpu_ms, unsigned long long memory_bytes) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_FSIZE, 0);
    set_limit(RLIMIT_CPU, static_cast<rlim_t>(cpu_ms / 1000 + 2));
    // The limit above counts whole seconds; this timer ends the program after milliseconds of its own time.
    const itimerval timer{{0, 0}, {cpu_ms / 1000, (cpu_ms % 1000) * 1000}};
    ::setitimer(ITIMER_PROF, &timer, nullptr);
    if (!kSanitized) set_limit(RLIMIT_AS, static_cast<rlim_t>(memory_bytes));
}

bool send(const std::string& bytes) {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        const ssize_t written = ::write(ChildProcess::kPipe, bytes.data() + sent, bytes.size() - sent);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        sent += static_cast<std::size_t>(written);
    }
    return true;
}

/// A file that is open already: its size is asked for before the fence goes up, its bytes are read behind it.
struct OpenFile {
    int descriptor = -1;
    std::size_t size = 0;
    explicit OpenFile(int number) : descriptor(number) {
        struct stat info {};
        if (::fstat(number, &info) == 0) size = static_cast<std::size_t>(info.st_size);
    }
    [[nodiscard]] std::string bytes() const {
        std::string bytes(size, '\0');
        std::size_t filled = 0;
        while (filled < size) {
            const ssize_t got = ::read(descriptor, bytes.data() + filled, size - filled);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) break;  // truncated meanwhile; the reader reports what is missing
            filled += static_cast<std::size_t>(got);
        }
        bytes.resize(filled);
        return bytes;
    }
};

bool read_and_send(const char* extension, const std::vector<OpenFile>& files, char** names) {
    try {
        Siblings siblings;
        for (std::size_t i = 1; i < files.size(); ++i)
            siblings.emplace(names[i - 1], files[i].bytes());
        return wire::answer(extension, files[0].bytes(), siblings, send);
    } catch (const std::bad_alloc&) {
        return send(wire::encode_failure({"", "", wire::kNoMemory, wire::kDamaged}));
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 4 || ::fcntl(ChildProcess::kPipe, F_GETFD) < 0) return 2;
    limit_self(std::strtol(arguments[2], nullptr, 10), std::strtoull(arguments[3], nullptr, 10));
    // Without the message that goes to a stream which the fence closes; a destructor that runs out of memory
    // ends here.
    std::set_terminate(std::abort);
    std::vector<OpenFile> files;
    files.reserve(static_cast<std::size_t>(count) - 3);
    for (int i = 0; i < count - 3; ++i)
        files.emplace_back(ChildProcess::kFirstGiven + i);
    if (const std::uint32_t refused = fence_in(ChildProcess::kPipe); refused != 0)
        send(wire::encode_refused_fences(refused));
    const bool sent = read_and_send(arguments[1], files, arguments + 4);
    // Destructors would only cost time.
    ::_exit(sent ? 0 : 1);
}
