# Roboto: the font of labels and panels, embedded into the program. Apache 2.0. Debian 12: fonts-roboto-unhinted 20170802.
find_path(BVLAB_ROBOTO_DIR Roboto-Medium.ttf
  PATHS /usr/share/fonts/truetype/roboto/unhinted/RobotoTTF /usr/share/fonts /usr/local/share/fonts
  PATH_SUFFIXES truetype/roboto roboto google-roboto TTF
  NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED DOC "The folder of Roboto-Regular.ttf and Roboto-Medium.ttf (Debian: fonts-roboto-unhinted)")
# The tool that cuts the fonts down to the characters that are drawn (Debian: libharfbuzz-bin). Without it the
# whole fonts are embedded.
find_program(BVLAB_HB_SUBSET hb-subset NO_CMAKE_FIND_ROOT_PATH DOC "HarfBuzz's hb-subset, which trims the embedded fonts")
