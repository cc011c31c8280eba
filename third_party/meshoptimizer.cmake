# meshoptimizer: coarser copies of meshes. MIT. Debian 12: libmeshoptimizer-dev 0.18.
find_package(meshoptimizer CONFIG QUIET)
if(NOT TARGET meshoptimizer::meshoptimizer)
  bvlab_fetch(meshoptimizer https://github.com/zeux/meshoptimizer.git v0.18)
  add_library(meshoptimizer::meshoptimizer ALIAS meshoptimizer)
endif()
