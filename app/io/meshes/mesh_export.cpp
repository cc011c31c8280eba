#include "io/meshes/mesh_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>

#include "bv/shapes/not_finite.hpp"
#include "io/atomic_file.hpp"
#include "io/file_kind.hpp"
#include "io/meshes/formats/text_scanner.hpp"
#include "io/text/encoded.hpp"

namespace lab::io {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the binary formats are written as the machine stores numbers");

template <class T>
void add_bytes(std::string& to, const T& value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string one_word(const std::string& name) {
    std::string word = name.empty() ? "mesh" : name;
    for (char& c : word)
        if (static_cast<unsigned char>(c) <= 32) c = '_';
    return word;
}

std::string obj(const bv::MeshView& mesh, const std::string& name) {
    std::string text = "o " + one_word(name) + "\n";
    auto out = std::back_inserter(text);
    for (const glm::vec3& p : mesh.positions)
        fmt::format_to(out, "v {} {} {}\n", p.x, p.y, p.z);
    for (const glm::uvec3& t : mesh.triangles)
        fmt::format_to(out, "f {} {} {}\n", t.x + 1, t.y + 1, t.z + 1);
    return text;
}

std::string off(const bv::MeshView& mesh) {
    std::string text = fmt::format("OFF\n{} {} 0\n", mesh.positions.size(), mesh.triangles.size());
    auto out = std::back_inserter(text);
    for (const glm::vec3& p : mesh.positions)
        fmt::format_to(out, "{} {} {}\n", p.x, p.y, p.z);
    for (const glm::uvec3& t : mesh.triangles)
        fmt::format_to(out, "3 {} {} {}\n", t.x, t.y, t.z);
    return text;
}

std::string stl_text(const bv::MeshView& mesh, const std::string& name) {
    std::string text = "solid " + one_word(name) + "\n";
    auto out = std::back_inserter(text);
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const bv::Triangle t = mesh.triangle(i);
        const glm::vec3 n = t.normal();
        fmt::format_to(out, "facet normal {} {} {}\nouter loop\n", n.x, n.y, n.z);
        for (const glm::vec3& p : {t.a, t.b, t.c})
            fmt::format_to(out, "vertex {} {} {}\n", p.x, p.y, p.z);
        text += "endloop\nendfacet\n";
    }
    return text + "endsolid " + one_word(name) + "\n";
}

std::string stl_binary(const bv::MeshView& mesh) {
    std::string bytes = "binary STL";  // must not begin with "solid"
    bytes.resize(80, ' ');
    add_bytes(bytes, static_cast<std::uint32_t>(mesh.triangles.size()));
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const bv::Triangle t = mesh.triangle(i);
        for (const glm::vec3& v : {t.normal(), t.a, t.b, t.c})
            add_bytes(bytes, v);
        add_bytes(bytes, std::uint16_t{0});
    }
    return bytes;
}

std::string ply(const bv::MeshView& mesh, bool binary) {
    std::string bytes = fmt::format(
        "ply\nformat {} 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
        "element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
        binary ? "binary_little_endian" : "ascii", mesh.positions.size(), mesh.triangles.size());
    auto out = std::back_inserter(bytes);
    for (const glm::vec3& p : mesh.positions) {
        if (binary) {
            add_bytes(bytes, p);
        } else {
            fmt::format_to(out, "{} {} {}\n", p.x, p.y, p.z);
        }
    }
    for (const glm::uvec3& t : mesh.triangles) {
        if (binary) {
            add_bytes(bytes, std::uint8_t{3});
            add_bytes(bytes, t);
        } else {
            fmt::format_to(out, "3 {} {} {}\n", t.x, t.y, t.z);
        }
    }
    return bytes;
}

/// The JSON of a glTF file whose one buffer is `data`: positions, then indices.
nlohmann::ordered_json gltf_json(const bv::MeshView& mesh, const std::string& name, std::size_t data_size) {
    constexpr int kFloat = 5126;
    constexpr int kUint = 5125;
    glm::vec3 low(0.0f);
    glm::vec3 high(0.0f);
    if (!mesh.positions.empty()) low = high = mesh.positions[0];
    for (const glm::vec3& p : mesh.positions) {
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], p[axis]);
            high[axis] = std::max(high[axis], p[axis]);
        }
    }
    const std::size_t split = mesh.positions.size_bytes();
    nlohmann::ordered_json json;
    json["asset"] = {{"version", "2.0"}, {"generator", "bvlab"}};
    json["scene"] = 0;
    json["scenes"] = {{{"nodes", {0}}}};
    json["nodes"] = {{{"mesh", 0}, {"name", name}}};
    json["meshes"] = {{{"primitives", {{{"attributes", {{"POSITION", 0}}}, {"indices", 1}, {"mode", 4}}}}}};
    json["accessors"] = {{{"bufferView", 0},
                          {"componentType", kFloat},
                          {"count", mesh.positions.size()},
                          {"type", "VEC3"},
                          {"min", {low.x, low.y, low.z}},
                          {"max", {high.x, high.y, high.z}}},
                         {{"bufferView", 1},
                          {"componentType", kUint},
                          {"count", mesh.triangles.size() * 3},
                          {"type", "SCALAR"}}};
    json["bufferViews"] = {{{"buffer", 0}, {"byteOffset", 0}, {"byteLength", split}},
                           {{"buffer", 0}, {"byteOffset", split}, {"byteLength", data_size - split}}};
    json["buffers"] = {{{"byteLength", data_size}}};
    return json;
}

std::string gltf(const bv::MeshView& mesh, const std::string& name, bool binary) {
    constexpr std::uint32_t kGltfMagic = 0x46546c67;
    constexpr std::uint32_t kJsonChunk = 0x4e4f534a;
    constexpr std::uint32_t kDataChunk = 0x004e4942;
    std::string data;
    for (const glm::vec3& p : mesh.positions)
        add_bytes(data, p);
    for (const glm::uvec3& t : mesh.triangles)
        add_bytes(data, t);
    nlohmann::ordered_json json = gltf_json(mesh, name, data.size());
    if (!binary) {
        json["buffers"][0]["uri"] =
            "data:application/octet-stream;base64," + base64_encoded(data, Base64::Standard);
        return json.dump(1) + "\n";
    }
    std::string text = json.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');  // chunks are whole words
    std::string bytes;
    add_bytes(bytes, kGltfMagic);
    add_bytes(bytes, std::uint32_t{2});
    add_bytes(bytes, static_cast<std::uint32_t>(12 + 8 + text.size() + 8 + data.size()));
    add_bytes(bytes, static_cast<std::uint32_t>(text.size()));
    add_bytes(bytes, kJsonChunk);
    bytes += text;
    add_bytes(bytes, static_cast<std::uint32_t>(data.size()));
    add_bytes(bytes, kDataChunk);
    return bytes + data;
}

}  // namespace

std::string encode_mesh(const bv::MeshView& mesh, const std::string& name, MeshFormat format) {
    switch (format) {
        case MeshFormat::Obj:
            return obj(mesh, name);
        case MeshFormat::StlText:
            return stl_text(mesh, name);
        case MeshFormat::StlBinary:
            return stl_binary(mesh);
        case MeshFormat::PlyText:
            return ply(mesh, false);
        case MeshFormat::PlyBinary:
            return ply(mesh, true);
        case MeshFormat::Off:
            return off(mesh);
        case MeshFormat::Gltf:
            return gltf(mesh, name, false);
        case MeshFormat::Glb:
            return gltf(mesh, name, true);
    }
    return "";
}

std::optional<FileError> write_mesh_file(const std::filesystem::path& path, const bv::MeshView& mesh) {
    if (auto error = wrong_ending(FileKind::Mesh, path)) return error;
    constexpr std::pair<const char*, MeshFormat> kFormats[] = {
        {".obj", MeshFormat::Obj}, {".stl", MeshFormat::StlBinary}, {".ply", MeshFormat::PlyBinary},
        {".off", MeshFormat::Off}, {".gltf", MeshFormat::Gltf},     {".glb", MeshFormat::Glb}};
    const std::string own = path.extension().string();
    const auto* const found = std::find_if(std::begin(kFormats), std::end(kFormats),
                                           [&](const auto& f) { return same_word(own, f.first); });
    if (found == std::end(kFormats))  // a pipe may have any name
        return FileError{path.string(), "", "the name must end in a known file type",
                         "Choose a name that ends in " + endings_of(FileKind::Mesh)};
    const bool sound = !mesh.triangles.empty() &&
                       std::all_of(mesh.positions.begin(), mesh.positions.end(),
                                   [](const glm::vec3& p) { return bv::is_finite(p); }) &&
                       std::all_of(mesh.triangles.begin(), mesh.triangles.end(), [&](const glm::uvec3& t) {
                           return std::max({t.x, t.y, t.z}) < mesh.positions.size();
                       });
    if (!sound)
        return FileError{path.string(), "",
                         "the mesh has no triangles, a position that is not finite or a wrong index", ""};
    return write_file_atomically(path, encode_mesh(mesh, path.stem().string(), found->second));
}

}  // namespace lab::io
