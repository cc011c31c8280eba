# One file per dependency: how it is found, its version and its licence. No foreign source lives here.
include(third_party/glm.cmake)
if(BVLAB_BUILD_TESTS)
  include(third_party/googletest.cmake)
endif()
