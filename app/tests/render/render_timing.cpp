// How long frames take, and how much of that the processor spends before the GPU may begin.
//   render_timing [WIDTHxHEIGHT]
// One row per scene and quality: boxes; milliseconds a frame (finished pixels); processor milliseconds over
// all threads, which other work on the machine disturbs less; milliseconds until the renderer has handed
// everything to the driver.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <random>

#include "platform/clock.hpp"
#include "render_test_tools.hpp"

using namespace lab;
using namespace lab::render;
using namespace lab::test;

namespace {

enum class What { Wire, Solid, Mesh };

DrawList boxes(std::size_t count, What what, MeshHandle cube) {
    std::mt19937 random(1);
    const float side = 1.6f * std::cbrt(static_cast<float>(count));
    std::uniform_real_distribution<float> at(-side, side), turn(0.0f, 6.28f);
    DrawList list;
    for (std::size_t i = 0; i < count; ++i) {
        const glm::vec3 p(at(random), at(random), at(random));
        const Color color = i % 2 == 0 ? rgb(0x56B4E9) : rgb(0xE69F00);
        if (what == What::Wire)
            list.wire_aabbs.push_back({p - 0.5f, color, p + 0.5f, 1.5f});
        else if (what == What::Solid)
            list.solid_boxes.push_back({placed(p, glm::vec3(0.5f), turn(random)), color.with_alpha(0.2f)});
        else
            list.meshes.push_back({cube, placed(p, glm::vec3(0.5f), turn(random)), color});
    }
    return list;
}

// Everything moves, so everything is sent again.
void shake(DrawList& list, float by) {
    for (WireAabb& b : list.wire_aabbs)
        b.max.x += by;
    for (SolidBox& b : list.solid_boxes)
        b.transform[3].x += by;
    for (MeshInstance& m : list.meshes)
        m.transform[3].x += by;
}

void measure(Stage& stage, const View& view, std::size_t count, What what, MeshHandle cube,
             const char* name) {
    DrawList list = boxes(count, what, cube);
    double best_frame = 1e9, best_submit = 1e9, best_cpu = 1e9;
    platform::Clock total;
    for (int i = 0; i < 40 && (i < 4 || total.seconds() < 2.0); ++i) {
        shake(list, i % 2 == 0 ? 0.001f : -0.001f);
        const platform::Clock clock;
        const std::clock_t cpu = std::clock();
        stage.renderer->draw(list, view);
        const double submitted = clock.milliseconds();
        (void)stage.renderer->read_pixels();
        if (i == 0) continue;  // compiles and allocates
        best_frame = std::min(best_frame, clock.milliseconds());
        best_cpu = std::min(best_cpu, 1e3 * static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC);
        best_submit = std::min(best_submit, submitted);
    }
    std::printf("%-6s %7zu  %8.2f ms  %8.2f ms  %7.2f ms\n", name, count, best_frame, best_cpu, best_submit);
}

}  // namespace

int main(int argc, char** argv) {
    glm::ivec2 size(1280, 720);
    if (argc > 1 && std::sscanf(argv[1], "%dx%d", &size.x, &size.y) != 2) return 2;
    for (const Quality quality : {Quality::Fast, Quality::Best}) {
        Stage stage(size, quality, {}, false);
        const TestMesh mesh = cube_mesh();
        const MeshHandle cube = stage.renderer->upload(mesh.positions, mesh.triangles);
        std::printf("%s, %dx%d, %s\n%-6s %7s  %11s  %11s  %10s\n", stage.surface->gl().renderer.c_str(),
                    size.x, size.y, quality == Quality::Fast ? "fast" : "best", "kind", "boxes", "frame",
                    "processor", "submit");
        DrawList nothing;
        const View near_view = look(size, {30, 20, 30}, {0, 0, 0});
        measure(stage, near_view, 0, What::Wire, cube, "empty");
        for (const std::size_t count : {1'000u, 10'000u, 100'000u}) {
            const float distance = 3.2f * std::cbrt(static_cast<float>(count));
            const View view = look(size, glm::vec3(0.65f, 0.45f, 0.65f) * distance, {0, 0, 0});
            measure(stage, view, count, What::Wire, cube, "wire");
            measure(stage, view, count, What::Solid, cube, "solid");
            measure(stage, view, count, What::Mesh, cube, "mesh");
        }
    }
    return 0;
}
