// A list of boxes from a file, inserted in its order into a tree of the chosen kind.
#include <fmt/format.h>

#include "bv/tree/dynamic_tree.hpp"
#include "sandbox/opened_files.hpp"
#include "sandbox/scenes/factories.hpp"
#include "sandbox/settings.hpp"
#include "sandbox/world.hpp"
#include "workloads/random.hpp"

namespace lab::scenes {
namespace {

constexpr std::size_t kMaxDrawn = 20'000;

class OpenedBoxes final : public SceneOf<OpenedBoxes> {
  public:
    void setup(SceneContext& context) override {
        load(context);
        // A list from a file does not move: fat margins would only hide what the tree makes of it.
        bv::TreeOptions options = context.world.options().tree;
        options.margin = bv::Margin::None;
        tree_ = bv::DynamicTree(options);
        bv::Aabb all;
        for (std::size_t i = 0; i < boxes_.size(); ++i) {
            tree_.insert(boxes_[i], i);
            all = bv::merge(all, boxes_[i]);
        }
        context.world.set_room(all);
        (void)context.settings.set("draw.tree_max_depth", "5");
        context.camera = {};
    }

    void show(const SceneContext&, FrameResults& results) const override {
        results.trees.clear();
        results.trees.emplace_back("boxes", tree_.snapshot());
        for (std::size_t i = 0; i < std::min(boxes_.size(), kMaxDrawn); ++i) {
            Exhibit exhibit;
            exhibit.shape = boxes_[i];
            exhibit.role = Role::AabbTight;
            exhibit.width_px = 1.0f;
            results.exhibits.push_back(std::move(exhibit));
        }
        Table table{"boxes", "Boxes", {"what", "value"}, {}, {}};
        table.rows.push_back({"list", name_});
        table.rows.push_back({"boxes", fmt::format("{}", boxes_.size())});
        table.rows.push_back({"tree height", fmt::format("{}", tree_.height())});
        results.tables.push_back(std::move(table));
    }

  private:
    /// The list that was opened last, or a small made-up one so that the scene is never empty.
    void load(const SceneContext& context) {
        if (!context.opened.box_lists.empty()) {
            name_ = context.opened.box_lists.back().name;
            boxes_ = context.opened.box_lists.back().boxes;
            return;
        }
        name_ = "a made-up street";
        bv::workloads::Random random(context.seed);
        for (int x = -6; x <= 6; ++x)
            for (int z = -3; z <= 3; ++z) {
                if (z == 0) continue;  // the street
                const glm::vec3 corner(1.6f * static_cast<float>(x), 0.0f, 1.6f * static_cast<float>(z));
                const glm::vec3 size(random.uniform(0.7f, 1.4f), random.uniform(0.5f, 3.5f),
                                     random.uniform(0.7f, 1.4f));
                boxes_.push_back({corner, corner + size});
            }
    }

    std::string name_;
    std::vector<bv::Aabb> boxes_;
    bv::DynamicTree tree_;
};

}  // namespace

std::unique_ptr<Scene> make_boxes() {
    return std::make_unique<OpenedBoxes>();
}

}  // namespace lab::scenes
