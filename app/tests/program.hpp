// Running the real program from a test: its exit status and what it printed.
#pragma once

#include <filesystem>
#include <string>

namespace lab::test {

struct Finished {
    int status = -1;  ///< Exit status; 128 + the signal if one ended it; 124 if it took longer than a minute.
    std::string out, err;
};

/// A folder of this test's own, empty at first and removed at the end.
class TempDir {
  public:
    TempDir();
    ~TempDir();
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;
    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// `bvlab ARGUMENTS` through the shell, in `folder`, without a display and with the preferences in `folder`.
Finished run_bvlab(const TempDir& folder, const std::string& arguments);
/// Any shell line there; `$BVLAB` is the program.
Finished run_shell(const TempDir& folder, const std::string& line);

void write_text(const std::filesystem::path& path, const std::string& text);
std::string read_text(const std::filesystem::path& path);

}  // namespace lab::test
