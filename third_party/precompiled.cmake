# Headers of the standard library and of dependencies, parsed once for each set of flags instead of once for
# each source. They hold nothing of ours, so a change of ours never rebuilds them. The exceptions are the sets
# of the scenes and of the session tests: nearly all of those sources use the same headers of ours, so the
# sets include these. A source still includes whatever it uses: the preset `dev` builds without them
# (CMAKE_DISABLE_PRECOMPILE_HEADERS), and there a forgotten #include is an error.
set(precompiled_std
  <algorithm> <array> <bit> <cmath> <cstddef> <cstdint> <cstdlib> <cstring> <functional> <limits> <memory> <numeric>
  <optional> <span> <string> <string_view> <tuple> <utility> <variant> <vector>)
set(precompiled_std_more
  <atomic> <charconv> <chrono> <cstdio> <filesystem> <fstream> <map> <set> <sstream> <thread> <unordered_map>)
set(precompiled_glm
  <glm/common.hpp> <glm/geometric.hpp> <glm/gtc/quaternion.hpp> <glm/mat3x3.hpp> <glm/mat4x3.hpp> <glm/mat4x4.hpp>
  <glm/matrix.hpp> <glm/vec2.hpp> <glm/vec3.hpp> <glm/vec4.hpp>)

# bvlab_precompiled_set(NAME LIBRARIES... HEADERS...): one set, as an object library.
function(bvlab_precompiled_set name)
  cmake_parse_arguments(arg "" "" "LIBRARIES;HEADERS" ${ARGN})
  set(source ${PROJECT_BINARY_DIR}/third_party/precompiled_${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// The headers come by the command line.\n")
  add_library(bvlab_precompiled_${name} OBJECT ${source})
  target_link_libraries(bvlab_precompiled_${name} PRIVATE ${arg_LIBRARIES} bvlab::options)
  target_precompile_headers(bvlab_precompiled_${name} PRIVATE ${arg_HEADERS})
endfunction()

# bvlab_precompile(SET TARGETS...): these targets start from that set.
function(bvlab_precompile set)
  foreach(target ${ARGN})
    target_precompile_headers(${target} REUSE_FROM bvlab_precompiled_${set})
    # Macros must be the same wherever the set is used (FMT_SHARED).
    target_compile_definitions(${target} PRIVATE
      $<TARGET_PROPERTY:bvlab_precompiled_${set},COMPILE_DEFINITIONS>)
  endforeach()
endfunction()

# bv_core alone is position-independent code, for shared libraries that link it.
bvlab_precompiled_set(core LIBRARIES glm::glm HEADERS ${precompiled_std} ${precompiled_glm})
set_target_properties(bvlab_precompiled_core PROPERTIES POSITION_INDEPENDENT_CODE ON)
if(BVLAB_BUILD_APP)
  find_package(Threads REQUIRED)
  bvlab_precompiled_set(program LIBRARIES glm::glm fmt::fmt Threads::Threads
    HEADERS ${precompiled_std} ${precompiled_std_more} ${precompiled_glm} <fmt/format.h>)
  bvlab_precompiled_set(scenes LIBRARIES bvlab_capture bvlab_steps bvlab_view fmt::fmt Threads::Threads
    HEADERS ${precompiled_std} ${precompiled_std_more} ${precompiled_glm} <fmt/format.h> <any>
    <bv/query/overlap.hpp> <scenes/scenes.hpp> <scenes/staging.hpp> <settings/steps.hpp> <steps/event_spec.hpp>
    <steps/walk.hpp>)
endif()
if(BVLAB_BUILD_TESTS)
  bvlab_precompiled_set(tests LIBRARIES glm::glm GTest::gtest
    HEADERS ${precompiled_std} ${precompiled_std_more} ${precompiled_glm} <gtest/gtest.h>)
endif()
if(BVLAB_BUILD_TESTS AND BVLAB_BUILD_APP)
  bvlab_precompiled_set(session_tests LIBRARIES bvlab_session fmt::fmt GTest::gtest
    HEADERS ${precompiled_std} ${precompiled_std_more} ${precompiled_glm} <fmt/format.h> <gtest/gtest.h>
    <scenes/scenes.hpp> <session/session.hpp>)
endif()
