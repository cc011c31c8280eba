# Tests of bv/query.
bv_test(query_overlap test_query_overlap.cpp)
bv_test(query_raycast test_query_raycast.cpp)
bv_test(query_batch test_query_batch.cpp)
bv_test(query_triangle test_query_triangle.cpp)
if(TARGET bvlab::cgal)
  target_link_libraries(test_query_triangle PRIVATE bvlab::cgal)
endif()
bv_test(query_convex test_query_convex.cpp)
