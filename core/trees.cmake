# Sources of the dynamic trees and the broadphases.
target_sources(bv_core PRIVATE
  src/broadphase/broadphase.cpp
  src/broadphase/bsp.cpp
  src/broadphase/grids.cpp
  src/broadphase/incremental_sweep.cpp
  src/broadphase/sweeps.cpp
  src/broadphase/trees.cpp
  src/simd/wide_avx2.cpp
  src/simd/wide_scalar.cpp
  src/tree/build.cpp
  src/tree/build_split.cpp
  src/tree/dynamic_tree.cpp
  src/tree/dynamic_tree_inspect.cpp
  src/tree/insertion.cpp
  src/tree/metrics.cpp
  src/tree/operation_log.cpp
  src/tree/pair_cache.cpp
  src/tree/pairs.cpp
  src/tree/queries.cpp
  src/tree/rotation.cpp
  src/tree/selections.cpp
  src/tree/tree_io.cpp
  src/tree/tree_storage.cpp
  src/tree/wide_build.cpp
  src/tree/wide_inspect.cpp
  src/tree/wide_tree.cpp
)
