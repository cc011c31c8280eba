// The basics of the library: the assert handler, build progress, serial tasks.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bv/assert.hpp"
#include "bv/progress.hpp"
#include "bv/tasks.hpp"

namespace bv {
namespace {

std::string g_condition;
std::string g_file;
int g_line = 0;

void remember(const char* condition, const char* file, int line) {
    g_condition = condition;
    g_file = file;
    g_line = line;
}

TEST(Assert, HandlerReceivesConditionAndLocation) {
    const AssertHandler before = set_assert_handler(&remember);
    EXPECT_NE(before, &remember);
    const int one = 1;
    BV_ASSERT(one == 1);
    EXPECT_TRUE(g_condition.empty());
    const int line = __LINE__ + 1;
    BV_ASSERT(one == 2);
    EXPECT_EQ(g_condition, "one == 2");
    EXPECT_TRUE(g_file.ends_with("test_contracts.cpp"));
    EXPECT_EQ(g_line, line);
    // Null restores the handler that prints and aborts.
    EXPECT_EQ(set_assert_handler(nullptr), &remember);
    EXPECT_EQ(set_assert_handler(before), before);
}

#if GTEST_HAS_DEATH_TEST
TEST(AssertDeathTest, DefaultHandlerPrintsAndAborts) {
    EXPECT_DEATH(BV_ASSERT(1 + 1 == 3), "test_contracts.cpp:.+: contract broken: 1 .+ 1 == 3");
}
#endif

TEST(Progress, SharesOfPartsAndRanges) {
    BuildProgress progress;
    EXPECT_EQ(progress.done(), 0.0f);
    EXPECT_FALSE(progress.cancelled());
    progress.begin_part(0.25f, 0.75f, 4);
    EXPECT_EQ(progress.done(), 0.25f);
    EXPECT_TRUE(progress.advance(1));
    EXPECT_EQ(progress.done(), 0.375f);
    EXPECT_TRUE(progress.advance(2));
    EXPECT_EQ(progress.done(), 0.625f);
    EXPECT_TRUE(progress.advance(5));
    EXPECT_EQ(progress.done(), 0.75f) << "never beyond the part";
    progress.begin_part(0.0f, 0.5f, 2);
    EXPECT_EQ(progress.done(), 0.75f) << "never back";
    EXPECT_TRUE(progress.advance(1));
    EXPECT_EQ(progress.done(), 0.75f);
    progress.begin_part(0.875f, 1.0f, 0);
    EXPECT_EQ(progress.done(), 0.875f);
    EXPECT_TRUE(progress.advance(1));
    EXPECT_EQ(progress.done(), 1.0f);
    progress.cancel();
    EXPECT_TRUE(progress.cancelled());
    EXPECT_FALSE(progress.advance(1));
    progress.reset();
    EXPECT_FALSE(progress.cancelled());
    EXPECT_EQ(progress.done(), 0.0f);
    // The second of two builds under one bar.
    progress.set_range(0.5f, 1.0f);
    progress.begin_part(0.5f, 1.0f, 2);
    EXPECT_EQ(progress.done(), 0.75f);
    progress.advance(1);
    EXPECT_EQ(progress.done(), 0.875f);
    progress.reset();
    progress.begin_part(0.5f, 1.0f, 1);
    EXPECT_EQ(progress.done(), 0.5f) << "the whole range again";
}

TEST(Tasks, SerialTasksRunInOrder) {
    TaskRunner& tasks = serial_tasks();
    EXPECT_EQ(tasks.concurrency(), 1u);
    std::vector<std::size_t> seen;
    const auto job = [&](std::size_t i) { seen.push_back(i); };
    tasks.run(4, job);
    EXPECT_EQ(seen, (std::vector<std::size_t>{0, 1, 2, 3}));
    tasks.run(0, job);
    EXPECT_EQ(seen.size(), 4u);
    EXPECT_EQ(&tasks, &serial_tasks());
}

}  // namespace
}  // namespace bv
