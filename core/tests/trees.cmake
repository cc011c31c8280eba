# Dynamic trees, their metrics and their rivals.
bv_test(dynamic_tree test_dynamic_tree.cpp)
bv_test(tree_metrics test_tree_metrics.cpp)
find_package(Threads REQUIRED)
bv_test(wide_tree test_wide_tree.cpp)
target_link_libraries(test_wide_tree PRIVATE Threads::Threads)
bv_test(broadphase test_broadphase.cpp)
target_link_libraries(test_broadphase PRIVATE bv::workloads)
bv_test(tree_operations test_tree_operations.cpp)
