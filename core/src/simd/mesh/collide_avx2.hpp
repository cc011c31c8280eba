// The AVX2 form of one box against the eight children of a node. Only called where `best_simd()` says so.
#pragma once

#include "query/meshes/collide_walk.hpp"
#include "simd/query_avx2.hpp"

namespace bv::simd {

std::uint32_t overlapping_children_avx2(const detail::Bvh8Node& node, const detail::Crossing& crossing,
                                        const detail::CenterBox& other,
                                        detail::CenterBox8& children) noexcept;

}  // namespace bv::simd
