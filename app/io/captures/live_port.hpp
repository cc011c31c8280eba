// A port at which engines deliver their captures while they run (bv_capture_to_lab). A thread takes what
// comes, so that no engine waits for a frame of the program.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/captures/capture_spool.hpp"
#include "io/file_error.hpp"

namespace lab::io {

/// What happened at a port.
struct LiveEvent {
    enum class Kind : unsigned char {
        Connected,  ///< `source` grows until it has ended.
        Replaced,   ///< Another peer has connected: the capture of this one is about to end.
        Refused,    ///< A peer that sent no capture; `text` gives the reason.
        Failed      ///< Data from the engine could not be stored; `text` gives the reason.
    };
    Kind kind = Kind::Connected;
    std::shared_ptr<CaptureSpool> source;
    std::string text;
    std::string from;  ///< Address and port of the other end.
};

class LivePort {
  public:
    /// Listens at an address of this machine, four numbers like 127.0.0.1; port 0 takes any that is free. Of
    /// each capture the last `budget` bytes are kept.
    static Result<std::unique_ptr<LivePort>> open(const std::string& address, std::uint16_t port,
                                                  std::uint64_t budget);
    virtual ~LivePort() = default;
    LivePort(const LivePort&) = delete;
    LivePort& operator=(const LivePort&) = delete;

    [[nodiscard]] virtual std::uint16_t port() const = 0;
    /// The events since the last call, in order.
    [[nodiscard]] virtual std::vector<LiveEvent> take_events() = 0;
    /// Ends the connection that fills this source, if there is one.
    virtual void hang_up(const CaptureSource* source) = 0;

  protected:
    LivePort() = default;
};

}  // namespace lab::io
