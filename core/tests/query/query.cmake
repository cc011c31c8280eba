# Tests of bv/query.
bv_test(query_overlap query/test_query_overlap.cpp)
bv_test(query_raycast query/test_query_raycast.cpp)
bv_test(query_batch query/test_query_batch.cpp)
bv_test(query_triangle query/test_query_triangle.cpp)
if(TARGET bvlab::cgal)
  target_link_libraries(test_query_triangle PRIVATE bvlab::cgal)
  set_target_properties(test_query_triangle PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)  # -frounding-math
endif()
bv_test(query_closest query/test_query_closest.cpp)
bv_test(query_convex query/test_query_convex.cpp)
bv_test(convex_rounding query/test_convex_rounding.cpp)
bv_test(query_sweep query/test_query_sweep.cpp)
bv_test(query_classify query/test_query_classify.cpp)
bv_test(query_kdop query/test_query_kdop.cpp)
bv_test(query_polygon query/test_query_polygon.cpp)
bv_test(ray_reference query/test_ray_reference.cpp)
bv_test(overlap_reference query/test_overlap_reference.cpp)
bv_test(query_raycast_convex query/test_query_raycast_convex.cpp)
bv_test(query_slice query/test_query_slice.cpp)
bv_test(query_separation query/test_query_separation.cpp)
bv_test(query_relations query/test_query_relations.cpp)
bv_test(trace_queries trace/test_trace_queries.cpp)
bv_test(query_voxels query/test_query_voxels.cpp)
if(TARGET bvlab::fcl OR TARGET bvlab::ccd)
  bv_test(query_peers query/test_query_peers.cpp)
  foreach(peer bvlab::fcl bvlab::ccd)
    if(TARGET ${peer})
      target_link_libraries(test_query_peers PRIVATE ${peer})
    endif()
  endforeach()
endif()

# A table test of every public function on floats that are not finite or at the end of their range.
bv_test(not_finite not_finite/test_not_finite.cpp not_finite/pairs.cpp not_finite/queries.cpp not_finite/table_shapes.cpp
                   not_finite/table_fits.cpp not_finite/table_queries.cpp not_finite/table_pairs.cpp
                   not_finite/table_meshes.cpp not_finite/table_trees.cpp not_finite/table_wide_trees.cpp)
target_include_directories(test_not_finite PRIVATE not_finite)
# Saves the compiler a minute: these tests are about the arguments of the functions, not about their speed.
target_compile_options(test_not_finite PRIVATE $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-Og>)
# Compares the table with the headers: a function that no row calls is an error.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
if(NOT CMAKE_CROSSCOMPILING)
  add_test(NAME core.not_finite_names
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/checks/public_functions.py
            ${PROJECT_SOURCE_DIR}/core/include $<TARGET_FILE:test_not_finite>)
endif()

# A short run as a test; `fuzz_queries 600` for a long one.
add_executable(fuzz_queries query/fuzz_queries.cpp)
target_link_libraries(fuzz_queries PRIVATE bv::core bv::workloads bvlab::options)
add_test(NAME core.fuzz_queries COMMAND fuzz_queries 2)
