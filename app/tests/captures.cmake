# Captures: the format, the reader, and each adapter beside its engine.
app_test(captures LIBRARIES bvlab_io bv::capture SOURCES captures/test_captures.cpp)
target_compile_definitions(test_app_captures PRIVATE
  BVLAB_CAPTURE_SCRIPT="${PROJECT_SOURCE_DIR}/core/include/bv/capture/write_bvcap.py")
app_test(capture_lab LIBRARIES bvlab_io bv::capture bv::workloads SOURCES captures/test_capture_lab.cpp)
starts_threads(app.capture_lab test_app_capture_lab)
starts_threads(app.captures test_app_captures)
app_test(capture_tree LIBRARIES bvlab_io bv::workloads SOURCES captures/test_capture_tree.cpp)
# The same with the twin of bv_capture.h for other processors.
add_library(bv_capture_portable STATIC ${PROJECT_SOURCE_DIR}/core/src/capture/bv_capture.c)
target_compile_definitions(bv_capture_portable PRIVATE BV_CAPTURE_PORTABLE)
target_include_directories(bv_capture_portable PRIVATE ${PROJECT_SOURCE_DIR}/core/include)
add_executable(test_app_captures_portable $<TARGET_OBJECTS:test_app_captures>)
target_link_libraries(test_app_captures_portable PRIVATE bv_capture_portable bvlab_io Threads::Threads bvlab::options
  GTest::gtest GTest::gtest_main)
add_test(NAME app.captures_portable COMMAND test_app_captures_portable)

# Damaged captures, a few seconds here and longer by `./dev fuzz`.
add_executable(fuzz_captures fuzz/fuzz_captures.cpp)
target_link_libraries(fuzz_captures PRIVATE bvlab_capture bv::capture bv::workloads bvlab::options)
add_test(NAME app.fuzz_captures COMMAND fuzz_captures 3)

# capture_adapter(NAME EXAMPLE LIBRARIES...): the test of an adapter, and the example that it runs.
function(capture_adapter name example)
  add_executable(example_${example} ${PROJECT_SOURCE_DIR}/core/examples/${example}.cpp)
  target_link_libraries(example_${example} PRIVATE bv::core bv::capture ${ARGN} bvlab::options)
  app_test(capture_${name} LIBRARIES bvlab_io bv::capture bv::workloads ${ARGN} SOURCES captures/test_capture_${name}.cpp)
  target_compile_definitions(test_app_capture_${name} PRIVATE BVLAB_EXAMPLE="$<TARGET_FILE:example_${example}>")
  add_dependencies(test_app_capture_${name} example_${example})
endfunction()
capture_adapter(own capture_own_tree)
if(TARGET bvlab::bullet)
  capture_adapter(bullet capture_bullet bvlab::bullet)
endif()
if(TARGET bvlab::box2d)
  capture_adapter(box2d capture_box2d bvlab::box2d)
endif()
if(TARGET bvlab::fcl)
  capture_adapter(fcl capture_fcl bvlab::fcl)
endif()

add_library(second_engine STATIC captures/second_engine.cpp)
target_link_libraries(second_engine PUBLIC bvlab_capture bv::capture PRIVATE bv::workloads bvlab::options)
app_test(diagnosis LIBRARIES second_engine SOURCES captures/test_diagnosis.cpp)
app_test(diagnosis_engines LIBRARIES second_engine SOURCES captures/test_diagnosis_engines.cpp)
app_test(survey LIBRARIES second_engine SOURCES captures/test_survey.cpp)
# Captures that nobody has looked at: some here, any number by hand.
add_executable(trial_diagnosis captures/trial_diagnosis.cpp)
target_link_libraries(trial_diagnosis PRIVATE second_engine bvlab::options)
add_test(NAME app.trial_samples COMMAND trial_diagnosis samples 1 210000)
add_test(NAME app.trial_engines COMMAND trial_diagnosis engines 24 220000)
app_test(capture_scene LIBRARIES bvlab_commands SOURCES captures/test_capture_scene.cpp)
app_test(live LIBRARIES bvlab_commands bv::capture bv::workloads SOURCES captures/test_live.cpp)
starts_threads(app.live test_app_live)
# Damaged captures and garbage to a session that listens.
add_executable(fuzz_live fuzz/fuzz_live.cpp)
target_link_libraries(fuzz_live PRIVATE bvlab_commands bv::workloads Threads::Threads bvlab::options GTest::gtest)
add_test(NAME app.fuzz_live COMMAND fuzz_live 3)
starts_threads(app.fuzz_live fuzz_live)
