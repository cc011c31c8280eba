// Spawning: where bodies appear, and how they move.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "commands/catalog.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "volumes_of.hpp"

namespace lab {
namespace {

class Spawning : public testing::Test {
  protected:
    Spawning() { run("view.size 1000 800; scene welcome; pause on"); }

    void run(std::string_view script, int frames = 1) { test::run(session, script, frames); }
    /// The bodies that `spawn 60` adds with these settings, in an empty arena.
    const std::vector<BodyState>& spawned(const std::string& settings) {
        run("clear; reset spawn.motion; reset spawn.placement; set spawn.size=0.2; " + settings +
            "; spawn 60");
        EXPECT_EQ(session.results().bodies.size(), 60u);
        return session.results().bodies;
    }
    double mean_nearest() {
        double sum = 0;
        for (const BodyState& a : session.results().bodies) {
            float nearest = 1e9f;
            for (const BodyState& b : session.results().bodies)
                if (a.id != b.id) nearest = std::min(nearest, glm::distance(a.transform[3], b.transform[3]));
            sum += static_cast<double>(nearest);
        }
        return sum / 60.0;
    }

    Session session{command_table()};
};

TEST_F(Spawning, EveryPlacementStaysInTheArenaAndMatchesItsName) {
    const auto inside = [&](const char* placement) {
        spawned(std::string("set spawn.placement=") + placement);
        const bv::Aabb arena = bv::grown(session.results().arena, 1e-3f);
        for (const BodyState& b : session.results().bodies)
            EXPECT_TRUE(bv::merge(arena, test::sphere_of(session, b).center) == arena) << placement;
    };
    inside("uniform");
    const double uniform = mean_nearest();
    inside("clusters");
    EXPECT_LT(mean_nearest(), 0.6 * uniform);
    inside("grid");
    EXPECT_GT(mean_nearest(), 1.1 * uniform);
    inside("row");
    const auto& row = session.results().bodies;
    for (std::size_t i = 1; i < row.size(); ++i) {
        EXPECT_NEAR(row[i].transform[3].y, row[0].transform[3].y, 1e-5f);
        EXPECT_GT(row[i].transform[3].x, row[i - 1].transform[3].x - 0.2f);
    }
    inside("shell");
    const bv::Aabb arena = session.results().arena;
    for (const BodyState& b : session.results().bodies) {
        const glm::vec3 scaled = (b.transform[3] - arena.center()) / (arena.half_extents() - glm::vec3(0.2f));
        EXPECT_NEAR(glm::length(scaled), 1.0f, 0.08f);
    }
}

TEST_F(Spawning, EveryMotionMatchesItsName) {
    spawned("set spawn.motion=still");
    const auto still = session.results().bodies;
    run("pause off", 30);
    for (std::size_t i = 0; i < still.size(); ++i)
        EXPECT_EQ(session.results().bodies[i].transform, still[i].transform);

    spawned("pause on; set spawn.motion=orbit; set spawn.speed=3");
    const glm::vec3 center = session.results().arena.center();
    const auto radius = [&](const BodyState& b) {
        const glm::vec3 d = b.transform[3] - center;
        return std::sqrt(d.x * d.x + d.z * d.z);
    };
    const auto orbits = session.results().bodies;
    run("pause off", 600);
    double moved = 0;
    for (std::size_t i = 0; i < orbits.size(); ++i) {
        EXPECT_NEAR(radius(session.results().bodies[i]), radius(orbits[i]), 2e-3f);
        EXPECT_NEAR(session.results().bodies[i].transform[3].y, orbits[i].transform[3].y, 1e-5f);
        moved += static_cast<double>(
            glm::distance(session.results().bodies[i].transform[3], orbits[i].transform[3]));
    }
    EXPECT_GT(moved, 20.0);

    spawned("set spawn.motion=walk; set spawn.speed=1.5");
    const auto before = session.results().bodies;
    run("", 300);
    int turned = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const glm::vec3 v = session.results().bodies[i].velocity;
        EXPECT_LE(glm::length(v), 1.501f);
        turned += glm::dot(v, before[i].velocity) < 0.0f;
    }
    EXPECT_GT(turned, 10) << "the direction is random";

    spawned("set spawn.motion=fall; set spawn.speed=1");
    const float floor = session.results().arena.min.y;
    float lowest = 1e9f;
    for (int i = 0; i < 900; ++i) {
        run("", 1);
        for (const BodyState& b : session.results().bodies)
            lowest = std::min(lowest, test::tight_of(session, b).min.y - floor);
    }
    EXPECT_GT(lowest, -0.3f) << "no deeper than one step goes";
    for (const BodyState& b : session.results().bodies)
        EXPECT_LT(test::tight_of(session, b).min.y - floor, 0.5f) << b.name << " has come to rest";
}

TEST_F(Spawning, TouchingBodiesCanStopEachOther) {
    spawned("set sim.contact=stop; set spawn.size=0.6; pause off");
    run("", 1200);
    int stopped = 0;
    for (const BodyState& b : session.results().bodies)
        stopped += b.velocity == glm::vec3(0.0f);
    EXPECT_GT(stopped, 30);
    for (const BodyPair& pair : session.results().pairs.volume)
        for (const BodyState& b : session.results().bodies) {
            const bool met = b.id == pair.a || b.id == pair.b;
            EXPECT_TRUE(!met || glm::length(b.velocity) <= 2.0f);
        }
}

TEST_F(Spawning, ABodyAppearsUnderTheMouse) {
    run("clear; set spawn.size=0.3");
    run("spawn.at 500 500");
    ASSERT_EQ(session.results().bodies.size(), 1u);
    const BodyState first = session.results().bodies[0];
    const glm::vec2 seen = *session.state().view.pixel_of(first.transform[3]);
    EXPECT_LT(glm::distance(seen, glm::vec2(500, 500)), 60.0f);
    EXPECT_NEAR(first.transform[3].y, session.results().arena.min.y + 0.3f, 1e-3f) << "on the floor";
    run("spawn.at " + std::to_string(seen.x) + " " + std::to_string(seen.y) + " 1 torus");
    ASSERT_EQ(session.results().bodies.size(), 2u);
    EXPECT_LT(glm::distance(session.results().bodies[1].transform[3], first.transform[3]), 1.2f)
        << "on the other";
    run("undo; undo");
    EXPECT_TRUE(session.results().bodies.empty());
    EXPECT_NE(test::refusal(session, "spawn.at 1 2 0").find("whole number"), std::string::npos);
}

}  // namespace
}  // namespace lab
