#include "io/meshes/mesh_builder.hpp"

#include <cmath>
#include <cstring>
#include <utility>

#include "bv/shapes/not_finite.hpp"
#include "io/text/counted.hpp"

namespace lab::io {
namespace {

constexpr std::uint32_t kFree = 0xffffffffu;

std::size_t hash_of(const glm::vec3& p) {
    std::uint32_t bits[3];
    std::memcpy(bits, &p, sizeof bits);
    std::uint64_t h = bits[0] * 0x9e3779b97f4a7c15ull;
    h = (h ^ (h >> 29) ^ bits[1]) * 0xbf58476d1ce4e5b9ull;
    h = (h ^ (h >> 32) ^ bits[2]) * 0x94d049bb133111ebull;
    return static_cast<std::size_t>(h ^ (h >> 31));
}

/// In double precision, where the products of two floats are exact and the area of a true triangle does not
/// vanish.
bool has_area(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c) {
    const glm::dvec3 u = b - a;
    const glm::dvec3 v = c - a;
    return u.y * v.z != u.z * v.y || u.z * v.x != u.x * v.z || u.x * v.y != u.y * v.x;
}

}  // namespace

std::string fault_of_position(const glm::vec3& p) {
    if (!bv::is_finite(p)) return "has a vertex whose position is not finite (NaN or infinite)";
    const float limit = MeshBuilder::kLargestCoordinate;
    if (std::abs(p.x) > limit || std::abs(p.y) > limit || std::abs(p.z) > limit)
        return "has a vertex farther out than 1e12 m, where volumes no longer fit into a number";
    return "";
}

std::string unknown_lines_note(const MeshFile& file) {
    const std::string first = std::to_string(file.first_unknown_line);
    if (file.unknown_lines == 0) return "";
    if (file.unknown_lines == 1) return "line " + first + ", an unknown statement, was left out";
    return grouped(file.unknown_lines) + " lines with unknown statements, the first at line " + first +
           ", were left out";
}

std::string too_many(std::uint64_t limit, std::string_view of_what) {
    return "has more than " + std::to_string(limit) + " " + std::string(of_what) + ", the most that are read";
}

std::string MeshBuilder::add(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c) {
    for (const glm::vec3* p : {&a, &b, &c}) {
        std::string fault = fault_of_position(*p);
        if (!fault.empty()) return fault;
    }
    if (file_.mesh.triangles.size() + file_.dropped >= limits_.triangles)
        return too_many(limits_.triangles, "triangles");
    if (!has_area(a, b, c)) {
        ++file_.dropped;
        return "";
    }
    const std::uint32_t x = vertex(a);
    const std::uint32_t y = vertex(b);
    const std::uint32_t z = vertex(c);
    file_.mesh.triangles.emplace_back(x, y, z);
    return "";
}

void MeshBuilder::add_unknown_line(std::size_t line) {
    if (file_.unknown_lines++ == 0) file_.first_unknown_line = line;
}

Result<MeshFile> MeshBuilder::finish(const std::string& path, std::uint32_t parts) {
    if (file_.mesh.triangles.empty() && file_.dropped == 0 && file_.unknown_lines > 0)
        return FileError{path, "", "has no triangles; " + unknown_lines_note(file_),
                         "Check the letters that its lines begin with"};
    if (file_.mesh.triangles.empty()) {
        return FileError{path, "",
                         file_.dropped == 0 ? "has no triangles"
                         : file_.dropped == 1
                             ? "its only triangle is without area"
                             : "all of its " + std::to_string(file_.dropped) + " triangles are without area",
                         "Points and lines alone have no surface to work with"};
    }
    file_.parts = parts;
    return std::move(file_);
}

std::uint32_t MeshBuilder::vertex(glm::vec3 p) {
    p += 0.0f;  // -0 becomes 0, so that equal positions have equal bits
    std::vector<glm::vec3>& positions = file_.mesh.positions;
    if (positions.size() * 2 >= table_.size()) rehash(table_.empty() ? 1024 : table_.size() * 2);
    const std::size_t mask = table_.size() - 1;
    for (std::size_t slot = hash_of(p) & mask;; slot = (slot + 1) & mask) {
        std::uint32_t& entry = table_[slot];
        if (entry == kFree) {
            entry = static_cast<std::uint32_t>(positions.size());
            positions.push_back(p);
            return entry;
        }
        if (positions[entry] == p) return entry;
    }
}

void MeshBuilder::rehash(std::size_t slots) {
    table_.assign(slots, kFree);
    const std::size_t mask = slots - 1;
    for (std::size_t i = 0; i < file_.mesh.positions.size(); ++i) {
        std::size_t slot = hash_of(file_.mesh.positions[i]) & mask;
        while (table_[slot] != kFree)
            slot = (slot + 1) & mask;
        table_[slot] = static_cast<std::uint32_t>(i);
    }
}

}  // namespace lab::io
