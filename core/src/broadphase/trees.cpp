// The trees as broadphases.
#include "broadphase/engines.hpp"
#include "bv/assert.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/wide_tree.hpp"
#include "simd/wide_kernels.hpp"
#include "tree/dynamic/node_pair.hpp"

namespace bv::detail {

namespace {

std::uint64_t tests_of(const QueryStats& stats) {
    return std::uint64_t{stats.boxes_tested} + stats.leaves_tested;
}

/// The part that both trees share. Their payloads are the indices of the engine's proxies.
template <class Tree>
class TreeBroadphase : public Broadphase {
  public:
    bool has_tree() const noexcept final { return true; }
    std::optional<std::string> validate() const final { return tree_.validate(); }
    TreeSnapshot snapshot() const final {
        TreeSnapshot s = tree_.snapshot();
        for (std::uint64_t& p : s.payloads)
            p = user_data_at(static_cast<std::uint32_t>(p));
        return s;
    }

  protected:
    TreeBroadphase() = default;
    explicit TreeBroadphase(const TreeOptions& options) : tree_(options) {}

    /// The user data of the tree's proxies: the indices of the engine's proxies.
    static std::vector<std::uint64_t> payloads_of(std::span<const std::uint32_t> indices) {
        return {indices.begin(), indices.end()};
    }

    Tree tree_;

  private:
    QueryStats raycast_all(const Ray& ray, RayVisitor visitor, Recording* trace) const final {
        const auto call = [&](ProxyId, std::uint64_t index, float t) {
            const auto proxy = static_cast<std::uint32_t>(index);
            return visitor(id_at(proxy), user_data_at(proxy), t);
        };
        return trace ? tree_.raycast(ray, call, *trace) : tree_.raycast(ray, call);
    }
    QueryStats query_all(const Aabb& box, BoxVisitor visitor, Recording* trace) const final {
        const auto call = [&](ProxyId, std::uint64_t index) {
            const auto proxy = static_cast<std::uint32_t>(index);
            return visitor(id_at(proxy), user_data_at(proxy));
        };
        return trace ? tree_.query(box, call, *trace) : tree_.query(box, call);
    }
};

}  // namespace

class DynamicTreeBroadphase final : public TreeBroadphase<DynamicTree> {
  public:
    explicit DynamicTreeBroadphase(const TreeOptions& options) : TreeBroadphase(options) {}
    BroadphaseKind kind() const noexcept override { return BroadphaseKind::DynamicTree; }
    std::unique_ptr<Broadphase> clone() const override {
        return std::make_unique<DynamicTreeBroadphase>(*this);
    }
    void set_tree_options(const TreeOptions& options) override { tree_.set_options(options); }
    void rebuild(Builder builder) override { tree_.rebuild(builder); }

  private:
    void on_insert(std::uint32_t index, const Aabb& box) override {
        if (index >= ids_.size()) ids_.resize(index + 1u);
        ids_[index] = tree_.insert(box, index).id;
        BV_ASSERT(ids_[index].index == index);  // both reuse the slot freed last
    }
    void on_insert_all(std::span<const std::uint32_t> indices, std::span<const Aabb> boxes) override {
        ids_.resize(slots().size());
        std::vector<ProxyId> ids(indices.size());
        tree_.insert_all(boxes, payloads_of(indices), ids);
        for (std::size_t i = 0; i < indices.size(); ++i) {
            ids_[indices[i]] = ids[i];
            BV_ASSERT(ids[i].index == indices[i]);
        }
    }
    void on_remove(std::uint32_t index) override { tree_.remove(ids_[index]); }
    void on_clear(std::span<const std::uint32_t>) override { tree_.clear(); }
    bool on_move(std::uint32_t index, const Aabb& box, const glm::vec3& displacement) override {
        return tree_.move(ids_[index], box, displacement).fat_box_changed;
    }
    [[nodiscard]] Aabb box_of(std::uint32_t index) const noexcept override {
        return tree_.tight_box(ids_[index]);
    }
    void on_update() override { tree_.update(); }
    std::uint64_t collect(PairSink& out) override {
        QueryStats opened;
        const std::vector<TreeNodePair> parts = tree_.pair_parts(opened);
        return tests_of(opened) +
               collect_parts(parts.size(), out, [&](std::size_t begin, std::size_t end, PairSink& found) {
                   std::uint64_t tests = 0;
                   for (std::size_t part = begin; part < end && !found.is_full(); ++part)
                       tests += tests_of(tree_.pairs_of_part(parts[part], [&](ProxyId a, ProxyId b) {
                           found.push_back({a.index, b.index});
                           return found.is_full() ? Visit::Stop : Visit::Continue;
                       }));
                   return tests;
               });
    }
    std::size_t engine_bytes() const noexcept override {
        return tree_.memory_bytes() + ids_.size() * sizeof(ProxyId);
    }

    std::vector<ProxyId> ids_;
};

/// The tree's ids are those of the base class.
class WideTreeBroadphase final : public TreeBroadphase<WideTree> {
  public:
    BroadphaseKind kind() const noexcept override { return BroadphaseKind::WideTree; }
    std::unique_ptr<Broadphase> clone() const override { return std::make_unique<WideTreeBroadphase>(*this); }
    void rebuild(Builder) override { tree_.rebuild(); }

  private:
    void on_insert(std::uint32_t index, const Aabb& box) override {
        [[maybe_unused]] const ProxyId id = tree_.insert(box, index).id;
        BV_ASSERT(id == id_at(index));  // both reuse the slot freed last
        moved_ = true;  // the next update measures the tree, and rebuilds it if many were added
    }
    void on_insert_all(std::span<const std::uint32_t> indices, std::span<const Aabb> boxes) override {
        tree_.insert_all(boxes, payloads_of(indices));
        moved_ = true;
    }
    void on_remove(std::uint32_t index) override { tree_.remove(id_at(index)); }
    void on_clear(std::span<const std::uint32_t>) override {
        tree_.clear();
        moved_ = false;
    }
    // The tree fits itself to its new boxes in the next update.
    bool on_move(std::uint32_t index, const Aabb& box, const glm::vec3&) override {
        tree_.set_box(index, box);
        tree_.is_fitted_ = false;
        moved_ = true;
        return false;
    }
    bool on_move_all(const Moves& moves) override {
        if (moves.ids.empty()) return false;
        for_moves(moves, [this](std::uint32_t index, const Aabb& box) { tree_.set_box(index, box); });
        tree_.is_fitted_ = false;
        moved_ = true;
        return false;
    }
    void on_update() override {
        if (!moved_) return;
        tree_.update(tasks());
        moved_ = false;
    }
    [[nodiscard]] Aabb box_of(std::uint32_t index) const noexcept override {
        return tree_.tight_box(id_at(index));
    }
    std::uint64_t collect(PairSink& out) override {
        on_update();
        QueryStats opened;
        const std::vector<WideTreeNodePair> parts = tree_.pair_jobs(opened);
        return tests_of(opened) +
               collect_parts(parts.size(), out, [&](std::size_t begin, std::size_t end, PairSink& found) {
                   std::uint64_t tests = 0;
                   tree_.index_parts(std::span(parts).subspan(begin, end - begin),
                                     [&](std::span<const WideTreeProxyPair> pairs, const QueryStats& stats) {
                                         tests += tests_of(stats);
                                         found.append(pairs, pairs.size());
                                         return found.is_full() ? Visit::Stop : Visit::Continue;
                                     });
                   return tests;
               });
    }
    std::size_t engine_bytes() const noexcept override { return tree_.memory_bytes(); }

    bool moved_ = false;
};

std::unique_ptr<Broadphase> make_dynamic_tree_broadphase(const TreeOptions& options) {
    return std::make_unique<DynamicTreeBroadphase>(options);
}
std::unique_ptr<Broadphase> make_wide_tree_broadphase(const TreeOptions& /*options*/) {
    return std::make_unique<WideTreeBroadphase>();
}

}  // namespace bv::detail
