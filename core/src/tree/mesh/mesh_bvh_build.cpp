#include "bv/tree/mesh_bvh_build.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "tree/mesh/build/mesh_builders.hpp"
#include "tree/mesh/wide/mesh_wide_build.hpp"

namespace bv {

struct MeshBvhBuild::State {
    enum class Slice : std::uint8_t { Begin, Grow, Finish, None };

    MeshView mesh;
    MeshBvhOptions options;
    BuildProgress unwatched;
    MeshBvh tree;
    std::vector<detail::MeshRef> refs;
    detail::TopDownState top_down;
    MeshBuildStatus status = MeshBuildStatus::Ok;
    Slice next = Slice::Begin;

    State(const MeshView& given, const MeshBvhOptions& wanted) : mesh(given), options(wanted) {
        options.tasks = nullptr;
        if (options.progress == nullptr) options.progress = &unwatched;
    }
    [[nodiscard]] bool grows_in_slices() const noexcept {
        return options.builder == MeshBuilder::Median ||
               (options.builder == MeshBuilder::BinnedSah && !(options.spatial_splits > 0.0f));
    }
    /// True when all nodes are there.
    bool grow(std::size_t references) {
        detail::BuildRun run{serial_tasks(), *options.progress, &top_down};
        top_down.budget = std::max<std::size_t>(references, 1);
        if (options.builder == MeshBuilder::Median)
            detail::build_median(refs, detail::BuildLimits(options), run, tree.nodes_);
        else
            detail::build_binned(refs, detail::BuildLimits(options), run, tree.nodes_);
        return top_down.has_ended;
    }
    bool end(MeshBuildStatus with) {
        status = with;
        next = Slice::None;
        refs = {};
        top_down = {};
        return false;
    }
};

MeshBvhBuild::MeshBvhBuild(const MeshView& mesh, const MeshBvhOptions& options)
    : state_(std::make_unique<State>(mesh, options)) {}
MeshBvhBuild::~MeshBvhBuild() = default;
MeshBvhBuild::MeshBvhBuild(MeshBvhBuild&&) noexcept = default;
MeshBvhBuild& MeshBvhBuild::operator=(MeshBvhBuild&&) noexcept = default;

bool MeshBvhBuild::advance(std::size_t references) {
    using Slice = State::Slice;
    if (state_ == nullptr || state_->next == Slice::None) return false;
    State& s = *state_;
    if (!s.grows_in_slices()) return s.end(s.tree.build(s.mesh, s.options));
    switch (s.next) {
        case Slice::Begin:
            if (const MeshBuildStatus begun = s.tree.begin_build(s.mesh, s.refs);
                begun != MeshBuildStatus::Ok)
                return s.end(begun);
            s.next = Slice::Grow;
            break;
        case Slice::Grow:
            if (s.grow(references)) s.next = Slice::Finish;
            break;
        default:
            return s.end(s.tree.finish_build(s.mesh, s.options, s.refs, *s.options.progress));
    }
    return s.options.progress->cancelled() ? s.end(s.tree.cancel_build()) : true;
}

MeshBuildStatus MeshBvhBuild::status() const noexcept {
    return state_ != nullptr ? state_->status : MeshBuildStatus::Ok;
}

MeshBvh MeshBvhBuild::take() {
    if (state_ == nullptr || state_->next != State::Slice::None) return {};
    return std::move(state_->tree);
}

struct MeshBvh8Build::State {
    BuildProgress unwatched;
    MeshBvh8 tree;
    detail::WideBuild build;
    bool has_ended = false;

    State(const MeshBvh& binary, BuildProgress* progress)
        : build(binary, tree, progress != nullptr ? *progress : unwatched) {}
};

MeshBvh8Build::MeshBvh8Build(const MeshBvh& tree, BuildProgress* progress)
    : state_(std::make_unique<State>(tree, progress)) {}
MeshBvh8Build::~MeshBvh8Build() = default;
MeshBvh8Build::MeshBvh8Build(MeshBvh8Build&&) noexcept = default;
MeshBvh8Build& MeshBvh8Build::operator=(MeshBvh8Build&&) noexcept = default;

bool MeshBvh8Build::advance(std::size_t references) {
    if (state_ == nullptr) return false;
    state_->has_ended = !state_->build.advance(references);
    return !state_->has_ended;
}

MeshBvh8::Status MeshBvh8Build::status() const noexcept {
    return state_ != nullptr ? state_->build.status() : MeshBvh8::Status::Ok;
}

MeshBvh8 MeshBvh8Build::take() {
    if (state_ == nullptr || !state_->has_ended) return {};
    return std::move(state_->tree);
}

}  // namespace bv
