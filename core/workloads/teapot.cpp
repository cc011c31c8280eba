// The Utah teapot from Newell's data [Newell 1975], with the bottom that was added later.
//
// 24 of the 32 patches (lid, rim, body, bottom) are one profile revolved about the axis in four quarters,
// each quarter circle a cubic whose inner control points are at 0.56 of the radius. The other eight are spout
// and handle: tubes that are symmetric about the plane of the picture, each half two cubics long and one
// around, and whose control rows are rectangles. So the data reduce to the three tables below, in Newell's
// units with z up.
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/constants.hpp>
#include <span>

#include "workloads/mesh_build.hpp"

namespace bv::workloads {
namespace {

/// Control points (r, 0, z), (r, t, z), (t, r, z), (0, r, z) of a quarter.
struct TurnedRow {
    float r, t, z;
};
/// Six cubics of four rows each, from the top of the knob to the center of the bottom.
constexpr std::array<TurnedRow, 24> kTurned{{
    {0.0f, 0.0f, 3.15f},         {0.8f, 0.45f, 3.15f},
    {0.0f, 0.0f, 2.85f},         {0.2f, 0.112f, 2.7f},  // knob
    {0.2f, 0.112f, 2.7f},        {0.4f, 0.224f, 2.55f},
    {1.3f, 0.728f, 2.55f},       {1.3f, 0.728f, 2.4f},  // lid
    {1.4f, 0.784f, 2.4f},        {1.3375f, 0.749f, 2.53125f},
    {1.4375f, 0.805f, 2.53125f}, {1.5f, 0.84f, 2.4f},  // rim
    {1.5f, 0.84f, 2.4f},         {1.75f, 0.98f, 1.875f},
    {2.0f, 1.12f, 1.35f},        {2.0f, 1.12f, 0.9f},  // upper body
    {2.0f, 1.12f, 0.9f},         {2.0f, 1.12f, 0.45f},
    {1.5f, 0.84f, 0.225f},       {1.5f, 0.84f, 0.15f},  // lower body
    {1.5f, 0.84f, 0.15f},        {1.5f, 0.84f, 0.075f},
    {1.425f, 0.798f, 0.0f},      {0.0f, 0.0f, 0.0f},  // bottom
}};

/// Control points (ax, 0, az), (ax, -w, az), (bx, -w, bz), (bx, 0, bz) of a half; two cubics that share the
/// middle row.
struct TubeRow {
    float ax, az, bx, bz, w;
};
constexpr std::array<TubeRow, 7> kHandle{{
    {-1.6f, 2.025f, -1.5f, 2.25f, 0.3f},
    {-2.3f, 2.025f, -2.5f, 2.25f, 0.3f},
    {-2.7f, 2.025f, -3.0f, 2.25f, 0.3f},
    {-2.7f, 1.8f, -3.0f, 1.8f, 0.3f},
    {-2.7f, 1.575f, -3.0f, 1.35f, 0.3f},
    {-2.5f, 1.125f, -2.65f, 0.9375f, 0.3f},
    {-2.0f, 0.9f, -1.9f, 0.6f, 0.3f},
}};
constexpr std::array<TubeRow, 7> kSpout{{
    {1.7f, 1.425f, 1.7f, 0.6f, 0.66f},
    {2.6f, 1.425f, 3.1f, 0.825f, 0.66f},
    {2.3f, 2.1f, 2.4f, 2.025f, 0.25f},
    {2.7f, 2.4f, 3.3f, 2.4f, 0.25f},
    {2.8f, 2.475f, 3.525f, 2.49375f, 0.25f},
    {2.9f, 2.475f, 3.45f, 2.5125f, 0.15f},
    {2.8f, 2.4f, 3.2f, 2.4f, 0.15f},
}};

/// The four weights of a cubic Bezier curve at i / steps; exact at both ends.
std::array<float, 4> weights(int i, int steps) {
    const float t = static_cast<float>(i) / static_cast<float>(steps);
    const float u = 1.0f - t;
    return {u * u * u, 3.0f * u * u * t, 3.0f * u * t * t, t * t * t};
}

/// Converts z up to y up.
glm::vec3 y_up(float x, float y, float z) {
    return {x, z, -y};
}

/// One ring of the revolved part: four quarters of `steps` points, in the order that makes triangles face
/// outward from the top down.
Ring turned_ring(const TurnedRow& row, int steps) {
    Ring ring;
    for (int quarter = 0; quarter < 4; ++quarter) {
        for (int i = 0; i < steps; ++i) {
            const auto w = weights(i, steps);
            const float c = w[0] * row.r + w[1] * row.r + w[2] * row.t;
            const float s = w[1] * row.t + w[2] * row.r + w[3] * row.r;
            switch (quarter) {
                case 0:
                    ring.push_back(y_up(c, s, row.z));
                    break;
                case 1:
                    ring.push_back(y_up(-s, c, row.z));
                    break;
                case 2:
                    ring.push_back(y_up(-c, -s, row.z));
                    break;
                default:
                    ring.push_back(y_up(s, -c, row.z));
                    break;
            }
        }
    }
    std::reverse(ring.begin(), ring.end());
    return ring;
}

/// Knob to bottom as one closed surface. A flat ring closes the gap from the lid's edge to the rim's.
MeshData body(int steps) {
    std::vector<Ring> rings;
    for (std::size_t cubic = 0; cubic < 6; ++cubic) {
        // A row that ends one cubic begins the next; only the lid's edge and the rim are two rows.
        for (int i = cubic == 0 || cubic == 2 ? 0 : 1; i <= steps; ++i) {
            const auto w = weights(i, steps);
            TurnedRow row{0.0f, 0.0f, 0.0f};
            for (std::size_t k = 0; k < 4; ++k) {
                const TurnedRow& p = kTurned[cubic * 4 + k];
                row = {row.r + w[k] * p.r, row.t + w[k] * p.t, row.z + w[k] * p.z};
            }
            // The two ends on the axis are the centers of the caps.
            if (row.r > 0.0f) rings.push_back(turned_ring(row, steps));
        }
    }
    MeshData mesh = tube("teapot", rings, TubeEnds::Capped);
    mesh.positions[mesh.positions.size() - 2] = y_up(0.0f, 0.0f, kTurned.front().z);
    mesh.positions[mesh.positions.size() - 1] = y_up(0.0f, 0.0f, kTurned.back().z);
    return mesh;
}

/// Spout or handle, with a flat cap over each end.
MeshData side_tube(std::span<const TubeRow, 7> rows, int steps) {
    std::vector<Ring> rings;
    for (std::size_t cubic = 0; cubic < 2; ++cubic) {
        for (int i = cubic == 0 ? 0 : 1; i <= steps; ++i) {
            const auto along = weights(i, steps);
            TubeRow row{0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
            for (std::size_t k = 0; k < 4; ++k) {
                const TubeRow& p = rows[cubic * 3 + k];
                row = {row.ax + along[k] * p.ax, row.az + along[k] * p.az, row.bx + along[k] * p.bx,
                       row.bz + along[k] * p.bz, row.w + along[k] * p.w};
            }
            Ring ring;
            for (int half = 0; half < 2; ++half) {
                for (int j = 0; j < steps; ++j) {
                    const auto w = weights(half == 0 ? j : steps - j, steps);
                    const float a = w[0] + w[1];
                    const float b = w[2] + w[3];
                    const float side = (w[1] + w[2]) * row.w;
                    ring.push_back(
                        y_up(a * row.ax + b * row.bx, half == 0 ? -side : side, a * row.az + b * row.bz));
                }
            }
            rings.push_back(std::move(ring));
        }
    }
    return tube("tube", rings, TubeEnds::Capped);
}

}  // namespace

MeshData teapot(int steps) {
    MeshData mesh = body(steps);
    append(mesh, side_tube(kHandle, steps));
    append(mesh, side_tube(kSpout, steps));
    return mesh;
}

}  // namespace bv::workloads
