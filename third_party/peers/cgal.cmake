# CGAL: exact predicates and constructions as an oracle, in tests and benchmarks only. GPL-3.0 and LGPL-3.0: never linked
# into what is shipped. Debian 12: libcgal-dev 5.5.1.
# Where it is missing, what compares with it is left out: target bvlab::cgal does not exist.
find_package(CGAL CONFIG QUIET)
if(TARGET CGAL::CGAL)
  add_library(bvlab_cgal INTERFACE)
  add_library(bvlab::cgal ALIAS bvlab_cgal)
  target_compile_definitions(bvlab_cgal INTERFACE BVLAB_HAVE_CGAL)
  target_link_libraries(bvlab_cgal INTERFACE CGAL::CGAL)
else()
  message(STATUS "CGAL: not found, tests go without it")
endif()
