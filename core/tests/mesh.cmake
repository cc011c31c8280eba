# Trees over meshes, and meshes against each other.
bv_test(mesh_bvh test_mesh_bvh.cpp)
target_link_libraries(test_mesh_bvh PRIVATE bv::workloads)
bv_test(mesh_bvh_wide test_mesh_bvh_wide.cpp)
target_link_libraries(test_mesh_bvh_wide PRIVATE bv::workloads)
if(TARGET bvlab::embree)
  target_link_libraries(test_mesh_bvh_wide PRIVATE bvlab::embree)
endif()
