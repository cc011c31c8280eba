// The protocol between the mesh reader and the program: frames of a fixed header and a payload, over a pipe.
// The sender is not trusted: it has just parsed an untrusted file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/meshes/formats/mesh_gltf.hpp"
#include "io/meshes/mesh_file.hpp"

namespace lab::io::wire {

enum class Kind : std::uint32_t { Progress = 1, Failure = 2, Mesh = 3, Needs = 4, RefusedFences = 5 };

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
std::string encode_needs(const std::vector<NeededFile>& needs);
/// A set of Fence.
std::string encode_refused_fences(std::uint32_t fences);

/// Assembles frames from a stream of bytes.
class Parser {
  public:
    explicit Parser(std::uint64_t max_payload) : max_payload_(max_payload) {}
    void feed(std::string_view bytes);
    /// The next whole frame, if there is one.
    std::optional<Frame> next();
    /// True after malformed input; no more frames follow.
    [[nodiscard]] bool broken() const { return broken_; }

  private:
    std::uint64_t max_payload_;
    std::string bytes_;
    bool broken_ = false;
};

/// Nothing if the payload is not what `encode_...` makes. A mesh is checked in full: sizes, finite positions,
/// indices. Control characters in texts become `?`. Names of files are not checked.
std::optional<float> decode_progress(std::string_view payload);
std::optional<FileError> decode_failure(std::string_view payload);
std::optional<MeshFile> decode_mesh(std::string_view payload);
std::optional<std::vector<NeededFile>> decode_needs(std::string_view payload);
std::optional<std::uint32_t> decode_refused_fences(std::string_view payload);

}  // namespace lab::io::wire
