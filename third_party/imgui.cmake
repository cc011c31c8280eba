# Dear ImGui with its GLFW and OpenGL 3 backends and the FreeType rasterizer: the panels. MIT.
# Debian 12: libimgui-dev 1.86 (a static library that holds all of these). FreeType: FTL or GPL-2, libfreetype-dev 2.12.
find_package(PkgConfig QUIET)
find_package(Freetype REQUIRED)
if(PkgConfig_FOUND)
  pkg_check_modules(imgui QUIET IMPORTED_TARGET imgui)
endif()
add_library(bvlab_imgui INTERFACE)
if(imgui_FOUND)
  target_link_libraries(bvlab_imgui INTERFACE PkgConfig::imgui)
  target_include_directories(bvlab_imgui SYSTEM INTERFACE ${imgui_INCLUDE_DIRS} ${imgui_INCLUDEDIR}/backends)
else()
  # It brings no CMake file of its own: only the sources are fetched.
  bvlab_fetch(imgui https://github.com/ocornut/imgui.git f1cc2ae15e53a861a874c3034aae6798fde194ab) # 1.92.9b
  add_library(bvlab_imgui_sources STATIC
    ${imgui_SOURCE_DIR}/imgui.cpp
    ${imgui_SOURCE_DIR}/imgui_draw.cpp
    ${imgui_SOURCE_DIR}/imgui_tables.cpp
    ${imgui_SOURCE_DIR}/imgui_widgets.cpp
    ${imgui_SOURCE_DIR}/backends/imgui_impl_glfw.cpp
    ${imgui_SOURCE_DIR}/backends/imgui_impl_opengl3.cpp
    ${imgui_SOURCE_DIR}/misc/cpp/imgui_stdlib.cpp
    ${imgui_SOURCE_DIR}/misc/freetype/imgui_freetype.cpp)
  target_include_directories(bvlab_imgui_sources SYSTEM PUBLIC ${imgui_SOURCE_DIR} ${imgui_SOURCE_DIR}/backends
    ${imgui_SOURCE_DIR}/misc/cpp ${imgui_SOURCE_DIR}/misc/freetype)
  target_compile_definitions(bvlab_imgui_sources PUBLIC IMGUI_ENABLE_FREETYPE)
  target_link_libraries(bvlab_imgui_sources PUBLIC glfw Freetype::Freetype)
  target_link_libraries(bvlab_imgui INTERFACE bvlab_imgui_sources)
endif()
target_link_libraries(bvlab_imgui INTERFACE glfw Freetype::Freetype ${CMAKE_DL_LIBS})
