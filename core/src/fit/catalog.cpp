#include "bv/fit/catalog.hpp"

#include <algorithm>
#include <array>

#include "bv/fit/aabb.hpp"
#include "bv/fit/capsule.hpp"
#include "bv/fit/hull.hpp"
#include "bv/fit/kdop.hpp"
#include "bv/fit/obb.hpp"
#include "bv/fit/sphere.hpp"

namespace bv::fit {
namespace {

using K = VolumeKind;
using C = CostClass;

constexpr std::array kRows = {
    FitEntry{"sphere.centroid", K::Sphere, "Centroid", "Around the mean of the points: follows their density",
             C::FewPasses, "Ericson 2005",
             [](const MeshView& m) -> Volume { return sphere_centroid(m.positions); },
             [](const MeshView& m, Recording& t) -> Volume { return sphere_centroid(m.positions, t); }},
    FitEntry{"sphere.aabb_center", K::Sphere, "AABB center", "Around the center of the box", C::FewPasses,
             "Ericson 2005", [](const MeshView& m) -> Volume { return sphere_aabb_center(m.positions); },
             [](const MeshView& m, Recording& t) -> Volume { return sphere_aabb_center(m.positions, t); }},
    FitEntry{"sphere.ritter", K::Sphere, "Ritter",
             "From the farthest of three pairs, grown over missed points", C::FewPasses, "Ritter 1990",
             [](const MeshView& m) -> Volume { return sphere_ritter(m.positions); },
             [](const MeshView& m, Recording& t) -> Volume { return sphere_ritter(m.positions, t); }},
    FitEntry{"sphere.epos6", K::Sphere, "EPOS-6", "Smallest ball of 6 extreme points, then grown",
             C::FewPasses, "Larsson 2008",
             [](const MeshView& m) -> Volume { return sphere_epos<6>(m.positions); },
             [](const MeshView& m, Recording& t) -> Volume { return sphere_epos<6>(m.positions, t); }},
    FitEntry{"sphere.epos14", K::Sphere, "EPOS-14", "Smallest ball of 14 extreme points, then grown",
             C::FewPasses, "Larsson 2008",
             [](const MeshView& m) -> Volume { return sphere_epos<14>(m.positions); },
             [](const MeshView& m, Recording& t) -> Volume { return sphere_epos<14>(m.positions, t); }},
    FitEntry{"sphere.epos26", K::Sphere, "EPOS-26", "Smallest ball of 26 extreme points, then grown",
             C::FewPasses, "Larsson 2008",
             [](const MeshView& m) -> Volume { return sphere_epos<26>(m.positions); },
             [](const MeshView& m, Recording& t) -> Volume { return sphere_epos<26>(m.positions, t); }},
    FitEntry{"sphere.epos98", K::Sphere, "EPOS-98", "Smallest ball of 98 extreme points, then grown",
             C::FewPasses, "Larsson 2008",
             [](const MeshView& m) -> Volume { return sphere_epos<98>(m.positions); },
             [](const MeshView& m, Recording& t) -> Volume { return sphere_epos<98>(m.positions, t); }},
    FitEntry{"sphere.exact", K::Sphere, "Exact", "The smallest enclosing ball", C::FewPasses, "Gaertner 1999",
             [](const MeshView& m) -> Volume { return sphere_exact(m.positions); },
             [](const MeshView& m, Recording& t) -> Volume { return sphere_exact(m.positions, t); }},

    FitEntry{"aabb.fixed", K::Aabb, "Fixed", "Box of the smallest ball: valid in every orientation",
             C::FewPasses, "Ericson 2005",
             [](const MeshView& m) -> Volume { return aabb_fixed(sphere_exact(m.positions)); }, nullptr},
    FitEntry{"aabb.tight", K::Aabb, "Tight", "Minimum and maximum coordinates", C::OnePass, "Ericson 2005",
             [](const MeshView& m) -> Volume { return aabb_tight(m.positions); }, nullptr},

    FitEntry{"obb.pca", K::Obb, "PCA of points", "Along the principal axes of the points", C::FewPasses,
             "Gottschalk 1996", [](const MeshView& m) -> Volume { return obb_pca(m.positions); },
             [](const MeshView& m, Recording& t) -> Volume { return obb_pca(m.positions, t); }},
    FitEntry{"obb.pca_surface", K::Obb, "PCA of surface", "Principal axes of the surface, weighted by area",
             C::FewPasses, "Gottschalk 1996", [](const MeshView& m) -> Volume { return obb_pca_surface(m); },
             [](const MeshView& m, Recording& t) -> Volume { return obb_pca_surface(m, t); }},
    FitEntry{"obb.pca_hull", K::Obb, "PCA of hull", "Principal axes of the convex hull's surface", C::Hull,
             "Gottschalk 1996", [](const MeshView& m) -> Volume { return obb_pca_hull(m.positions); },
             [](const MeshView& m, Recording& t) -> Volume { return obb_pca_hull(m.positions, t); }},
    FitEntry{"obb.dito14", K::Obb, "DiTO-14", "Axes from tetrahedra of 14 extreme points", C::FewPasses,
             "Larsson and Kallberg 2011", [](const MeshView& m) -> Volume { return obb_dito14(m.positions); },
             [](const MeshView& m, Recording& t) -> Volume { return obb_dito14(m.positions, t); }},
    FitEntry{"obb.exact", K::Obb, "Exact", "The smallest enclosing box, from pairs of hull edges", C::Search,
             "ORourke 1985", [](const MeshView& m) -> Volume { return obb_exact(m.positions); },
             [](const MeshView& m, Recording& t) -> Volume { return obb_exact(m.positions, t); }},

    FitEntry{"kdop6.tight", K::Kdop6, "6-DOP", "Three axes: the same as the AABB", C::OnePass,
             "Klosowski 1998", [](const MeshView& m) -> Volume { return kdop<6>(m.positions); },
             [](const MeshView& m, Recording& t) -> Volume { return kdop<6>(m.positions, t); }},
    FitEntry{"kdop8.tight", K::Kdop8, "8-DOP", "Four diagonals through the corners of a cube", C::OnePass,
             "Klosowski 1998", [](const MeshView& m) -> Volume { return kdop<8>(m.positions); },
             [](const MeshView& m, Recording& t) -> Volume { return kdop<8>(m.positions, t); }},
    FitEntry{"kdop14.tight", K::Kdop14, "14-DOP", "Axes and corner diagonals", C::OnePass, "Klosowski 1998",
             [](const MeshView& m) -> Volume { return kdop<14>(m.positions); },
             [](const MeshView& m, Recording& t) -> Volume { return kdop<14>(m.positions, t); }},
    FitEntry{"kdop18.tight", K::Kdop18, "18-DOP", "Axes and edge diagonals", C::OnePass, "Klosowski 1998",
             [](const MeshView& m) -> Volume { return kdop<18>(m.positions); },
             [](const MeshView& m, Recording& t) -> Volume { return kdop<18>(m.positions, t); }},
    FitEntry{"kdop26.tight", K::Kdop26, "26-DOP", "Axes, corner and edge diagonals", C::OnePass,
             "Klosowski 1998", [](const MeshView& m) -> Volume { return kdop<26>(m.positions); },
             [](const MeshView& m, Recording& t) -> Volume { return kdop<26>(m.positions, t); }},

    FitEntry{"hull.quickhull", K::Hull, "Quickhull", "The convex hull, decided exactly", C::Hull,
             "Barber 1996", [](const MeshView& m) -> Volume { return hull(m.positions); },
             [](const MeshView& m, Recording& t) -> Volume { return hull(m.positions, t); }},

    FitEntry{"capsule.pca", K::Capsule, "PCA", "Along the longest principal axis", C::FewPasses,
             "Ericson 2005", [](const MeshView& m) -> Volume { return capsule_pca(m.positions); }, nullptr},
    FitEntry{"capsule.tight", K::Capsule, "Best of six axes",
             "Tries the axes of the hull and of the smallest box", C::Search, "Ericson 2005",
             [](const MeshView& m) -> Volume { return capsule_tight(m.positions); }, nullptr,
             [](const MeshView& m, const Obb& box) -> Volume { return capsule_tight(m.positions, box); }},
    FitEntry{"rss.pca", K::RectSweptSphere, "PCA", "Across the shortest principal axis", C::FewPasses,
             "Larsen 1999", [](const MeshView& m) -> Volume { return rect_swept_sphere_pca(m.positions); },
             nullptr},
    FitEntry{"rss.tight", K::RectSweptSphere, "Best of six axes",
             "Tries the axes of the hull and of the smallest box", C::Search, "Larsen 1999",
             [](const MeshView& m) -> Volume { return rect_swept_sphere_tight(m.positions); }, nullptr,
             [](const MeshView& m, const Obb& box) -> Volume {
                 return rect_swept_sphere_tight(m.positions, box);
             }},
};

}  // namespace

std::string_view name_of(CostClass cost) noexcept {
    static constexpr std::array<std::string_view, 4> kNames = {"one pass", "few passes", "hull", "search"};
    const auto i = static_cast<std::size_t>(cost);
    return i < kNames.size() ? kNames[i] : std::string_view();
}

std::span<const FitEntry> fit_catalog() noexcept {
    return kRows;
}

const FitEntry* find_fit(std::string_view id) noexcept {
    const auto row = std::find_if(kRows.begin(), kRows.end(), [id](const FitEntry& e) { return e.id == id; });
    return row == kRows.end() ? nullptr : &*row;
}

}  // namespace bv::fit
