// Cells as text, and which numbers count as equal because they are shown alike.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "results/table.hpp"

namespace lab {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Cells, NumbersAreShownInTheirStyle) {
    EXPECT_EQ(to_text(cells::whole(1234)), "1234");
    EXPECT_EQ(to_text(cells::grouped(0)), "0");
    EXPECT_EQ(to_text(cells::grouped(999)), "999");
    EXPECT_EQ(to_text(cells::grouped(1000)), "1,000");
    EXPECT_EQ(to_text(cells::grouped(1234567)), "1,234,567");
    EXPECT_EQ(to_text(cells::fixed(2.0, 3)), "2.000");
    EXPECT_EQ(to_text(cells::trimmed(2.0)), "2");
    EXPECT_EQ(to_text(cells::trimmed(2.5004)), "2.5");
    EXPECT_EQ(to_text(cells::trimmed(100.0, 0)), "100") << "zeros before the point stay";
    EXPECT_EQ(to_text(cells::significant(12345.0, 4)), "1.234e+04");
    EXPECT_EQ(to_text(cells::scientific(-0.00031, 1)), "-3.1e-04");
    EXPECT_EQ(to_text(cells::scientific(0.0, 1)), "0");
    EXPECT_EQ(to_text(cells::fixed(12.34, 1).in("%")), "12.3 %");
    EXPECT_EQ(to_text(cells::interval(-1.0, 2.5)), "[−1, 2.5]");
    EXPECT_EQ(to_text(cells::vector({1.0f, -0.5f, 0.0f})), "(1, −0.5, 0)");
    EXPECT_EQ(to_text(cells::size({2, 3, 4})), "2 × 3 × 4");
    EXPECT_EQ(to_text(Cell()), "");
    EXPECT_EQ(to_text(Cell(cells::must_hold(false))), "NO");
    EXPECT_EQ(to_text(Cell(cells::yes_or_no(false))), "no");
}

TEST(Cells, SignsAreTypographicAndZeroHasNone) {
    EXPECT_EQ(to_text(cells::trimmed(-1.5)), "−1.5");
    EXPECT_EQ(to_text(cells::trimmed(-0.0001)), "0");
    EXPECT_EQ(to_text(cells::fixed(-0.0001, 2)), "0.00");
    EXPECT_EQ(to_text(cells::trimmed(kInfinity)), "∞");
    EXPECT_EQ(to_text(cells::fixed(-kInfinity, 2)), "−∞");
    EXPECT_EQ(to_text(cells::trimmed(std::nan(""))), "not a number");
    Number gap = cells::trimmed(-0.25);
    gap.below_zero = "apart by ";
    EXPECT_EQ(to_text(gap), "apart by 0.25");
}

TEST(Cells, NumbersAreEqualIfTheyAreShownAlike) {
    EXPECT_TRUE(cells::trimmed(1.0 / 3.0).shown_equal(0.333));
    EXPECT_FALSE(cells::trimmed(1.0 / 3.0).shown_equal(0.334));
    EXPECT_TRUE(cells::fixed(0.3f, 1).shown_equal(0.3));
    EXPECT_TRUE(cells::significant(0.3f, 6).shown_equal(0.3));
    EXPECT_FALSE(cells::significant(12345.0, 4).shown_equal(12334.0));
    EXPECT_FALSE(cells::whole(3).shown_equal(3.4)) << "a count is exact";
    EXPECT_TRUE(cells::trimmed(kInfinity).shown_equal(kInfinity));
    EXPECT_FALSE(cells::trimmed(1.0).shown_equal(kInfinity));
    EXPECT_FALSE(cells::trimmed(std::nan("")).shown_equal(0.0));
}

TEST(Cells, SayWhetherTheyWereMeasured) {
    EXPECT_TRUE(is_measured(cells::fixed(1.0, 2).timed()));
    EXPECT_TRUE(is_measured(cells::list({cells::whole(1), cells::fixed(2.0, 1).timed()})));
    EXPECT_FALSE(is_measured(cells::fixed(1.0, 2)));
    EXPECT_FALSE(is_measured("building"));
}

TEST(Tables, ColumnsAreFoundByHeadingAndUnit) {
    const Table table{"t", "T", {"kind", {"fit", "ms"}, {"", "ns"}}};
    EXPECT_EQ(table.column("fit, ms"), 1u);
    EXPECT_EQ(table.column("ns"), 2u);
    EXPECT_EQ(table.column("fit"), std::nullopt);
}

}  // namespace
}  // namespace lab
