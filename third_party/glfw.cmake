# GLFW: window and input. Zlib. Debian 12: libglfw3-dev 3.3.8.
find_package(glfw3 3.3 CONFIG QUIET)
if(NOT TARGET glfw)
  set(GLFW_BUILD_EXAMPLES OFF CACHE BOOL "" FORCE)
  set(GLFW_BUILD_TESTS OFF CACHE BOOL "" FORCE)
  set(GLFW_BUILD_DOCS OFF CACHE BOOL "" FORCE)
  set(GLFW_INSTALL OFF CACHE BOOL "" FORCE)
  bvlab_fetch(glfw https://github.com/glfw/glfw.git 7482de6071d21db77a7236155da44c172a7f6c9e) # 3.3.8
endif()
