/* The implementation of bv_capture.h as a library, compiled as C99. Engines compile it themselves. */
#define BV_CAPTURE_IMPLEMENTATION
#include "bv/capture/bv_capture.h"
