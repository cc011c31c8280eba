// Stanford PLY: a header that declares elements with properties, then their values, as text or binary.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "io/meshes/formats/mesh_formats.hpp"
#include "io/meshes/formats/text_scanner.hpp"

namespace lab::io {
namespace {

enum class Encoding : unsigned char { Text, Little, Big };
enum class Type : unsigned char { I8, U8, I16, U16, I32, U32, I64, U64, F32, F64 };

bool is_real(Type type) {
    return type == Type::F32 || type == Type::F64;
}

struct TypeName {
    std::string_view name;
    Type type;
};
constexpr std::array<TypeName, 18> kTypes{{{"char", Type::I8},
                                           {"int8", Type::I8},
                                           {"uchar", Type::U8},
                                           {"uint8", Type::U8},
                                           {"short", Type::I16},
                                           {"int16", Type::I16},
                                           {"ushort", Type::U16},
                                           {"uint16", Type::U16},
                                           {"int", Type::I32},
                                           {"int32", Type::I32},
                                           {"uint", Type::U32},
                                           {"uint32", Type::U32},
                                           {"int64", Type::I64},
                                           {"uint64", Type::U64},
                                           {"float", Type::F32},
                                           {"float32", Type::F32},
                                           {"double", Type::F64},
                                           {"float64", Type::F64}}};

std::optional<Type> type_of(std::string_view name) {
    const auto* const found =
        std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& t) { return t.name == name; });
    return found == kTypes.end() ? std::nullopt : std::optional(found->type);
}

std::size_t size_of(Type type) {
    constexpr std::size_t kSizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return kSizes[static_cast<std::size_t>(type)];
}

struct Property {
    std::string name;
    Type type = Type::F32;
    std::optional<Type> count;  // of a list
};

struct Element {
    std::string name;
    std::uint64_t count = 0;
    std::vector<Property> properties;
};

/// The least number of bytes of one row.
std::size_t least_size(const Element& element, Encoding encoding) {
    std::size_t size = 0;
    for (const Property& p : element.properties)
        size += encoding == Encoding::Text ? 1 : size_of(p.count.value_or(p.type));
    return size;
}

class PlyReader {
  public:
    PlyReader(std::string_view bytes, const MeshLimits& limits, const ReadProgress& progress)
        : bytes_(bytes),
          limits_(limits),
          scan_(bytes, TextScanner::Lines::AsTheyAre, limits.line_bytes),
          progress_(progress) {}

    ReadOutcome read(MeshBuilder& builder) {
        if (!header()) return outcome_;
        for (const Element& element : elements_)
            if (!rows(element)) return outcome_;
        if (!ends_here()) return outcome_;
        return polygons_.finish(builder, "face", 1);
    }

  private:
    bool fail(std::string where, std::string what) {
        outcome_ = ReadOutcome::wrong(std::move(where), scan_.fault(std::move(what)));
        return false;
    }
    bool fail_here(std::string what) {
        return fail(encoding_ == Encoding::Text ? scan_.where() : "byte " + std::to_string(at_),
                    std::move(what));
    }

    /// The bytes of the line end behind `end_header`. In a header whose lines end with CR alone, an LF behind
    /// the last one is the first byte of a binary value.
    [[nodiscard]] std::size_t end_of_header() const {
        if (bytes_.substr(scan_.byte(), 2) != "\r\n") return 1;
        const std::size_t first = bytes_.find_first_of("\r\n");
        return bytes_[first] == '\r' && bytes_.substr(first, 2) != "\r\n" ? 1 : 2;
    }

    bool header() {
        if (scan_.word_in_line() != "ply") return fail("line 1", "does not begin with ply");
        bool has_format = false;
        while (scan_.next_line()) {
            const std::string_view word = scan_.word_in_line();
            if (word == "end_header") {
                scan_.rest_of_line();
                at_ = std::min(scan_.byte() + end_of_header(), bytes_.size());
                const bool promises_rows =
                    std::any_of(elements_.begin(), elements_.end(),
                                [](const Element& e) { return e.count > 0 && !e.properties.empty(); });
                if (!scan_.next_line() && promises_rows)
                    return fail(scan_.where(), "ends after its header: it was cut off");
                return has_format ? true : fail(scan_.where(), "has a header without a format");
            }
            if (word == "format") {
                if (!format(scan_.word_in_line())) return false;
                has_format = true;
            } else if (word == "element") {
                const std::string_view name = scan_.word_in_line();
                const auto count = parse_whole(scan_.word_in_line());
                if (name.empty() || !count || *count < 0)
                    return fail(scan_.where(), "an element has no name or no number");
                elements_.push_back({std::string(name), static_cast<std::uint64_t>(*count), {}});
            } else if (word == "property") {
                if (!property()) return false;
            } else if (!word.empty() && word != "comment" && word != "obj_info") {
                return fail(scan_.where(), shown(word) + " is not a keyword of a PLY header");
            }
        }
        return fail(scan_.where(), "ends within its header: it was cut off");
    }

    bool format(std::string_view name) {
        if (name == "ascii") {
            encoding_ = Encoding::Text;
        } else if (name == "binary_little_endian") {
            encoding_ = Encoding::Little;
        } else if (name == "binary_big_endian") {
            encoding_ = Encoding::Big;
        } else {
            return fail(scan_.where(), shown(name) + " is not a format of PLY files");
        }
        return true;
    }

    bool property() {
        if (elements_.empty()) return fail(scan_.where(), "a property comes before the first element");
        Property p;
        std::string_view word = scan_.word_in_line();
        if (word == "list") {
            p.count = type_of(scan_.word_in_line());
            if (!p.count || is_real(*p.count))
                return fail(scan_.where(), "a list needs an integer type for its length");
            word = scan_.word_in_line();
        }
        const auto type = type_of(word);
        if (!type) return fail(scan_.where(), shown(word) + " is not a type of PLY files");
        p.type = *type;
        p.name = scan_.word_in_line();
        if (p.name.empty()) return fail(scan_.where(), "a property has no name");
        elements_.back().properties.push_back(std::move(p));
        return true;
    }

    [[nodiscard]] std::size_t left() const {
        return bytes_.size() - (encoding_ == Encoding::Text ? std::min(scan_.byte(), bytes_.size()) : at_);
    }

    /// The use of a property.
    enum class Use : unsigned char { X, Y, Z, Corners, Strip, None };

    static Use use_of(const Element& element, const Property& p) {
        if (element.name == "vertex" && !p.count && p.name.size() == 1 && p.name[0] >= 'x' &&
            p.name[0] <= 'z')
            return static_cast<Use>(p.name[0] - 'x');
        const bool indices = p.count && (p.name == "vertex_indices" || p.name == "vertex_index");
        if (indices && element.name == "face") return Use::Corners;
        if (indices && element.name == "tristrips") return Use::Strip;
        return Use::None;
    }

    bool rows(const Element& element) {
        // A count that promises more than the file has room for must cost nothing.
        const std::size_t least = least_size(element, encoding_);
        const bool is_vertex = element.name == "vertex";
        std::vector<Use> uses;
        for (const Property& p : element.properties)
            uses.push_back(use_of(element, p));
        for (const Use axis : {Use::X, Use::Y, Use::Z})
            if (is_vertex && std::count(uses.begin(), uses.end(), axis) != 1)
                return fail_here("its vertices do not have one x, one y and one z");
        if (least == 0) return true;
        if (element.count > left() / least) {
            return fail_here("states " + std::to_string(element.count) + " of element " +
                             shown(element.name) +
                             ", but is too short for them: it was cut off or its header is wrong");
        }
        if (is_vertex && element.count > limits_.vertices)
            return fail_here(too_many(limits_.vertices, "vertices"));
        if (element.name == "face" && element.count > limits_.triangles)
            return fail_here(too_many(limits_.triangles, "faces"));
        for (std::uint64_t row = 0; row < element.count; ++row) {
            if ((row & 0xffffu) == 0)
                progress_(1.0f - static_cast<float>(left()) / static_cast<float>(bytes_.size()));
            glm::vec3 position(0.0f);
            for (std::size_t i = 0; i < uses.size(); ++i)
                if (!value(element.properties[i], uses[i], row, position)) return false;
            if (is_vertex) {
                std::string what = fault_of_position(position);
                if (!what.empty()) return fail_here(std::move(what));
                polygons_.positions.push_back(position);
            }
        }
        return true;
    }

    /// The header states all rows, so more values mean a wrong count. Padding and what is shorter than a row
    /// is harmless.
    bool ends_here() {
        if (encoding_ == Encoding::Text) {
            const std::string_view word = scan_.word();
            if (word.empty() && scan_.fault("").empty()) return true;
            return fail_here("has " + shown(word) +
                             " after the last row that its header states: a count is wrong");
        }
        const std::size_t row = elements_.empty() ? 0 : least_size(elements_.back(), encoding_);
        const std::string_view rest = bytes_.substr(at_);
        if (rest.size() < std::max<std::size_t>(row, 1) ||
            rest.find_first_not_of(std::string_view("\0 \t\r\n", 5)) == std::string_view::npos)
            return true;
        return fail_here("has " + std::to_string(rest.size()) +
                         " bytes after the last row that its header states: a count is wrong");
    }

    bool value(const Property& p, Use use, std::uint64_t row, glm::vec3& position) {
        if (use <= Use::Z) return coordinate(p.type, position[static_cast<int>(use)]);
        if (!p.count) return skip(p.type, 1);
        std::uint64_t count = 0;
        if (!list_size(p, count)) return false;
        if (use == Use::None) return skip(p.type, count);
        return use == Use::Strip ? strip(p.type, count, row) : face(p.type, count, row);
    }

    bool coordinate(Type type, float& value) {
        if (encoding_ == Encoding::Text) {
            std::string what = parse_finite(scan_.word(), value);
            return what.empty() || fail_here(std::move(what));
        }
        double wide = 0.0;
        if (!number(type, wide)) return false;
        // A double may be too large for a float; the position check refuses its replacement.
        value = std::isfinite(wide) ? static_cast<float>(std::clamp(wide, -3e38, 3e38))
                                    : static_cast<float>(wide);
        return true;
    }

    bool list_size(const Property& p, std::uint64_t& size) {
        double count = 0.0;
        if (!number(*p.count, count)) return false;
        const std::size_t item = encoding_ == Encoding::Text ? 1 : size_of(p.type);
        if (count < 0.0) return fail_here("a list declares a negative number of entries");
        const std::size_t max_count = left() / item;
        if (count > static_cast<double>(max_count))
            return fail_here("a list declares " + shown_count(count) +
                             " entries, but the file is too short for them");
        size = static_cast<std::uint64_t>(count);
        return true;
    }
    static std::string shown_count(double count) {
        return count < 1e18 ? std::to_string(static_cast<long long>(count)) : "more than 10^18";
    }

    bool face(Type type, std::uint64_t count, std::uint64_t row) {
        if (count > limits_.face_corners)
            return fail_here(too_many(limits_.face_corners, "corners in one face"));
        if (count < 3) return skip(type, count);  // points and lines
        polygons_.begin(row);
        for (std::uint64_t i = 0; i < count; ++i) {
            std::uint32_t index = 0;
            if (!vertex_index(type, index)) return false;
            polygons_.corner(index);
        }
        return true;
    }

    /// Each corner from the third on makes a triangle with the two before it, every other one turned around;
    /// -1 begins a new strip.
    bool strip(Type type, std::uint64_t count, std::uint64_t row) {
        std::array<std::uint32_t, 3> last{};
        std::uint64_t length = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            if (!vertex_index(type, last[2], true)) return false;
            if (last[2] == kRestart) {
                length = 0;
                continue;
            }
            if (++length >= 3) {
                if (polygons_.size() >= limits_.triangles)
                    return fail_here(too_many(limits_.triangles, "triangles"));
                const bool turned = length % 2 == 0;
                polygons_.begin(row);
                for (const std::size_t corner :
                     {std::size_t{0}, std::size_t{turned ? 2u : 1u}, std::size_t{turned ? 1u : 2u}})
                    polygons_.corner(last[corner]);
            }
            last = {last[1], last[2], 0};
        }
        return true;
    }

    bool vertex_index(Type type, std::uint32_t& index, bool may_restart = false) {
        double wide = 0.0;
        if (!number(type, wide)) return false;
        if (may_restart && wide == -1.0) {
            index = kRestart;
            return true;
        }
        if (!(wide >= 0.0) || wide >= static_cast<double>(kRestart) || wide != std::floor(wide))
            return fail_here("a face refers to a vertex that does not exist");
        index = static_cast<std::uint32_t>(wide);
        return true;
    }

    /// Skips values that are not used.
    bool skip(Type type, std::uint64_t count) {
        if (encoding_ != Encoding::Text) {
            if (left() / size_of(type) < count) return fail_here("ends too early: it was cut off");
            at_ += size_of(type) * count;
            return true;
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::string_view word = scan_.word();
            if (word.empty()) return fail_here("ends too early: it was cut off");
            if (!is_number(word)) return fail_here(shown(word) + " is not a number");
        }
        return true;
    }

    /// The next number of either encoding. Wide enough for every count and index that fits into memory.
    bool number(Type type, double& value) {
        if (encoding_ == Encoding::Text) {
            const std::string_view word = scan_.word();
            if (word.empty()) return fail_here("ends too early: it was cut off");
            float real = 0.0f;
            if (const auto whole = parse_whole(word)) {
                value = static_cast<double>(*whole);
            } else if (is_real(type) && parse_finite(word, real).empty()) {
                value = static_cast<double>(real);
            } else {
                return fail_here(shown(word) + " is not a whole number");
            }
            return true;
        }
        const std::size_t size = size_of(type);
        if (left() < size) return fail_here("ends too early: it was cut off");
        std::array<char, 8> raw{};
        std::memcpy(raw.data(), bytes_.data() + at_, size);
        if ((encoding_ == Encoding::Big) == (std::endian::native == std::endian::little))
            std::reverse(raw.begin(), raw.begin() + static_cast<std::ptrdiff_t>(size));
        at_ += size;
        const auto as = [&raw](auto zero) {
            std::memcpy(&zero, raw.data(), sizeof zero);
            return static_cast<double>(zero);
        };
        switch (type) {
            case Type::I8:
                value = as(std::int8_t{});
                break;
            case Type::U8:
                value = as(std::uint8_t{});
                break;
            case Type::I16:
                value = as(std::int16_t{});
                break;
            case Type::U16:
                value = as(std::uint16_t{});
                break;
            case Type::I32:
                value = as(std::int32_t{});
                break;
            case Type::U32:
                value = as(std::uint32_t{});
                break;
            case Type::I64:
                value = as(std::int64_t{});
                break;
            case Type::U64:
                value = as(std::uint64_t{});
                break;
            case Type::F32:
                value = as(float{});
                break;
            case Type::F64:
                value = as(double{});
                break;
        }
        return true;
    }

    static constexpr std::uint32_t kRestart = 0xffffffffu;

    std::string_view bytes_;
    const MeshLimits& limits_;
    TextScanner scan_;  // the header, and the values of a text file
    const ReadProgress& progress_;
    std::size_t at_ = 0;  // in the values of a binary file
    Encoding encoding_ = Encoding::Text;
    std::vector<Element> elements_;
    Polygons polygons_;
    ReadOutcome outcome_;
};

}  // namespace

ReadOutcome read_ply(std::string_view bytes, MeshBuilder& builder, const ReadProgress& progress) {
    return PlyReader(bytes, builder.limits(), progress).read(builder);
}

}  // namespace lab::io
