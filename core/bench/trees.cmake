# Dynamic trees beside Bullet and FCL.
bv_bench(trees bench_trees.cpp contenders_bullet.cpp contenders_fcl.cpp contenders_ours.cpp)
target_include_directories(bench_trees PRIVATE ${PROJECT_SOURCE_DIR}/core)
if(TARGET bvlab::fcl)
  target_link_libraries(bench_trees PRIVATE bvlab::fcl)
endif()
if(TARGET bvlab::bullet)
  target_link_libraries(bench_trees PRIVATE bvlab::bullet)
endif()
