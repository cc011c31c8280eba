# Installs bv::core so that find_package(bvlab) finds it.
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
