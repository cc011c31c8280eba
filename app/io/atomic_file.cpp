#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <utility>

namespace lab::io {

FileError system_error(const std::filesystem::path& path, const std::string& doing, int code) {
    FileError error{path.string(), "", doing + ": " + std::generic_category().message(code), ""};
    switch (code) {
        case ENOSPC:
        case EDQUOT:
            error.advice = "Free some space on that disk, or choose another location";
            break;
        case EACCES:
        case EPERM:
        case EROFS:
            error.advice = "Choose a location where you have permission";
            break;
        case ENOENT:
            error.advice = "Check the name";
            break;
        case ENAMETOOLONG:
            error.advice = "Choose a shorter name";
            break;
        case ELOOP:
            error.advice = "Its symbolic links form a loop: give the name of the file itself";
            break;
        case EISDIR:
            error.advice = "Give the name of a file, not of a folder";
            break;
        default:
            break;
    }
    return error;
}

namespace {

/// Closes on every path.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    [[nodiscard]] int get() const { return fd_; }
    /// 0, or the error of close(): some file systems report a full disk only there.
    int close() { return ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno; }

  private:
    int fd_;
};

/// Waits until a pipe takes more bytes. False if its reader lets it stay full for long.
bool takes_more(int fd) {
    constexpr int kPatience_ms = 5'000;
    pollfd stream{fd, POLLOUT, 0};
    int answer = -1;
    do
        answer = ::poll(&stream, 1, kPatience_ms);
    while (answer < 0 && errno == EINTR);
    return answer > 0;
}

/// 0, or the error number: ETIMEDOUT where a pipe stays full.
int write_all(int fd, const NextPart& next) {
    for (std::string_view bytes;;) {
        while (!bytes.empty()) {
            const ssize_t written = ::write(fd, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0 && errno == EAGAIN) {
                if (!takes_more(fd)) return ETIMEDOUT;
                continue;
            }
            if (written <= 0) return written < 0 ? errno : EIO;
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
        const std::optional<std::string_view> part = next();
        if (!part) return ENODATA;
        if (part->empty()) return 0;
        bytes = *part;
    }
}

constexpr std::string_view kTemporary = ".bvlab-";  // followed by the process id, a number and `.tmp`

/// A name that no other program and no other thread of this one uses; short, so that it fits wherever the
/// target's does.
std::filesystem::path temporary_name(const std::filesystem::path& folder) {
    static std::atomic<unsigned> counter{0};
    return folder /
           (std::string(kTemporary) + std::to_string(::getpid()) + "-" + std::to_string(counter++) + ".tmp");
}

/// Creates the file and locks it, as a sign that it is being written. Invalid, with `errno`, on failure.
Descriptor create_locked(const std::filesystem::path& name) {
    for (;;) {
        Descriptor file(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        if (file.get() < 0 || ::flock(file.get(), LOCK_EX) != 0) return file;
        // Another program may have removed it as abandoned before it was locked.
        struct stat info {};
        if (::fstat(file.get(), &info) != 0 || info.st_nlink > 0) return file;
    }
}

/// Removes temporary files in the folder that are not locked. Once per folder: it may be large.
void remove_left_behind(const std::filesystem::path& folder) {
    static std::mutex mutex;
    static std::set<std::filesystem::path> seen;
    constexpr std::size_t kMaxSeen = 1000;
    {
        const std::lock_guard lock(mutex);
        if (seen.size() >= kMaxSeen || !seen.insert(folder).second) return;
    }
    std::error_code code;
    for (std::filesystem::directory_iterator at(folder.empty() ? "." : folder, code), end; !code && at != end;
         at.increment(code)) {
        const std::string name = at->path().filename().string();
        if (!name.starts_with(kTemporary) || !name.ends_with(".tmp")) continue;
        const Descriptor file(::open(at->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
        if (file.get() >= 0 && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) ::unlink(at->path().c_str());
    }
}

std::optional<FileError> write_directly(const std::filesystem::path& path, const NextPart& next) {
    // Without O_NONBLOCK opening a pipe would wait for a reader, and writing for one that never reads.
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0 && errno == ENXIO)
        return FileError{path.string(), "", "is a pipe that no program reads", "Start its reader first"};
    if (file.get() < 0) return system_error(path, "cannot be opened for writing", errno);
    const int code = write_all(file.get(), next);
    if (code == ETIMEDOUT)
        return FileError{path.string(), "", "cannot be written: its reader does not read",
                         "Give the name of a file, or of a pipe that is read to its end"};
    if (code != 0) return system_error(path, "cannot be written", code);
    if (const int why = file.close()) return system_error(path, "cannot be written", why);
    return std::nullopt;
}

/// Where the links that begin at `path` lead, whether or not there is a file; `path` itself if it is no link.
/// Empty for links that form a loop.
std::filesystem::path followed(std::filesystem::path path) {
    constexpr int kMaxLinks = 40;  // as Linux has it
    for (int links = 0; links <= kMaxLinks; ++links) {
        std::error_code code;
        const std::filesystem::path next = std::filesystem::read_symlink(path, code);
        if (code) return path;
        path = path.parent_path() / next;
    }
    return {};
}

}  // namespace

Result<std::string> read_whole_file(const std::filesystem::path& path, std::size_t limit_bytes) {
    // Without O_NONBLOCK opening a pipe would wait for someone to write to it.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0) return system_error(path, "cannot be opened", errno);
    struct stat info {};
    if (::fstat(file.get(), &info) != 0) return system_error(path, "cannot be read", errno);
    if (S_ISDIR(info.st_mode)) return FileError{path.string(), "", "is a folder", "Give the name of a file"};
    if (!S_ISREG(info.st_mode)) return FileError{path.string(), "", kNotRegular, kGiveFileOnDisk};
    const auto size = static_cast<std::size_t>(info.st_size);
    if (size > limit_bytes)
        return FileError{path.string(), "",
                         "is too large: " + std::to_string(size) + " bytes, where at most " +
                             std::to_string(limit_bytes) + " are read",
                         "Choose a smaller file"};
    std::string bytes(size, '\0');
    std::size_t filled = 0;
    while (filled < size) {
        const ssize_t got = ::read(file.get(), bytes.data() + filled, size - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return system_error(path, "cannot be read", errno);
        if (got == 0) break;  // the file was truncated meanwhile
        filled += static_cast<std::size_t>(got);
    }
    bytes.resize(filled);
    return bytes;
}

std::optional<FileError> write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
    return write_file_atomically(path, [&bytes] { return std::optional(std::exchange(bytes, {})); });
}

std::optional<FileError> write_file_atomically(const std::filesystem::path& path, const NextPart& next) {
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (std::filesystem::is_directory(status)) return system_error(path, "cannot be written", EISDIR);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        return write_directly(path, next);

    const std::filesystem::path target = followed(path);
    if (target.empty()) return system_error(path, "cannot be written", ELOOP);
    if (auto missing = missing_folder(path)) return missing;
    const std::filesystem::path folder = target.parent_path();
    remove_left_behind(folder);
    const std::filesystem::path temporary = temporary_name(folder);
    Descriptor file = create_locked(temporary);
    if (file.get() < 0) return system_error(path, "cannot be written", errno);
    const auto failed = [&](int why) {
        ::unlink(temporary.c_str());
        return system_error(path, "cannot be written", why);
    };
    if (const int why = write_all(file.get(), next)) return failed(why);
    // The new file has the rights of the one that it replaces.
    struct stat old {};
    if (::stat(target.c_str(), &old) == 0 && ::fchmod(file.get(), old.st_mode & 07777) != 0)
        return failed(errno);
    if (::fsync(file.get()) != 0) return failed(errno);
    // A second descriptor holds the lock until the file has its final name.
    const Descriptor lock(::fcntl(file.get(), F_DUPFD_CLOEXEC, 0));
    if (lock.get() < 0) return failed(errno);
    if (const int why = file.close()) return failed(why);
    if (::rename(temporary.c_str(), target.c_str()) != 0) return failed(errno);
    return std::nullopt;
}

std::optional<FileError> missing_folder(const std::filesystem::path& path) {
    const std::filesystem::path target = followed(path);
    const std::filesystem::path folder = target.parent_path();
    std::error_code code;
    if (folder.empty() || std::filesystem::exists(folder, code) || code) return std::nullopt;
    const bool is_link = target != path;
    return FileError{path.string(), "",
                     is_link ? "is a link to " + target.string() + ", whose folder does not exist"
                             : "its folder does not exist",
                     "Create the folder, or choose another one"};
}

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code code;
    if (std::filesystem::equivalent(a, b, code)) return std::filesystem::is_regular_file(a, code);
    const auto resolved = [&code](const std::filesystem::path& path) {
        return std::filesystem::weakly_canonical(std::filesystem::absolute(followed(path), code), code);
    };
    const std::filesystem::path first = resolved(a);
    return !std::filesystem::exists(a, code) && !first.empty() && first == resolved(b);
}

std::filesystem::path set_aside(const std::filesystem::path& path) {
    constexpr int kMaxNumber = 999;
    for (int number = 1; number <= kMaxNumber; ++number) {
        std::filesystem::path name = path;
        name += number == 1 ? ".bad" : ".bad" + std::to_string(number);
        std::error_code code;
        // Any entry counts, even a dangling link.
        if (std::filesystem::symlink_status(name, code).type() != std::filesystem::file_type::not_found)
            continue;
        std::filesystem::rename(path, name, code);
        return code ? std::filesystem::path() : name;
    }
    return {};
}

}  // namespace lab::io
