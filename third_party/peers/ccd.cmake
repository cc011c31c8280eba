# libccd: GJK as an oracle, in tests only. BSD-3-Clause. Debian 12: libccd-dev 2.1.
# Where it is missing, what compares with it is left out: target bvlab::ccd does not exist.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(BVLAB_CCD QUIET IMPORTED_TARGET ccd)
endif()
if(TARGET PkgConfig::BVLAB_CCD)
  add_library(bvlab_ccd INTERFACE)
  add_library(bvlab::ccd ALIAS bvlab_ccd)
  target_compile_definitions(bvlab_ccd INTERFACE BVLAB_HAVE_CCD)
  target_link_libraries(bvlab_ccd INTERFACE PkgConfig::BVLAB_CCD)
else()
  message(STATUS "libccd: not found, tests go without it")
endif()
