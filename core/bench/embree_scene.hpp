// One mesh in an Embree scene, for benchmarks and tests that compare with it.
#pragma once

#ifdef BVLAB_HAVE_EMBREE

#include <embree3/rtcore.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "bv/shapes/ray.hpp"
#include "bv/shapes/triangle.hpp"

namespace bv::bench {

class EmbreeScene {
  public:
    enum class Mode { Fast, Robust };

    EmbreeScene(const MeshView& mesh, Mode mode, RTCBuildQuality quality, const char* config = "threads=1")
        : device_(rtcNewDevice(config)) {
        rtcSetDeviceMemoryMonitorFunction(
            device_,
            [](void* self, ssize_t bytes, bool) {
                static_cast<EmbreeScene*>(self)->bytes_ += bytes;
                return true;
            },
            this);
        scene_ = rtcNewScene(device_);
        rtcSetSceneFlags(scene_, mode == Mode::Robust ? RTC_SCENE_FLAG_ROBUST : RTC_SCENE_FLAG_NONE);
        rtcSetSceneBuildQuality(scene_, quality);
        const RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
        rtcSetGeometryBuildQuality(geometry, quality);
        void* positions = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                  sizeof(glm::vec3), mesh.positions.size());
        std::memcpy(positions, mesh.positions.data(), mesh.positions.size_bytes());
        void* triangles = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                  sizeof(glm::uvec3), mesh.triangles.size());
        std::memcpy(triangles, mesh.triangles.data(), mesh.triangles.size_bytes());
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(scene_, geometry);
        rtcReleaseGeometry(geometry);
    }
    EmbreeScene(const EmbreeScene&) = delete;
    EmbreeScene& operator=(const EmbreeScene&) = delete;
    ~EmbreeScene() {
        rtcReleaseScene(scene_);
        rtcReleaseDevice(device_);
    }

    /// Builds the tree: the part to time.
    void commit() { rtcCommitScene(scene_); }

    struct Hit {
        float t = std::numeric_limits<float>::infinity();
        unsigned triangle = RTC_INVALID_GEOMETRY_ID;
    };
    Hit cast(const Ray& ray) const {
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        RTCRayHit query = query_of(ray);
        rtcIntersect1(scene_, &context, &query);
        return hit_of(query.ray.tfar, query.hit.geomID, query.hit.primID);
    }

    /// True if the ray hits any triangle.
    bool occluded(const Ray& ray) const {
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        RTCRay query{};
        query.org_x = ray.origin.x;
        query.org_y = ray.origin.y;
        query.org_z = ray.origin.z;
        query.dir_x = ray.direction.x;
        query.dir_y = ray.direction.y;
        query.dir_z = ray.direction.z;
        query.tnear = ray.t_min;
        query.tfar = ray.t_max;
        query.mask = ~0u;
        rtcOccluded1(scene_, &context, &query);
        return query.tfar < 0.0f;
    }

    /// How many rays travel together.
    enum class Together { Packets8, Packets16, Stream };
    /// The nearest hits of coherent rays; their number is a multiple of 16.
    void cast_coherent(std::span<const Ray> rays, std::span<Hit> hits, Together together) const {
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
        if (together == Together::Stream) {
            stream_.resize(rays.size());
            for (std::size_t i = 0; i < rays.size(); ++i)
                stream_[i] = query_of(rays[i]);
            rtcIntersect1M(scene_, &context, stream_.data(), static_cast<unsigned>(rays.size()),
                           sizeof(RTCRayHit));
            for (std::size_t i = 0; i < rays.size(); ++i)
                hits[i] = hit_of(stream_[i].ray.tfar, stream_[i].hit.geomID, stream_[i].hit.primID);
        } else if (together == Together::Packets8) {
            cast_packets<RTCRayHit8, 8>(rays, hits, [&](const int* valid, RTCRayHit8& packet) {
                rtcIntersect8(valid, scene_, &context, &packet);
            });
        } else {
            cast_packets<RTCRayHit16, 16>(rays, hits, [&](const int* valid, RTCRayHit16& packet) {
                rtcIntersect16(valid, scene_, &context, &packet);
            });
        }
    }
    /// What the scene has allocated, with one thread; without the copy of the mesh.
    [[nodiscard]] ssize_t bytes() const noexcept { return bytes_; }

  private:
    static RTCRayHit query_of(const Ray& ray) {
        RTCRayHit query{};
        query.ray.org_x = ray.origin.x;
        query.ray.org_y = ray.origin.y;
        query.ray.org_z = ray.origin.z;
        query.ray.dir_x = ray.direction.x;
        query.ray.dir_y = ray.direction.y;
        query.ray.dir_z = ray.direction.z;
        query.ray.tnear = ray.t_min;
        query.ray.tfar = ray.t_max;
        query.ray.mask = ~0u;
        query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        return query;
    }
    static Hit hit_of(float t, unsigned geometry, unsigned triangle) {
        return geometry == RTC_INVALID_GEOMETRY_ID ? Hit{} : Hit{t, triangle};
    }
    template <class RayHits, std::size_t kCount, class Cast>
    static void cast_packets(std::span<const Ray> rays, std::span<Hit> hits, const Cast& cast) {
        alignas(64) int valid[kCount];
        std::fill_n(valid, kCount, -1);
        for (std::size_t first = 0; first + kCount <= rays.size(); first += kCount) {
            RayHits packet;
            for (std::size_t i = 0; i < kCount; ++i) {
                const Ray& ray = rays[first + i];
                packet.ray.org_x[i] = ray.origin.x;
                packet.ray.org_y[i] = ray.origin.y;
                packet.ray.org_z[i] = ray.origin.z;
                packet.ray.dir_x[i] = ray.direction.x;
                packet.ray.dir_y[i] = ray.direction.y;
                packet.ray.dir_z[i] = ray.direction.z;
                packet.ray.tnear[i] = ray.t_min;
                packet.ray.tfar[i] = ray.t_max;
                packet.ray.time[i] = 0.0f;
                packet.ray.mask[i] = ~0u;
                packet.ray.flags[i] = 0;
                packet.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
                packet.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
            }
            cast(valid, packet);
            for (std::size_t i = 0; i < kCount; ++i)
                hits[first + i] = hit_of(packet.ray.tfar[i], packet.hit.geomID[i], packet.hit.primID[i]);
        }
    }

    mutable std::vector<RTCRayHit> stream_;
    ssize_t bytes_ = 0;
    RTCDevice device_;
    RTCScene scene_ = nullptr;
};

}  // namespace bv::bench

#endif
