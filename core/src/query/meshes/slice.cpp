// Slicing in four steps: merge equal corners and find their sides, split the triangles, collect the open
// edges in the plane, cap them. Source: Ericson 2005, 8.3.4.
#include "bv/query/slice.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "query/meshes/polygon.hpp"
#include "query/precise.hpp"

namespace bv {
namespace {

using detail::DVec3;
using detail::Loop;
using detail::wide;

constexpr std::uint32_t kNone = 0xffffffffu;

std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) noexcept {
    return static_cast<std::uint64_t>(a) << 32 | b;
}

struct PositionHash {
    std::size_t operator()(const glm::vec3& p) const noexcept {
        std::size_t h = 0;
        for (int i = 0; i < 3; ++i) {
            const float positive_zero = p[i] + 0.0f;
            std::uint32_t bits = 0;
            std::memcpy(&bits, &positive_zero, sizeof bits);
            h = (h ^ bits) * 0x9e3779b97f4a7c15ull;
        }
        return h ^ (h >> 29);
    }
};

template <class Sink>
class Slicer {
  public:
    Slicer(MeshView mesh, const Plane& plane, Sink& sink) : sink_(sink), plane_(plane) {
        join_corners(mesh);
        for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
            const glm::uvec3 t = mesh.triangles[i];
            const std::uint32_t ids[3] = {joined_[t.x], joined_[t.y], joined_[t.z]};
            if (ids[0] == kNone || ids[1] == kNone || ids[2] == kNone) continue;
            if (ids[0] == ids[1] || ids[1] == ids[2] || ids[2] == ids[0]) continue;
            split(ids, static_cast<std::uint32_t>(i));
        }
    }

    MeshSlice finish() {
        MeshSlice result;
        // Triangles without area in the plane bound nothing: alone they make no second half.
        auto& half = front_.empty() && !back_.empty() ? back_ : front_;
        half.insert(half.end(), flat_.begin(), flat_.end());
        if (front_.empty() || back_.empty()) {
            result.side = front_.empty() ? Side::Back : Side::Front;
            if (front_.empty() && back_.empty()) result.side = Side::Intersecting;
            return result;
        }
        // Nothing crosses the plane and nothing is open: perhaps a piece on each side, or a face in the
        // plane.
        const std::size_t front_faces = front_.size();
        const std::size_t back_faces = back_.size();
        const auto front_loops = cap(front_, -wide(plane_.normal), result.closed);
        const auto back_loops = cap(back_, wide(plane_.normal), result.closed);
        const auto& loops = back_loops.empty() ? front_loops : back_loops;
        for (const Loop& loop : loops) {
            std::vector<glm::vec3> contour;
            // Crossings of edges next to each other may be rounded to one point.
            for (const auto& p : loop)
                if (contour.empty() || contour.back() != positions_[p.id])
                    contour.push_back(positions_[p.id]);
            while (contour.size() > 1 && contour.back() == contour.front())
                contour.pop_back();
            if (contour.size() < 3) continue;
            if (back_loops.empty()) std::reverse(contour.begin(), contour.end());
            if constexpr (Sink::kEnabled)
                sink_(LoopClosed{static_cast<std::uint32_t>(contour.size()), area_of(contour)});
            result.contours.push_back(std::move(contour));
        }
        result.front = compact(front_, front_faces);
        result.back = compact(back_, back_faces);
        return result;
    }

  private:
    /// Positive if the loop runs counter-clockwise, seen from the front of the plane.
    [[nodiscard]] float area_of(const std::vector<glm::vec3>& loop) const {
        DVec3 twice(0.0);
        for (std::size_t i = 2; i < loop.size(); ++i)
            twice += glm::cross(wide(loop[i - 1]) - wide(loop[0]), wide(loop[i]) - wide(loop[0]));
        return static_cast<float>(0.5 * glm::dot(twice, glm::normalize(wide(plane_.normal))));
    }

    void join_corners(MeshView mesh) {
        std::unordered_map<glm::vec3, std::uint32_t, PositionHash> known;
        known.reserve(mesh.positions.size());
        joined_.reserve(mesh.positions.size());
        for (const glm::vec3& p : mesh.positions) {
            if (!bv::is_finite(p)) {
                joined_.push_back(kNone);
                continue;
            }
            const auto [at, is_new] = known.try_emplace(p, static_cast<std::uint32_t>(positions_.size()));
            if (is_new) add_corner(p);
            joined_.push_back(at->second);
        }
    }

    void add_corner(const glm::vec3& p) {
        const DVec3 terms = wide(plane_.normal) * wide(p);
        const double offset = plane_.offset;
        const double d = terms.x + terms.y + terms.z - offset;
        // The plane's floats are rounded: points within that error count as on the plane.
        const double blur =
            0x1p-23 * (std::abs(terms.x) + std::abs(terms.y) + std::abs(terms.z) + std::abs(offset));
        positions_.push_back(p);
        distances_.push_back(d);
        sides_.push_back(d > blur ? 1 : d < -blur ? -1 : 0);
    }

    /// The corner where an edge crosses the plane, made once, always from the same end.
    std::uint32_t crossing(std::uint32_t a, std::uint32_t b) {
        if (a > b) std::swap(a, b);
        const auto [at, is_new] =
            crossings_.try_emplace(pair_key(a, b), static_cast<std::uint32_t>(positions_.size()));
        if (is_new) {
            const double s = distances_[a] / (distances_[a] - distances_[b]);
            positions_.push_back(
                detail::narrow(wide(positions_[a]) + s * (wide(positions_[b]) - wide(positions_[a]))));
            distances_.push_back(0.0);
            sides_.push_back(0);
        }
        return at->second;
    }

    void report(std::uint32_t triangle, TriangleCut::Verdict verdict) {
        if constexpr (Sink::kEnabled) sink_(TriangleCut{triangle, verdict, {}, {}, 0});
    }

    void split(const std::uint32_t ids[3], std::uint32_t triangle) {
        using Verdict = TriangleCut::Verdict;
        const int side[3] = {sides_[ids[0]], sides_[ids[1]], sides_[ids[2]]};
        const int lowest = std::min({side[0], side[1], side[2]});
        const int highest = std::max({side[0], side[1], side[2]});
        if (lowest == 0 && highest == 0) {
            // A face in the plane bounds the solid behind it.
            report(triangle, Verdict::InPlane);
            const DVec3 a = wide(positions_[ids[0]]);
            const DVec3 n = glm::cross(wide(positions_[ids[1]]) - a, wide(positions_[ids[2]]) - a);
            const double along = glm::dot(n, wide(plane_.normal));
            (along > 0.0 ? back_ : along < 0.0 ? front_ : flat_).emplace_back(ids[0], ids[1], ids[2]);
            return;
        }
        if (lowest >= 0) {
            report(triangle, Verdict::Front);
            front_.emplace_back(ids[0], ids[1], ids[2]);
            return;
        }
        if (highest <= 0) {
            report(triangle, Verdict::Back);
            back_.emplace_back(ids[0], ids[1], ids[2]);
            return;
        }
        const std::size_t corners_before = positions_.size();
        std::uint32_t above[4];
        std::uint32_t below[4];
        std::size_t above_count = 0;
        std::size_t below_count = 0;
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3;
            if (side[i] >= 0) above[above_count++] = ids[i];
            if (side[i] <= 0) below[below_count++] = ids[i];
            if (side[i] * side[j] < 0) above[above_count++] = below[below_count++] = crossing(ids[i], ids[j]);
        }
        if constexpr (Sink::kEnabled) report_cut(triangle, above, above_count, corners_before);
        for (std::size_t i = 2; i < above_count; ++i)
            front_.emplace_back(above[0], above[i - 1], above[i]);
        for (std::size_t i = 2; i < below_count; ++i)
            back_.emplace_back(below[0], below[i - 1], below[i]);
    }

    /// The corners of the part above that lie in the plane are the ends of the cut.
    void report_cut(std::uint32_t triangle, const std::uint32_t* above, std::size_t count,
                    std::size_t corners_before) {
        TriangleCut event{triangle, TriangleCut::Verdict::Cut, {}, {}, 0};
        int ends = 0;
        for (std::size_t i = 0; i < count && ends < 2; ++i)
            if (sides_[above[i]] == 0) (ends++ == 0 ? event.from : event.to) = positions_[above[i]];
        event.new_corners = static_cast<std::uint32_t>(positions_.size() - corners_before);
        sink_(event);
    }

    /// Edges in the plane that belong to only one triangle of the piece, reversed, keyed by their start
    /// corner.
    std::unordered_multimap<std::uint32_t, std::uint32_t> open_edges(
        const std::vector<glm::uvec3>& piece) const {
        std::unordered_map<std::uint64_t, int> count;
        for (const glm::uvec3& t : piece)
            for (int i = 0; i < 3; ++i) {
                const std::uint32_t a = t[i];
                const std::uint32_t b = t[(i + 1) % 3];
                if (sides_[a] != 0 || sides_[b] != 0) continue;
                const auto opposite = count.find(pair_key(b, a));
                if (opposite != count.end() && opposite->second > 0)
                    --opposite->second;
                else
                    ++count[pair_key(a, b)];
            }
        std::unordered_multimap<std::uint32_t, std::uint32_t> edges;
        for (const auto& [key, n] : count)
            for (int k = 0; k < n; ++k)
                edges.emplace(static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32));
        return edges;
    }

    /// Adds the cap of a piece, whose outward normal is `normal`, and returns its outlines.
    std::vector<Loop> cap(std::vector<glm::uvec3>& piece, const DVec3& normal, bool& closed) const {
        auto edges = open_edges(piece);
        const DVec3 other = std::abs(normal.x) < 0.6 ? DVec3(1, 0, 0) : DVec3(0, 1, 0);
        const DVec3 u = glm::normalize(glm::cross(normal, other));
        const DVec3 v = glm::cross(normal, u);
        const auto flat = [&](std::uint32_t id) {
            return detail::LoopPoint{{glm::dot(u, wide(positions_[id])), glm::dot(v, wide(positions_[id]))},
                                     id};
        };
        // In the order of ids, so that the cap does not depend on the hash order.
        std::vector<std::uint32_t> starts;
        for (const auto& edge : edges)
            starts.push_back(edge.first);
        std::sort(starts.begin(), starts.end());
        std::vector<Loop> loops;
        for (const std::uint32_t start : starts) {
            Loop loop;
            std::uint32_t at = start;
            while (true) {
                const auto next = choose_next(edges, loop, flat(at), normal);
                if (next == edges.end()) break;
                loop.push_back(flat(at));
                at = next->second;
                edges.erase(next);
                if (at == start) break;
            }
            if (loop.empty()) continue;
            if (at == start && loop.size() >= 3)
                loops.push_back(std::move(loop));
            else if (at != start)
                closed = false;
        }
        detail::triangulate(loops, piece);
        return loops;
    }

    using Edges = std::unordered_multimap<std::uint32_t, std::uint32_t>;

    /// Chooses an edge that leaves a corner: if there are several, because outlines touch, the one with the
    /// smallest angle inside, so that touching outlines remain separate loops. `normal` is that of the cap.
    typename Edges::iterator choose_next(Edges& edges, const Loop& loop, const detail::LoopPoint& at,
                                         const DVec3& normal) const {
        auto [first, last] = edges.equal_range(at.id);
        if (first == last) return edges.end();
        auto best = first;
        if (std::next(first) == last) return best;
        // The least number begins a loop and decides ties: the order of the hash table depends on the
        // standard library.
        for (auto it = first; it != last; ++it)
            if (it->second < best->second) best = it;
        if (loop.empty()) return best;
        const DVec3 origin = wide(positions_[at.id]);
        const DVec3 from = wide(positions_[loop.back().id]) - origin;
        double sharpest = 10.0;
        for (auto it = first; it != last; ++it) {
            const DVec3 to = wide(positions_[it->second]) - origin;
            // Counter-clockwise angle from the outgoing edge back to the incoming one.
            const DVec3 axis = glm::cross(to, from);
            double angle = std::atan2(glm::length(axis), glm::dot(to, from));
            if (glm::dot(axis, normal) < 0.0) angle = 6.283185307179586 - angle;
            if (angle < sharpest || (angle == sharpest && it->second < best->second))
                sharpest = angle, best = it;
        }
        return best;
    }

    /// The piece with only the corners that it uses.
    MeshPiece compact(const std::vector<glm::uvec3>& triangles, std::size_t cap_begin) const {
        MeshPiece piece;
        piece.cap_begin = cap_begin;
        std::vector<std::uint32_t> where(positions_.size(), kNone);
        for (const glm::uvec3& t : triangles) {
            glm::uvec3 out;
            for (int i = 0; i < 3; ++i) {
                std::uint32_t& id = where[t[i]];
                if (id == kNone) {
                    id = static_cast<std::uint32_t>(piece.positions.size());
                    piece.positions.push_back(positions_[t[i]]);
                }
                out[i] = id;
            }
            piece.triangles.push_back(out);
        }
        return piece;
    }

    Sink& sink_;
    Plane plane_;
    std::vector<std::uint32_t> joined_;  ///< Corner of the mesh -> merged corner.
    std::vector<glm::vec3> positions_;   ///< Merged corners, then crossings.
    std::vector<double> distances_;
    std::vector<signed char> sides_;
    std::unordered_map<std::uint64_t, std::uint32_t> crossings_;
    std::vector<glm::uvec3> front_;
    std::vector<glm::uvec3> back_;
    std::vector<glm::uvec3> flat_;  ///< In the plane, without area.
};

template <class Sink>
MeshSlice slice_with(MeshView mesh, const Plane& plane, Sink& sink) {
    if (!bv::is_finite(plane.normal) || !std::isfinite(plane.offset)) return {};
    return Slicer<Sink>(mesh, plane, sink).finish();
}

}  // namespace

MeshSlice slice(MeshView mesh, const Plane& plane) {
    NoTrace sink;
    return slice_with(mesh, plane, sink);
}

MeshSlice slice(MeshView mesh, const Plane& plane, Recording& trace) {
    return slice_with(mesh, plane, trace);
}

MeshSlice slice(MeshView mesh, const Aabb& bounds, const Plane& plane) {
    if (!is_finite(plane.normal) || !std::isfinite(plane.offset)) return {};
    const Side side = classify(bounds, plane);
    if (side == Side::Intersecting) return slice(mesh, plane);
    MeshSlice result;
    result.side = side;
    return result;
}

}  // namespace bv
