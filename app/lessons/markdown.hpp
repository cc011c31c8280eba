// A lesson's text as blocks and spans, ready for layout by a panel. md4c parses it; headings, paragraphs,
// lists, emphasis, code and quotes are kept, everything else becomes plain text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab::lessons {

/// A run of characters in one style. UTF-8.
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
