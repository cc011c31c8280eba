// The files written by this session, by kind: an output never overwrites one of another kind.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lab {

class Outputs {
  public:
    /// Checks that `path` may be written as `kind`, and records it; on refusal `problem` gives the reason.
    bool claim(const std::string& path, std::string_view kind, std::string& problem);

  private:
    std::vector<std::pair<std::string, std::string_view>> written_;
};

}  // namespace lab
