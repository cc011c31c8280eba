// Work in a page that no frame may wait for: another instance of the program does it, in a worker of the
// browser. They share no memory: bytes go there, and bytes come back.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace lab::platform {

enum class ErrandKind : int {
    ReadMesh,     ///< Sends an io::mesh_request; frames of io::wire come back.
    PrepareMesh,  ///< Sends render::mesh_bytes; render::prepared_from reads what comes back.
    FindExtremes  ///< Sends the positions of points; the positions of their hull's vertices come back.
};

/// One errand under way. The destructor ends its worker.
class Errand {
  public:
    virtual ~Errand() = default;
    Errand(const Errand&) = delete;
    Errand& operator=(const Errand&) = delete;

    /// The bytes that have come back since the last call.
    [[nodiscard]] virtual std::string read() = 0;
    /// True once the worker has ended: the next `read` has all the rest, which is less than a whole answer if
    /// the worker crashed.
    [[nodiscard]] virtual bool has_ended() const = 0;
    /// True if it ended because its worker could not start: the work is then to be done here.
    [[nodiscard]] virtual bool has_failed() const = 0;

  protected:
    Errand() = default;
};

/// Null where no worker does errands: then the work is to be done here.
[[nodiscard]] std::unique_ptr<Errand> send_errand(ErrandKind kind, std::string_view bytes);

}  // namespace lab::platform
