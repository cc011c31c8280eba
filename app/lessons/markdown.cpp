#include "lessons/markdown.hpp"

#include <md4c.h>

#include <cstdlib>

namespace lab::lessons {
namespace {

struct List {
    bool numbered = false;
    int next = 1;
};

/// Collects what md4c reports, in the order of the text.
struct Collector {
    std::vector<Block> blocks;
    std::vector<List> lists;
    int strong = 0, emphasis = 0, code = 0, quote = 0;
    bool open = false;        ///< A block is being filled.
    bool item_fresh = false;  ///< The next text is the first of its list item.
    int item_number = 0;

    void begin(Block::Kind kind, int level) {
        Block block;
        block.kind = kind;
        block.level = level;
        if (!lists.empty() && kind == Block::Kind::Paragraph) {
            block.kind = Block::Kind::Item;
            block.level = static_cast<int>(lists.size());
            block.number = item_fresh ? item_number : -1;  // -1: continues the item without a bullet
            item_fresh = false;
        } else if (quote > 0 && kind == Block::Kind::Paragraph) {
            block.kind = Block::Kind::Quote;
        }
        blocks.push_back(std::move(block));
        open = true;
    }

    void enter(MD_BLOCKTYPE type, void* detail) {
        switch (type) {
            case MD_BLOCK_H:
                begin(Block::Kind::Heading, static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level));
                break;
            case MD_BLOCK_P:
                begin(Block::Kind::Paragraph, 1);
                break;
            case MD_BLOCK_CODE:
                begin(Block::Kind::Code, 1);
                break;
            case MD_BLOCK_QUOTE:
                ++quote;
                break;
            case MD_BLOCK_UL:
                lists.push_back({false, 1});
                break;
            case MD_BLOCK_OL:
                lists.push_back({true, static_cast<int>(static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start)});
                break;
            case MD_BLOCK_LI:
                open = false;  // a tight item has no paragraph of its own
                item_fresh = true;
                item_number = lists.back().numbered ? lists.back().next++ : 0;
                break;
            default:
                break;
        }
    }

    void leave(MD_BLOCKTYPE type) {
        if (type == MD_BLOCK_QUOTE) --quote;
        if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) lists.pop_back();
        open = false;
    }

    void add(std::string_view text) {
        if (!open) begin(Block::Kind::Paragraph, 1);
        std::vector<Span>& spans = blocks.back().spans;
        Span span;
        span.strong = strong > 0;
        span.emphasis = emphasis > 0;
        span.code = code > 0;
        const bool same = !spans.empty() && spans.back().strong == span.strong &&
                          spans.back().emphasis == span.emphasis && spans.back().code == span.code;
        if (!same) spans.push_back(span);
        spans.back().text += text;
    }
};

int on_enter_block(MD_BLOCKTYPE type, void* detail, void* user) {
    static_cast<Collector*>(user)->enter(type, detail);
    return 0;
}
int on_leave_block(MD_BLOCKTYPE type, void*, void* user) {
    static_cast<Collector*>(user)->leave(type);
    return 0;
}
int on_span(MD_SPANTYPE type, void* user, int by) {
    auto& c = *static_cast<Collector*>(user);
    if (type == MD_SPAN_STRONG) c.strong += by;
    if (type == MD_SPAN_EM) c.emphasis += by;
    if (type == MD_SPAN_CODE) c.code += by;
    return 0;
}
int on_enter_span(MD_SPANTYPE type, void*, void* user) {
    return on_span(type, user, 1);
}
int on_leave_span(MD_SPANTYPE type, void*, void* user) {
    return on_span(type, user, -1);
}
int on_text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
    auto& c = *static_cast<Collector*>(user);
    if (type == MD_TEXT_BR)
        c.add("\n");
    else if (type == MD_TEXT_SOFTBR)
        c.add(" ");
    else if (type != MD_TEXT_NULLCHAR)
        c.add({text, size});
    return 0;
}

}  // namespace

std::string Block::plain() const {
    std::string text;
    for (const Span& span : spans)
        text += span.text;
    return text;
}

std::vector<Block> parse_markdown(std::string_view text) {
    MD_PARSER parser{};
    parser.flags = MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS;
    parser.enter_block = on_enter_block;
    parser.leave_block = on_leave_block;
    parser.enter_span = on_enter_span;
    parser.leave_span = on_leave_span;
    parser.text = on_text;
    Collector collector;
    (void)md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &collector);
    return std::move(collector.blocks);
}

}  // namespace lab::lessons
