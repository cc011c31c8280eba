# Tests of viz and panels.
app_test(palette LIBRARIES bvlab_viz SOURCES test_palette.cpp)
app_test(viz LIBRARIES bvlab_viz bvlab_render SOURCES test_viz.cpp)
