#include "panels/menus/fuzzy.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace lab::panels {
namespace {

constexpr std::size_t kLongest = 128;
/// A shorter query may be the initials of words, so it drops no text.
constexpr std::size_t kWhole = 4;
constexpr int kNone = -1'000'000;
constexpr int kInOrder = 6;  ///< Bonus for a text that contains the query as typed.

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_separator(char c) {
    return c == ' ' || c == '.' || c == '-' || c == '_' || c == ',' || c == ':' || c == '/';
}

bool starts_word(std::string_view text, std::size_t i) {
    if (i == 0 || is_separator(text[i - 1])) return true;
    const bool upper = text[i] >= 'A' && text[i] <= 'Z';
    return upper && text[i - 1] >= 'a' && text[i - 1] <= 'z';
}

/// Whether the letters of `word` occur in `text` in order. A cheap test that rejects most texts of a long
/// list.
bool is_subsequence(std::string_view word, std::string_view text) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < text.size() && found < word.size(); ++i) {
        if (lower(text[i]) == lower(word[found])) ++found;
    }
    return found == word.size();
}

/// Best alignment of one word, by dynamic programming: `ends[i]` is the best score of the letters so far with
/// the last of them at text[i].
std::optional<int> score_word(std::string_view word, std::string_view text) {
    if (!is_subsequence(word, text)) return std::nullopt;
    std::array<int, kLongest> ends{};
    std::array<int, kLongest> next{};
    for (std::size_t k = 0; k < word.size(); ++k) {
        int best_before = kNone;  // best of ends[0..i-2], less one for each letter left out
        for (std::size_t i = 0; i < text.size(); ++i) {
            next[i] = kNone;
            if (lower(text[i]) == lower(word[k])) {
                const int here = starts_word(text, i) ? 10 : 2;
                if (k == 0) {
                    next[i] = here - static_cast<int>(std::min<std::size_t>(i, 6));
                } else {
                    int before = best_before;
                    if (i >= 1 && ends[i - 1] > kNone) before = std::max(before, ends[i - 1] + 8);
                    if (before > kNone / 2) next[i] = before + here;
                }
            }
            if (k > 0) {
                best_before -= 1;
                if (i >= 1) best_before = std::max(best_before, ends[i - 1] - 2);
            }
        }
        ends = next;
    }
    const int best = *std::max_element(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(text.size()));
    if (best <= kNone / 2) return std::nullopt;
    return best;
}

/// Whether it occurs without other letters between.
bool contains(std::string_view text, std::string_view part) {
    const auto same = [](char a, char b) { return lower(a) == lower(b); };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

/// Whether each word of the query occurs in the text without other letters between.
bool holds_words(std::string_view query, std::string_view text) {
    while (!query.empty()) {
        const std::size_t end = std::min(query.find(' '), query.size());
        const std::string_view word = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));
        if (!contains(text, word)) return false;
    }
    return true;
}

}  // namespace

std::optional<int> fuzzy_score(std::string_view query, std::string_view text) {
    query = query.substr(0, kLongest);
    text = text.substr(0, kLongest);
    const std::string_view whole = query;
    int total = 0;
    bool any = false;
    while (!query.empty()) {
        const std::size_t end = std::min(query.find(' '), query.size());
        const std::string_view word = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));
        if (word.empty()) continue;
        if (text.empty()) return std::nullopt;
        const std::optional<int> score = score_word(word, text);
        if (!score) return std::nullopt;
        total += *score;
        any = true;
    }
    if (any && contains(text, whole)) total += kInOrder;
    return any ? total - static_cast<int>(text.size()) / 16 : 0;
}

std::vector<std::size_t> fuzzy_rank(std::string_view query, std::span<const std::string_view> texts) {
    std::vector<std::size_t> order;
    std::vector<int> scores(texts.size(), 0);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (const auto score = fuzzy_score(query, texts[i])) {
            scores[i] = *score;
            order.push_back(i);
        }
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    const auto holds = [&](std::size_t i) { return holds_words(query, texts[i]); };
    if (query.size() >= kWhole && std::any_of(order.begin(), order.end(), holds))
        std::erase_if(order, [&](std::size_t i) { return !holds(i); });
    return order;
}

}  // namespace lab::panels
