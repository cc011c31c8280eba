#include "io/mesh_file.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "io/child_process.hpp"
#include "io/mesh_wire.hpp"

namespace lab::io {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kFormats = ".obj, .stl, .ply, .off, .gltf or .glb";
constexpr std::array kExtensions{".obj", ".stl", ".ply", ".off", ".gltf", ".glb"};
constexpr const char* kReader = "bvlab-mesh-reader";

/// Beside this program, or where a build tree or an installation puts it.
fs::path find_reader(const MeshReadOptions& options) {
    if (!options.reader.empty()) return options.reader;
    if (const char* named = std::getenv("BVLAB_MESH_READER"); named != nullptr && *named != '\0')
        return named;
    std::error_code code;
    const fs::path folder = fs::read_symlink("/proc/self/exe", code).parent_path();
    if (code) return {};
    for (const char* place : {".", "..", "app", "../libexec/bvlab"}) {
        fs::path candidate = folder / place / kReader;
        if (fs::is_regular_file(candidate, code)) return candidate;
    }
    return {};
}

/// What can be said before anything is read.
std::optional<FileError> check_before(const fs::path& path, const MeshReadOptions& options,
                                      std::uint64_t& size) {
    const auto error = [&](std::string what, std::string advice) {
        return FileError{path.string(), "", std::move(what), std::move(advice)};
    };
    if (!is_mesh_file_name(path))
        return error("is not a kind of mesh that can be read", std::string("Use ") + kFormats);
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (status.type() == fs::file_type::not_found) return error("there is no such file", "Check the name");
    if (code) return error("cannot be looked at: " + code.message(), "");
    if (fs::is_directory(status)) return error("is a folder", "Give the name of a file");
    if (!fs::is_regular_file(status)) return error("is not a regular file", "");
    if (::access(path.c_str(), R_OK) != 0)
        return error("cannot be opened: " + std::generic_category().message(errno),
                     "Ask its owner for the right to read it");
    size = fs::file_size(path, code);
    if (code) return error("cannot be read: " + code.message(), "");
    if (size == 0) return error("is empty", "");
    if (size > options.max_file_bytes)
        return error("is too large: " + std::to_string(size) + " bytes", "Simplify the mesh");
    return std::nullopt;
}

enum class End { Closed, TimedOut, GivenUp, Garbled };

/// What came over the pipe until its end.
struct Received {
    End end = End::Closed;
    std::optional<FileError> failure;
    std::optional<MeshFile> mesh;
};

/// Takes every frame that has arrived. False if it makes no sense.
bool take_frames(wire::Parser& parser, Received& received, float& fraction) {
    while (std::optional<wire::Frame> frame = parser.next()) {
        switch (frame->kind) {
            case wire::Kind::Progress: {
                const auto value = wire::decode_progress(frame->payload);
                if (!value) return false;
                fraction = *value;
                break;
            }
            case wire::Kind::Failure:
                received.failure = wire::decode_failure(frame->payload);
                if (!received.failure) return false;
                break;
            case wire::Kind::Mesh:
                received.mesh = wire::decode_mesh(frame->payload);
                if (!received.mesh) return false;
                break;
        }
    }
    return !parser.broken();
}

Received receive(int pipe, double wall_s, const MeshReadOptions& options) {
    Received received;
    wire::Parser parser(options.memory_bytes);
    std::vector<char> buffer(std::size_t{1} << 18);
    const auto deadline = Clock::now() + std::chrono::duration<double>(wall_s);
    float fraction = 0.0f;
    auto next_call = Clock::now();
    for (;;) {
        const auto now = Clock::now();
        if (now >= deadline) {
            received.end = End::TimedOut;
            return received;
        }
        if (options.progress && now >= next_call) {
            next_call = now + std::chrono::milliseconds(50);
            if (!options.progress(fraction)) {
                received.end = End::GivenUp;
                return received;
            }
        }
        pollfd waiting{pipe, POLLIN, 0};
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - now).count() + 1;
        const int ready = ::poll(&waiting, 1, static_cast<int>(std::min<long long>(left, 50)));
        if (ready <= 0) continue;  // time passed, or a signal came
        const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return received;
        parser.feed({buffer.data(), static_cast<std::size_t>(got)});
        if (!take_frames(parser, received, fraction)) {
            received.end = End::Garbled;
            return received;
        }
    }
}

/// Why there is neither a mesh nor an error from the reader.
FileError unexplained(const std::string& path, End end, int status, const MeshReadOptions& options) {
    const std::string damaged = "The file is probably damaged; export it again";
    const std::string too_long = "reading it takes too long";
    if (end == End::GivenUp) return {path, "", "reading it was given up", ""};
    if (end == End::TimedOut) return {path, "", too_long, damaged + " or simplify it"};
    if (status != -1 && WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        if (signal == SIGXCPU || signal == SIGPROF) return {path, "", too_long, damaged + " or simplify it"};
        return {path, "", "the reader of such files broke down over it", damaged};
    }
    if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return {path, "", "the program that reads meshes could not be started", "Install the program again"};
    (void)options;
    return {path, "", "what was read from it makes no sense", damaged};
}

}  // namespace

bool is_mesh_file_name(const fs::path& path) {
    std::string own = path.extension().string();
    std::transform(own.begin(), own.end(), own.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::find(kExtensions.begin(), kExtensions.end(), own) != kExtensions.end();
}

Result<MeshFile> read_mesh_file(const fs::path& path, const MeshReadOptions& options) {
    std::uint64_t size = 0;
    if (const auto error = check_before(path, options, size)) return *error;
    const fs::path reader = find_reader(options);
    if (reader.empty()) {
        return FileError{path.string(), "",
                         std::string("the program ") + kReader + ", which reads meshes, was not found",
                         "It belongs beside this program; install or build it again"};
    }
    const double cpu_s = options.cpu_s > 0 ? options.cpu_s : 5.0 + static_cast<double>(size) / (2 << 20);
    const double wall_s = options.wall_s > 0 ? options.wall_s : 2.0 * cpu_s;
    std::string why;
    auto child = ChildProcess::start(reader,
                                     {path.string(), std::to_string(static_cast<long long>(cpu_s * 1000.0)),
                                      std::to_string(options.memory_bytes)},
                                     wire::kPipe, why);
    if (!child) {
        return FileError{path.string(), "", "the program that reads meshes could not be started: " + why,
                         "Install the program again"};
    }
    Received received = receive(child->pipe(), wall_s, options);
    const int status = child->finish(received.end != End::Closed);
    if (received.end == End::Closed && received.failure) {
        received.failure->path = path.string();
        return *received.failure;
    }
    const bool ended_well = status == -1 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
    if (received.end != End::Closed || !received.mesh || !ended_well)
        return unexplained(path.string(), received.end, status, options);
    received.mesh->mesh.name = path.stem().string();
    return std::move(*received.mesh);
}

}  // namespace lab::io
