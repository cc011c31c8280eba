#include "io/trees/box_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

#include "io/atomic_file.hpp"
#include "io/counted.hpp"
#include "io/limits.hpp"
#include "io/meshes/formats/text_scanner.hpp"

namespace lab::io {
namespace {

constexpr const char* kBoxListAdvice = "A line is minx miny minz maxx maxy maxz";
constexpr std::size_t kNumbers = 6;
constexpr std::array kNames{"min x", "min y", "min z", "max x", "max y", "max z"};

bool is_separator(char c) {
    return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r' || c == '\v' || c == '\f';
}

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    std::size_t at = 0;
    while (at < line.size()) {
        while (at < line.size() && is_separator(line[at]))
            ++at;
        const std::size_t start = at;
        const std::size_t quote = at < line.size() && line[at] == '"' ? line.find('"', at + 1) : line.npos;
        if (quote != line.npos) at = quote + 1;
        while (at < line.size() && !is_separator(line[at]))
            ++at;
        if (at > start) words.push_back(line.substr(start, at - start));
    }
    return words;
}

bool is_heading(const std::vector<std::string_view>& words) {
    return words.size() >= kNumbers && words.size() <= kNumbers + 1 &&
           std::all_of(words.begin(), words.end(), [](std::string_view word) {
               const char first = word[word[0] == '"' && word.size() > 1 ? 1 : 0];
               return std::isalpha(static_cast<unsigned char>(first)) && word != "nan" && word != "inf";
           });
}

/// Takes the name away from the six numbers of a line; empty if there is none.
std::string take_name(std::vector<std::string_view>& words) {
    if (words.size() != kNumbers + 1) return {};
    const bool is_first = !is_number(words.front());
    std::string_view name = is_first ? words.front() : words.back();
    if (is_number(name)) return {};
    words.erase(is_first ? words.begin() : words.end() - 1);
    if (name.size() >= 2 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
    return std::string(name.substr(0, limits::kNameBytes));
}

/// Sets `box`, or returns the error in the line.
std::string parse_box(const std::vector<std::string_view>& words, bv::Aabb& box) {
    if (words.size() != 6)
        return fmt::format("has {} instead of 6", counted(words.size(), "number", "numbers"));
    std::array<float, 6> values{};
    for (std::size_t i = 0; i < 6; ++i) {
        const std::string wrong = parse_finite(words[i], values[i]);
        if (!wrong.empty()) return fmt::format("{}: {}", kNames[i], wrong);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (values[axis] > values[axis + 3])
            return fmt::format("{} ({}) is above {} ({})", kNames[axis], values[axis], kNames[axis + 3],
                               values[axis + 3]);
    }
    box = {{values[0], values[1], values[2]}, {values[3], values[4], values[5]}};
    return "";
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
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    if (names) names->clear();
    std::vector<bv::Aabb> boxes;
    bool first_content = true;
    std::size_t line_number = 0;
    while (!text.empty()) {
        ++line_number;
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.size() > limits::kLineBytes)
            return FileError{
                path, "line " + std::to_string(line_number),
                fmt::format("has {} bytes; at most {} are read", line.size(), limits::kLineBytes),
                kBoxListAdvice};
        text.remove_prefix(std::min(end + 1, text.size()));
        line = line.substr(0, line.find('#'));
        std::vector<std::string_view> words = words_of(line);
        if (words.empty()) continue;
        const bool heading = std::exchange(first_content, false) && is_heading(words);
        if (heading) continue;
        std::string name = take_name(words);
        bv::Aabb box;
        const std::string wrong = parse_box(words, box);
        if (!wrong.empty())
            return FileError{path, "line " + std::to_string(line_number), wrong, kBoxListAdvice};
        if (boxes.size() == limits::kBoxes)
            return FileError{path, "line " + std::to_string(line_number),
                             fmt::format("is more than the {} boxes that are read", limits::kBoxes),
                             "Split the list"};
        boxes.push_back(box);
        if (names) names->push_back(std::move(name));
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
