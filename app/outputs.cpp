#include "outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/atomic_file.hpp"

namespace lab {

bool Outputs::claim(const std::string& path, std::string_view kind, std::string& problem) {
    const auto is_it = [&](const std::string& other) { return io::is_same_file(other, path); };
    for (const auto& [other, paths] : written_) {
        if (other == kind || std::none_of(paths.begin(), paths.end(), is_it)) continue;
        problem = fmt::format("this session has already written {} there", other);
        return false;
    }
    written_[kind].insert(path);
    return true;
}

void Outputs::release(const std::string& path) {
    for (auto& [kind, paths] : written_)
        if (const auto at = paths.find(path); at != paths.end()) {
            paths.erase(at);
            return;
        }
}

}  // namespace lab
