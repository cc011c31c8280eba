// Out of memory: whichever allocation fails while a file is opened or a command runs, there is a message, and
// the session continues.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>
#include <set>
#include <vector>

#include "commands/catalog.hpp"
#include "io/sessions/scene_file.hpp"
#include "io/trees/box_list.hpp"
#include "io/trees/tree_file.hpp"
#include "io/voxels/voxel_file.hpp"
#include "program.hpp"
#include "session/files/saver.hpp"
#include "session_test_tools.hpp"
#include "world/voxels/voxel_model.hpp"
#include "world/world.hpp"

namespace {

/// Counts allocations of at least so many bytes, in all threads, and lets one of them fail.
std::atomic<std::size_t> least_bytes{0};
std::atomic<long> counted{0}, failing{-1};

void* allocate(std::size_t bytes) {
    if (bytes >= least_bytes.load(std::memory_order_relaxed) && counted.fetch_add(1) == failing.load())
        throw std::bad_alloc();
    if (void* const memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) {
    return allocate(bytes);
}
void* operator new[](std::size_t bytes) {
    return allocate(bytes);
}
// As by default; but a sanitizer would bring its own, whose memory may not be given to `free`.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    try {
        return allocate(bytes);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace lab {
namespace {

using test::frame;

struct Case {
    std::string name;
    std::string before;  ///< Carried out with all the memory there is.
    std::string line;
    std::size_t least = 1;
    JobMode mode = JobMode::Wait;
};

class NoMemory : public testing::Test {
  protected:
    void SetUp() override {
        test::write_text(folder_ / "tet.obj",
                         "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
        test::write_text(folder_ / "list.csv", "0,0,0,1,1,1\n2,2,2,3,3,3\n1,1,1,4,4,4\n");
        ASSERT_FALSE(io::write_vox_file(folder_ / "island.vox", sample_island()));
        Session session{command_table()};
        frame(session, "open " + path("tet.obj"));
        frame(session, "spawn 6 tet; spawn 6 cone; select 2; ray.pin -6 2 0 1 0 0.1");
        for (int i = 0; i < 5; ++i)
            frame(session, i == 3 ? "record.save " + path("session.bvrec") : "");
        ASSERT_FALSE(io::write_scene_file(folder_ / "scene.json",
                                          session.saver().saved_scene((folder_ / "scene.json").string())));
        ASSERT_FALSE(
            io::write_tree_file(folder_ / "tree.bvtree", session.state().world.finder().engine().snapshot()));
        ASSERT_EQ(test::errors_of(session), "");
    }

    [[nodiscard]] std::string path(const char* name) const { return quote_word((folder_ / name).string()); }

    static constexpr int kMaxFrames = 500;

    /// Runs the line with one of its allocations failing, and checks the session. Returns the number of
    /// allocations.
    static long attempt(const Case& c, long which) {
        Session session{command_table()};
        frame(session, c.before);
        if (c.mode != JobMode::Wait) session.work_in_background(c.mode, {});
        session.commands().push_script(c.line, "test");
        least_bytes = c.least;
        failing = which;
        counted = 0;
        session.drain();
        session.step(Session::kFixedStep_s);
        const auto has_jobs = [&] {
            least_bytes = std::numeric_limits<std::size_t>::max();  // asking takes memory, too
            const bool any = !session.shown().jobs.views().empty();
            least_bytes = c.least;
            return any;
        };
        for (int i = 0; i < kMaxFrames && has_jobs(); ++i) {
            session.drain();
            session.step(Session::kFixedStep_s);
        }
        failing = -1;
        const long count = counted;
        const std::string where = c.name + ", allocation " + std::to_string(which);
        EXPECT_FALSE(has_jobs()) << where << ": a job does not end";
        if (which >= 0 && session.refused_commands() > 0) {
            EXPECT_NE(test::errors_of(session).find("memory"), std::string::npos)
                << where << ": " << test::errors_of(session);
        }
        // The state is valid, and the record, also one that was opened, leads to it.
        frame(session, "set verify=true; pause on; time.goto end");
        frame(session, "step 2");
        const std::vector<BodyState> bodies = session.results().bodies;
        const std::uint64_t steps = session.results().steps;
        frame(session, "time.goto start");
        frame(session, "time.goto end");
        EXPECT_EQ(session.results().steps, steps) << where;
        EXPECT_EQ(session.results().bodies.size(), bodies.size()) << where;
        const auto same = [](const BodyState& a, const BodyState& b) {
            return a.id == b.id && a.transform == b.transform;
        };
        EXPECT_TRUE(std::equal(bodies.begin(), bodies.end(), session.results().bodies.begin(),
                               session.results().bodies.end(), same))
            << where << ": bodies elsewhere at the end of the record";
        for (const std::string& difference : session.results().checks.differences)
            ADD_FAILURE() << where << ": " << difference;
        frame(session, "scene welcome; spawn 3");
        EXPECT_EQ(session.results().scene_id, "welcome") << where;
        EXPECT_EQ(session.results().bodies.size(), 43u) << where;
        return count;
    }

    /// Lets each of the first `each` allocations fail once, and then a decreasing share of the rest.
    static void expect_survival(const Case& c, long each = 12) {
        const long count = attempt(c, -1);
        ASSERT_GT(count, 0) << c.name;
        int tried = 0;
        for (long which = 0; which < count; which += 1 + which / each, ++tried)
            (void)attempt(c, which);
        RecordProperty(c.name, std::to_string(tried) + " of " + std::to_string(count));
    }

    void expect_to_survive_opening(JobMode mode) const {
        for (const char* name :
             {"tet.obj", "list.csv", "island.vox", "scene.json", "tree.bvtree", "session.bvrec"})
            expect_survival({name, "scene welcome", std::string("open ") + path(name), 1, mode}, 60);
    }

    test::TempDir folder_;
};

TEST_F(NoMemory, OpeningEachKindOfFile) {
    expect_to_survive_opening(JobMode::Wait);
}

TEST_F(NoMemory, OpeningBetweenFrames) {
    expect_to_survive_opening(JobMode::Slices);
}

TEST_F(NoMemory, CommandsThatNeedMuchMemory) {
    const std::vector<Case> cases = {
        {"spawn", "scene welcome", "spawn 500", 256},
        {"spawn in the past", "scene welcome; step 3", "time.goto 1; spawn 300", 256},
        {"rebuild", "scene welcome; spawn 200", "tree.rebuild sah", 1},
        {"engine", "scene welcome; spawn 200", "set broadphase.kind=sweep", 1},
        {"exact", "scene welcome", "set volume.exact=true; set volume.exact_by=voxels", 1024},
        {"heatmap", "scene welcome", "set heat.show=true", 512},
        {"select", "scene welcome; spawn 100", "select all", 64},
        {"save", "scene welcome; spawn 20", "save " + path("saved.json"), 64},
        {"picks", "scene welcome", "pick 640 360; ray.pin 600 300", 1},
    };
    for (const Case& c : cases)
        expect_survival(c);
}

TEST_F(NoMemory, EverySceneThatStarts) {
    for (const SceneSpec& spec : scene_specs())
        expect_survival({std::string(spec.id), "set stress.bodies=1000; set pick.largest=20k; scene boxes",
                         "scene " + std::string(spec.id), 2000});
}

}  // namespace
}  // namespace lab
