// Captures to a listening lab, played by a socket of the test: all bytes arrive, and a lab that stalls or
// goes away costs the engine a status and nothing else.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <vector>

#include "captures/capture_model.hpp"
#include "io/captures/capture_file.hpp"

namespace lab::test {
namespace {

/// A listening socket on a free port of this machine.
class Lab {
  public:
    Lab() : listening_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in here{};
        here.sin_family = AF_INET;
        here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof here;
        EXPECT_EQ(bind(listening_, reinterpret_cast<const sockaddr*>(&here), size), 0);
        EXPECT_EQ(listen(listening_, 1), 0);
        EXPECT_EQ(getsockname(listening_, reinterpret_cast<sockaddr*>(&here), &size), 0);
        port_ = ntohs(here.sin_port);
    }
    Lab(const Lab&) = delete;
    Lab& operator=(const Lab&) = delete;
    ~Lab() {
        hang_up();
        close(listening_);
    }
    [[nodiscard]] std::uint16_t port() const { return port_; }
    void answer() { connection_ = accept(listening_, nullptr, nullptr); }
    void hang_up() {
        if (connection_ >= 0) close(connection_);
        connection_ = -1;
    }
    /// Everything up to the end of the connection.
    std::vector<std::uint8_t> read_all() {
        std::vector<std::uint8_t> bytes;
        std::uint8_t part[4096];
        for (ssize_t got = 0; (got = recv(connection_, part, sizeof part, 0)) > 0;)
            bytes.insert(bytes.end(), part, part + got);
        return bytes;
    }

  private:
    int listening_, connection_ = -1;
    std::uint16_t port_ = 0;
};

bv_capture_config config_with(std::size_t buffer_bytes) {
    return {"model", "test", 0, CaptureModel::kMargin, buffer_bytes};
}

TEST(CaptureToALab, EveryFrameArrives) {
    Lab lab;
    const bv_capture_config config = config_with(0);
    bv_capture_status status = BV_CAPTURE_NO_MEMORY;
    bv_capture* capture = bv_capture_to_lab(nullptr, lab.port(), &config, &status);
    ASSERT_EQ(status, BV_CAPTURE_OK);
    lab.answer();
    std::vector<std::uint8_t> bytes;
    std::thread reader([&] { bytes = lab.read_all(); });
    CaptureModel model(capture, 4);
    for (int i = 0; i < 60; ++i)
        model.frame(100);
    EXPECT_TRUE(model.complaints.empty());
    EXPECT_EQ(bv_capture_close(capture), BV_CAPTURE_OK);
    reader.join();
    auto file = io::CaptureFile::from_bytes(std::move(bytes), "live");
    ASSERT_TRUE(file) << file.error().text();
    ASSERT_EQ(file->frames().size(), 60u);
    for (std::size_t i = 0; i < 60; ++i)
        EXPECT_EQ(difference(model.frames[i], *file->frame(i)), "") << i;
}

TEST(CaptureToALab, OneThatStallsDoesNotHoldTheEngine) {
    Lab lab;
    const bv_capture_config config = config_with(32 << 20);
    bv_capture* capture = bv_capture_to_lab("127.0.0.1", lab.port(), &config, nullptr);
    ASSERT_NE(capture, nullptr);
    lab.answer();
    // Until neither the buffer of the capture nor those of the sockets take any more. The capture's is the
    // largest, so that the others cannot take what is left in the end.
    const std::string text(4000, 'x');
    bv_capture_status last = BV_CAPTURE_OK;
    int full = 0;
    for (int i = 0; i < 20'000 && full < 50; ++i) {
        const std::uint64_t before = bv_capture_get_stats(capture).bytes;
        bv_capture_frame(capture, i);
        for (int k = 0; k < 50; ++k)
            last = bv_capture_mark(capture, text.c_str());
        full = bv_capture_get_stats(capture).bytes == before ? full + 1 : 0;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(full, 50);
    EXPECT_EQ(last, BV_CAPTURE_LEFT_OUT);
    // However long it takes, as long as the engine goes on.
    std::this_thread::sleep_for(std::chrono::milliseconds(2500));
    EXPECT_EQ(bv_capture_frame(capture, 0), BV_CAPTURE_LEFT_OUT);
    EXPECT_EQ(bv_capture_close(capture), BV_CAPTURE_NOT_WRITTEN) << "after half a second";
}

TEST(CaptureToALab, OneThatGoesAwayEndsTheCapture) {
    Lab lab;
    bv_capture* capture = bv_capture_to_lab(nullptr, lab.port(), nullptr, nullptr);
    ASSERT_NE(capture, nullptr);
    lab.answer();
    CaptureModel model(capture, 4);
    model.frame(100);
    lab.hang_up();
    for (int i = 0; i < 2000 && !model.complaints.contains(BV_CAPTURE_NOT_WRITTEN); ++i) {
        model.frame(10);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    EXPECT_TRUE(model.complaints.contains(BV_CAPTURE_NOT_WRITTEN));
    EXPECT_EQ(bv_capture_close(capture), BV_CAPTURE_NOT_WRITTEN);
}

TEST(CaptureToALab, NobodyListens) {
    std::uint16_t port = 0;
    {
        const Lab gone;
        port = gone.port();
    }
    bv_capture_status status = BV_CAPTURE_OK;
    EXPECT_EQ(bv_capture_to_lab(nullptr, port, nullptr, &status), nullptr);
    EXPECT_EQ(status, BV_CAPTURE_NOT_OPENED);
}

}  // namespace
}  // namespace lab::test
