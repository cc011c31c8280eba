#include <gtest/gtest.h>

#include "pairs.hpp"

TEST(NotFinite, Pairs) {
    bv::test::check_pairs();
}
