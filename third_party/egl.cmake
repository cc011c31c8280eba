# EGL: OpenGL contexts without a display. Khronos (Apache 2.0 headers), driver by Mesa (MIT). Debian 12: libegl-dev 1.6.0.
find_package(PkgConfig REQUIRED)
pkg_check_modules(BVLAB_EGL REQUIRED IMPORTED_TARGET GLOBAL egl)
add_library(bvlab_egl INTERFACE)
add_library(bvlab::egl ALIAS bvlab_egl)
# The headers would drag in Xlib and its macros (None, Success, ...) without this.
target_compile_definitions(bvlab_egl INTERFACE EGL_NO_X11 MESA_EGL_NO_X11_HEADERS)
target_link_libraries(bvlab_egl INTERFACE PkgConfig::BVLAB_EGL)
