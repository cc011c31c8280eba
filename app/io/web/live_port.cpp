#include "io/captures/live_port.hpp"

namespace lab::io {

Result<std::unique_ptr<LivePort>> LivePort::open(const std::string&, std::uint16_t, std::uint64_t) {
    return FileError{"", "", "a page in a browser cannot listen on a port",
                     "Use the desktop program, or let the engine write a file and open that"};
}

}  // namespace lab::io
