#include "io/meshes/mesh_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/file_kind.hpp"
#include "io/meshes/mesh_reading.hpp"
#include "io/meshes/process/child_process.hpp"
#include "io/meshes/process/mesh_exchange.hpp"
#include "io/meshes/process/reader_fence.hpp"

namespace lab::io {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kReader = "bvlab-mesh-reader";

/// The reader program: beside this one, or where a build tree or an installation puts it.
fs::path find_reader(const MeshReadOptions& options) {
    if (!options.reader.empty()) return options.reader;
    if (const char* named = std::getenv("BVLAB_MESH_READER"); named != nullptr && *named != '\0')
        return named;
    std::error_code code;
    const fs::path folder = fs::read_symlink("/proc/self/exe", code).parent_path();
    if (code) return {};
    for (const char* place : {BVLAB_READER_FROM_PROGRAM, ".", "..", "app"}) {
        fs::path candidate = folder / place / kReader;
        if (fs::is_regular_file(candidate, code)) return candidate;
    }
    return {};
}

std::string too_large(std::uint64_t size, const MeshReadOptions& options) {
    return "is too large: " + std::to_string(size) + " bytes; the most that are read are " +
           std::to_string(options.max_file_bytes);
}

/// Checks that need no reading.
std::optional<FileError> check_before(const fs::path& path, const MeshReadOptions& options,
                                      std::uint64_t& size) {
    const auto error = [&](std::string what, std::string advice) {
        return FileError{path.string(), "", std::move(what), std::move(advice)};
    };
    if (!has_ending_of(FileKind::Mesh, path))
        return error("is not a supported kind of mesh", "Use " + endings_of(FileKind::Mesh));
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (status.type() == fs::file_type::not_found) return error("there is no such file", "Check the name");
    if (code) return system_error(path, "cannot be accessed", code.value());
    if (fs::is_directory(status)) return error("is a folder", "Give the name of a file");
    if (!fs::is_regular_file(status)) return error(kNotRegular, kGiveFileOnDisk);
    if (::access(path.c_str(), R_OK) != 0)
        return error("cannot be opened: " + std::generic_category().message(errno), "Check its permissions");
    size = fs::file_size(path, code);
    if (code) return system_error(path, "cannot be read", code.value());
    if (size == 0) return error("is empty", "Export the mesh again");
    if (size > options.max_file_bytes) return error(too_large(size, options), "Simplify the mesh");
    return std::nullopt;
}

/// Descriptors of this process, closed by the destructor.
class OpenFiles {
  public:
    OpenFiles() = default;
    OpenFiles(const OpenFiles&) = delete;
    OpenFiles& operator=(const OpenFiles&) = delete;
    ~OpenFiles() {
        for (const int descriptor : descriptors_)
            ::close(descriptor);
    }

    /// Opens a regular file for reading and adds its size to `bytes`. What is wrong, or empty.
    std::string open(const fs::path& path) {
        const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (descriptor < 0) return "cannot be opened: " + std::generic_category().message(errno);
        descriptors_.push_back(descriptor);
        struct stat info {};
        if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) return kNotRegular;
        bytes_ += static_cast<std::uint64_t>(info.st_size);
        return "";
    }
    /// Rewinds them: a child shares the file offset of an inherited descriptor.
    [[nodiscard]] const std::vector<int>& rewound() const {
        for (const int descriptor : descriptors_)
            ::lseek(descriptor, 0, SEEK_SET);
        return descriptors_;
    }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  private:
    std::vector<int> descriptors_;
    std::uint64_t bytes_ = 0;
};

/// Opens a file that a mesh refers to, unless it resolves to a place outside the mesh's folder. The name
/// comes from the reader and is not trusted.
std::optional<FileError> open_sibling(const fs::path& mesh, const NeededFile& needed, OpenFiles& files) {
    const auto error = [&](const std::string& what) {
        return FileError{mesh.string(), needed.where, "refers to \"" + needed.name + "\", which " + what,
                         "Put all files of the mesh into one folder"};
    };
    if (const std::string fault = fault_of_sibling_name(needed.name); !fault.empty()) return error(fault);
    std::error_code code;
    const fs::path folder = fs::canonical(mesh.has_parent_path() ? mesh.parent_path() : fs::path("."), code);
    if (code) return error("cannot be found: " + code.message());
    const fs::path file = fs::canonical(folder / needed.name, code);
    if (code) return error("cannot be found: " + code.message());
    const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    if (end != folder.end()) return error("is a link that leads out of the folder");
    if (const std::string fault = files.open(file); !fault.empty()) return error(fault);
    return std::nullopt;
}

enum class End { Closed, TimedOut, GivenUp, Garbled };

/// Everything received over the pipe, and how it ended.
struct Received : wire::Received {
    End end = End::Closed;
};

Received receive(int pipe, Clock::time_point deadline, const MeshReadOptions& options) {
    Received received;
    wire::Parser parser(options.memory_bytes);
    std::vector<char> buffer(std::size_t{1} << 18);
    auto next_call = Clock::now();
    for (;;) {
        const auto now = Clock::now();
        if (now >= deadline) {
            received.end = End::TimedOut;
            return received;
        }
        if (options.progress && now >= next_call) {
            next_call = now + std::chrono::milliseconds(50);
            if (!options.progress(received.fraction)) {
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
        if (!received.take_frames(parser)) {
            received.end = End::Garbled;
            return received;
        }
    }
}

/// Explains why the reader sent neither a mesh nor an error.
FileError unexplained(const std::string& path, End end, int status) {
    const std::string damaged = "The file is probably damaged; export it again";
    const std::string too_long = "reading it takes too long";
    if (end == End::GivenUp) return {path, "", "reading it was canceled", ""};
    if (end == End::TimedOut) return {path, "", too_long, damaged + " or simplify it"};
    if (end == End::Closed && status != -1 && WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        if (signal == SIGXCPU || signal == SIGPROF) return {path, "", too_long, damaged + " or simplify it"};
        if (signal == SIGSYS)
            return {path, "", "the mesh reader was stopped when it tried a forbidden operation",
                    "The file is damaged or malicious"};
        return {path, "", "the mesh reader crashed on it", damaged};
    }
    if (end == End::Closed && status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return {path, "", "the program that reads meshes could not be started", "Reinstall the program"};
    return {path, "", "the mesh reader returned invalid data", damaged};
}

/// The parts of the fence that the kernel refuses, once per process; empty otherwise.
std::string notice_of(std::uint32_t refused_fences) {
    static std::atomic<bool> reported = false;
    if (refused_fences == 0 || reported.exchange(true)) return "";
    std::string names;
    if ((refused_fences & static_cast<std::uint32_t>(Fence::Seccomp)) != 0) names = "seccomp";
    if ((refused_fences & static_cast<std::uint32_t>(Fence::Landlock)) != 0)
        names += names.empty() ? "Landlock" : " and Landlock";
    return "this system refuses " + names + ", so meshes are read in a weaker sandbox";
}

/// Runs the reader on the open files and returns how it ended.
Result<Received> have_read(const fs::path& path, const fs::path& reader, const OpenFiles& files,
                           const std::vector<NeededFile>& siblings, Clock::time_point deadline, double cpu_s,
                           const MeshReadOptions& options, int& status) {
    std::vector<std::string> arguments{path.extension().string(),
                                       std::to_string(static_cast<long long>(cpu_s * 1000.0)),
                                       std::to_string(options.memory_bytes)};
    for (const NeededFile& sibling : siblings)
        arguments.push_back(sibling.name);
    std::string why;
    auto child = ChildProcess::start(reader, arguments, files.rewound(), why);
    if (!child) {
        return FileError{path.string(), "", "the program that reads meshes could not be started: " + why,
                         "Reinstall the program"};
    }
    Received received = receive(child->pipe(), deadline, options);
    status = child->finish(received.end != End::Closed);
    return received;
}

}  // namespace

Result<MeshFile> read_mesh_file(const fs::path& path, const MeshReadOptions& options) {
    std::uint64_t size = 0;
    if (const auto error = check_before(path, options, size)) return *error;
    const fs::path reader = find_reader(options);
    if (reader.empty()) {
        return FileError{path.string(), "",
                         std::string("the program ") + kReader + ", which reads meshes, was not found",
                         "It belongs beside this program; install or build it again"};
    }
    OpenFiles files;
    if (const std::string fault = files.open(path); !fault.empty())
        return FileError{path.string(), "", fault, kGiveFileOnDisk};
    const auto start = Clock::now();
    std::vector<NeededFile> siblings;
    // A file that refers to others is read twice: first to learn their names, then with them.
    for (int round = 0;; ++round) {
        const double cpu_s =
            options.cpu_s > 0 ? options.cpu_s : 5.0 + static_cast<double>(files.bytes()) / (2 << 20);
        const double wall_s = options.wall_s > 0 ? options.wall_s : 2.0 * cpu_s;
        const auto deadline =
            start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(wall_s));
        int status = -1;
        Result<Received> result = have_read(path, reader, files, siblings, deadline, cpu_s, options, status);
        if (!result) return result.error();
        Received& received = *result;
        const bool closed = received.end == End::Closed;
        if (closed && received.failure) {
            received.failure->path = path.string();
            return *received.failure;
        }
        const bool ended_well = closed && (status == -1 || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
        if (ended_well && received.mesh) {
            received.mesh->mesh.name = path.stem().string();
            received.mesh->notice = notice_of(received.refused_fences);
            return std::move(*received.mesh);
        }
        if (!ended_well || received.needs.empty() || round > 0 ||
            received.needs.size() > MeshLimits().siblings)
            return unexplained(path.string(), received.end, status);
        siblings = std::move(received.needs);
        for (const NeededFile& needed : siblings)
            if (const auto error = open_sibling(path, needed, files)) return *error;
        if (files.bytes() > options.max_file_bytes)
            return FileError{path.string(), "", too_large(files.bytes(), options), "Simplify the mesh"};
    }
}

bool MeshReading::advance() {
    result_.emplace(read_mesh_file(path_, options_));
    return false;
}

}  // namespace lab::io
