# Box2D: an engine whose tree is captured, in tests only. MIT. Debian 12: libbox2d-dev 2.4.1.
# Where it is missing, its test and example are left out: target bvlab::box2d does not exist.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(BVLAB_BOX2D QUIET IMPORTED_TARGET box2d)
endif()
if(TARGET PkgConfig::BVLAB_BOX2D)
  add_library(bvlab_box2d INTERFACE)
  add_library(bvlab::box2d ALIAS bvlab_box2d)
  target_link_libraries(bvlab_box2d INTERFACE PkgConfig::BVLAB_BOX2D)
else()
  message(STATUS "Box2D: not found, tests go without it")
endif()
