#include "io/voxels/voxel_file.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <utility>

#include "io/atomic_file.hpp"
#include "io/limits.hpp"
#include "io/voxels/voxel_scene.hpp"

namespace lab::io {
namespace {

using vox::ChunkReader;
using vox::Fault;
using vox::PlacedModel;

constexpr std::size_t kVoxelHeader = 12;  ///< The header of a chunk: its id and two sizes.
const char* const kVoxelAdvice = "Export it again from the program that made it";

struct Part {
    glm::ivec3 size{0};
    std::string_view voxels;  ///< Four bytes each: x, y, z, color.
    std::size_t byte = 0;     ///< Position of the first of them.
};

struct Chunk {
    std::string_view id;
    std::size_t content_size = 0;
    std::size_t children_size = 0;
};

class Parser {
  public:
    explicit Parser(std::string_view bytes) : bytes_(bytes) {}

    Fault run(VoxelModel& model) {
        if (Fault fault = read_chunks()) return fault;
        model.palette = palette_;
        std::vector<PlacedModel> placed;
        if (Fault fault = place(placed)) return fault;
        return merge(placed, model);
    }

  private:
    Fault read_chunks() {
        if (bytes_.substr(0, 4) != "VOX ") return {0, "does not begin with \"VOX \""};
        ChunkReader start(bytes_.substr(0, 8 + kVoxelHeader), 0);
        start.i32();
        const std::int32_t version = start.i32();
        if (!start.good()) return {bytes_.size(), "ends within its first lines: it was cut off"};
        if (version < 100 || version > 300)
            return {4, "states version " + std::to_string(version) + ", which is not known"};
        Chunk main;
        if (Fault fault = header(8, bytes_.size(), main)) return fault;
        if (main.id != "MAIN") return {8, "has no chunk MAIN"};
        std::size_t at = 8 + kVoxelHeader + main.content_size;
        const std::size_t end = at + main.children_size;
        while (at < end) {
            Chunk chunk;
            if (Fault fault = header(at, end, chunk)) return fault;
            if (Fault fault = take(chunk, at + kVoxelHeader)) return fault;
            at += kVoxelHeader + chunk.content_size + chunk.children_size;
        }
        if (size_is_open_) return {end, "has a SIZE without voxels (XYZI) after it"};
        if (bytes_.find_first_not_of('\0', end) != std::string_view::npos)
            return {end, "has " + std::to_string(bytes_.size() - end) +
                             " bytes after the end that its chunk MAIN states: that size is wrong"};
        return {};
    }

    /// The header of the chunk at `at`, which must end before `end`.
    Fault header(std::size_t at, std::size_t end, Chunk& chunk) const {
        if (end - at < kVoxelHeader) return {at, "ends within the head of a chunk: it was cut off"};
        ChunkReader in(bytes_.substr(at, kVoxelHeader), at);
        chunk.id = bytes_.substr(at, 4);
        in.i32();
        const std::int32_t content = in.i32();
        const std::int32_t children = in.i32();
        const std::uint64_t left = end - at - kVoxelHeader;
        if (content < 0 || children < 0 ||
            static_cast<std::uint64_t>(content) + static_cast<std::uint64_t>(children) > left)
            return {at, "the chunk " + name_of(chunk.id) + " states " + std::to_string(content) + " + " +
                            std::to_string(children) + " bytes, but " + std::to_string(left) +
                            " are left: it is damaged or was cut off"};
        chunk.content_size = static_cast<std::size_t>(content);
        chunk.children_size = static_cast<std::size_t>(children);
        return {};
    }

    static std::string name_of(std::string_view id) {
        std::string name;
        for (const char c : id)
            name += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
        return name;
    }

    Fault take(const Chunk& chunk, std::size_t at) {
        const std::string_view content = bytes_.substr(at, chunk.content_size);
        if (chunk.id == "SIZE") return take_size(ChunkReader(content, at));
        if (chunk.id == "XYZI") return take_voxels(ChunkReader(content, at), content);
        if (chunk.id == "RGBA") return take_palette(content, at);
        if (chunk.id == "LAYR") return scene_.add_layer(ChunkReader(content, at));
        if (chunk.id == "nTRN" || chunk.id == "nGRP" || chunk.id == "nSHP")
            return scene_.add(chunk.id, ChunkReader(content, at));
        return {};  // PACK only repeats the number of models; materials and cameras do not matter
    }

    Fault take_size(ChunkReader in) {
        if (size_is_open_) return {in.byte(), "has two SIZEs without voxels (XYZI) between them"};
        for (int axis = 0; axis < 3; ++axis) {
            const std::size_t at = in.byte();
            size_[axis] = in.i32();
            if (in.good() && (size_[axis] < 1 || size_[axis] > kMaxVoxModelExtent))
                return {at, "a model is " + std::to_string(size_[axis]) + " voxels long; 1 to " +
                                std::to_string(kMaxVoxModelExtent) + " are possible"};
        }
        if (!in.good()) return {in.byte(), "a SIZE is too short for three numbers"};
        size_is_open_ = true;
        return {};
    }

    Fault take_voxels(ChunkReader in, std::string_view content) {
        if (!std::exchange(size_is_open_, false))
            return {in.byte(), "has voxels (XYZI) without a SIZE before them"};
        const std::int32_t count = in.i32();
        if (!in.good() || count < 0 || static_cast<std::size_t>(count) != in.left() / 4)
            return {in.byte(), "states " + std::to_string(count) + " voxels, but there are bytes for " +
                                   std::to_string(in.left() / 4)};
        const Part part{size_, content.substr(4, 4 * static_cast<std::size_t>(count)), in.byte()};
        for (std::size_t i = 0; i < part.voxels.size(); i += 4)
            for (int axis = 0; axis < 3; ++axis) {
                const int at = static_cast<std::uint8_t>(part.voxels[i + static_cast<std::size_t>(axis)]);
                if (at >= size_[axis])
                    return {part.byte + i, "a voxel lies outside of its model: " + std::to_string(at) +
                                               " of " + std::to_string(size_[axis])};
            }
        parts_.push_back(part);
        return {};
    }

    Fault take_palette(std::string_view content, std::size_t at) {
        if (content.size() < 1024) return {at, "the palette (RGBA) is too short for 256 colors"};
        // The first color of the file is number 1.
        for (std::size_t i = 0; i < 255; ++i)
            for (std::size_t k = 0; k < 4; ++k)
                palette_[i + 1][k] = static_cast<std::uint8_t>(content[4 * i + k]);
        return {};
    }

    Fault place(std::vector<PlacedModel>& placed) const {
        if (!scene_.empty()) return scene_.place(parts_.size(), placed);
        int x = 0;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            PlacedModel one;
            one.model = static_cast<std::uint32_t>(i);
            one.placement.translation.x = x + parts_[i].size.x / 2;
            placed.push_back(one);
            x += parts_[i].size.x + 1;
        }
        return {};
    }

    /// Models turn about their middle, which lies between voxels along even lengths: so in half voxels.
    static glm::ivec3 place_of(const Part& part, const PlacedModel& placed, std::size_t i) {
        glm::ivec3 twice;
        for (int axis = 0; axis < 3; ++axis)
            twice[axis] = 2 * static_cast<std::uint8_t>(part.voxels[i + static_cast<std::size_t>(axis)]) + 1 -
                          part.size[axis];
        twice = placed.placement.rotation * twice + 2 * placed.placement.translation;
        const auto floor_half = [](int n) { return n >= 0 ? n / 2 : -((1 - n) / 2); };
        const glm::ivec3 at(floor_half(twice.x), floor_half(twice.y), floor_half(twice.z));
        return {at.x, at.z, -at.y};  // y up
    }

    Fault merge(const std::vector<PlacedModel>& placed, VoxelModel& model) const {
        std::size_t total = 0;
        for (const PlacedModel& one : placed)
            total += parts_[one.model].voxels.size() / 4;
        if (placed.empty() && !parts_.empty())
            return {0, "has no visible model: its scene hides all of them or places none"};
        if (total == 0) return {0, "has no voxels"};
        if (total > kMaxVoxels)
            return {0, "has " + std::to_string(total) + " voxels; at most " + std::to_string(kMaxVoxels) +
                           " can be shown"};
        model.voxels.reserve(total);
        glm::ivec3 low(std::numeric_limits<int>::max());
        glm::ivec3 high(std::numeric_limits<int>::min());
        for (const PlacedModel& one : placed) {
            const Part& part = parts_[one.model];
            for (std::size_t i = 0; i < part.voxels.size(); i += 4) {
                const auto color = static_cast<std::uint8_t>(part.voxels[i + 3]);
                if (color == 0) continue;  // nothing is there
                const glm::ivec3 at = place_of(part, one, i);
                low = glm::min(low, at);
                high = glm::max(high, at);
                model.voxels.push_back({at, color});
            }
            ++model.parts;
        }
        if (model.voxels.empty()) return {0, "has no voxels"};
        for (int axis = 0; axis < 3; ++axis)
            if (high[axis] - low[axis] >= kMaxVoxelExtent)
                return {0, "spans " + std::to_string(high[axis] - low[axis] + 1) + " voxels; at most " +
                               std::to_string(kMaxVoxelExtent) + " can be shown"};
        for (VoxelModel::Voxel& voxel : model.voxels)
            voxel.at -= low;
        model.size = high - low + 1;
        make_unique(model);
        return {};
    }

    std::string_view bytes_;
    glm::ivec3 size_{0};
    bool size_is_open_ = false;
    std::vector<Part> parts_;
    std::array<Rgba, 256> palette_ = default_vox_palette();
    vox::SceneGraph scene_;
};

void put_i32(std::string& out, std::size_t value) {
    for (int shift = 0; shift < 32; shift += 8)
        out += static_cast<char>((value >> shift) & 0xffu);
}

void put_chunk(std::string& out, std::string_view id, std::string_view content,
               std::string_view children = {}) {
    out += id;
    put_i32(out, content.size());
    put_i32(out, children.size());
    out += content;
    out += children;
}

std::array<Rgba, 256> make_default_palette() {
    std::array<Rgba, 256> palette{};
    std::size_t next = 1;
    // A cube of six steps each, blue running fastest, without black; then ramps of ten.
    for (int r = 5; r >= 0; --r)
        for (int g = 5; g >= 0; --g)
            for (int b = 5; b >= 0 && r + g + b > 0; --b)
                palette[next++] = {static_cast<std::uint8_t>(51 * r), static_cast<std::uint8_t>(51 * g),
                                   static_cast<std::uint8_t>(51 * b), 255};
    constexpr std::array<std::uint8_t, 10> kRamp = {0xee, 0xdd, 0xbb, 0xaa, 0x88,
                                                    0x77, 0x55, 0x44, 0x22, 0x11};
    for (int hue = 0; hue < 4; ++hue)
        for (const std::uint8_t v : kRamp) {
            const auto part = [&](int channel) { return hue == channel || hue == 3 ? v : std::uint8_t{0}; };
            palette[next++] = {part(0), part(1), part(2), 255};
        }
    return palette;
}

}  // namespace

const std::array<Rgba, 256>& default_vox_palette() {
    static const std::array<Rgba, 256> palette = make_default_palette();
    return palette;
}

Result<VoxelModel> parse_vox(std::string_view bytes, const std::string& path) {
    VoxelModel model;
    if (const Fault fault = Parser(bytes).run(model))
        return FileError{path, "byte " + std::to_string(fault.byte), fault.what, kVoxelAdvice};
    model.name = std::filesystem::path(path).stem().string();
    return model;
}

Result<VoxelModel> read_vox_file(const std::filesystem::path& path) {
    const Result<std::string> bytes = read_whole_file(path, limits::kVoxelBytes);
    if (!bytes) return bytes.error();
    return parse_vox(*bytes, path.string());
}

void make_unique(VoxelModel& model) {
    const auto key = [](const VoxelModel::Voxel& v) {
        return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(v.at.z)) << 42) ^
               (static_cast<std::uint64_t>(static_cast<std::uint32_t>(v.at.y)) << 21) ^
               static_cast<std::uint64_t>(static_cast<std::uint32_t>(v.at.x));
    };
    auto& voxels = model.voxels;
    std::stable_sort(voxels.begin(), voxels.end(),
                     [&](const auto& a, const auto& b) { return key(a) < key(b); });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < voxels.size(); ++i)
        if (i + 1 == voxels.size() || voxels[i].at != voxels[i + 1].at) voxels[kept++] = voxels[i];
    voxels.resize(kept);
}

std::string encode_vox(const VoxelModel& model) {
    std::string size;
    for (const int axis : {0, 2, 1})  // z up
        put_i32(size, static_cast<std::size_t>(model.size[axis]));
    std::string voxels;
    put_i32(voxels, model.voxels.size());
    for (const VoxelModel::Voxel& v : model.voxels)
        for (const int byte : {v.at.x, model.size.z - 1 - v.at.z, v.at.y, static_cast<int>(v.color)})
            voxels += static_cast<char>(byte);
    std::string colors;
    for (std::size_t i = 1; i <= 256; ++i)
        for (const std::uint8_t byte : model.palette[i % 256])
            colors += static_cast<char>(byte);
    std::string chunks;
    put_chunk(chunks, "SIZE", size);
    put_chunk(chunks, "XYZI", voxels);
    put_chunk(chunks, "RGBA", colors);
    std::string out = "VOX ";
    put_i32(out, 150);
    put_chunk(out, "MAIN", "", chunks);
    return out;
}

std::optional<FileError> write_vox_file(const std::filesystem::path& path, const VoxelModel& model) {
    const auto error = [&](std::string what, std::string advice) {
        return FileError{path.string(), "", std::move(what), std::move(advice)};
    };
    if (model.voxels.empty()) return error("a model without voxels cannot be written", "");
    for (int axis = 0; axis < 3; ++axis)
        if (model.size[axis] < 1 || model.size[axis] > kMaxVoxModelExtent)
            return error("a model of more than 256 voxels along an axis cannot be written",
                         "Make it smaller");
    for (const VoxelModel::Voxel& v : model.voxels)
        for (int axis = 0; axis < 3; ++axis)
            if (v.at[axis] < 0 || v.at[axis] >= model.size[axis] || v.color == 0)
                return error("a voxel lies outside of its model or has no color", "");
    return write_file_atomically(path, encode_vox(model));
}

}  // namespace lab::io
