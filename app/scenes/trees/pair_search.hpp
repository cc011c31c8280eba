// A scene that steps an engine's search for pairs; `Kind` names the engine by the scene's settings.
#pragma once

#include <memory>

#include "bv/broadphase/broadphase.hpp"
#include "scenes/trees/box_set.hpp"
#include "steps/walk.hpp"

namespace lab::scenes {

/// The walk of one search. With `before`, the engine has searched these boxes first, as in the last frame.
[[nodiscard]] std::shared_ptr<const steps::Walk> walk_of_search(bv::BroadphaseKind kind,
                                                                const std::vector<bv::Aabb>& boxes,
                                                                const std::vector<bv::Aabb>& before);
/// Shows where the boxes were in the last frame; for many boxes, only the motion of each.
void show_motion(const std::vector<bv::Aabb>& before, const std::vector<bv::Aabb>& now,
                 FrameResults& results);
/// A row for each engine that can be stepped: its tests and pairs on these boxes. With `before`, one more
/// for the chosen engine, after it has searched `before` first.
[[nodiscard]] Table compare_searches(bv::BroadphaseKind chosen, const std::vector<bv::Aabb>& boxes,
                                     const std::vector<bv::Aabb>& before);

template <class Kind>
class PairSearchScene final : public SceneOf<PairSearchScene<Kind>> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        boxes_.follow(box_input(context));
        for (const bv::Aabb& box : boxes_.boxes())
            context.frame_box = bv::merge(context.frame_box, box);
        if (!context.frame_box.is_empty()) context.frame_box.min.y -= 0.2f * context.frame_box.size().y;
    }
    void adapt(SceneContext& context) override { boxes_.follow(box_input(context)); }
    void analyze(const SceneContext& context, const FrameResults&) override {
        const bv::BroadphaseKind engine = Kind::engine(context.settings);
        const std::vector<bv::Aabb> before = Kind::before(context.settings, boxes_.boxes());
        if (walk_ && engine == engine_ && boxes_.boxes() == walked_ && before == before_) return;
        engine_ = engine;
        walked_ = boxes_.boxes();
        before_ = before;
        walk_ = walk_of_search(engine_, walked_, before_);
        table_ = compare_searches(engine_, walked_, before_);
    }
    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        return boxes_.drag(id, position);
    }
    bool play(SceneContext& context, std::string_view action) override {
        return boxes_.play(context, action);
    }
    [[nodiscard]] SceneInput input() const override { return boxes_.input(); }
    [[nodiscard]] std::size_t input_size() const override { return boxes_.boxes().size(); }
    void restore(const SceneInput&, const SceneInput& to) override { boxes_.restore(to); }
    void show(const SceneContext&, FrameResults& results) const override {
        boxes_.show(results);
        show_motion(before_, walked_, results);
        results.tables.push_back(table_);
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }
    [[nodiscard]] std::size_t memory_bytes() const override {
        return sizeof(*this) + walked_.size() * 4 * sizeof(bv::Aabb) + (walk_ ? walk_->memory_bytes() : 0);
    }

  private:
    BoxSet boxes_;
    bv::BroadphaseKind engine_{};
    std::vector<bv::Aabb> walked_, before_;
    std::shared_ptr<const steps::Walk> walk_;
    Table table_;
};

}  // namespace lab::scenes
