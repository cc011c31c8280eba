# What every target of ours is compiled with. Third-party code is not held to it.
include(GNUInstallDirs)

add_library(bvlab_options INTERFACE)
add_library(bvlab::options ALIAS bvlab_options)
target_compile_features(bvlab_options INTERFACE cxx_std_20)
target_compile_options(bvlab_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Werror
  # Results repeat bit for bit on every compiler only without fused multiply-adds that nobody asked for.
  -ffp-contract=off)
if(EMSCRIPTEN)
  # WebAssembly's own exceptions: smaller and faster than those that Emscripten makes of JavaScript's.
  add_compile_options(-fwasm-exceptions)
  add_link_options(-fwasm-exceptions)
  # 32 bits: counts from files are checked in 64 before they become sizes.
  target_compile_options(bvlab_options INTERFACE -Wno-shorten-64-to-32)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 translates double(float(x)) for two neighboring doubles x as if nothing were rounded (its superword-level
  # vectorizer drops both conversions). Rounding outward to float needs exactly that to be right.
  target_compile_options(bvlab_options INTERFACE -fno-tree-slp-vectorize)
  # Lets the compiler use 600 MB before it collects garbage: an eighth less time for a fifth more memory.
  add_compile_options("SHELL:--param ggc-min-heapsize=600000")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms of g++ 12 in its own standard library; the last three appear where that comes from a
  # precompiled header.
  target_compile_options(bvlab_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized
    -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
# Two hundred programs are linked: gold takes half of the usual linker's time, and lld a fifth where debug symbols are
# many. Not where the linker is part of a check (the presets dev and odr).
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_BUILD_TYPE MATCHES "^Rel")
  find_program(BVLAB_GOLD ld.gold)
  find_program(BVLAB_LLD ld.lld)
  if(BVLAB_SANITIZE AND BVLAB_LLD)
    add_link_options(-fuse-ld=lld)
  elseif(BVLAB_GOLD)
    add_link_options(-fuse-ld=gold)
  endif()
endif()
if(BVLAB_SANITIZE)
  add_compile_options(-fsanitize=${BVLAB_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${BVLAB_SANITIZE})
  # Optimizing instrumented code takes eight times as long as compiling it without. It is worth it only where
  # the tests spend their time.
  set(optimized bv_core bvlab_precompiled_core)
  target_compile_options(bvlab_options INTERFACE
    "$<$<NOT:$<IN_LIST:$<TARGET_PROPERTY:NAME>,${optimized}>>:-O0;-g1>")
endif()

# The fallback where the system has no package: a fetch pinned to one commit, whose id is its hash.
# FETCHCONTENT_SOURCE_DIR_<NAME> points it at a local copy instead.
include(FetchContent)
function(bvlab_fetch name repository commit)
  message(STATUS "${name}: no system package, fetching ${repository} at ${commit}")
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${commit} ${ARGN})
  FetchContent_MakeAvailable(${name})
endfunction()
