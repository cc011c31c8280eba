// Captures that arrive while they are read: bytes in any portions, engines that come, die and send garbage,
// and a window that keeps the last bytes.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "bv/capture/bv_capture.h"
#include "capture/cause.hpp"
#include "capture/samples/sample_engine.hpp"
#include "capture/samples/samples.hpp"
#include "captures/capture_delivery.hpp"
#include "captures/capture_model.hpp"
#include "commands/catalog.hpp"
#include "damage.hpp"
#include "io/captures/capture_file.hpp"
#include "io/captures/capture_spool.hpp"
#include "io_test_tools.hpp"
#include "session/files/saver.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "world/opened_files.hpp"

namespace lab {
namespace {

using capture::SampleKind;
using io::CaptureFile;
using io::CaptureSpool;
using test::Random;

std::vector<std::uint8_t> model_bytes(std::uint64_t seed, int frames) {
    const bv_capture_config config{"model", "test", 0, test::CaptureModel::kMargin, 0};
    bv_capture* capture = bv_capture_to_memory(&config, nullptr);
    test::CaptureModel model(capture, seed);
    for (int f = 0; f < frames; ++f)
        model.frame(15);
    return test::finished_bytes(capture);
}

TEST(LiveCaptures, ArriveInAnyPortionsAndAreTheSameInTheEnd) {
    Random random(7);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const auto model = model_bytes(seed, 12);
        std::string bytes(model.begin(), model.end());
        if (seed % 2 == 0) bytes = test::damaged(bytes, random, 3);
        EXPECT_EQ(test::all_of_delivered(bytes, random), test::all_of(bytes)) << seed;
    }
}

TEST(LiveCaptures, KeepTheLastBytesAndEveryFrameInThemCanBeRead) {
    const auto bytes = model_bytes(3, 1500);
    auto whole = CaptureFile::from_bytes(bytes, "x");
    ASSERT_TRUE(whole);
    // Room for three times what the engine sends between two frames that can be read by themselves.
    std::uint64_t last_state = 0, longest = 0;
    for (const auto& entry : whole->frames())
        if (entry.has_state) longest = std::max(longest, entry.byte - std::exchange(last_state, entry.byte));
    const std::uint64_t budget = std::max(3 * longest, 8 * CaptureSpool::kHeadBytes);
    ASSERT_GT(bytes.size(), 2 * budget) << longest;
    auto spool = CaptureSpool::make(budget);
    ASSERT_TRUE(spool);
    auto file = CaptureFile::from_source(*spool, "x");
    ASSERT_TRUE(file);
    for (std::size_t at = 0; at < bytes.size(); at += 5000) {
        ASSERT_TRUE(
            (*spool)->append(std::span(bytes).subspan(at, std::min<std::size_t>(5000, bytes.size() - at))));
        ASSERT_TRUE(file->grow());
    }
    (*spool)->end();
    ASSERT_TRUE(file->grow());
    EXPECT_FALSE(file->is_growing());
    EXPECT_EQ(file->frames().back().number, whole->frames().back().number);
    EXPECT_TRUE(file->frames().front().has_state);
    EXPECT_GE(file->frames().front().byte, (*spool)->first());
    EXPECT_LE((*spool)->size() - (*spool)->first(), budget);
    ASSERT_EQ(file->notes().size(), 1u) << file->notes()[1];
    EXPECT_NE(file->notes()[0].find("are gone: a connection keeps only the latest"), std::string::npos);
    const std::size_t offset = whole->frames().size() - file->frames().size();
    ASSERT_GT(offset, 50u);
    for (std::size_t i = 0; i < file->frames().size(); i += 40) {
        auto kept = file->frame(i), same = whole->frame(i + offset);
        ASSERT_TRUE(kept && same);
        EXPECT_EQ(kept->proxies.size(), same->proxies.size());
        ASSERT_EQ(kept->trees.size(), same->trees.size());
        for (std::size_t t = 0; t < kept->trees.size(); ++t)
            EXPECT_EQ(kept->trees[t].nodes.size(), same->trees[t].nodes.size());
    }
    // What is saved is a whole capture of these frames.
    const io::testing_tools::TestFolder folder;
    const std::string path = (folder / "kept.bvcap").string();
    ASSERT_FALSE(file->save(path));
    auto saved = CaptureFile::open(path);
    ASSERT_TRUE(saved) << saved.error().text();
    EXPECT_TRUE(saved->notes().empty());
    ASSERT_EQ(saved->frames().size(), file->frames().size());
    EXPECT_EQ(saved->frame(5)->proxies.size(), file->frame(5)->proxies.size());
}

/// One that is longer than what is dropped at once, before anything can be dropped.
TEST(LiveCaptures, ALongPortionIsStoredInASmallBudget) {
    constexpr std::size_t kHead = CaptureSpool::kHeadBytes;
    auto spool = CaptureSpool::make(8 * kHead);
    ASSERT_TRUE(spool);
    EXPECT_TRUE((*spool)->append(std::vector<std::uint8_t>(4 * kHead, 1)));
    EXPECT_TRUE((*spool)->append(std::vector<std::uint8_t>(5 * kHead, 2)));
    EXPECT_EQ((*spool)->size(), 9 * kHead);
    EXPECT_LE((*spool)->first(), 2 * kHead);
}

/// The port in the message that names it.
std::uint16_t port_of(const Session& session) {
    for (const Message& message : session.messages().messages())
        if (const auto at = message.text.find("Listening on 127.0.0.1:"); at == 0)
            return static_cast<std::uint16_t>(std::stoi(message.text.substr(23)));
    return 0;
}

std::size_t count_of(const Session& session, const std::string& part) {
    std::size_t count = 0;
    for (const Message& message : session.messages().messages())
        if (message.text.find(part) != std::string::npos) count += message.repeats;
    return count;
}

/// Frames of the program until `done`, for ten seconds at most.
bool frames_until(Session& session, const std::function<bool()>& done) {
    for (int i = 0; i < 2000; ++i) {
        test::frames(session, 1);
        if (done()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

/// A client that sends what it is told.
class Client {
  public:
    explicit Client(std::uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
    }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    ~Client() { hang_up(); }
    void hang_up() {
        if (socket_ >= 0) close(socket_);
        socket_ = -1;
    }
    void send_bytes(const void* data, std::size_t size) const {
        const char* at = static_cast<const char*>(data);
        while (size > 0) {
            const ssize_t put = send(socket_, at, size, MSG_NOSIGNAL);
            if (put <= 0) return;
            at += put;
            size -= static_cast<std::size_t>(put);
        }
    }

  private:
    int socket_;
};

class Listening : public ::testing::Test {
  protected:
    Listening() {
        test::run(session_, "listen 0; scene capture");
        port_ = port_of(session_);
        EXPECT_NE(port_, 0);
    }
    [[nodiscard]] std::size_t captures() const { return session_.shown().opened.captures.size(); }
    [[nodiscard]] int number_on_show() const { return std::stoi(test::value_of(session_, "capture.frame")); }
    [[nodiscard]] std::string frames_on_show() const {
        const Table& table = test::table_of(session_, "capture");
        return table.rows.empty() ? "" : to_text(table.rows[0].cells[1]);
    }
    bool until(const std::function<bool()>& done) { return frames_until(session_, done); }

    Session session_{command_table()};
    std::uint16_t port_ = 0;
};

TEST_F(Listening, FramesAppearAsTheyComeAndStayWhenTheEngineGoes) {
    bv_capture_status status{};
    const bv_capture_config config{"Motor", "a level", 0, test::CaptureModel::kMargin, 0};
    bv_capture* engine = bv_capture_to_lab(nullptr, port_, &config, &status);
    ASSERT_NE(engine, nullptr);
    test::CaptureModel model(engine, 4);
    for (int f = 0; f < 30; ++f)
        model.frame(10);
    ASSERT_TRUE(until([&] { return captures() == 1 && number_on_show() >= 28; }));
    EXPECT_EQ(session_.shown().opened.captures[0].name, "Motor, a level");
    EXPECT_EQ(count_of(session_, "Motor, a level is connected"), 1u);
    for (int f = 0; f < 30; ++f)
        model.frame(10);
    ASSERT_TRUE(until([&] { return number_on_show() >= 58; })) << "the view goes on with the engine";
    EXPECT_EQ(session_.results().film->newest, "");
    // Stopped, it stays where it is, and says how to get on.
    test::run(session_, "set capture.play=off", 2);
    const int stopped = number_on_show();
    for (int f = 0; f < 10; ++f)
        model.frame(10);
    ASSERT_TRUE(until([&] { return frames_on_show() == "69"; })) << frames_on_show();
    EXPECT_EQ(number_on_show(), stopped);
    EXPECT_EQ(session_.results().film->newest, "capture.newest");
    test::run(session_, "set capture.play=on", 2);
    EXPECT_LT(number_on_show(), stopped + 5) << "it plays on from there";
    test::run(session_, "capture.newest", 2);
    EXPECT_GE(number_on_show(), 68);
    // A user who looks at a frame stays there while the engine goes on.
    test::run(session_, "set capture.play=off; set capture.frame=12", 3);
    EXPECT_EQ(session_.results().film->newest, "capture.newest") << "the way back";
    for (int f = 0; f < 30; ++f)
        model.frame(10);
    ASSERT_TRUE(until([&] { return frames_on_show() == "99"; })) << frames_on_show();
    EXPECT_EQ(number_on_show(), 12);
    test::run(session_, "pause on", 2);
    EXPECT_EQ(bv_capture_close(engine), BV_CAPTURE_OK);
    ASSERT_TRUE(until([&] { return count_of(session_, "disconnected after 100 frames") == 1; }));
    EXPECT_EQ(number_on_show(), 12);
    test::run(session_, "pause off; capture.newest", 2);
    EXPECT_EQ(number_on_show(), 99);
    EXPECT_EQ(session_.results().film->newest, "");
    test::frames(session_, 60);
    EXPECT_EQ(number_on_show(), 99) << "the last frame of an engine that is gone stays";
    test::run(session_, "set capture.play=off", 2);
    test::run(session_, "set capture.play=on", 2);
    EXPECT_LT(number_on_show(), 5) << "played again, it starts from its first frame";
    test::run(session_, "set capture.frame=40");
    test::frames(session_, 9);
    EXPECT_EQ(number_on_show(), 40 + 5) << "from a frame that was chosen, it plays on as a file does";
    EXPECT_FALSE(test::table_of(session_, "diagnosis").rows.empty());
}

TEST_F(Listening, AnEngineThatStartsAgainIsShownAndTheOneBeforeIsKept) {
    const auto first = capture::make_sample(SampleKind::Sound, 3).bytes;
    const auto second = capture::make_sample(SampleKind::SortedRow, 4).bytes;
    {
        const Client client(port_);
        client.send_bytes(first.data(), first.size() * 2 / 3);  // dies in the middle of a frame
    }
    ASSERT_TRUE(until([&] { return count_of(session_, "disconnected after") == 1; }));
    EXPECT_EQ(captures(), 1u);
    const Client again(port_);
    again.send_bytes(second.data(), second.size());
    ASSERT_TRUE(until([&] { return captures() == 2 && number_on_show() == 119; }));
    EXPECT_EQ(frames_on_show(), "120");
    EXPECT_EQ(session_.refused_commands(), 0u);
}

TEST_F(Listening, WhatWasFoundEarlierStays) {
    const bv_capture_config config{"Motor", "a level", 0, 0.1f, 0};
    bv_capture* engine = bv_capture_to_lab(nullptr, port_, &config, nullptr);
    ASSERT_NE(engine, nullptr);
    capture::SampleEngine tree;
    std::uint64_t frames = 0;
    const auto add = [&](std::uint64_t id, const bv::Aabb& box) {
        tree.insert(id, box);
        const bv::Aabb fat = tree.fat(id);
        bv_capture_create(engine, id, bv_capture_box(&box.min.x, &box.max.x),
                          bv_capture_box(&fat.min.x, &fat.max.x), 0, "");
    };
    const auto frame = [&] {
        bv_capture_frame(engine, static_cast<double>(frames++) / 60.0);
        tree.record_tree(engine);
    };
    bv_capture_frame(engine, static_cast<double>(frames++) / 60.0);
    for (std::uint64_t id = 1; id <= 100; ++id) {
        const glm::vec3 at(static_cast<float>(id % 10) * 2.0f, 0.0f, static_cast<float>(id / 10) * 2.0f);
        add(id, {at, at + 0.7f});
    }
    tree.record_tree(engine);
    frame();
    tree.options.insertion = capture::EngineOptions::Insertion::Nearest;
    tree.options.rotates = false;
    add(500, {{-20.0f, -0.5f, -20.0f}, {40.0f, 0.5f, 40.0f}});
    const auto causes = [&](const char* table) {
        std::string all;
        for (const Table& t : session_.results().tables)
            if (t.id == table)
                for (const Row& row : t.rows)
                    all += to_text(row.cells[0]) + "\n";
        return all;
    };
    const std::string giant(capture::words_of(capture::Cause::GiantBox));
    for (int f = 0; f < 150; ++f)
        frame();
    ASSERT_TRUE(until([&] { return causes("diagnosis").find(giant) != std::string::npos; }))
        << causes("diagnosis");
    EXPECT_EQ(causes("diagnosis_earlier"), "");
    frame();
    tree.remove(500);
    bv_capture_remove(engine, 500);
    for (int f = 0; f < 500; ++f)
        frame();
    EXPECT_EQ(bv_capture_close(engine), BV_CAPTURE_OK);
    ASSERT_TRUE(until([&] { return causes("diagnosis_earlier").find(giant) != std::string::npos; }));
    EXPECT_EQ(causes("diagnosis").find(giant), std::string::npos) << "it is gone";
    const Row row = test::table_of(session_, "diagnosis_earlier").rows.at(0);
    EXPECT_EQ(to_text(row.cells[1]), "2") << "since frame 2";
    test::run(session_, row.command, 2);
    EXPECT_EQ(test::value_of(session_, "capture.frame"), to_text(row.cells[2]));
    EXPECT_EQ(test::value_of(session_, "capture.node"), to_text(row.cells[3]));
}

TEST_F(Listening, TheLastFramesOfAnEngineThatHasEndedAreExamined) {
    const bv_capture_config config{"Motor", "a level", 0, test::CaptureModel::kMargin, 0};
    bv_capture* engine = bv_capture_to_lab(nullptr, port_, &config, nullptr);
    ASSERT_NE(engine, nullptr);
    test::CaptureModel model(engine, 4);
    for (int f = 0; f < 260; ++f)
        model.frame(10);
    const auto last_examined = [&] {
        const auto& curves = session_.results().curves;
        return curves && !curves->at.empty() ? curves->at.back() : -1;
    };
    ASSERT_TRUE(until([&] { return number_on_show() >= 258 && last_examined() >= 0; }));
    for (int f = 0; f < 10; ++f)  // far fewer than a quarter more
        model.frame(10);
    ASSERT_TRUE(until([&] { return number_on_show() >= 268; }));
    EXPECT_EQ(bv_capture_close(engine), BV_CAPTURE_OK);
    EXPECT_TRUE(until([&] { return last_examined() == 269; })) << last_examined();
}

TEST_F(Listening, AnEngineWhosePlaceIsTakenIsSaidToBeCutOff) {
    const auto bytes = capture::make_sample(SampleKind::Sound, 3).bytes;
    const Client first(port_);
    first.send_bytes(bytes.data(), bytes.size());
    ASSERT_TRUE(until([&] { return captures() == 1; }));
    const Client second(port_);
    second.send_bytes(bytes.data(), bytes.size());
    ASSERT_TRUE(until([&] { return captures() == 2; }));
    EXPECT_EQ(count_of(session_, "was cut off after 120 frames"), 1u);
    EXPECT_EQ(count_of(session_, "disconnected after"), 0u);
    {
        const Client empty(port_);
        empty.send_bytes("BVCAP\r\n\x1a", 8);
    }
    ASSERT_TRUE(until([&] { return count_of(session_, ": has no frames. Call bv_capture_frame") == 1; }));
}

TEST_F(Listening, GarbageCostsOneMessageEach) {
    {
        const Client browser(port_);
        const std::string get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
        browser.send_bytes(get.data(), get.size());
        ASSERT_TRUE(until([&] { return count_of(session_, "sent data that is not a capture") == 1; }));
    }
    { const Client scanner(port_); }
    ASSERT_TRUE(until([&] { return count_of(session_, "disconnected before sending a capture") == 1; }));
    {
        const Client headless(port_);
        headless.send_bytes("BVCAP\r\n\x1agarbage!garbage!", 24);
        ASSERT_TRUE(until([&] { return count_of(session_, "byte 8: no chunk begins here") == 1; }));
    }
    auto bytes = capture::make_sample(SampleKind::Sound, 3).bytes;
    auto whole = CaptureFile::from_bytes(bytes, "x");
    bytes.resize(static_cast<std::size_t>(whole->frames()[20].byte));
    bytes.insert(bytes.end(), 100, 0x55);
    const Client engine(port_);
    engine.send_bytes(bytes.data(), bytes.size());
    ASSERT_TRUE(until([&] { return count_of(session_, "cannot be read: no chunk begins here") == 1; }));
    EXPECT_EQ(count_of(session_, "disconnected after 20 frames"), 1u);
    EXPECT_EQ(session_.messages().messages().size(), 6u) << "listening, three refusals, connected, gone";
    test::frames(session_, 20);
    EXPECT_EQ(captures(), 1u);
}

TEST_F(Listening, ASilentOneDoesNotKeepOthersAway) {
    const Client silent(port_);
    const auto bytes = capture::make_sample(SampleKind::Sound, 3).bytes;
    const Client engine(port_);
    engine.send_bytes(bytes.data(), bytes.size());
    ASSERT_TRUE(until([&] { return captures() == 1; }));
}

TEST_F(Listening, WhatArrivedCanBeSavedAndOpened) {
    const io::testing_tools::TestFolder folder;
    const std::string path = (folder / "seen.bvcap").string();
    const auto bytes = capture::make_sample(SampleKind::Giant, 3).bytes;
    {
        const Client engine(port_);
        engine.send_bytes(bytes.data(), bytes.size());
    }
    ASSERT_TRUE(until([&] { return count_of(session_, "disconnected after 120 frames") == 1; }));
    test::run(session_, "save.capture " + quote_word(path));
    ASSERT_EQ(session_.take_requests().captures.size(), 1u);
    session_.saver().save_capture(path);
    test::run(session_, "open " + quote_word(path), 2);
    ASSERT_EQ(captures(), 2u);
    EXPECT_EQ(session_.shown().opened.captures.back().file->frames().size(), 120u);
    EXPECT_FALSE(session_.shown().opened.captures.back().is_from_engine());
}

/// Frames from an engine are in no file that a link, a recording or a saved scene could name.
TEST_F(Listening, WhatAnEngineSentIsInNoLinkAndOfRecordingsAndScenesOneIsWarned) {
    const io::testing_tools::TestFolder folder;
    test::run(session_, "set capture.play=off");
    ASSERT_TRUE(session_.saver().link().ok()) << "a sample is on show";
    session_.saver().save_scene((folder / "sample.json").string());
    EXPECT_EQ(count_of(session_, "Frames from an engine"), 0u);
    const auto bytes = capture::make_sample(SampleKind::Giant, 3).bytes;
    {
        const Client engine(port_);
        engine.send_bytes(bytes.data(), bytes.size());
    }
    ASSERT_TRUE(until([&] { return count_of(session_, "disconnected after 120 frames") == 1; }));
    const io::Result<std::string> link = session_.saver().link();
    ASSERT_FALSE(link.ok());
    for (const char* part : {"an engine", "`save.capture FILE.bvcap`", "`open`"})
        EXPECT_NE(link.error().text().find(part), std::string::npos) << link.error().text();
    session_.saver().save_scene((folder / "live.json").string());
    EXPECT_EQ(count_of(session_, "Frames from an engine are not part of a saved scene"), 1u);
    test::run(session_, "record.save " + quote_word((folder / "live.bvrec").string()));
    EXPECT_EQ(count_of(session_, "Frames from an engine are not part of a recording"), 1u);
    test::run(session_, "scene welcome");
    EXPECT_TRUE(session_.saver().link().ok()) << "another scene shows none of it";
}

TEST(Listen, RefusesWhatIsNoPortAndSaysWhenOthersCanReachIt) {
    Session session{command_table()};
    for (const char* wrong : {"listen 70000", "listen -1", "listen 12a", "listen :7", "listen a.b:7"})
        test::frame(session, wrong);
    EXPECT_EQ(session.refused_commands(), 5u);
    test::frame(session, "listen 0.0.0.0:0");
    EXPECT_EQ(count_of(session, "can be reached from other computers"), 1u);
    test::frame(session, "listen off");
    EXPECT_EQ(count_of(session, "Stopped listening"), 1u);
    const auto refused = session.refused_commands();
    test::frame(session, "listen off");
    EXPECT_EQ(session.refused_commands(), refused + 1);
}

TEST_F(Listening, ARefusedPortLeavesTheOneInUse) {
    for (const char* wrong : {"listen 192.0.2.1:7000", "listen 192.0.2.1:0"}) {
        test::frame(session_, wrong);
        EXPECT_EQ(count_of(session_, "cannot be used to listen"), wrong[17] == '0' ? 2u : 1u);
    }
    Client engine(port_);
    const auto bytes = model_bytes(3, 20);
    engine.send_bytes(bytes.data(), bytes.size());
    EXPECT_TRUE(until([&] { return captures() == 1; }));
}

}  // namespace
}  // namespace lab
