# The platform and the renderer: pictures without a display, then a real window where there is an X server to start.
add_library(render_test_tools STATIC tools/render_test_tools.cpp)
target_link_libraries(render_test_tools PUBLIC bvlab_render bvlab_platform PRIVATE bvlab::options bvlab::stb)
add_executable(render_gallery render/render_gallery.cpp)
target_link_libraries(render_gallery PRIVATE render_test_tools bvlab::options)
add_executable(render_timing render/render_timing.cpp)
target_link_libraries(render_timing PRIVATE render_test_tools bvlab::options)

app_test(platform LIBRARIES bvlab_platform SOURCES platform/test_platform.cpp)
app_test(thread_pool LIBRARIES bvlab_platform SOURCES platform/test_thread_pool.cpp)
add_test(NAME app.headless_old_gl COMMAND test_app_platform --gtest_filter=OldOpenGl.*)
set_tests_properties(app.headless_old_gl PROPERTIES ENVIRONMENT "MESA_GL_VERSION_OVERRIDE=3.1")
app_test(render_text LIBRARIES bvlab_render SOURCES render/test_render_text.cpp)
app_test(render_meshes LIBRARIES bvlab_render bv::core SOURCES render/test_render_meshes.cpp)
app_test(render_pixels LIBRARIES render_test_tools SOURCES render/test_render_pixels.cpp render/test_render_solids.cpp)
app_test(shaders LIBRARIES render_test_tools bvlab::glad bvlab::egl SOURCES render/test_shaders.cpp)

find_program(BVLAB_XVFB_RUN xvfb-run)
find_program(BVLAB_XDOTOOL xdotool)
add_executable(test_app_window platform/test_window.cpp)
target_link_libraries(test_app_window PRIVATE bvlab_platform render_test_tools glfw bvlab::options GTest::gtest
                                              GTest::gtest_main)
if(BVLAB_XVFB_RUN AND BVLAB_XDOTOOL)
  # -noreset: a server that resets itself after each test refuses the next connection now and then.
  set(under_xvfb ${BVLAB_XVFB_RUN} -a -s "-screen 0 1280x720x24 -noreset")
  add_test(NAME app.window COMMAND ${under_xvfb} $<TARGET_FILE:test_app_window> --gtest_filter=Window.*)
  # An X server without OpenGL, and a driver that says it is too old.
  add_test(NAME app.window_no_gl COMMAND ${BVLAB_XVFB_RUN} -a -s "-screen 0 1280x720x24 -noreset -extension GLX"
                                         $<TARGET_FILE:test_app_window> --gtest_filter=NoOpenGl.*)
  add_test(NAME app.window_old_gl COMMAND ${under_xvfb} $<TARGET_FILE:test_app_window> --gtest_filter=OldOpenGl.*)
  set_tests_properties(app.window_old_gl PROPERTIES ENVIRONMENT "MESA_GL_VERSION_OVERRIDE=3.1")
endif()
add_test(NAME app.window_no_display COMMAND test_app_window --gtest_filter=NoDisplay.*)
set_tests_properties(app.window_no_display PROPERTIES ENVIRONMENT_MODIFICATION
                     "DISPLAY=unset:;WAYLAND_DISPLAY=unset:")
