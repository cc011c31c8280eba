// A session with any number of threads: the same bodies, pairs, trees, heatmap and recording, bit for bit.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "commands/catalog.hpp"
#include "platform/threads/thread_pool.hpp"
#include "session/session.hpp"
#include "session_bits.hpp"
#include "session_test_tools.hpp"
#include "temp_dir.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

struct Script {
    const char* lines;
    int frames;
};
constexpr Script kScripts[] = {
    {"scene stress; set heat.show=true", 3},
    {"scene stress; set volume.pair_kind=kdop14; set sim.contact=bounce; set broadphase.kind=dynamic-tree",
     2},
    {"scene stress; set broadphase.kind=sweep-and-prune", 1},
    {"scene stress; set broadphase.kind=spatial-hash", 1},
    {"scene welcome; spawn 1500; set volume.pair_kind=hull; set volume.exact=true; select 3 70", 2},
    {"scene welcome; spawn 1100; set volume.exact=true; set volume.exact_by=voxels", 2},
    {"scene welcome; spawn 1100; set volume.exact=true; set sim.contact=stop; "
     "body.set volume.pair_kind=sphere 4",
     2},
    {"scene mesh-bvh; set heat.show=true", 2},
    {"scene mesh-pairs; set heat.show=true; pick 640 360", 2},
};

class Threads : public testing::Test {
  protected:
    ~Threads() override { platform::all_cores().set_threads(0); }

    /// After each frame, and the recording of all.
    std::string record(const Script& script) const {
        Session session{command_table()};
        std::string text;
        for (int i = 0; i < script.frames; ++i) {
            test::run(session, i == 0 ? script.lines : "");
            text += test::seen(session);
            if (const auto& heat = session.results().heatmap)
                for (const std::uint32_t count : heat->counts)
                    text += std::to_string(count) + ' ';
            const PairStages& pairs = session.results().pairs;
            for (const auto* list : {&pairs.broad, &pairs.volume, &pairs.exact})
                for (const BodyPair& pair : *list)
                    text += std::to_string(pair.a.value) + '-' + std::to_string(pair.b.value) + ' ';
        }
        const std::string path = (folder_ / "threads.bvrec").string();
        test::run(session, "record.save " + path);
        std::ifstream file(path, std::ios::binary);
        EXPECT_TRUE(file.good()) << script.lines;
        text.append(std::istreambuf_iterator<char>(file), {});
        return text;
    }

  private:
    test::TempDir folder_;
};

TEST_F(Threads, NothingDependsOnTheirNumber) {
    for (const Script& script : kScripts) {
        platform::all_cores().set_threads(1);
        const std::string one = record(script);
        for (const unsigned threads : {2u, 5u}) {
            platform::all_cores().set_threads(threads);
            EXPECT_EQ(test::difference(one, record(script)), "") << script.lines << ", threads: " << threads;
        }
    }
}

}  // namespace
}  // namespace lab
