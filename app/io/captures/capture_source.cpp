#include "io/captures/capture_source.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace lab::io {
namespace {

class FileSource final : public CaptureSource {
  public:
    FileSource(int descriptor, std::uint64_t size) : descriptor_(descriptor), size_(size) {}
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;
    ~FileSource() override { ::close(descriptor_); }
    [[nodiscard]] std::uint64_t size() const override { return size_; }
    std::size_t read(std::uint64_t from, std::span<std::uint8_t> out) const override {
        return read_file(descriptor_, from, out);
    }

  private:
    int descriptor_;
    std::uint64_t size_;
};

class MemorySource final : public CaptureSource {
  public:
    explicit MemorySource(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}
    [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
    std::size_t read(std::uint64_t from, std::span<std::uint8_t> out) const override {
        if (from >= bytes_.size()) return 0;
        const std::size_t count = std::min<std::size_t>(out.size(), bytes_.size() - from);
        if (count > 0) std::memcpy(out.data(), bytes_.data() + from, count);
        return count;
    }

  private:
    std::vector<std::uint8_t> bytes_;
};

}  // namespace

std::size_t read_file(int descriptor, std::uint64_t from, std::span<std::uint8_t> out) {
    std::size_t filled = 0;
    while (filled < out.size()) {
        const ssize_t got =
            ::pread(descriptor, out.data() + filled, out.size() - filled, static_cast<off_t>(from + filled));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        filled += static_cast<std::size_t>(got);
    }
    return filled;
}

std::shared_ptr<const CaptureSource> capture_in_file(int descriptor, std::uint64_t size) {
    return std::make_shared<FileSource>(descriptor, size);
}

std::shared_ptr<const CaptureSource> capture_in_memory(std::vector<std::uint8_t> bytes) {
    return std::make_shared<MemorySource>(std::move(bytes));
}

}  // namespace lab::io
