# fmt: text formatting. MIT. Debian 12: libfmt-dev 9.1.0.
find_package(fmt CONFIG QUIET)
if(NOT TARGET fmt::fmt)
  bvlab_fetch(fmt https://github.com/fmtlib/fmt.git a33701196adfad74917046096bf5a2aa0ab0bb50) # 9.1.0
endif()
