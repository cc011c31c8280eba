# assimp: reads meshes, in a process of its own only. BSD-3-Clause. Debian 12: libassimp-dev 5.2.5.
find_package(assimp CONFIG QUIET)
if(NOT TARGET assimp::assimp)
  set(ASSIMP_BUILD_TESTS OFF CACHE BOOL "" FORCE)
  set(ASSIMP_INSTALL OFF CACHE BOOL "" FORCE)
  set(ASSIMP_WARNINGS_AS_ERRORS OFF CACHE BOOL "" FORCE)
  bvlab_fetch(assimp https://github.com/assimp/assimp.git 9519a62dd20799c5493c638d1ef5a6f484e5faf1) # 5.2.5
endif()
