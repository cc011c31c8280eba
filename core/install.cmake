# Installs bv::core so that find_package(bvlab) and `pkg-config bvlab` find it, under any prefix.
include(CMakePackageConfigHelpers)
install(TARGETS bv_core EXPORT bvlab-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT core)
install(DIRECTORY include/bv DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT core FILES_MATCHING PATTERN "*.hpp"
        PATTERN "*.h" PATTERN "FORMAT.md" PATTERN "write_bvcap.py")
install(EXPORT bvlab-targets NAMESPACE bv:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/bvlab COMPONENT core)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/bvlab-config.cmake
     "include(CMakeFindDependencyMacro)\nfind_dependency(glm)\ninclude(\"\${CMAKE_CURRENT_LIST_DIR}/bvlab-targets.cmake\")\n")
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/bvlab-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bvlab-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/bvlab-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/bvlab COMPONENT core)

file(RELATIVE_PATH from_libdir /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/bvlab.pc
"prefix=\${pcfiledir}/${from_libdir}
libdir=\${prefix}/${CMAKE_INSTALL_LIBDIR}
includedir=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}

Name: bvlab
Description: Bounding volumes, trees and collision queries; needs C++20
Version: ${PROJECT_VERSION}
Requires: glm
Libs: -L\${libdir} -lbvcore
Cflags: -I\${includedir}
")
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bvlab.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT core)
