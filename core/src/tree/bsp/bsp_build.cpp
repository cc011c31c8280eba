// Builds a BspTree: pieces of triangles are sorted to the sides of a plane, and split if they straddle it.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "bv/assert.hpp"
#include "bv/shapes/not_finite.hpp"
#include "bv/tree/bsp_tree.hpp"

namespace bv {
namespace {

struct Cut {
    static constexpr std::uint32_t kNone = 0xffffffffu;

    glm::dvec3 normal{0.0};
    double offset = 0;
    std::uint32_t triangle = kNone;  ///< The one whose plane this is.

    [[nodiscard]] double distance(const glm::dvec3& p) const noexcept { return glm::dot(normal, p) - offset; }
};

enum class Where : std::uint8_t { On, Front, Back, Across };

/// A piece to be passed down: a range of corners in the builder's pool.
struct Piece {
    std::uint32_t triangle = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

/// Pieces still to be split, and the child word that will point to the result.
struct Task {
    std::vector<Piece> pieces;
    std::uint32_t parent = 0;
    bool in_front = false;
    std::uint32_t depth = 0;
};

/// The plane of a triangle; empty if it has no area.
std::optional<Cut> plane_of(const Triangle& t) noexcept {
    const glm::dvec3 a(t.a);
    const glm::dvec3 n = glm::cross(glm::dvec3(t.b) - a, glm::dvec3(t.c) - a);
    const double length = std::sqrt(glm::dot(n, n));
    if (!(length > 0.0) || !std::isfinite(length)) return std::nullopt;
    return Cut{n / length, glm::dot(n / length, a)};
}

}  // namespace

class BspBuilder {
  public:
    BspBuilder(BspTree& tree, const BspOptions& options) : tree_(tree), options_(options) {
        const BspOptions usual;
        const auto clamp_option = [](float& value, float low, float high, float otherwise) {
            value = detail::in_range(value, low, high, otherwise);
        };
        clamp_option(options_.split_cost, 0.0f, 1e6f, usual.split_cost);
        clamp_option(options_.imbalance_cost, 0.0f, 1e6f, usual.imbalance_cost);
        clamp_option(options_.max_fragments_per_triangle, 1.0f, 1e6f, usual.max_fragments_per_triangle);
        clamp_option(options_.tolerance, 0.0f, 0.01f, usual.tolerance);
    }

    template <class Sink>
    MeshBuildStatus build(const MeshView& mesh, Sink& sink) {
        BuildProgress unwatched;
        BuildProgress& progress = options_.progress != nullptr ? *options_.progress : unwatched;
        if (mesh.triangles.size() >= (std::size_t{1} << 28)) return MeshBuildStatus::TooLarge;
        std::vector<Piece> pieces;
        if (!gather(mesh, pieces)) return MeshBuildStatus::IndexOutOfRange;
        if (pieces.empty()) return MeshBuildStatus::Empty;
        max_pieces_ =
            static_cast<double>(pieces.size()) * static_cast<double>(options_.max_fragments_per_triangle);
        alive_ = pieces.size();
        progress.begin_part(0.0f, 0.99f, 2 * pieces.size());

        std::vector<Task> tasks;
        tasks.push_back({std::move(pieces), BspNode::kOutside, false, 0});
        while (!tasks.empty()) {
            Task now = std::move(tasks.back());
            tasks.pop_back();
            if (progress.cancelled()) return MeshBuildStatus::Cancelled;
            if (now.depth >= options_.max_depth || static_cast<double>(alive_) >= max_pieces_) {
                progress.advance(now.pieces.size());
                name_child(now, BspNode::kCell | static_cast<std::uint32_t>(tree_.cells_.size()));
                BspCell cell;
                cell.first = keep(now.pieces);
                cell.count = static_cast<std::uint32_t>(now.pieces.size());
                for (const Piece& piece : now.pieces)
                    extend(cell.box, piece);
                tree_.cells_.push_back(cell);
                continue;
            }
            const auto node = static_cast<std::uint32_t>(tree_.nodes_.size());
            name_child(now, node);
            divide(now, node, sink, progress, tasks);
        }
        finish_boxes();
        progress.begin_part(0.99f, 1.0f, 1);
        return progress.advance(1) ? MeshBuildStatus::Ok : MeshBuildStatus::Cancelled;
    }

  private:
    bool gather(const MeshView& mesh, std::vector<Piece>& pieces) {
        tree_.triangles_.resize(mesh.triangles.size());
        for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
            const glm::uvec3 t = mesh.triangles[i];
            if (std::max(t.x, std::max(t.y, t.z)) >= mesh.positions.size()) return false;
            const Triangle triangle = mesh.triangle(i);
            tree_.triangles_[i] = triangle;
            const bool finite =
                bv::is_finite(triangle.a) && bv::is_finite(triangle.b) && bv::is_finite(triangle.c);
            if (finite) {
                for (const glm::vec3& p : {triangle.a, triangle.b, triangle.c})
                    tree_.bounds_ = merge(tree_.bounds_, Aabb{p, p});
            }
            if (!finite || !plane_of(triangle)) {
                ++tree_.skipped_;
                continue;
            }
            pieces.push_back({i, static_cast<std::uint32_t>(pool_.size()), 3});
            for (const glm::vec3& p : {triangle.a, triangle.b, triangle.c}) {
                pool_.emplace_back(p);
            }
        }
        // Relative to the size; but far from the origin, the rounding of corners tilts planes that should
        // coincide by more.
        double reach = 0.0, farthest = 0.0;
        for (int k = 0; k < 3 && !tree_.bounds_.is_empty(); ++k) {
            const double low = tree_.bounds_.min[k], high = tree_.bounds_.max[k];
            reach = std::max(reach, 0.5 * (high - low));
            farthest = std::max({farthest, -low, high});
        }
        constexpr double kRounding = 0x1p-22;
        tree_.tolerance_ = std::max(reach * static_cast<double>(options_.tolerance), kRounding * farthest);
        return true;
    }

    void name_child(const Task& task, std::uint32_t word) noexcept {
        if (task.depth == 0)
            tree_.root_ = word;
        else
            (task.in_front ? tree_.nodes_[task.parent].front : tree_.nodes_[task.parent].back) = word;
    }

    [[nodiscard]] Where where(const Piece& piece, const Cut& cut) const noexcept {
        // A piece always lies on the plane of its own triangle, even for a sliver, whose plane is all
        // rounding: so every division leaves fewer pieces.
        if (piece.triangle == cut.triangle) return Where::On;
        bool front = false;
        bool back = false;
        for (std::uint32_t i = piece.first; i < piece.first + piece.count; ++i) {
            const double d = cut.distance(pool_[i]);
            front = front || d > tree_.tolerance_;
            back = back || d < -tree_.tolerance_;
        }
        return front ? (back ? Where::Across : Where::Front) : (back ? Where::Back : Where::On);
    }

    struct EvaluatedCut {
        Cut cut;
        double cost = std::numeric_limits<double>::infinity();
        std::uint32_t front = 0, back = 0, across = 0;
    };

    [[nodiscard]] EvaluatedCut evaluate(const std::vector<Piece>& pieces, const Cut& cut) const noexcept {
        EvaluatedCut w;
        w.cut = cut;
        for (const Piece& piece : pieces) {
            const Where side = where(piece, cut);
            w.front += side == Where::Front || side == Where::Across ? 1u : 0u;
            w.back += side == Where::Back || side == Where::Across ? 1u : 0u;
            w.across += side == Where::Across ? 1u : 0u;
        }
        const double imbalance = std::abs(static_cast<double>(w.front) - w.back);
        w.cost = static_cast<double>(options_.split_cost) * w.across +
                 static_cast<double>(options_.imbalance_cost) * imbalance;
        return w;
    }

    /// The plane across `axis` through the median of the pieces' first corners.
    [[nodiscard]] Cut median_cut(const std::vector<Piece>& pieces, int axis) {
        scratch_.clear();
        for (const Piece& piece : pieces)
            scratch_.push_back(pool_[piece.first][axis]);
        const auto middle = scratch_.begin() + static_cast<std::ptrdiff_t>(scratch_.size() / 2);
        std::nth_element(scratch_.begin(), middle, scratch_.end());
        Cut cut;
        cut.normal[axis] = 1.0;
        cut.offset = *middle;
        return cut;
    }

    template <class Sink>
    [[nodiscard]] EvaluatedCut choose(const std::vector<Piece>& pieces, std::uint32_t node, Sink& sink) {
        std::vector<EvaluatedCut> evaluated;
        EvaluatedCut best;
        std::size_t best_at = 0;
        std::size_t count = 0;
        const auto consider = [&](const EvaluatedCut& w, bool usable) {
            if (usable && w.cost < best.cost) {
                best = w;
                best_at = count;
            }
            ++count;
            if constexpr (Sink::kEnabled) evaluated.push_back(w);
        };
        const std::size_t candidates =
            std::min(pieces.size(), static_cast<std::size_t>(std::max(1u, options_.candidates)));
        for (std::size_t i = 0; i < candidates; ++i) {
            // Spread over all pieces, and deterministic.
            const Piece& piece = pieces[i * pieces.size() / candidates];
            Cut own = *plane_of(tree_.triangles_[piece.triangle]);
            own.triangle = piece.triangle;
            consider(evaluate(pieces, own), true);
        }
        if (options_.planes == BspPlanes::TrianglesAndAxes)
            for (int axis = 0; axis < 3; ++axis) {
                const EvaluatedCut w = evaluate(pieces, median_cut(pieces, axis));
                // Neither side may be empty, since only triangles' planes separate inside from outside, and
                // each must be smaller than the whole.
                const std::uint32_t total = static_cast<std::uint32_t>(pieces.size());
                consider(w, w.front > 0 && w.back > 0 && w.front < total && w.back < total);
            }
        if constexpr (Sink::kEnabled)
            for (std::size_t i = 0; i <= evaluated.size(); ++i) {
                const bool chosen = i == evaluated.size();
                const EvaluatedCut& w = evaluated[chosen ? best_at : i];
                const glm::dvec3 n = glm::abs(w.cut.normal);
                const int axis = n.x >= n.y ? (n.x >= n.z ? 0 : 2) : (n.y >= n.z ? 1 : 2);
                sink(SplitEvaluated{NodeIndex{node}, static_cast<std::uint8_t>(axis), w.front, w.back,
                                    static_cast<float>(w.cost), chosen, w.across, glm::vec3(w.cut.normal),
                                    static_cast<float>(w.cut.offset)});
            }
        return best;
    }

    template <class Sink>
    void divide(Task& now, std::uint32_t node, Sink& sink, BuildProgress& progress,
                std::vector<Task>& tasks) {
        const EvaluatedCut chosen = choose(now.pieces, node, sink);
        BspNode made;
        made.normal = chosen.cut.normal;
        made.offset = chosen.cut.offset;
        Task front{{}, node, true, now.depth + 1};
        Task back{{}, node, false, now.depth + 1};
        std::vector<Piece> on;
        for (const Piece& piece : now.pieces) {
            const Where side = where(piece, chosen.cut);
            switch (side) {
                case Where::On:
                    on.push_back(piece);
                    break;
                case Where::Front:
                    front.pieces.push_back(piece);
                    break;
                case Where::Back:
                    back.pieces.push_back(piece);
                    break;
                case Where::Across:
                    cut(piece, chosen.cut, front.pieces, back.pieces);
                    break;
            }
            if constexpr (Sink::kEnabled)
                report(sink, node, piece, side, chosen.cut, front.pieces, back.pieces);
        }
        made.first = keep(on);
        made.count = static_cast<std::uint32_t>(on.size());
        for (const Piece& piece : on)
            extend(made.box, piece);
        name_empty_sides(made, on);
        alive_ += front.pieces.size() + back.pieces.size() + on.size() - now.pieces.size();
        progress.advance(on.size());
        tree_.nodes_.push_back(made);
        if (!back.pieces.empty()) tasks.push_back(std::move(back));
        if (!front.pieces.empty()) tasks.push_back(std::move(front));
    }

    /// Names each side of a plane without further pieces, inside or outside, by the way the pieces in the
    /// plane face. A sheet thinner than the tolerance has both of its surfaces in one plane, and is outside
    /// on both sides.
    void name_empty_sides(BspNode& node, const std::vector<Piece>& on) const noexcept {
        double net = 0.0, total = 0.0;
        for (const Piece& piece : on) {
            glm::dvec3 area(0.0);
            const glm::dvec3& first = pool_[piece.first];
            for (std::uint32_t i = piece.first + 2; i < piece.first + piece.count; ++i)
                area += glm::cross(pool_[i - 1] - first, pool_[i] - first);
            const double facing = glm::dot(area, node.normal);
            net += facing;
            total += std::abs(facing);
        }
        constexpr double kBalanced = 1e-3;
        if (std::abs(net) > kBalanced * total && net > 0.0) return;
        if (total == 0.0) return;
        node.back = BspNode::kOutside;
        if (net < -kBalanced * total) node.front = BspNode::kInside;
    }

    /// The number of a piece is that of its first corner in the pool.
    void report(Recording& trace, std::uint32_t node, const Piece& piece, Where side, const Cut& plane,
                const std::vector<Piece>& front, const std::vector<Piece>& back) const {
        using Verdict = PieceSorted::Verdict;
        PieceSorted event{NodeIndex{node}, piece.first, piece.triangle};
        event.verdict = side == Where::On      ? Verdict::InPlane
                        : side == Where::Front ? Verdict::Front
                        : side == Where::Back  ? Verdict::Back
                                               : Verdict::Cut;
        if (side == Where::Across) {
            event.front = front.back().first;
            event.back = back.back().first;
            bool found = false;
            for (std::uint32_t i = event.front; i < event.front + front.back().count; ++i) {
                if (std::abs(plane.distance(pool_[i])) > tree_.tolerance_) continue;
                if (!found) event.from = glm::vec3(pool_[i]);
                event.to = glm::vec3(pool_[i]);
                found = true;
            }
        }
        trace(event);
    }

    /// Corners in the plane go to both sides; edges across it are cut once, from front to back, so that both
    /// sides get the same point.
    void cut(const Piece& piece, const Cut& plane, std::vector<Piece>& front, std::vector<Piece>& back) {
        corners_.assign(pool_.begin() + piece.first, pool_.begin() + piece.first + piece.count);
        for (const double side : {1.0, -1.0}) {
            Piece part{piece.triangle, static_cast<std::uint32_t>(pool_.size()), 0};
            for (std::size_t i = 0; i < corners_.size(); ++i) {
                const glm::dvec3& p = corners_[i];
                const glm::dvec3& q = corners_[(i + 1) % corners_.size()];
                const double dp = plane.distance(p);
                const double dq = plane.distance(q);
                if (side * dp >= -tree_.tolerance_) pool_.push_back(p);
                if ((dp > tree_.tolerance_ && dq < -tree_.tolerance_) ||
                    (dp < -tree_.tolerance_ && dq > tree_.tolerance_))
                    pool_.push_back(dp > dq ? p + dp / (dp - dq) * (q - p) : q + dq / (dq - dp) * (p - q));
            }
            part.count = static_cast<std::uint32_t>(pool_.size()) - part.first;
            (side > 0.0 ? front : back).push_back(part);
        }
    }

    /// Makes fragments of pieces; returns the index of the first.
    std::uint32_t keep(const std::vector<Piece>& pieces) {
        const auto first = static_cast<std::uint32_t>(tree_.fragments_.size());
        for (const Piece& piece : pieces) {
            tree_.fragments_.push_back(
                {piece.triangle, static_cast<std::uint32_t>(tree_.corners_.size()), piece.count});
            for (std::uint32_t i = piece.first; i < piece.first + piece.count; ++i)
                tree_.corners_.emplace_back(pool_[i]);
        }
        return first;
    }
    void extend(Aabb& box, const Piece& piece) const noexcept {
        for (std::uint32_t i = piece.first; i < piece.first + piece.count; ++i)
            box = merge(box, glm::vec3(pool_[i]));
    }

    /// Children come after their parents.
    void finish_boxes() noexcept {
        for (std::size_t n = tree_.nodes_.size(); n-- > 0;) {
            BspNode& node = tree_.nodes_[n];
            for (const std::uint32_t child : {node.front, node.back}) {
                if (child >= BspNode::kInside) continue;
                node.box =
                    merge(node.box, (child & BspNode::kCell) != 0 ? tree_.cells_[child & ~BspNode::kCell].box
                                                                  : tree_.nodes_[child].box);
            }
        }
    }

    BspTree& tree_;
    BspOptions options_;
    std::vector<glm::dvec3> pool_;
    std::vector<glm::dvec3> corners_;
    std::vector<double> scratch_;
    double max_pieces_ = 0;
    std::size_t alive_ = 0;  ///< Current number of pieces.
};

/// A failed build leaves an empty tree. If all triangles were skipped, it still reports how many.
void BspTree::end_build(MeshBuildStatus status) {
    if (status == MeshBuildStatus::Ok) return;
    const std::uint32_t skipped = status == MeshBuildStatus::Empty ? skipped_ : 0u;
    *this = BspTree{};
    skipped_ = skipped;
}

MeshBuildStatus BspTree::build(const MeshView& mesh, const BspOptions& options) {
    *this = BspTree{};
    NoTrace sink;
    const MeshBuildStatus status = BspBuilder(*this, options).build(mesh, sink);
    end_build(status);
    return status;
}

MeshBuildStatus BspTree::build(const MeshView& mesh, const BspOptions& options, Recording& trace) {
    *this = BspTree{};
    const MeshBuildStatus status = BspBuilder(*this, options).build(mesh, trace);
    end_build(status);
    return status;
}

}  // namespace bv
