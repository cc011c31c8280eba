# GLM: vectors and matrices. MIT. Debian 12: libglm-dev 0.9.9.8.
find_package(glm CONFIG QUIET)
if(NOT TARGET glm::glm)
  bvlab_fetch(glm https://github.com/g-truc/glm.git bf71a834948186f4097caa076cd2663c69a10e1e) # 0.9.9.8
endif()
