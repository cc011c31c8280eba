#include "platform/paths.hpp"

#include <cstdlib>

namespace lab::platform {

namespace fs = std::filesystem;

namespace {

const char* environment(const char* name) {
    const char* value = std::getenv(name);
    return value && *value ? value : nullptr;
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
    // Before the folders above: these may contain another folder of that name.
    if (fs::path path = program / BVLAB_DATA_FROM_PROGRAM / name; is_dir(path))
        return path.lexically_normal();
    fs::path above = program;
    for (int level = 0; level < 5 && !above.empty(); ++level) {
        if (fs::path path = above / name; is_dir(path)) return path;
        if (above == above.parent_path()) break;
        above = above.parent_path();
    }
    return {};
}

fs::path config_dir() {
    if (const char* base = environment("XDG_CONFIG_HOME"); base && *base == '/')
        return fs::path(base) / "bvlab";
    if (const char* home = environment("HOME")) return fs::path(home) / ".config" / "bvlab";
    return {};
}

}  // namespace lab::platform
