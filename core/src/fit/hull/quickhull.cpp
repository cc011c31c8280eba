#include "fit/hull/quickhull.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "shapes/predicates.hpp"
#include "shapes/rounding.hpp"

namespace bv::detail {
namespace {

// Twice the coefficient of Shewchuk's filter for a 3x3 determinant of differences.
constexpr double kFilter = 1.6e-15;

}  // namespace

int QuickHull::start() {
    std::array<std::uint32_t, 3> low{kNone, kNone, kNone}, high{kNone, kNone, kNone};
    const auto count = static_cast<std::uint32_t>(points_.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        if (!is_finite(points_[i])) continue;
        for (std::size_t k = 0; k < 3; ++k) {
            const int axis = static_cast<int>(k);
            if (low[k] == kNone || points_[i][axis] < points_[low[k]][axis]) low[k] = i;
            if (high[k] == kNone || points_[i][axis] > points_[high[k]][axis]) high[k] = i;
        }
    }
    if (low[0] == kNone) return -1;
    std::size_t widest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const int axis = static_cast<int>(k);
        extent_[axis] =
            static_cast<double>(points_[high[k]][axis]) - static_cast<double>(points_[low[k]][axis]);
        if (extent_[axis] > extent_[static_cast<int>(widest)]) widest = k;
    }
    const std::uint32_t a = low[widest], b = high[widest];
    corners_ = {a, b, kNone, kNone};
    if (points_[a] == points_[b]) return 0;

    // The third point: farthest from the line in double; if that is exactly on the line, any that is not.
    const glm::dvec3 pa(points_[a]);
    const glm::dvec3 along = glm::dvec3(points_[b]) - pa;
    std::uint32_t c = a;
    double best = -1.0;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (!is_finite(points_[i])) continue;
        const glm::dvec3 n = glm::cross(along, glm::dvec3(points_[i]) - pa);
        if (glm::dot(n, n) > best) {
            best = glm::dot(n, n);
            c = i;
        }
    }
    for (std::uint32_t i = 0; i < count && collinear(points_[a], points_[b], points_[c]); ++i) {
        if (is_finite(points_[i])) c = i;
    }
    if (collinear(points_[a], points_[b], points_[c])) return 1;
    corners_[2] = c;

    const glm::dvec3 normal = glm::cross(along, glm::dvec3(points_[c]) - pa);
    std::uint32_t d = a;
    best = -1.0;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (!is_finite(points_[i])) continue;
        const double distance = std::abs(glm::dot(normal, glm::dvec3(points_[i]) - pa));
        if (distance > best) {
            best = distance;
            d = i;
        }
    }
    int side = orient3d(points_[a], points_[b], points_[c], points_[d]);
    for (std::uint32_t i = 0; i < count && side == 0; ++i) {
        if (!is_finite(points_[i])) continue;
        d = i;
        side = orient3d(points_[a], points_[b], points_[c], points_[d]);
    }
    if (side == 0) return 2;
    if (side > 0) std::swap(corners_[0], corners_[1]);
    corners_[3] = d;

    // The fourth point is below the first face; the others are oriented accordingly.
    const std::uint32_t p = corners_[0], q = corners_[1], r = corners_[2];
    add_face(p, q, r);
    add_face(q, p, d);
    add_face(r, q, d);
    add_face(p, r, d);
    faces_[0].neighbor = {1, 2, 3};
    faces_[1].neighbor = {0, 3, 2};
    faces_[2].neighbor = {0, 1, 3};
    faces_[3].neighbor = {0, 2, 1};
    next_.assign(points_.size(), kNone);
    const std::vector<std::uint32_t> first{0, 1, 2, 3};
    for (std::uint32_t i = 0; i < count; ++i) {
        if (!is_finite(points_[i])) continue;
        assign_point(i, first);
    }
    for (std::uint32_t f = 0; f < 4; ++f)
        pending_.push_back(f);
    return 3;
}

std::uint32_t QuickHull::add_face(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    Face face;
    face.vertex = {a, b, c};
    face.origin = glm::dvec3(points_[a]);
    const glm::dvec3 p = glm::dvec3(points_[b]) - face.origin;
    const glm::dvec3 q = glm::dvec3(points_[c]) - face.origin;
    face.normal = glm::cross(p, q);
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        face.error += (std::abs(p[i] * q[j]) + std::abs(p[j] * q[i])) * extent_[k];
    }
    face.error *= kFilter;
    if (free_.empty()) {
        faces_.push_back(face);
        return static_cast<std::uint32_t>(faces_.size() - 1);
    }
    const std::uint32_t place = free_.back();
    free_.pop_back();
    faces_[place] = face;
    return place;
}

// The unit of `distance` depends on the face; only values for the same face are comparable.
bool QuickHull::is_outside(const Face& face, std::uint32_t point, double& distance) const {
    distance = glm::dot(face.normal, glm::dvec3(points_[point]) - face.origin);
    if (distance > face.error) return true;
    if (distance < -face.error) return false;
    const auto [a, b, c] = face.vertex;
    return orient3d(points_[a], points_[b], points_[c], points_[point]) > 0;
}

void QuickHull::give(std::uint32_t face, std::uint32_t point, double distance) {
    Face& f = faces_[face];
    next_[point] = f.outside;
    f.outside = point;
    // Among equally far points the one farthest from a corner is extreme; another may lie inside a face of
    // the final hull.
    if (f.farthest == kNone || distance >= f.farthest_distance) {
        const glm::dvec3 d = glm::dvec3(points_[point]) - f.origin;
        const double spread = glm::dot(d, d);
        if (f.farthest == kNone || distance > f.farthest_distance || spread > f.farthest_spread) {
            f.farthest = point;
            f.farthest_distance = distance;
            f.farthest_spread = spread;
        }
    }
}

// Traverses all faces visible from `point`, depth first and always in the same rotational order, so that the
// horizon edges come out in order around the hole.
void QuickHull::find_horizon(std::uint32_t start, std::uint32_t point) {
    removed_.assign(1, start);
    horizon_.clear();
    faces_[start].visible = true;
    stack_.assign(1, {static_cast<int>(start), 0, 3});
    while (!stack_.empty()) {
        auto& [face, edge, left] = stack_.back();
        if (left == 0) {
            stack_.pop_back();
            continue;
        }
        const auto f = static_cast<std::uint32_t>(face);
        const int e = edge;
        edge = (edge + 1) % 3;
        --left;
        const std::uint32_t g = faces_[f].neighbor[static_cast<std::size_t>(e)];
        Face& other = faces_[g];
        if (other.visible) continue;
        double distance = 0.0;
        if (!is_outside(other, point, distance)) {
            horizon_.emplace_back(f, e);
            continue;
        }
        other.visible = true;
        removed_.push_back(g);
        const auto back = std::find(other.neighbor.begin(), other.neighbor.end(), f) - other.neighbor.begin();
        stack_.push_back({static_cast<int>(g), static_cast<int>(back + 1) % 3, 2});
    }
}

// Assigns a point to the first of the faces that it is outside of; with a tolerance, to the one that it is
// farthest outside of, since it is dropped if it is near that one. Points inside all of them stay inside.
void QuickHull::assign_point(std::uint32_t point, const std::vector<std::uint32_t>& faces) {
    std::uint32_t best = kNone;
    double best_distance = 0.0, best_height = -1.0;
    for (const std::uint32_t f : faces) {
        double distance = 0.0;
        if (!is_outside(faces_[f], point, distance)) continue;
        if (tolerance_ == 0.0) {
            give(f, point, distance);
            return;
        }
        const double height = distance / glm::length(faces_[f].normal);
        if (height <= best_height) continue;
        best = f;
        best_distance = distance;
        best_height = height;
    }
    if (best != kNone) give(best, point, best_distance);
}

// Reassigns the points outside the removed faces to the new ones; the others stay inside.
void QuickHull::reassign_points(std::uint32_t point) {
    for (const std::uint32_t old : removed_) {
        std::uint32_t i = faces_[old].outside;
        while (i != kNone) {
            const std::uint32_t following = next_[i];
            if (i != point) assign_point(i, added_);
            i = following;
        }
        faces_[old].outside = kNone;
        faces_[old].alive = false;
    }
    free_.insert(free_.end(), removed_.begin(), removed_.end());
}

bool QuickHull::step(Step& done) {
    const auto is_done = [this](const Face& face) {
        return !face.alive || face.outside == kNone ||
               (tolerance_ > 0.0 && face.farthest_distance <= tolerance_ * glm::length(face.normal));
    };
    while (!pending_.empty() && is_done(faces_[pending_.back()]))
        pending_.pop_back();
    if (pending_.empty()) return false;
    const std::uint32_t start = pending_.back();
    const std::uint32_t point = faces_[start].farthest;
    done.point = point;
    done.distance = faces_[start].farthest_distance / glm::length(faces_[start].normal);
    find_horizon(start, point);

    added_.clear();
    for (const auto& [seen, edge] : horizon_) {
        const auto e = static_cast<std::size_t>(edge);
        const std::uint32_t a = faces_[seen].vertex[e], b = faces_[seen].vertex[(e + 1) % 3];
        const std::uint32_t kept = faces_[seen].neighbor[e];
        const std::uint32_t f = add_face(a, b, point);
        faces_[f].neighbor[0] = kept;
        // Matched by edge, not by face: while the hull is small two faces can share two edges.
        for (std::size_t k = 0; k < 3; ++k) {
            if (faces_[kept].vertex[k] == b && faces_[kept].vertex[(k + 1) % 3] == a)
                faces_[kept].neighbor[k] = f;
        }
        added_.push_back(f);
        pending_.push_back(f);
    }
    for (std::size_t i = 0; i < added_.size(); ++i) {
        faces_[added_[i]].neighbor[1] = added_[(i + 1) % added_.size()];
        faces_[added_[i]].neighbor[2] = added_[(i + added_.size() - 1) % added_.size()];
    }
    reassign_points(point);
    done.faces_removed = static_cast<std::uint32_t>(removed_.size());
    done.faces_added = static_cast<std::uint32_t>(added_.size());
    return true;
}

}  // namespace bv::detail
