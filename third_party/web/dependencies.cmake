# Dependencies of the page (Emscripten) besides GLM: headers of Debian's packages, and four libraries that are
# compiled from its source packages, which `./dev web` unpacks into BVLAB_WEB_SOURCES (versions:
# third_party/web/sources.txt).
#   nlohmann-json, CLI11, stb: headers; see their files beside this folder.
#   Dear ImGui 1.86 (MIT), md4c 0.4.8 (MIT), fmt 9.1.0 (MIT), meshoptimizer 0.18 (MIT): sources.
set(BVLAB_WEB_SOURCES ${PROJECT_SOURCE_DIR}/build/web-sources CACHE PATH "The unpacked sources of imgui, md4c, fmt and meshoptimizer")
bvlab_linked_header(nlohmann)
bvlab_linked_target(nlohmann_json::nlohmann_json)
bvlab_linked_header(CLI)
bvlab_linked_target(CLI11::CLI11)
bvlab_linked_header(stb)
add_library(bvlab_stb INTERFACE)
target_include_directories(bvlab_stb SYSTEM INTERFACE ${linked_headers}/stb)
add_library(bvlab::stb ALIAS bvlab_stb)
include(third_party/roboto.cmake)

# WebGL's functions are linked, and need no loader.
file(CONFIGURE OUTPUT ${linked_headers}/glad/gl.h CONTENT "#include <GLES3/gl3.h>\n")
bvlab_linked_target(bvlab::glad)

set(fmt_source ${BVLAB_WEB_SOURCES}/fmt)
add_library(bvlab_fmt STATIC ${fmt_source}/src/format.cc)
target_include_directories(bvlab_fmt SYSTEM PUBLIC ${fmt_source}/include)
add_library(fmt::fmt ALIAS bvlab_fmt)

add_library(bvlab_md4c STATIC ${BVLAB_WEB_SOURCES}/md4c/src/md4c.c)
target_include_directories(bvlab_md4c SYSTEM PUBLIC ${BVLAB_WEB_SOURCES}/md4c/src)
add_library(bvlab::md4c ALIAS bvlab_md4c)

set(meshoptimizer ${BVLAB_WEB_SOURCES}/meshoptimizer/src)
add_library(bvlab_meshoptimizer STATIC
  ${meshoptimizer}/allocator.cpp ${meshoptimizer}/indexgenerator.cpp ${meshoptimizer}/simplifier.cpp
  ${meshoptimizer}/vfetchoptimizer.cpp)
target_include_directories(bvlab_meshoptimizer SYSTEM PUBLIC ${meshoptimizer})
add_library(meshoptimizer::meshoptimizer ALIAS bvlab_meshoptimizer)

# Without FreeType: stb_truetype, which ImGui brings, makes the glyphs.
set(imgui ${BVLAB_WEB_SOURCES}/imgui)
add_library(bvlab_imgui STATIC
  ${imgui}/imgui.cpp ${imgui}/imgui_draw.cpp ${imgui}/imgui_tables.cpp ${imgui}/imgui_widgets.cpp
  ${imgui}/backends/imgui_impl_opengl3.cpp ${imgui}/misc/cpp/imgui_stdlib.cpp
  ${CMAKE_CURRENT_LIST_DIR}/imgui_gl_state.cpp)
set_source_files_properties(${imgui}/backends/imgui_impl_opengl3.cpp PROPERTIES
  COMPILE_DEFINITIONS "glGetIntegerv=bvlab_initial_gl_state;glIsEnabled=bvlab_initial_gl_enabled")
target_include_directories(bvlab_imgui SYSTEM PUBLIC ${imgui} ${imgui}/backends ${imgui}/misc/cpp)
target_compile_definitions(bvlab_imgui PUBLIC IMGUI_IMPL_OPENGL_ES3 IMGUI_DISABLE_DEFAULT_SHELL_FUNCTIONS
  IMGUI_DISABLE_FILE_FUNCTIONS)
