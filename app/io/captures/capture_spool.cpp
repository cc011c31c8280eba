#include "io/captures/capture_spool.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace lab::io {
namespace {

/// Opens a file that has no name; -1 with `errno` set on failure.
int open_nameless(const std::string& folder) {
    std::string name = folder + "/bvlab-capture-XXXXXX";
    const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor >= 0) ::unlink(name.c_str());
    return descriptor;
}

}  // namespace

Result<std::shared_ptr<CaptureSpool>> CaptureSpool::make(std::uint64_t budget) {
    std::error_code code;
    std::string folder = std::filesystem::temp_directory_path(code).string();
    if (code) folder = "/tmp";
    const int descriptor = open_nameless(folder);
    if (descriptor < 0)
        return FileError{folder, "", "takes no new file: " + std::generic_category().message(errno),
                         "Set TMPDIR to a folder that can be written"};
    struct statvfs disk {};
    if (::fstatvfs(descriptor, &disk) == 0)
        budget = std::min<std::uint64_t>(budget, static_cast<std::uint64_t>(disk.f_bavail) *
                                                     static_cast<std::uint64_t>(disk.f_frsize) / 4);
    return std::shared_ptr<CaptureSpool>(new CaptureSpool(descriptor, std::max(budget, 8 * kHeadBytes)));
}

CaptureSpool::~CaptureSpool() {
    ::close(descriptor_);
}

/// Gives an eighth of the budget back to the disk.
bool CaptureSpool::drop_oldest() {
    const std::uint64_t from = std::max(first_.load(), kHeadBytes);
    const std::uint64_t size = size_.load() + budget_ / 8;
    const std::uint64_t until = size > budget_ ? (size - budget_) / 4096 * 4096 : 0;
    if (until <= from) return true;
    first_.store(until);  // before they go, so that readers do not begin there
    // NOLINTNEXTLINE(hicpp-signed-bitwise): the system's flags are ints
    return ::fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(from),
                       static_cast<off_t>(until - from)) == 0;
}

bool CaptureSpool::append(std::span<const std::uint8_t> bytes) {
    std::uint64_t at = size_.load();
    bool good = at + bytes.size() - first_.load() <= budget_ || drop_oldest();
    while (good && !bytes.empty()) {
        const ssize_t put = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (put < 0 && errno == EINTR) continue;
        good = put > 0;
        if (!good) break;
        at += static_cast<std::uint64_t>(put);
        bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
    size_.store(at);
    if (!good) end();
    return good;
}

std::size_t CaptureSpool::read(std::uint64_t from, std::span<std::uint8_t> out) const {
    const std::uint64_t here = size_.load();
    if (from >= here) return 0;
    return read_file(descriptor_, from, out.first(std::min<std::uint64_t>(out.size(), here - from)));
}

}  // namespace lab::io
