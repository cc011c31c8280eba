# Headers of Debian's packages for a compiler of another system. It has system folders of its own, so what is in
# /usr/include is reached by links to single folders.
set(linked_headers ${CMAKE_BINARY_DIR}/third_party/include)
file(MAKE_DIRECTORY ${linked_headers})

function(bvlab_linked_header name)
  if(NOT EXISTS /usr/include/${name})
    message(FATAL_ERROR "/usr/include/${name} is missing; `./dev web` and `./dev check` install what they need")
  endif()
  file(CREATE_LINK /usr/include/${name} ${linked_headers}/${name} SYMBOLIC)
endfunction()

function(bvlab_linked_target target)
  string(REPLACE ":" "_" name "linked_${target}")
  add_library(${name} INTERFACE)
  target_include_directories(${name} SYSTEM INTERFACE ${linked_headers})
  add_library(${target} ALIAS ${name})
endfunction()
