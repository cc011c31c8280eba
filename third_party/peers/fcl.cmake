# FCL: an oracle and a peer, in tests and benchmarks only. BSD-3-Clause. Debian 12: libfcl-dev 0.7.0 (with libccd-dev, libeigen3-dev).
# Where it is missing, what compares with it is left out: target bvlab::fcl does not exist.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(BVLAB_FCL QUIET IMPORTED_TARGET fcl)
endif()
if(TARGET PkgConfig::BVLAB_FCL)
  add_library(bvlab_fcl INTERFACE)
  add_library(bvlab::fcl ALIAS bvlab_fcl)
  target_compile_definitions(bvlab_fcl INTERFACE BVLAB_HAVE_FCL)
  # Its own language standard (C++11) is not for us.
  set_target_properties(PkgConfig::BVLAB_FCL PROPERTIES INTERFACE_COMPILE_OPTIONS "")
  target_link_libraries(bvlab_fcl INTERFACE PkgConfig::BVLAB_FCL)
else()
  message(STATUS "FCL: not found, tests and benchmarks go without it")
endif()
