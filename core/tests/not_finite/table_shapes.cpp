// bv/shapes in the table.
#include <array>

#include "bv/portable_math.hpp"
#include "bv/shapes/contains_point.hpp"
#include "table.hpp"

namespace bv::test {
namespace {

using glm::vec3;

/// The four measures that every solid has.
template <class T>
Row measures(std::vector<std::string> functions) {
    return no_nan(std::move(functions), [](const T& x) {
        const auto volume = x.volume();
        const auto area = x.surface_area();
        require(volume >= 0 && area >= 0, "a negative measure");
        require(x.is_empty() == is_empty_argument(x), "is_empty differs from the rule");
        if (x.is_empty()) require(volume == 0 && area == 0, "a nonzero measure of an empty set");
        return std::tuple(volume, area);
    });
}

/// True if `outer` contains `inner`, or `inner` is empty.
bool holds(const Aabb& outer, const Aabb& inner) {
    if (inner.is_empty()) return true;
    for (int k = 0; k < 3; ++k)
        if (!(outer.min[k] <= inner.min[k] && inner.max[k] <= outer.max[k])) return false;
    return true;
}

void require_zero_or_unit(const vec3& v) {
    const double size = glm::length(glm::dvec3(v));
    require(size == 0.0 || std::abs(size - 1.0) < 1e-5, "a normal that is neither zero nor of unit length");
}

std::vector<Row> aabb_rows() {
    std::vector<Row> rows;
    rows.push_back(
        no_nan({"Aabb::is_empty()", "Aabb::is_finite()", "Aabb::center()", "Aabb::size()",
                "Aabb::half_extents()", "Aabb::volume()", "Aabb::surface_area()"},
               [](const Aabb& b) {
                   bool finite = true, nan = false;
                   for (int k = 0; k < 3; ++k) {
                       finite = finite && std::isfinite(b.min[k]) && std::isfinite(b.max[k]);
                       nan = nan || std::isnan(b.min[k]) || std::isnan(b.max[k]);
                   }
                   require(!nan || b.is_empty(), "NaN, and not empty");
                   require(b.is_finite() == (finite && !b.is_empty()), "is_finite");
                   require(b.volume() >= 0.0f && b.surface_area() >= 0.0f, "a negative measure");
                   if (b.is_empty())
                       require(b.volume() == 0.0f && b.surface_area() == 0.0f && b.size() == vec3(0.0f) &&
                                   b.center() == vec3(0.0f) && b.half_extents() == vec3(0.0f),
                               "a nonzero measure of an empty set");
                   return std::tuple(b.center(), b.size(), b.half_extents(), b.volume(), b.surface_area());
               }));
    rows.push_back(formula({"Aabb::corner(int)"}, [](const Aabb& b, int i) { return b.corner(i); }));
    rows.push_back(empty_stays_empty({"contains_point(Aabb, vec3)"},
                                     [](const Aabb& b, const vec3& p) { return contains_point(b, p); }));
    rows.push_back(no_nan({"to_center_extents(Aabb)", "to_aabb(CenterExtents)"}, [](const Aabb& b) {
        const CenterExtents form = to_center_extents(b);
        const Aabb back = to_aabb(form);
        require(b.is_empty() == back.is_empty() && holds(back, b),
                "a round trip by center and extents lost a part");
        return std::tuple(form, back);
    }));
    rows.push_back(no_nan({"to_min_size(Aabb)", "to_aabb(MinSize)"}, [](const Aabb& b) {
        const MinSize form = to_min_size(b);
        const Aabb back = to_aabb(form);
        require(b.is_empty() == back.is_empty() && holds(back, b),
                "a round trip by min and size lost a part");
        return std::tuple(form, back);
    }));
    rows.push_back(no_nan({"to_aabb(CenterExtents)"}, [](const CenterExtents& b) { return to_aabb(b); }));
    rows.push_back(no_nan({"to_aabb(MinSize)"}, [](const MinSize& b) { return to_aabb(b); }));
    // A NaN bound may remain: the result is then empty.
    rows.push_back(formula({"merge(Aabb, Aabb)"}, [](const Aabb& a, const Aabb& b) {
        const Aabb both = merge(a, b);
        if (!is_empty_argument(a) && !is_empty_argument(b))
            require(holds(both, a) && holds(both, b), "a part is lost");
        require(!has_nan_in(both) || both.is_empty(), "NaN, and not empty");
        return both;
    }));
    rows.push_back(formula({"merge(Aabb, vec3)"}, [](const Aabb& b, const vec3& p) {
        const Aabb both = merge(b, p);
        if (!is_empty_argument(b) && !is_empty_argument(p))
            require(holds(both, b) && contains_point(both, p), "a part is lost");
        require(!has_nan_in(both) || both.is_empty(), "NaN, and not empty");
        return both;
    }));
    rows.push_back(formula({"intersection(Aabb, Aabb)"}, [](const Aabb& a, const Aabb& b) {
        const Aabb part = intersection(a, b);
        if (is_empty_argument(a) || is_empty_argument(b))
            require(part.is_empty(), "an intersection with an empty set");
        require(!has_nan_in(part) || part.is_empty(), "NaN, and not empty");
        return part;
    }));
    rows.push_back(no_nan({"grown(Aabb, float)"}, [](const Aabb& b, float margin) {
        const Aabb more = grown(b, margin);
        if (b.is_empty())
            require(more.is_empty(), "a nonempty image of an empty set");
        else
            require(holds(more, b), "a part is lost");
        return more.is_empty() ? Aabb{} : more;
    }));
    rows.push_back(no_nan({"swept(Aabb, vec3)"}, [](const Aabb& b, const vec3& by) {
        const Aabb more = swept(b, by);
        if (b.is_empty())
            require(more.is_empty(), "a nonempty image of an empty set");
        else
            require(holds(more, b), "a part is lost");
        return more.is_empty() ? Aabb{} : more;
    }));
    rows.push_back(
        no_nan({"transformed(Aabb, mat4x3)", "transformed_corners(Aabb, mat4x3)"},
               [](const Aabb& b, const glm::mat4x3& m) {
                   const Aabb fast = transformed(b, m), slow = transformed_corners(b, m);
                   if (b.is_empty())
                       require(fast.is_empty() && slow.is_empty(), "a nonempty image of an empty set");
                   else
                       require(!fast.is_empty() && !slow.is_empty(), "an empty image of a nonempty set");
                   return std::tuple(fast, slow);
               }));
    return rows;
}

std::vector<Row> ball_rows() {
    std::vector<Row> rows;
    rows.push_back(measures<Sphere>({"Sphere::is_empty()", "Sphere::volume()", "Sphere::surface_area()"}));
    rows.push_back(empty_stays_empty({"contains_point(Sphere, vec3)"},
                                     [](const Sphere& s, const vec3& p) { return contains_point(s, p); }));
    rows.push_back(no_nan({"transformed(Sphere, mat4x3)"}, [](const Sphere& s, const glm::mat4x3& m) {
        const Sphere image = transformed(s, m);
        if (is_empty_argument(s)) require(image.is_empty(), "a nonempty image of an empty set");
        return image;
    }));
    rows.push_back(
        measures<Capsule>({"Capsule::is_empty()", "Capsule::volume()", "Capsule::surface_area()"}));
    rows.push_back(empty_stays_empty({"contains_point(Capsule, vec3)"},
                                     [](const Capsule& c, const vec3& p) { return contains_point(c, p); }));
    rows.push_back(no_nan({"transformed(Capsule, mat4x3)"}, [](const Capsule& c, const glm::mat4x3& m) {
        const Capsule image = transformed(c, m);
        if (is_empty_argument(c)) require(image.is_empty(), "a nonempty image of an empty set");
        return image;
    }));
    rows.push_back(formula(
        {"segment_distance_sq_in_double(vec3, vec3, vec3)"},
        [](const vec3& a, const vec3& b, const vec3& p) { return segment_distance_sq_in_double(a, b, p); }));
    rows.push_back(measures<RectSweptSphere>(
        {"RectSweptSphere::is_empty()", "RectSweptSphere::volume()", "RectSweptSphere::surface_area()"}));
    rows.push_back(formula({"RectSweptSphere::corner(int)"},
                           [](const RectSweptSphere& s, int i) { return s.corner(i); }));
    rows.push_back(
        empty_stays_empty({"contains_point(RectSweptSphere, vec3)"},
                          [](const RectSweptSphere& s, const vec3& p) { return contains_point(s, p); }));
    rows.push_back(formula(
        {"rectangle_distance_sq_in_double(RectSweptSphere, vec3)"},
        [](const RectSweptSphere& s, const vec3& p) { return rectangle_distance_sq_in_double(s, p); }));
    rows.push_back(
        no_nan({"transformed(RectSweptSphere, mat4x3)"}, [](const RectSweptSphere& s, const glm::mat4x3& m) {
            const RectSweptSphere image = transformed(s, m);
            if (is_empty_argument(s)) require(image.is_empty(), "a nonempty image of an empty set");
            return image;
        }));
    return rows;
}

std::vector<Row> obb_rows() {
    std::vector<Row> rows;
    rows.push_back(measures<Obb>({"Obb::is_empty()", "Obb::volume()", "Obb::surface_area()"}));
    rows.push_back(formula({"Obb::corner(int)"}, [](const Obb& b, int i) { return b.corner(i); }));
    rows.push_back(empty_stays_empty({"contains_point(Obb, vec3)"},
                                     [](const Obb& b, const vec3& p) { return contains_point(b, p); }));
    rows.push_back(no_nan({"transformed(Obb, mat4x3)"}, [](const Obb& b, const glm::mat4x3& m) {
        const Obb image = transformed(b, m);
        if (is_empty_argument(b)) require(image.is_empty(), "a nonempty image of an empty set");
        return image;
    }));
    rows.push_back(no_nan({"Obb2::is_empty()", "Obb2::area()", "Obb2::perimeter()"}, [](const Obb2& b) {
        require(b.area() >= 0.0f && b.perimeter() >= 0.0f, "a negative measure");
        require(b.is_empty() || !is_empty_argument(b), "NaN, and not empty");
        if (b.is_empty())
            require(b.area() == 0.0f && b.perimeter() == 0.0f, "a nonzero measure of an empty set");
        return std::tuple(b.area(), b.perimeter());
    }));
    rows.push_back(formula({"Obb2::corner(int)"}, [](const Obb2& b, int i) { return b.corner(i); }));
    rows.push_back(empty_stays_empty({"contains_point(Obb2, vec2)"},
                                     [](const Obb2& b, const glm::vec2& p) { return contains_point(b, p); }));
    return rows;
}

template <int K>
std::vector<Row> kdop_rows() {
    std::vector<Row> rows;
    rows.push_back(measures<Kdop<K>>({"Kdop::is_empty()", "Kdop::volume()", "Kdop::surface_area()"}));
    rows.push_back(empty_stays_empty({"contains_point(Kdop<K>, vec3)"},
                                     [](const Kdop<K>& d, const vec3& p) { return contains_point(d, p); }));
    rows.push_back(formula({"merge(Kdop<K>, Kdop<K>)"}, [](const Kdop<K>& a, const Kdop<K>& b) {
        const Kdop<K> both = merge(a, b);
        require(!has_nan_in(both) || both.is_empty(), "NaN, and not empty");
        return both;
    }));
    rows.push_back(no_nan({"polytope_of(Kdop<K>)"}, [](const Kdop<K>& d) {
        const Polytope p = polytope_of(d);
        if (!is_finite_argument(d) || d.is_empty()) require(p.is_empty(), "corners at infinity");
        return p;
    }));
    rows.push_back(no_nan({"transformed(Kdop<K>, mat4x3)"}, [](const Kdop<K>& d, const glm::mat4x3& m) {
        const Kdop<K> image = transformed(d, m);
        if (d.is_empty())
            require(image.is_empty(), "a nonempty image of an empty set");
        else
            require(!image.is_empty() || polytope_of(d).is_empty(), "an empty image of a nonempty set");
        return image;
    }));
    rows.push_back(without_numbers({"Kdop::Kdop()", "Kdop::direction(int)"}, [] {
        EXPECT_TRUE(Kdop<K>().is_empty());
        for (int i = 0; i < K / 2; ++i)
            EXPECT_TRUE(is_finite_argument(Kdop<K>::direction(i)));
    }));
    return rows;
}

std::vector<Row> mesh_shape_rows() {
    std::vector<Row> rows;
    rows.push_back(no_nan({"Hull::is_empty()", "Hull::volume()", "Hull::surface_area()", "Hull::centroid()"},
                          [](const Hull& h) {
                              require(h.volume() >= 0.0 && h.surface_area() >= 0.0, "a negative measure");
                              if (is_empty_argument(h))
                                  require(h.volume() == 0.0 && h.surface_area() == 0.0,
                                          "a nonzero measure of an empty set");
                              return std::tuple(h.is_empty(), h.volume(), h.surface_area(), h.centroid());
                          }));
    rows.push_back(no_nan({"Hull::support(vec3, uint32_t)", "Hull::support_brute_force(vec3)"},
                          [](const Hull& h, const vec3& d) {
                              const std::uint32_t fast = h.support(d), started = h.support(d, 7),
                                                  slow = h.support_brute_force(d);
                              require(fast < h.vertices.size() && slow < h.vertices.size() &&
                                          started < h.vertices.size(),
                                      "no vertex");
                          }));
    rows.push_back(empty_stays_empty({"contains_point(Hull, vec3)"},
                                     [](const Hull& h, const vec3& p) { return contains_point(h, p); }));
    rows.push_back(formula({"polytope_of(Hull)", "Polytope::is_empty()"}, [](const Hull& h) {
        const Polytope p = polytope_of(h);
        require(p.is_empty() == h.is_empty(), "vertices lost");
        return p;
    }));
    rows.push_back(no_nan({"transformed(Hull, mat4x3)"}, [](const Hull& h, const glm::mat4x3& m) {
        const Hull image = transformed(h, m);
        if (is_empty_argument(h)) require(image.is_empty(), "a nonempty image of an empty set");
        return image;
    }));
    rows.push_back(no_nan({"Polytope::volume()", "Polytope::surface_area()"}, [](const Polytope& p) {
        require(p.volume() >= 0.0 && p.surface_area() >= 0.0, "a negative measure");
        return std::tuple(p.volume(), p.surface_area());
    }));
    rows.push_back(no_nan({"Triangle::area()", "Triangle::normal()"}, [](const Triangle& t) {
        require(t.area() >= 0.0f, "a negative area");
        require_zero_or_unit(t.normal());
        if (is_empty_argument(t))
            require(t.area() == 0.0f && t.normal() == vec3(0.0f), "a nonzero measure of an empty set");
        return std::tuple(t.area(), t.normal());
    }));
    rows.push_back(
        formula({"MeshView::triangle(size_t)"}, [](const Mesh& m) { return m.view().triangle(11); }));
    return rows;
}

std::vector<Row> grid_rows() {
    std::vector<Row> rows;
    rows.push_back(no_nan(
        {"VoxelGrid::make(ivec3, vec3, float)", "VoxelGrid::size()", "VoxelGrid::bricks()",
         "VoxelGrid::origin()", "VoxelGrid::voxel_size()", "VoxelGrid::filled_count()", "VoxelGrid::bounds()",
         "VoxelGrid::set(ivec3, bool)"},
        [](const vec3& origin, float voxel) {
            const glm::ivec3 sizes[] = {
                {3, 2, 5}, {INT_MAX, 1, 1}, {INT_MAX, INT_MAX, INT_MAX}, {0, 1, 1}, {INT_MIN, -1, 2}};
            for (const glm::ivec3& size : sizes) {
                auto grid = VoxelGrid::make(size, origin, voxel);
                require(!grid || (is_finite_argument(origin) && std::isfinite(voxel) && voxel > 0.0f),
                        "a grid that is not finite");
                if (!grid) continue;
                require(grid->bounds().is_empty() && grid->filled_count() == 0, "a new grid is not empty");
                grid->set({0, 0, 0}, true);
                grid->set(grid->size() - 1, true);
                require(!has_nan_in(grid->bounds()) && !grid->bounds().is_empty(), "bounds");
                require(grid->origin() == origin && grid->voxel_size() == voxel, "not as made");
                require(grid->bricks().x > 0, "no bricks");
            }
        }));
    rows.push_back(no_nan(
        {"VoxelGrid::filled(ivec3)", "VoxelGrid::set(ivec3, bool)", "VoxelGrid::voxel_box(ivec3)",
         "VoxelGrid::brick(ivec3)"},
        [](const glm::ivec3& at) {
            VoxelGrid grid = *VoxelGrid::make({5, 6, 7}, vec3(-1.0f), 0.5f);
            const bool inside = at.x >= 0 && at.y >= 0 && at.z >= 0 && at.x < 5 && at.y < 6 && at.z < 7;
            grid.set(at, true);
            require(grid.filled(at) == inside && grid.filled_count() == (inside ? 1u : 0u), "set outside");
            if (inside) require(grid.brick(at / VoxelGrid::kBrick) != 0, "an empty brick");
            return grid.voxel_box(at);
        }));
    return rows;
}

std::vector<Row> math_rows() {
    return {formula({"sin(float)"}, [](float x) { return bv::sin(x); }),
            formula({"cos(float)"}, [](float x) { return bv::cos(x); }),
            formula({"tan(float)"}, [](float x) { return bv::tan(x); }),
            formula({"acos(float)"},
                    [](float x) {
                        if (!(std::abs(x) > 1.0f)) return bv::acos(x);
                        require(std::isnan(bv::acos(x)), "an angle of a cosine beyond 1");
                        return 0.0f;
                    }),
            formula({"atan(float)"}, [](float x) { return bv::atan(x); }),
            formula({"atan2(float, float)"}, [](float y, float x) { return bv::atan2(y, x); }),
            formula({"cbrt(float)"}, [](float x) { return bv::cbrt(x); })};
}

}  // namespace

std::vector<Row> shape_rows() {
    std::vector<Row> rows;
    append(rows, aabb_rows());
    append(rows, ball_rows());
    append(rows, obb_rows());
    append(rows, kdop_rows<6>());
    append(rows, kdop_rows<8>());
    append(rows, kdop_rows<14>());
    append(rows, kdop_rows<18>());
    append(rows, kdop_rows<26>());
    append(rows, mesh_shape_rows());
    append(rows, math_rows());
    append(rows, grid_rows());
    rows.push_back(no_nan({"is_finite(vec3)"}, [](const vec3& p) {
        require(is_finite(p) == is_finite_argument(p), "is_finite");
        return is_finite(p);
    }));
    rows.push_back(formula({"distance_sq_in_double(vec3, vec3)"},
                           [](const vec3& a, const vec3& b) { return distance_sq_in_double(a, b); }));
    rows.push_back(
        formula({"offset_in_double(vec3, vec3, vec3)"},
                [](const vec3& n, const vec3& p, const vec3& o) { return offset_in_double(n, p, o); }));
    rows.push_back(formula({"kdop_project(vec3, vec3)"},
                           [](const vec3& d, const vec3& p) { return kdop_project(d, p); }));
    rows.push_back(formula({"Plane::signed_distance(vec3)"},
                           [](const Plane& plane, const vec3& p) { return plane.signed_distance(p); }));
    rows.push_back(no_nan({"plane_from(vec3, vec3)"}, [](const vec3& p, const vec3& n) {
        const auto plane = plane_from(p, n);
        if (!is_finite_argument(n)) require(!plane, "a plane from a normal that is not finite");
        if (plane) require_zero_or_unit(plane->normal);
        return plane;
    }));
    rows.push_back(no_nan({"plane_from(vec3, vec3, vec3)"}, [](const vec3& a, const vec3& b, const vec3& c) {
        const auto plane = plane_from(a, b + vec3(0, 1, 0), c + vec3(0, 0, 1));
        if (plane) require_zero_or_unit(plane->normal);
        return plane;
    }));
    rows.push_back(formula({"Ray::t_begin()"}, [](const Ray& ray) {
        const float begin = ray.t_begin();
        const bool never = !(ray.t_min < std::numeric_limits<float>::infinity());
        require(std::isnan(begin) == never, "a beginning");
        return never ? 0.0f : begin;
    }));
    rows.push_back(formula({"Ray::at(float)"}, [](const Ray& ray, float t) {
        if (!std::isfinite(t) || !is_finite_argument(ray)) return vec3(0.0f);
        return ray.at(t);
    }));
    return rows;
}

}  // namespace bv::test
