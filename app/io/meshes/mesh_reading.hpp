// Reading a mesh in parts, for jobs: `read_mesh_file` is all of them. On a desktop that is one part. In a
// page a worker of the browser is the reader, and each part looks for what it has sent.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "io/meshes/mesh_file.hpp"

namespace lab::io {

class MeshReading {
  public:
    MeshReading(std::filesystem::path path, MeshReadOptions options)
        : path_(std::move(path)), options_(std::move(options)) {}

    /// True if there is more to do: until the next frame, if the options allow to wait.
    bool advance();
    /// After the last part.
    [[nodiscard]] Result<MeshFile> take() { return std::move(*result_); }

  private:
    struct Worker;

    std::filesystem::path path_;
    MeshReadOptions options_;
    std::shared_ptr<Worker> worker_;  // in a page
    std::optional<Result<MeshFile>> result_;
};

}  // namespace lab::io
