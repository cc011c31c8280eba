// The nearest known name for a mistyped one, so that every refusal can say what was probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// Least number of inserted, dropped, replaced or swapped neighboring letters that turn `a` into `b`; upper
/// and lower case count as the same.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate that is nearest to `word`, or empty if none is near enough to have been meant.
/// Words and candidates of more than 64 letters are left out.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// `; did you mean 'torus'?`, or empty.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

/// The refusal of an unknown name: `there is no scene 'x'`, then the nearest name, or else what lists all: an
/// option of the command line, or in a page, which has none, the palette. `kind` is singular, like `scene`.
std::string no_such(std::string_view kind, std::string_view name, std::span<const std::string_view> names,
                    bool in_browser);
/// The same for the host that this program runs in.
std::string no_such(std::string_view kind, std::string_view name, std::span<const std::string_view> names);

}  // namespace lab
