#include "io/trees/box_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "io/atomic_file.hpp"
#include "io/limits.hpp"
#include "io/meshes/formats/text_scanner.hpp"
#include "io/text/counted.hpp"
#include "io/text/utf16.hpp"
#include "io/trees/box_heading.hpp"

namespace lab::io {
namespace {

constexpr const char* kBoxListAdvice =
    "A line is minx miny minz maxx maxy maxz; a heading has these names, in any order";

bool is_blank_in_line(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

bool is_comma(char c) {
    return c == ',' || c == ';';
}

std::size_t behind_blanks(std::string_view line, std::size_t at) {
    while (at < line.size() && is_blank_in_line(line[at]))
        ++at;
    return at;
}

/// The position behind the quote that closes the one at `at`; `at` if none does. A doubled quote stands for
/// itself.
std::size_t behind_quoted(std::string_view line, std::size_t at) {
    for (std::size_t quote = line.find('"', at + 1); quote != line.npos; quote = line.find('"', quote + 2))
        if (quote + 1 >= line.size() || line[quote + 1] != '"') return quote + 1;
    return at;
}

/// The fields of a line before its comment. Blanks or one comma or semicolon separate two, so a field may be
/// empty; one that ends the line is followed by an empty field.
std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> fields;
    std::size_t at = behind_blanks(line, 0);
    const auto at_end = [&] { return at >= line.size() || line[at] == '#'; };
    while (!at_end()) {
        const std::size_t start = at;
        if (line[at] == '"') at = behind_quoted(line, at);
        while (!at_end() && !is_blank_in_line(line[at]) && !is_comma(line[at]))
            ++at;
        fields.push_back(line.substr(start, at - start));
        at = behind_blanks(line, at);
        if (at_end() || !is_comma(line[at])) continue;
        at = behind_blanks(line, at + 1);
        if (at_end()) fields.emplace_back();
    }
    return fields;
}

bool is_quoted(std::string_view field) {
    return field.size() >= 2 && field.front() == '"' && field.back() == '"';
}

std::string_view between_quotes(std::string_view field) {
    return is_quoted(field) ? field.substr(1, field.size() - 2) : field;
}

std::string without_quotes(std::string_view field) {
    std::string text(between_quotes(field));
    if (!is_quoted(field)) return text;
    for (std::size_t at = text.find("\"\""); at != text.npos; at = text.find("\"\"", at + 1))
        text.erase(at, 1);
    return text;
}

std::vector<std::string> words_of(const std::vector<std::string_view>& fields) {
    std::vector<std::string> words;
    words.reserve(fields.size());
    for (const std::string_view field : fields)
        words.push_back(without_quotes(field));
    return words;
}

/// The heading in a comment, as tools write it that do not know headings. Other comments have none.
std::optional<BoxHeading> commented_heading(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of("# \t\v\f"), line.size()));
    const std::vector<std::string> words = words_of(fields_of(line));
    BoxHeading heading;
    if (!is_box_heading(words) || !parse_box_heading(words, heading).empty()) return std::nullopt;
    return heading;
}

/// The contents of a line.
struct Row {
    std::array<std::string_view, kBoxNumbers> numbers;
    std::string_view name;
};

/// Sets `row`, or returns the error in the line.
std::string parse_row(const std::vector<std::string_view>& fields, const std::optional<BoxHeading>& heading,
                      Row& row) {
    std::size_t count = fields.size();
    const std::size_t expected = heading ? heading->columns : kBoxNumbers;
    if (count > expected && fields.back().empty()) --count;  // a separator at the end of the line
    if (heading) {
        if (count != expected)
            return fmt::format("has {} where the heading has {}", counted(count, "field", "fields"),
                               expected);
        for (std::size_t i = 0; i < kBoxNumbers; ++i)
            row.numbers[i] = fields[heading->numbers[i]];
        if (heading->name) row.name = fields[*heading->name];
        return "";
    }
    // Some tools quote every field. Otherwise quotes mark a name, even one like "12".
    const bool all_quoted = std::all_of(fields.begin(), fields.end(), [](std::string_view field) {
        return field.empty() || is_quoted(field);
    });
    const auto is_name = [&](std::string_view field) {
        return !is_number(all_quoted ? between_quotes(field) : field);
    };
    std::size_t first = 0;
    if (count == kBoxNumbers + 1 && is_name(fields[0])) {
        row.name = fields[0];
        first = 1;
    } else if (count == kBoxNumbers + 1 && !fields[kBoxNumbers].empty() && is_name(fields[kBoxNumbers])) {
        row.name = fields[--count];
    }
    if (count - first != kBoxNumbers)
        return fmt::format("has {} instead of 6", counted(count - first, "number", "numbers"));
    std::copy_n(fields.begin() + static_cast<std::ptrdiff_t>(first), kBoxNumbers, row.numbers.begin());
    return "";
}

/// The box of six numbers of a form. Each sum is rounded once.
bv::Aabb box_of(const BoxForm& form, const glm::vec3& first, const glm::vec3& second) {
    switch (form.second) {
        case BoxTerm::Size:
            if (form.first == BoxTerm::Center) return {first - 0.5f * second, first + 0.5f * second};
            return {first, first + second};
        case BoxTerm::HalfExtent:
            return {first - second, first + second};
        default:
            return {first, second};
    }
}

/// Sets `box`, or returns the error in the line.
std::string parse_box(const std::array<std::string_view, kBoxNumbers>& numbers, const BoxForm& form,
                      bv::Aabb& box) {
    std::array<float, kBoxNumbers> values{};
    for (std::size_t i = 0; i < kBoxNumbers; ++i) {
        const std::string wrong = parse_finite(between_quotes(numbers[i]), values[i]);
        if (!wrong.empty()) return fmt::format("{}: {}", box_number_name(form, i), wrong);
    }
    for (std::size_t i = 3; i < kBoxNumbers; ++i) {
        const std::string name = box_number_name(form, i);
        if (form.second != BoxTerm::High && values[i] < 0.0f)
            return fmt::format("{} ({}) is negative", name, values[i]);
        if (form.second == BoxTerm::High && values[i - 3] > values[i])
            return fmt::format("{} ({}) is above {} ({})", box_number_name(form, i - 3), values[i - 3], name,
                               values[i]);
    }
    box = box_of(form, {values[0], values[1], values[2]}, {values[3], values[4], values[5]});
    return box.is_finite() ? "" : "is a box that reaches beyond the largest number in single precision";
}

std::string text_with(char separator, std::span<const bv::Aabb> boxes, std::string_view comment) {
    std::string text;
    while (!comment.empty()) {
        const std::size_t end = std::min(comment.find('\n'), comment.size());
        text += fmt::format("# {}\n", comment.substr(0, end));
        comment.remove_prefix(std::min(end + 1, comment.size()));
    }
    for (const bv::Aabb& b : boxes) {
        // Without a format fmt prints the shortest digits that read back as the same number.
        fmt::format_to(std::back_inserter(text), "{1}{0}{2}{0}{3}{0}{4}{0}{5}{0}{6}\n", separator, b.min.x,
                       b.min.y, b.min.z, b.max.x, b.max.y, b.max.z);
    }
    return text;
}

}  // namespace

Result<std::vector<bv::Aabb>> parse_box_list(std::string_view text, const std::string& path,
                                             std::vector<std::string>* names) {
    if (is_utf16(text)) return FileError{path, "", kIsUtf16, kSaveAsUtf8};
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    if (names) names->clear();
    std::vector<bv::Aabb> boxes;
    std::optional<BoxHeading> heading;
    bool first_content = true;
    for (std::size_t line_number = 1; !text.empty(); ++line_number) {
        const std::string_view line = take_line(text);
        const auto refused = [&](std::string what, std::string advice) {
            return FileError{path, fmt::format("line {}", line_number), std::move(what), std::move(advice)};
        };
        if (line.size() > limits::kLineBytes)
            return refused(fmt::format("has {} bytes; at most {} are read", line.size(), limits::kLineBytes),
                           kBoxListAdvice);
        const std::vector<std::string_view> fields = fields_of(line);
        if (fields.empty()) {
            if (first_content && !heading) heading = commented_heading(line);
            continue;
        }
        const bool is_first = std::exchange(first_content, false);
        if (is_first && is_box_heading(words_of(fields))) {
            if (std::string wrong = parse_box_heading(words_of(fields), heading.emplace()); !wrong.empty())
                return refused(std::move(wrong), kBoxHeadingAdvice);
            continue;
        }
        Row row;
        bv::Aabb box;
        std::string wrong = parse_row(fields, heading, row);
        if (wrong.empty()) wrong = parse_box(row.numbers, heading ? heading->form : BoxForm(), box);
        if (!wrong.empty()) return refused(std::move(wrong), kBoxListAdvice);
        if (boxes.size() == limits::kBoxes)
            return refused(fmt::format("is more than the {} boxes that are read", limits::kBoxes),
                           "Split the list");
        boxes.push_back(box);
        if (names) names->push_back(without_quotes(row.name).substr(0, limits::kNameBytes));
    }
    if (boxes.empty()) return FileError{path, "", "has no boxes", kBoxListAdvice};
    return boxes;
}

Result<std::vector<bv::Aabb>> read_box_list(const std::filesystem::path& path,
                                            std::vector<std::string>* names) {
    const Result<std::string> text = read_whole_file(path, limits::kBoxListBytes);
    if (!text) return text.error();
    return parse_box_list(*text, path.string(), names);
}

std::string box_list_text(std::span<const bv::Aabb> boxes, std::string_view comment) {
    return text_with(' ', boxes, comment);
}

std::optional<FileError> write_box_list(const std::filesystem::path& path, std::span<const bv::Aabb> boxes,
                                        std::string_view comment) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (!boxes[i].is_finite())
            return FileError{path.string(), "",
                             fmt::format("box {} is empty or not finite and cannot be written", i), ""};
    }
    return write_file_atomically(
        path, text_with(same_word(path.extension().string(), ".csv") ? ',' : ' ', boxes, comment));
}

}  // namespace lab::io
