// A session that listens, against engines that send damaged captures, garbage, or nothing, several at once,
// and go at any moment, until the time is up.
//
//   fuzz_live [SECONDS] [SEED]      2 seconds and seed 1 without arguments
//
// Clients run in threads; between their bytes the session steps, is scrubbed, and examines what came. It must
// go on, say little (a message or two for each connection), and keep no more captures than it may.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "capture/samples/samples.hpp"
#include "commands/catalog.hpp"
#include "damage.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "world/opened_files.hpp"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;
using test::Random;

std::atomic<std::uint64_t> connections{0};

int connected_to(std::uint16_t port) {
    const int handle = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (handle >= 0 && connect(handle, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return handle;
    if (handle >= 0) close(handle);
    return -1;
}

/// What one engine sends: a capture, whole, damaged or cut, or bytes without any sense.
std::string bytes_to_send(const std::vector<std::string>& good, Random& random) {
    if (random.chance(0.1f)) {
        std::string noise(random.below(5000), '\0');
        for (char& c : noise)
            c = static_cast<char>(random.below(256));
        return random.chance(0.5f) ? "BVCAP\r\n\x1a" + noise : noise;
    }
    std::string bytes = random.one_of(good);
    if (random.chance(0.3f)) bytes.resize(random.below(static_cast<std::uint32_t>(bytes.size())));
    return random.chance(0.7f) ? test::damaged(bytes, random, 5) : bytes;
}

void be_engines(std::uint16_t port, std::uint64_t seed, Clock::time_point end,
                const std::vector<std::string>& good) {
    Random random(seed, 0x11fe);
    while (Clock::now() < end) {
        const int handle = connected_to(port);
        if (handle < 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            continue;
        }
        ++connections;
        const timeval patience{0, 200'000};
        setsockopt(handle, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        const std::string bytes = bytes_to_send(good, random);
        const std::uint32_t max_part = random.chance(0.3f) ? 300 : 200'000;
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t part = std::min<std::size_t>(bytes.size() - at, 1 + random.below(max_part));
            const ssize_t sent = send(handle, bytes.data() + at, part, MSG_NOSIGNAL);
            if (sent <= 0 || Clock::now() > end) break;
            at += static_cast<std::size_t>(sent);
            if (random.chance(0.02f))
                std::this_thread::sleep_for(std::chrono::milliseconds(random.below(30)));
        }
        if (random.chance(0.2f)) std::this_thread::sleep_for(std::chrono::milliseconds(random.below(200)));
        close(handle);
    }
}

std::uint16_t port_of(const Session& session) {
    for (const Message& message : session.messages().messages())
        if (const auto at = message.text.find("Listening on 127.0.0.1:"); at == 0)
            return static_cast<std::uint16_t>(std::stoi(message.text.substr(23)));
    return 0;
}

int run(double seconds, std::uint64_t seed) {
    std::vector<std::string> good;
    for (std::size_t k = 0; k < capture::kSampleKinds; ++k) {
        const auto bytes = capture::make_sample(static_cast<capture::SampleKind>(k), seed).bytes;
        good.emplace_back(bytes.begin(), bytes.end());
    }
    Session session{command_table()};
    test::run(session, "listen 0; scene capture");
    const std::uint16_t port = port_of(session);
    if (port == 0) {
        std::printf("FINDING: it does not listen\n");
        return 1;
    }
    const auto end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    std::vector<std::thread> engines;
    for (std::uint64_t i = 0; i < 3; ++i)
        engines.emplace_back(be_engines, port, seed * 10 + i, end, std::cref(good));
    Random random(seed, 0x5ee);
    std::uint64_t frames = 0;
    double slowest_s = 0.0;
    while (Clock::now() < end) {
        static constexpr const char* kLines[] = {"capture.newest",
                                                 "set capture.play=on",
                                                 "set capture.play=off",
                                                 "set capture.beside=rebuilt",
                                                 "set capture.beside=nothing",
                                                 "set capture.find=crate",
                                                 "capture.what_if",
                                                 "pause on",
                                                 "pause off",
                                                 "capture.show 1; capture.newest",
                                                 "scene capture"};
        if (random.chance(0.05f)) test::frame(session, random.one_of(kLines));
        if (random.chance(0.05f))
            test::frame(session, "set capture.frame=" + std::to_string(random.below(130)));
        const auto before = Clock::now();
        test::frame(session);
        slowest_s = std::max(slowest_s, std::chrono::duration<double>(Clock::now() - before).count());
        ++frames;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    for (std::thread& engine : engines)
        engine.join();
    std::size_t messages = 0;
    for (const Message& message : session.messages().messages())
        messages += message.repeats;
    if (messages > 4 * connections + 100) {
        std::printf("FINDING: %zu messages about %llu connections\n", messages,
                    static_cast<unsigned long long>(connections.load()));
        return 1;
    }
    std::printf(
        "%llu connections over %llu frames, %zu captures kept, %zu messages, the slowest frame %.2f s\n",
        static_cast<unsigned long long>(connections.load()), static_cast<unsigned long long>(frames),
        session.shown().opened.captures.size(), messages, slowest_s);
    return 0;
}

}  // namespace
}  // namespace lab

int main(int argc, char** argv) {
    return lab::run(argc > 1 ? std::atof(argv[1]) : 2.0, argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
}
