# stb_truetype, stb_image_write: glyphs and pictures. MIT or public domain. Debian 12: libstb-dev 0.0~git20220908.
find_path(BVLAB_STB_INCLUDE stb_truetype.h PATH_SUFFIXES stb)
if(NOT BVLAB_STB_INCLUDE)
  bvlab_fetch(stb https://github.com/nothings/stb.git 8b5f1f37b5b75829fc72d38e7b5d4bcbf8a26d55)
  set(BVLAB_STB_INCLUDE ${stb_SOURCE_DIR} CACHE PATH "" FORCE)
endif()
add_library(bvlab_stb INTERFACE)
add_library(bvlab::stb ALIAS bvlab_stb)
target_include_directories(bvlab_stb SYSTEM INTERFACE ${BVLAB_STB_INCLUDE})
