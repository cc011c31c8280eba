// The diagnosis on captures with a known fault: cause, subtree and frame must be named, and nothing in sound
// ones. The captures come from an engine that shares no code with the library's trees.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "bv/capture/bv_capture.h"
#include "capture/diagnosis.hpp"
#include "capture/doctor.hpp"
#include "capture/samples/samples.hpp"
#include "capture/what_if.hpp"
#include "io/captures/capture_file.hpp"
#include "judge.hpp"

namespace lab::capture {
namespace {

std::string story(SampleKind kind, std::uint64_t seed, const Judged& judged) {
    return "kind " + std::to_string(static_cast<int>(kind)) + ", seed " + std::to_string(seed) +
           ": planted " + std::string(id_of(judged.sample.cause)) + " in frame " +
           std::to_string(judged.sample.frame) + " on " + std::to_string(judged.sample.bodies.size()) +
           " bodies\n" + diagnosis_text(judged.diagnosis);
}

TEST(Diagnosis, NamesCauseSubtreeAndFrameInElevenOfTwelveAndNothingInTheHealthyTwo) {
    // Seeds that were not used while the diagnosis was made.
    for (const std::uint64_t seed : {90'001u, 90'002u, 90'003u}) {
        int right = 0, planted = 0, healthy = 0;
        std::string wrong;
        for (std::size_t k = 0; k < kSampleKinds; ++k) {
            const auto kind = static_cast<SampleKind>(k);
            const Judged judged = judge_sample(kind, seed);
            const std::string why = why_wrong(judged);
            const bool is_healthy = judged.sample.cause == Cause::NothingWrong;
            ++(is_healthy ? healthy : planted);
            EXPECT_TRUE(!is_healthy || why.empty()) << story(kind, seed, judged);
            if (why.empty())
                right += is_healthy ? 0 : 1;
            else
                wrong += why + ": " + story(kind, seed, judged) + "\n";
        }
        EXPECT_EQ(planted, 12);
        EXPECT_EQ(healthy, 2);
        EXPECT_GE(right, 11) << wrong;
    }
}

TEST(Diagnosis, FindsNothingInSoundCaptures) {
    for (std::uint64_t seed = 91'000; seed < 91'006; ++seed)
        for (const SampleKind kind : {SampleKind::Sound, SampleKind::Busy}) {
            const Judged judged = judge_sample(kind, seed);
            EXPECT_TRUE(judged.diagnosis.findings.empty()) << story(kind, seed, judged);
        }
}

/// A chain of `count` leaves, the first of which has the box of half this size, in two frames.
std::vector<std::uint8_t> chain_of(std::size_t count, float half, float others) {
    bv_capture* capture = bv_capture_to_memory(nullptr, nullptr);
    std::vector<std::array<float, 6>> boxes;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = others > 0.0f ? static_cast<float>(i) : 0.0f, h = i == 0 ? half : others;
        boxes.push_back({x - h, -h, -h, x + h, h, h});
        const bv_capture_bounds box = bv_capture_box(boxes[i].data(), boxes[i].data() + 3);
        bv_capture_create(capture, i, box, box, 0, nullptr);
    }
    // Suffixes are the boxes of inner nodes: inner node i holds the leaves from i on.
    std::vector<std::array<float, 6>> inner = boxes;
    for (std::size_t i = count - 1; i-- > 0;)
        for (std::size_t k = 0; k < 3; ++k) {
            inner[i][k] = std::min(inner[i][k], inner[i + 1][k]);
            inner[i][k + 3] = std::max(inner[i][k + 3], inner[i + 1][k + 3]);
        }
    std::vector<bv_capture_tree_node> nodes;
    const auto add = [&](const std::array<float, 6>& box, std::uint64_t payload, std::uint32_t children) {
        nodes.push_back({nodes.size() + 1, bv_capture_box(box.data(), box.data() + 3), payload, children});
    };
    add(inner[0], 0, 2);
    for (std::size_t i = 0; i + 1 < count; ++i) {
        add(inner[i + 1], count - 1, i + 2 < count ? 2u : 0u);  // the rest; the last one is a leaf
        add(boxes[i], i, 0);
    }
    // Level by level: the rest first, then the leaf beside it, whose children come next.
    for (std::uint64_t frame = 0; frame < 12; ++frame) {
        bv_capture_frame(capture, static_cast<double>(frame) / 60.0);
        bv_capture_tree(capture, "dynamic", nodes.data(), nodes.size());
    }
    bv_capture_finish(capture);
    std::vector<std::uint8_t> bytes(1 << 20);
    bytes.resize(bv_capture_take(capture, bytes.data(), bytes.size()));
    bv_capture_close(capture);
    return bytes;
}

TEST(Diagnosis, BoxesWithoutSizeOrEndGiveSharesThatAreNumbers) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (const float half : {0.0f, 1e-30f, 1.0f, 1e5f, 1e25f, std::numeric_limits<float>::max(), kInfinity,
                             std::numeric_limits<float>::quiet_NaN()})
        for (const float others : {0.0f, 1e-25f, 0.3f, 1e20f}) {
            // Of a few leaves, each may be a giant; of many, none.
            for (const std::size_t count : {std::size_t{6}, std::size_t{24}}) {
                auto file = io::CaptureFile::from_bytes(chain_of(count, half, others), "chain.bvcap");
                ASSERT_TRUE(file) << file.error().text();
                const auto survey = make_survey(*file);
                const auto diagnosis = diagnose(*file, survey);
                ASSERT_TRUE(diagnosis.has_value());
                for (const Finding& finding : diagnosis->findings) {
                    EXPECT_TRUE(finding.share >= 0.0 && finding.share <= 1.0 + 1e-9)
                        << half << " among " << others << ": " << finding.share << " " << finding.evidence;
                    for (const std::string& text : {finding.evidence, finding.helps})
                        EXPECT_TRUE(text.find("nan") == std::string::npos &&
                                    text.find("inf") == std::string::npos)
                            << half << " among " << others << ": " << text;
                }
            }
        }
}

/// Sixteen boxes in a row under a balanced tree, in ten frames. The list of nodes is depth-first, which is
/// wrong, or level by level; of it, the last `missing` are left out.
std::vector<std::uint8_t> row_of_sixteen(bool depth_first, std::size_t missing) {
    bv_capture* capture = bv_capture_to_memory(nullptr, nullptr);
    std::deque<std::array<float, 6>> boxes;  // a bv_capture_bounds points at them
    const auto box_of = [&boxes](std::size_t first, std::size_t end) {
        boxes.push_back({static_cast<float>(first), 0, 0, static_cast<float>(end) - 0.2f, 1, 1});
        return bv_capture_box(boxes.back().data(), boxes.back().data() + 3);
    };
    for (std::size_t i = 0; i < 16; ++i)
        bv_capture_create(capture, i, box_of(i, i + 1), box_of(i, i + 1), 0, nullptr);
    struct Part {
        std::size_t first, end;
    };
    std::vector<Part> open{{0, 16}};
    std::vector<bv_capture_tree_node> nodes;
    for (std::size_t i = 0; depth_first ? !open.empty() : i < open.size(); ++i) {
        const Part part = depth_first ? open.back() : open[i];
        if (depth_first) open.pop_back();
        const std::size_t middle = (part.first + part.end) / 2;
        const bool is_leaf = part.first + 1 == part.end;
        nodes.push_back({nodes.size() + 1, box_of(part.first, part.end), part.first, is_leaf ? 0u : 2u});
        if (!is_leaf) open.insert(open.end(), {{part.first, middle}, {middle, part.end}});
    }
    for (std::uint64_t frame = 0; frame < 10; ++frame) {
        bv_capture_frame(capture, static_cast<double>(frame) / 60.0);
        bv_capture_tree(capture, "dynamic", nodes.data(), nodes.size() - missing);
    }
    bv_capture_finish(capture);
    std::vector<std::uint8_t> bytes(1 << 20);
    bytes.resize(bv_capture_take(capture, bytes.data(), bytes.size()));
    bv_capture_close(capture);
    return bytes;
}

TEST(Diagnosis, LengthsAreReadWithoutExponents) {
    EXPECT_EQ(meters_text(0.11149), "0.111 m");
    EXPECT_EQ(meters_text(999.4), "999 m");
    EXPECT_EQ(meters_text(999.7), "1,000 m");
    EXPECT_EQ(meters_text(1083.2), "1,083 m");
    EXPECT_EQ(meters_text(12.34, 2), "12 m");
    EXPECT_EQ(meters_text(123.4, 2), "123 m");
    EXPECT_EQ(meters_text(5e12), "5e+12 m");
    EXPECT_EQ(meters_text(0.0), "0 m");
}

TEST(Diagnosis, SaysThatTheListOfNodesIsDepthFirst) {
    const auto sound = diagnosis_of(row_of_sixteen(false, 0));
    ASSERT_TRUE(sound);
    EXPECT_TRUE(sound->findings.empty()) << diagnosis_text(*sound);
    EXPECT_TRUE(sound->remarks.empty()) << diagnosis_text(*sound);
    const auto wrong = diagnosis_of(row_of_sixteen(true, 0));
    ASSERT_TRUE(wrong);
    ASSERT_EQ(wrong->findings.size(), 1u) << diagnosis_text(*wrong);
    EXPECT_TRUE(wrong->findings.front().misread) << diagnosis_text(*wrong);
    EXPECT_NE(wrong->findings.front().helps.find("level by level"), std::string::npos);
}

TEST(Diagnosis, DoesNotBlameTheTreeForCallsThatWereRefused) {
    for (const std::size_t missing : {1u, 2u, 7u}) {
        const auto diagnosis = diagnosis_of(row_of_sixteen(false, missing));
        ASSERT_TRUE(diagnosis);
        EXPECT_TRUE(diagnosis->findings.empty()) << missing << "\n" << diagnosis_text(*diagnosis);
        const std::string text = diagnosis_text(*diagnosis);
        EXPECT_NE(text.find("refused"), std::string::npos) << text;
        EXPECT_EQ(text.find("Nothing wrong"), std::string::npos) << text;
    }
}

TEST(WhatIf, EveryStructureAnswersAsALoopOverAllBodiesAndTheBestAreMarked) {
    for (const SampleKind kind : {SampleKind::Sound, SampleKind::MixedClusters, SampleKind::LargeMargin}) {
        const Sample sample = make_sample(kind, 92'000);
        auto file = io::CaptureFile::from_bytes(sample.bytes, "sample.bvcap");
        ASSERT_TRUE(file);
        const auto result = what_if(*file, {.max_frames = 40});
        EXPECT_EQ(result.frames, 40u);
        EXPECT_EQ(result.queries, 40u * 8u);
        ASSERT_GT(result.rows.size(), 20u);
        EXPECT_TRUE(result.rows.front().is_engine);
        double best = 1e30, first = 0.0, second = 0.0;
        for (const WhatIfRow& row : result.rows) {
            if (row.is_engine) continue;
            EXPECT_TRUE(row.same_answers) << row.name;
            EXPECT_EQ(row.pairs, result.rows[1].pairs) << row.name;
            best = std::min(best, row.work());
            if (row.place == 1) first = row.work();
            if (row.place == 2) second = row.work();
        }
        EXPECT_EQ(first, best);
        EXPECT_GE(second, first);
        EXPECT_LT(first, result.rows.front().work()) << "the planted fault costs something";
    }
}

TEST(WhatIf, TheBestOfTheFirstBinaryTreesIsVaried) {
    const Sample sample = make_sample(SampleKind::Sound, 92'000);
    auto file = io::CaptureFile::from_bytes(sample.bytes, "sample.bvcap");
    ASSERT_TRUE(file);
    const auto result = what_if(*file, {.max_frames = 40});
    const std::string_view margin = ", margin 0.1 m along the velocity";
    const auto best = std::find_if(result.rows.begin(), result.rows.end(),
                                   [&](const WhatIfRow& row) { return row.name.ends_with(margin); });
    ASSERT_NE(best, result.rows.end());
    const std::string name = best->name.substr(0, best->name.size() - margin.size());
    int others = 0, variations = 0;
    for (const WhatIfRow& row : result.rows) {
        if (!row.name.starts_with("dynamic tree, ") || &row == &*best) continue;
        if (std::count(row.name.begin(), row.name.end(), ',') > 2) {
            ++variations;
            EXPECT_TRUE(row.name.starts_with(name + ", ")) << row.name;
            continue;
        }
        ++others;
        EXPECT_GE(row.work(), best->work()) << row.name;
    }
    EXPECT_EQ(others, 8);
    EXPECT_EQ(variations, 8);
}

TEST(WhatIf, TheEnginesOwnVisitsAreThoseThatItCounted) {
    const Sample sample = make_sample(SampleKind::Sound, 92'001);
    auto file = io::CaptureFile::from_bytes(sample.bytes, "sample.bvcap");
    ASSERT_TRUE(file);
    std::uint64_t visited = 0;
    for (std::size_t place = 110; place < 120; ++place) {
        const auto frame = file->frame(place);
        ASSERT_TRUE(frame);
        for (const io::CaptureQuery& query : frame->queries)
            visited += query.nodes_visited;
    }
    const auto result = what_if(*file, {.max_frames = 10});
    // A ray that touches a box is counted in double precision here, in single precision there.
    EXPECT_NEAR(result.rows.front().visits * 10.0, static_cast<double>(visited), 2.0);
}

/// Does all parts of `work`, and returns how many; what it says is done only grows.
template <class Work>
std::size_t do_in_parts(Work& work) {
    std::size_t parts = 0;
    double done = work.done();
    EXPECT_GE(done, 0.0);
    while (work.next()) {
        EXPECT_GE(work.done(), done);
        done = work.done();
        ++parts;
    }
    EXPECT_EQ(work.done(), 1.0);
    EXPECT_FALSE(work.next());
    return parts;
}

TEST(WhatIf, AndTheSurveyInPartsGiveTheSame) {
    const Sample sample = make_sample(SampleKind::Sound, 92'002);
    auto file = io::CaptureFile::from_bytes(sample.bytes, "sample.bvcap");
    ASSERT_TRUE(file);
    Surveyor surveyor(*file);
    EXPECT_EQ(do_in_parts(surveyor), file->frames().size());
    EXPECT_EQ(diagnosis_text(*diagnose(*file, surveyor.take())),
              diagnosis_text(*diagnose(*file, make_survey(*file))));

    Replay replay(*file, {.max_frames = 10});
    const std::size_t parts = do_in_parts(replay);
    const WhatIf in_parts = replay.take(), at_once = what_if(*file, {.max_frames = 10});
    EXPECT_EQ(in_parts.remarks, at_once.remarks);
    ASSERT_EQ(in_parts.rows.size(), at_once.rows.size());
    // Each frame is read once, and fed to each structure but the engine's own.
    EXPECT_EQ(parts, 10u + 1u + 10u * (in_parts.rows.size() - 1u));
    for (std::size_t i = 0; i < in_parts.rows.size(); ++i) {
        EXPECT_EQ(in_parts.rows[i].name, at_once.rows[i].name);
        EXPECT_EQ(in_parts.rows[i].work(), at_once.rows[i].work());
    }
    Replay given_up(*file);
    EXPECT_TRUE(given_up.next());
}

TEST(Samples, AreTheSameBytesForTheSameSeedAndReadWithoutNotes) {
    for (std::size_t k = 0; k < kSampleKinds; ++k) {
        const auto kind = static_cast<SampleKind>(k);
        const Sample a = make_sample(kind, 7);
        EXPECT_EQ(a.bytes, make_sample(kind, 7).bytes) << k;
        EXPECT_NE(a.bytes, make_sample(kind, 8).bytes) << k;
        auto file = io::CaptureFile::from_bytes(a.bytes, "sample.bvcap");
        ASSERT_TRUE(file) << file.error().text();
        EXPECT_TRUE(file->notes().empty());
        EXPECT_EQ(file->frames().size(), 120u);
        EXPECT_TRUE(std::all_of(file->frames().begin(), file->frames().end(),
                                [](const io::CaptureFrameEntry& entry) { return entry.refused == 0; }));
    }
}

}  // namespace
}  // namespace lab::capture
