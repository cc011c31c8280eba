# CLI11: the command line. BSD-3-Clause. Debian 12: libcli11-dev 2.3.2.
find_package(CLI11 CONFIG QUIET)
if(NOT TARGET CLI11::CLI11)
  bvlab_fetch(CLI11 https://github.com/CLIUtils/CLI11.git 291c58789c031208f08f4f261a858b5b7083e8e2) # 2.3.2
endif()
