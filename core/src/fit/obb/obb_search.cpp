#include "fit/obb/obb_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "bv/shapes/not_finite.hpp"
#include "fit/obb/calipers.hpp"
#include "shapes/frame.hpp"

namespace bv::detail {
namespace {

// Gains below this fraction of the volume are rounding.
constexpr double kGain = 1e-11;
// A pair of supports is valid if it is this close to the true width; the size of the solid is 1.
constexpr double kTie = 1e-13;
// A dot product of unit normals below this at both ends of an arc counts as a right angle.
constexpr double kVanishing = 1e-9;
// Cells per edge of the cube of directions.
constexpr int kCells = 20;

std::size_t cell_index(int face, int row, int column) noexcept {
    return (static_cast<std::size_t>(face) * kCells + static_cast<std::size_t>(row)) * kCells +
           static_cast<std::size_t>(column);
}

double dot(const glm::dvec3& a, const glm::dvec3& b) noexcept {
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
double largest(const glm::dvec3& v) noexcept {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

}  // namespace

// Two perpendicular normals over two arcs: both linear in s, neither of unit length.
struct ObbSearch::Curve {
    glm::dvec3 first_0, first_1;
    glm::dvec3 second_0, second_1;
    const ConvexSolid::Arc* first_arc;
    const ConvexSolid::Arc* second_arc;

    [[nodiscard]] glm::dmat3 frame(double s) const noexcept {
        const glm::dvec3 u = glm::normalize(first_0 + s * first_1);
        // Near the ends of degenerate curves the second normal is short, and its rounding no longer
        // negligible.
        const glm::dvec3 w = second_0 + s * second_1;
        const glm::dvec3 v = glm::normalize(w - u * dot(u, w));
        return {u, v, glm::cross(u, v)};
    }
};

ObbSearch::ObbSearch(const ConvexSolid& solid, const ConvexSolid& full) : solid_(solid), full_(full) {
    best_.volume = least_ = std::numeric_limits<double>::infinity();
    make_width_table();
}

bool ObbSearch::consider(const glm::dmat3& axes) {
    const double volume = full_.box_volume(axes, full_supports_);
    const bool better = volume < best_.volume * (1.0 - kGain);
    if (better) best_ = {axes, volume};
    if (&solid_ == &full_) {
        least_ = best_.volume;
    } else {
        least_ = std::min(least_, solid_.box_volume(axes, solid_supports_));
        considered_.push_back({axes, volume});
    }
    if (observer_) observer_(axes, better);
    return better;
}

std::vector<glm::dmat3> ObbSearch::best_frames(std::size_t count, double apart_rad) const {
    std::vector<BoxCandidate> order(considered_);
    std::stable_sort(order.begin(), order.end(),
                     [](const BoxCandidate& a, const BoxCandidate& b) { return a.volume < b.volume; });
    const double cosine = std::cos(apart_rad);
    const auto alike = [cosine](const glm::dmat3& a, const glm::dmat3& b) {
        for (int k = 0; k < 3; ++k)
            if (largest(glm::dvec3(dot(a[k], b[0]), dot(a[k], b[1]), dot(a[k], b[2]))) < cosine) return false;
        return true;
    };
    std::vector<glm::dmat3> frames;
    for (const BoxCandidate& c : order) {
        if (frames.size() == count) break;
        if (std::none_of(frames.begin(), frames.end(), [&](const glm::dmat3& f) { return alike(f, c.axes); }))
            frames.push_back(c.axes);
    }
    return frames;
}

double ObbSearch::least_extent() const noexcept {
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k) {
        const std::uint32_t high = full_.climb(best_.axes[k], 0), low = full_.climb(-best_.axes[k], 0);
        least = std::min(least, dot(best_.axes[k], full_.vertices()[high] - full_.vertices()[low]));
    }
    return least;
}

void ObbSearch::refine_by_calipers() {
    std::vector<glm::dvec2> flat;
    for (int round = 0; round < 12; ++round) {
        bool gained = false;
        for (int k = 0; k < 3; ++k) {
            const glm::dmat3 axes = best_.axes;
            const glm::dvec3 w = axes[k], u = axes[(k + 1) % 3], v = axes[(k + 2) % 3];
            flat.clear();
            for (const glm::dvec3& p : full_.vertices())
                flat.emplace_back(dot(u, p), dot(v, p));
            const glm::dvec2 side = smallest_rectangle(convex_polygon(flat)).axis;
            const glm::dvec3 rotated = glm::normalize(u * side.x + v * side.y);
            gained = consider(glm::dmat3{rotated, glm::cross(w, rotated), w}) || gained;
        }
        if (!gained) return;
    }
}

void ObbSearch::make_width_table() {
    spans_.resize(3 * kCells * kCells);
    least_width_ = std::numeric_limits<double>::infinity();
    std::uint32_t high = 0, low = 0;
    for (int face = 0; face < 3; ++face) {
        for (int row = 0; row < kCells; ++row) {
            for (int i = 0; i < kCells; ++i) {
                // Back and forth, so that each search starts near its end.
                const int column = row % 2 == 0 ? i : kCells - 1 - i;
                glm::dvec3 n;
                n[face] = 1.0;
                n[(face + 1) % 3] = (2.0 * row + 1.0) / kCells - 1.0;
                n[(face + 2) % 3] = (2.0 * column + 1.0) / kCells - 1.0;
                n = glm::normalize(n);
                high = solid_.climb(n, high);
                low = solid_.climb(-n, low);
                const glm::dvec3 span = solid_.vertices()[high] - solid_.vertices()[low];
                spans_[cell_index(face, row, column)] = {span, high, low};
                // No direction in the cell is farther from its center than its corner on the cube.
                const double radius_rad = std::sqrt(2.0) / kCells;
                const double along = dot(n, span);
                const double across = std::sqrt(std::max(dot(span, span) - along * along, 0.0));
                least_width_ =
                    std::min(least_width_, along * std::cos(radius_rad) - across * std::sin(radius_rad));
            }
        }
    }
    least_width_ = std::max(0.0, least_width_);  // In this order never -0.0.
}

// The supports of some direction close to this one. Their distance is a lower bound of the width in every
// direction.
inline ObbSearch::Span ObbSearch::span_near(const glm::dvec3& direction) const noexcept {
    // Without branches on the direction, which would mispredict.
    const double d[5] = {direction.x, direction.y, direction.z, direction.x, direction.y};
    const glm::dvec3 a = glm::abs(direction);
    const int face = a.z > std::max(a.x, a.y) ? 2 : static_cast<int>(a.y > a.x);
    const double scale = 1.0 / d[face];
    const auto cell = [&](int k) {
        return clamped_int((d[face + k] * scale + 1.0) * (kCells * 0.5), 0, kCells - 1);
    };
    const Span& span = spans_[cell_index(face, cell(1), cell(2))];
    const bool opposite = d[face] < 0.0;
    return {(opposite ? -1.0 : 1.0) * span.across, opposite ? span.low : span.high,
            opposite ? span.high : span.low};
}

// The bound of is_hopeless over two whole arcs: looser, but without a root, and enough for most pairs.
inline double ObbSearch::bound_over(const ConvexSolid::Arc& a, const ConvexSolid::Arc& b) const noexcept {
    const glm::dvec3 third = span_near(glm::cross(a.from + a.to, b.from + b.to)).across;
    const glm::dvec3 from_third = glm::cross(b.from, third), to_third = glm::cross(b.to, third);
    const double least = std::min(std::min(dot(a.from, from_third), dot(a.from, to_third)),
                                  std::min(dot(a.to, from_third), dot(a.to, to_third)));
    return a.least_width * b.least_width * least;
}

void ObbSearch::search_all() {
    const auto& normals = solid_.face_normals();
    const std::size_t face_count = normals.size();
    // Narrow arcs first: the list of partners can then be truncated where both are too wide.
    std::vector<const ConvexSolid::Arc*> arcs;
    for (const ConvexSolid::Arc& arc : solid_.arcs())
        arcs.push_back(&arc);
    std::stable_sort(arcs.begin(), arcs.end(),
                     [](const auto* a, const auto* b) { return a->least_width < b->least_width; });
    // For each face, the side of its normal on which each other normal lies: 1 clearly front, 2 clearly back,
    // 0 neither.
    std::vector<std::vector<std::uint8_t>> sides(face_count);
    std::vector<double> x, y, z;  // of the normals
    for (const glm::dvec3& n : normals) {
        x.push_back(n.x);
        y.push_back(n.y);
        z.push_back(n.z);
    }
    const auto sides_of = [&](std::uint32_t face) -> const std::vector<std::uint8_t>& {
        std::vector<std::uint8_t>& row = sides[face];
        if (!row.empty()) return row;
        row.resize(face_count);
        const glm::dvec3 n = normals[face];
        for (std::size_t i = 0; i < face_count; ++i) {
            const double d = (n.x * x[i] + n.y * y[i]) + n.z * z[i];
            row[i] =
                static_cast<std::uint8_t>(static_cast<int>(d > 1e-12) | static_cast<int>(d < -1e-12) << 1);
        }
        return row;
    };
    // The data of the inner loop, contiguous.
    struct Partner {
        std::uint32_t face_from, face_to;
        double least_width;
    };
    std::vector<Partner> partners;
    partners.reserve(arcs.size());
    for (const ConvexSolid::Arc* arc : arcs)
        partners.push_back({arc->face_from, arc->face_to, arc->least_width});
    std::vector<std::uint8_t> both(face_count);
    std::vector<std::uint32_t> crossing(arcs.size());
    std::vector<double> bounds(arcs.size());
    for (std::size_t i = 0; i < arcs.size(); ++i) {
        const ConvexSolid::Arc& a = *arcs[i];
        // Narrower partners have been processed, so the first partner is at least as wide.
        if (a.least_width * a.least_width * least_width_ > least_) break;
        const auto& from = sides_of(a.face_from);
        const auto& to = sides_of(a.face_to);
        for (std::size_t f = 0; f < face_count; ++f)
            both[f] = from[f] & to[f];
        // In three passes, since most pairs end early, at unpredictable places: the first two have no branch
        // that depends on the pair.
        double widest = least_ / (a.least_width * least_width_);
        std::size_t count = 0;
        for (std::size_t j = i + 1; j < partners.size() && !(partners[j].least_width > widest); ++j) {
            // If all four products have the same sign, there is no right angle in between.
            crossing[count] = static_cast<std::uint32_t>(j);
            count += (both[partners[j].face_from] & both[partners[j].face_to]) == 0 ? 1 : 0;
        }
        for (std::size_t k = 0; k < count; ++k)
            bounds[k] = bound_over(a, *arcs[crossing[k]]);
        for (std::size_t k = 0; k < count; ++k) {
            const ConvexSolid::Arc& b = *arcs[crossing[k]];
            if (b.least_width > widest) break;
            if (bounds[k] > least_ * (1.0 - kGain)) continue;
            follow(a, b);
            widest = least_ / (a.least_width * least_width_);
        }
    }
}

void ObbSearch::search_near(const glm::dmat3& axes, double reach_rad) {
    const double cosine = std::cos(reach_rad);
    std::vector<const ConvexSolid::Arc*> near[3];
    for (const ConvexSolid::Arc& arc : solid_.arcs()) {
        for (int k = 0; k < 3; ++k) {
            if (std::max(std::abs(dot(arc.from, axes[k])), std::abs(dot(arc.to, axes[k]))) > cosine)
                near[k].push_back(&arc);
        }
    }
    for (int k = 0; k < 3; ++k) {
        for (const ConvexSolid::Arc* a : near[k]) {
            for (const ConvexSolid::Arc* b : near[(k + 1) % 3])
                if (!(bound_over(*a, *b) > least_ * (1.0 - kGain))) follow(*a, *b);
        }
    }
}

void ObbSearch::follow(const ConvexSolid::Arc& a, const ConvexSolid::Arc& b) {
    // The dot product over both arcs is bilinear: zero at second = (f1 from - f0 to) for first = from + s (to
    // - from).
    const double f0_0 = dot(a.from, b.from), f0_1 = dot(a.to, b.from) - f0_0;
    const double f1_0 = dot(a.from, b.to), f1_1 = dot(a.to, b.to) - f1_0;
    std::array<double, 4> cut{0.0, 1.0, 1.0, 1.0};
    std::size_t cuts = 1;  // In ascending order; later entries are 1.
    for (const auto& [at, slope] : {std::pair{f0_0, f0_1}, std::pair{f1_0, f1_1}}) {
        const double root = slope != 0.0 ? -at / slope : -1.0;
        if (!(root > 0.0) || !(root < 1.0)) continue;
        cut[cuts++] = root;
        if (cut[1] > cut[2]) std::swap(cut[1], cut[2]);
    }
    for (std::size_t i = 0; i < cuts; ++i) {
        const double middle = 0.5 * (cut[i] + cut[i + 1]);
        const double f0 = f0_0 + middle * f0_1, f1 = f1_0 + middle * f1_1;
        if (f0 * f1 > 0.0 && std::abs(f0) + std::abs(f1) > kVanishing) continue;
        // Where both products vanish, the first normal is perpendicular to the whole second arc. The
        // candidates are rectangles rotating on a fixed side; the smallest has a second side flush too: at an
        // end of the arc.
        const double slope = std::abs(f0_1) + std::abs(f1_1);
        double ends[2] = {cut[i], cut[i + 1]};
        for (double& end : ends) {
            const double size = std::abs(f0_0 + end * f0_1) + std::abs(f1_0 + end * f1_1);
            if (size > kVanishing) continue;
            const glm::dvec3 n = glm::normalize(a.from + end * (a.to - a.from));
            consider_beside(n, b.from);
            consider_beside(n, b.to);
            end += (&end == ends ? 1.0 : -1.0) * (slope > 0.0 ? 2.0 * kVanishing / slope : 1.0);
        }
        if (!(ends[0] < ends[1])) continue;
        // Both weights positive, so that the normal lies on the arc itself.
        const double sign = f0 > f1 ? 1.0 : -1.0;
        const Curve curve{a.from,
                          a.to - a.from,
                          sign * (f0_0 * b.to - f1_0 * b.from),
                          sign * (f0_1 * b.to - f1_1 * b.from),
                          &a,
                          &b};
        follow_curve(curve, ends[0], ends[1]);
    }
}

void ObbSearch::consider_beside(const glm::dvec3& n, const glm::dvec3& other) {
    const glm::dvec3 v = normalized_or_zero(other - n * dot(n, other));
    if (v != glm::dvec3(0.0)) consider(glm::dmat3{n, v, glm::cross(n, v)});
}

// The least extent of a span along the third axis while the first two move from one end to the other. Their
// normals are blends of those at the ends, of length at most one, and the product of two blends is bilinear:
// least at a corner, and normalizing can only enlarge it where it is positive.
double ObbSearch::least_third(const End& a, const End& b, const glm::dvec3& span) const noexcept {
    return std::min(
        std::min(dot(a.axes[2], span), dot(b.axes[2], span)),
        std::min(dot(glm::cross(a.axes[0], b.axes[1]), span), dot(glm::cross(b.axes[0], a.axes[1]), span)));
}

// True if no box on the curve between the two ends can be smaller than the best. Along the first two axes the
// width is at least that between two fixed vertices, which is a sine along the arc, so least at an end.
bool ObbSearch::is_hopeless(const Curve& curve, const End& a, const End& b,
                            const Span& third) const noexcept {
    const auto& v = solid_.vertices();
    const glm::dvec3 first = v[curve.first_arc->vertex] - v[curve.first_arc->opposite];
    const glm::dvec3 second = v[curve.second_arc->vertex] - v[curve.second_arc->opposite];
    const double width_1 = std::min(dot(a.axes[0], first), dot(b.axes[0], first));
    const double width_2 = std::min(dot(a.axes[1], second), dot(b.axes[1], second));
    const double width_3 = least_third(a, b, third.across);
    return width_1 > 0.0 && width_2 > 0.0 && width_1 * width_2 * width_3 > least_ * (1.0 - kGain);
}

// Finds the supports at an end and evaluates the box there.
void ObbSearch::evaluate(const Curve& curve, End& end) {
    const auto& v = solid_.vertices();
    end.support[0] = curve.first_arc->vertex;
    end.support[1] = solid_.climb(-end.axes[0], end.support[1]);
    end.support[2] = curve.second_arc->vertex;
    end.support[3] = solid_.climb(-end.axes[1], end.support[3]);
    end.support[4] = solid_.climb(end.axes[2], end.support[4]);
    end.support[5] = solid_.climb(-end.axes[2], end.support[5]);
    double volume = 1.0;
    for (std::size_t k = 0; k < 3; ++k) {
        end.width[k] = dot(end.axes[static_cast<int>(k)], v[end.support[2 * k]] - v[end.support[2 * k + 1]]);
        volume *= end.width[k];
    }
    if (volume < least_ * (1.0 - kGain)) consider(end.axes);
}

void ObbSearch::follow_curve(const Curve& curve, double from, double to) {
    End low, high;
    low.s = from;
    low.axes = curve.frame(from);
    high.s = to;
    high.axes = curve.frame(to);
    const Span third = span_near(low.axes[2] + high.axes[2]);
    if (is_hopeless(curve, low, high, third)) return;
    low.support = {0, curve.first_arc->opposite, 0, curve.second_arc->opposite, third.high, third.low};
    evaluate(curve, low);
    if (bound_by_first(low, high) > least_ * (1.0 - kGain)) return;
    high.support = low.support;
    evaluate(curve, high);
    open_.assign(1, {low, high});
    // Kinks are few. More pieces than this are rounding noise on an extremely thin solid.
    constexpr int kMaxPieces = 2000;
    for (int piece = 0; !open_.empty() && piece < kMaxPieces; ++piece) {
        const auto [a, b] = open_.back();
        open_.pop_back();
        std::size_t changed = 3;
        if (bound_between(a, b, changed) > least_ * (1.0 - kGain)) continue;
        const double angle_rad = glm::length(a.axes[0] - b.axes[0]) + glm::length(a.axes[1] - b.axes[1]);
        // Ends this close count as the same kink.
        if (angle_rad < 1e-11 || open_.size() > 60) continue;
        double at = 0.5 * (a.s + b.s);
        if (changed < 3) {
            at = kink_between(curve, a, b, changed);
        } else if (angle_rad < 0.3 && !dips_between(curve, a, b, at)) {
            continue;
        }
        End middle = a;
        middle.s = at > a.s && at < b.s ? at : 0.5 * (a.s + b.s);
        if (!(middle.s > a.s) || !(middle.s < b.s)) continue;
        middle.axes = curve.frame(middle.s);
        evaluate(curve, middle);
        // The minimum of a dip needs no further search, unless the supports changed there.
        std::size_t changed_there = 3;
        bound_between(a, middle, changed_there);
        if (changed == 3 && angle_rad < 0.3 && changed_there == 3) continue;
        open_.emplace_back(middle, b);
        open_.emplace_back(a, middle);
    }
}

// A lower bound of all volumes between two ends from the supports of the first alone.
double ObbSearch::bound_by_first(const End& a, const End& b) const noexcept {
    const auto& v = solid_.vertices();
    double bound = 1.0;
    for (std::size_t k = 0; k < 3; ++k) {
        const int axis = static_cast<int>(k);
        const glm::dvec3 span = v[a.support[2 * k]] - v[a.support[2 * k + 1]];
        const double least = k < 2 ? std::min(a.width[k], dot(b.axes[axis], span)) : least_third(a, b, span);
        bound *= std::max(least, 0.0);
    }
    return bound;
}

// A lower bound of all volumes between two ends. Sets `changed` to an axis along which the supports of the
// first end are no longer valid at the second; unchanged if all are valid.
double ObbSearch::bound_between(const End& a, const End& b, std::size_t& changed) const noexcept {
    const auto& v = solid_.vertices();
    double bound = 1.0;
    for (std::size_t k = 0; k < 3; ++k) {
        const int axis = static_cast<int>(k);
        const glm::dvec3 span_a = v[a.support[2 * k]] - v[a.support[2 * k + 1]];
        const glm::dvec3 span_b = v[b.support[2 * k]] - v[b.support[2 * k + 1]];
        const double a_at_b = dot(b.axes[axis], span_a), b_at_a = dot(a.axes[axis], span_b);
        double least = 0.0;
        if (k < 2)
            least = std::max(std::min(a.width[k], a_at_b), std::min(b.width[k], b_at_a));
        else
            least = std::max(least_third(a, b, span_a), least_third(a, b, span_b));
        bound *= std::max(least, 0.0);
        if (a_at_b < b.width[k] - kTie) changed = k;
    }
    return bound;
}

// Where the supports switch from those of one end to those of the other: their widths along the axis are
// equal there. Both normals are linear in s and the third is their product, so this is a root of a polynomial
// of at most second degree.
double ObbSearch::kink_between(const Curve& curve, const End& a, const End& b,
                               std::size_t axis) const noexcept {
    const auto& v = solid_.vertices();
    const glm::dvec3 d = (v[a.support[2 * axis]] - v[a.support[2 * axis + 1]]) -
                         (v[b.support[2 * axis]] - v[b.support[2 * axis + 1]]);
    double c0 = 0.0, c1 = 0.0, c2 = 0.0;
    if (axis == 0) {
        c0 = dot(curve.first_0, d);
        c1 = dot(curve.first_1, d);
    } else if (axis == 1) {
        c0 = dot(curve.second_0, d);
        c1 = dot(curve.second_1, d);
    } else {
        c0 = dot(glm::cross(curve.first_0, curve.second_0), d);
        c1 = dot(glm::cross(curve.first_0, curve.second_1) + glm::cross(curve.first_1, curve.second_0), d);
        c2 = dot(glm::cross(curve.first_1, curve.second_1), d);
    }
    if (c2 == 0.0) return c1 != 0.0 ? -c0 / c1 : a.s;
    const double q = -0.5 * (c1 + std::copysign(std::sqrt(std::max(c1 * c1 - 4.0 * c0 * c2, 0.0)), c1));
    const double root = q / c2;
    return root > a.s && root < b.s ? root : c0 / q;
}

// With all six supports fixed the volume is (n1.a)(n2.b)(n3.c) / (|n1|^2 |n2|^2), n3 = n1 x n2: at an
// interior minimum the derivative changes from negative to positive.
bool ObbSearch::dips_between(const Curve& curve, const End& a, const End& b, double& at) const noexcept {
    const auto& v = solid_.vertices();
    const glm::dvec3 span_1 = v[a.support[0]] - v[a.support[1]];
    const glm::dvec3 span_2 = v[a.support[2]] - v[a.support[3]];
    const glm::dvec3 span_3 = v[a.support[4]] - v[a.support[5]];
    const auto log_slope = [&](double s) {
        const glm::dvec3 n1 = curve.first_0 + s * curve.first_1, n2 = curve.second_0 + s * curve.second_1;
        const glm::dvec3 n3 = glm::cross(n1, n2);
        const glm::dvec3 n3_slope = glm::cross(curve.first_1, n2) + glm::cross(n1, curve.second_1);
        return dot(curve.first_1, span_1) / dot(n1, span_1) + dot(curve.second_1, span_2) / dot(n2, span_2) +
               dot(n3_slope, span_3) / dot(n3, span_3) - 2.0 * dot(n1, curve.first_1) / dot(n1, n1) -
               2.0 * dot(n2, curve.second_1) / dot(n2, n2);
    };
    double from = a.s, to = b.s;
    if (!(log_slope(from) < 0.0) || !(log_slope(to) > 0.0)) return false;
    for (int i = 0; i < 60 && to - from > 1e-15; ++i) {
        const double middle = 0.5 * (from + to);
        (log_slope(middle) < 0.0 ? from : to) = middle;
    }
    at = 0.5 * (from + to);
    return true;
}

}  // namespace bv::detail
