// What a capture says of itself, against what is in it: numbers of trees and proxies, and states that are
// due.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "capture/diagnosis.hpp"
#include "io/captures/capture_file.hpp"

namespace lab {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// A capture of two boxes and their tree, chunk by chunk. Every number is below 128: a byte is a `var`.
class Writer {
  public:
    Writer() : bytes_{'B', 'V', 'C', 'A', 'P', '\r', '\n', 0x1a} { chunk('H', {3, 0, 0, 0, 0, 0, 0}); }

    Writer& chunk(char type, const Bytes& body) {
        const auto size = static_cast<std::uint8_t>(body.size());
        EXPECT_EQ(size, body.size());
        for (const int byte : {0xbc, int{type}, 1, 0, int{size}, 0, 0, 0})
            bytes_.push_back(static_cast<std::uint8_t>(byte));
        bytes_.insert(bytes_.end(), body.begin(), body.end());
        return *this;
    }
    Writer& frame(std::uint8_t number) { return chunk('F', {number, 0, 0, 0, 0, 0, 0, 0, 0}); }
    /// Proxies 1 and 2; `count` is what the state says.
    Writer& state(std::uint8_t count = 2) {
        Bytes body{1, count};
        add_proxies(body);
        return chunk('S', body);
    }
    Writer& end_of_state() {
        Bytes body{0};
        add_proxies(body);
        return chunk('S', body);
    }
    Writer& tree() {
        Bytes body{1, 1, 1, 't'};
        // Ids as differences: 1, then 2 and 3; the lists of children and payloads.
        add_node(body, {16, 2, 2, 0, 2, 2});
        add_node(body, {16, 2, 0, 1, 2});
        add_node(body, {16, 2, 0, 1, 2});
        body.insert(body.end(), {0xff, 3});
        return chunk('T', body);
    }
    Writer& end(const std::array<std::uint8_t, 7>& counts) {
        Bytes body(counts.begin(), counts.end());
        body.push_back(0);
        return chunk('Z', body);
    }
    [[nodiscard]] io::CaptureFile file() const {
        auto file = io::CaptureFile::from_bytes(bytes_, "x.bvcap");
        EXPECT_TRUE(file) << file.error().text();
        return std::move(*file);
    }

  private:
    static void add_box(Bytes& body) {
        for (const float value : {0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f})
            for (unsigned i = 0; i < 4; ++i)
                body.push_back(static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(value) >> (8 * i)));
    }
    static void add_node(Bytes& body, const Bytes& node) {
        body.insert(body.end(), node.begin(), node.end());
        add_box(body);
    }
    static void add_proxies(Bytes& body) {
        for (int id = 1; id <= 2; ++id) {
            body.insert(body.end(), {2, 2});
            add_box(body);
        }
    }

    Bytes bytes_;
};

constexpr std::array<std::uint8_t, 7> kRight{0, 0, 0, 0, 0, 1, 3}, kNone{};

std::string all(const std::vector<std::string>& notes) {
    std::string text;
    for (const std::string& note : notes)
        text += note + "\n";
    return text;
}

std::string diagnosis_of(io::CaptureFile file) {
    const auto diagnosis = capture::diagnose(file, capture::make_survey(file));
    return capture::diagnosis_text(*diagnosis);
}

TEST(CaptureClaims, ThatAreRightLeaveNoNote) {
    io::CaptureFile file = Writer().frame(0).state().tree().end(kRight).file();
    EXPECT_EQ(all(file.notes()), "");
    const auto frame = file.frame(0);
    ASSERT_TRUE(frame) << frame.error().text();
    EXPECT_EQ(all(frame->notes), "");
    EXPECT_EQ(file.frames()[0].trees, 1u);
}

TEST(CaptureClaims, TreesAreFoundWhateverTheEndOfTheFrameSays) {
    Writer writer;
    io::CaptureFile file = writer.frame(0).state().tree().end(kNone).frame(1).tree().end(kNone).file();
    const std::string said = diagnosis_of(file.another());
    EXPECT_NE(said.find("frame 1, tree 't': 2 leaves"), std::string::npos) << said;
    EXPECT_NE(said.find("the end of frame 0 counts 0 trees, but it has 1"), std::string::npos) << said;
    EXPECT_NE(said.find("The same in 1 frame more"), std::string::npos) << said;
    const auto frame = file.frame(0);
    ASSERT_TRUE(frame);
    EXPECT_NE(all(frame->notes).find("wrong counts: trees 0 instead of 1, nodes 0 instead of 3"),
              std::string::npos)
        << all(frame->notes);
}

TEST(CaptureClaims, AStateOfAnotherSizeIsNoted) {
    io::CaptureFile file = Writer().frame(0).state(99).tree().end(kRight).file();
    const auto frame = file.frame(0);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->proxies.size(), 2u);
    EXPECT_NE(all(frame->notes).find("the state has 2 proxies, its beginning says 99"), std::string::npos)
        << all(frame->notes);
}

TEST(CaptureClaims, AStateThatIsDueAndMissingIsNoted) {
    const Bytes loss{1, 3, 0, 0, 0, 0, 0, 0, 0};
    const std::string first = all(Writer().frame(4).end(kNone).frame(5).end(kNone).file().notes());
    EXPECT_NE(first.find("frame 4, the first, does not begin with a state"), std::string::npos) << first;
    EXPECT_EQ(first.find("The same"), std::string::npos) << first;
    // The end of a state alone is none.
    EXPECT_EQ(all(Writer().frame(4).end_of_state().end(kNone).file().notes()), first);
    const std::string lost = all(
        Writer().frame(0).state().end(kNone).chunk('L', loss).frame(9).end(kNone).file().another().notes());
    EXPECT_NE(lost.find("frame 9, behind lost ones, does not begin with a state"), std::string::npos) << lost;
    const std::string sound =
        all(Writer().frame(0).state().end(kNone).chunk('L', loss).frame(9).state().end(kNone).file().notes());
    EXPECT_EQ(sound.find("state"), std::string::npos) << sound;
}

TEST(CaptureClaims, WithoutAFrameThatCanBeReadNothingIsSaidOfTheEngine) {
    io::CaptureFile file = Writer().frame(0).state().tree().chunk('E', {0x99}).end(kRight).file();
    const auto diagnosis = capture::diagnose(file, capture::make_survey(file));
    EXPECT_TRUE(diagnosis->has_failed());
    const std::string said = capture::diagnosis_text(*diagnosis);
    EXPECT_NE(said.find("no frame with a tree could be read"), std::string::npos) << said;
    EXPECT_EQ(said.find("bv_capture_tree"), std::string::npos) << said;
    io::CaptureFile empty = Writer().frame(0).state().end(kNone).file();
    EXPECT_FALSE(capture::diagnose(empty, capture::make_survey(empty))->has_failed());
    EXPECT_NE(diagnosis_of(empty.another()).find("no tree was captured"), std::string::npos);
}

}  // namespace
}  // namespace lab
