# Bullet: a peer, in tests and benchmarks only. Zlib. Debian 12: libbullet-dev 3.24.
# Where it is missing, what compares with it is left out: target bvlab::bullet does not exist.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(BVLAB_BULLET QUIET IMPORTED_TARGET bullet)
endif()
if(TARGET PkgConfig::BVLAB_BULLET)
  add_library(bvlab_bullet INTERFACE)
  add_library(bvlab::bullet ALIAS bvlab_bullet)
  target_compile_definitions(bvlab_bullet INTERFACE BVLAB_HAVE_BULLET)
  target_link_libraries(bvlab_bullet INTERFACE PkgConfig::BVLAB_BULLET)
else()
  message(STATUS "Bullet: not found, benchmarks go without it")
endif()
