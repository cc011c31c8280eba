# GLM: vectors and matrices. MIT. Debian 12: libglm-dev 0.9.9.8.
if(CMAKE_CROSSCOMPILING)
  bvlab_linked_header(glm)
  bvlab_linked_target(glm::glm)
else()
  find_package(glm CONFIG QUIET)
endif()
if(NOT TARGET glm::glm)
  bvlab_fetch(glm https://github.com/g-truc/glm.git bf71a834948186f4097caa076cd2663c69a10e1e) # 0.9.9.8
endif()
