// One mesh in an Embree scene, for benchmarks and tests that compare with it.
#pragma once

#ifdef BVLAB_HAVE_EMBREE

#include <embree3/rtcore.h>

#include <cstring>
#include <limits>

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
        RTCRayHit query{};
        query.ray.org_x = ray.origin.x;
        query.ray.org_y = ray.origin.y;
        query.ray.org_z = ray.origin.z;
        query.ray.dir_x = ray.direction.x;
        query.ray.dir_y = ray.direction.y;
        query.ray.dir_z = ray.direction.z;
        query.ray.tfar = ray.t_max;
        query.ray.mask = ~0u;
        query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(scene_, &context, &query);
        if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
        return {query.ray.tfar, query.hit.primID};
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
        query.tfar = ray.t_max;
        query.mask = ~0u;
        rtcOccluded1(scene_, &context, &query);
        return query.tfar < 0.0f;
    }
    /// What the scene has allocated, with one thread; without the copy of the mesh.
    [[nodiscard]] ssize_t bytes() const noexcept { return bytes_; }

  private:
    ssize_t bytes_ = 0;
    RTCDevice device_;
    RTCScene scene_ = nullptr;
};

}  // namespace bv::bench

#endif
