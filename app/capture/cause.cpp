#include "capture/cause.hpp"

#include <array>

namespace lab::capture {
namespace {

struct Words {
    std::string_view id, words;
};
constexpr std::array<Words, 9> kWords{{
    {"nothing_wrong", "nothing wrong"},
    {"sorted_insertion", "sorted insertion without rotations"},
    {"stretched_leaves", "leaves that moved but were never re-inserted"},
    {"large_margin", "margin too large"},
    {"small_margin", "margin too small"},
    {"giant_box", "one giant box on every path"},
    {"mixed_clusters", "clusters merged by an early insertion"},
    {"refit_only", "refits without rebuild"},
    {"broken_invariants", "broken invariants"},
}};

}  // namespace

std::string_view id_of(Cause cause) {
    return kWords[static_cast<std::size_t>(cause)].id;
}

std::string_view words_of(Cause cause) {
    return kWords[static_cast<std::size_t>(cause)].words;
}

}  // namespace lab::capture
