# qhull: convex hulls, the oracle and peer of ours in tests and benchmarks. Qhull license (BSD-like).
# Debian 12: libqhull-dev 2020.2.
find_package(Qhull CONFIG QUIET)
if(TARGET Qhull::qhull_r)
  add_library(bvlab_qhull INTERFACE)
  target_link_libraries(bvlab_qhull INTERFACE Qhull::qhull_r)
  target_compile_definitions(bvlab_qhull INTERFACE BVLAB_HAVE_QHULL)
  add_library(bvlab::qhull ALIAS bvlab_qhull)
else()
  message(STATUS "qhull not found: hulls are tested without it (Debian: libqhull-dev)")
endif()
