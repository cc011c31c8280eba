// The rows of the table: one function for each name of the public headers, or for a few that go together.
#pragma once

#include <string_view>

namespace bv::test {

/// Which functions a row tries, by the names that the headers declare, apart by spaces.
struct Row {
    std::string_view functions;
    void (*check)();
};

}  // namespace bv::test
