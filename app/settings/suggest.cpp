#include "settings/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "platform/host.hpp"

namespace lab {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    const auto same = [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
    };
    // Three rows of the classic table suffice: swaps of neighbors look two rows back.
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = last[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
            row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
    constexpr std::size_t kLongestName =
        64;  // no one meant a longer name, and the distance takes quadratic time
    if (word.size() > kLongestName) return {};
    std::string_view best;
    std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (std::string_view candidate : candidates) {
        if (candidate.size() > kLongestName) continue;  // a mesh may be named after a file
        std::size_t distance = edit_distance(word, candidate);
        // A word that is the start or the end of a name matches even where many letters are missing.
        if (word.size() >= 3 && (candidate.starts_with(word) || candidate.ends_with(word)))
            distance = std::min<std::size_t>(distance, 1);
        if (distance < least && distance < std::max(word.size(), candidate.size())) {
            least = distance;
            best = candidate;
        }
    }
    return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
    const std::string_view best = nearest(word, candidates);
    return best.empty() ? std::string() : fmt::format("; did you mean '{}'?", best);
}

std::string no_such(std::string_view kind, std::string_view name, std::span<const std::string_view> names,
                    bool in_browser) {
    std::string hint = did_you_mean(name, names);
    if (hint.empty())
        hint = in_browser ? "; the palette of commands lists them all"
                          : fmt::format("; --list-{}s lists them all", kind);
    return fmt::format("there is no {} '{}'{}", kind, name, hint);
}

std::string no_such(std::string_view kind, std::string_view name, std::span<const std::string_view> names) {
    return no_such(kind, name, names, platform::in_browser());
}

}  // namespace lab
