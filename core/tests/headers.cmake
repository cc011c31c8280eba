# Each header compiles alone, all of them compile together, and an unoptimized program runs against the
# release library. A type defined twice under one name passes every other test at -O3.
file(GLOB_RECURSE public_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/core/include
     ${PROJECT_SOURCE_DIR}/core/include/bv/*.hpp)
list(FILTER public_headers EXCLUDE REGEX "capture/adapters/")  # These need their engines; capture.cmake has their tests.
file(GLOB workload_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/core ${PROJECT_SOURCE_DIR}/core/workloads/*.hpp)
file(GLOB_RECURSE private_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/core/src
     ${PROJECT_SOURCE_DIR}/core/src/*.hpp)
file(GLOB test_headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
     ${CMAKE_CURRENT_SOURCE_DIR}/golden/*.hpp ${CMAKE_CURRENT_SOURCE_DIR}/oracles/*.hpp
     ${CMAKE_CURRENT_SOURCE_DIR}/reference/*.hpp ${CMAKE_CURRENT_SOURCE_DIR}/tools/*.hpp)

set(generated ${CMAKE_CURRENT_BINARY_DIR}/headers)
set(all_public "")
set(alone "")
foreach(header ${public_headers} ${workload_headers})
  string(APPEND all_public "#include \"${header}\"\n")
  string(MAKE_C_IDENTIFIER ${header} name)
  # Twice: the second time must add nothing.
  file(CONFIGURE OUTPUT ${generated}/${name}.cpp CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
  list(APPEND alone ${generated}/${name}.cpp)
endforeach()
set(all_of_core ${all_public})
foreach(header ${private_headers} ${test_headers})
  string(APPEND all_of_core "#include \"${header}\"\n")
endforeach()
file(CONFIGURE OUTPUT ${generated}/all_public.cpp CONTENT "${all_public}")
file(CONFIGURE OUTPUT ${generated}/all_of_core.cpp CONTENT "#define BV_WIDE_TARGET\n${all_of_core}")

add_library(bv_headers_alone OBJECT ${alone} ${generated}/all_public.cpp)
target_link_libraries(bv_headers_alone PRIVATE bv::core bv::workloads bvlab::options)
target_compile_options(bv_headers_alone PRIVATE -O0 -g0)

# Private and test headers share the namespaces, and thus the risk.
add_library(bv_headers_together OBJECT ${generated}/all_of_core.cpp)
target_include_directories(bv_headers_together PRIVATE ${PROJECT_SOURCE_DIR}/core/src)
target_link_libraries(bv_headers_together PRIVATE bv::core bv::workloads bvlab::options GTest::gtest)
target_compile_definitions(bv_headers_together PRIVATE BV_GOLDEN_DIR="")
target_compile_options(bv_headers_together PRIVATE -O0 -g0)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # For checks/unused.py, which needs the list of inline functions.
  target_compile_options(bv_headers_together PRIVATE -fkeep-inline-functions)
endif()

add_executable(test_plain_user
  plain_user/main.cpp
  plain_user/wide_tree.cpp
  plain_user/dynamic_tree.cpp
  plain_user/broadphases.cpp
  plain_user/mesh_bvh.cpp
  plain_user/mesh_bvh_wide.cpp
  plain_user/volume_trees.cpp
  plain_user/bsp_tree.cpp)
target_link_libraries(test_plain_user PRIVATE bv::core bv::workloads bvlab::options)
target_compile_options(test_plain_user PRIVATE -O0)
add_test(NAME core.plain_user COMMAND test_plain_user)
