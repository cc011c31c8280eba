// Stanford PLY: a header that declares elements with properties, then their values, as text or binary.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "io/mesh_formats.hpp"
#include "io/text_scanner.hpp"

namespace lab::io {
namespace {

enum class Encoding : unsigned char { Text, Little, Big };
enum class Type : unsigned char { I8, U8, I16, U16, I32, U32, F32, F64 };

struct TypeName {
    std::string_view name;
    Type type;
};
constexpr std::array<TypeName, 16> kTypes{{{"char", Type::I8},
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
    constexpr std::size_t kSizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
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

/// The smallest room, in bytes, that one row can take.
std::size_t least_size(const Element& element, Encoding encoding) {
    std::size_t size = 0;
    for (const Property& p : element.properties)
        size += encoding == Encoding::Text ? 1 : size_of(p.count.value_or(p.type));
    return size;
}

class PlyReader {
  public:
    PlyReader(std::string_view bytes, const ReadProgress& progress)
        : bytes_(bytes), scan_(bytes), progress_(progress) {}

    ReadOutcome read(MeshBuilder& builder) {
        if (!header()) return outcome_;
        at_ = scan_.byte();
        for (const Element& element : elements_)
            if (!rows(element)) return outcome_;
        return polygons_.finish(builder, "face", 1);
    }

  private:
    bool fail(std::string where, std::string what) {
        outcome_ = ReadOutcome::wrong(std::move(where), std::move(what));
        return false;
    }
    bool fail_here(std::string what) {
        return fail(encoding_ == Encoding::Text ? scan_.where() : "byte " + std::to_string(at_),
                    std::move(what));
    }

    bool header() {
        if (scan_.word_in_line() != "ply") return fail("line 1", "does not begin with ply");
        bool has_format = false;
        while (scan_.next_line()) {
            const std::string_view word = scan_.word_in_line();
            if (word == "end_header") {
                scan_.rest_of_line();
                if (!scan_.next_line()) return fail(scan_.where(), "ends behind its header: it was cut off");
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
                return fail(scan_.where(), shown(word) + " is not a word of a PLY header");
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
            if (!p.count || *p.count == Type::F32 || *p.count == Type::F64)
                return fail(scan_.where(), "a list has no whole type for its length");
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

    bool rows(const Element& element) {
        // A count that promises more than the file has room for must cost nothing.
        const std::size_t least = least_size(element, encoding_);
        if (least == 0) return true;
        if (element.count > left() / least) {
            return fail_here("states " + std::to_string(element.count) + " of element " +
                             shown(element.name) +
                             ", but is too short for them: it was cut off or its header is wrong");
        }
        const bool is_vertex = element.name == "vertex";
        const bool is_face = element.name == "face";
        std::array<int, 3> axes{-1, -1, -1};
        for (std::size_t i = 0; i < element.properties.size(); ++i) {
            const Property& p = element.properties[i];
            if (is_vertex && !p.count && p.name.size() == 1 && p.name[0] >= 'x' && p.name[0] <= 'z')
                axes[static_cast<std::size_t>(p.name[0] - 'x')] = static_cast<int>(i);
        }
        if (is_vertex && *std::min_element(axes.begin(), axes.end()) < 0)
            return fail_here("its vertices have no x, y and z");
        if (element.name == "tristrips") {
            outcome_ = ReadOutcome::leave_it();
            return false;
        }
        for (std::uint64_t row = 0; row < element.count; ++row) {
            if ((row & 0xffffu) == 0)
                progress_(1.0f - static_cast<float>(left()) / static_cast<float>(bytes_.size()));
            glm::vec3 position(0.0f);
            for (std::size_t i = 0; i < element.properties.size(); ++i) {
                const Property& p = element.properties[i];
                const int axis =
                    static_cast<int>(std::find(axes.begin(), axes.end(), static_cast<int>(i)) - axes.begin());
                const bool corners =
                    is_face && p.count && (p.name == "vertex_indices" || p.name == "vertex_index");
                const bool good = p.count    ? list(p, corners, row)
                                  : axis < 3 ? coordinate(p.type, position[axis])
                                             : skip(p.type);
                if (!good) return false;
            }
            if (is_vertex) {
                std::string what = fault_of_position(position);
                if (!what.empty()) return fail_here(std::move(what));
                polygons_.positions.push_back(position);
            }
        }
        return true;
    }

    bool coordinate(Type type, float& value) {
        if (encoding_ == Encoding::Text) {
            std::string what = parse_finite(scan_.word(), value);
            return what.empty() || fail_here(std::move(what));
        }
        double wide = 0.0;
        if (!number(type, wide)) return false;
        // A double may be too large for a float; the check of the position refuses what stands in for it.
        value = std::isfinite(wide) ? static_cast<float>(std::clamp(wide, -3e38, 3e38))
                                    : static_cast<float>(wide);
        return true;
    }

    bool list(const Property& p, bool corners, std::uint64_t row) {
        double count = 0.0;
        if (!number(*p.count, count)) return false;
        const std::size_t item = encoding_ == Encoding::Text ? 1 : size_of(p.type);
        const std::uint64_t room = left() / item;
        if (count < 0.0 || count > static_cast<double>(room))
            return fail_here("a list states " + std::to_string(static_cast<long long>(count)) +
                             " entries, but the file is too short for them");
        if (corners && count < 3.0) corners = false;  // points and lines
        if (corners) polygons_.begin(row);
        for (std::uint64_t i = 0; static_cast<double>(i) < count; ++i) {
            double index = 0.0;
            if (!number(p.type, index)) return false;
            if (!corners) continue;
            if (!(index >= 0.0) || index >= 4294967295.0 || index != std::floor(index))
                return fail_here("a face refers to a vertex that does not exist");
            polygons_.corner(static_cast<std::uint32_t>(index));
        }
        return true;
    }

    bool skip(Type type) {
        if (encoding_ == Encoding::Text)
            return !scan_.word().empty() || fail_here("ends too early: it was cut off");
        double ignored = 0.0;
        return number(type, ignored);
    }

    /// The next number of either encoding. Wide enough for every type of the format.
    bool number(Type type, double& value) {
        if (encoding_ == Encoding::Text) {
            const std::string_view word = scan_.word();
            if (word.empty()) return fail_here("ends too early: it was cut off");
            const auto whole = parse_whole(word);
            if (!whole) return fail_here(shown(word) + " is not a whole number");
            value = static_cast<double>(*whole);
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
            case Type::F32:
                value = as(float{});
                break;
            case Type::F64:
                value = as(double{});
                break;
        }
        return true;
    }

    std::string_view bytes_;
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
    return PlyReader(bytes, progress).read(builder);
}

}  // namespace lab::io
