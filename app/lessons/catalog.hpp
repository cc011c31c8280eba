// The lessons. To add one: write assets/lessons/NAME.md, name it in CMakeLists.txt, and add one row to the
// table in catalog.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lab::lessons {

/// One row of the catalog. Ids are stable; the file is assets/lessons/ID.md.
struct LessonSpec {
    std::string_view id;
    std::string_view category;
    std::string_view title;
    std::string_view summary;  ///< One sentence: what the reader learns.
};

/// In teaching order.
std::span<const LessonSpec> lesson_specs();
const LessonSpec* find_lesson(std::string_view id);
/// A message that there is no such lesson, with the closest id.
std::string no_lesson(std::string_view id);
/// The file of a lesson of the table.
std::string_view lesson_text(const LessonSpec& spec);

}  // namespace lab::lessons
