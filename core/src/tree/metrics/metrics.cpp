// Tree metrics: definitions are in the header. Sources: [Aila 2013] for EPO, [Goldsmith 1987] for the SAH.
#include "bv/tree/metrics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "bv/query/ray_slabs.hpp"
#include "bv/shapes/not_finite.hpp"
#include "tree/box_math.hpp"
#include "tree/split_mix.hpp"

namespace bv {

namespace {

struct Size {
    double x, y, z;
    explicit Size(const Aabb& b)
        : x(double{b.max.x} - b.min.x), y(double{b.max.y} - b.min.y), z(double{b.max.z} - b.min.z) {}
    [[nodiscard]] double volume() const { return x * y * z; }
    [[nodiscard]] double surface() const { return 2.0 * (x * y + y * z + z * x); }
};

double volume(const Aabb& b) {
    return b.is_empty() ? 0.0 : Size(b).volume();
}
double surface(const Aabb& b) {
    return b.is_empty() ? 0.0 : Size(b).surface();
}
double ratio(double a, double b) {
    return b > 0.0 ? a / b : 0.0;
}

// Gives the boxes of a planar tree a thickness of one, so that ratios of their volumes are ratios of areas.
class Thickened {
  public:
    explicit Thickened(const TreeSnapshot& tree) {
        for (int k = 0; k < 3; ++k)
            if (tree.boxes[0].min[k] == tree.boxes[0].max[k]) axis_ = k;
    }
    [[nodiscard]] Aabb operator()(Aabb box) const {
        if (axis_ < 0 || box.is_empty()) return box;
        box.min[axis_] = 0.0f;
        box.max[axis_] = 1.0f;
        return box;
    }

  private:
    int axis_ = -1;
};
Aabb common(const Aabb& a, const Aabb& b) {
    Aabb r;
    for (int k = 0; k < 3; ++k) {
        r.min[k] = std::max(a.min[k], b.min[k]);
        r.max[k] = std::min(a.max[k], b.max[k]);
    }
    return r;
}

// Volume of the union of a few boxes: cut space at every x and y bound, then merge the z intervals of each
// column.
double union_volume(std::span<const Aabb> boxes) {
    if (boxes.size() == 2) return volume(boxes[0]) + volume(boxes[1]) - volume(common(boxes[0], boxes[1]));
    std::vector<float> cuts[2];
    for (int k = 0; k < 2; ++k) {
        for (const Aabb& b : boxes) {
            cuts[k].push_back(b.min[k]);
            cuts[k].push_back(b.max[k]);
        }
        std::sort(cuts[k].begin(), cuts[k].end());
    }
    std::vector<std::pair<float, float>> spans;
    double sum = 0.0;
    for (std::size_t i = 0; i + 1 < cuts[0].size(); ++i)
        for (std::size_t j = 0; j + 1 < cuts[1].size(); ++j) {
            const double area = (double{cuts[0][i + 1]} - cuts[0][i]) * (double{cuts[1][j + 1]} - cuts[1][j]);
            if (!(area > 0.0)) continue;
            spans.clear();
            for (const Aabb& b : boxes)
                if (b.min.x <= cuts[0][i] && b.max.x >= cuts[0][i + 1] && b.min.y <= cuts[1][j] &&
                    b.max.y >= cuts[1][j + 1])
                    spans.emplace_back(b.min.z, b.max.z);
            std::sort(spans.begin(), spans.end());
            double length = 0.0;
            double end = -std::numeric_limits<double>::infinity();
            for (const auto& [lo, hi] : spans) {
                length += std::max(0.0, hi - std::max(end, double{lo}));
                end = std::max(end, double{hi});
            }
            sum += area * length;
        }
    return sum;
}

// Limits for exact measures of a node's children, which take time quadratic and cubic in their number.
constexpr std::uint64_t kMaxSiblings = 256;
constexpr std::size_t kMaxUnited = 32;

double pairs_of(std::uint64_t count) {
    return 0.5 * static_cast<double>(count) * (static_cast<double>(count) - 1.0);
}

// The share of `whole` that the boxes cover, estimated by a grid of points.
double covered_share(std::span<const Aabb> boxes, const Thickened& thick, const Aabb& whole) {
    constexpr std::size_t kAlong = 8;
    std::array<bool, kAlong * kAlong * kAlong> covered{};
    double places[3][kAlong];
    for (int k = 0; k < 3; ++k)
        for (std::size_t step = 0; step < kAlong; ++step) {
            const double share = (static_cast<double>(step) + 0.5) / static_cast<double>(kAlong);
            places[k][step] = double{whole.min[k]} + (double{whole.max[k]} - whole.min[k]) * share;
        }
    for (const Aabb& box : boxes) {
        const Aabb b = thick(box);
        std::size_t from[3], to[3];
        for (int k = 0; k < 3; ++k) {
            const double* const begin = places[k];
            const double* const end = begin + kAlong;
            from[k] = static_cast<std::size_t>(std::lower_bound(begin, end, double{b.min[k]}) - begin);
            to[k] = static_cast<std::size_t>(std::upper_bound(begin, end, double{b.max[k]}) - begin);
        }
        for (std::size_t x = from[0]; x < to[0]; ++x)
            for (std::size_t y = from[1]; y < to[1]; ++y)
                for (std::size_t z = from[2]; z < to[2]; ++z)
                    covered[(x * kAlong + y) * kAlong + z] = true;
    }
    return static_cast<double>(std::count(covered.begin(), covered.end(), true)) /
           static_cast<double>(covered.size());
}

// The part of the six faces of `box` that lies inside `inside`.
double surface_inside(const Aabb& box, const Aabb& inside) {
    const Aabb c = common(box, inside);
    if (c.is_empty()) return 0.0;
    const Size size(c);
    const double face[3] = {size.y * size.z, size.z * size.x, size.x * size.y};
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        if (inside.min[k] <= box.min[k] && box.min[k] <= inside.max[k]) sum += face[k];
        if (inside.min[k] <= box.max[k] && box.max[k] <= inside.max[k]) sum += face[k];
    }
    return sum;
}

// Area inside a node of the payloads that are elsewhere in the tree.
double foreign_surface(const TreeSnapshot& t, std::uint32_t node, std::vector<std::uint32_t>& stack) {
    double sum = 0.0;
    stack.assign(1, 0);
    while (!stack.empty()) {
        const std::uint32_t i = stack.back();
        stack.pop_back();
        if (i == node || !detail::overlaps(t.boxes[i], t.boxes[node])) continue;
        for (std::uint32_t c = 0; c < t.child_count[i]; ++c)
            stack.push_back(t.first_child[i] + c);
        for (std::uint32_t p = 0; p < t.payload_count[i]; ++p)
            sum += surface_inside(t.payload_boxes[t.first_payload[i] + p], t.boxes[node]);
    }
    return sum;
}

double measure_epo(const TreeSnapshot& t, const MetricOptions& options) {
    double total = 0.0;
    for (const Aabb& b : t.payload_boxes)
        total += surface(b);
    std::vector<std::uint32_t> stack;
    double sum = 0.0;
    for (std::uint32_t i = 0; i < t.size(); ++i) {
        const double weight =
            t.is_leaf(i) ? options.intersection_cost * t.payload_count[i] : options.traversal_cost;
        sum += weight * foreign_surface(t, i, stack);
    }
    return ratio(sum, total);
}

template <class Enters>
std::uint64_t count_entered(const TreeSnapshot& t, std::vector<std::uint32_t>& stack, const Enters& enters) {
    std::uint64_t count = 0;
    stack.assign(1, 0);
    while (!stack.empty()) {
        const std::uint32_t i = stack.back();
        stack.pop_back();
        if (!enters(t.boxes[i])) continue;
        ++count;
        for (std::uint32_t c = 0; c < t.child_count[i]; ++c)
            stack.push_back(t.first_child[i] + c);
    }
    return count;
}

void measure_cost(const TreeSnapshot& t, const MetricOptions& options, TreeMetrics& m) {
    detail::SplitMix random(options.seed);
    const Aabb& root = t.boxes[0];
    const auto point = [&] {
        glm::vec3 p;
        for (int k = 0; k < 3; ++k)
            p[k] = static_cast<float>(root.min[k] + random.unit() * (double{root.max[k]} - root.min[k]));
        return p;
    };
    std::vector<std::uint32_t> stack;
    std::uint64_t nodes = 0;
    for (std::uint32_t i = 0; i < options.random_rays; ++i) {
        const double z = 2.0 * random.unit() - 1.0;
        const double angle = 6.283185307179586 * random.unit();
        const double s = std::sqrt(std::max(0.0, 1.0 - z * z));
        const glm::vec3 direction(s * std::cos(angle), s * std::sin(angle), z);
        const RaySlabs slabs(Ray{point(), direction});
        float t_enter = 0.0f;
        nodes += count_entered(t, stack, [&](const Aabb& b) {
            return slabs.hit_nonempty(b, std::numeric_limits<float>::infinity(), t_enter);
        });
    }
    if (options.random_rays) m.nodes_per_ray = static_cast<double>(nodes) / options.random_rays;
    if (t.payload_boxes.empty() || !options.random_boxes) return;
    nodes = 0;
    for (std::uint32_t i = 0; i < options.random_boxes; ++i) {
        const Aabb& like = t.payload_boxes[random.next() % t.payload_boxes.size()];
        const glm::vec3 half = 0.5f * (like.max - like.min);
        const glm::vec3 center = point();
        const Aabb box{center - half, center + half};
        nodes += count_entered(t, stack, [&](const Aabb& b) { return detail::overlaps(b, box); });
    }
    m.nodes_per_box = static_cast<double>(nodes) / options.random_boxes;
}

std::uint32_t lowest_height(std::uint32_t leaves, std::uint32_t arity) {
    std::uint32_t height = 0;
    for (std::uint64_t capacity = 1; capacity < leaves; capacity *= std::max(arity, 2u))
        ++height;
    return height;
}

void measure_inner(const TreeSnapshot& t, TreeMetrics& m) {
    const std::vector<std::uint32_t> heights = node_heights(t);
    std::uint32_t inner = 0;
    for (std::uint32_t i = 0; i < t.size(); ++i) {
        if (t.is_leaf(i)) continue;
        ++inner;
        const double overlap = sibling_overlap(t, i);
        m.sibling_overlap += overlap;
        m.max_sibling_overlap = std::max(m.max_sibling_overlap, overlap);
        m.dead_space += dead_space(t, i);
        std::uint32_t low = heights[t.first_child[i]];
        std::uint32_t high = low;
        for (std::uint32_t c = 1; c < t.child_count[i]; ++c) {
            low = std::min(low, heights[t.first_child[i] + c]);
            high = std::max(high, heights[t.first_child[i] + c]);
        }
        m.max_balance = std::max(m.max_balance, high - low);
    }
    if (inner) {
        m.sibling_overlap /= inner;
        m.dead_space /= inner;
    }
    m.height = heights[0];
}

}  // namespace

std::vector<std::uint32_t> node_heights(const TreeSnapshot& tree) {
    std::vector<std::uint32_t> heights(tree.size(), 0);
    // Children come after their parents, so a backward pass processes them first.
    for (std::size_t i = tree.size(); i-- > 1;)
        heights[tree.parents[i]] = std::max(heights[tree.parents[i]], heights[i] + 1);
    return heights;
}

double sibling_overlap(const TreeSnapshot& tree, std::uint32_t node) noexcept {
    const Thickened thick(tree);
    const std::uint64_t all = tree.child_count[node];
    const std::uint64_t taken = std::min<std::uint64_t>(all, kMaxSiblings);
    const auto child = [&](std::uint64_t i) {
        return thick(tree.boxes[tree.first_child[node] + i * all / std::max<std::uint64_t>(taken, 1)]);
    };
    double sum = 0.0;
    for (std::uint64_t a = 0; a < taken; ++a)
        for (std::uint64_t b = a + 1; b < taken; ++b)
            sum += volume(common(child(a), child(b)));
    if (taken < all) sum *= pairs_of(all) / pairs_of(taken);
    return ratio(sum, volume(thick(tree.boxes[node])));
}

double dead_space(const TreeSnapshot& tree, std::uint32_t node) noexcept {
    const Thickened thick(tree);
    const double total = volume(thick(tree.boxes[node]));
    if (tree.is_leaf(node) || !(total > 0.0)) return 0.0;
    const std::span<const Aabb> boxes(&tree.boxes[tree.first_child[node]], tree.child_count[node]);
    if (boxes.size() > kMaxUnited) return 1.0 - covered_share(boxes, thick, thick(tree.boxes[node]));
    std::array<Aabb, kMaxUnited> storage;
    const std::span<Aabb> children = std::span(storage).first(boxes.size());
    std::transform(boxes.begin(), boxes.end(), children.begin(), thick);
    return std::clamp(1.0 - union_volume(children) / total, 0.0, 1.0);
}

TreeMetrics measure(const TreeSnapshot& tree, const MetricOptions& given) {
    TreeMetrics m;
    if (tree.empty()) return m;
    MetricOptions options = given;
    for (double* cost : {&options.traversal_cost, &options.intersection_cost})
        *cost = detail::in_range(*cost, 0.0, 1e6, 1.0);
    m.nodes = static_cast<std::uint32_t>(tree.size());
    m.payloads = static_cast<std::uint32_t>(tree.payloads.size());
    double inner_surface = 0.0;
    double leaf_surface = 0.0;
    double fat = 0.0;
    double tight = 0.0;
    double depth_sum = 0.0;
    std::uint32_t arity = 2;
    const Thickened thick(tree);
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        const double s = surface(tree.boxes[i]);
        arity = std::max(arity, tree.child_count[i]);
        if (!tree.is_leaf(i)) {
            inner_surface += s;
            continue;
        }
        ++m.leaves;
        leaf_surface += s * tree.payload_count[i];
        depth_sum += tree.depths[i];
        if (tree.depths[i] >= m.leaf_depths.size()) m.leaf_depths.resize(tree.depths[i] + 1u, 0);
        ++m.leaf_depths[tree.depths[i]];
        fat += volume(thick(tree.boxes[i]));
        Aabb held;
        for (std::uint32_t p = 0; p < tree.payload_count[i]; ++p)
            held = merge(held, tree.payload_boxes[tree.first_payload[i] + p]);
        tight += volume(thick(held));
    }
    const double root = surface(tree.boxes[0]);
    m.optimal_height = lowest_height(m.leaves, arity);
    m.area_ratio = tree.is_leaf(0) ? 0.0 : ratio(inner_surface - root, root);
    m.sah = ratio(options.traversal_cost * inner_surface + options.intersection_cost * leaf_surface, root);
    m.fatness = ratio(fat, tight);
    m.mean_leaf_depth = depth_sum / m.leaves;
    measure_inner(tree, m);
    if (options.epo == MeasureEpo::Yes) m.epo = measure_epo(tree, options);
    measure_cost(tree, options, m);
    return m;
}

}  // namespace bv
