#include "results/body_volumes.hpp"

#include "bv/assert.hpp"
#include "results/frame_results.hpp"
#include "settings/draw.hpp"

namespace lab {

VolumeColumn empty_column(VolumeKind kind) {
    using Shape = bv::fit::VolumeKind;
    switch (spec_of(kind).shape) {
        case Shape::Sphere:
            return SharedList<bv::Sphere>();
        case Shape::Aabb:
            return SharedList<bv::Aabb>();
        case Shape::Obb:
            return SharedList<bv::Obb>();
        case Shape::Capsule:
            return SharedList<bv::Capsule>();
        case Shape::RectSweptSphere:
            return SharedList<bv::RectSweptSphere>();
        case Shape::Kdop8:
            return SharedList<bv::Kdop<8>>();
        case Shape::Kdop14:
            return SharedList<bv::Kdop<14>>();
        case Shape::Kdop18:
            return SharedList<bv::Kdop<18>>();
        case Shape::Kdop26:
            return SharedList<bv::Kdop<26>>();
        case Shape::Hull:
            return SharedList<PlacedHull>();
        case Shape::Kdop6:
            break;  // the tight AABB
    }
    BV_ASSERT(false);
    return {};
}

bv::Hull PlacedHull::placed() const {
    if (!hull) return {};
    bv::Hull copy = *hull;
    for (std::size_t i = 0; i < copy.vertices.size(); ++i)
        copy.vertices[i] = vertex(i);
    return copy;
}

VolumeSet shown_volumes(const BodyState& body, VolumesOn volumes_on) {
    if (body.hidden) return {};
    if (body.selected || volumes_on == VolumesOn::All) return all_volumes();
    if (volumes_on == VolumesOn::Colliding) return body.colliding ? all_volumes() : VolumeSet();
    if (volumes_on != VolumesOn::Scene || body.shown.empty()) return {};
    return body.shown | (all_volumes() - drawn_from_start());
}

BodyVolumes::BodyVolumes() {
    for (const VolumeSpec& spec : kVolumeSpecs)
        clear(spec.kind);
}

}  // namespace lab
