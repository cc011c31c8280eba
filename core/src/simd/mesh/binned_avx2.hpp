// The AVX2 forms of a binned builder's two passes. Only called where `best_simd()` says so; the same results,
// bit for bit, as the plain forms in mesh_binned.hpp.
#pragma once

#include "simd/query_avx2.hpp"
#include "tree/mesh/build/mesh_binned.hpp"

namespace bv::simd {

[[nodiscard]] detail::BestSplit find_split_avx2(const detail::BuildTask& task,
                                                std::span<const detail::MeshRef> refs,
                                                const detail::BinMap& map) noexcept;
void partition_avx2(const detail::BuildTask& task, std::span<detail::MeshRef> refs, const detail::BinMap& map,
                    const detail::BestSplit& best, detail::BuildTask& left,
                    detail::BuildTask& right) noexcept;

}  // namespace bv::simd
