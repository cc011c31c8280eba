#include "io/captures/live_port.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace lab::io {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<std::uint8_t, 8> kMagic{'B', 'V', 'C', 'A', 'P', '\r', '\n', 0x1a};
constexpr std::size_t kMaxWaiting = 8;
constexpr auto kPatience = std::chrono::seconds(5);
constexpr std::size_t kMaxEvents = 100;

/// A descriptor that closes itself.
class Handle {
  public:
    explicit Handle(int descriptor = -1) : descriptor_(descriptor) {}
    Handle(Handle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~Handle() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    [[nodiscard]] int get() const { return descriptor_; }

  private:
    int descriptor_;
};

/// A connection that has not yet sent the first bytes of a capture.
struct Peer {
    Handle handle;
    std::string from;
    Clock::time_point since;
    std::array<std::uint8_t, kMagic.size()> begin{};
    std::size_t got = 0;
};

class Port final : public LivePort {
  public:
    Port(Handle listening, Handle wake, std::uint16_t port, std::uint64_t budget)
        : listening_(std::move(listening)),
          wake_(std::move(wake)),
          port_(port),
          budget_(budget),
          thread_([this] { run(); }) {}
    Port(const Port&) = delete;
    Port& operator=(const Port&) = delete;
    ~Port() override {
        {
            const std::lock_guard lock(mutex_);
            ends_ = true;
        }
        wake();
        thread_.join();
    }

    [[nodiscard]] std::uint16_t port() const override { return port_; }
    [[nodiscard]] std::vector<LiveEvent> take_events() override {
        const std::lock_guard lock(mutex_);
        return std::exchange(events_, {});
    }
    void hang_up(const CaptureSource* source) override {
        const std::lock_guard lock(mutex_);
        unwanted_ = source;
        wake();
    }

  private:
    void wake() const {
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t put = ::write(wake_.get(), &one, sizeof one);
    }

    /// Adds an event. While the program does not collect events, those beyond a limit are dropped, except for
    /// connections.
    void report(LiveEvent event) {
        const std::lock_guard lock(mutex_);
        if (events_.size() < kMaxEvents || event.kind == LiveEvent::Kind::Connected)
            events_.push_back(std::move(event));
    }
    void refuse(const Peer& peer, std::string why) {
        report({LiveEvent::Kind::Refused, nullptr, std::move(why), peer.from});
    }

    void run() {
        while (true) {
            std::vector<pollfd> watched{{wake_.get(), POLLIN, 0},
                                        {waiting_.size() < kMaxWaiting ? listening_.get() : -1, POLLIN, 0},
                                        {engine_.get(), POLLIN, 0}};
            for (const Peer& peer : waiting_)
                watched.push_back({peer.handle.get(), POLLIN, 0});
            (void)::poll(watched.data(), watched.size(), waiting_.empty() ? -1 : 1000);
            if (watched[0].revents != 0 && must_end()) break;
            if (watched[2].revents != 0) receive();
            for (std::size_t i = waiting_.size(); i-- > 0;)
                if (watched[3 + i].revents != 0 || Clock::now() - waiting_[i].since > kPatience) listen_to(i);
            if (watched[1].revents != 0) welcome();
        }
        if (spool_) spool_->end();
    }

    /// Requests from the other thread: shut down, or close a connection.
    bool must_end() {
        std::uint64_t count = 0;
        [[maybe_unused]] const ssize_t got = ::read(wake_.get(), &count, sizeof count);
        const std::lock_guard lock(mutex_);
        if (unwanted_ && unwanted_ == spool_.get()) leave();
        unwanted_ = nullptr;
        return ends_;
    }

    void leave() {
        if (spool_) spool_->end();
        spool_.reset();
        engine_ = Handle();
    }

    void welcome() {
        sockaddr_in from{};
        socklen_t size = sizeof from;
        Peer peer;
        peer.handle = Handle(::accept4(listening_.get(), reinterpret_cast<sockaddr*>(&from), &size,
                                       SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (peer.handle.get() < 0) {
            // Too many open files, for example: poll() would return at once again.
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            return;
        }
        char text[INET_ADDRSTRLEN] = "?";
        (void)::inet_ntop(AF_INET, &from.sin_addr, text, sizeof text);
        peer.from = fmt::format("{}:{}", text, ntohs(from.sin_port));
        peer.since = Clock::now();
        waiting_.push_back(std::move(peer));
    }

    /// Takes the first bytes of a waiting peer, or sends it away.
    void listen_to(std::size_t i) {
        Peer& peer = waiting_[i];
        const ssize_t got =
            ::recv(peer.handle.get(), peer.begin.data() + peer.got, kMagic.size() - peer.got, 0);
        const bool nothing_yet = got < 0 && (errno == EAGAIN || errno == EINTR);
        if (got > 0) peer.got += static_cast<std::size_t>(got);
        const auto end = peer.begin.begin() + static_cast<std::ptrdiff_t>(peer.got);
        const bool is_capture = std::equal(peer.begin.begin(), end, kMagic.begin());
        const bool is_late = Clock::now() - peer.since > kPatience;
        if (is_capture && peer.got == kMagic.size())
            begin(std::move(peer));
        else if (!is_capture)
            refuse(peer, "sent data that is not a capture");
        else if (got == 0 || (got < 0 && !nothing_yet))
            refuse(peer, "disconnected before sending a capture");
        else if (is_late)
            refuse(peer, "sent nothing for five seconds");
        else
            return;
        waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    }

    /// The newest connection wins: the previous engine was restarted or hangs.
    void begin(Peer peer) {
        if (spool_) report({LiveEvent::Kind::Replaced, spool_, peer.from, from_});
        leave();
        auto spool = CaptureSpool::make(budget_);
        if (!spool) {
            report({LiveEvent::Kind::Failed, nullptr, spool.error().text(), peer.from});
            return;
        }
        spool_ = std::move(*spool);
        engine_ = std::move(peer.handle);
        from_ = std::move(peer.from);
        spool_->append(kMagic);
        report({LiveEvent::Kind::Connected, spool_, "", from_});
    }

    void receive() {
        const ssize_t got = ::recv(engine_.get(), buffer_.data(), buffer_.size(), 0);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (got <= 0) return leave();
        if (spool_->append(std::span(buffer_).first(static_cast<std::size_t>(got)))) return;
        report({LiveEvent::Kind::Failed, nullptr, std::generic_category().message(errno), from_});
        leave();
    }

    Handle listening_, wake_;
    std::uint16_t port_;
    std::uint64_t budget_;
    // Used by the thread alone.
    Handle engine_;
    std::string from_;
    std::vector<Peer> waiting_;
    std::vector<std::uint8_t> buffer_ = std::vector<std::uint8_t>(std::size_t{256} << 10);
    std::shared_ptr<CaptureSpool> spool_;
    // Shared by both threads.
    std::mutex mutex_;
    std::vector<LiveEvent> events_;
    const CaptureSource* unwanted_ = nullptr;
    bool ends_ = false;

    std::thread thread_;  // last member: it uses the others
};

}  // namespace

Result<std::unique_ptr<LivePort>> LivePort::open(const std::string& address, std::uint16_t port,
                                                 std::uint64_t budget) {
    const auto failed = [&](std::string what, std::string advice) {
        return FileError{fmt::format("{}:{}", address, port), "", std::move(what), std::move(advice)};
    };
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_port = htons(port);
    if (::inet_pton(AF_INET, address.c_str(), &here.sin_addr) != 1)
        return failed("is not an address", "Give four numbers, like 127.0.0.1, or only a port");
    Handle listening(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int on = 1;
    if (listening.get() >= 0) (void)::setsockopt(listening.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    socklen_t size = sizeof here;
    if (listening.get() < 0 || ::bind(listening.get(), reinterpret_cast<sockaddr*>(&here), size) != 0 ||
        ::listen(listening.get(), 8) != 0 ||
        ::getsockname(listening.get(), reinterpret_cast<sockaddr*>(&here), &size) != 0) {
        const int why = errno;
        return failed(
            "cannot be used to listen: " + std::generic_category().message(why),
            why == EADDRINUSE
                ? "Another program, perhaps a second copy of this one, uses that port; choose another"
            : why == EACCES ? "Ports below 1024 are reserved; choose a higher one"
                            : "Choose an address of this computer");
    }
    Handle wake(::eventfd(0, EFD_CLOEXEC));
    if (wake.get() < 0) return failed("needs one more open file than the system allows", "");
    return std::unique_ptr<LivePort>(
        std::make_unique<Port>(std::move(listening), std::move(wake), ntohs(here.sin_port), budget));
}

}  // namespace lab::io
