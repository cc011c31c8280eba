// Wavefront OBJ.
#include <algorithm>

#include "io/mesh_formats.hpp"
#include "io/text_scanner.hpp"

namespace lab::io {
namespace {

class ObjReader {
  public:
    ObjReader(std::string_view text, const ReadProgress& progress)
        : text_(text), scan_(text), progress_(progress) {}

    ReadOutcome read(MeshBuilder& builder) {
        do {
            if ((scan_.line() & 0xffffu) == 0)
                progress_(static_cast<float>(scan_.byte()) / static_cast<float>(text_.size()));
            const std::string_view word = scan_.word_in_line();
            if (word == "v") {
                if (!vertex()) return outcome_;
            } else if (word == "f" || word == "fo") {
                if (!face()) return outcome_;
            } else if (word == "o" || word == "g") {
                in_part_ = false;
            }
            // Everything else (normals, materials, smoothing, curves, comments) says nothing about triangles.
            // But a backslash at the end joins the next line to this one.
            const std::string_view rest = scan_.rest_of_line();
            if (rest.ends_with('\\') && !word.starts_with('#')) return ReadOutcome::leave_it();
        } while (scan_.next_line());
        return polygons_.finish(builder, "line", parts_);
    }

  private:
    bool wrong(std::string what) {
        outcome_ = ReadOutcome::wrong(scan_.where(), std::move(what));
        return false;
    }
    bool leave_it() {
        outcome_ = ReadOutcome::leave_it();
        return false;
    }

    bool vertex() {
        float numbers[4] = {0.0f, 0.0f, 0.0f, 1.0f};
        int count = 0;
        for (; count < 4; ++count) {
            const std::string_view word = scan_.word_in_line();
            if (word == "\\") return leave_it();
            if (count >= 3 && (word.empty() || word.starts_with('#'))) break;
            std::string what = parse_finite(word, numbers[count]);
            if (!what.empty()) return wrong(std::move(what));
        }
        // Four numbers are a weighted point, six a point and a color.
        if (count == 4 && scan_.word_in_line().empty() && numbers[3] != 1.0f) return leave_it();
        const glm::vec3 p(numbers[0], numbers[1], numbers[2]);
        std::string what = fault_of_position(p);
        if (!what.empty()) return wrong(std::move(what));
        polygons_.positions.push_back(p);
        return true;
    }

    bool face() {
        polygons_.begin(scan_.line());
        int count = 0;
        for (;; ++count) {
            const std::string_view word = scan_.word_in_line();
            if (word.empty() || word.starts_with('#')) break;
            if (word == "\\") return leave_it();
            const auto number = parse_whole(word.substr(0, word.find('/')));
            const auto known = static_cast<long long>(polygons_.positions.size());
            if (!number || *number == 0) return wrong(shown(word) + " is not the number of a vertex");
            // Negative numbers count back from the last vertex so far; positive ones may point ahead.
            const long long index = *number > 0 ? *number - 1 : known + *number;
            if (index < 0 || index >= 0xffffffffll) {
                return wrong(shown(word) + " refers to a vertex that does not exist; there are " +
                             std::to_string(known) + " so far");
            }
            polygons_.corner(static_cast<std::uint32_t>(index));
        }
        if (count < 3) return wrong("a face has fewer than three corners");
        parts_ += !std::exchange(in_part_, true);
        return true;
    }

    std::string_view text_;
    TextScanner scan_;
    const ReadProgress& progress_;
    Polygons polygons_;
    ReadOutcome outcome_;
    std::uint32_t parts_ = 0;
    bool in_part_ = false;  // a face came since the last o or g
};

}  // namespace

ReadOutcome read_obj(std::string_view text, MeshBuilder& builder, const ReadProgress& progress) {
    return ObjReader(text, progress).read(builder);
}

}  // namespace lab::io
