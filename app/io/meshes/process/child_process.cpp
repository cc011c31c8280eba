#include "io/meshes/process/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace lab::io {
namespace {

void close_all(const std::vector<int>& descriptors) {
    for (const int descriptor : descriptors)
        if (descriptor >= 0) ::close(descriptor);
}

/// Duplicates above all descriptor numbers that the child uses, so that dup2 to a number closes no other.
std::vector<int> copies_above(int last, int pipe, std::span<const int> given) {
    std::vector<int> copies{::fcntl(pipe, F_DUPFD_CLOEXEC, last + 1)};
    for (const int descriptor : given)
        copies.push_back(::fcntl(descriptor, F_DUPFD_CLOEXEC, last + 1));
    return copies;
}

}  // namespace

std::optional<ChildProcess> ChildProcess::start(const std::filesystem::path& program,
                                                const std::vector<std::string>& arguments,
                                                std::span<const int> given, std::string& why) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        why = std::generic_category().message(errno);
        return std::nullopt;
    }
    const int last = kPipe + static_cast<int>(given.size());
    const std::vector<int> copies = copies_above(last, ends[1], given);
    ::close(ends[1]);
    if (std::find(copies.begin(), copies.end(), -1) != copies.end()) {
        why = std::generic_category().message(errno);
        close_all(copies);
        ::close(ends[0]);
        return std::nullopt;
    }
    std::vector<std::string> words{program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);

    // posix_spawn, not fork: the program may have threads and a graphics driver that do not survive a fork.
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    for (const int standard : {0, 1, 2})
        ::posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0);
    for (std::size_t i = 0; i < copies.size(); ++i)
        ::posix_spawn_file_actions_adddup2(&actions, copies[i], kPipe + static_cast<int>(i));
    ::posix_spawn_file_actions_addclosefrom_np(&actions, last + 1);
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    pid_t pid = -1;
    char* const environment[] = {nullptr};
    const int code = ::posix_spawn(&pid, program.c_str(), &actions, &attributes, argv.data(), environment);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    close_all(copies);
    if (code != 0) {
        ::close(ends[0]);
        why = std::generic_category().message(code);
        return std::nullopt;
    }
    return ChildProcess(pid, ends[0]);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), pipe_(std::exchange(other.pipe_, -1)) {}

ChildProcess::~ChildProcess() {
    finish(true);
    if (pipe_ >= 0) ::close(pipe_);
}

int ChildProcess::finish(bool kill) {
    if (pid_ < 0) return -1;
    if (kill) ::kill(pid_, SIGKILL);
    int status = -1;
    pid_t done = 0;
    do {
        done = ::waitpid(pid_, &status, 0);
    } while (done < 0 && errno == EINTR);
    const bool known = done == pid_;
    pid_ = -1;
    return known ? status : -1;
}

}  // namespace lab::io
