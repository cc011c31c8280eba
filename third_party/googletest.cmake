# GoogleTest: tests. BSD-3-Clause. Debian 12: libgtest-dev 1.12.1.
find_package(GTest REQUIRED)
include(GoogleTest)
