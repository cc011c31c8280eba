// The library's own trees as contenders.
#include <limits>

#include "bench/tree_contenders.hpp"
#include "bv/broadphase/broadphase.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/wide_tree.hpp"

namespace bv::bench {

namespace {

/// Operations with the same interface in both trees.
template <class Tree>
class Ours : public Contender {
  public:
    template <class Options>
    Ours(std::string name, const Options& options) : name_(std::move(name)), tree_(options) {}

    std::string name() const override { return name_; }
    void insert_one_by_one(std::span<const Aabb> boxes) override {
        tree_.clear();
        ids_.clear();
        for (std::size_t i = 0; i < boxes.size(); ++i)
            ids_.push_back(tree_.insert(boxes[i], i).id);
    }
    bool remove(std::span<const std::uint32_t> which) override {
        for (const std::uint32_t i : which)
            tree_.remove(ids_[i]);
        return true;
    }
    void build(std::span<const Aabb> boxes) override {
        tree_.clear();
        data_.resize(boxes.size());
        for (std::size_t i = 0; i < boxes.size(); ++i)
            data_[i] = i;
        ids_.resize(boxes.size());
        tree_.insert_all(boxes, data_, ids_);
    }
    std::size_t memory_bytes() const override { return tree_.memory_bytes(); }
    std::uint64_t queries(std::span<const Aabb> boxes) override {
        std::uint64_t sum = 0;
        for (const Aabb& box : boxes)
            tree_.query(box, [&](ProxyId, std::uint64_t data) { sum += 1 + data; });
        return sum;
    }
    std::uint64_t rays(std::span<const Ray> rays) override {
        std::uint64_t sum = 0;
        for (const Ray& ray : rays) {
            std::uint64_t nearest = 0;
            tree_.raycast(ray, [&](ProxyId, std::uint64_t, float t) {
                nearest = t_mark(t);
                return t;
            });
            sum += nearest;
        }
        return sum;
    }

  protected:
    [[nodiscard]] std::uint64_t mark(ProxyId a, ProxyId b) const {
        return pair_mark(static_cast<std::uint32_t>(*tree_.user_data(a)),
                         static_cast<std::uint32_t>(*tree_.user_data(b)));
    }

    std::string name_;
    Tree tree_;
    std::vector<ProxyId> ids_;
    std::vector<std::uint64_t> data_;
};

class Wide : public Ours<WideTree> {
  public:
    Wide(std::string name, Simd simd) : Ours(std::move(name), WideTreeOptions{.simd = simd}) {}

    void update(std::span<const Aabb> boxes, std::span<const glm::vec3>) override {
        tree_.move_all(ids_, boxes);
        tree_.update();
    }
    std::uint64_t pairs() override {
        std::uint64_t sum = 0;
        tree_.collect_pairs(pairs_);
        for (const auto& [a, b] : pairs_)
            sum += mark(a, b);
        return sum;
    }

  private:
    std::vector<WideTree::Pair> pairs_;
};

/// Moves boxes one by one, as queries between the moves require.
class WideOneByOne final : public Wide {
  public:
    using Wide::Wide;

    void update(std::span<const Aabb> boxes, std::span<const glm::vec3>) override {
        for (std::size_t i = 0; i < boxes.size(); ++i)
            tree_.move(ids_[i], boxes[i]);
        tree_.update();
    }
};

/// The wide tree behind the interface of all engines. Pairs come out sorted.
class Engine final : public Contender {
  public:
    std::string name() const override { return "wide tree in Broadphase"; }
    void insert_one_by_one(std::span<const Aabb> boxes) override {
        engine_ = make_broadphase(BroadphaseKind::WideTree);
        ids_.clear();
        for (std::size_t i = 0; i < boxes.size(); ++i)
            ids_.push_back(engine_->insert(boxes[i], i).id);
    }
    bool remove(std::span<const std::uint32_t> which) override {
        for (const std::uint32_t i : which)
            engine_->remove(ids_[i]);
        return true;
    }
    void build(std::span<const Aabb> boxes) override {
        insert_one_by_one(boxes);
        engine_->rebuild(Builder::BinnedSah);
    }
    void update(std::span<const Aabb> boxes, std::span<const glm::vec3>) override {
        engine_->move_all(ids_, boxes);
        engine_->update();
    }
    std::uint64_t pairs() override {
        std::uint64_t sum = 0;
        bytes_ = engine_->find_pairs(pairs_).memory_bytes;
        for (const auto& [a, b] : pairs_)
            sum += pair_mark(static_cast<std::uint32_t>(*engine_->user_data(a)),
                             static_cast<std::uint32_t>(*engine_->user_data(b)));
        return sum;
    }
    std::uint64_t queries(std::span<const Aabb> boxes) override {
        std::uint64_t sum = 0;
        for (const Aabb& box : boxes)
            engine_->query(box, [&](ProxyId, std::uint64_t data) { sum += 1 + data; });
        return sum;
    }
    std::uint64_t rays(std::span<const Ray> rays) override {
        std::uint64_t sum = 0;
        for (const Ray& ray : rays) {
            std::uint64_t nearest = 0;
            engine_->raycast(ray, [&](ProxyId, std::uint64_t, float t) {
                nearest = t_mark(t);
                return t;
            });
            sum += nearest;
        }
        return sum;
    }
    std::size_t memory_bytes() const override { return bytes_; }

  private:
    std::unique_ptr<Broadphase> engine_;
    std::vector<ProxyId> ids_;
    std::vector<ProxyPair> pairs_;
    std::size_t bytes_ = 0;
};

class Binary final : public Ours<DynamicTree> {
  public:
    using Ours::Ours;

    void update(std::span<const Aabb> boxes, std::span<const glm::vec3> displacements) override {
        tree_.move_all(ids_, boxes, displacements);
        tree_.update();
    }
    std::uint64_t pairs() override {
        std::uint64_t sum = 0;
        tree_.for_each_pair([&](ProxyId a, ProxyId b) { sum += mark(a, b); });
        return sum;
    }
};

}  // namespace

std::vector<std::unique_ptr<Contender>> make_contenders(Which which) {
    std::vector<std::unique_ptr<Contender>> all;
    all.push_back(std::make_unique<Wide>("wide tree", best_simd()));
    if (which == Which::All && best_simd() != Simd::Scalar)
        all.push_back(std::make_unique<Wide>("wide tree, scalar twin", Simd::Scalar));
    if (which == Which::All) {
        all.push_back(std::make_unique<WideOneByOne>("wide tree, single moves", best_simd()));
        all.push_back(std::make_unique<Engine>());
    }
    all.push_back(std::make_unique<Binary>("binary, re-inserting", TreeOptions{}));
    if (which == Which::Ours) return all;
    all.push_back(
        std::make_unique<Binary>("binary, partial rebuild",
                                 TreeOptions{.upkeep = Upkeep::PartialRebuild, .builder = Builder::Median}));
    for (auto make : {make_bullet_tree, make_bullet_broadphase, make_fcl})
        if (auto peer = make()) all.push_back(std::move(peer));
    return all;
}

}  // namespace bv::bench
