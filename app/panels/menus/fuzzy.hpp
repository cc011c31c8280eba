// Fuzzy search: the letters of a query in their order, anywhere in a text, the likeliest first.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lab::panels {

/// How well `text` answers `query`; higher is better, nothing if it does not. Blanks split the query into
/// words that must all be found, in any order. Upper and lower case count as the same. Letters that start a
/// word or follow each other count more; letters left out between them and a long text count less. The empty
/// query matches everything with 0. Cost: the product of the lengths, both cut at 128 bytes.
[[nodiscard]] std::optional<int> fuzzy_score(std::string_view query, std::string_view text);

/// Indices of the texts that answer `query`, best first, equal ones in their order.
[[nodiscard]] std::vector<std::size_t> fuzzy_rank(std::string_view query,
                                                  std::span<const std::string_view> texts);

}  // namespace lab::panels
