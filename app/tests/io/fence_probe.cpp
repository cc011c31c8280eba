// fence_probe ACTION FENCES [PATH]: shuts itself in like the mesh reader and then tries what it should not.
// Ends with 0 if it succeeded, 10 if it failed, 30 if the kernel refuses the fence.
#include <fcntl.h>
#include <linux/landlock.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/meshes/process/reader_fence.hpp"

extern char** environ;  // NOLINT: the name is POSIX's

namespace {

long open_descriptors() {
    long count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
        count += entry.path().filename() != ".";
    return count - 1;  // the one that looks
}

bool computes() {
    std::vector<std::string> parts;
    for (int i = 0; i < 1000; ++i)
        parts.emplace_back(100'000, 'x');
    try {
        throw std::runtime_error(parts.back());
    } catch (const std::exception& error) {
        return std::string(error.what()).size() == 100'000 && ::write(3, "done", 4) == 4;
    }
}

/// Runs out of memory, as a hostile file may make a reader do.
bool exhausts() {
    std::vector<std::string> parts;
    try {
        for (;;)
            parts.emplace_back(10'000, 'x');
    } catch (const std::bad_alloc&) {
        return true;
    }
}

bool run_page(int protection) {
    void* page = ::mmap(nullptr, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return false;
    return (protection & PROT_EXEC) != 0 || ::mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) return 2;
    const std::string action = arguments[1];
    const char* path = count > 3 ? arguments[3] : "";
    if (action == "descriptors") return static_cast<int>(open_descriptors());
    if (action == "environment") return environ[0] == nullptr ? 0 : 10;
    if (action == "exhaust") {
        const rlimit limit{std::uint64_t{256} << 20, std::uint64_t{256} << 20};
        ::setrlimit(RLIMIT_AS, &limit);
    }
    const pid_t parent = ::getppid();
    const int own = ::dup(3);
    if (lab::io::fence_in(3, static_cast<std::uint32_t>(std::atoi(arguments[2]))) != 0) return 30;
    char* const none[] = {nullptr};
    const std::map<std::string, std::function<bool()>> actions{
        {"compute", [] { return computes(); }},
        {"exhaust", [] { return exhausts(); }},
        {"open", [path] { return ::open(path, O_RDONLY) >= 0; }},
        {"open2",
         [path] {
             const std::uint64_t how[3] = {};
             return ::syscall(SYS_openat2, AT_FDCWD, path, how, sizeof how) >= 0;
         }},
        {"create", [path] { return ::open(path, O_WRONLY | O_CREAT, 0600) >= 0; }},
        {"truncate", [path] { return ::truncate(path, 0) == 0; }},
        {"unlink", [path] { return ::unlink(path) == 0; }},
        {"rename", [path] { return ::rename(path, (std::string(path) + ".new").c_str()) == 0; }},
        {"mkdir", [path] { return ::mkdir((std::string(path) + ".dir").c_str(), 0700) == 0; }},
        {"symlink", [path] { return ::symlink("x", (std::string(path) + ".link").c_str()) == 0; }},
        {"list", [] { return ::open("/", O_RDONLY | O_DIRECTORY) >= 0; }},
        {"exec", [&none] { return ::execve("/bin/true", none, none) == 0; }},
        {"chmod", [path] { return ::chmod(path, 0777) == 0; }},
        {"stat",
         [path] {
             struct stat info {};
             return ::stat(path, &info) == 0;
         }},
        {"socket", [] { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0; }},
        {"socketpair",
         [] {
             int ends[2];
             return ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;
         }},
        {"fork", [] { return ::syscall(SYS_fork) >= 0; }},
        {"kill", [parent] { return ::kill(parent, 0) == 0; }},
        {"tgkill", [parent] { return ::syscall(SYS_tgkill, parent, parent, 0) == 0; }},
        {"ptrace", [parent] { return ::ptrace(PTRACE_SEIZE, parent, 0, 0) == 0; }},
        {"execute_memory", [] { return run_page(PROT_READ | PROT_EXEC); }},
        {"make_executable", [] { return run_page(PROT_READ | PROT_WRITE); }},
        {"map_file", [own] { return ::mmap(nullptr, 1, PROT_READ, MAP_PRIVATE, own, 0) != MAP_FAILED; }},
        {"write_elsewhere", [own] { return ::write(own, "x", 1) == 1; }},
        {"memfd", [] { return ::syscall(SYS_memfd_create, "x", 0) >= 0; }},
        {"io_uring", [] { return ::syscall(425, 1, nullptr) >= 0; }},
        {"limits", [] { return ::syscall(SYS_prlimit64, 0, 0, nullptr, nullptr) == 0; }},
    };
    const auto found = actions.find(action);
    if (found == actions.end()) return 2;
    ::_exit(found->second() ? 0 : 10);
}
