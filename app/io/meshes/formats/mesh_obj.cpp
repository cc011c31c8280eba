// Wavefront OBJ.
#include <algorithm>
#include <array>

#include "io/meshes/formats/mesh_formats.hpp"
#include "io/meshes/formats/text_scanner.hpp"

namespace lab::io {
namespace {

/// True for the statements of OBJ that hold numbers and do not affect triangles: normals, lines, curves, and
/// what older versions of the format had.
bool is_of_numbers(std::string_view word) {
    constexpr std::array<std::string_view, 31> kWords{
        "vn",       "vt",       "l",     "p",     "vp",   "mg",   "cstype", "deg", "bmat", "step",  "curv",
        "surf",     "parm",     "curv2", "trim",  "hole", "scrv", "sp",     "end", "con",  "bevel", "lod",
        "c_interp", "d_interp", "ctech", "stech", "bsp",  "bzp",  "cdc",    "cdp", "res"};
    return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

/// True for the statements that hold names of materials, files and groups.
bool is_of_names(std::string_view word) {
    constexpr std::array<std::string_view, 11> kWords{
        "o", "g", "s", "usemtl", "mtllib", "usemap", "maplib", "shadow_obj", "trace_obj", "call", "csh"};
    return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

class ObjReader {
  public:
    ObjReader(std::string_view text, const MeshLimits& limits, const ReadProgress& progress)
        : text_(text),
          limits_(limits),
          scan_(text, TextScanner::Lines::JoinedByBackslash, limits.line_bytes),
          progress_(progress) {}

    ReadOutcome read(MeshBuilder& builder) {
        do {
            if ((scan_.line() & 0xffffu) == 0)
                progress_(static_cast<float>(scan_.byte()) / static_cast<float>(text_.size()));
            const std::string_view word = scan_.word_in_line();
            if (word == "v") {
                if (!vertex()) return outcome_;
            } else if (word == "f" || word == "fo") {
                if (!face()) return outcome_;
            } else if (is_of_numbers(word)) {
                while (!content_word().empty()) {
                }
            } else {
                if (word == "o" || word == "g") in_part_ = false;
                if (!word.empty() && !word.starts_with('#') && !is_of_names(word))
                    builder.add_unknown_line(scan_.line());
                // A backslash joins lines of numbers only: `usemtl C:\mats\` ends with its line.
                scan_.rest_of_line();
            }
        } while (scan_.next_line());
        std::string fault = scan_.fault("");
        if (!fault.empty()) return ReadOutcome::wrong(scan_.where(), std::move(fault));
        return polygons_.finish(builder, "line", parts_);
    }

  private:
    bool wrong(std::string what) {
        outcome_ = ReadOutcome::wrong(scan_.where(), scan_.fault(std::move(what)));
        return false;
    }

    /// The next word of the line before its comment; empty if there is none.
    std::string_view content_word() {
        const std::string_view word = scan_.word_in_line();
        if (!word.starts_with('#')) return word;
        scan_.rest_of_line();
        return {};
    }

    bool vertex() {
        if (polygons_.positions.size() >= limits_.vertices)
            return wrong(too_many(limits_.vertices, "vertices"));
        glm::vec3 p(0.0f);
        for (int axis = 0; axis < 3; ++axis) {
            std::string what = parse_finite(content_word(), p[axis]);
            if (!what.empty()) return wrong(std::move(what));
        }
        // A weight or a color.
        for (std::string_view word = content_word(); !word.empty(); word = content_word())
            if (!is_number(word)) return wrong(shown(word) + " is not a number");
        std::string what = fault_of_position(p);
        if (!what.empty()) return wrong(std::move(what));
        polygons_.positions.push_back(p);
        return true;
    }

    bool face() {
        if (polygons_.size() >= limits_.triangles) return wrong(too_many(limits_.triangles, "faces"));
        polygons_.begin(scan_.line());
        std::uint64_t count = 0;
        for (std::string_view word = content_word(); !word.empty(); word = content_word()) {
            if (++count > limits_.face_corners)
                return wrong(too_many(limits_.face_corners, "corners in one face"));
            if (!corner(word)) return false;
        }
        if (count < 3) return wrong("a face has fewer than three corners");
        parts_ += !std::exchange(in_part_, true);
        return true;
    }

    /// `7`, `7/8`, `7//9` or `7/8/9`: the numbers of a vertex, a texture vertex and a normal.
    bool corner(std::string_view word) {
        std::string_view rest = word;
        std::optional<long long> numbers[3];
        for (int part = 0; part < 3; ++part) {
            const std::size_t slash = std::min(rest.find('/'), rest.size());
            const std::string_view digits = rest.substr(0, slash);
            numbers[part] = parse_whole(digits);
            if (part > 0 && !digits.empty() && !numbers[part])
                return wrong(shown(word) + " is not a corner of a face");
            rest.remove_prefix(std::min(slash + 1, rest.size()));
        }
        const std::optional<long long> number = numbers[0];
        const auto known = static_cast<long long>(polygons_.positions.size());
        if (!number || *number == 0 || !rest.empty())
            return wrong(shown(word) + " is not the number of a vertex");
        // Negative numbers count back from the last vertex so far; positive ones may point ahead.
        const long long index = *number > 0 ? *number - 1 : known + *number;
        if (index < 0 || index >= 0xffffffffll) {
            return wrong(shown(word) + " refers to a vertex that does not exist; there are " +
                         std::to_string(known) + " so far");
        }
        polygons_.corner(static_cast<std::uint32_t>(index));
        return true;
    }

    std::string_view text_;
    const MeshLimits& limits_;
    TextScanner scan_;
    const ReadProgress& progress_;
    Polygons polygons_;
    ReadOutcome outcome_;
    std::uint32_t parts_ = 0;
    bool in_part_ = false;  // a face came since the last o or g
};

}  // namespace

ReadOutcome read_obj(std::string_view text, MeshBuilder& builder, const ReadProgress& progress) {
    return ObjReader(text, builder.limits(), progress).read(builder);
}

}  // namespace lab::io
