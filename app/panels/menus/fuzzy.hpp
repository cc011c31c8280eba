// Fuzzy search: matches the letters of a query in order, anywhere in a text, best match first.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lab::panels {

/// The score of `text` for `query`, higher is better; nothing if it does not match. Blanks split the query
/// into words that must all match, in any order. Ignores case. Letters at the start of a word and consecutive
/// letters score higher; gaps and long texts score lower. The empty query matches everything with 0. O(n m)
/// for both lengths, which are cut at 128 bytes.
[[nodiscard]] std::optional<int> fuzzy_score(std::string_view query, std::string_view text);

/// Indices of the texts that match `query`, best first; stable for equal scores. If a text has each word of
/// the query, of four letters or more, in one piece, those that have only its letters, scattered, are left
/// out.
[[nodiscard]] std::vector<std::size_t> fuzzy_rank(std::string_view query,
                                                  std::span<const std::string_view> texts);

}  // namespace lab::panels
