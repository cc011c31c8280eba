#include "io/meshes/process/mesh_wire.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "bv/shapes/not_finite.hpp"

namespace lab::io::wire {
namespace {

constexpr std::uint32_t kMagic = 0x314d5642u;  // "BVM1"

struct Header {
    std::uint32_t magic;
    std::uint32_t kind;
    std::uint64_t size;
    std::uint64_t checksum;
};
static_assert(sizeof(Header) == 24 && std::is_trivially_copyable_v<Header>);

struct MeshHeader {
    std::uint64_t positions;
    std::uint64_t triangles;
    std::uint64_t dropped;
    std::uint64_t parts;
    std::uint64_t unknown_lines;
    std::uint64_t first_unknown_line;
};
static_assert(sizeof(MeshHeader) == 48 && sizeof(glm::vec3) == 12 && sizeof(glm::uvec3) == 12);

/// FNV-1a over words of eight bytes, the last one filled up with zeros. Against accidents, not against
/// malice.
std::uint64_t checksum_of(std::string_view bytes) {
    std::uint64_t sum = 14695981039346656037ull;
    while (!bytes.empty()) {
        const std::size_t size = std::min<std::size_t>(bytes.size(), 8);
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), size);
        sum = (sum ^ word) * 1099511628211ull;
        bytes.remove_prefix(size);
    }
    return sum;
}

template <class T>
void add(std::string& to, const T* items, std::size_t count) {
    if (count > 0) to.append(reinterpret_cast<const char*>(items), count * sizeof(T));
}

template <class T>
void take(std::string_view& from, T* items, std::size_t count) {
    if (count > 0) std::memcpy(static_cast<void*>(items), from.data(), count * sizeof(T));
    from.remove_prefix(count * sizeof(T));
}

/// A text up to its zero byte.
bool take_text(std::string_view& from, std::string& text) {
    const std::size_t end = from.find('\0');
    if (end == std::string_view::npos) return false;
    text = from.substr(0, end);
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
    from.remove_prefix(end + 1);
    return true;
}

bool is_sound(const bv::workloads::MeshData& mesh) {
    const auto good_triangle = [n = mesh.positions.size()](const glm::uvec3& t) {
        return t.x < n && t.y < n && t.z < n;
    };
    return !mesh.triangles.empty() &&
           std::all_of(mesh.positions.begin(), mesh.positions.end(), bv::is_finite) &&
           std::all_of(mesh.triangles.begin(), mesh.triangles.end(), good_triangle);
}

}  // namespace

std::string encode(Kind kind, std::string_view payload) {
    const Header header{kMagic, static_cast<std::uint32_t>(kind), payload.size(), checksum_of(payload)};
    std::string frame;
    frame.reserve(sizeof header + payload.size());
    add(frame, &header, 1);
    frame.append(payload);
    return frame;
}

std::string encode_progress(float fraction) {
    std::string payload;
    add(payload, &fraction, 1);
    return encode(Kind::Progress, payload);
}

std::string encode_failure(const FileError& error) {
    std::string payload;
    for (const std::string* part : {&error.where, &error.what, &error.advice}) {
        payload += part->substr(0, 1000);
        payload += '\0';
    }
    return encode(Kind::Failure, payload);
}

std::string encode_needs(const std::vector<NeededFile>& needs) {
    std::string payload;
    for (const NeededFile& needed : needs)
        payload += needed.name + '\0' + needed.where + '\0';
    return encode(Kind::Needs, payload);
}

std::string encode_refused_fences(std::uint32_t fences) {
    std::string payload;
    add(payload, &fences, 1);
    return encode(Kind::RefusedFences, payload);
}

std::string encode_mesh(const MeshFile& file) {
    const auto& mesh = file.mesh;
    const MeshHeader header{mesh.positions.size(), mesh.triangles.size(),  file.dropped, file.parts,
                            file.unknown_lines,    file.first_unknown_line};
    std::string payload;
    payload.reserve(sizeof header + 12 * (mesh.positions.size() + mesh.triangles.size()));
    add(payload, &header, 1);
    add(payload, mesh.positions.data(), mesh.positions.size());
    add(payload, mesh.triangles.data(), mesh.triangles.size());
    return encode(Kind::Mesh, payload);
}

void Parser::feed(std::string_view bytes) {
    if (!broken_) bytes_.append(bytes);
}

std::optional<Frame> Parser::next() {
    Header header{};
    if (broken_ || bytes_.size() < sizeof header) return std::nullopt;
    std::memcpy(&header, bytes_.data(), sizeof header);
    if (header.magic != kMagic || header.size > max_payload_ || header.kind < 1 || header.kind > 5) {
        broken_ = true;
        return std::nullopt;
    }
    if (bytes_.size() - sizeof header < header.size) return std::nullopt;
    Frame frame{static_cast<Kind>(header.kind), bytes_.substr(sizeof header, header.size)};
    if (checksum_of(frame.payload) != header.checksum) {
        broken_ = true;
        return std::nullopt;
    }
    bytes_.erase(0, sizeof header + header.size);
    return frame;
}

std::optional<float> decode_progress(std::string_view payload) {
    float fraction = 0.0f;
    if (payload.size() != sizeof fraction) return std::nullopt;
    take(payload, &fraction, 1);
    return std::isfinite(fraction) ? std::optional(std::clamp(fraction, 0.0f, 1.0f)) : std::nullopt;
}

std::optional<FileError> decode_failure(std::string_view payload) {
    FileError error;
    for (std::string* part : {&error.where, &error.what, &error.advice})
        if (!take_text(payload, *part)) return std::nullopt;
    return payload.empty() && !error.what.empty() ? std::optional(error) : std::nullopt;
}

std::optional<std::vector<NeededFile>> decode_needs(std::string_view payload) {
    std::vector<NeededFile> needs;
    while (!payload.empty()) {
        NeededFile& needed = needs.emplace_back();
        if (!take_text(payload, needed.name) || !take_text(payload, needed.where)) return std::nullopt;
    }
    return needs.empty() ? std::nullopt : std::optional(std::move(needs));
}

std::optional<std::uint32_t> decode_refused_fences(std::string_view payload) {
    std::uint32_t fences = 0;
    if (payload.size() != sizeof fences) return std::nullopt;
    take(payload, &fences, 1);
    return fences;
}

std::optional<MeshFile> decode_mesh(std::string_view payload) {
    MeshHeader header{};
    if (payload.size() < sizeof header) return std::nullopt;
    take(payload, &header, 1);
    // Each count is bounded before the two are added and multiplied.
    const std::uint64_t max_count = payload.size() / 12;
    if (header.positions > max_count || header.triangles > max_count || header.parts > 0xffffffffull ||
        (header.positions + header.triangles) * 12 != payload.size())
        return std::nullopt;
    MeshFile file;
    file.parts = static_cast<std::uint32_t>(header.parts);
    file.dropped = header.dropped;
    file.unknown_lines = header.unknown_lines;
    file.first_unknown_line = header.first_unknown_line;
    file.mesh.positions.resize(header.positions);
    file.mesh.triangles.resize(header.triangles);
    take(payload, file.mesh.positions.data(), file.mesh.positions.size());
    take(payload, file.mesh.triangles.data(), file.mesh.triangles.size());
    return is_sound(file.mesh) ? std::optional(std::move(file)) : std::nullopt;
}

}  // namespace lab::io::wire
