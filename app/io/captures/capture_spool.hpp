// A capture that is still arriving.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "io/captures/capture_source.hpp"
#include "io/file_error.hpp"

namespace lab::io {

/// Bytes that arrive while others read them, in a file without a name that goes with its last reader. One
/// thread writes.
class CaptureSpool final : public CaptureSource {
  public:
    /// Keeps the head and the last `budget` bytes, or as many as fit into a quarter of what is free on the
    /// disk.
    static Result<std::shared_ptr<CaptureSpool>> make(std::uint64_t budget);
    ~CaptureSpool() override;

    /// False if they could not be written: the spool has ended then.
    bool append(std::span<const std::uint8_t> bytes);
    void end() { growing_.store(false); }

    [[nodiscard]] std::uint64_t size() const override { return size_.load(); }
    [[nodiscard]] std::uint64_t first() const override { return first_.load(); }
    [[nodiscard]] bool is_stream() const override { return true; }
    [[nodiscard]] bool is_growing() const override { return growing_.load(); }
    std::size_t read(std::uint64_t from, std::span<std::uint8_t> out) const override;

  private:
    CaptureSpool(int descriptor, std::uint64_t budget) : descriptor_(descriptor), budget_(budget) {}
    bool drop_oldest();

    int descriptor_;
    std::uint64_t budget_;
    std::atomic<std::uint64_t> size_{0}, first_{0};
    std::atomic<bool> growing_{true};
};

}  // namespace lab::io
