#include "world/opened_files.hpp"

#include <algorithm>

#include "io/file_kind.hpp"

namespace lab {

std::uint64_t OpenedFiles::bytes_beside(const std::string& path) const {
    const auto is_it = [&path](const auto& file) { return io::is_same_place(file.source, path); };
    std::uint64_t sum = 0;
    const auto add_others = [&](const auto& files) {
        for (const auto& file : files)
            if (!is_it(file)) sum += file.bytes;
    };
    add_others(box_lists);
    add_others(trees);
    add_others(captures);
    // If a mesh has changed on disk, the library keeps its old version, too.
    for (const HeldFile& file : mesh_files)
        sum += file.bytes;
    const auto last = std::find_if(mesh_files.rbegin(), mesh_files.rend(), is_it);
    return last == mesh_files.rend() ? sum : sum - last->bytes;
}

}  // namespace lab
