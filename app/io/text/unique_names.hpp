// Names that differ: the second `a` becomes `a 2`.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace lab::io {

class UniqueNames {
  public:
    /// The name, or with the first number from 2 on that makes it a new one. O(1) on average over many calls.
    std::string take(const std::string& name) {
        std::string unique = name;
        for (std::size_t& count = counts_[name]; !taken_.insert(unique).second;)
            unique = name + ' ' + std::to_string(++count + 1);
        return unique;
    }

  private:
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, std::size_t> counts_;
};

}  // namespace lab::io
