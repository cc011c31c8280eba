#include "render_test_tools.hpp"

#include <cmath>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>
#pragma GCC diagnostic pop

namespace lab::test {

namespace {

// A closed sheet of `u` by `v` quads, wrapped around in both directions or only in u.
template <class Position>
TestMesh sheet(int u, int v, bool wrap_v, Position position) {
    TestMesh mesh;
    const int rows = wrap_v ? v : v + 1;
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < u; ++i)
            mesh.positions.push_back(position(static_cast<float>(i) / static_cast<float>(u),
                                              static_cast<float>(j) / static_cast<float>(v)));
    for (int j = 0; j < v; ++j)
        for (int i = 0; i < u; ++i) {
            const auto at = [&](int a, int b) { return static_cast<unsigned>((b % rows) * u + a % u); };
            mesh.triangles.emplace_back(at(i, j), at(i, j + 1), at(i + 1, j));
            mesh.triangles.emplace_back(at(i + 1, j), at(i, j + 1), at(i + 1, j + 1));
        }
    return mesh;
}

constexpr float kTau = 6.2831853f;

}  // namespace

TestMesh cube_mesh() {
    TestMesh mesh;
    for (int i = 0; i < 8; ++i)
        mesh.positions.emplace_back((i & 1) != 0 ? 1.0f : -1.0f, (i & 2) != 0 ? 1.0f : -1.0f,
                                    (i & 4) != 0 ? 1.0f : -1.0f);
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

TestMesh torus_mesh(float minor, int around, int across) {
    return sheet(around, across, true, [minor](float s, float t) {
        const float r = 1.0f + minor * std::cos(t * kTau);
        return glm::vec3(r * std::cos(s * kTau), minor * std::sin(-t * kTau), -r * std::sin(s * kTau));
    });
}

TestMesh sphere_mesh(int around, int rings) {
    return sheet(around, rings, false, [](float s, float t) {
        const float r = std::sin(t * kTau * 0.5f);
        return glm::vec3(r * std::cos(s * kTau), std::cos(t * kTau * 0.5f), -r * std::sin(s * kTau));
    });
}

bool write_png(const std::filesystem::path& path, const render::Image& image) {
    return !image.empty() && stbi_write_png(path.c_str(), image.size.x, image.size.y, 4, image.rgba.data(),
                                            image.size.x * 4) != 0;
}

}  // namespace lab::test
