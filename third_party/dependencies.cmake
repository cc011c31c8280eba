# One file per dependency: how it is found, its version and its licence. No foreign source lives here.
include(third_party/glm.cmake)
if(BVLAB_BUILD_APP)
  include(third_party/fmt.cmake)
  include(third_party/cli11.cmake)
endif()
if(BVLAB_BUILD_TESTS)
  include(third_party/googletest.cmake)
endif()
