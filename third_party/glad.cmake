# glad 2: finds OpenGL's functions at run time. The generator is MIT, its output public domain with Khronos' Apache 2.0
# header. Debian 12: python3-glad 2.0.2. Generated at build time; no copy lives here.
find_program(BVLAB_GLAD glad REQUIRED DOC "The glad 2 command (Debian: python3-glad)")
set(glad_dir ${CMAKE_BINARY_DIR}/third_party/glad)
# --reproducible uses the specification inside the package instead of downloading one.
add_custom_command(
  OUTPUT ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h ${glad_dir}/include/KHR/khrplatform.h
  COMMAND ${BVLAB_GLAD} --quiet --reproducible --api gl:core=3.3
          --extensions GL_KHR_debug,GL_EXT_texture_filter_anisotropic --out-path ${glad_dir} c
  COMMENT "Generating the OpenGL loader" VERBATIM)
add_library(bvlab_glad STATIC ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h)
add_library(bvlab::glad ALIAS bvlab_glad)
target_include_directories(bvlab_glad SYSTEM PUBLIC ${glad_dir}/include)
