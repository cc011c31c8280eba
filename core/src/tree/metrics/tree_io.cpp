// Layout of a snapshot: "BVTREE01", then the counts of nodes, payloads and OBBs, then each array in the order
// of TreeSnapshot's members, integers and floats little-endian.
#include "bv/tree/tree_io.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <locale>
#include <sstream>
#include <utility>

#include "bv/shapes/not_finite.hpp"
#include "tree/box_math.hpp"

namespace bv {

namespace {

constexpr char kMagic[8] = {'B', 'V', 'T', 'R', 'E', 'E', '0', '1'};

class Writer {
  public:
    std::vector<std::uint8_t> bytes;

    template <class Int>
    void integer(Int value) {
        for (std::size_t i = 0; i < sizeof(Int); ++i)
            bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
    void real(float value) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        integer(bits);
    }
    void vector(const glm::vec3& v) {
        for (int k = 0; k < 3; ++k)
            real(v[k]);
    }
    void box(const Aabb& b) {
        vector(b.min);
        vector(b.max);
    }
};

// Used only after the total size was checked against the counts, so it cannot read past the end.
class Reader {
  public:
    explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    template <class Int>
    Int integer() {
        Int value = 0;
        for (std::size_t i = 0; i < sizeof(Int); ++i)
            value |= static_cast<Int>(static_cast<Int>(bytes_[at_++]) << (8 * i));
        return value;
    }
    float real() {
        const auto bits = integer<std::uint32_t>();
        float value = 0;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
    glm::vec3 vector() {
        glm::vec3 v;
        for (int k = 0; k < 3; ++k)
            v[k] = real();
        return v;
    }
    Aabb box() {
        const glm::vec3 low = vector();
        return {low, vector()};
    }
    std::vector<std::uint32_t> integers(std::size_t count) {
        std::vector<std::uint32_t> all(count);
        for (std::uint32_t& i : all)
            i = integer<std::uint32_t>();
        return all;
    }

  private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

constexpr std::size_t kHeader = 8 + 3 * 8;
constexpr std::uint64_t kPerNode = 24 + 7 * 4;
constexpr std::uint64_t kPerPayload = 8 + 24;
constexpr std::uint64_t kPerObb = 15 * 4;

}  // namespace

std::string boxes_to_text(std::span<const Aabb> boxes) {
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out.precision(9);
    for (const Aabb& b : boxes)
        out << b.min.x << ' ' << b.min.y << ' ' << b.min.z << ' ' << b.max.x << ' ' << b.max.y << ' '
            << b.max.z << '\n';
    return out.str();
}

BoxList boxes_from_text(std::string_view text) {
    BoxList list;
    std::size_t number = 0;
    while (!text.empty()) {
        ++number;
        const std::size_t end = text.find('\n');
        std::string line(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        line.resize(std::min(line.size(), line.find('#')));
        for (char& c : line)
            if (c == ',' || c == '\r' || c == '\t') c = ' ';
        if (line.find_first_not_of(' ') == std::string::npos) continue;
        std::istringstream in(line);
        in.imbue(std::locale::classic());
        // In double: libc++ refuses a number that is subnormal in the type asked for.
        float v[6];
        int count = 0;
        for (double value; count < 6 && in >> value; ++count) {
            v[count] = static_cast<float>(value);
            if (!std::isfinite(v[count])) break;
        }
        std::string remainder;
        if (count < 6 || in >> remainder) {
            list.error = BoxListError{number, "expected six finite numbers: minx miny minz maxx maxy maxz"};
            return list;
        }
        const Aabb box{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
        if (!box.is_finite()) {
            list.error = BoxListError{number, "the box is empty: a minimum exceeds its maximum"};
            return list;
        }
        list.boxes.push_back(box);
    }
    return list;
}

std::vector<std::uint8_t> snapshot_to_bytes(const TreeSnapshot& tree) {
    Writer out;
    out.bytes.reserve(kHeader + tree.size() * kPerNode + tree.payloads.size() * kPerPayload);
    for (const char c : kMagic)
        out.bytes.push_back(static_cast<std::uint8_t>(c));
    out.integer(static_cast<std::uint64_t>(tree.size()));
    out.integer(static_cast<std::uint64_t>(tree.payloads.size()));
    out.integer(static_cast<std::uint64_t>(tree.obbs.size()));
    for (const Aabb& b : tree.boxes)
        out.box(b);
    for (const auto* list : {&tree.parents, &tree.first_child, &tree.child_count, &tree.depths,
                             &tree.source_nodes, &tree.first_payload, &tree.payload_count})
        for (const std::uint32_t i : *list)
            out.integer(i);
    for (const std::uint64_t p : tree.payloads)
        out.integer(p);
    for (const Aabb& b : tree.payload_boxes)
        out.box(b);
    for (const Obb& o : tree.obbs) {
        out.vector(o.center);
        out.vector(o.half_extents);
        for (int k = 0; k < 3; ++k)
            out.vector(o.axes[k]);
    }
    return out.bytes;
}

namespace {

struct Problem {
    std::string message;
    std::optional<std::uint64_t> byte = std::nullopt;
};

/// Byte offsets of the values of a snapshot.
struct Places {
    std::uint64_t nodes, payloads;
    [[nodiscard]] std::uint64_t box(std::uint64_t node) const { return kHeader + 24 * node; }
    enum Array { Parents, FirstChild, ChildCount, Depths, SourceNodes, FirstPayload, PayloadCount };
    [[nodiscard]] std::uint64_t of(Array array, std::uint64_t node) const {
        return kHeader + (24 + 4 * std::uint64_t{array}) * nodes + 4 * node;
    }
    [[nodiscard]] std::uint64_t payload_box(std::uint64_t i) const {
        return kHeader + kPerNode * nodes + 8 * payloads + 24 * i;
    }
    [[nodiscard]] std::uint64_t obb(std::uint64_t i) const {
        return kHeader + kPerNode * nodes + kPerPayload * payloads + kPerObb * i;
    }
};

bool is_finite(const Obb& o) {
    bool finite = true;
    for (int k = 0; k < 3; ++k) {
        finite = finite && std::isfinite(o.center[k]) && std::isfinite(o.half_extents[k]);
        for (int axis = 0; axis < 3; ++axis)
            finite = finite && std::isfinite(o.axes[axis][k]);
    }
    return finite;
}

/// What is wrong with a box, for `numbered`; null if nothing is.
const char* fault_of(const Aabb& box) {
    if (box.is_finite()) return nullptr;
    return bv::is_finite(box.min) && bv::is_finite(box.max) ? "box with a minimum above its maximum, "
                                                            : "box not finite, ";
}

std::string numbered(const std::string& message, std::uint64_t i) {
    return message + std::to_string(i);
}

std::optional<Problem> payload_problem(const TreeSnapshot& t, const Places& places) {
    // Each is in at most one leaf, so all ranges together are no longer than the list.
    std::vector<std::uint8_t> taken(t.payloads.size(), 0);
    for (std::size_t i = 0; i < t.size(); ++i) {
        const std::uint64_t first = t.first_payload[i], count = t.payload_count[i];
        if (count > 0 && t.child_count[i] > 0)
            return Problem{numbered("payloads in an inner node, node ", i),
                           places.of(Places::PayloadCount, i)};
        if (first + count > t.payloads.size())
            return Problem{numbered("payloads out of range, node ", i), places.of(Places::FirstPayload, i)};
        for (std::uint64_t p = first; p < first + count; ++p)
            if (std::exchange(taken[p], std::uint8_t{1}))
                return Problem{numbered("payloads of another node, too, node ", i),
                               places.of(Places::FirstPayload, i)};
    }
    for (std::size_t i = 0; i < t.payload_boxes.size(); ++i)
        if (const char* const fault = fault_of(t.payload_boxes[i]))
            return Problem{numbered(fault + std::string("payload "), i), places.payload_box(i)};
    return std::nullopt;
}

/// Children are assigned in ascending order: each node except the root is the child of exactly one.
std::optional<Problem> node_problem(const TreeSnapshot& t, const Places& places, SnapshotCheck check) {
    const std::size_t nodes = t.size();
    std::vector<std::uint8_t> claimed(nodes, 0);
    for (std::size_t i = 0; i < nodes; ++i) {
        if (const char* const fault = fault_of(t.boxes[i]))
            return Problem{numbered(fault + std::string("node "), i), places.box(i)};
        if (i == 0 && (t.parents[0] != TreeSnapshot::kNone || t.depths[0] != 0))
            return Problem{"node 0 is not a root", places.of(Places::Parents, 0)};
        if (i > 0 && t.parents[i] >= i)
            return Problem{numbered("parent does not come before node ", i), places.of(Places::Parents, i)};
        if (i > 0 && t.depths[i] != t.depths[t.parents[i]] + 1)
            return Problem{numbered("wrong depth, node ", i), places.of(Places::Depths, i)};
        if (t.child_count[i] == 0) continue;
        const std::uint64_t first = t.first_child[i];
        if (first <= i || first + t.child_count[i] > nodes)
            return Problem{numbered("children out of range, node ", i), places.of(Places::FirstChild, i)};
        for (std::size_t c = first; c < first + t.child_count[i]; ++c) {
            if (t.parents[c] != i || claimed[c])
                return Problem{numbered("child of another node, node ", c), places.of(Places::Parents, c)};
            claimed[c] = 1;
            if (check == SnapshotCheck::Sound && !detail::contains(t.boxes[i], t.boxes[c]))
                return Problem{numbered("box does not contain its children, node ", i), places.box(i)};
        }
    }
    for (std::size_t i = 1; i < nodes; ++i)
        if (!claimed[i])
            return Problem{numbered("no node has this child, node ", i), places.of(Places::Parents, i)};
    return std::nullopt;
}

std::optional<Problem> find_problem(const TreeSnapshot& t, SnapshotCheck check) {
    const std::size_t nodes = t.size();
    for (const auto* list : {&t.parents, &t.first_child, &t.child_count, &t.depths, &t.source_nodes,
                             &t.first_payload, &t.payload_count})
        if (list->size() != nodes) return Problem{"the arrays of the nodes differ in length"};
    if (t.payload_boxes.size() != t.payloads.size())
        return Problem{"the arrays of the payloads differ in length"};
    if (!t.obbs.empty() && t.obbs.size() != nodes) return Problem{"there are OBBs, but not one per node"};
    const Places places{nodes, t.payloads.size()};
    if (auto problem = node_problem(t, places, check)) return problem;
    if (auto problem = payload_problem(t, places)) return problem;
    for (std::size_t i = 0; i < t.obbs.size(); ++i)
        if (!is_finite(t.obbs[i])) return Problem{numbered("OBB not finite, node ", i), places.obb(i)};
    return std::nullopt;
}

/// The largest distance by which a box sticks out of another; 0 if it does not.
float excess_of(const Aabb& outer, const Aabb& inner) {
    float largest = 0.0f;
    for (int k = 0; k < 3; ++k)
        largest = std::max({largest, outer.min[k] - inner.min[k], inner.max[k] - outer.max[k]});
    return largest;
}

}  // namespace

SnapshotResult snapshot_from_bytes(std::span<const std::uint8_t> bytes, SnapshotCheck check) {
    if (bytes.size() < kHeader || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0)
        return {std::nullopt, "not a tree snapshot, or of another version", 0};
    Reader in(bytes.subspan(sizeof kMagic));
    const auto nodes = in.integer<std::uint64_t>();
    const auto payloads = in.integer<std::uint64_t>();
    const auto obbs = in.integer<std::uint64_t>();
    const std::uint64_t size = bytes.size();
    if (nodes > size || payloads > size || obbs > size ||
        kHeader + nodes * kPerNode + payloads * kPerPayload + obbs * kPerObb != size)
        return {std::nullopt, "the size does not fit the counts: truncated or damaged", sizeof kMagic};
    TreeSnapshot t;
    t.boxes.resize(nodes);
    for (Aabb& b : t.boxes)
        b = in.box();
    for (auto* list : {&t.parents, &t.first_child, &t.child_count, &t.depths, &t.source_nodes,
                       &t.first_payload, &t.payload_count})
        *list = in.integers(nodes);
    t.payloads.resize(payloads);
    for (std::uint64_t& p : t.payloads)
        p = in.integer<std::uint64_t>();
    t.payload_boxes.resize(payloads);
    for (Aabb& b : t.payload_boxes)
        b = in.box();
    t.obbs.resize(obbs);
    for (Obb& o : t.obbs) {
        o.center = in.vector();
        o.half_extents = in.vector();
        for (int k = 0; k < 3; ++k)
            o.axes[k] = in.vector();
    }
    if (auto broken = find_problem(t, check)) return {std::nullopt, std::move(broken->message), broken->byte};
    return {std::move(t), {}, std::nullopt};
}

std::optional<std::string> check_snapshot(const TreeSnapshot& tree, SnapshotCheck check) {
    auto problem = find_problem(tree, check);
    return problem ? std::optional(std::move(problem->message)) : std::nullopt;
}

LooseNodes loose_nodes(const TreeSnapshot& tree, std::size_t max_nodes) {
    LooseNodes loose;
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        LooseNode node{i};
        for (std::uint32_t k = 0; k < tree.child_count[i]; ++k) {
            const std::uint32_t child = tree.first_child[i] + k;
            const float excess = excess_of(tree.boxes[i], tree.boxes[child]);
            if (excess > 0.0f && node.excess == 0.0f) node.child = child;
            node.excess = std::max(node.excess, excess);
        }
        for (std::uint32_t k = 0; k < tree.payload_count[i]; ++k) {
            const std::uint32_t p = tree.first_payload[i] + k;
            const float excess = excess_of(tree.boxes[i], tree.payload_boxes[p]);
            if (excess > 0.0f && node.excess == 0.0f) node.payload = tree.payloads[p];
            node.excess = std::max(node.excess, excess);
        }
        if (node.excess == 0.0f) continue;
        ++loose.count;
        if (loose.first.size() < max_nodes) loose.first.push_back(node);
    }
    return loose;
}

}  // namespace bv
