// The files written by this session, by kind: an output never overwrites one of another kind.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace lab {

class Outputs {
  public:
    /// Checks that `path` may be written as `kind`, and records it; on refusal `problem` gives the reason.
    /// Devices and pipes take outputs of every kind: nothing there is replaced.
    bool claim(const std::string& path, std::string_view kind, std::string& problem);
    /// Takes one claim of this path back: it could not be written.
    void release(const std::string& path);

  private:
    std::map<std::string_view, std::multiset<std::string>> written_;  // paths by kind
};

}  // namespace lab
