#include "platform/memory.hpp"

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace lab::platform {
namespace {

std::optional<std::uint64_t> number_in(const char* path) {
    std::uint64_t number = 0;
    std::ifstream file(path);
    return file >> number ? std::optional(number) : std::nullopt;  // also where it says `max`
}

/// A line like `MemAvailable:  123 kB`, in bytes.
std::optional<std::uint64_t> kilobytes(const char* path, const std::string& name) {
    std::ifstream file(path);
    for (std::string word; file >> word;) {
        std::uint64_t value = 0;
        if (word == name && file >> value) return value << 10;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> available_memory() {
    constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t free = kilobytes("/proc/meminfo", "MemAvailable:").value_or(kUnknown);
    const auto cgroup_limit = number_in("/sys/fs/cgroup/memory.max"),
               used = number_in("/sys/fs/cgroup/memory.current");
    if (cgroup_limit && used) free = std::min(free, *cgroup_limit - std::min(*cgroup_limit, *used));
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        const std::uint64_t taken = kilobytes("/proc/self/status", "VmSize:").value_or(0);
        free = std::min<std::uint64_t>(free, limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, taken));
    }
    return free == kUnknown ? std::nullopt : std::optional(free);
}

void keep_freed_memory() {
#ifdef __GLIBC__
    // Setting the first threshold ends glibc's automatic choice of the second, so that one is set to its
    // maximum, which the automatic choice would reach.
    ::mallopt(M_TRIM_THRESHOLD, 128 << 20);
    ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
}

}  // namespace lab::platform
