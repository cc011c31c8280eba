#include "io/terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <limits>
#include <string>

#include "io/text/printable.hpp"

namespace lab::io {
namespace {

/// The size that POSIX guarantees to write to a ready pipe without blocking.
constexpr std::size_t kChunk = 512;
constexpr int kPatience_ms = 250;

std::atomic<bool> output_was_closed{false};
std::atomic<bool> error_is_stuck{false};

bool is_ready(int fd, int patience_ms) {
    pollfd stream{fd, POLLOUT, 0};
    int answer = -1;
    do
        answer = ::poll(&stream, 1, patience_ms);
    while (answer < 0 && errno == EINTR);
    return answer > 0;
}

/// False where it could not write all of it; a negative patience waits for ever.
bool write_patiently(int fd, std::string_view bytes, int patience_ms) {
    while (!bytes.empty()) {
        if (!is_ready(fd, patience_ms)) return false;
        const ssize_t written = ::write(fd, bytes.data(), std::min(bytes.size(), kChunk));
        if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace

void prepare_terminal() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);  // exceeding a file size limit is an error, not the end
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
        if (fd == STDOUT_FILENO) output_was_closed = true;
        (void)::open("/dev/null", O_RDWR);  // takes the lowest number that is free: this one
    }
}

bool print_out(std::string_view text) {
    const std::string shown = printable(text, LineEnds::Keep, std::numeric_limits<std::size_t>::max());
    return !output_was_closed && write_patiently(STDOUT_FILENO, shown, -1);
}

void print_error(std::string_view message) {
    std::string shown;
    for (const char c : printable(message, LineEnds::Keep)) {
        shown += c;
        if (c == '\n') shown += "  ";
    }
    shown += '\n';
    // Once its reader has stopped reading, the stream is only looked at, and not waited for.
    error_is_stuck = !write_patiently(STDERR_FILENO, shown, error_is_stuck ? 0 : kPatience_ms);
}

}  // namespace lab::io
