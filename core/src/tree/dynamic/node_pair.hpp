// A part of the search for pairs within a dynamic tree.
#pragma once

#include <cstdint>

namespace bv::detail {

/// Two nodes whose leaves are to be paired.
struct TreeNodePair {
    std::uint32_t a;
    std::uint32_t b;  ///< Equal to a: the pairs within it.
};

}  // namespace bv::detail
