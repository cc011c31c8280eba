# Tests of bv/query.
bv_test(query_overlap test_query_overlap.cpp)
bv_test(query_raycast test_query_raycast.cpp)
bv_test(query_batch test_query_batch.cpp)
