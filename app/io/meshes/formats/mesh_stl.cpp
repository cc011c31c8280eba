// STL, text and binary.
#include <bit>
#include <cstring>

#include "io/meshes/formats/mesh_formats.hpp"
#include "io/meshes/formats/text_scanner.hpp"

namespace lab::io {
namespace {

static_assert(std::endian::native == std::endian::little, "binary STL is read as the machine stores numbers");

constexpr std::size_t kHeader = 80;
constexpr std::size_t kFirst = 84;
constexpr std::size_t kTriangle = 50;

std::uint64_t stated_size(std::string_view bytes) {
    std::uint32_t count = 0;
    std::memcpy(&count, bytes.data() + kHeader, sizeof count);
    return kFirst + std::uint64_t{count} * kTriangle;
}

ReadOutcome read_binary(std::string_view bytes, MeshBuilder& builder, const ReadProgress& progress) {
    const std::uint64_t stated = stated_size(bytes);
    if (stated > bytes.size()) {
        return ReadOutcome::wrong("byte 80", "states " + std::to_string((stated - kFirst) / kTriangle) +
                                                 " triangles, but there are bytes for " +
                                                 std::to_string((bytes.size() - kFirst) / kTriangle));
    }
    // A remainder of whole triangles means a count that was never updated; other appendices are common.
    const std::string_view rest = bytes.substr(stated);
    if (rest.size() % kTriangle == 0 && rest.find_first_not_of('\0') != std::string_view::npos) {
        return ReadOutcome::wrong("byte 80", "states " + std::to_string((stated - kFirst) / kTriangle) +
                                                 " triangles, but there are " +
                                                 std::to_string((bytes.size() - kFirst) / kTriangle) +
                                                 ": its count is wrong");
    }
    for (std::size_t at = kFirst; at < stated; at += kTriangle) {
        if ((at / kTriangle & 0xffffu) == 0) progress(static_cast<float>(at) / static_cast<float>(stated));
        glm::vec3 corners[3];
        std::memcpy(static_cast<void*>(corners), bytes.data() + at + 12,
                    sizeof corners);  // behind the normal
        std::string wrong = builder.add(corners[0], corners[1], corners[2]);
        if (!wrong.empty()) return ReadOutcome::wrong("byte " + std::to_string(at + 12), std::move(wrong));
    }
    return ReadOutcome::done(1);
}

ReadOutcome read_text(std::string_view text, MeshBuilder& builder, const ReadProgress& progress) {
    TextScanner scan(text, TextScanner::Lines::AsTheyAre, builder.limits().line_bytes);
    glm::vec3 corners[3];
    std::size_t count = 0;
    std::size_t facets = 0;
    std::uint32_t solids = 0;
    bool in_solid = false;
    bool in_facet = false;
    const auto wrong = [&](std::string what) {
        return ReadOutcome::wrong(scan.where(), scan.fault(std::move(what)));
    };
    for (std::string_view word = scan.word(); !word.empty(); word = scan.word()) {
        if (same_word(word, "vertex")) {
            if (!in_facet || count == 3) return wrong("a vertex is not allowed here");
            for (int axis = 0; axis < 3; ++axis) {
                std::string what = parse_finite(scan.word(), corners[count][axis]);
                if (!what.empty()) return wrong(std::move(what));
            }
            std::string what = fault_of_position(corners[count++]);
            if (!what.empty()) return wrong(std::move(what));
        } else if (same_word(word, "facet")) {
            if (!in_solid || in_facet) return wrong("a facet is not allowed here");
            in_facet = true;
            count = 0;
            if ((++facets & 0xffffu) == 0)
                progress(static_cast<float>(scan.byte()) / static_cast<float>(text.size()));
        } else if (same_word(word, "endfacet")) {
            if (!in_facet || count != 3) return wrong("a facet does not have exactly three corners");
            std::string what = builder.add(corners[0], corners[1], corners[2]);
            if (!what.empty()) return wrong(std::move(what));
            in_facet = false;
        } else if (same_word(word, "normal")) {
            // Stored normals are unreliable: they are computed from the corners.
            for (int axis = 0; axis < 3; ++axis)
                scan.word();
        } else if (same_word(word, "solid") || same_word(word, "endsolid")) {
            const bool begins = same_word(word, "solid");
            if (begins == in_solid || in_facet) return wrong(shown(word) + " is not allowed here");
            in_solid = begins;
            solids += begins;
            scan.rest_of_line();  // the name
        } else if (!same_word(word, "outer") && !same_word(word, "loop") && !same_word(word, "endloop")) {
            return wrong(shown(word) + " is not a keyword of STL files");
        }
    }
    if (std::string fault = scan.fault(""); !fault.empty()) return wrong(std::move(fault));
    if (in_solid) return wrong("ends before its solid does: it was cut off");
    return ReadOutcome::done(solids);
}

}  // namespace

ReadOutcome read_stl(std::string_view bytes, MeshBuilder& builder, const ReadProgress& progress) {
    // Binary files may begin with "solid", too. They are known by their size, or by a zero byte: their count
    // has at least one.
    const bool states_its_size = bytes.size() >= kFirst && stated_size(bytes) == bytes.size();
    const bool has_zero = bytes.substr(0, kFirst).find('\0') != std::string_view::npos;
    TextScanner start(bytes.substr(0, kFirst));
    if (!states_its_size && !has_zero && same_word(start.word().substr(0, 5), "solid"))
        return read_text(bytes, builder, progress);
    if (bytes.size() < kFirst) return ReadOutcome::wrong("", "is too short for an STL file: it was cut off");
    return read_binary(bytes, builder, progress);
}

}  // namespace lab::io
