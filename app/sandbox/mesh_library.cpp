#include "sandbox/mesh_library.hpp"

#include <fmt/format.h>

#include <chrono>
#include <future>
#include <utility>

#include "bv/assert.hpp"
#include "bv/fit/aabb.hpp"
#include "bv/fit/hull.hpp"
#include "bv/fit/obb.hpp"
#include "bv/fit/sphere.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "workloads/meshes.hpp"

namespace lab {
namespace {

/// Smaller meshes are built before threads have started.
constexpr std::size_t kWorthThreads = 50'000;

/// Runs a fit and writes its row.
template <class Fit>
auto fitted(MeshEntry& mesh, std::string kind, std::string algorithm, Role role, Fit&& fit) {
    const auto start = std::chrono::steady_clock::now();
    const auto volume = fit();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    mesh.volumes.push_back(
        {std::move(kind), std::move(algorithm), role, volume.volume(), volume.surface_area(), took.count()});
    return volume;
}

void fit_all(MeshEntry& mesh) {
    mesh.sphere = fitted(mesh, "sphere", "ritter", Role::Sphere,
                         [&] { return bv::fit::sphere_ritter(mesh.positions); });
    mesh.aabb_fixed = fitted(mesh, "aabb_fixed", "of_sphere", Role::AabbFixed,
                             [&] { return bv::fit::aabb_fixed(mesh.sphere); });
    mesh.aabb_tight = fitted(mesh, "aabb_tight", "min_max", Role::AabbTight,
                             [&] { return bv::fit::aabb_tight(mesh.positions); });
    mesh.obb = fitted(mesh, "obb", "pca", Role::Obb, [&] { return bv::fit::obb_pca(mesh.positions); });
}

}  // namespace

MeshId MeshLibrary::add(std::string name, std::string source, std::vector<glm::vec3> positions,
                        std::vector<glm::uvec3> triangles) {
    return insert(make(std::move(name), std::move(source), std::move(positions), std::move(triangles), {},
                       JobControl{}));
}

MeshEntry MeshLibrary::make(std::string name, std::string source, std::vector<glm::vec3> positions,
                            std::vector<glm::uvec3> triangles, const MeshPreparer& preparer,
                            const JobControl& control) {
    MeshEntry mesh;
    mesh.name = std::move(name);
    mesh.source = std::move(source);
    mesh.positions = std::move(positions);
    mesh.triangles = std::move(triangles);
    // The picture is prepared beside the rest, which uses one core for half of its time.
    std::future<std::shared_ptr<const void>> drawable;
    if (preparer && mesh.triangles.size() > kWorthThreads)
        drawable = std::async(std::launch::async, preparer, mesh.view());
    // The shares of time that a mesh of a million triangles takes.
    if (!control.report(0.0f, "fitting volumes")) return mesh;
    fit_all(mesh);
    if (!control.report(0.05f, "building the hull")) return mesh;
    mesh.extremes = bv::fit::hull(mesh.positions).vertices;
    if (control.cancelled()) return mesh;
    bv::MeshBvhOptions options;
    options.progress = &control.part(0.2f, 0.55f).build("building the tree");
    if (mesh.triangles.size() > kWorthThreads) options.tasks = &all_cores();
    auto tree = std::make_shared<bv::MeshBvh>();
    tree->build(mesh.view(), options);
    if (control.cancelled()) return mesh;
    mesh.bvh.build(*tree, &control.part(0.55f, 0.65f).build("building the wide tree"));
    mesh.tree = std::move(tree);
    if (!control.report(0.65f, "preparing the picture")) return mesh;
    if (drawable.valid())
        mesh.drawable = drawable.get();
    else if (preparer)
        mesh.drawable = preparer(mesh.view());
    control.report(1.0f, "done");
    return mesh;
}

MeshId MeshLibrary::insert(MeshEntry mesh) {
    const std::string wanted = mesh.name;
    for (int number = 2; find(mesh.name); ++number)
        mesh.name = fmt::format("{} {}", wanted, number);
    entries_.push_back(std::move(mesh));
    return {static_cast<std::uint32_t>(entries_.size() - 1)};
}

void MeshLibrary::add_generated() {
    for (const bv::workloads::MeshCatalogEntry& row : bv::workloads::mesh_catalog()) {
        bv::workloads::MeshData data = row.factory();
        add(std::string(row.id), std::string(kGenerated), std::move(data.positions),
            std::move(data.triangles));
    }
}

std::optional<MeshId> MeshLibrary::find(std::string_view name) const {
    for (std::size_t i = 0; i < entries_.size(); ++i)
        if (entries_[i].name == name) return MeshId{static_cast<std::uint32_t>(i)};
    return std::nullopt;
}

const MeshEntry& MeshLibrary::operator[](MeshId id) const {
    BV_ASSERT(id.value < entries_.size());
    return entries_[id.value];
}

std::vector<std::string_view> MeshLibrary::names() const {
    std::vector<std::string_view> names;
    for (const MeshEntry& mesh : entries_)
        if (mesh.source != kCut) names.push_back(mesh.name);
    return names;
}

}  // namespace lab
