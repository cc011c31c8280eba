#include "io/mesh_import.hpp"

#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <assimp/ProgressHandler.hpp>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/gltf_check.hpp"
#include "io/mesh_builder.hpp"
#include "io/mesh_formats.hpp"
#include "io/text_scanner.hpp"

namespace lab::io {
namespace {

constexpr const char* kRepair = "Repair the mesh, or export it again, in the program that made it";

/// Passes assimp's progress on. assimp owns it.
class Progress : public Assimp::ProgressHandler {
  public:
    explicit Progress(const std::function<void(float)>& report) : report_(report) {}
    bool Update(float fraction) override {
        // assimp counts reading as the first half and says -1 where it does not know.
        if (fraction >= 0.0f) report_(0.8f * fraction);
        return true;
    }

  private:
    std::function<void(float)> report_;
};

/// Adds one part under the transform from its node to the world. An error text, or empty.
std::string add_part(const aiMesh& part, const aiMatrix4x4& to_world, MeshBuilder& builder) {
    // A mirroring transform turns triangles inside out unless they are reversed.
    const bool mirrored = to_world.Determinant() < 0.0f;
    for (unsigned f = 0; f < part.mNumFaces; ++f) {
        const aiFace& face = part.mFaces[f];
        if (face.mNumIndices != 3) continue;  // points and lines
        glm::vec3 corners[3];
        for (unsigned k = 0; k < 3; ++k) {
            if (face.mIndices[k] >= part.mNumVertices)
                return "a triangle refers to a vertex that does not exist";
            const aiVector3D p = to_world * part.mVertices[face.mIndices[k]];
            corners[k] = {p.x, p.y, p.z};
        }
        if (mirrored) std::swap(corners[1], corners[2]);
        std::string wrong = builder.add(corners[0], corners[1], corners[2]);
        if (!wrong.empty()) return wrong;
    }
    return "";
}

/// Parts of assimp's reasons that say nothing to a user, or name the file again, are replaced.
FileError not_understood(const std::string& path, std::string why) {
    for (char& c : why)
        if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = ' ';
    if (why.empty() || why.find("No suitable reader") != std::string::npos)
        why = "it is not what its name says";
    return {path, "", "cannot be understood (" + why.substr(0, 160) + ")",
            "The file is probably damaged; export it again"};
}

/// True if a glTF file states more triangles than assimp has kept.
bool lost_triangles(const std::string& path, const aiScene& scene) {
    const std::string extension = std::filesystem::path(path).extension().string();
    if (!same_word(extension, ".gltf") && !same_word(extension, ".glb")) return false;
    const Result<std::string> bytes = read_whole_file(path, std::size_t{1} << 32);
    const auto stated = bytes ? stated_gltf_triangles(*bytes) : std::nullopt;
    std::uint64_t kept = 0;
    for (unsigned m = 0; m < scene.mNumMeshes; ++m)
        kept += scene.mMeshes[m]->mNumFaces;
    return stated && *stated > kept;
}

Result<MeshFile> import_with_assimp(const std::string& path, const std::function<void(float)>& progress) {
    Assimp::Importer importer;
    importer.SetProgressHandler(new Progress(progress));  // NOLINT: the importer deletes it
    const aiScene* scene = importer.ReadFile(path, aiProcess_Triangulate | aiProcess_ValidateDataStructure);
    if (scene == nullptr || scene->mRootNode == nullptr)
        return not_understood(path, importer.GetErrorString());
    if (lost_triangles(path, *scene))
        return FileError{path, "", "has triangles that refer to vertices that do not exist", kRepair};
    MeshBuilder builder;
    std::uint32_t parts = 0;
    std::vector<std::pair<const aiNode*, aiMatrix4x4>> open{
        {scene->mRootNode, scene->mRootNode->mTransformation}};
    while (!open.empty()) {
        const auto [node, to_world] = open.back();
        open.pop_back();
        for (unsigned m = 0; m < node->mNumMeshes; ++m) {
            if (node->mMeshes[m] >= scene->mNumMeshes) continue;
            const std::string wrong = add_part(*scene->mMeshes[node->mMeshes[m]], to_world, builder);
            if (!wrong.empty()) return FileError{path, "", wrong, kRepair};
            ++parts;
        }
        for (unsigned c = node->mNumChildren; c > 0; --c)
            open.emplace_back(node->mChildren[c - 1], to_world * node->mChildren[c - 1]->mTransformation);
    }
    return builder.finish(path, parts);
}

using OwnReader = ReadOutcome (*)(std::string_view, MeshBuilder&, const ReadProgress&);

OwnReader own_reader_for(const std::string& path) {
    const std::string extension = std::filesystem::path(path).extension().string();
    if (same_word(extension, ".obj")) return read_obj;
    if (same_word(extension, ".stl")) return read_stl;
    if (same_word(extension, ".ply")) return read_ply;
    if (same_word(extension, ".off")) return read_off;
    return nullptr;
}

}  // namespace

Result<MeshFile> import_mesh(const std::string& path, const std::function<void(float)>& progress) {
    if (const OwnReader read = own_reader_for(path)) {
        const Result<std::string> bytes = read_whole_file(path, std::size_t{1} << 32);
        if (!bytes) return bytes.error();
        MeshBuilder builder;
        ReadOutcome outcome = read(*bytes, builder, progress);
        if (outcome.kind == ReadOutcome::Kind::Wrong)
            return FileError{path, std::move(outcome.where), std::move(outcome.what), kRepair};
        if (outcome.kind == ReadOutcome::Kind::Done) return builder.finish(path, outcome.parts);
    }
    return import_with_assimp(path, progress);
}

}  // namespace lab::io
