#include "viz/node_colors.hpp"

#include <algorithm>

#include "bv/tree/metrics.hpp"

namespace lab::viz {

std::uint32_t deepest_node(const bv::TreeSnapshot& tree) {
    return tree.depths.empty() ? 0 : *std::max_element(tree.depths.begin(), tree.depths.end());
}

float area_share(const bv::TreeSnapshot& tree, std::uint32_t node) {
    const float root = tree.boxes[0].surface_area();
    return root > 0.0f ? tree.boxes[node].surface_area() / root : 0.0f;
}

NodeColors::NodeColors(const Palette& palette, std::string_view mode, const bv::TreeSnapshot& tree,
                       std::uint32_t deepest)
    : palette_(palette),
      tree_(tree),
      mode_(mode == "depth"     ? Mode::Depth
            : mode == "area"    ? Mode::Area
            : mode == "overlap" ? Mode::Overlap
                                : Mode::Uniform) {
    for (std::size_t d = 0; d < by_depth_.size(); ++d) {
        by_depth_[d] =
            palette.scalar(deepest == 0 ? 0.0f : static_cast<float>(d) / static_cast<float>(deepest));
    }
}

Color NodeColors::operator()(std::uint32_t node) const {
    switch (mode_) {
        case Mode::Depth:
            return of_depth(tree_.depths[node]);
        case Mode::Area:
            return palette_.scalar(area_share(tree_, node));
        case Mode::Overlap:
            return palette_.scalar(static_cast<float>(bv::sibling_overlap(tree_, node)));
        case Mode::Uniform:
            break;
    }
    return palette_.role(tree_.is_leaf(node) ? Role::TreeLeaf : Role::TreeNode);
}

}  // namespace lab::viz
