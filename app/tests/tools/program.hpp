// Running the real program from a test: its exit status and what it printed.
#pragma once

#include <filesystem>
#include <string>

#include "temp_dir.hpp"

namespace lab::test {

struct Finished {
    int status = -1;  ///< Exit status; 128 + the signal if one ended it; 124 if it took longer than a minute.
    std::string out, err;
};

/// `bvlab ARGUMENTS` through the shell, in `folder`, without a display and with the preferences in `folder`.
Finished run_bvlab(const TempDir& folder, const std::string& arguments);
/// Any shell line there; `$BVLAB` is the program.
Finished run_shell(const TempDir& folder, const std::string& line);

void write_text(const std::filesystem::path& path, const std::string& text);
std::string read_text(const std::filesystem::path& path);

}  // namespace lab::test
