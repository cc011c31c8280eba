# ccache in front of the compiler, where it is installed and nothing else was chosen. In depend mode, a miss needs no
# second preprocessing; without the sloppiness, nothing that uses a precompiled header is ever found.
find_program(BVLAB_CCACHE ccache)
if(BVLAB_CCACHE AND "${CMAKE_CXX_COMPILER_LAUNCHER}" MATCHES "^$|(^|/)ccache$")
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_DEPEND=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${BVLAB_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
