#include "world/mesh_library.hpp"

#include "io/file_kind.hpp"
#include "io/limits.hpp"
#include "io/printable.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <utility>
#include <variant>

#include "bv/assert.hpp"
#include "bv/fit/aabb.hpp"
#include "bv/fit/catalog.hpp"
#include "bv/fit/hull.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "results/stamp.hpp"
#include "workloads/meshes.hpp"

namespace lab {
namespace {

/// Smaller meshes are built before threads have started.
constexpr std::size_t kWorthThreads = 50'000;

template <class Fit>
auto timed(Fit&& fit) {
    const auto start = std::chrono::steady_clock::now();
    auto volume = fit();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    return Fitted<decltype(volume)>{std::move(volume), took.count()};
}

/// Whether two files hold the same mesh, with the same colors.
bool is_same(const MeshEntry& a, const MeshEntry& b) {
    const auto same_skin = [](const VoxelSkin& s, const VoxelSkin& t) {
        return s.origin == t.origin && s.edge == t.edge && *s.cells == *t.cells;
    };
    const bool alike = !a.voxels == !b.voxels && (!a.voxels || same_skin(*a.voxels, *b.voxels));
    return alike && a.positions == b.positions && a.triangles == b.triangles;
}

/// A row of the catalog of fits. What the hull decides is made around its corners alone.
template <class Volume>
Fitted<Volume> by_catalog(const MeshEntry& mesh, std::string_view kind, std::string_view fit) {
    const bv::fit::FitEntry* const row = bv::fit::find_fit(fmt::format("{}.{}", kind, fit));
    BV_ASSERT(row != nullptr);
    const bool by_hull = row->cost == bv::fit::CostClass::Hull || row->cost == bv::fit::CostClass::Search;
    const bv::MeshView points = by_hull ? bv::MeshView{mesh.extremes, {}} : mesh.view();
    return timed([&] { return std::get<Volume>(row->fit(points)); });
}

template <class Volume>
FittedVolume table_row(VolumeKind kind, std::string_view algorithm, Role role, const Volume& volume,
                       double fit_ms) {
    return {std::string(volume_id(kind)),
            std::string(algorithm),
            role,
            static_cast<double>(volume.volume()),
            static_cast<double>(volume.surface_area()),
            fit_ms};
}

}  // namespace

/// A fit that is made once, by whichever thread needs it first.
template <class Volume>
struct KeptFit {
    std::atomic<bool> made{false};
    std::once_flag making;
    Fitted<Volume> fit;

    const Fitted<Volume>& get(const MeshEntry& mesh, std::string_view kind, std::string_view algorithm) {
        if (made.load(std::memory_order_acquire)) return fit;
        std::call_once(making, [&] {
            fit = by_catalog<Volume>(mesh, kind, algorithm);
            made.store(true, std::memory_order_release);
        });
        return fit;
    }
};

struct MeshEntry::Fits {
    std::array<KeptFit<bv::Sphere>, kSphereFits> spheres;
    std::array<KeptFit<bv::Obb>, kObbFits> obbs;
};

const Fitted<bv::Sphere>& MeshEntry::fitted(SphereFit fit) const {
    return fits->spheres[static_cast<std::size_t>(fit)].get(*this, "sphere", fit_id(fit));
}

const Fitted<bv::Obb>& MeshEntry::fitted(ObbFit fit) const {
    return fits->obbs[static_cast<std::size_t>(fit)].get(*this, "obb", fit_id(fit));
}

bool MeshEntry::has_fits(const VolumeChoice& choice) const {
    return fits->spheres[static_cast<std::size_t>(choice.sphere)].made &&
           fits->obbs[static_cast<std::size_t>(choice.obb)].made;
}

std::vector<FittedVolume> MeshEntry::volumes(const VolumeChoice& choice) const {
    const Fitted<bv::Sphere>& ball = fitted(choice.sphere);
    const Fitted<bv::Obb>& box = fitted(choice.obb);
    const auto fixed = timed([&] { return bv::fit::aabb_fixed(ball.volume); });
    return {
        table_row(VolumeKind::Sphere, fit_id(choice.sphere), Role::Sphere, ball.volume, ball.fit_ms),
        table_row(VolumeKind::AabbFixed, "of_sphere", Role::AabbFixed, fixed.volume, fixed.fit_ms),
        table_row(VolumeKind::AabbTight, "min_max", Role::AabbTight, aabb_tight, aabb_tight_ms),
        table_row(VolumeKind::Obb, fit_id(choice.obb), Role::Obb, box.volume, box.fit_ms),
    };
}

MeshId MeshLibrary::add(std::string name, std::string source, std::vector<glm::vec3> positions,
                        std::vector<glm::uvec3> triangles) {
    return insert(make(std::move(name), std::move(source), std::move(positions), std::move(triangles), {},
                       JobControl{}));
}

MeshEntry MeshLibrary::make(std::string name, std::string source, std::vector<glm::vec3> positions,
                            std::vector<glm::uvec3> triangles, const MeshNeeds& needs,
                            const JobControl& control) {
    MeshEntry mesh;
    mesh.stamp = next_stamp();
    // A file may be called anything; every text that names a mesh must be able to.
    mesh.name = io::printable(name, io::LineEnds::Escape, io::limits::kNameBytes / 2);
    if (mesh.name.empty()) mesh.name = "mesh";
    mesh.source = std::move(source);
    mesh.positions = std::move(positions);
    mesh.triangles = std::move(triangles);
    mesh.fits = std::make_shared<MeshEntry::Fits>();
    // The picture is prepared beside the rest, which uses one core for half of its time.
    std::future<void> observed;
    if (needs.observer && mesh.triangles.size() > kWorthThreads)
        observed = std::async(std::launch::async, needs.observer, mesh.stamp, mesh.view());
    // The shares of time that a mesh of a million triangles takes.
    if (!control.report(0.0f, "fitting volumes")) return mesh;
    const Fitted<bv::Aabb> tight = timed([&] { return bv::fit::aabb_tight(mesh.positions); });
    mesh.aabb_tight = tight.volume;
    mesh.aabb_tight_ms = tight.fit_ms;
    mesh.sphere = mesh.fitted(VolumeChoice{}.sphere).volume;
    mesh.obb = mesh.fitted(VolumeChoice{}.obb).volume;
    if (!control.report(0.05f, "building the hull")) return mesh;
    mesh.extremes = bv::fit::hull(mesh.positions).vertices;
    if (control.cancelled()) return mesh;
    if (!mesh.has_fits(needs.fits)) {
        if (!control.report(0.1f, "fitting the volumes that were chosen")) return mesh;
        (void)mesh.volumes(needs.fits);
    }
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
    if (observed.valid())
        observed.get();
    else if (needs.observer)
        needs.observer(mesh.stamp, mesh.view());
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

std::optional<MeshId> MeshLibrary::find_file(const std::string& path) const {
    for (std::size_t i = entries_.size(); i-- > 0;) {
        const std::string& source = entries_[i].source;
        if (source != kGenerated && source != kCut && io::is_same_place(source, path))
            return MeshId{static_cast<std::uint32_t>(i)};
    }
    return std::nullopt;
}

MeshId MeshLibrary::insert_file(MeshEntry mesh) {
    const std::optional<MeshId> before = find_file(mesh.source);
    if (!before) return insert(std::move(mesh));
    MeshEntry& old = entries_[before->value];
    if (is_same(old, mesh)) return *before;
    mesh.name = std::exchange(old.name, "");
    const std::string wanted = mesh.name + " (before)";
    std::string name = wanted;
    for (int number = 2; find(name); ++number)
        name = fmt::format("{} {}", wanted, number);
    old.name = std::move(name);
    mesh.replaced = before;
    return insert(std::move(mesh));
}

void MeshLibrary::take_back(std::size_t count) {
    for (; entries_.size() > count; entries_.pop_back())
        if (const MeshEntry& last = entries_.back(); last.replaced)
            entries_[last.replaced->value].name = last.name;
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
