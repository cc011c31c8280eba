#include "outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/atomic_file.hpp"

namespace lab {

bool Outputs::claim(const std::string& path, std::string_view kind, std::string& problem) {
    const auto same = [&](const auto& row) { return row.first == path || io::is_same_file(row.first, path); };
    const auto at = std::find_if(written_.begin(), written_.end(), same);
    if (at == written_.end()) {
        written_.emplace_back(path, kind);
        return true;
    }
    if (at->second == kind) return true;
    problem = fmt::format("this session has already written {} there", at->second);
    return false;
}

}  // namespace lab
