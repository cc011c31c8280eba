// glTF: every way to store positions and triangles, places of faults as JSON paths, and files beside the
// file.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <glm/geometric.hpp>
#include <string>
#include <vector>

#include "io/meshes/formats/mesh_gltf.hpp"
#include "io/meshes/mesh_export.hpp"
#include "io/meshes/mesh_file.hpp"
#include "io_test_tools.hpp"
#include "workloads/meshes.hpp"

namespace lab::io {
namespace {

using testing_tools::TestFolder;

template <class T>
std::string raw(std::initializer_list<T> values) {
    return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

std::string base64(const std::string& bytes) {
    constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    int bits = 0;
    std::uint32_t group = 0;
    for (const char c : bytes) {
        group = group << 8 | static_cast<unsigned char>(c);
        for (bits += 8; bits >= 6; bits -= 6)
            text += kDigits[group >> (bits - 6) & 63u];
    }
    if (bits > 0) text += kDigits[group << (6 - bits) & 63u];
    while (text.size() % 4 != 0)
        text += '=';
    return text;
}

std::string data_uri(const std::string& bytes) {
    return "data:application/octet-stream;base64," + base64(bytes);
}

/// A file with one buffer, whose parts are its views, 8 bytes apart at least.
struct Gltf {
    std::string views;
    std::string data;
    std::string accessors;
    std::string primitive = R"("attributes": {"POSITION": 0})";
    std::string nodes = R"([{"mesh": 0}])";
    std::string more;

    void view(const std::string& bytes, const std::string& extra = "") {
        views += (views.empty() ? "" : ", ") +
                 (R"({"buffer": 0, "byteOffset": )" + std::to_string(data.size())) +
                 ", \"byteLength\": " + std::to_string(bytes.size()) + extra + "}";
        data += bytes + std::string(8 - bytes.size() % 8, '\xff');
    }
    void accessor(const std::string& json) { accessors += (accessors.empty() ? "{" : ", {") + json + "}"; }
    [[nodiscard]] std::string text() const {
        return R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": )" + nodes +
               R"(, "meshes": [{"primitives": [{)" + primitive + R"(}]}], "accessors": [)" + accessors +
               R"(], "bufferViews": [)" + views + R"(], "buffers": [{"byteLength": )" +
               std::to_string(data.size()) + R"(, "uri": ")" + data_uri(data) + R"("}])" + more + "}";
    }
};

struct Read {
    ReadOutcome outcome;
    std::vector<NeededFile> needs;
    bv::workloads::MeshData mesh;
    std::uint64_t dropped = 0;
};

Read read(std::string_view text, bool binary = false, const MeshLimits& limits = {},
          const Siblings& siblings = {}) {
    Read result;
    MeshBuilder builder(limits);
    result.outcome = read_gltf(text, binary, siblings, result.needs, builder, [](float) {});
    if (!result.outcome.ok() || !result.needs.empty()) return result;
    if (Result<MeshFile> file = builder.finish("", result.outcome.parts)) {
        result.mesh = std::move(file->mesh);
        result.dropped = file->dropped;
    }
    return result;
}

std::string verdict(const std::string& text, bool binary = false, const MeshLimits& limits = {}) {
    const Read result = read(text, binary, limits);
    if (!result.needs.empty()) return "needs " + result.needs[0].name;
    if (result.outcome.ok()) return "done";
    return (result.outcome.where.empty() ? "" : result.outcome.where + ": ") + result.outcome.what;
}

glm::dvec3 area_vector(const Read& read) {
    glm::dvec3 sum(0.0);
    for (const glm::uvec3& t : read.mesh.triangles) {
        const glm::dvec3 a(read.mesh.positions[t.x]);
        sum += 0.5 *
               glm::cross(glm::dvec3(read.mesh.positions[t.y]) - a, glm::dvec3(read.mesh.positions[t.z]) - a);
    }
    return sum;
}

const std::string kVec3 = R"("type": "VEC3", )";

/// The unit square as four float positions in view 0 and accessor 0.
Gltf square() {
    Gltf gltf;
    gltf.view(raw<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}));
    gltf.accessor(kVec3 + R"("bufferView": 0, "componentType": 5126, "count": 4)");
    return gltf;
}

TEST(Gltf, ReadsIndicesOfEveryTypeAndEveryKindOfTriangles) {
    const auto indexed = [](const std::string& bytes, int type, int count, int mode) {
        Gltf gltf = square();
        gltf.view(bytes);
        gltf.accessor(R"("type": "SCALAR", "bufferView": 1, "componentType": )" + std::to_string(type) +
                      ", \"count\": " + std::to_string(count));
        gltf.primitive += R"(, "indices": 1, "mode": )" + std::to_string(mode);
        return read(gltf.text());
    };
    for (const Read& result : {indexed(raw<std::uint8_t>({0, 1, 3, 0, 3, 2}), 5121, 6, 4),
                               indexed(raw<std::uint16_t>({0, 1, 3, 0, 3, 2}), 5123, 6, 4),
                               indexed(raw<std::uint32_t>({0, 1, 3, 0, 3, 2}), 5125, 6, 4),
                               indexed(raw<std::uint8_t>({0, 1, 2, 3}), 5121, 4, 5),
                               indexed(raw<std::uint16_t>({0, 1, 3, 2}), 5123, 4, 6),
                               indexed(raw<std::uint8_t>({0, 1, 3, 0, 3, 2, 1}), 5121, 7, 4)}) {
        EXPECT_EQ(result.outcome.what, "");
        EXPECT_EQ(result.mesh.triangles.size(), 2u);
        EXPECT_EQ(area_vector(result), glm::dvec3(0, 0, 1));
    }
    for (const int mode : {0, 1, 2, 3})
        EXPECT_TRUE(indexed(raw<std::uint8_t>({0, 1, 3}), 5121, 3, mode).mesh.triangles.empty());
    // Without indices.
    Gltf strip = square();
    strip.primitive += R"(, "mode": 5)";
    EXPECT_EQ(area_vector(read(strip.text())), glm::dvec3(0, 0, 1));
    EXPECT_EQ(area_vector(read(square().text())), glm::dvec3(0, 0, 0.5));
}

TEST(Gltf, ReadsPositionsOfEveryType) {
    const auto area = [](const std::string& bytes, const std::string& accessor,
                         const std::string& view = "") {
        Gltf gltf;
        gltf.view(bytes, view);
        gltf.accessor(kVec3 + R"("bufferView": 0, "count": 3, )" + accessor);
        gltf.more = R"(, "extensionsRequired": ["KHR_mesh_quantization"])";
        const Read result = read(gltf.text());
        EXPECT_EQ(result.outcome.what, "") << accessor;
        return area_vector(result);
    };
    EXPECT_EQ(area(raw<std::int8_t>({0, 0, 0, -4, 0, 0, 0, -6, 0}), R"("componentType": 5120)"),
              glm::dvec3(0, 0, 12));
    EXPECT_EQ(area(raw<std::uint8_t>({0, 0, 0, 200, 0, 0, 0, 3, 0}), R"("componentType": 5121)"),
              glm::dvec3(0, 0, 300));
    EXPECT_EQ(area(raw<std::int16_t>({0, 0, 0, -400, 0, 0, 0, -6, 0}), R"("componentType": 5122)"),
              glm::dvec3(0, 0, 1200));
    EXPECT_EQ(area(raw<std::uint16_t>({0, 0, 0, 60000, 0, 0, 0, 2, 0}), R"("componentType": 5123)"),
              glm::dvec3(0, 0, 60000));
    EXPECT_EQ(area(raw<std::int8_t>({0, 0, 0, 127, 0, 0, 0, 127, 0}),
                   R"("componentType": 5120, "normalized": true)"),
              glm::dvec3(0, 0, 0.5));
    EXPECT_EQ(area(raw<std::int8_t>({0, 0, 0, -128, 0, 0, 0, -127, 0}),
                   R"("componentType": 5120, "normalized": true)"),
              glm::dvec3(0, 0, 0.5));
    EXPECT_EQ(area(raw<std::uint16_t>({0, 0, 0, 65535, 0, 0, 0, 65535, 0}),
                   R"("componentType": 5123, "normalized": true)"),
              glm::dvec3(0, 0, 0.5));
    // Interleaved with four bytes of something else, behind an offset.
    EXPECT_EQ(
        area("x234" + raw<float>({0, 0, 0}) + "5678" + raw<float>({2, 0, 0}) + "9012" + raw<float>({0, 3, 0}),
             R"("componentType": 5126, "byteOffset": 4)", R"(, "byteStride": 16)"),
        glm::dvec3(0, 0, 3));
}

TEST(Gltf, ReplacesSparseValues) {
    Gltf gltf = square();
    gltf.view(raw<std::uint16_t>({1, 3}));
    gltf.view(raw<float>({7, 7, 7, 5, 0, 0, 5, 5, 0}));
    const std::string sparse =
        R"(, "sparse": {"count": 2, "indices": {"bufferView": 1, "componentType": 5123}, "values": {"bufferView": 2, "byteOffset": 12}})";
    gltf.primitive += R"(, "mode": 5)";
    gltf.accessors.insert(gltf.accessors.size() - 1, sparse);
    EXPECT_EQ(area_vector(read(gltf.text())), glm::dvec3(0, 0, 2.5 + 12.5));
    // Without a view the values not named are zeros.
    gltf.accessors.replace(gltf.accessors.find(R"("bufferView": 0, )"), 17, "");
    const Read zeros = read(gltf.text());
    EXPECT_EQ(zeros.outcome.what, "");
    EXPECT_EQ(zeros.dropped, 1u);
    ASSERT_EQ(zeros.mesh.triangles.size(), 1u);
    EXPECT_EQ(glm::length(area_vector(zeros)), 12.5);
    // Faults.
    std::string bad = gltf.text();
    bad.replace(bad.find(R"("count": 2)"), 10, R"("count": 9)");
    EXPECT_EQ(verdict(bad), "accessors[0].sparse.count should be a whole number from 0 to 4, not 9");
    bad = gltf.text();
    bad.replace(bad.find(R"("byteOffset": 12)"), 16, R"("byteOffset": 16)");
    EXPECT_EQ(verdict(bad), "accessors[0].sparse.values reaches beyond its bufferView, which has 36 bytes");
    Gltf far = gltf;
    far.data.replace(56, 4, raw<std::uint16_t>({1, 4}));
    EXPECT_EQ(verdict(far.text()), "accessors[0].sparse.indices refers to element 4, but there are 4");
}

TEST(Gltf, PlacesNodesByMatrixOrParts) {
    Gltf gltf = square();
    const auto area_with = [&](const std::string& nodes) {
        gltf.nodes = nodes;
        const Read result = read(gltf.text());
        EXPECT_EQ(result.outcome.what, "") << nodes;
        return area_vector(result);
    };
    // A quarter turn about x takes z to -y; scales come first, then the turn, then the shift.
    EXPECT_LT(
        glm::length(
            area_with(R"([{"mesh": 0, "rotation": [0.70710678, 0, 0, 0.70710678], "scale": [2, 3, 1]}])") -
            glm::dvec3(0, -3, 0)),
        1e-6);
    EXPECT_LT(glm::length(area_with(R"([{"mesh": 0, "rotation": [1.4142136, 0, 0, 1.4142136]}])") -
                          glm::dvec3(0, -0.5, 0)),
              1e-6);
    EXPECT_EQ(area_with(R"([{"mesh": 0, "matrix": [2,0,0,0, 0,3,0,0, 0,0,1,0, 9,9,9,1]}])"),
              glm::dvec3(0, 0, 3));
    EXPECT_EQ(area_with(R"([{"children": [1, 2]}, {"mesh": 0}, {"mesh": 0, "scale": [-2, 1, 1]}])"),
              glm::dvec3(0, 0, 1.5));
    EXPECT_EQ(area_with(R"([{"children": [1], "scale": [2, 2, 2]}, {"mesh": 0, "scale": [2, 1, 1]}])"),
              glm::dvec3(0, 0, 4));
    EXPECT_EQ(area_with(R"([{"children": [1]}, {"mesh": 0}, {"mesh": 0}])"), glm::dvec3(0, 0, 0.5))
        << "not of the scene";
    const auto first = [&](const std::string& nodes) {
        gltf.nodes = nodes;
        return read(gltf.text()).mesh.positions.at(0);
    };
    EXPECT_EQ(first(R"([{"mesh": 0, "translation": [1, 2, 3], "scale": [5, 5, 5]}])"), glm::vec3(1, 2, 3));
    EXPECT_EQ(first(R"([{"children": [1], "scale": [2, 2, 2]}, {"mesh": 0, "translation": [1, 2, 3]}])"),
              glm::vec3(2, 4, 6));
    EXPECT_EQ(first(R"([{"mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 7,8,9,1]}])"), glm::vec3(7, 8, 9));
    // Written from 32-bit products, it can be a little off.
    EXPECT_EQ(first(R"([{"mesh": 0, "matrix": [1,0,0,1e-8, 0,1,0,0, 0,0,1,0, 7,8,9,0.99999994]}])"),
              glm::vec3(7, 8, 9));
    const auto refused = [&](const std::string& nodes, const MeshLimits& limits = {}) {
        gltf.nodes = nodes;
        return verdict(gltf.text(), false, limits);
    };
    EXPECT_EQ(refused(R"([{"children": [0]}])"),
              "nodes[0].children[0] refers to node 0, which has another place already");
    EXPECT_EQ(refused(R"([{"children": [1, 1]}, {}])"),
              "nodes[0].children[0] refers to node 1, which has another place already");
    EXPECT_EQ(refused(R"([{"children": [1]}, {"children": [0]}])"),
              "nodes[1].children[0] refers to node 0, which has another place already");
    EXPECT_EQ(refused(R"([{"children": [7]}])"), "nodes[0].children[0] refers to number 7, but there is 1");
    EXPECT_EQ(refused(R"([{"mesh": 1}])"), "nodes[0].mesh refers to number 1, but there is 1");
    EXPECT_EQ(refused(R"([{"mesh": 0, "matrix": [1]}])"), "nodes[0].matrix should be a list of 16 numbers");
    EXPECT_EQ(refused(R"([{"mesh": 0, "scale": [1, 1]}])"), "nodes[0].scale should be a list of 3 numbers");
    EXPECT_EQ(refused(R"([{"mesh": 0, "rotation": [0, 0, 0, 0]}])"), "nodes[0].rotation has no length");
    EXPECT_EQ(refused(R"([{"mesh": 0, "matrix": [1,0,0,5, 0,1,0,0, 0,0,1,0, 7,8,9,1]}])"),
              "nodes[0].matrix is not an affine transform: its last row is not 0 0 0 1");
    EXPECT_EQ(refused(R"([{"mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 7,8,9,1.0001]}])"),
              "nodes[0].matrix is not an affine transform: its last row is not 0 0 0 1");
    EXPECT_EQ(refused(R"([{"mesh": 0, "scale": [1,1,1], "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 7,8,9,1]}])"),
              "nodes[0] has a matrix and a translation, rotation or scale, too");
    EXPECT_EQ(refused(R"([{"mesh": 0, "translation": [1e20, 0, 0]}])").substr(0, 49),
              "meshes[0].primitives[0] has a vertex farther out ");
    MeshLimits limits;
    limits.node_levels = 2;
    EXPECT_EQ(refused(R"([{"children": [1]}, {"mesh": 0}])", limits), "done");
    EXPECT_EQ(refused(R"([{"children": [1]}, {"children": [2]}, {"mesh": 0}])", limits),
              "nodes[1].children[0] is deeper than 2 levels of nodes, the most that are read");
    // One mesh in many places counts every time.
    limits.triangles = 2;
    EXPECT_EQ(refused(R"([{"mesh": 0, "children": [1]}, {"mesh": 0}])", limits), "done");
    gltf.primitive += R"(, "mode": 5)";
    EXPECT_EQ(refused(R"([{"mesh": 0, "children": [1]}, {"mesh": 0}])", limits),
              "meshes[0].primitives[0] has more than 2 triangles, the most that are read");
    limits.vertices = 3;
    EXPECT_EQ(refused(R"([{"mesh": 0}])", limits),
              "accessors[0].count should be a whole number from 0 to 3, not 4");
}

/// The square as a strip, its right side moved by joint 1: node 3, on node 2, which is joint 0. Node 1 holds
/// the mesh and is scaled, which must not matter.
Gltf skinned_square(const std::string& skin = "", const std::string& root = "") {
    Gltf gltf = square();
    gltf.view(raw<std::uint8_t>({0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}));
    gltf.view(raw<float>({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}));
    gltf.view(raw<float>({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -5, 0, 0, 1,  //
                          1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -7, 0, 0, 1}));
    gltf.accessor(R"("type": "VEC4", "bufferView": 1, "componentType": 5121, "count": 4)");
    gltf.accessor(R"("type": "VEC4", "bufferView": 2, "componentType": 5126, "count": 4)");
    gltf.accessor(R"("type": "MAT4", "bufferView": 3, "componentType": 5126, "count": 2)");
    gltf.primitive = R"("attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}, "mode": 5)";
    gltf.nodes = R"([{"children": [1, 2])" + root +
                 R"(}, {"mesh": 0, "skin": 0, "scale": [100, 100, 100]},
        {"translation": [5, 0, 0], "children": [3]}, {"translation": [2, 0, 0]}])";
    gltf.more = R"(, "skins": [{"joints": [2, 3])" + skin + "}]";
    return gltf;
}

void replace(std::string& text, const std::string& old, const std::string& now) {
    ASSERT_NE(text.find(old), std::string::npos) << old;
    text.replace(text.find(old), old.size(), now);
}

TEST(Gltf, SkinnedMeshesStandWhereTheirJointsDo) {
    const Read moved = read(skinned_square().text());
    ASSERT_EQ(moved.outcome.what, "");
    EXPECT_EQ(moved.mesh.positions.at(0), glm::vec3(5, 0, 0));
    EXPECT_EQ(moved.mesh.positions.at(1), glm::vec3(8, 0, 0));
    EXPECT_EQ(area_vector(moved), glm::dvec3(0, 0, 3));
    // In the pose in which it was bound the mesh is as it was.
    const Read bound = read(skinned_square(R"(, "inverseBindMatrices": 3)").text());
    EXPECT_EQ(bound.mesh.positions.at(1), glm::vec3(1, 0, 0));
    EXPECT_EQ(area_vector(bound), glm::dvec3(0, 0, 1));
    EXPECT_EQ(area_vector(read(skinned_square("", R"(, "scale": [-1, 1, 1])").text())), glm::dvec3(0, 0, 3))
        << "inside out";
    // Weights of two joints, which need not add up to 1, and a vertex without any.
    Gltf blended = skinned_square();
    blended.data.replace(80, 64, raw<float>({0, 0, 0, 0, 2, 2, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}));
    blended.data.replace(56, 16, raw<std::uint8_t>({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}));
    EXPECT_EQ(read(blended.text()).mesh.positions.at(0), glm::vec3(5, 0, 0));
    EXPECT_EQ(read(blended.text()).mesh.positions.at(1), glm::vec3(7, 0, 0));
}

TEST(Gltf, FaultsOfSkinsAreRefusedByPath) {
    const auto with = [](const std::string& old, const std::string& now) {
        std::string text = skinned_square(R"(, "inverseBindMatrices": 3)").text();
        replace(text, old, now);
        return verdict(text);
    };
    EXPECT_EQ(with(R"("skin": 0)", R"("skin": 1)"), "nodes[1].skin refers to number 1, but there is 1");
    EXPECT_EQ(with(R"("joints": [2, 3])", R"("joints": [2, 4])"),
              "skins[0].joints[1] refers to number 4, but there are 4");
    EXPECT_EQ(with(R"("joints": [2, 3])", R"("joints": [2])"),
              "meshes[0].primitives[0].attributes.JOINTS_0 refers to joint 1, but its skin has 1");
    EXPECT_EQ(with(R"("joints": [2, 3])", R"("joints": [])"), "skins[0] has no joints");
    EXPECT_EQ(with(R"(, "children": [3])", ""),
              "skins[0].joints[1] refers to a node that is not in the scene");
    EXPECT_EQ(with(R"(, "WEIGHTS_0": 2)", ""), "meshes[0].primitives[0].attributes.WEIGHTS_0 is missing");
    EXPECT_EQ(with(R"("componentType": 5121, "count": 4)", R"("componentType": 5121, "count": 3)"),
              "meshes[0].primitives[0].attributes.JOINTS_0 has 3 elements, but there are 4 positions");
    EXPECT_EQ(with(R"("componentType": 5126, "count": 2)", R"("componentType": 5126, "count": 1)"),
              "skins[0].inverseBindMatrices has fewer matrices (1) than there are joints (2)");
}

TEST(Gltf, DefaultWeightsMorphPositions) {
    Gltf gltf = square();
    gltf.view(raw<float>({0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0}));
    gltf.view(raw<std::uint8_t>({2, 3}));
    gltf.view(raw<float>({0, 4, 0, 0, 4, 0}));
    gltf.accessor(kVec3 + R"("bufferView": 1, "componentType": 5126, "count": 4)");
    gltf.accessor(kVec3 + R"("componentType": 5126, "count": 4, "sparse": {"count": 2, "indices":
        {"bufferView": 2, "componentType": 5121}, "values": {"bufferView": 3}})");
    gltf.primitive += R"(, "mode": 5, "targets": [{"POSITION": 1}, {"POSITION": 2}, {"NORMAL": 9}])";
    const auto text_with = [&](const std::string& of_node, const std::string& of_mesh) {
        gltf.nodes = R"([{"mesh": 0)" + of_node + "}]";
        std::string text = gltf.text();
        replace(text, R"("meshes": [{)", R"("meshes": [{)" + of_mesh);
        return text;
    };
    const auto area = [&](const std::string& of_node, const std::string& of_mesh = "") {
        const Read result = read(text_with(of_node, of_mesh));
        EXPECT_EQ(result.outcome.what, "") << of_node << of_mesh;
        return area_vector(result);
    };
    EXPECT_EQ(area(""), glm::dvec3(0, 0, 1));
    EXPECT_EQ(area("", R"("weights": [2, 0, 0], )"), glm::dvec3(0, 0, 3));
    EXPECT_EQ(area("", R"("weights": [0, 0.5, 1], )"), glm::dvec3(0, 0, 3));
    EXPECT_EQ(area("", R"("weights": [1, 1, 0], )"), glm::dvec3(0, 0, 10));
    EXPECT_EQ(area(R"(, "weights": [0, 1, 0])", R"("weights": [2, 0, 0], )"), glm::dvec3(0, 0, 5));
    EXPECT_EQ(verdict(text_with("", R"("weights": [1], )")),
              "meshes[0].primitives[0].targets are 3, but there are 1 weights for them");
    std::string few = text_with(R"(, "weights": [1, 0, 0])", "");
    replace(few, R"("bufferView": 1, "componentType": 5126, "count": 4)",
            R"("bufferView": 1, "componentType": 5126, "count": 3)");
    EXPECT_EQ(verdict(few),
              "meshes[0].primitives[0].targets[0].POSITION has 3 elements, but there are 4 positions");
    // Whatever is read counts, in every place again.
    MeshLimits limits;
    limits.numbers = 12 + 12 + 3 + 3 + 1;
    EXPECT_EQ(verdict(text_with(R"(, "weights": [1, 0, 0])", ""), false, limits), "done");
    limits.numbers -= 1;
    EXPECT_EQ(verdict(text_with(R"(, "weights": [1, 0, 0])", ""), false, limits),
              "accessors[1] is beyond the 30 numbers that are read, counted again for each place of a mesh");
}

TEST(Gltf, FindsItsRootsWithoutAScene) {
    Gltf gltf = square();
    gltf.nodes = R"([{"mesh": 0}, {"children": [0], "scale": [2, 1, 1]}, {"mesh": 0}])";
    std::string text = gltf.text();
    const std::string scenes = R"("scene": 0, "scenes": [{"nodes": [0]}], )";
    text.replace(text.find(scenes), scenes.size(), "");
    EXPECT_EQ(area_vector(read(text)), glm::dvec3(0, 0, 1.5));
    EXPECT_EQ(read(text).outcome.parts, 2u);
    // A file of meshes alone.
    std::string alone = text;
    alone.replace(alone.find(R"("nodes": )"), 9 + gltf.nodes.size() + 2, "");
    EXPECT_EQ(area_vector(read(alone)), glm::dvec3(0, 0, 0.5)) << read(alone).outcome.what;
    gltf.nodes = R"([{"mesh": 0}])";
    text = gltf.text();
    text.replace(text.find(R"("scene": 0)"), 10, R"("scene": 3)");
    EXPECT_EQ(verdict(text), "scene refers to number 3, but there is 1");
}

TEST(Gltf, SaysByJsonPathWhatIsWrong) {
    const std::string good = square().text();
    ASSERT_EQ(verdict(good), "done");
    const auto with = [&](const std::string& old, const std::string& now) {
        std::string text = good;
        EXPECT_NE(text.find(old), std::string::npos) << old;
        text.replace(text.find(old), old.size(), now);
        return verdict(text);
    };
    EXPECT_EQ(with(R"("version": "2.0")", R"("version": "1.0")"),
              "asset.version is \"1.0\"; only glTF 2 is read");
    EXPECT_EQ(with(R"("version": "2.0")", R"("version": "2.1", "minVersion": "2.1")"),
              "asset.minVersion is \"2.1\"; up to 2.0 is read: export the mesh as glTF 2.0");
    EXPECT_EQ(with(R"("version": "2.0")", R"("version": "2.1", "minVersion": "2.0")"), "done");
    EXPECT_EQ(with(R"("asset": {"version": "2.0"}, )", ""), "asset is missing");
    EXPECT_EQ(with(R"("count": 4)", R"("count": "4")"),
              "accessors[0].count should be a whole number from 0 to 100000000, not the text \"4\"");
    EXPECT_EQ(with(R"("count": 4)", R"("count": -4)"),
              "accessors[0].count should be a whole number from 0 to 100000000, not -4");
    EXPECT_EQ(with(R"("count": 4)", R"("count": 4.5)"),
              "accessors[0].count should be a whole number from 0 to 100000000, not 4.5");
    EXPECT_EQ(with(R"("count": 4)", R"("count": 5)"),
              "accessors[0] reaches beyond its bufferView, which has 48 bytes");
    EXPECT_EQ(with(R"("count": 4)", R"("byteOffset": 4, "count": 4)"),
              "accessors[0] reaches beyond its bufferView, which has 48 bytes");
    EXPECT_EQ(with(R"("count": 4)", R"("byteOffset": 18446744073709551615, "count": 4)").substr(0, 36),
              "accessors[0].byteOffset should be a ");
    EXPECT_EQ(with(R"("VEC3")", R"("VEC2")"), "accessors[0].type should be VEC3 here");
    EXPECT_EQ(with("5126", "5125"), "accessors[0].componentType is 5125, which does not fit here");
    EXPECT_EQ(with("5126", "5130"), "accessors[0].componentType is 5130, which does not fit here");
    EXPECT_EQ(with(R"("bufferView": 0)", R"("bufferView": 1)"),
              "accessors[0].bufferView refers to number 1, but there is 1");
    EXPECT_EQ(with(R"("bufferView": 0, )", ""),
              "accessors[0] has no data: neither a bufferView nor sparse values");
    EXPECT_EQ(with(R"("byteOffset": 0)", R"("byteOffset": 9)"),
              "bufferViews[0] reaches beyond its buffer, which has 56 bytes");
    EXPECT_EQ(with(R"("byteLength": 48)", R"("byteLength": 48, "byteStride": 8)"),
              "bufferViews[0].byteStride is shorter than the 12 bytes of an element");
    EXPECT_EQ(with(R"("byteLength": 56)", R"("byteLength": 57)"),
              "buffers[0].byteLength states 57 bytes, but there are 56");
    EXPECT_EQ(with(R"("byteLength": 56, )", ""), "buffers[0].byteLength is missing");
    EXPECT_EQ(with(";base64,", ","), "buffers[0].uri is a data URI without base64");
    EXPECT_EQ(with(";base64,", ";base64,!"), "buffers[0].uri holds what is not base64");
    EXPECT_EQ(with(";base64,", ";base64,A=AA"), "buffers[0].uri holds what is not base64");
    EXPECT_EQ(with(R"("POSITION": 0)", R"("POSITION": 2)"),
              "meshes[0].primitives[0].attributes.POSITION refers to number 2, but there is 1");
    EXPECT_EQ(with(R"("POSITION": 0})", R"("POSITION": 0}, "indices": "x")"),
              "meshes[0].primitives[0].indices should be a whole number from 0 to 1099511627775, not the "
              "text \"x\"");
    EXPECT_EQ(with(R"("POSITION": 0})", R"("POSITION": 0}, "mode": 7)"),
              "meshes[0].primitives[0].mode should be a whole number from 0 to 6, not 7");
    EXPECT_EQ(with(R"({"attributes": {"POSITION": 0}})", "3").substr(0, 34),
              "meshes[0].primitives[0].attributes");
    EXPECT_EQ(with(R"([{"attributes": {"POSITION": 0}}])", "3"),
              "meshes[0].primitives should be a list, not 3");
    for (const char* name :
         {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "EXT_mesh_gpu_instancing", "X"})
        EXPECT_EQ(with(R"("scene": 0)",
                       R"("extensionsRequired": ["KHR_materials_unlit", ")" + std::string(name) + "\"]"),
                  "extensionsRequired[1] asks for \"" + std::string(name).substr(0, 24) +
                      (std::strlen(name) > 24 ? "..." : "") + "\", which cannot be read; export without it");
    // An index out of range.
    Gltf gltf = square();
    gltf.view(raw<std::uint8_t>({0, 1, 4}));
    gltf.accessor(R"("type": "SCALAR", "bufferView": 1, "componentType": 5121, "count": 3)");
    gltf.primitive += R"(, "indices": 1)";
    EXPECT_EQ(verdict(gltf.text()), "meshes[0].primitives[0].indices refers to vertex 4, but there are 4");
}

TEST(Gltf, ContentsDoNotChooseTheReader) {
    const std::string collada = "\n<?xml version=\"1.0\"?>\n<COLLADA></COLLADA>\n";
    EXPECT_EQ(verdict(collada), "line 2: is not glTF: it begins with \"<?xml\"");
    EXPECT_EQ(verdict("solid x\nendsolid x\n"), "line 1: is not glTF: it begins with \"solid\"");
    EXPECT_EQ(verdict("glTF\x02"), "byte 0: is a binary glTF file; give it a name that ends with .glb");
    EXPECT_EQ(verdict(collada, true), "byte 0: does not begin with glTF, as .glb files do");
    EXPECT_EQ(verdict("{\"asset\":\n {\"version\" \"2.0\"}}"), "line 2, column 17: is not valid JSON");
    EXPECT_NE(verdict(std::string(100'000, '{')), "done");
    EXPECT_NE(verdict("{\"asset\": " + std::string(100'000, '[')), "done");
    const TestFolder folder;
    const Result<MeshFile> file = read_mesh_file(folder.write("box.gltf", collada));
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().text(),
              (folder / "box.gltf").string() +
                  ", line 2: is not glTF: it begins with \"<?xml\". Repair the mesh, or export it "
                  "again, in the program that made it.");
}

TEST(Gltf, ABinaryFileIsHeldToItsHeader) {
    const auto mesh = bv::workloads::icosphere(0);
    const std::string good = encode_mesh(mesh.view(), "ball", MeshFormat::Glb);
    ASSERT_EQ(read(good, true).mesh.triangles.size(), mesh.triangles.size());
    EXPECT_EQ(read(good + "behind", true).mesh.triangles.size(), mesh.triangles.size());
    const auto with = [&](std::size_t at, std::uint32_t word) {
        std::string bytes = good;
        std::memcpy(bytes.data() + at, &word, sizeof word);
        return verdict(bytes, true);
    };
    std::uint32_t json_size = 0;
    std::memcpy(&json_size, good.data() + 12, sizeof json_size);
    const auto size = static_cast<std::uint32_t>(good.size());
    EXPECT_EQ(with(4, 1), "byte 4: is of version 1 of glTF; only 2 is read");
    EXPECT_EQ(with(8, size + 1), "byte 8: states " + std::to_string(size + 1) + " bytes, but has " +
                                     std::to_string(size) + ": it was cut off");
    for (const std::uint32_t few : {0u, 10u, 19u})
        EXPECT_EQ(with(8, few),
                  "byte 8: states " + std::to_string(few) + " bytes, fewer than the 20 of its headers alone");
    EXPECT_EQ(with(12, size), "byte 12: states a chunk that reaches beyond its end");
    EXPECT_EQ(with(12, 0xffffffffu), "byte 12: states a chunk that reaches beyond its end");
    EXPECT_EQ(with(16, 7), "byte 16: does not begin with a chunk of JSON");
    EXPECT_EQ(with(20 + json_size, 8).substr(0, 5), "byte ") << "what follows a shorter chunk is none";
    EXPECT_EQ(with(20 + json_size, size).substr(0, 5), "byte ");
    EXPECT_EQ(with(24 + json_size, 7), "buffers[0] has neither a uri nor a chunk of data");
    for (std::size_t cut = 0; cut < good.size(); cut += 7)
        EXPECT_NE(verdict(good.substr(0, cut), true), "done") << cut;
    std::string bad_json = good;
    bad_json[20] = '}';
    EXPECT_EQ(verdict(bad_json, true).substr(0, 12), "JSON chunk, ");
}

TEST(Gltf, FilesBesideItAreReadAndNoOthers) {
    const TestFolder folder;
    std::filesystem::create_directories(folder / "scene/sub dir");
    std::filesystem::create_directories(folder / "secret");
    const Gltf gltf = square();
    for (const char* name :
         {"scene/points.bin", "scene/sub dir/points.bin", "secret/points.bin", "points.bin"})
        folder.write(name, gltf.data);
    std::filesystem::create_symlink(folder / "secret/points.bin", folder / "scene/link.bin");
    std::filesystem::create_directory_symlink(folder / "secret", folder / "scene/linked");
    std::filesystem::create_symlink("points.bin", folder / "scene/inside.bin");
    std::filesystem::create_directory(folder / "scene/folder.bin");
    folder.write("scene/short.bin", "short");
    const auto read_with_uri = [&](const std::string& uri) {
        std::string text = gltf.text();
        const std::string embedded = data_uri(gltf.data);
        text.replace(text.find(embedded), embedded.size(), uri);
        const Result<MeshFile> file = read_mesh_file(folder.write("scene/mesh.gltf", text));
        return file ? "done" : file.error().text().substr((folder / "scene/mesh.gltf").string().size() + 2);
    };
    for (const char* uri : {"points.bin", "./points.bin", "sub%20dir/points.bin", "sub dir/points.bin",
                            "%70oints.bin", "inside.bin", "sub%20dir%2fpoints.bin"})
        EXPECT_EQ(read_with_uri(uri), "done") << uri;
    const std::string only = "only files in the same folder or below are read";
    const auto has = [&](const std::string& uri, const std::string& part) {
        const std::string text = read_with_uri(uri);
        EXPECT_NE(text.find(part), std::string::npos) << uri << ": " << text;
        EXPECT_NE(text.find("buffers[0].uri"), std::string::npos) << uri << ": " << text;
    };
    has("../points.bin", only);
    has("%2e%2e/points.bin", only);
    has("..%2Fpoints.bin", only);
    has("sub dir/../../points.bin", only);
    has("sub dir/../points.bin", only);
    has((folder / "points.bin").string(), only);
    has("%2fetc/passwd", only);
    has("file:///etc/passwd", only);
    has("http://example.com/points.bin", only);
    has("C:points.bin", only);
    has("..\\\\points.bin", "backslash");
    has("..%5Cpoints.bin", "backslash");
    has("sub%00dir", "control character");
    has("a%0ab.bin", "control character");
    has("", "names no file");
    has("points%2.bin", "percent sign");
    has("points%zz.bin", "percent sign");
    has("points.bin%", "percent sign");
    has("link.bin", "link that leads out");
    has("linked/points.bin", "link that leads out");
    has("folder.bin", "not a regular file");
    has("missing.bin", "No such file");
    has("%2570oints.bin", "No such file");
    has(std::string(2000, 'x'), "longer than 1000 bytes");
    EXPECT_EQ(read_with_uri("short.bin").substr(0, 53),
              "buffers[0].byteLength states 56 bytes, but there are ");
}

TEST(Gltf, AsksForEachFileOnceAndForFewOfThem) {
    const auto with_buffers = [](int count, bool same) {
        std::string text = R"({"asset": {"version": "2.0"}, "buffers": [)";
        for (int i = 0; i < count; ++i)
            text += (i > 0 ? ", " : "") + (R"({"byteLength": 1, "uri": "b)" + std::to_string(same ? 0 : i)) +
                    "\"}";
        return text + "]}";
    };
    EXPECT_EQ(read(with_buffers(3, true)).needs.size(), 1u);
    const Read three = read(with_buffers(3, false));
    ASSERT_EQ(three.needs.size(), 3u);
    EXPECT_EQ(three.needs[2].name, "b2");
    EXPECT_EQ(three.needs[2].where, "buffers[2].uri");
    MeshLimits limits;
    limits.siblings = 2;
    EXPECT_EQ(read(with_buffers(3, false), false, limits).outcome.what,
              "buffers[2].uri is one too many: a file may refer to 2 others");
    EXPECT_EQ(read(with_buffers(2, false), false, limits).outcome.what, "");
    EXPECT_EQ(read(with_buffers(2, false), false, limits, {{"b0", "x"}, {"b1", ""}}).outcome.what,
              "buffers[1].byteLength states 1 bytes, but there are 0");
}

}  // namespace
}  // namespace lab::io
