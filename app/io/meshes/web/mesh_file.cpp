// In a page a worker of the browser reads meshes: another instance of the program, which ends without this
// one. Byte budgets apply, and its time is limited. Where there is no worker, as under node, the program
// reads them itself: a file can do no more harm than the page may, and the page may do nothing.
#include "io/meshes/mesh_file.hpp"

#include <algorithm>
#include <utility>

#include "io/atomic_file.hpp"
#include "io/file_kind.hpp"
#include "io/meshes/mesh_import.hpp"
#include "io/meshes/mesh_reading.hpp"
#include "io/meshes/process/mesh_exchange.hpp"
#include "io/meshes/web/mesh_request.hpp"
#include "platform/clock.hpp"
#include "platform/errand.hpp"

namespace lab::io {
namespace {

namespace fs = std::filesystem;

std::size_t limit_of(const MeshReadOptions& options) {
    return static_cast<std::size_t>(
        std::min<std::uint64_t>(options.max_file_bytes, std::numeric_limits<std::size_t>::max()));
}

Result<std::string> bytes_of(const fs::path& path, const MeshReadOptions& options) {
    if (!has_ending_of(FileKind::Mesh, path))
        return FileError{path.string(), "", "is not a supported kind of mesh",
                         "Use " + endings_of(FileKind::Mesh)};
    Result<std::string> bytes = read_whole_file(path, limit_of(options));
    if (bytes && bytes->empty()) return FileError{path.string(), "", "is empty", "Export the mesh again"};
    return bytes;
}

/// The files that a mesh has asked for.
std::optional<FileError> add_siblings(const fs::path& path, const std::vector<NeededFile>& needs,
                                      const MeshReadOptions& options, Siblings& siblings) {
    for (const NeededFile& needed : needs) {
        std::string fault = fault_of_sibling_name(needed.name);
        if (fault.empty()) {
            Result<std::string> sibling =
                read_whole_file(path.parent_path() / needed.name, limit_of(options));
            if (sibling)
                siblings.emplace(needed.name, std::move(*sibling));
            else
                fault = sibling.error().what;
        }
        if (!fault.empty())
            return FileError{path.string(), needed.where, "refers to \"" + needed.name + "\", which " + fault,
                             "Open all files of the mesh together"};
    }
    return std::nullopt;
}

Result<MeshFile> finished(Result<MeshFile> file, const fs::path& path) {
    if (file) {
        file->mesh.name = path.stem().string();
        return file;
    }
    FileError error = file.error();
    error.path = path.string();
    return error;
}

}  // namespace

Result<MeshFile> read_mesh_file(const fs::path& path, const MeshReadOptions& options) {
    const Result<std::string> bytes = bytes_of(path, options);
    if (!bytes) return bytes.error();
    const auto progress = [&](float fraction) {
        if (options.progress) options.progress(fraction);
    };
    Siblings siblings;
    // A file that refers to others is read twice: first to learn their names, then with them.
    for (int round = 0;; ++round) {
        std::vector<NeededFile> needs;
        Result<MeshFile> file = import_mesh(path.extension().string(), *bytes, siblings, needs, progress);
        if (needs.empty() || round > 0) return finished(std::move(file), path);
        if (const auto error = add_siblings(path, needs, options, siblings)) return *error;
    }
}

struct MeshReading::Worker {
    std::string bytes;
    Siblings siblings;
    std::unique_ptr<platform::Errand> errand;
    wire::Parser parser;
    wire::Received received;
    platform::Clock clock;
    double limit_s;
    int round = 0;

    Worker(std::string file, const MeshReadOptions& options)
        : bytes(std::move(file)),
          parser(options.memory_bytes),
          limit_s(options.wall_s > 0 ? options.wall_s
                                     : 10.0 + static_cast<double>(bytes.size()) / (1 << 20)) {}

    /// False where no worker can be had.
    bool send(const fs::path& path) {
        errand = platform::send_errand(platform::ErrandKind::ReadMesh,
                                       mesh_request(path.extension().string(), bytes, siblings));
        return errand != nullptr;
    }
    /// The result once all of it has come; nothing before that.
    std::optional<Result<MeshFile>> poll(const fs::path& path) {
        const auto failed = [&](const char* what, const char* advice) {
            return FileError{path.string(), "", what, advice};
        };
        const bool has_ended = errand->has_ended();  // before reading: then nothing is missed
        parser.feed(errand->read());
        if (!received.take_frames(parser))
            return failed("the mesh reader returned invalid data",
                          "The file is probably damaged; export it again");
        if (received.failure) return finished(*received.failure, path);
        if (received.mesh) return finished(std::move(*received.mesh), path);
        if (has_ended && received.needs.empty())
            return failed("the mesh reader crashed on it", "The file is probably damaged; export it again");
        if (clock.milliseconds() > 1000.0 * limit_s)
            return failed("reading it takes too long",
                          "The file is probably damaged; export it again or simplify it");
        return std::nullopt;
    }
};

bool MeshReading::advance() {
    const auto end = [this](Result<MeshFile> result) {
        worker_.reset();
        result_.emplace(std::move(result));
        return false;
    };
    if (!options_.may_wait) return end(read_mesh_file(path_, options_));
    if (!worker_) {
        Result<std::string> bytes = bytes_of(path_, options_);
        if (!bytes) return end(bytes.error());
        worker_ = std::make_shared<Worker>(std::move(*bytes), options_);
        return worker_->send(path_) || end(read_mesh_file(path_, options_));
    }
    if (worker_->errand->has_failed()) return end(read_mesh_file(path_, options_));
    if (auto result = worker_->poll(path_)) return end(std::move(*result));
    if (options_.progress && !options_.progress(worker_->received.fraction))
        return end(FileError{path_.string(), "", "reading it was canceled", ""});
    if (worker_->received.needs.empty()) return true;
    if (worker_->round++ > 0)
        return end(FileError{path_.string(), "", "the mesh reader returned invalid data", ""});
    if (const auto error =
            add_siblings(path_, std::exchange(worker_->received.needs, {}), options_, worker_->siblings))
        return end(*error);
    return worker_->send(path_) || end(read_mesh_file(path_, options_));
}

}  // namespace lab::io
