# Trees over meshes, and meshes against each other.
bv_test(mesh_bvh test_mesh_bvh.cpp)
target_link_libraries(test_mesh_bvh PRIVATE bv::workloads)
