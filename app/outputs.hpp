// Which files this session has written, and what went into them: nothing is written over something of another
// kind that it has just made.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lab {

class Outputs {
  public:
    /// True if `path` may be written as `kind`, which is then noted; else `problem` says what is there.
    bool claim(const std::string& path, std::string_view kind, std::string& problem);

  private:
    std::vector<std::pair<std::string, std::string_view>> written_;
};

}  // namespace lab
