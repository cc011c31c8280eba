// What trees select by distance or place, with the comparisons counted.
#include "tree/select.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "random.hpp"
#include "tree/nearest.hpp"

namespace bv {
namespace {

using test::Random;

template <class Less>
void expect_selected(const std::vector<std::uint32_t>& values, std::size_t nth, const Less& less) {
    std::vector<std::uint32_t> sorted = values;
    std::sort(sorted.begin(), sorted.end(), less);
    std::vector<std::uint32_t> got = values;
    const auto at = got.begin() + static_cast<std::ptrdiff_t>(nth);
    detail::select_nth(got.begin(), at, got.end(), less);
    if (nth < values.size()) {
        ASSERT_EQ(*at, sorted[nth]);
        for (const std::uint32_t v : std::vector<std::uint32_t>(got.begin(), at))
            ASSERT_FALSE(less(*at, v));
        for (const std::uint32_t v : std::vector<std::uint32_t>(at, got.end()))
            ASSERT_FALSE(less(v, *at));
    }
    std::sort(got.begin(), got.end(), less);
    ASSERT_EQ(got, sorted);
}

TEST(Select, PutsWhatASortWouldPut) {
    Random random(41);
    for (int i = 0; i < 3000; ++i) {
        std::vector<std::uint32_t> values(random.below(40));
        const std::uint32_t kinds = 1 + random.below(50);
        for (std::uint32_t& v : values)
            v = random.below(kinds);
        const std::size_t nth = random.below(static_cast<std::uint32_t>(values.size()) + 1);
        expect_selected(values, nth, std::less<>{});
        expect_selected(values, nth, std::greater<>{});
    }
}

// Bad for the median of three: each round takes two elements off. The limit of rounds ends in a sort.
TEST(Select, InputAgainstTheMedianOfThreeStaysFast) {
    constexpr std::uint32_t kCount = 20'000;
    std::vector<std::uint32_t> killer(kCount);
    for (std::uint32_t i = 0; i < kCount / 2; ++i) {
        killer[i] = i % 2 == 0 ? i + 1 : kCount / 2 + i;
        killer[kCount / 2 + i] = 2 * (i + 1);
    }
    std::uint64_t compared = 0;
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
        ++compared;
        return a < b;
    };
    std::vector<std::uint32_t> sorted = killer;
    std::sort(sorted.begin(), sorted.end());
    const auto middle = killer.begin() + kCount / 2;
    detail::select_nth(killer.begin(), middle, killer.end(), less);
    EXPECT_EQ(*middle, sorted[kCount / 2]);
    EXPECT_LT(compared, 3'000'000u);
}

// The order of the rest is part of the promise: it must not depend on the standard library.
TEST(Select, TheOrderIsTheSameEverywhere) {
    std::vector<std::uint32_t> values(40);
    std::iota(values.begin(), values.end(), 0u);
    Random random(7);
    for (std::size_t i = values.size(); i-- > 1;)
        std::swap(values[i], values[random.below(static_cast<std::uint32_t>(i) + 1)]);
    detail::select_nth(values.begin(), values.begin() + 20, values.end(), std::less<>{});
    std::uint64_t mixed = 0;
    for (const std::uint32_t v : values)
        mixed = mixed * 6364136223846793005u + v;
    EXPECT_EQ(mixed, 1111911706166810464u);
}

// Each comparison of equal distances looks up boxes: the worst case of a list.
TEST(NearestList, ALongListDoesNotMoveEveryEntry) {
    constexpr std::uint32_t kCount = 20'000;
    std::vector<ProxyId> ids;
    for (std::uint32_t i = 0; i < kCount; ++i)
        ids.push_back({i, 1});
    Random random(13);
    for (const bool shuffled : {false, true})
        for (const std::size_t size : {std::size_t{kCount}, std::size_t{kCount / 2}, std::size_t{33}}) {
            std::vector<ProxyId> order(ids.rbegin(), ids.rend());  // each is the nearest so far
            for (std::size_t i = order.size(); shuffled && i-- > 1;)
                std::swap(order[i], order[random.below(static_cast<std::uint32_t>(i) + 1)]);
            std::uint64_t looked_up = 0;
            const auto box = [&](std::uint32_t) {
                ++looked_up;
                return Aabb{glm::vec3(-1), glm::vec3(1)};
            };
            std::vector<Neighbor> found(size);
            detail::NearestList list(glm::vec3(2, 0, 0), found, box);
            for (const ProxyId id : order)
                list.add(id, 1.0);
            ASSERT_EQ(list.finish(), size);
            for (std::uint32_t i = 0; i < size; ++i)
                ASSERT_EQ(found[i], (Neighbor{ids[i], 1.0f}));
            EXPECT_LT(looked_up, 2'500'000u) << size;
        }
}

}  // namespace
}  // namespace bv
