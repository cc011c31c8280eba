#include "session/commands/commands.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "bv/assert.hpp"

namespace lab {
namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

}  // namespace

std::optional<std::vector<std::string>> split_words(std::string_view line, std::string& error) {
    std::vector<std::string> words;
    std::size_t i = 0;
    while (true) {
        while (i < line.size() && is_blank(line[i]))
            ++i;
        if (i == line.size()) return words;
        std::string word;
        while (i < line.size() && !is_blank(line[i])) {
            if (line[i] != '"') {
                word += line[i++];
                continue;
            }
            const std::size_t opened = i++;
            while (i < line.size() && line[i] != '"') {
                const bool escape =
                    line[i] == '\\' && i + 1 < line.size() && (line[i + 1] == '"' || line[i + 1] == '\\');
                if (escape) ++i;
                word += line[i++];
            }
            if (i == line.size()) {
                error = fmt::format("the quotation mark at column {} is never closed", opened + 1);
                return std::nullopt;
            }
            ++i;
        }
        words.push_back(std::move(word));
    }
}

std::vector<std::string> split_lines(std::string_view text) {
    std::vector<std::string> lines;
    std::string line;
    const auto finish = [&] {
        std::size_t end = line.size();
        while (end > 0 && is_blank(line[end - 1]))
            --end;
        std::size_t begin = 0;
        while (begin < end && is_blank(line[begin]))
            ++begin;
        if (begin < end) lines.push_back(line.substr(begin, end - begin));
        line.clear();
    };
    bool in_quotes = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n') {
            finish();  // also within a quote, which is then refused as unclosed
            in_quotes = false;
        } else if (in_quotes) {
            line += c;
            if (c == '\\' && i + 1 < text.size() && text[i + 1] != '\n')
                line += text[++i];
            else if (c == '"')
                in_quotes = false;
        } else if (c == ';') {
            finish();
        } else if (c == '#' && (line.empty() || is_blank(line.back()))) {
            while (i + 1 < text.size() && text[i + 1] != '\n')
                ++i;
        } else {
            in_quotes = c == '"';
            line += c;
        }
    }
    finish();
    return lines;
}

std::string quote_word(std::string_view word) {
    bool plain = !word.empty() && word.front() != '#';
    for (char c : word)
        plain = plain && !is_blank(c) && c != '"' && c != ';' && c != '\n';
    if (plain) return std::string(word);
    std::string out = "\"";
    for (char c : word) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

void CommandQueue::push(std::string line, std::string origin) {
    push_repeated(std::move(line), std::move(origin), 1);
}

void CommandQueue::push_repeated(std::string line, std::string origin, std::size_t times) {
    if (times == 0) return;
    entries_.push_back({{std::move(line), std::move(origin)}, times});
    size_ += times;
}

void CommandQueue::push_next(std::string line, std::string origin) {
    entries_.push_front({{std::move(line), std::move(origin)}, 1});
    ++size_;
}

void CommandQueue::push_script(std::string_view text, std::string_view origin) {
    std::size_t number = 1;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        for (std::string& line : split_lines(text.substr(0, end)))
            push(std::move(line), fmt::format("{}:{}", origin, number));
        if (end == std::string_view::npos) return;
        text.remove_prefix(end + 1);
        ++number;
    }
}

void CommandQueue::append(CommandQueue& other) {
    entries_.insert(entries_.end(), std::make_move_iterator(other.entries_.begin()),
                    std::make_move_iterator(other.entries_.end()));
    size_ += other.size_;
    other.clear();
}

CommandQueue::Entry CommandQueue::pop() {
    BV_ASSERT(!empty());
    --size_;
    Repeated& next = entries_.front();
    if (--next.times > 0) return next.entry;
    Entry entry = std::move(next.entry);
    entries_.pop_front();
    return entry;
}

void CommandQueue::clear() {
    entries_.clear();
    size_ = 0;
}

}  // namespace lab
