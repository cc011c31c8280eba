// Explanations of table headings, for tooltips.
#pragma once

#include <string_view>

namespace lab::panels {

/// Empty for a heading that needs no explanation. Pass the heading without its unit.
[[nodiscard]] std::string_view meaning_of(std::string_view heading);

}  // namespace lab::panels
