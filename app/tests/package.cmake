# The installed program: its parts, manual page, menu entry, file types and completions.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME app.install COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/package/test_install.py
  ${CMAKE_COMMAND} ${PROJECT_BINARY_DIR} ${CMAKE_CURRENT_BINARY_DIR})
# The site around the page, but for the library's reference, which `./dev web test` has.
add_test(NAME app.site COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/web/test_site.py
  ${PROJECT_SOURCE_DIR} $<TARGET_FILE:bvlab>)
