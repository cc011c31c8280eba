// Object File Format.
#include <algorithm>

#include "io/meshes/formats/mesh_formats.hpp"
#include "io/meshes/formats/text_scanner.hpp"

namespace lab::io {
namespace {

class OffReader {
  public:
    OffReader(std::string_view text, const MeshLimits& limits, const ReadProgress& progress)
        : text_(text),
          limits_(limits),
          scan_(text, TextScanner::Lines::AsTheyAre, limits.line_bytes),
          progress_(progress) {}

    ReadOutcome read(MeshBuilder& builder) {
        if (!header()) return outcome_;
        for (long long i = 0; i < vertices_; ++i)
            if (!vertex(i)) return outcome_;
        for (long long i = 0; i < faces_; ++i)
            if (!face(i)) return outcome_;
        if (!ends_here()) return outcome_;
        return polygons_.finish(builder, "line", 1);
    }

  private:
    bool fail(std::string what) {
        outcome_ = ReadOutcome::wrong(scan_.where(), scan_.fault(std::move(what)));
        return false;
    }

    /// `[ST][C][N][4][n]OFF`, which may be missing, then the counts. Some programs write the prefixes in
    /// another order.
    bool header() {
        std::string_view word = content_word();
        if (!parse_whole(word)) {
            if (!word.ends_with("OFF")) return fail("does not begin with OFF");
            const std::string_view prefix = word.substr(0, word.size() - 3);
            bool states_dimensions = false;
            if (!prefixes(prefix, states_dimensions)) return fail(shown(word) + " is not a kind of OFF file");
            is_plain_ = prefix.empty();
            word = content_word();
            if (same_word(word, "binary")) return fail("is a binary OFF file; only texts are read");
            if (states_dimensions) {
                if (parse_whole(word) != 3) return fail("its vertices do not have three dimensions");
                word = content_word();
            }
        }
        const auto vertices = parse_whole(word);
        const auto faces = parse_whole(content_word());
        if (!vertices || !faces || *vertices < 0 || *faces < 0 || !edges())
            return fail("the numbers of vertices, faces and edges are missing");
        // A vertex takes at least six bytes, a face of one corner four, and the last one has no line break:
        // counts that promise more are wrong, and must cost nothing.
        if (*vertices > static_cast<long long>(text_.size() / 5) ||
            *faces > static_cast<long long>(text_.size()) / 4 + 1)
            return fail("declares more vertices or faces than the file can hold");
        if (static_cast<std::uint64_t>(*vertices) > limits_.vertices)
            return fail(too_many(limits_.vertices, "vertices"));
        if (static_cast<std::uint64_t>(*faces) > limits_.triangles)
            return fail(too_many(limits_.triangles, "faces"));
        vertices_ = *vertices;
        faces_ = *faces;
        runs_on_ = is_plain_ && lines_ahead() < vertices_ + faces_;
        return true;
    }

    /// False for a prefix that the format does not have, or one that comes twice.
    bool prefixes(std::string_view prefix, bool& states_dimensions) {
        // Texture coordinates, colors and normals follow the position and are skipped with the line.
        bool texture = false, color = false, normal = false;
        while (!prefix.empty()) {
            bool& seen = prefix.starts_with("ST") ? texture
                         : prefix[0] == 'C'       ? color
                         : prefix[0] == 'N'       ? normal
                         : prefix[0] == '4'       ? weighted_
                                                  : states_dimensions;
            if (seen || (&seen == &states_dimensions && prefix[0] != 'n')) return false;
            seen = true;
            prefix.remove_prefix(&seen == &texture ? 2 : 1);
        }
        return true;
    }

    /// Skips the number of edges, on the same line or alone on the next; many files lack it.
    bool edges() {
        const std::string_view here = scan_.word_in_line();
        if (!here.empty() && !here.starts_with('#')) return parse_whole(here).has_value();
        TextScanner ahead = scan_;
        ahead.rest_of_line();
        std::string_view word = ahead.word();
        while (word.starts_with('#')) {
            ahead.rest_of_line();
            word = ahead.word();
        }
        const bool alone = parse_whole(word).has_value() && ahead.rest_of_line().empty();
        if (alone) scan_ = ahead;
        return true;
    }

    /// The next word outside of comments.
    std::string_view content_word() {
        for (;;) {
            const std::string_view word = scan_.word();
            if (!word.starts_with('#')) return word;
            scan_.rest_of_line();
        }
    }
    /// The lines with content after the header.
    [[nodiscard]] long long lines_ahead() const {
        TextScanner ahead = scan_;
        long long count = 0;
        for (std::string_view word = ahead.word(); !word.empty(); word = ahead.word()) {
            if (!word.starts_with('#')) ++count;
            ahead.rest_of_line();
        }
        return count;
    }
    /// The next word of the vertex or face that was begun.
    std::string_view next_word() { return runs_on_ ? content_word() : scan_.word_in_line(); }
    /// Moves to the first word of the next line that has any, or of the next vertex or face; empty at the end
    /// of the file.
    std::string_view first_word() {
        if (!runs_on_) scan_.rest_of_line();
        if ((scan_.line() & 0xffffu) == 0)
            progress_(static_cast<float>(scan_.byte()) / static_cast<float>(text_.size()));
        return content_word();
    }

    bool vertex(long long i) {
        float numbers[4] = {0.0f, 0.0f, 0.0f, 1.0f};
        for (int k = 0; k < (weighted_ ? 4 : 3); ++k) {
            const std::string_view word = k == 0 ? first_word() : next_word();
            if (word.empty() && (k == 0 || runs_on_))
                return fail("ends after " + std::to_string(i) + " of " + std::to_string(vertices_) +
                            " vertices: it was cut off");
            std::string what = parse_finite(word, numbers[k]);
            if (!what.empty()) return fail(std::move(what));
        }
        const glm::vec3 p = glm::vec3(numbers[0], numbers[1], numbers[2]) / numbers[3];
        std::string what = fault_of_position(p);
        if (!what.empty()) return fail(std::move(what));
        polygons_.positions.push_back(p);
        return true;
    }

    bool face(long long i) {
        const std::string_view word = first_word();
        if (word.empty())
            return fail("ends after " + std::to_string(i) + " of " + std::to_string(faces_) +
                        " faces: it was cut off");
        const auto corners = parse_whole(word);
        if (!corners || *corners < 1) return fail(shown(word) + " is not a number of corners");
        if (static_cast<std::uint64_t>(*corners) > limits_.face_corners)
            return fail(too_many(limits_.face_corners, "corners in one face"));
        if (*corners >= 3) polygons_.begin(scan_.line());  // two corners are a line, one is a point
        for (long long k = 0; k < *corners; ++k) {
            const std::string_view index_word = next_word();
            const auto index = parse_whole(index_word);
            if (index_word.empty() || index_word.starts_with('#'))
                return fail("a face has fewer corners than it declares");
            if (!index || *index < 0 || *index >= vertices_)
                return fail(shown(index_word) + " is not the number of a vertex; " +
                            (vertices_ == 0 ? "there are none"
                                            : "they go from 0 to " + std::to_string(vertices_ - 1)));
            if (*corners >= 3) polygons_.corner(static_cast<std::uint32_t>(*index));
        }
        return true;
    }

    bool ends_here() {
        const std::string_view word = first_word();
        if (word.empty() && scan_.fault("").empty()) return true;
        return fail("has " + shown(word) + " after the last of the " + std::to_string(faces_) +
                    " faces that it states: a count is wrong");
    }

    std::string_view text_;
    const MeshLimits& limits_;
    TextScanner scan_;
    const ReadProgress& progress_;
    Polygons polygons_;
    ReadOutcome outcome_;
    long long vertices_ = 0;
    long long faces_ = 0;
    bool weighted_ = false;
    bool is_plain_ = true;  ///< No colors and the like, so that the numbers of a vertex are known.
    bool runs_on_ = false;  ///< The file has too few lines: several vertices or faces share one.
};

}  // namespace

ReadOutcome read_off(std::string_view text, MeshBuilder& builder, const ReadProgress& progress) {
    return OffReader(text, builder.limits(), progress).read(builder);
}

}  // namespace lab::io
