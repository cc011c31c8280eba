# One partial link of every object file of the project, for the link-time optimizer to compare: two types, or two forms of
# a function, under one name are an error (-Wodr). No library and no program takes part: a program's link would cost as
# much as this one, and there are a hundred. Each program has a main of its own, so neither a second definition nor another
# type of one is an error. Preset `odr`.
function(targets_below folder out)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below ${folders})
    targets_below(${below} more)
    list(APPEND targets ${more})
  endforeach()
  set(${out} ${targets} PARENT_SCOPE)
endfunction()

targets_below(${PROJECT_SOURCE_DIR}/core targets)
if(BVLAB_BUILD_APP)
  targets_below(${PROJECT_SOURCE_DIR}/app more)
  list(APPEND targets ${more})
endif()
set(objects "")
foreach(target ${targets})
  get_target_property(kind ${target} TYPE)
  if(kind MATCHES "^(EXECUTABLE|STATIC_LIBRARY|OBJECT_LIBRARY)$")
    list(APPEND objects $<TARGET_OBJECTS:${target}>)
  endif()
endforeach()
set(linked ${PROJECT_BINARY_DIR}/everything.o)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/everything.txt CONTENT "$<JOIN:${objects},\n>\n")
add_custom_command(
  OUTPUT ${linked}
  COMMAND ${CMAKE_CXX_COMPILER} -r -nostdlib -O0 -flto=auto -flinker-output=rel -Wodr -Werror
    -Wno-lto-type-mismatch -Wl,-z,muldefs -o ${linked} @${PROJECT_BINARY_DIR}/everything.txt
  DEPENDS ${objects}
  COMMENT "Comparing the names of all objects"
  VERBATIM)
add_custom_target(link_everything DEPENDS ${linked})
