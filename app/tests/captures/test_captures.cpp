// Captures: what bv_capture.h writes comes back to the last bit, damaged files cost a message, what did not
// fit is said, and the format page suffices to write one by hand.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "captures/capture_model.hpp"
#include "captures/read_capture.hpp"
#include "damage.hpp"
#include "io/captures/capture_decode.hpp"
#include "io/captures/capture_file.hpp"
#include "io/captures/capture_spool.hpp"
#include "io/captures/capture_tree.hpp"
#include "io/limits.hpp"
#include "io_test_tools.hpp"

namespace lab::io {
namespace {

using test::bounds_of;
using test::CaptureModel;
using test::difference;
using test::finished_bytes;
using test::Random;
using test::read_all;
using testing_tools::TestFolder;

bv_capture_config config_with(std::size_t buffer_bytes) {
    return {"model", "test", 0, CaptureModel::kMargin, buffer_bytes};
}

std::vector<std::uint8_t> model_bytes(std::uint64_t seed, int frames, int changes,
                                      std::vector<test::ExpectedFrame>* expected = nullptr) {
    const bv_capture_config config = config_with(0);
    bv_capture* capture = bv_capture_to_memory(&config, nullptr);
    CaptureModel model(capture, seed);
    for (int i = 0; i < frames; ++i)
        model.frame(changes);
    EXPECT_TRUE(model.complaints.empty());
    if (expected) *expected = model.frames;
    return finished_bytes(capture);
}

TEST(Captures, EveryFrameComesBackInEveryOrder) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        std::vector<test::ExpectedFrame> expected;
        const auto bytes = model_bytes(seed, 40, seed % 2 == 0 ? 400 : 15, &expected);
        auto file = CaptureFile::from_bytes(bytes, "x.bvcap");
        ASSERT_TRUE(file) << file.error().text();
        EXPECT_EQ(file->head().engine, "model");
        EXPECT_EQ(file->head().title, "test");
        EXPECT_TRUE(file->notes().empty()) << file->notes().front();
        ASSERT_EQ(file->frames().size(), expected.size());
        Random random(seed);
        for (int i = 0; i < 120; ++i) {
            const std::size_t at = i < 40 ? i : random.below(40);
            const auto frame = file->frame(at);
            ASSERT_TRUE(frame) << frame.error().text();
            EXPECT_EQ(difference(expected[at], *frame), "") << "seed " << seed << " frame " << at;
            const CaptureCounts& counts = file->frames()[at].counts;
            EXPECT_EQ(counts.created + counts.moved + counts.removed, frame->events.size());
            EXPECT_EQ(counts.queries, frame->queries.size());
            EXPECT_EQ(counts.trees, frame->trees.size());
            EXPECT_EQ(file->frames()[at].time_s, 0.25 * static_cast<double>(at));
        }
        const auto states = std::count_if(file->frames().begin(), file->frames().end(),
                                          [](const CaptureFrameEntry& f) { return f.has_state; });
        EXPECT_GE(states, 1);
        EXPECT_LT(states, 40) << "a state in every frame would be of no use";
    }
}

TEST(Captures, LongOnesHaveStatesSoThatAFrameCostsLittle) {
    const bv_capture_config config = config_with(0);
    bv_capture* capture = bv_capture_to_memory(&config, nullptr);
    CaptureModel model(capture, 5);
    for (int i = 0; i < 300; ++i)
        model.frame(60);
    auto file = CaptureFile::from_bytes(finished_bytes(capture), "x");
    ASSERT_TRUE(file);
    std::size_t since = 0, longest = 0, states = 0;
    for (const CaptureFrameEntry& frame : file->frames()) {
        since = frame.has_state ? 0 : since + 1;
        states += frame.has_state;
        longest = std::max(longest, since);
    }
    EXPECT_GE(states, 2u);
    EXPECT_LT(states, 60u);
    EXPECT_LT(longest, 250u);
    for (const std::size_t at : {299u, 150u, 298u, 0u})
        EXPECT_EQ(difference(model.frames[at], *file->frame(at)), "") << at;
}

TEST(Captures, AFileIsTheSameAsMemory) {
    const TestFolder folder;
    const bv_capture_config config = config_with(0);
    bv_capture_status status = BV_CAPTURE_NO_MEMORY;
    bv_capture* capture = bv_capture_to_file((folder / "x.bvcap").c_str(), &config, &status);
    ASSERT_EQ(status, BV_CAPTURE_OK);
    CaptureModel model(capture, 3);
    for (int i = 0; i < 30; ++i)
        model.frame(50);
    const std::uint64_t counted = bv_capture_get_stats(capture).bytes;
    EXPECT_EQ(bv_capture_close(capture), BV_CAPTURE_OK);
    const auto memory = model_bytes(3, 30, 50);
    const std::string bytes = testing_tools::bytes_of(folder / "x.bvcap");
    EXPECT_EQ(std::vector<std::uint8_t>(bytes.begin(), bytes.end()), memory);
    EXPECT_LE(counted, memory.size());
    auto file = CaptureFile::open(folder / "x.bvcap");
    ASSERT_TRUE(file) << file.error().text();
    for (std::size_t i = 0; i < 30; ++i)
        EXPECT_EQ(difference(model.frames[i], *file->frame(i)), "");
}

TEST(Captures, AFullBufferLeavesOutAndSaysSo) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const bv_capture_config config = config_with(1 << 16);
        bv_capture* capture = bv_capture_to_memory(&config, nullptr);
        CaptureModel model(capture, seed);
        std::vector<std::uint8_t> bytes;
        const auto drain = [&] {
            std::uint8_t part[4096];
            while (const std::size_t got = bv_capture_take(capture, part, sizeof part))
                bytes.insert(bytes.end(), part, part + got);
        };
        for (int i = 0; i < 120; ++i) {
            model.frame(i % 7 == 3 ? 300 : 10);
            if (i % 20 < 8) drain();
        }
        EXPECT_EQ(model.complaints, std::set<bv_capture_status>{BV_CAPTURE_LEFT_OUT});
        EXPECT_GT(bv_capture_get_stats(capture).left_out_calls, 0u);
        bv_capture_finish(capture);
        drain();
        bv_capture_close(capture);

        auto file = CaptureFile::from_bytes(bytes, "x");
        ASSERT_TRUE(file) << file.error().text();
        ASSERT_FALSE(file->losses().empty());
        ASSERT_FALSE(file->notes().empty());
        EXPECT_NE(file->notes().front().find("buffer was full"), std::string::npos) << file->notes().front();
        std::set<std::uint64_t> lost;
        CaptureCounts counts;
        for (const CaptureLoss& loss : file->losses()) {
            for (std::uint64_t i = 0; i < loss.frames; ++i)
                lost.insert(loss.first_frame + i);
            counts.created += loss.counts.created;
            counts.moved += loss.counts.moved;
            counts.removed += loss.counts.removed;
        }
        std::size_t complete = 0;
        for (std::size_t i = 0; i < file->frames().size(); ++i) {
            const CaptureFrameEntry& entry = file->frames()[i];
            EXPECT_EQ(entry.is_complete, !lost.contains(entry.number)) << entry.number;
            const auto& expected = model.frames[entry.number];
            if (entry.is_complete) {
                ++complete;
                const auto frame = file->frame(i);
                ASSERT_TRUE(frame) << frame.error().text();
                EXPECT_EQ(difference(expected, *frame), "") << "frame " << entry.number;
            }
        }
        EXPECT_GT(complete, 10u);
        EXPECT_EQ(complete + lost.size(), 120u) << "every frame is complete or said to be lost";
        // What was recorded and what was left out are all events together.
        std::uint64_t all = 0, recorded = 0;
        for (const auto& frame : model.frames)
            all += frame.events.size();
        for (std::size_t i = 0; i < file->frames().size(); ++i) {
            const auto frame = file->frame(i);
            ASSERT_TRUE(frame);
            recorded += frame->events.size();
        }
        EXPECT_EQ(recorded + counts.created + counts.moved + counts.removed, all);
        // A copy says so, too, wherever the notices stand.
        const TestFolder folder;
        const std::string path = (folder / "copy.bvcap").string();
        ASSERT_FALSE(file->save(path));
        const auto saved = CaptureFile::open(path);
        ASSERT_TRUE(saved) << saved.error().text();
        EXPECT_EQ(saved->losses().size(), file->losses().size());
        EXPECT_EQ(saved->notes(), file->notes());
    }
}

TEST(Captures, RefusedCallsAreCountedAlsoBeforeTheFirstFrame) {
    const bv_capture_config config = config_with(0);
    bv_capture* capture = bv_capture_to_memory(&config, nullptr);
    for (int i = 0; i < 3; ++i)
        EXPECT_NE(bv_capture_remove(capture, 7), BV_CAPTURE_OK);
    bv_capture_frame(capture, 0.0);
    EXPECT_NE(bv_capture_remove(capture, 7), BV_CAPTURE_OK);
    bv_capture_frame(capture, 0.1);
    bv_capture_frame(capture, 0.2);
    EXPECT_NE(bv_capture_remove(capture, 7), BV_CAPTURE_OK);
    auto file = CaptureFile::from_bytes(finished_bytes(capture), "x");
    ASSERT_TRUE(file);
    ASSERT_EQ(file->frames().size(), 3u);
    EXPECT_EQ(file->frames()[0].refused, 4u);
    EXPECT_EQ(file->frames()[1].refused, 0u);
    EXPECT_EQ(file->frames()[2].refused, 1u);
}

TEST(Captures, SyncFindsWhatCameMovedAndWent) {
    bv_capture* capture = bv_capture_to_memory(nullptr, nullptr);
    Random random(9);
    std::map<std::uint64_t, bv::Aabb> bodies;
    std::vector<std::map<std::uint64_t, bv::Aabb>> expected;
    std::vector<std::uint64_t> counts;
    for (int f = 0; f < 60; ++f) {
        ASSERT_EQ(bv_capture_frame(capture, f), BV_CAPTURE_OK);
        for (int i = 0; i < 8; ++i) {
            const std::uint64_t id = random.below(40);
            const auto at = bodies.find(id);
            if (at == bodies.end())
                bodies[id] = {glm::vec3(0.0f), glm::vec3(random.uniform(1.0f, 2.0f))};
            else if (random.chance(0.4f) && expected.size() > 0 && expected.back().contains(id))
                bodies.erase(at);
            else
                at->second.max += 1.0f;
        }
        std::vector<bv_capture_proxy> list;
        for (const auto& [id, box] : bodies)
            list.push_back({id, bounds_of(box), {nullptr, nullptr}, 7});
        if (f % 3 == 1) std::reverse(list.begin(), list.end());
        if (f % 5 == 2) std::rotate(list.begin(), list.begin() + 3, list.end());
        if (f % 2 == 0) {
            ASSERT_EQ(bv_capture_proxies(capture, list.data(), list.size()), BV_CAPTURE_OK);
        } else {
            ASSERT_EQ(bv_capture_sync_begin(capture), BV_CAPTURE_OK);
            const std::size_t half = list.size() / 2;
            ASSERT_EQ(bv_capture_sync(capture, list.data(), half), BV_CAPTURE_OK);
            for (std::size_t i = half; i < list.size(); ++i)
                ASSERT_EQ(bv_capture_sync(capture, &list[i], 1), BV_CAPTURE_OK);
            ASSERT_EQ(bv_capture_sync_end(capture), BV_CAPTURE_OK);
        }
        std::uint64_t differences = 0;
        for (const auto& [id, box] : bodies)
            if (expected.empty() || !expected.back().contains(id) || !(expected.back().at(id) == box))
                ++differences;
        for (const auto& [id, box] : expected.empty() ? bodies : expected.back())
            if (!bodies.contains(id)) ++differences;
        counts.push_back(differences);
        expected.push_back(bodies);
    }
    auto file = CaptureFile::from_bytes(finished_bytes(capture), "x");
    ASSERT_TRUE(file);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto frame = file->frame(i);
        ASSERT_TRUE(frame);
        std::map<std::uint64_t, bv::Aabb> read;
        for (const CaptureProxy& proxy : frame->proxies) {
            EXPECT_TRUE(test::same_bits(proxy.fat, proxy.tight));
            EXPECT_EQ(proxy.tag, 7u);
            read[proxy.id] = proxy.tight;
        }
        EXPECT_EQ(read, expected[i]) << i;
        EXPECT_EQ(frame->events.size(), counts[i]) << "only what changed is recorded, frame " << i;
    }
}

TEST(Captures, RemovingDuringASyncLeavesTheOthersToIt) {
    bv_capture* capture = bv_capture_to_memory(nullptr, nullptr);
    const bv::Aabb box{glm::vec3(0.0f), glm::vec3(1.0f)};
    for (const std::uint64_t id : {1, 2, 3})
        bv_capture_create(capture, id, bounds_of(box), bounds_of(box), 0, nullptr);
    bv_capture_frame(capture, 0);
    bv_capture_sync_begin(capture);
    for (const std::uint64_t id : {1, 2}) {
        const bv_capture_proxy proxy{id, bounds_of(box), bounds_of(box), 0};
        EXPECT_EQ(bv_capture_sync(capture, &proxy, 1), BV_CAPTURE_OK);
    }
    EXPECT_EQ(bv_capture_remove(capture, 1), BV_CAPTURE_OK);
    EXPECT_EQ(bv_capture_create(capture, 9, bounds_of(box), bounds_of(box), 0, nullptr), BV_CAPTURE_OK);
    EXPECT_EQ(bv_capture_sync_end(capture), BV_CAPTURE_OK);
    EXPECT_TRUE(bv_capture_knows(capture, 2) && bv_capture_knows(capture, 9));
    EXPECT_FALSE(bv_capture_knows(capture, 1) || bv_capture_knows(capture, 3));
    bv_capture_close(capture);
}

TEST(Captures, RemovingBehindTheLastMoveDuringASyncForgetsWhereItWas) {
    const bv::Aabb box{glm::vec3(0.0f), glm::vec3(1.0f)}, other{glm::vec3(0.0f), glm::vec3(2.0f)};
    for (const std::uint64_t count : {3u, 1024u}) {
        bv_capture* capture = bv_capture_to_memory(nullptr, nullptr);
        bv_capture_frame(capture, 0);
        for (std::uint64_t id = 1; id <= count; ++id)
            bv_capture_create(capture, id, bounds_of(box), bounds_of(box), 0, nullptr);
        bv_capture_frame(capture, 1);
        bv_capture_sync_begin(capture);
        // The next proxy is expected behind the one that moved: where none is any longer.
        EXPECT_EQ(bv_capture_move(capture, count, bounds_of(other), bounds_of(other)), BV_CAPTURE_OK);
        EXPECT_EQ(bv_capture_remove(capture, 1), BV_CAPTURE_OK);
        EXPECT_EQ(bv_capture_remove(capture, count), BV_CAPTURE_OK);
        const std::vector<bv_capture_proxy> again(4, {count, bounds_of(other), bounds_of(other), 0});
        EXPECT_EQ(bv_capture_sync(capture, again.data(), again.size()), BV_CAPTURE_OK);
        EXPECT_EQ(bv_capture_sync_end(capture), BV_CAPTURE_OK);
        EXPECT_TRUE(bv_capture_knows(capture, count)) << "it is in the list";
        EXPECT_FALSE(bv_capture_knows(capture, 1) || bv_capture_knows(capture, 2));
        EXPECT_EQ(bv_capture_get_stats(capture).proxies, 1u);
        auto file = CaptureFile::from_bytes(finished_bytes(capture), "x.bvcap");
        ASSERT_TRUE(file) << file.error().text();
        auto last = file->frame(1);
        ASSERT_TRUE(last) << last.error().text();
        ASSERT_EQ(last->proxies.size(), 1u);
        EXPECT_EQ(last->proxies.front().id, count);
    }
}

TEST(Captures, AFrameStaysAsItWasReadWhileOthersAreRead) {
    std::vector<test::ExpectedFrame> expected;
    auto file = CaptureFile::from_bytes(model_bytes(8, 40, 60, &expected), "x");
    ASSERT_TRUE(file);
    std::vector<CaptureFrame> kept;
    for (std::size_t i = 0; i < 40; ++i)
        kept.push_back(std::move(*file->frame(i)));
    for (std::size_t i = 0; i < 40; ++i)
        EXPECT_EQ(difference(expected[i], kept[i]), "") << i;
}

TEST(Captures, NamesAreCutBetweenCharactersAndMarksToo) {
    bv_capture* capture = bv_capture_to_memory(nullptr, nullptr);
    const bv::Aabb box{glm::vec3(0.0f), glm::vec3(1.0f)};
    const std::string euro = "\xe2\x82\xac";
    std::string text;
    for (int i = 0; i < 2000; ++i)
        text += euro;
    bv_capture_create(capture, 1, bounds_of(box), bounds_of(box), 0, text.c_str());
    bv_capture_create(capture, 2, bounds_of(box), bounds_of(box), 0, ("x" + text).c_str());
    bv_capture_create(capture, 3, bounds_of(box), bounds_of(box), 0, "");
    bv_capture_frame(capture, 0);
    bv_capture_mark(capture, text.c_str());
    auto file = CaptureFile::from_bytes(finished_bytes(capture), "x");
    ASSERT_TRUE(file);
    const auto frame = file->frame(0);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->names->at(1), text.substr(0, 255));
    EXPECT_EQ(frame->names->at(2), ("x" + text).substr(0, 253));
    EXPECT_FALSE(frame->names->contains(3));
    EXPECT_EQ(frame->marks.at(0), text.substr(0, 3999));
}

TEST(Captures, ListsLongerThanABlockAreKeptWhole) {
    bv_capture* capture = bv_capture_to_memory(nullptr, nullptr);
    const bv::Aabb box{glm::vec3(0.0f), glm::vec3(1.0f)};
    std::vector<std::uint64_t> ids(100'000);
    for (std::size_t i = 0; i < ids.size(); ++i)
        ids[i] = i * 0x9e3779b97f4a7c15u;
    for (int f = 0; f < 3; ++f) {
        bv_capture_frame(capture, f);
        EXPECT_EQ(bv_capture_tree_begin(capture, "wide", 1), BV_CAPTURE_OK);
        EXPECT_EQ(bv_capture_node(capture, 1, bounds_of(box), nullptr, 0, ids.data(), ids.size()),
                  BV_CAPTURE_OK);
        EXPECT_EQ(bv_capture_tree_end(capture), BV_CAPTURE_OK);
        const bv_capture_result result{0, 1, 1, ids.data(), ids.size(), nullptr, 0};
        EXPECT_EQ(bv_capture_query_box(capture, bounds_of(box), &result), BV_CAPTURE_OK);
    }
    auto file = CaptureFile::from_bytes(finished_bytes(capture), "x");
    ASSERT_TRUE(file);
    for (std::size_t f = 0; f < 3; ++f) {
        const auto frame = file->frame(f);
        ASSERT_TRUE(frame) << frame.error().text();
        EXPECT_EQ(frame->trees.at(0).payloads, ids);
        EXPECT_EQ(frame->queries.at(0).found, ids);
    }
}

TEST(Captures, TreesOfAFrameGetNamesThatDiffer) {
    bv_capture* capture = bv_capture_to_memory(nullptr, nullptr);
    const bv::Aabb box{glm::vec3(0.0f), glm::vec3(1.0f)};
    for (int f = 0; f < 2; ++f) {
        bv_capture_frame(capture, f);
        for (const char* name : {"a", "a", "", static_cast<const char*>(nullptr), "a 2", "a", "a 2"}) {
            EXPECT_EQ(bv_capture_tree_begin(capture, name, 1), BV_CAPTURE_OK);
            EXPECT_EQ(bv_capture_node(capture, 1, bounds_of(box), nullptr, 0, nullptr, 0), BV_CAPTURE_OK);
            EXPECT_EQ(bv_capture_tree_end(capture), BV_CAPTURE_OK);
        }
    }
    auto file = CaptureFile::from_bytes(finished_bytes(capture), "x");
    ASSERT_TRUE(file);
    for (std::size_t f = 0; f < 2; ++f) {
        const auto frame = file->frame(f);
        ASSERT_TRUE(frame) << frame.error().text();
        std::vector<std::string> names;
        for (const CaptureTree& tree : frame->trees)
            names.push_back(tree.name);
        EXPECT_EQ(names, (std::vector<std::string>{"a", "a 2", "tree", "tree 2", "a 2 2", "a 3", "a 2 3"}));
    }
}

TEST(Captures, BoxesWhoseUnionDependsOnTheOrderComeBackBitForBit) {
    const float nan = std::nanf("");
    std::vector<bv::Aabb> odd;
    for (const float a : {0.0f, -0.0f, nan, 1.0f})
        for (const float b : {0.0f, -0.0f, nan, -1.0f})
            for (const bool is_min : {false, true})
                odd.push_back({is_min ? glm::vec3(b, a, b) : glm::vec3(-2.0f),
                               is_min ? glm::vec3(2.0f) : glm::vec3(a, b, a)});
    for (const bv::Aabb& left : odd)
        for (const bv::Aabb& right : odd)
            for (const bv::Aabb& parent : {left, right, bv::merge(left, right), bv::merge(right, left)}) {
                bv_capture* capture = bv_capture_to_memory(nullptr, nullptr);
                bv_capture_frame(capture, 0);
                const bv_capture_tree_node nodes[] = {
                    {1, bounds_of(parent), 0, 2}, {2, bounds_of(left), 7, 0}, {3, bounds_of(right), 8, 0}};
                EXPECT_EQ(bv_capture_tree(capture, "t", nodes, 3), BV_CAPTURE_OK);
                auto file = CaptureFile::from_bytes(finished_bytes(capture), "x");
                ASSERT_TRUE(file);
                const auto frame = file->frame(0);
                ASSERT_TRUE(frame) << frame.error().text();
                ASSERT_TRUE(test::same_bits(frame->trees.at(0).nodes.at(0).box, parent));
            }
}

// ---- damage

TEST(Captures, CutOffAtEveryByteTheFramesBeforeAreThere) {
    std::vector<test::ExpectedFrame> expected;
    const auto bytes = model_bytes(2, 6, 12, &expected);
    ASSERT_LT(bytes.size(), 40'000u);
    auto whole = CaptureFile::from_bytes(bytes, "x");
    ASSERT_TRUE(whole);
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
        const std::vector<std::uint8_t> part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(cut));
        std::size_t complete = 0, begun = 0;
        for (const CaptureFrameEntry& frame : whole->frames()) {
            complete += frame.byte + frame.bytes <= cut;
            begun += frame.byte < cut;
        }
        auto file = CaptureFile::from_bytes(part, "x");
        if (!file) {
            EXPECT_LE(begun, 1u) << cut;
            EXPECT_EQ(complete, 0u) << cut;
            continue;
        }
        ASSERT_GE(file->frames().size(), complete) << cut;
        EXPECT_FALSE(file->notes().empty() && complete < expected.size() && begun > complete) << cut;
        if (complete > 0) {
            EXPECT_TRUE(file->frames()[complete - 1].is_complete);
            EXPECT_EQ(difference(expected[complete - 1], *file->frame(complete - 1)), "") << cut;
        }
        if (file->frames().size() > complete) {
            EXPECT_FALSE(file->frames()[complete].is_complete) << cut;
            EXPECT_TRUE(file->frame(complete)) << cut;
        }
    }
}

TEST(Captures, DamagedBytesAreRefusedOrRead) {
    std::vector<std::vector<std::uint8_t>> good;
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
        good.push_back(model_bytes(seed, 5, 25));
    std::size_t refused = 0, read = 0;
    for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
        Random random(seed);
        const auto& from = random.one_of(good);
        const std::string bytes = test::damaged(std::string(from.begin(), from.end()), random, 6);
        (read_all({bytes.begin(), bytes.end()}) < 5 ? refused : read) += 1;
    }
    EXPECT_GT(refused, 100u);
    EXPECT_GT(read, 100u);
}

TEST(Captures, ADamagedFrameCostsItselfAndThoseThatNeedIt) {
    std::vector<test::ExpectedFrame> expected;
    auto bytes = model_bytes(3, 6, 20, &expected);
    auto whole = CaptureFile::from_bytes(bytes, "x");
    ASSERT_TRUE(whole);
    ASSERT_FALSE(whole->frames()[3].has_state);
    // The first record of the events of frame 2, behind two headers and the frame's number and time.
    const std::size_t at = whole->frames()[2].byte + 8 + bytes[whole->frames()[2].byte + 4] + 8;
    ASSERT_EQ(bytes[at - 7], 'E');
    bytes[at] = 0x7f;
    auto file = CaptureFile::from_bytes(bytes, "x");
    ASSERT_TRUE(file);
    for (const std::size_t i : {2, 3, 1, 2, 3, 0, 5, 1}) {
        const auto frame = file->frame(i);
        EXPECT_EQ(static_cast<bool>(frame), i < 2) << i;
        if (frame)
            EXPECT_EQ(difference(expected[i], *frame), "");
        else
            EXPECT_EQ(frame.error().where, "byte " + std::to_string(at)) << frame.error().text();
    }
}

TEST(Captures, AFlippedBitAnywhereIsRefusedOrRead) {
    const auto good = model_bytes(7, 4, 20);
    Random random(1);
    for (std::size_t at = 0; at < good.size(); ++at) {
        auto bytes = good;
        bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ (1u << random.below(8)));
        read_all(bytes);
    }
}

TEST(Captures, AFrameHasALimitForRecordsOfEveryKind) {
    constexpr std::size_t kMaxRecords = limits::kCaptureRecords;
    const auto again = [](const std::vector<std::uint8_t>& record, std::size_t count) {
        std::vector<std::uint8_t> bytes;
        bytes.reserve(record.size() * count);
        for (std::size_t i = 0; i < count; ++i)
            bytes.insert(bytes.end(), record.begin(), record.end());
        return bytes;
    };
    const auto refusal = [](const std::optional<CaptureProblem>& problem) {
        return problem ? problem->what : std::string("accepted");
    };
    const std::string said = "the frame has more than 4000000 events, queries, marks and trees";
    const auto marks = again({0x20, 0}, kMaxRecords + 1);
    {
        CaptureDecoder decoder(0.0f);
        CaptureFrame frame;
        decoder.begin_frame(&frame);
        EXPECT_EQ(refusal(decoder.events({std::span(marks).first(2 * kMaxRecords), 0})), "accepted");
        // One more of any kind: a mark, a removal, a query, a tree.
        EXPECT_EQ(refusal(decoder.events({std::span(marks).first(2), 0})), said);
        const std::uint8_t removal[] = {2, 2}, query[] = {0x10};
        EXPECT_EQ(refusal(decoder.events({removal, 0})), said);
        EXPECT_EQ(refusal(decoder.events({query, 0})), said);
        const std::uint8_t tree[] = {1, 0, 0};
        EXPECT_EQ(refusal(decoder.tree({tree, 0})), said);
        EXPECT_EQ(frame.marks.size(), kMaxRecords);
        // The next frame counts anew; and what is only followed is not kept.
        decoder.begin_frame(&frame);
        EXPECT_EQ(refusal(decoder.events({std::span(marks).first(2), 0})), "accepted");
        decoder.begin_frame(nullptr);
        EXPECT_EQ(refusal(decoder.events({marks, 0})), "accepted");
    }
    // A created body that is removed at once: two records.
    std::vector<std::uint8_t> life(2 + 1 + 24, 0);
    life[0] = 1;
    life[1] = 2;  // with a tight box alone
    life.push_back(2);
    life.push_back(0);
    const auto lives = again(life, kMaxRecords / 2 + 1);
    CaptureDecoder decoder(0.0f);
    CaptureFrame frame;
    decoder.begin_frame(&frame);
    EXPECT_EQ(refusal(decoder.events({lives, 0})), said);
    EXPECT_EQ(frame.events.size(), kMaxRecords);
}

TEST(Captures, WhatIsNoCaptureIsRefusedWithTheByte) {
    const auto refusal = [](const std::string& bytes) {
        const auto file = CaptureFile::from_bytes({bytes.begin(), bytes.end()}, "x.bvcap");
        return file ? std::string("accepted") : file.error().text();
    };
    EXPECT_NE(refusal("").find("byte 0: is not a capture"), std::string::npos);
    EXPECT_NE(refusal("BVCAP\n\x1a").find("byte 0"), std::string::npos);
    const std::string magic = "BVCAP\r\n\x1a";
    EXPECT_NE(refusal(magic).find("has no frames"), std::string::npos);
    EXPECT_NE(refusal(magic + "hello, world").find("byte 8: no chunk begins here"), std::string::npos);
    EXPECT_NE(
        refusal(magic + std::string("\xbc\x46\1\0\0\0\0\0", 8)).find("byte 8: a capture must begin with"),
        std::string::npos)
        << refusal(magic + std::string("\xbc\x46\1\0\0\0\0\0", 8));
    EXPECT_NE(refusal(magic + std::string("\xbcH\1\0\xff\xff\xff\xff", 8))
                  .find("byte 8: the header has 4294967295 bytes; at most 65520 are read"),
              std::string::npos);
    EXPECT_NE(
        refusal(magic + std::string("\xbcH\1\0\xff\xff\0\0", 8)).find("byte 8: the header has 65535 bytes"),
        std::string::npos);
    EXPECT_NE(refusal(magic + std::string("\xbcH\1\0\0\x10\0\0", 8)).find("byte 8: the file is cut off"),
              std::string::npos);
    EXPECT_FALSE(CaptureFile::open("no/such/file.bvcap"));
    EXPECT_FALSE(CaptureFile::open("/dev/zero"));
    EXPECT_FALSE(CaptureFile::open("/tmp"));
}

TEST(Captures, AStreamThatEndsEarlyIsNotCalledAFile) {
    const auto bytes = model_bytes(3, 12, 20);
    for (const std::size_t sent : {std::size_t{20}, bytes.size() - 5}) {
        auto spool = CaptureSpool::make(1 << 30);
        ASSERT_TRUE(spool);
        auto stream = CaptureFile::from_source(*spool, "x");
        ASSERT_TRUE(stream);
        ASSERT_TRUE((*spool)->append(std::span(bytes).first(sent)));
        (*spool)->end();
        const auto grown = stream->grow();
        const std::string said = grown ? stream->notes().at(0) : grown.error().text();
        EXPECT_NE(said.find("the stream is cut off"), std::string::npos) << said;
    }
}

TEST(Captures, UnknownChunksAreSkippedAndCounted) {
    std::vector<test::ExpectedFrame> expected;
    const auto bytes = model_bytes(4, 3, 20, &expected);
    auto whole = CaptureFile::from_bytes(bytes, "x");
    ASSERT_TRUE(whole);
    std::vector<std::uint8_t> more(bytes);
    const std::uint8_t strange[] = {0xbc, '?', 1, 0, 3, 0, 0, 0, 1, 2, 3, 0xbc, 'E', 9, 0, 1, 0, 0, 0, 7};
    // Inside the second frame, after its first chunk, and at the end.
    const auto at =
        static_cast<std::ptrdiff_t>(whole->frames()[1].byte + 8 + bytes[whole->frames()[1].byte + 4]);
    more.insert(more.begin() + at, std::begin(strange), std::end(strange));
    more.insert(more.end(), std::begin(strange), std::end(strange));
    auto file = CaptureFile::from_bytes(more, "x");
    ASSERT_TRUE(file) << file.error().text();
    ASSERT_EQ(file->notes().size(), 1u);
    EXPECT_NE(file->notes()[0].find("4 chunks"), std::string::npos) << file->notes()[0];
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(difference(expected[i], *file->frame(i)), "");
}

// ---- writing

TEST(Captures, AFullDiskEndsTheCaptureAndNotTheEngine) {
    const TestFolder folder;
    const pid_t child = fork();
    if (child == 0) {
        const rlimit limit{50'000, 50'000};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        bv_capture_status status{};
        bv_capture* capture = bv_capture_to_file((folder / "x.bvcap").c_str(), nullptr, &status);
        CaptureModel model(capture, 3);
        for (int i = 0; i < 200; ++i) {
            model.frame(30);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        const bool reported = model.complaints.contains(BV_CAPTURE_NOT_WRITTEN);
        _exit(reported && bv_capture_close(capture) == BV_CAPTURE_NOT_WRITTEN ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    auto file = CaptureFile::open(folder / "x.bvcap");
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_GT(file->frames().size(), 3u);
    ASSERT_FALSE(file->notes().empty());
}

TEST(Captures, AnEngineThatIsKilledLeavesItsFrames) {
    const TestFolder folder;
    const pid_t child = fork();
    if (child == 0) {
        bv_capture* capture = bv_capture_to_file((folder / "x.bvcap").c_str(), nullptr, nullptr);
        CaptureModel model(capture, 3);
        for (int i = 0; i < 20; ++i)
            model.frame(30);
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        model.frame(30);
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    auto file = CaptureFile::open(folder / "x.bvcap");
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_GE(file->frames().size(), 19u) << "what was complete a moment before is there";
}

TEST(Captures, PythonWritesOneFromTheFormatPage) {
    const TestFolder folder;
    const std::string path = (folder / "python.bvcap").string();
    ASSERT_EQ(std::system(("python3 " BVLAB_CAPTURE_SCRIPT " '" + path + "' 5").c_str()), 0);
    auto file = CaptureFile::open(path);
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ(file->head().engine, "write_bvcap.py");
    EXPECT_TRUE(file->notes().empty()) << file->notes().front();
    ASSERT_EQ(file->frames().size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
        const auto frame = file->frame(i);
        ASSERT_TRUE(frame) << frame.error().text();
        EXPECT_TRUE(frame->notes.empty()) << frame->notes.front();
        const float x = 0.25f * static_cast<float>(i);
        ASSERT_EQ(frame->proxies.size(), 2u);
        EXPECT_EQ(frame->proxies[0].tight, (bv::Aabb{{-x, 0, 0}, {1 - x, 1, 1}}));
        EXPECT_EQ(frame->proxies[1].fat, (bv::Aabb{{3 + x, 0, 0}, {4 + x, 1, 1}}));
        EXPECT_EQ(*frame->names, (CaptureNames{{7, "body 7"}, {9, "body 9"}}));
        EXPECT_EQ(frame->marks, std::vector<std::string>{"frame " + std::to_string(i)});
        ASSERT_EQ(frame->queries.size(), 1u);
        EXPECT_EQ(frame->queries[0].found, std::vector<std::uint64_t>{7});
        EXPECT_EQ(frame->queries[0].visited, (std::vector<std::uint64_t>{100, 7, 9}));
        ASSERT_EQ(frame->trees.size(), 1u);
        EXPECT_TRUE(frame->trees[0].is_complete);
        const CaptureSnapshot snapshot = snapshot_of(frame->trees[0], frame->proxies);
        EXPECT_EQ(snapshot.defect_count, 0u);
        EXPECT_EQ(snapshot.tree.boxes.at(0), (bv::Aabb{{-x, 0, 0}, {4 + x, 1, 1}}));
        EXPECT_EQ(snapshot.tree.payloads, (std::vector<std::uint64_t>{7, 9}));
        EXPECT_EQ(file->frames()[i].counts.moved, i == 0 ? 0u : 2u);
    }
}

}  // namespace
}  // namespace lab::io
