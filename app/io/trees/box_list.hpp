// Lists of boxes as text: one box a line, `minx miny minz maxx maxy maxz`, separated by spaces, tabs, commas
// or semicolons; `#` outside quotes starts a comment. Between two commas or semicolons a field may be empty,
// and one may end the line. Beside the six numbers, first or last, a line may have a name, in double quotes
// if it holds a separator.
//
// A first line of words is a heading (see box_heading.hpp). It names all six numbers, in any order: `minx`,
// `min_x`, `min.x`, `xmin`, `minimum_x`, the same with lower and upper or lo and hi, and x1 y1 z1 x2 y2 z2; x
// y z with width height depth or sx sy sz; cx cy cz with sizes or with half extents hx hy hz. The columns a
// to f have the usual order. Every other heading is refused, since its boxes would be guesses. Names of boxes
// come from the column `name`, or from the only other one; further columns are left out. Each line then has a
// field for every column. A comment before the first line that holds such a heading and nothing else is one,
// too; other comments say nothing about the numbers.
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
/// missing or not finite in single precision, a minimum above its maximum, a negative size, a heading that
/// does not name all six numbers once, a text without boxes, and one that exceeds io/limits.hpp. `path` only
/// names the file in errors. `names`, if given, receives a name for each box, empty without one.
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
