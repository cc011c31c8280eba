// Where the bytes of a capture are: in a file, in memory, or still arriving.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lab::io {

class CaptureSource {
  public:
    CaptureSource() = default;
    CaptureSource(const CaptureSource&) = delete;
    CaptureSource& operator=(const CaptureSource&) = delete;
    virtual ~CaptureSource() = default;
    /// The bytes so far.
    [[nodiscard]] virtual std::uint64_t size() const = 0;
    /// Reads as many of these bytes as there are; returns their number. May be called by several threads.
    virtual std::size_t read(std::uint64_t from, std::span<std::uint8_t> out) const = 0;
    /// A head of more bytes is refused.
    static constexpr std::uint64_t kHeadBytes = 65'536;
    /// The bytes between the head and this one are gone.
    [[nodiscard]] virtual std::uint64_t first() const { return 0; }
    /// True if it came from a running engine, not from a file.
    [[nodiscard]] virtual bool is_stream() const { return false; }
    /// True if more may arrive. Once false, it stays so, and so does the size.
    [[nodiscard]] virtual bool is_growing() const { return false; }
};

/// Fills `out` from a place in an open file, as far as it goes; returns the number of bytes.
std::size_t read_file(int descriptor, std::uint64_t from, std::span<std::uint8_t> out);

/// An open file, which the source closes.
[[nodiscard]] std::shared_ptr<const CaptureSource> capture_in_file(int descriptor, std::uint64_t size);
[[nodiscard]] std::shared_ptr<const CaptureSource> capture_in_memory(std::vector<std::uint8_t> bytes);

}  // namespace lab::io
