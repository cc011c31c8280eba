#include "io/file_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>

#include "io/meshes/formats/text_scanner.hpp"

namespace lab::io {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr std::array kMeshEndings{".obj"sv, ".stl"sv, ".ply"sv, ".off"sv, ".gltf"sv, ".glb"sv};
constexpr std::array kVoxelEndings{".vox"sv};
constexpr std::array kBoxEndings{".txt"sv, ".csv"sv};
constexpr std::array kTreeEndings{".bvtree"sv};
constexpr std::array kCaptureEndings{".bvcap"sv, ".jsonl"sv};
constexpr std::array kRecordingEndings{".bvrec"sv};
constexpr std::array kSceneEndings{".json"sv};
constexpr std::array kPictureEndings{".png"sv};
constexpr std::array kTreeExportEndings{".json"sv, ".dot"sv, ".gv"sv};
constexpr std::array kMetricsEndings{".csv"sv, ".json"sv};

constexpr FileKindRow kRows[] = {
    {FileKind::Mesh, "meshes", kMeshEndings},
    {FileKind::Voxels, "voxel models", kVoxelEndings},
    {FileKind::Boxes, "lists of boxes", kBoxEndings},
    {FileKind::Tree, "saved trees", kTreeEndings},
    {FileKind::Capture, "captures of engines", kCaptureEndings},
    {FileKind::Recording, "recordings", kRecordingEndings},
    {FileKind::Scene, "saved scenes", kSceneEndings},
    {FileKind::Picture, "pictures", kPictureEndings, false},
    {FileKind::Report, "reports", kSceneEndings, false},
    {FileKind::TreeExport, "exported trees", kTreeExportEndings, false},
    {FileKind::Metrics, "tree metrics", kMetricsEndings, false},
};

bool ends_as(const FileKindRow& row, const fs::path& path) {
    const std::string own = path.extension().string();
    return std::any_of(row.endings.begin(), row.endings.end(),
                       [&own](std::string_view ending) { return same_word(own, ending); });
}

const FileKindRow* row_of(FileKind kind) {
    const auto* const at = std::find_if(std::begin(kRows), std::end(kRows),
                                        [kind](const FileKindRow& row) { return row.kind == kind; });
    return at == std::end(kRows) ? nullptr : at;
}

fs::path full(const fs::path& path) {
    std::error_code code;
    const fs::path absolute = fs::absolute(path, code);
    return normal_path(code ? path : absolute);
}

}  // namespace

std::span<const FileKindRow> file_kinds() {
    return kRows;
}

FileKind kind_of_file(const fs::path& path) {
    for (const FileKindRow& row : kRows)
        if (row.opens && ends_as(row, path)) return row.kind;
    return FileKind::Unknown;
}

namespace {

/// True if the first of the outermost keys that tells them apart is one of an exported tree.
bool begins_as_tree(std::string_view json) {
    int depth = 0;
    for (std::size_t at = 0; at < json.size(); ++at) {
        const char c = json[at];
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        if (c != '"') continue;
        const std::size_t from = at + 1;
        for (++at; at < json.size() && json[at] != '"'; ++at)
            if (json[at] == '\\') ++at;
        if (depth != 1 || at >= json.size()) continue;
        const std::string_view word = json.substr(from, at - from);
        const std::size_t next = json.find_first_not_of(" \t\r\n", at + 1);
        if (next == std::string_view::npos || json[next] != ':') continue;
        if (word == "tree" || word == "nodes") return true;
        if (word == "format") return false;
    }
    return false;
}

}  // namespace

FileKind kind_to_open(const fs::path& path) {
    const FileKind kind = kind_of_file(path);
    std::error_code code;
    if (kind != FileKind::Scene || !fs::is_regular_file(path, code)) return kind;
    constexpr std::size_t kAhead = std::size_t{1} << 20;
    std::string text(kAhead, '\0');
    std::ifstream in(path, std::ios::binary);
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
    return begins_as_tree(text) ? FileKind::Tree : kind;
}

bool has_ending_of(FileKind kind, const fs::path& path) {
    const FileKindRow* const row = row_of(kind);
    return row && ends_as(*row, path);
}

std::string endings_of(FileKind kind) {
    std::string text;
    const FileKindRow* const row = row_of(kind);
    for (std::size_t i = 0; row && i < row->endings.size(); ++i) {
        if (i > 0) text += i + 1 == row->endings.size() ? " or " : ", ";
        text += row->endings[i];
    }
    return text;
}

std::optional<FileError> wrong_ending(FileKind kind, const fs::path& path) {
    if (has_ending_of(kind, path)) return std::nullopt;
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) return std::nullopt;
    const FileKindRow* const row = row_of(kind);
    return FileError{path.string(), "",
                     fmt::format("names of {} end in {}", row ? row->plural : "", endings_of(kind)),
                     "Choose such a name"};
}

bool may_be_needed(const fs::path& path) {
    const FileKind kind = kind_of_file(path);
    return kind == FileKind::Mesh || kind == FileKind::Voxels || kind == FileKind::Boxes ||
           kind == FileKind::Tree || kind == FileKind::Capture ||
           kind == FileKind::Scene;  // An exported tree has the same ending.
}

fs::path normal_path(const fs::path& path) {
    fs::path done = path.root_path();
    for (const fs::path& part : path.relative_path()) {
        if (part.empty() || part == ".") continue;
        const fs::path last = done.filename();
        const bool is_root = last.empty() && done.has_root_directory();
        const bool leads_up = part == ".." && last != ".." && (is_root || !last.empty());
        std::error_code code, is_no_link;
        const bool is_link = leads_up && !is_root && fs::is_symlink(done, is_no_link);
        const fs::path target = is_link ? fs::canonical(done, code) : done;
        if (leads_up && !code)
            done = target.parent_path();
        else
            done /= part;
    }
    return done.empty() ? fs::path(".") : done;
}

std::string path_in_file(const fs::path& file, const std::string& path) {
    const fs::path target = full(path);
    const fs::path relative = target.lexically_relative(full(file).parent_path());
    const bool inside = !relative.empty() && *relative.begin() != "..";
    return (inside ? relative : target).string();
}

std::string path_from_file(const fs::path& file, const std::string& written) {
    const fs::path path(written);
    return path.is_absolute() ? written : normal_path(file.parent_path() / path).string();
}

bool is_same_place(const fs::path& a, const fs::path& b) {
    return a == b || full(a) == full(b);
}

}  // namespace lab::io
