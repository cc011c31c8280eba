#include "io/gltf_check.hpp"

#include <cstring>
#include <nlohmann/json.hpp>

namespace lab::io {
namespace {

using Json = nlohmann::json;

/// The JSON part: the whole of a .gltf file, the first chunk of a .glb file.
std::string_view json_part(std::string_view bytes) {
    constexpr std::size_t kHeaders = 20;
    if (!bytes.starts_with("glTF")) return bytes;
    std::uint32_t size = 0;
    if (bytes.size() < kHeaders) return {};
    std::memcpy(&size, bytes.data() + 12, sizeof size);
    return bytes.substr(kHeaders, size);
}

std::uint64_t accessor_count(const Json& root, const Json& number) {
    return root.at("accessors").at(number.get<std::size_t>()).at("count").get<std::uint64_t>();
}

}  // namespace

std::optional<std::uint64_t> stated_gltf_triangles(std::string_view bytes) {
    constexpr int kTriangles = 4;
    try {
        const Json root = Json::parse(json_part(bytes));
        std::uint64_t corners = 0;
        for (const Json& mesh : root.at("meshes")) {
            for (const Json& primitive : mesh.at("primitives")) {
                if (primitive.value("mode", kTriangles) != kTriangles || primitive.contains("extensions"))
                    return std::nullopt;
                const bool indexed = primitive.contains("indices");
                corners += accessor_count(root, indexed ? primitive.at("indices")
                                                        : primitive.at("attributes").at("POSITION")) /
                           3 * 3;
            }
        }
        return corners / 3;
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

}  // namespace lab::io
