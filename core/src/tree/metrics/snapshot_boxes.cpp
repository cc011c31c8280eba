#include "tree/metrics/snapshot_boxes.hpp"

#include <glm/common.hpp>
#include <limits>

namespace bv::detail {

void contain_children(TreeSnapshot& tree, Payloads payloads) noexcept {
    constexpr float kLargest = std::numeric_limits<float>::max();
    for (std::size_t n = tree.size(); n-- > 0;) {  // children come after their parents
        Aabb& box = tree.boxes[n];
        const std::uint32_t count = payloads == Payloads::Whole ? tree.payload_count[n] : 0;
        for (std::uint32_t p = 0; p < count; ++p)
            box = merge(box, tree.payload_boxes[tree.first_payload[n] + p]);
        for (int k = 0; k < 3; ++k) {
            if (!(box.min[k] >= -kLargest && box.min[k] <= kLargest)) box.min[k] = -kLargest;
            if (!(box.max[k] >= -kLargest && box.max[k] <= kLargest)) box.max[k] = kLargest;
        }
        if (tree.parents[n] != TreeSnapshot::kNone) {
            Aabb& parent = tree.boxes[tree.parents[n]];
            parent = merge(parent, box);
        }
    }
    if (payloads == Payloads::Cut) cut_payloads(tree);
}

void cut_payloads(TreeSnapshot& tree) noexcept {
    for (std::size_t n = 0; n < tree.size(); ++n) {
        const Aabb& leaf = tree.boxes[n];
        for (std::uint32_t p = 0; p < tree.payload_count[n]; ++p) {
            Aabb& box = tree.payload_boxes[tree.first_payload[n] + p];
            box = {glm::clamp(box.min, leaf.min, leaf.max), glm::clamp(box.max, leaf.min, leaf.max)};
        }
    }
}

}  // namespace bv::detail
