#include "io/voxels/voxel_scene.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace lab::io::vox {
namespace {

constexpr int kDeepest = 64;
/// A graph can reference a node many times: without a limit a small file could demand endless copies.
constexpr std::size_t kMaxVisits = 1 << 16;
constexpr std::int32_t kFarthest = 1 << 20;

const char* const kCutOff = "ends in the middle of a value: it is damaged or was cut off";

bool parse_int(std::string_view& text, std::int32_t& value) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{}) return false;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    return true;
}

/// Two bits each name the column of the only entry in rows one and two, three bits the signs of the rows.
bool decode_rotation(std::int32_t bits, IntMatrix& rotation) {
    const int first = bits & 3;
    const int second = (bits >> 2) & 3;
    if (bits < 0 || bits > 127 || first == 3 || second == 3 || first == second) return false;
    const int column[3] = {first, second, 3 - first - second};
    rotation = IntMatrix(0);
    for (int row = 0; row < 3; ++row)
        rotation[column[row]][row] = (bits >> (4 + row)) & 1 ? -1 : 1;
    return true;
}

using Dictionary = std::vector<std::pair<std::string_view, std::string_view>>;

bool states_hidden(const Dictionary& attributes) {
    return std::any_of(attributes.begin(), attributes.end(),
                       [](const auto& entry) { return entry.first == "_hidden" && entry.second == "1"; });
}

}  // namespace

std::string_view ChunkReader::take(std::size_t count) {
    if (!good_ || count > left()) {
        good_ = false;
        return {};
    }
    at_ += count;
    return content_.substr(at_ - count, count);
}

std::int32_t ChunkReader::i32() {
    const std::string_view bytes = take(4);
    if (bytes.empty()) return 0;
    std::uint32_t value = 0;
    for (int i = 3; i >= 0; --i)
        value = value << 8 | static_cast<std::uint8_t>(bytes[static_cast<std::size_t>(i)]);
    std::int32_t result = 0;
    std::memcpy(&result, &value, sizeof result);
    return result;
}

std::string_view ChunkReader::text() {
    const std::int32_t length = i32();
    if (length < 0) good_ = false;
    return length > 0 ? take(static_cast<std::size_t>(length)) : std::string_view{};
}

std::vector<std::pair<std::string_view, std::string_view>> ChunkReader::dictionary() {
    std::vector<std::pair<std::string_view, std::string_view>> pairs;
    const std::int32_t count = i32();
    if (count < 0 || static_cast<std::size_t>(count) > left() / 8) good_ = false;
    for (std::int32_t i = 0; i < count && good_; ++i) {
        const std::string_view key = text();
        pairs.emplace_back(key, text());
    }
    return pairs;
}

Fault SceneGraph::add_layer(ChunkReader in) {
    const std::int32_t number = in.i32();
    const bool hidden = states_hidden(in.dictionary());
    if (!in.good()) return {in.byte(), "the scene's layer " + std::to_string(number) + " " + kCutOff};
    if (hidden) hidden_layers_.insert(number);
    return {};
}

Fault SceneGraph::add(std::string_view id, ChunkReader in) {
    const std::size_t start = in.byte();
    const std::int32_t number = in.i32();
    Node node;
    node.byte = start;
    node.hidden = states_hidden(in.dictionary());
    Fault fault;
    if (in.good() && id == "nTRN") fault = add_transform(node, in);
    if (in.good() && id == "nGRP") fault = add_list(node.children, in, false);
    if (in.good() && id == "nSHP") fault = add_list(node.models, in, true);
    if (!in.good()) return {in.byte(), "the scene's node " + std::to_string(number) + " " + kCutOff};
    if (!fault && !nodes_.emplace(number, std::move(node)).second)
        fault = {start, "the scene has node " + std::to_string(number) + " twice"};
    return fault;
}

Fault SceneGraph::add_transform(Node& node, ChunkReader& in) {
    node.children.push_back(in.i32());
    in.i32();  // reserved
    node.layer = in.i32();
    const std::int32_t frames = in.i32();
    if (frames < 1) return {in.byte() - 4, "a transform of the scene has no frame"};
    const std::size_t at = in.byte();
    for (const auto& [key, value] : in.dictionary()) {  // of the first frame; later ones are an animation
        std::string_view rest = value;
        std::int32_t number = 0;
        if (key == "_r" && (!parse_int(rest, number) || !decode_rotation(number, node.placement.rotation)))
            return {at, "a rotation of the scene is invalid"};
        if (key != "_t") continue;
        for (int axis = 0; axis < 3; ++axis) {
            if (!parse_int(rest, number) || std::abs(static_cast<long long>(number)) > kFarthest)
                return {at, "a translation of the scene is not three whole numbers of a sensible size"};
            node.placement.translation[axis] = number;
        }
    }
    return {};
}

Fault SceneGraph::add_list(std::vector<std::int32_t>& list, ChunkReader& in, bool with_dictionaries) {
    const std::size_t at = in.byte();
    const std::int32_t count = in.i32();
    if (count < 0 || static_cast<std::size_t>(count) > in.left() / 4)
        return {at,
                "a node of the scene states " + std::to_string(count) + " entries and has no room for them"};
    for (std::int32_t i = 0; i < count && in.good(); ++i) {
        list.push_back(in.i32());
        if (with_dictionaries) in.dictionary();
    }
    return {};
}

struct SceneGraph::Walk {
    std::size_t models;
    std::vector<PlacedModel>& placed;
    std::size_t visits = 0;
};

Fault SceneGraph::place(std::size_t models, std::vector<PlacedModel>& placed) const {
    Walk state{models, placed};
    return walk(0, {}, 0, state);
}

Fault SceneGraph::walk(std::int32_t id, const Placement& parent, int depth, Walk& state) const {
    const auto found = nodes_.find(id);
    if (found == nodes_.end())
        return {0, "the scene refers to node " + std::to_string(id) + ", which is missing"};
    const Node& node = found->second;
    if (depth > kDeepest) return {node.byte, "the scene is nested too deep, or a node lies within itself"};
    if (++state.visits > kMaxVisits) return {node.byte, "the scene places too many copies"};
    if (node.hidden || hidden_layers_.contains(node.layer)) return {};
    const Placement here{parent.rotation * node.placement.rotation,
                         parent.rotation * node.placement.translation + parent.translation};
    for (const std::int32_t model : node.models) {
        if (model < 0 || static_cast<std::size_t>(model) >= state.models)
            return {node.byte, "the scene refers to model " + std::to_string(model) + " of " +
                                   std::to_string(state.models)};
        state.placed.push_back({static_cast<std::uint32_t>(model), here});
        break;  // further models of one shape are frames of an animation
    }
    for (const std::int32_t child : node.children)
        if (Fault fault = walk(child, here, depth + 1, state)) return fault;
    return {};
}

}  // namespace lab::io::vox
