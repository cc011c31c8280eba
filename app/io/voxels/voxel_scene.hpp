// The part of a `.vox` file that places its models: a graph of transforms, groups and shapes.
#pragma once

#include <cstdint>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lab::io::vox {

/// What is wrong, and at which byte of the file; `what` is empty if nothing is.
struct Fault {
    std::size_t byte = 0;
    std::string what;
    [[nodiscard]] explicit operator bool() const { return !what.empty(); }
};

/// Reads numbers and texts of one chunk and never beyond its end: after the first failure everything is 0.
class ChunkReader {
  public:
    ChunkReader(std::string_view content, std::size_t file_byte) : content_(content), base_(file_byte) {}
    std::int32_t i32();
    std::string_view text();
    /// Keys and values; at most as many as the chunk has room for.
    std::vector<std::pair<std::string_view, std::string_view>> dictionary();
    [[nodiscard]] std::size_t left() const { return content_.size() - at_; }
    [[nodiscard]] std::size_t byte() const { return base_ + at_; }
    [[nodiscard]] bool good() const { return good_; }

  private:
    std::string_view take(std::size_t count);
    std::string_view content_;
    std::size_t base_ = 0;
    std::size_t at_ = 0;
    bool good_ = true;
};

using IntMatrix = glm::mat<3, 3, int>;

/// Turned by a signed permutation, then moved; in the file's axes, whole voxels.
struct Placement {
    IntMatrix rotation{1};
    glm::ivec3 translation{0};
};
struct PlacedModel {
    std::uint32_t model = 0;
    Placement placement;
};

class SceneGraph {
  public:
    /// Takes the content of an nTRN, nGRP or nSHP chunk.
    Fault add(std::string_view id, ChunkReader content);
    /// Takes the content of a LAYR chunk. Layers may come behind the nodes that lie in them.
    Fault add_layer(ChunkReader content);
    [[nodiscard]] bool empty() const { return nodes_.empty(); }
    /// Every visible model with its place, from the root (node 0) down, in the order of the file. `models`:
    /// how many there are.
    Fault place(std::size_t models, std::vector<PlacedModel>& placed) const;

  private:
    struct Node {
        std::size_t byte = 0;
        bool hidden = false;
        std::int32_t layer = -1;
        Placement placement;
        std::vector<std::int32_t> children;  ///< Nodes.
        std::vector<std::int32_t> models;
    };
    struct Walk;
    Fault walk(std::int32_t id, const Placement& parent, int depth, Walk& state) const;
    Fault add_transform(Node& node, ChunkReader& in);
    static Fault add_list(std::vector<std::int32_t>& list, ChunkReader& in, bool with_dictionaries);

    std::unordered_map<std::int32_t, Node> nodes_;
    std::unordered_set<std::int32_t> hidden_layers_;
};

}  // namespace lab::io::vox
