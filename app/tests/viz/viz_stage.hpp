// One call of viz::build(), for tests of what it draws.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec3.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bv/fit/hull.hpp"
#include "bv/fit/kdop.hpp"
#include "scenes/scenes.hpp"
#include "viz/build.hpp"

namespace lab::test {

using render::Color;
using render::DrawList;

/// One call of build() with everything that it needs.
struct VizStage {
    FrameResults results;
    Settings settings{setting_catalog()};
    Camera camera;
    viz::MeshHandles meshes;
    viz::ViewInfo view;
    DrawList list;

    VizStage() { meshes.by_mesh = {{1}, {2}}; }
    void set(std::string_view id, std::string_view value) {
        const auto problem = settings.set(id, value);
        ASSERT_FALSE(problem) << *problem;
    }
    const DrawList& build() {
        give_volumes();
        viz::build(results, settings, camera, meshes, view, list);
        return list;
    }
    /// Every kind of volume around the places of the bodies.
    void give_volumes() {
        BodyVolumes& v = results.volumes = {};
        for (const BodyState& state : results.bodies) {
            const glm::vec3 at = state.transform[3];
            std::vector<glm::vec3> corners;
            for (int i = 0; i < 8; ++i)
                corners.push_back(at + bv::Aabb{glm::vec3(-0.5f), glm::vec3(0.5f, 0.6f, 0.7f)}.corner(i));
            using K = VolumeKind;
            v.list<bv::Sphere>(K::Sphere).edit().push_back({at, 1.0f});
            v.list<bv::Aabb>(K::AabbFixed).edit().push_back({at - 1.0f, at + 1.0f});
            v.list<bv::Aabb>(K::AabbTight).edit().push_back({at - 0.7f, at + 0.7f});
            v.list<bv::Obb>(K::Obb).edit().push_back({at, glm::vec3(0.5f), glm::mat3(1.0f)});
            v.list<bv::Capsule>(K::Capsule).edit().push_back({at - glm::vec3(0.5f, 0, 0), at, 0.7f});
            v.list<bv::RectSweptSphere>(K::RectSweptSphere)
                .edit()
                .push_back({at, {0.5f, 0.4f}, 0.3f, glm::mat3(1.0f)});
            v.list<bv::Kdop<8>>(K::Kdop8).edit().push_back(bv::fit::kdop<8>(corners));
            v.list<bv::Kdop<14>>(K::Kdop14).edit().push_back(bv::fit::kdop<14>(corners));
            v.list<bv::Kdop<18>>(K::Kdop18).edit().push_back(bv::fit::kdop<18>(corners));
            v.list<bv::Kdop<26>>(K::Kdop26).edit().push_back(bv::fit::kdop<26>(corners));
            v.list<PlacedHull>(K::Hull).edit().push_back(
                {std::make_shared<const bv::Hull>(bv::fit::hull(corners))});
        }
    }
    /// What the legend says. The only texts in the lower left.
    std::set<std::string> legend() {
        std::set<std::string> texts;
        for (const auto& text : list.screen_texts) {
            if (text.position_px.y > 0.3f * view.size_px.y) texts.insert(text.text);
        }
        return texts;
    }
    [[nodiscard]] std::size_t primitives() const {
        return list.lines.size() + list.overlay_lines.size() + list.wire_aabbs.size() +
               list.wire_boxes.size() + list.wire_spheres.size() + list.points.size() +
               list.overlay_points.size();
    }
};

inline BodyState body(std::uint32_t id, glm::vec3 at) {
    BodyState b;
    b.id = bv::BodyId{id};
    b.name = "body " + std::to_string(id);
    b.mesh = MeshId{id % 2};
    b.transform[3] = at;
    return b;
}

}  // namespace lab::test
