// Khronos: "glTF 2.0 Specification". Each section of the JSON is a list, and they refer to each other by
// number: scene, node, mesh, accessor (typed numbers), bufferView (a part of a buffer, perhaps strided),
// buffer (bytes).
#include "io/meshes/formats/mesh_gltf.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <list>
#include <optional>

#include "io/json_reader.hpp"
#include "io/meshes/formats/text_scanner.hpp"

namespace lab::io {
namespace {

/// Buffers may stand in the text itself; the process has a limit on its memory.
constexpr std::size_t kMaxText = 0xffffffff;
constexpr JsonLimits kJsonLimits{200, limits::kJsonValues, kMaxText, limits::kNameBytes, kMaxText};
constexpr std::size_t kMaxItems = limits::kJsonValues;
constexpr std::uint64_t kMaxBytes = 0xffffffffffull;

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::optional<std::string> percent_decoded(std::string_view text) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            decoded += text[i];
            continue;
        }
        const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
        const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
        if (high < 0 || low < 0) return std::nullopt;
        decoded += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return decoded;
}

/// The bytes, or nothing where the text is no base64: letters, then up to two `=` that fill the last four.
std::optional<std::string> base64_decoded(std::string_view text) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::array<int, 256> values;
    values.fill(-1);
    for (std::size_t i = 0; i < kDigits.size(); ++i)
        values[static_cast<unsigned char>(kDigits[i])] = static_cast<int>(i);
    for (int padding = 0; padding < 2 && text.ends_with('='); ++padding)
        text.remove_suffix(1);
    if (text.size() % 4 == 1) return std::nullopt;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t group = 0;
    int bits = 0;
    for (const char c : text) {
        const int value = values[static_cast<unsigned char>(c)];
        if (value < 0) return std::nullopt;
        group = group << 6 | static_cast<std::uint32_t>(value);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>(group >> bits & 0xffu);
    }
    return bytes;
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    return word;
}

struct Chunks {
    std::string_view json;
    std::optional<std::string_view> data;
};

/// The parts of a .glb file. What is wrong with it, or an outcome that is ok.
ReadOutcome split_glb(std::string_view bytes, Chunks& chunks) {
    constexpr std::uint32_t kJson = 0x4e4f534a;
    constexpr std::uint32_t kData = 0x004e4942;
    if (!bytes.starts_with("glTF"))
        return ReadOutcome::wrong("byte 0", "does not begin with glTF, as .glb files do");
    if (bytes.size() < 20) return ReadOutcome::wrong("byte 4", "ends within its header: it was cut off");
    if (word_at(bytes, 4) != 2)
        return ReadOutcome::wrong(
            "byte 4", "is of version " + std::to_string(word_at(bytes, 4)) + " of glTF; only 2 is read");
    const std::size_t size = word_at(bytes, 8);
    if (size > bytes.size())
        return ReadOutcome::wrong("byte 8", "states " + std::to_string(size) + " bytes, but has " +
                                                std::to_string(bytes.size()) + ": it was cut off");
    bytes = bytes.substr(0, size);
    for (std::size_t at = 12, index = 0; at + 8 <= bytes.size(); ++index) {
        const std::size_t length = word_at(bytes, at);
        const std::uint32_t kind = word_at(bytes, at + 4);
        if (length > bytes.size() - at - 8)
            return ReadOutcome::wrong("byte " + std::to_string(at),
                                      "states a chunk that reaches beyond its end");
        const std::string_view chunk = bytes.substr(at + 8, length);
        if (index == 0) {
            if (kind != kJson) return ReadOutcome::wrong("byte 16", "does not begin with a chunk of JSON");
            chunks.json = chunk;
        } else if (index == 1 && kind == kData) {
            chunks.data = chunk;
        }
        at += 8 + (length + 3) / 4 * 4;
    }
    return chunks.json.empty() ? ReadOutcome::wrong("byte 12", "has no JSON") : ReadOutcome::done(0);
}

std::size_t component_size(std::uint64_t type) {
    switch (type) {
        case 5120:
        case 5121:
            return 1;
        case 5122:
        case 5123:
            return 2;
        case 5125:
        case 5126:
            return 4;
        default:
            return 0;
    }
}

template <class T>
T stored(const char* at) {
    T value{};
    std::memcpy(&value, at, sizeof value);
    return value;
}

/// One number of an accessor. Normalized ones are parts of the largest.
template <class T>
T component(const char* at, std::uint64_t type, bool normalized) {
    const auto whole = [normalized](auto value) {
        if (!normalized) return static_cast<T>(value);
        constexpr auto kLargest = static_cast<float>(std::numeric_limits<decltype(value)>::max());
        return static_cast<T>(std::max(static_cast<float>(value) / kLargest, -1.0f));
    };
    switch (type) {
        case 5120:
            return whole(stored<std::int8_t>(at));
        case 5121:
            return whole(stored<std::uint8_t>(at));
        case 5122:
            return whole(stored<std::int16_t>(at));
        case 5123:
            return whole(stored<std::uint16_t>(at));
        case 5125:
            return static_cast<T>(stored<std::uint32_t>(at));
        default:
            return static_cast<T>(stored<float>(at));
    }
}

class GltfReader {
  public:
    GltfReader(const nlohmann::json& json, std::optional<std::string_view> data, MeshBuilder& builder,
               const ReadProgress& progress)
        : root_(json, "the file", problem_), data_(data), builder_(builder), progress_(progress) {}

    ReadOutcome read(const Siblings& siblings, std::vector<NeededFile>& needs) {
        check_version();
        check_extensions();
        buffers_ = section("buffers");
        views_ = section("bufferViews");
        accessors_ = section("accessors");
        meshes_ = section("meshes");
        nodes_ = section("nodes");
        for (std::size_t i = 0; good() && i < buffers_.size(); ++i)
            load_buffer(buffers_[i], i, siblings, needs);
        if (good() && needs.empty()) add_scene();
        return good() ? ReadOutcome::done(parts_) : ReadOutcome::wrong("", *problem_);
    }

  private:
    [[nodiscard]] bool good() const { return !problem_; }
    [[nodiscard]] std::vector<JsonReader> section(std::string_view name) const {
        return root_.has(name) ? root_.at(name).items(kMaxItems) : std::vector<JsonReader>();
    }

    void check_version() {
        const std::string version = root_.at("asset").at("version").text();
        if (good() && !version.starts_with("2."))
            root_.at("asset").at("version").refuse("is " + shown(version) + "; only glTF 2 is read");
    }

    void check_extensions() {
        if (!root_.has("extensionsRequired")) return;
        for (const JsonReader& item : root_.at("extensionsRequired").items(kMaxItems)) {
            const std::string name = item.text();
            const auto begins = [&](std::string_view start) { return name.starts_with(start); };
            // Quantized positions are read like others; looks and lights do not matter here.
            const bool harmless = name == "KHR_mesh_quantization" || begins("KHR_materials_") ||
                                  begins("KHR_texture_") || begins("EXT_texture_") || begins("KHR_lights_") ||
                                  begins("KHR_xmp");
            if (good() && !harmless)
                item.refuse("asks for " + shown(name) + ", which cannot be read; export without it");
        }
    }

    void load_buffer(const JsonReader& buffer, std::size_t index, const Siblings& siblings,
                     std::vector<NeededFile>& needs) {
        const std::uint64_t size = buffer.at("byteLength").whole(kMaxBytes);
        bytes_.emplace_back();
        if (!good()) return;
        if (!buffer.has("uri")) {
            if (index != 0 || !data_) return buffer.refuse("has neither a uri nor a chunk of data");
            bytes_.back() = *data_;
        } else {
            const std::string uri = buffer.at("uri").text(kMaxText);
            if (!good()) return;
            if (uri.starts_with("data:")) {
                if (!load_data_uri(buffer.at("uri"), uri)) return;
            } else if (!load_sibling(buffer.at("uri"), uri, siblings, needs)) {
                return;
            }
        }
        if (bytes_.back().size() < size)
            return buffer.at("byteLength")
                .refuse("states " + std::to_string(size) + " bytes, but there are " +
                        std::to_string(bytes_.back().size()));
        bytes_.back() = bytes_.back().substr(0, size);
    }

    bool load_data_uri(const JsonReader& where, std::string_view uri) {
        const std::size_t comma = uri.find(',');
        if (comma == std::string_view::npos || !uri.substr(0, comma).ends_with(";base64")) {
            where.refuse("is a data URI without base64");
            return false;
        }
        std::optional<std::string> decoded = base64_decoded(uri.substr(comma + 1));
        if (!decoded) {
            where.refuse("holds what is not base64");
            return false;
        }
        decoded_.push_back(std::move(*decoded));
        bytes_.back() = decoded_.back();
        return true;
    }

    /// False if the name is wrong or the file still needed.
    bool load_sibling(const JsonReader& where, std::string_view uri, const Siblings& siblings,
                      std::vector<NeededFile>& needs) {
        const std::optional<std::string> name = percent_decoded(uri);
        if (const std::string fault =
                name ? fault_of_sibling_name(*name) : "has a percent sign without two digits";
            !fault.empty()) {
            where.refuse(fault);
            return false;
        }
        const auto found = siblings.find(*name);
        if (found != siblings.end()) {
            bytes_.back() = found->second;
            return true;
        }
        if (std::none_of(needs.begin(), needs.end(), [&](const NeededFile& n) { return n.name == *name; }))
            needs.push_back({*name, "buffers[" + std::to_string(bytes_.size() - 1) + "].uri"});
        if (needs.size() > builder_.limits().siblings)
            where.refuse("is one too many: a file may refer to " +
                         std::to_string(builder_.limits().siblings) + " others");
        return false;
    }

    /// An entry of a section by the number that `reference` holds; nothing, and a problem, if there is none.
    const JsonReader* entry(const std::vector<JsonReader>& section, const JsonReader& reference) {
        const std::uint64_t index = reference.whole(kMaxBytes);
        if (good() && index >= section.size())
            reference.refuse("refers to number " + std::to_string(index) + ", but there " +
                             (section.size() == 1 ? "is 1" : "are " + std::to_string(section.size())));
        return good() ? &section[index] : nullptr;
    }

    struct Part {
        std::string_view bytes;
        std::uint64_t stride = 0;  // 0: none stated
    };

    /// `count` elements of `size` bytes in the view that `owner` refers to; nothing, and a problem, if it is
    /// too short for them.
    std::optional<Part> part(const JsonReader& owner, std::uint64_t count, std::size_t size, bool strided) {
        const JsonReader* view = entry(views_, owner.at("bufferView"));
        if (view == nullptr) return std::nullopt;
        const JsonReader* buffer = entry(buffers_, view->at("buffer"));
        const std::uint64_t start = view->has("byteOffset") ? view->at("byteOffset").whole(kMaxBytes) : 0;
        const std::uint64_t length = view->at("byteLength").whole(kMaxBytes);
        const std::uint64_t stride =
            strided && view->has("byteStride") ? view->at("byteStride").whole(65535) : size;
        const std::uint64_t offset = owner.has("byteOffset") ? owner.at("byteOffset").whole(kMaxBytes) : 0;
        if (!good()) return std::nullopt;
        const std::string_view bytes = bytes_[static_cast<std::size_t>(buffer - buffers_.data())];
        if (start > bytes.size() || length > bytes.size() - start) {
            view->refuse("reaches beyond its buffer, which has " + std::to_string(bytes.size()) + " bytes");
            return std::nullopt;
        }
        if (stride < size) {
            view->at("byteStride")
                .refuse("is shorter than the " + std::to_string(size) + " bytes of an element");
            return std::nullopt;
        }
        const bool fits = count == 0 || (offset <= length && size <= length - offset &&
                                         (count - 1) <= (length - offset - size) / stride);
        if (!fits) {
            owner.refuse("reaches beyond its bufferView, which has " + std::to_string(length) + " bytes");
            return std::nullopt;
        }
        return Part{count == 0 ? std::string_view() : bytes.substr(start + offset, length - offset), stride};
    }

    std::uint64_t component_type(const JsonReader& owner, std::initializer_list<std::uint64_t> allowed) {
        const JsonReader type = owner.at("componentType");
        const std::uint64_t value = type.whole(65535);
        if (good() && std::find(allowed.begin(), allowed.end(), value) == allowed.end())
            type.refuse("is " + std::to_string(value) + ", which does not fit here");
        return value;
    }

    /// All numbers of an accessor, `width` to an element.
    template <class T>
    std::vector<T> numbers(const JsonReader& accessor, std::size_t width, std::string_view type_name,
                           std::initializer_list<std::uint64_t> types, std::uint64_t limit) {
        if (accessor.at("type").text() != type_name && good())
            accessor.at("type").refuse("should be " + std::string(type_name) + " here");
        const std::uint64_t type = component_type(accessor, types);
        const bool normalized = accessor.has("normalized") && accessor.at("normalized").flag();
        const std::uint64_t count = accessor.at("count").whole(limit);
        if (!good()) return {};
        const std::size_t size = component_size(type) * width;
        std::vector<T> values;
        if (accessor.has("bufferView")) {
            const std::optional<Part> base = part(accessor, count, size, true);
            if (!base) return {};
            values.resize(count * width);
            for (std::uint64_t i = 0; i < count; ++i)
                for (std::size_t k = 0; k < width; ++k)
                    values[i * width + k] = component<T>(
                        base->bytes.data() + i * base->stride + k * component_size(type), type, normalized);
        } else if (accessor.has("sparse")) {
            values.resize(count * width);
        } else {
            accessor.refuse("has no data: neither a bufferView nor sparse values");
        }
        if (accessor.has("sparse"))
            replace_sparse(accessor.at("sparse"), count, width, type, normalized, values);
        return good() ? values : std::vector<T>();
    }

    template <class T>
    void replace_sparse(const JsonReader& sparse, std::uint64_t elements, std::size_t width,
                        std::uint64_t type, bool normalized, std::vector<T>& values) {
        const std::uint64_t count = sparse.at("count").whole(elements);
        const JsonReader indices = sparse.at("indices");
        const std::uint64_t index_type = component_type(indices, {5121, 5123, 5125});
        if (!good()) return;
        const auto places = part(indices, count, component_size(index_type), false);
        if (!places) return;
        const auto news = part(sparse.at("values"), count, component_size(type) * width, false);
        if (!news) return;
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto at = component<std::uint32_t>(places->bytes.data() + i * component_size(index_type),
                                                     index_type, false);
            if (at >= elements)
                return indices.refuse("refers to element " + std::to_string(at) + ", but there are " +
                                      std::to_string(elements));
            for (std::size_t k = 0; k < width; ++k)
                values[at * width + k] = component<T>(
                    news->bytes.data() + (i * width + k) * component_size(type), type, normalized);
        }
    }

    struct Placed {
        std::size_t node;
        std::size_t level;
        glm::dmat4 to_parent;
    };

    void add_scene() {
        std::vector<Placed> open;
        std::vector<char> seen(nodes_.size(), 0);
        const auto place = [&](const JsonReader& reference, std::size_t level, const glm::dmat4& to_world) {
            const JsonReader* node = entry(nodes_, reference);
            if (node == nullptr) return;
            const auto index = static_cast<std::size_t>(node - nodes_.data());
            if (std::exchange(seen[index], 1))
                return reference.refuse("refers to node " + std::to_string(index) +
                                        ", which has another place already");
            if (level > builder_.limits().node_levels)
                return reference.refuse("is deeper than " + std::to_string(builder_.limits().node_levels) +
                                        " levels of nodes, the most that are read");
            open.push_back({index, level, to_world});
        };
        // Lists are walked backwards onto the stack, so that the first is done first.
        const auto place_all = [&](const JsonReader& list, std::size_t level, const glm::dmat4& to_world) {
            const std::vector<JsonReader> items = list.items(kMaxItems);
            for (auto item = items.rbegin(); good() && item != items.rend(); ++item)
                place(*item, level, to_world);
        };
        const std::vector<JsonReader> scenes = section("scenes");
        if (nodes_.empty()) {
            for (const JsonReader& mesh : meshes_)
                add_mesh(mesh, glm::dmat4(1.0));
        } else if (scenes.empty()) {
            place_roots(open);
        } else {
            const JsonReader* scene = root_.has("scene") ? entry(scenes, root_.at("scene")) : scenes.data();
            if (scene != nullptr && scene->has("nodes")) place_all(scene->at("nodes"), 1, glm::dmat4(1.0));
        }
        for (std::size_t done = 0; good() && !open.empty(); ++done) {
            const Placed placed = open.back();
            open.pop_back();
            progress_(static_cast<float>(done) / static_cast<float>(nodes_.size()));
            const JsonReader& node = nodes_[placed.node];
            const glm::dmat4 to_world = placed.to_parent * transform(node);
            if (!good()) return;
            if (node.has("mesh"))
                if (const JsonReader* mesh = entry(meshes_, node.at("mesh"))) add_mesh(*mesh, to_world);
            if (good() && node.has("children")) place_all(node.at("children"), placed.level + 1, to_world);
        }
    }

    /// Without scenes every node that has no parent is a root.
    void place_roots(std::vector<Placed>& open) {
        std::vector<char> is_child(nodes_.size(), 0);
        for (const JsonReader& node : nodes_) {
            if (!node.has("children")) continue;
            for (const JsonReader& child : node.at("children").items(kMaxItems))
                if (const JsonReader* found = entry(nodes_, child))
                    is_child[static_cast<std::size_t>(found - nodes_.data())] = 1;
        }
        for (std::size_t i = nodes_.size(); i > 0; --i)
            if (!is_child[i - 1]) open.push_back({i - 1, 1, glm::dmat4(1.0)});
    }

    std::vector<double> reals(const JsonReader& list, std::size_t count) {
        std::vector<double> values;
        for (const JsonReader& item : list.items(kMaxItems))
            values.push_back(item.number(-1e30, 1e30));
        if (good() && values.size() != count)
            list.refuse("should be a list of " + std::to_string(count) + " numbers");
        values.resize(count);
        return values;
    }

    glm::dmat4 transform(const JsonReader& node) {
        glm::dmat4 result(1.0);
        const bool parts = node.has("translation") || node.has("rotation") || node.has("scale");
        if (node.has("matrix")) {
            if (parts) node.refuse("has a matrix and a translation, rotation or scale, too");
            const std::vector<double> m = reals(node.at("matrix"), 16);
            for (int i = 0; i < 16; ++i)
                result[i / 4][i % 4] = m[static_cast<std::size_t>(i)];
            if (good() && (m[3] != 0.0 || m[7] != 0.0 || m[11] != 0.0 || m[15] != 1.0))
                node.at("matrix").refuse("is not an affine transform: its last row is not 0 0 0 1");
            return result;
        }
        if (node.has("rotation")) {
            const std::vector<double> q = reals(node.at("rotation"), 4);
            const glm::dquat turn(q[3], q[0], q[1], q[2]);
            if (good() && !(glm::length(turn) > 1e-6)) node.at("rotation").refuse("has no length");
            result = glm::mat4_cast(glm::normalize(turn));
        }
        if (node.has("scale")) {
            const std::vector<double> s = reals(node.at("scale"), 3);
            for (int axis = 0; axis < 3; ++axis)
                result[axis] *= s[static_cast<std::size_t>(axis)];
        }
        if (node.has("translation")) {
            const std::vector<double> t = reals(node.at("translation"), 3);
            result[3] = glm::dvec4(t[0], t[1], t[2], 1.0);
        }
        return result;
    }

    void add_mesh(const JsonReader& mesh, const glm::dmat4& to_world) {
        for (const JsonReader& primitive : mesh.at("primitives").items(kMaxItems))
            if (good()) add_primitive(primitive, to_world);
    }

    void add_primitive(const JsonReader& primitive, const glm::dmat4& to_world) {
        constexpr std::uint64_t kTriangles = 4;
        constexpr std::uint64_t kStrip = 5;
        constexpr std::uint64_t kFan = 6;
        const std::uint64_t mode = primitive.has("mode") ? primitive.at("mode").whole(kFan) : kTriangles;
        const JsonReader attributes = primitive.at("attributes");
        if (!good() || mode < kTriangles || !attributes.has("POSITION")) return;
        const JsonReader* accessor = entry(accessors_, attributes.at("POSITION"));
        if (accessor == nullptr) return;
        const auto positions =
            numbers<float>(*accessor, 3, "VEC3", {5120, 5121, 5122, 5123, 5126}, builder_.limits().vertices);
        std::vector<std::uint32_t> indices;
        const bool indexed = primitive.has("indices");
        if (indexed) {
            const JsonReader* list = entry(accessors_, primitive.at("indices"));
            if (list == nullptr) return;
            indices = numbers<std::uint32_t>(*list, 1, "SCALAR", {5121, 5123, 5125},
                                             3 * builder_.limits().triangles);
        }
        if (!good()) return;
        const std::size_t vertices = positions.size() / 3;
        for (const std::uint32_t index : indices)
            if (index >= vertices)
                return primitive.at("indices").refuse("refers to vertex " + std::to_string(index) +
                                                      ", but there are " + std::to_string(vertices));
        const std::size_t count = indexed ? indices.size() : vertices;
        // A mirroring transform turns triangles inside out unless they are reversed.
        const bool mirrored = glm::determinant(glm::dmat3(to_world)) < 0.0;
        const auto corner = [&](std::size_t i) {
            const float* p = &positions[3 * (indexed ? indices[i] : i)];
            return glm::vec3(to_world * glm::dvec4(p[0], p[1], p[2], 1.0));
        };
        parts_ += count >= 3;
        for (std::size_t i = 0; i + 2 < count; i += mode == kTriangles ? 3 : 1) {
            // Every other triangle of a strip is turned around; a fan's share their last corner.
            const bool odd = mode == kStrip && i % 2 == 1;
            glm::vec3 a = corner(mode == kFan ? 0 : i);
            glm::vec3 b = corner(odd ? i + 2 : i + 1);
            glm::vec3 c = corner(odd ? i + 1 : i + 2);
            if (mirrored) std::swap(b, c);
            std::string fault = builder_.add(a, b, c);
            if (!fault.empty()) return primitive.refuse(fault);
        }
    }

    std::optional<std::string> problem_;
    JsonReader root_;
    std::optional<std::string_view> data_;
    MeshBuilder& builder_;
    const ReadProgress& progress_;
    std::vector<JsonReader> buffers_, views_, accessors_, meshes_, nodes_;
    std::vector<std::string_view> bytes_;  // of the buffers
    std::list<std::string> decoded_;
    std::uint32_t parts_ = 0;
};

}  // namespace

std::string fault_of_sibling_name(std::string_view name) {
    if (name.empty()) return "names no file";
    if (name.size() > 1000) return "is longer than 1000 bytes";
    for (const char c : name)
        if (static_cast<unsigned char>(c) < 32 || c == 127) return "has a control character";
    if (name.starts_with('/')) return "is an absolute path; only files in the same folder or below are read";
    if (name.find('\\') != std::string_view::npos) return "has a backslash; only / separates folders";
    if (name.find(':') < name.find('/'))
        return "is an address; only files in the same folder or below are read";
    while (!name.empty()) {
        const std::string_view step = name.substr(0, name.find('/'));
        if (step == "..")
            return "leads out of its folder by \"..\"; only files in the same folder or below are read";
        name.remove_prefix(std::min(step.size() + 1, name.size()));
    }
    return "";
}

ReadOutcome read_gltf(std::string_view bytes, bool binary, const Siblings& siblings,
                      std::vector<NeededFile>& needs, MeshBuilder& builder, const ReadProgress& progress) {
    Chunks chunks{bytes, std::nullopt};
    if (binary) {
        ReadOutcome outcome = split_glb(bytes, chunks);
        if (!outcome.ok()) return outcome;
    } else {
        if (bytes.starts_with("glTF"))
            return ReadOutcome::wrong("byte 0", "is a binary glTF file; give it a name that ends with .glb");
        TextScanner start(bytes.substr(0, 4096));
        const std::string_view word = start.word();
        if (!word.starts_with('{'))
            return ReadOutcome::wrong(start.where(), "is not glTF: it begins with " + shown(word));
    }
    const Result<nlohmann::json> json = parse_json(chunks.json, "", kJsonLimits);
    if (!json) {
        const FileError& error = json.error();
        return ReadOutcome::wrong((binary ? "JSON chunk, " : "") + error.where, error.what);
    }
    return GltfReader(*json, chunks.data, builder, progress).read(siblings, needs);
}

}  // namespace lab::io
