// Helpers for tests of files: a folder, and the bytes of a file.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "temp_dir.hpp"

namespace lab::io::testing_tools {

using TestFolder = test::TempDir;

inline std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace lab::io::testing_tools
