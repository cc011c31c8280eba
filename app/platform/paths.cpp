#include "platform/paths.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace lab::platform {

namespace fs = std::filesystem;

namespace {

const char* environment(const char* name) {
    const char* value = std::getenv(name);
    return value && *value ? value : nullptr;
}

std::string system_error_text() {
    return std::strerror(errno);
}

// Writes all of it to `path` and asks the system to put it on the disk.
bool write_and_sync(const fs::path& path, std::string_view bytes, std::string& error) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) {
        error = system_error_text();
        return false;
    }
    bool good = true;
    while (good && !bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written > 0)
            bytes.remove_prefix(static_cast<std::size_t>(written));
        else if (written == 0 || errno != EINTR)
            good = false;
    }
    if (good && ::fsync(file) != 0)
        good = errno == EINVAL || errno == EROFS;  // pipes and the like cannot be synced
    if (!good) error = system_error_text();
    if (::close(file) != 0 && good) {
        error = system_error_text();
        good = false;
    }
    return good;
}

}  // namespace

fs::path executable_dir() {
    std::error_code failed;
    const fs::path self = fs::read_symlink("/proc/self/exe", failed);
    if (!failed && self.has_parent_path()) return self.parent_path();
    return fs::current_path(failed);
}

fs::path find_data_dir(std::string_view name) {
    std::error_code failed;
    const auto is_dir = [&failed](const fs::path& path) { return fs::is_directory(path, failed); };
    if (const char* root = environment("BVLAB_DATA_DIR"))
        if (fs::path path = fs::path(root) / name; is_dir(path)) return path;
    const fs::path program = executable_dir();
    fs::path above = program;
    for (int level = 0; level < 5 && !above.empty(); ++level) {
        if (fs::path path = above / name; is_dir(path)) return path;
        if (above == above.parent_path()) break;
        above = above.parent_path();
    }
    if (fs::path path = program / ".." / "share" / "bvlab" / name; is_dir(path))
        return path.lexically_normal();
    return {};
}

fs::path config_dir() {
    if (const char* base = environment("XDG_CONFIG_HOME"); base && *base == '/')
        return fs::path(base) / "bvlab";
    if (const char* home = environment("HOME")) return fs::path(home) / ".config" / "bvlab";
    return {};
}

std::optional<std::string> read_file(const fs::path& path, std::string& error) {
    std::error_code failed;
    if (fs::is_directory(path, failed)) {
        error = "is a folder";
        return std::nullopt;
    }
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        error = errno != 0 ? system_error_text() : "cannot be opened";
        return std::nullopt;
    }
    std::ostringstream bytes;
    bytes << in.rdbuf();
    if (in.bad() || (bytes.fail() && in.peek() != std::ifstream::traits_type::eof())) {
        error = "could not be read to its end";
        return std::nullopt;
    }
    return std::move(bytes).str();
}

bool write_file_atomically(const fs::path& path, std::string_view bytes, std::string& error) {
    std::error_code failed;
    if (path.has_parent_path()) {
        fs::create_directories(path.parent_path(), failed);
        if (failed) {
            error = failed.message();
            return false;
        }
    }
    // A link stays a link: its target is replaced.
    fs::path target = path;
    if (fs::is_symlink(path, failed))
        if (fs::path resolved = fs::weakly_canonical(path, failed); !failed) target = resolved;
    fs::path temporary = target;
    temporary += ".tmp" + std::to_string(::getpid());
    if (!write_and_sync(temporary, bytes, error)) {
        fs::remove(temporary, failed);
        return false;
    }
    fs::rename(temporary, target, failed);
    if (!failed) return true;
    error = failed.message();
    std::error_code ignored;
    fs::remove(temporary, ignored);
    return false;
}

fs::path set_aside(const fs::path& path) {
    fs::path aside = path;
    aside += ".bad";
    std::error_code failed;
    fs::rename(path, aside, failed);
    return failed ? fs::path{} : aside;
}

}  // namespace lab::platform
