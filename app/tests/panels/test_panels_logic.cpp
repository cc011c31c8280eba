// The parts of the panels that need no ImGui: fuzzy search, layout, the numbers behind the plots.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/text/line_breaks.hpp"
#include "panels/docks/curve_range.hpp"
#include "panels/docks/history.hpp"
#include "panels/layout.hpp"
#include "panels/menus/fuzzy.hpp"
#include "panels/touch_scroll.hpp"
#include "panels/trees/tree_layout.hpp"
#include "panels/widgets/glossary.hpp"
#include "panels/widgets/thumb.hpp"
#include "results/before_after.hpp"

namespace {

using lab::Arrangement;
using lab::Sheet;
using lab::panels::compute_layout;
using lab::panels::fuzzy_rank;
using lab::panels::fuzzy_score;
using lab::panels::Layout;
using lab::panels::LayoutWish;
using lab::panels::PanelSizes;
using lab::panels::range_of;
using lab::panels::Rect;

constexpr PanelSizes kSizes{16.5f, 20.0f, 12.5f};

std::vector<std::string_view> ranked(std::string_view query, const std::vector<std::string_view>& texts) {
    std::vector<std::string_view> found;
    for (const std::size_t i : fuzzy_rank(query, texts))
        found.push_back(texts[i]);
    return found;
}

bool overlap(const Rect& a, const Rect& b) {
    return !a.is_empty() && !b.is_empty() && a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y &&
           b.min.y < a.max.y;
}

}  // namespace

TEST(BeforeAfterRows, StandInTheOrderOfTheirValuesWithTheTreeBeforeTheMemory) {
    using lab::FrameCost;
    for (std::size_t i = 0; i < lab::cost_rows().size(); ++i)
        EXPECT_EQ(lab::cost_rows()[i].row, i);
    EXPECT_LT(FrameCost::TreeHeight, FrameCost::Memory);
    EXPECT_LT(FrameCost::TreeSah, FrameCost::Memory);
}

TEST(Thumb, DoesNotCoverTheNumberOfItsSlider) {
    using lab::panels::place_beside;
    const lab::panels::Extent frame{100.0f, 260.0f};
    constexpr float kWidth = 40.0f, kThumb = 11.0f, kGap = 6.0f;
    for (float at = frame.min; at + kThumb <= frame.max; at += 1.0f) {
        const float left = place_beside({at, at + kThumb}, frame, kWidth, kGap);
        EXPECT_GE(left, frame.min) << at;
        EXPECT_LE(left + kWidth, frame.max) << at;
        EXPECT_TRUE(left >= at + kThumb + 0.5f * kGap || left + kWidth + 0.5f * kGap <= at) << at;
    }
    EXPECT_EQ(place_beside({100.0f, 111.0f}, frame, kWidth, kGap), 160.0f)
        << "in the middle where it is clear";
    EXPECT_EQ(place_beside({150.0f, 250.0f}, frame, kWidth, kGap), 104.0f) << "on the wider side";
    EXPECT_EQ(place_beside({120.0f, 240.0f}, frame, kWidth, kGap), 160.0f) << "no side has room";
}

TEST(Fuzzy, AWholeWordLeavesOutScatteredLetters) {
    const std::vector<std::string_view> texts = {"Play the steps automatically, or stop", "Turn on: Heatmap"};
    EXPECT_EQ(ranked("heatmap", {"Meshes: At the same place", "Turn on: Heatmap"}),
              std::vector<std::string_view>{"Turn on: Heatmap"});
    EXPECT_EQ(ranked("tat", texts).size(), 2u) << "no text has it in one piece";
}

TEST(Fuzzy, FindsLettersInTheirOrderOnly) {
    EXPECT_TRUE(fuzzy_score("tb", "tree balance"));
    EXPECT_TRUE(fuzzy_score("TREE", "tree balance"));
    EXPECT_FALSE(fuzzy_score("bt", "tree b"));
    EXPECT_FALSE(fuzzy_score("treex", "tree"));
    EXPECT_FALSE(fuzzy_score("a", ""));
    EXPECT_EQ(fuzzy_score("", "anything"), 0);
    EXPECT_EQ(fuzzy_score("   ", "anything"), 0);
}

TEST(Fuzzy, WordsMayComeInAnyOrder) {
    EXPECT_TRUE(fuzzy_score("balance tree", "tree balance"));
    EXPECT_FALSE(fuzzy_score("balance rope", "tree balance"));
}

TEST(Fuzzy, RanksWholeWordsAndWordStartsFirst) {
    const std::vector<std::string_view> scenes = {"obstacles of trees", "OBB tree", "Ray picking",
                                                  "ray against aabb", "Welcome"};
    EXPECT_EQ(ranked("obb", scenes).front(), "OBB tree");
    EXPECT_EQ(ranked("ot", scenes).front(), "OBB tree");
    EXPECT_EQ(ranked("rp", scenes).front(), "Ray picking");
    EXPECT_EQ(ranked("raabb", scenes), (std::vector<std::string_view>{"ray against aabb"}));
    EXPECT_EQ(ranked("", scenes), scenes);
    EXPECT_TRUE(ranked("zzz", scenes).empty());
}

TEST(Fuzzy, LettersInARowBeatScatteredOnes) {
    EXPECT_GT(fuzzy_score("tree", "tree").value(), fuzzy_score("tree", "t r e e").value_or(-1000) - 30);
    EXPECT_GT(*fuzzy_score("sah", "sah cost"), *fuzzy_score("sah", "swap and hide"));
    EXPECT_GT(*fuzzy_score("box", "box"),
              *fuzzy_score("box", "big overlapping xylophones of every kind there is"));
}

TEST(Fuzzy, LongTextsAreCutAndHarmless) {
    const std::string text(5000, 'a');
    const std::string query(5000, 'a');
    EXPECT_TRUE(fuzzy_score(query, text));
    EXPECT_FALSE(fuzzy_score("b", text));
}

TEST(Layout, PartsTouchButNeverOverlapAndFillTheWindow) {
    std::vector<LayoutWish> wishes;
    for (const Arrangement arrangement :
         {Arrangement::BySize, Arrangement::Around, Arrangement::Sheet, Arrangement::Knobs})
        for (const Sheet sheet : {Sheet::Lesson, Sheet::Scenes, Sheet::Settings, Sheet::Results, Sheet::None})
            for (const bool lesson : {false, true})
                wishes.push_back({true, arrangement, sheet, lesson, lesson});
    for (const glm::vec2 window : {glm::vec2(1280, 720), glm::vec2(2560, 1440), glm::vec2(640, 480),
                                   glm::vec2(390, 844), glm::vec2(844, 390), glm::vec2(300, 200),
                                   glm::vec2(5000, 900), glm::vec2(90, 50), glm::vec2(1, 1)}) {
        for (const float em : {12.0f, 15.0f, 30.0f}) {
            for (const LayoutWish& wish : wishes) {
                const Layout l = compute_layout(window, em, kSizes, wish);
                const std::array parts = {l.menu, l.left, l.right, l.bottom, l.tabs, l.view};
                float area = 0.0f;
                for (std::size_t i = 0; i < parts.size(); ++i) {
                    if (!parts[i].is_empty()) area += parts[i].size().x * parts[i].size().y;
                    for (std::size_t j = 0; j < i; ++j)
                        EXPECT_FALSE(overlap(parts[i], parts[j])) << window.x << " " << i << " " << j;
                }
                EXPECT_NEAR(area, window.x * window.y, 1.0f) << window.x << "x" << window.y << " em " << em
                                                             << " " << static_cast<int>(wish.arrangement);
                EXPECT_GE(l.view.size().x, 0.3f * window.x);
            }
        }
    }
}

TEST(Layout, APhoneShowsOnePanelAndKeepsAThirdForTheView) {
    for (const glm::vec2 phone :
         {glm::vec2(390, 844), glm::vec2(360, 740), glm::vec2(844, 390), glm::vec2(390, 420)}) {
        for (const Sheet sheet : {Sheet::Scenes, Sheet::Settings, Sheet::Results}) {
            const Layout l = compute_layout(phone, 15.0f, kSizes, {.sheet = sheet, .fingers = true});
            EXPECT_EQ(l.arrangement, Arrangement::Sheet);
            EXPECT_EQ(l.left.is_empty() + l.right.is_empty() + l.bottom.is_empty(), 2);
            EXPECT_EQ(l.left.is_empty(), sheet != Sheet::Scenes);
            EXPECT_EQ(l.right.is_empty(), sheet != Sheet::Settings);
            EXPECT_GT(l.view.size().x * l.view.size().y, 0.3f * phone.x * phone.y);
            EXPECT_GE(l.menu.size().y, 43.0f) << "a finger hits it";
            EXPECT_GT(l.open_sheet().size().x, 15.0f * 15.0f);
        }
        EXPECT_TRUE(compute_layout(phone, 15.0f, kSizes).open_sheet().is_empty())
            << "at first the view alone";
        EXPECT_FALSE(compute_layout(phone, 15.0f, kSizes, {.lesson = true}).left.is_empty())
            << "a lesson is to be read";
    }
}

TEST(Layout, LargeWindowsAreArrangedAsBefore) {
    for (const glm::vec2 window : {glm::vec2(1024, 768), glm::vec2(1280, 720), glm::vec2(1920, 1080)}) {
        const Layout l = compute_layout(window, 15.0f, kSizes, {.sheet = Sheet::Results});
        EXPECT_EQ(l.arrangement, Arrangement::Around);
        EXPECT_TRUE(l.tabs.is_empty());
        EXPECT_FALSE(l.left.is_empty() || l.right.is_empty() || l.bottom.is_empty());
    }
}

TEST(Layout, AHigherWindowGivesTheLowerPanelItsShare) {
    const auto bottom = [](float height, float em) {
        return compute_layout({2560, height}, em, kSizes).bottom.size().y;
    };
    EXPECT_EQ(bottom(720, 15.0f), std::floor(kSizes.bottom_em * 15.0f));
    EXPECT_EQ(bottom(600, 15.0f), bottom(720, 15.0f)) << "no fewer rows than fit";
    EXPECT_EQ(bottom(1080, 15.0f), std::floor(1.5f * kSizes.bottom_em * 15.0f));
    EXPECT_EQ(bottom(1440, 15.0f), std::floor(2.0f * kSizes.bottom_em * 15.0f));
    EXPECT_EQ(bottom(1440, 30.0f), std::floor(kSizes.bottom_em * 30.0f)) << "at scale 2 as at scale 1";
}

TEST(Layout, ATabletHeldUprightShowsOnePanelAtATime) {
    for (const glm::vec2 window :
         {glm::vec2(820, 1180), glm::vec2(768, 1024), glm::vec2(600, 960), glm::vec2(800, 600)}) {
        for (const Sheet open : {Sheet::None, Sheet::Results, Sheet::Settings}) {
            const Layout l = compute_layout(window, 15.0f, kSizes, {.sheet = open});
            EXPECT_EQ(l.arrangement, Arrangement::Sheet);
            EXPECT_GT(l.view.size().x * l.view.size().y, 0.45f * window.x * window.y);
        }
        EXPECT_EQ(compute_layout(window, 15.0f, kSizes).view.size().x, window.x) << "all of its width";
    }
}

TEST(Layout, LargeTextLeavesRoomForTheView) {
    // 1280x720 at scale 1.5 and 1920x1080 at scale 2, as on a projector.
    for (const auto& [window, em] :
         {std::pair{glm::vec2(1280, 720), 22.5f}, {glm::vec2(1920, 1080), 30.0f}}) {
        const Layout l = compute_layout(window, em, kSizes, {.sheet = Sheet::Settings});
        EXPECT_EQ(l.arrangement, Arrangement::Sheet);
        EXPECT_GT(l.view.size().x, 0.5f * window.x);
        EXPECT_GT(l.view.size().y, 0.9f * window.y);
    }
}

TEST(Layout, KnobsHaveNoMenuAndALessonGetsItsSheet) {
    const LayoutWish wish{.arrangement = Arrangement::Knobs};
    const Layout wide = compute_layout({640, 360}, 15.0f, kSizes, wish);
    EXPECT_TRUE(wide.menu.is_empty() && wide.tabs.is_empty() && wide.left.is_empty());
    EXPECT_GT(wide.view.size().x, 350.0f);
    EXPECT_EQ(wide.right.min.x, wide.view.max.x);
    const Layout high = compute_layout({390, 500}, 15.0f, kSizes, wish);
    EXPECT_EQ(high.right.min.y, high.view.max.y);
    EXPECT_FALSE(
        compute_layout({640, 360}, 15.0f, kSizes, {.arrangement = Arrangement::Knobs, .lesson = true})
            .left.is_empty());
}

namespace {

/// A finger on panels: the path in steps of a 60th of a second.
struct Finger {
    using Under = lab::panels::TouchScroll::Under;
    lab::panels::TouchScroll scroll;
    lab::panels::TouchScroll::Mouse mouse;
    float scrolled = 0.0f;  // downward
    int presses = 0;
    bool was_down = false;

    void at(glm::vec2 place, bool down = true, bool taken = false, Under under = Under::Panel) {
        mouse = scroll.feed({place, down, taken}, under, 1.0f, 1.0f / 60.0f);
        presses += mouse.left_down && !was_down;
        was_down = mouse.left_down;
        scrolled += mouse.scroll_px.y;
    }
};

}  // namespace

TEST(TouchScroll, ATapIsOneClickWhereItCameDown) {
    Finger f;
    f.at({100, 100});
    f.at({103, 104});
    EXPECT_EQ(f.presses, 0) << "it may become a drag";
    f.at({103, 104}, false);
    EXPECT_TRUE(f.mouse.left_down);
    EXPECT_EQ(f.mouse.at_px, glm::vec2(100, 100));
    f.at({-1, -1}, false);
    EXPECT_FALSE(f.mouse.left_down);
    EXPECT_EQ(f.mouse.at_px, glm::vec2(100, 100)) << "a button is let go where it was pressed";
    EXPECT_EQ(f.presses, 1);
    EXPECT_EQ(f.scrolled, 0.0f);
}

TEST(TouchScroll, UpAndDownScrollsByTheWayOfTheFingerAndGlidesOn) {
    Finger f;
    f.at({100, 100});
    for (int i = 1; i <= 10; ++i)
        f.at({100, 100 - 12 * i});
    EXPECT_EQ(f.scrolled, -120.0f) << "what is under the finger stays there";
    EXPECT_EQ(f.mouse.at_px, glm::vec2(100, 100)) << "the pane where it came down, not another";
    f.at({100, -20}, false);
    f.at({100, -20}, false);
    EXPECT_LT(f.scrolled, -130.0f);
    const float gliding = f.scrolled;
    for (int i = 0; i < 200; ++i)
        f.at({100, -20}, false);
    EXPECT_LT(f.scrolled, gliding);
    const float rest = f.scrolled;
    f.at({100, -20}, false);
    EXPECT_EQ(f.scrolled, rest);
    EXPECT_EQ(f.presses, 0) << "scrolling presses nothing";
}

TEST(TouchScroll, SidewaysHoldsAndDrags) {
    Finger f;
    f.at({100, 100});
    f.at({112, 101});
    EXPECT_TRUE(f.mouse.left_down);
    EXPECT_EQ(f.mouse.at_px, glm::vec2(100, 100)) << "the slider under the first touch";
    f.at({150, 140});
    EXPECT_TRUE(f.mouse.left_down);
    EXPECT_EQ(f.mouse.at_px, glm::vec2(150, 140));
    f.at({150, 140}, false);
    EXPECT_FALSE(f.mouse.left_down);
    EXPECT_EQ(f.presses, 1);
    EXPECT_EQ(f.scrolled, 0.0f);
}

TEST(TouchScroll, AWideTableScrollsBothWays) {
    Finger f;
    f.at({100, 100}, true, false, Finger::Under::WidePanel);
    f.at({80, 101}, true, false, Finger::Under::WidePanel);
    EXPECT_EQ(f.mouse.scroll_px, glm::vec2(-20, 1));
    EXPECT_EQ(f.presses, 0);
}

TEST(TouchScroll, ALongPressAndTheViewAreLeftAlone) {
    Finger f;
    f.at({100, 100});
    f.at({100, 100}, false, true);
    f.at({100, 100}, false);
    EXPECT_EQ(f.presses, 0) << "another gesture took the finger";
    f.at({100, 100}, true, false, Finger::Under::View);
    EXPECT_TRUE(f.mouse.left_down) << "on the view nothing waits";
    f.at({100, 300});
    EXPECT_EQ(f.mouse.at_px, glm::vec2(100, 300));
    EXPECT_EQ(f.scrolled, 0.0f);
}

TEST(Layout, HiddenPanelsLeaveTheWholeWindow) {
    const Layout l = compute_layout({1280, 720}, 15.0f, kSizes, {.panels = false});
    EXPECT_EQ(l.view, (Rect{{0, 0}, {1280, 720}}));
    EXPECT_TRUE(l.menu.is_empty());
    EXPECT_TRUE(l.left.is_empty());
}

TEST(Layout, AProjectorOf1280x720KeepsMoreThanHalfOfTheWidthForTheView) {
    const Layout l = compute_layout({1280, 720}, 15.0f, kSizes);
    EXPECT_FALSE(l.left.is_empty());
    EXPECT_FALSE(l.right.is_empty());
    EXPECT_FALSE(l.bottom.is_empty());
    EXPECT_GT(l.view.size().x, 640.0f);
    EXPECT_GT(l.view.size().y, 480.0f);
}

TEST(Layout, DoubleScaleInADoubleWindowIsTheSameLayout) {
    const Layout a = compute_layout({1280, 720}, 15.0f, kSizes);
    const Layout b = compute_layout({2560, 1440}, 30.0f, kSizes);
    EXPECT_NEAR(b.view.min.x, 2.0f * a.view.min.x, 2.0f);
    EXPECT_NEAR(b.view.max.y, 2.0f * a.view.max.y, 2.0f);
}

TEST(Layout, EmptyWindowsAreFine) {
    const Layout l = compute_layout({0, 0}, 15.0f, kSizes);
    EXPECT_TRUE(l.view.is_empty());
    EXPECT_TRUE(l.menu.is_empty());
}

TEST(Series, IsARingOfTheLastValues) {
    lab::panels::Series s;
    EXPECT_EQ(s.last(), 0.0f);
    for (int i = 0; i < 1000; ++i)
        s.add(static_cast<float>(i));
    EXPECT_EQ(s.size(), lab::panels::Series::kCapacity);
    EXPECT_EQ(s.last(), 999.0f);
    EXPECT_EQ(s[0], 700.0f);
    EXPECT_EQ(s.max(), 999.0f);
    EXPECT_FLOAT_EQ(s.mean(), 849.5f);
    s.add(std::numeric_limits<float>::quiet_NaN());
    EXPECT_EQ(s.last(), 0.0f) << "a value that is not finite must not spoil the scale";
}

TEST(History, CountsAFrameOnceAndStartsOverWithARecord) {
    lab::panels::History h;
    lab::FrameResults r;
    r.record = 7;
    r.frame = 1;
    h.add(r, 16.0f);
    h.add(r, 16.0f);
    EXPECT_EQ(h.frame_ms.size(), 1u);
    r.frame = 2;
    h.add(r, 16.0f);
    EXPECT_EQ(h.frame_ms.size(), 2u);
    for (r.frame = 3; r.frame <= 6; ++r.frame)
        h.add(r, static_cast<float>(r.frame));
    r.frame = 4;
    h.add(r, 40.0f);
    EXPECT_EQ(h.frame_ms.size(), 4u) << "back in time: what came after frame 4 is taken back";
    EXPECT_EQ(h.frame_ms.last(), 40.0f);
    EXPECT_EQ(h.frame_ms[2], 3.0f);
    r.record = 8;  // the same scene, started again, at the same frame
    h.add(r, 16.0f);
    EXPECT_EQ(h.frame_ms.size(), 1u);
    EXPECT_EQ(h.frame_ms.last(), 16.0f);
}

namespace {

/// A root over a leaf and an inner node with two leaves; payloads 7, 8, 9.
bv::TreeSnapshot three_leaves() {
    constexpr auto kNone = bv::TreeSnapshot::kNone;
    const auto box = [](float from, float to) { return bv::Aabb{glm::vec3(from), glm::vec3(to)}; };
    bv::TreeSnapshot t;
    t.boxes = {box(0, 4), box(0, 1), box(1, 4), box(1, 3), box(2, 4)};
    t.parents = {kNone, 0, 0, 2, 2};
    t.first_child = {1, kNone, 3, kNone, kNone};
    t.child_count = {2, 0, 2, 0, 0};
    t.depths = {0, 1, 1, 2, 2};
    t.source_nodes = {0, 1, 2, 3, 4};
    t.first_payload = {0, 0, 0, 1, 2};
    t.payload_count = {0, 1, 0, 1, 1};
    t.payloads = {7, 8, 9};
    t.payload_boxes = {t.boxes[1], t.boxes[3], t.boxes[4]};
    return t;
}

}  // namespace

TEST(History, IsKeptWhileTimeIsDraggedBackAndForth) {
    lab::panels::History h;
    lab::FrameResults r;
    r.record = 1;
    for (r.frame = 1; r.frame <= 500; ++r.frame)
        h.add(r, static_cast<float>(r.frame));
    ASSERT_EQ(h.frame_ms.size(), lab::panels::Series::kCapacity);
    r.in_past = true;
    for (const std::uint64_t goal : {400u, 40u, 120u, 450u}) {
        r.frame = goal;
        h.add(r, 0.0f);
        EXPECT_EQ(h.frame_ms.size(), std::min<std::size_t>(goal, lab::panels::Series::kCapacity));
        EXPECT_EQ(h.frame_ms.last(), static_cast<float>(goal)) << "as it was then";
        EXPECT_EQ(h.frame_ms[h.frame_ms.size() - 2], static_cast<float>(goal - 1));
    }
    r.in_past = false;
    r.frame = 500;
    h.add(r, 0.0f);
    EXPECT_EQ(h.frame_ms.last(), 500.0f) << "back in the present";
    EXPECT_EQ(h.frame_ms[0], 201.0f);
    r.frame = 101;
    h.add(r, 7.0f);
    EXPECT_EQ(h.frame_ms.size(), 101u) << "the record goes on from there";
    EXPECT_EQ(h.frame_ms.last(), 7.0f);
}

TEST(History, MeasuresTheTreeOfTheMomentThatTimeHasJumpedTo) {
    lab::panels::History h;
    lab::FrameResults r;
    r.record = 1;
    r.broadphase.has_tree = true;
    r.trees.emplace_back("bodies", three_leaves());
    for (r.frame = 1; r.frame <= 20; ++r.frame)
        h.add(r, 1.0f);
    EXPECT_EQ(h.tree.nodes, 5u);
    r.trees.clear();  // not laid open: what was measured before still holds
    h.add(r, 1.0f);
    EXPECT_EQ(h.tree.nodes, 5u);
    r.frame = 4;
    h.add(r, 1.0f);
    EXPECT_EQ(h.tree.nodes, 0u) << "but not for another time";
    EXPECT_EQ(h.height.last(), 0.0f);
    r.trees.emplace_back("bodies", three_leaves());
    h.add(r, 1.0f);
    EXPECT_EQ(h.tree.nodes, 5u) << "laid open later in the same frame";
    EXPECT_EQ(h.height.last(), 2.0f);
    EXPECT_EQ(h.height.size(), 4u);
    r.trees[0].second.depths[4] = 9;
    r.record = 2;
    h.add(r, 1.0f);
    EXPECT_EQ(h.tree.height, 9u) << "the same frame of another record";
}

TEST(CurveRange, ShowsDifferencesHoweverLargeTheValues) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::array near_each_other = {1000.0f, nan, 1010.0f};
    const auto narrow = range_of(near_each_other);
    ASSERT_TRUE(narrow);
    EXPECT_FALSE(narrow->logarithmic);
    EXPECT_FLOAT_EQ(narrow->share(1000.0f), 0.0f);
    EXPECT_FLOAT_EQ(narrow->share(1005.0f), 0.5f);
    const std::array far_apart = {0.5f, 5.0f, 5000.0f};
    const auto wide = range_of(far_apart);
    ASSERT_TRUE(wide);
    EXPECT_TRUE(wide->logarithmic);
    EXPECT_NEAR(wide->share(5.0f), 0.25f, 1e-6f);
    EXPECT_FLOAT_EQ(wide->share(5000.0f), 1.0f);
    const std::array signed_values = {-1.0f, 0.0f, 500.0f}, equal = {3.0f, 3.0f, 3.0f};
    EXPECT_FALSE(range_of(signed_values)->logarithmic);
    EXPECT_FLOAT_EQ(range_of(equal)->share(3.0f), 0.5f);
    const std::array rounding = {1.6307070f, 1.6307073f};
    EXPECT_FLOAT_EQ(range_of(rounding)->share(rounding[1]), 0.5f) << "rounding alone is no difference";
    const std::array none = {nan, nan};
    EXPECT_FALSE(range_of(none));
}

TEST(TreeLayout, StripsAreAsWideAsTheirLeavesAndLieUnderTheirParents) {
    const bv::TreeSnapshot tree = three_leaves();
    const auto layout = lab::panels::lay_out(tree);
    EXPECT_EQ(layout.depth, 2u);
    EXPECT_EQ(layout.leaves, (std::vector<std::uint32_t>{3, 1, 2, 1, 1}));
    EXPECT_NEAR(layout.right[1] - layout.left[1], 1.0f / 3.0f, 1e-6f);
    EXPECT_NEAR(layout.right[2] - layout.left[2], 2.0f / 3.0f, 1e-6f);
    for (std::uint32_t node = 1; node < tree.size(); ++node) {
        EXPECT_GE(layout.left[node], layout.left[tree.parents[node]] - 1e-6f);
        EXPECT_LE(layout.right[node], layout.right[tree.parents[node]] + 1e-6f);
    }
}

TEST(TreeLayout, FindsTheNodeAtAPlace) {
    const bv::TreeSnapshot tree = three_leaves();
    const auto layout = lab::panels::lay_out(tree);
    EXPECT_EQ(layout.node_at(tree, 0.5f, 0), 0u);
    EXPECT_EQ(layout.node_at(tree, 0.1f, 1), 1u);
    EXPECT_EQ(layout.node_at(tree, 0.9f, 1), 2u);
    EXPECT_EQ(layout.node_at(tree, 0.9f, 2), 4u);
    EXPECT_EQ(layout.node_at(tree, 0.1f, 2), bv::TreeSnapshot::kNone) << "there is nothing below a leaf";
    EXPECT_EQ(layout.node_at(tree, 1.5f, 0), bv::TreeSnapshot::kNone);
    EXPECT_EQ(layout.node_at(tree, 0.5f, 99), bv::TreeSnapshot::kNone);
    EXPECT_EQ(lab::panels::lay_out({}).node_at({}, 0.5f, 0), bv::TreeSnapshot::kNone);
}

TEST(TreeLayout, FindsTheLeafOfAPayload) {
    const bv::TreeSnapshot tree = three_leaves();
    EXPECT_EQ(lab::panels::leaf_of(tree, 9), 4u);
    EXPECT_EQ(lab::panels::leaf_of(tree, 1), bv::TreeSnapshot::kNone);
}

TEST(History, TreeNumbersByHand) {
    // A root of surface 24 over a leaf of surface 6 and an inner node of surface 16 with two unit leaves.
    constexpr auto kNone = bv::TreeSnapshot::kNone;
    const auto box = [](float x, float y, float z) { return bv::Aabb{glm::vec3(0), glm::vec3(x, y, z)}; };
    bv::TreeSnapshot t;
    t.boxes = {box(2, 2, 2), box(1, 1, 1), box(2, 2, 1), box(1, 1, 1), box(1, 1, 1)};
    t.parents = {kNone, 0, 0, 2, 2};
    t.first_child = {1, kNone, 3, kNone, kNone};
    t.child_count = {2, 0, 2, 0, 0};
    t.depths = {0, 1, 1, 2, 2};
    t.payload_count = {0, 1, 0, 1, 1};
    const lab::panels::TreeNumbers n = lab::panels::tree_numbers(t);
    EXPECT_EQ(n.nodes, 5u);
    EXPECT_EQ(n.leaves, 3u);
    EXPECT_EQ(n.height, 2u);
    EXPECT_EQ(n.optimal_height, 2u);
    EXPECT_NEAR(n.area_ratio, 16.0 / 24.0, 1e-9);
    EXPECT_NEAR(n.sah, (24.0 + 16.0 + 18.0) / 24.0, 1e-9);
    EXPECT_EQ(lab::panels::tree_numbers({}).height, 0u);
}

TEST(Glossary, EachHeadingHasItsOwnMeaning) {
    for (const auto& [heading, words] :
         {std::pair{"ratio", "smallest volume"}, std::pair{"height", "longest path"},
          std::pair{"balance", "siblings"}, std::pair{"t near", "nearer plane"},
          std::pair{"t far", "farther plane"}, std::pair{"agrees", "brute force"}})
        EXPECT_NE(lab::panels::meaning_of(heading).find(words), std::string_view::npos)
            << heading << ": " << lab::panels::meaning_of(heading);
    EXPECT_EQ(lab::panels::meaning_of("no such heading"), "");
    EXPECT_EQ(lab::panels::meaning_of(""), "");
}

TEST(LineBreaks, StandAtBlanksAndNeverInANumberOrBeforeItsUnit) {
    const auto broken = [](std::string_view text, float width) {
        return lab::io::broken_at_blanks(text, width,
                                         [](std::string_view s) { return static_cast<float>(s.size()); });
    };
    EXPECT_EQ(broken("", 5), "");
    EXPECT_EQ(broken("radius 1.361 m", 14), "radius 1.361 m");
    EXPECT_EQ(broken("radius 1.361 m", 13), "radius\n1.361 m");
    EXPECT_EQ(broken("cost 2.4 m\u00b2, low", 11), "cost\n2.4 m\u00b2,\nlow");
    EXPECT_EQ(broken("node 3 meets", 7), "node 3\nmeets");
    EXPECT_EQ(broken("radius 1.361 m", 10), "radius\n1.361 m");
    EXPECT_EQ(broken("0.069 and 0.134, 2", 9), "0.069 and\n0.134, 2");
    EXPECT_EQ(broken("one\ntwo three", 9), "one\ntwo three");
    EXPECT_EQ(broken("a  b", 4), "a  b");
    // A word that is too long is cut, but not inside of a character.
    EXPECT_EQ(broken("to /a/very/long/path now", 8), "to\n/a/very/\nlong/pat\nh now");
    EXPECT_EQ(broken("\u00e4\u00e4\u00e4", 5), "\u00e4\u00e4\n\u00e4");
    EXPECT_EQ(broken("abc", 0.5f), "a\nb\nc");
}
