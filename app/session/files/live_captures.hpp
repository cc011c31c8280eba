// Engines that deliver their captures while they run: arriving frames are opened like a growing file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/captures/capture_file.hpp"
#include "session/commands/command_table.hpp"

namespace lab {

namespace io {
class LivePort;
struct LiveEvent;
}  // namespace io
struct SessionParts;

class LiveCaptures {
  public:
    static constexpr std::uint16_t kPort = 7333;

    explicit LiveCaptures(SessionParts& parts);
    ~LiveCaptures();
    LiveCaptures(const LiveCaptures&) = delete;
    LiveCaptures& operator=(const LiveCaptures&) = delete;

    /// Listens at PORT or ADDRESS:PORT from now on; empty: at `kPort` of this machine.
    CommandResult listen(std::string_view where);
    CommandResult stop();
    /// Moves a capture of the session, opened or received, to the end of their list. Counted from 1.
    CommandResult show(std::size_t number);
    [[nodiscard]] bool is_listening() const { return port_ != nullptr; }

    /// Between two frames: takes in what has arrived.
    void update();

    /// The error in the argument of `listen`.
    [[nodiscard]] static CommandResult check(std::string_view where);

  private:
    /// A capture whose engine is connected, or has just gone.
    struct Incoming {
        std::shared_ptr<io::CaptureFile> file;
        std::shared_ptr<const io::CaptureSource> source;
        std::string from;
        std::string name;         ///< Empty until its first frame arrives; then the capture is opened.
        std::string replaced_by;  ///< Where the next engine connected from; empty if none took its place.
    };

    void take(io::LiveEvent& event);
    void refuse(const io::CaptureSource& source, const std::string& from, const io::FileError& error);
    /// False once nothing more comes.
    bool grow(Incoming& incoming);
    void open(Incoming& incoming);
    void say_end(const Incoming& incoming);
    void forget_oldest();

    SessionParts& parts_;
    std::unique_ptr<io::LivePort> port_;
    std::vector<Incoming> incoming_;
    std::uint64_t opened_ = 0;
};

}  // namespace lab
