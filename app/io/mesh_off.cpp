// Object File Format.
#include <algorithm>

#include "io/mesh_formats.hpp"
#include "io/text_scanner.hpp"

namespace lab::io {
namespace {

class OffReader {
  public:
    OffReader(std::string_view text, const ReadProgress& progress)
        : text_(text), scan_(text), progress_(progress) {}

    ReadOutcome read(MeshBuilder& builder) {
        std::string_view word = content_word();
        if (!word.ends_with("OFF")) return wrong("does not begin with OFF");
        const std::string_view prefix = word.substr(0, word.size() - 3);
        // Texture coordinates, colors and normals follow the position; a fourth coordinate or n of them would
        // not.
        if (prefix.find_first_not_of("STCN") != std::string_view::npos) return ReadOutcome::leave_it();
        word = content_word();
        if (same_word(word, "binary")) return ReadOutcome::leave_it();
        const auto vertices = parse_whole(word);
        const auto faces = parse_whole(content_word());
        const auto edges = parse_whole(content_word());
        if (!vertices || !faces || !edges || *vertices < 0 || *faces < 0)
            return wrong("the numbers of vertices, faces and edges are missing");
        // A vertex takes at least six bytes, a face eight: counts that promise more are wrong and must cost
        // nothing.
        if (*vertices > static_cast<long long>(text_.size() / 5) ||
            *faces > static_cast<long long>(text_.size() / 5))
            return wrong("states more vertices or faces than the file has room for");
        for (long long i = 0; i < *vertices; ++i)
            if (!vertex(i, *vertices)) return outcome_;
        for (long long i = 0; i < *faces; ++i)
            if (!face(i, *faces)) return outcome_;
        return polygons_.finish(builder, "line", 1);
    }

  private:
    ReadOutcome wrong(std::string what) const { return ReadOutcome::wrong(scan_.where(), std::move(what)); }
    bool fail(std::string what) {
        outcome_ = wrong(std::move(what));
        return false;
    }

    /// The next word outside of comments.
    std::string_view content_word() {
        for (;;) {
            const std::string_view word = scan_.word();
            if (!word.starts_with('#')) return word;
            scan_.rest_of_line();
        }
    }
    /// To the first word of the next line that has any; empty at the end of the file.
    std::string_view first_word() {
        scan_.rest_of_line();
        if ((scan_.line() & 0xffffu) == 0)
            progress_(static_cast<float>(scan_.byte()) / static_cast<float>(text_.size()));
        return content_word();
    }

    bool vertex(long long i, long long count) {
        std::string_view word = first_word();
        if (word.empty())
            return fail("ends after " + std::to_string(i) + " of " + std::to_string(count) +
                        " vertices: it was cut off");
        glm::vec3 p(0.0f);
        for (int axis = 0; axis < 3; ++axis) {
            std::string what = parse_finite(axis == 0 ? word : scan_.word_in_line(), p[axis]);
            if (!what.empty()) return fail(std::move(what));
        }
        std::string what = fault_of_position(p);
        if (!what.empty()) return fail(std::move(what));
        polygons_.positions.push_back(p);
        return true;
    }

    bool face(long long i, long long count) {
        const std::string_view word = first_word();
        if (word.empty())
            return fail("ends after " + std::to_string(i) + " of " + std::to_string(count) +
                        " faces: it was cut off");
        const auto corners = parse_whole(word);
        if (!corners || *corners < 1) return fail(shown(word) + " is not a number of corners");
        if (*corners >= 3) polygons_.begin(scan_.line());  // two corners are a line, one is a point
        for (long long k = 0; k < *corners; ++k) {
            const std::string_view index_word = scan_.word_in_line();
            const auto index = parse_whole(index_word);
            if (index_word.empty()) return fail("a face has fewer corners than it states");
            if (!index || *index < 0 || *index >= static_cast<long long>(polygons_.positions.size()))
                return fail(shown(index_word) + " is not the number of a vertex; they go from 0 to " +
                            std::to_string(polygons_.positions.size() - 1));
            if (*corners >= 3) polygons_.corner(static_cast<std::uint32_t>(*index));
        }
        return true;
    }

    std::string_view text_;
    TextScanner scan_;
    const ReadProgress& progress_;
    Polygons polygons_;
    ReadOutcome outcome_;
};

}  // namespace

ReadOutcome read_off(std::string_view text, MeshBuilder& builder, const ReadProgress& progress) {
    return OffReader(text, progress).read(builder);
}

}  // namespace lab::io
