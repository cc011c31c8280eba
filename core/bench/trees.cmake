# Dynamic trees beside Bullet and FCL.
bv_bench(trees bench_trees.cpp contenders_bullet.cpp contenders_fcl.cpp contenders_ours.cpp)
# The peers' traversals are in headers: compile them for the instruction set that our kernels choose at run
# time.
set_source_files_properties(contenders_bullet.cpp contenders_fcl.cpp
  PROPERTIES COMPILE_OPTIONS "-march=haswell;-ffp-contract=off" SKIP_PRECOMPILE_HEADERS ON)
target_include_directories(bench_trees PRIVATE ${PROJECT_SOURCE_DIR}/core)
if(TARGET bvlab::fcl)
  target_link_libraries(bench_trees PRIVATE bvlab::fcl)
endif()
if(TARGET bvlab::bullet)
  target_link_libraries(bench_trees PRIVATE bvlab::bullet)
endif()
bv_bench(capture bench_capture.cpp)
target_link_libraries(bench_capture PRIVATE bv::capture)
if(TARGET bvlab::bullet)
  target_link_libraries(bench_capture PRIVATE bvlab::bullet)
endif()
