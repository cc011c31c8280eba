#include "io/trees/box_heading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "io/meshes/formats/text_scanner.hpp"

namespace lab::io {
namespace {

struct NamedNumber {
    BoxTerm term;
    std::size_t axis;
};

struct TermWord {
    std::string_view word;
    BoxTerm term;
    bool before_axis = false;  ///< Only before the axis: `sx` is a size, but `xs` with `xe` would be a start.
};
constexpr std::array<TermWord, 21> kTermWords{{{"min", BoxTerm::Low},
                                               {"minimum", BoxTerm::Low},
                                               {"lo", BoxTerm::Low},
                                               {"low", BoxTerm::Low},
                                               {"lower", BoxTerm::Low},
                                               {"max", BoxTerm::High},
                                               {"maximum", BoxTerm::High},
                                               {"hi", BoxTerm::High},
                                               {"high", BoxTerm::High},
                                               {"upper", BoxTerm::High},
                                               {"c", BoxTerm::Center},
                                               {"center", BoxTerm::Center},
                                               {"centre", BoxTerm::Center},
                                               {"size", BoxTerm::Size},
                                               {"s", BoxTerm::Size, true},
                                               {"half", BoxTerm::HalfExtent},
                                               {"halfsize", BoxTerm::HalfExtent},
                                               {"halfextent", BoxTerm::HalfExtent},
                                               {"halfextents", BoxTerm::HalfExtent},
                                               {"h", BoxTerm::HalfExtent, true},
                                               {"e", BoxTerm::HalfExtent, true}}};

/// The word in lower case, without the prefixes that tables of more than boxes put before the names:
/// `bbox_min_x` is `minx`.
std::string letters_of(std::string_view word) {
    std::string letters;
    for (const char c : word)
        if (std::isalnum(static_cast<unsigned char>(c)))
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const std::string_view prefix : {"aabb", "bbox", "bounds", "box"})
        if (letters.starts_with(prefix)) return letters.substr(prefix.size());
    return letters;
}

/// `width` or `w`: the size along x, and so on.
std::optional<NamedNumber> size_named(std::string_view letters) {
    constexpr std::array<std::string_view, 3> kSizes{"width", "height", "depth"};
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (letters == kSizes[axis] || letters == kSizes[axis].substr(0, 1))
            return NamedNumber{BoxTerm::Size, axis};
    return std::nullopt;
}

/// `from_zero`: numbered corners are 0 and 1 rather than 1 and 2.
std::optional<NamedNumber> number_named(std::string_view letters, bool from_zero) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::string_view name = std::string_view("xyz").substr(axis, 1);
        if (letters == name) return NamedNumber{BoxTerm::Corner, axis};
        if (letters.size() == 2 && letters.starts_with(name)) {
            if (letters[1] == (from_zero ? '0' : '1')) return NamedNumber{BoxTerm::Low, axis};
            if (letters[1] == (from_zero ? '1' : '2')) return NamedNumber{BoxTerm::High, axis};
        }
        for (const TermWord& t : kTermWords) {
            if (letters.size() != t.word.size() + 1) continue;
            const bool before = letters.starts_with(t.word) && letters.ends_with(name);
            const bool behind = letters.ends_with(t.word) && letters.starts_with(name);
            if (before || (behind && !t.before_axis)) return NamedNumber{t.term, axis};
        }
    }
    return size_named(letters);
}

using NamedNumbers = std::vector<std::optional<NamedNumber>>;

/// Six columns `a` to `f` name nothing but their order, which is the usual one.
void name_by_alphabet(const std::vector<std::string>& letters, NamedNumbers& named) {
    constexpr std::string_view kAlphabet = "abcdef";
    for (std::size_t i = 0; i < kBoxNumbers; ++i)
        if (std::find(letters.begin(), letters.end(), kAlphabet.substr(i, 1)) == letters.end()) return;
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const std::size_t at = letters[i].size() == 1 ? kAlphabet.find(letters[i]) : kAlphabet.npos;
        named[i].reset();
        if (at != kAlphabet.npos) named[i] = NamedNumber{at < 3 ? BoxTerm::Low : BoxTerm::High, at % 3};
    }
}

NamedNumbers numbers_named(const std::vector<std::string>& words) {
    std::vector<std::string> letters;
    bool from_zero = false;
    for (const std::string& word : words) {
        letters.push_back(letters_of(word));
        from_zero = from_zero || letters.back() == "x0" || letters.back() == "y0" || letters.back() == "z0";
    }
    NamedNumbers named;
    for (const std::string& word : letters)
        named.push_back(number_named(word, from_zero));
    name_by_alphabet(letters, named);
    return named;
}

BoxForm form_of(const NamedNumbers& named) {
    const auto has = [&](BoxTerm term) {
        return std::any_of(named.begin(), named.end(), [&](const auto& n) { return n && n->term == term; });
    };
    if (has(BoxTerm::High)) return {BoxTerm::Low, BoxTerm::High};
    if (has(BoxTerm::Low)) return {BoxTerm::Low, has(BoxTerm::Size) ? BoxTerm::Size : BoxTerm::High};
    if (has(BoxTerm::Center))
        return {BoxTerm::Center, has(BoxTerm::HalfExtent) ? BoxTerm::HalfExtent : BoxTerm::Size};
    return {BoxTerm::Corner, BoxTerm::Size};
}

}  // namespace

std::string box_number_name(const BoxForm& form, std::size_t number) {
    constexpr std::array kTerms{"min ", "max ", "", "center ", "size ", "half extent "};
    const BoxTerm term = number < 3 ? form.first : form.second;
    return std::string(kTerms[static_cast<std::size_t>(term)]) + "xyz"[number % 3];
}

bool is_box_heading(std::vector<std::string> words) {
    if (std::any_of(words.begin(), words.end(), [](const std::string& w) { return is_number(w); }))
        return false;
    const NamedNumbers named = numbers_named(words);
    if (std::any_of(named.begin(), named.end(), [](const auto& n) { return n.has_value(); })) return true;
    if (words.size() > 1 && words.back().empty()) words.pop_back();
    std::sort(words.begin(), words.end());
    const bool all_words = std::all_of(words.begin(), words.end(), [](const std::string& w) {
        return std::any_of(w.begin(), w.end(), [](unsigned char c) { return std::isalpha(c) || c >= 0x80; });
    });
    return all_words && words.size() >= kBoxNumbers &&
           std::adjacent_find(words.begin(), words.end()) == words.end();
}

std::string parse_box_heading(const std::vector<std::string>& words, BoxHeading& heading) {
    const NamedNumbers named = numbers_named(words);
    if (std::none_of(named.begin(), named.end(), [](const auto& n) { return n.has_value(); }))
        return "is a heading that does not name the numbers of a box: " + shown(words.front()) + " ...";
    heading.form = form_of(named);
    heading.columns = words.size() - (words.back().empty() ? 1 : 0);  // a separator may end the line
    std::array<bool, kBoxNumbers> found{};
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < heading.columns; ++i) {
        const auto& column = named[i];
        const bool first = column && column->term == heading.form.first;
        if (!first && !(column && column->term == heading.form.second)) {
            others.push_back(i);
            if (letters_of(words[i]) == "name" && !heading.name) heading.name = i;
            continue;
        }
        const std::size_t number = column->axis + (first ? 0 : 3);
        if (std::exchange(found[number], true))
            return fmt::format("is a heading that names {} twice", box_number_name(heading.form, number));
        heading.numbers[number] = i;
    }
    if (!heading.name && others.size() == 1) heading.name = others[0];
    for (std::size_t i = 0; i < kBoxNumbers; ++i)
        if (!found[i]) return "is a heading without " + box_number_name(heading.form, i);
    return "";
}

}  // namespace lab::io
