// The text of a lesson as blocks and spans: what a panel needs to lay it out. Parsed by md4c; of Markdown
// only headings, paragraphs, lists, emphasis, code and quotes are used, and everything else becomes plain
// text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab::lessons {

/// A run of characters of one look. UTF-8.
struct Span {
    std::string text;
    bool strong = false, emphasis = false, code = false;
};

struct Block {
    enum class Kind : unsigned char { Heading, Paragraph, Item, Code, Quote };
    Kind kind = Kind::Paragraph;
    int level = 1;   ///< Of a heading, 1 to 6; of a list item, how deep it is.
    int number = 0;  ///< Of an item in a numbered list; 0 for a bullet.
    std::vector<Span> spans;

    [[nodiscard]] std::string plain() const;
};

std::vector<Block> parse_markdown(std::string_view text);

}  // namespace lab::lessons
