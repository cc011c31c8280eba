// What the mesh reader sends to the program: frames of a fixed header and a payload, over a pipe. The sender
// is not trusted: it has just read a file from anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/mesh_file.hpp"

namespace lab::io::wire {

/// The descriptor on which the reader writes.
constexpr int kPipe = 3;

enum class Kind : std::uint32_t { Progress = 1, Failure = 2, Mesh = 3 };

struct Frame {
    Kind kind = Kind::Failure;
    std::string payload;
};

/// A frame as bytes: magic number, kind, size, checksum of the payload, payload; numbers as this machine
/// stores them.
std::string encode(Kind kind, std::string_view payload);

std::string encode_progress(float fraction);
std::string encode_failure(const FileError& error);
std::string encode_mesh(const MeshFile& file);

/// Takes bytes as they come and gives whole frames.
class Parser {
  public:
    explicit Parser(std::uint64_t max_payload) : max_payload_(max_payload) {}
    void feed(std::string_view bytes);
    /// The next whole frame, if there is one.
    std::optional<Frame> next();
    /// True once something arrived that cannot be a frame; nothing more will come out.
    [[nodiscard]] bool broken() const { return broken_; }

  private:
    std::uint64_t max_payload_;
    std::string bytes_;
    bool broken_ = false;
};

/// Nothing if the payload is not what `encode_...` makes. A mesh is checked in full: sizes, finite positions,
/// indices.
std::optional<float> decode_progress(std::string_view payload);
std::optional<FileError> decode_failure(std::string_view payload);
std::optional<MeshFile> decode_mesh(std::string_view payload);

}  // namespace lab::io::wire
