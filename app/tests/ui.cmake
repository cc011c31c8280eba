# Tests of viz and panels.
app_test(palette LIBRARIES bvlab_viz bvlab_commands SOURCES viz/test_palette.cpp)
app_test(viz LIBRARIES bvlab_viz bvlab_render bvlab_commands fmt::fmt
  SOURCES viz/test_viz.cpp viz/test_viz_screen.cpp viz/test_long_walks.cpp)
app_test(legend LIBRARIES bvlab_viz bvlab_render bvlab_commands fmt::fmt SOURCES viz/test_legend.cpp)
app_test(screen_layout LIBRARIES bvlab_panels bvlab_render SOURCES viz/test_screen_layout.cpp)
app_test(newcomer LIBRARIES bvlab_panels bvlab_controls bvlab_lessons fmt::fmt SOURCES panels/test_newcomer.cpp)
app_test(panels_logic LIBRARIES bvlab_panels SOURCES panels/test_panels_logic.cpp)
app_test(panels LIBRARIES bvlab_panels SOURCES panels/test_panels.cpp)
app_test(menus LIBRARIES bvlab_panels SOURCES panels/test_menus.cpp)
app_test(phone LIBRARIES bvlab_panels SOURCES panels/test_phone.cpp)
app_test(panels_lessons LIBRARIES bvlab_panels SOURCES panels/test_panels_lessons.cpp)
