# Sources of one library compiled together: they share the parsing of headers and what templates and inline functions
# expand to, which is most of the work for a source of the program. The price: a change in one source compiles its
# neighbors again (whoever works on one sets BVLAB_BATCHES=OFF), and anonymous names must differ within a batch.
# Not for the page, which is loaded before it runs: it would be 4 % larger.
set(batches ON)
if(EMSCRIPTEN)
  set(batches OFF)
endif()
option(BVLAB_BATCHES "Compile the sources of some libraries in batches" ${batches})

# bvlab_batches(TARGET [APART sources...]): batches in the order of the target's list; those after APART, and generated
# ones, stay alone. The files that include them name them by paths below the source folder, so that a compiler cache finds
# their objects for every checkout.
function(bvlab_batches target)
  set(size 15)
  cmake_parse_arguments(arg "" "" "APART" ${ARGN})
  if(NOT BVLAB_BATCHES)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(kept "")
  set(batch "")
  set(number 0)
  foreach(source IN LISTS sources ITEMS end)
    list(LENGTH batch length)
    if(length EQUAL size OR (source STREQUAL end AND length GREATER 0))
      set(file ${CMAKE_CURRENT_BINARY_DIR}/batches/${target}_${number}.cpp)
      list(TRANSFORM batch REPLACE "(.+)" "#include \"${folder}/\\1\"\n" OUTPUT_VARIABLE text)
      list(JOIN text "" text)
      file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
      # A source in a batch is no header, though g++ takes its anonymous types for those of one, and clang sees the
      # neighbors' names.
      if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS -Wno-subobject-linkage)
      else()
        set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS -Wno-shadow)
      endif()
      list(APPEND kept ${file})
      set(batch "")
      math(EXPR number "${number} + 1")
    endif()
    if(source STREQUAL end)
      break()
    endif()
    if(source IN_LIST arg_APART OR IS_ABSOLUTE "${source}" OR source MATCHES "[$]<" OR NOT source MATCHES "[.]cpp$")
      list(APPEND kept ${source})
    else()
      list(APPEND batch ${source})
    endif()
  endforeach()
  set_property(TARGET ${target} PROPERTY SOURCES ${kept})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
endfunction()
