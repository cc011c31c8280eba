// bv/fit in the table.
#include "bv/fit/aabb.hpp"
#include "bv/fit/capsule.hpp"
#include "bv/fit/catalog.hpp"
#include "bv/fit/hull.hpp"
#include "bv/fit/kdop.hpp"
#include "bv/fit/obb.hpp"
#include "bv/fit/polygon.hpp"
#include "bv/fit/sphere.hpp"
#include "bv/fit/volume.hpp"
#include "bv/shapes/not_finite.hpp"
#include "table.hpp"

namespace bv::test {
namespace {

using glm::vec3;
using Cloud = std::vector<vec3>;

/// A fit contains each finite point.
template <class Volume>
void require_all(const Volume& volume, const Cloud& points) {
    bool any = false;
    for (const vec3& p : points) {
        if (!bv::is_finite(p)) continue;
        any = true;
        require(contains_point(volume, p), "a finite point is outside");
    }
    if (!any) require(volume.is_empty(), "a volume around no points");
}

/// A fit of points only, with and without a trace.
template <class Fit>
Row fit_of_points(std::string function, Fit fit) {
    return no_nan({std::move(function)}, [fit](const Cloud& points) {
        const auto volume = fit(points);
        require_all(volume, points);
        return volume;
    });
}
template <class Fit, class Traced>
Row fit_of_points(std::string function, std::string traced_function, Fit fit, Traced traced) {
    return no_nan({std::move(function), std::move(traced_function)}, [fit, traced](const Cloud& points) {
        const auto volume = fit(points);
        require_all(volume, points);
        Recording trace;
        require(traced(points, trace) == volume, "a different volume with a trace");
        return volume;
    });
}

/// A fit that tries the axes of a box.
template <class Fit>
Row fit_with_box(std::string function, Fit fit) {
    return no_nan({std::move(function)}, [fit](const Cloud& points, const Obb& box) {
        const auto volume = fit(points, box);
        require_all(volume, points);
        return volume;
    });
}

/// A fit of images under a map: must be empty if the map is not finite.
template <class Fit>
Row fit_of_images(std::string function, Fit fit) {
    return no_nan({std::move(function)}, [fit](const Cloud& points, const glm::mat4x3& m) {
        const auto volume = fit(points, m);
        if (!is_finite_argument(m)) require(volume.is_empty(), "images under a map that is not finite");
        return volume;
    });
}

template <int K>
std::vector<Row> kdop_fits() {
    return {fit_of_points(
                "fit::kdop(span<vec3>)", "fit::kdop(span<vec3>, Recording)",
                [](const Cloud& p) { return fit::kdop<K>(p); },
                [](const Cloud& p, Recording& r) { return fit::kdop<K>(p, r); }),
            fit_of_images("fit::kdop(span<vec3>, mat4x3)",
                          [](const Cloud& p, const glm::mat4x3& m) { return fit::kdop<K>(p, m); })};
}

template <int K>
Row epos() {
    return fit_of_points(
        "fit::sphere_epos(span<vec3>)", "fit::sphere_epos(span<vec3>, Recording)",
        [](const Cloud& p) { return fit::sphere_epos<K>(p); },
        [](const Cloud& p, Recording& r) { return fit::sphere_epos<K>(p, r); });
}

std::vector<Row> sphere_fits() {
    std::vector<Row> rows;
    rows.push_back(fit_of_points(
        "fit::sphere_ritter(span<vec3>)", "fit::sphere_ritter(span<vec3>, Recording)",
        [](const Cloud& p) { return fit::sphere_ritter(p); },
        [](const Cloud& p, Recording& r) { return fit::sphere_ritter(p, r); }));
    rows.push_back(fit_of_points(
        "fit::sphere_centroid(span<vec3>)", "fit::sphere_centroid(span<vec3>, Recording)",
        [](const Cloud& p) { return fit::sphere_centroid(p); },
        [](const Cloud& p, Recording& r) { return fit::sphere_centroid(p, r); }));
    rows.push_back(fit_of_points(
        "fit::sphere_aabb_center(span<vec3>)", "fit::sphere_aabb_center(span<vec3>, Recording)",
        [](const Cloud& p) { return fit::sphere_aabb_center(p); },
        [](const Cloud& p, Recording& r) { return fit::sphere_aabb_center(p, r); }));
    append(rows, {epos<6>(), epos<14>(), epos<26>(), epos<98>()});
    rows.push_back(fit_of_points(
        "fit::sphere_exact(span<vec3>)", "fit::sphere_exact(span<vec3>, Recording)",
        [](const Cloud& p) { return fit::sphere_exact(p); },
        [](const Cloud& p, Recording& r) { return fit::sphere_exact(p, r); }));
    rows.push_back(no_nan({"fit::merge(Sphere, Sphere)"}, [](const Sphere& a, const Sphere& b) {
        const Sphere both = fit::merge(a, b);
        for (const Sphere& s : {a, b})
            if (!is_empty_argument(s)) require(contains_point(both, s.center), "a center is outside");
        return both;
    }));
    rows.push_back(no_nan({"fit::sphere_of_spheres(span<Sphere>)"}, [](const Sphere& a, const Sphere& b) {
        const Sphere all[] = {a, b, {{1, 2, 3}, 0.5f}};
        const Sphere ball = fit::sphere_of_spheres(all);
        for (const Sphere& s : all)
            if (is_finite_argument(s) && !s.is_empty())
                require(contains_point(ball, s.center), "a center is outside");
        return ball;
    }));
    return rows;
}

std::vector<Row> obb_fits() {
    std::vector<Row> rows;
    rows.push_back(no_nan({"fit::obb_along(span<vec3>, mat3)"}, [](const Cloud& p, const glm::mat3& axes) {
        if (!is_finite_argument(axes)) return fit::obb_along(p, axes).half_extents.x;
        if (!Shape<Obb>::ref({vec3(0), vec3(1), axes}).known) return 0.0f;
        require_all(fit::obb_along(p, axes), p);
        return 0.0f;
    }));
    rows.push_back(fit_of_points(
        "fit::obb_pca(span<vec3>)", "fit::obb_pca(span<vec3>, Recording)",
        [](const Cloud& p) { return fit::obb_pca(p); },
        [](const Cloud& p, Recording& r) { return fit::obb_pca(p, r); }));
    rows.push_back(no_nan({"fit::obb_pca_surface(MeshView)", "fit::obb_pca_surface(MeshView, Recording)"},
                          [](const Mesh& mesh) {
                              const Obb box = fit::obb_pca_surface(mesh.view());
                              require_all(box, mesh.positions);
                              Recording trace;
                              require(fit::obb_pca_surface(mesh.view(), trace) == box,
                                      "a different box with a trace");
                              return box;
                          }));
    rows.push_back(fit_of_points(
        "fit::obb_pca_hull(span<vec3>)", "fit::obb_pca_hull(span<vec3>, Recording)",
        [](const Cloud& p) { return fit::obb_pca_hull(p); },
        [](const Cloud& p, Recording& r) { return fit::obb_pca_hull(p, r); }));
    rows.push_back(fit_of_points(
        "fit::obb_pca_hull(span<vec3>)", "fit::obb_pca_hull(span<vec3>, Hull)",
        [](const Cloud& p) { return fit::obb_pca_hull(p); },
        [](const Cloud& p, Recording&) { return fit::obb_pca_hull(p, fit::hull(p)); }));
    rows.push_back(fit_of_points(
        "fit::obb_dito14(span<vec3>)", "fit::obb_dito14(span<vec3>, Recording)",
        [](const Cloud& p) { return fit::obb_dito14(p); },
        [](const Cloud& p, Recording& r) { return fit::obb_dito14(p, r); }));
    rows.push_back(fit_of_points(
        "fit::obb_exact(span<vec3>, ObbExactOptions)", "fit::obb_exact(span<vec3>, Recording)",
        [](const Cloud& p) { return fit::obb_exact(p); },
        [](const Cloud& p, Recording& r) { return fit::obb_exact(p, r); }));
    rows.push_back(no_nan(
        {"fit::obb_exact(span<vec3>, ObbExactOptions)", "fit::obb_exact(span<vec3>, Hull, ObbExactOptions)"},
        [](const fit::ObbExactOptions& options) {
            const Cloud points = Sample<Cloud>::of(1);
            const Obb box = fit::obb_exact(points, options);
            require_all(box, points);
            require(fit::obb_exact(points, fit::hull(points), options) == box,
                    "a different box with the hull");
            return box;
        }));
    rows.push_back(no_nan({"fit::obb_refit(span<vec3>, Obb, mat4x3)"},
                          [](const Cloud& p, const Obb& box, const glm::mat4x3& m) {
                              const Obb fit = fit::obb_refit(p, box, m);
                              if (!is_finite_argument(m))
                                  require(fit.is_empty(), "images under a map that is not finite");
                              return fit;
                          }));
    const auto flat = [](Obb2 (*fit)(std::span<const glm::vec2>)) {
        return [fit](const std::vector<glm::vec2>& points) {
            const Obb2 box = fit(points);
            for (const glm::vec2& p : points)
                if (std::isfinite(p.x) && std::isfinite(p.y))
                    require(contains_point(box, p), "a finite point is outside");
            return box;
        };
    };
    rows.push_back(no_nan({"fit::convex_polygon(span<vec2>)"}, [](const std::vector<glm::vec2>& points) {
        const std::vector<std::uint32_t> corners = fit::convex_polygon(points);
        for (const std::uint32_t k : corners)
            require(k < points.size() && std::isfinite(points[k].x) && std::isfinite(points[k].y),
                    "a corner that is no finite point");
        return corners.size();
    }));
    rows.push_back(no_nan({"fit::obb2_exact(span<vec2>)"}, flat(fit::obb2_exact)));
    rows.push_back(no_nan({"fit::obb2_pca(span<vec2>)"}, flat(fit::obb2_pca)));
    return rows;
}

template <class T>
Row volume_functions() {
    return no_nan({"fit::kind_of(Volume)", "fit::is_empty(Volume)", "fit::volume_of(Volume)",
                   "fit::surface_area_of(Volume)", "fit::center_of(Volume)", "fit::support(Volume, vec3)",
                   "fit::contains_point(Volume, vec3)", "fit::contains_all(Volume, span<vec3>)",
                   "fit::tightness(Volume, Hull)", "fit::polytope_of(Volume)"},
                  [](const T& shape, const vec3& p) {
                      const fit::Volume v = shape;
                      require(fit::kind_of(v) == static_cast<fit::VolumeKind>(v.index()), "kind");
                      const double volume = fit::volume_of(v), area = fit::surface_area_of(v);
                      require(volume >= 0.0 && area >= 0.0, "a negative measure");
                      if constexpr (!std::is_same_v<T, Hull>)
                          require(fit::is_empty(v) == is_empty_argument(shape), "is_empty");
                      if (fit::is_empty(v))
                          require(volume == 0.0 && area == 0.0, "a nonzero measure of an empty set");
                      if (is_empty_argument(shape) || is_empty_argument(p))
                          require(!fit::contains_point(v, p), "an empty set contains a point");
                      const vec3 one[] = {p};
                      require(fit::contains_all(v, one) == (!bv::is_finite(p) || fit::contains_point(v, p)),
                              "contains_all");
                      const Hull hull = fit::hull(Sample<Cloud>::of(0));
                      // Any point of an unbounded volume may be the farthest.
                      const vec3 far = fit::support(v, p);
                      return std::tuple(volume, area, fit::center_of(v), far, fit::tightness(v, hull),
                                        fit::polytope_of(v));
                  });
}
template <class T>
Row transformed_volume() {
    return no_nan({"fit::transformed(Volume, mat4x3)"}, [](const T& shape, const glm::mat4x3& m) {
        const fit::Volume v = shape;
        const fit::Volume image = fit::transformed(v, m);
        require(image.index() == v.index(), "another kind");
        return image;
    });
}
template <class... Ts>
std::vector<Row> volume_rows(std::type_identity<std::variant<Ts...>> /*all*/) {
    return {volume_functions<Ts>()..., transformed_volume<Ts>()...};
}

}  // namespace

std::vector<Row> fit_rows() {
    std::vector<Row> rows;
    append(rows, sphere_fits());
    append(rows, obb_fits());
    append(rows, kdop_fits<6>());
    append(rows, kdop_fits<8>());
    append(rows, kdop_fits<14>());
    append(rows, kdop_fits<18>());
    append(rows, kdop_fits<26>());
    rows.push_back(
        fit_of_points("fit::aabb_tight(span<vec3>)", [](const Cloud& p) { return fit::aabb_tight(p); }));
    rows.push_back(fit_of_images("fit::aabb_tight(span<vec3>, mat4x3)",
                                 [](const Cloud& p, const glm::mat4x3& m) { return fit::aabb_tight(p, m); }));
    rows.push_back(no_nan({"fit::aabb_extremes(Hull, mat4x3, ExtremeVertices)"},
                          [](const Hull& hull, const glm::mat4x3& m) {
                              fit::ExtremeVertices extremes{7, 6, 5, 4, 3, 2};
                              const Aabb box = fit::aabb_extremes(hull, m, extremes);
                              for (const std::uint32_t v : extremes)
                                  require(v < hull.vertices.size(), "no vertex");
                              if (!is_finite_argument(m))
                                  require(box.is_empty(), "images under a map that is not finite");
                              return box;
                          }));
    rows.push_back(
        empty_stays_empty({"fit::aabb_fixed(Sphere)"}, [](const Sphere& s) { return fit::aabb_fixed(s); }));
    rows.push_back(
        fit_of_points("fit::capsule_pca(span<vec3>)", [](const Cloud& p) { return fit::capsule_pca(p); }));
    rows.push_back(fit_of_points("fit::capsule_tight(span<vec3>)",
                                 [](const Cloud& p) { return fit::capsule_tight(p); }));
    rows.push_back(fit_with_box("fit::capsule_tight(span<vec3>, Obb)",
                                [](const Cloud& p, const Obb& b) { return fit::capsule_tight(p, b); }));
    rows.push_back(fit_of_points("fit::rect_swept_sphere_pca(span<vec3>)",
                                 [](const Cloud& p) { return fit::rect_swept_sphere_pca(p); }));
    rows.push_back(fit_of_points("fit::rect_swept_sphere_tight(span<vec3>)",
                                 [](const Cloud& p) { return fit::rect_swept_sphere_tight(p); }));
    rows.push_back(
        fit_with_box("fit::rect_swept_sphere_tight(span<vec3>, Obb)",
                     [](const Cloud& p, const Obb& b) { return fit::rect_swept_sphere_tight(p, b); }));
    rows.push_back(fit_of_points(
        "fit::hull(span<vec3>)", "fit::hull(span<vec3>, Recording)",
        [](const Cloud& p) { return fit::hull(p); },
        [](const Cloud& p, Recording& r) { return fit::hull(p, r); }));
    append(rows, volume_rows(std::type_identity<fit::Volume>{}));
    rows.push_back(no_nan({"fit::fit_catalog()", "fit::find_fit(string_view)"}, [](const Mesh& mesh) {
        std::vector<fit::Volume> all;
        for (const fit::FitEntry& entry : fit::fit_catalog()) {
            require(fit::find_fit(entry.id) == &entry, "not found by its id");
            all.push_back(entry.fit(mesh.view()));
            require(fit::contains_all(all.back(), mesh.positions), "a finite point is outside");
            if (entry.fit_traced == nullptr) continue;
            Recording trace;
            require(entry.fit_traced(mesh.view(), trace) == all.back(), "a different volume with a trace");
        }
        return all;
    }));
    rows.push_back(without_numbers(
        {"fit::name_of(CostClass)", "fit::id_of(VolumeKind)", "fit::name_of(VolumeKind)"}, [] {
            const auto classes = static_cast<int>(fit::CostClass::Search) + 1;
            const auto kinds = static_cast<int>(std::variant_size_v<fit::Volume>);
            for (int i = 0; i < 256; ++i) {
                require(fit::name_of(static_cast<fit::CostClass>(i)).empty() == (i >= classes), "a class");
                require(fit::id_of(static_cast<fit::VolumeKind>(i)).empty() == (i >= kinds), "an id");
                require(fit::name_of(static_cast<fit::VolumeKind>(i)).empty() == (i >= kinds), "a name");
            }
        }));
    return rows;
}

}  // namespace bv::test
