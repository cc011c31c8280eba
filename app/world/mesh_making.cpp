#include "world/mesh_making.hpp"

#include <cstring>
#include <utility>
#include <variant>

#include "bv/fit/aabb.hpp"
#include "bv/fit/hull.hpp"
#include "io/limits.hpp"
#include "io/text/printable.hpp"
#include "platform/clock.hpp"
#include "platform/threads/thread_pool.hpp"
#include "platform/threads/threads.hpp"
#include "results/stamp.hpp"

namespace lab {
namespace {

/// Smaller meshes are built faster than threads start.
constexpr std::size_t kWorthThreads = 50'000;
/// References per slice: about ten milliseconds in a page.
constexpr std::size_t kSliceReferences = 200'000;

std::unique_ptr<platform::Errand> send_extremes(const std::vector<glm::vec3>& positions) {
    return platform::send_errand(
        platform::ErrandKind::FindExtremes,
        {reinterpret_cast<const char*>(positions.data()), positions.size() * sizeof(glm::vec3)});
}

}  // namespace

MeshMaking::MeshMaking(std::string name, std::string source, std::vector<glm::vec3> positions,
                       std::vector<glm::uvec3> triangles, MeshNeeds needs)
    : needs_(std::move(needs)) {
    mesh_.stamp = next_stamp();
    // File names can hold any bytes; texts that name a mesh cannot.
    name = io::printable(name, io::LineEnds::Escape, io::limits::kNameBytes / 2);
    if (name.empty()) name = "mesh";
    mesh_.wanted = name;
    mesh_.name = std::move(name);
    mesh_.source = std::move(source);
    mesh_.positions = std::move(positions);
    mesh_.triangles = std::move(triangles);
    mesh_.fits = MeshEntry::no_fits();
}

MeshEntry MeshMaking::make() {
    const JobControl nobody;
    while (advance(nobody)) {
    }
    return take();
}

// Progress is in proportion to the time that each part takes for a million triangles.
bool MeshMaking::advance(const JobControl& control) {
    if (control.cancelled()) return false;
    const bool is_large = mesh_.triangles.size() > kWorthThreads;
    const bool has_threads = platform::has_threads() && !control.may_wait();
    switch (part_) {
        case Part::Bounds: {
            // Renderer-side data is prepared in parallel: the rest uses one core for half of its time.
            if (needs_.observer && is_large && has_threads)
                observed_ = std::async(std::launch::async, needs_.observer, mesh_.stamp, mesh_.view(), false);
            else if (needs_.observer && may_send(control))
                (void)needs_.observer(mesh_.stamp, mesh_.view(), true);
            if (may_send(control)) for_extremes_ = send_extremes(mesh_.positions);
            control.report(0.0f, "fitting volumes");
            const platform::Clock clock;
            mesh_.aabb_tight = bv::fit::aabb_tight(mesh_.positions);
            mesh_.aabb_tight_ms = clock.milliseconds();
            mesh_.sphere = std::get<bv::Sphere>(mesh_.fitted(VolumeKind::Sphere, {}).volume);
            part_ = Part::Obb;
            return true;
        }
        case Part::Obb:
            mesh_.obb = std::get<bv::Obb>(mesh_.fitted(VolumeKind::Obb, {}).volume);
            part_ = Part::Hull;
            return true;
        case Part::Hull:
            control.report(0.05f, "building the hull");
            if (find_extremes(control)) part_ = Part::Fits;
            return true;
        case Part::Fits:
            control.report(0.1f, "fitting the chosen volumes");
            if (!mesh_.make_next_fit(needs_.fits, needs_.kinds)) part_ = Part::Tree;
            return true;
        case Part::Tree:
            if (build_tree(control, is_large && has_threads)) part_ = Part::WideTree;
            return true;
        case Part::WideTree:
            if (build_wide(control)) part_ = Part::Drawing;
            return true;
        case Part::Drawing:
            control.report(0.65f, "preparing to draw");
            if (observed_.valid()) {
                observed_.get();
            } else if (needs_.observer && !needs_.observer(mesh_.stamp, mesh_.view(), may_send(control))) {
                control.wait();
                return true;
            }
            part_ = Part::Done;
            if (!may_send(control)) return advance(control);
            // The renderer takes its buffers in the frame that gets the mesh, not in the frame that does the
            // rest.
            control.wait();
            return true;
        case Part::Done:
            control.report(1.0f, "done");
            return false;
    }
    return false;
}

/// Whether parts of the work may be done in a worker, and are worth sending there.
bool MeshMaking::may_send(const JobControl& control) const {
    return control.may_wait() && mesh_.triangles.size() > kWorthThreads;
}

/// True once the extremes are there.
bool MeshMaking::find_extremes(const JobControl& control) {
    std::string found;
    if (for_extremes_) {
        if (!for_extremes_->has_ended()) {
            control.wait();
            return false;
        }
        found = for_extremes_->read();
        for_extremes_.reset();
    }
    mesh_.extremes.resize(found.size() / sizeof(glm::vec3));
    if (!found.empty())
        std::memcpy(static_cast<void*>(mesh_.extremes.data()), found.data(),
                    mesh_.extremes.size() * sizeof(glm::vec3));
    else
        mesh_.extremes = bv::fit::hull(mesh_.positions).vertices;
    return true;
}

/// True when the wide tree is there.
bool MeshMaking::build_wide(const JobControl& control) {
    if (!widening_) widening_.emplace(*tree_, &control.part(0.55f, 0.65f).build("building the wide tree"));
    if (widening_->advance(kSliceReferences)) return false;
    mesh_.bvh = widening_->take();
    widening_.reset();
    mesh_.tree = std::move(tree_);
    return true;
}

/// True when the tree is there: at once, or after some slices.
bool MeshMaking::build_tree(const JobControl& control, bool with_all_cores) {
    bv::MeshBvhOptions options;
    if (!building_) options.progress = &control.part(0.2f, 0.55f).build("building the tree");
    if (with_all_cores) {
        options.tasks = &platform::all_cores();
        tree_->build(mesh_.view(), options);
        return true;
    }
    if (!building_) building_.emplace(mesh_.view(), options);
    if (building_->advance(kSliceReferences)) return false;
    *tree_ = building_->take();
    building_.reset();
    return true;
}

std::string extremes_of_bytes(std::string_view positions) {
    std::vector<glm::vec3> points(positions.size() / sizeof(glm::vec3));
    if (!points.empty())
        std::memcpy(static_cast<void*>(points.data()), positions.data(), points.size() * sizeof(glm::vec3));
    const std::vector<glm::vec3> extremes = bv::fit::hull(points).vertices;
    return {reinterpret_cast<const char*>(extremes.data()), extremes.size() * sizeof(glm::vec3)};
}

}  // namespace lab
