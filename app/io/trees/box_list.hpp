// Lists of boxes as text: one box a line, `minx miny minz maxx maxy maxz`, separated by spaces, tabs, commas
// or semicolons; `#` starts a comment. A first line of words alone is taken for the heading of a table and
// skipped. Beside the six numbers, first or last, a line may have a name, in double quotes if it holds a
// separator.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "io/file_error.hpp"

namespace lab::io {

/// The boxes of a text in order. Refuses, with the line: a line without exactly six numbers, a number that is
/// not finite in single precision, a minimum above its maximum, a text without boxes, and one that exceeds
/// io/limits.hpp. `path` only names the file in errors. `names`, if given, receives a name for each box,
/// empty without one.
Result<std::vector<bv::Aabb>> parse_box_list(std::string_view text, const std::string& path,
                                             std::vector<std::string>* names = nullptr);
/// The same from a file.
Result<std::vector<bv::Aabb>> read_box_list(const std::filesystem::path& path,
                                            std::vector<std::string>* names = nullptr);
/// Formats boxes with enough digits to read each number back bit for bit. `comment` may have several lines.
std::string box_list_text(std::span<const bv::Aabb> boxes, std::string_view comment = "");
/// Commas for a name that ends in `.csv`, else spaces. Atomic. Empty boxes and boxes that are not finite are
/// refused.
std::optional<FileError> write_box_list(const std::filesystem::path& path, std::span<const bv::Aabb> boxes,
                                        std::string_view comment = "");

}  // namespace lab::io
