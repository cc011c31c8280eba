// What the survey makes of captures whose frames are not all alike, or too many to be read one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bv/capture/bv_capture.h"
#include "capture/diagnosis.hpp"
#include "capture/samples/sample_engine.hpp"
#include "capture/samples/samples.hpp"
#include "capture/shown_frame.hpp"
#include "capture/survey.hpp"
#include "capture/what_if.hpp"
#include "io/captures/capture_file.hpp"

namespace lab::capture {
namespace {

/// An engine with forty bodies at rest, and what it captures.
class Motor {
  public:
    Motor() : capture_(bv_capture_to_memory(nullptr, nullptr)) {
        frame();
        for (std::uint64_t id = 1; id <= 40; ++id)
            create(id);
    }
    Motor(const Motor&) = delete;
    Motor& operator=(const Motor&) = delete;
    ~Motor() { bv_capture_close(capture_); }

    void frame() { bv_capture_frame(capture_, static_cast<double>(frames_++) / 60.0); }
    void create(std::uint64_t id) {
        const auto x = static_cast<float>(id % 8) * 2.0f, z = static_cast<float>(id / 8) * 2.0f;
        const bv::Aabb box{{x, 0.0f, z}, {x + 0.7f, 0.7f, z + 0.7f}};
        tree_.insert(id, box);
        const bv::Aabb fat = tree_.fat(id);
        bv_capture_create(capture_, id, bv_capture_box(&box.min.x, &box.max.x),
                          bv_capture_box(&fat.min.x, &fat.max.x), 0, nullptr);
    }
    void remove(std::uint64_t id) {
        tree_.remove(id);
        bv_capture_remove(capture_, id);
    }
    void mark(const char* text) { bv_capture_mark(capture_, text); }
    void tree() { tree_.record_tree(capture_); }
    /// A tree of one body.
    void small_tree(const std::string& name) {
        const float low[] = {0.0f, 0.0f, 0.0f}, high[] = {1.0f, 1.0f, 1.0f};
        const bv_capture_tree_node node{1, bv_capture_box(low, high), 1, 0};
        bv_capture_tree(capture_, name.c_str(), &node, 1);
    }

    io::CaptureFile file() {
        bv_capture_finish(capture_);
        std::vector<std::uint8_t> bytes(std::size_t{16} << 20);
        bytes.resize(bv_capture_take(capture_, bytes.data(), bytes.size()));
        auto file = io::CaptureFile::from_bytes(std::move(bytes), "motor");
        EXPECT_TRUE(file);
        return std::move(*file);
    }

  private:
    bv_capture* capture_;
    SampleEngine tree_;
    std::uint64_t frames_ = 0;
};

SurveyOptions reading(std::size_t frames) {
    SurveyOptions options;
    options.max_read = frames;
    return options;
}

/// A table of the proxies for each tree, or each name searched among all, would exceed the time limit of the
/// suite.
TEST(Survey, AFrameCanHaveAsManyTreesAsBodies) {
    constexpr std::uint64_t kCount = 20'000;
    Motor motor;
    for (std::uint64_t id = 41; id <= kCount; ++id)
        motor.create(id);
    for (std::uint64_t i = 0; i < kCount; ++i)
        motor.small_tree("tree of " + std::to_string(i));
    io::CaptureFile file = motor.file();
    auto frame = file.frame(file.frames().size() - 1);
    ASSERT_TRUE(frame);
    EXPECT_EQ(shown_frame(std::move(*frame)).trees.size(), kCount);
    const Survey survey = make_survey(file);
    EXPECT_EQ(survey.trees.size() + survey.trees_left_out, 10'033u) << "so many names are counted";
    EXPECT_TRUE(diagnose(file, survey));
    EXPECT_FALSE(what_if(file).rows.empty());
}

/// A level that is unloaded before its tree: the leaves have the boxes of proxies that are gone.
TEST(Survey, ATreeOutlivesTheLastProxy) {
    bv_capture* capture = bv_capture_to_memory(nullptr, nullptr);
    const float low[] = {0.0f, 0.0f, 0.0f}, high[] = {1.0f, 1.0f, 1.0f};
    const bv_capture_bounds box = bv_capture_box(low, high);
    bv_capture_frame(capture, 0.0);
    bv_capture_create(capture, 7, box, bv_capture_bounds{}, 0, nullptr);
    bv_capture_frame(capture, 1.0);
    bv_capture_remove(capture, 7);
    std::vector<bv_capture_tree_node> nodes{{1, box, 0, 40}};
    for (std::uint64_t i = 0; i < 40; ++i)
        nodes.push_back({i + 2, box, 7, 0});
    bv_capture_tree(capture, "old", nodes.data(), nodes.size());
    bv_capture_finish(capture);
    std::vector<std::uint8_t> bytes(std::size_t{1} << 20);
    bytes.resize(bv_capture_take(capture, bytes.data(), bytes.size()));
    bv_capture_close(capture);
    auto file = io::CaptureFile::from_bytes(std::move(bytes), "old");
    ASSERT_TRUE(file);
    auto frame = file->frame(1);
    ASSERT_TRUE(frame) << frame.error().text();
    ASSERT_EQ(frame->trees.size(), 1u);
    EXPECT_EQ(frame->trees[0].nodes.size(), nodes.size());
}

TEST(Survey, TreesInAFewFramesAreJudgedWhereverTheyAre) {
    for (const auto& [each, after] : {std::pair{1, 1}, std::pair{10, 3}, std::pair{2, 1}, std::pair{97, 60}})
        for (const std::size_t max_read : {4000u, 100u, 33u}) {
            Motor motor;
            for (int f = 0; f < 198; ++f) {
                motor.frame();
                if (f % each == after % each) motor.tree();
            }
            motor.frame();  // a frame without a tree
            io::CaptureFile file = motor.file();
            const Survey survey = make_survey(file, reading(max_read));
            const auto diagnosis = diagnose(file, survey);
            EXPECT_EQ(diagnosis->leaves, 40u) << each << " " << max_read;
            EXPECT_TRUE(diagnosis->findings.empty()) << diagnosis_text(*diagnosis);
            // The last frame with a tree is shown.
            std::size_t last = 0;
            for (std::size_t place = 0; place < file.frames().size(); ++place)
                if (file.frames()[place].counts.trees > 0) last = place;
            EXPECT_EQ(survey.last, last) << each << " " << max_read;
        }
}

TEST(Survey, TreesThatTakeTurnsAreAllRead) {
    for (const std::size_t turns : {2u, 3u, 4u})
        for (const std::size_t max_read : {300u, 150u, 100u, 75u, 50u}) {
            Motor motor;
            for (std::size_t f = 0; f < 300; ++f) {
                if (f > 0) motor.frame();
                if (f % turns == 0)
                    motor.tree();
                else
                    motor.small_tree("other " + std::to_string(f % turns));
            }
            io::CaptureFile file = motor.file();
            SurveyOptions options = reading(max_read);
            options.max_measured = 25;
            const Survey survey = make_survey(file, options);
            EXPECT_EQ(survey.trees.size(), turns) << max_read;
            for (const TreeHistory& tree : survey.trees)
                EXPECT_GE(tree.frames, max_read / turns / 2)
                    << tree.name << " of " << turns << ", " << max_read;
            std::size_t measured = 0;
            for (const FrameRow& row : survey.rows)
                measured += row.measured ? 1 : 0;
            EXPECT_GE(measured, 8u) << turns << " " << max_read;
            EXPECT_LE(measured, 30u) << turns << " " << max_read;
        }
}

/// Between frames that are far apart most bodies leave any margin: only calls in single frames tell how often
/// they do.
TEST(Survey, MarginsAreJudgedByTheCallsOfSingleFrames) {
    int small = 0, found = 0;
    for (std::uint64_t seed = 900; seed < 906; ++seed)
        for (const SampleKind kind : {SampleKind::Sound, SampleKind::Busy, SampleKind::SmallMargin})
            for (const std::size_t max_read : {4000u, 60u, 40u, 24u}) {
                auto file = io::CaptureFile::from_bytes(make_sample(kind, seed).bytes, "sample");
                ASSERT_TRUE(file);
                const auto diagnosis = diagnose(*file, make_survey(*file, reading(max_read)));
                const bool says = std::any_of(diagnosis->findings.begin(), diagnosis->findings.end(),
                                              [](const Finding& f) { return f.cause == Cause::SmallMargin; });
                if (kind != SampleKind::SmallMargin) {
                    EXPECT_FALSE(says) << seed << ' ' << max_read << '\n' << diagnosis_text(*diagnosis);
                    continue;
                }
                ++small;
                found += says ? 1 : 0;
            }
    EXPECT_GE(found * 10, small * 9) << found << " of " << small;
}

TEST(WhatIf, ReplaysTheFramesBeforeAllBodiesWentAndKnowsNothingOfAnEngineWithoutATree) {
    for (const bool has_tree : {true, false}) {
        Motor motor;
        for (int f = 0; f < 30; ++f) {
            if (f > 0) motor.frame();
            if (has_tree) motor.tree();
        }
        motor.frame();
        for (std::uint64_t id = 1; id <= 40; ++id)
            motor.remove(id);
        for (int f = 0; f < 5; ++f)
            motor.frame();
        io::CaptureFile file = motor.file();
        const WhatIf result = what_if(file);
        ASSERT_GT(result.rows.size(), 10u);
        EXPECT_EQ(result.frames, 30u);
        EXPECT_TRUE(result.rows[0].is_engine);
        EXPECT_EQ(result.rows[0].has_tree, has_tree);
        for (std::size_t i = 1; i < result.rows.size(); ++i)
            EXPECT_TRUE(result.rows[i].same_answers) << result.rows[i].name;
    }
}

/// Pairs between two trees cost the engine tests, too.
TEST(WhatIf, CountsTestsBetweenTrees) {
    const auto tests = [](bool beside) {
        Motor motor;
        for (int f = 0; f < 5; ++f) {
            if (f > 0) motor.frame();
            motor.tree();
            if (beside) motor.small_tree("beside");
        }
        io::CaptureFile file = motor.file();
        return what_if(file).rows[0].pair_tests;
    };
    EXPECT_GT(tests(true), tests(false));
}

TEST(Survey, BodiesRemovedInFramesThatAreNotReadAreNotLost) {
    Motor motor;
    motor.tree();
    for (std::uint64_t f = 1; f < 400; ++f) {
        motor.frame();
        if (f % 5 == 1) motor.create(1000 + f);
        if (f % 5 == 4) motor.remove(1000 + f - 3);
        motor.tree();
    }
    io::CaptureFile file = motor.file();
    for (const std::size_t max_read : {4000u, 200u, 133u, 57u}) {
        const Survey survey = make_survey(file, reading(max_read));
        for (const FrameRow& row : survey.rows)
            EXPECT_EQ(row.lost, 0u) << max_read << ", frame " << row.number;
        EXPECT_TRUE(diagnose(file, survey)->findings.empty()) << diagnosis_text(*diagnose(file, survey));
    }
}

TEST(Survey, MarksAreFoundInEveryFrame) {
    Motor motor;
    motor.tree();
    const std::vector<std::uint64_t> marked{7, 50, 51, 52, 133, 299};
    for (std::uint64_t f = 1; f < 300; ++f) {
        motor.frame();
        for (const std::uint64_t m : marked)
            if (m == f) motor.mark(("mark " + std::to_string(f)).c_str());
        motor.tree();
    }
    io::CaptureFile file = motor.file();
    for (const std::size_t max_read : {4000u, 100u, 31u}) {
        const Survey survey = make_survey(file, reading(max_read));
        ASSERT_EQ(survey.marks.size(), marked.size()) << max_read;
        for (std::size_t i = 0; i < marked.size(); ++i) {
            EXPECT_EQ(survey.marks[i].place, marked[i]);
            EXPECT_EQ(survey.marks[i].text, "mark " + std::to_string(marked[i]));
        }
    }
    SurveyOptions few = reading(100);
    few.max_marks = 4;
    EXPECT_EQ(make_survey(file, few).marks_left_out, 2u);
}

TEST(Survey, TheLargestTreeIsExaminedHoweverManyThereAre) {
    Motor motor;
    for (int f = 0; f < 20; ++f) {
        motor.frame();
        for (int i = 0; i < 50; ++i)
            motor.small_tree("little " + std::to_string(i));
        motor.tree();
    }
    io::CaptureFile file = motor.file();
    const Survey survey = make_survey(file);
    EXPECT_GT(survey.trees_left_out, 0u);
    const auto diagnosis = diagnose(file, survey);
    EXPECT_EQ(diagnosis->leaves, 40u);
    const std::string text = diagnosis_text(*diagnosis);
    EXPECT_NE(text.find("trees were not followed: of so many, only 33 are"), std::string::npos) << text;
}

}  // namespace
}  // namespace lab::capture
