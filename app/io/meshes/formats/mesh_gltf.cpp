// Khronos: "glTF 2.0 Specification". Each section of the JSON is a list, and they refer to each other by
// number: scene, node, mesh, accessor (typed numbers), bufferView (a part of a buffer, perhaps strided),
// buffer (bytes). A skin lists nodes, the joints, each with a matrix into its frame from the mesh's (3.7.3).
#include "io/meshes/formats/mesh_gltf.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/epsilon.hpp>
#include <glm/gtc/matrix_access.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <list>
#include <optional>
#include <unordered_map>

#include "io/json_reader.hpp"
#include "io/meshes/formats/gltf_bytes.hpp"
#include "io/meshes/formats/text_scanner.hpp"
#include "io/text/encoded.hpp"

namespace lab::io {
namespace {

/// Buffers may be part of the text itself; the process has a limit on its memory.
constexpr std::size_t kMaxText = 0xffffffff;
constexpr JsonLimits kJsonLimits{200, limits::kJsonValues, kMaxText, limits::kNameBytes, kMaxText};
constexpr std::size_t kMaxItems = limits::kJsonValues;
constexpr std::uint64_t kMaxBytes = 0xffffffffffull;
constexpr std::initializer_list<std::uint64_t> kPositionTypes{5120, 5121, 5122, 5123, 5126};

/// Numbers that are too large stay too large for a position, and are refused there.
float narrowed(double value) {
    return static_cast<float>(std::isfinite(value) ? std::clamp(value, -3e38, 3e38) : value);
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
        skins_ = section("skins");
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
        const JsonReader asset = root_.at("asset");
        const std::string version = asset.at("version").text();
        if (good() && !version.starts_with("2."))
            asset.at("version").refuse("is " + shown(version) + "; only glTF 2 is read");
        if (!asset.has("minVersion")) return;
        const std::string least = asset.at("minVersion").text();
        if (good() && least != "2.0" && !least.starts_with("1."))
            asset.at("minVersion")
                .refuse("is " + shown(least) + "; up to 2.0 is read: export the mesh as glTF 2.0");
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
        std::optional<std::string> decoded = base64_decoded(uri.substr(comma + 1), Base64::Standard);
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

    /// Counts against the budget of the whole file: one small list may be referred to any number of times.
    void spend(const JsonReader& owner, std::uint64_t count) {
        spent_ += count;
        if (spent_ > builder_.limits().numbers)
            owner.refuse("is beyond the " + std::to_string(builder_.limits().numbers) +
                         " numbers that are read, counted again for each place of a mesh");
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
        spend(accessor, count * width);
        if (!good()) return {};
        const std::size_t size = gltf::component_size(type) * width;
        std::vector<T> values;
        if (accessor.has("bufferView")) {
            const std::optional<Part> base = part(accessor, count, size, true);
            if (!base) return {};
            values.resize(count * width);
            for (std::uint64_t i = 0; i < count; ++i)
                for (std::size_t k = 0; k < width; ++k)
                    values[i * width + k] = gltf::component<T>(
                        base->bytes.data() + i * base->stride + k * gltf::component_size(type), type,
                        normalized);
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
        const auto places = part(indices, count, gltf::component_size(index_type), false);
        if (!places) return;
        const auto news = part(sparse.at("values"), count, gltf::component_size(type) * width, false);
        if (!news) return;
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto at = gltf::component<std::uint32_t>(
                places->bytes.data() + i * gltf::component_size(index_type), index_type, false);
            if (at >= elements)
                return indices.refuse("refers to element " + std::to_string(at) + ", but there are " +
                                      std::to_string(elements));
            for (std::size_t k = 0; k < width; ++k)
                values[at * width + k] = gltf::component<T>(
                    news->bytes.data() + (i * width + k) * gltf::component_size(type), type, normalized);
        }
    }

    /// The numbers of an accessor that has an element for each position.
    template <class T>
    std::vector<T> beside_positions(const JsonReader& reference, std::size_t positions, std::size_t width,
                                    std::string_view type_name, std::initializer_list<std::uint64_t> types) {
        const JsonReader* accessor = entry(accessors_, reference);
        if (accessor == nullptr) return {};
        std::vector<T> values = numbers<T>(*accessor, width, type_name, types, builder_.limits().vertices);
        if (good() && values.size() != width * positions)
            reference.refuse("has " + std::to_string(values.size() / width) + " elements, but there are " +
                             std::to_string(positions) + " positions");
        return values;
    }

    struct Placed {
        std::size_t node;
        std::size_t level;
        glm::dmat4 to_parent;
    };

    void add_scene() {
        std::vector<Placed> open;
        std::vector<char> seen(nodes_.size(), 0);
        std::vector<const JsonReader*> skinned;
        mark_joints();
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
                add_mesh(mesh, {});
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
            if (!is_joint_.empty() && is_joint_[placed.node]) joint_to_world_.emplace(placed.node, to_world);
            // Joints may come behind the meshes that they move.
            if (node.has("mesh") && node.has("skin"))
                skinned.push_back(&node);
            else if (node.has("mesh"))
                add_mesh_of(node, {to_world, nullptr, {}});
            if (good() && node.has("children")) place_all(node.at("children"), placed.level + 1, to_world);
        }
        for (const JsonReader* node : skinned)
            if (const Matrices* joints = joints_of(node->at("skin")))
                add_mesh_of(*node, {glm::dmat4(1.0), joints, {}});
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
            // Products of 32-bit numbers are a little off.
            const glm::dvec4 last_row = glm::row(result, 3), wanted(0.0, 0.0, 0.0, 1.0);
            if (good() && !glm::all(glm::epsilonEqual(last_row, wanted, 1e-5)))
                node.at("matrix").refuse("is not an affine transform: its last row is not 0 0 0 1");
            return glm::row(result, 3, wanted);
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

    using Matrices = std::vector<glm::dmat4>;

    /// Where a mesh stands: under its node, or where its skin's joints move it, which ignores the node.
    struct Place {
        glm::dmat4 to_world{1.0};
        const Matrices* joints = nullptr;
        std::vector<double> weights;  // weights of its morph targets
    };

    void mark_joints() {
        is_joint_.assign(skins_.empty() ? 0 : nodes_.size(), 0);
        joint_matrices_.resize(skins_.size());
        for (const JsonReader& skin : skins_)
            for (const JsonReader& joint : skin.at("joints").items(kMaxItems))
                if (const JsonReader* node = entry(nodes_, joint))
                    is_joint_[static_cast<std::size_t>(node - nodes_.data())] = 1;
    }

    /// From the mesh to the world for each joint of a skin: its inverse bind matrix, then its own place.
    const Matrices* joints_of(const JsonReader& reference) {
        const JsonReader* skin = good() ? entry(skins_, reference) : nullptr;
        if (skin == nullptr) return nullptr;
        Matrices& matrices = joint_matrices_[static_cast<std::size_t>(skin - skins_.data())];
        if (!matrices.empty()) return &matrices;
        const std::vector<JsonReader> joints = skin->at("joints").items(kMaxItems);
        if (joints.empty()) skin->refuse("has no joints");
        std::vector<float> inverse;
        if (skin->has("inverseBindMatrices")) {
            const JsonReader where = skin->at("inverseBindMatrices");
            if (const JsonReader* list = entry(accessors_, where))
                inverse = numbers<float>(*list, 16, "MAT4", {5126}, nodes_.size());
            if (good() && inverse.size() / 16 < joints.size())
                where.refuse("has fewer matrices (" + std::to_string(inverse.size() / 16) +
                             ") than there are joints (" + std::to_string(joints.size()) + ")");
        }
        for (std::size_t i = 0; good() && i < joints.size(); ++i) {
            const auto world = joint_to_world_.find(joints[i].whole(kMaxItems));
            if (world == joint_to_world_.end()) {
                joints[i].refuse("refers to a node that is not in the scene");
                break;
            }
            glm::dmat4 bind(1.0);
            // The last row is 0 0 0 1 by definition.
            for (int k = 0; !inverse.empty() && k < 16; ++k)
                if (k % 4 < 3) bind[k / 4][k % 4] = inverse[16 * i + static_cast<std::size_t>(k)];
            matrices.push_back(world->second * bind);
        }
        return good() ? &matrices : nullptr;
    }

    void add_mesh_of(const JsonReader& node, Place place) {
        const JsonReader* mesh = entry(meshes_, node.at("mesh"));
        if (mesh == nullptr) return;
        if (node.has("weights")) place.weights = morph_weights(node.at("weights"));
        add_mesh(*mesh, std::move(place));
    }

    void add_mesh(const JsonReader& mesh, Place place) {
        if (place.weights.empty() && mesh.has("weights")) place.weights = morph_weights(mesh.at("weights"));
        const std::vector<JsonReader> primitives = mesh.at("primitives").items(kMaxItems);
        spend(mesh, primitives.size());
        for (const JsonReader& primitive : primitives)
            if (good()) add_primitive(primitive, place);
    }

    std::vector<double> morph_weights(const JsonReader& list) {
        std::vector<double> weights;
        for (const JsonReader& item : list.items(kMaxItems))
            weights.push_back(item.number(-1e30, 1e30));
        spend(list, weights.size());
        return weights;
    }

    /// Adds the offsets of the morph targets whose weight is not zero.
    void morph(const JsonReader& primitive, const std::vector<double>& weights,
               std::vector<float>& positions) {
        if (weights.empty() || !primitive.has("targets")) return;
        const std::vector<JsonReader> targets = primitive.at("targets").items(kMaxItems);
        spend(primitive, targets.size());
        if (good() && targets.size() != weights.size())
            return primitive.at("targets").refuse("are " + std::to_string(targets.size()) +
                                                  ", but there are " + std::to_string(weights.size()) +
                                                  " weights for them");
        for (std::size_t i = 0; good() && i < targets.size(); ++i) {
            if (weights[i] == 0.0 || !targets[i].has("POSITION")) continue;
            const auto offsets = beside_positions<float>(targets[i].at("POSITION"), positions.size() / 3, 3,
                                                         "VEC3", kPositionTypes);
            for (std::size_t k = 0; good() && k < positions.size(); ++k)
                positions[k] = narrowed(static_cast<double>(positions[k]) +
                                        weights[i] * static_cast<double>(offsets[k]));
        }
    }

    /// Moves each position by its joints, weighted. True if more of the weight mirrors than does not.
    bool skin(const JsonReader& attributes, const Matrices& joints, std::vector<float>& positions) {
        const auto at = [&](std::size_t vertex) {
            const float* p = &positions[3 * vertex];
            return glm::dvec4(p[0], p[1], p[2], 1.0);
        };
        spend(attributes, joints.size());
        std::vector<double> turns;
        for (const glm::dmat4& joint : joints)
            turns.push_back(glm::determinant(glm::dmat3(joint)) < 0.0 ? -1.0 : 1.0);
        double turned = 0.0;
        std::vector<glm::dvec4> sums(positions.size() / 3, glm::dvec4(0.0));  // w: the sum of the weights
        std::string set = "0";
        for (int n = 0; good() && (n == 0 || attributes.has("JOINTS_" + set)); set = std::to_string(++n)) {
            const JsonReader where = attributes.at("JOINTS_" + set);
            const auto indices = beside_positions<std::uint32_t>(where, sums.size(), 4, "VEC4", {5121, 5123});
            const auto weights = beside_positions<float>(attributes.at("WEIGHTS_" + set), sums.size(), 4,
                                                         "VEC4", {5121, 5123, 5126});
            for (std::size_t i = 0; good() && i < indices.size(); ++i) {
                const auto weight = static_cast<double>(weights[i]);
                if (weight == 0.0) continue;
                if (indices[i] >= joints.size()) {
                    where.refuse("refers to joint " + std::to_string(indices[i]) + ", but its skin has " +
                                 std::to_string(joints.size()));
                    break;
                }
                sums[i / 4] += weight * (joints[indices[i]] * at(i / 4));
                turned += weight * turns[indices[i]];
            }
        }
        for (std::size_t i = 0; good() && i < sums.size(); ++i) {
            // Vertices without weights follow the first joint.
            const glm::dvec4 moved = sums[i].w > 0.0 ? sums[i] / sums[i].w : joints[0] * at(i);
            for (int axis = 0; axis < 3; ++axis)
                positions[3 * i + static_cast<std::size_t>(axis)] = narrowed(moved[axis]);
        }
        return turned < 0.0;
    }

    void add_primitive(const JsonReader& primitive, const Place& place) {
        constexpr std::uint64_t kTriangles = 4;
        constexpr std::uint64_t kStrip = 5;
        constexpr std::uint64_t kFan = 6;
        const std::uint64_t mode = primitive.has("mode") ? primitive.at("mode").whole(kFan) : kTriangles;
        const JsonReader attributes = primitive.at("attributes");
        if (!good() || mode < kTriangles || !attributes.has("POSITION")) return;
        const JsonReader* accessor = entry(accessors_, attributes.at("POSITION"));
        if (accessor == nullptr) return;
        auto positions = numbers<float>(*accessor, 3, "VEC3", kPositionTypes, builder_.limits().vertices);
        morph(primitive, place.weights, positions);
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
        const bool mirrored = place.joints ? skin(attributes, *place.joints, positions)
                                           : glm::determinant(glm::dmat3(place.to_world)) < 0.0;
        if (!good()) return;
        const auto corner = [&](std::size_t i) {
            const float* p = &positions[3 * (indexed ? indices[i] : i)];
            return glm::vec3(place.to_world * glm::dvec4(p[0], p[1], p[2], 1.0));
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
    std::vector<JsonReader> buffers_, views_, accessors_, meshes_, nodes_, skins_;
    std::vector<std::string_view> bytes_;  // of the buffers
    std::list<std::string> decoded_;
    std::vector<char> is_joint_;  // of the nodes; empty without skins
    std::unordered_map<std::uint64_t, glm::dmat4> joint_to_world_;
    std::vector<Matrices> joint_matrices_;  // of the skins, once they are needed
    std::uint64_t spent_ = 0;
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
    gltf::Chunks chunks{bytes, std::nullopt};
    if (binary) {
        ReadOutcome outcome = gltf::split_glb(bytes, chunks);
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
