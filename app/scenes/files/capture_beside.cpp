#include "scenes/files/capture_beside.hpp"

#include <vector>

#include "capture/tree_cost.hpp"
#include "world/tree_recipes.hpp"

namespace lab::scenes {
namespace {

/// The boxes of the leaves, one for each payload.
std::vector<bv::Aabb> leaf_boxes(const bv::TreeSnapshot& tree) {
    std::vector<bv::Aabb> boxes;
    for (std::uint32_t i = 0; i < tree.size(); ++i)
        for (std::uint32_t k = 0; k < tree.payload_count[i]; ++k)
            boxes.push_back(tree.payload_count[i] == 1 ? tree.boxes[i]
                                                       : tree.payload_boxes[tree.first_payload[i] + k]);
    return boxes;
}

void shift(bv::TreeSnapshot& tree, const glm::vec3& offset) {
    for (auto* boxes : {&tree.boxes, &tree.payload_boxes})
        for (bv::Aabb& box : *boxes)
            box = {box.min + offset, box.max + offset};
}

}  // namespace

bv::Aabb bounds_of(const capture::ShownFrame& shown) {
    bv::Aabb bounds;
    for (const capture::ShownTree& tree : shown.trees)
        if (!tree.snapshot.tree.empty()) bounds = bv::merge(bounds, tree.snapshot.tree.boxes[0]);
    for (const io::CaptureProxy& proxy : shown.frame.proxies)
        if (proxy.tight.is_finite()) bounds = bv::merge(bounds, proxy.tight);
    return bounds;
}

TreeBeside tree_beside(const capture::ShownFrame& shown, const bv::Aabb& bounds, Beside beside,
                       const bv::TreeOptions& options) {
    TreeBeside made;
    if (beside == Beside::Nothing) return made;
    std::vector<bv::Aabb> boxes;
    for (const capture::ShownTree& tree : shown.trees) {
        const std::vector<bv::Aabb> more = leaf_boxes(tree.snapshot.tree);
        boxes.insert(boxes.end(), more.begin(), more.end());
    }
    if (boxes.empty()) return made;
    TreeRecipe recipe{"", "", TreeRecipe::How::Insert, options.insertion, options.balancing, {}};
    const char* const id = beside == Beside::Rebuilt  ? "sweep_sah"
                           : beside == Beside::Binned ? "binned_sah"
                                                      : "agglomerative";
    if (beside != Beside::Inserted)
        if (const TreeRecipe* const built = find_recipe(id)) recipe = *built;
    bv::TreeOptions base = options;
    base.margin = bv::Margin::None;
    made.tree = make_tree(recipe, boxes, base).snapshot();
    made.metrics = capture::metrics_of(made.tree);
    const glm::vec3 size = bounds.size();
    shift(made.tree,
          size.x > 1.5f * size.z ? glm::vec3(0, 0, 1.25f * size.z) : glm::vec3(1.2f * size.x, 0, 0));
    return made;
}

}  // namespace lab::scenes
