// Every kind of volume in the table: as a body's own, in pairs with every other kind, and in files.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "bv/fit/catalog.hpp"
#include "bv/query/convex.hpp"
#include "bv/query/overlap_kdop.hpp"
#include "commands/catalog.hpp"
#include "io/sessions/scene_file.hpp"
#include "results/volume_settings.hpp"
#include "scenes/scenes.hpp"
#include "session/files/saver.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "settings/draw.hpp"
#include "settings/volume_table.hpp"
#include "temp_dir.hpp"
#include "view/checks/reference.hpp"
#include "workloads/random.hpp"
#include "world/volumes.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using test::run;

// ---- the table

TEST(VolumeTable, EveryRowIsOneOfCoresFitsAndHasSettingsOfItsOwn) {
    std::set<std::string_view> ids, names;
    for (const VolumeSpec& spec : kVolumeSpecs) {
        const bv::fit::FitEntry* fit = bv::fit::find_fit(spec.fit);
        ASSERT_NE(fit, nullptr) << spec.id;
        EXPECT_EQ(fit->kind == spec.shape, spec.carry != Carry::AroundSphere) << spec.id;
        EXPECT_TRUE(ids.insert(spec.id).second && names.insert(spec.name).second) << spec.id;
        const SettingSpec* draw = setting_catalog().find(spec.draw_id);
        ASSERT_NE(draw, nullptr) << spec.id;
        EXPECT_EQ(draw->default_value, spec.drawn ? "true" : "false");
        EXPECT_EQ(volume_kind(spec.id), spec.kind);
    }
    const auto choices = kVolumePairKind.choices;
    ASSERT_EQ(choices.size(), kVolumeKinds);
    for (std::size_t i = 0; i < kVolumeKinds; ++i)
        EXPECT_EQ(choices[i].id, kVolumeSpecs[i].id);
}

TEST(VolumeTable, EveryShapeThatCoreFitsIsTheShapeOfSomeRow) {
    for (const bv::fit::FitEntry& fit : bv::fit::fit_catalog()) {
        if (fit.kind == bv::fit::VolumeKind::Kdop6) continue;  // the tight AABB
        EXPECT_TRUE(std::any_of(kVolumeSpecs.begin(), kVolumeSpecs.end(), [&](const VolumeSpec& spec) {
            return spec.shape == fit.kind;
        })) << fit.id;
    }
}

// ---- containment

/// An upper bound of the distance of a point outside, in meters.
double outside(const glm::dvec3& p, const bv::Sphere& s) {
    return glm::length(p - glm::dvec3(s.center)) - static_cast<double>(s.radius);
}
double outside(const glm::dvec3& p, const bv::Aabb& box) {
    const glm::dvec3 out = glm::max(glm::dvec3(box.min) - p, p - glm::dvec3(box.max));
    return std::max({out.x, out.y, out.z});
}
double outside(const glm::dvec3& p, const bv::Obb& box) {
    double out = -1e30;
    for (int k = 0; k < 3; ++k)
        out = std::max(out, std::abs(glm::dot(p - glm::dvec3(box.center), glm::dvec3(box.axes[k]))) -
                                static_cast<double>(box.half_extents[k]));
    return out;
}
double outside(const glm::dvec3& p, const bv::Capsule& c) {
    const glm::dvec3 a = c.a, ab = glm::dvec3(c.b) - a;
    const double length_sq = glm::dot(ab, ab);
    const double t = length_sq > 0.0 ? std::clamp(glm::dot(p - a, ab) / length_sq, 0.0, 1.0) : 0.0;
    return glm::length(p - a - t * ab) - static_cast<double>(c.radius);
}
double outside(const glm::dvec3& p, const bv::RectSweptSphere& r) {
    glm::dvec3 offset = p - glm::dvec3(r.center);
    for (int k = 0; k < 2; ++k) {
        const glm::dvec3 axis = r.axes[k];
        const double half = r.half_extents[k];
        offset -= std::clamp(glm::dot(offset, axis), -half, half) * axis;
    }
    return glm::length(offset) - static_cast<double>(r.radius);
}
template <int K>
double outside(const glm::dvec3& p, const bv::Kdop<K>& dop) {
    double out = -1e30;
    for (std::size_t i = 0; i < K / 2; ++i) {
        const glm::dvec3 direction = bv::Kdop<K>::direction(static_cast<int>(i));
        const double along = glm::dot(direction, p);
        out =
            std::max({out, static_cast<double>(dop.min[i]) - along, along - static_cast<double>(dop.max[i])});
    }
    return out;
}
/// By the distance of its corners' hull: faces of rounded vertices may be slivers that point anywhere.
double outside(const glm::dvec3& p, const PlacedHull& hull) {
    std::vector<glm::dvec3> corners;
    for (const glm::vec3& vertex : hull.hull->vertices)
        corners.push_back(glm::dmat4x3(hull.transform) * glm::dvec4(vertex, 1.0));
    const float away =
        bv::distance(bv::ConvexRef(corners.data(), static_cast<std::uint32_t>(corners.size())), glm::vec3(p));
    return static_cast<double>(away) - static_cast<double>(hull.slack);
}

TEST(Volumes, EveryKindContainsEveryVertexRotatedScaledAndFarAway) {
    MeshLibrary meshes;
    meshes.add_generated();
    bv::workloads::Random random(7);
    for (const MeshEntry& mesh : meshes.entries())
        for (const float distance : {0.0f, 30.0f, 1e5f})
            for (const float scale : {0.01f, 1.0f, 40.0f}) {
                Body body;
                body.state.scale = scale;
                body.position = distance * random.direction();
                body.orientation = glm::quat_cast(random.rotation());
                place_mesh(body);
                const double rounding = 1e-6 * static_cast<double>(scale * mesh.sphere.radius);
                for (const VolumeSpec& spec : kVolumeSpecs) {
                    const BodyVolume volume = placed_volume(spec.kind, body, mesh);
                    double worst = -1e30;
                    for (const glm::vec3& local : mesh.positions) {
                        const glm::vec3 p = body.state.transform * glm::vec4(local, 1.0f);
                        worst =
                            std::max(worst, std::visit([&](const auto& v) { return outside(p, v); }, volume));
                    }
                    // A rotated box or rectangle has axes rounded to single precision.
                    const bool turned = spec.carry == Carry::Placed && spec.kind != VolumeKind::Hull;
                    EXPECT_LE(worst, turned ? rounding : 0.0)
                        << spec.id << " of " << mesh.name << ", scale " << scale << ", at " << distance;
                }
            }
}

// ---- pairs

TEST(Volumes, NoTwoKindsMissMeshesThatTouchAndTheReferenceAgrees) {
    Session session{command_table()};
    run(session, "scene welcome; clear; spawn 60; pause on", 2);
    const World& world = session.state().world;
    const auto& bodies = world.bodies();
    int touching = 0, decided = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = i + 1; j < bodies.size(); ++j) {
            if (!reference::overlap(world.bodies().fixed_box(bodies[i]), world.bodies().fixed_box(bodies[j])))
                continue;
            const bool touch = reference::meshes_touch(world.bodies().meshes(), bodies[i].state,
                                                       bodies[j].state) == reference::Answer::Yes;
            touching += touch ? 1 : 0;
            for (const VolumeSpec& a : kVolumeSpecs)
                for (const VolumeSpec& b : kVolumeSpecs) {
                    const BodyVolume of_a = world.bodies().volume(a.kind, bodies[i]);
                    const BodyVolume of_b = world.bodies().volume(b.kind, bodies[j]);
                    const bool found = overlap(of_a, of_b);
                    EXPECT_EQ(found, overlap(of_b, of_a)) << a.id << " " << b.id;
                    if (touch) {
                        EXPECT_TRUE(found) << a.id << " " << b.id << ": a pair is missed";
                    }
                    const auto right =
                        reference::overlap(reference::solid_of(of_a), reference::solid_of(of_b));
                    EXPECT_TRUE(reference::accepts(right, found))
                        << a.id << " of " << bodies[i].state.name << " and " << b.id << " of "
                        << bodies[j].state.name << ": " << found;
                    decided += right != reference::Answer::Either ? 1 : 0;
                }
        }
    EXPECT_GT(touching, 5);
    EXPECT_GT(decided, 100 * touching);
}

TEST(Volumes, VerifyFindsNoFaultWithAnyKindNorWithAllOfThemMixed) {
    for (const VolumeSpec& spec : kVolumeSpecs) {
        Session session{command_table()};
        run(session,
            fmt::format("scene welcome; set verify=true; set {}=true; set draw.volumes_on=all; spawn 10; set "
                        "volume.pair_kind={}",
                        spec.draw_id, spec.id),
            12);
        EXPECT_TRUE(session.results().checks.differences.empty())
            << spec.id << ": " << session.results().checks.differences.front();
        EXPECT_GT(session.results().pairs.volume.size(), 0u) << spec.id;
    }
    Session session{command_table()};
    std::string script = "scene welcome; set verify=true; spawn 20";
    std::uint32_t id = 1;
    for (int round = 0; round < 4; ++round)
        for (const VolumeSpec& spec : kVolumeSpecs)
            script += fmt::format("; body.set volume.pair_kind={} {}", spec.id, id++);
    run(session, script, 25);
    EXPECT_TRUE(session.results().checks.differences.empty()) << session.results().checks.differences.front();
    EXPECT_EQ(make_report(session, "").bodies[10].pairs_by, "hull");
}

TEST(Volumes, RaysFindEveryBodyWithEveryKind) {
    for (const VolumeSpec& spec : kVolumeSpecs) {
        Session session{command_table()};
        run(session,
            fmt::format("scene welcome; set verify=true; pause on; set volume.pair_kind={}", spec.id), 2);
        for (int round = 0; round < 6; ++round) {
            std::string picks = "ray.clear; ";
            for (int i = 0; i < 16; ++i) {
                const double x = 0.4 * (round - 3) + 0.02 * i, y = 0.25 * i;
                picks += fmt::format("ray.pin {} {} 12 {} {} -1; ", x, y, 0.1 * x, 0.02 * (i - 8));
            }
            run(session, picks, 1);
            EXPECT_TRUE(session.results().checks.differences.empty())
                << spec.id << ": " << session.results().checks.differences.front();
        }
    }
}

// ---- drawn volumes

TEST(Volumes, OnlyDrawnOrChosenOnesAreComputed) {
    Session session{command_table()};
    run(session, "scene stress; set stress.bodies=1000", 2);
    const auto kinds = [&] {
        VolumeSet all;
        for (const VolumeSet has : session.results().has_volumes)
            all |= has;
        return all;
    };
    EXPECT_EQ(kinds(), VolumeSet(VolumeKind::AabbTight) | VolumeKind::Obb);
    run(session, "set draw.hull=true", 2);
    EXPECT_FALSE(kinds().has(VolumeKind::Hull)) << "this scene shows no volumes";
    run(session, "set draw.volumes_on=all; set draw.sphere=false", 2);
    EXPECT_TRUE(kinds().has(VolumeKind::Hull));
    EXPECT_FALSE(kinds().has(VolumeKind::Sphere));
    run(session, "set draw.volumes_on=selected", 2);
    run(session, fmt::format("select {}", session.results().bodies[7].id.value), 2);
    for (std::size_t i = 0; i < session.results().bodies.size(); ++i)
        EXPECT_EQ(session.results().has_volumes[i].has(VolumeKind::Hull),
                  session.results().bodies[i].selected);
}

TEST(Volumes, DrawnOnesAreUpToDate) {
    Session session{command_table()};
    run(session, "scene welcome; set draw.volumes_on=all", 1);
    for (const VolumeSpec& spec : kVolumeSpecs)
        run(session, fmt::format("set {}=true", spec.draw_id), 1);
    for (const char* line :
         {"", "spawn 5", "remove 3", "pause on", "move 5 1 2 1", "body.set volume.pair_kind=hull 6",
          "time.back", "select 9", "set draw.volumes_on=selected", "undo"}) {
        run(session, line, 2);
        const FrameResults& results = session.results();
        const World& world = session.state().world;
        ASSERT_EQ(results.has_volumes.size(), world.bodies().size()) << line;
        for (std::size_t i = 0; i < world.bodies().size(); ++i)
            for (const VolumeSpec& spec : kVolumeSpecs) {
                if (!results.has_volumes[i].has(spec.kind)) continue;
                const BodyVolume now = world.bodies().volume(spec.kind, world.bodies()[i]);
                std::visit(
                    [&](const auto& list) {
                        using Shape = typename std::decay_t<decltype(list)>::value_type;
                        EXPECT_EQ(list[i], std::get<Shape>(now))
                            << line << ": " << spec.id << " of body " << i;
                    },
                    results.volumes.column(spec.kind));
            }
    }
}

// ---- files

TEST(Volumes, SavedScenesAndRecordingsKeepEveryKind) {
    const test::TempDir folder;
    for (const VolumeSpec& spec : kVolumeSpecs) {
        const std::string path = folder.path() / fmt::format("{}.json", spec.id);
        const std::string recording = folder.path() / fmt::format("{}.bvrec", spec.id);
        Session session{command_table()};
        run(session,
            fmt::format("scene welcome; set {1}=true; body.set volume.pair_kind={0} 3 4; set "
                        "volume.pair_kind={0}",
                        spec.id, spec.draw_id),
            5);
        run(session, "record.save " + recording, 1);
        const auto error = io::write_scene_file(path, session.saver().saved_scene());
        ASSERT_FALSE(error) << error->text();
        Session opened{command_table()};
        run(opened, "open " + path, 1);
        EXPECT_EQ(opened.state().world.find({3})->state.own.kind, spec.kind);
        EXPECT_EQ(opened.state().settings.get_as_text(kVolumePairKind), spec.id);
        EXPECT_TRUE(opened.state().settings[draw_flag(spec.kind)]);
        Session replayed{command_table()};
        run(replayed, "open " + recording, 1);
        EXPECT_EQ(replayed.state().world.find({4})->state.own.kind, spec.kind);
    }
}

TEST(Volumes, ReportsListThoseThatAreSwitchedOn) {
    Session session{command_table()};
    run(session, "scene welcome", 1);
    const auto rows = [&] { return make_report(session, "").volumes.size(); };
    const std::size_t bodies = session.results().bodies.size();
    EXPECT_EQ(rows(), 4 * bodies);
    run(session, "set draw.capsule=true", 1);
    EXPECT_EQ(rows(), 5 * bodies);
    run(session, "body.set volume.pair_kind=kdop26 3", 1);
    EXPECT_EQ(rows(), 5 * bodies + 1);
    for (const io::ReportVolume& row : make_report(session, "").volumes) {
        EXPECT_GT(row.volume, 0.0) << row.kind;
        EXPECT_GT(row.surface, 0.0) << row.kind;
    }
}

}  // namespace
}  // namespace lab
